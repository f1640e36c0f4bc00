//! The reach of a cheap level along a curve that rises in steps: the entries of a TLB on a curve over pages.
use crate::plateau::{self, Point};

/// A level that ends inside the curve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reach {
    /// y on the level.
    pub level: f64,
    /// Largest x still on it, as far as x was measured.
    pub last: f64,
    /// The next x, which is beyond it.
    pub next: f64,
}

/// The part of the way to the next level, as a ratio, beyond which this one is left: a set-associative or randomly
/// replaced table loses its entries little by little.
const LEFT: f64 = 0.25;
/// The ratio to the level beyond which it is left, where no level follows.
const RISEN: f64 = 1.25;

/// The levels of the curve that end in it, from small x to large. What counts as a level is [`plateau::find`]'s; a level
/// ends where most points before are nearer to it and most points after are not, so that single wild points move nothing.
///
/// In 1,200 simulated curves of one or two steps at 4 points to the octave, with 2 % noise, sharp or gradual as under random
/// replacement, with a wild point in each second one, the true end was found within one step; in 800 without a step there was none (`tests/promise/reaches.rs`).
///
/// ```
/// use stats::{plateau::Point, reach::reaches};
/// let curve: Vec<Point> = (12..48).map(|k| f64::from(k) / 4.0).map(|k| Point {
///     x: k.exp2().round(),
///     y: if k < 6.2 { 1.0 } else { 3.0 },
/// }).collect();
/// let found = reaches(&curve);
/// assert_eq!(found.len(), 1);
/// assert_eq!((found[0].last, found[0].next), (64.0, 76.0));
/// ```
pub fn reaches(points: &[Point]) -> Vec<Reach> {
    let mut curve: Vec<Point> = points.to_vec();
    curve.sort_unstable_by(|a, b| a.x.total_cmp(&b.x));
    let plateaus = plateau::find(&curve).plateaus;
    let mut found = vec![];
    for (k, this) in plateaus.iter().enumerate() {
        let following = plateaus.get(k + 1);
        let limit = following
            .map_or(this.level * RISEN, |next| this.level.powf(1.0 - LEFT) * next.level.powf(LEFT));
        let end = following.map_or(f64::INFINITY, |next| next.to);
        let around: Vec<&Point> = curve.iter().filter(|p| p.x >= this.from && p.x <= end).collect();
        if following.is_some_and(|next| next.level <= this.level) {
            continue;
        }
        // The split that leaves the fewest points on the wrong side; the last of several, for what disturbs a time
        // lengthens it.
        let wrong = |split: usize| {
            let low = around[..split].iter().filter(|p| p.y > limit).count();
            low + around[split..].iter().filter(|p| p.y <= limit).count()
        };
        let split = (1..=around.len()).rev().min_by_key(|split| wrong(*split));
        // One point beyond may be a wild one.
        if let Some(split) = split.filter(|split| around.len() >= split + 2) {
            let (last, next) = (around[split - 1].x, around[split].x);
            found.push(Reach { level: this.level, last, next });
        }
    }
    found
}
