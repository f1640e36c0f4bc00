//! What the same piece of work takes more than undisturbed: while it is disturbed, after that, and because the floor itself
//! moves. Source: docs/adr/0022.
use record::Quanta;

/// What follows from pieces of work.
#[derive(Debug, Clone, PartialEq)]
pub struct Pieces {
    /// Line speed: the fifth percentile of the lengths, in seconds.
    pub floor: f64,
    /// Lengths in seconds: median, 99 and 99.9 of a hundred, and the longest octave's bucket.
    pub lengths: [f64; 4],
    /// Mean length over the floor, less one: what the system costs this work in all, with its own scatter.
    pub overhead: f64,
    /// Of that, what disturbed pieces take more than quiet ones.
    pub direct: f64,
    /// What the pieces right after a disturbed one take more than quiet ones: caches and predictors that others have used.
    pub indirect: f64,
    /// What the floor of each tenth of a second lies above the floor of all: the clock, or the other thread of the core.
    pub shift: f64,
    /// Of that, what the core's clock accounts for, as dependent additions told it; nothing where they were not asked.
    pub frequency: Option<f64>,
    /// The rest: the scatter of undisturbed pieces.
    pub scatter: f64,
    /// Share of the pieces that were disturbed.
    pub disturbed: f64,
    /// Migrations between pieces.
    pub migrations: u64,
}

/// Share of pieces below the floor, of those during which nothing was switched.
const FLOOR: f64 = 0.05;

/// Nothing of nothing.
pub fn pieces(quanta: &Quanta) -> Option<Pieces> {
    let at = |share| quanta.lengths.quantile(share);
    let count = quanta.count as f64;
    // A piece that was switched away from is among the longest.
    let alone = quanta.count.saturating_sub(quanta.switched) as f64 / count.max(1.0);
    let floor = at(FLOOR * alone)?;
    if count <= 0.0 || floor <= 0.0 {
        return None;
    }
    let mean = |(n, seconds): (u64, f64)| (n > 0).then(|| seconds / n as f64);
    // Where hardly any piece was quiet, the middle one stands in.
    let quiet = mean(quanta.quiet).or(at(0.5))?;
    let above = |(n, seconds): (u64, f64)| (seconds - n as f64 * quiet) / (count * floor);
    let overhead = quanta.total / count / floor - 1.0;
    let direct = above(quanta.disturbed).max(0.0);
    let indirect = quanta.after.iter().map(|a| above(*a)).sum::<f64>().max(0.0);
    let floors = quanta.floors.iter().sum::<f64>() / quanta.floors.len().max(1) as f64;
    let shift = if quanta.floors.is_empty() { 0.0 } else { (floors / floor - 1.0).max(0.0) };
    Some(Pieces {
        floor,
        lengths: [at(0.5)?, at(0.99)?, at(0.999)?, at(1.0)?],
        overhead,
        direct,
        indirect,
        shift,
        frequency: frequency(quanta).map(|f| f.clamp(0.0, shift)),
        scatter: overhead - direct - indirect - shift,
        disturbed: quanta.disturbed.0 as f64 / count,
        migrations: quanta.migrations,
    })
}

/// What the floors of the windows would lie above the floor of all if nothing but the clock moved them: its mean slowness
/// against the clock of those windows, a quarter of them, that had the least floors.
fn frequency(quanta: &Quanta) -> Option<f64> {
    let mut windows: Vec<(f64, f64)> =
        quanta.floors.iter().copied().zip(quanta.clocks.iter().copied()).collect();
    let whole = quanta.clocks.len() == quanta.floors.len();
    if !whole || windows.iter().any(|(_, hertz)| *hertz <= 0.0) {
        return None;
    }
    windows.sort_by(|a, b| a.0.total_cmp(&b.0));
    let clocks: Vec<f64> = windows.into_iter().map(|(_, hertz)| hertz).collect();
    let fastest = stats::Sample::new(&clocks[..clocks.len().div_ceil(4)])?.median();
    Some(clocks.iter().map(|hertz| fastest / hertz).sum::<f64>() / clocks.len() as f64 - 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Histogram;

    /// 10,000 pieces of 50 us: one in a hundred is disturbed and takes `more`, the one after it takes `later` more.
    fn repeated(more: f64, later: f64, slower: f64) -> Quanta {
        let mut quanta = Quanta {
            lengths: Histogram::new(128),
            after: vec![(0, 0.0); 8],
            floors: vec![50e-6, 50e-6 * (1.0 + slower)],
            ..Quanta::default()
        };
        for n in 0..10_000u32 {
            let usual = 50e-6 * if n >= 5000 { 1.0 + slower } else { 1.0 };
            let since = (n % 100) as usize;
            let (took, into) = match since {
                0 => (usual + more, &mut quanta.disturbed),
                1 => (usual + later, &mut quanta.after[0]),
                2..=8 => (usual, &mut quanta.after[since - 1]),
                _ => (usual, &mut quanta.quiet),
            };
            into.0 += 1;
            into.1 += took;
            quanta.count += 1;
            quanta.total += took;
            quanta.lengths.add(took);
        }
        quanta
    }

    #[test]
    fn overhead_is_the_sum_of_its_parts() {
        for (more, later, slower) in [(0.0, 0.0, 0.0), (100e-6, 5e-6, 0.0), (1e-3, 0.0, 0.04)] {
            let found = pieces(&repeated(more, later, slower)).unwrap();
            let sum = found.direct + found.indirect + found.shift + found.scatter;
            assert!((sum - found.overhead).abs() < 1e-12);
            assert!((found.floor / 50e-6 - 1.0).abs() < 0.006, "{found:?}");
            // One in a hundred takes so much more of 50 us.
            assert!((found.direct - more / 50e-6 / 100.0).abs() < 0.01 * found.direct.max(0.02));
            assert!((found.indirect - later / 50e-6 / 100.0).abs() < 1e-4, "{found:?}");
            assert!((found.shift - slower / 2.0).abs() < 0.006, "{found:?}");
            assert!(found.scatter.abs() < 0.008, "{found:?}");
        }
    }

    #[test]
    fn a_floor_that_moves_with_the_clock_is_told_from_one_that_somebody_else_moves() {
        let moved = repeated(0.0, 0.0, 0.04);
        let by = |clocks: [f64; 2]| {
            pieces(&Quanta { clocks: clocks.to_vec(), ..moved.clone() }).unwrap()
        };
        // Half of the windows at 4 % less: the floors of these are 4 % higher.
        let clock = by([4.16e9, 4e9]);
        assert!(clock.shift > 0.014 && clock.frequency.unwrap() > 0.9 * clock.shift, "{clock:?}");
        let other = by([4e9, 4e9]);
        assert!(other.shift > 0.014 && other.frequency == Some(0.0), "{other:?}");
        assert_eq!(pieces(&moved).unwrap().frequency, None);
    }

    #[test]
    fn a_piece_that_was_switched_away_from_is_no_line_speed() {
        // All but a tenth had to wait: the floor is still of those that had not.
        let mut quanta = repeated(0.0, 0.0, 0.0);
        quanta.lengths = Histogram::new(128);
        (0..1000).for_each(|n| quanta.lengths.add(if n < 20 { 49e-6 } else { 50e-6 }));
        (0..9000).for_each(|_| quanta.lengths.add(4e-3));
        let all = pieces(&quanta).unwrap();
        quanta.switched = 9000;
        let alone = pieces(&quanta).unwrap();
        assert!(alone.floor < all.floor * 1.001 && (alone.floor / 50e-6 - 1.0).abs() < 0.006);
    }

    #[test]
    fn nothing_follows_from_nothing() {
        assert_eq!(pieces(&Quanta::default()), None);
    }
}
