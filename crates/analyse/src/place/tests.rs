//! Placements on described machines: disjoint, allowed, in one part where one part is large enough.
mod interrupts;

use super::*;
use crate::example;
use record::{
    Better, Cpu, Detours, DeviceKind, Machine, Metric, Record, Series, Unit, Value, param,
};
use std::fs;

fn record(name: &str) -> Record {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/machines");
    let machine = fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
    let text = format!(
        r#"{{"schema": 1, "provenance": {{"tool": "test", "version": "1"}}, "machine": {machine}, "runs": []}}"#
    );
    record::from_slice(text.as_bytes()).unwrap()
}

fn of(record: &Record, ask: Request) -> Result<Placement, Reason> {
    place(&crate::analyse(record), &ask)
}

fn ask(instances: usize, cores: usize) -> Request {
    let some = |n: usize| (n > 0).then_some(n);
    Request { instances: some(instances), cores: some(cores), ..Request::default() }
}

fn lists(placement: &Placement) -> Vec<String> {
    placement.instances.iter().map(|i| i.cpus.to_string()).collect()
}

const MACHINES: [&str; 23] = [
    "amd-epyc-7h12-guest",
    "container",
    "hostile",
    "hygon-5280",
    "hygon-7280",
    "hygon-7280-interleaved",
    "intel-4-sockets",
    "intel-8163",
    "intel-8269cy",
    "intel-8269cy-numa-off",
    "intel-e5-2682v4",
    "intel-hybrid",
    "intel-i7-6500u",
    "kunpeng-920",
    "kunpeng-920-one-node",
    "memory-only-node",
    "no-sys",
    "offline-gaps",
    "phytium-ft2500",
    "phytium-ft2500-numa-off",
    "server-not-root",
    "server-with-devices",
    "server-with-modules",
];

/// Whatever is asked of whatever machine: nobody shares a CPU, nobody runs where it may not, siblings stay together, and
/// an instance is inside one die, node or socket wherever one has as many cores free for it.
#[test]
fn instances_are_disjoint_allowed_and_as_near_as_they_can_be() {
    let mut made = 0;
    for name in MACHINES {
        let record = record(name);
        let (topology, report) = (&record.machine.topology, crate::analyse(&record));
        for smt in [None, Some(true), Some(false)] {
            for (n, k) in [
                (0, 0),
                (1, 0),
                (2, 0),
                (3, 0),
                (4, 0),
                (7, 0),
                (0, 1),
                (0, 4),
                (0, 6),
                (2, 2),
                (8, 3),
            ] {
                let Ok(found) = place(&report, &Request { smt, ..ask(n, k) }) else { continue };
                made += 1;
                let mut seen = CpuSet::default();
                for instance in &found.instances {
                    assert!(
                        !instance.cpus.is_empty() && instance.cpus.is_subset(&topology.usable()),
                        "{name}"
                    );
                    assert_eq!(instance.cpus.intersection(&seen).len(), 0, "{name}: {found:?}");
                    instance.cpus.iter().for_each(|id| seen.insert(id));
                    if k > 0 {
                        assert_eq!(instance.cores, k, "{name}");
                    }
                    let home: CpuSet =
                        instance.cpus.iter().filter_map(|c| topology.node_of(c)).collect();
                    let with = |id: &u32| topology.node(*id).is_some_and(|n| n.bytes != Some(0));
                    assert!(instance.nodes.iter().all(|id| with(&id)), "{name}");
                    let small = topology.nodes.iter().all(|node| {
                        let cores: BTreeSet<Option<u32>> = node
                            .cpus
                            .intersection(&topology.usable())
                            .iter()
                            .map(|c| topology.cpu(c).and_then(|c| c.siblings.first()))
                            .collect();
                        node.cpus.is_empty()
                            || cores.len() >= instance.cores * found.instances.len().max(1)
                    });
                    if small {
                        assert!(home.len() <= 1, "{name} {n} {k}: {instance:?}");
                    }
                    if smt == Some(false) {
                        assert_eq!(instance.cpus.len(), instance.cores, "{name}");
                    }
                }
                for id in seen.iter().filter(|_| smt == Some(true)) {
                    let siblings =
                        topology.cpu(id).unwrap().siblings.intersection(&topology.usable());
                    let one = found
                        .instances
                        .iter()
                        .filter(|i| !i.cpus.intersection(&siblings).is_empty())
                        .count();
                    assert!(one <= 1, "{name}: CPU {id} and its siblings are parted");
                }
                assert_eq!(found.left.intersection(&seen).len(), 0);
                assert!(!found.choices.is_empty());
                if n > 0 {
                    assert_eq!(found.instances.len(), n, "{name}");
                }
            }
        }
    }
    assert!(made > 500, "{made} placements");
}

#[test]
fn a_node_each_is_what_is_chosen_and_its_memory_is_its_own() {
    let found = of(&record("hygon-5280"), Request::default()).unwrap();
    assert_eq!(lists(&found), ["0-7,32-39", "8-15,40-47", "16-23,48-55", "24-31,56-63"]);
    let nodes: Vec<String> = found.instances.iter().map(|i| i.nodes.to_string()).collect();
    assert_eq!(nodes, ["0", "1", "2", "3"]);
    assert_eq!(found.instances[0].bytes, Some(135_113_211_904 / 8 * 8));
    let memory = found.choices.iter().find(|c| c.about == say::ABOUT_MEMORY).unwrap();
    assert!(memory.basis == Basis::Stated && memory.text.contains("75 %"), "{memory:?}");
}

#[test]
fn instances_stay_in_a_cache_and_are_spread_over_nodes() {
    let found = of(&record("hygon-7280"), Request { smt: Some(false), ..ask(8, 4) }).unwrap();
    assert!(found.instances.iter().all(|i| i.within.contains("L3 of CPUs")), "{found:?}");
    let mut each = [0; 8];
    found.instances.iter().for_each(|i| each[i.nodes.first().unwrap() as usize] += 1);
    assert_eq!(each, [1; 8], "one on every node");
    // Six cores do not fit a cache of four, but a node of eight.
    let found = of(&record("hygon-7280"), ask(2, 6)).unwrap();
    assert!(found.instances.iter().all(|i| i.within.starts_with("node") && i.nodes.len() == 1));
}

#[test]
fn what_does_not_fit_is_refused_with_its_remedy() {
    let record = record("intel-i7-6500u");
    let why = of(&record, ask(3, 1)).unwrap_err();
    assert_eq!(
        why.why,
        "3 instances with 1 core each do not fit: there are 2 cores to choose from"
    );
    assert!(why.remedy.is_some());
    assert!(of(&record, ask(1, 0)).is_ok() && of(&record, ask(3, 0)).is_err());
    assert!(of(&example::empty(), Request::default()).is_err());
    let machine = of(&record, ask(1, 0)).unwrap();
    assert_eq!(lists(&machine), ["0-3"]);
}

#[test]
fn one_instance_for_each_part() {
    let sockets =
        of(&record("kunpeng-920"), Request { per: Some(Per::Socket), ..Request::default() })
            .unwrap();
    assert_eq!(lists(&sockets), ["0-47", "48-95"]);
    assert_eq!(sockets.instances[0].nodes.to_string(), "0,1");
    let cores =
        of(&record("intel-i7-6500u"), Request { per: Some(Per::Core), ..Request::default() })
            .unwrap();
    assert_eq!(cores.instances.len(), 2);
    let dies =
        of(&record("hygon-7280"), Request { per: Some(Per::Die), ..Request::default() }).unwrap();
    assert_eq!(dies.instances.len(), 16);
}

/// The texts of the catalogue only count sockets: their nodes tell which CPUs they are, or nothing does.
#[test]
fn a_socket_that_no_cpu_states_is_found_by_nodes_or_refused() {
    let per = Request { per: Some(Per::Socket), ..Request::default() };
    let of_name = |name: &str| of(&catalogue::record(name).unwrap().unwrap(), per);
    for (name, sockets) in [
        ("kunpeng-920-4826", ["0-47", "48-95"]),
        ("intel-e5-2682v4", ["0-15,32-47", "16-31,48-63"]),
        ("intel-8269cy-2node", ["0-25,52-77", "26-51,78-103"]),
        ("phytium-ft2500", ["0-63", "64-127"]),
    ] {
        let found = of_name(name).unwrap();
        assert_eq!(lists(&found), sockets, "{name}");
        assert!(found.choices.iter().any(|c| c.text.contains("taken from the NUMA nodes")));
    }
    for name in ["hygon-7280-8node", "intel-8163", "intel-8269cy-numa-off", "amd-epyc-7h12-ecs"] {
        let why = of_name(name).unwrap_err();
        assert!(why.why.contains("which socket"), "{name}: {why}");
        let nodes = catalogue::record(name).unwrap().unwrap().machine.topology.nodes.len();
        assert_eq!(why.remedy.unwrap().ends_with("--per node"), nodes > 1, "{name}");
    }
    let one = of(&record("intel-i7-6500u"), per).unwrap();
    assert_eq!(one.instances.len(), 1, "one socket is the machine");
}

/// Distances that do not divide the nodes into sockets, nodes of unequal size, and clusters that old tools call sockets.
#[test]
fn nodes_that_leave_a_doubt_tell_no_sockets() {
    let per = Request { per: Some(Per::Socket), ..Request::default() };
    let sure = catalogue::record("kunpeng-920-4826").unwrap().unwrap();
    let spoilt = |spoil: &dyn Fn(&mut Machine)| {
        let mut record = sure.clone();
        spoil(&mut record.machine);
        of(&record, per)
    };
    assert!(spoilt(&|_| {}).is_ok());
    assert!(spoilt(&|m| m.topology.nodes[2].distances = vec![12, 22, 10, 12]).is_err());
    assert!(spoilt(&|m| m.topology.nodes[1].distances = vec![12, 10, 12, 24]).is_err());
    assert!(spoilt(&|m| m.topology.nodes[3].cpus = (72..80).collect()).is_err());
    assert!(spoilt(&|m| m.set_in("cpu.sockets", 3u64, Unit::Count, "test")).is_err());
    assert!(spoilt(&|m| m.set(facts::HYPERVISOR, "KVM", "test")).is_err());
    assert!(
        spoilt(&|m| m.topology.cpus.retain(|c| c.id % 4 == 0)).is_err(),
        "24 CPUs, two sockets"
    );
    assert!(spoilt(&|m| _ = m.facts.remove("cpu.sockets")).is_err());
}

#[test]
fn fast_cores_go_first_and_kinds_are_not_mixed() {
    let record = record("intel-hybrid");
    let topology = &record.machine.topology;
    let kind = |id: u32| topology.cpu(id).and_then(|c| c.kind.clone()).unwrap();
    let found = of(&record, Request::default()).unwrap();
    assert!(found.instances[0].cpus.iter().all(|id| kind(id) == "performance"), "{found:?}");
    let all = of(&record, ask(topology.cores(), 1)).unwrap();
    assert_eq!(all.instances.len(), topology.cores());
    for instance in &of(&record, ask(4, 2)).unwrap().instances {
        let kinds: BTreeSet<String> = instance.cpus.iter().map(kind).collect();
        assert_eq!(kinds.len(), 1);
    }
}

#[test]
fn isolated_cpus_are_left_alone_unless_there_are_no_others() {
    let mut record = record("intel-e5-2682v4");
    let isolate = |record: &mut Record, of: &dyn Fn(&Cpu) -> bool| {
        record.machine.topology.cpus.iter_mut().for_each(|c| c.isolated = of(c));
    };
    isolate(&mut record, &|c| c.id % 32 < 4);
    let found = of(&record, Request::default()).unwrap();
    assert!(found.instances.iter().all(|i| i.cpus.iter().all(|c| c % 32 >= 4)), "{found:?}");
    assert!(found.avoided.iter().any(|a| a.cpus.to_string() == "0-3,32-35"));
    isolate(&mut record, &|_| true);
    let found = of(&record, Request::default()).unwrap();
    assert!(found.choices.iter().any(|c| c.about == say::ABOUT_ISOLATION));
    assert_eq!(found.instances.iter().map(|i| i.cpus.len()).sum::<usize>(), 64);
}

#[test]
fn a_node_without_memory_borrows_the_nearest_and_one_without_cpus_is_left() {
    let mut record = record("memory-only-node");
    let found = of(&record, Request::default()).unwrap();
    assert_eq!(lists(&found), ["0-3", "4-7"]);
    assert!(found.choices.iter().any(|c| c.text.starts_with("Node 2 has memory and no CPUs")));
    record.machine.topology.nodes[1].bytes = Some(0);
    let found = of(&record, Request::default()).unwrap();
    assert_eq!(found.instances[1].nodes.to_string(), "0");
    assert_eq!(found.instances[0].bytes, found.instances[1].bytes);
}

#[test]
fn measured_latency_is_named_and_alike_nodes_are_no_reason_to_divide() {
    let mut apart = record("intel-4-sockets");
    let far: [&[f64]; 4] = [
        &[120.0, 185.0, 185.0, 185.0],
        &[185.0, 120.0, 185.0, 185.0],
        &[185.0, 185.0, 120.0, 185.0],
        &[185.0, 185.0, 185.0, 120.0],
    ];
    example::between_nodes(&mut apart, &far);
    let found = of(&apart, Request::default()).unwrap();
    assert_eq!(found.instances.len(), 4);
    let memory = found.choices.iter().find(|c| c.about == say::ABOUT_MEMORY).unwrap();
    assert!(memory.basis == Basis::Measured && memory.text.contains("1.41 times"), "{memory:?}");
    let mut alike = record("kunpeng-920");
    let same = vec![vec![110.0; 4]; 4];
    let same: Vec<&[f64]> = same.iter().map(Vec::as_slice).collect();
    example::between_nodes(&mut alike, &same);
    let found = of(&alike, Request::default()).unwrap();
    assert_eq!(lists(&found), ["0-47", "48-95"], "by sockets");
}

#[test]
fn measured_groups_of_cores_go_before_stated_ones() {
    let mut record = record("kunpeng-920-one-node");
    record.machine.topology.cpus.truncate(8);
    record.machine.topology.caches.clear();
    record.machine.topology.nodes[0].cpus = (0..8).collect();
    let mut all = vec![];
    for from in 0..8u32 {
        for to in from + 1..8 {
            let mut s =
                record::Series::new(Metric::RoundTrip, Unit::Seconds, record::Better::Lower);
            s.samples = vec![if from / 4 == to / 4 { 50e-9 } else { 240e-9 }; 3];
            all.push(s.at(param::FROM, from).at(param::TO, to));
        }
    }
    example::measured(&mut record, "core_to_core", &[("method", "cas")], all);
    let found = of(&record, ask(2, 3)).unwrap();
    assert!(
        found.instances.iter().all(|i| {
            let halves: BTreeSet<u32> = i.cpus.iter().map(|c| c / 4).collect();
            halves.len() == 1 && i.within.contains("as measured")
        }),
        "{found:?}"
    );
    let dies = found.choices.iter().find(|c| c.about == say::ABOUT_DIES).unwrap();
    assert!(dies.basis == Basis::Measured && dies.text.contains("does not state"), "{dies:?}");
}

#[test]
fn what_speaks_against_it_is_said() {
    let mut record = record("intel-e5-2682v4");
    record.machine.set(facts::HYPERVISOR, "KVM", "test");
    record.machine.set_in(facts::CPU_QUOTA, 2.5, Unit::Count, "test");
    let found = of(&record, Request::default()).unwrap();
    let all: Vec<&str> = found.doubts.iter().map(|d| d.why.as_str()).collect();
    assert!(
        all.iter().any(|d| d.contains("KVM")) && all.iter().any(|d| d.contains("2.5 CPUs")),
        "{all:?}"
    );
}

#[test]
fn instances_go_near_a_device_that_is_asked_for() {
    let record = record("server-with-devices");
    let near = |device: &str| node_near(&record.machine, device);
    for device in ["nic", "NVMe", "enp129s0f0np0", "0000:82:00.0"] {
        assert_eq!(near(device), Ok(1), "{device}");
    }
    assert!(near("gpu").unwrap_err().why.contains("does not state"));
    assert!(near("eth7").unwrap_err().to_string().contains("NIC enp129s0f0np0"));
    let found = of(&record, Request { node: near("nic").ok(), ..ask(2, 1) }).unwrap();
    let nodes: Vec<String> = found.instances.iter().map(|i| i.nodes.to_string()).collect();
    assert_eq!(nodes, ["1", "1"]);
    assert!(of(&record, Request { node: Some(2), ..ask(1, 1) }).is_err());
    let spread = of(&record, ask(2, 1)).unwrap();
    let said = spread.choices.iter().find(|c| c.about == devices::ABOUT).unwrap();
    assert_eq!(
        said.text,
        "NIC enp129s0f0np0, NVMe nvme0 are on node 1: put what uses it on instance 1."
    );
    let mut machine = record.machine.clone();
    let device = &mut machine.topology.devices[0];
    (device.kind, device.node) = (DeviceKind::Cxl, Some(0));
    assert_eq!(node_near(&machine, "cxl"), Ok(0));
    // A list that is cut says so.
    let many = machine.topology.devices[0].clone();
    machine.topology.devices = vec![many; 20];
    let known = node_near(&machine, "eth7").unwrap_err().to_string();
    assert!(known.contains(" and 4 others"), "{known}");
}

/// lscpu counts threads and does not say which share a core: one thread of each cannot be chosen, and that is said.
#[test]
fn one_thread_of_each_core_is_refused_where_siblings_are_not_known() {
    let mut record = record("intel-e5-2682v4");
    for cpu in &mut record.machine.topology.cpus {
        cpu.siblings = record::CpuSet::default();
    }
    // Threads of a core have adjacent numbers on some machines: then no list of a node tells.
    record.machine.topology.nodes.iter_mut().for_each(|n| n.cpus = record::CpuSet::default());
    record.machine.set_in("cpu.threads_per_core", 2u64, Unit::Count, "lscpu");
    let off = Request { smt: Some(false), ..Request::default() };
    assert!(of(&record, off).unwrap_err().remedy.is_some());
    assert!(of(&record, Request::default()).is_ok());
}

/// lscpu counts two threads a core and names none: cores are half of the CPUs, and no usual numbering is split.
#[test]
fn threads_that_are_only_counted_are_no_cores() {
    let found = |name: &str, ask: Request| {
        let record = catalogue::record(name).unwrap().unwrap();
        of(&record, ask).unwrap()
    };
    let epyc = found("amd-epyc-7h12-ecs", Request::default());
    assert_eq!(epyc.instances.iter().map(|i| i.cores).collect::<Vec<_>>(), [16, 16]);
    let four = found("amd-epyc-7h12-ecs", ask(4, 0));
    assert_eq!(lists(&four), ["0-15", "16-31", "32-47", "48-63"]);
    let intel = found("intel-8163", Request::default());
    assert_eq!(intel.instances[0].cores, 48);
    let about = intel.choices.iter().find(|c| c.about == say::ABOUT_INSTANCES).unwrap();
    assert!(about.text.contains("2 sockets") && !about.text.contains("one socket"), "{about:?}");
    let two = found("intel-8163", ask(2, 0));
    assert_eq!(lists(&two), ["0-23,48-71", "24-47,72-95"]);
    assert_eq!(two.instances[0].cores, 24);
    assert!(two.choices.iter().any(|c| c.basis == Basis::Assumed && c.text.contains("lscpu -e")));
    let record = catalogue::record("amd-epyc-7h12-ecs").unwrap().unwrap();
    assert!(of(&record, Request { smt: Some(false), ..Request::default() }).is_err());
}

#[test]
fn what_others_measured_between_nodes_is_named() {
    for (name, times) in [
        ("hygon-7280-8node", "2.00 times"),
        ("kunpeng-920-4826", "1.43 times"),
        ("phytium-ft2500", "2.14 times"),
        ("intel-8269cy-2node", "1.17 times"),
    ] {
        let record = catalogue::record(name).unwrap().unwrap();
        let found = of(&record, Request::default()).unwrap();
        let memory = found.choices.iter().find(|c| c.about == say::ABOUT_MEMORY).unwrap();
        assert!(memory.basis == Basis::Published && memory.text.contains(times), "{memory:?}");
    }
}
