//! The NUMA nodes of a process's pages, to verify a memory policy.
//! Source: numa_maps of proc_pid_numa_maps(5).
use record::CpuSet;
use std::fs;

/// Share of a process's anonymous memory on these nodes; nothing without permission, which its owner and root have.
pub fn share_on_nodes(pid: u32, nodes: &CpuSet) -> Option<f64> {
    share(&fs::read_to_string(format!("/proc/{pid}/numa_maps")).ok()?, nodes)
}

fn share(maps: &str, nodes: &CpuSet) -> Option<f64> {
    let (mut there, mut all) = (0.0, 0.0);
    for line in maps.lines() {
        let of = |name: &str| -> Option<f64> {
            line.split_whitespace().find_map(|word| word.strip_prefix(name)?.parse().ok())
        };
        if of("anon=").is_none() {
            continue;
        }
        let size = of("kernelpagesize_kB=").unwrap_or(4.0);
        for word in line.split_whitespace() {
            let counted = word.strip_prefix('N').and_then(|rest| rest.split_once('='));
            let counted =
                counted.and_then(|(n, c)| Some((n.parse().ok()?, c.parse::<f64>().ok()?)));
            let Some((node, pages)) = counted else { continue };
            all += pages * size;
            if nodes.contains(node) {
                there += pages * size;
            }
        }
    }
    (all > 0.0).then(|| there / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_count_by_their_size_and_files_do_not() {
        let maps = "\
55d0 default file=/usr/sbin/mariadbd mapped=900 N1=900 kernelpagesize_kB=4
7f00 bind:0 anon=300 dirty=300 N0=200 N1=100 kernelpagesize_kB=4
7f80 bind:0 huge anon=2 dirty=2 N0=1 N2=1 kernelpagesize_kB=2048
7ff0 default stack
";
        let of = |nodes: &str| share(maps, &nodes.parse().unwrap()).unwrap();
        let all = 300.0 * 4.0 + 2.0 * 2048.0;
        assert!((of("0") - (200.0 * 4.0 + 2048.0) / all).abs() < 1e-12);
        assert!((of("1") - 400.0 / all).abs() < 1e-12);
        assert!((of("0-2") - 1.0).abs() < 1e-12 && of("7") == 0.0);
        assert_eq!(share("", &CpuSet::default()), None);
        assert_eq!(share("7f00 default file=/x mapped=3 N0=3", &CpuSet::default()), None);
    }

    #[test]
    fn all_of_our_memory_is_somewhere() {
        let everywhere: CpuSet = (0..1024).collect();
        let nowhere = CpuSet::default();
        let own = std::process::id();
        // A kernel without NUMA has no such file.
        if let Some(share) = share_on_nodes(own, &everywhere) {
            assert_eq!((share, share_on_nodes(own, &nowhere)), (1.0, Some(0.0)));
        }
        assert_eq!(share_on_nodes(u32::MAX, &everywhere), None);
    }
}
