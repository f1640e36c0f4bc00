//! Names a processor from the facts that a source states in its own words: those of CPUID, MIDR and /proc/cpuinfo here,
//! of lscpu, dmidecode, lshw and hwloc in `import`.
use crate::decode::{arm, brand, loongarch, riscv, x86};
use crate::virtualisation;
use record::{Machine, Unit};

/// Puts the vendor's everyday name and the microarchitecture in the place of a source's words, and what follows for
/// sockets, cores and SMT. What is not listed stays as it was said.
pub fn resolve(machine: &mut Machine, arch: Option<&str>) {
    let firmware_model = machine.facts.get("firmware.cpu.model").cloned();
    if let Some(fact) = firmware_model.filter(|_| machine.text("cpu.model").is_none()) {
        machine.facts.insert("cpu.model".into(), fact);
    }
    let said = said(machine, "cpu.vendor").or_else(|| said(machine, "firmware.cpu.vendor"));
    let (vendor, source) = said.unwrap_or_default();
    if !vendor.is_empty() {
        machine.set("cpu.vendor", self::vendor(&vendor), source);
    }
    match Family::of(arch, &vendor) {
        Family::X86 => x86(machine, &vendor),
        Family::Arm => arm(machine, &vendor),
        Family::Other(arch) => other(machine, arch, &vendor),
    }
    by_brand(machine);
    counts(machine);
    virtualisation::by_firmware(machine);
}

/// A vendor's everyday name for a source's words: `AuthenticAMD`, `Advanced Micro Devices, Inc.`, `ARM`, `0x48`.
pub fn vendor(words: &str) -> &str {
    let of_arm = || arm::implementer(words).and_then(arm::vendor);
    match x86::vendor(x86::vendor_id(words)) {
        same if same == words => of_arm().unwrap_or(words),
        name => name,
    }
}

/// Whether firmware's words for a processor name one. QEMU puts its machine type there, others a placeholder.
pub fn names_processor(words: &str) -> bool {
    const NONE: [&str; 4] = ["notspecified", "not specified", "unknown", "n/a"];
    let low = words.trim().to_ascii_lowercase();
    let machine = ["pc-i440fx-", "pc-q35-", "virt-"].iter().any(|kind| low.starts_with(kind));
    !machine && !low.is_empty() && !NONE.contains(&&*low)
}

enum Family<'a> {
    X86,
    Arm,
    Other(&'a str),
}

impl Family<'_> {
    /// By the architecture; where no source states it, by the vendor.
    fn of<'a>(arch: Option<&'a str>, vendor: &str) -> Family<'a> {
        match arch {
            Some("x86_64" | "amd64" | "i686" | "i586" | "i386") => Family::X86,
            // dpkg prints arm64 and armhf.
            Some("aarch64" | "arm64" | "armhf" | "armv6l" | "armv7l" | "armv8l" | "arm") => {
                Family::Arm
            }
            Some(other) => Family::Other(other),
            None if x86::is_vendor(x86::vendor_id(vendor)) => Family::X86,
            None if arm::implementer(vendor).is_some() => Family::Arm,
            None => Family::Other(""),
        }
    }
}

/// A fact's words and its source.
fn said(machine: &Machine, name: &str) -> Option<(String, String)> {
    Some((machine.text(name)?.to_owned(), machine.facts.get(name)?.source.clone()))
}

fn x86(machine: &mut Machine, vendor: &str) {
    let id = x86::vendor_id(vendor);
    let number = |name: &str| machine.integer(name).and_then(|n| u32::try_from(n).ok());
    let flags = machine.text("cpu.flags");
    let emulated = machine.text("cpu.model").and_then(x86::emulated).map(str::to_owned);
    let design = match (number("cpu.family"), number("cpu.model_number")) {
        (Some(family), Some(model)) if !vendor.is_empty() => {
            // Where one model number has several designs, a stepping that is not stated is none of theirs.
            let stepping = number("cpu.stepping").unwrap_or(u32::MAX);
            let name =
                emulated.unwrap_or_else(|| x86::microarchitecture(id, family, model, stepping));
            Some(match flags.is_some_and(|flags| x86::is_disguised(&name, flags)) {
                true => format!("unknown: a hypervisor calls it {name}, which has no AMX"),
                false => name,
            })
        }
        _ => None,
    };
    let level = flags.and_then(x86::level);
    let of = |name: &str| machine.facts.get(name).map_or(String::new(), |f| f.source.clone());
    let (from_number, from_flags) = (of("cpu.model_number"), of("cpu.flags"));
    if let Some(design) = design {
        machine.set("cpu.microarchitecture", design, from_number);
    }
    if let Some(level) = level {
        machine.set("cpu.level", level, from_flags);
    }
}

/// Other tools print a core's name where the register has its number, and the chip's name is firmware's or the cloud's.
fn arm(machine: &mut Machine, vendor: &str) {
    let (model, source) = said(machine, "cpu.model").unwrap_or_default();
    let Some(implementer) = arm::implementer(vendor) else { return };
    // big.LITTLE machines have several kinds of core.
    let kinds: Option<Vec<_>> =
        model.split(" + ").map(|name| arm::named(implementer, name)).collect();
    let Some(kinds) = kinds else { return };
    let midr = kinds[0];
    let designs: Vec<String> = kinds.iter().map(arm::Midr::microarchitecture).collect();
    let design = designs.join(" + ");
    if machine.value("cpu.microarchitecture").is_none() {
        machine.set("cpu.microarchitecture", &*design, source.clone());
    }
    let cloud =
        || Some((midr.of_cloud(machine.text("system.vendor")?)?.to_owned(), source.clone()));
    let chip = said(machine, "firmware.cpu.model").or_else(cloud);
    let (name, source) = chip.unwrap_or_else(|| (design, source.clone()));
    machine.set("cpu.model", name, source);
}

/// Finds vendor and design by the brand string, for a source that states neither numbers nor vendor.
fn by_brand(machine: &mut Machine) {
    let Some((model, source)) = said(machine, "cpu.model") else { return };
    let Some((vendor, design)) = brand::named(&model) else { return };
    for (name, value) in [("cpu.vendor", vendor), ("cpu.microarchitecture", design)] {
        if machine.value(name).is_none() {
            machine.set(name, value, source.clone());
        }
    }
}

/// POWER, s390, LoongArch, RISC-V, Sunway: the vendor by its id or the architecture, the design by the name (Sunway's are
/// the compiler's: SW6B is the core of 3231 and 831, Linux arch/sw_64/include/asm/cpu.h).
fn other(machine: &mut Machine, arch: &str, vendor: &str) {
    let (model, source) = said(machine, "cpu.model").unwrap_or_default();
    let has = |words: &[&str]| words.iter().any(|word| model.contains(word));
    let named = match arch {
        "sw_64" => Some("Sunway (Shenwei)".to_owned()),
        "riscv64" | "riscv32" => riscv::vendor(vendor),
        _ if vendor.eq_ignore_ascii_case("sunway") => Some("Sunway (Shenwei)".into()),
        _ if vendor.is_empty() && model.starts_with("POWER") => Some("IBM".into()),
        _ => None,
    };
    let design = match arch {
        "loongarch64" | "loongarch32" => {
            loongarch::microarchitecture(None, Some(&*model).filter(|m| !m.is_empty()))
        }
        "sw_64" if has(&["SW6B", "sw6b", "3231", "831"]) => Some("SW6B".into()),
        "sw_64" if has(&["SW8A", "sw8a"]) => Some("SW8A".into()),
        _ if model.starts_with("POWER") => model.split([' ', ',', '(']).next().map(str::to_owned),
        _ => None,
    };
    if let Some(name) = named {
        // Of a machine that names neither its vendor nor its model, the architecture alone says it.
        let of =
            ["cpu.vendor", "cpu.model", "kernel.arch"].iter().find_map(|name| said(machine, name));
        machine.set("cpu.vendor", name, of.map_or("architecture".into(), |(_, source)| source));
    }
    if let Some(design) = design.filter(|_| machine.text("cpu.microarchitecture").is_none()) {
        machine.set("cpu.microarchitecture", design, source);
    }
}

/// Sockets, cores and SMT by firmware's counts or another tool's, where no source says which CPU belongs to which.
fn counts(machine: &mut Machine) {
    let number = |name: &str| {
        let fact = machine.facts.get(name)?;
        Some((machine.integer(name).filter(|n| *n > 0)?, fact.source.clone()))
    };
    let mut found = vec![];
    if machine.topology.sockets() == 0 {
        found.push(("cpu.sockets", number("board.sockets.filled")));
        let cores = number("firmware.cpu.cores.enabled").or_else(|| number("firmware.cpu.cores"));
        let threads = number("firmware.cpu.threads");
        let both = || cores.clone().zip(threads.clone());
        // Of cores of two kinds one has two threads and the other has one: no number is that of each.
        let mixed = both().filter(|((c, _), (t, _))| t > c && t % c != 0);
        if let (None, Some((_, (_, from)))) = (machine.value("cpu.smt"), mixed) {
            machine.set("cpu.smt", true, from);
        }
        let each = both().filter(|((c, _), (t, _))| t % c == 0);
        let each = each.map(|((c, _), (t, from))| (t / c, from));
        found.push(("cpu.cores_per_socket", cores));
        found.push(("cpu.threads_per_core", each.filter(|(n, _)| *n > 0)));
    }
    for (name, value) in found {
        if let (None, Some((value, source))) = (machine.value(name), value) {
            machine.set_in(name, value, Unit::Count, source);
        }
    }
    let known = machine.topology.cpus.iter().any(|cpu| !cpu.siblings.is_empty());
    let listed = known.then(|| machine.topology.cpus.iter().any(|cpu| cpu.siblings.len() > 1));
    let smt = listed.or_else(|| Some(machine.integer("cpu.threads_per_core")? > 1));
    let of = |name: &str| machine.facts.get(name).map(|fact| fact.source.clone());
    let listed_by = || Some(machine.topology.sources.first()?.1.clone());
    let source = of("cpu.threads_per_core").or_else(listed_by);
    if let (None, Some(smt), Some(source)) = (machine.value("cpu.smt"), smt, source) {
        machine.set("cpu.smt", smt, source);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_threads_than_cores_of_two_kinds_are_smt() {
        let of = |cores: u64, threads: u64| {
            let mut machine = Machine::default();
            machine.set("firmware.cpu.cores", cores, "test");
            machine.set("firmware.cpu.threads", threads, "test");
            resolve(&mut machine, None);
            let smt = machine.value("cpu.smt").and_then(record::Value::yes_or_no);
            (machine.integer("cpu.threads_per_core"), smt)
        };
        // A Core i9-13900E has 8 cores with two threads and 16 with one.
        assert_eq!(of(24, 32), (None, Some(true)));
        assert_eq!(of(24, 24), (Some(1), Some(false)));
        assert_eq!(of(24, 48), (Some(2), Some(true)));
        // Hyper-V states the threads of one core.
        assert_eq!(of(64, 2), (None, None));
    }

    #[test]
    fn a_machine_type_is_no_processor() {
        for words in ["pc-i440fx-2.1", "pc-q35-8.2", "virt-6.2", "NotSpecified", ""] {
            assert!(!names_processor(words), "{words}");
        }
        assert!(names_processor("AWS Graviton3") && names_processor("Virtium 1"));
    }

    #[test]
    fn a_brand_string_names_what_no_other_source_does() {
        let of = |facts: &[(&str, &str)]| {
            let mut machine = Machine::default();
            facts.iter().for_each(|(name, value)| machine.set(name, *value, "test"));
            resolve(&mut machine, None);
            let text = |name: &str| machine.text(name).unwrap_or("").to_owned();
            [text("cpu.vendor"), text("cpu.microarchitecture")]
        };
        let brand = ("cpu.model", "Intel(R) Xeon(R) Platinum 8163 CPU @ 2.50GHz");
        assert_eq!(of(&[brand]), ["Intel", "Skylake-SP"]);
        // What is known by numbers stays as it is.
        let known = ("cpu.microarchitecture", "Cascade Lake");
        assert_eq!(of(&[brand, known]), ["Intel", "Cascade Lake"]);
        assert_eq!(of(&[("cpu.model", "AMD EPYC")]), ["", ""]);
    }
}
