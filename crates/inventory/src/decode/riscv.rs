//! RISC-V names from `/proc/cpuinfo`: vendor id (JEDEC, `mvendorid`) and the device tree's `uarch`.
use crate::cpuinfo::CpuInfo;

/// The vendor, by `mvendorid` (JEDEC JEP106 bank and number, as in Linux `asm/vendorid_list.h`).
pub(crate) fn vendor(id: &str) -> Option<String> {
    Some(match u64::from_str_radix(id.strip_prefix("0x")?, 16).ok()? {
        0x31e => "Andes".into(),
        0x489 => "SiFive".into(),
        0x5b7 => "T-Head".into(),
        0x710 => "SpacemiT".into(),
        0x029 => "Microchip".into(),
        other => format!("unknown: mvendorid 0x{other:x}"),
    })
}

/// The chip, by the words of the device tree's root `compatible`: no register names it. From Linux
/// Documentation/devicetree/bindings/riscv.
pub(crate) fn chip(compatible: &str) -> Option<&'static str> {
    const CHIPS: [(&str, &str); 9] = [
        ("sophgo,sg2042", "Sophgo SG2042"),
        ("sophgo,sg2044", "Sophgo SG2044"),
        ("thead,th1520", "T-Head TH1520"),
        ("starfive,jh7110", "StarFive JH7110"),
        ("starfive,jh7100", "StarFive JH7100"),
        ("spacemit,k1", "SpacemiT K1"),
        ("sifive,fu740", "SiFive FU740"),
        ("eswin,eic7700", "ESWIN EIC7700X"),
        ("ultrarisc,dp1000", "UltraRISC DP1000"),
    ];
    let words = compatible.split(['\0', ' ', '\n']);
    words.filter_map(|word| CHIPS.iter().find(|(id, _)| *id == word)).map(|(_, name)| *name).next()
}

/// The design of the core of a chip whose kernel does not say it.
pub(crate) fn core_of(chip: &str) -> Option<&'static str> {
    match chip {
        "Sophgo SG2042" => Some("thead,c920"),
        _ => None,
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chip_is_in_the_device_tree() {
        assert_eq!(chip("milkv,pioneer\0sophgo,sg2042\0"), Some("Sophgo SG2042"));
        assert_eq!(chip("milkv pioneer sophgo,sg2042x"), None);
        assert_eq!(core_of("Sophgo SG2042"), Some("thead,c920"));
    }
}
