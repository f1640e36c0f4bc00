//! RISC-V names from `/proc/cpuinfo`: vendor id (JEDEC, `mvendorid`) and the device tree's `uarch`.
use crate::cpuinfo::CpuInfo;

/// Who made it, by `mvendorid` (JEDEC JEP106 bank and number, as in Linux `asm/vendorid_list.h`).
pub(crate) fn vendor(info: &CpuInfo) -> Option<String> {
    let id = info
        .get(&["mvendorid"])
        .and_then(|text| u64::from_str_radix(text.trim_start_matches("0x"), 16).ok())?;
    Some(match id {
        0x31e => "Andes".into(),
        0x489 => "SiFive".into(),
        0x5b7 => "T-Head".into(),
        0x710 => "SpacemiT".into(),
        0x029 => "Microchip".into(),
        other => format!("unknown: mvendorid 0x{other:x}"),
    })
}

/// `sifive,u74-mc` and the like; the machine's own word, not ours.
pub(crate) fn microarchitecture(info: &CpuInfo) -> Option<String> {
    let uarch = info.get(&["uarch"])?;
    Some(match (uarch, info.get(&["marchid"])) {
        (uarch, Some(march)) if uarch.eq_ignore_ascii_case("unknown") => {
            format!("unknown: marchid {march}")
        }
        (uarch, _) => uarch.to_string(),
    })
}
