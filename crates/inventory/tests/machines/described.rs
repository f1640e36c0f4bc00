//! Machines known from what their owners printed (lscpu, numactl, dmidecode): what was not printed is left out of
//! their trees, so that their inventories say so instead of repeating a guess.
use super::{Build, FT2500, HYGON, INTEL, KUNPENG, build, kunpeng_920, phytium_ft2500, structure};
use inventory::Tree;

const HYGON_5280: &str = "vendor_id\t: HygonGenuine\ncpu family\t: 24\nmodel\t: 1\nmodel name\t: Hygon C86 5280 16-core Processor\nstepping\t: 1\ncpu MHz\t: 2455.552\nflags\t: fpu cmov cx8 fxsr mmx syscall lm sse2 pni ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt xsave avx f16c lahf_lm abm svm bmi1 avx2 bmi2\nbogomips\t: 4999.26\n";
const EPYC: &str = "vendor_id\t: AuthenticAMD\ncpu family\t: 23\nmodel\t: 49\nmodel name\t: AMD EPYC 7H12 64-Core Processor\nstepping\t: 0\ncpu MHz\t: 2595.124\nbogomips\t: 5190.24\n";
const XEON_8163: &str = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t: 85\nmodel name\t: Intel(R) Xeon(R) Platinum 8163 CPU @ 2.50GHz\nstepping\t: 4\ncpu MHz\t: 2499.121\nbogomips\t: 4998.90\n";
const E5: &str = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t: 79\nmodel name\t: Intel(R) Xeon(R) CPU E5-2682 v4 @ 2.50GHz\nstepping\t: 1\ncpu MHz\t: 2500.000\nbogomips\t: 5000.06\n";
const LAPTOP: &str = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t: 78\nmodel name\t: Intel(R) Core(TM) i7-6500U CPU @ 2.50GHz\n";

type Caches = Vec<(u32, &'static str, &'static str, u32, u32)>;

/// Split first level and unified second of each core, third of `sharers` cores. Ways were not printed.
fn caches(
    l1d: &'static str,
    l1i: &'static str,
    l2: &'static str,
    l3: &'static str,
    sharers: u32,
) -> Caches {
    vec![
        (1, "Data", l1d, 0, 1),
        (1, "Instruction", l1i, 0, 1),
        (2, "Unified", l2, 0, 1),
        (3, "Unified", l3, 0, sharers),
    ]
}

/// States the driver's limits in MHz.
fn clocked(mut machine: Build, max: u32, min: u32) -> Build {
    for cpu in 0..machine.cpus() {
        let dir = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq");
        for (name, mhz) in [("cpuinfo_max_freq", max), ("cpuinfo_min_freq", min)] {
            machine.files.push((format!("{dir}/{name}"), format!("{}\n", mhz * 1000).into()));
        }
    }
    machine
}

/// States each node's memory, total and free in MiB.
fn filled(mut machine: Build, nodes: &[(u64, u64)]) -> Build {
    for (node, (total, free)) in nodes.iter().enumerate() {
        let text = format!(
            "Node {node} MemTotal: {} kB\nNode {node} MemFree: {} kB\n",
            total * 1024,
            free * 1024
        );
        machine.files.push((format!("/sys/devices/system/node/node{node}/meminfo"), text.into()));
    }
    machine
}

/// A guest whose CPU numbers put the two threads of a core side by side.
fn epyc_7h12_guest() -> Build {
    Build {
        adjacent: true,
        node_mib: 0,
        caches: caches("32K", "32K", "512K", "16384K", 4),
        files: vec![(
            "/cpulens/cpuid".into(),
            b"1 0 830f10 0 80000000 0\n40000000 0 40000001 4b4d564b 564b4d56 4d\n".to_vec(),
        )],
        ..build("x86_64", EPYC, (2, 2, 16, 2))
    }
}

fn hygon_5280() -> Build {
    let machine = Build {
        node_mib: 0,
        caches: caches("32K", "64K", "512K", "8192K", 4),
        distances: vec![
            vec![10, 16, 28, 22],
            vec![16, 10, 22, 28],
            vec![28, 22, 10, 16],
            vec![22, 28, 16, 10],
        ],
        ..build("x86_64", HYGON_5280, (2, 4, 16, 2))
    };
    let nodes = [(128_854, 89_350), (129_019, 89_326), (128_965, 86_542), (129_020, 98_227)];
    clocked(filled(machine, &nodes), 2500, 1600)
}

/// The same box as with eight nodes, its firmware spreading each socket's memory over the dies.
fn hygon_7280_interleaved() -> Build {
    Build {
        node_mib: 0,
        caches: caches("32K", "64K", "512K", "8192K", 4),
        ..build("x86_64", HYGON, (2, 2, 32, 2))
    }
}

fn intel_8163() -> Build {
    let machine = Build {
        node_mib: 0,
        caches: caches("32K", "32K", "1024K", "33792K", 24),
        ..build("x86_64", XEON_8163, (2, 1, 24, 2))
    };
    clocked(machine, 3100, 1000)
}

fn intel_8269cy_numa_off() -> Build {
    let machine = Build {
        node_mib: 0,
        caches: caches("32K", "32K", "1024K", "36608K", 26),
        ..build("x86_64", INTEL, (2, 1, 26, 2))
    };
    clocked(filled(machine, &[(785_826, 108_373)]), 2501, 1200)
}

fn intel_e5_2682v4() -> Build {
    let machine = Build {
        node_mib: 0,
        caches: caches("32K", "32K", "256K", "40960K", 16),
        ..build("x86_64", E5, (2, 2, 16, 2))
    };
    clocked(machine, 3000, 1200)
}

fn intel_i7_6500u() -> Build {
    Build {
        node_mib: 0,
        caches: caches("32K", "32K", "256K", "4096K", 2),
        ..build("x86_64", LAPTOP, (1, 1, 2, 2))
    }
}

/// One node for both sockets: the kernel then shows a socket's two dies as one cache.
fn kunpeng_920_one_node() -> Build {
    Build {
        node_mib: 0,
        distances: vec![],
        caches: caches("64K", "64K", "512K", "49152K", 48),
        files: kunpeng_920().files,
        ..build("aarch64", KUNPENG, (2, 1, 48, 1))
    }
}

/// The chip names itself in firmware only.
fn phytium_ft2500_numa_off() -> Build {
    let mut body = [0u8; 0x26];
    body[0] = 1;
    body[1] = 3;
    body[3] = 2;
    body[0x0c] = 3;
    body[0x0e] = 50;
    body[0x10..0x12].copy_from_slice(&2100u16.to_le_bytes());
    body[0x12..0x14].copy_from_slice(&2100u16.to_le_bytes());
    body[0x14] = 0x41;
    body[0x1f..0x22].fill(64);
    let table =
        [structure(4, &body, &["BGA3576", "PHYTIUM", "FT2500"]), structure(127, &[], &[])].concat();
    Build {
        node_mib: 0,
        caches: phytium_ft2500().caches,
        files: vec![("/sys/firmware/dmi/tables/DMI".into(), table)],
        ..build("aarch64", FT2500, (2, 1, 64, 1))
    }
}

/// Two modules of a board with 32 slots; nothing else of it was printed. The second's speed in use was not, either.
fn modules_alone() -> Tree {
    let mut table = structure(16, &[3, 3, 6, 0, 0, 0, 0, 0xfe, 0xff, 32, 0], &[]);
    for (slot, configured, ranks) in [("CPU0_DIMMA0", 2100u16, 2), ("CPU1_DIMMB0", 0, 0)] {
        let mut body = [0u8; 0x24];
        body[4..6].copy_from_slice(&72u16.to_le_bytes());
        body[6..8].copy_from_slice(&64u16.to_le_bytes());
        body[8..10].copy_from_slice(&0x7fffu16.to_le_bytes());
        body[10] = 9;
        body[12] = 1;
        body[13] = 2;
        body[14] = 0x1a;
        body[0x11..0x13].copy_from_slice(&2933u16.to_le_bytes());
        body[0x13] = 3;
        body[0x16] = 4;
        body[0x17] = ranks;
        body[0x18..0x1c].copy_from_slice(&(32u32 << 10).to_le_bytes());
        body[0x1c..0x1e].copy_from_slice(&configured.to_le_bytes());
        let bank = if ranks > 0 { "P0 CHANNEL A" } else { "" };
        table.extend(structure(17, &body, &[slot, bank, "SK Hynix", "HMAA4GR7AJR8N-WM"]));
    }
    table.extend(structure(127, &[], &[]));
    let mut tree = Tree::default();
    tree.put("/sys/firmware/dmi/tables/DMI", table);
    tree
}

pub(crate) fn all() -> Vec<(&'static str, Tree)> {
    vec![
        ("amd-epyc-7h12-guest", epyc_7h12_guest().tree()),
        ("hygon-5280", hygon_5280().tree()),
        ("hygon-7280-interleaved", hygon_7280_interleaved().tree()),
        ("intel-8163", intel_8163().tree()),
        ("intel-8269cy-numa-off", intel_8269cy_numa_off().tree()),
        ("intel-e5-2682v4", intel_e5_2682v4().tree()),
        ("intel-i7-6500u", intel_i7_6500u().tree()),
        ("kunpeng-920-one-node", kunpeng_920_one_node().tree()),
        ("phytium-ft2500-numa-off", phytium_ft2500_numa_off().tree()),
        ("modules-alone", modules_alone()),
    ]
}
