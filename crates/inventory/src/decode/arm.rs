//! Arm names: MIDR implementer and part. Numbers from Arm's technical reference manuals and Linux
//! `arch/arm64/include/asm/cputype.h`. What is not listed is not guessed.

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
    /// Who made it.
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
    /// From the clouds' own descriptions of their Arm machines; Graviton5: MIDR 410fd841 (speed47's
    /// spectre-meltdown-checker #582); Cobalt: MIDRs that guests show (MeshLib #6712, #6791).
    pub(crate) fn of_cloud(&self, maker: &str) -> Option<&'static str> {
        if self.implementer != 0x41 {
            return None;
        }
        Some(match (maker, self.part) {
            ("Amazon EC2", 0xd08) => "AWS Graviton",
            ("Amazon EC2", 0xd0c) => "AWS Graviton2",
            ("Amazon EC2", 0xd40) => "AWS Graviton3",
            ("Amazon EC2", 0xd4f) => "AWS Graviton4",
            ("Amazon EC2", 0xd84) => "AWS Graviton5",
            ("Alibaba Cloud", 0xd49) => "Yitian 710",
            ("Google", 0xd4f | 0xd8e) => "Google Axion",
            ("Google" | "Microsoft Corporation", 0xd0c) => "Ampere Altra",
            ("Microsoft Corporation", 0xd49) => "Azure Cobalt 100",
            ("Microsoft Corporation", 0xd84) => "Azure Cobalt 200",
            _ => return None,
        })
    }
    fn name(&self) -> Option<&'static str> {
        parts(self.implementer).iter().find(|(part, _)| *part == self.part).map(|(_, name)| *name)
    }
}

/// Who designed a core.
pub(crate) fn vendor(implementer: u32) -> Option<&'static str> {
    Some(match implementer {
        0x41 => "Arm",
        0x42 => "Broadcom",
        0x43 => "Cavium",
        0x44 => "DEC",
        0x46 => "Fujitsu",
        0x48 => "HiSilicon",
        0x4e => "NVIDIA",
        0x50 => "APM",
        0x51 => "Qualcomm",
        0x53 => "Samsung",
        0x56 => "Marvell",
        0x61 => "Apple",
        0x69 => "Intel",
        0x6d => "Microsoft",
        0x70 => "Phytium",
        0xc0 => "Ampere",
        _ => return None,
    })
}

/// Who implemented a core, by lscpu's words or the number that older ones print.
pub(crate) fn implementer(words: &str) -> Option<u32> {
    if let Some(number) = words.strip_prefix("0x") {
        return u32::from_str_radix(number, 16).ok();
    }
    (0..=0xff).find(|id| vendor(*id).is_some_and(|name| name.eq_ignore_ascii_case(words)))
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
    let mut all = parts(implementer).iter().filter(|(_, name)| is(name));
    let (part, _) = *all.next()?;
    all.next().is_none().then_some(Midr { implementer, variant: 0, part, revision: 0 })
}

fn parts(implementer: u32) -> Parts {
    match implementer {
        0x41 => ARM,
        0x42 => &[(0x0f, "Brahma-B15"), (0x100, "Brahma-B53"), (0x516, "ThunderX2 (Vulcan)")],
        0x43 => CAVIUM,
        0x46 => &[(0x001, "A64FX"), (0x003, "MONAKA")],
        // 0xd02 is HIP09 and 0xd06 HIP12 to the kernel; the 920B and 930-class servers carry the former.
        0x48 => &[
            (0xd01, "TaiShan v110 (Kunpeng 920)"),
            (0xd02, "TaiShan v120 (Kunpeng HIP09: 920B)"),
            (0xd03, "TaiShan (Kunpeng 920 class, part 0xd03)"),
            (0xd06, "TaiShan (Kunpeng HIP12: 950)"),
            (0xd22, "TaiShan (Kunpeng 920 class, part 0xd22)"),
            (0xd40, "Cortex-A76"),
            (0xd41, "Cortex-A77"),
            // Kirin's middle core (cpufetch #259).
            (0xd42, "TaiShan (part 0xd42)"),
        ][..],
        0x4e => &[(0x000, "Denver"), (0x003, "Denver 2"), (0x004, "Carmel"), (0x010, "Olympus")],
        0x50 => &[(0x000, "X-Gene")],
        0x51 => QUALCOMM,
        0x53 => &[
            (0x001, "Exynos M1"),
            (0x002, "Exynos M3"),
            (0x003, "Exynos M4"),
            (0x004, "Exynos M5"),
        ],
        0x56 => &[(0x131, "Feroceon 88FR131"), (0x581, "PJ4"), (0x584, "PJ4B-MP")],
        0x61 => APPLE,
        // The second is inferred from the first's habit (MeshLib #6791).
        0x6d => {
            &[(0xd49, "Neoverse N2 (Azure Cobalt 100)"), (0xd84, "Neoverse V3 (Azure Cobalt 200)")]
        }
        0x70 => &[
            (0x303, "FTC310"),
            (0x660, "FTC660"),
            (0x661, "FTC661"),
            (0x662, "FTC662"),
            (0x663, "FTC663"),
            (0x664, "FTC664"),
            (0x861, "FTC861"),
            (0x862, "FTC862"),
            (0x870, "FTC870"),
        ],
        0xc0 => &[(0xac3, "Ampere-1"), (0xac4, "Ampere-1A"), (0xac5, "Ampere-1B")],
        _ => &[],
    }
}

type Parts = &'static [(u32, &'static str)];

const ARM: Parts = &[
    (0x920, "ARM920"),
    (0x926, "ARM926"),
    (0xb02, "ARM11 MPCore"),
    (0xb36, "ARM1136"),
    (0xb56, "ARM1156"),
    (0xb76, "ARM1176"),
    (0xc05, "Cortex-A5"),
    (0xc07, "Cortex-A7"),
    (0xc08, "Cortex-A8"),
    (0xc09, "Cortex-A9"),
    (0xc0d, "Cortex-A12"),
    (0xc0e, "Cortex-A17"),
    (0xc0f, "Cortex-A15"),
    (0xd01, "Cortex-A32"),
    (0xd02, "Cortex-A34"),
    (0xd03, "Cortex-A53"),
    (0xd04, "Cortex-A35"),
    (0xd05, "Cortex-A55"),
    (0xd06, "Cortex-A65"),
    (0xd07, "Cortex-A57"),
    (0xd08, "Cortex-A72"),
    (0xd09, "Cortex-A73"),
    (0xd0a, "Cortex-A75"),
    (0xd0b, "Cortex-A76"),
    (0xd0c, "Neoverse N1"),
    (0xd0d, "Cortex-A77"),
    (0xd0e, "Cortex-A76AE"),
    (0xd40, "Neoverse V1"),
    (0xd41, "Cortex-A78"),
    (0xd42, "Cortex-A78AE"),
    (0xd43, "Cortex-A65AE"),
    (0xd44, "Cortex-X1"),
    (0xd46, "Cortex-A510"),
    (0xd47, "Cortex-A710"),
    (0xd48, "Cortex-X2"),
    (0xd49, "Neoverse N2"),
    (0xd4a, "Neoverse E1"),
    (0xd4b, "Cortex-A78C"),
    (0xd4c, "Cortex-X1C"),
    (0xd4d, "Cortex-A715"),
    (0xd4e, "Cortex-X3"),
    (0xd4f, "Neoverse V2"),
    (0xd80, "Cortex-A520"),
    (0xd81, "Cortex-A720"),
    (0xd82, "Cortex-X4"),
    (0xd83, "Neoverse V3AE"),
    (0xd84, "Neoverse V3"),
    (0xd85, "Cortex-X925"),
    (0xd87, "Cortex-A725"),
    (0xd88, "Cortex-A520AE"),
    (0xd89, "Cortex-A720AE"),
    (0xd8a, "C1-Nano"),
    (0xd8b, "C1-Pro"),
    (0xd8c, "C1-Ultra"),
    (0xd8e, "Neoverse N3"),
    (0xd8f, "Cortex-A320"),
    (0xd90, "C1-Premium"),
];
const CAVIUM: Parts = &[
    (0x0a0, "ThunderX"),
    (0x0a1, "ThunderX 88XX"),
    (0x0a2, "ThunderX 81XX"),
    (0x0a3, "ThunderX 83XX"),
    (0x0af, "ThunderX2 99xx"),
    (0x0b0, "OcteonTX2"),
    (0x0b1, "OcteonTX2 98XX"),
    (0x0b2, "OcteonTX2 96XX"),
    (0x0b3, "OcteonTX2 95XX"),
    (0x0b4, "OcteonTX2 95XXN"),
    (0x0b5, "OcteonTX2 95XXMM"),
    (0x0b6, "OcteonTX2 95XXO"),
    (0x0b8, "ThunderX3 T110"),
];
const QUALCOMM: Parts = &[
    (0x001, "Oryon"),
    (0x00f, "Scorpion"),
    (0x02d, "Scorpion"),
    (0x04d, "Krait"),
    (0x06f, "Krait"),
    (0x201, "Kryo"),
    (0x205, "Kryo"),
    (0x211, "Kryo"),
    (0x800, "Kryo 2xx Gold (Falkor V1)"),
    (0x801, "Kryo 2xx Silver"),
    (0x802, "Kryo 3xx Gold"),
    (0x803, "Kryo 3xx Silver"),
    (0x804, "Kryo 4xx Gold"),
    (0x805, "Kryo 4xx Silver"),
    (0xc00, "Falkor"),
    (0xc01, "Saphira"),
];
const APPLE: Parts = &[
    (0x000, "Swift (A6)"),
    (0x001, "Cyclone (A7)"),
    (0x002, "Typhoon (A8)"),
    (0x003, "Typhoon (A8X)"),
    (0x004, "Twister (A9)"),
    (0x005, "Twister (A9X)"),
    (0x006, "Hurricane (A10)"),
    (0x007, "Hurricane (A10X)"),
    (0x008, "Monsoon (A11)"),
    (0x009, "Mistral (A11)"),
    (0x00b, "Vortex (A12)"),
    (0x00c, "Tempest (A12)"),
    (0x010, "Vortex (A12X)"),
    (0x011, "Tempest (A12X)"),
    (0x012, "Lightning (A13)"),
    (0x013, "Thunder (A13)"),
    (0x020, "Icestorm (A14)"),
    (0x021, "Firestorm (A14)"),
    (0x022, "Icestorm (M1)"),
    (0x023, "Firestorm (M1)"),
    (0x024, "Icestorm (M1 Pro)"),
    (0x025, "Firestorm (M1 Pro)"),
    (0x028, "Icestorm (M1 Max)"),
    (0x029, "Firestorm (M1 Max)"),
    (0x030, "Blizzard (A15)"),
    (0x031, "Avalanche (A15)"),
    (0x032, "Blizzard (M2)"),
    (0x033, "Avalanche (M2)"),
    (0x034, "Blizzard (M2 Pro)"),
    (0x035, "Avalanche (M2 Pro)"),
    (0x036, "Sawtooth (A16)"),
    (0x037, "Everest (A16)"),
    (0x038, "Blizzard (M2 Max)"),
    (0x039, "Avalanche (M2 Max)"),
];

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
        for table in [ARM, CAVIUM, QUALCOMM, APPLE] {
            assert!(table.windows(2).all(|pair| pair[0].0 < pair[1].0));
        }
    }
}
