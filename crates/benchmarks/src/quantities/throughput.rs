//! Throughput at numbers of cores, from figures that others printed: sysbench, a TPC-C load, openssl, and a sieve that ran
//! bound and unbound. CPU use and IPC are those printed beside them.
use super::{Basis, Graded};
use crate::analyses::scaling_runs::{ScalingPoint, ScalingRun, of_others};
use estimates::estimate::median;
use estimates::groups::by_key;
use estimates::report::Report;
use record::param::{self, Parameter};
use record::{Case, Metric, ProbeId, Run, Series, Sort, Unit};
use stats::Interval;

/// A figure at a number of cores.
struct Figure {
    /// The workload: equal for the points of one scaling run.
    workload: String,
    unit: Unit,
    point: ScalingPoint,
    basis: Basis,
}

/// The scaling of each workload, in the record's order.
pub fn scaling_runs(report: &Report<'_>) -> Vec<Graded<ScalingRun>> {
    let runs = report.record.runs.iter().filter(|r| r.origin.is_some());
    let found = by_key(runs.flat_map(|run| figures(report, run)), |f| f.workload.clone());
    let graded = |(workload, figures): (String, Vec<Figure>)| {
        let unit = figures[0].unit;
        let basis = figures.iter().map(|f| f.basis).reduce(Basis::weakest)?;
        let mut points = vec![];
        figures.into_iter().for_each(|figure| add(&mut points, figure.point));
        points.order_by_key(|p| (p.policy.clone(), p.threads));
        (points.len() > 1).then(|| Graded { value: of_others(workload, unit, points), basis })
    };
    found.into_iter().filter_map(graded).collect()
}

/// Two figures of one step are its repeats.
fn add(points: &mut Vec<ScalingPoint>, point: ScalingPoint) {
    let same = |p: &&mut ScalingPoint| {
        (&p.policy, p.cores, p.threads) == (&point.policy, point.cores, point.threads)
    };
    match points.iter_mut().find(same) {
        Some(known) => {
            known.rates.extend(&point.rates);
            known.median = stats::median(&known.rates);
        }
        None => points.push(point),
    }
}

fn figures(report: &Report<'_>, run: &Run) -> Vec<Figure> {
    let case = &run.case;
    // What an author summed up or said again is no second figure.
    if param::KIND.is_in(&case.params) {
        return vec![];
    }
    let Some((cores, threads)) = cores(report, case) else { return vec![] };
    let basis = Basis::of(report.record, run);
    let of = |metric| run.metric(metric).and_then(median);
    let used = || {
        let all = run.series().iter().filter(|s| s.metric == Metric::CpusUsed);
        let all: Vec<f64> = all.filter_map(median).collect();
        (!all.is_empty()).then(|| all.iter().sum::<f64>() / all.len() as f64)
    };
    let one = |s: &Series| {
        let value = median(s).filter(|x| *x > 0.0)?;
        let sieve = s.metric == "tsc_delta";
        let (name, rate) = match (case.probe, s.metric) {
            (ProbeId::Sysbench, Metric::Queries) => ("sysbench point select".into(), value),
            (ProbeId::Sysbench, Metric::Elapsed) => ("sysbench cpu".into(), 1.0 / value),
            (ProbeId::Tpcc, Metric::NewOrders) => ("TPC-C load".into(), value),
            (ProbeId::OpensslSpeed, Metric::Throughput) => {
                let of = param::ALGORITHM.of(&s.at).unwrap_or_default();
                let block = param::BLOCK.of(&s.at).unwrap_or_default();
                (format!("openssl {of}, blocks of {block}"), value)
            }
            _ if sieve && param::IRQ_ENABLED.of(&s.at) == Some(true) => {
                let mode = param::MODE.of(&s.at)?;
                (format!("prime sieve in {mode} mode"), 1.0 / value)
            }
            _ => return None,
        };
        let step = match (cores, threads) {
            (1, 1) => "1 core".to_owned(),
            (1, 2) => "1 SMT pair".to_owned(),
            (n, m) if n == m => format!("{n} cores"),
            (n, m) => format!("{m} threads on {n} cores"),
        };
        let policy = match param::BOUND.of(&s.at) {
            Some(false) => "unpinned",
            _ => "one-to-one",
        };
        let point = ScalingPoint {
            policy: policy.into(),
            memory: "local".into(),
            rates: vec![rate],
            median: Some(rate),
            interval: Some(ends(basis, rate)),
            full: used().map(|used| used / threads as f64),
            ipc: of(Metric::Ipc),
            prior: Some(basis.prior.unwrap_or(0.0)),
            ..ScalingPoint::named(step, cores, threads)
        };
        let unit = if s.unit == Unit::BytesPerSecond { s.unit } else { Unit::PerSecond };
        Some(Figure { workload: name + &software(case), unit, point, basis })
    };
    run.series().iter().filter_map(one).collect()
}

fn ends(basis: Basis, rate: f64) -> Interval {
    let (low, high) = basis.ends(rate);
    Interval { low, high, confidence: 0.95 }
}

/// Server, system and way to it, as far as they are printed.
fn software(case: &Case) -> String {
    let words =
        [param::SERVER, param::OS, param::TRANSPORT].into_iter().filter_map(|of| case.get(of));
    let words = words.filter(|word| *word != "not stated");
    let words: Vec<&str> = words.map(|w| w.split(" (").next().unwrap_or(w)).collect();
    if words.is_empty() { String::new() } else { format!(" ({})", words.join(", ")) }
}

/// Cores and threads of a figure.
fn cores(report: &Report<'_>, case: &Case) -> Option<(usize, usize)> {
    let number = |of: Parameter<u64>| usize::try_from(case.get(of)?).ok().filter(|n| *n > 0);
    let pair = case.get(param::PLACEMENT).is_some_and(|p| p.contains("SMT pair"));
    if case.probe == ProbeId::OpensslSpeed {
        let processes = number(param::PROCESSES)?;
        let machine = &report.record.machine;
        let all = match machine.cores() {
            0 => machine.number("cpu.cores")? as usize * super::plateaus::sockets(report)? as usize,
            n => n,
        };
        return Some((processes.min(all), processes));
    }
    if case.probe == ProbeId::ReferenceResult {
        return (case.get(param::TOOL) == Some("irq_test")).then_some((1, 1));
    }
    let threads = number(param::THREAD_COUNT);
    let cores = match (number(param::CORES), case.get(param::PLACEMENT)) {
        (Some(cores), _) => cores,
        (None, Some("1 physical core" | "1 SMT pair")) => 1,
        _ => return None,
    };
    Some((cores, if pair { 2 * cores } else { threads.unwrap_or(cores).max(cores) }))
}
