//! Whether the machine was fit to be measured, and what was seen before the first number.
use crate::page::Block;
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, section};
use analyse::{Drift, Report};
use record::{Judgement, ProbeId};

pub(crate) static SECTION: ReportSection =
    Section::without_numbers("Environment check", 10, &[ProbeId::Preflight], blocks);

/// The banner in full, and the preflight's observations.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = vec![Block::Banner(section::banner(report.get::<Judgement>()))];
    let is_reason = |verdict: &str| {
        report.get::<Judgement>().reasons.iter().any(|r| r.why == verdict.trim_end_matches('.'))
    };
    if let Some(drift) = report.get::<Option<Drift>>().as_ref().filter(|d| !is_reason(&d.verdict)) {
        blocks.push(Block::text(drift.verdict.clone()));
    }
    let seen = section::of_probes(report, SECTION.probes);
    if !seen.is_empty() {
        blocks.push(Block::folded(
            say::WHAT_WAS_SEEN_BEFORE_THE_FIRST_MEASUREMENT,
            origin::table(report, "observed", &seen),
        ));
    }
    blocks
}
