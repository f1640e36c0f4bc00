//! numactl: CPUs and memory of one process and all it starts.
//!
//! One node is bound (`--membind`: pages come from there or not at all), several are interleaved. Source: numactl(8).
use crate::exporter::{Exporter, numactl};
use analyse::place::Placement;
use record::Reason;

/// In front of each command.
pub static EXPORTER: Exporter = Exporter {
    title: "numactl, in front of each command",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    Ok(placement.instances.iter().map(|i| format!("{} COMMAND", numactl(i))).collect())
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::{after, cpus, nodes};
    assert_eq!(after(lines, "--physcpubind="), cpus(placement));
    let bound = [after(lines, "--membind="), after(lines, "--interleave=")].concat();
    let mut known = nodes(placement);
    known.sort_by_key(|n| n.len() > 1);
    assert_eq!(bound, known);
}
