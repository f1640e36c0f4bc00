//! `stat --repeat`: the figures of several runs in one table.
use super::tag;
use crate::quantity::{factor, many, percent, plain, range};
use crate::summary::indented;
use analyse::program::{Program, Spread};
use messages::Lang;
use messages::prose::in_language;
use record::{Unit, param, visible};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// Columns of the numbers of a figure, and of its name at most: 80 in all.
const NUMBERS: [usize; 4] = [9, 13, 9, 9];
const NAME: usize = 40;

/// Median, 95 % interval and range of every figure, in lines of this width; those of the machine come last.
pub fn repeated(programs: &[Program<'_>], lang: Lang, width: usize) -> String {
    let say = |english: &str| in_language(lang, english);
    let line = |text: &mut String, name: &str, cells: [&str; 4]| line(text, name, cells, width);
    let mut text = String::new();
    let Some(first) = programs.first() else { return text };
    let what = first.run.case.get(param::COMMAND).unwrap_or(first.scope);
    let runs = say(&format!("{} runs", programs.len()));
    let _ = writeln!(text, "cpulens stat: {what}: {runs}");
    let _ = writeln!(text, "{}", say(&format!("Counted: {}", first.scope)));
    // The kernel's own accounts have the same, and also of what ran in the kernel.
    let twice =
        ["task-clock", "context-switches", "cpu-migrations", "minor-faults", "major-faults"];
    let (machine, own): (Vec<Spread>, Vec<Spread>) = Spread::of(programs)
        .into_iter()
        .filter(|spread| !twice.contains(&spread.name.as_str()))
        .partition(|spread| spread.of_machine);
    let missing = first.asked().into_iter().filter(|asked| asked.count.is_err());
    let missing: Vec<&str> = missing.map(|asked| asked.event).collect();
    for (of, spreads) in [(tag(first), &own), ("machine".into(), &machine)] {
        if !spreads.is_empty() {
            text += "\n";
            let heads = ["median", "95 % CI", "min", "max"].map(say);
            line(&mut text, &format!("[{}]", say(&of)), heads.each_ref().map(String::as_str));
        }
        for spread in spreads {
            let shown = |value: f64| match spread.unit {
                Unit::Ratio => percent(value),
                Unit::Count => many(value),
                // Its name says of what.
                Unit::PerCycle => factor(value),
                unit => plain(value, unit),
            };
            let interval = spread.interval.map_or("n/a".into(), |i| match spread.unit {
                _ if i.low == i.high => shown(i.low),
                Unit::Count => match (many(i.low), many(i.high)) {
                    (low, high) if low == high => low,
                    (low, high) => format!("{low}-{high}"),
                },
                unit => range(spread.median, unit, &i),
            });
            let [median, min, max] = [spread.median, spread.min, spread.max].map(shown);
            let name = match (spread.of_machine, spread.name.as_str()) {
                (true, "others") => "other programs' CPU time",
                (true, "steal") => "steal time",
                (_, name) => name,
            };
            line(&mut text, &format!("  {}", say(name)), [&median, &interval, &min, &max]);
        }
        if std::ptr::eq(spreads, &own) {
            missing.iter().for_each(|name| line(&mut text, &format!("  {name}"), ["n/a"; 4]));
        }
    }
    let fewest = Spread::fewest();
    if (2..fewest).contains(&programs.len()) {
        let note = format!(
            "Of fewer than {fewest} runs the 95 % CI is that of the geometric mean, by Student's t."
        );
        let _ = writeln!(text, "\n{}", indented(&say(&note), 2, width).join("\n"));
    }
    visible(&text)
}

/// A name that is wider than its column has a line of its own.
fn line(text: &mut String, name: &str, cells: [&str; 4], width: usize) {
    let room = NAME.min(width.saturating_sub(NUMBERS.iter().sum()));
    let mut name = name;
    if name.width() > room {
        let _ = writeln!(text, "{name}");
        name = "";
    }
    text.push_str(name);
    text.push_str(&" ".repeat(room - name.width()));
    for (cell, columns) in cells.into_iter().zip(NUMBERS) {
        // Two numbers never touch.
        text.push_str(&" ".repeat(columns.saturating_sub(cell.width()).max(1)));
        text.push_str(cell);
    }
    text.push('\n');
}
