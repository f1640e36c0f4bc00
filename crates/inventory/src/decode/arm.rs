//! Arm names: MIDR implementer and part. Numbers from Arm's technical reference manuals and Linux
//! `arch/arm64/include/asm/cputype.h`. What is not listed is not guessed.
use super::table;
use crate::cpuinfo::hex;

const ARM: &str = include_str!("tables/arm.txt");

/// The fields of a MIDR_EL1 register that name a core.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Midr {
    pub(crate) implementer: u32,
    pub(crate) variant: u32,
    pub(crate) part: u32,
    pub(crate) revision: u32,
}

impl Midr {
    pub(crate) fn from_register(midr: u64) -> Midr {
        let midr = midr as u32;
        Midr {
            implementer: midr >> 24,
            variant: midr >> 20 & 15,
            part: midr >> 4 & 0xfff,
            revision: midr & 15,
        }
    }
    /// The vendor.
    pub(crate) fn vendor(&self) -> Option<&'static str> {
        vendor(self.implementer)
    }
    /// The core's name; `unknown: ...` with the numbers when it is not listed.
    pub(crate) fn microarchitecture(&self) -> String {
        self.name().map_or_else(
            || format!("unknown: implementer 0x{:x}, part 0x{:x}", self.implementer, self.part),
            str::to_string,
        )
    }
    /// The chip, where the one who rents out the machine builds it himself: such guests have no other name for it.
    pub(crate) fn of_cloud(&self, maker: &str) -> Option<&'static str> {
        let part = Some(self.part).filter(|_| self.implementer == 0x41)?;
        table::name(include_str!("tables/clouds.txt"), maker, part)
    }
    fn name(&self) -> Option<&'static str> {
        parts(self.implementer).find(|(part, _)| *part == self.part).map(|(_, name)| name)
    }
}

/// Numbers and names of implementers.
fn implementers() -> impl Iterator<Item = (u32, &'static str)> {
    table::heads(ARM)
        .filter_map(|head| head.split_once(' '))
        .filter_map(|(n, name)| Some((hex(n)?, name)))
}

/// The designer of a core.
pub(crate) fn vendor(implementer: u32) -> Option<&'static str> {
    implementers().find(|(id, _)| *id == implementer).map(|(_, name)| name)
}

/// The implementer of a core, from lscpu's words or the number that older ones print.
pub(crate) fn implementer(words: &str) -> Option<u32> {
    if let Some(number) = words.strip_prefix("0x") {
        return u32::from_str_radix(number, 16).ok();
    }
    implementers().find(|(_, name)| name.eq_ignore_ascii_case(words)).map(|(id, _)| id)
}

/// Our name of a core that another tool calls `Neoverse-N1`, `TaiShan-v110`, or by its chip `Kunpeng-920`.
pub(crate) fn named(implementer: u32, words: &str) -> Option<Midr> {
    let plain = |text: &str| -> String {
        text.chars().filter(char::is_ascii_alphanumeric).flat_map(char::to_lowercase).collect()
    };
    let wanted = plain(words);
    if let Some(part) = words.strip_prefix("0x").and_then(|n| u32::from_str_radix(n, 16).ok()) {
        return Some(Midr { implementer, variant: 0, part, revision: 0 });
    }
    let is = |name: &str| {
        let (core, chip) = name.split_once(" (").unwrap_or((name, ""));
        !wanted.is_empty() && [plain(name), plain(core), plain(chip)].contains(&wanted)
    };
    let mut all = parts(implementer).filter(|(_, name)| is(name));
    let (part, _) = all.next()?;
    all.next().is_none().then_some(Midr { implementer, variant: 0, part, revision: 0 })
}

/// Part numbers and names of an implementer's cores.
fn parts(implementer: u32) -> impl Iterator<Item = (u32, &'static str)> {
    let own = move |head: &str| head.split(' ').next().and_then(hex) == Some(implementer);
    table::rows(ARM, own).filter_map(|(part, name)| Some((hex(part)?, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (midr, vendor, name) in [
            (0x481f_d010, "HiSilicon", "TaiShan v110 (Kunpeng 920)"),
            (0x701f_6633, "Phytium", "FTC663"),
            (0x413f_d0c1, "Arm", "Neoverse N1"),
            (0xc00f_ac30, "Ampere", "Ampere-1"),
            (0x480f_d420, "HiSilicon", "TaiShan (part 0xd42)"),
            (0x6d0f_d841, "Microsoft", "Neoverse V3 (Azure Cobalt 200)"),
            (0x480f_ffff, "HiSilicon", "unknown: implementer 0x48, part 0xfff"),
        ] {
            let midr = Midr::from_register(midr);
            assert_eq!(midr.vendor(), Some(vendor));
            assert_eq!(midr.microarchitecture(), name);
        }
    }

    #[test]
    fn clouds_build_their_own() {
        let n1 = Midr::from_register(0x413f_d0c1);
        assert_eq!(n1.of_cloud("Amazon EC2"), Some("AWS Graviton2"));
        assert_eq!(n1.of_cloud("Alibaba Cloud"), None);
        let v3 = Midr::from_register(0x410f_d841);
        assert_eq!(v3.of_cloud("Amazon EC2"), Some("AWS Graviton5"));
        assert_eq!(v3.of_cloud("Microsoft Corporation"), Some("Azure Cobalt 200"));
        assert_eq!(Midr::from_register(0x481f_d010).of_cloud("Amazon EC2"), None);
    }

    #[test]
    fn no_part_is_listed_twice() {
        for (id, name) in implementers() {
            let parts: Vec<u32> = parts(id).map(|(part, _)| part).collect();
            assert!(parts.is_sorted_by(|a, b| a < b), "{name}");
        }
    }
}
