//! hwloc-bind: CPUs and memory by the operating system's numbers.
//!
//! Source: hwloc-bind(1), hwloc(7): `--physical` takes the numbers that Linux prints, where hwloc's own are logical.
use crate::exporter::Exporter;
use analyse::place::{Instance, Placement};
use record::Reason;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "hwloc-bind, in front of each command",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    let line = |i: &Instance| {
        let list = |what: &str, set: &record::CpuSet| -> Vec<String> {
            set.to_string().split(',').map(|range| format!("{what}:{range}")).collect()
        };
        let policy = if i.nodes.len() == 1 { "bind" } else { "interleave" };
        let memory = if i.nodes.is_empty() {
            String::new()
        } else {
            format!(" --membind {} --mempolicy {policy}", list("node", &i.nodes).join(" "))
        };
        let cpus = list("pu", &i.cpus).join(" ");
        format!("hwloc-bind --physical --cpubind {cpus}{memory} -- COMMAND")
    };
    Ok(placement.instances.iter().map(line).collect())
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::{cpus, nodes};
    let of = |what: &str| -> Vec<record::CpuSet> {
        let set = |line: &String| {
            let words = line.split(' ').filter_map(|w| w.strip_prefix(what));
            words.collect::<Vec<_>>().join(",").parse().unwrap_or_default()
        };
        lines.iter().map(set).filter(|set: &record::CpuSet| !set.is_empty()).collect()
    };
    assert_eq!(of("pu:"), cpus(placement));
    assert_eq!(of("node:"), nodes(placement));
}
