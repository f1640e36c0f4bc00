//! Simulated chases through pages: the ends of the TLBs' reach are found within a step, and none where there is none.

use stats::plateau::Point;
use stats::reach::{Reach, reaches};
use stats::rng::Rng;

/// Pages from 8 to 16384, four steps to the octave.
fn pages() -> Vec<f64> {
    (0..45).map(|k| (8.0 * (f64::from(k) / 4.0).exp2()).round()).collect()
}

/// Share of accesses that miss a table of so many entries, under a cyclic chase: all of them as soon as it is too small
/// where the oldest is replaced; where a random one is, what solves h = exp(-(1 - h) n / entries) for the share of hits.
fn misses(entries: f64, pages: f64, random: bool) -> f64 {
    if pages <= entries {
        return 0.0;
    }
    if !random {
        return 1.0;
    }
    let mut hits = 0.0_f64;
    for _ in 0..200 {
        hits = (-(1.0 - hits) * pages / entries).exp();
    }
    1.0 - hits
}

struct Model {
    first: Option<f64>,
    second: Option<f64>,
    random: bool,
    wild: bool,
}

/// Cycles of a load: 4, a first-level miss 7 more, a walk 15 and more the farther its tables are spread.
fn curve(model: &Model, noise: f64, rng: &mut Rng) -> Vec<Point> {
    let mut points: Vec<Point> = pages()
        .into_iter()
        .map(|x| {
            let first = model.first.map_or(0.0, |n| 7.0 * misses(n, x, model.random));
            let walk = |n: f64| (15.0 + 20.0 * (x / n).ln()) * misses(n, x, model.random);
            let second = model.second.map_or(0.0, walk);
            Point { x, y: (4.0 + first + second) * (1.0 + noise * rng.normal()) }
        })
        .collect();
    if model.wild {
        let at = rng.below(points.len() as u64) as usize;
        points[at].y *= 4.0;
    }
    points
}

/// Whether the true end lies no farther than a step outside of what was found.
fn within_a_step(found: &Reach, truth: f64) -> bool {
    let step = 2f64.powf(0.26);
    found.last <= truth * step && found.next * step > truth
}

#[test]
fn the_ends_are_found_within_a_step() {
    let mut rng = Rng::new(11);
    let mut faults = vec![];
    for round in 0..1200 {
        let first = *[32.0, 48.0, 64.0, 72.0, 96.0, 128.0].get(round % 6).unwrap();
        let second = *[1024.0, 1536.0, 2048.0, 3072.0, 4096.0].get(round / 6 % 5).unwrap();
        let model = Model {
            first: Some(first),
            second: (round % 3 > 0).then_some(second),
            random: round % 4 > 1,
            wild: round % 2 == 0,
        };
        let found = reaches(&curve(&model, 0.02, &mut rng));
        let ends = match model.second {
            // What rises behind the second may pause and rise again.
            Some(_) => found.len() >= 2,
            None => found.len() == 1,
        };
        let right = ends
            && within_a_step(&found[0], first)
            && found.get(1).is_none_or(|f| within_a_step(f, second));
        if !right {
            faults.push(format!("{first}, {:?}, random {}: {found:?}", model.second, model.random));
        }
    }
    assert!(faults.len() < 6, "{} faults: {:#?}", faults.len(), &faults[..5]);
    println!("{} of 1200 wrong", faults.len());
}

#[test]
fn where_there_is_no_end_none_is_found() {
    let mut rng = Rng::new(12);
    let none = Model { first: None, second: None, random: false, wild: false };
    for wild in [false, true] {
        let model = Model { wild, ..none };
        let any = (0..400).filter(|_| !reaches(&curve(&model, 0.02, &mut rng)).is_empty()).count();
        assert!(any == 0, "{any} of 400");
    }
}

#[test]
fn what_cannot_be_a_curve_has_no_reach() {
    assert!(reaches(&[]).is_empty());
    assert!(reaches(&[Point { x: 1.0, y: 1.0 }]).is_empty());
    let wrong = [f64::NAN, 0.0, -1.0, f64::INFINITY].map(|y| Point { x: 8.0, y });
    assert!(reaches(&wrong).is_empty());
}
