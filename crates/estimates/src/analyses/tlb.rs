//! Address translation: how many pages the TLBs reach, what missing them costs, and whether huge pages spare any of it.
use crate::analyses::curves::Curve;
use crate::analysis::{Analysis, Entry};
use crate::estimate::Estimate;
use crate::report::Report;
use crate::say;
use crate::words;
use record::{Pages, ProbeId, Reason, param};
use stats::{plateau::Point, reach};

/// Address translation: reach of the TLBs and cost of missing them.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Tlb {
    /// The TLBs from the nearest on, or why they were not found.
    pub levels: Result<Vec<TlbLevel>, Reason>,
    /// The reason why a further step of the curve is no level.
    pub refused: Option<Reason>,
    /// Whether huge pages are what they seem.
    pub backing: Backing,
    /// The time that translation adds to an access to memory, for each kind of page it was measured on.
    pub memory: Vec<TlbCost>,
}

/// One level of the data TLB, as seen from a chase through one line in each page.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TlbLevel {
    /// `L1 DTLB`, `L2 DTLB`.
    pub name: String,
    /// Count of the most pages that were still served.
    pub last: f64,
    /// Count of the fewest pages that were not: the reach lies between the two.
    pub next: f64,
    /// Seconds that a miss adds: up to four times the reach, while the next level serves it.
    pub miss: f64,
    /// Core cycles that a miss adds.
    pub cycles: Option<f64>,
    /// Index into `record.runs`.
    pub run: usize,
}

/// Whether a huge page takes one entry of the TLB.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Backing {
    /// It does.
    Huge,
    /// Its small pages miss as base pages do: a hypervisor backs it by small pages, or the processor splits it.
    Small,
    /// Not determined.
    Unknown(Reason),
}

/// Random against TLB-friendly order at memory, on the same kind of page.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TlbCost {
    /// The pages.
    pub pages: Pages,
    /// Seconds per load in random order.
    pub random: f64,
    /// Seconds per load in groups that spare the TLB.
    pub grouped: f64,
    /// Core cycles between the two.
    pub cycles: Option<f64>,
    /// Working sets in bytes between which the two curves part for good.
    pub parts: Option<(f64, f64)>,
}

/// With so few pages no TLB is missed: the smallest first levels today hold 32 (Arm) to 96 (AMD Zen 5) entries.
const FEW: f64 = 32.0;
/// A miss's cost is taken up to so many times the reach; farther out the page tables themselves leave the caches.
const NEAR: f64 = 4.0;
/// Of what a first-level miss adds on base pages, less than the first share is none, and more than the second is as much.
const SPARED: f64 = 0.25;
const MISSED: f64 = 0.6;
/// With less of the buffer on huge pages the test says nothing, and a curve is a mixture.
pub const MOSTLY_HUGE: f64 = 0.9;
/// Two curves have parted where they stay this far apart, which is beyond the noise of either.
const APART: f64 = 1.1;
/// For so many points.
const STAY: usize = 3;

pub static ANALYSIS: Entry = Entry::of::<Option<Tlb>>();

impl Analysis for Option<Tlb> {
    const TITLE: &str = "What address translation costs and how far it reaches; nothing where neither was measured.";
    const ORDER: u16 = 30;
    /// The TLBs; `None` where neither they nor two orders of one curve were measured.
    fn compute(report: &Report<'_>) -> Self {
        let memory: Vec<TlbCost> = costs(report.get::<Vec<Curve>>());
        let base = extra(report, "base");
        if base.is_none() && memory.is_empty() {
            return None;
        }
        let (levels, refused) = match &base {
            Some(base) => match levels(base) {
                Ok((levels, refused)) => (Ok(levels), refused),
                Err(why) => (Err(why), None),
            },
            None => (Err(report.why_not(ProbeId::TlbReach)), None),
        };
        let backing = match (&base, &levels) {
            (Some(base), Ok(levels)) => backing(report, base, levels),
            _ => Backing::Unknown(Reason::new(say::TLB_BASE_UNKNOWN)),
        };
        Some(Tlb { levels, refused, backing, memory })
    }
}

/// A chase through many pages, less what the same number of lines costs without them.
struct Extra {
    run: usize,
    /// Pages, and seconds per load as if all lines were in the first-level cache.
    points: Vec<Point>,
    /// Seconds per load where nothing is missed.
    floor: f64,
    /// Core frequency in hertz.
    frequency: Option<f64>,
    huge_share: Option<f64>,
}

fn extra(report: &Report<'_>, pages: &str) -> Option<Extra> {
    let of = |layout: &'static str| -> Vec<(f64, &Estimate)> {
        let all = report.own().iter().filter(|e| {
            e.probe == ProbeId::TlbReach
                && param::LAYOUT.of(&e.at) == Some(layout)
                && report.record.runs[e.run].case.get(param::PAGES) == Some(pages)
        });
        all.filter_map(|e| Some((param::PAGES_TOUCHED.of(&e.at)? as f64, e))).collect()
    };
    let (spread, dense) = (of("spread"), of("dense"));
    let few = dense.iter().filter(|(n, _)| *n <= FEW);
    let floor = stats::median_of(few.map(|(_, e)| e.median))?;
    let points: Vec<Point> = spread
        .iter()
        .filter_map(|(n, e)| {
            let (_, packed) = dense.iter().find(|(m, _)| m == n)?;
            let y = (e.median - packed.median + floor).max(floor * 0.1);
            Some(Point { x: *n, y })
        })
        .collect();
    let (_, first) = spread.first()?;
    let huge_share =
        report.series(first).and_then(|s| s.buffer.as_ref()).and_then(|b| b.huge_share);
    Some(Extra {
        run: first.run,
        points,
        floor,
        frequency: stats::median_of(spread.iter().filter_map(|(_, e)| Some(e.cycles? / e.median))),
        huge_share,
    })
}

/// At most two levels, and why a step between or behind them is none: a miss of the second costs a walk through the page
/// tables, which is more than what the first costs, a look into the second.
fn levels(base: &Extra) -> Result<(Vec<TlbLevel>, Option<Reason>), Reason> {
    let found = reach::reaches(&base.points);
    let (mut levels, mut refused): (Vec<TlbLevel>, _) = (vec![], None);
    for (i, reach) in found.iter().enumerate() {
        let end = found.get(i + 1).map(|next| next.last);
        let Some(beyond) = beyond(base, reach.next, end).filter(|_| levels.len() < 2) else {
            continue;
        };
        let miss = beyond - reach.level;
        match levels.last() {
            Some(first) if miss <= first.miss => {
                let (adds, less) = (words::time(miss), words::time(first.miss));
                refused = refused.or(Some(Reason::mended_by(
                    say::tlb_step_less(reach.last, reach.next, adds, less, &first.name),
                    say::TLB_QUIET_STANDARD,
                )));
            }
            _ => levels.push(TlbLevel {
                name: format!("L{} DTLB", levels.len() + 1),
                last: reach.last,
                next: reach.next,
                miss,
                cycles: base.frequency.map(|hertz| miss * hertz),
                run: base.run,
            }),
        }
    }
    let most = base.points.iter().map(|p| p.x).fold(0.0, f64::max);
    if levels.is_empty() {
        return Err(Reason::mended_by(say::tlb_no_step(most), say::TLB_QUIET_STANDARD));
    }
    Ok((levels, refused))
}

/// Median from one and a half times this many pages to four times, before the next level ends.
fn beyond(extra: &Extra, next: f64, end: Option<f64>) -> Option<f64> {
    let most = end.unwrap_or(f64::INFINITY).min(next * NEAR);
    let far: Vec<f64> =
        extra.points.iter().filter(|p| p.x >= next * 1.4 && p.x <= most).map(|p| p.y).collect();
    let near = || extra.points.iter().filter(|p| p.x >= next && p.x <= most).map(|p| p.y).collect();
    let values: Vec<f64> = if far.is_empty() { near() } else { far };
    stats::median(&values)
}

/// Small pages of huge ones beside base pages, where the first TLB misses all of the latter and the second none.
fn backing(report: &Report<'_>, base: &Extra, levels: &[TlbLevel]) -> Backing {
    let Some(huge) = extra(report, "thp") else {
        let runs = report.record.runs.iter().filter(|r| r.case.probe == ProbeId::TlbReach);
        let why = runs.filter(|r| r.case.get(param::PAGES) == Some("thp"));
        let why = why.filter_map(|r| r.outcome.why()).next().cloned();
        return Backing::Unknown(why.unwrap_or_else(|| {
            Reason::mended_by(say::TLB_NO_HUGE, "cpulens run --only tlb_reach")
        }));
    };
    if let Some(share) = huge.huge_share.filter(|share| *share < MOSTLY_HUGE) {
        return Backing::Unknown(Reason::mended_by(
            say::tlb_part_huge(words::percent(share)),
            say::COMPACT_MEMORY,
        ));
    }
    let Some(first) = levels.first() else {
        return Backing::Unknown(Reason::new(say::TLB_BASE_UNKNOWN));
    };
    let end = levels.get(1).map(|second| second.last);
    let cost = |extra: &Extra| Some(beyond(extra, first.next, end)? - extra.floor);
    match (cost(base), cost(&huge)) {
        (Some(base), Some(huge)) if base > 0.0 && huge < SPARED * base => Backing::Huge,
        (Some(base), Some(huge)) if base > 0.0 && huge > MISSED * base => Backing::Small,
        _ => Backing::Unknown(Reason::mended_by(say::TLB_SOME_MISS, say::TLB_QUIET_STANDARD)),
    }
}

/// For each kind of page with both orders: the two at memory, and where they part.
fn costs(curves: &[Curve]) -> Vec<TlbCost> {
    let random =
        curves.iter().filter(|c| c.order == "random" && c.stride.is_none_or(|s| s <= 64.0));
    random
        .filter_map(|random| {
            let same = |c: &&Curve| c.order == "grouped" && c.pages == random.pages;
            let grouped = curves.iter().find(same)?;
            let memory = |curve: &Curve| curve.level("memory")?.ok().copied();
            let (far, near) = (memory(random)?, memory(grouped)?);
            Some(TlbCost {
                pages: random.pages,
                random: far.seconds,
                grouped: near.seconds,
                cycles: far.cycles.zip(near.cycles).map(|(far, near)| far - near),
                parts: parts(random, grouped),
            })
        })
        .collect()
}

/// The working sets between which the first curve leaves the second.
fn parts(random: &Curve, grouped: &Curve) -> Option<(f64, f64)> {
    let ratios: Vec<(f64, f64)> = random
        .points
        .iter()
        .filter_map(|p| {
            let other = grouped.points.iter().find(|o| o.bytes == p.bytes)?;
            (other.seconds > 0.0).then(|| (p.bytes, p.seconds / other.seconds))
        })
        .collect();
    let stays = |w: &[(f64, f64)]| w.iter().all(|(_, ratio)| *ratio >= APART);
    let at = ratios.windows(STAY).position(stays)?;
    Some((ratios.get(at.checked_sub(1)?)?.0, ratios[at].0))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::example;
    use record::{Better, Buffer, Metric, Outcome, Record, Series, Unit};

    /// A machine with TLBs of 72 and 3072 entries: cycles of a nanosecond, 7 for a first-level miss and 20 for a walk. Of
    /// the huge pages so many are backed by small ones, and the kernel gave such a share.
    fn record(small: f64, share: f64) -> Record {
        let mut record = example::empty();
        for (pages, part) in [("base", 1.0), ("thp", small)] {
            let mut all = vec![];
            for i in 0..45 {
                let n = (8.0 * (f64::from(i) / 4.0).exp2()).round();
                let lines = if n <= 512.0 { 4.0 } else { 14.0 };
                let misses = if n > 72.0 { 7.0 } else { 0.0 }
                    + if n > 3072.0 { 20.0 * (n / 1536.0).ln() } else { 0.0 };
                let misses = misses * part;
                for (layout, value) in [("spread", lines + misses), ("dense", lines)] {
                    let mut s = Series::new(Metric::LoadToUse, Unit::Seconds, Better::Lower);
                    s.samples = vec![value * 1e-9; 7];
                    s.frequency = Some(1e9);
                    s.buffer = Some(Buffer { huge_share: Some(share), ..Buffer::default() });
                    all.push(s.at(param::PAGES_TOUCHED, n as u64).at(param::LAYOUT, layout));
                }
            }
            example::measured(&mut record, "tlb_reach", &[("pages", pages)], all);
        }
        record
    }
    fn of(record: &Record) -> Option<Tlb> {
        Option::<Tlb>::compute(&Report::new(record))
    }

    #[test]
    fn reach_and_cost_of_both_levels_are_found() {
        let levels = of(&record(1.0, 1.0)).unwrap().levels.unwrap();
        let found: Vec<_> = levels.iter().map(|l| (l.name.as_str(), l.last, l.next)).collect();
        assert_eq!(found, [("L1 DTLB", 64.0, 76.0), ("L2 DTLB", 2896.0, 3444.0)]);
        assert!((levels[0].cycles.unwrap() - 7.0).abs() < 0.01, "{levels:?}");
        assert!((levels[1].miss - 30e-9).abs() < 10e-9, "{levels:?}");
    }

    #[test]
    fn a_step_that_costs_less_than_the_first_is_no_level() {
        let mut record = record(1.0, 1.0);
        // A neighbour takes lines of the first-level cache: 3 ns more from 256 pages on, and the second level ends at 3072.
        let seen = |record: &Record| {
            let tlb = of(record).unwrap();
            let levels = tlb.levels.unwrap();
            (levels.iter().map(|l| l.last).collect::<Vec<_>>(), tlb.refused)
        };
        assert_eq!(seen(&record), (vec![64.0, 2896.0], None));
        for run in &mut record.runs {
            let Outcome::Measured(all) = &mut run.outcome else { continue };
            for s in all {
                if param::PAGES_TOUCHED.of(&s.at) > Some(256)
                    && param::LAYOUT.of(&s.at) == Some("spread")
                {
                    s.samples.iter_mut().for_each(|x| *x += 3e-9);
                }
            }
        }
        let (reached, refused) = seen(&record);
        assert_eq!(reached, [64.0, 2896.0]);
        let why = refused.unwrap().why;
        assert!(
            why.starts_with("a step between 256 and 304 pages adds 3 ns, less than the 7 ns"),
            "{why}"
        );
    }

    #[test]
    fn huge_pages_are_real_or_not_or_it_cannot_be_told() {
        assert_eq!(of(&record(1.0, 1.0)).unwrap().backing, Backing::Small);
        assert_eq!(of(&record(0.0, 1.0)).unwrap().backing, Backing::Huge);
        assert!(matches!(of(&record(0.0, 0.5)).unwrap().backing, Backing::Unknown(_)));
        assert!(matches!(of(&record(0.4, 1.0)).unwrap().backing, Backing::Unknown(_)));
        let mut one = record(1.0, 1.0);
        one.runs.pop();
        assert!(matches!(of(&one).unwrap().backing, Backing::Unknown(why) if why.remedy.is_some()));
    }

    #[test]
    fn without_a_step_there_is_a_reason() {
        let mut flat = record(1.0, 1.0);
        for run in &mut flat.runs {
            let Outcome::Measured(all) = &mut run.outcome else { continue };
            all.iter_mut().for_each(|s| s.samples = vec![4e-9; 7]);
        }
        let found = of(&flat).unwrap();
        assert!(found.levels.unwrap_err().why.contains("16384 pages"));
        assert!(matches!(found.backing, Backing::Unknown(_)));
        assert!(of(&example::empty()).is_none());
    }
}
