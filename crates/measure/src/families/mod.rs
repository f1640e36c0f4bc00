//! Generated from this folder by `cargo xtask registry`. Do not edit.

/// Every file's name and text.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &str)] = &[
    ("amd_zen4", include_str!("amd_zen4.toml")),
    ("amd_zen5", include_str!("amd_zen5.toml")),
    ("amd_zen6", include_str!("amd_zen6.toml")),
    ("amd_zen_core", include_str!("amd_zen_core.toml")),
    ("amd_zen_hygon", include_str!("amd_zen_hygon.toml")),
    ("ampere_one", include_str!("ampere_one.toml")),
    ("arm_neoverse_n1", include_str!("arm_neoverse_n1.toml")),
    ("arm_neoverse_n2", include_str!("arm_neoverse_n2.toml")),
    ("arm_neoverse_n3", include_str!("arm_neoverse_n3.toml")),
    ("arm_neoverse_v1", include_str!("arm_neoverse_v1.toml")),
    ("arm_neoverse_v2", include_str!("arm_neoverse_v2.toml")),
    ("arm_neoverse_v3", include_str!("arm_neoverse_v3.toml")),
    ("arm_pmuv3", include_str!("arm_pmuv3.toml")),
    ("generic", include_str!("generic.toml")),
    ("intel_clearwaterforest", include_str!("intel_clearwaterforest.toml")),
    ("intel_icelake", include_str!("intel_icelake.toml")),
    ("intel_lioncove", include_str!("intel_lioncove.toml")),
    ("intel_sapphirerapids", include_str!("intel_sapphirerapids.toml")),
    ("intel_sierraforest", include_str!("intel_sierraforest.toml")),
    ("intel_skylake", include_str!("intel_skylake.toml")),
    ("kunpeng_920", include_str!("kunpeng_920.toml")),
    ("phytium_ft2500", include_str!("phytium_ft2500.toml")),
];
