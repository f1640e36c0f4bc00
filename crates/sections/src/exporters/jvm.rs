//! Java: the JVM counts the CPUs it may use by itself; what follows for heap and allocator.
//!
//! On one node its own NUMA awareness divides a heap that is in one place, so it is switched off; over several it gives each
//! thread a near eden. Source: OpenJDK, `os::active_processor_count` (affinity and cgroups), JEP 345 (NUMA-aware G1).
use crate::exporter::{Exporter, heap_mib, numactl};
use analyse::place::Placement;
use record::Reason;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "Java, one JVM for each instance",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    let all = placement.instances.iter();
    Ok(all
        .map(|instance| {
            let numa = if instance.nodes.len() > 1 { '+' } else { '-' };
            let heap = heap_mib(instance).map_or(String::new(), |mib| format!(" -Xmx{mib}m"));
            format!("{} java -XX:{numa}UseNUMA{heap} -jar APP.jar", numactl(instance))
        })
        .collect())
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::{after, cpus};
    assert_eq!(after(lines, "--physcpubind="), cpus(placement));
    for (line, instance) in lines.iter().zip(&placement.instances) {
        assert_eq!(line.contains("+UseNUMA"), instance.nodes.len() > 1);
    }
}
