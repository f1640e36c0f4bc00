//! MySQL and its kin: one server for each instance, and the settings that follow from where it runs.
//!
//! A buffer pool inside one node must not be interleaved over others; one that spans nodes should be, or it fills the node that
//! loads it and the other is far for everybody. Source: MySQL reference manual, `innodb_numa_interleave`,
//! `innodb_buffer_pool_size` (50 to 75 % of memory).
use crate::exporter::{Exporter, heap_mib, numactl};
use analyse::place::Placement;
use record::Reason;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "MySQL, one mysqld for each instance, each with a port, socket and datadir of its own",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    let mut lines = vec![];
    for (index, instance) in placement.instances.iter().enumerate() {
        lines.push(format!("# {} mysqld --defaults-group-suffix={index}", numactl(instance)));
        lines.push(format!("[mysqld{index}]"));
        let spans = instance.nodes.len() > 1;
        lines.push(format!("innodb_numa_interleave = {}", if spans { "ON" } else { "OFF" }));
        if let Some(mib) = heap_mib(instance) {
            lines.push(format!("innodb_buffer_pool_size = {mib}M"));
        }
        lines.push(format!(
            "thread_pool_size = {}  # where there is a thread pool",
            instance.cpus.len()
        ));
    }
    Ok(lines)
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::{after, cpus};
    assert_eq!(after(lines, "--physcpubind="), cpus(placement));
    let on = lines.iter().filter(|l| *l == "innodb_numa_interleave = ON").count();
    assert_eq!(on, placement.instances.iter().filter(|i| i.nodes.len() > 1).count());
}
