//! A machine of 1024 CPUs as a folder of files: four sockets of four nodes of 32 cores of two threads, each eight
//! cores with a cache. What `cpulens capture` would have kept of one, as far as size goes.
use std::{fmt::Write as _, path::Path};
use xtask::tree::refresh;

const SOCKETS: usize = 4;
const NODES: usize = 16;
const CORES: usize = 512;
pub(super) const CPUS: usize = 2 * CORES;

/// Writes the files below `top`.
pub(super) fn write(top: &Path) -> Result<(), String> {
    let put = |path: &str, text: &str| -> Result<(), String> {
        let file = top.join(path);
        refresh(&file, &format!("{text}\n")).map(drop)
    };
    let all = format!("0-{}", CPUS - 1);
    for file in ["sys/devices/system/cpu/present", "sys/devices/system/cpu/online"] {
        put(file, &all)?;
    }
    put("cpulens/affinity", &all)?;
    put("cpulens/auxv", "AT_PAGESZ 4096")?;
    put("cpulens/uname", "Linux\n6.1.0\n#1 SMP\nx86_64")?;
    put("proc/self/cgroup", "0::/")?;
    put("proc/loadavg", "0.00 0.00 0.00 1/2000 1234")?;
    let (mut cpuinfo, mut interrupts) = (String::new(), " ".repeat(8));
    for cpu in 0..CPUS {
        let core = cpu % CORES;
        // Both threads of the cores of the group of `size` that this one is in.
        let sharing = |size: usize| {
            let from = core / size * size;
            let (to, second) = (from + size - 1, from + CORES);
            match size {
                1 => format!("{from},{second}"),
                _ => format!("{from}-{to},{second}-{}", to + CORES),
            }
        };
        let dir = format!("sys/devices/system/cpu/cpu{cpu}");
        let package = core / (CORES / SOCKETS);
        let number = core % (CORES / SOCKETS);
        put(&format!("{dir}/topology/physical_package_id"), &package.to_string())?;
        put(&format!("{dir}/topology/core_id"), &number.to_string())?;
        put(&format!("{dir}/topology/die_id"), "0")?;
        put(&format!("{dir}/topology/core_cpus_list"), &sharing(1))?;
        put(&format!("{dir}/cpufreq/scaling_governor"), "performance")?;
        put(&format!("{dir}/cpufreq/cpuinfo_max_freq"), "3500000")?;
        let caches = [
            (1, "Data", "32K", 1),
            (1, "Instruction", "32K", 1),
            (2, "Unified", "1024K", 1),
            (3, "Unified", "32768K", 8),
        ];
        for (index, (level, kind, size, cores)) in caches.into_iter().enumerate() {
            let dir = format!("{dir}/cache/index{index}");
            put(&format!("{dir}/level"), &level.to_string())?;
            put(&format!("{dir}/type"), kind)?;
            put(&format!("{dir}/size"), size)?;
            put(&format!("{dir}/ways_of_associativity"), "8")?;
            put(&format!("{dir}/coherency_line_size"), "64")?;
            put(&format!("{dir}/shared_cpu_list"), &sharing(cores))?;
        }
        // Writing to a String does not fail. The flags of a genuine server are this long.
        let _ = write!(
            cpuinfo,
            "processor\t: {cpu}\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n\
             model name\t: AMD EPYC\nstepping\t: 1\nphysical id\t: {package}\ncore id\t\t: {number}\n\
             flags\t\t: {}\n\n",
            "fpu sse2 avx2 avx512f ".repeat(64)
        );
        let _ = write!(interrupts, " CPU{cpu}");
    }
    put("proc/cpuinfo", &cpuinfo)?;
    for line in 0..64 {
        let _ = write!(interrupts, "\n{line}: {} PCI-MSI", "1 ".repeat(CPUS));
    }
    put("proc/interrupts", &interrupts)?;
    let per_node = CORES / NODES;
    for node in 0..NODES {
        let dir = format!("sys/devices/system/node/node{node}");
        let (from, to) = (node * per_node, (node + 1) * per_node - 1);
        put(&format!("{dir}/cpulist"), &format!("{from}-{to},{}-{}", from + CORES, to + CORES))?;
        let memory = "MemTotal: 67108864 kB\nNode 0 MemFree: 60000000 kB";
        put(&format!("{dir}/meminfo"), &format!("Node {node} {memory}"))?;
        let row = (0..NODES).map(|to| if to == node { "10" } else { "20" });
        put(&format!("{dir}/distance"), &row.collect::<Vec<_>>().join(" "))?;
    }
    put(
        "proc/meminfo",
        "MemTotal: 1073741824 kB\nMemFree: 960000000 kB\nMemAvailable: 960000000 kB",
    )
}

#[cfg(test)]
mod tests {
    #[test]
    fn every_cpu_and_node_has_its_files() {
        let folder = tempfile::tempdir().unwrap();
        super::write(folder.path()).unwrap();
        let read = |path: &str| std::fs::read_to_string(folder.path().join(path)).unwrap();
        let cpu = "sys/devices/system/cpu/cpu1023";
        assert_eq!(read(&format!("{cpu}/topology/core_cpus_list")), "511,1023\n");
        assert_eq!(read(&format!("{cpu}/cache/index3/shared_cpu_list")), "504-511,1016-1023\n");
        assert_eq!(read("sys/devices/system/node/node15/cpulist"), "480-511,992-1023\n");
        assert_eq!(read("proc/cpuinfo").matches("processor").count(), super::CPUS);
    }
}
