//! The steps of every recorded machine, and of made ones.
use super::*;

fn step_names(machine: &Machine, cpus: &CpuSet) -> Vec<String> {
    let line = |s: &Step| format!("{}: {} on {}", s.name, s.cpus, s.nodes);
    steps(machine, cpus).iter().map(line).collect()
}

#[test]
fn every_machine_has_the_steps_that_its_cores_make() {
    for (name, expected) in EXPECTED {
        let machine = named(name);
        assert_eq!(step_names(&machine, &machine.topology.usable()), *expected, "{name}");
    }
}

/// Names and CPUs of each step, and the nodes of these CPUs.
const EXPECTED: &[(&str, &[&str])] = &[
    (
        "hygon-7280",
        &[
            "1 core: 4 on 0",
            "SMT pair: 4,68 on 0",
            "2 cores of node 0: 1,4 on 0",
            "4 cores of node 0: 1,2,4,5 on 0",
            "8 cores of node 0: 0-7 on 0",
            "16 cores of socket 0: 0-15 on 0,1",
            "socket 0: 0-31 on 0-3",
            "all cores: 0-63 on 0-7",
            "all threads: 0-127 on 0-7",
        ],
    ),
    (
        "phytium-ft2500",
        &[
            "1 core: 1 on 0",
            "2 cores of node 0: 1,2 on 0",
            "4 cores of node 0: 1-4 on 0",
            "8 cores of node 0: 0-7 on 0",
            "16 cores of socket 0: 0-15 on 0,1",
            "32 cores of socket 0: 0-31 on 0-3",
            "socket 0: 0-63 on 0-7",
            "all cores: 0-127 on 0-15",
        ],
    ),
    (
        "kunpeng-920",
        &[
            "1 core: 1 on 0",
            "2 cores of node 0: 1,2 on 0",
            "4 cores of node 0: 1-4 on 0",
            "8 cores of node 0: 1-8 on 0",
            "16 cores of node 0: 1-16 on 0",
            "24 cores of node 0: 0-23 on 0",
            "32 cores of socket 0: 0-23,25-32 on 0,1",
            "socket 0: 0-47 on 0,1",
            "64 cores of 2 sockets: 0-47,49-64 on 0-2",
            "all cores: 0-95 on 0-3",
        ],
    ),
    (
        "intel-8269cy",
        &[
            "1 core: 1 on 0",
            "SMT pair: 1,53 on 0",
            "2 cores of node 0: 1,2 on 0",
            "4 cores of node 0: 1-4 on 0",
            "8 cores of node 0: 1-8 on 0",
            "16 cores of node 0: 1-16 on 0",
            "socket 0: 0-25 on 0",
            "32 cores of 2 sockets: 0-25,27-32 on 0,1",
            "all cores: 0-51 on 0,1",
            "all threads: 0-103 on 0,1",
        ],
    ),
    (
        "intel-8269cy-numa-off",
        &[
            "1 core: 1 on 0",
            "SMT pair: 1,53 on 0",
            "2 cores of node 0: 1,2 on 0",
            "4 cores of node 0: 1-4 on 0",
            "8 cores of node 0: 1-8 on 0",
            "16 cores of node 0: 1-16 on 0",
            "socket 0: 0-25 on 0",
            "32 cores of 2 sockets: 0-25,27-32 on 0",
            "all cores: 0-51 on 0",
            "all threads: 0-103 on 0",
        ],
    ),
    ("container", &["1 core: 3 on 0"]),
    (
        "intel-hybrid",
        &[
            "1 core: 2 on 0",
            "SMT pair: 2,3 on 0",
            "2 performance cores: 2,4 on 0",
            "4 performance cores: 2,4,6,8 on 0",
            "6 performance cores: 0,2,4,6,8,10 on 0",
            "8 cores of node 0: 0,2,4,6,8,10,13,14 on 0",
            "all cores: 0,2,4,6,8,10,12-15 on 0",
            "all threads: 0-15 on 0",
        ],
    ),
    (
        "memory-only-node",
        &[
            "1 core: 1 on 0",
            "2 cores of node 0: 1,2 on 0",
            "socket 0: 0-3 on 0",
            "all cores: 0-7 on 0,1",
        ],
    ),
    (
        "offline-gaps",
        &[
            "1 core: 2 on 0",
            "2 cores of node 0: 2,8 on 0",
            "4 cores of node 0: 2,8-10 on 0",
            "all cores: 0,2,8-10 on 0",
        ],
    ),
    (
        "no-sys",
        &[
            "1 core: 1 on 0",
            "SMT pair: 1,53 on 0",
            "2 cores of node 0: 1,2 on 0",
            "4 cores of node 0: 1-4 on 0",
            "8 cores of node 0: 1-8 on 0",
            "16 cores of node 0: 1-16 on 0",
            "socket 0: 0-25 on 0",
            "32 cores of 2 sockets: 0-25,27-32 on 0",
            "all cores: 0-51 on 0",
            "all threads: 0-103 on 0",
        ],
    ),
    (
        "amd-epyc-7h12-guest",
        &[
            "1 core: 8 on 0",
            "SMT pair: 8,9 on 0",
            "2 cores of node 0: 8,16 on 0",
            "4 cores of node 0: 2,8,16,24 on 0",
            "8 cores of node 0: 2,4,8,10,16,18,24,26 on 0",
            "socket 0: 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30 on 0",
            "all cores: 0,2,4,6,8,10,12,14,16,18,20,22,24,26,28,30,32,34,36,38,40,42,44,46,48,50,52,54,56,58,60,62 on 0,1",
            "all threads: 0-63 on 0,1",
        ],
    ),
];

/// Invariants of steps wherever there are CPUs at all.
#[test]
fn steps_grow_within_the_cpus_and_end_with_all_of_them() {
    let machines = machines();
    assert!(machines.len() >= 8);
    for (name, machine) in machines {
        let usable = machine.topology.usable();
        let all = steps(&machine, &usable);
        assert_eq!(all.is_empty(), usable.is_empty(), "{name}");
        let Some(last) = all.last() else { continue };
        assert_eq!(last.cpus, usable, "{name}");
        assert_eq!((all[0].name.as_str(), all[0].cpus.len(), all[0].cores), ("1 core", 1, 1));
        for (at, step) in all.iter().enumerate() {
            assert!(step.cpus.is_subset(&usable) && !step.cpus.is_empty(), "{name}: {step:?}");
            assert!(
                all[..at].iter().all(|s| s.name != step.name && s.cpus != step.cpus),
                "{name}: {step:?}"
            );
            let node = |cpu: u32| machine.topology.node_of(cpu);
            assert_eq!(step.nodes, step.cpus.iter().filter_map(node).collect(), "{name}");
        }
        // Without siblings each step holds the one before.
        let cores: Vec<&Step> = all.iter().filter(|s| s.cpus.len() == s.cores).collect();
        assert!(cores.windows(2).all(|w| w[0].cpus.is_subset(&w[1].cpus)), "{name}");
        assert!(cores.windows(2).all(|w| w[0].cores < w[1].cores), "{name}");
    }
}

/// 1024 CPUs make some fifteen steps, not a thousand.
#[test]
fn the_number_of_steps_is_bounded() {
    let mut machine = Machine::default();
    for id in 0..1024 {
        machine.topology.cpus.push(record::Cpu {
            id,
            online: true,
            allowed: true,
            siblings: [id % 512, id % 512 + 512].into_iter().collect(),
            package: Some(id % 512 / 128),
            node: Some(id % 512 / 32),
            ..Default::default()
        });
    }
    let all = steps(&machine, &machine.topology.usable());
    let names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
    assert_eq!(
        names,
        [
            "1 core",
            "SMT pair",
            "2 cores of node 0",
            "4 cores of node 0",
            "8 cores of node 0",
            "16 cores of node 0",
            "32 cores of node 0",
            "64 cores of socket 0",
            "socket 0",
            "256 cores of 2 sockets",
            "all cores",
            "all threads"
        ]
    );
    assert_eq!(all[8].cpus.to_string(), "0-127");
}

/// The chosen CPUs are the machine of a scaling run; the first of them need not be the first of its core.
#[test]
fn chosen_cpus_bound_the_scaling_run() {
    let machine = named("intel-8269cy");
    let of = |cpus: &str| step_names(&machine, &cpus.parse().unwrap());
    assert_eq!(of("5"), ["1 core: 5 on 0"]);
    assert_eq!(of("5,57"), ["1 core: 5 on 0", "SMT pair: 5,57 on 0"]);
    assert_eq!(of("57-58"), ["1 core: 58 on 0", "all cores: 57,58 on 0"]);
    assert_eq!(of("0,26"), ["1 core: 0 on 0", "all cores: 0,26 on 0,1"]);
    assert_eq!(steps(&machine, &CpuSet::default()), []);
}
