//! Entries of the fuzz targets and `inventory/tests/fuzz.rs`: bytes in, files of a machine made of them, and what
//! must hold of the inventory whatever they are. Everything goes through `inventory()`, as it does in the program.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a fuzz target ends at the first surprise"
)]
#[path = "../../crates/inventory/tests/machines/mod.rs"]
mod machines;
use arbitrary::Unstructured;
use inventory::{Entry, Root, capture, inventory};
use machines::{Build, Tree, structure};
use record::{CpuSet, FactValue, Machine, Value};
use std::{cell::RefCell, collections::BTreeSet, io, sync::OnceLock};

/// A target: its name, what it runs, and what a fuzzer begins with.
pub(crate) type Target = (&'static str, fn(&[u8]), fn() -> Vec<Vec<u8>>);

/// Every target of this file.
pub(crate) const TARGETS: &[Target] = &[
    ("smbios", smbios, smbios_seeds),
    ("processor", processor, processor_seeds),
    ("topology", topology, topology_seeds),
    ("kernel", kernel, kernel_seeds),
    ("tree", tree, tree_seeds),
    ("capture", captured, capture_seeds),
];

/// Between the files of an input: no UTF-8 text holds this byte.
const BETWEEN: u8 = 0xff;

const CPU: &str = "/sys/devices/system/cpu";
const NODE: &str = "/sys/devices/system/node";

/// Two sockets of two cores, and most of the files that an inventory asks for.
fn small() -> Tree {
    static SMALL: OnceLock<Tree> = OnceLock::new();
    let build = || Build {
        sockets: 2,
        nodes: 2,
        cores_per_socket: 2,
        threads: 1,
        caches: vec![(1, "Data", "32K", 8, 1), (3, "Unified", "8192K", 16, 2)],
        distances: vec![vec![10, 20], vec![20, 10]],
        files: vec![],
        ..machines::thousand()
    };
    SMALL.get_or_init(|| build().tree()).clone()
}

/// Puts each part of the input where a machine has that file.
fn with_files(paths: &[&str], bytes: &[u8]) -> Tree {
    let mut tree = small();
    for (path, part) in paths.iter().zip(bytes.splitn(paths.len(), |b| *b == BETWEEN)) {
        if part == b"-" {
            tree.remove(path);
        } else {
            tree.put(path, part);
        }
    }
    tree
}

fn joined(parts: &[&str]) -> Vec<u8> {
    parts.iter().map(|part| part.as_bytes()).collect::<Vec<_>>().join(&BETWEEN)
}

/// The firmware's table; the whole input is the file.
pub(crate) fn smbios(bytes: &[u8]) {
    let mut tree = small();
    tree.put(SMBIOS, bytes);
    look(&tree);
}

const SMBIOS: &str = "/sys/firmware/dmi/tables/DMI";

fn smbios_seeds() -> Vec<Vec<u8>> {
    let table = |machine: &Build| {
        machine.files.iter().find(|(path, _)| path == SMBIOS).map(|(_, bytes)| bytes.clone())
    };
    let mut seeds: Vec<Vec<u8>> =
        [machines::intel_8269cy(), machines::kunpeng_920()].iter().filter_map(table).collect();
    let mut wide = [0u8; 0x58];
    wide[8..10].copy_from_slice(&0x7fffu16.to_le_bytes());
    wide[0x11..0x13].copy_from_slice(&0xffffu16.to_le_bytes());
    wide[0x50..0x54].copy_from_slice(&70_000u32.to_le_bytes());
    seeds.push(structure(17, &wide, &["A", "B"]));
    seeds
}

const PROCESSOR: &[&str] = &[
    "/cpulens/uname",
    "/proc/cpuinfo",
    "/cpulens/cpuid",
    "/sys/devices/system/cpu/cpu0/regs/identification/midr_el1",
    "/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq",
    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
    "/sys/class/dmi/id/sys_vendor",
];

/// The processor's vendor, model, caches by CPUID and frequencies: /proc/cpuinfo in every exporter, CPUID, MIDR.
pub(crate) fn processor(bytes: &[u8]) {
    let mut tree = with_files(PROCESSOR, bytes);
    for cpu in 0..4 {
        tree.remove(&format!("{CPU}/cpu{cpu}/cache"));
    }
    look(&tree);
    // Without /sys only these files are left to say what there is.
    tree.remove("/sys");
    look(&tree);
}

fn processor_seeds() -> Vec<Vec<u8>> {
    const X86: &str = "Linux\n6.1\n#1 SMP\nx86_64\n";
    const ARM: &str = "Linux\n6.1\n#1 SMP\naarch64\n";
    let x86 = "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 85\nmodel name\t: Xeon @ 2.50GHz\nstepping\t: 7\nmicrocode\t: 0x5002f01\ncpu MHz\t\t: 2500.0\nphysical id\t: 0\ncore id\t\t: 0\nflags\t\t: lm fpu hypervisor avx2\n\nprocessor\t: 1\nphysical id\t: 0\ncore id\t\t: 1\n";
    let cpuid = "0 0 16 756e6547 6c65746e 49656e69\n1 0 50657 0 fefffbff bfebfbff\n4 0 1c004121 1c0003f 3f 0\n4 1 1c004122 1c0003f 3f 0\n4 2 1c004143 3c0003f 3ff 0\n4 3 1c0fc163 280003f cfff 0\n4 4 0 0 0 0\n16 0 9c4 ed8 64 0\n40000000 0 40000001 4b4d564b 564b4d56 4d\n80000000 0 80000008 0 0 0\n80000002 0 65746e49 2952286c 6f655820 2952286e\n80000003 0 616c5020 756e6974 3238206d 43393536\n80000004 0 50432059 20402055 30352e32 7a4847\n";
    let amd = "0 0 10 68747541 444d4163 69746e65\n1 0 830f10 0 0 0\n80000000 0 80000020 0 0 0\n8000001d 0 4121 1c0003f 3f 0\n8000001d 1 c163 3c0003f 3fff 1\n8000001d 2 0 0 0 0\n";
    vec![
        joined(&[X86, x86, cpuid, "-", "3800000\n", "performance\n", "QEMU\n"]),
        joined(&[X86, "-", amd]),
        joined(&[
            ARM,
            "processor\t: 0\nBogoMIPS\t: 200.00\nFeatures\t: fp asimd\nCPU implementer\t: 0x48\nCPU architecture: 8\nCPU variant\t: 0x1\nCPU part\t: 0xd01\nCPU revision\t: 0\n",
            "-",
            "0x00000000481fd010\n",
        ]),
        joined(&[
            "-",
            "Processor\t: ARMv7 rev 2\nprocessor\t: 0\nprocessor\t: 1\nFeatures\t: neon\nCPU implementer\t: 0x41\nCPU part\t: 0xc07\nHardware\t: Board\nSerial\t\t: 0123\n",
        ]),
        joined(&[
            "-",
            "processor\t: 0\nhart\t\t: 1\nisa\t\t: rv64imafdcv\nmmu\t\t: sv39\nuarch\t\t: sifive,u74-mc\nmvendorid\t: 0x489\nmarchid\t\t: 0x8000000000000007\n",
        ]),
        joined(&[
            "-",
            "system type\t: generic-loongson-machine\nprocessor\t\t: 0\npackage\t\t\t: 0\ncore\t\t\t: 0\nCPU Family\t\t: Loongson-64bit\nModel Name\t\t: Loongson-3A5000-HV\nCPU Revision\t\t: 0x10\nCPU MHz\t\t\t: 2500.00\nISA\t: loongarch32 loongarch64\n",
        ]),
        joined(&[
            "-",
            "vendor_id       : IBM/S390\n# processors    : 2\nfeatures\t: esan3 zarch\nprocessor 0: version = FF,  identification = 2964A8,  machine = 2964\nprocessor 1: version = FF,  identification = 2964A8,  machine = 2964\n",
        ]),
        joined(&[
            "-",
            "processor\t: 0\ncpu\t\t: POWER9, altivec supported\nclock\t\t: 2166.000000MHz\nrevision\t: 2.2\n\ntimebase\t: 512000000\nmachine\t: PowerNV\n",
        ]),
    ]
}

const TOPOLOGY: &[&str] = &[
    "/sys/devices/system/cpu/present",
    "/sys/devices/system/cpu/online",
    "/cpulens/affinity",
    "/sys/devices/system/cpu/isolated",
    "/sys/devices/system/cpu/cpu0/topology/physical_package_id",
    "/sys/devices/system/cpu/cpu0/topology/core_cpus_list",
    "/sys/devices/system/cpu/cpu1/topology/core_cpus_list",
    "/sys/devices/system/cpu/cpu1/topology/thread_siblings",
    "/sys/devices/system/cpu/cpu0/topology/package_cpus",
    "/sys/devices/system/cpu/cpu1/topology/package_cpus",
    "/sys/devices/system/cpu/cpu0/cache/index0/size",
    "/sys/devices/system/cpu/cpu0/cache/index0/level",
    "/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size",
    "/sys/devices/system/cpu/cpu0/cache/index1/shared_cpu_list",
    "/sys/devices/system/cpu/cpu1/cache/index1/shared_cpu_map",
    "/sys/devices/system/node/node0/cpulist",
    "/sys/devices/system/node/node1/cpumap",
    "/sys/devices/system/node/node0/distance",
    "/sys/devices/system/node/node1/meminfo",
    "/sys/devices/system/node/node0/hugepages/hugepages-2048kB/nr_hugepages",
    "/sys/devices/cpu_core/cpus",
    "/sys/devices/system/cpu/cpu0/cpu_capacity",
];

/// CPU lists, masks, sizes and numbers of sysfs, and how CPUs, caches and nodes hang together by them.
pub(crate) fn topology(bytes: &[u8]) {
    let mut tree = with_files(TOPOLOGY, bytes);
    // What newer files say would hide the older ones.
    if bytes.first() == Some(&b' ') {
        for cpu in 0..4 {
            tree.remove(&format!("{CPU}/cpu{cpu}/topology/core_cpus_list"));
        }
        tree.remove(&format!("{NODE}/node1/cpulist"));
    }
    look(&tree);
}

fn topology_seeds() -> Vec<Vec<u8>> {
    let server = [
        "0-3\n",
        "0-3\n",
        "0-3\n",
        "\n",
        "0\n",
        "0\n",
        "1\n",
        "2\n",
        "3\n",
        "3\n",
        "48K\n",
        "1\n",
        "64\n",
        "0-1\n",
        "3\n",
        "0-1\n",
        "c\n",
        "10 20\n",
        "Node 1 MemTotal:  1024 kB\nNode 1 MemFree:  512 kB\n",
        "4\n",
        "0-1\n",
        "1024\n",
    ];
    let mut old = server;
    old[0] = " 0-3";
    old[7] = "00000002";
    let mut odd = server;
    (odd[0], odd[1], odd[4], odd[5], odd[13]) = ("0-2,8-9\n", "0-1,8\n", "-1\n", "0-1\n", "(null)");
    vec![joined(&server), joined(&old), joined(&odd), joined(&["0-255:2", "-", "0-1023"])]
}

const KERNEL: &[&str] = &[
    "/proc/cmdline",
    "/proc/self/cgroup",
    "/sys/fs/cgroup/cpu.max",
    "/sys/fs/cgroup/memory.max",
    "/sys/fs/cgroup/cpuset.cpus.effective",
    "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us",
    "/sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us",
    "/proc/interrupts",
    "/proc/irq/default_smp_affinity",
    "/proc/stat",
    "/proc/loadavg",
    "/proc/self/limits",
    "/proc/version",
    "/proc/config.gz",
    "/sys/devices/system/cpu/vulnerabilities/spectre_v2",
    "/proc/meminfo",
    "/cpulens/auxv",
    "/etc/os-release",
    "/sys/kernel/mm/transparent_hugepage/enabled",
    "/sys/kernel/debug/sched/preempt",
    "/proc/bus/pci/devices",
    "/sys/devices/system/cpu/cpu0/cpuidle/state1/latency",
    "/sys/class/powercap/intel-rapl:0/constraint_0_power_limit_uw",
];

/// The kernel's own words: command line, configuration, interrupts, control groups, mitigations, counters.
pub(crate) fn kernel(bytes: &[u8]) {
    let mut tree = with_files(KERNEL, bytes);
    tree.put(&format!("{CPU}/cpu0/cpuidle/state1/name"), "C1\n");
    tree.put("/sys/class/powercap/intel-rapl:0/name", "package-0\n");
    tree.put("/sys/class/powercap/intel-rapl:0/constraint_0_name", "long_term\n");
    look(&tree);
}

fn kernel_seeds() -> Vec<Vec<u8>> {
    let v2 = [
        "root=UUID=0b5e ro quiet isolcpus=managed_irq,2-3 nohz_full=2 mitigations=off -- x\n",
        "0::/a\n",
        "150000 100000\n",
        "2147483648\n",
        "0-1\n",
        "-",
        "-",
        "           CPU0       CPU1\n  0:         5          0   IO-APIC   2-edge      timer\nLOC:      1000       2000   Local timer interrupts\nERR:          3\n",
        "f\n",
        "cpu  10 2 3 400 5 6 7 8 0 0\n",
        "0.10 0.20 0.30 1/200 1234\n",
        "Max locked memory         8388608              unlimited            bytes\n",
        "Linux version 6.1 (me@box) (gcc 12) #1 SMP PREEMPT_DYNAMIC\n",
        "CONFIG_HZ=250\nCONFIG_PREEMPT=y\n# CONFIG_NO_HZ_FULL is not set\n",
        "Mitigation: Retpolines; IBPB: conditional\n",
        "MemTotal: 1048576 kB\nMemFree: 524288 kB\nMemAvailable: 600000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\nHugepagesize: 2048 kB\n",
        "AT_PAGESZ 4096\nAT_HWCAP 0\n",
        "ID=debian\nPRETTY_NAME=\"Debian 12\"\n",
        "always [madvise] never\n",
        "none voluntary (full)\n",
        "0008 80eebeef 10\n",
        "2\n",
        "150000000\n",
    ];
    let mut v1 = v2;
    v1[1] = "4:memory:/a\n3:cpuset:/a\n2:cpu,cpuacct:/a\n1:name=systemd:/docker/0123\n";
    (v1[2], v1[5], v1[6]) = ("-", "250000\n", "100000\n");
    vec![joined(&v2), joined(&v1)]
}

/// A root that remembers what was asked for.
struct Asked<'a>(&'a Tree, RefCell<BTreeSet<String>>);

impl Root for Asked<'_> {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        self.1.borrow_mut().insert(path.into());
        self.0.read(path)
    }
    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        self.0.list(path)
    }
    fn link(&self, path: &str) -> io::Result<String> {
        self.0.link(path)
    }
}

/// The machines that edits begin with, and every path that an inventory of them asks for.
fn bases() -> &'static [(Tree, Vec<String>)] {
    static BASES: OnceLock<Vec<(Tree, Vec<String>)>> = OnceLock::new();
    BASES.get_or_init(|| {
        let threads = Build { threads: 2, ..machines::intel_8269cy() };
        let threads = Build { sockets: 1, nodes: 1, cores_per_socket: 2, ..threads };
        let mut arm =
            Build { sockets: 1, nodes: 2, cores_per_socket: 4, ..machines::kunpeng_920() };
        arm.files.retain(|(path, _)| !path.contains("/cpu/cpu") || path.contains("/cpu0/"));
        arm.distances = vec![vec![10, 12], vec![12, 10]];
        arm.caches.iter_mut().for_each(|cache| cache.4 = cache.4.min(2));
        let trees = [
            small(),
            threads.tree(),
            arm.tree(),
            machines::container(),
            machines::offline_gaps(),
            machines::memory_only_node(),
        ];
        let with_paths = |tree: Tree| {
            let asked = Asked(&tree, RefCell::default());
            inventory(&asked);
            let paths = asked.1.into_inner().into_iter().collect();
            (tree, paths)
        };
        trees.into_iter().map(with_paths).collect()
    })
}

/// A whole machine with some of its files replaced, cut, added to, denied or removed.
pub(crate) fn tree(bytes: &[u8]) {
    let mut input = Unstructured::new(bytes);
    let bases = bases();
    let base = input.arbitrary::<u8>().unwrap_or(0);
    let (tree, paths) = &bases[usize::from(base) % bases.len()];
    let mut tree = tree.clone();
    for edit in input.arbitrary_iter::<(u16, u8, Vec<u8>)>().into_iter().flatten().take(64) {
        let Ok((path, how, content)) = edit else { break };
        let path = &paths[usize::from(path) % paths.len()];
        let old = tree.read(path).unwrap_or_default();
        match how % 8 {
            0 => tree.remove(path),
            1 => tree.deny(path),
            2 => tree.put(path, &old[..old.len() / 2]),
            3 => tree.put(path, [old, content].concat()),
            4 => tree.put(path, [content, old].concat()),
            _ => tree.put(path, content),
        }
    }
    let machine = look(&tree);
    // Nothing that is left out of a capture is the source of a fact.
    assert_eq!(inventory(&keep(&tree)), machine, "the capture gives another machine");
}

fn tree_seeds() -> Vec<Vec<u8>> {
    (0..bases().len() as u8).map(|base| vec![base, 1, 0, 7, 48, 45, 49, 10, 0, 0, 4]).collect()
}

/// A text that no capture may hold. Longer than anything a fuzzer makes by chance.
const SECRET: &str = "S3cr3tOf7his0wner";

/// Secrets where real machines have them, between lines and words of the fuzzer's: none is in the capture.
pub(crate) fn captured(bytes: &[u8]) {
    let mut parts = bytes.splitn(6, |b| *b == BETWEEN).map(String::from_utf8_lossy);
    let mut part = || parts.next().unwrap_or_default();
    let (a, b, c, d, e) = (part(), part(), part(), part(), part());
    let rest = part();
    let mut tree = small();
    let mut put = |path: &str, text: String| tree.put(path, text.replace(BREAK, "\n"));
    put(
        "/proc/cmdline",
        format!("{a} root=UUID={SECRET} {b} x.{SECRET}@y ip={SECRET} -- {SECRET} {c}"),
    );
    put("/proc/version", format!("Linux version 6.1 ({SECRET}@{SECRET}) (gcc {a}) #1 {b}"));
    put("/proc/self/cgroup", format!("{a}\n0::/docker/{SECRET}/{b}\n4:memory:/{SECRET}/{c}\n"));
    put(
        "/proc/self/status",
        format!(
            "Name:\t{SECRET}\nUid:\t{SECRET}\n{a}\nCpus_allowed_list:\t0-1\nGroups:\t{SECRET}\n"
        ),
    );
    put(
        "/etc/os-release",
        format!("{a}\nHOME_URL=\"{SECRET}\"\nPRETTY_NAME=\"{b}\"\n BUG_REPORT_URL={SECRET}\n"),
    );
    put(
        "/proc/cpuinfo",
        format!(
            "processor\t: 0\n{a}\nSerial\t\t: {SECRET}\n{b}\nuuid : {SECRET}\nprocessor 1: version = FF,  identification = {SECRET},  machine = {c}\n"
        ),
    );
    put(
        "/proc/config.gz",
        format!("{d}\nCONFIG_DEFAULT_HOSTNAME=\"{SECRET}\"\nCONFIG_HZ=250\n# {SECRET}\n{e}"),
    );
    put(
        "/proc/interrupts",
        format!(
            "   CPU0 CPU1\n 24:  1  {SECRET}  PCI {SECRET}\n{a}\n 25: 100  200 PCI-MSI {SECRET}-{b}\nERR: 3 {SECRET}\n"
        ),
    );
    put("/proc/stat", format!("cpu  1 2 3 4\n{a}\nintr {SECRET}\n"));
    for file in ["product_serial", "product_uuid", "board_asset_tag", "chassis_serial"] {
        tree.put(&format!("/sys/class/dmi/id/{file}"), SECRET);
    }
    // The fuzzer's structures after ours: before them they could make our strings their own.
    let mut named = vec![1, 2, 0, 3];
    named.extend(&SECRET.as_bytes()[..16]);
    let table = [
        structure(1, &named, &["Maker", "Box", SECRET]),
        structure(3, &[1, 3, 1, 2, 3, 4], &["Case", SECRET, SECRET]),
        structure(11, &[1], &[SECRET]),
        structure(17, &[0; 0x24], &[SECRET, SECRET]),
        rest.as_bytes().to_vec(),
    ];
    tree.put(SMBIOS, table.concat());
    tree.put(&format!("/sys/fs/cgroup/docker/{SECRET}/cpu.max"), "100000 100000\n");
    tree.put(&format!("/sys/fs/cgroup/memory/{SECRET}/memory.limit_in_bytes"), "4096\n");
    let machine = look(&tree);
    let copy = keep(&tree);
    let has = |bytes: &[u8]| bytes.windows(16).any(|part| part == &SECRET.as_bytes()[..16]);
    for (path, content) in copy.files() {
        assert!(!path.contains(SECRET) && !has(content), "{path} carries a secret");
    }
    assert!(
        !serde_json::to_string(&machine).unwrap().contains(SECRET),
        "the record carries a secret"
    );
    assert_eq!(inventory(&copy), machine, "the capture gives another machine");
    same_capture(&copy);
}

/// Other ends of lines would make a template's line the fuzzer's.
const BREAK: [char; 1] = ['\r'];

fn capture_seeds() -> Vec<Vec<u8>> {
    vec![
        joined(&[
            "quiet isolcpus=2-7",
            "mitigations=off",
            "x/y",
            "CONFIG_HZ=1000",
            "CONFIG_PREEMPT=y",
        ]),
        joined(&[
            "0::/user.slice/user-1000.slice",
            "(a@b)",
            "nohz_full=1",
            "# CONFIG_NO_HZ_FULL is not set",
        ]),
    ]
}

/// A capture of a capture is the same capture.
fn same_capture(copy: &Tree) {
    let again = keep(copy);
    for (new, old) in again.files().zip(copy.files()) {
        let text = |bytes| String::from_utf8_lossy(bytes).into_owned();
        assert_eq!((new.0, text(new.1)), (old.0, text(old.1)), "a capture of a capture differs");
    }
    assert_eq!(
        again.files().count(),
        copy.files().count(),
        "a capture of a capture has other files"
    );
}

fn keep(root: &dyn Root) -> Tree {
    let mut tree = Tree::default();
    let mut out = |path: &str, entry: Entry| -> io::Result<()> {
        match entry {
            Entry::File(content) => tree.put(path, content),
            Entry::Link(target) => tree.put_link(path, &target),
        }
        Ok(())
    };
    capture(root, &mut out).unwrap();
    tree
}

/// The inventory of a machine, in which nothing may be wrong.
fn look(tree: &Tree) -> Machine {
    let machine = inventory(tree);
    facts(&machine);
    parts(&machine);
    let bytes = serde_json::to_vec(&machine).unwrap();
    let again: Machine = serde_json::from_slice(&bytes).unwrap();
    assert_eq!(again, machine, "does not survive JSON");
    machine
}

fn printable(name: &str, text: &str) {
    let bad =
        |c: char| c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    assert!(!text.is_empty() && text.len() <= 4200 && !text.chars().any(bad), "{name}: {text:?}");
}

/// Facts are printable, finite, with a unit where they are numbers, and in the range of what they are.
fn facts(machine: &Machine) {
    fn value(name: &str, unit: bool, known: &Value) {
        match known {
            Value::Text(text) => printable(name, text),
            Value::Number(n) => assert!(unit && n.is_finite() && *n >= 0.0, "{name}: {n}"),
            Value::Integer(_) => assert!(unit, "{name} has no unit"),
            Value::Bool(_) => {}
            Value::List(list) => list.iter().for_each(|v| value(name, unit, v)),
        }
    }
    for (name, fact) in &machine.facts {
        let good = |c: char| c.is_ascii_alphanumeric() || "._-".contains(c);
        assert!(name.len() <= 80 && name.chars().all(good), "{name:?}");
        printable(name, &fact.source);
        match &fact.known {
            FactValue::Value(v) => value(name, fact.unit.is_some(), v),
            FactValue::Unknown(reason) => printable(name, &reason.to_string()),
        }
    }
    for name in ["cpu.frequency.base", "cpu.frequency.max", "cpu.frequency.min"] {
        assert!(machine.number(name).is_none_or(|hz| hz > 0.0 && hz <= 20e9), "{name}");
    }
    for name in ["limits.cpu_quota", "memory.total", "memory.page", "kernel.hz"] {
        assert!(machine.number(name) != Some(0.0), "{name} is 0");
    }
    if let Some(page) = machine.integer("memory.page") {
        assert!(page.is_power_of_two());
    }
    for (part, reason) in &machine.topology.missing {
        printable(part, &reason.to_string());
    }
    for (part, source) in &machine.topology.sources {
        printable(part, source);
    }
}

/// CPUs, caches, nodes and modules are possible: a contradiction is reported as missing, not repeated.
fn parts(machine: &Machine) {
    let t = &machine.topology;
    let missing = |part: &str| t.missing.iter().any(|(name, _)| name == part);
    assert!(t.cpus.is_sorted_by(|a, b| a.id < b.id) && t.nodes.is_sorted_by(|a, b| a.id < b.id));
    let all: CpuSet = t.cpus.iter().map(|cpu| cpu.id).collect();
    for cpu in &t.cpus {
        assert!(cpu.siblings.contains(cpu.id) && cpu.siblings.len() <= 64, "{cpu:?}");
        assert!(cpu.siblings.is_subset(&all), "a thread of no CPU: {cpu:?}");
        assert!(cpu.online || !cpu.allowed, "{cpu:?}");
        assert!(cpu.max_hz.is_none_or(|hz| hz > 0.0 && hz <= 20e9), "{cpu:?}");
        assert!(cpu.node.is_none_or(|id| t.node(id).is_some()), "{cpu:?}");
        for other in
            cpu.siblings.iter().filter_map(|id| t.cpu(id)).filter(|c| c.online && cpu.online)
        {
            let mutual = other.siblings == cpu.siblings;
            assert!(mutual || missing("cpus.siblings"), "{cpu:?} and {other:?}");
        }
    }
    let mut seen = BTreeSet::new();
    for cache in &t.caches {
        assert!((1..=9).contains(&cache.level) && !cache.cpus.is_empty(), "{cache:?}");
        assert!(cache.bytes.is_none_or(|bytes| (1..=64 << 30).contains(&bytes)), "{cache:?}");
        assert!(cache.line.is_none_or(|line| line.is_power_of_two() && line <= 4096), "{cache:?}");
        assert!(cache.ways != Some(0), "{cache:?}");
        assert!(cache.cpus.is_subset(&all), "a cache of no CPU: {cache:?}");
        for cpu in cache.cpus.iter() {
            let first = seen.insert((cache.level, cache.kind, cpu));
            assert!(first || missing("caches"), "CPU {cpu} has two: {cache:?}");
        }
    }
    let mut seen = BTreeSet::new();
    for node in &t.nodes {
        assert!(node.distances.is_empty() || node.distances.len() == t.nodes.len(), "{node:?}");
        assert!(node.distances.iter().all(|d| (10..=255).contains(d)), "{node:?}");
        assert!(node.cpus.is_subset(&all), "{node:?}");
        assert!(
            node.free.is_none_or(|free| node.bytes.is_none_or(|bytes| free <= bytes)),
            "{node:?}"
        );
        assert!(node.huge.iter().all(|pool| pool.page > 0 && pool.free <= pool.total), "{node:?}");
        let twice = node.cpus.iter().any(|cpu| !seen.insert(cpu));
        assert!(!twice || missing("nodes.cpus"), "{node:?}");
    }
    for dimm in &t.dimms {
        if !dimm.slot.is_empty() {
            printable("slot", &dimm.slot);
        }
        for text in [&dimm.bank, &dimm.kind, &dimm.manufacturer, &dimm.part].into_iter().flatten() {
            printable("module", text);
        }
        let speeds = [dimm.rated, dimm.configured];
        let plausible = |mts: f64| (10e6..=40e9).contains(&mts);
        assert!(speeds.into_iter().flatten().all(plausible), "{dimm:?}");
        assert!(dimm.bytes.is_none_or(|bytes| (1..=16 << 40).contains(&bytes)), "{dimm:?}");
        assert!(dimm.ranks != Some(0) && dimm.width != Some(0), "{dimm:?}");
        assert!(dimm.populated || dimm.bytes.is_none() && dimm.rated.is_none(), "{dimm:?}");
    }
}
