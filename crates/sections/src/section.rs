//! The sections of a page and their order. A section is a function from what is known to blocks; it says
//! nothing by returning no blocks, and is then left out.
use crate::comparison_sections;
use crate::origin;
use crate::page::{self, Banner, Block};
use crate::say;
use crate::sections::{self, machine, not_measured};
use analyse::compare::Comparison;
use analyse::{Estimate, Report};
use record::{Between, Environment, Judgement, Machine, ProbeId, Sort, Text};

/// A section of a page. Its id, which links end with, is its file's name.
#[derive(Debug)]
pub struct Section<Blocks> {
    /// Heading.
    title: &'static str,
    /// Its place on the page: the lowest comes first.
    order: u16,
    /// Whether it shows measured numbers: alone on a page it needs the verdict of the environment check.
    numbers: bool,
    /// Probes whose numbers it shows. What no section shows is in `other`.
    pub(crate) probes: &'static [ProbeId],
    /// Its content; no blocks where there is none, and the section is left out.
    blocks: Blocks,
}

/// A section of a report.
pub type ReportSection = Section<fn(&Report<'_>) -> Vec<Block>>;
/// A section of several records side by side.
pub type ComparisonSection = Section<fn(&Comparison) -> Vec<Block>>;

impl<Blocks> Section<Blocks> {
    /// A section that shows measured numbers.
    pub(crate) const fn with_numbers(
        title: &'static str,
        order: u16,
        probes: &'static [ProbeId],
        blocks: Blocks,
    ) -> Section<Blocks> {
        Section { title, order, numbers: true, probes, blocks }
    }

    /// A section without measured numbers.
    pub(crate) const fn without_numbers(
        title: &'static str,
        order: u16,
        probes: &'static [ProbeId],
        blocks: Blocks,
    ) -> Section<Blocks> {
        Section { title, order, numbers: false, probes, blocks }
    }

    fn made(&self, id: &'static str, blocks: Vec<Block>) -> Option<page::Section> {
        let (title, numbers) = (self.title, self.numbers);
        (!blocks.is_empty()).then_some(page::Section { id, title, numbers, blocks })
    }
}

/// Sections in the order of a page.
fn in_order<Blocks>(
    all: &[(&'static str, &'static Section<Blocks>)],
) -> Vec<(&'static str, &'static Section<Blocks>)> {
    let mut all = all.to_vec();
    all.order_by_key(|(_, section)| section.order);
    all
}

/// What a report says: the environment check first, conclusions last, since that is where a terminal's reader stops. Only one section of it if
/// it has a name; sections that say nothing are left out.
pub fn of_report(report: &Report<'_>, only: Option<&str>) -> Vec<page::Section> {
    let all = in_order(sections::ALL).into_iter();
    let wanted = all.filter(|(id, _)| only.is_none_or(|name| name == *id));
    wanted.filter_map(|(id, section)| section.made(id, (section.blocks)(report))).collect()
}

/// Where a section stands on a page that opens with the answer: what to do, then numbers as the report has them, then how they
/// came about, then the inventory.
pub fn place(id: &str) -> usize {
    const FIRST: [&str; 2] = ["findings", "conclusions"];
    const LAST: [&str; 6] =
        ["not_measured", "stability", "environment", "instrument", "provenance", "machine"];
    let first = FIRST.iter().position(|known| *known == id);
    let last = LAST.iter().position(|known| *known == id).map(|i| 100 + i);
    first.or(last).unwrap_or(50)
}

/// The names of a report's sections, in their order.
pub fn names() -> impl Iterator<Item = &'static str> {
    in_order(sections::ALL).into_iter().map(|(id, _)| id)
}

/// The sections of a machine that has not been measured.
pub fn of_machine(machine: &Machine) -> Vec<page::Section> {
    let title = "What could not be read, and why";
    let unread = page::Section::new("unknown", title, not_measured::unread(machine));
    let known = machine::SECTION.made("machine", machine::blocks(machine));
    known.into_iter().chain(Some(unread).filter(|s| !s.blocks.is_empty())).collect()
}

/// The sections of a comparison: the answer first, its basis after it.
pub fn of_comparison(comparison: &Comparison) -> Vec<page::Section> {
    let all = in_order(comparison_sections::ALL).into_iter();
    all.filter_map(|(id, section)| section.made(id, (section.blocks)(comparison))).collect()
}

/// The estimates of some probes, in the record's order; what was imported has a section of its own.
pub fn of_probes<'r>(report: &'r Report<'_>, probes: &[ProbeId]) -> Vec<&'r Estimate> {
    let own = |e: &&Estimate| !origin::imported(report, e.run);
    report.estimates.iter().filter(|e| probes.contains(&e.probe)).filter(own).collect()
}

/// The section that shows a probe's numbers, where it is not `other`.
pub fn of_probe(probe: ProbeId) -> Option<&'static str> {
    let shown = sections::ALL.iter().find(|(_, section)| section.probes.contains(&probe));
    shown.map(|(id, _)| *id)
}

/// The verdict of the environment check, in full and in short.
pub fn banner(judgement: &Judgement) -> Banner {
    let verdict = Text::from(match judgement.environment {
        Environment::Pass => say::ENVIRONMENT_PASS,
        Environment::Warn => say::ENVIRONMENT_WARN,
        Environment::Fail => say::ENVIRONMENT_FAIL,
    });
    let short = match judgement.reasons.first() {
        Some(gravest) if judgement.environment != Environment::Pass => {
            let why = say::sentence(&gravest.why);
            Text::list([verdict.clone(), why], Between::Sentences)
        }
        _ => verdict.clone(),
    };
    Banner {
        environment: judgement.environment,
        verdict,
        short,
        reasons: judgement.reasons.iter().map(Text::from).collect(),
    }
}

/// The name of a machine: its model if it states one.
pub fn machine_name(machine: &Machine) -> Text {
    let known = machine.text("cpu.model");
    known.map_or(say::MACHINE_WITHOUT_MODEL.into(), Text::from)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn sections_have_a_place_of_their_own_and_no_probe_is_shown_twice() {
        let all = in_order(sections::ALL);
        assert!(all.windows(2).all(|pair| pair[0].1.order < pair[1].1.order));
        let compared = in_order(comparison_sections::ALL);
        assert!(compared.windows(2).all(|pair| pair[0].1.order < pair[1].1.order));
        let probes: Vec<ProbeId> = all.iter().flat_map(|(_, s)| s.probes).copied().collect();
        assert_eq!(probes.iter().collect::<BTreeSet<_>>().len(), probes.len());
    }
}
