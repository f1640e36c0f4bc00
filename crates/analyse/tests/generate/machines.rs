//! The machines that the fixtures are measured on.
use record::{
    Cache, CacheKind, Cpu, CpuSet, Dimm, HugePool, Machine, Node, Reason, Topology, Unit,
};

const GIB: u64 = 1 << 30;

/// A two-CPU virtual machine that states its cache sizes and hides the rest.
pub(crate) fn vm() -> Machine {
    let mut machine = Machine::default();
    machine.set("cpu.model", "AMD EPYC 9555 64-Core Processor", "/proc/cpuinfo");
    machine.set("cpu.vendor", "AuthenticAMD", "/proc/cpuinfo");
    machine.set("cpu.microarchitecture", "Zen 5", "CPUID leaf 1");
    machine.set("kernel.release", "6.18.5", "uname");
    machine.set("virtual.hypervisor", "KVM", "CPUID leaf 0x40000000");
    machine.set("limits.cpu_quota", "unlimited", "/sys/fs/cgroup/cpu.max");
    machine.set_in("memory.page", 4096u64, Unit::Bytes, "getconf");
    machine.set_in("memory.total", 16 * GIB, Unit::Bytes, "/proc/meminfo");
    machine.set("memory.thp.enabled", "madvise", "/sys/kernel/mm/transparent_hugepage/enabled");
    let hidden = Reason::new("the hypervisor does not show frequency control to this machine");
    machine.unknown("cpu.governor", hidden.clone(), "/sys/devices/system/cpu/cpu0/cpufreq");
    machine.unknown("cpu.frequency.max", hidden.clone(), "/sys/devices/system/cpu/cpu0/cpufreq");
    machine.set_in("cpu.frequency.base", 2.6e9, Unit::Hertz, "CPUID leaf 0x40000010");
    machine.topology = Topology {
        devices: vec![],
        cpus: (0..2).map(|id| cpu(id, 0, id, &[id], 0)).collect(),
        caches: caches(&[&[0], &[1]], &[&[0, 1]], 1 << 20, 32 << 20),
        nodes: vec![Node {
            id: 0,
            cpus: set(&[0, 1]),
            bytes: Some(16 * GIB),
            free: Some(14 * GIB),
            distances: vec![10],
            huge: vec![HugePool { page: 2 << 20, total: 0, free: 0 }],
        }],
        dimms: vec![],
        missing: vec![("dimms".into(), Reason::new("the hypervisor describes no memory modules"))],
        sources: vec![
            ("cpus".into(), "/sys/devices/system/cpu".into()),
            ("caches".into(), "/sys/devices/system/cpu/cpu0/cache".into()),
            ("nodes".into(), "/sys/devices/system/node".into()),
        ],
    };
    machine
}

/// Two sockets of four cores with two threads each; CPUs 8 to 15 are the second threads. The modules are rated
/// DDR4-3200 and run at 2666, and one socket has fewer of them.
pub(crate) fn server() -> Machine {
    let mut machine = Machine::default();
    machine.set("cpu.model", "Intel(R) Xeon(R) Silver 4309Y CPU @ 2.80GHz", "/proc/cpuinfo");
    machine.set("cpu.vendor", "GenuineIntel", "/proc/cpuinfo");
    machine.set("cpu.microarchitecture", "Ice Lake", "CPUID leaf 1");
    machine.set("kernel.release", "6.1.0", "uname");
    machine.set("virtual.hypervisor", "none", "CPUID leaf 1");
    machine.set("limits.cpu_quota", "unlimited", "/sys/fs/cgroup/cpu.max");
    machine.set_in("memory.page", 4096u64, Unit::Bytes, "getconf");
    machine.set_in("memory.total", 192 * GIB, Unit::Bytes, "/proc/meminfo");
    machine.set("memory.thp.enabled", "always", "/sys/kernel/mm/transparent_hugepage/enabled");
    machine.set("cpu.governor", "schedutil", "/sys/devices/system/cpu/cpu0/cpufreq");
    machine.set_in(
        "cpu.frequency.max",
        3.6e9,
        Unit::Hertz,
        "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
    );
    machine.set_in("cpu.frequency.base", 2.8e9, Unit::Hertz, "CPUID leaf 0x16");
    let threads = |core: u32| vec![core, core + 8];
    let cores: Vec<Vec<u32>> = (0..8).map(threads).collect();
    let sockets: Vec<Vec<u32>> =
        (0..2).map(|s| (0..4).flat_map(|c| threads(4 * s + c)).collect()).collect();
    machine.topology = Topology {
        devices: vec![],
        cpus: (0..16)
            .map(|id| {
                let core = id % 8;
                Cpu { max_hz: Some(3.6e9), ..cpu(id, core / 4, core % 4, &threads(core), core / 4) }
            })
            .collect(),
        caches: caches(
            &cores.iter().map(Vec::as_slice).collect::<Vec<_>>(),
            &sockets.iter().map(Vec::as_slice).collect::<Vec<_>>(),
            1280 << 10,
            12 << 20,
        ),
        nodes: (0..2)
            .map(|id| Node {
                id,
                cpus: set(&sockets[id as usize]),
                bytes: Some([128, 64][id as usize] * GIB),
                free: Some([120, 60][id as usize] * GIB),
                distances: if id == 0 { vec![10, 20] } else { vec![20, 10] },
                huge: vec![HugePool { page: 2 << 20, total: 0, free: 0 }],
            })
            .collect(),
        dimms: dimms(),
        missing: vec![],
        sources: vec![
            ("cpus".into(), "/sys/devices/system/cpu".into()),
            ("caches".into(), "/sys/devices/system/cpu/cpu0/cache".into()),
            ("nodes".into(), "/sys/devices/system/node".into()),
            ("dimms".into(), "/sys/firmware/dmi/tables/DMI".into()),
        ],
    };
    machine
}

fn dimms() -> Vec<Dimm> {
    let slots = (0..2).flat_map(|s| ('A'..='H').map(move |c| (s, c)));
    slots
        .map(|(socket, channel)| {
            let populated = socket == 0 || channel <= 'D';
            let empty = Dimm {
                slot: format!("P{socket}-DIMM{channel}1"),
                bank: Some(format!("P{socket}_Node{socket}_Channel{channel}_Dimm1")),
                ..Dimm::default()
            };
            if !populated {
                return empty;
            }
            Dimm {
                bytes: Some(16 * GIB),
                populated: true,
                kind: Some("DDR4".into()),
                ranks: Some(2),
                width: Some(64),
                rated: Some(3.2e9),
                configured: Some(2.666e9),
                manufacturer: Some("Samsung".into()),
                part: Some("M393A2K43DB3-CWE".into()),
                ..empty
            }
        })
        .collect()
}

fn cpu(id: u32, package: u32, core: u32, siblings: &[u32], node: u32) -> Cpu {
    Cpu {
        id,
        online: true,
        allowed: true,
        package: Some(package),
        die: Some(0),
        core: Some(core),
        siblings: set(siblings),
        node: Some(node),
        ..Cpu::default()
    }
}

/// L1 of 48 KiB and L2 for each core, L3 for each group.
fn caches(cores: &[&[u32]], groups: &[&[u32]], l2: u64, l3: u64) -> Vec<Cache> {
    let cache = |level, kind, bytes, ways, cpus: &[u32]| Cache {
        level,
        kind,
        bytes: Some(bytes),
        line: Some(64),
        ways: Some(ways),
        cpus: set(cpus),
    };
    let mut all = vec![];
    all.extend(cores.iter().map(|c| cache(1, CacheKind::Data, 48 << 10, 12, c)));
    all.extend(cores.iter().map(|c| cache(1, CacheKind::Instruction, 32 << 10, 8, c)));
    all.extend(cores.iter().map(|c| cache(2, CacheKind::Unified, l2, 16, c)));
    all.extend(groups.iter().map(|c| cache(3, CacheKind::Unified, l3, 16, c)));
    all
}

fn set(ids: &[u32]) -> CpuSet {
    ids.iter().copied().collect()
}
