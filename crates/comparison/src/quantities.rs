//! When two series of two records are the same quantity: probe, metric, parameters and coordinates, without the numbers
//! that only one machine gives its parts. CPU 3 of one machine has nothing to do with CPU 3 of another; what two CPUs
//! share has.
use crate::{equivalent, software};
use record::{
    Better, Metric, ProbeId, Relations, Run, Series, Unit, Value,
    param::{self, Parameter},
};
use std::collections::BTreeMap;

/// The quantity of a row.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Quantity {
    /// The probe's id.
    pub probe: ProbeId,
    /// The metric.
    pub metric: Metric,
    /// Parameters of the case and coordinates inside it, without numbers of CPUs and nodes.
    pub at: BTreeMap<String, Value>,
    /// Unit of every value.
    pub unit: Unit,
    /// Whether more or less is better.
    pub better: Better,
    /// Whether another tool measured it.
    pub foreign: bool,
}

/// The direction that is good. A load is what a latency is at, as importers of other tools say; records have it as a rate.
pub(crate) fn better(series: &Series) -> Better {
    match series.metric {
        Metric::Injected => Better::Neither,
        _ => series.better,
    }
}

/// Numbers of CPUs and nodes, how many of them were looked at, which of several turns it was, and the version of what
/// sbc-bench runs, which its own version decides.
const NUMBERED: &[&str] = &["from", "to", "cpu", "caller", "per_class", "turn", "tinymembench"];

/// Of a scaling run's step: what follows from its name and the machine, and how it was measured.
const SCALED: &[&str] = &["cores", "threads", "nodes", "repeat", "seconds", "timeout"];

/// Of a database's point, besides: where clients are, for how long was measured, and where its data lie.
const ASKED: &[&str] = &["clients", "windows", "warm_up", "folder", "existing"];

/// Of a counted command nothing but the command and who was counted; events and their roles are the machine's.
const COUNTED: &[&str] = &["command", "target"];

/// Of a test of UnixBench: which repeat, where its files were (what that folder is on is stated with what ran), and CPUs.
const TESTED: &[&str] = &["repeat", "scratch", "parent", "child"];

/// Memory of another node, near and far: their distances are not equal, so these are two quantities.
pub(crate) const NEAR: &str = "another node of the socket";
pub(crate) const FAR: &str = "another socket's node";

/// The kind of core that a tool names beside its figure, as sbc-bench does.
pub(crate) const CORE: &str = "core";

/// The coordinate of the relation of two CPUs or nodes.
const BETWEEN: &str = "between";

impl Quantity {
    pub fn of(run: &Run, series: &Series, relations: &Relations) -> Quantity {
        Quantity::seen(run, series, Between::of(run, series, relations))
    }
    /// The same, of CPUs or nodes whose relation is known already: nothing else of the machine belongs to it.
    pub(crate) fn seen(run: &Run, series: &Series, between: Option<Between>) -> Quantity {
        let case = &run.case;
        let mut at: BTreeMap<String, Value> = case
            .params
            .iter()
            .chain(&series.at)
            .filter(|(name, _)| !NUMBERED.contains(&name.as_str()))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        match case.probe {
            ProbeId::ScalingRun => {
                // As many copies as threads is the rule; another number is asked for.
                if param::COPIES.value(&at) == param::THREADS.value(&at) {
                    at.remove(param::COPIES.name());
                }
                at.retain(|name, _| !SCALED.contains(&name.as_str()));
            }
            // Importers of other tools say `tpcc`, too, and what those ran on is theirs to tell.
            ProbeId::PointSelect | ProbeId::Tpcc if run.origin.is_none() => {
                // A connection a CPU is an embedded engine's rule.
                if param::CONNECTIONS.value(&at) == param::THREADS.value(&at) {
                    at.remove(param::CONNECTIONS.name());
                }
                at.retain(|name, _| {
                    !SCALED.contains(&name.as_str()) && !ASKED.contains(&name.as_str())
                });
            }
            test if run.origin.is_none() && record::unixbench::of_probe(test).is_some() => {
                at.retain(|name, _| !TESTED.contains(&name.as_str()));
            }
            ProbeId::Stat => at
                .retain(|name, _| COUNTED.contains(&name.as_str()) || series.at.contains_key(name)),
            // What was run stands behind `for` or, of all CPUs, behind `during`; quotes are lost in the first.
            ProbeId::PerfStat => {
                let of = at.remove("of").or_else(|| at.remove("during"));
                at.remove("during");
                at.remove("repeats");
                if let Some(of) = of {
                    at.insert("of".into(), of.to_string().replace(['\'', '"'], "").into());
                }
            }
            _ => {}
        }
        if let Some(between) = between {
            if between.memory {
                at.remove(param::MEMORY.name());
            }
            at.insert(BETWEEN.into(), between.name.into());
        }
        Quantity {
            probe: case.probe,
            metric: series.metric,
            at,
            unit: series.unit,
            better: better(series),
            foreign: run.origin.is_some(),
        }
    }
    /// Equal for equal quantities, whatever their unit and direction: those that differ are refused, not overlooked.
    pub fn key(&self) -> String {
        let mut key = String::with_capacity(96);
        for part in [self.probe.as_str(), "\u{1f}", self.metric.as_str()] {
            key.push_str(part);
        }
        for (name, value) in &self.at {
            key.push('\u{1f}');
            key.push_str(name);
            key.push('\u{1e}');
            value.write_to(&mut key);
        }
        key
    }
    /// The same for quantities that differ in the software around them or in the kind of core only.
    pub fn loose_key(&self) -> String {
        Quantity { at: self.loose_at(), ..self.clone() }.key()
    }
    /// Its coordinates without the software around it and the kind of core, which is the machine's.
    pub fn loose_at(&self) -> BTreeMap<String, Value> {
        let mut at = self.at.clone();
        at.retain(|name, _| name != CORE && !software::is_of_it(name));
        at
    }
    /// The coordinate that a curve runs along, and where on it this lies.
    pub fn along(&self) -> Option<(&'static str, f64)> {
        let axis = match self.probe {
            ProbeId::BandwidthScaling => param::THREADS.name(),
            ProbeId::TlbReach => param::PAGES_TOUCHED.name(),
            ProbeId::LoadedLatency => param::LEVEL.name(),
            ProbeId::CacheAllocation => param::WAYS.name(),
            _ => param::WORKING_SET.name(),
        };
        self.at.get(axis)?.number().filter(|x| x.is_finite()).map(|x| (axis, x))
    }
    /// The smallest command that measures it.
    pub fn command(&self) -> String {
        let mut alike = equivalent::of(self.probe, self.metric, &self.at);
        match (self.foreign, alike.next()) {
            (false, _) => format!("cpulens run --only {}", self.probe),
            (true, Some(row)) => row.command.clone(),
            (true, None) => "the same tool".into(),
        }
    }
}

/// The relation of two CPUs or nodes, or the position of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Between {
    name: &'static str,
    /// It stands for the number of the memory's node.
    memory: bool,
}

impl Between {
    /// Nothing where a series is of no pair.
    pub(crate) fn of(run: &Run, series: &Series, relations: &Relations) -> Option<Between> {
        let end = |end: Parameter<u32>| end.of(&series.at).or_else(|| run.case.get(end));
        if let (Some(from), Some(to)) = (end(param::FROM), end(param::TO)) {
            let name = match run.case.probe {
                ProbeId::NumaMatrix if from == to => "own node",
                ProbeId::NumaMatrix => match relations.same_socket(from, to) {
                    Some(true) => NEAR,
                    Some(false) => FAR,
                    None => "another node",
                },
                _ => relations.between(from, to).name(),
            };
            return Some(Between { name, memory: false });
        }
        to_memory(run, relations).map(|name| Between { name, memory: true })
    }
}

/// All that [`Quantity::seen`] looks at, in one text: equal texts are equal quantities. Numbers of CPUs and nodes are none of
/// it, for a large machine has half a million pairs.
pub(crate) fn write_seen(out: &mut String, run: &Run, series: &Series, between: Option<Between>) {
    let case = &run.case;
    let parts = [case.probe.as_str(), series.metric.as_str()];
    parts.iter().for_each(|part| {
        out.push_str(part);
        out.push('\u{1f}');
    });
    for named in [&case.params, &series.at] {
        for (name, value) in named.iter().filter(|(name, _)| !NUMBERED.contains(&name.as_str())) {
            out.push_str(name);
            match value {
                // What looks alike may be of another type.
                Value::Text(_) => out.push('\u{1e}'),
                Value::Integer(_) => out.push('\u{1c}'),
                other => out.push_str(&format!("\u{1e}{other:?}")),
            }
            value.write_to(out);
            out.push('\u{1f}');
        }
        out.push('\u{1d}');
    }
    let Between { name, memory } = between.unwrap_or(Between { name: "", memory: false });
    out.push_str(name);
    // A unit and a direction each have a letter of their own.
    let letters =
        [u8::from(memory), u8::from(run.origin.is_some()), series.unit as u8, series.better as u8];
    out.extend(letters.into_iter().map(|n| char::from(b'A' + n)));
}

/// Where memory lay that was on a node of a number, seen from the CPU that used it: the numbers of nodes are one machine's.
fn to_memory(run: &Run, relations: &Relations) -> Option<&'static str> {
    let number =
        |node: Parameter<u32>| node.value(&run.case.params)?.to_string().parse::<u32>().ok();
    let to = number(param::MEMORY_NODE)?;
    let of_cpus = || {
        let mut nodes = run.case.place.cpus.iter().map(|cpu| relations.node_of(cpu));
        let first = nodes.next()??;
        nodes.all(|node| node == Some(first)).then_some(first)
    };
    let from = number(param::FROM).or_else(of_cpus)?;
    if from == to {
        return Some("own node");
    }
    // Nodes of unknown sockets are near or far: those keep their numbers.
    relations.same_socket(from, to).map(|same| if same { NEAR } else { FAR })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::Cpu;

    /// A sweep of ours names nodes by their numbers, as another tool's figures do.
    #[test]
    fn memory_on_a_node_lies_near_or_far() {
        let mut record = example::empty();
        for id in 0..3 {
            let (package, node) = (Some(id / 2), Some(id));
            record.machine.topology.cpus.push(Cpu { id, package, node, ..Cpu::default() });
        }
        let relations = Relations::of(&record.machine.topology);
        let name = |node: &str| {
            let mut record = example::empty();
            let series = Series::new(Metric::TimePerElement, Unit::Seconds, Better::Lower);
            example::measured(&mut record, "lmbench_stream", &[("memory", node)], vec![series]);
            record.runs[0].case.place.cpus = [0].into_iter().collect();
            let series = Series::new(Metric::TimePerElement, Unit::Seconds, Better::Lower);
            Between::of(&record.runs[0], &series, &relations).map(|between| between.name)
        };
        let all = ["0", "1", "2", "bind=1"].map(name);
        let names = ["own node", "another node of the socket", "another socket's node"];
        assert_eq!(all, [Some(names[0]), Some(names[1]), Some(names[2]), None]);
    }
}
