//! Where a hypervisor has put the CPUs at the moment: a line's round trip between two of them tells, and it may
//! change within seconds. Values of different states are never put together.
use super::{original::Pick, ours::Ours};

/// States differ by more than this factor; runs in one state by less (`measure::guard` uses the same).
pub(crate) const MOVED: f64 = 1.5;

const ROUND_TRIP: Pick = Pick { probe: "core_to_core", case: &[], at: &[] };

/// The round trip before and after something, in seconds; nothing where the CPUs moved during the check itself.
pub(crate) type Around = [Option<f64>; 2];

/// One check: about a second.
pub(crate) fn check(ours: &Ours) -> Result<Option<f64>, String> {
    let (record, _) = ours.measure(&["--only", "core_to_core"])?;
    Ok(record.find(&ROUND_TRIP).ok().map(|f| f.median))
}

/// The states seen, as one round trip each, least first.
pub(crate) fn states(checks: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = checks.collect();
    sorted.sort_by(f64::total_cmp);
    let mut states: Vec<f64> = vec![];
    for check in sorted {
        if states.last().is_none_or(|least| check > least * MOVED) {
            states.push(check);
        }
    }
    states
}

/// Which state both checks found; nothing if they differ or one of them failed.
pub(crate) fn state(states: &[f64], around: Around) -> Option<usize> {
    let of = |check: f64| states.iter().rposition(|least| check >= *least);
    let [before, after] = around;
    let state = of(before?)?;
    (of(after?)? == state).then_some(state)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_placements_are_two_states_and_a_move_is_none() {
        let states = states([55e-9, 250e-9, 52e-9, 241e-9, 60e-9].into_iter());
        assert_eq!(states, [52e-9, 241e-9]);
        assert_eq!(state(&states, [Some(60e-9), Some(53e-9)]), Some(0));
        assert_eq!(state(&states, [Some(250e-9), Some(241e-9)]), Some(1));
        assert_eq!(state(&states, [Some(60e-9), Some(250e-9)]), None);
        assert_eq!(state(&states, [None, Some(250e-9)]), None);
    }
}
