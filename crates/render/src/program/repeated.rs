//! `stat --repeat`: the figures of several runs in one table.
use super::{plainly, tag};
use crate::quantity::{many, percent, plain};
use analyse::program::{Program, Spread};
use record::{Unit, param};
use std::fmt::Write;

/// Columns of a figure's name and of its numbers: 80 in all.
const NAME: usize = 38;

/// Median, 95 % interval (of six runs and more) and range of every figure; those of the machine come last.
pub fn repeated(programs: &[Program<'_>]) -> String {
    let mut text = String::new();
    let Some(first) = programs.first() else { return text };
    let what = first.run.case.get(param::COMMAND).unwrap_or(first.scope);
    let _ = writeln!(text, "cpulens stat: {}: {} runs", plainly(what), programs.len());
    let _ = writeln!(text, "Counted: {}", first.scope);
    let (machine, own): (Vec<Spread>, Vec<Spread>) =
        Spread::of(programs).into_iter().partition(|spread| spread.of_machine);
    for (of, spreads) in [(tag(first), &own), ("machine".into(), &machine)] {
        if !spreads.is_empty() {
            text += "\n";
            line(&mut text, &format!("[{of}]"), ["median", "95 % CI", "min", "max"]);
        }
        for spread in spreads {
            let shown = |value: f64| match spread.unit {
                Unit::Ratio => percent(value),
                Unit::Count => many(value),
                // Its name says of what.
                Unit::PerCycle => format!("{value:.2}"),
                unit => plain(value, unit),
            };
            let half = spread.interval.map(|i| i.half_width_relative(spread.median));
            let half = half.filter(|half| half.is_finite());
            let half = half.map_or("n/a".into(), |half| format!("+- {}", percent(half)));
            let [median, min, max] = [spread.median, spread.min, spread.max].map(shown);
            line(&mut text, &format!("  {}", spread.name), [&median, &half, &min, &max]);
        }
    }
    if programs.len() < Spread::fewest() {
        let fewest = Spread::fewest();
        let _ = writeln!(text, "\n  {fewest} runs are the fewest that have a 95 % interval.");
    }
    text
}

/// A name that is wider than its column has a line of its own.
fn line(text: &mut String, name: &str, cells: [&str; 4]) {
    let [median, half, min, max] = cells;
    let mut name = name;
    if name.chars().count() > NAME {
        let _ = writeln!(text, "{name}");
        name = "";
    }
    let _ = writeln!(text, "{name:NAME$} {median:>9} {half:>9} {min:>9} {max:>10}");
}
