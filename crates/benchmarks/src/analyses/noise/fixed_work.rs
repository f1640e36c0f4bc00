//! What the same quantum of work takes more than undisturbed: while it is disturbed, after that, and because the floor itself
//! moves. Source: docs/adr/0022.
use record::{FixedWork, Sort};

/// The overhead by fixed work quanta.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FixedWorkOverhead {
    /// Undisturbed speed: the fifth percentile of the lengths, in seconds.
    pub floor: f64,
    /// Lengths in seconds: median, 99 and 99.9 of a hundred, and the longest octave's bucket.
    pub lengths: [f64; 4],
    /// Mean length over the floor, less one: what the system costs this work in all, with its own scatter.
    pub overhead: f64,
    /// Share of that which disturbed quanta take more than quiet ones.
    pub direct: f64,
    /// The quanta after a disturbed one over quiet ones, less one: caches and predictors that others have used.
    pub indirect: f64,
    /// What the floor of each tenth of a second lies above the floor of all: the frequency, or the other thread of the core.
    pub shift: f64,
    /// Part that the core's frequency accounts for, measured by dependent additions; nothing where these were not run.
    pub frequency: Option<f64>,
    /// The rest, a ratio too: the scatter of undisturbed quanta.
    pub scatter: f64,
    /// Share of the quanta that were disturbed.
    pub disturbed: f64,
    /// Migrations between quanta.
    pub migrations: u64,
}

/// Share of quanta below the floor, of those during which nothing was switched.
const FLOOR: f64 = 0.05;

/// What follows from these quanta; nothing without any.
pub fn overhead(fixed_work: &FixedWork) -> Option<FixedWorkOverhead> {
    let at = |share| fixed_work.lengths.quantile(share);
    let count = fixed_work.count as f64;
    // A quantum that was switched away from is among the longest.
    let alone = fixed_work.count.saturating_sub(fixed_work.switched) as f64 / count.max(1.0);
    let floor = at(FLOOR * alone)?;
    if count <= 0.0 || floor <= 0.0 {
        return None;
    }
    let mean = |(n, seconds): (u64, f64)| (n > 0).then(|| seconds / n as f64);
    // Where hardly any quantum was quiet, the middle one stands in.
    let quiet = mean(fixed_work.quiet).or(at(0.5))?;
    let above = |(n, seconds): (u64, f64)| (seconds - n as f64 * quiet) / (count * floor);
    let overhead = fixed_work.total / count / floor - 1.0;
    let direct = above(fixed_work.disturbed).max(0.0);
    let indirect = fixed_work.after.iter().map(|a| above(*a)).sum::<f64>().max(0.0);
    let floors = fixed_work.floors.iter().sum::<f64>() / fixed_work.floors.len().max(1) as f64;
    let shift = if fixed_work.floors.is_empty() { 0.0 } else { (floors / floor - 1.0).max(0.0) };
    Some(FixedWorkOverhead {
        floor,
        lengths: [at(0.5)?, at(0.99)?, at(0.999)?, at(1.0)?],
        overhead,
        direct,
        indirect,
        shift,
        frequency: frequency(fixed_work).map(|f| f.clamp(0.0, shift)),
        scatter: overhead - direct - indirect - shift,
        disturbed: fixed_work.disturbed.0 as f64 / count,
        migrations: fixed_work.migrations,
    })
}

/// What the floors of the windows would lie above the floor of all if nothing but the frequency moved them: its mean slowness
/// against the frequency of those windows, a quarter of them, that had the least floors.
fn frequency(fixed_work: &FixedWork) -> Option<f64> {
    let mut windows: Vec<(f64, f64)> =
        fixed_work.floors.iter().copied().zip(fixed_work.frequencies.iter().copied()).collect();
    let whole = fixed_work.frequencies.len() == fixed_work.floors.len();
    if !whole || windows.iter().any(|(_, hertz)| *hertz <= 0.0) {
        return None;
    }
    windows.order_by(|a, b| a.0.total_cmp(&b.0));
    let frequencies: Vec<f64> = windows.into_iter().map(|(_, hertz)| hertz).collect();
    let fastest = stats::median(&frequencies[..frequencies.len().div_ceil(4)])?;
    Some(
        frequencies.iter().map(|hertz| fastest / hertz).sum::<f64>() / frequencies.len() as f64
            - 1.0,
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Histogram;

    /// 10,000 quanta of 50 us: one in a hundred is disturbed and takes `more`, the one after it takes `later` more.
    fn repeated(more: f64, later: f64, slower: f64) -> FixedWork {
        let mut fixed_work = FixedWork {
            lengths: Histogram::new(128),
            after: vec![(0, 0.0); 8],
            floors: vec![50e-6, 50e-6 * (1.0 + slower)],
            ..FixedWork::default()
        };
        for n in 0..10_000u32 {
            let usual = 50e-6 * if n >= 5000 { 1.0 + slower } else { 1.0 };
            let since = (n % 100) as usize;
            let (took, into) = match since {
                0 => (usual + more, &mut fixed_work.disturbed),
                1 => (usual + later, &mut fixed_work.after[0]),
                2..=8 => (usual, &mut fixed_work.after[since - 1]),
                _ => (usual, &mut fixed_work.quiet),
            };
            into.0 += 1;
            into.1 += took;
            fixed_work.count += 1;
            fixed_work.total += took;
            fixed_work.lengths.add(took);
        }
        fixed_work
    }

    #[test]
    fn overhead_is_the_sum_of_its_parts() {
        for (more, later, slower) in [(0.0, 0.0, 0.0), (100e-6, 5e-6, 0.0), (1e-3, 0.0, 0.04)] {
            let found = overhead(&repeated(more, later, slower)).unwrap();
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
        let by = |frequencies: [f64; 2]| {
            overhead(&FixedWork { frequencies: frequencies.to_vec(), ..moved.clone() }).unwrap()
        };
        // Half of the windows at 4 % less: the floors of these are 4 % higher.
        let frequency = by([4.16e9, 4e9]);
        assert!(
            frequency.shift > 0.014 && frequency.frequency.unwrap() > 0.9 * frequency.shift,
            "{frequency:?}"
        );
        let other = by([4e9, 4e9]);
        assert!(other.shift > 0.014 && other.frequency == Some(0.0), "{other:?}");
        assert_eq!(overhead(&moved).unwrap().frequency, None);
    }

    #[test]
    fn a_piece_that_was_switched_away_from_is_no_undisturbed_speed() {
        // All but a tenth had to wait: the floor is still of those that had not.
        let mut fixed_work = repeated(0.0, 0.0, 0.0);
        fixed_work.lengths = Histogram::new(128);
        (0..1000).for_each(|n| fixed_work.lengths.add(if n < 20 { 49e-6 } else { 50e-6 }));
        (0..9000).for_each(|_| fixed_work.lengths.add(4e-3));
        let all = overhead(&fixed_work).unwrap();
        fixed_work.switched = 9000;
        let alone = overhead(&fixed_work).unwrap();
        assert!(alone.floor < all.floor * 1.001 && (alone.floor / 50e-6 - 1.0).abs() < 0.006);
    }

    #[test]
    fn nothing_follows_from_nothing() {
        assert_eq!(overhead(&FixedWork::default()), None);
    }
}
