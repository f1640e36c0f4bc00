//! Generated from this folder by `cargo xtask registry`. Do not edit.

/// Every file's name and text.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &str)] = &[
    ("amd-7742", include_str!("amd-7742.json")),
    ("amd-epyc-7h12-ecs", include_str!("amd-epyc-7h12-ecs.json")),
    ("dimm-home-machine", include_str!("dimm-home-machine.json")),
    ("hygon-5280", include_str!("hygon-5280.json")),
    ("hygon-7280-8node", include_str!("hygon-7280-8node.json")),
    ("hygon-7280-die-interleaved", include_str!("hygon-7280-die-interleaved.json")),
    ("intel-6248", include_str!("intel-6248.json")),
    ("intel-8163", include_str!("intel-8163.json")),
    ("intel-8269cy-2node", include_str!("intel-8269cy-2node.json")),
    ("intel-8269cy-numa-off", include_str!("intel-8269cy-numa-off.json")),
    ("intel-e5-2682v4", include_str!("intel-e5-2682v4.json")),
    ("intel-i7-6500u", include_str!("intel-i7-6500u.json")),
    ("intel-i7-6500u-vm", include_str!("intel-i7-6500u-vm.json")),
    ("kunpeng-1630v100-sample", include_str!("kunpeng-1630v100-sample.json")),
    ("kunpeng-920-4826", include_str!("kunpeng-920-4826.json")),
    ("kunpeng-920-4826-1node-lscpu", include_str!("kunpeng-920-4826-1node-lscpu.json")),
    ("kunpeng-l3cut-1die-40c", include_str!("kunpeng-l3cut-1die-40c.json")),
    ("kunpeng-v200-48c96t", include_str!("kunpeng-v200-48c96t.json")),
    ("load-generator-196core", include_str!("load-generator-196core.json")),
    ("load-generator-72core", include_str!("load-generator-72core.json")),
    ("phytium-ft2500", include_str!("phytium-ft2500.json")),
    ("phytium-ft2500-numa-off", include_str!("phytium-ft2500-numa-off.json")),
    ("shenwei-3231", include_str!("shenwei-3231.json")),
    ("unspecified-ctx1-host", include_str!("unspecified-ctx1-host.json")),
    ("unspecified-highfreq-vm", include_str!("unspecified-highfreq-vm.json")),
    ("unspecified-tlbi-host", include_str!("unspecified-tlbi-host.json")),
];
