//! x86 names: vendor, family and model into a microarchitecture, flags into an x86-64 level. Models from the
//! vendors' own lists as in Linux `arch/x86/include/asm/intel-family.h`, AMD's and Hygon's revision guides, and
//! Zhaoxin's kernel patches. What is newer than those has its source in its line. What is not listed is not guessed.
use super::table::{holds, rows};

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
    let of = |head: &str| {
        let (vendors, families) = head.split_once(' ').unwrap_or_default();
        vendors.split(',').any(|vendor| vendor == id.trim()) && holds(families, family)
    };
    let fits = |(codes, _): &(&str, &str)| {
        let (models, steppings) = codes.split_once('/').unwrap_or((codes, "*"));
        holds(models, model) && holds(steppings, stepping)
    };
    let name = rows(include_str!("tables/x86.txt"), of).find(fits).map(|(_, name)| name);
    name.map_or_else(
        || format!("unknown: {} family 0x{family:x}, model 0x{model:x}", vendor(id)),
        str::to_string,
    )
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
