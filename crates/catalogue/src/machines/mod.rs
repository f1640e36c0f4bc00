//! Generated from this folder by `cargo xtask registry`. Do not edit.

/// Every file's name and deflated text.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &[u8])] = &[
    ("amd-7742", include_bytes!(concat!(env!("OUT_DIR"), "/amd-7742.deflated"))),
    ("amd-epyc-7h12-ecs", include_bytes!(concat!(env!("OUT_DIR"), "/amd-epyc-7h12-ecs.deflated"))),
    ("dimm-home-machine", include_bytes!(concat!(env!("OUT_DIR"), "/dimm-home-machine.deflated"))),
    ("hygon-5280", include_bytes!(concat!(env!("OUT_DIR"), "/hygon-5280.deflated"))),
    ("hygon-7280-8node", include_bytes!(concat!(env!("OUT_DIR"), "/hygon-7280-8node.deflated"))),
    ("hygon-7280-die-interleaved", include_bytes!(concat!(env!("OUT_DIR"), "/hygon-7280-die-interleaved.deflated"))),
    ("intel-6248", include_bytes!(concat!(env!("OUT_DIR"), "/intel-6248.deflated"))),
    ("intel-8163", include_bytes!(concat!(env!("OUT_DIR"), "/intel-8163.deflated"))),
    ("intel-8269cy-2node", include_bytes!(concat!(env!("OUT_DIR"), "/intel-8269cy-2node.deflated"))),
    ("intel-8269cy-numa-off", include_bytes!(concat!(env!("OUT_DIR"), "/intel-8269cy-numa-off.deflated"))),
    ("intel-e5-2682v4", include_bytes!(concat!(env!("OUT_DIR"), "/intel-e5-2682v4.deflated"))),
    ("intel-i7-6500u", include_bytes!(concat!(env!("OUT_DIR"), "/intel-i7-6500u.deflated"))),
    ("intel-i7-6500u-vm", include_bytes!(concat!(env!("OUT_DIR"), "/intel-i7-6500u-vm.deflated"))),
    ("kunpeng-1630v100-sample", include_bytes!(concat!(env!("OUT_DIR"), "/kunpeng-1630v100-sample.deflated"))),
    ("kunpeng-920-4826", include_bytes!(concat!(env!("OUT_DIR"), "/kunpeng-920-4826.deflated"))),
    ("kunpeng-920-4826-1node-lscpu", include_bytes!(concat!(env!("OUT_DIR"), "/kunpeng-920-4826-1node-lscpu.deflated"))),
    ("kunpeng-l3cut-1die-40c", include_bytes!(concat!(env!("OUT_DIR"), "/kunpeng-l3cut-1die-40c.deflated"))),
    ("kunpeng-v200-48c96t", include_bytes!(concat!(env!("OUT_DIR"), "/kunpeng-v200-48c96t.deflated"))),
    ("load-generator-196core", include_bytes!(concat!(env!("OUT_DIR"), "/load-generator-196core.deflated"))),
    ("load-generator-72core", include_bytes!(concat!(env!("OUT_DIR"), "/load-generator-72core.deflated"))),
    ("phytium-ft2500", include_bytes!(concat!(env!("OUT_DIR"), "/phytium-ft2500.deflated"))),
    ("phytium-ft2500-numa-off", include_bytes!(concat!(env!("OUT_DIR"), "/phytium-ft2500-numa-off.deflated"))),
    ("shenwei-3231", include_bytes!(concat!(env!("OUT_DIR"), "/shenwei-3231.deflated"))),
    ("unspecified-ctx1-host", include_bytes!(concat!(env!("OUT_DIR"), "/unspecified-ctx1-host.deflated"))),
    ("unspecified-highfreq-vm", include_bytes!(concat!(env!("OUT_DIR"), "/unspecified-highfreq-vm.deflated"))),
    ("unspecified-tlbi-host", include_bytes!(concat!(env!("OUT_DIR"), "/unspecified-tlbi-host.deflated"))),
];
