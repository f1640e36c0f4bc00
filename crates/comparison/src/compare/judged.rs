//! Ratios to the baseline, and what each means: interval from run to run, test against the band, adjusted over all rows.
use super::{
    Against, BAND, Cell, FALSE_SHARE, Grade, Group, Incomparable, Normalized, Quantity, Row, Side,
    Spent, Standing, Verdict, groups, unlike,
};
use record::{Better, Metric, Unit};
use stats::Interval;
use stats::{
    Sample,
    repeat::{Known, Repeat, Visits},
};
use std::panic::resume_unwind;
use std::thread;

/// Statistics of the samples of a value: the samples of a thousand records would take most of the memory.
#[derive(Debug, Clone, Copy)]
pub struct Spread {
    pub(super) repeat: Option<Repeat>,
    /// The least and the most, which some tools print.
    pub(super) ends: [f64; 2],
}

impl Spread {
    pub(super) fn of(sample: &Sample<'_>, visits: &Visits, known: Known, doubt: f64) -> Spread {
        let repeat = Repeat::of_sample(sample, visits, known).map(|repeat| repeat.doubted(doubt));
        Spread { repeat, ends: [sample.min(), sample.max()] }
    }
}

/// Fills in how every value stands to the baseline's, on so many threads.
pub(super) fn judge(
    rows: &mut [Row],
    sides: &[Side],
    records: &[Vec<Incomparable>],
    baseline: usize,
    threads: usize,
) {
    for cell in rows.iter_mut().filter_map(|row| row.cells[baseline].as_mut()) {
        cell.standing = Standing::Baseline;
    }
    let others: Vec<usize> = (0..sides.len()).filter(|i| *i != baseline).collect();
    let each = others.len().div_ceil(threads.max(1)).max(1);
    let found: Vec<Vec<(usize, Standing)>> = {
        let rows = &*rows;
        let some = |of: &[usize]| -> Vec<_> {
            of.iter().map(|i| judged(rows, sides, &records[*i], (baseline, *i))).collect()
        };
        thread::scope(|scope| {
            let mut parts = others.chunks(each);
            let own = parts.next().unwrap_or_default();
            let helpers: Vec<_> = parts.map(|of| scope.spawn(move || some(of))).collect();
            let mut found = some(own);
            for helper in helpers {
                // What panics on one thread panics on all.
                found.extend(helper.join().unwrap_or_else(|panic| resume_unwind(panic)));
            }
            found
        })
    };
    for (side, found) in others.into_iter().zip(found) {
        for (row, standing) in found {
            if let Some(cell) = &mut rows[row].cells[side] {
                cell.standing = standing;
            }
        }
    }
}

/// The relation of every value of a record to the baseline's, by row.
fn judged(
    rows: &[Row],
    sides: &[Side],
    unlike: &[Incomparable],
    (baseline, i): (usize, usize),
) -> Vec<(usize, Standing)> {
    let side = &sides[i];
    let claims = unlike.iter().all(|u| u.grade() < Grade::Unclaimed);
    // Of one definition in two programs that is said row by row.
    let mut rest = unlike.iter().filter(|u| !matches!(u, Incomparable::Tool(..)));
    let claims_beside = rest.all(|u| u.grade() < Grade::Unclaimed);
    let spent = (&sides[baseline].spent, &side.spent);
    let mut found: Vec<(usize, Standing)> = Vec::with_capacity(rows.len());
    let band = |base: &Cell, cell: &Cell| BAND.max(tolerance(base, cell).unwrap_or(0.0));
    for (number, row) in rows.iter().enumerate() {
        let Some(cell) = &row.cells[i] else { continue };
        let standing = match &row.cells[baseline] {
            Some(base) => {
                let claims = if tolerance(base, cell).is_some() { claims_beside } else { claims };
                let mut standing = standing(&row.quantity, base, cell, band(base, cell), claims);
                if let Standing::Compared(against) = &mut standing {
                    normalise(against, row, spent);
                }
                standing
            }
            None => Standing::Alone,
        };
        found.push((number, standing));
    }
    adjust(&mut found);
    for (number, standing) in &mut found {
        let Standing::Compared(against) = standing else { continue };
        let row = &rows[*number];
        let both = row.cells[baseline].as_ref().zip(row.cells[i].as_ref());
        let band = both.map_or(BAND, |(base, cell)| band(base, cell));
        against.verdict = verdict(against, row.quantity.better, band);
    }
    found
}

/// The permitted difference of two implementations of one definition, where one of the two is ours.
fn tolerance(base: &Cell, cell: &Cell) -> Option<f64> {
    let row = base.conditions.equivalent.or(cell.conditions.equivalent)?;
    Some(row.tolerance())
}

/// One value against the baseline's; `adjusted` is still the raw probability, and the verdict open or `Unclaimed`.
fn standing(quantity: &Quantity, base: &Cell, cell: &Cell, band: f64, claims: bool) -> Standing {
    let unlike = unlike::of_cells(quantity, base, cell);
    if let Some(gravest) = unlike.first().filter(|u| u.grade() == Grade::Refused) {
        return Standing::Refused(Box::new(gravest.clone()));
    }
    let ratio = cell.median / base.median;
    let claims = claims && unlike.iter().all(|u| u.grade() < Grade::Unclaimed);
    let frequencies = base.frequency.zip(cell.frequency).map(|(a, b)| b / a);
    let (a, b) = (base.conditions.cores, cell.conditions.cores);
    let both = base.spread.repeat.zip(cell.spread.repeat);
    Standing::Compared(Box::new(Against {
        ratio,
        interval: interval(base, cell, ratio),
        adjusted: both.and_then(|(a, b)| b.p_value(&a, band)).filter(|_| claims),
        confidence: both.map(|(a, b)| if ratio < 1.0 { a.larger(&b) } else { b.larger(&a) }),
        per_cycle: frequencies.and_then(|frequencies| match quantity.unit {
            Unit::Seconds => Some(ratio * frequencies),
            Unit::BytesPerSecond | Unit::PerSecond => Some(ratio / frequencies),
            _ => None,
        }),
        normalized: (a != b && a > 0 && b > 0 && unlike::adds_up(quantity.unit)).then(|| {
            let per_core = Some(ratio * a as f64 / b as f64);
            Box::new(Normalized { per_core, ..Normalized::default() })
        }),
        verdict: if claims { Verdict::Unclear } else { Verdict::Unclaimed },
        unlike: unlike.into(),
    }))
}

/// Per watt and price, of what a whole machine or a whole program does: a load's latency is not bought by the piece.
fn normalise(against: &mut Against, row: &Row, (base, side): (&Spent, &Spent)) {
    let whole = unlike::adds_up(row.quantity.unit)
        || matches!(row.group, Group::Tasks)
        || matches!(row.quantity.metric, Metric::Elapsed | Metric::Throughput);
    let Some(times) = groups::times(against.ratio, row.quantity.better).filter(|_| whole) else {
        return;
    };
    let over = |a: Option<f64>, b: Option<f64>| a.zip(b).map(|(a, b)| times * a / b);
    let (per_watt, per_price) = (over(base.watts, side.watts), over(base.price, side.price));
    if per_watt.is_some() || per_price.is_some() {
        let per_core = against.normalized.as_ref().and_then(|n| n.per_core);
        against.normalized = Some(Box::new(Normalized { per_core, per_watt, per_price }));
    }
}

/// The interval of the ratio of medians from run to run.
fn interval(base: &Cell, cell: &Cell, ratio: f64) -> Option<Interval> {
    let (estimate, found) = cell.spread.repeat?.over(&base.spread.repeat?);
    let shift = ratio / estimate;
    Some(Interval { low: found.low * shift, high: found.high * shift, ..found })
}

/// Probabilities of all rows that may be claimed, adjusted together.
fn adjust(found: &mut [(usize, Standing)]) {
    let mut raw: Vec<&mut f64> = found
        .iter_mut()
        .filter_map(|(_, standing)| match standing {
            Standing::Compared(against) => against.adjusted.as_mut(),
            _ => None,
        })
        .collect();
    let p: Vec<f64> = raw.iter().map(|p| **p).collect();
    for (p, adjusted) in raw.iter_mut().zip(stats::discovery::adjusted(&p)) {
        **p = adjusted;
    }
}

fn verdict(against: &Against, better: Better, band: f64) -> Verdict {
    if against.verdict == Verdict::Unclaimed {
        return Verdict::Unclaimed;
    }
    let (Some(p), Some(i)) = (against.adjusted, against.interval) else { return Verdict::NoSpread };
    let edge = 1.0 + band;
    let outside = against.ratio > edge || against.ratio < 1.0 / edge;
    if p <= FALSE_SHARE && outside {
        return match (better, against.ratio > 1.0) {
            (Better::Neither, _) => Verdict::Different,
            (Better::Higher, true) | (Better::Lower, false) => Verdict::Better,
            _ => Verdict::Worse,
        };
    }
    if i.low >= 1.0 / edge && i.high <= edge { Verdict::Same } else { Verdict::Unclear }
}
