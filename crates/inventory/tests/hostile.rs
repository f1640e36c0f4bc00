//! Whatever the files hold: no panic, no absurd value, and a cost in proportion to the machine.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod machines;
use inventory::{Root, inventory};
use machines as m;
use machines::Tree;
use proptest::prelude::*;
use record::{FactValue, Machine, Value};
use std::{cell::Cell, io};

/// Invariants of any machine.
fn check(machine: &Machine) {
    let t = &machine.topology;
    for (name, fact) in &machine.facts {
        let text = match &fact.known {
            FactValue::Value(Value::Text(text)) => text.clone(),
            FactValue::Value(Value::Number(number)) => {
                assert!(number.is_finite(), "{name}");
                continue;
            }
            FactValue::Value(_) => continue,
            FactValue::Unknown(reason) => reason.to_string(),
        };
        assert!(
            !text.is_empty() && text.len() <= 4200 && !text.chars().any(char::is_control),
            "{name}: {text:?}"
        );
    }
    assert!(t.cpus.windows(2).all(|pair| pair[0].id < pair[1].id));
    assert!(t.cpus.iter().all(|cpu| cpu.siblings.contains(cpu.id) && cpu.siblings.len() <= 64));
    assert!(t.caches.iter().all(|cache| cache.bytes != Some(0) && !cache.cpus.is_empty()));
    assert!(t.nodes.iter().all(|n| n.distances.is_empty() || n.distances.len() == t.nodes.len()));
    serde_json::to_vec(machine).unwrap();
}

#[test]
fn absurd_values_become_reasons_not_numbers() {
    let machine = inventory(&m::hostile());
    check(&machine);
    let t = &machine.topology;
    assert_eq!(t.cpu(0).unwrap().package, Some(0), "falls back to /proc/cpuinfo");
    assert_eq!(t.cpu(1).unwrap().siblings, "1".parse().unwrap());
    assert_eq!(t.cpu(0).unwrap().max_hz, None);
    assert_eq!(t.data_caches(0).iter().find(|c| c.level == 1).unwrap().bytes, None);
    for part in ["caches", "nodes.distances", "nodes.1.cpus", "smbios"] {
        assert!(
            t.missing.iter().any(|(name, _)| name == part),
            "{part} is not missed: {:?}",
            t.missing
        );
    }
    for fact in ["memory.total", "memory.page", "load.average", "limits.cpu_quota"] {
        assert_eq!(machine.number(fact), None, "{fact}");
    }
    assert_eq!(
        machine.text("limits.cpu_quota"),
        None,
        "a group that cannot be looked at is not an unlimited one"
    );
    assert_eq!(machine.text("cpu.governor"), Some("[31mperformance"));
}

/// One file of a sound machine replaced, and what must be said then.
#[test]
fn each_absurd_file_is_named_and_nothing_is_made_of_it() {
    const CPU: &str = "/sys/devices/system/cpu";
    const NODE: &str = "/sys/devices/system/node";
    // File, content, the part that is missed, a word of the reason.
    let cases = [
        (format!("{CPU}/present"), "0-95,100000\n", "cpus.present", "100000"),
        (format!("{CPU}/present"), "0-\n", "cpus.present", "unreadable"),
        (format!("{CPU}/online"), "0-95,,x\n", "cpus.online", "unreadable"),
        (format!("{CPU}/cpu3/topology/core_cpus_list"), "3-4\n", "cpus.siblings", "CPU 3"),
        (format!("{CPU}/cpu0/cache/index3/size"), "0K\n", "cache sizes", "1 of"),
        (format!("{CPU}/cpu0/cache/index3/size"), "-1K\n", "cache sizes", "1 of"),
        (format!("{CPU}/cpu0/cache/index3/size"), "99999999999T\n", "cache sizes", "1 of"),
        (format!("{CPU}/cpu5/cache/index0/level"), "77\n", "caches", "77"),
        (format!("{CPU}/cpu5/cache/index0/shared_cpu_map"), "zz\n", "caches", "zz"),
        (format!("{NODE}/node0/distance"), "10 12 20\n", "nodes.distances", "4 nodes"),
        (format!("{NODE}/node0/distance"), "10 12 20 22 30\n", "nodes.distances", "4 nodes"),
        (format!("{NODE}/node2/distance"), "0 0 0 0\n", "nodes.distances", "says 0"),
        (format!("{NODE}/node2/distance"), "10 256 10 10\n", "nodes.distances", "256"),
        (format!("{NODE}/node1/cpulist"), "47-24\n", "nodes.1.cpus", "unreadable"),
        (format!("{NODE}/node1/cpulist"), "0-47\n", "nodes.cpus", "both claim"),
    ];
    let sound = inventory(&m::kunpeng_920().tree());
    for (path, content, part, word) in cases {
        let mut tree = m::kunpeng_920().tree();
        tree.put(&path, content);
        let machine = inventory(&tree);
        check(&machine);
        let missing = &machine.topology.missing;
        let why = missing.iter().find(|(name, _)| name == part).map(|(_, why)| why.to_string());
        assert!(
            why.as_ref().is_some_and(|why| why.contains(word)),
            "{path} {content:?}: {missing:?}"
        );
        let known = |m: &Machine| m.topology.cpus.iter().map(|c| c.id).collect::<Vec<_>>();
        assert_eq!(known(&machine), known(&sound), "{path}");
        assert_eq!(machine.topology.nodes.len(), 4, "{path}");
    }
    assert!(!sound.topology.missing.iter().any(|(part, _)| part.starts_with("cpus")));
}

/// Files that are there and empty, or may not be read, tell nothing and are not taken for zero.
#[test]
fn empty_and_forbidden_files_are_no_values() {
    let sound = m::kunpeng_920().tree();
    let paths: Vec<String> = sound.files().map(|(path, _)| path.to_string()).collect();
    for (at, path) in paths.iter().enumerate() {
        // All files of CPU 0 and node 0, and all that are not a CPU's or a node's.
        let of = |part: &str| path.contains(part) && !path.contains(&format!("{part}0/"));
        if of("/cpu/cpu") || of("/node/node") {
            continue;
        }
        let mut tree = sound.clone();
        if at % 2 == 0 {
            tree.put(path, "")
        } else {
            tree.deny(path)
        }
        let machine = inventory(&tree);
        check(&machine);
        let zero = |known: &FactValue| matches!(known, FactValue::Value(Value::Integer(0)));
        let before = inventory(&sound);
        for (name, fact) in &machine.facts {
            let was = before.facts.get(name).is_some_and(|fact| zero(&fact.known));
            assert!(was || !zero(&fact.known), "{path}: {name} became zero");
        }
    }
}

/// /proc/cpuinfo alone, as kernels of every kind print it, cut anywhere.
#[test]
fn every_dialect_of_cpuinfo_is_read_or_refused() {
    let exporters = [
        (
            "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nstepping\t: 7\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: lm sse2\n\nprocessor\t: 1\nphysical id\t: 0\ncore id\t\t: 1\n",
            2,
            Some("x86_64"),
        ),
        (
            "processor\t: 0\nBogoMIPS\t: 200.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x48\nCPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0xd01\n\nprocessor\t: 1\n",
            2,
            Some("aarch64"),
        ),
        (
            "Processor\t: ARMv7 Processor rev 2 (v7l)\nprocessor\t: 0\nprocessor\t: 1\nFeatures\t: swp neon\nCPU implementer\t: 0x41\nCPU part\t: 0xc09\n",
            2,
            Some("arm"),
        ),
        (
            "vendor_id       : IBM/S390\n# processors    : 2\nprocessor 0: version = FF,  identification = 1,  machine = 2964\nprocessor 1: version = FF\n",
            2,
            Some("s390x"),
        ),
        (
            "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 3800.000000MHz\n\nprocessor\t: 1\ncpu\t\t: POWER9\n",
            2,
            Some("ppc64"),
        ),
        (
            "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdc\nmmu\t\t: sv39\nuarch\t\t: sifive,u74-mc\n",
            1,
            Some("riscv64"),
        ),
        (
            "system type\t\t: generic\nprocessor\t\t: 0\npackage\t\t\t: 0\ncore\t\t\t: 0\nCPU Family\t\t: Loongson-64bit\nModel Name\t\t: Loongson-3C5000\n",
            1,
            Some("loongarch64"),
        ),
        (
            "cpu\t\t: TI UltraSparc II\ntype\t\t: sun4u\nncpus active\t: 2\nCPU6:\t\tonline\nCPU7:\t\tonline\n",
            2,
            None,
        ),
        ("cpu\t\t\t: Alpha\ncpu model\t\t: EV6\ncpus active\t\t: 2\n", 2, None),
        (
            "processor  : 0\nvendor     : GenuineIntel\narch       : IA-64\nfamily     : 32\nmodel      : 1\nphysical id: 0\ncore id    : 0\nthread id  : 0\n",
            1,
            None,
        ),
        ("processor: x\nprocessor: 99999999999\nprocessor: -1\n:::\n\0\0\n", 0, None),
    ];
    for (text, cpus, arch) in exporters {
        let mut tree = Tree::default();
        tree.put("/proc/cpuinfo", text);
        let machine = inventory(&tree);
        check(&machine);
        assert_eq!(
            (machine.topology.cpus.len(), machine.text("kernel.arch")),
            (cpus, arch),
            "{text}"
        );
        for cut in (0..text.len()).step_by(3) {
            tree.put("/proc/cpuinfo", &text[..cut]);
            check(&inventory(&tree));
        }
    }
}

/// Each of these was a fact once; fuzzing found them.
#[test]
fn what_cannot_be_is_not_repeated() {
    let mut tree = m::intel_4_sockets().tree();
    let cpu = "/sys/devices/system/cpu";
    tree.put(&format!("{cpu}/cpu0/topology/core_cpus_list"), "0-1\n");
    tree.put(&format!("{cpu}/cpu2/topology/core_cpus_list"), "2,600\n");
    tree.put(&format!("{cpu}/cpu3/cache/index3/shared_cpu_list"), "3-4\n");
    tree.put(&format!("{cpu}/cpu4/cache/index0/coherency_line_size"), "63\n");
    tree.put("/sys/devices/system/node/node0/meminfo", "MemTotal: 8 kB\nMemFree: 9 kB\n");
    tree.put("/sys/fs/cgroup/cpu.max", "0 100000\n");
    tree.put("/proc/cmdline", "\n");
    let mut module = [0u8; 0x58];
    module[8..10].copy_from_slice(&0x2000u16.to_le_bytes());
    module[0x11..0x13].copy_from_slice(&0xffffu16.to_le_bytes());
    module[0x50..0x54].copy_from_slice(&70_000u32.to_le_bytes());
    tree.put("/sys/firmware/dmi/tables/DMI", m::structure(17, &module, &["A1"]));
    let machine = inventory(&tree);
    check(&machine);
    let t = &machine.topology;
    assert_eq!(t.cpu(0).unwrap().siblings, "0".parse().unwrap());
    assert_eq!(t.cpu(2).unwrap().siblings, "2".parse().unwrap());
    assert_eq!(t.caches.iter().filter(|c| c.line.is_none()).count(), 1);
    assert_eq!((t.nodes[0].bytes, t.nodes[0].free), (Some(8 << 10), None));
    assert_eq!((t.dimms[0].rated, t.dimms[0].bytes), (None, Some(8 << 30)));
    assert_eq!(machine.number("limits.cpu_quota"), None);
    assert_eq!(machine.text("kernel.cmdline"), None);
    for part in ["cpus.siblings", "caches"] {
        assert!(t.missing.iter().any(|(name, _)| name == part), "{part}: {:?}", t.missing);
    }
}

/// A core has one cache of a kind, whatever CPUID repeats, and every machine has memory.
#[test]
fn what_cpuid_and_meminfo_cannot_mean_is_left_out() {
    let mut tree = Tree::default();
    tree.put("/proc/cpuinfo", "processor\t: 0\nvendor_id\t: GenuineIntel\n");
    let leaf = |sub: u32| format!("4 {sub} 1c004121 1c0003f 3f 0\n");
    let maker = "0 0 4 756e6547 6c65746e 49656e69\n";
    tree.put("/proc/meminfo", "MemTotal: 0 kB\nHugepagesize: 0 kB\n");
    // The third is of no level, and of those behind it nothing is known.
    tree.put("/cpulens/cpuid", format!("{maker}{}{}4 2 1c004101 1c0003f 3f 0\n", leaf(0), leaf(1)));
    let machine = inventory(&tree);
    check(&machine);
    assert_eq!(machine.topology.caches.len(), 1, "{:?}", machine.topology);
    assert!(machine.topology.missing.iter().any(|(part, _)| part == "caches"));
    assert_eq!((machine.number("memory.total"), machine.topology.nodes[0].bytes), (None, None));
    // 40 GHz.
    tree.put("/cpulens/cpuid", format!("{maker}16 0 9c40 9c40 64 0\n"));
    let clocks = inventory(&tree);
    assert_eq!(
        (clocks.number("cpu.frequency.base"), clocks.number("cpu.frequency.max")),
        (None, None)
    );
}

/// A root that counts.
struct Counted<'a>(&'a Tree, Cell<usize>);

impl Root for Counted<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.1.set(self.1.get() + 1);
        self.0.read(path)
    }
    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        self.1.set(self.1.get() + 1);
        self.0.list(path)
    }
    fn link(&self, path: &str) -> io::Result<String> {
        self.0.link(path)
    }
}

fn asked(build: &m::Build) -> usize {
    let tree = build.tree();
    let root = Counted(&tree, Cell::new(0));
    check(&inventory(&root));
    root.1.get()
}

#[test]
fn questions_grow_with_cpus_and_no_faster() {
    let whole = m::thousand();
    let half = m::Build { cores_per_socket: whole.cores_per_socket / 2, ..whole.clone() };
    let (one, two) = (asked(&half), asked(&whole));
    assert_eq!(whole.cpus(), 1024);
    assert!(two < 2 * one, "{one} questions for half the CPUs, {two} for all");
    assert!(two < 40 * 1024, "{two} questions for 1024 CPUs");
}

fn machine() -> impl Strategy<Value = Tree> {
    const NAMES: [&str; 7] = [
        "server-with-modules",
        "intel-hybrid",
        "container",
        "server-with-devices",
        "hygon-7280",
        "kunpeng-920",
        "modules-alone",
    ];
    prop::sample::select(NAMES.to_vec()).prop_map(|name| {
        let mut all = m::all();
        all.swap_remove(all.iter().position(|(known, _)| *known == name).unwrap()).1
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]
    #[test]
    fn a_damaged_tree_is_still_a_machine(
        tree in machine(),
        hits in proptest::collection::vec((any::<prop::sample::Index>(), 0u8..5, proptest::collection::vec(any::<u8>(), 0..40)), 1..30),
    ) {
        let mut tree = tree;
        let paths: Vec<String> = tree.files().map(|(path, _)| path.to_string()).collect();
        for (index, how, bytes) in hits {
            let path = index.get(&paths);
            let old = tree.files().find(|(p, _)| p == path).map(|(_, c)| c.to_vec()).unwrap_or_default();
            match how {
                0 => tree.remove(path),
                1 => tree.deny(path),
                2 => tree.put(path, &old[..old.len() / 2]),
                3 => tree.put(path, [old, bytes].concat()),
                _ => tree.put(path, bytes),
            }
        }
        check(&inventory(&tree));
    }
    #[test]
    fn garbage_in_the_binary_files_is_survived(smbios in proptest::collection::vec(any::<u8>(), 0..2000), cpuid in ".{0,300}", config in proptest::collection::vec(any::<u8>(), 0..300)) {
        let mut tree = m::container();
        tree.put("/sys/firmware/dmi/tables/DMI", smbios);
        tree.put("/cpulens/cpuid", cpuid);
        tree.put("/proc/config.gz", [&[0x1f, 0x8b, 8][..], &config].concat());
        check(&inventory(&tree));
    }
}
