//! OS noise: the share of each CPU's time that detours take, by source, and the time that a fixed work quantum (FWQ) takes
//! beyond its undisturbed time.
mod attribute;
mod fixed_work;
mod routes;

pub use attribute::{NoiseSource, Part};
pub use fixed_work::{FixedWorkOverhead, overhead};
pub use routes::{Route, routes, spared};

use attribute::{Context, Limit, attribute};
use estimates::analysis::{Analysis, Entry};
use estimates::{facts, report::Report};
use record::{CpuSet, Detours, ProbeId, Record, Sort, param};
use std::collections::BTreeMap;

/// Everything about noise in a record; empty where nothing was watched.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Noise {
    /// One for each CPU and binding.
    pub cpus: Vec<CpuDetours>,
    /// One for each CPU, binding and kind of work.
    pub works: Vec<CpuFixedWork>,
    /// CPUs by what was taken of them with a thread bound to each, the best to pin work to first; nothing unless two or more
    /// were watched.
    pub ranked: Vec<u32>,
    /// Interrupts of devices while detours were watched: number, and how many a second each CPU took.
    pub irqs: BTreeMap<String, BTreeMap<u32, f64>>,
    /// The CPUs that serve the interrupts of devices, watched or not; empty where that is not known.
    pub routes: Vec<Route>,
    /// Usable CPUs that no device's interrupts go to; nothing where no route is known.
    pub spared: Option<CpuSet>,
    /// Share of the time in which a task of the machine waited for a CPU while detours were watched, those that watched included;
    /// nothing where the kernel does not say.
    pub pressure: Option<f64>,
    /// The same of a guest's CPUs, where one was asked; these are in none of the others.
    pub guest: Option<Guest>,
    /// The mitigations at work, by name, in the kernel's words; empty where none is known.
    pub mitigations: Vec<(String, String)>,
}

/// A guest of this machine, whose threads did the same.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Guest {
    /// `kvm`, or `tcg` for one that was emulated, whose figures mean nothing.
    pub accelerator: String,
    /// One for each of its CPUs.
    pub cpus: Vec<CpuDetours>,
    /// One for each of its CPUs and kind of work.
    pub works: Vec<CpuFixedWork>,
}

/// One thread that watched for detours.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CpuDetours {
    /// Index into `Report::estimates`.
    pub estimate: usize,
    /// `bound`, `unbound`, `fifo`.
    pub binding: String,
    /// The CPU; nothing of a thread that could be moved.
    pub cpu: Option<u32>,
    /// Detours a second.
    pub per_second: f64,
    /// Lengths of detours in seconds: median, 99 and 99.9 of a hundred; nothing without detours.
    pub lengths: Option<[f64; 3]>,
    /// The longest, in seconds.
    pub longest: Option<f64>,
    /// Share of the time that detours took.
    pub share: f64,
    /// The sources; together they are `share`.
    pub parts: Vec<Part>,
    /// The task that had most of the CPU meanwhile, where the kernel says and it explains the preemption.
    pub culprit: Option<Culprit>,
}

/// Another task that ran.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Culprit {
    /// The name of its program.
    pub name: String,
    /// Share of the time meanwhile.
    pub share: f64,
}

/// One thread that repeated a piece of work.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CpuFixedWork {
    /// Index into `Report::estimates`.
    pub estimate: usize,
    /// `bound`, `unbound`, `fifo`.
    pub binding: String,
    /// The CPU; nothing of a thread that could be moved.
    pub cpu: Option<u32>,
    /// `prime`, `l1`, `l2`, `memory`.
    pub quantum: String,
    /// The cost of these quanta beyond the undisturbed speed.
    pub overhead: FixedWorkOverhead,
}

impl Noise {
    /// Interrupts of devices a second of each CPU while a thread bound to it watched for detours; nothing where none did.
    pub fn device_interrupts(&self) -> Option<BTreeMap<u32, f64>> {
        let bound = self.cpus.iter().filter(|w| w.binding == "bound").filter_map(|w| w.cpu);
        let of = |cpu: u32| self.irqs.values().filter_map(|cpus| cpus.get(&cpu)).sum::<f64>();
        let rates: BTreeMap<u32, f64> = bound.map(|cpu| (cpu, of(cpu))).collect();
        (!rates.is_empty()).then_some(rates)
    }
}

/// The noise of a record; `None` where it was not measured.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
#[serde(transparent)]
pub struct NoiseResult(pub Option<Noise>);

pub static ANALYSIS: Entry = Entry::of::<NoiseResult>();

impl Analysis for NoiseResult {
    const TITLE: &str = "What takes CPUs away from programs, and by whom; nothing where neither detours nor costs were measured.";
    const ORDER: u16 = 180;
    fn compute(report: &Report<'_>) -> Self {
        let record = report.record;
        let mut noise = Noise::default();
        for (index, e) in report.own().iter().enumerate() {
            if !matches!(e.probe, ProbeId::NoiseDetours | ProbeId::NoiseFwq) {
                continue;
            }
            let (Some(series), Some(run)) = (report.series(e), record.runs.get(e.run)) else {
                continue;
            };
            let binding = run.case.get(param::BINDING).unwrap_or("bound").to_owned();
            let cpu = param::CPU.of(&series.at);
            let of_guest = param::SYSTEM.of(&series.at) == Some("guest");
            let into = of_guest.then(|| {
                let guest = noise.guest.get_or_insert_default();
                let accelerator = param::ACCELERATOR.of(&series.at);
                guest.accelerator = accelerator.unwrap_or_default().to_owned();
                (&mut guest.cpus, &mut guest.works)
            });
            let (cpus, works) = into.unwrap_or((&mut noise.cpus, &mut noise.works));
            if let Some(detours) = series.detours.as_deref().filter(|detours| detours.watched > 0.0)
            {
                let reading = |name: &str| run.reading(name).map(|r| r.value);
                let duty = param::DUTY.of(&run.case.params).unwrap_or(1.0);
                let around = Context {
                    guest: of_guest || facts::hypervisor(&record.machine).is_some(),
                    realtime: (binding == "fifo")
                        .then(|| reading("realtime.runtime").zip(reading("realtime.period")))
                        .flatten()
                        .and_then(|(runtime, period)| Limit::of(runtime, period, duty)),
                };
                let waited = detours
                    .counters
                    .get("pressure.cpu")
                    .filter(|_| binding == "bound" && !of_guest);
                // All threads of a case see the same of the machine.
                noise.pressure = noise.pressure.or(waited.map(|s| s / detours.elapsed.max(1e-9)));
                cpus.push(watched(index, &binding, cpu, detours, &around));
                let of = cpu.filter(|_| binding == "bound" && !of_guest).map(|cpu| (cpu, detours));
                of.into_iter().for_each(|(cpu, detours)| irqs(cpu, detours, &mut noise.irqs));
            }
            if let Some(overhead) = series.fixed_work.as_deref().and_then(overhead) {
                let quantum = run.case.get(param::QUANTUM).unwrap_or_default().to_owned();
                works.push(CpuFixedWork { estimate: index, binding, cpu, quantum, overhead });
            }
        }
        let none = noise.cpus.is_empty() && noise.works.is_empty() && noise.guest.is_none();
        let kernel =
            |r: &record::Run| r.case.probe == ProbeId::KernelOps && r.outcome.why().is_none();
        if none && !record.runs.iter().any(kernel) {
            return NoiseResult(None);
        }
        noise.ranked = ranked(&noise.cpus);
        noise.routes = routes(&record.machine);
        noise.spared = spared(&record.machine, &noise.routes);
        noise.mitigations = mitigations(record);
        NoiseResult(Some(noise))
    }
}

/// Of what preemption took: a task with less of it does not explain it.
const FAIR_PART: f64 = 0.2;

fn watched(
    estimate: usize,
    binding: &str,
    cpu: Option<u32>,
    detours: &Detours,
    around: &Context,
) -> CpuDetours {
    let at = |share| detours.lengths.quantile(share);
    // A bucket's middle may lie beyond the longest detour in it.
    let most = detours.longest.unwrap_or(f64::INFINITY);
    let lengths = at(0.5).zip(at(0.99)).zip(at(0.999)).map(|((a, b), c)| [a, b, c]);
    let parts = attribute(detours, around);
    let preempted = parts.iter().find(|p| p.by == NoiseSource::Preemption).map_or(0.0, |p| p.share);
    CpuDetours {
        estimate,
        binding: binding.to_owned(),
        cpu,
        culprit: culprit(detours, preempted),
        per_second: detours.count as f64 / detours.watched,
        lengths: lengths.map(|all| all.map(|l| l.min(most))),
        longest: detours.longest,
        share: detours.total / detours.watched,
        parts,
    }
}

/// The task that ran most, where it had a fair part of this share that tasks preempted for. One that moved between CPUs counts
/// whole where it was last.
fn culprit(detours: &Detours, preempted: f64) -> Option<Culprit> {
    let task = detours.tasks.first()?;
    let share = task.seconds / detours.elapsed.max(1e-9);
    (share >= preempted * FAIR_PART)
        .then(|| Culprit { name: task.name.clone(), share: share.min(preempted) })
}

fn irqs(cpu: u32, detours: &Detours, all: &mut BTreeMap<String, BTreeMap<u32, f64>>) {
    for (name, count) in &detours.counters {
        if let Some(irq) = name.strip_prefix("irq.").filter(|_| *count > 0.0) {
            let rate = count / detours.elapsed.max(1e-9);
            all.entry(irq.to_owned()).or_default().insert(cpu, rate);
        }
    }
}

/// CPUs by the share that detours took with a thread bound to each; alike ones by the number of detours.
fn ranked(cpus: &[CpuDetours]) -> Vec<u32> {
    let mut all: Vec<&CpuDetours> =
        cpus.iter().filter(|w| w.binding == "bound" && w.cpu.is_some()).collect();
    all.order_by(|a, b| {
        (a.share, a.per_second)
            .partial_cmp(&(b.share, b.per_second))
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    let mut ids: Vec<u32> = all.iter().filter_map(|w| w.cpu).collect();
    let distinct: CpuSet = ids.iter().copied().collect();
    if distinct.len() < 2 || distinct.len() < ids.len() {
        // One CPU is no choice; what was watched twice is not one ranking.
        ids.clear();
    }
    ids
}

/// The kernel's status of each vulnerability, but for those that this processor does not have.
fn mitigations(record: &Record) -> Vec<(String, String)> {
    let facts = record.machine.facts.keys().filter_map(|name| {
        let short = name.strip_prefix("kernel.mitigations.")?;
        let says = record.machine.text(name)?;
        (says != "Not affected").then(|| (short.to_owned(), says.to_owned()))
    });
    facts.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Cause, Histogram, Metric, Series, Unit};

    fn series(cpu: u32, share: f64) -> Series {
        let mut lengths = Histogram::new(16);
        (0..1000).for_each(|_| lengths.add(4e-6));
        let octaves = [(11, (1000, share))].into();
        let detours = Detours {
            watched: 1.0,
            elapsed: 1.0,
            count: 1000,
            total: share,
            longest: Some(4.001e-6),
            lengths,
            causes: vec![Cause {
                looked: true,
                moved: vec!["timer".into()],
                octaves,
                ..Cause::default()
            }],
            counters: [
                ("irq.24".into(), 50.0 * f64::from(cpu)),
                ("interrupts.timer".into(), 900.0),
            ]
            .into(),
            ..Detours::default()
        };
        let lost = Series::new(Metric::Lost, Unit::Ratio, Better::Lower).at(param::CPU, cpu);
        Series { samples: vec![share], detours: Some(Box::new(detours)), ..lost }
    }

    #[test]
    fn every_cpu_is_listed_and_the_quietest_comes_first() {
        let mut record = example::empty();
        let all = vec![series(0, 0.02), series(1, 0.004), series(2, 0.01)];
        example::measured(&mut record, "noise_detours", &[("binding", "bound")], all);
        record.machine.set("kernel.mitigations.meltdown", "Mitigation: PTI", "test");
        record.machine.set("kernel.mitigations.l1tf", "Not affected", "test");
        let found = NoiseResult::compute(&Report::new(&record)).0.unwrap();
        assert_eq!(found.ranked, [1, 2, 0]);
        assert_eq!(found.cpus.len(), 3);
        assert!((found.cpus[0].share - 0.02).abs() < 1e-12);
        let devices = found.device_interrupts().unwrap();
        assert_eq!(devices, BTreeMap::from([(0, 0.0), (1, 50.0), (2, 100.0)]));
        assert_eq!(found.irqs["24"], BTreeMap::from([(1, 50.0), (2, 100.0)]));
        assert_eq!(found.mitigations, [("meltdown".into(), "Mitigation: PTI".into())]);
        let [median, _, most] = found.cpus[1].lengths.unwrap();
        assert!((median / 4e-6 - 1.0).abs() < 0.05 && most <= 4.001e-6);
    }

    #[test]
    fn a_guests_cpus_are_separate_from_its_hosts() {
        let mut record = example::empty();
        example::measured(
            &mut record,
            "noise_detours",
            &[],
            vec![series(0, 0.02), series(1, 0.01)],
        );
        let guest = |cpu| series(cpu, 0.3).at(param::SYSTEM, "guest").at(param::ACCELERATOR, "kvm");
        let asked = [("binding", "bound"), ("system", "guest")];
        example::measured(&mut record, "noise_detours", &asked, vec![guest(0), guest(1)]);
        let found = NoiseResult::compute(&Report::new(&record)).0.unwrap();
        assert_eq!((found.cpus.len(), &found.ranked[..]), (2, &[1, 0][..]));
        // Its interrupts are those of devices that this machine does not have.
        assert_eq!(found.irqs["24"], BTreeMap::from([(1, 50.0)]));
        let guest = found.guest.unwrap();
        assert_eq!((guest.accelerator.as_str(), guest.cpus.len()), ("kvm", 2));
        assert!((guest.cpus[1].share - 0.3).abs() < 1e-12);
    }

    #[test]
    fn a_record_without_noise_has_none() {
        let record = example::empty();
        assert_eq!(NoiseResult::compute(&Report::new(&record)).0, None);
    }

    #[test]
    fn a_task_is_named_where_it_explains_the_preemption() {
        let of = |seconds: f64, preempted: f64| {
            let task = record::Task { name: "rtburn".into(), seconds };
            let detours = Detours { elapsed: 10.0, tasks: vec![task], ..Detours::default() };
            culprit(&detours, preempted).map(|c| c.share)
        };
        assert_eq!(of(2.0, 0.21), Some(0.2));
        assert_eq!(of(0.12, 0.36), None);
        assert_eq!(of(6.7, 0.33), Some(0.33), "a part of it was on other CPUs");
    }
}
