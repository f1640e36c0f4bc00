//! What the system takes from a pure CPU program: each mode of running it against undisturbed speed, which is the kernel's pass with
//! interrupts off, round by round, so that a drift of the machine is in both.
use crate::analysis::{Analysis, Entry};
use crate::report::Report;
use crate::say;
use record::{
    Metric, OrWhy, ProbeId, Reason, Run, Series, Text,
    param::{self, Parameter},
};
use stats::{Interval, Sample};

/// One experiment.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UndisturbedSpeed {
    /// Index into `record.runs`.
    pub run: usize,
    /// The baseline of the slowdowns, or why there is none.
    pub baseline: Result<RunMode, Reason>,
    /// Every run mode, in the order of the record.
    pub modes: Vec<Speed>,
    /// The hash of the machine code that all passes ran, as the record has it.
    pub code: Option<String>,
    /// The accelerator of a guest, where there was one.
    pub accelerator: Option<String>,
}

/// One mode of running a pass, as its series names it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunMode {
    /// `host` or `guest`.
    pub system: String,
    /// `user` or `kernel`.
    pub mode: String,
    /// `on` or `off`.
    pub interrupts: String,
    /// `unbound`, `bound`, `fifo` or `isolated`.
    pub place: String,
}

/// The speed of one run mode.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Speed {
    /// System, mode, interrupts and place of the passes.
    pub mode: RunMode,
    /// Seconds per pass, once a round.
    pub passes: Vec<f64>,
    /// Their median in seconds.
    pub median: f64,
    /// Its 95 % interval, from six rounds on.
    pub interval: Option<Interval>,
    /// Their mean in seconds, which the source's tables are of.
    pub mean: f64,
    /// Time over that of undisturbed speed, less 1: median over rounds, with its 95 % interval. Nothing for undisturbed speed itself, and for
    /// what is emulated.
    pub slowdown: Option<(f64, Option<Interval>)>,
    /// Times that the thread was preempted, in all rounds.
    pub preemptions: Option<f64>,
    /// The longest time that interrupts were off, in seconds.
    pub off: Option<f64>,
}

impl UndisturbedSpeed {
    /// What interrupts cost the kernel's own passes. Where the baseline ran in another place, the two effects cannot be separated.
    pub fn summary(&self) -> Vec<Text> {
        let Ok(baseline) = &self.baseline else { return vec![] };
        let on = self.modes.iter().filter(|s| s.mode.is_of_kernel("on"));
        let known = on.filter_map(|s| Some((s, s.slowdown?)));
        let (same, other): (Vec<_>, Vec<_>) =
            known.partition(|(s, _)| s.mode.place == baseline.place);
        let worded = |(s, (slower, interval)): &(&Speed, (f64, Option<Interval>))| {
            let share = |x: f64| format!("{:.2}", 100.0 * x);
            let (longer, place) = (share(*slower), &s.mode.place);
            match interval {
                Some(i) => {
                    say::interrupts_on_longer_range(longer, share(i.low), share(i.high), place)
                }
                None => say::interrupts_on_longer(longer, place),
            }
        };
        // Nobody is moved while interrupts are off.
        let what = match baseline.place.as_str() {
            "unbound" => say::COST_MIGRATIONS,
            _ => say::COST_INTERRUPTS,
        };
        let together = same.first().map(|found| say::kernel_pass(worded(found), what));
        let separate =
            other.iter().map(|found| say::kernel_pass_elsewhere(worded(found), &baseline.place));
        together.into_iter().chain(separate).collect()
    }
}

impl RunMode {
    fn from_series(series: &Series) -> Option<RunMode> {
        let word = |parameter: Parameter<str>| parameter.of(&series.at).map(str::to_owned);
        Some(RunMode {
            system: word(param::SYSTEM)?,
            mode: word(param::MODE)?,
            interrupts: word(param::INTERRUPTS)?,
            place: word(param::PLACE)?,
        })
    }
    /// Whether the host's kernel ran it with interrupts `on` or `off`.
    fn is_of_kernel(&self, interrupts: &str) -> bool {
        (&*self.system, &*self.mode, &*self.interrupts) == ("host", "kernel", interrupts)
    }
}

pub static ANALYSIS: Entry = Entry::of::<Vec<UndisturbedSpeed>>();

impl Analysis for Vec<UndisturbedSpeed> {
    const TITLE: &str = "What the system takes from a pure CPU program, one for each experiment.";
    const ORDER: u16 = 160;
    /// Every experiment of the record that was measured.
    fn compute(report: &Report<'_>) -> Self {
        let cases = report.cases(ProbeId::UndisturbedSpeed);
        cases.filter_map(|(run, r)| experiment(run, r.series())).collect()
    }
}

/// What a published sieve says in the same words: what its passes took, in ticks of a time source, which cancel in every ratio. The
/// author repeated each and printed one figure.
pub fn published(report: &Report<'_>) -> Vec<UndisturbedSpeed> {
    let mut all = vec![];
    let runs = report.record.runs.iter().filter(|r| r.case.get(param::TOOL) == Some("irq_test"));
    for s in runs.flat_map(Run::series).filter(|s| s.metric == "tsc_delta") {
        let Some(interrupts) = param::IRQ_ENABLED.of(&s.at) else { continue };
        let place = if param::BOUND.of(&s.at) == Some(true) { "bound" } else { "unbound" };
        let mut time = Series::new(Metric::PassTime, s.unit, s.better)
            .at(param::SYSTEM, "host")
            .at(param::INTERRUPTS, if interrupts { "on" } else { "off" })
            .at(param::PLACE, place);
        time.at
            .extend(param::MODE.value(&s.at).map(|mode| (param::MODE.name().into(), mode.clone())));
        time.samples.clone_from(&s.samples);
        all.push(time);
    }
    experiment(0, &all).into_iter().collect()
}

fn experiment(run: usize, series: &[Series]) -> Option<UndisturbedSpeed> {
    let mut modes = vec![];
    for time in series.iter().filter(|s| s.metric == Metric::PassTime) {
        let mode = RunMode::from_series(time)?;
        let sample = Sample::new(&time.samples)?;
        let beside = |metric: Metric| {
            series
                .iter()
                .find(|s| s.metric == metric && RunMode::from_series(s).as_ref() == Some(&mode))
        };
        modes.push(Speed {
            passes: time.samples.clone(),
            median: sample.median(),
            interval: sample.median_interval(0.95),
            mean: sample.mean(),
            slowdown: None,
            preemptions: beside(Metric::Preemptions).map(|s| s.samples.iter().sum()),
            off: beside(Metric::InterruptsOff)
                .and_then(|s| Sample::new(&s.samples).map(|sample| sample.max())),
            mode,
        });
    }
    let baseline = baseline(&modes);
    let accelerator = series.iter().find_map(|s| param::ACCELERATOR.of(&s.at)).map(str::to_owned);
    let emulated = accelerator.as_deref() == Some("tcg");
    if let Ok(baseline) = &baseline {
        let base = modes.iter().find(|s| s.mode == *baseline).map(|s| s.passes.clone());
        for speed in &mut modes {
            let shown = speed.mode != *baseline && !(emulated && speed.mode.system == "guest");
            speed.slowdown =
                base.as_deref().filter(|_| shown).and_then(|base| slowdown(&speed.passes, base));
        }
    }
    let code = series.iter().find_map(|s| s.variant.clone());
    (!modes.is_empty()).then_some(UndisturbedSpeed { run, baseline, modes, code, accelerator })
}

/// The kernel's pass with interrupts off on this machine: bound if it was run, else in another place.
fn baseline(modes: &[Speed]) -> Result<RunMode, Reason> {
    let off = |place: &str| {
        modes.iter().map(|s| &s.mode).find(|m| m.is_of_kernel("off") && m.place == place)
    };
    let found = ["bound", "unbound", "fifo", "isolated"].into_iter().find_map(off);
    found.cloned().or_why(say::BASELINE_UNKNOWN, say::NOISE_KMOD)
}

/// The time of each round over that of the other program: whatever slowed a whole round is in both.
fn slowdown(passes: &[f64], base: &[f64]) -> Option<(f64, Option<Interval>)> {
    let ratios: Vec<f64> = passes
        .iter()
        .zip(base)
        .filter(|(_, base)| **base > 0.0)
        .map(|(pass, base)| pass / base - 1.0)
        .collect();
    let sample = Sample::new(&ratios)?;
    Some((sample.median(), sample.median_interval(0.95)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Better, Unit};

    fn time(system: &str, mode: &str, interrupts: &str, place: &str, samples: &[f64]) -> Series {
        let mut series = Series::new(Metric::PassTime, Unit::Seconds, Better::Lower)
            .at(param::SYSTEM, system)
            .at(param::MODE, mode)
            .at(param::INTERRUPTS, interrupts)
            .at(param::PLACE, place);
        series.samples = samples.to_vec();
        series.variant = Some("fnv1a:1".into());
        series
    }

    /// The machine slows by a tenth a round; user mode takes 5 % more in every one.
    #[test]
    fn a_drift_of_the_machine_is_no_slowdown() {
        let base: Vec<f64> = (0..10).map(|round| 0.1 + 0.01 * f64::from(round)).collect();
        let user: Vec<f64> = base.iter().map(|s| s * 1.05).collect();
        let all = [
            time("host", "user", "on", "bound", &user),
            time("host", "kernel", "off", "unbound", &user),
            time("host", "kernel", "off", "bound", &base),
        ];
        let found = experiment(0, &all).unwrap();
        assert_eq!(found.baseline.unwrap().place, "bound");
        let (slower, interval) = found.modes[0].slowdown.unwrap();
        let interval = interval.unwrap();
        assert!((slower - 0.05).abs() < 1e-9 && interval.high - interval.low < 1e-9);
        assert!(found.modes[2].slowdown.is_none(), "undisturbed speed is what it is");
        assert!(found.modes[0].interval.unwrap().high > 0.17);
        assert_eq!(found.code.as_deref(), Some("fnv1a:1"));
    }

    /// Two changes at once are not divided; the same place tells what interrupts cost.
    #[test]
    fn interrupts_cost_what_they_take_in_the_same_place() {
        let off = time("host", "kernel", "off", "unbound", &[0.1; 6]);
        let bound = time("host", "kernel", "on", "bound", &[0.1066; 6]);
        let unbound = time("host", "kernel", "on", "unbound", &[0.11; 6]);
        let apart = experiment(0, &[off.clone(), bound.clone()]).unwrap().summary().join("");
        assert!(
            apart.contains("6.60 % longer") && apart.contains("cannot be separated"),
            "{apart}"
        );
        let same = experiment(0, &[off, bound, unbound]).unwrap().summary();
        assert!(same.len() == 2 && same[0].contains("10.00 % longer"), "{same:?}");
        assert!(same[0].contains("the cost of interrupts and migrations together"));
    }

    #[test]
    fn without_interrupts_off_there_is_no_baseline_and_an_emulated_guest_has_no_slowdown() {
        let user = [time("host", "user", "on", "bound", &[0.1; 6])];
        let found = experiment(0, &user).unwrap();
        assert!(found.baseline.unwrap_err().remedy.unwrap().contains("--kmod"));
        assert!(found.modes[0].slowdown.is_none());
        let with = |accelerator: &str| {
            let all = [
                time("host", "kernel", "off", "bound", &[0.1; 6]),
                time("guest", "user", "on", "bound", &[0.4; 6]).at(param::ACCELERATOR, accelerator),
            ];
            experiment(0, &all).unwrap().modes[1].slowdown
        };
        assert!(with("tcg").is_none());
        assert!((with("kvm").unwrap().0 - 3.0).abs() < 1e-9);
        assert!(experiment(0, &[]).is_none());
    }
}
