//! Energy, power and temperature beside each case, where the machine lets them be read.
use crate::page::{Block, Table};
use crate::quantity;
use crate::section::{ReportSection, Section};
use analyse::{CaseEnergy, Report};
use record::{Reason, Unit};

pub(crate) static SECTION: ReportSection =
    Section { title: "Energy and heat", order: 205, numbers: true, probes: &[], blocks };

/// A head, and what stands below it for a case.
type Column<'a> = (&'a str, &'a dyn Fn(&CaseEnergy) -> String);

/// One row a case, or why there is none.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = report.get::<Vec<CaseEnergy>>();
    if all.is_empty() {
        let why = report.record.runs.iter().find_map(|run| run.unread.get("energy"));
        let sentence = |why: &Reason| Block::Paragraph(quantity::capital(&format!("{why}.")));
        return why.map(sentence).into_iter().collect();
    }
    let words =
        |value: Option<f64>, unit| value.map_or(String::new(), |x| quantity::plain(x, unit));
    let columns: [Column<'_>; 7] = [
        ("case", &|case| report.record.runs[case.run].case.label()),
        ("#package", &|case| words(case.package, Unit::Joules)),
        ("#DRAM", &|case| words(case.dram, Unit::Joules)),
        ("#platform", &|case| words(case.platform, Unit::Joules)),
        ("#mean power", &|case| quantity::plain(case.watts, Unit::Watts)),
        ("#temperature", &|case| words(case.celsius, Unit::Celsius)),
        ("#energy per operation", &|case| {
            let Some(per) = &case.per_operation else { return String::new() };
            let unit = if per.is_byte { "/B" } else { "" };
            quantity::plain(per.joules, Unit::Joules) + unit
        }),
    ];
    let columns =
        columns.into_iter().filter(|(_, cell)| all.iter().any(|case| !cell(case).is_empty()));
    let (heads, cells): (Vec<_>, Vec<_>) = columns.unzip();
    let mut table = Table::new(&heads);
    table.rows = all.iter().map(|case| cells.iter().map(|cell| cell(case)).collect()).collect();
    vec![
        Block::Paragraph(
            "Package and DRAM counters count all programs and idle power. Energy per operation is the mean power of \
             the case over the rate of its work, its preparation included."
                .into(),
        ),
        Block::Table(table),
    ]
}
