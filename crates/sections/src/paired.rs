//! Two commands that ran in pairs, as a document.
use crate::document::Document;
use crate::page::{Block, Page, Section, Table};
use crate::quantity::{half_width, percent, plain};
use analyse::paired::{Command, Middle, Paired};
use record::Unit;

/// The answer, how it was found, and what each command used.
pub fn document(paired: &Paired) -> Document {
    let [a, b] = &paired.commands;
    let blocks = vec![Block::List(sentences(paired)), Block::Table(table(paired))];
    let section = Section::new("answer", "Answer", blocks);
    let page = Page::new(format!("A: {}", a.command), format!("B: {}", b.command), vec![section]);
    let value = serde_json::to_value(paired).unwrap_or_default();
    Document { page, value, table: table(paired) }
}

fn sentences(paired: &Paired) -> Vec<String> {
    let least = percent(paired.least);
    let seconds = |s: f64| format!("{:.0}", s.ceil());
    let needs = seconds(paired.needs_s.unwrap_or_default());
    // A time is the inverse of a speed.
    let (of, inverse) = match paired.measure {
        "cpu_time" => ("CPU time", true),
        "rate" => ("rate", false),
        _ => ("elapsed time", true),
    };
    let mut all = vec![match (paired.ratio, paired.interval) {
        (Some(speed), Some(i)) => {
            let (ratio, low, high) = match inverse {
                true => (1.0 / speed, 1.0 / i.high, 1.0 / i.low),
                false => (speed, i.low, i.high),
            };
            let [shown, low, high] = [ratio, low, high].map(|x| format!("{x:.4}"));
            match paired.decision {
                "differs" => {
                    let word = if speed > 1.0 { "faster" } else { "slower" };
                    format!("B is {word} than A: {shown} times the {of} (95 % CI {low} to {high}).")
                }
                "same" => format!(
                    "A and B differ by less than {least}: B has {shown} times the {of} of A (95 % CI {low} to {high})."
                ),
                _ => format!(
                    "Not decided whether they differ by {least}: B has {shown} times the {of} of A (95 % CI {low} to {high}). \
                     About {needs} s would decide it: --budget {needs}"
                ),
            }
        }
        _ => format!(
            "Not decided: too few pairs for an interval, {}. Next: --budget {needs}",
            paired.pairs
        ),
    }];
    let by_cpu = paired.measure == "cpu_time";
    let compared = match paired.measure {
        "cpu_time" => "Compared by CPU time: each command uses one CPU wholly.",
        "rate" => "Compared by the rate that the commands print.",
        _ => "Compared by elapsed time: a command waits, or uses several CPUs.",
    };
    let within = "Ratios are within pairs, not of the medians below.";
    all.extend((paired.pairs > 0).then(|| format!("{compared} {within}")));
    let (other, interval) = match by_cpu {
        true => (paired.elapsed_ratio, paired.elapsed_interval),
        false => (paired.cpu_ratio, paired.cpu_interval),
    };
    if let Some((ratio, i)) = other.zip(interval) {
        let [ratio, low, high] = [ratio, i.low, i.high].map(|x| format!("{x:.4}"));
        all.push(if by_cpu {
            format!(
                "Elapsed time of B over A: {ratio} (95 % CI {low} to {high}); waiting and preemption count in it."
            )
        } else {
            format!(
                "CPU time of B over A: {ratio} (95 % CI {low} to {high}); waiting and preemption do not count in it."
            )
        });
    }
    let (pairs, took) = (paired.pairs, seconds(paired.took_s));
    all.push(match &paired.places {
        Some([a, b]) => format!(
            "Double pairs: {pairs}, at the same time on CPUs {a} and {b}, exchanged after each run, in {took} s. \
             They share caches and memory bandwidth; --order turn runs each alone."
        ),
        None => format!("Pairs: {pairs}, one after the other in random order, in {took} s."),
    });
    let interrupted = "Interrupted: these are the pairs until then.";
    all.extend(paired.interrupted.then(|| interrupted.to_owned()));
    let failed = paired.failed.as_ref();
    all.extend(
        failed.map(|why| format!("A later run failed, and these are the pairs until then. {why}.")),
    );
    all
}

/// A column for each side, a row for each quantity that was measured.
fn table(paired: &Paired) -> Table {
    let mut table = Table::new(["", "#A", "#B"]);
    let [a, b] = &paired.commands;
    table.row(["runs".into(), a.elapsed_s.len().to_string(), b.elapsed_s.len().to_string()]);
    type Of = fn(&Command) -> Option<Middle>;
    let rows: [(&str, Unit, Of); 7] = [
        ("elapsed", Unit::Seconds, |c| c.elapsed),
        ("rate", Unit::PerSecond, |c| c.rate),
        ("CPU time", Unit::Seconds, |c| c.cpu_s),
        ("peak memory", Unit::Bytes, |c| c.resident_bytes),
        ("preempted", Unit::Count, |c| c.preempted),
        ("IPC", Unit::PerCycle, |c| c.ipc),
        ("instructions", Unit::Count, |c| c.instructions),
    ];
    for (name, unit, of) in rows {
        let cell = |command: &Command| of(command).map(|middle| shown(middle, unit));
        if let (Some(a), Some(b)) = (cell(a), cell(b)) {
            table.row([name.to_owned(), a, b]);
        }
    }
    table
}

/// A median with its interval.
fn shown(middle: Middle, unit: Unit) -> String {
    let median = plain(middle.median, unit);
    match middle.interval.filter(|i| i.low < i.high) {
        Some(i) => format!("{median} {}", half_width(middle.median, &i)),
        None => median,
    }
}
