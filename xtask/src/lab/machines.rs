//! The lab's machines: topologies we do not have, and places where measuring is hard.
use super::{
    machine::{Hardware, Hidden, Kernel, Machine, Place, Twin},
    smbios::Module,
};
use crate::dist::Arch;

/// An Arm machine without firmware: its device tree has sockets and cores, but QEMU 7.2 writes no caches into it.
const NO_CACHES: Hidden = Hidden("caches", "QEMU's device tree describes no caches");

const EASY: Place = Place {
    offline: &[],
    taken_away: None,
    readonly: false,
    nosys: false,
    cpuset: None,
    memory: None,
    quota: None,
    untold: false,
    disk: None,
    uid: None,
};

const X86: Hardware = Hardware {
    cpu: "qemu64",
    smp: "2",
    icount: None,
    memory: &[512],
    cpus: &[],
    distance: local_or_remote,
    modules: &[],
};

/// Pointer authentication by QEMU's own cipher instead of the architected one boots three times as fast.
const ARM: Hardware = Hardware { cpu: "max,pmu=on,pauth-impdef=on", ..X86 };

const MACHINE: Machine = Machine {
    name: "",
    what: "",
    arch: Arch::X86_64,
    hardware: X86,
    kernel: Kernel::Cloud,
    boot: "",
    isolated: None,
    place: EASY,
    proof: &[],
    twin: None,
    slow: false,
};

const ARM_MACHINE: Machine = Machine { arch: Arch::Aarch64, hardware: ARM, ..MACHINE };

/// Every machine. What a test may say of one is its structure, never how fast it is.
pub(crate) const MACHINES: &[Machine] = &[
    Machine {
        name: "sockets2-nodes4-smt",
        proof: &[
            "cpus 0-15",
            "threads 0-1",
            "package 0-7",
            "nodes 0-3",
            "nodes-with-cpus 0-3",
            "distance 10 12 20 20",
        ],
        what: "2 sockets of 2 NUMA nodes of 2 cores of 2 threads; one DIMM below its rated speed",
        hardware: Hardware {
            cpu: "Icelake-Server",
            smp: "16,sockets=2,dies=2,cores=2,threads=2",
            icount: None,
            memory: &[256; 4],
            cpus: &["0-3", "4-7", "8-11", "12-15"],
            distance: two_nodes_a_socket,
            modules: &[
                Module {
                    slot: "P0_A1",
                    bank: "P0 A",
                    size: Some(512),
                    rated: 3200,
                    configured: 2933,
                },
                Module { slot: "P0_B1", bank: "P0 B", size: None, rated: 0, configured: 0 },
                Module {
                    slot: "P1_A1",
                    bank: "P1 A",
                    size: Some(512),
                    rated: 3200,
                    configured: 3200,
                },
                Module { slot: "P1_B1", bank: "P1 B", size: None, rated: 0, configured: 0 },
            ],
        },
        ..MACHINE
    },
    Machine {
        name: "one-cpu",
        proof: &["cpus 0", "threads -", "nodes 0"],
        what: "a single CPU: nothing to pair, nothing to share",
        hardware: Hardware { smp: "1", ..X86 },
        ..MACHINE
    },
    Machine {
        name: "offline-cpus",
        proof: &["cpus 0,3"],
        what: "4 CPUs of which 1 and 2 are offline",
        hardware: Hardware { smp: "4", ..X86 },
        place: Place { offline: &[1, 2], ..EASY },
        ..MACHINE
    },
    Machine {
        name: "cpu-taken-away",
        proof: &["cpus 0-3"],
        what: "4 CPUs of which number 3 goes offline while lines are handed from core to core",
        hardware: Hardware { smp: "4", ..X86 },
        place: Place { taken_away: Some((3, "[3/")), ..EASY },
        ..MACHINE
    },
    Machine {
        name: "memory-only-node",
        proof: &["cpus 0-1", "nodes 0-1", "nodes-with-cpus 0"],
        what: "a NUMA node that has memory and no CPUs, as CXL memory has",
        hardware: Hardware { memory: &[256, 256], cpus: &["0-1", ""], ..X86 },
        ..MACHINE
    },
    Machine {
        name: "little-ram",
        proof: &["cpus 0-1", "memory.max -"],
        what: "128 MiB of RAM in all, of which the kernel takes a third",
        hardware: Hardware { memory: &[128], ..X86 },
        ..MACHINE
    },
    Machine {
        name: "memory-limit",
        proof: &["memory.max 67108864"],
        what: "64 MiB for the program, as memory.max of its cgroup",
        place: Place { memory: Some("64M"), ..EASY },
        ..MACHINE
    },
    Machine {
        name: "cpuset-one",
        proof: &["cpus 0-3", "cpuset 2"],
        what: "4 CPUs of which the cgroup allows number 2 only",
        hardware: Hardware { smp: "4", ..X86 },
        place: Place { cpuset: Some("2"), ..EASY },
        ..MACHINE
    },
    Machine {
        name: "cpu-quota",
        proof: &["cpus 0-1", "cpu.max 50000 100000"],
        what: "half a CPU for the program, as cpu.max of its cgroup",
        place: Place { quota: Some("50000 100000"), ..EASY },
        ..MACHINE
    },
    Machine {
        name: "isolated-cpus",
        proof: &["cpus 0-3", "isolated 2-3", "nohz_full 2-3"],
        what: "4 CPUs of which 2 and 3 are isolated (isolcpus) and without a tick (nohz_full)",
        hardware: Hardware { smp: "4", ..X86 },
        boot: "isolcpus=2-3 nohz_full=2-3",
        isolated: Some("2-3"),
        ..MACHINE
    },
    Machine {
        name: "no-interrupt-table",
        proof: &["cpus 0-1", "interrupts -"],
        what: "/proc/interrupts and /proc/softirqs are hidden, as containers may have them",
        place: Place { untold: true, ..EASY },
        ..MACHINE
    },
    Machine {
        name: "readonly-root",
        proof: &["writable -"],
        what: "nowhere to write, and not root",
        place: Place { readonly: true, uid: Some(1000), ..EASY },
        ..MACHINE
    },
    Machine {
        name: "full-disk",
        proof: &["disk 65536"],
        what: "64 KiB for records, which is less than one needs",
        place: Place { disk: Some("64k"), ..EASY },
        ..MACHINE
    },
    Machine {
        name: "no-sys",
        proof: &["cpus -", "nodes -", "writable / /dev /tmp"],
        what: "/sys is missing",
        place: Place { nosys: true, ..EASY },
        ..MACHINE
    },
    Machine {
        name: "arm-one-cpu",
        proof: &["cpus 0", "threads -"],
        what: "a single CPU",
        hardware: Hardware { smp: "1", ..ARM },
        ..ARM_MACHINE
    },
    Machine {
        name: "arm-offline-cpus",
        proof: &["cpus 1-2"],
        what: "4 CPUs of which 0 and 3 are offline",
        hardware: Hardware { smp: "4", ..ARM },
        place: Place { offline: &[0, 3], ..EASY },
        ..ARM_MACHINE
    },
    Machine {
        name: "arm-cpuless-first-node",
        proof: &["cpus 0-1", "nodes 0-1", "nodes-with-cpus 1"],
        what: "node 0 has memory only; the CPUs are on node 1 (x86 kernels number nodes by their CPUs)",
        hardware: Hardware { memory: &[256, 256], cpus: &["", "0-1"], ..ARM },
        ..ARM_MACHINE
    },
    Machine {
        name: "arm-16-nodes",
        proof: &[
            "cpus 0-15",
            "nodes 0-15",
            "nodes-with-cpus 0-15",
            "distance 10 15 15 15 30 30 30 30 30 30 30 30 30 30 30 30",
        ],
        what: "16 CPUs, each a NUMA node of its own",
        hardware: Hardware {
            smp: "16",
            memory: &[128; 16],
            cpus: &[
                "0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "14",
                "15",
            ],
            distance: four_nodes_a_group,
            ..ARM
        },
        ..ARM_MACHINE
    },
    Machine {
        name: "arm-pmu",
        proof: &["cpus 0"],
        what: "a processor that counts its instructions exactly (QEMU's icount)",
        hardware: Hardware { smp: "1", icount: Some(1), ..ARM },
        slow: true,
        ..ARM_MACHINE
    },
    Machine {
        name: "arm-64cpu-16-nodes",
        proof: &[
            "cpus 0-63",
            "nodes 0-15",
            "distance 10 15 15 15 30 30 30 30 30 30 30 30 30 30 30 30",
        ],
        what: "64 CPUs in 16 NUMA nodes",
        hardware: Hardware {
            smp: "64",
            memory: &[64; 16],
            cpus: &[
                "0-3", "4-7", "8-11", "12-15", "16-19", "20-23", "24-27", "28-31", "32-35",
                "36-39", "40-43", "44-47", "48-51", "52-55", "56-59", "60-63",
            ],
            distance: four_nodes_a_group,
            ..ARM
        },
        slow: true,
        ..ARM_MACHINE
    },
    Machine {
        name: "like-phytium-ft2500",
        proof: &["cpus 0-127", "nodes 0-15"],
        what: "2 sockets of 64 cores in 16 NUMA nodes, the other socket at a flat distance",
        hardware: Hardware {
            cpu: SMALL_ARM,
            smp: "128,sockets=2,cores=64,threads=1",
            memory: &[64; 16],
            cpus: &[
                "0-7", "8-15", "16-23", "24-31", "32-39", "40-47", "48-55", "56-63", "64-71",
                "72-79", "80-87", "88-95", "96-103", "104-111", "112-119", "120-127",
            ],
            distance: ft2500,
            ..ARM
        },
        twin: Some(Twin {
            fixture: "phytium-ft2500",
            threads_adjacent: false,
            hidden: &[NO_CACHES],
        }),
        slow: true,
        ..ARM_MACHINE
    },
    Machine {
        name: "like-kunpeng-920",
        proof: &["cpus 0-95", "nodes 0-3", "distance 10 12 20 22"],
        what: "2 sockets of 2 dies of 24 cores, each die a NUMA node",
        hardware: Hardware {
            cpu: SMALL_ARM,
            smp: "96,sockets=2,cores=48,threads=1",
            memory: &[256; 4],
            cpus: &["0-23", "24-47", "48-71", "72-95"],
            distance: |from, to| {
                [[10, 12, 20, 22], [12, 10, 22, 24], [20, 22, 10, 12], [22, 24, 12, 10]][from][to]
            },
            ..ARM
        },
        twin: Some(Twin { fixture: "kunpeng-920", threads_adjacent: false, hidden: &[NO_CACHES] }),
        slow: true,
        ..ARM_MACHINE
    },
    Machine {
        name: "like-hygon-7280",
        proof: &["cpus 0-127", "threads 0-1", "nodes 0-7"],
        what: "2 sockets of 4 NUMA nodes of 8 cores of 2 threads, a cache for each 4 cores",
        hardware: Hardware {
            // QEMU's Dhyana has no threads: TCG does not emulate TOPOEXT, and Hygon's kernels ask for nothing else.
            cpu: "Cascadelake-Server",
            // QEMU shares the last cache in a die, so each group of four cores is a die here.
            smp: "128,sockets=2,dies=8,cores=4,threads=2",
            memory: &[128; 8],
            cpus: &["0-15", "16-31", "32-47", "48-63", "64-79", "80-95", "96-111", "112-127"],
            distance: |from, to| match (from == to, from / 4 == to / 4) {
                (true, _) => 10,
                (false, true) => 16,
                (false, false) => 28,
            },
            ..X86
        },
        twin: Some(Twin {
            fixture: "hygon-7280",
            threads_adjacent: true,
            hidden: &[
                INTEL_CACHES[0],
                INTEL_CACHES[1],
                INTEL_CACHES[2],
                Hidden("nodes/*/distances", "nobody printed those of the original"),
            ],
        }),
        slow: true,
        ..MACHINE
    },
    Machine {
        name: "like-intel-4-sockets",
        proof: &["cpus 0-31", "threads 0-1", "package 0-7", "nodes 0-3"],
        what: "4 sockets of 4 cores of 2 threads, a NUMA node each, not all of them neighbours",
        hardware: Hardware {
            cpu: "Cascadelake-Server",
            smp: "32,sockets=4,cores=4,threads=2",
            memory: &[128; 4],
            cpus: &["0-7", "8-15", "16-23", "24-31"],
            distance: |from, to| match from.abs_diff(to) {
                0 => 10,
                2 => 31,
                _ => 21,
            },
            ..X86
        },
        twin: Some(Twin {
            fixture: "intel-4-sockets",
            threads_adjacent: true,
            hidden: INTEL_CACHES,
        }),
        slow: true,
        ..MACHINE
    },
];

/// Of x86 caches QEMU presents how many there are beyond the first level, and who shares them.
const INTEL_CACHES: &[Hidden] = &[
    Hidden("caches/level=1", "QEMU 7.2 gives each thread of an Intel core its own"),
    Hidden("caches/*/bytes", "QEMU gives every Intel model the same caches"),
    Hidden("caches/*/ways", "QEMU gives every Intel model the same caches"),
];

/// An Arm processor that is quick to emulate; more than a hundred of `max` take an hour to boot.
const SMALL_ARM: &str = "cortex-a57";

/// Where the kernel module is tried: two CPUs, one of which may be kept for a partition (the memory limit mounts cgroup v2).
pub(super) fn for_modules(arch: Arch) -> Machine {
    let place = Place { memory: Some("400M"), ..EASY };
    let machine = if arch == Arch::Aarch64 { ARM_MACHINE } else { MACHINE };
    Machine { name: "kernel-module", what: "where the kernel module is tried", place, ..machine }
}

/// Where the kernel's own tracer of noise is asked beside us.
pub(super) fn for_tracing() -> Machine {
    let what = "where the osnoise tracer is";
    // A counter of time that a program can read in order (rdtscp), as every processor of today has.
    let hardware = Hardware { cpu: "max", ..X86 };
    // Or this kernel switches the interrupt of the line off that files come back on, and says so in the middle of one.
    let boot = "noirqdebug";
    Machine { name: "osnoise", what, hardware, kernel: Kernel::RealTime, boot, ..MACHINE }
}

/// A machine by its name.
pub(crate) fn machine(name: &str) -> Result<Machine, String> {
    let found = MACHINES.iter().find(|m| m.name == name).copied();
    found.ok_or_else(|| format!("no machine is called `{name}`; see `cargo xtask lab --list`"))
}

fn local_or_remote(from: usize, to: usize) -> u32 {
    if from == to { 10 } else { 20 }
}

fn two_nodes_a_socket(from: usize, to: usize) -> u32 {
    match (from == to, from / 2 == to / 2) {
        (true, _) => 10,
        (false, true) => 12,
        (false, false) => 20,
    }
}

/// As the firmware of an FT2500 server states it: rings of eight in a socket, and a flat 100 to the other.
fn ft2500(from: usize, to: usize) -> u32 {
    const NEAR: [[u32; 8]; 8] = [
        [10, 20, 40, 30, 20, 30, 50, 40],
        [20, 10, 30, 40, 50, 20, 40, 50],
        [40, 30, 10, 20, 40, 50, 20, 30],
        [30, 40, 20, 10, 30, 20, 40, 50],
        [20, 50, 40, 30, 10, 50, 30, 20],
        [30, 20, 50, 20, 50, 10, 50, 40],
        [50, 40, 20, 40, 30, 50, 10, 30],
        [40, 50, 30, 50, 20, 40, 30, 10],
    ];
    if from / 8 == to / 8 { NEAR[from % 8][to % 8] } else { 100 }
}

fn four_nodes_a_group(from: usize, to: usize) -> u32 {
    match (from == to, from / 4 == to / 4) {
        (true, _) => 10,
        (false, true) => 15,
        (false, false) => 30,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_can_be_told_apart_and_described() {
        for (n, machine) in MACHINES.iter().enumerate() {
            assert!(!machine.what.is_empty(), "{}", machine.name);
            assert!(!machine.proof.is_empty(), "{}", machine.name);
            assert!(MACHINES[..n].iter().all(|m| m.name != machine.name), "{}", machine.name);
            let nodes = machine.hardware.cpus.len();
            assert!(nodes == 0 || nodes == machine.hardware.memory.len(), "{}", machine.name);
        }
    }
}
