//! The table: one line a quantity, and a state of placement where there are several.
use super::{
    placement,
    rounds::{Bout, Value},
    summary::{median, median_interval, variation},
};

/// One line.
#[derive(Debug, PartialEq)]
pub(crate) struct Row {
    pub(crate) cells: [String; 7],
}

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
pub(crate) fn rows(bout: &Bout, states: &[f64]) -> Vec<Row> {
    let name = |suffix: &str| format!("{}{suffix}", bout.pair.quantity);
    if let Some(why) = &bout.failed {
        return vec![without(bout, &format!("could not be run: {why}"))];
    }
    if !bout.pair.ours.many() {
        return vec![row(bout, name(""), &bout.ours, &bout.theirs)];
    }
    let mut rows = vec![];
    let inside = |values: &[Value], wanted: usize| -> Vec<Value> {
        let state = |v: &Value| v.around.and_then(|around| placement::state(states, around));
        values.iter().copied().filter(|v| state(v) == Some(wanted)).collect()
    };
    for (i, least) in states.iter().enumerate() {
        let (ours, theirs) = (inside(&bout.ours, i), inside(&bout.theirs, i));
        if !ours.is_empty() || !theirs.is_empty() {
            rows.push(row(
                bout,
                name(&format!(" (round trip from {:.0} ns)", least * 1e9)),
                &ours,
                &theirs,
            ));
        }
    }
    if rows.is_empty() {
        rows.push(without(bout, "the CPUs moved in every round"));
    }
    rows
}

/// A pair that has no values, and why.
fn without(bout: &Bout, why: &str) -> Row {
    let [none, tolerance] = ["-".to_owned(), bout.pair.tolerance.text()];
    let side = || none.clone();
    let name = bout.pair.quantity.into();
    Row { cells: [name, bout.original.name.into(), side(), side(), side(), tolerance, why.into()] }
}

/// Fewer undisturbed values than this say less than all.
const FEWEST: usize = 3;

fn row(bout: &Bout, quantity: String, ours: &[Value], theirs: &[Value]) -> Row {
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
    let side = |side: &[Value]| {
        let values = values(side);
        let Some(middle) = median(&values) else { return "-".into() };
        let spread = variation(&values).map_or("-".into(), |cv| format!("{:.1} %", cv * 100.0));
        format!(
            "{middle:.*} {} [{spread}] n={}",
            digits(middle),
            bout.pair.unit.symbol(),
            values.len()
        )
    };
    // What disturbs a round disturbs both of its sides; only sides that never met are compared by their medians.
    let by_round = ratios(ours, theirs);
    let apart = || median(&values(ours)).zip(median(&values(theirs))).map(|(o, t)| o / t);
    let ratio = median(&by_round).or_else(apart);
    let spread = median_interval(&by_round);
    let verdict = match ratio.and_then(|r| bout.pair.tolerance.admits(r)) {
        None if ratio.is_none() => "no common state",
        None => "for information",
        Some(inside) => {
            let sure = spread.is_some_and(|(low, high)| {
                let admits = |r| bout.pair.tolerance.admits(r) == Some(inside);
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
    let cells = [
        quantity,
        bout.original.name.into(),
        side(ours),
        side(theirs),
        ratio,
        bout.pair.tolerance.text(),
        if disturbed { format!("{verdict}, disturbed") } else { verdict.into() },
    ];
    Row { cells }
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
    use crate::bench::originals::ALL;

    fn bout(name: &str, quantity: &str, ours: &[f64], theirs: &[f64]) -> Bout {
        let original = ALL.iter().find(|o| o.name == name).unwrap();
        let pair = original.pairs.iter().find(|p| p.quantity == quantity).unwrap();
        let values = |xs: &[f64]| {
            xs.iter()
                .enumerate()
                .map(|(round, value)| Value { round, value: *value, around: None, others: None })
                .collect()
        };
        Bout { ours: values(ours), theirs: values(theirs), ..Bout::new(original, pair) }
    }
    fn verdict(ours: &[f64], theirs: &[f64]) -> String {
        let bout = bout("multichase", "load latency, 512 MiB, 4 KiB pages", ours, theirs);
        rows(&bout, &[])[0].cells[6].clone()
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
        let mut bout = bout("multichase", "load latency, 512 MiB, 4 KiB pages", &ours, &theirs);
        bout.theirs[3].others = Some(80);
        bout.theirs[4].others = Some(80);
        let cells = &rows(&bout, &[])[0].cells;
        assert!(cells[3].starts_with("100.0 ns") && cells[3].ends_with("n=3"), "{cells:?}");
        assert_eq!(cells[6], "within");
        bout.theirs[2].others = Some(80);
        assert_eq!(rows(&bout, &[])[0].cells[6], "within (unsure), disturbed");
    }

    #[test]
    fn states_are_told_apart_and_moved_rounds_left_out() {
        let mut bout = bout(
            "core-to-core-latency",
            "core to core, one way",
            &[25.0, 120.0, 60.0],
            &[26.0, 121.0],
        );
        let (near, far) = (Some(50e-9), Some(240e-9));
        for side in [&mut bout.ours, &mut bout.theirs] {
            for (value, around) in side.iter_mut().zip([[near, near], [far, far], [near, far]]) {
                value.around = Some(around);
            }
        }
        let rows = rows(&bout, &[50e-9, 240e-9]);
        assert_eq!(rows.len(), 2);
        assert!(
            rows[0].cells[2].starts_with("25.00 ns") && rows[0].cells[2].ends_with("n=1"),
            "{rows:?}"
        );
        assert!(rows[1].cells[4].starts_with("0.992"), "{rows:?}");
    }

    #[test]
    fn what_has_no_values_says_why() {
        let bout = bout("core-to-core-latency", "core to core, one way", &[], &[]);
        assert_eq!(rows(&bout, &[50e-9])[0].cells[6], "the CPUs moved in every round");
        let failed = Bout { failed: Some("no memory".into()), ..bout };
        assert_eq!(rows(&failed, &[])[0].cells[6], "could not be run: no memory");
    }

    #[test]
    fn columns_line_up() {
        let text = text(["a", "b"], &[["xx".into(), "y".into()]]);
        assert_eq!(text, "| a  | b |\n| -- | - |\n| xx | y |\n");
    }
}
