//! One record beside another: how much of their difference memory explains, what else is unlike, and whether a gain can be
//! attributed. Nothing is attributed to one of several changes made at once.
//! Source: two load generators, of which one with 2.7 times the CPUs did no more work (expected means 1.25 and 1.69).
mod cycles;
mod instructions;
mod system;

use crate::compare::Quantity;
use crate::evidence::Evidence;
use crate::explain::{Factor, Work, works};
use crate::numa::Numa;
use crate::report::Report;
use crate::say;
use crate::scaling_runs::ScalingRuns;
use crate::words::{count, number, percent, time, transfers};
use benchmarks::quantities::plateaus;
use record::{Between, Text, Unit, param};

/// Two records side by side.
#[derive(Debug, Clone, PartialEq)]
pub struct Against {
    /// The name of the other, if it has one.
    pub other: Option<String>,
    /// Quantities that both records have.
    pub rows: Vec<Row>,
    /// Conclusions, as full sentences.
    pub sentences: Vec<Text>,
}

/// One quantity of both.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The quantity.
    pub what: Text,
    /// Value of this record; nothing where it is not known.
    pub own: Option<f64>,
    /// Value of the other record.
    pub other: Option<f64>,
    /// Unit of both.
    pub unit: Unit,
}

impl Row {
    /// This over the other.
    pub fn ratio(&self) -> Option<f64> {
        let ratio = self.own? / self.other.filter(|x| *x > 0.0)?;
        ratio.is_finite().then_some(ratio)
    }
}

/// Ratios this near to 1 are the same: quick medians are known to 2 % each.
const SAME: f64 = 1.05;

/// The relevant quantities of a record.
#[derive(Debug, Clone, PartialEq)]
struct Side {
    cpus: Option<f64>,
    sockets: Option<f64>,
    model: Option<String>,
    /// Nodes with memory.
    nodes: Option<f64>,
    /// Seconds of a load as the mean over all nodes, and from the own node.
    mean: Option<f64>,
    own: Option<f64>,
    /// The slowest module, in transfers per second.
    modules: Option<f64>,
    /// Each workload with its best throughput, and how its copies were placed.
    done: Vec<(String, f64, Text)>,
}

impl Side {
    fn of(report: &Report<'_>) -> Side {
        let evidence = Evidence::over(report);
        let some = |n: usize| (n > 0).then_some(n as f64);
        let unbound = evidence.numa().ok().and_then(Numa::unbound);
        let done = report.get::<ScalingRuns>().0.iter().filter_map(|l| {
            let best = l.scaling_points.iter().filter(|r| r.median.is_some_and(|m| m > 0.0));
            let best =
                best.max_by(|a, b| a.median.unwrap_or(0.0).total_cmp(&b.median.unwrap_or(0.0)))?;
            let copies = count(best.copies, "process");
            let how = Text::list([copies.as_str(), &best.policy], Between::Comma);
            Some((l.workload.clone(), best.median?, how))
        });
        Side {
            cpus: plateaus::cpus(report).and_then(some),
            sockets: plateaus::sockets(report).map(f64::from),
            model: report.record.machine.text("cpu.model").map(str::to_owned),
            // With NUMA off the sockets are what memory is spread over.
            nodes: evidence.memory_parts().and_then(some),
            mean: unbound.map(|(mean, _)| mean),
            own: unbound.map(|(_, own)| own),
            modules: evidence.module_speeds().ok().map(|(now, _)| now),
            done: done.collect(),
        }
    }
    fn remote(&self) -> Option<f64> {
        self.nodes.map(|n| 1.0 - 1.0 / n)
    }
}

pub(super) fn against(own: &Report<'_>, other: &Report<'_>) -> Against {
    let (a, b) = (Side::of(own), Side::of(other));
    let row = |what: Text, unit, of: &dyn Fn(&Side) -> Option<f64>| Row {
        what,
        own: of(&a),
        other: of(&b),
        unit,
    };
    let mut rows = vec![
        row("CPUs".into(), Unit::Count, &|s| s.cpus),
        row("sockets".into(), Unit::Count, &|s| s.sockets),
        row(say::AGAINST_REMOTE.into(), Unit::Ratio, &Side::remote),
        row(say::AGAINST_OWN.into(), Unit::Seconds, &|s| s.own),
        row(say::AGAINST_MEAN.into(), Unit::Seconds, &|s| s.mean),
        row(say::AGAINST_MODULE.into(), Unit::TransfersPerSecond, &|s| s.modules),
    ];
    rows.retain(|r| r.own.is_some() || r.other.is_some());
    let mut sentences = vec![];
    sentences.extend(latency(&a, &b));
    sentences.extend(modules(&a, &b));
    sentences.extend(system::sentences(own, other));
    let (works_a, works_b) = (works(own.record), works(other.record));
    let pairs = common(&works_a, &works_b);
    sentences.extend(pairs.iter().filter_map(|(a, b)| instructions::sentence(a, b)));
    sentences.extend(cycles::sentences(&pairs, own, other));
    let shared: Vec<(&str, f64, f64, bool)> = a
        .done
        .iter()
        .filter_map(|(name, x, how)| {
            let (_, y, theirs) = b.done.iter().find(|(other, ..)| other == name)?;
            Some((name.as_str(), *x, *y, how == theirs))
        })
        .collect();
    if shared.is_empty() {
        sentences.push(say::AGAINST_NONE.into());
    }
    for (name, own, other, alike) in shared {
        match same_machine(&a, &b) {
            true => sentences.extend(attributed(&a, &b, name, own, other, alike)),
            false => sentences.extend(residual(&a, &b, name, own, other)),
        }
    }
    let name = other.record.provenance.called().map(str::to_owned);
    Against { other: name, rows, sentences }
}

/// The workloads that both have, whatever the software around them; not those whose counts may not be used.
fn common<'a>(a: &'a [Work], b: &'a [Work]) -> Vec<(&'a Work, &'a Work)> {
    let same = |x: &Work| {
        let key = x.quantity.loose_key();
        b.iter().find(|y| y.quantity.loose_key() == key)
    };
    let pairs = a.iter().filter_map(|x| Some((x, same(x)?)));
    pairs.filter(|(x, y)| x.declined.is_none() && y.declined.is_none()).collect()
}

/// How much of a factor a workload has, where that is known.
fn amount(of: &Work, factor: Factor) -> Option<f64> {
    of.amounts.get(&factor)?.as_ref().ok().map(|x| x.value)
}

/// A workload in words.
fn named(of: &Quantity) -> String {
    let at = of.loose_at();
    let name = param::COMMAND.value(&at).or_else(|| param::OF.value(&at)).map(ToString::to_string);
    name.unwrap_or_else(|| {
        let at: Vec<String> = at.iter().map(|(name, value)| format!("{name}={value}")).collect();
        format!("{} {}", of.probe, at.join(" ")).trim_end().to_owned()
    })
}

/// Expected means, and what they explain.
fn latency(a: &Side, b: &Side) -> Option<Text> {
    let (mean, other) = (a.mean?, b.mean?);
    let share = |s: &Side| match s.remote() {
        Some(share) => percent(share).into(),
        None => Text::from(say::AGAINST_UNKNOWN_SHARE),
    };
    let ratio = mean / other;
    let (own_share, own, their_share, theirs) = (share(a), time(mean), share(b), time(other));
    Some(if ratio > SAME {
        say::loads_longer(own_share, own, their_share, theirs, number(ratio))
    } else if ratio < 1.0 / SAME {
        say::loads_shorter(own_share, own, their_share, theirs, number(ratio))
    } else {
        say::loads_alike(own_share, own, their_share, theirs)
    })
}

fn modules(a: &Side, b: &Side) -> Option<Text> {
    let (own, other) = (a.modules?, b.modules?);
    let ratio = other / own;
    (ratio > 1.02).then(|| say::against_modules(transfers(own), transfers(other), number(ratio)))
}

fn same_machine(a: &Side, b: &Side) -> bool {
    a.cpus.is_some() && (a.cpus, a.sockets, &a.model) == (b.cpus, b.sockets, &b.model)
}

/// Two machines: work per CPU, what latency explains of it, and what is left.
fn residual(a: &Side, b: &Side, name: &str, own: f64, other: f64) -> Option<Text> {
    let each = (other / b.cpus?) / (own / a.cpus?);
    let whole = say::against_each(
        name,
        number(own / other),
        number(a.cpus? / b.cpus?),
        percent(1.0 / each),
    );
    if each <= SAME {
        return Some(whole);
    }
    let Some(latency) = a.mean.zip(b.mean).map(|(x, y)| x / y).filter(|r| *r > 1.0) else {
        let not = say::NOT_BY_LATENCY.into();
        return Some(Text::list([whole, not], Between::Sentences));
    };
    let left = each / latency;
    let rest = match left > SAME {
        true => say::loads_explain_part(number(each), number(latency), number(left)),
        false => say::loads_explain_all(number(each), number(latency)),
    };
    Some(Text::list([whole, rest], Between::Sentences))
}

/// The machine before and after: what was changed, and whether one change can be called the cause.
fn attributed(a: &Side, b: &Side, name: &str, own: f64, other: f64, alike: bool) -> Vec<Text> {
    let gain = other / own;
    let mut changes = vec![];
    if let Some((before, after)) = a.modules.zip(b.modules)
        && (after / before - 1.0).abs() > 0.02
    {
        changes.push(say::against_change_modules(
            transfers(before),
            transfers(after),
            number(after / before),
        ));
    }
    if !alike {
        let how = |s: &Side| {
            let done = s.done.iter().find(|(n, ..)| n == name);
            done.map_or(Text::default(), |(.., how)| how.clone())
        };
        changes.push(match a.sockets {
            Some(n) => {
                let sockets = count(n as usize, "socket");
                say::placement_changed_from_one_socket(how(a), how(b), number(n), sockets)
            }
            None => say::placement_changed(how(a), how(b)),
        });
    }
    let first = say::against_gain(number(gain), name);
    let last = match &changes[..] {
        [] => say::AGAINST_UNCHANGED.into(),
        [one] => say::against_one_change(one),
        [.., last] => {
            let others = Text::list(&changes[..changes.len() - 1], Between::Comma);
            say::several_changes(changes.len(), others, last)
        }
    };
    vec![first, last]
}
