//! The level of memory: the end of a curve, if it is flat.
use super::{CurvePoint, MEMORY_BEYOND, Plateau, plateau_of};
use crate::{say, words};
use record::Reason;

/// A single point counts as memory only where the last cache serves at most a sixteenth of the loads, for
/// nothing beside it shows that the curve has become flat.
const MEMORY_ALONE: f64 = 16.0;
/// Rings of more than so many times the last cache are walked after other memory has taken their place in it: `load_latency`.
const EVICTED: f64 = 3.0;
/// Such points show the end of a curve flat if the largest take at most so many times what the nearer ones take.
const FLAT: f64 = 1.07;
/// Points from this share of the largest working set on count as the largest.
const LARGEST: f64 = 0.9;
/// The end of a curve begins at this share of its largest working set.
const END: f64 = 0.7;
/// A curve whose end takes so many times what the stretch of the same length before it takes is no memory yet.
const RISES: f64 = 1.2;
/// A point that takes less than the end of the curve by more than this is on a slope towards it; medians are right to 2 %.
const SLOPE: f64 = 0.02;

/// The end of the curve, where it is memory; `spares_tlb` says that its order has no page walks to speak of.
pub(super) fn find(
    points: &[CurvePoint],
    last: &str,
    capacity: f64,
    spares_tlb: bool,
) -> Result<Plateau, Reason> {
    let beyond: Vec<&CurvePoint> =
        points.iter().filter(|p| p.bytes >= capacity * MEMORY_BEYOND).collect();
    let remedy = say::FREE_NODE_THEN_STANDARD;
    let Some(largest) = beyond.last() else {
        let reached = points.last().map_or(0.0, |p| p.bytes);
        return Err(Reason::mended_by(
            say::largest_too_small(
                words::bytes(reached),
                MEMORY_BEYOND,
                last,
                words::bytes(capacity),
            ),
            remedy,
        ));
    };
    if beyond.len() == 1 && largest.bytes < capacity * MEMORY_ALONE {
        // In other orders page walks go on growing.
        let found = spares_tlb.then(|| flat_before(points, largest, capacity)).flatten();
        return found.ok_or_else(|| {
            let size = words::bytes(largest.bytes);
            Reason::mended_by(say::one_point_beyond(MEMORY_BEYOND, last, size), remedy)
        });
    }
    flat_end(&beyond).and_then(plateau_of).ok_or_else(|| {
        Reason::mended_by(
            say::curve_still_rises(MEMORY_BEYOND, last, words::bytes(capacity)),
            remedy,
        )
    })
}

/// The end of a curve with one point beyond four times the last cache, if nearer points take as long: those of which the caches
/// were emptied, or all of the last octave.
fn flat_before(points: &[CurvePoint], largest: &CurvePoint, capacity: f64) -> Option<Plateau> {
    let median = |points: &[&CurvePoint]| stats::median_of(points.iter().map(|p| p.seconds));
    let flat = |from: f64| {
        let end: Vec<&CurvePoint> = points.iter().filter(|p| p.bytes >= from).collect();
        let (near, far) = end.split_at(end.partition_point(|p| p.bytes < largest.bytes * LARGEST));
        if median(far)? <= median(near)? * FLAT { plateau_of(&end) } else { None }
    };
    flat(capacity * EVICTED).or_else(|| flat(largest.bytes / 2.0))
}

/// The end of a curve, and the points before it as far back as it is flat; nothing where it still rises there. The end is a part
/// of fixed length, or two runs of one machine whose curve creeps would quote different parts of it.
pub(super) fn flat_end<'p>(points: &'p [&'p CurvePoint]) -> Option<&'p [&'p CurvePoint]> {
    let median = |points: &[&CurvePoint]| stats::median_of(points.iter().map(|p| p.seconds));
    let largest = points.last()?.bytes;
    let from = |share: f64| points.partition_point(|p| p.bytes < largest * share);
    let (end, before) = (from(END), from(END * END));
    let level = median(&points[end..])?;
    let nearer = match before < end {
        true => median(&points[before..end])?,
        false => points[end].seconds,
    };
    if level > nearer * RISES {
        return None;
    }
    let flat = points[..end].iter().rev().take_while(|p| p.seconds >= level * (1.0 - SLOPE));
    Some(&points[end - flat.count()..])
}
