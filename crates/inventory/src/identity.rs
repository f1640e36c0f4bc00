//! The processor's vendor, model and microarchitecture.
use crate::{
    cpuinfo::hex,
    decode::{arm::Midr, loongarch, riscv},
    evidence::{CPUID, CPUINFO, Evidence, SMBIOS},
    processor,
    reading::Presence,
};
use record::{Machine, Unit};

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
    let vendor = cpuid
        .vendor()
        .map(|id| (id, CPUID))
        .or_else(|| Some((info.get(&["vendor_id"])?.to_string(), CPUINFO)));
    let brand = info
        .get(&["model name"])
        .map(|name| (name.to_string(), CPUINFO))
        .or_else(|| Some((cpuid.brand()?, CPUID)));
    match brand {
        Some((name, source)) => machine.set("cpu.model", name, source),
        None => text(machine, "cpu.model", None),
    }
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
    match vendor {
        Some((id, source)) => machine.set("cpu.vendor", id, source),
        None => text(machine, "cpu.vendor", None),
    }
}

fn look_arm(evidence: &Evidence<'_>, machine: &mut Machine) {
    const REGISTER: &str = "/sys/devices/system/cpu/cpu*/regs/identification/midr_el1";
    let files = evidence.files;
    let mut kinds: Vec<Midr> = vec![];
    let mut source = REGISTER;
    for cpu in machine.topology.cpus.iter().filter(|cpu| cpu.online) {
        let path = REGISTER.replace('*', &cpu.id.to_string());
        let Some(midr) = files
            .line(&path)
            .ok()
            .and_then(|t| u64::from_str_radix(t.trim_start_matches("0x"), 16).ok())
        else {
            continue;
        };
        let midr = Midr::from_register(midr);
        if !kinds.contains(&midr) && kinds.len() < 16 {
            kinds.push(midr);
        }
    }
    if kinds.is_empty() {
        source = CPUINFO;
        for entry in &evidence.cpuinfo.cpus {
            if let (Some(implementer), Some(part)) = (entry.implementer, entry.part) {
                let midr = Midr {
                    implementer,
                    part,
                    variant: entry.variant.unwrap_or(0),
                    revision: entry.revision.unwrap_or(0),
                };
                if !kinds.contains(&midr) && kinds.len() < 16 {
                    kinds.push(midr);
                }
            }
        }
        // 32-bit kernels print the identification once, after the CPUs or before them.
        let shared = |key: &str| evidence.cpuinfo.get(&[key]).and_then(hex);
        if let (true, Some(implementer), Some(part)) =
            (kinds.is_empty(), shared("cpu implementer"), shared("cpu part"))
        {
            kinds.push(Midr {
                implementer,
                part,
                variant: shared("cpu variant").unwrap_or(0),
                revision: shared("cpu revision").unwrap_or(0),
            });
        }
    }
    let firmware = |name: &str| machine.text(name).map(str::to_string);
    let mut names: Vec<String> = vec![];
    for name in kinds.iter().map(Midr::microarchitecture) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let names = names.join(" + ");
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
    match model.or_else(|| Some((names.clone(), source)).filter(|(name, _)| !name.is_empty())) {
        Some((name, source)) => machine.set("cpu.model", name, source),
        None => text(machine, "cpu.model", None),
    }
    match (vendor, kinds.first()) {
        (Some(vendor), _) => machine.set("cpu.vendor", vendor, source),
        (None, Some(midr)) => machine.set(
            "cpu.vendor",
            format!("unknown: implementer 0x{:x}", midr.implementer),
            source,
        ),
        (None, None) => text(machine, "cpu.vendor", None),
    }
    let Some(first) = kinds.first() else { return text(machine, "cpu.microarchitecture", None) };
    machine.set("cpu.microarchitecture", names, source);
    machine.set("cpu.stepping", format!("r{}p{}", first.variant, first.revision), source);
    machine.set(
        "cpu.midr",
        format!("implementer 0x{:x}, part 0x{:x}", first.implementer, first.part),
        source,
    );
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
    match value {
        Some(value) => machine.set(name, value, CPUINFO),
        None => machine.unknown(name, format!("{CPUINFO} does not say"), CPUINFO),
    }
}
