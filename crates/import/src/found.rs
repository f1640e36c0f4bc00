//! The results of one importer on one file: facts, topology, runs and warnings, each with its line. Limits are kept here,
//! so that no importer has to check them.
use crate::metric::Quantity;
use crate::session::kept;
use crate::text::tidy;
use record::{
    Case, CpuSet, Dimm, Fact, FactValue, Machine, Origin, Outcome, Placement, ProbeId, Reading,
    Reason, Run, Series, Source, Unit, Value, Warning, param,
};
use std::{collections::BTreeMap, fmt};

/// The most series that one file may give: all pairs of 320 CPUs.
const MAX_SERIES: usize = 105_000;
/// The most warnings kept for one file; the rest are counted.
const MAX_WARNINGS: usize = 40;
/// The most memory modules.
const MAX_MODULES: usize = 4096;
/// The most facts.
const MAX_FACTS: usize = 2_000;

/// The reason why a file could not be imported.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The line, counted from 1; nothing where it is about the whole file.
    pub line: Option<u32>,
    /// The problem: a sentence without its full stop.
    pub why: String,
}

impl Problem {
    /// About the whole file.
    pub fn whole(why: impl Into<String>) -> Problem {
        Problem { line: None, why: why.into() }
    }
    /// About the whole file, if this is so.
    pub(crate) fn when(wrong: bool, why: &str) -> Result<(), Problem> {
        if wrong { Err(Problem::whole(why)) } else { Ok(()) }
    }
    /// About a line.
    pub fn at(line: u32, why: impl Into<String>) -> Problem {
        Problem { line: Some(line), why: why.into() }
    }
    /// No importer recognises the file.
    pub(crate) fn unknown(line: Option<u32>, shown: &str) -> Problem {
        Problem { line, why: format!("{UNKNOWN}: it begins with '{shown}'") }
    }
    /// Whether no importer recognises the file.
    pub fn is_unknown(&self) -> bool {
        self.why.starts_with(UNKNOWN)
    }
}

/// The error for a file that no importer recognises.
const UNKNOWN: &str = "this is no known output";

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        f.write_str(&self.why)
    }
}

impl std::error::Error for Problem {}

/// The results of one importer on one file.
#[derive(Debug)]
pub struct Found {
    /// File, tool, version, command and warnings.
    pub source: Source,
    /// Facts and topology.
    pub machine: Machine,
    /// Cases with their numbers.
    pub runs: Vec<Run>,
    series: usize,
    omitted: usize,
}

impl Found {
    /// Nothing yet, of this file and tool.
    pub fn new(source: Source) -> Found {
        Found { source, machine: Machine::default(), runs: vec![], series: 0, omitted: 0 }
    }
    /// A warning about a line, or about the whole file (line 0).
    pub(crate) fn warn(&mut self, line: u32, what: impl Into<String>) {
        self.warn_of(Warning::doubt((line > 0).then_some(line), what));
    }
    pub(crate) fn warn_of(&mut self, warning: Warning) {
        let Warning { line, what, kind } = warning;
        // Parts of it come from the file.
        let what = bounded(&what, 600);
        if self.source.warnings.len() >= MAX_WARNINGS {
            self.omitted += 1;
        } else if !self.source.warnings.iter().any(|w| w.line == line && w.what == what) {
            self.source.warnings.push(Warning { line, what, kind });
        }
    }
    /// The source of a line's values, in words.
    pub(crate) fn source_at(&self, line: u32) -> String {
        format!("{}, {}:{line}", self.source.tool, self.source.file)
    }
    /// The tool with its version, where that is printed.
    pub(crate) fn tool_and_version(&self) -> String {
        match &self.source.version {
            Some(version) => format!("{} {version}", self.source.tool),
            None => self.source.tool.clone(),
        }
    }
    /// Keeps the first command line, without private words.
    pub(crate) fn command(&mut self, command_line: &str) {
        self.source.command.get_or_insert_with(|| kept(command_line));
    }
    /// States that parts of the topology were read at a line.
    pub(crate) fn topology_read(&mut self, parts: &[&str], line: u32) {
        let source = self.source_at(line);
        let sources = &mut self.machine.topology.sources;
        sources.extend(parts.iter().map(|part| ((*part).to_owned(), source.clone())));
    }
    /// States that the tool does not show which CPUs share a core.
    pub(crate) fn siblings_missing(&mut self, tool: &str) {
        let why = Reason::mended_by(
            format!("{tool} does not show which CPUs share a core"),
            "lscpu -e, or cpulens capture on that machine",
        );
        self.machine.topology.missing.push(("cpus.siblings".into(), why));
    }
    /// The tool's version.
    pub(crate) fn version(&mut self, version: &str) {
        let version = tidy(version);
        if !version.is_empty() {
            self.source.version = Some(version);
        }
    }
    /// A fact. A second value of the same name gives a warning, and the first stays.
    pub(crate) fn fact(&mut self, line: u32, name: &str, value: impl Into<Value>) {
        self.insert(line, name, value.into(), None);
    }
    /// A fact that more lines than one state together.
    pub(crate) fn replace(&mut self, line: u32, name: &str, value: impl Into<Value>) {
        self.machine.facts.remove(name);
        self.fact(line, name, value);
    }
    /// Keeps what the inventory reads in a file of the machine, as of the file that was given.
    pub(crate) fn adopt(&mut self, machine: Machine, wanted: impl Fn(&Fact) -> bool) {
        let source = self.source_at(1);
        for (name, fact) in machine.facts.into_iter().filter(|(_, fact)| wanted(fact)) {
            self.machine.facts.insert(name, Fact { source: source.clone(), ..fact });
        }
        self.machine.topology.cpus = machine.topology.cpus;
        self.topology_read(&["cpus"], 1);
    }
    /// A fact that is a number with a unit.
    pub(crate) fn fact_in(&mut self, line: u32, name: &str, value: impl Into<Value>, unit: Unit) {
        self.insert(line, name, value.into(), Some(unit));
    }
    /// Facts whose values may not be there.
    pub(crate) fn known<T: Into<Value>>(&mut self, line: u32, name: &str, value: Option<T>) {
        if let Some(value) = value {
            self.fact(line, name, value);
        }
    }
    /// [`Found::known`] for numbers with a unit.
    pub(crate) fn known_in<T: Into<Value>>(
        &mut self,
        line: u32,
        name: &str,
        value: Option<T>,
        unit: Unit,
    ) {
        if let Some(value) = value {
            self.fact_in(line, name, value, unit);
        }
    }
    /// The family, model and stepping of an x86 processor, by which it is named.
    pub(crate) fn signature(&mut self, line: u32, numbers: [u32; 3]) {
        for (name, n) in ["cpu.family", "cpu.model_number", "cpu.stepping"].iter().zip(numbers) {
            self.fact(line, name, u64::from(n));
        }
    }
    /// A fact, with the unit of a number.
    pub(crate) fn insert(&mut self, line: u32, name: &str, value: Value, unit: Option<Unit>) {
        let value = match value {
            Value::Text(text) => Value::Text(bounded(&text, 4000)),
            other => other,
        };
        let empty = matches!(&value, Value::Text(t) if t.is_empty())
            || matches!(&value, Value::Number(x) if !x.is_finite());
        if empty || self.machine.facts.len() >= MAX_FACTS {
            return;
        }
        match self.machine.value(name) {
            Some(first) if *first != value => {
                let what = format!("a second {name}, {value}, contradicts the first, {first}");
                self.warn(line, what);
            }
            Some(_) => {}
            None => {
                let (known, source) = (FactValue::Value(value), self.source_at(line));
                self.machine.facts.insert(name.into(), Fact { known, unit, source });
            }
        }
    }
    /// A memory module; `slot` where the tool names its slot.
    pub(crate) fn module(&mut self, slot: Option<String>, module: Dimm) {
        let modules = &mut self.machine.topology.dimms;
        if modules.len() < MAX_MODULES {
            let slot = slot.unwrap_or_else(|| format!("module {}", modules.len() + 1));
            modules.push(Dimm { slot, ..module });
        }
    }
    /// Begins a case at a line and returns its index for [`Found::series`].
    pub(crate) fn case(&mut self, line: u32, probe: ProbeId, params: &[(&str, Value)]) -> usize {
        let mut case = Case {
            probe,
            version: 0,
            params: harmless(params),
            place: Placement::default(),
            estimate: 0.0,
        };
        case.params.insert(param::TOOL.name().into(), self.tool_and_version().into());
        let origin = Some(Origin { source: 0, line });
        self.runs.push(Run { origin, ..Run::new(case, Outcome::Measured(vec![])) });
        self.runs.len() - 1
    }
    /// Begins a case whose command pins CPUs and memory.
    pub(crate) fn case_on(
        &mut self,
        line: u32,
        probe: ProbeId,
        params: &[(&str, Value)],
        [cpus, node]: [Option<CpuSet>; 2],
    ) -> usize {
        let index = self.case(line, probe, params);
        let place = &mut self.runs[index].case.place;
        place.cpus = cpus.unwrap_or_default();
        place.node = node.and_then(|n| n.first());
        index
    }
    /// The case with these parameters among the last ones; else it begins.
    pub(crate) fn case_of(&mut self, line: u32, probe: ProbeId, params: &[(&str, Value)]) -> usize {
        const LAST: usize = 256;
        let known = self.runs.iter().rev().take(LAST).position(|run| {
            let has = |(name, value): &(&str, Value)| run.case.params.get(*name) == Some(value);
            // Besides these it has the tool.
            let as_many = run.case.params.len() == params.len() + 1;
            run.case.probe == probe && as_many && params.iter().all(has)
        });
        match known {
            Some(back) => self.runs.len() - 1 - back,
            None => self.case(line, probe, params),
        }
    }
    /// Adds a series of one or more printed values to a case. Values that are not finite are left out.
    pub(crate) fn series(
        &mut self,
        case: usize,
        quantity: Quantity,
        at: &[(&str, Value)],
        samples: &[f64],
    ) {
        let (metric, unit, better) = quantity;
        let samples: Vec<f64> =
            samples.iter().copied().filter(|x| x.is_finite()).take(10_000).collect();
        if samples.is_empty() || self.series >= MAX_SERIES {
            self.omitted += usize::from(!samples.is_empty());
            return;
        }
        let Some(Run { outcome: Outcome::Measured(all), .. }) = self.runs.get_mut(case) else {
            return;
        };
        all.push(Series { at: harmless(at), samples, ..Series::new(metric, unit, better) });
        self.series += 1;
    }
    /// Adds a counter's reading to a case; `coverage` is the share of the time for which it was counted.
    pub(crate) fn reading(
        &mut self,
        case: usize,
        name: &str,
        unit: Unit,
        value: f64,
        coverage: f64,
    ) {
        let Some(run) = self.runs.get_mut(case) else { return };
        if value.is_finite() && run.readings.len() < 1000 {
            let coverage = if coverage.is_finite() { coverage.clamp(0.0, 1.0) } else { 1.0 };
            run.readings.push(Reading { name: tidy(name), unit, value, coverage });
        }
    }
    /// The number of series of a case.
    pub(crate) fn len(&self, case: usize) -> usize {
        self.runs.get(case).map_or(0, |r| r.series().len())
    }
    /// Whether no case has a series.
    pub(crate) fn without_series(&self) -> bool {
        self.series == 0
    }
    /// Sets the number of sockets, and of cores in all of them together.
    pub(crate) fn cores(&mut self, line: u32, sockets: Option<u64>, cores: Option<u64>) {
        let Some(sockets) = sockets.filter(|n| *n > 0) else { return };
        self.fact(line, "cpu.sockets", sockets);
        self.known(line, "cpu.cores_per_socket", cores.map(|cores| cores / sockets));
    }
    /// Whether nothing was found at all.
    pub fn is_empty(&self) -> bool {
        let t = &self.machine.topology;
        self.machine.facts.is_empty()
            && self.without_series()
            && self.runs.iter().all(|r| r.readings.is_empty())
            && t.nodes.is_empty()
            && t.dimms.is_empty()
            && t.cpus.is_empty()
    }
    /// Drops cases that got no series and no reading, and adds a warning with the number of values left out.
    pub(crate) fn finish(&mut self) {
        self.runs.retain(|r| !r.readings.is_empty() || !r.series().is_empty());
        if self.omitted > 0 {
            let what = format!(
                "warnings and series left out: {}; a file may give {MAX_SERIES} series and {MAX_WARNINGS} warnings",
                self.omitted
            );
            self.source.warnings.push(Warning::doubt(None, what));
        }
    }
}

/// Names and values, of which text is tidied.
fn harmless(values: &[(&str, Value)]) -> BTreeMap<String, Value> {
    let plain =
        |value: &Value| value.text().map_or_else(|| value.clone(), |text| tidy(text).into());
    values.iter().map(|(name, value)| ((*name).to_owned(), plain(value))).collect()
}

/// A text of at most so many characters, without control characters.
fn bounded(text: &str, most: usize) -> String {
    let plain = text.chars().map(|c| if c.is_control() { ' ' } else { c });
    plain.take(most).collect::<String>().trim().to_owned()
}
