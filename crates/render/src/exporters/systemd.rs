//! systemd: a drop-in for each instance of a template unit.
//!
//! `CPUAffinity` and `NUMAPolicy` are inherited by all that the service starts. After writing them: `systemctl daemon-reload`.
//! Source: systemd.exec(5); NUMAPolicy and NUMAMask since version 243.
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::Reason;

/// See the file's header.
#[derive(Debug)]
pub struct Systemd;

impl Exporter for Systemd {
    fn title(&self) -> &'static str {
        "systemd, one drop-in for each instance of NAME@.service"
    }
    fn lines(&self, placement: &Placement) -> Result<Vec<String>, Reason> {
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
    fn read_back(&self, placement: &Placement, lines: &[String]) {
        use crate::exporter::tests::{after, cpus, nodes};
        assert_eq!(after(lines, "CPUAffinity="), cpus(placement));
        assert_eq!(after(lines, "NUMAMask="), nodes(placement));
    }
}
