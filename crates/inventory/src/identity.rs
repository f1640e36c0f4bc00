//! The processor's vendor, model and microarchitecture.
use crate::{
    cpuinfo::hex,
    decode::{arm::Midr, loongarch, riscv},
    evidence::{CPUID, CPUINFO, Evidence, SMBIOS},
    processor,
    reading::Presence,
};
use record::{Cpu, Machine, Unit};

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let info = &evidence.cpuinfo;
    if evidence.is_x86() {
        look_x86(evidence, machine);
    } else if evidence.is_arm() {
        look_arm(evidence, machine);
    } else if evidence.arch_is(&["loongarch64", "loongarch32"]) {
        machine.set("cpu.vendor", "Loongson", CPUINFO);
        text(machine, "cpu.model", info.get(&["model name"]));
        let prid = info.get(&["prid", "processor id"]);
        let design = loongarch::microarchitecture(prid, info.get(&["model name"]));
        text(machine, "cpu.microarchitecture", design.as_deref());
        text(machine, "cpu.stepping", info.get(&["cpu revision"]));
    } else if evidence.arch_is(&["riscv64", "riscv32"]) {
        let uarch = riscv::microarchitecture(info);
        text(machine, "cpu.vendor", info.get(&["mvendorid"]));
        const COMPATIBLE: &str = "/proc/device-tree/compatible";
        let tree = evidence.files.text(COMPATIBLE).ok();
        let chip = tree.as_deref().and_then(riscv::chip);
        let uarch = uarch.or_else(|| chip.and_then(riscv::core_of).map(str::to_string));
        match (info.get(&["model name"]), chip) {
            (None, Some(chip)) => machine.set("cpu.model", chip, COMPATIBLE),
            (name, _) => text(machine, "cpu.model", name.or(uarch.as_deref())),
        }
        text(machine, "cpu.microarchitecture", uarch.as_deref());
    } else {
        // POWER, s390, MIPS, SPARC, Sunway: the machine's own words.
        let model = info.get(&["model name", "cpu model", "cpu", "machine"]);
        text(machine, "cpu.model", model);
        text(machine, "cpu.vendor", info.get(&["vendor_id", "vendor"]));
        text(machine, "cpu.microarchitecture", None);
    }
    text(machine, "cpu.flags", info.flags());
    processor::resolve(machine, evidence.arch.as_ref().map(|(arch, _)| arch.as_str()));
    microcode(evidence, machine);
}

fn look_x86(evidence: &Evidence<'_>, machine: &mut Machine) {
    let (info, cpuid) = (&evidence.cpuinfo, &evidence.cpuid);
    let by_cpuid = |text: Option<String>| text.map(|text| (text, CPUID));
    let by_kernel = |key: &str| Some((info.get(&[key])?.to_string(), CPUINFO));
    let brand = by_kernel("model name").or_else(|| by_cpuid(cpuid.brand()));
    named(machine, "cpu.model", brand);
    let number = |key: &str| info.get(&[key]).and_then(|value| value.parse::<u32>().ok());
    let signature = cpuid.signature().map(|s| (s, CPUID)).or_else(|| {
        Some(((number("cpu family")?, number("model")?, number("stepping").unwrap_or(0)), CPUINFO))
    });
    if let Some(((family, model, stepping), source)) = signature {
        for (name, value) in
            [("cpu.family", family), ("cpu.model_number", model), ("cpu.stepping", stepping)]
        {
            // A missing stepping is not stepping 0.
            if name == "cpu.stepping" && source == CPUINFO && number("stepping").is_none() {
                text(machine, name, None);
                continue;
            }
            machine.set_in(name, u64::from(value), Unit::Count, source);
        }
    }
    for name in ["cpu.microarchitecture", "cpu.level"] {
        text(machine, name, None);
    }
    let vendor = by_cpuid(cpuid.vendor()).or_else(|| by_kernel("vendor_id"));
    named(machine, "cpu.vendor", vendor);
}

fn look_arm(evidence: &Evidence<'_>, machine: &mut Machine) {
    const REGISTER: &str = "/sys/devices/system/cpu/cpu*/regs/identification/midr_el1";
    let files = evidence.files;
    let register = |cpu: &Cpu| {
        let text = files.line(&REGISTER.replace('*', &cpu.id.to_string())).ok()?;
        let number = u64::from_str_radix(text.trim_start_matches("0x"), 16).ok()?;
        Some(Midr::from_register(number))
    };
    let online = machine.topology.cpus.iter().filter(|cpu| cpu.online);
    let mut source = REGISTER;
    let mut kinds = each_once(online.filter_map(register));
    if kinds.is_empty() {
        source = CPUINFO;
        let midr = |implementer: Option<u32>,
                    part: Option<u32>,
                    variant: Option<u32>,
                    revision: Option<u32>| {
            let (variant, revision) = (variant.unwrap_or(0), revision.unwrap_or(0));
            Some(Midr { implementer: implementer?, variant, part: part?, revision })
        };
        let listed = evidence.cpuinfo.cpus.iter();
        kinds =
            each_once(listed.filter_map(|e| midr(e.implementer, e.part, e.variant, e.revision)));
        // 32-bit kernels print the identification once, after the CPUs or before them.
        let shared = |key: &str| evidence.cpuinfo.get(&[key]).and_then(hex);
        if kinds.is_empty() {
            kinds.extend(midr(
                shared("cpu implementer"),
                shared("cpu part"),
                shared("cpu variant"),
                shared("cpu revision"),
            ));
        }
    }
    let firmware = |name: &str| machine.text(name).map(str::to_string);
    let names = each_once(kinds.iter().map(Midr::microarchitecture)).join(" + ");
    // The chip's name is in no register: firmware knows it, and some vendors' kernels print it.
    let model = firmware("firmware.cpu.model").map(|name| (name, SMBIOS)).or_else(|| {
        let name = evidence.cpuinfo.get(&["model name", "processor", "hardware"])?;
        // "ARMv7 Processor rev 4 (v7l)" is an architecture's name.
        if name.starts_with("ARMv") || name.starts_with("AArch64 Processor") {
            return None;
        }
        Some((name.to_string(), CPUINFO))
    });
    const MAKER: &str = "/sys/class/dmi/id/sys_vendor";
    let model = model.or_else(|| {
        let maker = firmware("system.vendor")?;
        Some((kinds.first()?.of_cloud(&maker)?.to_string(), MAKER))
    });
    let vendor = kinds
        .first()
        .and_then(Midr::vendor)
        .map(str::to_string)
        .or_else(|| firmware("firmware.cpu.vendor"));
    let by_core = || Some((names.clone(), source)).filter(|(name, _)| !name.is_empty());
    named(machine, "cpu.model", model.or_else(by_core));
    let unlisted = |midr: &Midr| format!("unknown: implementer 0x{:x}", midr.implementer);
    let vendor = vendor.or_else(|| kinds.first().map(unlisted));
    named(machine, "cpu.vendor", vendor.map(|name| (name, source)));
    let Some(first) = kinds.first() else { return text(machine, "cpu.microarchitecture", None) };
    machine.set("cpu.microarchitecture", names, source);
    machine.set("cpu.stepping", format!("r{}p{}", first.variant, first.revision), source);
    machine.set(
        "cpu.midr",
        format!("implementer 0x{:x}, part 0x{:x}", first.implementer, first.part),
        source,
    );
}

/// The first sixteen different ones, in order.
fn each_once<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut once = record::distinct(all);
    once.truncate(16);
    once
}

fn microcode(evidence: &Evidence<'_>, machine: &mut Machine) {
    match evidence.cpuinfo.get(&["microcode"]) {
        Some(version) => machine.set("cpu.microcode", version, CPUINFO),
        None if evidence.is_x86() => {
            let path = "/sys/devices/system/cpu/cpu0/microcode/version";
            evidence.files.fact(machine, "cpu.microcode", path, Presence::Always);
        }
        None => {}
    }
}

fn text(machine: &mut Machine, name: &str, value: Option<&str>) {
    named(machine, name, value.map(|value| (value.to_owned(), CPUINFO)));
}

/// Records words with their source, or that there are none.
fn named(machine: &mut Machine, name: &str, value: Option<(String, &str)>) {
    match value {
        Some((value, source)) => machine.set(name, value, source),
        None => machine.unknown(name, format!("{CPUINFO} does not say"), CPUINFO),
    }
}
