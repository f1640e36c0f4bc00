//! Counters of a run, if they are of the program alone and fit into its time. Counts of a whole machine are nobody's.
use crate::facts::{CLOCK_BASE, CLOCK_MAX};
use crate::program::{Claim, Identity, Program, Target, check};
use crate::say;
use record::{Between, Message, Metric, Outcome, Reason, Record, Run, Text, Unit, param};

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

/// Why counters cannot be used.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Unusable {
    pub(super) why: Reason,
    /// What shows that they are of others, too: that forbids more than their own factors.
    others: Option<Text>,
}

impl From<Reason> for Unusable {
    fn from(why: Reason) -> Unusable {
        Unusable { why, others: None }
    }
}

/// The counters of a run that counts one program, or why they cannot be used.
pub(super) fn counts(
    record: &Record,
    run: &Run,
    program: Option<&Program<'_>>,
) -> Result<Counts, Unusable> {
    match (run.case.probe.as_str(), program) {
        ("stat", Some(program)) => of_stat(program),
        ("perf_stat", _) => of_perf(record, run),
        _ => Err(scope(run)
            .unwrap_or_else(|| Reason::mended_by(say::FROM_NOT_COUNTED, say::FIX_COUNT_IT).into())),
    }
}

/// The reason why nothing at all may be concluded, where that is so.
pub(super) fn declined(counts: &Result<Counts, Unusable>) -> Option<Reason> {
    counts.as_ref().err().filter(|u| u.others.is_some()).map(|u| u.why.clone())
}

/// Whether a run's counters are of its program alone; nobody counted it: `false`.
///
/// # Errors
/// They are of others too, and how that shows.
pub fn own_counts(record: &Record, run: &Run, program: Option<&Program<'_>>) -> Result<bool, Text> {
    match counts(record, run, program) {
        Err(Unusable { others: Some(why), .. }) => Err(why),
        found => Ok(found.is_ok()),
    }
}

fn not_its_own(why: impl Into<Text>) -> Unusable {
    let others = why.into();
    let why = Reason::mended_by(say::not_its_own(&others), say::FIX_COUNT_ALONE);
    Unusable { why, others: Some(others) }
}

/// The reason why the scope of the counts forbids their use.
fn scope(run: &Run) -> Option<Unusable> {
    Some(not_its_own(match run.case.get(param::SCOPE)? {
        "system" => say::OF_ALL_CPUS,
        "cpu" => say::OF_SOME_CPUS,
        "unknown" => say::SCOPE_UNKNOWN,
        _ => return None,
    }))
}

fn of_stat(program: &Program<'_>) -> Result<Counts, Unusable> {
    if program.target == Target::Cpus {
        return Err(not_its_own(say::OF_SOME_CPUS));
    }
    if let Identity::Impossible(why) = &program.identity {
        return Err(not_its_own(why));
    }
    if program.user_only {
        return Err(Reason::mended_by(say::ONLY_USER, say::FIX_PARANOID).into());
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
fn of_perf(record: &Record, run: &Run) -> Result<Counts, Unusable> {
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
            say::CYCLES_OR_INSTRUCTIONS,
            "perf stat -e cycles,instructions,task-clock -- COMMAND",
        )
        .into());
    };
    let Outcome::Measured(all) = &run.outcome else { return Err(Reason::new(say::NO_TIME).into()) };
    let time = |metric: Metric| {
        let samples = &all.iter().find(|s| s.metric == metric)?.samples;
        samples.first().copied().filter(|x| x.is_finite())
    };
    let elapsed = time(Metric::Elapsed).ok_or_else(|| Reason::new(say::NO_ELAPSED))?;
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
        Identity::Unknown(why) => Err(why.into()),
    }
}

impl Counts {
    /// CPU seconds; where nobody wrote them down those of one CPU all the time, as its cycles allow.
    pub(super) fn seconds(&self) -> f64 {
        self.cpu.unwrap_or(self.elapsed)
    }
    /// The source of a count, and `counted for 18 % of the time` where counters were shared.
    pub(super) fn shared(&self, from: Message) -> Text {
        let share = Some(self.share).filter(|share| *share < 0.995);
        let share = share.map(|share| say::counted_for(crate::words::percent(share)));
        Text::list(std::iter::once(from.into()).chain(share), Between::Comma)
    }
}
