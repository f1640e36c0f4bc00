//! Load-to-use latency over working set: the curve, the levels found on it, and every point.
use crate::chart::{Chart, Curves, Flat, Kind, Line, Point};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{AsExpected, Curve, Level, Report, Served};
use record::{Pages, ProbeId, Text, Unit};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Latency", 50, &[ProbeId::LoadLatency], blocks);

/// Curves and levels.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, SECTION.probes);
    let curves = report.get::<Vec<Curve>>();
    let mut blocks = vec![];
    for (index, curve) in curves.iter().enumerate().filter(|(_, c)| c.order != "stride") {
        blocks.push(Block::heading(format!("Levels on {}", name(curve))));
        blocks.extend(levels(report, index, curve));
    }
    if curves.iter().any(|c| c.order == "stride") {
        blocks.push(Block::text(say::LATENCY_ASCENDING_ADDRESSES_STRIDE_ORDER));
    }
    if curves.iter().any(ends_early) {
        blocks.push(Block::text(say::WORKING_SETS_BELOW_FOUR_TIMES_THE_LAST));
    }
    if !curves.is_empty() {
        blocks.push(Block::chart(chart(report)));
    }
    blocks.extend(origin::every_series(report, &all));
    blocks
}

/// Whether no point of it is memory.
fn ends_early(curve: &Curve) -> bool {
    let last = curve.points.last().and_then(|p| p.served);
    last.is_some_and(|by| by != Served::Memory)
}

/// A curve's name: its pages, how many of them were verified, and the order if it is not random.
fn name(curve: &Curve) -> String {
    let mut name = origin::page_kind(curve.pages);
    if curve.pages != Pages::Base {
        name += &match curve.huge_share {
            Some(share) => format!(" ({} verified)", quantity::percent(share)),
            None => " (share unreadable)".into(),
        };
    }
    if curve.order != "random" {
        name += &format!(", {} order", curve.order);
    }
    let usual = if curve.order == "grouped" { 256.0 } else { 64.0 };
    if let Some(stride) = curve.stride.filter(|s| *s != usual || curve.order == "stride") {
        name += &format!(", stride {}", quantity::plain(stride, Unit::Bytes));
    }
    name
}

/// The level that serves a working set, in the words of a cell.
fn served(by: Option<Served>) -> Text {
    match by {
        None => Text::default(),
        Some(Served::Cache(level)) => format!("L{level}").into(),
        Some(Served::Between(one, two)) => format!("L{one}/L{two} mix").into(),
        Some(Served::NotMemory(last)) => say::l_memory_mix_not_memory(last),
        Some(Served::Memory) => "memory".into(),
    }
}

/// Where a curve was measured, on which pages, and from how many samples each point comes.
fn circumstances(report: &Report<'_>, curve: &Curve) -> Option<String> {
    let run = report.record.runs.get(curve.run)?;
    let of = || curve.points.iter().filter_map(|p| report.estimates.get(p.estimate));
    let buffer = of().filter_map(|e| report.series(e)?.buffer.as_ref()).max_by_key(|b| b.bytes);
    let (fewest, most) = (of().map(|e| e.count).min()?, of().map(|e| e.count).max()?);
    let counts = if fewest == most { fewest.to_string() } else { format!("{fewest} to {most}") };
    let pages = buffer.map_or(String::new(), |b| format!("{}; ", origin::pages(b)));
    Some(format!("{pages}{}; n = {counts} per point", origin::placement(run, buffer)))
}

/// The levels that were found, then why the others were not.
fn levels(report: &Report<'_>, index: usize, curve: &Curve) -> Vec<Block> {
    let expected = report.get::<AsExpected>();
    let mut table = Table::default();
    table.notes.extend(circumstances(report, curve).map(Text::from));
    table.note(say::STATED_THE_CACHE_S_SIZE_RANGE_OF);
    let size = |bytes| quantity::plain(bytes, Unit::Bytes);
    let mut absent = vec![];
    for level in &curve.levels {
        match &level.found {
            Ok(p) => table.headed([
                ("level", level.name.clone()),
                ("#latency", quantity::plain(p.seconds, Unit::Seconds)),
                ("#95 % interval", origin::interval(p.seconds, Unit::Seconds, p.interval)),
                ("#cycles", p.cycles.map_or(String::new(), quantity::cycles)),
                ("#seen from", size(p.from)),
                ("#to", size(p.to)),
                ("#stated", level.stated.map_or("none".into(), size)),
                ("#range", quantity::percent(p.spread)),
                ("#points", p.points.to_string()),
            ]),
            Err(reason) => absent.push(say::level_not_found(&level.name, reason)),
        }
    }
    let mut blocks = Block::table(table.folded());
    let judged = curve.levels.iter().map(|l| (&*l.name, expected.of_curve(index, &l.name)));
    blocks.extend(expected.sentence(judged).map(Block::text));
    blocks.extend(Block::list(absent));
    if !curve.knees.is_empty() {
        let knees: Vec<String> =
            curve.knees.iter().map(|k| quantity::plain(*k, Unit::Bytes)).collect();
        blocks.push(Block::text(say::the_curve_leaves_a_plateau_at(knees.join(", "))));
    }
    blocks
}

fn chart(report: &Report<'_>) -> Chart {
    let mut curves = Curves::default();
    let mut table = Table::default();
    for curve in report.get::<Vec<Curve>>() {
        let name = name(curve);
        for point in &curve.points {
            let estimate = report.estimates.get(point.estimate);
            table.headed([
                ("working set", quantity::plain(point.bytes, Unit::Bytes).into()),
                ("pages", name.clone().into()),
                ("#latency", quantity::plain(point.seconds, Unit::Seconds).into()),
                (
                    "#95 % interval",
                    origin::interval(point.seconds, Unit::Seconds, point.interval).into(),
                ),
                ("#cycles", point.cycles.map_or(String::new(), quantity::cycles).into()),
                ("served by", served(point.served)),
                ("#samples", estimate.map_or(String::new(), origin::samples).into()),
                ("excluded", estimate.map_or(String::new(), origin::left_out).into()),
            ]);
        }
        let flat = |level: &Level| {
            let p = level.found.as_ref().ok()?;
            let (y, name) = (p.seconds, level.name.clone());
            let value = quantity::plain(y, Unit::Seconds);
            Some(Flat { from: p.from, to: p.to, y, name: name.into(), value: value.into() })
        };
        let points = curve.points.iter();
        curves.lines.push(Line {
            points: points.map(|p| Point::new(p.bytes, p.seconds, p.interval)).collect(),
            plateaus: curve.levels.iter().filter_map(flat).collect(),
            label: name.into(),
        });
        curve.levels.iter().for_each(|level| curves.capacity(&level.name, level.stated));
    }
    Chart {
        name: "latency".into(),
        title: say::LATENCY_LOAD_USE_LATENCY_OVER.into(),
        description: say::CACHE_BANDWIDTH_BOTH_AXES_LOGARITHMIC_DASHED.into(),
        table: table.folded(),
        kind: Kind::Curves(curves),
    }
}
