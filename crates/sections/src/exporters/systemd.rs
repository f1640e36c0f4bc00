//! systemd: a drop-in for each instance of a template unit.
//!
//! `CPUAffinity` and `NUMAPolicy` are inherited by all that the service starts. After writing them: `systemctl daemon-reload`.
//! Source: systemd.exec(5); NUMAPolicy and NUMAMask since version 243.
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::Reason;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "systemd, one drop-in for each instance of NAME@.service",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    let mut lines = vec![];
    for (index, instance) in placement.instances.iter().enumerate() {
        lines.push(format!("# /etc/systemd/system/NAME@{index}.service.d/placement.conf"));
        lines.push("[Service]".into());
        lines.push(format!("CPUAffinity={}", instance.cpus));
        if !instance.nodes.is_empty() {
            let policy = if instance.nodes.len() == 1 { "bind" } else { "interleave" };
            lines.push(format!("NUMAPolicy={policy}"));
            lines.push(format!("NUMAMask={}", instance.nodes));
        }
    }
    Ok(lines)
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    use crate::exporter::tests::{after, cpus, nodes};
    assert_eq!(after(lines, "CPUAffinity="), cpus(placement));
    assert_eq!(after(lines, "NUMAMask="), nodes(placement));
}
