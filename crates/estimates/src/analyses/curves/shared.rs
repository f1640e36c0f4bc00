//! The last cache where others hold most of it: its latency is read before the curve rises to memory.
use super::{ABOVE_CAPACITY, BELOW_CAPACITY, BELOW_LAST, CurvePoint, Level, Plateau, plateau_of};

/// Points of such a stretch may rise by this factor: hits of the cache before it fade out, and evictions by others set in.
const CREEPS: f64 = 1.3;
/// It begins at this share of its largest working set: nearer to the core a part of the loads hits the cache before.
const END: f64 = 0.5;
/// As many points as a plateau has in [`stats::plateau::find`].
const POINTS: usize = 3;

/// Gives the last cache the end of the stretch before the curve is half the way to memory, where that is less
/// than what is stated and no flat run was found in all of it.
pub(super) fn find_share(levels: &mut [Level], points: &[CurvePoint], memory: &Plateau) {
    let [.., nearer, last] = levels else { return };
    let (Ok(before), Some(size)) = (&nearer.found, nearer.stated) else { return };
    let (Err(_), Some(stated)) = (&last.found, last.stated) else { return };
    let half = (before.seconds * memory.seconds).sqrt();
    let rises = |p: &&CurvePoint| p.bytes > before.to && p.seconds >= half;
    let Some(end) = points.iter().find(rises).map(|p| p.bytes) else { return };
    let to = (end * BELOW_CAPACITY).min(stated * BELOW_LAST);
    let from = (size * ABOVE_CAPACITY).max(to * END);
    let on: Vec<&CurvePoint> = points.iter().filter(|p| (from..=to).contains(&p.bytes)).collect();
    let (low, high) = on
        .iter()
        .fold((f64::INFINITY, 0.0_f64), |(low, high), p| (low.min(p.seconds), high.max(p.seconds)));
    if on.len() >= POINTS
        && high <= low * CREEPS
        && let Some(found) = plateau_of(&on)
    {
        last.found = Ok(found);
    }
}
