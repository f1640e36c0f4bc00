//! taskset: CPUs only.
//!
//! Memory is where it is first touched, so it is near as long as a program does not outgrow its node. Source: taskset(1).
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::Reason;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "taskset, where there is no numactl; memory is not bound by it",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    let line = |i: &analyse::place::Instance| format!("taskset --cpu-list {} COMMAND", i.cpus);
    Ok(placement.instances.iter().map(line).collect())
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::{after, cpus};
    assert_eq!(after(lines, "--cpu-list "), cpus(placement));
}
