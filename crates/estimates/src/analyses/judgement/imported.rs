//! Results of other tools: nobody looked at their machine while they were made, and their files may contradict themselves.
use super::{Cause, Objection, Weight, warn};
use crate::report::Report;
use crate::say;
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
        let what = say::imported_other_machine(other.len(), files.len());
        let cause = Cause::OtherMachine { files: other.len() };
        found.push(warn(cause, what, say::IMPORT_BY_ITSELF));
    }
    found.push(warn(
        Cause::Imported { files: files.len() },
        say::imported_results(files.len()),
        say::MEASURE_THAT_MACHINE,
    ));
    if doubts > 0 {
        let what = say::imported_doubts(doubts);
        let cause = Cause::ImportWarnings { warnings: doubts };
        found.push((Weight::Warn, cause, Reason::new(what)));
    }
    found
}
