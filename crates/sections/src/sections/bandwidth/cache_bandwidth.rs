//! Bandwidth of one core over working set: what each cache delivers, and the curve.
use crate::chart::{Chart, Curves, Flat, Kind, Line, Point};
use crate::page::{Block, Table};
use crate::say;
use crate::{origin, quantity, section};
use analyse::{BandwidthCurve, Report};
use record::{ProbeId, Unit};

/// Part of the bandwidth section.
pub(super) fn blocks(report: &Report<'_>) -> Vec<Block> {
    if report.get::<Vec<BandwidthCurve>>().is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::heading(say::CACHE_BANDWIDTH_WHAT_EACH_CACHE_DELIVERS)];
    blocks.extend(levels(report.get::<Vec<BandwidthCurve>>()));
    blocks.push(Block::chart(chart(report)));
    let all = section::of_probes(report, &[ProbeId::CacheBandwidth]);
    blocks.extend(origin::every(
        report,
        say::EVERY_WORKING_SET_WITH_SPREAD_AND_CODE,
        "series",
        &all,
    ));
    blocks
}

/// The levels that were found, then why the others were not.
fn levels(curves: &[BandwidthCurve]) -> Vec<Block> {
    let mut table = Table::default();
    let mut absent = vec![];
    for curve in curves {
        for level in &curve.levels {
            let rate = |x: f64| quantity::plain(x, Unit::BytesPerSecond);
            match &level.found {
                Ok(d) => table.headed([
                    ("level", level.name.clone()),
                    ("kernel", curve.kernel.clone()),
                    ("#bandwidth", rate(d.bytes_per_second)),
                    ("#bytes per cycle", d.per_cycle.map_or(String::new(), quantity::cycles)),
                    ("#best", rate(d.best)),
                    ("#seen from", quantity::plain(d.from, Unit::Bytes)),
                    ("#to", quantity::plain(d.to, Unit::Bytes)),
                    (
                        "#stated capacity",
                        level
                            .stated
                            .map_or("none".into(), |bytes| quantity::plain(bytes, Unit::Bytes)),
                    ),
                    ("#points", d.points.to_string()),
                ]),
                Err(why) => {
                    absent.push(say::level_not_found_by(&level.name, &curve.kernel, why));
                }
            }
        }
    }
    let mut blocks = Block::table(table.folded());
    blocks.extend(Block::list(absent));
    blocks
}

fn chart(report: &Report<'_>) -> Chart {
    let mut curves =
        Curves::over(("working set", Unit::Bytes), ("bandwidth", Unit::BytesPerSecond));
    let mut table = Table::default();
    for curve in report.get::<Vec<BandwidthCurve>>() {
        for p in &curve.points {
            let rate = p.bytes_per_second;
            let per_cycle = p.per_cycle.map(quantity::cycles);
            let e = report.estimates.get(p.estimate);
            table.headed([
                ("working set", quantity::plain(p.bytes, Unit::Bytes)),
                ("kernel", curve.kernel.clone()),
                ("#bandwidth", quantity::plain(rate, Unit::BytesPerSecond)),
                ("#95 % interval", origin::interval(rate, Unit::BytesPerSecond, p.interval)),
                ("#bytes per cycle", per_cycle.unwrap_or_default()),
                ("#samples", e.map_or(String::new(), origin::samples)),
                ("excluded", e.map_or(String::new(), origin::left_out)),
            ]);
        }
        let flat = |level: &analyse::BandwidthLevel| {
            let d = level.found.as_ref().ok()?;
            let (y, name) = (d.bytes_per_second, level.name.clone());
            let value = quantity::plain(y, Unit::BytesPerSecond);
            Some(Flat { from: d.from, to: d.to, y, name: name.into(), value: value.into() })
        };
        let points = curve.points.iter();
        let points = points.map(|p| Point::new(p.bytes, p.bytes_per_second, p.interval));
        curves.lines.push(Line {
            label: curve.kernel.clone().into(),
            points: points.collect(),
            plateaus: curve.levels.iter().filter_map(flat).collect(),
        });
        curve.levels.iter().for_each(|level| curves.capacity(&level.name, level.stated));
    }
    Chart {
        name: "cache-bandwidth".into(),
        title: say::CACHE_BANDWIDTH_BANDWIDTH_ONE_CORE_OVER.into(),
        description: say::CACHE_BANDWIDTH_BOTH_AXES_LOGARITHMIC_DASHED.into(),
        table: table.folded(),
        kind: Kind::Curves(curves),
    }
}
