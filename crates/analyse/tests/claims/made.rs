//! What no command prints of a machine by itself: a trend over machines, and records of runs that differ in one thing, from
//! published figures as seven repeats within 0.2 %, the noise that their author states.
use crate::{text, texts};
use analyse::Report;
use catalogue::Measurement;
use estimates::quantities::{copies, latency, throughput};
use record::{
    Better, Case, Machine, Outcome, Placement, Provenance, Reading, Record, Run, SCHEMA, Series,
    Unit, Value, param,
};
use serde_json::Value as Json;

const NOISE: [f64; 7] = [1.0, 0.998, 1.002, 0.999, 1.001, 1.0005, 0.9995];

fn figure(id: &str) -> &'static Measurement {
    let reference = catalogue::reference().unwrap();
    reference.measurements.iter().find(|m| m.id == id).unwrap_or_else(|| panic!("no {id}"))
}

fn empty(machine: Machine) -> Record {
    Record {
        schema: SCHEMA,
        provenance: Provenance { tool: "cpulens".into(), ..Provenance::default() },
        machine,
        judgement: None,
        runs: vec![],
        reference_samples: vec![],
    }
}

fn series(metric: &str, unit: Unit, samples: Vec<f64>) -> Series {
    Series { samples, ..Series::new(metric, unit, Better::Higher) }
}

fn run(probe: &str, params: &[(&str, Value)], series: Vec<Series>) -> Run {
    Run {
        case: Case {
            probe: probe.into(),
            version: 1,
            params: params.iter().map(|(k, v)| ((*k).into(), v.clone())).collect(),
            place: Placement { cpus: [0].into_iter().collect(), ..Placement::default() },
            estimate: 0.0,
        },
        outcome: Outcome::Measured(series),
        threads: vec![],
        readings: vec![Reading {
            name: "contention.busy".into(),
            unit: Unit::Ratio,
            value: 0.0,
            coverage: 1.0,
        }],
        unread: Default::default(),
        began: 0.0,
        took: 1.0,
        origin: None,
        visits: vec![],
    }
}

/// Passes of a sieve in ticks, with the words of our ways of running one.
pub(crate) fn undisturbed_speed(test: &Json) -> Record {
    let mut all = vec![];
    for id in texts(test, "figures") {
        let m = figure(id);
        let flag = |name: &str| m.params.get(name) == Some(&Value::Bool(true));
        let samples = NOISE.map(|f| f * m.value.unwrap() * 1e-9).to_vec();
        let s = Series { better: Better::Lower, ..series("pass_time", Unit::Seconds, samples) };
        let s = s.at(param::SYSTEM, "host").at(param::MODE, m.text("mode").unwrap());
        let s = s.at(param::INTERRUPTS, if flag("irq_enabled") { "on" } else { "off" });
        all.push(s.at(param::PLACE, if flag("bound") { "bound" } else { "unbound" }));
    }
    let mut record = empty(Machine::default());
    record.runs.push(run("undisturbed_speed", &[], all));
    record
}

/// Pairs of one thread and two at point select, by rising instructions per cycle of the one: whether the second is worth less.
pub(crate) fn trend(machines: &[&str]) -> (String, String) {
    let mut all: Vec<(f64, f64)> = vec![];
    for name in machines {
        let record = catalogue::record(name).unwrap().unwrap();
        for run in throughput::scaling_runs(&analyse::analyse(&record)) {
            let gain = run.value.siblings.first().filter(|_| run.value.workload.contains("select"));
            let Some(gain) = gain else { continue };
            all.push((gain.by_ipc.unwrap().with, gain.found.as_ref().unwrap().estimate));
        }
    }
    all.sort_by(|a, b| a.0.total_cmp(&b.0));
    let gains: Vec<String> = all.iter().map(|(ipc, gain)| format!("{ipc:.2}: {gain:.2}")).collect();
    let against: usize =
        (1..all.len()).map(|j| all[..j].iter().filter(|a| a.1 < all[j].1).count()).sum();
    let pairs = all.len() * (all.len() - 1) / 2;
    let word = if against * 2 < pairs { "trend" } else { "no trend" };
    (word.into(), format!("{}; {against} of {pairs} against it", gains.join(", ")))
}

/// What a core copies from its own node's memory, where that of several nodes is printed: alike within 4 %, or not.
pub(crate) fn own_memory(record: &Record) -> (String, String) {
    let between = latency::between_nodes(&analyse::analyse(record)).unwrap().value;
    let own = between.numa.cells.iter().filter(|c| c.from == c.to);
    let own: Vec<(u32, f64)> = own.filter_map(|c| Some((c.from, c.bandwidth?))).collect();
    let (low, high) = own.iter().fold((f64::MAX, 0.0f64), |(l, h), (_, x)| (l.min(*x), h.max(*x)));
    let words: Vec<String> =
        own.iter().map(|(node, x)| format!("node {node} {:.0}", x / 1e6)).collect();
    let alike = own.len() > 1 && high < low * 1.04;
    (if alike { "alike" } else { "unalike" }.into(), words.join(", "))
}

/// What each placement gains in each test, and whether all repeats of one are above those of the other.
pub(crate) fn gains(report: &Report<'_>) -> String {
    let found = copies::unixbench(report);
    let gains = found.iter().flat_map(|u| &u.value.gains);
    let said = gains.map(|g| {
        let apart = if g.apart == Some(true) { "apart" } else { "overlap" };
        format!("{} {:.2} {apart}", g.test.id, g.ratio)
    });
    said.collect::<Vec<_>>().join("; ")
}

/// One machine under two systems, with what a computation takes under each.
pub(crate) fn systems(test: &Json) -> [Record; 2] {
    let known = catalogue::record(text(test, "machine")).unwrap().unwrap().machine;
    let (figures, systems) = (texts(test, "figures"), texts(test, "systems"));
    [0, 1].map(|i| {
        let mut machine = known.clone();
        machine.set("os.name", systems[i], "as stated");
        let mut record = empty(machine);
        let samples = NOISE.map(|f| f * figure(figures[i]).value.unwrap()).to_vec();
        let s = Series {
            better: Better::Lower,
            ..series("time_of_10000_events", Unit::Seconds, samples)
        };
        record.runs.push(run("prime", &[("threads", "one".into())], vec![s]));
        record
    })
}
