//! nginx: workers of each instance on its CPUs, by a mask whose last digit is CPU 0.
//!
//! `auto` with a mask gives each worker one of the mask's CPUs. Source: nginx.org, "Core functionality", `worker_cpu_affinity`
//! (auto with a mask since 1.9.10); its mask ends at 1024 CPUs (CPU_SETSIZE).
use crate::exporter::Exporter;
use analyse::place::Placement;
use record::{CpuSet, Reason};

/// CPU_SETSIZE of the C libraries.
const MOST: u32 = 1024;

pub(crate) static EXPORTER: Exporter = Exporter {
    title: "nginx, one configuration for each instance",
    lines,
    #[cfg(test)]
    read_back,
};

fn lines(placement: &Placement) -> Result<Vec<String>, Reason> {
    let mut lines = vec![];
    for (index, instance) in placement.instances.iter().enumerate() {
        let Some(mask) = mask(&instance.cpus) else {
            return Err(Reason::mended_by(
                format!("nginx's masks end at CPU {}", MOST - 1),
                "taskset or systemd in front of it",
            ));
        };
        lines.push(format!("# instance {index}"));
        lines.push(format!("worker_processes {};", instance.cpus.len()));
        lines.push(format!("worker_cpu_affinity auto {mask};"));
    }
    Ok(lines)
}

#[cfg(test)]
fn read_back(placement: &Placement, lines: &[String]) {
    let read: Vec<CpuSet> = lines
        .iter()
        .filter_map(|l| l.strip_prefix("worker_cpu_affinity auto ")?.strip_suffix(';'))
        .map(|bits| {
            (0..).zip(bits.chars().rev()).filter(|(_, b)| *b == '1').map(|(i, _)| i).collect()
        })
        .collect();
    assert_eq!(read, crate::exporter::tests::cpus(placement));
}

/// A digit for each CPU down to 0; nothing beyond the longest mask.
fn mask(cpus: &CpuSet) -> Option<String> {
    let last = cpus.iter().next_back().filter(|last| *last < MOST)?;
    Some((0..=last).rev().map(|id| if cpus.contains(id) { '1' } else { '0' }).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mask_reads_from_right_to_left_and_ends_somewhere() {
        assert_eq!(mask(&"0,2".parse().unwrap()).unwrap(), "101");
        assert_eq!(mask(&"1023".parse().unwrap()).unwrap().len(), 1024);
        assert_eq!(mask(&"1024".parse().unwrap()), None);
    }
}
