//! Energy, power and temperature beside each case, where the machine lets them be read.
use crate::page::{Block, Table};
use crate::quantity;
use crate::say;
use crate::section::{ReportSection, Section};
use analyse::{CaseEnergy, Report};
use record::{Reason, Unit};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Energy and heat", 205, &[], blocks);

/// One row a case, or why there is none.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = report.get::<Vec<CaseEnergy>>();
    if all.is_empty() {
        let why = report.record.runs.iter().find_map(|run| run.unread.get("energy"));
        let sentence = |why: &Reason| Block::text(say::sentence(why).capital());
        return why.map(sentence).into_iter().collect();
    }
    let words =
        |value: Option<f64>, unit| value.map_or(String::new(), |x| quantity::plain(x, unit));
    let table = Table::of(all, |case| {
        let per_operation = case.per_operation.as_ref().map_or(String::new(), |per| {
            let unit = if per.is_byte { "/B" } else { "" };
            quantity::plain(per.joules, Unit::Joules) + unit
        });
        [
            ("case", report.record.runs[case.run].case.label()),
            ("#package", words(case.package, Unit::Joules)),
            ("#DRAM", words(case.dram, Unit::Joules)),
            ("#platform", words(case.platform, Unit::Joules)),
            ("#mean power", quantity::plain(case.watts, Unit::Watts)),
            ("#temperature", words(case.celsius, Unit::Celsius)),
            ("#energy per operation", per_operation),
        ]
    });
    vec![Block::text(say::ENERGY_PACKAGE_DRAM_COUNTERS_COUNT), Block::Table(table.folded())]
}
