//! Two CPUs are stated as SMT siblings and compute like two cores, or the reverse.
//!
//! SMT siblings share execution units: additions keep a core busy, so a second thread adds nothing, while two cores add
//! twice as much. Virtual machines often state a core for each CPU although the hypervisor runs two of them on the threads
//! of one core: half of the expected throughput, and a neighbour on the same core. Core-to-core latency confirms it:
//! siblings exchange a cache line inside their first-level cache. It also shows two CPUs that the hypervisor runs on one
//! core at times only.
use crate::estimate::Estimate;
use crate::matrices::Matrix;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{count, number, percent, time};
use record::{Metric, ProbeId, Relation, param};

/// Two threads of a core add up to 1.0 to 1.3 times what one adds (a core alone is busy with additions), two cores to
/// 1.8 to 2.0; between these it is not said.
const ONE_CORE: f64 = 1.35;
const TWO_CORES: f64 = 1.7;
/// Other programs on the CPUs make two cores look like one, or one thread like half of one.
const BUSY: f64 = 0.10;
/// A line between threads of one core takes less than this share of one between neighbouring cores: a third is typical.
const LINE: f64 = 0.7;
/// Round trips of one core, and others of the same CPUs, are no moment's disturbance from so many on.
const SEEN: usize = 2;

pub(crate) static RULE: Rule = Rule::new(say::SMT_UNTRUE_TITLE, &[Demand::Cycles], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let moved = at_times(evidence);
    let both = evidence.all(ProbeId::SmtPair, Metric::Additions, [(param::ON, "both")])?;
    let matrix = evidence.pairs().ok();
    let mut disturbed = None;
    for e in both {
        let pair = Pair::of(evidence, e)?;
        let line = matrix.as_ref().and_then(|m| pair.line(m));
        let untrue = match pair.siblings {
            true => pair.ends.0 > TWO_CORES && line.is_none_or(|l| l > LINE),
            false => pair.ends.1 < ONE_CORE && line.is_none_or(|l| l < LINE),
        };
        if !untrue {
            continue;
        }
        match busy(evidence, e)? {
            Some(busy) => disturbed = Some(busy),
            None => return Ok(Some(pair.finding(line))),
        }
    }
    match moved {
        None => disturbed.map_or(Ok(None), Err),
        moved => Ok(moved),
    }
}

/// Two CPUs that were threads of one core in some round trips and not in others: without a hypervisor nobody moves them.
fn at_times(evidence: &Evidence<'_>) -> Option<Finding> {
    let seen = evidence.round_trips().ok()?;
    evidence.hypervisor()?;
    seen.of_one_core.iter().find_map(|(cpus, one)| {
        let (&[a, b], apart) = (&cpus[..], seen.by_cpus.get(cpus)?) else { return None };
        let (near, far) = (stats::median(one)?, stats::median(apart)?);
        (one.len().min(apart.len()) >= SEEN).then(|| {
            Finding::new(
                say::smt_untrue_moved(
                    a,
                    b,
                    one.len(),
                    count(one.len() + apart.len(), "observation"),
                    time(near),
                    time(far),
                ),
                say::SMT_UNTRUE_ADVICE,
                say::SMT_UNTRUE_VERIFY_MOVED,
            )
        })
    })
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let all = evidence.all(ProbeId::SmtPair, Metric::Additions, [(param::ON, "both")])?;
    let pairs = all.into_iter().filter_map(|e| Pair::of(evidence, e).ok());
    let worst = pairs.filter(|p| !p.siblings).map(|p| p.gain).reduce(f64::min);
    let lost = worst.filter(|gain| *gain < ONE_CORE).ok_or_else(|| match at_times(evidence) {
        Some(_) => Reason::new(say::SMT_UNTRUE_COST_MOVED),
        None => Reason::new(say::SMT_UNTRUE_COST_NONE),
    })?;
    Cost::up_to(1.0 - lost / 2.0, Confidence::Measured, say::SMT_UNTRUE_COST)
}

/// The gain of two CPUs over one.
struct Pair {
    cpus: [u32; 2],
    siblings: bool,
    gain: f64,
    /// Between what the gain lies, by the ends of both counts.
    ends: (f64, f64),
}

impl Pair {
    fn of(evidence: &Evidence<'_>, both: &Estimate) -> Result<Pair, Reason> {
        let case = evidence.case(both).ok_or_else(|| Reason::new(say::SMT_PAIR_NO_CASE))?;
        let cpu = |end| case.get(end).ok_or_else(|| Reason::new(say::SMT_PAIR_NO_CPUS));
        let pair = [cpu(param::FROM)?, cpu(param::TO)?];
        let alone = ["first", "second"].map(|on| {
            let all = evidence.all(ProbeId::SmtPair, Metric::Additions, [(param::ON, on)]);
            all.ok()?.into_iter().find(|e| e.run == both.run)
        });
        let [Some(a), Some(b)] = alone else { return Err(Reason::new(say::SMT_PAIR_NO_SINGLE)) };
        let one = f64::midpoint(a.median, b.median);
        let least = f64::midpoint(a.ends().0, b.ends().0);
        let most = f64::midpoint(a.ends().1, b.ends().1);
        let gain = both.median / one;
        if !gain.is_finite() || one <= 0.0 {
            return Err(Reason::new(say::SMT_PAIR_NO_ADDITIONS));
        }
        let [from, to] = pair;
        let stated = case.get(param::STATED).unwrap_or("unknown");
        evidence.note(say::smt_untrue_read(from, to, stated, number(gain)));
        let ends = (both.ends().0 / most, both.ends().1 / least);
        let siblings = case.get(param::STATED) == Some("siblings");
        Ok(Pair { cpus: pair, siblings, gain, ends })
    }
    /// The time of a line between the two, as a share of that between other CPUs of different cores.
    fn line(&self, matrix: &Matrix) -> Option<f64> {
        let [a, b] = self.cpus;
        let here = matrix.cells.iter().find(|c| (c.from, c.to) == (a.min(b), a.max(b)))?;
        let others: Vec<f64> = matrix
            .cells
            .iter()
            .filter(|c| {
                c.relation != Relation::Siblings.name() && (c.from, c.to) != (here.from, here.to)
            })
            .map(|c| c.median)
            .collect();
        // The nearest of them: a line to another socket is slow for everybody.
        let nearest = others.into_iter().reduce(f64::min)?;
        Some(here.median / nearest).filter(|share| share.is_finite())
    }
    fn finding(&self, line: Option<f64>) -> Finding {
        let [a, b] = self.cpus;
        let gain = number(self.gain);
        let claim = match (self.siblings, line.map(percent)) {
            (true, Some(line)) => say::smt_untrue_cores_line(a, b, gain, line),
            (true, None) => say::smt_untrue_cores(a, b, gain),
            (false, Some(line)) => say::smt_untrue_threads_line(a, b, gain, line),
            (false, None) => say::smt_untrue_threads(a, b, gain),
        };
        Finding::new(claim, say::SMT_UNTRUE_ADVICE, say::smt_untrue_verify(a, b))
    }
}

/// The reason why a pair may only have been disturbed.
fn busy(evidence: &Evidence<'_>, pair: &Estimate) -> Result<Option<Reason>, Reason> {
    if !evidence.undisturbed(pair.run) {
        return Ok(Some(Reason::mended_by(say::SMT_UNTRUE_BUSY, say::AGAIN_ATTEMPTS)));
    }
    for what in [Metric::Busy, Metric::Steal] {
        let share = evidence.estimate(ProbeId::Preflight, what)?.median;
        if share > BUSY {
            return Ok(Some(Reason::mended_by(
                say::smt_untrue_busy_share(percent(share)),
                say::AGAIN_ATTEMPTS,
            )));
        }
    }
    Ok(None)
}
