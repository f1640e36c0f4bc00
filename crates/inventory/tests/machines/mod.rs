//! Synthetic machines: a few numbers into the thousands of files that such a machine has.
#![allow(dead_code, reason = "each test program uses a part of them")]
pub(crate) mod described;
pub(crate) mod devices;
mod tree;
use record::CpuSet;
pub(crate) use tree::Tree;

/// A machine in numbers. CPUs are numbered as Linux does on most servers: all cores first, then second threads,
/// unless a core's threads are `adjacent`.
#[derive(Debug, Clone)]
pub(crate) struct Build {
    pub(crate) sockets: u32,
    /// Nodes in all; spread evenly over cores.
    pub(crate) nodes: u32,
    pub(crate) cores_per_socket: u32,
    pub(crate) threads: u32,
    pub(crate) adjacent: bool,
    /// Memory of a node in MiB; 0 is not stated, and then neither are distances that `distances` does not list.
    pub(crate) node_mib: u64,
    pub(crate) distances: Vec<Vec<u32>>,
    /// level, kind, size as sysfs prints it, ways, cores that share it.
    pub(crate) caches: Vec<(u32, &'static str, &'static str, u32, u32)>,
    pub(crate) arch: &'static str,
    /// The lines of one CPU in /proc/cpuinfo.
    pub(crate) cpuinfo: &'static str,
    /// Files beyond those.
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

impl Build {
    pub(crate) fn cores(&self) -> u32 {
        self.sockets * self.cores_per_socket
    }
    pub(crate) fn cpus(&self) -> u32 {
        self.cores() * self.threads
    }
    fn core(&self, cpu: u32) -> u32 {
        if self.adjacent { cpu / self.threads } else { cpu % self.cores() }
    }
    fn sharing(&self, cpu: u32, cores: u32) -> CpuSet {
        let from = self.core(cpu) / cores * cores;
        (0..self.cpus()).filter(|c| (from..from + cores).contains(&self.core(*c))).collect()
    }
    pub(crate) fn tree(&self) -> Tree {
        let mut tree = Tree::default();
        let all = format!("0-{}\n", self.cpus() - 1).replace("0-0", "0");
        for name in ["present", "online", "possible"] {
            tree.put(&format!("/sys/devices/system/cpu/{name}"), &*all);
        }
        tree.put("/sys/devices/system/cpu/isolated", "\n");
        tree.put("/cpulens/affinity", &*all);
        tree.put("/cpulens/auxv", "AT_PAGESZ 4096\n");
        tree.put(
            "/cpulens/uname",
            format!("Linux\n5.10.0\n#1 SMP PREEMPT_DYNAMIC\n{}\n", self.arch),
        );
        tree.put("/proc/self/cgroup", "0::/\n");
        tree.put("/proc/loadavg", "0.10 0.20 0.30 1/200 1234\n");
        let per_node = self.cores() / self.nodes;
        let mut cpuinfo = String::new();
        for cpu in 0..self.cpus() {
            let (core, dir) = (self.core(cpu), format!("/sys/devices/system/cpu/cpu{cpu}"));
            let socket = core / self.cores_per_socket;
            let mut put =
                |name: &str, text: String| tree.put(&format!("{dir}/{name}"), text + "\n");
            put("topology/physical_package_id", socket.to_string());
            put("topology/core_id", (core % self.cores_per_socket).to_string());
            put("topology/core_cpus_list", self.sharing(cpu, 1).to_string());
            for (i, (level, kind, size, ways, cores)) in self.caches.iter().enumerate() {
                put(&format!("cache/index{i}/level"), level.to_string());
                put(&format!("cache/index{i}/type"), kind.to_string());
                put(&format!("cache/index{i}/size"), size.to_string());
                if *ways > 0 {
                    put(&format!("cache/index{i}/ways_of_associativity"), ways.to_string());
                }
                put(&format!("cache/index{i}/coherency_line_size"), "64".into());
                put(
                    &format!("cache/index{i}/shared_cpu_list"),
                    self.sharing(cpu, *cores).to_string(),
                );
            }
            cpuinfo += &format!("processor\t: {cpu}\n{}", self.cpuinfo);
            if self.arch == "x86_64" {
                cpuinfo += &format!(
                    "physical id\t: {socket}\ncore id\t: {}\n",
                    core % self.cores_per_socket
                );
            }
            cpuinfo += "\n";
        }
        tree.put("/proc/cpuinfo", cpuinfo);
        let kib = self.node_mib * 1024;
        for node in 0..self.nodes {
            let dir = format!("/sys/devices/system/node/node{node}");
            let first = node * per_node * if self.adjacent { self.threads } else { 1 };
            tree.put(&format!("{dir}/cpulist"), format!("{}\n", self.sharing(first, per_node)));
            if kib > 0 {
                tree.put(
                    &format!("{dir}/meminfo"),
                    format!(
                        "Node {node} MemTotal: {kib} kB\nNode {node} MemFree: {} kB\n",
                        kib / 2
                    ),
                );
            }
            if kib == 0 && self.nodes > 1 && self.distances.is_empty() {
                continue;
            }
            let row: Vec<String> = match self.distances.get(node as usize) {
                Some(row) => row.iter().map(u32::to_string).collect(),
                None => (0..self.nodes)
                    .map(|other| if other == node { "10" } else { "20" }.to_string())
                    .collect(),
            };
            tree.put(&format!("{dir}/distance"), row.join(" ") + "\n");
        }
        let total = kib * u64::from(self.nodes);
        if total > 0 {
            tree.put("/proc/meminfo", format!("MemTotal: {total} kB\nMemFree: {} kB\nMemAvailable: {} kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n", total / 2, total / 2));
        }
        for (path, content) in &self.files {
            tree.put(path, content.clone());
        }
        tree
    }
}

const INTEL: &str = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t: 85\nmodel name\t: Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz\nstepping\t: 7\nmicrocode\t: 0x500002c\ncpu MHz\t: 3200.000\nflags\t: lm cmov cx8 fpu fxsr mmx syscall sse2 cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave avx512f avx512bw avx512cd avx512dq avx512vl\nbogomips\t: 4998.89\n";
const HYGON: &str = "vendor_id\t: HygonGenuine\ncpu family\t: 24\nmodel\t: 1\nmodel name\t: Hygon C86 7280 32-core Processor\nstepping\t: 1\ncpu MHz\t: 2194.586\nflags\t: lm cmov cx8 fpu fxsr mmx syscall sse2 cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave\nbogomips\t: 3999.63\n";
const KUNPENG: &str = "BogoMIPS\t: 200.00\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 atomics fphp asimdhp cpuid asimdrdm jscvt fcma dcpop asimddp asimdfhm\nCPU implementer\t: 0x48\nCPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0xd01\nCPU revision\t: 0\n";
const FT2500: &str = "BogoMIPS\t: 100.00\nFeatures\t: fp asimd evtstrm aes pmull sha1 sha2 crc32 cpuid\nCPU implementer\t: 0x70\nCPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0x663\nCPU revision\t: 3\n";
const ALDER: &str = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t: 151\nmodel name\t: 12th Gen Intel(R) Core(TM) i5-12600K\nstepping\t: 2\nflags\t: lm cmov cx8 fpu fxsr mmx syscall sse2 cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe xsave\n";

fn build(
    arch: &'static str,
    cpuinfo: &'static str,
    (sockets, nodes, cores_per_socket, threads): (u32, u32, u32, u32),
) -> Build {
    Build {
        sockets,
        nodes,
        cores_per_socket,
        threads,
        adjacent: false,
        node_mib: 64 << 10,
        distances: vec![],
        caches: vec![],
        arch,
        cpuinfo,
        files: vec![],
    }
}

/// Two sockets of four dies, one node a die, eight cores a node in two groups of four that share a cache.
pub(crate) fn hygon_7280() -> Build {
    Build {
        caches: vec![
            (1, "Data", "32K", 8, 1),
            (1, "Instruction", "64K", 4, 1),
            (2, "Unified", "512K", 8, 1),
            (3, "Unified", "8192K", 16, 4),
        ],
        distances: (0..8)
            .map(|a| {
                (0..8)
                    .map(|b| {
                        if a == b {
                            10
                        } else if a / 4 == b / 4 {
                            16
                        } else {
                            28
                        }
                    })
                    .collect()
            })
            .collect(),
        ..build("x86_64", HYGON, (2, 8, 32, 2))
    }
}

/// Four dies of 24 cores; distances as its firmware states them.
pub(crate) fn kunpeng_920() -> Build {
    let mut machine = Build {
        node_mib: 193_533,
        caches: vec![
            (1, "Data", "64K", 4, 1),
            (1, "Instruction", "64K", 4, 1),
            (2, "Unified", "512K", 8, 1),
            (3, "Unified", "24576K", 12, 24),
        ],
        distances: vec![
            vec![10, 12, 20, 22],
            vec![12, 10, 22, 24],
            vec![20, 22, 10, 12],
            vec![22, 24, 12, 10],
        ],
        ..build("aarch64", KUNPENG, (2, 4, 48, 1))
    };
    for cpu in 0..machine.cpus() {
        let mut put = |name: &str, text: &str| {
            machine.files.push((format!("/sys/devices/system/cpu/cpu{cpu}/{name}"), text.into()))
        };
        put("regs/identification/midr_el1", "0x00000000481fd010\n");
        put("cpufreq/cpuinfo_max_freq", "2600000\n");
        put("cpufreq/cpuinfo_min_freq", "200000\n");
        put("cpufreq/scaling_governor", "performance\n");
        put("cpufreq/scaling_driver", "cppc_cpufreq\n");
    }
    let table = [
        structure(
            4,
            &[
                1, 3, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 100, 0, 0x28, 0x0a, 0x28, 0x0a, 0x41, 0,
                0, 0, 0, 0, 0, 0, 0, 0, 0, 48, 48, 48,
            ],
            &["CPU01", "HiSilicon", "Kunpeng 920-4826"],
        ),
        structure(127, &[], &[]),
    ];
    machine.files.push(("/sys/firmware/dmi/tables/DMI".into(), table.concat()));
    machine
}

/// Two sockets of 64 cores, sixteen nodes; the distance to the other socket is a flat 100.
pub(crate) fn phytium_ft2500() -> Build {
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
    Build {
        caches: vec![
            (1, "Data", "32K", 4, 1),
            (1, "Instruction", "32K", 4, 1),
            (2, "Unified", "2048K", 16, 4),
            (3, "Unified", "65536K", 16, 64),
        ],
        distances: (0..16)
            .map(|a| {
                (0..16).map(|b| if a / 8 == b / 8 { NEAR[a % 8][b % 8] } else { 100 }).collect()
            })
            .collect(),
        ..build("aarch64", FT2500, (2, 16, 64, 1))
    }
}

/// Two sockets, SMT, and DIMMs that are rated 2933 but run at 2133.
pub(crate) fn intel_8269cy() -> Build {
    let mut machine = Build {
        node_mib: 192 << 10,
        caches: vec![
            (1, "Data", "32K", 8, 1),
            (1, "Instruction", "32K", 8, 1),
            (2, "Unified", "1024K", 16, 1),
            (3, "Unified", "36608K", 11, 26),
        ],
        distances: vec![vec![10, 21], vec![21, 10]],
        ..build("x86_64", INTEL, (2, 2, 26, 2))
    };
    let mut table = vec![];
    table.extend(structure(0, &[1, 2, 0, 0xe0, 3, 0], &["Example BIOS", "3.1", "05/01/2020"]));
    table.extend(structure(1, &[1, 2, 0, 3], &["Example", "Server 2P", "SN-SECRET-1"]));
    table.extend(structure(16, &[3, 3, 3, 0, 0, 0, 0, 0xfe, 0xff, 24, 0], &[]));
    for slot in 0..24u8 {
        let name = format!("CPU{}_DIMM_{}{}", slot / 12, (b'A' + slot % 12 / 2) as char, slot % 2);
        let mut body = [0u8; 0x24];
        let filled = slot % 2 == 0;
        // Widths 72/64, 32 GiB, DIMM, DDR4, 2933 MT/s rated, two ranks, 2133 configured (offsets less the header).
        if filled {
            body[4..6].copy_from_slice(&72u16.to_le_bytes());
            body[6..8].copy_from_slice(&64u16.to_le_bytes());
            body[8..10].copy_from_slice(&0x7fffu16.to_le_bytes());
            body[0x18..0x1c].copy_from_slice(&(32u32 << 10).to_le_bytes());
            body[0x11..0x13].copy_from_slice(&2933u16.to_le_bytes());
            body[0x1c..0x1e].copy_from_slice(&2133u16.to_le_bytes());
            body[0x17] = 2;
        }
        body[10] = 9;
        body[12] = 1;
        body[14] = 0x1a;
        body[0x13] = 2;
        body[0x14] = 3;
        body[0x16] = 4;
        table.extend(structure(17, &body, &[&name, "Samsung", "SN-SECRET-2", "M393A4K40CB2-CVF"]));
    }
    table.extend(structure(127, &[], &[]));
    machine.files.push(("/sys/firmware/dmi/tables/DMI".into(), table));
    machine
}

/// Four sockets in a ring, each a node: two hops to the one across.
pub(crate) fn intel_4_sockets() -> Build {
    Build {
        node_mib: 96 << 10,
        caches: vec![
            (1, "Data", "32K", 8, 1),
            (1, "Instruction", "32K", 8, 1),
            (2, "Unified", "1024K", 16, 1),
            (3, "Unified", "16896K", 11, 4),
        ],
        distances: vec![
            vec![10, 21, 31, 21],
            vec![21, 10, 21, 31],
            vec![31, 21, 10, 21],
            vec![21, 31, 21, 10],
        ],
        ..build("x86_64", INTEL, (4, 4, 4, 2))
    }
}

/// Six performance cores with two threads, four efficiency cores with one.
pub(crate) fn intel_hybrid() -> Tree {
    let mut tree = Build {
        caches: vec![
            (1, "Data", "48K", 12, 1),
            (2, "Unified", "1280K", 10, 1),
            (3, "Unified", "20480K", 10, 16),
        ],
        ..build("x86_64", ALDER, (1, 1, 16, 1))
    }
    .tree();
    for core in 0..6 {
        for cpu in [2 * core, 2 * core + 1] {
            let pair = format!("{}-{}\n", 2 * core, 2 * core + 1);
            let dir = format!("/sys/devices/system/cpu/cpu{cpu}");
            tree.put(&format!("{dir}/topology/core_id"), format!("{}\n", core * 4));
            tree.put(&format!("{dir}/topology/core_cpus_list"), &*pair);
            for index in 0..2 {
                tree.put(&format!("{dir}/cache/index{index}/shared_cpu_list"), &*pair);
            }
        }
    }
    for cpu in 12..16 {
        tree.put(&format!("/sys/devices/system/cpu/cpu{cpu}/cache/index1/size"), "2048K\n");
        tree.put(
            &format!("/sys/devices/system/cpu/cpu{cpu}/cache/index1/shared_cpu_list"),
            "12-15\n",
        );
    }
    tree.put("/sys/devices/cpu_core/cpus", "0-11\n");
    tree.put("/sys/devices/cpu_atom/cpus", "12-15\n");
    tree.put("/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n");
    tree
}

/// A container that may use one CPU of eight, for one and a half CPUs' time, within 2 GiB.
pub(crate) fn container() -> Tree {
    let mut tree = Build {
        caches: vec![(1, "Data", "32K", 8, 1), (3, "Unified", "16384K", 16, 4)],
        ..build("x86_64", INTEL, (1, 1, 4, 2))
    }
    .tree();
    tree.put("/proc/self/cgroup", "0::/kubepods/pod0a1b2c/5f6e7d\n");
    let dir = "/sys/fs/cgroup/kubepods/pod0a1b2c/5f6e7d";
    tree.put(&format!("{dir}/cpu.max"), "150000 100000\n");
    tree.put(&format!("{dir}/cpuset.cpus.effective"), "3\n");
    tree.put(&format!("{dir}/memory.max"), "max\n");
    tree.put("/sys/fs/cgroup/kubepods/pod0a1b2c/memory.max", "2147483648\n");
    tree.put("/sys/fs/cgroup/kubepods/cpu.max", "max 100000\n");
    tree
}

/// Eight CPUs numbered with gaps, some offline.
pub(crate) fn offline_gaps() -> Tree {
    let mut tree =
        Build { caches: vec![(1, "Data", "32K", 8, 1)], ..build("x86_64", INTEL, (1, 1, 16, 1)) }
            .tree();
    tree.put("/sys/devices/system/cpu/present", "0-3,8-11\n");
    tree.put("/sys/devices/system/cpu/online", "0,2,8-10\n");
    tree.put("/cpulens/affinity", "0,2,8-10\n");
    tree.put("/sys/devices/system/node/node0/cpulist", "0,2,8-10\n");
    for cpu in [1, 3, 4, 5, 6, 7, 11, 12, 13, 14, 15] {
        tree.remove(&format!("/sys/devices/system/cpu/cpu{cpu}/topology"));
        tree.remove(&format!("/sys/devices/system/cpu/cpu{cpu}/cache"));
    }
    tree
}

/// Node 2 has memory and no CPUs, node 5 has neither: CXL, and a socket without DIMMs.
pub(crate) fn memory_only_node() -> Tree {
    let mut tree =
        Build { caches: vec![(1, "Data", "32K", 8, 1)], ..build("x86_64", INTEL, (2, 2, 4, 1)) }
            .tree();
    for (node, kib) in [(2, 134_217_728u64), (5, 0)] {
        let dir = format!("/sys/devices/system/node/node{node}");
        tree.put(&format!("{dir}/cpulist"), "\n");
        tree.put(
            &format!("{dir}/meminfo"),
            format!("Node {node} MemTotal: {kib} kB\nNode {node} MemFree: {kib} kB\n"),
        );
    }
    let near = "/sys/devices/system/node/node2/access0/initiators";
    tree.put(&format!("{near}/node0/cpulist"), "0-3\n");
    tree.put(&format!("{near}/read_latency"), "245\n");
    for (node, row) in
        [(0, "10 21 14 24"), (1, "21 10 24 14"), (2, "14 24 10 26"), (5, "24 14 26 10")]
    {
        tree.put(&format!("/sys/devices/system/node/node{node}/distance"), row);
    }
    tree
}

/// /proc only.
pub(crate) fn no_sys() -> Tree {
    let mut tree = intel_8269cy().tree();
    tree.remove("/sys");
    tree.remove("/cpulens");
    tree
}

/// A capture by a user who is not root: SMBIOS denied.
pub(crate) fn not_root() -> Tree {
    let mut tree = intel_8269cy().tree();
    tree.remove("/sys/firmware");
    tree.deny("/sys/firmware/dmi/tables/DMI");
    tree
}

/// Four sockets of 128 cores with two threads.
pub(crate) fn thousand() -> Build {
    Build {
        caches: vec![
            (1, "Data", "32K", 8, 1),
            (1, "Instruction", "32K", 8, 1),
            (2, "Unified", "1024K", 8, 1),
            (3, "Unified", "32768K", 16, 8),
        ],
        ..build("x86_64", HYGON, (4, 16, 128, 2))
    }
}

/// Absurd numbers, garbage and a file too large to read.
pub(crate) fn hostile() -> Tree {
    let mut tree = intel_8269cy().tree();
    let garbage: Vec<u8> = (0..5000u32).map(|i| ((i * 7919) >> 3) as u8).collect();
    let cpu = "/sys/devices/system/cpu";
    for (path, content) in [
        ("cpu0/topology/physical_package_id", "99999999999999\n"),
        ("cpu1/topology/core_cpus_list", "0-65535\n"),
        ("cpu2/topology/core_cpus_list", "7-3\n"),
        ("cpu3/topology/core_id", "-1\n"),
        ("cpu0/cache/index0/size", "0K\n"),
        ("cpu0/cache/index3/level", "4000000000\n"),
        ("cpu1/cache/index0/shared_cpu_list", "100000\n"),
        ("cpu0/cpufreq/cpuinfo_max_freq", "4294967295000\n"),
        ("cpu0/cpufreq/scaling_governor", "\u{1b}[31mperformance\u{202e}\n"),
        ("vulnerabilities/spectre_v2", "\0\0\n"),
    ] {
        tree.put(&format!("{cpu}/{path}"), content);
    }
    tree.put("/sys/devices/system/node/node0/distance", "0 300\n");
    tree.put("/sys/devices/system/node/node1/cpulist", "26-51,100000\n");
    tree.put("/sys/devices/system/node/node1/meminfo", &garbage[..]);
    tree.put("/proc/meminfo", "MemTotal: 99999999999999999999 kB\nMemFree: -3 kB\n");
    tree.put("/proc/loadavg", "NaN inf\n");
    tree.put("/proc/stat", vec![b'9'; (16 << 20) + 1]);
    tree.put("/proc/self/cgroup", format!("0::/{}\n1:cpu:/../../..\n", "a/".repeat(10_000)));
    tree.put("/sys/firmware/dmi/tables/DMI", &garbage[..]);
    tree.put("/proc/config.gz", [&[0x1f, 0x8b][..], &garbage].concat());
    tree.put("/sys/class/dmi/id/product_name", "x".repeat(100_000));
    tree.put("/cpulens/auxv", "AT_PAGESZ 0\n");
    tree
}

/// One SMBIOS structure; `body` is the formatted area after the header.
pub(crate) fn structure(kind: u8, body: &[u8], strings: &[&str]) -> Vec<u8> {
    let mut out = vec![kind, body.len() as u8 + 4, 0, 0];
    out.extend(body);
    for string in strings {
        out.extend(string.bytes());
        out.push(0);
    }
    out.extend(if strings.is_empty() { &[0, 0][..] } else { &[0] });
    out
}

/// Every synthetic machine with a fixture.
pub(crate) fn all() -> Vec<(&'static str, Tree)> {
    let mut all = vec![
        ("server-with-modules", intel_8269cy().tree()),
        ("server-not-root", not_root()),
        ("intel-4-sockets", intel_4_sockets().tree()),
        ("intel-hybrid", intel_hybrid()),
        ("container", container()),
        ("offline-gaps", offline_gaps()),
        ("memory-only-node", memory_only_node()),
        ("server-with-devices", devices::server()),
        ("no-sys", no_sys()),
        ("hostile", hostile()),
    ];
    all.extend(described::all());
    all
}
