//! A judgement of measured values by what is expected of the processor: as expected, better, or what share of it.
use crate::analyses::curves::{Curve, Plateau};
use crate::analyses::mispredictions::Misprediction;
use crate::analyses::operations::Operation;
use crate::analyses::tlb::{Tlb, TlbLevel};
use crate::analysis::{Analysis, Entry};
use crate::estimate::Estimate;
pub use crate::expected::Quantity;
use crate::expected::{Expected, Microarchitecture};
use crate::report::{Report, taken_beyond};
use crate::say;
use crate::words::percent;
use record::{Better, Between, Pages, Reason, Run, Text, Unit, param};

/// Measured values beside those expected of the processor.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AsExpected {
    /// The microarchitecture, or why nothing is expected of the processor.
    pub microarchitecture: Result<String, Reason>,
    /// One for each measured value of which something is published.
    pub judgements: Vec<Judgement>,
}

pub static ANALYSIS: Entry = Entry::of::<AsExpected>();

impl Analysis for AsExpected {
    const TITLE: &str = "What was measured beside what is published of this processor.";
    const ORDER: u16 = 125;
    fn compute(report: &Report<'_>) -> Self {
        let it = match Microarchitecture::of(&report.record.machine) {
            Ok(it) => it,
            Err(why) => return AsExpected { microarchitecture: Err(why), judgements: vec![] },
        };
        let mut judgements = operations(&it, report.own(), report.get::<Vec<Operation>>());
        judgements.extend(branches(&it, report.get::<Vec<Misprediction>>(), report.own()));
        judgements.extend(latencies(&it, report.get::<Vec<Curve>>()));
        if let Some(levels) =
            report.get::<Option<Tlb>>().as_ref().and_then(|t| t.levels.as_ref().ok())
        {
            judgements.extend(reaches(&it, levels, &report.record.runs));
        }
        AsExpected { microarchitecture: Ok(it.name), judgements }
    }
}

impl AsExpected {
    /// The judgement of a quantity that was measured once.
    pub fn of(&self, quantity: &Quantity) -> Option<&Judgement> {
        self.judgements.iter().find(|j| j.quantity == *quantity)
    }
    /// In a sentence, of values with their names: those that are not as expected, then those that are; nothing if none of
    /// them can be judged.
    pub fn sentence<'a>(
        &'a self,
        named: impl IntoIterator<Item = (&'a str, Option<&'a Judgement>)>,
    ) -> Option<Text> {
        let name = self.microarchitecture.as_ref().ok()?;
        let (mut met, mut others) = (vec![], vec![]);
        for (what, judgement) in named {
            match judgement {
                Some(j) if j.verdict == Verdict::AsExpected => met.push(what),
                Some(j) => others.push(say::which_judged(what, j.words())),
                None => {}
            }
        }
        if !met.is_empty() {
            others.push(say::these_as_expected(Text::list(met, Between::Comma)));
        }
        (!others.is_empty())
            .then(|| say::beside_published(name, Text::list(others, Between::Semicolon)))
    }
    /// The judgement of an operation of a core: of its rate or of its latency.
    pub fn of_operation(&self, op: &str) -> Option<&Judgement> {
        self.of(&Quantity::Rate(op.into())).or_else(|| self.of(&Quantity::Chain(op.into())))
    }
    /// The judgement of a level of a latency curve, by its place in the list of curves.
    pub fn of_curve(&self, curve: usize, level: &str) -> Option<&Judgement> {
        let level = Quantity::CacheLatency(level.strip_prefix('L')?.parse().ok()?);
        self.judgements.iter().find(|j| j.curve == Some(curve) && j.quantity == level)
    }
}

/// The verdict on a value by the expected one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Within tolerance.
    AsExpected,
    /// Faster, or of a larger reach.
    Better,
    /// Slower, or of a smaller reach.
    Worse,
}

/// A measured value beside the expected one.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judgement {
    /// The quantity.
    pub quantity: Quantity,
    /// Index into the analysis `curves`, of a latency.
    pub curve: Option<usize>,
    /// The microarchitecture of which it is expected.
    pub microarchitecture: String,
    /// Unit of `measured`, `low` and `high`; a count is one of entries.
    pub unit: Unit,
    /// The measured value.
    pub measured: f64,
    /// The lowest that is expected.
    pub low: f64,
    /// The highest that is expected; the same where one value is published.
    pub high: f64,
    /// The publication of the expected value.
    pub source: String,
    /// Speed or reach over that of the nearest expected value: 1 within the expected range.
    pub share: f64,
    /// Whether that is within tolerance.
    pub verdict: Verdict,
}

impl Judgement {
    /// In a few words: `as expected`, `62 % of Zen 3's`, `better than expected`.
    pub fn words(&self) -> Text {
        match self.verdict {
            Verdict::AsExpected => say::AS_EXPECTED.into(),
            Verdict::Better => say::BETTER_THAN_EXPECTED.into(),
            Verdict::Worse => say::share_of_published(percent(self.share), &self.microarchitecture),
        }
    }
}

/// What a kernel's loop adds to its 64 operations is 2 instructions, 3 %, where the core has no room for them; the
/// frequency measured between samples is right to 1 or 2 %.
const RATE: f64 = 0.05;
/// A chain hides the loop: only the frequency's error remains.
const CHAIN: f64 = 0.03;
/// Lines of one set that push each other out, and the frequency: seen are 4.0 to 4.4 cycles of 4 beside neighbours.
const NEAR_CACHE: f64 = 0.1;
/// The last cache runs with a frequency of its own on many machines, and is shared.
const SHARED_CACHE: f64 = 0.2;
/// The probe's penalty includes the latency of the branch's operand: a test and up to three cycles before it.
const OPERAND: f64 = 4.0;
const BRANCH: f64 = 0.1;
/// A step of the sweep, 2 to the power of a quarter.
const STEP: f64 = 1.19;
/// Second levels lose entries little by little, by sets and to instructions: 1218 and 1448 pages were seen of 2048.
const SECOND_LEVEL: f64 = 1.7;
/// The cycles that a first-level TLB miss adds while the second level serves it: 7 to 9 on the cores that were measured.
const TLB_MISS: f64 = 9.0;
/// Bytes of a page that the kernel maps by default.
const PAGE: f64 = 4096.0;

/// A value with the ends of its interval.
#[derive(Debug, Clone, Copy)]
struct Measured {
    value: f64,
    low: f64,
    high: f64,
}

/// Nothing for what is no number. The last are the ends of what is tolerated.
fn judged(
    it: &Microarchitecture,
    (quantity, expected): (Quantity, Expected),
    Measured { value, low, high }: Measured,
    better: Better,
    (below, above): (f64, f64),
) -> Option<Judgement> {
    if !(value > 0.0 && value.is_finite()) {
        return None;
    }
    let nearest = value.clamp(expected.low, expected.high);
    let share = if better == Better::Higher { value / nearest } else { nearest / value };
    let verdict = match (high >= below, low <= above) {
        (true, true) => Verdict::AsExpected,
        (enough, _) if enough == (better == Better::Higher) => Verdict::Better,
        _ => Verdict::Worse,
    };
    Some(Judgement {
        unit: quantity.unit(),
        quantity,
        curve: None,
        microarchitecture: it.name.clone(),
        measured: value,
        low: expected.low,
        high: expected.high,
        source: expected.source,
        share,
        verdict,
    })
}

/// The operations of one core. What a compiler wrote is no measure of a core.
fn operations(
    it: &Microarchitecture,
    estimates: &[Estimate],
    operations: &[Operation],
) -> Vec<Judgement> {
    let native = |o: &&Operation| {
        let variant = estimates.get(o.estimate).and_then(|e| e.variant.as_deref());
        o.kind.is_none() && variant.is_some_and(|v| v != "portable")
    };
    operations
        .iter()
        .filter(native)
        .filter_map(|o| operation(it, estimates.get(o.estimate)?, o))
        .collect()
}

fn operation(it: &Microarchitecture, e: &Estimate, o: &Operation) -> Option<Judgement> {
    let rate = o.per_cycle.filter(|rate| *rate > 0.0)?;
    let (fast, slow) = e.ends_of_runs();
    // The same clock for both ends.
    let (low, high) = (rate * e.median / slow, rate * e.median / fast);
    let chain = Quantity::Chain(o.op.clone());
    if let Some(expected) = it.expected(&chain) {
        let measured = Measured { value: 1.0 / rate, low: 1.0 / high, high: 1.0 / low };
        let within = (expected.low * (1.0 - CHAIN), expected.high * (1.0 + CHAIN));
        return judged(it, (chain, expected), measured, Better::Lower, within);
    }
    let measured = Measured { value: rate, low, high };
    let lanes = param::LANES.of(&e.at).filter(|lanes| *lanes > 0).map(|lanes| lanes as f64);
    let quantity = Quantity::Rate(o.op.clone());
    let expected = match lanes {
        Some(lanes) => it.vectors(lanes)?,
        None => it.expected(&quantity)?,
    };
    let within = (expected.low * (1.0 - RATE), expected.high * (1.0 + RATE));
    judged(it, (quantity, expected), measured, Better::Higher, within)
}

/// The cost of mispredicted branches.
fn branches(
    it: &Microarchitecture,
    mispredictions: &[Misprediction],
    estimates: &[Estimate],
) -> Vec<Judgement> {
    let one = |m: &Misprediction| {
        let (value, expected) = (m.cycles?, it.expected(&Quantity::BranchMiss)?);
        // Half of the branches fail, so the difference's error counts twice.
        let (low, high) = estimates.get(m.random)?.ends_of_runs();
        let median = estimates.get(m.random)?.median;
        let error = |end: f64| 2.0 * (end - median) * value / m.seconds;
        let measured = Measured { value, low: value + error(low), high: value + error(high) };
        let within = (expected.low * (1.0 - BRANCH), expected.high * (1.0 + BRANCH) + OPERAND);
        judged(it, (Quantity::BranchMiss, expected), measured, Better::Lower, within)
    };
    mispredictions.iter().filter(|m| m.kind.is_none()).filter_map(one).collect()
}

/// The caches on every curve. On 4 KiB pages in random order a second or third level includes misses of the first TLB.
fn latencies(it: &Microarchitecture, curves: &[Curve]) -> Vec<Judgement> {
    let mut all = vec![];
    for (index, curve) in curves.iter().enumerate() {
        for level in &curve.levels {
            let Some(number) = level.name.strip_prefix('L').and_then(|n| n.parse().ok()) else {
                continue;
            };
            let Ok(plateau) = &level.found else { continue };
            let found = latency(it, number, curve, plateau);
            all.extend(found.map(|j| Judgement { curve: Some(index), ..j }));
        }
    }
    all
}

fn latency(it: &Microarchitecture, level: u32, curve: &Curve, p: &Plateau) -> Option<Judgement> {
    let quantity = Quantity::CacheLatency(level);
    let (value, expected) = (p.cycles?, it.expected(&quantity)?);
    let by = |seconds: f64| value * seconds / p.seconds;
    let (low, high) = p.interval.map_or((value, value), |i| (by(i.low), by(i.high)));
    let share = if level < 3 { NEAR_CACHE } else { SHARED_CACHE };
    let reach = it.expected(&Quantity::TlbEntries(1)).map_or(0.0, |tlb| tlb.low * PAGE);
    let translated = curve.pages == Pages::Base && curve.order == "random" && p.to > reach;
    let added = if translated { TLB_MISS } else { 0.0 };
    let within = (expected.low * (1.0 - share), expected.high * (1.0 + share) + added);
    let measured = Measured { value, low, high };
    judged(it, (quantity, expected), measured, Better::Lower, within)
}

/// Times that a reach may be less, by the time that others took of the run's CPUs: their pages are in the TLBs, too.
fn by_others(runs: &[Run], run: usize) -> f64 {
    runs.get(run).map_or(1.0, |run| (2.0 * taken_beyond(run)).exp())
}

/// The reach of the data TLBs.
fn reaches(it: &Microarchitecture, levels: &[TlbLevel], runs: &[Run]) -> Vec<Judgement> {
    let one = |(number, level): (u32, &TlbLevel)| {
        let quantity = Quantity::TlbEntries(number);
        let expected = it.expected(&quantity)?;
        // Between the two, nearest to what is expected.
        let value = expected.low.clamp(level.last, level.next);
        let measured = Measured { value, low: level.last, high: level.next };
        let below = if number == 1 { STEP } else { SECOND_LEVEL };
        let within = (expected.low / (below * by_others(runs, level.run)), expected.high * STEP);
        judged(it, (quantity, expected), measured, Better::Higher, within)
    };
    (1..).zip(levels).filter_map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use crate::expected::tests::machine;
    use record::{Better, Metric, Series};

    fn zen_3() -> Microarchitecture {
        Microarchitecture::of(&machine("Zen 3", "AMD EPYC 7763")).unwrap()
    }

    /// Operations per cycle of native kernels at 1 GHz, on Zen 3.
    fn of(rates: &[(&str, f64)], variant: &str) -> Vec<Text> {
        on(machine("Zen 3", "AMD EPYC 7763"), rates, variant)
    }

    fn on(machine: record::Machine, rates: &[(&str, f64)], variant: &str) -> Vec<Text> {
        let mut record = example::empty();
        let series = rates.iter().map(|(op, rate)| Series {
            samples: vec![1e-9 / rate; 7],
            frequency: Some(1e9),
            variant: Some(variant.into()),
            ..Series::new(Metric::TimePerOp, Unit::Seconds, Better::Lower).at(param::OP, *op)
        });
        example::measured(&mut record, "core_rate", &[], series.collect());
        record.machine = machine;
        AsExpected::compute(&Report::new(&record)).judgements.iter().map(Judgement::words).collect()
    }

    #[test]
    fn operations_are_judged_within_what_their_loop_costs() {
        // As measured on an idle core, and with a busy sibling.
        let idle = [
            ("add", 3.92),
            ("load", 3.0),
            ("store", 1.99),
            ("nop", 5.81),
            ("mul_chain", 1.0 / 3.0),
        ];
        assert_eq!(of(&idle, "native"), ["as expected"; 5]);
        assert_eq!(
            of(&[("store", 1.24), ("load", 1.95)], "native"),
            ["62 % of Zen 3's", "65 % of Zen 3's"]
        );
        assert_eq!(
            of(&[("add", 5.0), ("fma_chain", 0.2)], "native"),
            ["better than expected", "80 % of Zen 3's"]
        );
        // Of Zen 5's six additions a loop gets five, on an idle core.
        let zen_5 = || machine("Zen 5", "AMD EPYC");
        let idle = [("add", 5.09), ("mul", 2.98), ("nop", 7.81)];
        assert_eq!(on(zen_5(), &idle, "native"), ["as expected"; 3]);
        assert_eq!(on(zen_5(), &[("add", 3.1)], "native"), ["62 % of Zen 5's"]);
        // What is not published is not judged, nor what a compiler wrote.
        assert!(of(&[("div", 0.1), ("branch_hit", 1.0)], "native").is_empty());
        assert!(of(&[("add", 2.0)], "portable").is_empty());
    }

    #[test]
    fn vectors_are_judged_by_their_width() {
        let of = |doubles: u64, rate: f64| {
            let mut record = example::empty();
            let series = Series {
                samples: vec![1e-9 / rate; 7],
                frequency: Some(1e9),
                variant: Some("avx2".into()),
                ..Series::new(Metric::TimePerOp, Unit::Seconds, Better::Lower)
                    .at(param::OP, "fma_vector")
                    .at(param::LANES, doubles)
            };
            example::measured(&mut record, "core_rate", &[], vec![series]);
            let mut words = |model| {
                record.machine = machine("Zen 5", model);
                AsExpected::compute(&Report::new(&record))
                    .of_operation("fma_vector")
                    .unwrap()
                    .words()
            };
            [words("AMD EPYC 9555"), words("AMD Ryzen AI 9 365")]
        };
        assert_eq!(of(4, 2.0), ["as expected"; 2]);
        assert_eq!(of(8, 2.0), ["as expected"; 2]);
        assert_eq!(of(8, 1.0), ["50 % of Zen 5's", "as expected"]);
    }

    #[test]
    fn caches_are_judged_by_cycles_and_translation_is_allowed_for() {
        let plateau = |cycles: f64, to: f64| Plateau {
            from: 4096.0,
            to,
            seconds: cycles / 3e9,
            interval: None,
            cycles: Some(cycles),
            spread: 0.0,
            points: 5,
        };
        let words = |level, order: &str, p: &Plateau| {
            let curve = Curve {
                run: 0,
                pages: Pages::Base,
                huge_share: None,
                order: order.into(),
                stride: None,
                points: vec![],
                levels: vec![],
                knees: vec![],
            };
            latency(&zen_3(), level, &curve, p).map(|j| j.words())
        };
        let said = |level, order, cycles| words(level, order, &plateau(cycles, 1e7)).unwrap();
        assert_eq!(said(1, "grouped", 4.1), "as expected");
        assert_eq!(said(2, "grouped", 13.0), "as expected");
        assert_eq!(said(2, "grouped", 19.0), "63 % of Zen 3's");
        assert_eq!(said(2, "random", 19.0), "as expected");
        assert_eq!(words(2, "random", &plateau(19.0, 2e5)).unwrap(), "63 % of Zen 3's");
        assert_eq!(said(3, "grouped", 52.0), "as expected");
        assert_eq!(said(3, "grouped", 108.0), "50 % of Zen 3's");
        assert_eq!(words(4, "grouped", &plateau(9.0, 1e7)), None);
    }

    #[test]
    fn tlbs_and_branches_are_judged() {
        let level = |last: f64, next: f64| TlbLevel {
            name: String::new(),
            last,
            next,
            miss: 1e-9,
            cycles: None,
            run: 0,
        };
        let of = |first, second| -> Vec<Text> {
            reaches(&zen_3(), &[first, second], &[]).iter().map(Judgement::words).collect()
        };
        assert_eq!(of(level(64.0, 76.0), level(1448.0, 1722.0)), ["as expected"; 2]);
        assert_eq!(
            of(level(38.0, 45.0), level(152.0, 181.0)),
            ["70 % of Zen 3's", "8.8 % of Zen 3's"]
        );
        // Others had half of the CPU: their pages were in the second level, too.
        let mut record = example::empty();
        example::measured(&mut record, "tlb_reach", &[], vec![]);
        let busy = record::Reading::new("contention.busy", Unit::Ratio, 0.5);
        record.runs[0].readings.push(busy);
        let beside = |next| {
            let both = [level(64.0, 76.0), level(next / STEP, next)];
            reaches(&zen_3(), &both, &record.runs)[1].words()
        };
        assert_eq!(beside(609.0), "as expected");
        assert_eq!(beside(181.0), "8.8 % of Zen 3's");

        let branches = |cycles: f64, record: &mut record::Record| {
            let series = |pattern: &str, ns: f64| Series {
                samples: vec![ns * 1e-9; 7],
                frequency: Some(1e9),
                ..Series::new(Metric::TimePerBranch, Unit::Seconds, Better::Lower)
                    .at(param::PATTERN, pattern)
            };
            let all = vec![series("constant", 6.0), series("random", 6.0 + cycles / 2.0)];
            record.runs.clear();
            example::measured(record, "branch_miss", &[], all);
            record.machine = machine("Zen 3", "");
            AsExpected::compute(&Report::new(record)).of(&Quantity::BranchMiss).unwrap().words()
        };
        assert_eq!(branches(15.9, &mut record), "as expected");
        assert_eq!(branches(36.0, &mut record), "50 % of Zen 3's");
        assert_eq!(branches(5.0, &mut record), "better than expected");
    }

    /// A chain that a neighbour slowed in one of two visits, as seen on a guest: the other visit was as published.
    #[test]
    fn what_another_run_may_find_as_published_is_not_worse() {
        let verdict = |second: f64| {
            let mut s = Series::new(Metric::TimePerOp, Unit::Seconds, Better::Lower)
                .at(param::OP, "fma_chain");
            s.samples = [vec![1.8e-9; 41], vec![second; 7]].concat();
            s.visits = vec![41, 7];
            (s.frequency, s.variant) = (Some(3e9), Some("native".into()));
            let mut record = example::empty();
            record.machine = machine("Emerald Rapids", "");
            example::measured(&mut record, "core_rate", &[], vec![s]);
            record.runs[0].visits = vec![Default::default(); 2];
            let all = AsExpected::compute(&Report::new(&record));
            all.of_operation("fma_chain").unwrap().verdict
        };
        assert_eq!(verdict(1.35e-9), Verdict::AsExpected);
        assert_eq!(verdict(1.8e-9), Verdict::Worse);
    }
}
