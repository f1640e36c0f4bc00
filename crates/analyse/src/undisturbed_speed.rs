//! What the system takes from a pure CPU program: each way of running it against undisturbed speed, which is the kernel's pass with
//! interrupts off, round by round, so that a drift of the machine is in both.
use record::{Outcome, Reason, Record, Series, Value};
use stats::Interval;
use stats::Sample;

/// One experiment.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct UndisturbedSpeed {
    /// Index into `record.runs`.
    pub run: usize,
    /// What the others are compared with, or why there is nothing.
    pub line: Result<Way, Reason>,
    /// Every way that was run, in the order of the record.
    pub ways: Vec<Speed>,
    /// The hash of the machine code that all passes ran, as the record has it.
    pub code: Option<String>,
    /// How a guest's instructions were carried out, where there was one.
    pub accelerator: Option<String>,
}

/// One way of running a pass, by the words of its series.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Way {
    /// `host` or `guest`.
    pub system: String,
    /// `user` or `kernel`.
    pub mode: String,
    /// `on` or `off`.
    pub interrupts: String,
    /// `unbound`, `bound`, `fifo` or `isolated`.
    pub place: String,
}

/// How fast one way was.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Speed {
    /// Which.
    pub way: Way,
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
    /// What interrupts cost the kernel's own passes, where undisturbed speed was taken in the same place; where it was not, that the two
    /// are not told apart. Full sentences.
    pub fn says(&self) -> Vec<String> {
        let Ok(line) = &self.line else { return vec![] };
        let on = |s: &&Speed| {
            (s.way.system.as_str(), s.way.mode.as_str(), s.way.interrupts.as_str())
                == ("host", "kernel", "on")
        };
        let known = self.ways.iter().filter(on).filter_map(|s| Some((s, s.slowdown?)));
        let (same, other): (Vec<_>, Vec<_>) = known.partition(|(s, _)| s.way.place == line.place);
        let worded = |(s, (slower, interval)): &(&Speed, (f64, Option<Interval>))| {
            let ends = interval.map_or(String::new(), |i| {
                format!(" ({:.2} to {:.2} %)", 100.0 * i.low, 100.0 * i.high)
            });
            format!("with interrupts on, {}, {:.2} % more{ends}", s.way.place, 100.0 * slower)
        };
        if let Some(found) = same.first() {
            // Nobody is moved while interrupts are off.
            let what = match line.place.as_str() {
                "unbound" => "interrupts and migrations cost together",
                _ => "interrupts cost, and what runs in them",
            };
            return vec![format!(
                "In the kernel a pass takes {} than with them off in the same place: that is what {what}.",
                worded(found)
            )];
        }
        let told = other.iter().map(|found| {
            format!(
                "In the kernel a pass takes {} than with them off, {}: place and interrupts differ at once, so what each of them costs cannot be divided.",
                worded(found),
                line.place
            )
        });
        told.collect()
    }
}

/// How sure intervals are.
const CONFIDENCE: f64 = 0.95;

impl Way {
    fn of(series: &Series) -> Option<Way> {
        let word = |name: &str| series.at.get(name).and_then(Value::text).map(str::to_owned);
        Some(Way {
            system: word("system")?,
            mode: word("mode")?,
            interrupts: word("interrupts")?,
            place: word("place")?,
        })
    }
}

/// Every experiment of the record that was measured.
pub(crate) fn undisturbed_speed(record: &Record) -> Vec<UndisturbedSpeed> {
    let runs = record.runs.iter().enumerate().filter(|(_, r)| r.case.probe == "undisturbed_speed");
    runs.filter_map(|(run, r)| match &r.outcome {
        Outcome::Measured(series) => of(run, series),
        _ => None,
    })
    .collect()
}

fn of(run: usize, series: &[Series]) -> Option<UndisturbedSpeed> {
    let mut ways = vec![];
    for time in series.iter().filter(|s| s.metric == "pass_time") {
        let way = Way::of(time)?;
        let sample = Sample::new(&time.samples)?;
        let beside = |metric: &str| {
            series.iter().find(|s| s.metric == metric && Way::of(s).as_ref() == Some(&way))
        };
        ways.push(Speed {
            passes: time.samples.clone(),
            median: sample.median(),
            interval: interval(&sample),
            mean: sample.mean(),
            slowdown: None,
            preemptions: beside("preemptions").map(|s| s.samples.iter().sum()),
            off: beside("interrupts_off")
                .and_then(|s| Sample::new(&s.samples).map(|sample| sample.max())),
            way,
        });
    }
    let line = line(&ways);
    let text = |name: &str| {
        series.iter().find_map(|s| s.at.get(name).and_then(Value::text)).map(str::to_owned)
    };
    let accelerator = text("accelerator");
    let emulated = accelerator.as_deref() == Some("tcg");
    if let Ok(line) = &line {
        let base = ways.iter().find(|s| s.way == *line).map(|s| s.passes.clone());
        for speed in &mut ways {
            let shown = speed.way != *line && !(emulated && speed.way.system == "guest");
            speed.slowdown =
                base.as_deref().filter(|_| shown).and_then(|base| slowdown(&speed.passes, base));
        }
    }
    let code = series.iter().find_map(|s| s.variant.clone());
    (!ways.is_empty()).then_some(UndisturbedSpeed { run, line, ways, code, accelerator })
}

/// The kernel's pass with interrupts off on this machine: bound if it was run, else in another place.
fn line(ways: &[Speed]) -> Result<Way, Reason> {
    let off = |place: &str| {
        ways.iter().map(|s| &s.way).find(|w| {
            (w.system.as_str(), w.mode.as_str(), w.interrupts.as_str()) == ("host", "kernel", "off")
                && w.place == place
        })
    };
    let found = ["bound", "unbound", "fifo", "isolated"].into_iter().find_map(off);
    found.cloned().ok_or_else(|| {
        Reason::mended_by(
            "undisturbed speed is not known: it takes the kernel module to run with interrupts off",
            "cpulens noise --kmod, as root, on a machine for tests",
        )
    })
}

/// Of each round one time over the other: whatever slowed a whole round is in both.
fn slowdown(passes: &[f64], base: &[f64]) -> Option<(f64, Option<Interval>)> {
    let ratios: Vec<f64> = passes
        .iter()
        .zip(base)
        .filter(|(_, base)| **base > 0.0)
        .map(|(pass, base)| pass / base - 1.0)
        .collect();
    let sample = Sample::new(&ratios)?;
    Some((sample.median(), interval(&sample)))
}

fn interval(sample: &Sample<'_>) -> Option<Interval> {
    sample.median_interval(CONFIDENCE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Better, Unit};

    fn time(system: &str, mode: &str, interrupts: &str, place: &str, samples: &[f64]) -> Series {
        let mut series = Series::new("pass_time", Unit::Seconds, Better::Lower)
            .at("system", system)
            .at("mode", mode)
            .at("interrupts", interrupts)
            .at("place", place);
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
        let found = of(0, &all).unwrap();
        assert_eq!(found.line.unwrap().place, "bound");
        let (slower, interval) = found.ways[0].slowdown.unwrap();
        let interval = interval.unwrap();
        assert!((slower - 0.05).abs() < 1e-9 && interval.high - interval.low < 1e-9);
        assert!(found.ways[2].slowdown.is_none(), "undisturbed speed is what it is");
        assert!(found.ways[0].interval.unwrap().high > 0.17);
        assert_eq!(found.code.as_deref(), Some("fnv1a:1"));
    }

    /// Two changes at once are not divided; the same place tells what interrupts cost.
    #[test]
    fn interrupts_cost_what_they_take_in_the_same_place() {
        let off = time("host", "kernel", "off", "unbound", &[0.1; 6]);
        let bound = time("host", "kernel", "on", "bound", &[0.1066; 6]);
        let unbound = time("host", "kernel", "on", "unbound", &[0.11; 6]);
        let apart = of(0, &[off.clone(), bound.clone()]).unwrap().says().join("");
        assert!(apart.contains("6.60 % more") && apart.contains("cannot be divided"), "{apart}");
        let same = of(0, &[off, bound, unbound]).unwrap().says();
        assert!(same.len() == 1 && same[0].contains("10.00 % more"), "{same:?}");
        assert!(same[0].contains("what interrupts and migrations cost together"));
    }

    #[test]
    fn without_interrupts_off_there_is_no_line_speed_and_an_emulated_guest_has_no_slowdown() {
        let user = [time("host", "user", "on", "bound", &[0.1; 6])];
        let found = of(0, &user).unwrap();
        assert!(found.line.unwrap_err().remedy.unwrap().contains("--kmod"));
        assert!(found.ways[0].slowdown.is_none());
        let with = |accelerator: &str| {
            let all = [
                time("host", "kernel", "off", "bound", &[0.1; 6]),
                time("guest", "user", "on", "bound", &[0.4; 6]).at("accelerator", accelerator),
            ];
            of(0, &all).unwrap().ways[1].slowdown
        };
        assert!(with("tcg").is_none());
        assert!((with("kvm").unwrap().0 - 3.0).abs() < 1e-9);
        assert!(of(0, &[]).is_none());
    }
}
