//! The conditions of a measurement that decide what it may be compared with.
use crate::equivalent::{Crowd, Equivalent};
use crate::facts;
use crate::say;
use estimates::analyses::drift;
use record::{
    CpuSet, Machine, Pages, ProbeId, Provenance, Record, Run, Series, Topology,
    param::{self, Parameter},
};
use std::sync::Arc;

/// Conditions of one value.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
pub struct Conditions {
    /// Version of the benchmark's definition.
    pub version: u32,
    /// CPUs that took part; 0 where that says nothing, as for pairs.
    pub cpus: usize,
    /// Cores that they belong to.
    pub cores: usize,
    /// Whether every online core took part.
    pub whole: bool,
    /// Pages that were asked for.
    pub pages: Option<Pages>,
    /// Bytes of a base page, where the buffer is on base pages.
    pub base_page: Option<u64>,
    /// Share of the buffer verified to be on huge pages.
    pub huge_share: Option<f64>,
    /// The buffer's content.
    pub content: Option<Arc<str>>,
    /// Footprint over the last-level cache.
    pub llc_ratio: Option<f64>,
    /// Share of the buffer verified to be on the nodes of the CPUs that took part.
    pub local_share: Option<f64>,
    /// Whether a hypervisor had the CPUs on several last-level caches that it states to be one; `None` where nobody looked.
    pub across_caches: Option<bool>,
    /// Machine code that ran.
    pub variant: Option<Arc<str>>,
    /// The number of its modes.
    pub states: usize,
    /// Where it is ours in the row of another tool's figure: what the two have in common, and how well they agree.
    pub equivalent: Option<&'static Equivalent>,
    /// Differences of the software around it, the baseline's first: set where it is compared.
    pub software: Vec<(String, String, String)>,
    /// Whether unit and direction are those of the row.
    #[serde(skip)]
    pub meant: bool,
}

/// The threads of a run: one answer for all its series.
#[derive(Debug)]
pub struct RunThreads {
    cpus: CpuSet,
    /// As a tool's definition asks for it.
    pub crowd: Crowd,
    /// Size of the last-level cache that the first of them reaches.
    last_level: Option<u64>,
    /// Whether they were on several caches that are stated to be one, where a hypervisor may move them.
    across: Option<bool>,
}

impl RunThreads {
    /// `all` is the number of the machine's cores.
    pub fn of(run: &Run, record: &Record, all: usize) -> RunThreads {
        let topology = &record.machine.topology;
        let cpus = run.cpus();
        // A step is what it says: copies that are not bound may be found anywhere.
        let scaled = |parameter| match run.case.probe {
            ProbeId::ScalingRun | ProbeId::PointSelect | ProbeId::Tpcc => {
                run.case.get(parameter).map(|n| n as usize)
            }
            _ => None,
        };
        let (threads, cores) = match run.origin {
            Some(_) if cpus.is_empty() => crowd(run, topology),
            _ => (
                scaled(param::THREADS).unwrap_or(cpus.len()),
                scaled(param::CORES).unwrap_or_else(|| topology.cores_of(&cpus)),
            ),
        };
        let first = cpus.first().or_else(|| topology.cpus.first().map(|c| c.id));
        let last_level = first.and_then(|cpu| topology.last_level_bytes(cpu));
        let whole = cores > 0 && all > 0 && cores >= all;
        let crowd = Crowd { cpus: threads, cores, whole };
        let last_level = last_level.filter(|bytes| *bytes > 0);
        let across = drift::round_trip(run)
            .map(|seconds| drift::is_across(record, &run.case.place.cpus, Some(seconds)));
        RunThreads { cpus, crowd, last_level, across }
    }
}

impl Conditions {
    /// `word` makes a text that many share.
    pub(crate) fn of(
        (run, thread_set): (&Run, &RunThreads),
        series: &Series,
        topology: &Topology,
        states: usize,
        mut word: impl FnMut(&str) -> Arc<str>,
    ) -> Conditions {
        let paired = [param::FROM, param::TO]
            .iter()
            .all(|end| end.is_in(&series.at) || end.is_in(&run.case.params));
        let buffer = series.buffer.as_ref();
        let stated = || Some(footprint(run, series)? / thread_set.last_level? as f64);
        Conditions {
            version: run.case.version,
            cpus: if paired { 0 } else { thread_set.crowd.cpus },
            cores: if paired { 0 } else { thread_set.crowd.cores },
            whole: thread_set.crowd.whole,
            pages: buffer.map(|b| b.pages),
            base_page: buffer
                .filter(|b| b.pages == Pages::Base && b.base_page > 0)
                .map(|b| b.base_page),
            huge_share: buffer.and_then(|b| b.huge_share),
            content: buffer.map(|b| word(&b.content)),
            llc_ratio: buffer.and_then(|b| b.llc_ratio).or_else(stated),
            local_share: local_share(series, &thread_set.cpus, topology),
            across_caches: thread_set.across,
            variant: series.variant.as_deref().map(word),
            states,
            equivalent: None,
            software: vec![],
            meant: true,
        }
    }
}

/// CPUs and cores of another tool's run that names none: as many as it says it had threads, and their cores where that
/// leaves no choice.
fn crowd(run: &Run, topology: &Topology) -> (usize, usize) {
    const COUNTS: [Parameter<u64>; 3] = [param::THREAD_COUNT, param::PROCESSES, param::COPIES];
    let count = COUNTS.iter().find_map(|counted| counted.value(&run.case.params));
    let count = match count.map(ToString::to_string).as_deref() {
        Some("one") => 1,
        Some(digits) => digits.parse().unwrap_or(0),
        None => 0,
    };
    let all = count == topology.cpus.len();
    (count, if all { topology.cores() } else { usize::from(count == 1) })
}

/// The share of a series' memory that was on the nodes of these CPUs, where anybody looked.
pub(crate) fn local_share(series: &Series, cpus: &CpuSet, topology: &Topology) -> Option<f64> {
    let nodes = &series.buffer.as_ref().filter(|b| !b.nodes.is_empty())?.nodes;
    let own = |node: &u32| cpus.iter().any(|cpu| topology.node_of(cpu) == Some(*node));
    Some(nodes.iter().filter(|(node, _)| own(node)).map(|(_, share)| *share).sum())
}

/// Bytes that a run went through, as stated.
fn footprint(run: &Run, series: &Series) -> Option<f64> {
    let number = |value: Option<&record::Value>| value.and_then(record::Value::number);
    let size = number(param::WORKING_SET.value(&series.at));
    if run.origin.is_none() {
        return size;
    }
    let params = &run.case.params;
    // STREAM's three arrays of doubles.
    let arrays = || Some(number(param::ELEMENTS.value(params))? * 24.0);
    size.or_else(|| number(param::SIZE.value(params))).or_else(arrays)
}

/// The author of imported or published figures: the row says which tool.
pub(crate) const OTHERS: &str = say::OTHER_TOOLS.english();

/// What a whole record was made with.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Traits {
    pub tool: String,
    pub version: String,
    pub kernels: Option<String>,
    pub depth: Option<String>,
    /// The hypervisor's name or `none`; nothing where it is not known.
    pub hypervisor: Option<String>,
}

impl Traits {
    pub fn of(made: &Provenance, machine: &Machine, foreign: bool) -> Traits {
        let ours = |text: &String, other: &str| if foreign { other.into() } else { text.clone() };
        Traits {
            tool: ours(&made.tool, OTHERS),
            version: ours(&made.version, ""),
            kernels: made.kernels.clone(),
            depth: made.depth.clone(),
            hypervisor: machine.text(facts::HYPERVISOR).map(str::to_owned),
        }
    }
}
