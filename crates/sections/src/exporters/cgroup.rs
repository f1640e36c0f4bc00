//! cgroup cpusets: a group for each instance, made by root. The first line finds which version the host has.
//!
//! Processes cannot leave a cpuset by themselves, unlike an affinity mask. Version 1 takes no process before a group has both
//! CPUs and nodes. `cpuset.mems` takes pages from any of its nodes, nearest first. Source: Linux,
//! Documentation/admin-guide/cgroup-v2.rst, "Cpuset", and cgroup-v1/cpusets.rst.
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::Reason;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "cgroup cpuset of version 2 or 1, as root",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    let mut lines = vec![
        "G=/sys/fs/cgroup; if [ -e $G/cgroup.controllers ]; then echo +cpuset > $G/cgroup.subtree_control; else G=$G/cpuset; fi".to_owned(),
    ];
    for (index, instance) in placement.instances.iter().enumerate() {
        let group = format!("$G/NAME-{index}");
        lines.push(format!("mkdir {group}"));
        lines.push(format!("echo {} > {group}/cpuset.cpus", instance.cpus));
        lines.push(if instance.nodes.is_empty() {
            format!("[ ! -e $G/cpuset.mems ] || cat $G/cpuset.mems > {group}/cpuset.mems")
        } else {
            format!("echo {} > {group}/cpuset.mems", instance.nodes)
        });
        lines.push(format!("echo PID > {group}/cgroup.procs"));
    }
    Ok(lines)
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::{after, cpus, nodes};
    let with = |end: &str| -> Vec<String> {
        lines.iter().filter(|l| l.starts_with("echo ") && l.ends_with(end)).cloned().collect()
    };
    assert_eq!(after(&with("cpuset.cpus"), "echo "), cpus(placement));
    assert_eq!(after(&with("cpuset.mems"), "echo "), nodes(placement));
}
