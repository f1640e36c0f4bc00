//! Parts that the twelve tests of UnixBench share as probes: copies that are processes, passes, placements and definitions.
//!
//! Each test is a probe of its own; a case is that test with so many copies, placed in one way. Every copy is a process of
//! the small program that `kernels` carries, started like a stranger's and gone when the pass is over. A pass gives one
//! sample: what all copies counted together. The score is made of them by `stats::unixbench`.
//! Source: what UnixBench 6.0 does, as described in docs/method.md.
mod definition;
mod pass;
mod place;
mod stage;
mod text;
mod work;

pub use definition::{Copies, Options, Placement, Start, Switch, Variant};
pub use work::{TESTS, Work};

use definition::Length;
use filesystem::folders;
use host::clock::{Clock, sleep};
use measure::{
    bench::Bench,
    probe::{Depth, Setting},
    scaling_run,
};
use pass::PassResults;
use record::{Case, Machine, Reason, Series, Value, param};
use stage::Stage;
use std::time::Duration;

/// A test as a probe: its place in the plan, its title, and what each copy does. All else is the same for the twelve tests.
#[macro_export]
macro_rules! unixbench_probe {
    ($order:literal, $title:literal, $work:expr) => {
        /// One of the twelve tests of UnixBench's index.
        pub static PROBE: measure::probe::Probe = measure::probe::Probe {
            waits: true,
            switches: $work.switches(),
            refuses: $crate::unixbench::refuses,
            lacks: |case| $crate::unixbench::lacks($work, case),
            ..measure::probe::Probe::new(
                $order,
                1,
                $title,
                |setting| $crate::unixbench::cases($work, setting),
                |case, bench| $crate::unixbench::run($work, case, bench),
            )
        };
    };
}
pub use unixbench_probe as probe;

/// The reason why processes of a case that switch between two CPUs have none.
pub fn refuses(case: &Case, machine: &Machine) -> Option<Reason> {
    let switch = Switch::named(case.get(param::SWITCH)?)?;
    place::pair(switch, machine, &case.place.cpus).err()
}

/// Requirements of a case's copies that are missing here.
pub fn lacks(work: Work, case: &Case) -> Option<Reason> {
    stage::lacks(work, variant(case))
}

/// The cases of one test: nothing unless it is asked for by name.
pub fn cases(work: Work, setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    if !work.id().is_some_and(|id| setting.is_named(id)) {
        return match setting.depth < Depth::Thorough {
            true => Ok(vec![]),
            false => Err(Reason::by_plan(
                "UnixBench takes minutes to an hour, and runs when it is asked for",
                "cpulens unixbench",
            )),
        };
    }
    let options = setting.probe_options.get::<Options>().cloned().unwrap_or_default();
    let length = Length::of(work, setting.depth, &options);
    let mut points = vec![];
    for copies in options.counts(setting.cpus.len()) {
        for placement in &options.placements {
            for switch in options.switches(work, copies) {
                points.push((copies, *placement, switch));
            }
        }
    }
    let rounds = scaling_run::rounds(&points, options.repeats.max(1));
    let turns = rounds.into_iter().flat_map(|round| (1..=length.turns).map(move |t| (t, round)));
    let case = |(turn, (repeat, (copies, placement, switch))): (usize, (usize, Point))| {
        let mut params: Vec<(&str, Value)> = vec![
            param::COPIES.set(copies),
            param::PLACEMENT.set(placement.name()),
            param::VARIANT.set(options.variant.name()),
            param::START.set(options.start.name()),
            param::PASSES.set(length.passes),
            param::SECONDS.set(length.seconds),
        ];
        if options.exact {
            params.push(param::EXACT.set(true));
        }
        if options.repeats > 1 {
            params.push(param::REPEAT.set(repeat));
        }
        if length.turns > 1 {
            params.push(param::TURN.set(format!("{turn}/{}", length.turns)));
        }
        params.extend(options.scratch.iter().map(|folder| param::SCRATCH.set(folder.clone())));
        if let Some(switch) = switch {
            params.push(param::SWITCH.set(switch.name()));
            if let Ok(Some((parent, child))) = place::pair(switch, setting.machine, &setting.cpus) {
                params.push(param::PARENT.set(parent.to_string()));
                params.push(param::CHILD.set(child.to_string()));
            }
        }
        setting.case(setting.cpus.clone(), &params, length.estimate(turn))
    };
    Ok(turns.map(case).collect())
}

/// Copies, their placement, and where the two processes of a context switch are.
type Point = (usize, Placement, Option<Switch>);

/// Passes of a case. `turn=2/3` has a part of its test's passes, the second of three turns. Between its turns all other tests
/// have theirs, so that what disturbs the machine for seconds costs each of them a pass, which UnixBench's rule leaves out,
/// and not one of them all.
fn passes(case: &Case) -> usize {
    let all = case.get(param::PASSES).unwrap_or(1).clamp(1, 1000) as usize;
    let turn = case.get(param::TURN).and_then(|turn| turn.split_once('/'));
    let parsed = turn.and_then(|(this, of)| Some((this.parse().ok()?, of.parse().ok()?)));
    parsed.map_or(all, |(this, of)| definition::share(all, this, of))
}

fn variant(case: &Case) -> Variant {
    case.get(param::VARIANT).and_then(Variant::named).unwrap_or_default()
}

/// Runs the passes of a case.
pub fn run(work: Work, case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let test = record::unixbench::of_probe(case.probe)
        .ok_or_else(|| Reason::new(format!("UnixBench has no test {}", case.probe)))?;
    let places = place::places(case, bench.machine)?;
    let stage = Stage::set(work, variant(case), case, bench.clock, places.len())?;
    let exact = case.get(param::EXACT) == Some(true);
    let planned = passes(case);
    // A short budget leaves out passes: shorter ones would measure how programs start.
    let passes = ((planned as f64 * bench.time_scale) as usize).max(1);
    let mut results = PassResults::new(test, stage.software());
    for pass in 0..passes {
        settle(exact, || bench.cancelled());
        if bench.cancelled() {
            break;
        }
        match stage.pass(case, &places, bench.clock) {
            Ok(copies) => results.add(&copies),
            Err(failed) => {
                if failed.interrupted {
                    bench.cancel.store(true, std::sync::atomic::Ordering::Relaxed);
                }
                return Err(failed.why);
            }
        }
        if !bench.done((pass + 1) as f64 / passes as f64) {
            break;
        }
    }
    results.series(stage.link())
}

/// What UnixBench does before every pass, or as much of it as lets the last one's processes be gone. Who wants to stop does not
/// wait for it.
fn settle(exact: bool, mut cancelled: impl FnMut() -> bool) {
    if !exact {
        return sleep(REST);
    }
    for seconds in [1, 2] {
        if cancelled() {
            return;
        }
        folders::write_back();
        if !waited(seconds * 10, &mut cancelled) {
            return;
        }
    }
}

/// Waits for so many tenths of a second, unless somebody wants to stop.
fn waited(tenths: u32, cancelled: &mut impl FnMut() -> bool) -> bool {
    (0..tenths).all(|_| {
        let go_on = !cancelled();
        if go_on {
            sleep(REST);
        }
        go_on
    })
}

/// The pause between two passes, and between two looks whether somebody wants to stop.
const REST: Duration = Duration::from_millis(100);

/// The clock of a pass: tests have one of their own.
pub(crate) type Watch<'a> = &'a (dyn Clock + Sync);

#[cfg(test)]
mod tests {
    use super::*;

    /// Waiting as the original does takes seconds, in which Ctrl-C must be heard.
    #[test]
    fn nobody_waits_who_wants_to_stop() {
        let mut asked = 0;
        settle(true, || {
            asked += 1;
            true
        });
        assert_eq!(asked, 1, "before anything is written back");
        let mut asked = 0;
        let mut second = || {
            asked += 1;
            asked == 2
        };
        assert!(!waited(20, &mut second));
        assert_eq!(asked, 2, "and in the middle of a wait");
        assert!(waited(1, &mut || false));
    }
}
