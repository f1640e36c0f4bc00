//! A server with devices: two sockets, a CXL window, a memory-side cache, and settings of every kind that tuning.rs reads.
use super::Tree;

const BUS: &str = "/sys/bus/pci/devices";

/// A device's files.
fn put(tree: &mut Tree, address: &str, files: &[(&str, &str)]) {
    for (file, content) in files {
        tree.put(&format!("{BUS}/{address}/{file}"), format!("{content}\n"));
    }
}

fn link(tree: &mut Tree, address: &str, now: Option<(&str, &str)>, most: (&str, &str)) {
    let all = [("current", now), ("max", Some(most))];
    for (which, (speed, width)) in all.into_iter().filter_map(|(which, link)| Some((which, link?)))
    {
        put(
            tree,
            address,
            &[(&format!("{which}_link_speed"), speed), (&format!("{which}_link_width"), width)],
        );
    }
}

/// Node 1 has the NIC and a port that limits the NVMe drive; the GPU has no node.
pub(crate) fn server() -> Tree {
    let mut tree = super::memory_only_node();
    let t = &mut tree;
    put(t, "0000:80:01.0", &[("class", "0x060400"), ("secondary_bus_number", "129")]);
    link(t, "0000:80:01.0", None, ("16.0 GT/s PCIe", "8"));
    put(t, "0000:80:02.0", &[("class", "0x060400"), ("secondary_bus_number", "130")]);
    link(t, "0000:80:02.0", None, ("8.0 GT/s PCIe", "4"));
    put(
        t,
        "0000:81:00.0",
        &[
            ("class", "0x020000"),
            ("vendor", "0x15b3"),
            ("device", "0x1019"),
            ("numa_node", "1"),
            ("uevent", "DRIVER=mlx5_core\nPCI_ID=15B3:1019"),
            ("iommu_group/type", "DMA-FQ"),
            ("sriov_numvfs", "2"),
            ("msi_irqs/40", "msix"),
            ("msi_irqs/41", "msix"),
            ("net/enp129s0f0np0/queues/rx-0/rps_cpus", "00"),
            ("net/enp129s0f0np0/queues/rx-1/rps_cpus", "0c"),
            ("net/enp129s0f0np0/queues/tx-0/xps_cpus", "01"),
            ("net/enx001122334455/queues/rx-0/rps_cpus", "00"),
        ],
    );
    link(t, "0000:81:00.0", Some(("8.0 GT/s PCIe", "8")), ("16.0 GT/s PCIe", "16"));
    put(
        t,
        "0000:81:00.1",
        &[
            ("class", "0x020000"),
            ("vendor", "0x15b3"),
            ("device", "0x101a"),
            ("physfn/class", "0x020000"),
        ],
    );
    put(
        t,
        "0000:82:00.0",
        &[
            ("class", "0x010802"),
            ("vendor", "0x144d"),
            ("device", "0xa80a"),
            ("numa_node", "1"),
            ("irq", "33"),
            ("nvme/nvme0/model", "SAMSUNG MZQL21T9HCJR-00A07"),
            ("nvme/nvme0/serial", "SECRET"),
        ],
    );
    link(t, "0000:82:00.0", Some(("8.0 GT/s PCIe", "4")), ("16.0 GT/s PCIe", "4"));
    put(
        t,
        "0000:03:00.0",
        &[
            ("class", "0x030200"),
            ("vendor", "0x10de"),
            ("device", "0x2330"),
            ("numa_node", "-1"),
            ("iommu_group/type", "identity"),
        ],
    );
    link(t, "0000:03:00.0", Some(("2.5 GT/s PCIe", "16")), ("32.0 GT/s PCIe", "16"));
    put(t, "0000:04:00.0", &[("class", "0x030000"), ("vendor", "0x1a03"), ("device", "0x2000")]);
    t.put("/proc/interrupts", "      CPU0 CPU1 CPU2 CPU3 CPU4 CPU5 CPU6 CPU7\n33: 1 0 0 0 0 0 0 0 x\n40: 1 0 0 0 0 0 0 0 x\n41: 1 0 0 0 0 0 0 0 x\n");
    for (irq, may, does) in [(33, "0-7", "5"), (40, "0-7", "0"), (41, "0-7", "1")] {
        t.put(&format!("/proc/irq/{irq}/smp_affinity_list"), format!("{may}\n"));
        t.put(&format!("/proc/irq/{irq}/effective_affinity_list"), format!("{does}\n"));
    }
    t.put("/sys/bus/cxl/devices/region0/dax_region0/dax0.0/target_node", "2\n");
    let cache = "/sys/devices/system/node/node0/memory_side_cache/index1";
    for (file, text) in [("size", "68719476736"), ("indexing", "0")] {
        t.put(&format!("{cache}/{file}"), format!("{text}\n"));
    }
    let mc = "/sys/devices/system/edac/mc/mc0";
    for (file, text) in [
        ("ce_count", "7"),
        ("ue_count", "0"),
        ("dimm0/dimm_label", "CPU_SrcID#0_MC#0_Chan#0_DIMM#0"),
        ("dimm0/dimm_ce_count", "7"),
        ("dimm1/dimm_ce_count", "0"),
    ] {
        t.put(&format!("{mc}/{file}"), format!("{text}\n"));
    }
    let uncore = "/sys/devices/system/cpu/intel_uncore_frequency";
    for (die, now) in [("package_00_die_00", 1_500_000), ("package_01_die_00", 800_000)] {
        for (file, khz) in [("min", 800_000), ("max", 2_500_000), ("current", now)] {
            t.put(&format!("{uncore}/{die}/{file}_freq_khz"), format!("{khz}\n"));
        }
    }
    for (path, text) in [
        ("/sys/kernel/sched_ext/state", "enabled"),
        ("/sys/kernel/sched_ext/root/ops", "lavd"),
        ("/sys/kernel/debug/sched/llc_balancing/enabled", "1"),
        ("/sys/kernel/mm/ksm/run", "1"),
        ("/sys/module/zswap/parameters/enabled", "Y"),
        ("/sys/kernel/mm/damon/admin/kdamonds/nr_kdamonds", "1"),
        ("/sys/kernel/mm/damon/admin/kdamonds/0/state", "on"),
        ("/etc/tuned/active_profile", "throughput-performance SECRET"),
    ] {
        t.put(path, format!("{text}\n"));
    }
    tree
}
