//! The first screen of a report as a page: header, environment, tiles, the latency curve, findings; and what each section
//! answers in a line.
use super::canvas::{Canvas, PALETTE};
use crate::quantity;
use crate::summary::marks;
use crate::summary::screen::{Both, Screen, Shown, screen};
use analyse::references::References;
use analyse::summary::{Figure, FigureId, summary};
use analyse::{Nearest, Peers, Report};
use messages as say;
use record::{Environment, Sort, Text, Unit};
use sections::chart::{Chart, Kind, Line, Point};
use sections::page::{Block, Column, Page, Section};
use sections::section;

/// Tiles that a first screen has room for.
const TILES: usize = 8;
/// Characters of a section's first sentence.
const WIDEST: usize = 140;
/// Cells of a row that an answer has room for.
const CELLS: usize = 4;
/// The working set of the figure of published machines that lies on a latency curve.
const ON_CURVE: f64 = 67_108_864.0;

/// Everything above the sections, and these.
pub(super) struct First<'p> {
    pub(super) words: Screen,
    /// Every reason of the environment's verdict in full.
    pub(super) reasons: &'p [Text],
    pub(super) tiles: Vec<Tile>,
    /// The meaning of the marks on tiles.
    pub(super) marks: Both,
    pub(super) curve: Option<Chart>,
    /// The sections, each with its answer; what the machine is comes last.
    pub(super) sections: Vec<Closed<'p>>,
}

/// A section behind its title and its answer.
pub(super) struct Closed<'p> {
    pub(super) section: &'p Section,
    pub(super) title: Both,
    pub(super) answer: Both,
}

/// A figure with its interval as a picture.
pub(super) struct Tile {
    pub(super) shown: Shown,
    /// Its interval or modes on an axis from nothing, and machines with the same quantity.
    pub(super) strip: String,
    /// An equivalent that published machines have: its name and value here, and a strip.
    pub(super) beside: Option<(String, String)>,
}

/// The first screen: the summary of a report, with the page's sections.
pub(super) fn first<'p>(report: &Report<'_>, page: &'p Page, record: &str) -> First<'p> {
    let words = screen(&summary(report), record);
    let mut sections: Vec<&Section> = page.sections.iter().collect();
    sections.order_by_key(|s| section::place(s.id));
    let closed =
        |s: &'p Section| Closed { section: s, title: super::titled(s), answer: answer(s, &words) };
    let sections = sections.into_iter().map(closed).collect();
    let mut ranked: Vec<&Shown> =
        words.figures.iter().filter(|f| !f.figure.is_in_table()).collect();
    ranked.order_by_key(|f| f.rank);
    ranked.truncate(TILES);
    ranked.order_by_key(|f| f.figure.id);
    let figures: Vec<&Figure> = ranked.iter().map(|shown| &shown.figure).collect();
    let marked = |lang| marks(&figures, lang).collect::<Vec<_>>().join(say::semicolon(lang));
    First {
        marks: Both::of(marked),
        reasons: page.banner.as_ref().map_or(&[], |b| &b.reasons),
        tiles: ranked.into_iter().map(|f| tile(report, f)).collect(),
        curve: curve(report, page),
        words,
        sections,
    }
}

/// The class of a verdict.
pub(super) fn class(environment: &Environment) -> &'static str {
    match environment {
        Environment::Pass => "pass",
        Environment::Warn => "warn",
        Environment::Fail => "fail",
    }
}

/// The figures of a section.
fn figures(id: &str) -> &'static [FigureId] {
    use FigureId as F;
    match id {
        "core" => &[F::CoreFrequency, F::VectorFlops, F::BranchMiss],
        "latency" => &[
            F::L1Latency,
            F::L2Latency,
            F::L3Latency,
            F::MemoryLatency,
            F::MemoryLatencyHugePages,
            F::MemoryLatencyGrouped,
            F::LargestWorkingSetLatency,
            F::LargestWorkingSetLatencyHugePages,
        ],
        "bandwidth" => {
            &[F::ReadBandwidthOneCore, F::ReadBandwidthAllCores, F::CopyBandwidthAllCores]
        }
        "loaded_latency" => &[F::LoadedLatency],
        "core_to_core" => &[F::CoreToCoreLatency, F::CoreToCoreLatencyFarthest],
        "numa" => &[F::RemoteMemoryLatency, F::RemoteMemoryBandwidth],
        "memory_management" => &[F::MinorPageFault, F::TlbShootdown],
        "noise" => &[F::OsNoise, F::LongestDetour],
        "workloads" => &[F::PrimesOneCore, F::PrimesAllCores],
        "unixbench" => &[F::UnixbenchIndex, F::UnixbenchIndexAllCopies],
        "scaling_run" => &[F::ScalingThroughputOneCore, F::ScalingThroughputAllCores],
        "databases" => &[F::DatabaseThroughput],
        _ => &[],
    }
}

/// The line of a section: its figures, else those of the summary, else its first words.
fn answer(section: &Section, words: &Screen) -> Both {
    let of_figures = words.answer(figures(section.id));
    if !of_figures.is_empty() {
        return of_figures;
    }
    match section.id {
        "environment" => {
            Both::joined(&[words.verdict.clone(), words.causes.clone()], |_| " \u{2013} ")
        }
        "machine" => words.machine.clone(),
        "provenance" => words.run.clone(),
        "not_measured" => words.gaps.clone(),
        "findings" => match &words.findings[..] {
            [] => words.findings_note.clone().unwrap_or_else(|| Both::one("")),
            all => {
                let claims: Vec<Both> = all.iter().take(2).map(|f| f.claim.clone()).collect();
                Both::joined(&claims, say::semicolon)
            }
        },
        // Their first is the verdict, which stands above.
        "conclusions" if words.environment != Environment::Pass => match &section.blocks[..] {
            [Block::List(all)] if all.len() > 1 => begins(&[Block::List(all[1..].to_vec())]),
            _ => super::begins(section),
        },
        _ => super::begins(section),
    }
}

/// The first sentence in the blocks, else the first row of the first table, its numbers behind their heads.
pub(super) fn begins(blocks: &[Block]) -> Both {
    // A sentence is recognised as a whole, and cut afterwards.
    let cut = |text: String| match text.char_indices().nth(WIDEST) {
        Some((end, _)) => format!("{}\u{2026}", &text[..end]),
        None => text,
    };
    let sentence = |text: &Text| {
        let first = |mut text: String, end: &str| {
            text.truncate(text.find(end).map_or(text.len(), |at| at + end.trim_end().len()));
            cut(text)
        };
        let Both { en, zh } = super::say(text);
        Both { en: first(en, ". "), zh: first(zh, "。") }
    };
    for block in blocks {
        match block {
            Block::Paragraph(text) => return sentence(text),
            Block::List(items) => return items.first().map_or(Both::one(""), sentence),
            Block::Table(table) => {
                let cells = table.rows.first().into_iter().flatten().zip(&table.columns);
                let cells = cells.filter(|(cell, _)| !cell.is_empty()).take(CELLS);
                let said = |(cell, column): (&Text, &Column)| match column.number {
                    true => Both::joined(&[super::say(&column.name), super::say(cell)], |_| " "),
                    false if column.verbatim => Both::one(cell),
                    false => super::say(cell),
                };
                return Both::joined(&cells.map(said).collect::<Vec<_>>(), say::comma);
            }
            Block::Chart(chart) => return super::say(&chart.title),
            _ => {}
        }
    }
    Both::one("")
}

/// The report's own latency chart, with published machines in grey.
fn curve(report: &Report<'_>, page: &Page) -> Option<Chart> {
    let blocks = &page.sections.iter().find(|s| s.id == "latency")?.blocks;
    let chart = blocks.iter().find_map(|block| match block {
        Block::Chart(chart) => Some(&**chart),
        _ => None,
    })?;
    let mut chart = chart.clone();
    chart.name = "first-latency".into();
    let Kind::Curves(curves) = &mut chart.kind else { return None };
    // The order that hides the prefetchers is what figures are made from.
    let usual: Vec<Line> =
        curves.lines.iter().filter(|l| !l.label.contains(" order")).cloned().collect();
    if !usual.is_empty() {
        curves.lines = usual;
    }
    let near = &report.get::<Nearest>().0;
    let peers = report
        .get::<Peers>()
        .0
        .iter()
        .find(|p| Some(p.what) == FigureId::MemoryLatency.published());
    let mut there: Vec<(&String, f64)> =
        peers.into_iter().flat_map(|p| &p.there).map(|(name, v)| (name, *v)).collect();
    there
        .order_by_key(|(name, _)| near.iter().position(|n| n.name == **name).unwrap_or(usize::MAX));
    curves.others = there
        .iter()
        .take(3)
        .map(|(name, seconds)| {
            let words = quantity::plain(*seconds, Unit::Seconds);
            let label = format!("ref:{name}, lat_mem_rd -t: {words}");
            Line::new(label.into(), vec![Point::new(ON_CURVE, *seconds, None)])
        })
        .collect();
    Some(chart)
}

fn tile(report: &Report<'_>, shown: &Shown) -> Tile {
    let q = &shown.figure.quantity;
    let same: Vec<(String, f64)> = match shown.figure.id {
        FigureId::UnixbenchIndex | FigureId::UnixbenchIndexAllCopies => report
            .get::<References>()
            .0
            .iter()
            .filter(|r| Some(r.copies.to_string()) == shown.figure.of)
            .filter_map(|r| Some((r.name.clone(), r.total?)))
            .collect(),
        _ => vec![],
    };
    let words = |v: f64| quantity::plain(v, q.unit);
    let modes: Vec<f64> = q.modes.iter().map(|mode| mode.level).collect();
    let beside = shown.figure.id.published().and_then(|what| {
        let peer = report.get::<Peers>().0.iter().find(|p| p.what == what)?;
        // Where the equivalent itself was not measured, the figure stands for it if it is a time, too.
        let own = Some(q.value).filter(|_| q.unit == Unit::Seconds);
        let here = peer.here.or(own).filter(|_| !peer.there.is_empty())?;
        let there = &peer.there;
        let there: Vec<(String, f64)> =
            there.iter().map(|(n, v)| (format!("ref:{n}"), *v)).collect();
        let time = |v: f64| quantity::plain(v, Unit::Seconds);
        let what = match peer.here {
            Some(here) => format!("{what}: {}", time(here)),
            None => format!("Others: {what}"),
        };
        Some((what, strip(here, None, &[], &there, &time)))
    });
    Tile {
        shown: shown.clone(),
        strip: strip(q.value, q.interval.map(|i| i.ends()), &modes, &same, &words),
        beside,
    }
}

/// A value on an axis from nothing: its interval as a whisker, its modes as squares, other machines as grey diamonds.
fn strip(
    value: f64,
    ends: Option<(f64, f64)>,
    modes: &[f64],
    others: &[(String, f64)],
    words: &dyn Fn(f64) -> String,
) -> String {
    const WIDE: f64 = 200.0;
    let usable = |v: &f64| v.is_finite() && *v > 0.0;
    let far = ends.map(|e| e.1).into_iter().chain(modes.iter().copied());
    let far = far.chain(others.iter().map(|(_, v)| *v)).chain([value]);
    let most = far.filter(usable).fold(f64::MIN_POSITIVE, f64::max) * 1.08;
    let x = |v: f64| 5.0 + (v / most).clamp(0.0, 1.0) * (WIDE - 10.0);
    let mut canvas = Canvas::default();
    canvas.line(&[(x(0.0), 9.0), (WIDE, 9.0)], "#9a9a9a", 1.0, "");
    for (name, v) in others.iter().filter(|(_, v)| usable(v)) {
        canvas.shape(4, (x(*v), 9.0), "#9a9a9a", format!("{name}: {}", words(*v)));
    }
    if let Some((low, high)) = ends.filter(|(low, _)| low.is_finite()) {
        canvas.whisker((x(low), 9.0), (x(high), 9.0), PALETTE[0]);
    }
    for v in modes.iter().filter(|v| usable(v)) {
        canvas.shape(3, (x(*v), 9.0), PALETTE[1], words(*v));
    }
    canvas.shape(0, (x(value), 9.0), PALETTE[0], words(value));
    canvas.done()
}
