//! Results of other tools: nobody looked at their machine while they were made, and their files may contradict themselves.
use super::{Cause, Objection, Weight, warn};
use crate::report::Report;
use crate::words::count;
use record::{Reason, Source, WarningKind};
use std::collections::BTreeSet;

/// The remarks on imported results instead of a judgement.
pub(super) fn objections(report: &Report<'_>) -> Vec<Objection> {
    let sources = &report.record.provenance.sources;
    let files: BTreeSet<&str> = sources.iter().map(|s| s.file.as_str()).collect();
    let doubts: usize = sources.iter().map(|s| s.warnings.len()).sum();
    let contradicts = |s: &&Source| s.warnings.iter().any(|w| w.kind == WarningKind::OtherMachine);
    let other: BTreeSet<&str> =
        sources.iter().filter(contradicts).map(|s| s.file.as_str()).collect();
    let mut found = vec![];
    if !other.is_empty() {
        let what = format!(
            "{} of {} contradict an earlier one about the machine: they are of another machine, or of other settings",
            other.len(),
            count(files.len(), "file")
        );
        let cause = Cause::OtherMachine { files: other.len() };
        found.push(warn(cause, what, "import the files of each machine by themselves"));
    }
    found.push(warn(
        Cause::Imported { files: files.len() },
        format!(
            "These are results of other tools, imported from {}: the load and the frequency of the machine while they ran are not known",
            count(files.len(), "file")
        ),
        "measure that machine with cpulens run",
    ));
    if doubts > 0 {
        let what = format!(
            "{} about what was imported, under Results of other tools",
            count(doubts, "doubt")
        );
        let cause = Cause::ImportWarnings { warnings: doubts };
        found.push((Weight::Warn, cause, Reason::new(what)));
    }
    found
}
