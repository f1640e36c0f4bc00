//! A capture gives the same machine as what it was taken from, and carries nothing personal.
#![allow(clippy::unwrap_used, reason = "tests stop at the first surprise")]
mod live;
mod machines;
use inventory::{Entry, Folder, Root, capture, inventory};
use machines::{self as m, Tree};
use record::{DeviceKind, Machine};
use std::{fs, io, path::Path};

fn captured(root: &dyn Root) -> Tree {
    let mut tree = Tree::default();
    let mut keep = |path: &str, entry: Entry| -> io::Result<()> {
        match entry {
            Entry::File(content) => tree.put(path, content),
            Entry::Link(target) => tree.put_link(path, &target),
        }
        Ok(())
    };
    capture(root, &mut keep).unwrap();
    tree
}

fn write(tree: &Tree, top: &Path) {
    for (path, content) in tree.files() {
        let file = top.join(path.trim_start_matches('/'));
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, content).unwrap();
    }
}

#[test]
fn every_machine_survives_its_capture_in_memory_and_on_disk() {
    for (name, tree) in m::all() {
        let before = inventory(&tree);
        let copy = captured(&tree);
        similar(name, &inventory(&copy), &before);
        // Small ones and the odd one are enough to show that a folder answers as memory does.
        if ["container", "offline-gaps", "server-not-root"].contains(&name) {
            let folder = tempfile::tempdir().unwrap();
            write(&copy, folder.path());
            similar(name, &inventory(&Folder::open(folder.path()).unwrap()), &before);
        }
        let again = captured(&copy);
        assert!(again.files().eq(copy.files()), "{name}: a capture of a capture differs");
    }
}

fn similar(name: &str, now: &Machine, before: &Machine) {
    for (fact, value) in &before.facts {
        assert_eq!(now.facts.get(fact), Some(value), "{name}: {fact}");
    }
    assert_eq!(now, before, "{name}");
}

#[test]
fn nothing_personal_is_captured() {
    let mut tree = m::intel_8269cy().tree();
    tree.put(
        "/proc/cmdline",
        "root=UUID=0b5e-SECRET ip=192.0.2.7 hostname=SECRET quiet isolcpus=4-7 -- SECRET\n",
    );
    tree.put("/proc/version", "Linux version 5.10.0 (SECRET@SECRET) (gcc 12) #1 SMP\n");
    tree.put("/proc/self/cgroup", "0::/docker/SECRET\n");
    tree.put("/sys/fs/cgroup/docker/SECRET/cpu.max", "max 100000\n");
    tree.put(
        "/proc/self/status",
        "Name:\tSECRET\nUid:\t1000\nTHP_enabled:\t0\nCpus_allowed_list:\t0-3\n",
    );
    tree.put("/etc/os-release", "PRETTY_NAME=\"Debian\"\nHOME_URL=SECRET\n");
    tree.put("/proc/config.gz", "CONFIG_HZ=250\nCONFIG_DEFAULT_HOSTNAME=\"SECRET\"\n");
    tree.put("/sys/class/dmi/id/product_serial", "SECRET\n");
    for (path, content) in m::devices::server().files() {
        if path.starts_with("/sys/bus/pci") || path.starts_with("/etc/tuned") {
            tree.put(path, content);
        }
    }
    let table: Vec<u8> = m::structure(17, &[0; 0x58], &["A1", "SECRET"]);
    tree.put("/sys/firmware/dmi/entries/17-0/raw", table);
    tree.remove("/sys/firmware/dmi/tables/DMI");
    tree.remove("/cpulens/affinity");
    let copy = captured(&tree);
    for (path, content) in copy.files() {
        let text = String::from_utf8_lossy(content);
        assert!(
            !text.contains("SECRET")
                && !["SECRET", "001122334455"].iter().any(|word| path.contains(word))
                && !text.contains("192.0.2"),
            "{path}: {text}"
        );
    }
    let machine = inventory(&copy);
    assert_eq!(machine.text("kernel.cmdline"), Some("root=* ip=* hostname=* quiet isolcpus=4-7"));
    assert_eq!(machine.number("kernel.hz"), Some(250.0));
    assert_eq!(
        machine.topology.cpu(5).map(|cpu| cpu.isolated),
        Some(false),
        "sysfs's empty list wins over the command line"
    );
    assert_eq!(machine, inventory(&tree));
}

#[test]
fn a_folder_does_not_lead_outside() {
    let outside = tempfile::tempdir().unwrap();
    fs::write(outside.path().join("secret"), "1\n").unwrap();
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir_all(folder.path().join("proc/inner")).unwrap();
    fs::write(folder.path().join("proc/inner/file"), "2\n").unwrap();
    std::os::unix::fs::symlink(outside.path().join("secret"), folder.path().join("proc/link"))
        .unwrap();
    std::os::unix::fs::symlink("inner/file", folder.path().join("proc/within")).unwrap();
    let root = Folder::open(folder.path()).unwrap();
    assert!(root.read("/proc/link").is_err());
    assert!(root.read("/../secret").is_err());
    assert!(root.read("/proc/inner").is_err());
    assert_eq!(root.read("/proc/within").unwrap(), b"2\n");
    assert_eq!(root.read("/proc/none").unwrap_err().kind(), io::ErrorKind::NotFound);
    assert_eq!(root.link("/proc/within").unwrap(), "inner/file");
}

/// A recorded machine, captured and scrubbed, with what it must give.
fn recorded(name: &str) -> Machine {
    let machines = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines");
    let folder = machines.join(name);
    let machine = inventory(&Folder::open(&folder.join("tree")).unwrap());
    let text = serde_json::to_string_pretty(&machine).unwrap() + "\n";
    let file = folder.join("expected.json");
    if fs::read_to_string(&file).unwrap_or_default() != text {
        fs::write(&file, text).unwrap();
        panic!("updated {name}/expected.json; look at the change and run again");
    }
    machine
}

/// Two CPUs of an EPYC.
#[test]
fn the_recorded_guest_is_as_recorded() {
    let machine = recorded("epyc-guest");
    assert_eq!(
        (machine.topology.cpus.len(), machine.text("cpu.microarchitecture")),
        (2, Some("Zen 5"))
    );
    assert_eq!(machine.text("virtual.hypervisor"), Some("KVM"));
}

/// QEMU 7.2 with an NVMe drive and a network card on node 1 (pxb-pcie), and an HMAT: a memory-side cache before node 0, and a
/// node without CPUs that is slower than the others.
#[test]
fn devices_and_memory_are_on_their_nodes() {
    let machine = recorded("qemu-far-devices");
    let near: Vec<(DeviceKind, Option<u32>, bool)> = machine
        .topology
        .devices
        .iter()
        .filter(|d| d.node.is_some())
        .map(|d| (d.kind, d.node, d.link.is_some()))
        .collect();
    let wanted = [(DeviceKind::Nvme, Some(1), true), (DeviceKind::Network, Some(1), true)];
    assert_eq!(near, wanted);
    assert_eq!(machine.number("memory.node.0.side_cache"), Some(f64::from(64 << 20)));
    assert_eq!(machine.text("memory.nodes.without_cpus"), Some("2"));
    assert_eq!(machine.text("memory.node.2.near"), Some("1"));
    let latency = |node: u32| machine.number(&format!("memory.node.{node}.read_latency"));
    assert!(latency(2) > latency(1) && latency(1).is_some());
}

#[test]
fn this_machine_gives_facts_and_survives_its_capture() {
    let machine = inventory(&live::Live);
    assert!(!machine.topology.cpus.is_empty() && !machine.topology.usable().is_empty());
    assert!(machine.integer("memory.total").is_some());
    let copy = captured(&live::Live);
    let replay = inventory(&copy);
    // Free memory and load move between two looks; the parts and what was found out about them do not.
    let shape = |m: &Machine| {
        (m.topology.cpus.clone(), m.topology.caches.clone(), m.topology.dimms.clone())
    };
    assert_eq!(shape(&replay), shape(&machine));
    assert!(machine.facts.keys().eq(replay.facts.keys()));
}

/// By hand: `RECORD_TO=dir cargo test -p inventory --test captures -- --ignored`.
#[test]
#[ignore = "writes a capture of this machine to the folder RECORD_TO"]
fn record_this_machine() {
    let top = std::env::var("RECORD_TO").unwrap();
    write(&captured(&live::Live), Path::new(&top));
}
