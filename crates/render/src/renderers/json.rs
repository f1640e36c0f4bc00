//! For programs: the report as data, versioned. The units of its numbers are in `docs/report.schema.json`.
use crate::renderer::{Renderer, Settings, Subject};
use analyse::compare::Comparison;
use analyse::summary::{Flat, of_machine, summary};
use analyse::{Estimate, Report};
use record::{
    Buffer, Case, Machine, Outcome, Placement, Provenance, Record, Thread, Value, json_escaped,
};
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// Version of the document that `render` writes. A change that readers of the old one would misread raises it.
const REPORT: u32 = 1;
/// Version of the document that `info` writes.
const INFO: u32 = 1;
/// Version of the document that `compare` writes.
const COMPARISON: u32 = 1;

/// The report as data.
pub(crate) static RENDERER: Renderer = Renderer::of_all(write);

/// A report with what its record says of the machine and the runs.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct ReportDocument<'r> {
    /// Version of this document.
    report: u32,
    /// Version of the record's format.
    schema: u32,
    provenance: &'r Provenance,
    summary: Flat,
    machine: &'r Machine,
    estimates: Vec<EstimateWithCase<'r>>,
    #[serde(flatten)]
    analyses: Analyses<'r>,
    not_measured: Vec<NotMeasured<'r>>,
}

/// An estimate, the parameters of its case and where it ran.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct EstimateWithCase<'r> {
    #[serde(flatten)]
    estimate: &'r Estimate,
    params: Option<&'r BTreeMap<String, Value>>,
    /// The placement that was asked for.
    asked: Option<&'r Placement>,
    /// The threads, and where they were found to be.
    threads: Option<&'r [Thread]>,
    buffer: Option<&'r Buffer>,
    /// Operations of one sample.
    steps: Option<u64>,
}

impl<'r> EstimateWithCase<'r> {
    fn new(report: &'r Report<'r>, estimate: &'r Estimate) -> Self {
        let run = report.record.runs.get(estimate.run);
        let series = report.series(estimate);
        EstimateWithCase {
            estimate,
            params: run.map(|r| &r.case.params),
            asked: run.map(|r| &r.case.place),
            threads: run.map(|r| &r.threads[..]),
            buffer: series.and_then(|s| s.buffer.as_ref()),
            steps: series.map(|s| s.steps),
        }
    }
}

/// A case with its outcome: a line of a run that goes on.
#[derive(Serialize)]
pub(super) struct CaseOf<'r> {
    run: usize,
    case: &'r Case,
    /// `measured`, `skipped`, `failed`, `not_reached`.
    outcome: &'static str,
    reason: Option<&'r record::Reason>,
    estimates: Vec<EstimateWithCase<'r>>,
}

impl<'r> CaseOf<'r> {
    pub(super) fn new(report: &'r Report<'r>, run: usize) -> Option<Self> {
        let of = report.record.runs.get(run)?;
        let (outcome, reason) = match &of.outcome {
            Outcome::Measured(_) => ("measured", None),
            Outcome::Skipped(why) => ("skipped", Some(why)),
            Outcome::Failed(why) => ("failed", Some(why)),
            Outcome::NotReached(why) => ("not_reached", Some(why)),
        };
        let own = report.estimates.iter().filter(|e| e.run == run);
        let estimates = own.map(|e| EstimateWithCase::new(report, e)).collect();
        Some(CaseOf { run, case: &of.case, outcome, reason, estimates })
    }
}

/// Every analysis under its id.
struct Analyses<'r>(&'r Report<'r>);

impl Serialize for Analyses<'_> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(analyse::analyses().into_iter().map(|(id, entry)| (id, (entry.get)(self.0))))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Analyses<'_> {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Analyses".into()
    }
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut properties = serde_json::Map::new();
        for (id, entry) in analyse::analyses() {
            let mut schema = (entry.schema)(generator);
            schema.insert("description".into(), entry.title.into());
            properties.insert(id.into(), schema.into());
        }
        let required: Vec<&String> = properties.keys().collect();
        schemars::json_schema!({ "type": "object", "required": required, "properties": properties })
    }
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
struct NotMeasured<'r> {
    case: &'r Case,
    outcome: &'r Outcome,
}

#[derive(Serialize)]
struct ComparisonDocument<'r> {
    comparison: u32,
    #[serde(flatten)]
    compared: &'r Comparison,
}

impl<'r> ReportDocument<'r> {
    fn new(report: &'r Report<'r>) -> Self {
        let record = report.record;
        let unmeasured = record.runs.iter().filter(|r| !matches!(r.outcome, Outcome::Measured(_)));
        ReportDocument {
            report: REPORT,
            schema: record.schema,
            provenance: &record.provenance,
            summary: summary(report).flat(),
            machine: &record.machine,
            estimates: report.estimates.iter().map(|e| EstimateWithCase::new(report, e)).collect(),
            analyses: Analyses(report),
            not_measured: unmeasured
                .map(|r| NotMeasured { case: &r.case, outcome: &r.outcome })
                .collect(),
        }
    }
}

pub(crate) fn write(of: Subject<'_>, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
    match of {
        Subject::Report(report) => write_json(&ReportDocument::new(report), out),
        Subject::Machine(machine) => {
            let record = Record::new(Provenance::default(), machine.clone(), vec![]);
            let summary = of_machine(&analyse::analyse(&record)).flat();
            let info = serde_json::json!({ "info": INFO, "summary": summary, "machine": machine });
            write_json(&info, out)
        }
        Subject::Comparison(compared) => {
            write_json(&ComparisonDocument { comparison: COMPARISON, compared }, out)
        }
        Subject::Document(document) => write_json(&document.value, out),
    }
}

/// The characters that drive terminals are written as escapes, as JSON allows: no reader sees another text. Those below
/// 20h are by the library, the others occur in strings only.
fn write_json(value: &impl Serialize, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}", json_escaped(&serde_json::to_string_pretty(value)?))
}

/// The JSON Schema of reports.
#[cfg(feature = "schema")]
pub fn report_schema() -> schemars::Schema {
    schemars::schema_for!(ReportDocument<'_>)
}
