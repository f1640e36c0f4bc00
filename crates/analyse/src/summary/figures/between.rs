//! Figures between two places: core-to-core latency, and memory of the farthest NUMA node.
use super::{Figure, Note, modes};
use crate::summary::{FigureId, Quantity, State};
use crate::{Class, Estimate, Interval, Matrix, Numa, NumaCell, Report, Verdicts};
use record::{Metric, ProbeId, Relation, Unit, param};

/// The levels of another placement, if more samples are of them than the `count` of this one.
pub(super) fn mostly_elsewhere(levels: &[State], count: usize) -> &[State] {
    let most = levels.iter().map(|state| state.count).sum::<usize>() > count;
    if most { levels } else { &[] }
}

/// Between two CPUs, and between two NUMA nodes.
pub(super) fn figures(report: &Report<'_>) -> Vec<Figure> {
    let mut all = vec![];
    if let Some(matrix) = report.get::<Vec<Matrix>>().iter().find(|m| m.metric == Metric::RoundTrip)
    {
        let untrue = report.get::<Verdicts>().fires("shared_cache_untrue");
        let figure = |id, class: &Class| {
            // Of several pairs an interval would be that of the pairs, and not of a measurement.
            let single = class.pairs == 1 && class.fastest.states.len() < 2;
            let (a, b) = (class.fastest.from, class.fastest.to);
            let last = || of_pair(report, matrix.run, matrix.metric, (a, b)).next_back();
            let interval = single.then(last).flatten().and_then(|e| e.interval);
            let one_way_of = |s: &State| State { level: s.level / 2.0, count: s.count };
            let one_way = |i: Interval| Interval { low: i.low / 2.0, high: i.high / 2.0, ..i };
            let value = class.median / 2.0;
            let quantity = Quantity::within(value, matrix.unit, interval.map(one_way));
            let relation = match class.relation == Relation::LastLevel.name() && untrue {
                true => STATED_L3,
                false => &class.relation,
            };
            let mut figure = Figure::new(id, quantity).of(relation);
            let elsewhere: Vec<State> = class.fastest.elsewhere.iter().map(one_way_of).collect();
            let seen = class.fastest.states.iter().map(|s| s.count).sum();
            // Of a single pair its states are the class's.
            if class.pairs == 1 {
                let own: Vec<State> = class.fastest.states.iter().map(one_way_of).collect();
                figure.quantity.modes = modes(own.iter().chain(mostly_elsewhere(&elsewhere, seen)));
            }
            let elsewhere = Note::elsewhere(&elsewhere, value, seen)
                .filter(|_| class.pairs == 1 && figure.quantity.modes.is_empty());
            // Beside the value that it is of, which is one way.
            figure.note(elsewhere).note(Some(Note::RoundTrip(class.median)))
        };
        if let Some(first) = matrix.classes.first() {
            all.push(figure(FigureId::CoreToCoreLatency, first));
        }
        if let Some(last) = matrix.classes.last().filter(|_| matrix.classes.len() > 1) {
            all.push(figure(FigureId::CoreToCoreLatencyFarthest, last));
        }
    }
    if let Some(far) = report.get::<Option<Numa>>().as_ref().and_then(|n| n.slowest()) {
        let nodes = format!("{} -> {}", far.from, far.to);
        let (latency, bandwidth) = remote_memory(report, far);
        if let Some(quantity) = latency {
            let local = |times| Note::TimesLocal { times, local: quantity.value / times };
            let note = far.latency_ratio.map(local);
            all.push(Figure::new(FigureId::RemoteMemoryLatency, quantity).of(&nodes).note(note));
        }
        if let Some(quantity) = bandwidth {
            let note = far.bandwidth_ratio.map(Note::OfLocal);
            all.push(Figure::new(FigureId::RemoteMemoryBandwidth, quantity).of(&nodes).note(note));
        }
    }
    all
}

/// Latency and bandwidth of one node's memory from another's CPUs. Of several CPUs they are the median of their medians, which
/// has no interval.
pub(crate) fn remote_memory(
    report: &Report<'_>,
    far: &NumaCell,
) -> (Option<Quantity>, Option<Quantity>) {
    let of = |metric: Metric, unit: Unit, value: f64| {
        let cases = report.cases(ProbeId::NumaMatrix);
        let mut of = cases.flat_map(|(run, _)| of_pair(report, run, metric, (far.from, far.to)));
        let same = of.rfind(|e| far.sweep.len() < 2 && e.median == value);
        Quantity::within(value, unit, same.and_then(|e| e.interval))
    };
    (
        far.latency.map(|latency| of(Metric::IdleLatency, Unit::Seconds, latency)),
        far.bandwidth.map(|bandwidth| of(Metric::Bandwidth, Unit::BytesPerSecond, bandwidth)),
    )
}

/// The relation of CPUs with a common L3 as stated, which their round trips contradict.
pub const STATED_L3: &str = "stated L3";

/// The measurements between two CPUs or nodes, in the record's order.
fn of_pair<'a>(
    report: &'a Report<'_>,
    run: usize,
    metric: Metric,
    (a, b): (u32, u32),
) -> impl DoubleEndedIterator<Item = &'a Estimate> {
    report.own().iter().filter(move |e| {
        let ends = (param::FROM.of(&e.at), param::TO.of(&e.at));
        e.run == run && e.metric == metric && ends == (Some(a), Some(b))
    })
}
