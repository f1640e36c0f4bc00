//! The machine as it describes itself: drawing, caches, nodes, memory modules, facts, each with its source.
mod parts;

use crate::chart::{Chart, Kind};
use crate::page::{Block, Entry, Table};
use crate::quantity;
use crate::say;
use crate::section::{ReportSection, Section};
use analyse::{by_key, filled_channels};
use record::{
    Cache, CacheKind, CpuSet, Dimm, Fact, FactValue, Link, Machine, Topology, Unit, Value,
};

/// The most important facts, in words; the others are folded away.
const KEY: &[(&str, &str)] = &[
    ("cpu.model", "Processor"),
    ("cpu.vendor", "Vendor"),
    ("cpu.microarchitecture", "Microarchitecture"),
    ("cpu.level", "Instruction set level"),
    ("system.vendor", "System made by"),
    ("system.product", "System"),
    ("bios.version", "BIOS"),
    ("bios.date", "BIOS date"),
    ("cpu.microcode", "Microcode"),
    ("cpu.frequency.base", "Base frequency, stated"),
    ("cpu.frequency.max", "Top frequency, stated"),
    ("cpu.driver", "Frequency driver"),
    ("cpu.governor", "Frequency governor"),
    ("cpu.epp", "Energy preference"),
    ("cpu.boost", "Boost"),
    ("cpu.smt", "SMT in use"),
    ("virtual.hypervisor", "Hypervisor"),
    ("virtual.container", "Container"),
    ("limits.cpu_quota", "CPU quota"),
    ("limits.cpuset", "Cpuset"),
    ("limits.memory", "Memory limit"),
    ("cpu.isolated", "Isolated CPUs"),
    ("cpu.idle.states", "Idle states"),
    ("cache.partition.schemata", "Cache shares"),
    ("memory.nodes.without_cpus", "Nodes without CPUs"),
    ("memory.total", "Memory for the kernel"),
    ("memory.errors.corrected", "Memory errors, corrected"),
    ("memory.errors.uncorrected", "Memory errors, uncorrected"),
    ("memory.swap.total", "Swap space"),
    ("memory.page", "Base page"),
    ("memory.thp.enabled", "Transparent huge pages"),
    ("memory.numa_balancing", "NUMA balancing"),
    ("memory.zone_reclaim", "Zone reclaim"),
    ("kernel.release", "Kernel release"),
    ("kernel.arch", "Architecture"),
    ("kernel.cmdline", "Kernel command line"),
    ("kernel.sched_ext.ops", "Loaded scheduler (sched_ext)"),
    ("devices.iommu", "IOMMU mode"),
    ("os.tuned", "tuned profile"),
    ("kernel.clocksource", "Clock source"),
    ("kernel.preemption", "Preemption"),
    ("kernel.kpti", "Page-table isolation"),
    ("interrupts.irqbalance", "irqbalance runs"),
];

/// One fact a vulnerability.
const MITIGATIONS: &str = "kernel.mitigations.";

/// Groups of facts that come first; the rest follow by name.
const FIRST: &[&str] = &["cpu", "memory", "os", "platform", "limits"];

pub(crate) static SECTION: ReportSection =
    Section::without_numbers("Machine", 20, &[], |report| blocks(&report.record.machine));

/// Everything known; what is not is in its own section.
pub(crate) fn blocks(machine: &Machine) -> Vec<Block> {
    let topology = &machine.topology;
    let mut about: Vec<Entry> =
        KEY.iter().filter_map(|(fact, name)| key(machine, fact, name)).collect();
    about.extend(mitigations(machine));
    about.extend(summary(machine));
    let mut blocks = vec![Block::Entries(about)];
    if !topology.cpus.is_empty() {
        blocks.push(Block::chart(drawing(machine)));
    }
    for (title, table) in [
        ("Caches", caches(topology)),
        ("Cache sizes", stated_caches(machine)),
        ("NUMA nodes", nodes(topology)),
        ("Memory modules", modules(topology)),
        ("Devices", devices(topology)),
    ] {
        blocks.extend(Block::titled(title, table));
    }
    let facts = machine.facts.iter().filter_map(|(name, fact)| {
        let head = name.split('.').next().unwrap_or(name);
        let rank = FIRST.iter().position(|f| *f == head).unwrap_or(FIRST.len());
        Some(((rank, head), entry(name, fact)?))
    });
    let facts: Vec<Entry> = record::groups(facts).into_values().flatten().collect();
    if !facts.is_empty() {
        let summary = say::all_facts_and_where_they_were_read(facts.len());
        blocks.push(Block::details(summary, vec![Block::Entries(facts)]));
    }
    blocks
}

/// A fact's value with its unit, for listings of single facts.
pub(crate) fn words(fact: &Fact) -> String {
    match &fact.known {
        FactValue::Unknown(reason) => format!("unknown: {reason}"),
        FactValue::Value(value) => value_words(value, fact.unit),
    }
}

/// A known value with its unit.
pub(crate) fn value_words(value: &Value, unit: Option<Unit>) -> String {
    match (value.number(), unit) {
        (Some(number), Some(unit)) => quantity::plain(number, unit),
        _ => match value {
            Value::List(values) if values.is_empty() => "none".into(),
            other => other.to_string(),
        },
    }
}

/// The title of a fact: `Transparent huge pages`, or its own name.
pub(crate) fn fact_name(name: &str) -> &str {
    KEY.iter().find(|(fact, _)| *fact == name).map_or(name, |(_, words)| words)
}

/// A key fact. What is unknown stands in the section of what could not be read.
fn key(machine: &Machine, fact: &str, name: &str) -> Option<Entry> {
    let entry = entry(fact, machine.facts.get(fact)?)?;
    let how = if entry.value.starts_with("unknown: ") { UNLISTED } else { "" };
    Some(Entry { name: name.into(), value: format!("{}{how}", entry.value).into(), ..entry })
}

/// After the numbers of a processor that has no name here.
const UNLISTED: &str =
    " (not in the list of this version; to report it, send the file that cpulens capture writes)";

/// The vulnerabilities that concern this machine: how many are mitigated, and which are not.
fn mitigations(machine: &Machine) -> Option<Entry> {
    let stated: Vec<(&str, String)> = machine
        .facts
        .iter()
        .filter_map(|(name, fact)| Some((name.strip_prefix(MITIGATIONS)?, words(fact))))
        .collect();
    let begins = |word: &str| stated.iter().filter(|(_, state)| state.starts_with(word)).count();
    let open: Vec<&str> = stated
        .iter()
        .filter(|(_, state)| state.starts_with("Vulnerable"))
        .map(|(name, _)| *name)
        .collect();
    let mut value = say::at_work_do_not_apply(begins("Mitigation"), begins("Not affected"));
    if !open.is_empty() {
        value = say::mitigations_open(value, open.len(), open.join(", "));
    }
    let source = "/sys/devices/system/cpu/vulnerabilities";
    (!stated.is_empty()).then(|| Entry::known("Mitigations", value).from(source))
}

fn entry(name: &str, fact: &Fact) -> Option<Entry> {
    matches!(fact.known, FactValue::Value(_))
        .then(|| Entry::known(name, words(fact)).from(fact.source.clone()))
}

fn summary(machine: &Machine) -> Vec<Entry> {
    let topology = &machine.topology;
    let source = |part: &str| {
        topology.sources.iter().find(|(name, _)| name == part).map(|(_, source)| source.into())
    };
    let (online, usable) = (topology.online(), topology.usable());
    let entry = |name: &str, value: Option<String>, part: &str| Entry {
        name: name.into(),
        known: value.is_some(),
        value: value.unwrap_or_else(|| "unknown".into()).into(),
        source: source(part),
    };
    let some = |n: usize| (n > 0).then(|| n.to_string());
    let mut cpus = format!("{} online ({online})", online.len());
    if usable != online {
        cpus += &format!(", {} usable here ({usable})", usable.len());
    }
    let offline: CpuSet = topology.cpus.iter().filter(|c| !c.online).map(|c| c.id).collect();
    if !offline.is_empty() {
        cpus += &format!(", {} offline ({offline})", offline.len());
    }
    let memory: Option<u64> = topology
        .nodes
        .iter()
        .map(|n| n.bytes)
        .try_fold(0u64, |sum, bytes| Some(sum.saturating_add(bytes?)))
        .filter(|b| *b > 0);
    let (sockets, cores) = (some(machine.sockets()), some(machine.cores()));
    let mut summary = vec![
        entry("Sockets", sockets, "cpus"),
        entry("Cores online", cores, "cpus"),
        entry("CPUs", (!online.is_empty()).then_some(cpus), "cpus"),
        entry("NUMA nodes", some(topology.nodes.len()), "nodes"),
        entry("Memory of all nodes", memory.map(quantity::size), "nodes"),
    ];
    summary.extend(modules_in_slots(machine));
    summary
}

/// The number of slots and, where that is known, channels that hold a module.
fn modules_in_slots(machine: &Machine) -> Option<Entry> {
    let main = machine.topology.dimms.iter().filter(|d| d.purpose.is_none());
    let (slots, filled) =
        main.fold((0, 0), |(slots, filled), d| (slots + 1, filled + usize::from(d.populated)));
    let grouped = modules_by_kind(&machine.topology);
    let mut words = match grouped.is_empty() {
        true => format!("{filled} in {}", quantity::counted(slots, "slot")),
        false => format!("{grouped}, in {}", quantity::counted(slots, "slot")),
    };
    if let Some((filled, all)) = filled_channels(machine) {
        words += &format!("; on {filled} of {all} channels");
    }
    if let Some(most) = machine.integer("memory.channels.modules") {
        words += &format!(", at most {most} on one");
    }
    let source = machine.topology.sources.iter().find(|(part, _)| *part == "dimms");
    let source = source.map_or("/sys/firmware/dmi/tables/DMI", |(_, source)| source);
    (slots > 0).then(|| Entry::known("Memory modules", words).from(source))
}

/// `12 x 32 GiB DDR4-2933 at 2666 MT/s`.
fn modules_by_kind(topology: &Topology) -> String {
    let kind = |d: &Dimm| {
        let mega = |t: f64| format!("{:.0}", t / 1e6);
        let kind = d.kind.as_deref().unwrap_or("memory");
        let rated = d.rated.map_or(String::new(), |t| format!("-{}", mega(t)));
        let at = d.configured.map_or(String::new(), |t| format!(" at {} MT/s", mega(t)));
        Some(format!("{} {kind}{rated}{at}", quantity::size(d.bytes?)))
    };
    let main = topology.dimms.iter().filter(|d| d.populated && d.purpose.is_none());
    let kinds = by_key(main.filter_map(kind), String::clone).into_iter();
    let words = kinds.map(|(words, all)| format!("{} x {words}", all.len()));
    words.collect::<Vec<_>>().join(", ")
}

fn cache_name(cache: &Cache) -> String {
    let kind = match cache.kind {
        CacheKind::Data => " data",
        CacheKind::Instruction => " instruction",
        CacheKind::Unified => "",
    };
    format!("L{}{kind}", cache.level)
}

fn caches(topology: &Topology) -> Table {
    let known = |x: Option<String>| x.unwrap_or_else(|| "unknown".into());
    let form = |c: &&Cache| (c.level, c.kind, c.bytes, c.line, c.ways, c.cpus.len());
    Table::of(by_key(&topology.caches, form), |(_, same)| {
        let first = same[0];
        // Eight sharers' lists tell the pattern; three hundred would hide it.
        let mut sets: Vec<String> = same.iter().take(8).map(|c| c.cpus.to_string()).collect();
        if same.len() > 8 {
            sets.push(format!("and {} more", same.len() - 8));
        }
        [
            ("cache", cache_name(first)),
            ("#instances", same.len().to_string()),
            ("#size each", known(first.bytes.map(quantity::size))),
            ("#line", known(first.line.map(|l| quantity::size(l.into())))),
            ("#ways", known(first.ways.map(|w| w.to_string()))),
            ("shared by CPUs", sets.join(" | ")),
        ]
    })
}

/// The sizes that a source states without saying which CPUs share a cache.
fn stated_caches(machine: &Machine) -> Table {
    let mut table = Table::new(["cache", "#instances", "#size each", "#size of all"]);
    if machine.topology.caches.iter().any(|cache| cache.bytes.is_some()) {
        return table;
    }
    for (id, name) in [("l1d", "L1 data"), ("l1i", "L1 instruction"), ("l2", "L2"), ("l3", "L3")] {
        let stated = |what: &str| machine.integer(&format!("cache.{id}.{what}"));
        let [each, all] = ["each", "total"].map(stated);
        let size = |bytes: Option<u64>| bytes.map_or("unknown".into(), quantity::size);
        let instances = stated("instances").map_or("unknown".into(), |n| n.to_string());
        if each.or(all).is_some() {
            table.row([name.into(), instances, size(each), size(all)]);
        }
    }
    table
}

fn nodes(topology: &Topology) -> Table {
    let distance: Vec<String> = topology.nodes.iter().map(|n| format!("#to {}", n.id)).collect();
    // A matrix of more nodes than this does not fit a line; its rows are then written as lists.
    let wide = topology.nodes.len() > 16;
    let mut heads = vec!["node", "CPUs", "#memory", "#free at start", "reserved huge pages"];
    if wide {
        heads.push("distances");
    } else {
        heads.extend(distance.iter().map(String::as_str));
    }
    let mut table = Table::new(&heads);
    let known = |x: Option<u64>| x.map_or("unknown".into(), quantity::size);
    for node in &topology.nodes {
        let pools: Vec<String> = node
            .huge
            .iter()
            .map(|p| format!("{} of {}, {} free", p.total, quantity::size(p.page), p.free))
            .collect();
        let cpus =
            if node.cpus.is_empty() { "none (memory only)".into() } else { node.cpus.to_string() };
        let mut row =
            vec![node.id.to_string(), cpus, known(node.bytes), known(node.free), pools.join("; ")];
        let distances: Vec<String> = (0..topology.nodes.len())
            .map(|i| node.distances.get(i).map_or("unknown".into(), ToString::to_string))
            .collect();
        if wide {
            row.push(distances.join(" "));
        } else {
            row.extend(distances);
        }
        table.add(row);
    }
    table.folded()
}

/// Modules that are alike share a row.
fn modules(topology: &Topology) -> Table {
    let transfers =
        |t: Option<f64>| t.map_or(String::new(), |t| quantity::plain(t, Unit::TransfersPerSecond));
    let bare = |d: &&Dimm| Dimm { slot: String::new(), bank: None, channel: None, ..(*d).clone() };
    let table = Table::of(by_key(&topology.dimms, bare), |(d, same)| {
        let kind: Vec<&str> = [&d.kind, &d.technology, &d.purpose]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .collect();
        let size = match (d.populated, d.bytes) {
            (false, _) => "empty".into(),
            (true, Some(bytes)) => quantity::size(bytes),
            (true, None) => "unknown".into(),
        };
        [
            ("slots", same.iter().map(|d| d.slot.as_str()).collect::<Vec<_>>().join(" ")),
            ("#count", same.len().to_string()),
            ("#size each", size),
            ("kind", kind.join(", ")),
            ("#ranks", d.ranks.map_or(String::new(), |r| r.to_string())),
            ("#width", d.width.map_or(String::new(), |w| format!("{w} bit"))),
            ("#rated", transfers(d.rated)),
            ("#configured", transfers(d.configured)),
            ("made by", d.manufacturer.clone().unwrap_or_default()),
            ("part", d.part.clone().unwrap_or_default()),
        ]
    });
    table.folded()
}

/// PCI devices; those that are alike but for their names and interrupts stay apart, since their places differ.
fn devices(topology: &Topology) -> Table {
    let link = |l: Option<Link>| {
        l.map_or(String::new(), |l| format!("{} GT/s x{}", l.transfers / 1e9, l.lanes))
    };
    let table = Table::of(&topology.devices, |d| {
        let cpus = Some(&d.interrupt_cpus).filter(|cpus| !cpus.is_empty());
        let queues = d.queues.as_ref();
        let queues =
            queues.map_or(String::new(), |q| format!("{} rx, {} tx", q.receive, q.transmit));
        [
            ("device", format!("{} {}", d.kind.name(), d.model)),
            ("name", d.names.join(" ")),
            ("address", d.address.clone()),
            ("#node", d.node.map_or(String::new(), |node| node.to_string())),
            ("link", link(d.link)),
            ("link could be", link(d.link_of_device)),
            ("interrupts on CPUs", cpus.map_or(String::new(), CpuSet::to_string)),
            ("queues", queues),
        ]
    });
    table.folded()
}

fn drawing(machine: &Machine) -> Chart {
    let topology = &machine.topology;
    let number = |x: Option<u32>| x.map_or("unknown".into(), |x| x.to_string());
    let hertz = |hz: f64| quantity::plain(hz, Unit::Hertz);
    let table = Table::of(&topology.cpus, |cpu| {
        let state = match (cpu.online, cpu.allowed, cpu.isolated) {
            (false, _, _) => "offline",
            (true, false, _) => "not allowed here",
            (true, true, true) => "isolated",
            (true, true, false) => "online",
        };
        [
            ("#CPU", cpu.id.to_string()),
            ("#socket", number(cpu.package)),
            ("#node", number(topology.node_of(cpu.id))),
            ("#die", number(cpu.die)),
            ("#cluster", number(cpu.cluster)),
            ("#core", number(cpu.core)),
            ("core's CPUs", cpu.siblings.to_string()),
            ("kind", cpu.kind.clone().unwrap_or_default()),
            ("#top frequency", cpu.max_hz.map_or(String::new(), hertz)),
            ("state", state.into()),
        ]
    });
    Chart {
        name: "machine".into(),
        title: "The machine's parts".into(),
        description: say::machine_online_drawn_inside_one(
            match topology.sockets() {
                0 => String::new(),
                sockets => quantity::counted(sockets, "socket") + ", ",
            },
            quantity::counted(topology.nodes.len(), "NUMA node"),
            quantity::counted(machine.cores(), "core"),
            quantity::counted(topology.online().len(), "CPU"),
        ),
        table: table.folded(),
        kind: Kind::Drawing(parts::tree(machine)),
    }
}
