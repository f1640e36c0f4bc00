//! Every cell of every system once a round, every second round backwards (ABBA): what drifts steadily touches all alike.
use super::{Cell, Interrupts, Mode, Pass, Passes, System};
use kernels::quantum;
use record::{Better, Reason, Series, Unit, param};
use std::collections::BTreeMap;

/// The results of the rounds.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Rounds {
    /// Every pass of a cell, in the order of the rounds.
    pub(crate) passes: BTreeMap<(System, Cell), Vec<Pass>>,
    /// The reasons why cells have no passes, or no more.
    pub(crate) refused: BTreeMap<(System, Cell), Reason>,
}

/// Runs so many rounds; `go_on` gets the share that is done. A cell that was refused once is left out from then on.
pub(crate) fn rounds(
    count: u64,
    systems: &mut [(System, &mut dyn Passes)],
    go_on: &mut dyn FnMut(f64) -> bool,
) -> Rounds {
    let mut points: Vec<(usize, Cell)> = vec![];
    for cell in Cell::all() {
        points.extend((0..systems.len()).map(|system| (system, cell)));
    }
    let mut rounds = Rounds::default();
    let all = (count as f64 * points.len() as f64).max(1.0);
    for round in 0..count {
        for (done, (index, cell)) in points.iter().enumerate() {
            let (system, passes) = &mut systems[*index];
            let key = (*system, *cell);
            if !go_on((round as f64 * points.len() as f64 + done as f64) / all) {
                return rounds;
            }
            if rounds.refused.contains_key(&key) {
                continue;
            }
            match passes.pass(*cell).and_then(checked) {
                Ok(pass) => rounds.passes.entry(key).or_default().push(pass),
                Err(why) => drop(rounds.refused.insert(key, why)),
            }
        }
        points.reverse();
    }
    rounds
}

/// A pass that found another number of primes has measured something else.
fn checked(pass: Pass) -> Result<Pass, Reason> {
    match pass.found {
        quantum::PRIMES => Ok(pass),
        found => Err(Reason::new(format!(
            "{found} primes were counted where there are {}: a defect, or a broken machine",
            quantum::PRIMES
        ))),
    }
}

impl Rounds {
    /// One series for each quantity of each cell. Nothing is marked: what disturbs is what is measured.
    pub(crate) fn series(&self, accelerator: Option<&str>) -> Vec<Series> {
        let mut all = vec![];
        for ((system, cell), passes) in &self.passes {
            let [mode, interrupts, place] = cell.words();
            let hash = passes.first().and_then(|pass| pass.hash);
            let of = |metric: &str, unit, better, value: &dyn Fn(&Pass) -> f64| {
                let mut series = Series::new(metric, unit, better)
                    .at(param::SYSTEM, system.name())
                    .at(param::MODE, mode)
                    .at(param::INTERRUPTS, interrupts)
                    .at(param::PLACE, place);
                if let (System::Guest, Some(accelerator)) = (system, accelerator) {
                    series = series.at(param::ACCELERATOR, accelerator);
                }
                series.samples = passes.iter().map(value).collect();
                series.steps = quantum::LAST - quantum::FIRST;
                series.variant = hash.map(|hash| format!("fnv1a:{hash:016x}"));
                series
            };
            all.push(of("pass_time", Unit::Seconds, Better::Lower, &|p| p.seconds));
            let preempted: &dyn Fn(&Pass) -> f64 = &|p| p.preempted as f64;
            all.push(of("preemptions", Unit::Count, Better::Lower, preempted));
            if cell.place == super::Place::Unbound {
                let moved: &dyn Fn(&Pass) -> f64 = &|p| f64::from(u8::from(p.moved));
                all.push(of("moved", Unit::Count, Better::Neither, moved));
            }
            if (cell.mode, cell.interrupts) == (Mode::Kernel, Interrupts::Off) {
                all.push(of("interrupts_off", Unit::Seconds, Better::Lower, &|p| p.longest));
            }
        }
        all
    }

    /// The reasons of the cells that have no passes, by the words of their series.
    pub(crate) fn unread(&self) -> BTreeMap<String, Reason> {
        let name = |(system, cell): &(System, Cell)| {
            let [mode, interrupts, place] = cell.words();
            format!("undisturbed_speed.{}.{mode}.{interrupts}.{place}", system.name())
        };
        self.refused.iter().map(|(key, why)| (name(key), why.clone())).collect()
    }

    /// Whether all passes ran the same machine code, as far as their hashes are known.
    ///
    /// # Errors
    /// They did not: the hashes that there are.
    pub(crate) fn same_code(&self) -> Result<(), Reason> {
        let mut hashes: Vec<u64> =
            self.passes.values().flatten().filter_map(|pass| pass.hash).collect();
        hashes.sort_unstable();
        hashes.dedup();
        match hashes[..] {
            [] | [_] => Ok(()),
            _ => Err(Reason::mended_by(
                format!("not all passes ran the same machine code: {hashes:016x?}"),
                "build the module from the sources of this cpulens: --kmod without a file",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::undisturbed_speed::Place;
    use record::Metric;
    use std::{cell::RefCell, rc::Rc};

    struct Fake {
        system: &'static str,
        log: Rc<RefCell<Vec<String>>>,
        found: u64,
        hash: u64,
    }

    impl Passes for Fake {
        fn pass(&mut self, cell: Cell) -> Result<Pass, Reason> {
            self.log.borrow_mut().push(format!("{} {}", self.system, cell.words().join(" ")));
            if cell.place == Place::Isolated {
                return Err(Reason::new("no partition"));
            }
            let at = self.log.borrow().len() as f64;
            let hash = Some(self.hash);
            let longest = if cell.interrupts == Interrupts::Off { 2e-3 } else { 0.0 };
            Ok(Pass { seconds: at, longest, found: self.found, hash, preempted: 1, moved: false })
        }
    }

    fn fakes() -> (Fake, Fake, Rc<RefCell<Vec<String>>>) {
        let log = Rc::new(RefCell::new(vec![]));
        let fake = |system| Fake { system, log: Rc::clone(&log), found: quantum::PRIMES, hash: 7 };
        (fake("host"), fake("guest"), log)
    }

    #[test]
    fn every_second_round_goes_backwards_and_a_refusal_is_heard_once() {
        let (mut host, mut guest, log) = fakes();
        let mut systems: [(System, &mut dyn Passes); 2] =
            [(System::Host, &mut host), (System::Guest, &mut guest)];
        let mut shares = vec![];
        let rounds = rounds(4, &mut systems, &mut |share| {
            shares.push(share);
            true
        });
        let log = log.borrow();
        // 24 in the first round; six places are isolated and are left out of the others.
        assert_eq!(log.len(), 24 + 3 * 18);
        let asked: Vec<&String> = log[..24].iter().filter(|l| !l.contains("isolated")).collect();
        assert!(asked.iter().rev().zip(&log[24..42]).all(|(first, second)| *first == second));
        assert!(asked.iter().zip(&log[42..60]).all(|(first, third)| *first == third));
        assert_eq!(
            (log[0].as_str(), log[1].as_str()),
            ("host user on unbound", "guest user on unbound")
        );
        assert_eq!((rounds.passes.len(), rounds.refused.len()), (18, 6));
        assert!(rounds.passes.values().all(|passes| passes.len() == 4));
        assert!(shares.windows(2).all(|s| s[0] < s[1]) && shares[0] == 0.0 && shares[95] < 1.0);
        assert!(rounds.unread().contains_key("undisturbed_speed.guest.kernel.off.isolated"));
        assert_eq!(rounds.same_code(), Ok(()));
    }

    #[test]
    fn series_say_where_and_by_which_code() {
        let (mut host, mut guest, _) = fakes();
        guest.hash = 8;
        let mut systems: [(System, &mut dyn Passes); 2] =
            [(System::Host, &mut host), (System::Guest, &mut guest)];
        let rounds = rounds(2, &mut systems, &mut |_| true);
        let series = rounds.series(Some("tcg"));
        let times: Vec<&Series> = series.iter().filter(|s| s.metric == Metric::PassTime).collect();
        assert_eq!(times.len(), 18);
        assert!(times.iter().all(|s| s.samples.len() == 2 && s.disturbed.is_empty()));
        let guests = |s: &&&Series| param::ACCELERATOR.value(&s.at) == Some(&"tcg".into());
        assert_eq!(times.iter().filter(guests).count(), 9);
        assert_eq!(times[0].variant.as_deref(), Some("fnv1a:0000000000000007"));
        let off: Vec<&Series> =
            series.iter().filter(|s| s.metric == Metric::InterruptsOff).collect();
        assert_eq!(off.len(), 6);
        assert!(off.iter().all(|s| s.samples == [2e-3; 2]));
        assert!(rounds.same_code().unwrap_err().why.contains("not all passes"));
    }

    #[test]
    fn a_wrong_count_is_no_result_and_an_interrupt_ends_it() {
        let (mut host, _, log) = fakes();
        host.found = 78_498;
        let mut systems: [(System, &mut dyn Passes); 1] = [(System::Host, &mut host)];
        let wrong = rounds(2, &mut systems, &mut |_| true);
        assert!(wrong.passes.is_empty());
        assert!(wrong.refused.values().any(|why| why.why.starts_with("78498 primes")));
        let before = log.borrow().len();
        assert_eq!(rounds(9, &mut systems, &mut |_| false), Rounds::default());
        assert_eq!(log.borrow().len(), before);
    }
}
