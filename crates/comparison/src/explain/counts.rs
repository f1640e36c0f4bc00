//! Counters of a run, if they are of the program alone and fit into its time. Counts of a whole machine are nobody's.
use crate::facts::{CLOCK_BASE, CLOCK_MAX};
use crate::program::{Claim, Identity, Program, Target, check};
use record::{Metric, Outcome, Reason, Record, Run, Unit, param};

/// Cycles and instructions of one unit of work: a run of a command.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Counts {
    pub(super) cycles: f64,
    pub(super) instructions: f64,
    /// The least share of the time for which one of them was counted.
    pub(super) share: f64,
    /// CPU seconds that they are of; nothing where nobody wrote them down.
    pub(super) cpu: Option<f64>,
    pub(super) elapsed: f64,
}

/// The begin of a reason that forbids more than its own factor.
const DECLINED: &str = "its counters are not its own: ";

/// The counters of a run that counts one program, or why they cannot be used.
pub(super) fn counts(
    record: &Record,
    run: &Run,
    program: Option<&Program<'_>>,
) -> Result<Counts, Reason> {
    match (run.case.probe.as_str(), program) {
        ("stat", Some(program)) => of_stat(program),
        ("perf_stat", _) => of_perf(record, run),
        _ => Err(scope(run).unwrap_or_else(|| {
            Reason::mended_by(
                "its cycles and instructions were not counted",
                "count it: cpulens stat -- COMMAND, or perf stat",
            )
        })),
    }
}

/// The reason why nothing at all may be concluded, where that is so.
pub(super) fn declined(counts: &Result<Counts, Reason>) -> Option<Reason> {
    counts.as_ref().err().filter(|r| r.why.starts_with(DECLINED)).cloned()
}

/// Whether a run's counters are of its program alone; nobody counted it: `false`.
///
/// # Errors
/// They are of others too, and how that shows.
pub fn own_counts(
    record: &Record,
    run: &Run,
    program: Option<&Program<'_>>,
) -> Result<bool, String> {
    let found = counts(record, run, program);
    match declined(&found) {
        Some(why) => Err(why.why.trim_start_matches(DECLINED).to_owned()),
        None => Ok(found.is_ok()),
    }
}

fn not_its_own(why: impl std::fmt::Display) -> Reason {
    Reason::mended_by(
        format!("{DECLINED}{why}"),
        "count the program alone: cpulens stat -- COMMAND, or perf stat without -a and -C",
    )
}

/// The reason why the scope of the counts forbids their use.
fn scope(run: &Run) -> Option<Reason> {
    Some(not_its_own(match run.case.get(param::SCOPE)? {
        "system" => "they are of all CPUs (system-wide), whatever ran on them",
        "cpu" => "they are of some CPUs, whatever ran on them",
        "unknown" => "the output does not say whether a program or all CPUs were counted",
        _ => return None,
    }))
}

fn of_stat(program: &Program<'_>) -> Result<Counts, Reason> {
    if program.target == Target::Cpus {
        return Err(not_its_own("they are of some CPUs, whatever ran on them"));
    }
    if let Identity::Impossible(why) = &program.identity {
        return Err(not_its_own(why));
    }
    if program.user_only {
        return Err(Reason::mended_by(
            "only user mode was counted",
            "sysctl kernel.perf_event_paranoid=1, or run as root",
        ));
    }
    let counted = program.counted.as_ref().map_err(Clone::clone)?;
    Ok(Counts {
        cycles: counted.cycles,
        instructions: counted.instructions,
        share: counted.share,
        cpu: Some(counted.cpu),
        elapsed: program.elapsed,
    })
}

/// Counts of `perf stat`, which are scaled already. Its CPU time is that of `user` and `sys`, or `task-clock`.
fn of_perf(record: &Record, run: &Run) -> Result<Counts, Reason> {
    if let Some(why) = scope(run) {
        return Err(why);
    }
    let reading = |names: &[&str]| {
        names.iter().find_map(|n| run.readings.iter().find(|r| r.name == *n && r.coverage > 0.0))
    };
    let (Some(cycles), Some(instructions)) =
        (reading(&["cpu-cycles", "cycles"]), reading(&["instructions"]))
    else {
        return Err(Reason::mended_by(
            "cycles or instructions were not counted",
            "perf stat -e cycles,instructions,task-clock -- COMMAND",
        ));
    };
    let Outcome::Measured(all) = &run.outcome else { return Err(Reason::new("it has no time")) };
    let time = |metric: Metric| {
        let samples = &all.iter().find(|s| s.metric == metric)?.samples;
        samples.first().copied().filter(|x| x.is_finite())
    };
    let elapsed = time(Metric::Elapsed).ok_or("it has no elapsed time")?;
    let ticked = reading(&["task-clock", "cpu-clock"]).filter(|r| r.unit == Unit::Seconds);
    let both = time(Metric::User).zip(time(Metric::System)).map(|(user, system)| user + system);
    let cpu = ticked.map(|r| r.value).or(both).filter(|s| *s > 0.0);
    let machine = &record.machine;
    let claim = Claim {
        cycles: cycles.value,
        instructions: instructions.value,
        elapsed,
        cpu,
        // A program whose CPU time is stated may have had any number of threads; of another one is assumed.
        threads: cpu.map_or(1.0, |cpu| (cpu / elapsed.max(1e-9)).ceil().max(1.0)),
        advertised: [CLOCK_MAX, CLOCK_BASE].iter().find_map(|fact| machine.number(fact)),
    };
    match check(&claim) {
        Identity::Holds(_) => Ok(Counts {
            cycles: cycles.value,
            instructions: instructions.value,
            share: cycles.coverage.min(instructions.coverage),
            cpu,
            elapsed,
        }),
        Identity::Impossible(why) => Err(not_its_own(why)),
        Identity::Unknown(why) => Err(why),
    }
}

impl Counts {
    /// CPU seconds; where nobody wrote them down those of one CPU all the time, as its cycles allow.
    pub(super) fn seconds(&self) -> f64 {
        self.cpu.unwrap_or(self.elapsed)
    }
    /// `, counted for 18 % of the time` where counters were shared.
    pub(super) fn shared(&self) -> String {
        match self.share {
            s if s < 0.995 => format!(", counted for {} of the time", crate::words::percent(s)),
            _ => String::new(),
        }
    }
}
