//! One machine against limits: what a monitoring system asks for. Faults that have a name say it.
use crate::headline::{Headline, across, headlines, without_plateau};
use crate::profile::{Limit, Profile};
use crate::say;
use analyse::{Report, Verdict, Verdicts, diagnosis};
use estimates::analyses::judgement::{self, Cause};
use record::seconds_since_1970;
use record::{Better, Environment, Machine, Outcome, Record, Sort, Text};
use serde::Serialize;

/// Exit states of monitoring plug-ins, the gravest last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Status {
    /// Every limit is kept.
    Ok,
    /// It could not be determined.
    Unknown,
    /// A limit of a warning is passed, or a fault costs speed.
    Warning,
    /// A critical limit is passed.
    Critical,
}

impl Status {
    /// The exit status (Monitoring Plugins Development Guidelines, "Plugin Return Codes").
    pub fn code(self) -> u8 {
        match self {
            Status::Ok => 0,
            Status::Warning => 1,
            Status::Critical => 2,
            Status::Unknown => 3,
        }
    }
}

/// A machine against limits.
#[derive(Debug, Clone, Serialize)]
pub struct Check {
    /// The gravest of all below.
    pub status: Status,
    /// The source of the limits.
    pub against: Option<Text>,
    /// When it began, as UTC in RFC 3339.
    pub started: Option<String>,
    /// When it ended, in seconds since 1970.
    pub ended: Option<f64>,
    /// Each figure, in the order in which they were measured.
    pub results: Vec<Checked>,
    /// Faults other than figures beyond their limits, the gravest first.
    pub faults: Vec<Fault>,
    /// Latencies that were looked for on their curve and not found, as of a cache that neighbours fill.
    pub missing: Vec<String>,
}

impl Check {
    /// The check of a machine of which nothing could be measured.
    pub fn unknown(why: &str) -> Check {
        let status = Status::Unknown;
        let faults = vec![Fault::new("failed", status, why)];
        let (results, missing) = (vec![], vec![]);
        Check { status, against: None, started: None, ended: None, results, faults, missing }
    }
}

/// A figure and its limit.
#[derive(Debug, Clone, Serialize)]
pub struct Checked {
    /// The figure.
    #[serde(flatten)]
    pub headline: Headline,
    /// Its limit; nothing where the profile has none.
    pub limit: Option<Limit>,
    /// The reason why it has no limit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_limit: Option<Text>,
    /// The state by its limit.
    pub status: Status,
}

/// Something wrong that has a name.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fault {
    /// A rule's id, a figure's name, or `unfinished`, `unfit`, `failed`.
    pub name: String,
    /// The state that it causes.
    pub status: Status,
    /// The fault, as a sentence.
    pub why: Text,
}

impl Fault {
    fn new(name: &str, status: Status, why: impl Into<Text>) -> Fault {
        Fault { name: name.into(), status, why: why.into() }
    }
}

/// Rules whose finding is a fault of a machine, whatever runs on it. `cpulens explain RULE` says what each looks at.
const FAULTS: [&str; 9] = [
    "channels_unbalanced",
    "cpu_quota",
    "dimm_below_rating",
    "frequency_below_boost",
    "governor_slows",
    "heat_throttles",
    "power_capped",
    "steal_time",
    "thp_never",
];

/// The fault of an environment that failed its check, unless a rule names it.
const UNFIT: &str = "unfit";

/// Whether a profile may ignore a fault of this name.
pub(crate) fn is_fault(name: &str) -> bool {
    FAULTS.contains(&name) || name == UNFIT || GROWING.iter().any(|(_, f, ..)| *f == name)
}

/// What says how many there were.
type Said = fn(u64) -> Text;

/// Counts of which any more during the check is a fault: the fact, the fault, how grave it is, and what it counts.
const GROWING: [(&str, &str, Status, Said); 4] = [
    ("cpu.throttle.core", "heat_throttles", Status::Warning, say::throttle_cores),
    ("cpu.throttle.package", "heat_throttles", Status::Warning, say::throttle_packages),
    ("memory.errors.corrected", "memory_errors", Status::Warning, say::errors_corrected),
    ("memory.errors.uncorrected", "memory_errors", Status::Critical, say::errors_uncorrected),
];

/// Seconds after which a check measures no more; it plans for fewer.
const SECONDS: f64 = 18.0;
/// Prefix of the facts that hold a count again at the end of a check.
const AFTER: &str = "after.";

/// Keeps the counts that a later inventory of the same machine has, beside those of the record.
pub fn keep_counts_after(machine: &mut Machine, later: &Machine) {
    for (fact, ..) in GROWING {
        if let Some(known) = later.facts.get(fact) {
            machine.facts.insert(format!("{AFTER}{fact}"), known.clone());
        }
    }
}

/// Checks a record against these limits.
pub fn check(report: &Report<'_>, profile: &Profile) -> Check {
    let record = report.record;
    let mut faults = faults(report);
    faults.retain(|fault| !profile.ignore.contains(&fault.name));
    // What others slowed down says nothing of the machine.
    let unfit = faults.iter().any(|f| f.status == Status::Unknown);
    let headlines = headlines(report);
    faults.extend(profile.limits.iter().filter_map(|limit| unmeasured(limit, &headlines, profile)));
    if unfinished(record).is_none() {
        faults.extend(incomplete(report).or_else(|| time_over(report)));
    }
    if headlines.is_empty() && faults.is_empty() {
        let why = say::CHECK_EMPTY;
        faults.push(Fault::new("empty", Status::Unknown, why));
    }
    let checked = |headline: Headline| {
        let limit = profile.limit(&headline.name).cloned();
        let status = limit.as_ref().map_or(Status::Ok, |limit| limit.status(headline.value));
        let status = if unfit && status != Status::Ok { Status::Unknown } else { status };
        let judged = limit.is_some() || headline.better == Better::Neither;
        let no_limit = (!judged)
            .then(|| profile.without.get(&headline.name).unwrap_or(&profile.otherwise).clone());
        Checked { headline, limit, no_limit, status }
    };
    let results: Vec<Checked> = headlines.into_iter().map(checked).collect();
    faults.order_by(|a, b| b.status.cmp(&a.status).then_with(|| a.name.cmp(&b.name)));
    let all = results.iter().map(|r| r.status).chain(faults.iter().map(|f| f.status));
    let made = &record.provenance;
    let began = made.started.as_deref().and_then(seconds_since_1970);
    Check {
        status: all.max().unwrap_or(Status::Unknown),
        against: profile.title.clone(),
        started: made.started.clone(),
        ended: began.map(|s| s as f64 + made.took),
        results,
        faults,
        missing: without_plateau(report),
    }
}

/// A limit whose figure was not measured. Of figures of the two placements of vCPUs one is enough if it has a limit, too.
fn unmeasured(limit: &Limit, headlines: &[Headline], profile: &Profile) -> Option<Fault> {
    let name = &limit.metric;
    if headlines.iter().any(|h| h.name == *name) {
        return None;
    }
    let (across_caches, has_limit) =
        (across(name), |h: &Headline| profile.limit(&h.name).is_some());
    let other = headlines.iter().find(|h| h.name == across_caches || across(&h.name) == *name);
    let why = match other {
        Some(other) if has_limit(other) => return None,
        Some(other) if other.name == across_caches => {
            say::check_limit_across_caches(name, across_caches)
        }
        _ => say::check_limit_unmeasured(name),
    };
    Some(Fault::new(name, Status::Unknown, why))
}

impl Limit {
    /// The state of a value by this limit.
    fn status(&self, value: f64) -> Status {
        let beyond = |min: Option<f64>, max: Option<f64>| {
            min.is_some_and(|min| value < min) || max.is_some_and(|max| value > max)
        };
        if !value.is_finite() {
            Status::Unknown
        } else if beyond(self.critical_min, self.critical_max) {
            Status::Critical
        } else if beyond(self.warn_min, self.warn_max) {
            Status::Warning
        } else {
            Status::Ok
        }
    }
}

/// Cases that should have been measured and were not. What a machine cannot do, such as pairs of CPUs of one, is skipped.
fn incomplete(report: &Report<'_>) -> Option<Fault> {
    let missing = report.record.runs.iter().filter_map(|r| match &r.outcome {
        Outcome::Failed(why) | Outcome::NotReached(why) => Some((&r.case, why)),
        Outcome::Measured(_) | Outcome::Skipped(_) => None,
    });
    let missing: Vec<_> = missing.collect();
    let (case, reason) = missing.first()?;
    let (count, of) = (missing.len(), report.record.runs.len());
    let why = say::check_incomplete(count, of, case.label(), &reason.why);
    Some(Fault::new("incomplete", Status::Unknown, why))
}

/// Figures that are missing since the time was over.
fn time_over(report: &Report<'_>) -> Option<Fault> {
    let missing = without_plateau(report);
    if report.record.provenance.took < SECONDS || missing.is_empty() {
        return None;
    }
    let why = say::check_time_over(missing.join(", "));
    Some(Fault::new("incomplete", Status::Unknown, why))
}

/// That a run did not end: the judgement is written when it does.
pub(crate) fn unfinished(record: &Record) -> Option<Text> {
    let runs = &record.runs;
    let count = |what: fn(&Outcome) -> bool| runs.iter().filter(|r| what(&r.outcome)).count();
    let missing = count(|o| matches!(o, Outcome::NotReached(_)));
    (record.judgement.is_none() && missing > 0).then(|| {
        let measured = count(|o| matches!(o, Outcome::Measured(_)));
        say::check_unfinished(measured, runs.len())
    })
}

fn faults(report: &Report<'_>) -> Vec<Fault> {
    let record = report.record;
    let mut faults = vec![];
    if let Some(why) = unfinished(record) {
        return vec![Fault::new("unfinished", Status::Unknown, why)];
    }
    let verdicts = report.get::<Verdicts>();
    for (rule, verdict) in verdicts.iter() {
        if let Verdict::Fires { finding, .. } = verdict
            && FAULTS.contains(&rule)
            && diagnosis::own_note(rule, finding, verdicts).is_none()
        {
            faults.push(Fault::new(rule, Status::Warning, finding.claim.clone()));
        }
    }
    for (fact, name, status, said) in GROWING {
        let after = record.machine.integer(&format!("{AFTER}{fact}"));
        let more = record.machine.integer(fact).zip(after).map(|(b, a)| a.saturating_sub(b));
        if let Some(more) = more.filter(|more| *more > 0) {
            faults.push(Fault::new(name, status, said(more)));
        }
    }
    let warnings = judgement::warnings(report);
    if let Some(gravest) = warnings.into_iter().find(|w| w.environment == Environment::Fail) {
        let (name, status) = match gravest.cause {
            Cause::Steal { .. } => ("steal_time", Status::Critical),
            _ => (UNFIT, Status::Unknown),
        };
        faults.retain(|f| f.name != name);
        faults.push(Fault::new(name, status, gravest.why));
    }
    faults
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::headline::{ACROSS, tests::put_across_caches};

    /// A run sees its vCPUs in one placement, and a profile of many runs has limits for both.
    #[test]
    fn a_limit_for_either_placement_is_enough() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let mut record = record::from_slice(&std::fs::read(path).unwrap()).unwrap();
        let faults = |record: &record::Record, limits: &[&str]| -> Vec<String> {
            let limit = |name: &&str| Limit {
                metric: (*name).into(),
                warn_min: Some(1.0),
                ..Limit::default()
            };
            let limits = limits.iter().map(limit).collect();
            let check = check(&Report::new(record), &Profile { limits, ..Profile::default() });
            check.faults.into_iter().map(|fault| fault.name).collect()
        };
        let (near, far) = ("read_bandwidth", format!("read_bandwidth{ACROSS}"));
        assert_eq!(faults(&record, &[near, &far]), Vec::<String>::new());
        assert_eq!(faults(&record, &[&far]), [&*far]);
        assert_eq!(
            faults(&record, &[near, "triad_bandwidth.across_l3"]),
            ["triad_bandwidth.across_l3"]
        );
        put_across_caches(&mut record);
        assert_eq!(faults(&record, &[near, &far]), Vec::<String>::new());
        assert_eq!(faults(&record, &[near]), [near]);
    }
}
