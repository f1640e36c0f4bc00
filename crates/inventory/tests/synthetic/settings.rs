//! Limits, power and the kernel's settings of synthetic machines.
use crate::machines::Tree;
use crate::{m, reason};
use inventory::inventory;
use record::FactValue;

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
    let FactValue::Value(states) = &machine.facts["cpu.idle.states"].known else { panic!() };
    assert!(states.to_string().contains("C6 133 us (disabled)"), "{states}");
    assert_eq!(machine.number("cpu.idle.latency"), Some(2e-6));
    assert_eq!(machine.number("cpu.idle.disabled"), Some(1.0));
    assert_eq!(machine.number("cpu.throttle.core"), Some(5.0));
    assert_eq!(machine.number("cpu.throttle.package"), Some(12.0));
    assert_eq!(machine.number("power.limit.package-0.long_term"), Some(205.0));
    assert!(reason(&machine, "power.energy").contains("run as root"));
}

#[test]
fn the_marker_of_boost_is_no_frequency() {
    let dir = "/sys/devices/system/cpu/cpu0/cpufreq";
    let mut tree = m::offline_gaps();
    tree.put(
        "/proc/cpuinfo",
        "processor : 0\nvendor_id : GenuineIntel\ncpu family : 6\nmodel : 45\n",
    );
    tree.put(&format!("{dir}/cpuinfo_max_freq"), "2701000\n");
    tree.put(&format!("{dir}/scaling_driver"), "acpi-cpufreq\n");
    let without_list = inventory(&tree);
    tree.put(&format!("{dir}/scaling_available_frequencies"), "2701000 2700000 2600000 1200000 \n");
    for machine in [without_list, inventory(&tree)] {
        assert!(reason(&machine, "cpu.frequency.max").contains("boost above 2700 MHz"));
        assert_eq!(machine.number("cpu.frequency.base"), Some(2.7e9));
        assert_eq!(machine.topology.cpus[0].max_hz, None);
    }
    // The highest of states that are as far apart as usual is a frequency.
    tree.put(&format!("{dir}/scaling_available_frequencies"), "2701000 2601000 \n");
    assert_eq!(inventory(&tree).number("cpu.frequency.max"), Some(2.701e9));
    tree.put(&format!("{dir}/scaling_driver"), "intel_pstate\n");
    assert_eq!(inventory(&tree).number("cpu.frequency.max"), Some(2.701e9));
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
fn far_memory_is_distinguished_from_a_socket_s_own() {
    let mut tree = m::memory_only_node();
    tree.put("/sys/bus/dax/devices/dax0.0/target_node", "2\n");
    tree.put("/sys/bus/cxl/devices/mem0/ram/size", "0x2000000000\n");
    tree.put("/sys/bus/cxl/devices/mem1/ram/size", "0x0\n");
    tree.put("/sys/bus/cxl/devices/mem1/pmem/size", "0x10000000\n");
    tree.put("/sys/devices/virtual/memory_tiering/memory_tier4/nodelist", "0-1\n");
    tree.put("/sys/devices/virtual/memory_tiering/memory_tier22/nodelist", "2\n");
    let machine = inventory(&tree);
    assert_eq!(machine.text("memory.nodes.without_cpus"), Some("2"));
    assert_eq!(machine.text("memory.nodes.dax"), Some("2"));
    assert_eq!(machine.integer("memory.cxl.devices"), Some(2));
    assert_eq!(machine.integer("memory.cxl.bytes"), Some(128 << 30));
    assert_eq!(machine.integer("memory.cxl.persistent"), Some(256 << 20));
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
    let FactValue::Value(device) = &without.facts["interrupts.device"].known else { panic!() };
    assert_eq!(*device, record::Value::List(vec![100u64.into(), 300u64.into()]));
    let boxed = inventory(&m::container());
    assert!(reason(&boxed, "interrupts.irqbalance").contains("outside of this container"));
    tree.put("/run/irqbalance.pid", "812\n");
    assert_eq!(inventory(&tree).flag("interrupts.irqbalance"), Some(true));
}

/// Interrupts of one route are listed together; what no line of the table is about, and what goes nowhere, is left out.
#[test]
fn interrupts_are_followed_to_their_cpus() {
    let mut tree = m::intel_8269cy().tree();
    let routes = |tree: &Tree| match &inventory(tree).facts.get("interrupts.routes")?.known {
        FactValue::Value(record::Value::List(all)) => {
            Some(all.iter().map(|v| v.text().unwrap().to_owned()).collect::<Vec<_>>())
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(routes(&tree), None, "nothing is said where /proc/irq is missing");
    tree.put(
        "/proc/interrupts",
        "  CPU0 CPU1\n 1: 0 0 IO-APIC\n 24: 1 3 PCI-MSI\n 25: 1 3 PCI-MSI\n 26: 1 3 PCI-MSI\n\
         27: 7 7 GICv3 arch_timer\nLOC: 5 6 timer\n",
    );
    for (irq, may, does) in [
        (1, "", ""),
        (24, "0-1", "1"),
        (25, "0", "0"),
        (26, "0-1", "1"),
        (27, "0", "0"),
        (99, "0", "0"),
    ] {
        tree.put(&format!("/proc/irq/{irq}/smp_affinity_list"), format!("{may}\n").as_str());
        tree.put(&format!("/proc/irq/{irq}/effective_affinity_list"), format!("{does}\n").as_str());
    }
    assert_eq!(routes(&tree).unwrap(), ["24,26 0,1 1", "25 0 0"]);
    // Before Linux 4.15, and where the controller does not pick.
    tree.remove("/proc/irq/26/effective_affinity_list");
    assert_eq!(routes(&tree).unwrap(), ["24 0,1 1", "25 0 0", "26 0,1 -"]);
    tree.deny("/proc/irq/24/smp_affinity_list");
    assert_eq!(routes(&tree).unwrap(), ["25 0 0", "26 0,1 -"]);
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

/// The parent of a program can have taken huge pages away from it; kernels before 5.0 do not tell.
#[test]
fn huge_pages_of_this_process_are_known_where_the_kernel_tells() {
    let setting = |status: Option<&str>| {
        let mut tree = m::hygon_7280().tree();
        tree.put("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never\n");
        if let Some(status) = status {
            tree.put("/proc/self/status", status);
        }
        let machine = inventory(&tree);
        assert_eq!(machine.text("memory.thp.enabled"), Some("always"));
        machine.text("memory.thp.process").map(str::to_owned)
    };
    assert_eq!(setting(Some("Name:\tx\nTHP_enabled:\t0\n")).as_deref(), Some("disabled"));
    assert_eq!(setting(Some("Name:\tx\nTHP_enabled:\t1\n")).as_deref(), Some("allowed"));
    for silent in [None, Some("Name:\tx\n"), Some("THP_enabled:\tperhaps\n")] {
        assert_eq!(setting(silent), None);
    }
}
