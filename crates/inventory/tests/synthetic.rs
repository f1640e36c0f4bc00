//! Synthetic machines give what they must: by hand for what matters, by committed document for all the rest.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod machines;
use inventory::{Tree, inventory};
use machines as m;
use record::{CacheKind, Known, Machine};
use std::{fs, path::Path};

fn missing(machine: &Machine, part: &str) -> Option<String> {
    machine
        .topology
        .missing
        .iter()
        .find(|(name, _)| name == part)
        .map(|(_, reason)| reason.to_string())
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
    assert_eq!(machine.number("cpu.clock.max"), Some(2.6e9));
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
    assert_eq!(machine.number("cpu.clock.base"), Some(2.5e9));
}

#[test]
fn devices_that_are_no_modules_are_told_apart() {
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
fn denied_is_not_absent() {
    let machine = inventory(&m::not_root());
    assert!(missing(&machine, "dimms").unwrap().contains("run as root"));
    assert!(
        missing(&inventory(&m::hygon_7280().tree()), "dimms").unwrap().contains("no SMBIOS table")
    );
}

/// A tree of four cores whose topology files are `(name, content of each CPU)`.
fn four(files: &[(&str, [&str; 4])]) -> Tree {
    let mut tree = m::offline_gaps();
    for (name, list) in [("present", "0-3"), ("online", "0-3")] {
        tree.put(&format!("/sys/devices/system/cpu/{name}"), list);
    }
    tree.put("/cpulens/affinity", "0-3");
    tree.put("/sys/devices/system/node/node0/cpulist", "0-3");
    tree.remove("/proc/cpuinfo");
    for cpu in 0..4 {
        let dir = format!("/sys/devices/system/cpu/cpu{cpu}");
        tree.remove(&dir);
        for (name, content) in files {
            tree.put(&format!("{dir}/{name}"), content[cpu]);
        }
    }
    tree
}

fn packages(machine: &Machine) -> Vec<Option<u32>> {
    machine.topology.cpus.iter().map(|cpu| cpu.package).collect()
}

#[test]
fn core_numbers_that_start_again_do_not_make_siblings() {
    let tree = four(&[
        ("topology/physical_package_id", ["0"; 4]),
        ("topology/core_id", ["0", "1", "0", "1"]),
        ("topology/thread_siblings", ["1", "2", "4", "8"]),
    ]);
    assert_eq!(inventory(&tree).topology.cores(), 4);
    let unlisted = four(&[
        ("topology/physical_package_id", ["0"; 4]),
        ("topology/core_id", ["0", "1", "0", "1"]),
    ]);
    assert_eq!(inventory(&unlisted).topology.cores(), 2);
}

#[test]
fn packages_without_usable_numbers_are_told_by_their_cpus() {
    let masks = ("topology/core_siblings", ["00000003", "00000003", "0000000c", "0000000c"]);
    for ids in [["-1"; 4], ["0"; 4]] {
        let machine = inventory(&four(&[("topology/physical_package_id", ids), masks]));
        assert_eq!(packages(&machine), [Some(0), Some(0), Some(1), Some(1)]);
    }
    // Numbers that agree with the sets stay, and masks of another machine change nothing.
    let kept = ("topology/physical_package_id", ["3", "3", "7", "7"]);
    let expected = [Some(3), Some(3), Some(7), Some(7)];
    assert_eq!(packages(&inventory(&four(&[kept, masks]))), expected);
    let foreign = ("topology/core_siblings", ["f0", "3", "3", "ff"]);
    assert_eq!(packages(&inventory(&four(&[kept, foreign]))), expected);
}

#[test]
fn clusters_that_old_kernels_call_packages_are_clusters() {
    let ids = ("topology/physical_package_id", ["0", "0", "1", "1"]);
    let capacity = ("cpu_capacity", ["400", "400", "1024", "1024"]);
    let mut tree = four(&[ids, capacity]);
    tree.put("/cpulens/uname", "Linux\n5.4.0\n#1 SMP\naarch64\n");
    let machine = inventory(&tree);
    assert_eq!(machine.topology.sockets(), 1);
    assert_eq!(machine.topology.cpu(3).unwrap().cluster, Some(1));
    tree.put("/sys/devices/system/cpu/cpu1/cpu_capacity", "1024");
    assert_eq!(inventory(&tree).topology.sockets(), 2, "kinds within a package: it is one");
}

#[test]
fn caches_listed_twice_or_with_an_empty_mask_are_one_a_core() {
    let machine = inventory(&four(&[
        ("topology/core_cpus_list", ["0-1", "0-1", "2-3", "2-3"]),
        ("cache/index0/level", ["1"; 4]),
        ("cache/index0/type", ["Data"; 4]),
        ("cache/index0/shared_cpu_map", ["1", "2", "4", "8"]),
        ("cache/index1/level", ["1"; 4]),
        ("cache/index1/type", ["Data"; 4]),
        ("cache/index1/shared_cpu_map", ["1", "2", "4", "8"]),
        ("cache/index2/level", ["2"; 4]),
        ("cache/index2/type", ["Unified"; 4]),
        ("cache/index2/shared_cpu_map", ["00000000"; 4]),
    ]));
    assert_eq!(caches(&machine, 1, CacheKind::Data), 4);
    assert_eq!(caches(&machine, 2, CacheKind::Unified), 2);
}

#[test]
fn a_mainframe_s_shared_caches_have_a_size_and_no_sharers() {
    let mut tree = four(&[]);
    tree.remove("/cpulens/uname");
    tree.put("/proc/cpuinfo", "vendor_id : IBM/S390\nbogomips per cpu: 3033.00\nfeatures : esan3 zarch\ncache0 : level=1 type=Data scope=Private size=128K line_size=256 associativity=8\ncache1 : level=3 type=Unified scope=Shared size=65536K line_size=256 associativity=16\nprocessor 0: version = FF,  identification = 1633E8,  machine = 2964\n");
    let machine = inventory(&tree);
    assert_eq!(machine.text("kernel.arch"), Some("s390x"));
    assert_eq!((caches(&machine, 1, CacheKind::Data), machine.topology.caches.len()), (4, 4));
    assert_eq!(machine.topology.caches[0].bytes, Some(128 << 10));
    assert_eq!(machine.integer("cache.l3.each"), Some(64 << 20));
    assert!(reason(&machine, "cache.l3.instances").contains("not which CPUs"));
    assert!(missing(&machine, "caches.sharing").is_some());
    assert_eq!(machine.number("cpu.bogomips"), Some(3033.0));
}

#[test]
fn sparc_s_caches_are_files_of_each_cpu() {
    let machine = inventory(&four(&[
        ("l1_dcache_size", ["16384"; 4]),
        ("l1_dcache_line_size", ["32"; 4]),
        ("l2_cache_size", ["1048576"; 4]),
        ("topology/thread_siblings_list", ["0-1", "0-1", "2-3", "2-3"]),
    ]));
    assert_eq!(caches(&machine, 1, CacheKind::Data), 2);
    assert_eq!(machine.topology.caches[0].line, Some(32));
    assert_eq!(machine.integer("cache.l2.total"), Some(2 << 20));
}

#[test]
fn lists_that_end_with_a_zero_byte_are_read() {
    let mut tree = m::kunpeng_920().tree();
    tree.put("/sys/devices/system/node/node1/cpulist", "24-47\n\0");
    assert_eq!(inventory(&tree).topology.nodes[1].cpus, "24-47".parse().unwrap());
}

#[test]
fn partitions_of_power_and_s390_have_a_hypervisor() {
    let named = |files: &[(&str, &str)]| {
        let mut tree = four(&[]);
        for (path, content) in files {
            tree.put(path, *content);
        }
        inventory(&tree).text("virtual.hypervisor").map(str::to_string)
    };
    let of = |text: &str| named(&[("/proc/sysinfo", text)]);
    let lpar = "Sequence Code: 00000000000033E8\nLPAR Number: 39\nLPAR Name: R35LP37\n";
    assert_eq!(of(lpar).as_deref(), Some("PR/SM (LPAR)"));
    assert_eq!(
        of(&format!("{lpar}VM00 Control Program: z/VM    6.1.0\n")).as_deref(),
        Some("z/VM 6.1.0")
    );
    assert_eq!(
        of("VM00 Control Program: KVM/Linux\nVM01 Control Program: z/VM\n").as_deref(),
        Some("KVM")
    );
    let power =
        [("/proc/device-tree/ibm,partition-name", "x"), ("/proc/device-tree/hmc-managed?", "")];
    assert_eq!(named(&power).as_deref(), Some("PowerVM (pHyp)"));
    let qemu = ("/proc/device-tree/chosen/qemu,graphic-width", "");
    assert_eq!(named(&[power[0], power[1], qemu]), None);
}

#[test]
fn loongarch_is_not_taken_for_riscv() {
    let mut tree = four(&[]);
    tree.remove("/cpulens/uname");
    let info = "processor : 0\nCPU Family : Loongson-64bit\nModel Name : Loongson-3A5000-HV\nISA : loongarch32 loongarch64\n";
    tree.put("/proc/cpuinfo", info);
    assert_eq!(inventory(&tree).text("kernel.arch"), Some("loongarch64"));
    tree.put("/proc/cpuinfo", "processor : 0\nhart : 1\nisa : rv64imafdcv\n");
    assert_eq!(inventory(&tree).text("kernel.arch"), Some("riscv64"));
}

#[test]
fn hybrid_cores_have_kinds() {
    let machine = inventory(&m::intel_hybrid());
    let t = &machine.topology;
    assert_eq!(t.cores(), 10);
    assert_eq!(t.cpu(11).unwrap().kind.as_deref(), Some("performance"));
    assert_eq!(t.cpu(12).unwrap().kind.as_deref(), Some("efficiency"));
    assert_eq!((t.data_caches(12)[1].bytes, t.data_caches(12)[1].cpus.len()), (Some(2 << 20), 4));
    assert_eq!(machine.flag("cpu.boost"), Some(false));
    assert_eq!(machine.text("cpu.microarchitecture"), Some("Alder Lake"));
}

#[test]
fn a_container_is_as_small_as_its_limits() {
    let machine = inventory(&m::container());
    assert_eq!(machine.topology.usable(), "3".parse().unwrap());
    assert_eq!(machine.topology.cpus.len(), 8);
    assert_eq!(machine.number("limits.cpu_quota"), Some(1.5));
    assert_eq!(machine.integer("limits.memory"), Some(2 << 30));
    assert_eq!(machine.text("virtual.container"), Some("kubernetes"));
    assert!(
        machine.facts.values().all(|fact| !fact.source.contains("5f6e7d")),
        "a container's id is nobody's business"
    );
}

#[test]
fn cgroup_v1_limits_hold_too() {
    let mut tree = m::offline_gaps();
    tree.put("/proc/self/cgroup", "4:memory:/a\n3:cpuset:/a\n2:cpu,cpuacct:/a\n");
    tree.put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us", "250000\n");
    tree.put("/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us", "100000\n");
    tree.put("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
    tree.put("/sys/fs/cgroup/cpuset/a/cpuset.cpus", "8,9\n");
    tree.put("/sys/fs/cgroup/memory/a/memory.limit_in_bytes", "9223372036854771712\n");
    let machine = inventory(&tree);
    assert_eq!(machine.number("limits.cpu_quota"), Some(2.5));
    assert_eq!(machine.text("limits.memory"), Some("unlimited"));
    assert_eq!(machine.topology.usable(), "8-9".parse().unwrap());
}

#[test]
fn gaps_and_offline_cpus_stay_gaps_and_offline() {
    let machine = inventory(&m::offline_gaps());
    let t = &machine.topology;
    assert_eq!(t.cpus.iter().map(|c| c.id).collect::<Vec<_>>(), [0, 1, 2, 3, 8, 9, 10, 11]);
    assert_eq!(t.online(), "0,2,8-10".parse().unwrap());
    assert_eq!(t.usable(), t.online());
    assert_eq!((t.cpu(1).unwrap().node, t.cpu(8).unwrap().node), (None, Some(0)));
}

#[test]
fn nodes_without_cpus_or_memory_are_nodes() {
    let machine = inventory(&m::memory_only_node());
    let nodes = &machine.topology.nodes;
    assert_eq!(nodes.iter().map(|n| n.id).collect::<Vec<_>>(), [0, 1, 2, 5]);
    assert!(nodes[2].cpus.is_empty() && nodes[2].bytes == Some(128 << 30));
    assert_eq!(nodes[3].bytes, Some(0));
    assert_eq!(nodes[2].distances, [14, 24, 10, 26]);
}

#[test]
fn nodes_that_claim_the_same_cpu_are_told() {
    let mut tree = m::memory_only_node();
    assert_eq!(missing(&inventory(&tree), "nodes.cpus"), None);
    tree.put("/sys/devices/system/node/node1/cpulist", "3-7\n");
    let machine = inventory(&tree);
    assert_eq!(machine.topology.cpu(3).unwrap().node, Some(0));
    assert!(missing(&machine, "nodes.cpus").unwrap().contains("CPU 3"));
}

#[test]
fn proc_alone_gives_cores_and_says_what_is_missing() {
    let machine = inventory(&m::no_sys());
    let t = &machine.topology;
    assert_eq!((t.cpus.len(), t.sockets(), t.cores()), (104, 2, 52));
    assert_eq!(t.nodes.len(), 1);
    assert_eq!(t.nodes[0].bytes, Some(384 << 30));
    assert!(missing(&machine, "nodes").is_some() && missing(&machine, "caches").is_some());
    assert!(matches!(machine.facts["memory.thp.enabled"].known, Known::Unknown(_)));
}

#[test]
fn cpuid_stands_in_for_missing_cache_directories() {
    let mut tree = m::no_sys();
    tree.put("/cpulens/cpuid", "0 0 16 756e6547 6c65746e 49656e69\n1 0 50657 0 7ffefbff bfebfbff\n4 0 1c004121 1c0003f 3f 0\n4 1 1c004122 1c0003f 3f 0\n4 2 1c004143 3c0003f 3ff 0\n4 3 1c0fc163 280003f cfff 0\n4 4 0 0 0 0\n");
    let machine = inventory(&tree);
    assert_eq!(caches(&machine, 1, CacheKind::Data), 52);
    assert_eq!(caches(&machine, 3, CacheKind::Unified), 2);
    assert_eq!(machine.topology.last_level_bytes(0), Some(36608 << 10));
    assert!(missing(&machine, "caches.sharing").is_some());
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
    assert_eq!(hygon.number("cpu.clock.max"), Some(2.5e9));
    assert_eq!(of("phytium-ft2500-numa-off").text("cpu.model"), Some("FT2500"));
    assert!(missing(&of("intel-e5-2682v4"), "nodes.distances").is_some(), "was not printed");
    assert_eq!(of("amd-epyc-7h12-guest").text("virtual.hypervisor"), Some("KVM"));
    let off = of("intel-8269cy-numa-off");
    assert!(reason(&off, "cache.partition").contains("can part its caches"));
    assert_eq!(
        (off.number("cpu.bogomips"), off.text("cpu.level")),
        (Some(5000.0), Some("x86-64-v4"))
    );
    assert_eq!(of("intel-8269cy").number("cpu.clock.max"), Some(3.8e9));
    let kunpeng = of("kunpeng-920");
    assert_eq!(kunpeng.topology.nodes[0].bytes, Some(192_832 << 20));
    assert_eq!(kunpeng.topology.nodes[3].distances, [22, 24, 12, 10]);
    let phytium = of("phytium-ft2500");
    assert_eq!(phytium.facts["cpu.model"].source, "/sys/firmware/dmi/tables/DMI");
    assert_eq!(phytium.number("firmware.cpu.clock.external"), Some(50e6));
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
        Known::Value(record::Value::List(ref sizes)) if sizes.len() == 2
    ));
    assert_eq!(hybrid.integer("cache.l2.total"), Some((6 * 1280 + 2048) << 10));
}

#[test]
fn idle_throttling_and_power_limits_are_read() {
    let mut tree = m::intel_8269cy().tree();
    for (id, name, latency, off) in [(0, "POLL", 0, 0), (1, "C1", 2, 0), (2, "C6", 133, 1)] {
        let dir = format!("/sys/devices/system/cpu/cpu0/cpuidle/state{id}");
        tree.put(&format!("{dir}/name"), name);
        tree.put(&format!("{dir}/latency"), latency.to_string());
        tree.put(&format!("{dir}/disable"), off.to_string());
    }
    // CPU 52 is CPU 0's sibling, CPU 26 the other package.
    for (cpu, core, package) in [(0, 3, 7), (52, 3, 7), (26, 2, 5)] {
        let dir = format!("/sys/devices/system/cpu/cpu{cpu}/thermal_throttle");
        tree.put(&format!("{dir}/core_throttle_count"), core.to_string());
        tree.put(&format!("{dir}/package_throttle_count"), package.to_string());
    }
    let zone = "/sys/class/powercap/intel-rapl:0";
    tree.put(&format!("{zone}/name"), "package-0");
    tree.put(&format!("{zone}/constraint_0_name"), "long_term");
    tree.put(&format!("{zone}/constraint_0_power_limit_uw"), "205000000");
    tree.deny(&format!("{zone}/energy_uj"));
    let machine = inventory(&tree);
    let Known::Value(states) = &machine.facts["cpu.idle.states"].known else { panic!() };
    assert!(states.to_string().contains("C6 133 us (disabled)"), "{states}");
    assert_eq!(machine.number("cpu.idle.latency"), Some(2e-6));
    assert_eq!(machine.number("cpu.idle.disabled"), Some(1.0));
    assert_eq!(machine.number("cpu.throttle.core"), Some(5.0));
    assert_eq!(machine.number("cpu.throttle.package"), Some(12.0));
    assert_eq!(machine.number("power.limit.package-0.long_term"), Some(205.0));
    assert!(reason(&machine, "power.energy").contains("run as root"));
}

fn reason(machine: &Machine, fact: &str) -> String {
    match &machine.facts[fact].known {
        Known::Unknown(reason) => reason.to_string(),
        Known::Value(value) => panic!("{fact} is known: {value}"),
    }
}

#[test]
fn shares_of_caches_are_read_or_said_to_be_hidden() {
    let mut tree = m::intel_8269cy().tree();
    assert_eq!(inventory(&tree).text("cache.partition"), Some("not supported"));
    tree.put("/proc/cpuinfo", "processor : 0\nflags : lm cat_l3 mba\n");
    assert!(reason(&inventory(&tree), "cache.partition").contains("mount -t resctrl"));
    tree.put("/sys/fs/resctrl/schemata", "    MB:0=100;1=100\n    L3:0=00f;1=7ff\n");
    tree.put("/sys/fs/resctrl/info/L3/cbm_mask", "7ff\n");
    let machine = inventory(&tree);
    assert_eq!(machine.text("cache.partition.schemata"), Some("MB:0=100;1=100 L3:0=00f;1=7ff"));
    assert_eq!(machine.number("cache.partition.l3.ways"), Some(11.0));
}

#[test]
fn every_kind_of_core_has_its_idle_states_and_preference() {
    let mut tree = m::intel_hybrid();
    for (cpu, name, us) in [(0, "C10", 230), (12, "C8", 253)] {
        let dir = format!("/sys/devices/system/cpu/cpu{cpu}");
        tree.put(&format!("{dir}/cpuidle/state0/name"), name);
        tree.put(&format!("{dir}/cpuidle/state0/latency"), us.to_string());
    }
    for cpu in 0..16 {
        let word = if cpu < 12 { "performance" } else { "power" };
        let dir = format!("/sys/devices/system/cpu/cpu{cpu}/cpufreq");
        tree.put(&format!("{dir}/energy_performance_preference"), word);
    }
    let machine = inventory(&tree);
    let states = |name: &str| machine.facts[name].known.clone();
    assert!(format!("{:?}", states("cpu.idle.states")).contains("C10 230 us"));
    assert!(format!("{:?}", states("cpu.idle.states.efficiency")).contains("C8 253 us"));
    assert_eq!(machine.number("cpu.idle.latency.efficiency"), Some(253e-6));
    assert_eq!(machine.text("cpu.epp"), Some("performance on 0-11; power on 12-15"));
}

#[test]
fn temperatures_that_limit_are_the_lowest_that_are_sane() {
    let mut tree = m::intel_8269cy().tree();
    let zone = "/sys/class/thermal/thermal_zone";
    for (path, content) in [
        ("0/type", "acpitz"),
        ("0/trip_point_0_type", "critical"),
        ("0/trip_point_0_temp", "60000"),
        ("1/type", "x86_pkg_temp"),
        ("1/trip_point_0_type", "passive"),
        ("1/trip_point_0_temp", "0"),
        ("1/trip_point_1_type", "critical"),
        ("1/trip_point_1_temp", "105000"),
    ] {
        tree.put(&format!("{zone}{path}"), content);
    }
    for (file, content) in [("name", "coretemp"), ("temp1_max", "89000"), ("temp1_crit", "99000")] {
        tree.put(&format!("/sys/class/hwmon/hwmon3/{file}"), content);
    }
    let machine = inventory(&tree);
    assert_eq!(machine.number("power.temperature.throttle"), Some(89.0));
    assert_eq!(machine.number("power.temperature.critical"), Some(99.0));
}

#[test]
fn what_firmware_states_of_memory_is_read() {
    let mut tree = m::memory_only_node();
    let dir = "/sys/devices/system/node/node2";
    tree.put(&format!("{dir}/access0/initiators/read_bandwidth"), "30000\n");
    tree.put(&format!("{dir}/access0/initiators/write_bandwidth"), "0\n");
    tree.put("/sys/devices/system/node/node1/meminfo", "Node 1 MemTotal: 0 kB\n");
    tree.put("/proc/self/cgroup", "0::/job\n");
    tree.put("/sys/fs/cgroup/job/cpuset.mems.effective", "0,2\n");
    let machine = inventory(&tree);
    assert_eq!(machine.text("memory.node.2.near"), Some("0"));
    assert!((machine.number("memory.node.2.read_latency").unwrap() - 245e-9).abs() < 1e-15);
    assert_eq!(machine.number("memory.node.2.read_bandwidth"), Some(30_000.0 * 1_048_576.0));
    assert_eq!(machine.number("memory.node.2.write_bandwidth"), None);
    assert_eq!(machine.text("memory.nodes.without_memory"), Some("1"));
    assert_eq!(machine.text("limits.nodes"), Some("0,2"));
    assert_eq!(inventory(&m::container()).text("limits.nodes"), Some("unlimited"));
}

#[test]
fn far_memory_is_told_from_a_socket_s_own() {
    let mut tree = m::memory_only_node();
    tree.put("/sys/bus/dax/devices/dax0.0/target_node", "2\n");
    tree.put("/sys/bus/cxl/devices/mem0/ram/size", "0x2000000000\n");
    tree.put("/sys/devices/virtual/memory_tiering/memory_tier4/nodelist", "0-1\n");
    tree.put("/sys/devices/virtual/memory_tiering/memory_tier22/nodelist", "2\n");
    let machine = inventory(&tree);
    assert_eq!(machine.text("memory.nodes.without_cpus"), Some("2"));
    assert_eq!(machine.text("memory.nodes.dax"), Some("2"));
    assert_eq!(machine.integer("memory.cxl.bytes"), Some(128 << 30));
    assert_eq!(machine.text("memory.tiers"), Some("4: nodes 0,1; 22: nodes 2"));
    assert_eq!(inventory(&m::offline_gaps()).text("memory.nodes.without_cpus"), None);
}

#[test]
fn kernel_settings_that_cost_time_are_read() {
    let mut tree = m::kunpeng_920().tree();
    let config = "CONFIG_HZ=100\n# CONFIG_SLAB_FREELIST_RANDOM is not set\nCONFIG_HARDENED_USERCOPY=y\n# CONFIG_ARM64_E0PD is not set\n# CONFIG_SECRET is not set\n";
    tree.put("/proc/config.gz", config);
    tree.put("/sys/devices/system/cpu/vulnerabilities/meltdown", "Mitigation: PTI\n");
    tree.put("/sys/devices/system/cpu/nohz_full", "2-5\n");
    tree.put("/proc/irq/default_smp_affinity", "ffffffff,ffffffff,ffffffff\n");
    tree.deny("/sys/kernel/debug/fault_around_bytes");
    let machine = inventory(&tree);
    assert_eq!(machine.flag("kernel.config.slab_freelist_random"), Some(false));
    assert_eq!(machine.flag("kernel.config.hardened_usercopy"), Some(true));
    assert!(!machine.facts.contains_key("kernel.config.secret"));
    assert_eq!(
        (machine.flag("kernel.kpti"), machine.flag("kernel.e0pd")),
        (Some(true), Some(false))
    );
    assert_eq!(machine.text("cpu.nohz_full"), Some("2-5"));
    assert_eq!(machine.text("cpu.isolated"), Some("none"));
    assert_eq!(machine.text("interrupts.affinity"), Some("0-95"));
    assert!(reason(&machine, "memory.fault_around").contains("run as root"));
    tree.remove("/proc/config.gz");
    assert!(reason(&inventory(&tree), "kernel.e0pd").contains("dmesg"));
}

#[test]
fn irqbalance_is_seen_by_what_it_keeps_in_run() {
    let mut tree = m::intel_8269cy().tree();
    // A tree without this table was not taken by looking at /run either.
    assert!(reason(&inventory(&tree), "interrupts.irqbalance").contains("/run"));
    tree.put("/proc/interrupts", "  CPU0 CPU1\n 24: 100 300 PCI-MSI eth0\nLOC: 5 6 timer\n");
    let without = inventory(&tree);
    assert_eq!(without.flag("interrupts.irqbalance"), Some(false));
    assert_eq!(without.number("interrupts.total"), Some(411.0));
    let Known::Value(device) = &without.facts["interrupts.device"].known else { panic!() };
    assert_eq!(*device, record::Value::List(vec![100u64.into(), 300u64.into()]));
    let boxed = inventory(&m::container());
    assert!(reason(&boxed, "interrupts.irqbalance").contains("outside of this container"));
    tree.put("/run/irqbalance.pid", "812\n");
    assert_eq!(inventory(&tree).flag("interrupts.irqbalance"), Some(true));
}

#[test]
fn nothing_at_all_is_still_a_machine() {
    let machine = inventory(&Tree::default());
    assert!(machine.topology.cpus.is_empty() && missing(&machine, "cpus").is_some());
    assert!(machine.facts.values().all(|fact| fact.source.len() > 1));
    assert_eq!(machine.number("memory.total"), None);
}

/// What measuring, rules and pages look for; each is there on every machine, known or with its reason.
#[test]
fn required_facts_are_always_there() {
    const REQUIRED: &[&str] = &[
        "cpu.model",
        "cpu.vendor",
        "cpu.microarchitecture",
        "cpu.smt",
        "cpu.clock.base",
        "cpu.clock.max",
        "cpu.clock.min",
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
                Known::Value(record::Value::Number(_) | record::Value::Integer(_))
            );
            assert!(!number || value.unit.is_some(), "{name}: {fact} has no unit");
        }
    }
}

/// A container's filter and an enforcing SELinux cost every system call; machines that say nothing have no such facts.
#[test]
fn what_checks_system_calls_is_known_where_it_is_said() {
    let tree = m::hygon_7280().tree();
    let silent = inventory(&tree);
    assert_eq!((silent.text("kernel.seccomp"), silent.text("kernel.selinux")), (None, None));
    for (seccomp, enforce, expected) in [
        ("2", "1", (Some("filter"), Some("enforcing"))),
        ("0", "0", (Some("none"), Some("permissive"))),
        ("9", "0", (None, Some("permissive"))),
    ] {
        let status = format!("Name:\tcpulens\nSeccomp:\t{seccomp}\nSeccomp_filters:\t1\n");
        let mut tree = m::hygon_7280().tree();
        tree.put("/proc/self/status", status);
        tree.put("/sys/fs/selinux/enforce", enforce);
        let machine = inventory(&tree);
        assert_eq!((machine.text("kernel.seccomp"), machine.text("kernel.selinux")), expected);
    }
}
