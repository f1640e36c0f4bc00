//! Published machines that are like this one: a line, and below it what was compared.
use crate::page::{Block, Table};
use crate::quantity;
use crate::section::{ReportSection, Section};
use analyse::{Nearest, Report};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Nearest machines", 230, &[], blocks);

/// One line, and a table for those who want to know.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = &report.get::<Nearest>().0;
    let Some(first) = all.first() else { return vec![] };
    let named = all.iter().map(|near| {
        let figures = quantity::counted(near.figures.len(), "figure");
        format!("ref:{} ({:.2} times apart in {figures})", near.name, near.apart)
    });
    let named: Vec<String> = named.collect();
    let figures = all.iter().flat_map(|near| near.figures.iter().map(move |f| (near, f)));
    let table = Table::of(figures, |(near, f)| {
        [
            ("machine", near.name.clone()),
            ("figure", f.what.to_owned()),
            ("#here", quantity::plain(f.here, f.unit)),
            ("#published", quantity::plain(f.there, f.unit)),
            ("#ratio", format!("{:.2}", f.here / f.there)),
        ]
    });
    let compare = format!(
        "The distance is the root mean square of the ratios' logarithms. Published figures are single ones, of another \
         system and another day: they say what kind of machine this is like, not that it is as fast. More: cpulens show \
         ref:{}",
        first.name
    );
    vec![
        Block::text(format!("{}.", named.join(", "))),
        Block::details("What was compared", vec![Block::Table(table), Block::text(compare)]),
    ]
}
