//! An interval from visits holds the next run's median, runs of one machine are rarely called different, and planted
//! differences are found: hierarchical noise, as memory has it.

use crate::noise::rate;
use stats::{
    Sample,
    discovery::adjusted,
    repeat::{Known, Repeat, Visits},
    rng::Rng,
};

/// Standard deviations of one machine: inside visits, between visits, and between runs besides.
#[derive(Clone, Copy, Debug)]
struct Machine {
    within: f64,
    between: f64,
    slow: f64,
}

const MEMORY: Machine = Machine { within: 0.02, between: 0.03, slow: 0.01 };
const QUIET: Machine = Machine { within: 0.005, between: 0.004, slow: 0.002 };
const BAND: f64 = 0.01;

fn run(of: Machine, level: f64, visits: usize, rng: &mut Rng) -> Vec<Vec<f64>> {
    let slow = of.slow * rng.normal();
    (0..visits)
        .map(|_| {
            let visit = of.between * rng.normal();
            (0..9).map(|_| level * (slow + visit + of.within * rng.normal()).exp()).collect()
        })
        .collect()
}

fn median(run: &[Vec<f64>]) -> f64 {
    Sample::new(&run.concat()).unwrap().median()
}

/// Rows of a record and what they share: the variation between visits of all of them.
fn record(rows: &[Vec<Vec<f64>>], prior: f64, common: Option<f64>) -> Vec<Repeat> {
    let all: Vec<(f64, f64)> = rows.iter().filter_map(|row| Visits::of(row).between()).collect();
    let degrees: f64 = all.iter().map(|(_, d)| d).sum();
    let variance = all.iter().map(|(v, d)| v * d).sum::<f64>() / degrees;
    let pooled = (degrees > 0.0).then_some((variance, degrees));
    let known = Known { prior: Some(prior), pooled, common };
    rows.iter().map(|row| Repeat::of(row, known).unwrap()).collect()
}

fn holds_the_next(of: Machine, visits: usize, prior: f64, rows: usize, rng: &mut Rng) -> bool {
    let one: Vec<_> = (0..rows).map(|_| run(of, 1.0, visits, rng)).collect();
    let next = median(&run(of, 1.0, visits, rng));
    let interval = record(&one, prior, None)[0].interval(median(&one[0]));
    interval.low <= next && next <= interval.high
}

/// Share of rows called different between two records whose first `differ` rows differ by `shift`: of those, of the rest.
fn called(of: Machine, prior: f64, differ: usize, shift: f64, rng: &mut Rng) -> (f64, f64) {
    const ROWS: usize = 200;
    let mut side = |shift: f64| -> Vec<Repeat> {
        let level = |row: usize| if row < differ { shift } else { 1.0 };
        let rows: Vec<_> = (0..ROWS).map(|row| run(of, level(row), 2, rng)).collect();
        record(&rows, prior, None)
    };
    let (a, b) = (side(1.0), side(shift));
    let p: Vec<f64> = a.iter().zip(&b).map(|(a, b)| b.p_value(a, BAND).unwrap()).collect();
    let found: Vec<bool> = adjusted(&p).into_iter().map(|p| p <= 0.05).collect();
    let share = |of: &[bool]| of.iter().filter(|f| **f).count() as f64 / of.len().max(1) as f64;
    (share(&found[..differ]), share(&found[differ..]))
}

#[test]
#[ignore = "prints the tables of the documentation; run with --release --nocapture"]
fn tables() {
    for visits in [1, 2, 3] {
        let row = [(0.03, 1), (0.01, 1), (0.09, 1), (0.01, 30)].map(|(prior, rows)| {
            format!(
                "{:.1}",
                100.0 * rate(4_000, 1, |rng| holds_the_next(MEMORY, visits, prior, rows, rng))
            )
        });
        println!("{visits} visits {row:?}");
    }
}

#[test]
fn the_next_run_lies_in_the_interval() {
    for (machine, visits, prior, rows) in [
        (MEMORY, 1, 0.03, 1),
        (MEMORY, 2, 0.03, 1),
        (MEMORY, 3, 0.03, 1),
        (MEMORY, 2, 0.01, 30),
        (QUIET, 2, 0.03, 30),
    ] {
        let share = rate(2_000, 1, |rng| holds_the_next(machine, visits, prior, rows, rng));
        assert!(share >= 0.93, "{machine:?}, {visits} visits, prior {prior}, {rows} rows: {share}");
    }
}

/// Negative control: samples of one visit, taken as independent, do not hold the next run.
#[test]
fn samples_of_one_visit_alone_would_not_hold_it() {
    let share = rate(1_000, 1, |rng| {
        let one = run(MEMORY, 1.0, 1, rng);
        let interval = Sample::new(&one[0]).unwrap().median_interval(0.95).unwrap();
        let next = median(&run(MEMORY, 1.0, 1, rng));
        interval.low <= next && next <= interval.high
    });
    assert!(share < 0.6, "{share}");
}

/// A neighbour that takes bandwidth for minutes is in all visits of a run and not in the next run.
#[test]
fn what_visits_have_in_common_is_in_the_interval() {
    let machine = Machine { within: 0.005, between: 0.02, slow: 0.025 };
    let holds = |common| {
        rate(2_000, 1, |rng| {
            let rows: Vec<_> = (0..30).map(|_| run(machine, 1.0, 3, rng)).collect();
            let interval = record(&rows, 0.02, common)[0].interval(median(&rows[0]));
            let next = median(&run(machine, 1.0, 3, rng));
            interval.low <= next && next <= interval.high
        })
    };
    let (unknown, known) = (holds(None), holds(Some(1.6)));
    assert!(unknown < 0.90 && known >= 0.93, "{unknown} {known}");
}

#[test]
fn runs_of_one_machine_are_rarely_called_different() {
    for (machine, prior) in [(MEMORY, 0.03), (MEMORY, 0.01), (QUIET, 0.03)] {
        let mut sum = 0.0;
        let pairs = 60;
        rate(pairs, 1, |rng| {
            sum += called(machine, prior, 0, 1.0, rng).1;
            true
        });
        assert!(sum / pairs as f64 <= 0.01, "{machine:?}: {}", sum / pairs as f64);
    }
}

/// 3 % of a frequency, and 5 % of ten rows of bandwidth or latency: in 5 of 5.
#[test]
fn planted_differences_are_found_among_200_rows() {
    let core = Machine { within: 0.002, between: 0.001, slow: 0.0005 };
    for (machine, prior, differ, shift) in
        [(core, 0.003, 1, 1.03), (QUIET, 0.03, 10, 1.05), (QUIET, 0.04, 10, 0.95)]
    {
        let found = rate(5, 1, |rng| called(machine, prior, differ, shift, rng).0 > 0.7);
        assert_eq!(found, 1.0, "{machine:?} {shift}");
    }
}
