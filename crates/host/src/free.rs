//! Usable memory: the free memory of a NUMA node within the container's limit.
use crate::usage::counter;
use record::CpuSet;
use std::{fs, path::Path};

/// Bytes available without swapping: free and reclaimable memory of `node` (or of the machine), limited by MemAvailable
/// and by the memory cgroup. Use at most half of it. Nothing where the kernel does not show it.
pub fn free_on_node(node: Option<u32>) -> Option<u64> {
    free_under(Path::new("/"), node)
}

fn free_under(root: &Path, node: Option<u32>) -> Option<u64> {
    let machine = field(&read(root, "proc/meminfo")?, "MemAvailable:");
    let nodes = nodes(root);
    let own = match node {
        // With a balloon, or memory that is not plugged in, the machine's figure can exceed that of its nodes.
        None => nodes.iter().flatten().filter_map(|id| on_node(root, *id)).reduce(|a, b| a + b),
        // A kernel without NUMA shows no node.
        Some(0) if nodes.is_none() => None,
        Some(id) => Some(on_node(root, id)?),
    };
    [machine, cgroup(root), own].into_iter().flatten().min()
}

/// The nodes that are online; nothing where the kernel shows none.
fn nodes(root: &Path) -> Option<Vec<u32>> {
    let online: CpuSet = read(root, "sys/devices/system/node/online")?.parse().ok()?;
    Some(online.iter().collect())
}

/// Whether the kernel shows `node`.
pub(crate) fn node_exists(node: u32) -> bool {
    nodes(Path::new("/")).map_or(node == 0, |nodes| nodes.contains(&node))
}

/// Whether there is only one node.
pub(crate) fn single_node() -> bool {
    nodes(Path::new("/")).is_none_or(|nodes| nodes.len() == 1)
}

/// Free and reclaimable memory of the node (page cache, slabs).
fn on_node(root: &Path, node: u32) -> Option<u64> {
    let meminfo = read(root, &format!("sys/devices/system/node/node{node}/meminfo"))?;
    let part = |name| field(&meminfo, name).unwrap_or(0);
    let free = field(&meminfo, "MemFree:")?;
    Some(free + part("Active(file):") + part("Inactive(file):") + part("SReclaimable:"))
}

/// A field of meminfo in bytes. Node files write `Node 0 MemFree:  123 kB`.
fn field(meminfo: &str, name: &str) -> Option<u64> {
    meminfo.lines().find_map(|line| {
        let mut words = line.split_ascii_whitespace().skip_while(|word| *word != name).skip(1);
        words.next()?.parse::<u64>().ok()?.checked_mul(1024)
    })
}

/// The rest of the tightest limit of the memory cgroups of this process.
fn cgroup(root: &Path) -> Option<u64> {
    let own = read(root, "proc/self/cgroup")?;
    let groups = own.lines().filter_map(|line| {
        let (_, rest) = line.split_once(':')?;
        let (controllers, path) = rest.split_once(':')?;
        match controllers {
            "" => Some((Version::Two, path)),
            _ if controllers.split(',').any(|name| name == "memory") => Some((Version::One, path)),
            _ => None,
        }
    });
    groups.filter_map(|(version, path)| version.left(root, path)).min()
}

#[derive(Debug, Clone, Copy)]
enum Version {
    One,
    Two,
}

impl Version {
    fn left(self, root: &Path, path: &str) -> Option<u64> {
        let mount = match self {
            Version::One => "sys/fs/cgroup/memory",
            Version::Two => "sys/fs/cgroup",
        };
        // Limits of all ancestors apply. In a container the path may be the host's and the mount its own: then only the
        // mount point itself exists.
        let groups = Path::new(path.trim_start_matches('/')).ancestors();
        groups.filter_map(|group| self.left_in(&root.join(mount).join(group))).min()
    }
    fn left_in(self, group: &Path) -> Option<u64> {
        let number = |name: &str| read(group, name)?.trim().parse::<u64>().ok();
        // `max` is no limit.
        let (limit, usage, cache) = match self {
            Version::One => {
                (number("memory.limit_in_bytes")?, "memory.usage_in_bytes", "total_inactive_file")
            }
            Version::Two => {
                let limits = [number("memory.max"), number("memory.high")];
                (limits.into_iter().flatten().min()?, "memory.current", "inactive_file")
            }
        };
        // Cold page cache counts as usage, but is reclaimed first.
        let cold = read(group, "memory.stat").and_then(|stat| counter(&stat, cache));
        Some(limit.saturating_sub(number(usage)?.saturating_sub(cold.unwrap_or(0))))
    }
}

/// Free hugetlb pages of `size` bytes on `node`; nothing where the kernel does not show them.
pub(crate) fn reserved_on_node(node: u32, size: u64) -> Option<u64> {
    let kib = size / 1024;
    let path =
        format!("sys/devices/system/node/node{node}/hugepages/hugepages-{kib}kB/free_hugepages");
    read(Path::new("/"), &path)?.trim().parse().ok()
}

/// Size in bytes of the huge pages that `vm.nr_hugepages` counts.
pub(crate) fn default_huge_page() -> Option<u64> {
    field(&read(Path::new("/"), "proc/meminfo")?, "Hugepagesize:")
}

fn read(root: &Path, path: &str) -> Option<String> {
    fs::read_to_string(root.join(path)).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    fn machine(files: &[(&str, &str)]) -> TempDir {
        let root = tempfile::tempdir().unwrap();
        for (path, text) in files {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        root
    }

    const MEMINFO: (&str, &str) =
        ("proc/meminfo", "MemTotal: 9000 kB\nMemFree: 100 kB\nMemAvailable: 1000 kB\n");

    #[test]
    fn a_node_offers_what_it_can_reclaim_but_no_more_than_the_machine() {
        let node0 = "Node 0 MemFree: 100 kB\nNode 0 Active(file): 20 kB\nNode 0 Inactive(file): 30 kB\nNode 0 SReclaimable: 5 kB\n";
        let root = machine(&[
            MEMINFO,
            ("sys/devices/system/node/online", "0-1\n"),
            ("sys/devices/system/node/node0/meminfo", node0),
            ("sys/devices/system/node/node1/meminfo", "Node 1 MemFree: 5000 kB\n"),
        ]);
        assert_eq!(free_under(root.path(), Some(0)), Some(155 * 1024));
        assert_eq!(free_under(root.path(), Some(1)), Some(1000 * 1024));
        assert_eq!(free_under(root.path(), None), Some(1000 * 1024));
        assert_eq!(free_under(root.path(), Some(2)), None);
    }

    #[test]
    fn a_machine_has_no_more_than_its_nodes() {
        let root = machine(&[
            MEMINFO,
            ("sys/devices/system/node/online", "0,2\n"),
            ("sys/devices/system/node/node0/meminfo", "Node 0 MemFree: 100 kB\n"),
            ("sys/devices/system/node/node2/meminfo", "Node 2 MemFree: 200 kB\n"),
        ]);
        assert_eq!(free_under(root.path(), None), Some(300 * 1024));
    }

    #[test]
    fn a_kernel_without_numa_has_node_zero_only() {
        let root = machine(&[MEMINFO]);
        assert_eq!(free_under(root.path(), Some(0)), Some(1000 * 1024));
        assert_eq!(free_under(root.path(), Some(1)), None);
        assert_eq!(free_under(machine(&[]).path(), None), None);
    }

    #[test]
    fn any_cgroup_above_limits_us() {
        let group = "sys/fs/cgroup/a";
        let root = machine(&[
            MEMINFO,
            ("proc/self/cgroup", "0::/a/b\n"),
            ("sys/fs/cgroup/a/b/memory.max", "max\n"),
            ("sys/fs/cgroup/a/b/memory.current", "5000\n"),
            (&format!("{group}/memory.max"), "500000\n"),
            (&format!("{group}/memory.high"), "max\n"),
            (&format!("{group}/memory.current"), "200000\n"),
            (&format!("{group}/memory.stat"), "anon 1\ninactive_file 50000\n"),
        ]);
        assert_eq!(free_under(root.path(), None), Some(350_000));
        fs::write(root.path().join(group).join("memory.high"), "100000\n").unwrap();
        assert_eq!(free_under(root.path(), None), Some(0));
    }

    #[test]
    fn a_container_of_the_first_version_sees_its_limit_at_the_mount() {
        let root = machine(&[
            MEMINFO,
            ("proc/self/cgroup", "4:cpu,cpuacct:/docker/x\n3:memory:/docker/x\n"),
            ("sys/fs/cgroup/memory/memory.limit_in_bytes", "300000\n"),
            ("sys/fs/cgroup/memory/memory.usage_in_bytes", "100000\n"),
            ("sys/fs/cgroup/memory/memory.stat", "inactive_file 9\ntotal_inactive_file 1000\n"),
        ]);
        assert_eq!(free_under(root.path(), None), Some(201_000));
    }

    #[test]
    fn this_machine_has_some_memory() {
        assert!(free_on_node(None).unwrap() > 0);
    }
}
