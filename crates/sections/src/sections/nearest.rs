//! Published machines that are like this one: a line, and below it what was compared.
use crate::page::{Block, Table};
use crate::quantity;
use crate::say;
use crate::section::{ReportSection, Section};
use analyse::{Nearest, Report};
use record::{Between, Text};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Nearest machines", 230, &[], blocks);

/// One line, and a table for those who want to know.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = &report.get::<Nearest>().0;
    let Some(first) = all.first() else { return vec![] };
    let named = all.iter().map(|near| {
        let figures = quantity::counted(near.figures.len(), "figure");
        say::nearest_ref_times_apart(&near.name, format!("{:.2}", near.apart), &figures)
    });
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
    let compare = say::nearest_distance_root_mean_square(&first.name);
    vec![
        Block::text(say::sentence(Text::list(named, Between::Comma))),
        Block::details("What was compared", vec![Block::Table(table), Block::text(compare)]),
    ]
}
