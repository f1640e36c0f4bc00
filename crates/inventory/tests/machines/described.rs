//! Machines known from what their owners printed (lscpu, numactl, dmidecode): what was not printed is left out of
//! their trees, so that their inventories say so instead of repeating a guess.
use super::Tree;
use super::{Build, FT2500, KUNPENG, build, kunpeng_920, phytium_ft2500, structure};

const HYGON_5280: &str = "vendor_id\t: HygonGenuine\ncpu family\t: 24\nmodel\t: 1\nmodel name\t: Hygon C86 5280 16-core Processor\nstepping\t: 1\ncpu MHz\t: 2455.552\nflags\t: fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush mmx fxsr sse sse2 ht syscall nx mmxext fxsr_opt pdpe1gb rdtscp lm constant_tsc rep_good nopl nonstop_tsc cpuid extd_apicid amd_dcm aperfmperf pni pclmulqdq monitor ssse3 fma cx16 sse4_1 sse4_2 movbe popcnt xsave avx f16c rdrand lahf_lm cmp_legacy svm extapic cr8_legacy abm sse4a misalignsse 3dnowprefetch osvw skinit wdt tce topoext perfctr_core perfctr_nb bpext perfctr_llc mwaitx cpb hw_pstate sme ssbd sev ibpb vmmcall fsgsbase bmi1 avx2 smep bmi2 rdseed adx smap clflushopt sha_ni xsaveopt xsavec xgetbv1 xsaves clzero irperf xsaveerptr arat npt lbrv svm_lock nrip_save tsc_scale vmcb_clean flushbyasid decodeassists pausefilter pfthreshold avic v_vmsave_vmload vgif overflow_recov succor smca\nbogomips\t: 4999.26\n";
const HYGON_INTERLEAVED: &str = "vendor_id\t: HygonGenuine\ncpu family\t: 24\nmodel\t: 1\nmodel name\t: Hygon C86 7280 32-core Processor\nstepping\t: 1\ncpu MHz\t: 2108.234\nbogomips\t: 3999.45\n";
const HYGON_8: &str = "vendor_id\t: HygonGenuine\ncpu family\t: 24\nmodel\t: 1\nmodel name\t: Hygon C86 7280 32-core Processor\nstepping\t: 1\ncpu MHz\t: 2194.586\nbogomips\t: 3999.63\n";
const XEON_8269: &str = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t: 85\nmodel name\t: Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz\nstepping\t: 7\ncpu MHz\t: 3200.000\nbogomips\t: 4998.89\n";
const XEON_8269_OFF: &str = "vendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t: 85\nmodel name\t: Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz\nstepping\t: 7\ncpu MHz\t: 1200.000\nflags\t: fpu vme de pse tsc msr pae mce cx8 apic sep mtrr pge mca cmov pat pse36 clflush dts acpi mmx fxsr sse sse2 ss ht tm pbe syscall nx pdpe1gb rdtscp lm constant_tsc art arch_perfmon pebs bts rep_good nopl xtopology nonstop_tsc aperfmperf eagerfpu pni pclmulqdq dtes64 monitor ds_cpl vmx smx est tm2 ssse3 sdbg fma cx16 xtpr pdcm pcid dca sse4_1 sse4_2 x2apic movbe popcnt tsc_deadline_timer aes xsave avx f16c rdrand lahf_lm abm 3dnowprefetch epb cat_l3 cdp_l3 intel_ppin intel_pt ssbd mba ibrs ibpb stibp ibrs_enhanced tpr_shadow vnmi flexpriority ept vpid fsgsbase tsc_adjust bmi1 hle avx2 smep bmi2 erms invpcid rtm cqm mpx rdt_a avx512f avx512dq rdseed adx smap clflushopt clwb avx512cd avx512bw avx512vl xsaveopt xsavec xgetbv1 cqm_llc cqm_occup_llc cqm_mbm_total cqm_mbm_local dtherm ida arat pln pts pku ospke avx512_vnni spec_ctrl intel_stibp flush_l1d arch_capabilities\nbogomips\t: 5000.00\n";
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

/// One node a die; neither their memory nor their distances were printed.
fn hygon_7280_by_die() -> Build {
    Build {
        node_mib: 0,
        caches: caches("32K", "64K", "512K", "8192K", 4),
        ..build("x86_64", HYGON_8, (2, 8, 32, 2))
    }
}

/// The same box as with eight nodes, its firmware spreading each socket's memory over the dies.
fn hygon_7280_interleaved() -> Build {
    Build {
        node_mib: 0,
        caches: caches("32K", "64K", "512K", "8192K", 4),
        ..build("x86_64", HYGON_INTERLEAVED, (2, 2, 32, 2))
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

fn intel_8269cy() -> Build {
    let machine = Build {
        node_mib: 0,
        caches: caches("32K", "32K", "1024K", "36608K", 26),
        ..build("x86_64", XEON_8269, (2, 2, 26, 2))
    };
    clocked(machine, 3800, 1200)
}

fn intel_8269cy_numa_off() -> Build {
    let machine = Build {
        node_mib: 0,
        caches: caches("32K", "32K", "1024K", "36608K", 26),
        ..build("x86_64", XEON_8269_OFF, (2, 1, 26, 2))
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

/// Four nodes, of which the first has a little less memory.
fn kunpeng_920_four_nodes() -> Build {
    let nodes = [(192_832, 187_693), (193_533, 191_827), (193_533, 192_422), (193_532, 193_139)];
    filled(Build { node_mib: 0, ..kunpeng_920() }, &nodes)
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
fn ft2500_firmware() -> (String, Vec<u8>) {
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
    ("/sys/firmware/dmi/tables/DMI".into(), table)
}

/// Sixteen nodes, whose memory was not printed.
fn phytium_ft2500_sixteen_nodes() -> Build {
    Build { node_mib: 0, files: vec![ft2500_firmware()], ..phytium_ft2500() }
}

fn phytium_ft2500_numa_off() -> Build {
    Build {
        node_mib: 0,
        caches: phytium_ft2500().caches,
        files: vec![ft2500_firmware()],
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

/// No more of the kernel than was printed: its release here, the name of the distribution there.
fn seen(machine: Build, release: &str, distribution: &str) -> Tree {
    let mut tree = machine.tree();
    tree.put("/cpulens/uname", format!("Linux\n{release}\n\n{}\n", machine.arch));
    if !distribution.is_empty() {
        tree.put("/etc/os-release", format!("PRETTY_NAME=\"{distribution}\"\n"));
    }
    tree
}

pub(crate) fn all() -> Vec<(&'static str, Tree)> {
    vec![
        ("amd-epyc-7h12-guest", seen(epyc_7h12_guest(), "", "CentOS 7.9")),
        ("hygon-5280", seen(hygon_5280(), "", "")),
        ("hygon-7280", seen(hygon_7280_by_die(), "", "")),
        ("intel-8269cy", seen(intel_8269cy(), "", "")),
        ("kunpeng-920", seen(kunpeng_920_four_nodes(), "", "")),
        ("phytium-ft2500", seen(phytium_ft2500_sixteen_nodes(), "", "")),
        ("hygon-7280-interleaved", seen(hygon_7280_interleaved(), "", "")),
        ("intel-8163", seen(intel_8163(), "", "")),
        ("intel-8269cy-numa-off", seen(intel_8269cy_numa_off(), "", "")),
        ("intel-e5-2682v4", seen(intel_e5_2682v4(), "", "")),
        ("intel-i7-6500u", seen(intel_i7_6500u(), "5.3.13", "Ubuntu 18.04.4 LTS")),
        ("kunpeng-920-one-node", seen(kunpeng_920_one_node(), "", "")),
        ("phytium-ft2500-numa-off", seen(phytium_ft2500_numa_off(), "", "")),
        ("modules-alone", modules_alone()),
    ]
}
