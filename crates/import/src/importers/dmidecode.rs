//! dmidecode's text: BIOS, system and board, processors (type 4), memory arrays (16) and modules (17); also a grep of its
//! `Version` lines. Serial numbers and asset tags are left out.
//!
//! Limits: the values are firmware's claims. A configured speed that JEDEC does not define was rounded or edited.
//! Source: DMTF DSP0134 (SMBIOS); dmidecode, dmidecode.c.
use crate::prelude::*;
use inventory::{cpuid_signature, names_processor, vendor};
use record::Dimm;

pub(crate) static IMPORTER: Importer = Importer::new("dmidecode", recognises, read);

/// Transfers per second in millions that JEDEC defines, as firmware rounds them.
const STEPS: &[(&str, &[u32])] = &[
    ("DDR3", &[800, 1066, 1067, 1333, 1600, 1866, 1867, 2133]),
    ("DDR4", &[1333, 1600, 1866, 1867, 2133, 2134, 2400, 2666, 2667, 2933, 2934, 3200]),
    (
        "DDR5",
        &[3200, 3600, 4000, 4400, 4800, 5200, 5600, 6000, 6400, 6800, 7200, 7600, 8000, 8400, 8800],
    ),
];

type Structure<'a> = Section<'a, u32>;

/// A field's text, unless firmware left it at a placeholder.
fn get<'a>(structure: &Structure<'a>, name: &str) -> Option<Field<'a>> {
    structure.get(name).filter(|f| stated(f.value))
}

fn stated(value: &str) -> bool {
    const NONE: &[&str] = &[
        "",
        "unknown",
        "not specified",
        "null",
        "none",
        "no asset tag",
        "<out of spec>",
        "undefined",
        "n/a",
        "default string",
        "not installed",
    ];
    let low = value.trim().to_ascii_lowercase();
    !NONE.contains(&low.as_str())
        && !low.starts_with("to be filled")
        && !low.starts_with("not provided")
}

/// The number in `Handle 0x0041, DMI type 17, 84 bytes`; up to dmidecode 2.6 the type is in a line of its own.
fn kind(line: &str) -> Option<u32> {
    let line = line.trim();
    let (before, after) = line.split_once("DMI type ")?;
    let head = before.is_empty() || before.starts_with("Handle 0x");
    after.split_once(',').filter(|_| head)?.0.trim().parse().ok()
}

fn structures(text: &Text) -> Vec<Structure<'_>> {
    sections(text, kind, |line| {
        Field::parse(line, ":").filter(|_| line.text.starts_with(['\t', ' ']))
    })
}

/// Processor manufacturers that are hypervisors.
const HYPERVISORS: &[&str] = &["QEMU", "Google", "Alibaba Cloud"];

const BIOS: &FactTable = &[
    ("Vendor", "bios.vendor", Kind::Words),
    ("Version", "bios.version", Kind::Words),
    ("Release Date", "bios.date", Kind::Words),
];
const SYSTEM: &FactTable = &[
    ("Manufacturer", "system.vendor", Kind::Words),
    ("Product Name", "system.product", Kind::Words),
];
const BOARD: &FactTable = &[
    ("Manufacturer", "board.vendor", Kind::Words),
    ("Product Name", "board.product", Kind::Words),
];
const PROCESSOR: &FactTable = &[
    ("Manufacturer", "firmware.cpu.vendor", Kind::Words),
    ("Version", "firmware.cpu.model", Kind::Words),
    ("External Clock", "firmware.cpu.frequency.external", Kind::Hertz),
    ("Max Speed", "firmware.cpu.frequency.max", Kind::Hertz),
    ("Current Speed", "firmware.cpu.frequency.current", Kind::Hertz),
    ("Core Count", "firmware.cpu.cores", Kind::Count),
    ("Core Enabled", "firmware.cpu.cores.enabled", Kind::Count),
    ("Thread Count", "firmware.cpu.threads", Kind::Count),
];

fn recognises(text: &Text) -> bool {
    let command_line = |l: &str| command(l, &["dmidecode"]).is_some();
    text.any(|l| kind(l).is_some())
        || (text.any(command_line) && text.any(|l| l.trim().starts_with("Version: ")))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    for line in text.lines() {
        let version = line.text.trim_start().strip_prefix("# dmidecode ");
        if let Some(version) = version.filter(|v| v.starts_with(|c: char| c.is_ascii_digit())) {
            found.version(version);
        } else if line.text.trim() == "System is a virtual machine" {
            found.fact(line.number, "bios.virtual", true);
        } else if let Some(command_line) = command(line.text, &["dmidecode"]) {
            found.command(command_line);
        }
    }
    let all = structures(text);
    if all.is_empty() {
        return grepped(text, found);
    }
    for s in &all {
        let table: &FactTable = match s.head {
            0 => BIOS,
            1 => SYSTEM,
            2 => BOARD,
            _ => &[],
        };
        facts(table, |name| get(s, name), found);
        if s.head == 17 {
            module(s, found)?;
        }
    }
    processors(&all, found);
    let slots: Option<u64> = all
        .iter()
        .filter(|s| s.head == 16 && get(s, "Use").is_none_or(|f| f.value == "System Memory"))
        .map(|s| whole(get(s, "Number Of Devices")?.value))
        .sum();
    let arrays = all.iter().find(|s| s.head == 16);
    if let (Some(slots), Some(array)) = (slots.filter(|n| *n > 0), arrays) {
        found.fact_in(array.line, "memory.slots", slots, Unit::Count);
        let described = all.iter().filter(|s| s.head == 17).count() as u64;
        if described != slots {
            let what =
                format!("slots of the board: {slots}, described: {described}; it is cut short");
            found.warn(array.line, what);
        }
    }
    if let Some(line) = all.iter().find(|s| s.head == 17).map(|s| s.line) {
        found.topology_read(&["dimms"], line);
    }
    Ok(())
}

/// `dmidecode -t processor | grep Version`: only the command shows that the lines are of processors.
fn grepped(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let command_line = text.any(|l| {
        command(l, &["dmidecode"])
            .is_some_and(|c| c.contains("processor") || c.contains("-t 4") || c.contains("-t4"))
    });
    let versions: Vec<(u32, &str)> = text
        .lines()
        .filter_map(|l| Some((l.number, l.text.trim().strip_prefix("Version: ")?.trim())))
        .filter(|(_, v)| stated(v))
        .collect();
    let Some((line, first)) = versions.first().filter(|_| command_line) else {
        let why =
            "these lines were picked out of dmidecode's output, and their structures are not known";
        return Err(Problem::whole(why));
    };
    found.fact(*line, "firmware.cpu.model", tidy(first));
    found.fact_in(*line, "board.sockets.filled", versions.len() as u64, Unit::Count);
    if versions.iter().any(|(_, v)| v != first) {
        found.warn(*line, "the processors are not all of one model");
    }
    found.warn(*line, "only the Version lines were kept of this output");
    Ok(())
}

/// VMware describes 64 sockets as populated, and enables those that the guest has.
fn in_use(status: &str) -> bool {
    status.starts_with("Populated") && !status.contains("Disabled")
}

/// Family, model and stepping of x86: `Type 0, Family 6, Model 85, Stepping 7`. Hyper-V leaves all of it at 0, and no
/// processor has family 0. Where dmidecode does not know the family it leaves the line out, and prints CPUID's bytes.
fn signature(processor: &Structure<'_>) -> Option<(u32, [u32; 3])> {
    if let Some(f) = get(processor, "Signature") {
        let number =
            |word: &str| f.value.split(", ").find_map(|p| p.strip_prefix(word)?.parse().ok());
        let numbers = [number("Family ")?, number("Model ")?, number("Stepping ")?];
        return Some((f.line, numbers)).filter(|(_, n)| n[0] > 0);
    }
    let maker = get(processor, "Manufacturer")?.value;
    let id = get(processor, "ID").filter(|_| ["Intel", "AMD"].contains(&vendor(maker)))?;
    let bytes = id.value.split(' ').take(4).map(|b| u8::from_str_radix(b, 16).ok());
    let bytes: Vec<u8> = bytes.collect::<Option<_>>()?;
    let numbers = cpuid_signature(u32::from_le_bytes(bytes.try_into().ok()?));
    (numbers.0 > 0).then(|| (id.line, numbers.into()))
}

fn processors(all: &[Structure<'_>], found: &mut Found) {
    let sockets: Vec<_> = all.iter().filter(|s| s.head == 4).collect();
    let filled: Vec<_> =
        sockets.iter().filter(|s| get(s, "Status").is_none_or(|f| in_use(f.value))).collect();
    let Some(first) = filled.first() else { return };
    let named = get(first, "Version").is_some_and(|f| names_processor(f.value));
    let cores = |s: &Structure<'_>| whole(get(s, "Core Count")?.value);
    // Some hypervisors give each virtual CPU a socket, and their CPUs no name.
    if named || filled.len() == 1 || filled.iter().any(|s| cores(s).is_some_and(|n| n > 1)) {
        found.fact_in(first.line, "board.sockets", sockets.len() as u64, Unit::Count);
        found.fact_in(first.line, "board.sockets.filled", filled.len() as u64, Unit::Count);
    }
    let by_hypervisor = get(first, "Manufacturer")
        .filter(|f| !named && HYPERVISORS.contains(&f.value))
        .map(|f| f.line);
    by_hypervisor.into_iter().for_each(|line| found.fact(line, "bios.virtual", true));
    let made_up = |name: &str| match name {
        "Version" => !named,
        "Manufacturer" => by_hypervisor.is_some(),
        _ => false,
    };
    facts(PROCESSOR, |name| get(first, name).filter(|_| !made_up(name)), found);
    if let Some((line, numbers)) = signature(first) {
        found.signature(line, numbers);
    }
    let frequency = |name| get(first, name)?.read(hertz);
    if let (Some((line, now)), Some((_, most))) =
        (frequency("Current Speed"), frequency("Max Speed"))
        && now > most
    {
        found.warn(line, "the current speed is above the maximum");
    }
}

fn module(s: &Structure<'_>, found: &mut Found) -> Result<(), Problem> {
    let text = |name: &str| get(s, name).map(|f| tidy(f.value));
    let size = s.get("Size").filter(|f| !f.value.starts_with("No Module") && stated(f.value));
    let capacity = size.map(|f| module_size(f)).transpose()?;
    let speed = |names: &[&str]| {
        let field = names.iter().find_map(|n| get(s, n))?;
        let (x, unit) = leading(field.value)?;
        (unit.starts_with("MT/s") || unit.starts_with("MHz"))
            .then_some((field.line, x))
            .filter(|(_, x)| *x > 0.0 && *x < 65_000.0)
    };
    let (rated, configured) =
        (speed(&["Speed"]), speed(&["Configured Memory Speed", "Configured Clock Speed"]));
    let kind = text("Type");
    for (line, x) in [rated, configured].into_iter().flatten() {
        check_speed(line, x, kind.as_deref(), found);
    }
    if let (Some((_, r)), Some((line, c))) = (rated, configured)
        && c > r * 1.01
    {
        found.warn(line, "the module runs above its rating");
    }
    let module = Dimm {
        bank: text("Bank Locator"),
        bytes: capacity,
        populated: size.is_some(),
        kind,
        ranks: s.integer("Rank", 0..=64),
        width: s.integer("Data Width", 1..=1024),
        rated: rated.map(|(_, x)| x * 1e6),
        configured: configured.map(|(_, x)| x * 1e6),
        manufacturer: text("Manufacturer"),
        part: text("Part Number"),
        technology: text("Memory Technology").filter(|t| t != "DRAM"),
        ..Dimm::default()
    };
    found.module(text("Locator"), module);
    Ok(())
}

/// The capacity of a module.
pub(crate) fn module_size(field: Field<'_>) -> Result<u64, Problem> {
    bytes(field.value).ok_or_else(|| {
        Problem::at(field.line, format!("'{}' is no size of a module", tidy(field.value)))
    })
}

/// Warns of a speed that no module of the kind can be set to.
pub(crate) fn check_speed(line: u32, x: f64, kind: Option<&str>, found: &mut Found) {
    let of_kind = |(k, _): &&(&str, &[u32])| kind.is_some_and(|t| t.starts_with(k));
    let Some((kind, steps)) = STEPS.iter().find(of_kind) else { return };
    let off = |step: &u32| (f64::from(*step) - x).abs();
    let within = f64::from(steps[0]) <= x && x <= f64::from(steps[steps.len() - 1]);
    if within && !steps.iter().any(|step| off(step) < 1.5) {
        let near = steps.iter().min_by_key(|step| off(step) as u64).unwrap_or(&0);
        let what = format!(
            "{x} MT/s is no step of {kind} (the nearest is {near}): it was rounded or edited"
        );
        found.warn(line, what);
    }
}

#[cfg(test)]
mod tests {
    use crate::Gathered;
    use record::{Machine, Provenance};

    fn imported(files: &[&str]) -> (Machine, Vec<String>) {
        let mut gathered = Gathered::default();
        for text in files {
            gathered.add("a.txt", text.as_bytes()).unwrap();
        }
        let warnings = gathered.sources().iter().flat_map(|s| &s.warnings);
        let warnings = warnings.map(|w| w.what.clone()).collect();
        (gathered.record(Provenance::default()).machine, warnings)
    }

    fn processor(maker: &str, signature: &str, version: &str, more: &str) -> String {
        format!(
            "Handle 0x0004, DMI type 4, 48 bytes\nProcessor Information\n\tManufacturer: {maker}\n\tSignature: {signature}\n\tVersion: {version}\n\tStatus: Populated, Enabled\n{more}\n"
        )
    }

    /// The form of Azure's guests: Hyper-V states no family.
    #[test]
    fn a_signature_of_nothing_is_not_believed() {
        let amd = processor(
            "Advanced Micro Devices, Inc.",
            "Family 0, Model 0, Stepping 0",
            "AMD EPYC 7763 64-Core Processor",
            "",
        );
        let lscpu = "Architecture: x86_64\nVendor ID: AuthenticAMD\nThread(s) per core: 2\nSocket(s): 1\nModel name: AMD EPYC 7763 64-Core Processor\nBIOS Model name: AMD EPYC 7763 64-Core Processor                 None CPU @ 2.4GHz\nCPU family: 25\nModel: 1\nStepping: 1\n";
        let (machine, warnings) = imported(&[&amd, lscpu]);
        assert_eq!(machine.text("cpu.microarchitecture"), Some("Zen 3"));
        assert_eq!(warnings, Vec::<String>::new());
        assert_eq!(imported(&[&amd]).0.text("cpu.microarchitecture"), Some("Zen 3"));
    }

    #[test]
    fn a_hypervisors_processor_is_no_model_and_its_cpus_are_no_sockets() {
        let counts = "\tCore Count: 1\n\tThread Count: 1\n";
        let qemu =
            processor("QEMU", "Type 0, Family 15, Model 107, Stepping 1", "pc-i440fx-9.2", counts);
        let (machine, _) = imported(&[&qemu.repeat(4)]);
        for fact in ["cpu.model", "cpu.vendor", "board.sockets", "board.sockets.filled"] {
            assert_eq!(machine.value(fact), None, "{fact}");
        }
        let (machine, _) = imported(&[&qemu]);
        assert_eq!(machine.integer("board.sockets"), Some(1));
        assert!(machine.text("virtual.hypervisor").is_some());
        let bare = processor(
            "Intel(R) Corporation",
            "Type 0, Family 6, Model 85, Stepping 7",
            "Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz",
            counts,
        );
        let (machine, _) = imported(&[&bare.repeat(2)]);
        assert_eq!(machine.integer("board.sockets"), Some(2));
    }

    #[test]
    fn sockets_that_are_disabled_or_not_installed_are_no_processors() {
        let of = |n: usize| {
            processor("GenuineIntel", "Family 6, Model 26, Stepping 5", "Intel(R) Xeon(R)", "")
                .repeat(n)
        };
        let vmware = of(2) + &of(62).replace("Enabled", "Disabled By BIOS");
        let (machine, _) = imported(&[&vmware]);
        assert_eq!(machine.integer("cpu.sockets"), Some(2));
        let none = processor("Unknown", "", "Not Installed", "");
        assert_eq!(imported(&[&none]).0.text("cpu.model"), None);
    }

    /// dmidecode 2.2 puts the type in a line of its own; the family is one that it did not know.
    #[test]
    fn a_signature_is_read_from_the_bytes_of_an_old_text() {
        let old = "Handle 0x0400\n\tDMI type 4, 40 bytes.\n\tProcessor Information\n\t\tFamily: <OUT OF SPEC>\n\t\tManufacturer: Intel\n\t\tID: E5 06 01 00 FF FB EB BF\n\t\tVersion: Intel(R) Xeon(R) CPU           X3430  @ 2.40GHz\n";
        let (machine, _) = imported(&[old]);
        assert_eq!(machine.integer("cpu.model_number"), Some(30));
        assert_eq!(machine.text("cpu.microarchitecture"), Some("Nehalem"));
        let of_arm = old.replace("Intel", "HiSilicon");
        assert_eq!(imported(&[&of_arm]).0.integer("cpu.model_number"), None);
    }

    /// lscpu on Arm sees no hypervisor.
    #[test]
    fn an_arm_guest_is_known_by_its_firmware() {
        let lscpu = "Architecture: aarch64\nVendor ID: ARM\nThread(s) per core: 1\nSocket(s): 1\nModel name: Neoverse-N1\nBIOS Model name: NotSpecified  CPU @ 2.0GHz\n";
        let system = |maker: &str, product: &str| {
            format!(
                "Handle 0x0100, DMI type 1, 27 bytes\nSystem Information\n\tManufacturer: {maker}\n\tProduct Name: {product}\n\n"
            )
        };
        let module = "Handle 0x1100, DMI type 17, 40 bytes\nMemory Device\n\tSize: 16 GB\n\tLocator: DIMM 0\n\tType: RAM\n\tManufacturer: QEMU\n\n";
        let flag = "Handle 0x0000, DMI type 0, 26 bytes\nBIOS Information\n\tVendor: Amazon EC2\n\tCharacteristics:\n\t\tSystem is a virtual machine\n\n";
        for (text, name) in [
            (system("Hetzner", "vServer"), Some("KVM (Hetzner)")),
            (system("UpCloud", "Cloud Server") + module, Some("QEMU")),
            (system("Amazon EC2", "c7gd.8xlarge") + flag, Some("a hypervisor that is not named")),
            (system("Amazon EC2", "c7gd.metal"), None),
        ] {
            let (machine, _) = imported(&[&text, lscpu]);
            assert_eq!(machine.text("virtual.hypervisor"), name, "{text}");
            assert_ne!(machine.text("cpu.model"), Some("NotSpecified"));
        }
        let x86 = lscpu.to_owned() + "Hypervisor vendor: KVM\n";
        let (machine, warnings) = imported(&[&system("Hetzner", "vServer"), &x86]);
        assert_eq!((machine.text("virtual.hypervisor"), warnings.len()), (Some("KVM"), 0));
    }

    /// As the inventory counts them from the same names.
    #[test]
    fn channels_are_counted_by_the_names_of_slots() {
        let slot = |name: &str, size: &str| {
            format!(
                "Handle 0x0030, DMI type 17, 40 bytes\nMemory Device\n\tSize: {size}\n\tLocator: {name}\n\tBank Locator: P0_Node0_Channel{}_Dimm0\n\tType: DDR4\n\n",
                &name[7..8]
            )
        };
        let text = slot("P1-DIMM0", "32 GB") + &slot("P1-DIMM1", "No Module Installed");
        let (machine, _) = imported(&[&text]);
        let counted = |name: &str| machine.number(name);
        assert_eq!(counted("memory.channels"), Some(2.0), "{:?}", machine.facts);
        assert_eq!(counted("memory.channels.filled"), Some(1.0));
        assert!(machine.facts["memory.channels"].source.contains("dmidecode"));
        let (unnamed, _) = imported(&[&text.replace("Channel", "Slot").replace("P1-DIMM", "X")]);
        assert_eq!(unnamed.number("memory.channels"), None);
    }

    /// lshw names no banks, and keeps a clock in 32 bits.
    #[test]
    fn modules_of_lshw_are_those_of_dmidecode() {
        let dmidecode = "Handle 0x0030, DMI type 17, 92 bytes\nMemory Device\n\tSize: 32 GB\n\tLocator: DIMMA2\n\tBank Locator: P0_Node0_Channel0_Dimm1\n\tType: DDR5\n\tSpeed: 5600 MT/s\n\n";
        let lshw = "  *-memory\n       description: System Memory\n     *-bank:0\n          description: DIMM Synchronous Unbuffered (Unregistered) 5600 MHz (0.2 ns)\n          slot: DIMMA2\n          size: 32GiB\n          clock: 1305MHz (0.8ns)\n";
        let (machine, _) = imported(&[dmidecode, lshw]);
        assert_eq!(machine.topology.dimms.len(), 1);
        assert_eq!(imported(&[lshw]).0.topology.dimms[0].rated, Some(5.6e9));
    }
}
