//! taskset: CPUs only.
//!
//! Memory is where it is first touched, so it is near as long as a program does not outgrow its node. Source: taskset(1).
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::Reason;

/// See the file's header.
#[derive(Debug)]
pub struct Taskset;

impl Exporter for Taskset {
    fn title(&self) -> &'static str {
        "taskset, where there is no numactl; memory is not bound by it"
    }
    fn lines(&self, placement: &Placement) -> Result<Vec<String>, Reason> {
        let line = |i: &analyse::place::Instance| format!("taskset --cpu-list {} COMMAND", i.cpus);
        Ok(placement.instances.iter().map(line).collect())
    }
    #[cfg(test)]
    fn read_back(&self, placement: &Placement, lines: &[String]) {
        use crate::exporter::tests::{after, cpus};
        assert_eq!(after(lines, "--cpu-list "), cpus(placement));
    }
}
