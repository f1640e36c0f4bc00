//! OS noise: the CPU that loses most time, and to which source.
use crate::noise::{CpuDetours, Noise, NoiseResult, NoiseSource};
use crate::say;
use crate::words::percent;
use estimates::report::Report;
use record::{Between, Text};

/// Any machine with a timer tick loses less than this share: there is nothing to act on.
const NEGLIGIBLE: f64 = 0.005;

/// The CPU that loses most, its main source, and the CPU that loses least.
pub(super) fn os_noise(report: &Report<'_>) -> Option<Text> {
    sentence(report.get::<NoiseResult>().0.as_ref()?)
}

fn sentence(noise: &Noise) -> Option<Text> {
    let bound = || noise.cpus.iter().filter(|w| w.binding == "bound" && w.cpu.is_some());
    let by_share = |a: &&CpuDetours, b: &&CpuDetours| a.share.total_cmp(&b.share);
    let (most, least) = (bound().max_by(by_share)?, bound().min_by(by_share)?);
    let (cpu, quietest) = (most.cpu?, least.cpu?);
    if most.share < NEGLIGIBLE {
        return Some(say::noise_negligible(percent(most.share)));
    }
    let first = most.parts.first()?;
    let noise = say::noise(cpu, percent(most.share), first.by.name(), percent(first.share));
    let task = most.culprit.as_ref().filter(|_| first.by == NoiseSource::Preemption);
    let task = task.map(|task| say::noise_task(&task.name, percent(task.share)));
    let most = Text::list(std::iter::once(noise).chain(task), Between::Comma);
    let least = (quietest != cpu).then(|| say::noise_least(quietest, percent(least.share)));
    Some(say::sentence(Text::list(std::iter::once(most).chain(least), Between::Semicolon)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::{Culprit, Part};

    fn watched(cpu: u32, share: f64) -> CpuDetours {
        let parts = vec![Part { by: NoiseSource::Preemption, seconds: share, share, times: 1.0 }];
        let (binding, lengths) = ("bound".to_owned(), None);
        CpuDetours {
            estimate: 0,
            binding,
            cpu: Some(cpu),
            per_second: 250.0,
            lengths,
            longest: None,
            share,
            parts,
            culprit: Some(Culprit { name: "rtburn".into(), share: 0.2 }),
        }
    }

    #[test]
    fn the_worst_cpu_is_named_with_its_main_source() {
        let noise = Noise { cpus: vec![watched(0, 0.002), watched(1, 0.21)], ..Noise::default() };
        let text = sentence(&noise).unwrap();
        assert!(text.starts_with("OS noise: CPU 1 loses 21 %"), "{text}");
        assert!(
            text.contains("mostly to preemption (21 %), of which rtburn had 20 %; CPU 0"),
            "{text}"
        );
    }

    #[test]
    fn negligible_noise_is_one_sentence() {
        let noise = Noise { cpus: vec![watched(0, 0.001)], ..Noise::default() };
        assert!(sentence(&noise).unwrap().contains("at most 0.10 %"));
        assert_eq!(sentence(&Noise::default()), None);
    }
}
