//! Curves of several records in one picture: latency and bandwidth over working set, bandwidth over threads.
use crate::chart::{Chart, Curves, Kind, Line, Point};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ComparisonSection, Section};
use crate::{origin, quantity};
use analyse::compare::{Comparison, CurveSet};
use record::{Between, Sort, Text, Unit};

/// As many lines as there are colours.
const LINES: usize = 6;

pub(crate) static SECTION: ComparisonSection = Section::with_numbers("Curves", 50, &[], blocks);

/// The first curve of every probe; its other ones are folded away.
fn blocks(of: &Comparison) -> Vec<Block> {
    let mut blocks = vec![];
    // Level 0 of the loads has no place on a logarithmic axis.
    let shown: Vec<&CurveSet> = of.curves.iter().filter(|set| set.axis != "level").collect();
    for of_probe in shown.chunk_by(|a, b| a.probe == b.probe) {
        let mut charts =
            of_probe.iter().enumerate().map(|(i, set)| Block::chart(chart(of, set, i)));
        blocks.extend(charts.next());
        let rest: Vec<Block> = charts.collect();
        if !rest.is_empty() {
            let summary =
                format!("{} more of {}", quantity::counted(rest.len(), "curve"), of_probe[0].probe);
            blocks.push(Block::details(summary, rest));
        }
    }
    blocks
}

fn chart(of: &Comparison, set: &CurveSet, number: usize) -> Chart {
    let x = match set.axis {
        "working_set" => ("working set", Unit::Bytes),
        "threads" => ("threads", Unit::Count),
        "pages" => ("pages", Unit::Count),
        _ => ("ways", Unit::Count),
    };
    let y = match set.unit {
        Unit::Seconds => "latency",
        Unit::BytesPerSecond => "bandwidth",
        _ => "value",
    };
    // The baseline first, so that it has the same colour everywhere.
    let order = std::iter::once(of.baseline).chain(of.others());
    let drawn: Vec<usize> = order.filter(|i| !set.lines[*i].is_empty()).take(LINES).collect();
    let lines: Vec<Line> = drawn
        .iter()
        .map(|i| {
            let points = set.lines[*i].iter().map(|p| Point::new(p.x, p.y, p.interval));
            Line::new(of.sides[*i].name.clone().into(), points.collect())
        })
        .collect();
    let words = origin::coordinates(set.at.iter());
    let what = format!("{} {}", set.probe.words(), words.join(", "));
    let hidden = set.records - drawn.len();
    Chart {
        name: format!("compared-{}-{number}", letters(set.probe.as_str())),
        title: format!("{} over {}: {}", y, x.0, what.trim_end()).into(),
        description: match hidden {
            0 => say::BOTH_LOGARITHMIC.into(),
            n => Text::list(
                [say::BOTH_LOGARITHMIC.into(), say::records_not_drawn(n)],
                Between::Sentences,
            ),
        },
        table: table(of, set, &drawn, x),
        kind: Kind::Curves(Curves { lines, ..Curves::over(x, (y, set.unit)) }),
    }
}

/// Names come from records: letters and dashes only.
fn letters(probe: &str) -> String {
    probe.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '-' }).collect()
}

fn table(of: &Comparison, set: &CurveSet, drawn: &[usize], x: (&str, Unit)) -> Table {
    let names = drawn.iter().map(|i| of.sides[*i].name.as_str());
    let mut table = Table::new([x.0].into_iter().chain(names).map(|name| format!("#{name}")));
    let mut places: Vec<f64> =
        drawn.iter().flat_map(|i| set.lines[*i].iter().map(|p| p.x)).collect();
    places.order_by(f64::total_cmp);
    places.dedup();
    for place in places {
        let mut row = vec![quantity::plain(place, x.1)];
        for i in drawn {
            let point = set.lines[*i].iter().find(|p| p.x == place);
            row.push(point.map_or(String::new(), |p| quantity::plain(p.y, set.unit)));
        }
        table.add(row);
    }
    table
}
