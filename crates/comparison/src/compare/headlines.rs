//! Headlines: the faster machine at each subject, by how much, how sure and why.
use super::groups::{self, Mean};
use super::subject::{self, Subject, SubjectKind};
use super::{Against, BAND, Cell, Comparison, Grade, Incomparable, Row, Standing, Verdict};
use crate::incomparable::MEMORY;
use record::{Metric, Sort, Value};
use stats::Interval;
use std::collections::{BTreeMap, BTreeSet};

/// A subject that at least two records have values of.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Headline {
    /// Its subject.
    pub subject: Subject,
    /// One for each record; nothing for the baseline, and where there is no ratio.
    pub sides: Vec<Option<Ahead>>,
    /// Its rows.
    #[serde(skip)]
    pub rows: Vec<usize>,
}

/// A record against the baseline at one subject.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Ahead {
    /// The ratio, as the geometric mean over the rows: above 1 this record is ahead.
    pub times: f64,
    /// The least of a row.
    pub low: f64,
    /// The most of a row.
    pub high: f64,
    /// Rows.
    pub rows: usize,
    /// 95 % interval of `times`: by which rows there are, and by how far all of them may be off from run to run; nothing for
    /// single figures and among more than 32 records.
    pub interval: Option<Interval>,
    /// The probability that the record is truly on this side of the baseline, from 0.5 to 1.
    pub confidence: Option<f64>,
    /// How sure it is, in classes.
    pub sure: Sure,
    /// Reasons that lower the confidence.
    pub lowered: Vec<Lowered>,
    /// Instructions per cycle over the baseline's, of the rows where both are known.
    pub ipc: Option<f64>,
}

impl Ahead {
    /// Whether something differs by more than noise: all of it, or single rows.
    pub fn differs(&self) -> bool {
        matches!(self.sure, Sure::Significant | Sure::Mixed)
    }
}

record::named! {
    /// How sure a headline is.
    #[derive(serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Sure {
        /// The interval is beyond 1 and the mean beyond the band. Without an interval: most rows differ by more than noise,
        /// none of them the other way.
        Significant = "significant",
        /// Single figures: their spread is not known.
        NoSpread = "no_spread",
        /// Rows differ by more than noise, and not as a whole.
        Mixed = "mixed",
        /// No row differs by more than noise.
        WithinNoise = "within_noise",
    }

    /// A reason that lowers the confidence of a headline.
    #[derive(serde::Serialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Lowered {
        /// The environment check of a record failed.
        Environment = "environment",
        /// Operating systems.
        System = "system",
        /// Compilers or flags.
        Compiler = "compiler",
        /// The connection of clients to the server.
        Transport = "transport",
        /// Sizes of base pages.
        BasePage = "base_page",
        /// A guest beside bare metal.
        Host = "host",
        /// Cores or CPUs.
        Cpus = "cpus",
        /// A test of memory whose buffer partly fits the last-level cache of either.
        Footprint = "footprint",
    }
}

/// One headline for each subject: the surest and largest difference first.
pub(super) fn headlines(of: &Comparison) -> Vec<Headline> {
    let mut by_subject: BTreeMap<Subject, Vec<usize>> = BTreeMap::new();
    for (index, row) in of.rows.iter().enumerate() {
        let Some(subject) = subject::of(row) else { continue };
        let rows = by_subject.entry(subject).or_default();
        // Queries and transactions, time and rate of one run are one observation.
        let same = |other: &Row| {
            (other.quantity.probe, &other.quantity.at) == (row.quantity.probe, &row.quantity.at)
        };
        if !rows.iter().any(|other| same(&of.rows[*other])) {
            rows.push(index);
        }
    }
    let counted: Vec<&Row> =
        of.rows.iter().filter(|row| row.quantity.metric == Metric::Ipc).collect();
    let failed = |side: usize| of.sides[side].environment == record::Environment::Fail;
    let mut all: Vec<Headline> = by_subject
        .into_iter()
        .flat_map(|(subject, mut rows)| {
            // What sums up runs is news where a record has none.
            let has = |row: usize, side: usize| of.rows[row].cells[side].is_some();
            let runs: Vec<usize> =
                rows.iter().copied().filter(|row| !sums_up(&of.rows[*row])).collect();
            let alone =
                |row: usize, side: usize| has(row, side) && !runs.iter().any(|run| has(*run, side));
            rows.retain(|row| {
                runs.contains(row) || (0..of.sides.len()).any(|side| alone(*row, side))
            });
            let sets = shared(of, &rows);
            let later: Vec<usize> = sets.iter().skip(1).flat_map(|set| set.rows.clone()).collect();
            let headline = |(number, set): (usize, Shared)| {
                let ahead = |side| {
                    if !set.sides.contains(&side) {
                        return None;
                    }
                    let mut found = ahead(of, &set.rows, &counted, side)?;
                    if failed(side) || failed(of.baseline) {
                        found.lowered.insert(0, Lowered::Environment);
                    }
                    let partly =
                        |side: usize| of.sides[side].footprint.is_some_and(|over| over < MEMORY);
                    if of_memory(&subject) && (partly(side) || partly(of.baseline)) {
                        found.lowered.push(Lowered::Footprint);
                    }
                    Some(found)
                };
                let sides = (0..of.sides.len()).map(ahead).collect();
                let rest = || rows.iter().copied().filter(|row| !later.contains(row)).collect();
                let rows = if number == 0 { rest() } else { set.rows.clone() };
                Headline { subject: subject.clone(), sides, rows }
            };
            sets.into_iter().enumerate().map(headline).collect::<Vec<_>>()
        })
        .filter(|h| h.sides.iter().any(Option::is_some))
        .collect();
    let rank = |h: &Headline| {
        let sides = h.sides.iter().flatten();
        let sure = sides.clone().map(|a| a.sure).min().unwrap_or(Sure::WithinNoise);
        // What the system takes differs by any factor and decides little.
        let last = matches!(h.subject.kind, SubjectKind::System | SubjectKind::Loaded);
        let effect = sides.map(|a| a.times.ln().abs()).fold(0.0, f64::max);
        (sure >= Sure::Mixed, last, -effect)
    };
    all.order_by(|a, b| {
        let (x, y) = (rank(a), rank(b));
        (x.0, x.1).cmp(&(y.0, y.1)).then(x.2.total_cmp(&y.2))
    });
    all
}

/// Whether it is bandwidth of memory: latencies over sizes say themselves what answered.
fn of_memory(subject: &Subject) -> bool {
    use SubjectKind::{Bandwidth, CoreBandwidth, FarBandwidth, NearBandwidth};
    matches!(subject.kind, Bandwidth | CoreBandwidth | NearBandwidth | FarBandwidth)
}

/// Rows that each of some records has a ratio of.
struct Shared {
    sides: Vec<usize>,
    rows: Vec<usize>,
}

/// Records by the rows that all of them have, so that the means beside each other are of the same: first those that have the
/// row that most have. Each record is in one set, and each row in one at most.
fn shared(of: &Comparison, rows: &[usize]) -> Vec<Shared> {
    let has = |row: usize, side: usize| like(&of.rows[row], side).is_some();
    let any = |side: &usize| rows.iter().any(|row| has(*row, *side));
    let mut open: Vec<usize> = of.others().filter(any).collect();
    let mut sets = vec![];
    while !open.is_empty() {
        let holders = |row: &usize| open.iter().filter(|side| has(*row, **side)).count();
        let Some(most) = rows.iter().copied().rev().max_by_key(holders) else { break };
        let (sides, others): (Vec<usize>, Vec<usize>) =
            open.iter().copied().partition(|side| has(most, *side));
        let all = |row: &usize| sides.iter().all(|side| has(*row, *side));
        sets.push(Shared { rows: rows.iter().copied().filter(all).collect(), sides });
        open = others;
    }
    sets
}

/// The ratio of a row, if both values are of one thing. What is unlike about the records as a whole lowers the confidence only.
pub(super) fn like(row: &Row, side: usize) -> Option<&Against> {
    row.against(side).filter(|a| a.unlike.iter().all(|u| u.grade() < Grade::Unclaimed))
}

/// How far a record is ahead, by the rows of a subject, with the ratio of IPC where it was counted beside them.
fn ahead(of: &Comparison, rows: &[usize], counted: &[&Row], side: usize) -> Option<Ahead> {
    let mut found: Vec<(f64, Verdict)> = vec![];
    let mut errors = vec![];
    let mut lowered = BTreeSet::new();
    let mut ipc = vec![];
    let rows = rows.iter().filter_map(|i| of.rows.get(*i)).filter(|row| like(row, side).is_some());
    let rows: Vec<&Row> = rows.collect();
    // What sums up runs counts where there are none.
    let runs = rows.iter().any(|row| !sums_up(row));
    for row in rows.into_iter().filter(|row| !runs || !sums_up(row)) {
        let Some(against) = like(row, side) else { continue };
        let Some(times) = groups::times(against.ratio, row.quantity.better) else {
            continue;
        };
        found.push((times, against.verdict));
        let claimed = against.verdict != Verdict::Unclaimed;
        errors.extend(groups::error(row, side, of.baseline).filter(|_| claimed));
        lowered.extend(against.unlike.iter().filter_map(lowers));
        ipc.extend(ipc_of(counted, row, side).map(f64::ln));
    }
    lowered.extend(of.unlike[side].iter().filter_map(lowers));
    if found.is_empty() {
        return None;
    }
    let logs: Vec<f64> = found.iter().map(|(times, _)| times.ln()).collect();
    let Mean { times, interval, confidence } = Mean::of(&logs, &errors, of.sides.len());
    // The spread of single figures is not that of runs.
    let interval = interval.filter(|_| !errors.is_empty());
    Some(Ahead {
        times,
        low: found.iter().map(|(t, _)| *t).fold(f64::INFINITY, f64::min),
        high: found.iter().map(|(t, _)| *t).fold(0.0, f64::max),
        rows: found.len(),
        interval,
        confidence,
        sure: sure(&found, times, interval),
        lowered: lowered.into_iter().collect(),
        ipc: (!ipc.is_empty()).then(|| (ipc.iter().sum::<f64>() / ipc.len() as f64).exp()),
    })
}

/// The verdict on a mean with this interval over these rows.
fn sure(rows: &[(f64, Verdict)], times: f64, interval: Option<Interval>) -> Sure {
    let count = |verdict| rows.iter().filter(|(_, v)| *v == verdict).count();
    let (better, worse) = (count(Verdict::Better), count(Verdict::Worse));
    let differ = better + worse;
    let outside = !(1.0 / (1.0 + BAND)..=1.0 + BAND).contains(&times);
    let whole = match interval {
        Some(i) => i.low > 1.0 || i.high < 1.0,
        None => better.min(worse) == 0 && differ > 0 && 2 * differ >= rows.len(),
    };
    match differ + count(Verdict::Same) + count(Verdict::Unclear) {
        0 => Sure::NoSpread,
        _ if whole && outside => Sure::Significant,
        _ if differ > 0 => Sure::Mixed,
        _ => Sure::WithinNoise,
    }
}

pub(super) fn sums_up(row: &Row) -> bool {
    let kind = row.quantity.at.get("kind").and_then(Value::text);
    matches!(kind, Some("summary" | "restated")) || row.quantity.metric == Metric::Score
}

/// The ratio of IPC that was counted beside a row.
fn ipc_of(counted: &[&Row], row: &Row, side: usize) -> Option<f64> {
    let q = &row.quantity;
    let beside = counted.iter().find(|c| (c.quantity.probe, &c.quantity.at) == (q.probe, &q.at))?;
    Some(like(beside, side)?.ratio).filter(|x| *x > 0.0)
}

fn lowers(unlike: &Incomparable) -> Option<Lowered> {
    Some(match unlike {
        Incomparable::Software(name, ..) => match name.as_str() {
            "os" => Lowered::System,
            "transport" => Lowered::Transport,
            _ => Lowered::Compiler,
        },
        Incomparable::BasePage(..) => Lowered::BasePage,
        Incomparable::Host(..) => Lowered::Host,
        Incomparable::Threads(..) => Lowered::Cpus,
        _ => return None,
    })
}

/// Pairings of values that are not compared, by why, the most frequent first. What is unlike about records as a whole is said of
/// them.
pub(super) fn not_compared(of: &Comparison) -> Vec<(&'static str, usize)> {
    let cells = of.rows.iter().flat_map(|row| row.cells.iter().flatten());
    let why = record::counts(cells.filter_map(|cell| obstacle(cell).map(|unlike| unlike.key())));
    let mut why: Vec<_> = why.into_iter().collect();
    why.order_by_key(|(key, count)| (std::cmp::Reverse(*count), *key));
    why
}

/// The difference between a value and the baseline's that forbids any claim.
pub(super) fn obstacle(cell: &Cell) -> Option<&Incomparable> {
    match &cell.standing {
        Standing::Refused(unlike) => Some(unlike),
        Standing::Compared(against) => {
            against.unlike.iter().find(|unlike| unlike.grade() >= Grade::Unclaimed)
        }
        Standing::Baseline | Standing::Alone => None,
    }
}
