//! cgroup v2: a group for each instance, made by root.
//!
//! Processes cannot leave a cpuset by themselves, unlike an affinity mask. `cpuset.mems` takes pages from any of its nodes,
//! nearest first. Source: Linux, Documentation/admin-guide/cgroup-v2.rst, "Cpuset".
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::Reason;

/// See the file's header.
#[derive(Debug)]
pub struct Cgroup;

impl Exporter for Cgroup {
    fn title(&self) -> &'static str {
        "cgroup v2 cpuset, as root"
    }
    fn lines(&self, placement: &Placement) -> Result<Vec<String>, Reason> {
        let mut lines = vec!["echo +cpuset > /sys/fs/cgroup/cgroup.subtree_control".to_owned()];
        for (index, instance) in placement.instances.iter().enumerate() {
            let group = format!("/sys/fs/cgroup/NAME-{index}");
            lines.push(format!("mkdir {group}"));
            lines.push(format!("echo {} > {group}/cpuset.cpus", instance.cpus));
            if !instance.nodes.is_empty() {
                lines.push(format!("echo {} > {group}/cpuset.mems", instance.nodes));
            }
            lines.push(format!("echo $PID_OF_{index} > {group}/cgroup.procs"));
        }
        Ok(lines)
    }
    #[cfg(test)]
    fn read_back(&self, placement: &Placement, lines: &[String]) {
        use crate::exporter::tests::{after, cpus, nodes};
        let with = |end: &str| -> Vec<String> {
            lines.iter().filter(|l| l.ends_with(end)).cloned().collect()
        };
        assert_eq!(after(&with("cpuset.cpus"), "echo "), cpus(placement));
        assert_eq!(after(&with("cpuset.mems"), "echo "), nodes(placement));
    }
}
