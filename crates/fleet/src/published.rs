//! Limits from what other tools printed or a publication states of a machine that no `check` or `run` measured: figures of like
//! kind and another definition, which the reason of each limit names, with a tolerance that is wide for it.
use crate::group::Key;
use crate::headline::{Headline, headlines};
use crate::profile::{CRITICAL, Profile, WARN, worse};
use crate::say;
use analyse::quantity::plain;
use analyse::{Estimate, Report};
use benchmarks::quantities::Basis;
use benchmarks::quantities::latency::{Access, between_nodes};
use record::{Machine, Metric, ProbeId, Sort, Text, Unit, param};

/// Shares beyond a figure of another definition: loops over the same memory differ by up to 14 % where one uses huge pages.
const WIDE: [f64; 2] = [0.15, 0.3];
/// Texts that stand for a missing fact.
const UNKNOWN: [&str; 3] = ["unknown", "not stated", "0"];

/// A machine by what others say of it.
#[derive(Debug)]
pub struct Published {
    name: String,
    key: Key,
    microarchitecture: Option<String>,
    like: Vec<PublishedFigure>,
}

/// A figure of like kind.
#[derive(Debug)]
struct PublishedFigure {
    /// The names of ours that it may stand for; the first that was measured counts.
    names: &'static [&'static str],
    value: f64,
    beyond: [f64; 2],
    /// Whether it is of all CPUs, so that only a machine of the same size has it.
    of_all: bool,
    why: Text,
}

impl Published {
    /// Of a record with figures of others.
    ///
    /// # Errors
    /// That it has none of like kind, in words.
    pub fn of(name: &str, report: &Report<'_>) -> Result<Published, String> {
        let found = [latency(name, report), frequency(name, report)].into_iter().flatten();
        let like: Vec<PublishedFigure> = found.chain(bandwidths(name, report)).collect();
        if like.is_empty() {
            return Err(format!(
                "{name} has no figure that a check looks at: no latency of its memory, no bandwidth of all its CPUs, no base frequency"
            ));
        }
        let machine = &report.record.machine;
        let microarchitecture = microarchitecture(machine);
        Ok(Published { name: name.into(), key: Key::of(machine), microarchitecture, like })
    }
    /// Limits for a machine with the same processor.
    ///
    /// # Errors
    /// That it has another one, or no figure of these, in words.
    pub fn limits(&self, own: &Report<'_>) -> Result<Profile, String> {
        let name = &self.name;
        let key = Key::of(&own.record.machine);
        if self.key.model == UNKNOWN[0] && self.microarchitecture.is_none() {
            return Err(format!("{name} does not say which processor it has"));
        }
        let same_model = self.key.model == key.model;
        let same_core = self.microarchitecture.is_some()
            && self.microarchitecture == microarchitecture(&own.record.machine);
        if !same_model && !same_core {
            let words = |model: &str, core: &Option<String>| match core {
                Some(core) => format!("{model} ({core})"),
                None => model.to_owned(),
            };
            let theirs = words(&self.key.model, &self.microarchitecture);
            let ours = words(&key.model, &microarchitecture(&own.record.machine));
            return Err(format!("{name} is another processor: {theirs}; this is {ours}"));
        }
        let same_size = same_model && (self.key.sockets, self.key.cpus) == (key.sockets, key.cpus);
        let measured = headlines(own);
        let limit = |like: &PublishedFigure| {
            let of = |name: &&str| measured.iter().find(|h: &&Headline| h.name == **name);
            let fits = same_size || !like.of_all;
            worse(
                like.names.iter().find_map(of).filter(|_| fits)?,
                like.value,
                like.beyond,
                &like.why,
            )
        };
        let limits: Vec<_> = self.like.iter().filter_map(limit).collect();
        if limits.is_empty() {
            return Err(format!("no figure of {name} is of like kind with one that was measured"));
        }
        let stated = self.key.parts().into_iter().zip(key.parts());
        let differing = stated.filter(|((_, a), (_, b))| a != b && is_known(a) && is_known(b));
        let differing: Vec<String> =
            differing.map(|((part, a), (_, b))| format!("{part} {a} (here {b})")).collect();
        let title = match differing.is_empty() {
            true => say::as_published(name),
            false => say::published_differs(name, differing.join(", ")),
        };
        let otherwise = say::no_limit_like(name);
        Ok(Profile { title: Some(title), limits, otherwise, ..Profile::default() })
    }
}

fn is_known(part: &str) -> bool {
    !UNKNOWN.contains(&part)
}

fn microarchitecture(machine: &Machine) -> Option<String> {
    machine.text("cpu.microarchitecture").map(str::to_owned)
}

/// `memory latency of ref:x by lmbench lat_mem_rd: 117 ns (published figure); another definition, so ...`
fn why(
    what: Text,
    unit: Unit,
    value: f64,
    basis: impl Into<Text>,
    [warn, critical]: [f64; 2],
) -> Text {
    let [warn, critical] = [warn, critical].map(|share| format!("{:.0} %", 100.0 * share));
    say::published_limit(what, plain(value, unit), basis, warn, critical)
}

/// Of a load from the own node's memory.
fn latency(name: &str, report: &Report<'_>) -> Option<PublishedFigure> {
    let found = between_nodes(report).filter(|found| found.value.access == Access::Load)?;
    let cells = found.value.numa.cells.iter().filter(|cell| cell.from == cell.to);
    let value = cells.filter_map(|cell| cell.latency).min_by(f64::total_cmp)?;
    let times = |e: &&Estimate| matches!(e.metric.as_str(), "load_to_use" | "idle_latency");
    let by = tool(report, report.of_others().iter().find(times)?);
    let what = say::published_latency(name, by);
    let why = why(what, Unit::Seconds, value, found.basis.grade.name(), WIDE);
    let names = &["memory_latency", "memory_latency.base_pages"];
    Some(PublishedFigure { names, value, beyond: WIDE, of_all: false, why })
}

/// The least that a core should do: the base frequency.
fn frequency(name: &str, report: &Report<'_>) -> Option<PublishedFigure> {
    let value = report.record.machine.number("cpu.frequency.base")?;
    let beyond = [WARN, CRITICAL];
    let what = say::published_frequency(name);
    let why = why(what, Unit::Hertz, value, say::PUBLISHED_LEAST, beyond);
    Some(PublishedFigure { names: &["core_frequency"], value, beyond, of_all: false, why })
}

/// Bandwidths of all CPUs: what MLC reads, and the triad of STREAM.
fn bandwidths(name: &str, report: &Report<'_>) -> Vec<PublishedFigure> {
    let cores = report.record.machine.cores();
    let of = |e: &Estimate| {
        let run = &report.record.runs[e.run];
        let threads = param::THREAD_COUNT.of(&e.at).or_else(|| run.case.get(param::THREAD_COUNT));
        let names: &[&str] = match e.probe {
            ProbeId::MlcPeak if param::TRAFFIC.of(&e.at) == Some("ALL Reads") => {
                &["read_bandwidth"]
            }
            ProbeId::Stream if param::KERNEL.of(&e.at) == Some("triad") => {
                threads.filter(|threads| cores > 0 && *threads as usize >= cores)?;
                &["triad_bandwidth"]
            }
            _ => return None,
        };
        let what = match names[0] {
            "read_bandwidth" => say::published_read_bandwidth(name, tool(report, e)),
            _ => say::published_triad_bandwidth(name, tool(report, e)),
        };
        let basis = Basis::of(report.record, run);
        let why = why(what, e.unit, e.median, basis.grade.name(), WIDE);
        Some(PublishedFigure { names, value: e.median, beyond: WIDE, of_all: true, why })
    };
    let all = report.of_others().iter().filter(|e| e.metric == Metric::Bandwidth);
    let mut found: Vec<PublishedFigure> = all.filter_map(of).collect();
    found.order_by(|a, b| a.names.cmp(b.names).then(b.value.total_cmp(&a.value)));
    found.dedup_by(|a, b| a.names == b.names);
    found
}

/// The tool that measured it.
fn tool(report: &Report<'_>, e: &Estimate) -> String {
    let case = &report.record.runs[e.run].case;
    match (case.get(param::TOOL), e.probe) {
        (Some(tool), _) => tool.into(),
        (None, ProbeId::MlcPeak | ProbeId::NumaMatrix) => "Intel MLC".into(),
        (None, probe) => probe.as_str().replace('_', " "),
    }
}
