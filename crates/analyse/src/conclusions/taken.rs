//! What the system takes of CPUs, and who has most of it.
use super::Known;
use crate::noise::{Noise, Watched};
use crate::words::percent;

/// Less than this share is taken of any machine that has a tick: nobody can act on it.
const LITTLE: f64 = 0.005;

/// The CPU of which most is taken, who takes it, and the CPU of which least is.
pub(super) fn taken(known: &Known<'_>) -> Option<String> {
    said(known.noise?)
}

fn said(noise: &Noise) -> Option<String> {
    let bound = || noise.cpus.iter().filter(|w| w.binding == "bound" && w.cpu.is_some());
    let by_share = |a: &&Watched, b: &&Watched| a.share.total_cmp(&b.share);
    let (most, least) = (bound().max_by(by_share)?, bound().min_by(by_share)?);
    let (cpu, quietest) = (most.cpu?, least.cpu?);
    if most.share < LITTLE {
        return Some(format!(
            "Interrupts, other tasks and the hypervisor together take at most {} of a CPU.",
            percent(most.share)
        ));
    }
    let first = most.parts.first()?;
    let mut said = format!(
        "Of CPU {cpu} {} is taken from a program that wants all of it, most by {} ({})",
        percent(most.share),
        first.by.name(),
        percent(first.share)
    );
    if quietest != cpu {
        said += &format!("; of CPU {quietest}, the least disturbed, {}", percent(least.share));
    }
    Some(said + ".")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Part, Taken};

    fn watched(cpu: u32, share: f64) -> Watched {
        let parts = vec![Part { by: Taken::Preemption, seconds: share, share, times: 1.0 }];
        let (binding, lengths) = ("bound".to_owned(), None);
        Watched {
            estimate: 0,
            binding,
            cpu: Some(cpu),
            per_second: 250.0,
            lengths,
            longest: None,
            share,
            parts,
        }
    }

    #[test]
    fn the_worst_cpu_is_named_with_who_takes_it() {
        let noise = Noise { cpus: vec![watched(0, 0.002), watched(1, 0.21)], ..Noise::default() };
        let said = said(&noise).unwrap();
        assert!(said.starts_with("Of CPU 1 21 % is taken"), "{said}");
        assert!(said.contains("most by preemption (21 %)") && said.contains("of CPU 0"), "{said}");
    }

    #[test]
    fn little_is_said_of_little() {
        let noise = Noise { cpus: vec![watched(0, 0.001)], ..Noise::default() };
        assert!(said(&noise).unwrap().contains("at most 0.1 %"));
        assert_eq!(said(&Noise::default()), None);
    }
}
