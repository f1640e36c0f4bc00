//! numactl: CPUs and memory of one process and all it starts.
//!
//! One node is bound (`--membind`: pages come from there or not at all), several are interleaved. Source: numactl(8).
use crate::exporter::{Exporter, numactl};
use analyse::place::Placement;
use record::Reason;

/// See the file's header.
#[derive(Debug)]
pub struct Numactl;

impl Exporter for Numactl {
    fn title(&self) -> &'static str {
        "numactl, in front of each command"
    }
    fn lines(&self, placement: &Placement) -> Result<Vec<String>, Reason> {
        Ok(placement.instances.iter().map(|i| format!("{} COMMAND", numactl(i))).collect())
    }
    #[cfg(test)]
    fn read_back(&self, placement: &Placement, lines: &[String]) {
        use crate::exporter::tests::{after, cpus, nodes};
        assert_eq!(after(lines, "--physcpubind="), cpus(placement));
        let bound = [after(lines, "--membind="), after(lines, "--interleave=")].concat();
        let mut known = nodes(placement);
        known.sort_by_key(|n| n.len() > 1);
        assert_eq!(bound, known);
    }
}
