//! Devices, tiers and tuning of a synthetic server.
use crate::m;
use inventory::inventory;
use record::{DeviceKind, Link, Queues};

#[test]
fn devices_have_their_node_link_interrupts_and_queues() {
    let machine = inventory(&m::devices::server());
    let devices = &machine.topology.devices;
    let kinds: Vec<DeviceKind> = devices.iter().map(|d| d.kind).collect();
    // Neither bridges nor the virtual function nor the console's graphics.
    assert_eq!(kinds, [DeviceKind::Gpu, DeviceKind::Network, DeviceKind::Nvme]);
    let [gpu, nic, nvme] = &devices[..] else { panic!("{devices:?}") };
    assert_eq!((gpu.node, nic.node, nvme.node), (None, Some(1), Some(1)));
    let giga = |transfers: f64, lanes| Some(Link { transfers: transfers * 1e9, lanes });
    assert_eq!(
        (nic.link, nic.link_of_device, nic.link_of_port),
        (giga(8.0, 8), giga(16.0, 16), giga(16.0, 8))
    );
    assert_eq!((nvme.link, nvme.link_of_port), (giga(8.0, 4), giga(8.0, 4)));
    assert_eq!(nic.interrupts, "40-41".parse().unwrap());
    assert_eq!(nic.interrupt_cpus, "0-1".parse().unwrap());
    assert_eq!(nvme.interrupt_cpus, "5".parse().unwrap());
    let queues = Queues {
        receive: 2,
        transmit: 1,
        receive_steering: "2-3".parse().unwrap(),
        transmit_steering: "0".parse().unwrap(),
    };
    assert_eq!(nic.queues, Some(queues));
    assert_eq!(
        (&nic.names[..], &nvme.names[..]),
        (&["enp129s0f0np0".into()][..], &["nvme0".into()][..])
    );
    assert_eq!((nic.driver.as_deref(), nic.virtual_functions), (Some("mlx5_core"), Some(2)));
    assert_eq!(nvme.model, "SAMSUNG MZQL21T9HCJR-00A07");
    assert_eq!(gpu.model, "NVIDIA 10de:2330");
    assert_eq!(machine.text("devices.iommu"), Some("DMA-FQ, identity"));
}

#[test]
fn tiers_errors_and_settings_are_read() {
    let machine = inventory(&m::devices::server());
    for (fact, text) in [
        ("memory.node.2.kind", "CXL"),
        ("memory.node.0.side_cache.indexing", "direct"),
        ("kernel.sched_ext", "enabled"),
        ("kernel.sched_ext.ops", "lavd"),
        ("memory.damon", "kdamond 0"),
        ("os.tuned", "throughput-performance own"),
    ] {
        assert_eq!(machine.text(fact), Some(text), "{fact}");
    }
    for (fact, number) in [
        ("memory.node.0.side_cache", 68_719_476_736.0),
        ("memory.errors.corrected", 7.0),
        ("memory.errors.uncorrected", 0.0),
        ("cpu.uncore.max", 2.5e9),
        ("cpu.uncore.current", 8e8),
    ] {
        assert_eq!(machine.number(fact), Some(number), "{fact}");
    }
    let errors = machine.value("memory.errors.modules").unwrap().to_string();
    assert!(errors.contains("Chan#0_DIMM#0: 7 corrected"), "{errors}");
    for fact in ["memory.ksm", "memory.zswap", "kernel.cache_aware"] {
        assert_eq!(machine.flag(fact), Some(true), "{fact}");
    }
    // What is not there is no fact: none is not zero.
    let bare = inventory(&m::memory_only_node());
    assert!(bare.topology.devices.is_empty());
    assert!(
        !bare.facts.keys().any(|name| name.starts_with("memory.errors") || name.contains("uncore"))
    );
}

#[test]
fn cxl_memory_has_the_name_of_its_device() {
    let mut tree = m::memory_only_node();
    let dir = "/sys/bus/pci/devices/0000:61:00.0";
    for (file, text) in [
        ("class", "0x050210"),
        ("vendor", "0x8086"),
        ("device", "0x0d93"),
        ("numa_node", "1"),
        ("mem3/ram/size", "0x0"),
    ] {
        tree.put(&format!("{dir}/{file}"), format!("{text}\n"));
    }
    let devices = inventory(&tree).topology.devices;
    assert_eq!((devices[0].kind, devices[0].node), (DeviceKind::Cxl, Some(1)));
    assert_eq!(devices[0].names, ["mem3"]);
}

#[test]
fn memory_of_gpus_and_stated_bandwidth_tell_a_nodes_kind() {
    let mut tree = m::memory_only_node();
    tree.put("/proc/driver/nvidia/gpus/0009:01:00.0/numa_status", "Node:\t\t2\nStatus: online\n");
    assert_eq!(inventory(&tree).text("memory.node.2.kind"), Some("GPU"));
    let mut tree = m::memory_only_node();
    for (node, mib) in [(0, 200_000), (2, 600_000)] {
        let dir = format!("/sys/devices/system/node/node{node}/access0/initiators");
        tree.put(&format!("{dir}/node0/cpulist"), "0-3\n");
        tree.put(&format!("{dir}/read_bandwidth"), format!("{mib}\n"));
    }
    assert_eq!(inventory(&tree).text("memory.node.2.kind"), Some("high bandwidth"));
}

/// Thousands of functions, interrupts and queues, and words that are no numbers.
#[test]
fn absurd_buses_are_bounded() {
    let mut tree = m::memory_only_node();
    let bus = "/sys/bus/pci/devices";
    for at in 0..1000 {
        let dir = format!("{bus}/{at:04x}:00:00.0");
        for (file, text) in [
            ("class", "0x020000"),
            ("vendor", "0x8086"),
            ("device", "0x1"),
            ("numa_node", "4294967295"),
            ("current_link_speed", "NaN GT/s"),
            ("current_link_width", "255"),
            ("msi_irqs/65535", "msix"),
            ("msi_irqs/65536", "msix"),
            ("net/eth0/queues/rx-0/rps_cpus", "zz"),
            ("uevent", "DRIVER=\u{202e}\u{7}x\n"),
        ] {
            tree.put(&format!("{dir}/{file}"), text);
        }
    }
    for odd in ["x", "0000:00:00.00", "é000:00:00.0", "0000:00:00.0\n"] {
        tree.put(&format!("{bus}/{odd}/class"), "0x020000");
    }
    let devices = inventory(&tree).topology.devices;
    assert_eq!(devices.len(), 256);
    assert!(devices.iter().all(|d| d.link.is_none() && d.node.is_none()));
    assert!(devices.iter().all(|d| d.interrupts.len() == 1 && d.driver.as_deref() == Some("x")));
}

/// The table's structures, each in a file of its own.
#[test]
fn the_entries_of_the_table_are_as_good_as_the_table() {
    const TABLE: &str = "/sys/firmware/dmi/tables/DMI";
    let mut tree = m::intel_8269cy().tree();
    let whole = inventory(&tree).topology.dimms;
    let table = tree.files().find(|(path, _)| *path == TABLE).unwrap().1.to_vec();
    tree.remove(TABLE);
    let mut rest = &table[..];
    let mut seen = [0u32; 256];
    while let [kind, length, ..] = rest {
        let strings = &rest[usize::from(*length)..];
        let end = strings.windows(2).position(|pair| pair == [0, 0]).unwrap() + 2;
        let (one, others) = rest.split_at(usize::from(*length) + end);
        let at = &mut seen[usize::from(*kind)];
        tree.put(&format!("/sys/firmware/dmi/entries/{kind}-{at}/raw"), one);
        (rest, *at) = (others, *at + 1);
    }
    assert!(!whole.is_empty());
    assert_eq!(inventory(&tree).topology.dimms, whole);
    // Neither is there, and yet the kernel read one.
    tree.remove("/sys/firmware/dmi");
    tree.put("/sys/class/dmi/id/sys_vendor", "Example\n");
    let missing = inventory(&tree).topology.missing;
    let why = missing.iter().find(|(part, _)| part == "dimms").unwrap().1.to_string();
    assert!(why.contains("though the machine has"), "{why}");
}
