//! Results of other tools, and what has no figure, named in words: the tool, what it measured, and of what.
use crate::compare::UNSAID;
use crate::say;
use crate::words::{bytes, plain, shortened};
use crate::{Estimate, Report};
use record::{Between, Message, Metric, ProbeId, Sort, Text, Value, param};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

/// The words of `data/labels.toml`, which says what each table is.
#[derive(Debug, Default, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct Words {
    bare: BTreeSet<String>,
    counted: BTreeMap<String, [String; 2]>,
    tools: BTreeMap<String, String>,
    metrics: BTreeMap<String, String>,
    values: BTreeMap<String, String>,
    pairs: BTreeMap<String, String>,
}

/// The file; a test refuses one that cannot be read.
static WORDS: LazyLock<Words> = LazyLock::new(|| record::from_toml(TEXT).unwrap_or_default());
const TEXT: &str = include_str!("../../data/labels.toml");

/// Metrics that the unit of the value says.
const BY_UNIT: &[Metric] = &[
    Metric::Bandwidth,
    Metric::LoadToUse,
    Metric::OneWay,
    Metric::Rate,
    Metric::Throughput,
    Metric::TimePerOp,
    Metric::TimePerRequest,
];

/// A result's name and, one by one, what it is of: `STREAM: copy, 80 million elements`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Name {
    pub(super) what: Text,
    pub(super) of: Vec<Text>,
}

impl Name {
    /// All of it.
    pub(super) fn text(&self) -> Text {
        let of = Text::list(&self.of, Between::Comma);
        let all = [&self.what, &of].into_iter().filter(|part| !part.is_empty());
        Text::list(all, Between::Colon)
    }
}

/// The names of results, in their order. Those that are alike have the heads of their columns and the version of the tool, too,
/// where these differ, else the file that each is from.
pub(super) fn names(report: &Report<'_>, all: &[&Estimate]) -> Vec<Name> {
    let names: Vec<Name> = all.iter().map(|e| name(report, e, false)).collect();
    let headed: Vec<Name> = all.iter().map(|e| name(report, e, true)).collect();
    let mut known: BTreeMap<&Name, BTreeSet<&Name>> = BTreeMap::new();
    for (one, headed) in names.iter().zip(&headed) {
        known.entry(one).or_default().insert(headed);
    }
    let distinct = |one: &Name| known.get(one).is_some_and(|headed| headed.len() > 1);
    let of = |(one, headed)| if distinct(one) { headed } else { one };
    let names: Vec<&Name> = names.iter().zip(&headed).map(of).collect();
    let file = |e: &Estimate| {
        let source = report.record.runs.get(e.run)?.origin.as_ref()?.source;
        report.record.provenance.sources.get(source as usize).map(|source| source.file.as_str())
    };
    let mut files: BTreeMap<&Name, BTreeSet<&str>> = BTreeMap::new();
    for (name, e) in names.iter().zip(all) {
        files.entry(name).or_default().extend(file(e));
    }
    let with_file = |(name, e): (&&Name, &&Estimate)| {
        let mut name = (*name).clone();
        if files.get(&name).is_some_and(|files| files.len() > 1) {
            name.of.extend(file(e).map(|file| shortened(file, WIDEST).into()));
        }
        name
    };
    names.iter().zip(all).map(with_file).collect()
}

/// The name of a result, with the head of its column where `headed`.
fn name(report: &Report<'_>, e: &Estimate, headed: bool) -> Name {
    let tool = WORDS.tools.get(e.probe.as_str()).cloned().unwrap_or_else(|| e.probe.words());
    let version = report.text(e, param::TOOL).filter(|_| headed);
    let tool = version.filter(|version| version.starts_with(&*tool)).unwrap_or(tool);
    let metric = WORDS.metrics.get(e.metric.as_str()).cloned();
    let metric = metric.unwrap_or_else(|| e.metric.words());
    let params = report.record.runs.get(e.run).map(|run| &run.case.params);
    let ends = between(e);
    let is_end = |name: &str| ends.is_some() && ["from", "to"].contains(&name);
    // Some tools print their version under their own name.
    let is_said = |name: &str| is_end(name) || name == e.probe.as_str();
    let params = params.into_iter().flatten().filter(|(name, _)| !e.at.contains_key(*name));
    let mut pairs: Vec<_> = params.chain(&e.at).filter(|(name, _)| !is_said(name)).collect();
    pairs.order_by_key(|(name, _)| !WORDS.bare.contains(name.as_str()));
    let head =
        e.at.get(COLUMN_HEAD).filter(|_| headed).map(|head| in_words(&head.to_string()).into());
    let words = pairs.into_iter().filter_map(|(name, value)| coordinate(e, name, value));
    // What the metric says by itself has no words.
    let words = words.filter(|word| !word.is_empty());
    let of: Vec<Text> = head.into_iter().chain(words).chain(ends.clone()).collect();
    let what = match e.probe {
        // What is no figure of a program has its own name.
        ProbeId::ReferenceResult | ProbeId::Table => in_words(&metric),
        _ if tool.ends_with(&metric) => tool,
        _ if BY_UNIT.contains(&e.metric) && !of.is_empty() => tool,
        _ => format!("{tool} {metric}"),
    };
    Name { what: what.into(), of }
}

/// Takes from names of results what all of them are of, also `others` that are not shown, and returns it: `sysbench events: cpu,
/// 1 thread` and `sysbench elapsed: cpu, 1 thread` are of `cpu, 1 thread`.
pub(super) fn take_common(names: &mut [Name], others: &[Name]) -> Text {
    let Some(first) = names.first().filter(|_| names.len() > 1) else { return Text::default() };
    let is_common = |word: &&Text| names.iter().chain(others).all(|name| name.of.contains(word));
    let common: Vec<Text> = first.of.iter().filter(is_common).cloned().collect();
    names.iter_mut().for_each(|name| name.of.retain(|word| !common.contains(word)));
    Text::list(common, Between::Comma)
}

/// `from node 0 to node 1`, of what runs between two of them.
pub(super) fn between(e: &Estimate) -> Option<Text> {
    let said = match e.probe {
        ProbeId::NumaMatrix => say::node_to_node,
        ProbeId::CoreToCore => say::cpu_to_cpu,
        _ => return None,
    };
    Some(said(e.at.get("from")?.to_string(), e.at.get("to")?.to_string()))
}

/// A parameter in words; nothing where it does not say what was measured.
fn coordinate(e: &Estimate, name: &str, value: &Value) -> Option<Text> {
    let text = value.to_string();
    let of_program =
        ["of", "during"].contains(&name) && [ProbeId::PerfStat, ProbeId::Time].contains(&e.probe);
    if of_program {
        return Some(program(&text));
    }
    // Without its name the twelve of UnixBench are one, and so are the copies of tinymembench; a summary of runs has two ends.
    let named = ["test", "row", "of", "kernel"].contains(&name);
    let unsaid = UNSAID.contains(&name) && !text.ends_with("of all runs");
    if unsaid || text.chars().count() > WIDEST && !named {
        return None;
    }
    if let Some(term) = WORDS.pairs.get(&format!("{name} {text}")) {
        return Some(term.into());
    }
    let number = value.number().or_else(|| text.parse().ok());
    if let (Some([one, many]), Some(n)) = (WORDS.counted.get(name), number) {
        return Some(format!("{} {}", plain(n), if n == 1.0 { one } else { many }).into());
    }
    Some(match (name, number) {
        ("working_set" | "size" | "block" | "page", Some(n)) => match name {
            "working_set" | "size" => bytes(n).into(),
            _ => format!("{} {name}s", bytes(n)).into(),
        },
        ("elements", Some(n)) if n >= 1e6 => say::million_elements(plain(n / 1e6)),
        ("pages", Some(n)) => format!("{} pages", plain(n)).into(),
        ("cpu", Some(n)) => format!("CPU {n}").into(),
        // The line only keeps two checks of one frequency apart.
        ("line", _) if e.probe == ProbeId::SbcBench => return None,
        ("stated", Some(hz)) if e.metric == Metric::Frequency => {
            say::megahertz_set(plain(hz / 1e6))
        }
        // The metric says it.
        ("in", _) if text == "tsc_ticks" => return None,
        ("primes", Some(n)) => say::primes_to(n),
        ("memory", Some(n)) => say::memory_of_node(n),
        // Of two CPUs or nodes both ends are said together.
        ("from", Some(n)) if e.probe == ProbeId::LatMemRd => say::from_node(n),
        ("copies", _) if text == "one" => say::ONE_COPY.into(),
        ("threads", _) if text == "one" => say::ONE_THREAD.into(),
        ("threads", _) if text == "all" => say::ALL_THREADS.into(),
        ("scope", _) => return scope(&text).map(Text::from),
        ("stride", Some(n)) => say::stride(bytes(n)),
        ("tlb_locality", Some(n)) => say::tlb_locality(bytes(n)),
        (name, _) if WORDS.bare.contains(name) => in_words(&text).into(),
        _ => format!("{} {text}", name.replace('_', " ")).into(),
    })
}

/// A value or the head of a column in words; as it is where it has none.
fn in_words(text: &str) -> String {
    WORDS.values.get(text).map_or_else(|| text.to_owned(), String::clone)
}

/// What counts are of, where that is no program.
pub(super) fn scope(name: &str) -> Option<Message> {
    match name {
        "system" => Some(say::SYSTEM_WIDE),
        "cpu" => Some(say::ALL_PROGRAMS),
        "unknown" => Some(say::SCOPE_NOT_PRINTED),
        _ => None,
    }
}

/// The parameter of a result that has the head of its column.
const COLUMN_HEAD: &str = "column_head";

/// A program that another tool ran or watched.
pub(super) fn program(command: &str) -> Text {
    say::of_program(shortened(command, WIDEST_COMMAND))
}

/// Characters of a value that leave room for the others.
const WIDEST: usize = 24;
/// The most columns of a command.
const WIDEST_COMMAND: usize = 36;

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Better, Origin, Source, Unit};

    #[test]
    fn results_of_one_name_from_two_files_have_their_file() {
        let mut record = crate::example::empty();
        for (source, file) in [(0u32, "a.txt"), (1, "b.txt")] {
            let mut s = record::Series::new("events", Unit::PerSecond, Better::Higher);
            s.samples = vec![1.0];
            crate::example::measured(&mut record, "sysbench", &[("threads", "one")], vec![s]);
            record.runs[source as usize].origin = Some(Origin { source, line: 1 });
            let source = Source { file: file.into(), ..Source::default() };
            record.provenance.sources.push(source);
        }
        let report = crate::analyse(&record);
        let all: Vec<&Estimate> = report.estimates.iter().collect();
        assert!(all.len() == 2, "{}", all.len());
        let of = |all: &[&Estimate]| -> Vec<String> {
            names(&report, all).iter().map(|name| name.text().to_string()).collect()
        };
        assert_eq!(of(&all[..1]), ["sysbench events: one thread"]);
        assert_eq!(
            of(&all),
            ["sysbench events: one thread, a.txt", "sysbench events: one thread, b.txt"]
        );
    }

    /// The node of the CPU, where a publication names no CPU.
    #[test]
    fn where_a_latency_was_measured_from_has_its_noun() {
        let mut record = crate::example::empty();
        let mut s = record::Series::new("latency", Unit::Seconds, Better::Lower);
        s.samples = vec![1e-7];
        let params = [("from", "7"), ("memory", "0")];
        crate::example::measured(&mut record, "lat_mem_rd", &params, vec![s]);
        let report = crate::analyse(&record);
        let all: Vec<&Estimate> = report.estimates.iter().collect();
        let name = names(&report, &all)[0].text();
        assert!(name.ends_with("from node 7, memory of node 0"), "{name}");
    }

    #[test]
    fn a_workload_that_its_metric_names_is_not_named_again() {
        let mut record = crate::example::empty();
        let mut s = record::Series::new("max_ipc_stated", Unit::PerCycle, Better::Higher);
        s.samples = vec![4.0];
        let params = [("workload", "ipc-ceiling"), ("l3_ways", "21")];
        crate::example::measured(&mut record, "reference_result", &params, vec![s]);
        let report = crate::analyse(&record);
        let all: Vec<&Estimate> = report.estimates.iter().collect();
        assert_eq!(names(&report, &all)[0].text(), "highest IPC stated: 21 L3 ways");
    }

    /// A part with a comma of its own is one part.
    #[test]
    fn what_all_results_are_of_is_taken_from_their_names() {
        let name =
            |of: &[&str]| Name { what: "time".into(), of: of.iter().map(Text::from).collect() };
        let mut names = [name(&["program a, b", "1 thread"]), name(&["program a, c", "1 thread"])];
        let others = [name(&["program a", "1 thread"])];
        assert_eq!(take_common(&mut names, &others), "1 thread");
        assert_eq!(names[0].text(), "time: program a, b");
    }

    #[test]
    fn the_words_can_be_read() {
        let words: Words = record::from_toml(TEXT).unwrap();
        assert!(words.bare.contains("workload") && words.counted["copies"] == ["copy", "copies"]);
        assert_eq!(words.tools["stream"], "STREAM");
        assert!(!words.metrics.is_empty());
        // Alone they say nothing, and SPEC's `base` is something else.
        assert_eq!(words.pairs["pages base"], "base pages");
    }
}
