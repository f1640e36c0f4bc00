//! A transcribed machine as a record: what its printed outputs say of it, read by the importers, and its figures with the
//! article and line of each.
use crate::place::{self, Place};
use crate::reference::{Machine, Measurement, Output, Passage, Reference};
use import::Gathered;
use record::{
    Better, Case, Metric, Origin, Outcome, Placement, Provenance, Reading, Reason, Record, Run,
    Series, Source, Unit, Value, Warning,
};
use std::collections::{BTreeMap, BTreeSet};

/// Makes the record of a machine. The same data gives the same record.
pub(crate) fn build(reference: &Reference, machine: &Machine) -> Record {
    let record = described(reference, machine);
    let mut made = RecordBuilder { record, cases: BTreeMap::new() };
    for m in reference.of(&machine.name) {
        made.add(reference, m);
    }
    for warning in reference.warnings.iter().filter(|w| w.machine == machine.name) {
        let source = made.any_source(reference, &warning.publication);
        warn(&mut made.record.provenance.sources[source], warning.line, &warning.what);
    }
    made.record
}

/// A record of the machine's own facts.
fn described(reference: &Reference, machine: &Machine) -> Record {
    let mut gathered = Gathered::default();
    let mut unread = vec![];
    let mut published: BTreeMap<&str, &Output> = BTreeMap::new();
    for output in &machine.outputs {
        published.insert(&output.file, output);
        if let Err(problem) = gathered.add(&output.file, output.text.join("\n").as_bytes()) {
            unread.push((output, problem));
        }
    }
    let mut record = gathered.record(Provenance {
        tool: "cpulens catalogue".into(),
        version: env!("CARGO_PKG_VERSION").into(),
        name: Some(machine.name.clone()),
        ..Provenance::default()
    });
    // Their figures are among the transcribed ones, which say more of each.
    record.runs.clear();
    for source in &mut record.provenance.sources {
        if let Some(output) = published.get(source.file.as_str()) {
            source.publication = reference.publication(&output.publication).cloned();
            let whence = format!("{}:{}", output.publication, output.line);
            source.command.get_or_insert(format!("printed at {whence}"));
        }
    }
    for (output, problem) in unread {
        let mut source =
            Source { file: output.file.clone(), ..text(reference, &output.publication) };
        warn(&mut source, problem.line, &format!("not read by a tool's importer: {}", problem.why));
        record.provenance.sources.push(source);
    }
    let first = machine.described.first();
    let passage = |d: &Passage| format!("{}:{}-{}", d.publication, d.lines.0, d.lines.1);
    let place = first.map_or("the catalogue".into(), passage);
    record.machine.set("reference.title", machine.title.as_str(), place.as_str());
    for (name, value) in &machine.facts {
        if record.machine.facts.contains_key(name) {
            continue;
        }
        let source = format!("stated in {place}");
        match name.starts_with("cpu.frequency.") {
            true => record.machine.set_in(name, value.clone(), Unit::Hertz, source),
            false => record.machine.set(name, value.clone(), source),
        }
    }
    if let Some(first) = first {
        let mut source = text(reference, &first.publication);
        for note in &machine.notes {
            warn(&mut source, None, note);
        }
        record.provenance.sources.push(source);
    }
    record
}

/// The text of a publication.
fn text(reference: &Reference, publication: &str) -> Source {
    Source {
        file: publication.into(),
        format: "catalogue".into(),
        tool: "text".into(),
        publication: reference.publication(publication).cloned(),
        ..Source::default()
    }
}

/// Adds a warning once, without its full stop.
fn warn(source: &mut Source, line: Option<u32>, what: &str) {
    let what = what.trim().trim_end_matches('.').to_owned();
    // A warning that many lines share names the first.
    if !source.warnings.iter().any(|w| w.what == what) {
        source.warnings.push(Warning::doubt(line, what));
    }
}

struct RecordBuilder {
    record: Record,
    /// Runs by what they are.
    cases: BTreeMap<String, usize>,
}

impl RecordBuilder {
    fn add(&mut self, reference: &Reference, m: &Measurement) {
        let place = place::of(m);
        let source = self.source(reference, m, &place);
        self.add_notes(source, m);
        let run = self.run(m, &place, source);
        let Some(value) = m.value else {
            self.record.runs[run].outcome = Outcome::Skipped(why(m));
            return;
        };
        let value = value * place.factor;
        match place.counted {
            Some(percent) => self.record.runs[run].readings.push(Reading {
                name: place.metric.to_string(),
                unit: place.unit,
                value,
                coverage: percent / 100.0,
            }),
            None => {
                let metric = (place.metric, place.unit, place.better);
                self.sample(run, metric, &place.at, value);
            }
        }
        self.beside(reference, run, m);
    }
    /// Other figures of the same cell.
    fn beside(&mut self, reference: &Reference, run: usize, m: &Measurement) {
        if let Some(ipc) = m.ipc {
            // That of all CPUs says nothing of the program, so it must not be found where the program's is looked for.
            let name =
                if reference.counts_all_cpus(m) { Metric::IpcOfMachine } else { Metric::Ipc };
            self.sample(run, (name, Unit::PerCycle, Better::Neither), &BTreeMap::new(), ipc);
        }
        if let Some((least, most)) = m.cpu_percent {
            let used = (Metric::CpusUsed, Unit::Count, Better::Neither);
            for (end, value) in [("least", least), ("most", most)] {
                let at = [("end".to_owned(), Value::from(end))].into();
                self.sample(run, used, &at, value / 100.0);
            }
        }
    }
    /// Adds a sample to the series of that name and place.
    fn sample(
        &mut self,
        run: usize,
        (metric, unit, better): (Metric, Unit, Better),
        at: &place::Params,
        value: f64,
    ) {
        let run = &mut self.record.runs[run];
        if !matches!(run.outcome, Outcome::Measured(_)) {
            run.outcome = Outcome::Measured(vec![]);
        }
        let Outcome::Measured(all) = &mut run.outcome else { return };
        let same = |s: &Series| s.metric == metric && s.at == *at && s.unit == unit;
        match all.iter_mut().find(|s| same(s)) {
            Some(series) => series.samples.push(value),
            None => all.push(Series {
                at: at.clone(),
                samples: vec![value],
                ..Series::new(metric, unit, better)
            }),
        }
    }
    /// The run of a figure's case; a figure that is none has a run of its own.
    fn run(&mut self, m: &Measurement, place: &Place, source: usize) -> usize {
        let mut key = format!("{source}\u{1f}{}", place.probe);
        for (name, value) in &place.params {
            key += &format!("\u{1f}{name}\u{1e}{value}");
        }
        if m.value.is_none() {
            key += &format!("\u{1f}{}", m.id);
        }
        if let Some(run) = self.cases.get(&key) {
            return *run;
        }
        let mut case = Case {
            probe: place.probe,
            version: 0,
            params: place.params.clone(),
            place: Placement { cpus: place.cpus.clone(), node: place.node, ..Placement::default() },
            estimate: 0.0,
        };
        case.params.insert("tool".into(), place.tool.into());
        let source = u32::try_from(source).unwrap_or(u32::MAX);
        let origin = Some(Origin { source, line: m.line });
        self.record.runs.push(Run { origin, ..Run::new(case, Outcome::Measured(vec![])) });
        let run = self.record.runs.len() - 1;
        self.cases.insert(key, run);
        run
    }
    /// The source of a figure: its publication, by tool.
    fn source(&mut self, reference: &Reference, m: &Measurement, place: &Place) -> usize {
        let sources = &mut self.record.provenance.sources;
        let same = |s: &Source| {
            let (file, tool, command) = (&m.publication, place.tool, place.command);
            s.file == *file && s.tool == tool && s.command.as_deref() == command
        };
        sources.iter().position(same).unwrap_or_else(|| {
            let mut source = Source {
                tool: place.tool.into(),
                command: place.command.map(str::to_owned),
                ..text(reference, &m.publication)
            };
            if place.tool != "text" {
                warn(&mut source, None, &format!("the version of {} is not stated", place.tool));
            }
            sources.push(source);
            sources.len() - 1
        })
    }
    /// A source of this publication, for what is about several tools.
    fn any_source(&mut self, reference: &Reference, publication: &str) -> usize {
        let sources = &mut self.record.provenance.sources;
        let found = sources.iter().position(|s| s.file == publication);
        found.unwrap_or_else(|| {
            sources.push(text(reference, publication));
            sources.len() - 1
        })
    }
    /// Warnings that a reader of the result needs.
    fn add_notes(&mut self, source: usize, m: &Measurement) {
        let source = &mut self.record.provenance.sources[source];
        let mut notes: BTreeSet<&str> = BTreeSet::new();
        if !m.note.is_empty() {
            notes.insert(&m.note);
        } else if m.ambiguous {
            notes.insert("this figure can be read in more than one way");
        }
        if m.jitter {
            notes.insert("the author says that CPU use jittered during this run");
        }
        if !m.unit_printed && !m.note.contains("unit") {
            notes.insert("its unit is not printed");
        }
        notes.into_iter().for_each(|note| warn(source, Some(m.line), note));
    }
}

/// The reason why a cell holds no figure.
fn why(m: &Measurement) -> Reason {
    let mut what = format!("'{}' is printed", m.printed);
    if let Some((low, high)) = m.value_range {
        what += &format!(", a range from {low} to {high}");
    }
    if let Some(probable) = m.probable {
        what += &format!(", probably {probable}");
    }
    if !m.note.is_empty() {
        what += &format!(": {}", m.note.trim_end_matches('.'));
    }
    Reason::new(what)
}
