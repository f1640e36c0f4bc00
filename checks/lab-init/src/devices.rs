//! Facts of devices, of memory as firmware states it, and of CXL memory, as the kernel shows them: one line each.
use std::{fs, path::Path};

/// A line, from the file names below a folder.
struct Fact {
    folder: &'static str,
    /// The prefix of the names that are read.
    prefix: &'static str,
    line: fn(&str, &Path) -> Option<String>,
}

const FACTS: [Fact; 6] = [
    Fact { folder: "/sys/bus/pci/devices", prefix: "", line: device },
    Fact { folder: "/sys/devices/system/node", prefix: "node", line: performance },
    Fact { folder: "/sys/devices/system/node", prefix: "node", line: cache },
    Fact { folder: "/sys/devices/virtual/memory_tiering", prefix: "memory_tier", line: tier },
    Fact { folder: "/sys/bus/cxl/devices", prefix: "mem", line: expander },
    Fact { folder: "/sys/bus/cxl/devices", prefix: "decoder0.", line: window },
];

pub(crate) fn facts() -> Vec<String> {
    let mut all = vec![];
    for Fact { folder, prefix, line } in FACTS {
        for name in names(Path::new(folder)).iter().filter(|name| name.starts_with(prefix)) {
            all.extend(line(name, &Path::new(folder).join(name)).map(|line| line + "\n"));
        }
    }
    all
}

fn names(folder: &Path) -> Vec<String> {
    let all = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut names: Vec<String> = all.filter_map(|e| e.file_name().into_string().ok()).collect();
    names.sort_unstable();
    names
}

fn word(file: &Path) -> String {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.split_whitespace().next().unwrap_or("-").to_owned()
}

/// Speed and width of a link.
fn link(dir: &Path, which: &str) -> String {
    let [speed, width] = ["speed", "width"].map(|of| word(&dir.join(format!("{which}_link_{of}"))));
    format!("{speed}x{width}")
}

/// A network or NVMe device, or CXL memory; its link, the most that it and that the port above it can have; the number of its
/// message-signalled interrupts.
fn device(address: &str, dir: &Path) -> Option<String> {
    let class = word(&dir.join("class"));
    let meant = ["0x02", "0x0108", "0x0502"].iter().any(|kind| class.starts_with(kind));
    let port = fs::canonicalize(dir).ok()?.parent()?.to_owned();
    let (node, interrupts) = (word(&dir.join("numa_node")), names(&dir.join("msi_irqs")).len());
    let (now, most, above) = (link(dir, "current"), link(dir, "max"), link(&port, "max"));
    meant.then(|| {
        format!("pci {address} node {node} link {now} of {most} at {above} interrupts {interrupts}")
    })
}

/// The nearest nodes with CPUs, nanoseconds and MiB/s of reading from there.
fn performance(node: &str, dir: &Path) -> Option<String> {
    let dir = dir.join("access1/initiators");
    let all = names(&dir);
    let near: Vec<&str> = all.iter().filter_map(|name| name.strip_prefix("node")).collect();
    let [latency, bandwidth] =
        ["latency", "bandwidth"].map(|of| word(&dir.join(format!("read_{of}"))));
    let near = Some(near.join(",")).filter(|list| !list.is_empty())?;
    Some(format!("memory of {node} near {near} {latency} ns {bandwidth} MiB/s"))
}

fn cache(node: &str, dir: &Path) -> Option<String> {
    let dir = dir.join("memory_side_cache/index1");
    let [size, indexing] = ["size", "indexing"].map(|file| word(&dir.join(file)));
    dir.is_dir().then(|| format!("memory of {node} cache {size} indexing {indexing}"))
}

fn tier(name: &str, dir: &Path) -> Option<String> {
    Some(format!("memory {name} nodes {}", word(&dir.join("nodelist"))))
}

/// Sizes of volatile and persistent CXL memory.
fn expander(name: &str, dir: &Path) -> Option<String> {
    let [ram, pmem] = ["ram", "pmem"].map(|kind| word(&dir.join(kind).join("size")));
    Some(format!("memory {name} ram {ram} pmem {pmem}"))
}

fn window(name: &str, dir: &Path) -> Option<String> {
    Some(format!("window {name} {}", word(&dir.join("size"))))
}
