//! The table: one line a quantity, and a placement of the CPUs where there are several.
use crate::{
    original::Pair,
    ours::placements,
    rounds::{PairRun, PlacementChecks, Value},
};
use stats::Sample;

/// One line.
pub(crate) type Row = [String; 7];

pub(crate) const HEAD: [&str; 7] = [
    "quantity",
    "original",
    "ours [CV]",
    "theirs [CV]",
    "ratio by round (95 %)",
    "tolerance",
    "verdict",
];

/// The lines of one pair.
pub(crate) fn rows(pair_run: &PairRun<'_>, states: &[f64]) -> Vec<Row> {
    let name = |suffix: &str| format!("{}{suffix}", pair_run.pair.quantity);
    if let Some(why) = &pair_run.failed {
        return vec![without(pair_run, &format!("could not be run: {why}"))];
    }
    if !pair_run.pair.needs_all_cpus() {
        return vec![row(pair_run, name(""), &pair_run.ours, &pair_run.theirs)];
    }
    let mut rows = vec![];
    let inside = |values: &[Value], wanted: usize| -> Vec<Value> {
        let state = |v: &Value| v.around.and_then(|around| placement(states, around));
        values.iter().copied().filter(|v| state(v) == Some(wanted)).collect()
    };
    for (i, least) in states.iter().enumerate() {
        let (ours, theirs) = (inside(&pair_run.ours, i), inside(&pair_run.theirs, i));
        if !ours.is_empty() || !theirs.is_empty() {
            let suffix = format!(" (round trip from {:.0} ns)", least * 1e9);
            rows.push(row(pair_run, name(&suffix), &ours, &theirs));
        }
    }
    if rows.is_empty() {
        rows.push(without(pair_run, "the CPUs moved in every round"));
    }
    rows
}

/// A pair that has no values, and why.
fn without(pair_run: &PairRun<'_>, why: &str) -> Row {
    let [none, tolerance] = ["-".to_owned(), pair_run.pair.tolerance.text()];
    let side = || none.clone();
    let name = pair_run.pair.quantity.clone();
    [name, pair_run.pair.original.clone(), side(), side(), side(), tolerance, why.into()]
}

/// Fewer undisturbed values than this say less than all.
const FEWEST: usize = 3;

fn row(pair_run: &PairRun<'_>, quantity: String, ours: &[Value], theirs: &[Value]) -> Row {
    // Both sides of a round, or neither: the rounds differ by more than the sides.
    let calm_at = |side: &[Value], round| side.iter().any(|v| v.round == round && v.undisturbed());
    let clean = |side: &[Value]| -> Vec<Value> {
        let both = |v: &&Value| calm_at(ours, v.round) && calm_at(theirs, v.round);
        side.iter().filter(both).copied().collect()
    };
    let [clean_ours, clean_theirs] = [clean(ours), clean(theirs)];
    let calm = clean_ours.len() >= FEWEST;
    let disturbed = !calm && !ours.iter().chain(theirs).all(Value::undisturbed);
    let [ours, theirs] = if calm { [&clean_ours[..], &clean_theirs[..]] } else { [ours, theirs] };
    let values = |side: &[Value]| side.iter().map(|v| v.value).collect::<Vec<f64>>();
    let shown = |value: f64| format!("{value:.*} {}", digits(value), pair_run.pair.unit);
    // What disturbs a round disturbs both of its sides; only sides that never met are compared by their medians.
    let by_round = ratios(ours, theirs);
    let apart = || median(&values(ours)).zip(median(&values(theirs))).map(|(o, t)| o / t);
    let ratio = median(&by_round).or_else(apart);
    let spread = median_interval(&by_round);
    let verdict = match ratio.and_then(|r| pair_run.pair.tolerance.admits(r)) {
        None if ratio.is_none() => "no common state",
        None => "for information",
        Some(inside) => {
            let sure = spread.is_some_and(|(low, high)| {
                let admits = |r| pair_run.pair.tolerance.admits(r) == Some(inside);
                // An interval from below to above the tolerance has the tolerance in it.
                admits(low) && admits(high) && (inside || (low > 1.0) == (high > 1.0))
            });
            match (inside, sure) {
                (true, true) => "within",
                (true, false) => "within (unsure)",
                (false, true) => "OUTSIDE",
                (false, false) => "outside (unsure)",
            }
        }
    };
    let ratio = match (ratio, spread) {
        (Some(r), Some((low, high))) => format!("{r:.3} ({low:.3}..{high:.3})"),
        (Some(r), None) => format!("{r:.3}"),
        _ => "-".into(),
    };
    [
        quantity,
        pair_run.pair.original.clone(),
        side(&values(ours), shown),
        side(&values(theirs), shown),
        ratio,
        pair_run.pair.tolerance.text(),
        if disturbed { format!("{verdict}, disturbed") } else { verdict.into() },
    ]
}

/// The median of one side's values, their CV and number.
pub(crate) fn side(values: &[f64], shown: impl Fn(f64) -> String) -> String {
    let Some(sample) = Sample::new(values) else { return "-".into() };
    let cv = sample.cv().map_or("-".into(), |cv| format!("{:.1} %", cv * 100.0));
    format!("{} [{cv}] n={}", shown(sample.median()), sample.len())
}

/// The placement that both checks found; `None` if they differ or one of them failed.
fn placement(states: &[f64], around: PlacementChecks) -> Option<usize> {
    let of = |check: f64| states.iter().rposition(|least| check >= *least);
    let [before, after] = around;
    let state = of(before?)?;
    (of(after?)? == state).then_some(state)
}

/// The middle value.
pub(crate) fn median(values: &[f64]) -> Option<f64> {
    Sample::new(values).map(|sample| sample.median())
}

/// Between which values the median lies with 95 % confidence, whatever the distribution; the extremes for fewer than six, which
/// hold it less surely.
pub(crate) fn median_interval(values: &[f64]) -> Option<(f64, f64)> {
    let sample = Sample::new(values)?;
    let interval = sample.median_interval(0.95).map(|i| (i.low, i.high));
    Some(interval.unwrap_or((sample.min(), sample.max())))
}

/// The placements that were seen by these pair_runs.
pub(crate) fn seen(pair_runs: &[PairRun<'_>]) -> Vec<f64> {
    let values = pair_runs.iter().flat_map(|b| b.ours.iter().chain(&b.theirs));
    placements(values.filter_map(|v| v.around).flatten().flatten())
}

/// Ours over theirs in every round that has both.
fn ratios(ours: &[Value], theirs: &[Value]) -> Vec<f64> {
    let other = |round| theirs.iter().find(|t| t.round == round);
    ours.iter().filter_map(|o| other(o.round).map(|t| o.value / t.value)).collect()
}

/// Four significant digits.
fn digits(value: f64) -> usize {
    match value.abs() {
        x if x >= 1000.0 => 0,
        x if x >= 100.0 => 1,
        x if x >= 10.0 => 2,
        _ => 3,
    }
}

/// Every value, for those who want to look themselves.
pub(crate) fn values(pair_runs: &[PairRun<'_>]) -> String {
    let shown = |value: Option<f64>| value.map(|v| v.to_string()).unwrap_or_default();
    let mut out = String::from(
        "original,quantity,unit,side,round,value,others_percent,round_trip_before,round_trip_after\n",
    );
    for pair_run in pair_runs {
        let Pair { original, quantity, unit, .. } = pair_run.pair;
        for (side, values) in [("ours", &pair_run.ours), ("theirs", &pair_run.theirs)] {
            for Value { round, value, around, others } in values {
                let [before, after] = around.unwrap_or_default().map(shown);
                let others = shown(*others);
                out += &format!(
                    "{original},\"{quantity}\",{unit},{side},{round},{value},{others},{before},{after}\n"
                );
            }
        }
    }
    out
}

/// Columns as wide as their widest cell, as a Markdown table, which reads well as plain text too.
pub(crate) fn text<const N: usize>(head: [&str; N], rows: &[[String; N]]) -> String {
    let width = |i: usize| {
        rows.iter().map(|r| r[i].chars().count()).chain([head[i].len()]).max().unwrap_or(0)
    };
    let line = |cells: [&str; N]| {
        let padded: Vec<String> =
            cells.iter().enumerate().map(|(i, c)| format!("{c:<w$}", w = width(i))).collect();
        format!("| {} |\n", padded.join(" | "))
    };
    let rule: Vec<String> = (0..N).map(|i| "-".repeat(width(i))).collect();
    let mut out = line(head);
    out += &line(std::array::from_fn(|i| rule[i].as_str()));
    for row in rows {
        out += &line(std::array::from_fn(|i| row[i].as_str()));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::original::{Pair, tests::every_pair};

    fn pair(quantity: &str) -> Pair {
        every_pair().into_iter().find(|p| p.quantity == quantity).unwrap()
    }
    fn pair_run<'a>(pair: &'a Pair, ours: &[f64], theirs: &[f64]) -> PairRun<'a> {
        let values = |xs: &[f64]| {
            xs.iter()
                .enumerate()
                .map(|(round, value)| Value { round, value: *value, around: None, others: None })
                .collect()
        };
        PairRun { ours: values(ours), theirs: values(theirs), ..PairRun::new(pair) }
    }
    const LATENCY: &str = "load latency, 512 MiB, 4 KiB pages";
    const HAND_OFF: &str = "core to core, one way";

    fn verdict(ours: &[f64], theirs: &[f64]) -> String {
        let pair = pair(LATENCY);
        let pair_run = pair_run(&pair, ours, theirs);
        rows(&pair_run, &[])[0][6].clone()
    }

    #[test]
    fn a_verdict_needs_most_rounds_on_its_side() {
        assert_eq!(verdict(&[101.0, 101.0, 101.0], &[100.0, 100.0, 100.0]), "within");
        assert_eq!(verdict(&[105.0, 105.0, 105.0], &[100.0, 100.0, 100.0]), "OUTSIDE");
        assert_eq!(verdict(&[101.0, 101.0, 90.0], &[100.0, 100.0, 100.0]), "within (unsure)");
        assert_eq!(verdict(&[103.0, 103.0, 100.0], &[100.0, 100.0, 100.0]), "outside (unsure)");
        assert_eq!(verdict(&[80.0, 105.0, 120.0], &[100.0; 3]), "outside (unsure)");
        assert_eq!(verdict(&[103.0], &[]), "no common state");
    }

    #[test]
    fn disturbed_values_count_only_where_there_are_no_others() {
        let (ours, theirs) = ([101.0; 5], [100.0, 100.0, 100.0, 300.0, 300.0]);
        let pair = pair(LATENCY);
        let mut pair_run = pair_run(&pair, &ours, &theirs);
        pair_run.theirs[3].others = Some(80.0);
        pair_run.theirs[4].others = Some(80.0);
        let cells = &rows(&pair_run, &[])[0];
        assert!(cells[3].starts_with("100.0 ns") && cells[3].ends_with("n=3"), "{cells:?}");
        assert_eq!(cells[6], "within");
        pair_run.theirs[2].others = Some(80.0);
        assert_eq!(rows(&pair_run, &[])[0][6], "within (unsure), disturbed");
    }

    #[test]
    fn states_are_told_apart_and_moved_rounds_left_out() {
        let pair = pair(HAND_OFF);
        let mut pair_run = pair_run(&pair, &[25.0, 120.0, 60.0], &[26.0, 121.0]);
        let (near, far) = (Some(50e-9), Some(240e-9));
        for side in [&mut pair_run.ours, &mut pair_run.theirs] {
            for (value, around) in side.iter_mut().zip([[near, near], [far, far], [near, far]]) {
                value.around = Some(around);
            }
        }
        let rows = rows(&pair_run, &[50e-9, 240e-9]);
        assert_eq!(rows.len(), 2);
        assert!(rows[0][2].starts_with("25.00 ns") && rows[0][2].ends_with("n=1"), "{rows:?}");
        assert!(rows[1][4].starts_with("0.992"), "{rows:?}");
    }

    #[test]
    fn what_has_no_values_says_why() {
        let pair = pair(HAND_OFF);
        let pair_run = pair_run(&pair, &[], &[]);
        assert_eq!(rows(&pair_run, &[50e-9])[0][6], "the CPUs moved in every round");
        let failed = PairRun { failed: Some("no memory".into()), ..pair_run };
        assert_eq!(rows(&failed, &[])[0][6], "could not be run: no memory");
    }

    #[test]
    fn columns_line_up() {
        let text = text(["a", "b"], &[["xx".into(), "y".into()]]);
        assert_eq!(text, "| a  | b |\n| -- | - |\n| xx | y |\n");
    }
}
