//! Synthetic machines give what they must: by hand for what matters, by committed document for all the rest.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod cpus;
mod devices;
#[path = "../machines/mod.rs"]
mod machines;
mod settings;
use inventory::inventory;
use machines as m;
use machines::Tree;
use record::{CacheKind, FactValue, Machine};
use std::{fs, path::Path};

fn missing(machine: &Machine, part: &str) -> Option<String> {
    machine
        .topology
        .missing
        .iter()
        .find(|(name, _)| name == part)
        .map(|(_, reason)| reason.to_string())
}

fn reason(machine: &Machine, fact: &str) -> String {
    match &machine.facts[fact].known {
        FactValue::Unknown(reason) => reason.to_string(),
        FactValue::Value(value) => panic!("{fact} is known: {value}"),
    }
}

fn caches(machine: &Machine, level: u32, kind: CacheKind) -> usize {
    machine.topology.caches.iter().filter(|c| c.level == level && c.kind == kind).count()
}

#[test]
fn committed_inventories_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines");
    fs::create_dir_all(&folder).unwrap();
    let mut changed = vec![];
    for (name, tree) in m::all() {
        let machine = inventory(&tree);
        let text = serde_json::to_string_pretty(&machine).unwrap() + "\n";
        let file = folder.join(format!("{name}.json"));
        let old = fs::read_to_string(&file).unwrap_or_default();
        if old != text {
            fs::write(&file, &text).unwrap();
            changed.push(name);
        }
        let again: Machine = serde_json::from_str(&text).unwrap();
        assert_eq!(again, machine, "{name} does not survive JSON");
    }
    assert!(changed.is_empty(), "updated {changed:?}; look at the change and run again");
}

#[test]
fn hygon_7280_has_eight_nodes_and_sixteen_l3() {
    let machine = inventory(&m::hygon_7280().tree());
    let t = &machine.topology;
    assert_eq!((t.cpus.len(), t.sockets(), t.cores(), t.nodes.len()), (128, 2, 64, 8));
    assert_eq!(t.nodes[1].cpus, "8-15,72-79".parse().unwrap());
    assert_eq!(t.cpu(5).unwrap().siblings, "5,69".parse().unwrap());
    assert_eq!(caches(&machine, 3, CacheKind::Unified), 16);
    assert_eq!(t.last_level_bytes(0), Some(8 << 20));
    assert_eq!(t.nodes[0].distances, [10, 16, 16, 16, 28, 28, 28, 28]);
    assert_eq!(machine.text("cpu.vendor"), Some("Hygon"));
    assert_eq!(machine.text("cpu.level"), Some("x86-64-v3"));
    assert_eq!(machine.flag("cpu.smt"), Some(true));
}

#[test]
fn kunpeng_920_is_named_by_firmware_and_designed_by_midr() {
    let machine = inventory(&m::kunpeng_920().tree());
    let t = &machine.topology;
    assert_eq!((t.cpus.len(), t.sockets(), t.nodes.len(), t.one_per_core().len()), (96, 2, 4, 96));
    assert_eq!(t.nodes[3].distances, [22, 24, 12, 10]);
    assert_eq!(machine.text("cpu.model"), Some("Kunpeng 920-4826"));
    assert_eq!(machine.facts["cpu.model"].source, "/sys/firmware/dmi/tables/DMI");
    assert_eq!(machine.text("cpu.microarchitecture"), Some("TaiShan v110 (Kunpeng 920)"));
    assert_eq!(machine.number("cpu.frequency.max"), Some(2.6e9));
    assert_eq!(machine.text("cpu.governor"), Some("performance"));
    assert_eq!(machine.number("firmware.cpu.cores"), Some(48.0));
    assert!(missing(&machine, "dimms").unwrap().contains("describes no memory"));
}

#[test]
fn ft2500_has_sixteen_nodes_and_a_far_half() {
    let machine = inventory(&m::phytium_ft2500().tree());
    let t = &machine.topology;
    assert_eq!((t.cpus.len(), t.nodes.len()), (128, 16));
    assert_eq!(t.nodes[0].distances[..9], [10, 20, 40, 30, 20, 30, 50, 40, 100]);
    assert_eq!(machine.text("cpu.vendor"), Some("Phytium"));
    assert_eq!(machine.text("cpu.microarchitecture"), Some("FTC663"));
    // No kernel names this chip, so its model is its design and says where from.
    assert_eq!(machine.facts["cpu.model"].source, "/proc/cpuinfo");
}

#[test]
fn dimms_below_their_rating_show_both_speeds() {
    let machine = inventory(&m::intel_8269cy().tree());
    let dimms = &machine.topology.dimms;
    assert_eq!((dimms.len(), dimms.iter().filter(|d| d.populated).count()), (24, 12));
    assert_eq!(
        (dimms[0].rated, dimms[0].configured, dimms[0].bytes, dimms[0].ranks),
        (Some(2.933e9), Some(2.133e9), Some(32 << 30), Some(2))
    );
    assert_eq!((dimms[0].slot.as_str(), dimms[0].kind.as_deref()), ("CPU0_DIMM_A0", Some("DDR4")));
    assert_eq!((dimms[1].rated, dimms[1].bytes, dimms[1].part.as_deref()), (None, None, None));
    assert_eq!(machine.number("memory.slots"), Some(24.0));
    let channels = ["memory.channels", "memory.channels.filled", "memory.channels.modules"];
    assert_eq!(channels.map(|name| machine.integer(name)), [Some(12), Some(12), Some(1)]);
    assert_eq!(dimms[0].channel.as_deref(), Some("P0 A"));
    assert_eq!(machine.text("cpu.microarchitecture"), Some("Cascade Lake"));
    assert_eq!(machine.number("cpu.frequency.base"), Some(2.5e9));
}

#[test]
fn devices_that_are_no_modules_are_distinguished() {
    let device = |array: u8, kind: u8, technology: u8, slot: &str, length: usize| {
        let mut body = vec![0u8; length - 4];
        body[0] = array;
        body[8..10].copy_from_slice(&0x7fffu16.to_le_bytes());
        body[12] = 1;
        body[14] = kind;
        if length > 0x28 {
            body[0x18..0x1c].copy_from_slice(&(128u32 << 10).to_le_bytes());
            body[0x24] = technology;
        }
        m::structure(17, &body, &[slot])
    };
    let array = |handle: u8, used: u8| {
        let mut bytes = m::structure(16, &[3, used, 3, 0, 0, 0, 0, 0xfe, 0xff, 2, 0], &[]);
        bytes[2] = handle;
        bytes
    };
    let table = [
        array(1, 3),
        array(2, 5),
        device(1, 0x1a, 7, "DIMM_A1", 0x54),
        device(1, 0x1a, 3, "DIMM_B1", 0x54),
        // Before the wide size, 0x7fff was a size.
        device(2, 0x0a, 0, "SYSTEM ROM", 0x1b),
    ];
    let mut tree = Tree::default();
    tree.put("/sys/firmware/dmi/tables/DMI", table.concat());
    let machine = inventory(&tree);
    let dimms = &machine.topology.dimms;
    assert_eq!(dimms[0].technology.as_deref(), Some("Intel Optane persistent memory"));
    assert_eq!((dimms[1].technology.clone(), dimms[1].bytes), (None, Some(128 << 30)));
    assert_eq!((dimms[0].purpose.clone(), dimms[2].purpose.as_deref()), (None, Some("flash")));
    assert_eq!((dimms[2].bytes, dimms[2].kind.as_deref()), (Some(32767 << 20), Some("EEPROM")));
    assert_eq!(machine.number("memory.slots"), Some(2.0));
    assert_eq!((machine.integer("memory.channels"), dimms[2].channel.clone()), (Some(2), None));
}

#[test]
fn modules_of_two_arrays_with_the_same_names_stay_apart() {
    let array = |handle: u8| {
        let mut bytes = m::structure(16, &[3, 3, 3, 0, 0, 0, 0, 0xfe, 0xff, 2, 0], &[]);
        bytes[2] = handle;
        bytes
    };
    let module = |array: u8, slot: &str| {
        let mut body = vec![0u8; 0x50];
        body[0] = array;
        body[8..10].copy_from_slice(&0x4000u16.to_le_bytes());
        body[12] = 1;
        m::structure(17, &body, &[slot])
    };
    let slots = ["DIMM_A1", "DIMM_B1"];
    let mut table = vec![array(1), array(2)];
    table.extend([1, 2].iter().flat_map(|a| slots.map(|slot| module(*a, slot))));
    let mut tree = Tree::default();
    tree.put("/sys/firmware/dmi/tables/DMI", table.concat());
    let machine = inventory(&tree);
    let channels: Vec<_> =
        machine.topology.dimms.iter().filter_map(|d| d.channel.as_deref()).collect();
    assert_eq!(channels, ["array 1 A", "array 1 B", "array 2 A", "array 2 B"]);
    assert_eq!(machine.integer("memory.channels"), Some(4));
}

#[test]
fn denied_is_not_absent() {
    let machine = inventory(&m::not_root());
    assert!(missing(&machine, "dimms").unwrap().contains("run as root"));
    assert!(
        missing(&inventory(&m::hygon_7280().tree()), "dimms").unwrap().contains("no SMBIOS table")
    );
}

#[test]
fn proc_alone_gives_cores_and_states_what_is_missing() {
    let machine = inventory(&m::no_sys());
    let t = &machine.topology;
    assert_eq!((t.cpus.len(), t.sockets(), t.cores()), (104, 2, 52));
    assert_eq!(t.nodes.len(), 1);
    assert_eq!(t.nodes[0].bytes, Some(384 << 30));
    assert!(missing(&machine, "nodes").is_some() && missing(&machine, "caches").is_some());
    assert!(matches!(machine.facts["memory.thp.enabled"].known, FactValue::Unknown(_)));
}

/// Sockets, cores, CPUs, nodes, first node's CPUs, third-level caches and the size of each.
#[test]
fn described_machines_are_as_their_owners_printed_them() {
    type Row = (&'static str, [usize; 4], &'static str, u64, u64);
    const ROWS: &[Row] = &[
        ("amd-epyc-7h12-guest", [2, 32, 64, 2], "0-31", 8, 16384),
        ("hygon-5280", [2, 32, 64, 4], "0-7,32-39", 8, 8192),
        ("hygon-7280", [2, 64, 128, 8], "0-7,64-71", 16, 8192),
        ("hygon-7280-interleaved", [2, 64, 128, 2], "0-31,64-95", 16, 8192),
        ("intel-8163", [2, 48, 96, 1], "0-95", 2, 33792),
        ("intel-8269cy", [2, 52, 104, 2], "0-25,52-77", 2, 36608),
        ("intel-8269cy-numa-off", [2, 52, 104, 1], "0-103", 2, 36608),
        ("intel-e5-2682v4", [2, 32, 64, 2], "0-15,32-47", 2, 40960),
        ("intel-i7-6500u", [1, 2, 4, 1], "0-3", 1, 4096),
        ("kunpeng-920", [2, 96, 96, 4], "0-23", 4, 24576),
        ("kunpeng-920-one-node", [2, 96, 96, 1], "0-95", 2, 49152),
        ("phytium-ft2500", [2, 128, 128, 16], "0-7", 2, 65536),
        ("phytium-ft2500-numa-off", [2, 128, 128, 1], "0-127", 2, 65536),
    ];
    let all = m::described::all();
    assert_eq!(all.len(), ROWS.len() + 1, "one is memory modules alone");
    for (name, counts, first, caches, kib) in ROWS {
        let machine = inventory(&all.iter().find(|(known, _)| known == name).unwrap().1);
        let t = &machine.topology;
        assert_eq!([t.sockets(), t.cores(), t.cpus.len(), t.nodes.len()], *counts, "{name}");
        assert_eq!(t.nodes[0].cpus, first.parse().unwrap(), "{name}");
        assert_eq!(machine.integer("cache.l3.instances"), Some(*caches), "{name}");
        assert_eq!(machine.integer("cache.l3.each"), Some(kib << 10), "{name}");
    }
    let of = |name: &str| inventory(&all.iter().find(|(known, _)| *known == name).unwrap().1);
    let hygon = of("hygon-5280");
    assert_eq!(hygon.topology.nodes[3].distances, [22, 28, 16, 10]);
    assert_eq!(hygon.topology.nodes[0].bytes, Some(128_854 << 20));
    assert_eq!(hygon.number("cpu.frequency.max"), Some(2.5e9));
    assert_eq!(of("phytium-ft2500-numa-off").text("cpu.model"), Some("FT2500"));
    assert!(missing(&of("intel-e5-2682v4"), "nodes.distances").is_some(), "was not printed");
    assert_eq!(of("amd-epyc-7h12-guest").text("virtual.hypervisor"), Some("KVM"));
    let off = of("intel-8269cy-numa-off");
    assert!(reason(&off, "cache.partition").contains("can part its caches"));
    assert_eq!(
        (off.number("cpu.bogomips"), off.text("cpu.level")),
        (Some(5000.0), Some("x86-64-v4"))
    );
    assert_eq!(of("intel-8269cy").number("cpu.frequency.max"), Some(3.8e9));
    let kunpeng = of("kunpeng-920");
    assert_eq!(kunpeng.topology.nodes[0].bytes, Some(192_832 << 20));
    assert_eq!(kunpeng.topology.nodes[3].distances, [22, 24, 12, 10]);
    let phytium = of("phytium-ft2500");
    assert_eq!(phytium.facts["cpu.model"].source, "/sys/firmware/dmi/tables/DMI");
    assert_eq!(phytium.number("firmware.cpu.frequency.external"), Some(50e6));
    assert_eq!(phytium.topology.nodes[15].distances[7..9], [100, 40]);
    assert_eq!(of("intel-i7-6500u").text("kernel.release"), Some("5.3.13"));
    assert_eq!(of("hygon-7280").text("kernel.release"), None, "was not printed");
    let modules = of("modules-alone").topology.dimms;
    assert_eq!((modules[0].rated, modules[0].configured), (Some(2.933e9), Some(2.1e9)));
    assert_eq!((modules[1].configured, modules[1].ranks), (None, None));
}

#[test]
fn both_ways_to_state_a_cache_are_there() {
    let machine = inventory(&m::hygon_7280().tree());
    assert_eq!(machine.integer("cache.l3.each"), Some(8 << 20));
    assert_eq!(machine.integer("cache.l3.instances"), Some(16));
    assert_eq!(machine.integer("cache.l3.total"), Some(128 << 20));
    let hybrid = inventory(&m::intel_hybrid());
    assert!(matches!(
        hybrid.facts["cache.l2.each"].known,
        FactValue::Value(record::Value::List(ref sizes)) if sizes.len() == 2
    ));
    assert_eq!(hybrid.integer("cache.l2.total"), Some((6 * 1280 + 2048) << 10));
}

#[test]
fn nothing_at_all_is_still_a_machine() {
    let machine = inventory(&Tree::default());
    assert!(machine.topology.cpus.is_empty() && missing(&machine, "cpus").is_some());
    assert!(machine.facts.values().all(|fact| fact.source.len() > 1));
    assert_eq!(machine.number("memory.total"), None);
}

/// Facts that probes, rules and pages read are on every machine, known or with a reason.
#[test]
fn required_facts_are_always_there() {
    const REQUIRED: &[&str] = &[
        "cpu.model",
        "cpu.vendor",
        "cpu.microarchitecture",
        "cpu.smt",
        "cpu.frequency.base",
        "cpu.frequency.max",
        "cpu.frequency.min",
        "cpu.governor",
        "cpu.driver",
        "cpu.boost",
        "cpu.flags",
        "cpu.idle.states",
        "cache.partition",
        "interrupts.total",
        "interrupts.irqbalance",
        "kernel.kpti",
        "memory.fault_around",
        "power.energy",
        "memory.total",
        "memory.available",
        "memory.swap.total",
        "memory.swap.used",
        "memory.page",
        "memory.thp.enabled",
        "memory.thp.defrag",
        "memory.numa_balancing",
        "memory.zone_reclaim",
        "kernel.release",
        "kernel.version",
        "kernel.arch",
        "kernel.cmdline",
        "kernel.clocksource",
        "kernel.preemption",
        "virtual.hypervisor",
        "virtual.container",
        "limits.cpu_quota",
        "limits.cpuset",
        "limits.nodes",
        "limits.memory",
        "load.average",
        "board.vendor",
        "board.product",
        "bios.version",
        "bios.date",
    ];
    for (name, tree) in m::all() {
        let machine = inventory(&tree);
        for fact in REQUIRED {
            assert!(machine.facts.contains_key(*fact), "{name} has no {fact}");
        }
        for (fact, value) in &machine.facts {
            let number = matches!(
                value.known,
                FactValue::Value(record::Value::Number(_) | record::Value::Integer(_))
            );
            assert!(!number || value.unit.is_some(), "{name}: {fact} has no unit");
        }
    }
}
