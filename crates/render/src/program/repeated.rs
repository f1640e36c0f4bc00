//! `stat --repeat`: the figures of several runs in one table.
use super::{plainly, tag};
use crate::quantity::{many, percent, plain};
use analyse::program::{Program, Spread};
use record::{Unit, param};
use std::fmt::Write;

/// Median, 95 % interval (of six runs and more) and range of every figure.
pub fn repeated(programs: &[Program<'_>]) -> String {
    let mut text = String::new();
    let Some(first) = programs.first() else { return text };
    let what = first.run.case.get(param::COMMAND).unwrap_or(first.scope);
    let (runs, own) = (programs.len(), format!("[{}]", tag(first)));
    let _ = writeln!(text, "cpulens stat: {}: {runs} runs", plainly(what));
    let _ = writeln!(text, "Counted: {}\n", first.scope);
    let heads = ["", "median", "95 % CI", "min", "max"];
    let mut line = |[name, cells @ ..]: [&str; 5], of: &str| {
        let [median, interval, min, max] = cells;
        let line = format!("  {name:38} {median:>10} {interval:>9} {min:>10} {max:>10}   {of}");
        text.push_str(line.trim_end());
        text.push('\n');
    };
    line(heads, "");
    for spread in Spread::of(programs) {
        let shown = |value: f64| match spread.unit {
            Unit::Ratio => percent(value),
            Unit::Count => many(value),
            unit => plain(value, unit),
        };
        let half = spread.interval.map(|i| i.half_width_relative(spread.median));
        let half = half.filter(|half| half.is_finite());
        let half = half.map_or("n/a".into(), |half| format!("+- {}", percent(half)));
        let of = if spread.of_machine { "[machine]" } else { &own };
        let [median, min, max] = [spread.median, spread.min, spread.max].map(shown);
        line([&spread.name, &median, &half, &min, &max], of);
    }
    if runs < SIX {
        let _ = writeln!(text, "\n  {SIX} runs are the fewest that have a 95 % interval.");
    }
    text
}

/// The fewest runs whose range holds the median with 95 % confidence (1 - 2 / 2^6).
const SIX: usize = 6;
