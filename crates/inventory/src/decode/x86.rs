//! x86 names: vendor, family and model into a microarchitecture, flags into an x86-64 level. Models from the
//! vendors' own lists as in Linux `arch/x86/include/asm/intel-family.h`, AMD's and Hygon's revision guides, and
//! Zhaoxin's kernel patches. What is newer than those has its source in its line. What is not listed is not guessed.

/// The CPUID vendor that a source's words mean: CPUID's own, or as firmware and other tools word it.
pub(crate) fn vendor_id(words: &str) -> &str {
    const WORDS: &[(&str, &str)] = &[
        ("intel", "GenuineIntel"),
        ("amd", "AuthenticAMD"),
        ("advanced micro devices", "AuthenticAMD"),
        ("hygon", "HygonGenuine"),
        ("zhaoxin", "  Shanghai  "),
        ("centaur", "CentaurHauls"),
    ];
    let low = words.trim().to_ascii_lowercase();
    WORDS.iter().find(|(start, _)| low.starts_with(start)).map_or(words, |(_, id)| id)
}

/// Whether it is an x86 vendor in CPUID's words.
pub(crate) fn is_vendor(id: &str) -> bool {
    vendor(id) != id
}

/// A vendor's everyday name.
pub(crate) fn vendor(id: &str) -> &str {
    match id.trim() {
        "GenuineIntel" => "Intel",
        "AuthenticAMD" => "AMD",
        "HygonGenuine" => "Hygon",
        "CentaurHauls" => "Centaur (VIA, Zhaoxin)",
        "Shanghai" => "Zhaoxin",
        other => other,
    }
}

/// The microarchitecture; `unknown: ...` with the numbers when it is not listed.
pub(crate) fn microarchitecture(id: &str, family: u32, model: u32, stepping: u32) -> String {
    let name = match (id.trim(), family) {
        ("GenuineIntel", _) => intel(family, model, stepping),
        ("AuthenticAMD", _) => amd(family, model),
        ("HygonGenuine", 0x18) => match model {
            // Linux distinguishes these four from the rest by the numbers of their sockets; the later names are
            // the compilers'.
            0x00..=0x03 => Some("Dhyana (from Zen 1)"),
            0x04 => Some("C86-4G-M4"),
            0x06 => Some("C86-4G-M6"),
            0x07 => Some("C86-4G-M7"),
            // Drivers name these models and no product (deepin-community/kernel #213, #601, #693, #1629).
            0x05 => Some("C86 (model 5h)"),
            0x08 => Some("C86 (model 8h)"),
            // "Hygon C86-4G (OPN:3450)" is 00910F00 (InstLatx64).
            0x10 => Some("C86-4G (model 10h)"),
            0x18 => Some("C86 (model 18h)"),
            _ => None,
        },
        ("CentaurHauls", 6) => match model {
            0x0f => Some("Isaiah or ZhangJiang (family 6 model 15)"),
            0x19 => Some("ZhangJiang (ZX-C)"),
            0x1f => Some("WuDaoKou (ZX-D)"),
            _ => None,
        },
        ("CentaurHauls" | "Shanghai", 7) => match model {
            0x1b => Some("WuDaoKou (KX-5000, KH-20000)"),
            0x3b => Some("LuJiaZui (KX-6000, KH-30000)"),
            0x5b => Some("YongFeng (KH-40000)"),
            0x6b => Some("ShiJiDaDao (KX-7000)"),
            _ => None,
        },
        ("Shanghai", 6) if model == 0x19 => Some("ZhangJiang (ZX-C)"),
        _ => None,
    };
    name.map_or_else(
        || format!("unknown: {} family 0x{family:x}, model 0x{model:x}", vendor(id)),
        str::to_string,
    )
}

fn intel(family: u32, model: u32, stepping: u32) -> Option<&'static str> {
    Some(match (family, model) {
        (5, _) => "P5",
        (6, _) => return intel6(model, stepping),
        (11, 0x01) => "Knights Corner",
        (15, _) => "NetBurst",
        (18, 0x01 | 0x03) => "Nova Lake",
        (19, 0x01) => "Diamond Rapids",
        _ => return None,
    })
}

fn intel6(model: u32, stepping: u32) -> Option<&'static str> {
    Some(match model {
        0x01 | 0x03 | 0x05..=0x08 | 0x0a | 0x0b => "P6",
        0x09 | 0x0d => "Pentium M",
        0x0e => "Core (Yonah)",
        0x0f | 0x16 => "Core (Merom)",
        0x17 | 0x1d => "Core (Penryn)",
        0x1a | 0x1e | 0x1f | 0x2e => "Nehalem",
        0x25 | 0x2c | 0x2f => "Westmere",
        0x2a | 0x2d => "Sandy Bridge",
        0x3a | 0x3e => "Ivy Bridge",
        0x3c | 0x3f | 0x45 | 0x46 => "Haswell",
        0x3d | 0x47 | 0x4f | 0x56 => "Broadwell",
        0x4e | 0x5e => "Skylake",
        // One model number has three server generations; the stepping distinguishes them.
        0x55 => match stepping {
            0..=4 => "Skylake-SP",
            5..=7 => "Cascade Lake",
            10 | 11 => "Cooper Lake",
            _ => return None,
        },
        0x8e if stepping == 9 => "Kaby Lake",
        0x8e => "Kaby Lake, Coffee Lake, Whiskey Lake or Comet Lake",
        0x9e if stepping == 9 => "Kaby Lake",
        0x9e if stepping == u32::MAX => return None,
        0x9e => "Coffee Lake",
        0xa5 | 0xa6 => "Comet Lake",
        0x66 => "Cannon Lake",
        0x6a | 0x6c => "Ice Lake-SP",
        0x7d | 0x7e | 0x9d => "Ice Lake",
        0x8c | 0x8d => "Tiger Lake",
        0xa7 => "Rocket Lake",
        0x8a => "Lakefield",
        0x97 | 0x9a => "Alder Lake",
        // InstLatx64: D7h is Bartlett Lake with P-cores only, B7h stepping 4 the one with both.
        0xd7 => "Bartlett Lake",
        0xb7 if stepping == 4 => "Bartlett Lake",
        0xb7 | 0xba | 0xbf => "Raptor Lake",
        0xaa | 0xac => "Meteor Lake",
        0xb5 | 0xc5 | 0xc6 => "Arrow Lake",
        0xbd => "Lunar Lake",
        // github.com/intel/perfmon mapfile.csv has all three as Panther Lake, InstLatx64 000D0651 as Wildcat Lake.
        0xcc | 0xe5 => "Panther Lake",
        0xd5 => "Wildcat Lake",
        0x8f => "Sapphire Rapids",
        0xcf => "Emerald Rapids",
        0xad | 0xae => "Granite Rapids",
        0xaf => "Sierra Forest",
        0xb6 => "Grand Ridge",
        0xdd => "Clearwater Forest",
        0xbe => "Gracemont (Alder Lake-N)",
        0x1c | 0x26 => "Bonnell",
        0x27 | 0x35 | 0x36 => "Saltwell",
        0x37 | 0x4a | 0x4d | 0x5a | 0x5d => "Silvermont",
        0x4c | 0x75 => "Airmont",
        0x5c | 0x5f => "Goldmont",
        0x7a => "Goldmont Plus",
        0x86 | 0x96 | 0x9c => "Tremont",
        0x57 => "Knights Landing",
        0x85 => "Knights Mill",
        _ => return None,
    })
}

fn amd(family: u32, model: u32) -> Option<&'static str> {
    Some(match (family, model) {
        (0x06, _) => "K7",
        (0x0f | 0x11, _) => "K8",
        (0x10, _) => "K10",
        (0x12, _) => "Llano",
        (0x14, _) => "Bobcat",
        (0x15, 0x00..=0x01) => "Bulldozer",
        (0x15, 0x02 | 0x10..=0x1f) => "Piledriver",
        (0x15, 0x30..=0x3f) => "Steamroller",
        (0x15, 0x60..=0x7f) => "Excavator",
        (0x16, 0x00..=0x0f) => "Jaguar",
        (0x16, 0x30..=0x3f) => "Puma",
        (0x17, 0x08 | 0x18) => "Zen+",
        (0x17, 0x00..=0x2f | 0x50..=0x5f) => "Zen 1",
        (0x17, 0x30..=0x4f | 0x60..=0x7f | 0x84 | 0x90..=0xaf) => "Zen 2",
        (0x19, 0x00..=0x0f | 0x20..=0x5f) => "Zen 3",
        (0x19, 0x10..=0x1f | 0x60..=0xaf) => "Zen 4",
        (0x1a, 0x00..=0x4f | 0x60..=0x7f) => "Zen 5",
        // 50h-57h are EPYC "Venice". Linux arch/x86/kernel/cpu/amd.c, and its patch of 2026-05-30 (D0h-EFh).
        (0x1a, 0x50..=0x5f | 0x80..=0xaf | 0xc0..=0xef) => "Zen 6",
        _ => return None,
    })
}

/// The CPU of an emulator that says no more than that, by its brand string (QEMU target/i386/cpu.c: qemu64, kvm64).
pub(crate) fn emulated(brand: &str) -> Option<&'static str> {
    let brand = brand.trim();
    if brand.starts_with("QEMU Virtual CPU") {
        return Some("QEMU virtual CPU (qemu64)");
    }
    let common = ["Common KVM processor", "Common 32-bit KVM processor"];
    common.contains(&brand).then_some("QEMU virtual CPU (kvm64)")
}

/// Whether a CPU with these flags cannot be this microarchitecture: a hypervisor states the model of an older one. AMX came with
/// Sapphire Rapids, and no microarchitecture but its successors has it; seen is model a7h, Rocket Lake's, with AMX.
pub(crate) fn is_disguised(microarchitecture: &str, flags: &str) -> bool {
    const WITH_AMX: [&str; 4] =
        ["Sapphire Rapids", "Emerald Rapids", "Granite Rapids", "Diamond Rapids"];
    let amx = flags.split_whitespace().any(|flag| flag == "amx_tile");
    let known = !microarchitecture.starts_with("unknown") && !microarchitecture.contains("QEMU");
    amx && known && !WITH_AMX.contains(&microarchitecture)
}

/// The highest x86-64 microarchitecture level (psABI) of which every flag is there, by Linux's flag names.
pub(crate) fn level(flags: &str) -> Option<&'static str> {
    const LEVELS: [(&str, &str); 4] = [
        ("x86-64-v1", "lm cmov cx8 fpu fxsr mmx syscall sse2"),
        ("x86-64-v2", "cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3"),
        // OSXSAVE shows as xsave, LZCNT as abm.
        ("x86-64-v3", "avx avx2 bmi1 bmi2 f16c fma abm movbe xsave"),
        ("x86-64-v4", "avx512f avx512bw avx512cd avx512dq avx512vl"),
    ];
    let have: std::collections::BTreeSet<&str> = flags.split_whitespace().collect();
    let complete = |need: &str| need.split(' ').all(|flag| have.contains(flag));
    LEVELS.iter().take_while(|(_, need)| complete(need)).last().map(|(name, _)| *name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_model_without_amx_is_not_believed_of_a_cpu_that_has_it() {
        let flags = "fpu avx512f amx_bf16 amx_tile";
        assert!(is_disguised("Rocket Lake", flags) && is_disguised("Skylake-SP", flags));
        assert!(!is_disguised("Rocket Lake", "fpu avx512f"));
        for name in ["Granite Rapids", "Sapphire Rapids", "unknown: Intel family 0x6, model 0xfe"] {
            assert!(!is_disguised(name, flags), "{name}");
        }
    }

    #[test]
    fn names() {
        for (id, family, model, stepping, name) in [
            ("GenuineIntel", 6, 85, 7, "Cascade Lake"),
            ("GenuineIntel", 6, 85, 4, "Skylake-SP"),
            ("GenuineIntel", 6, 79, 1, "Broadwell"),
            ("AuthenticAMD", 0x17, 0x31, 0, "Zen 2"),
            ("AuthenticAMD", 0x1a, 2, 1, "Zen 5"),
            ("HygonGenuine", 0x18, 1, 1, "Dhyana (from Zen 1)"),
            ("HygonGenuine", 0x18, 2, 1, "Dhyana (from Zen 1)"),
            ("HygonGenuine", 0x18, 4, 1, "C86-4G-M4"),
            ("HygonGenuine", 0x18, 5, 0, "C86 (model 5h)"),
            ("HygonGenuine", 0x18, 0x18, 0, "C86 (model 18h)"),
            ("HygonGenuine", 0x18, 9, 0, "unknown: Hygon family 0x18, model 0x9"),
            ("AuthenticAMD", 0x1a, 0x50, 0, "Zen 6"),
            ("AuthenticAMD", 0x1a, 0xe0, 0, "Zen 6"),
            ("AuthenticAMD", 0x1a, 0xf0, 0, "unknown: AMD family 0x1a, model 0xf0"),
            ("GenuineIntel", 6, 0xd5, 1, "Wildcat Lake"),
            ("GenuineIntel", 6, 0xd7, 0, "Bartlett Lake"),
            ("GenuineIntel", 6, 0xb7, 4, "Bartlett Lake"),
            ("GenuineIntel", 6, 0xb7, 1, "Raptor Lake"),
            ("CentaurHauls", 7, 0x5b, 0xb, "YongFeng (KH-40000)"),
            ("AuthenticAMD", 0x17, 8, 2, "Zen+"),
            ("AuthenticAMD", 0x17, 0x20, 1, "Zen 1"),
            ("AuthenticAMD", 0x19, 0x78, 0, "Zen 4"),
            ("GenuineIntel", 6, 0x0d, 8, "Pentium M"),
            ("  Shanghai  ", 7, 0x3b, 0, "LuJiaZui (KX-6000, KH-30000)"),
            ("GenuineIntel", 6, 0xfe, 0, "unknown: Intel family 0x6, model 0xfe"),
        ] {
            assert_eq!(microarchitecture(id, family, model, stepping), name);
        }
    }

    #[test]
    fn an_emulators_cpu_is_called_so() {
        assert_eq!(emulated("QEMU Virtual CPU version 2.5+"), Some("QEMU virtual CPU (qemu64)"));
        assert!(emulated("Common KVM processor").is_some());
        assert_eq!(emulated("AMD EPYC Processor"), None);
    }

    #[test]
    fn a_level_needs_all_levels_below() {
        let v2 =
            "lm cmov cx8 fpu fxsr mmx syscall sse2 cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3";
        assert_eq!(level(v2), Some("x86-64-v2"));
        assert_eq!(level(&v2.replace("ssse3", "avx2")), Some("x86-64-v1"));
        assert_eq!(level("fpu"), None);
    }
}
