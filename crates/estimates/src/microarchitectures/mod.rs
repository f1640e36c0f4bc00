//! Generated from this folder by `cargo xtask registry`. Do not edit.

/// Every file's name and text.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &str)] = &[
    ("granite_rapids", include_str!("granite_rapids.toml")),
    ("hygon_dhyana", include_str!("hygon_dhyana.toml")),
    ("ice_lake", include_str!("ice_lake.toml")),
    ("kunpeng_920", include_str!("kunpeng_920.toml")),
    ("neoverse_n1", include_str!("neoverse_n1.toml")),
    ("neoverse_n2", include_str!("neoverse_n2.toml")),
    ("neoverse_n3", include_str!("neoverse_n3.toml")),
    ("neoverse_v1", include_str!("neoverse_v1.toml")),
    ("neoverse_v2", include_str!("neoverse_v2.toml")),
    ("neoverse_v3", include_str!("neoverse_v3.toml")),
    ("phytium_ftc663", include_str!("phytium_ftc663.toml")),
    ("sapphire_rapids", include_str!("sapphire_rapids.toml")),
    ("sierra_forest", include_str!("sierra_forest.toml")),
    ("skylake_sp", include_str!("skylake_sp.toml")),
    ("zen_1", include_str!("zen_1.toml")),
    ("zen_1_plus", include_str!("zen_1_plus.toml")),
    ("zen_2", include_str!("zen_2.toml")),
    ("zen_3", include_str!("zen_3.toml")),
    ("zen_4", include_str!("zen_4.toml")),
    ("zen_5", include_str!("zen_5.toml")),
];
