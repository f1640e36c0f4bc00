//! Whatever the files hold: no panic, no absurd value, and a cost in proportion to the machine.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod machines;
use inventory::{Root, Tree, inventory};
use machines as m;
use proptest::prelude::*;
use record::{Known, Machine, Value};
use std::{cell::Cell, io};

/// What must hold of any machine.
fn check(machine: &Machine) {
    let t = &machine.topology;
    for (name, fact) in &machine.facts {
        let text = match &fact.known {
            Known::Value(Value::Text(text)) => text.clone(),
            Known::Value(Value::Number(number)) => {
                assert!(number.is_finite(), "{name}");
                continue;
            }
            Known::Value(_) => continue,
            Known::Unknown(reason) => reason.to_string(),
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
    prop::sample::select(vec![
        "hygon-7280",
        "intel-8269cy",
        "intel-hybrid",
        "container",
        "memory-only-node",
    ])
    .prop_map(|name| m::all().into_iter().find(|(known, _)| *known == name).unwrap().1)
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

/// By hand: `cargo test --release -p inventory --test hostile -- --ignored --nocapture`.
#[test]
#[ignore = "a time, which no test may assert"]
fn how_long_a_thousand_cpus_take() {
    let tree = m::thousand().tree();
    for _ in 0..1000 {
        std::hint::black_box(inventory(&tree));
    }
}
