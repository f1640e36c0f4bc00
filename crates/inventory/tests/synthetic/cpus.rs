//! CPUs, caches and nodes of synthetic machines: odd numbers, gaps, and kernels that list them in their own ways.
use crate::machines::Tree;
use crate::{caches, m, missing, reason};
use inventory::inventory;
use record::{CacheKind, Machine};

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
fn packages_without_usable_numbers_are_known_by_their_cpus() {
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
fn nodes_that_claim_the_same_cpu_are_reported() {
    let mut tree = m::memory_only_node();
    assert_eq!(missing(&inventory(&tree), "nodes.cpus"), None);
    tree.put("/sys/devices/system/node/node1/cpulist", "3-7\n");
    let machine = inventory(&tree);
    assert_eq!(machine.topology.cpu(3).unwrap().node, Some(0));
    assert!(missing(&machine, "nodes.cpus").unwrap().contains("CPU 3"));
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
