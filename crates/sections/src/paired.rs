//! Two commands that ran in pairs, as a document.
use crate::document::Document;
use crate::page::{Block, Page, Section, Table};
use crate::quantity::{half_width, percent, plain};
use crate::say;
use analyse::paired::{Command, Middle, Paired};
use record::{Between, Text, Unit};

/// The answer, how it was found, and what each command used.
pub fn document(paired: &Paired) -> Document {
    let [a, b] = &paired.commands;
    let blocks = vec![Block::items(sentences(paired)), Block::Table(table(paired))];
    let section = Section::new("answer", "Answer", blocks);
    let page = Page::new(format!("A: {}", a.command), format!("B: {}", b.command), vec![section]);
    let value = serde_json::to_value(paired).unwrap_or_default();
    Document { page, value, table: table(paired) }
}

fn sentences(paired: &Paired) -> Vec<Text> {
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
                    let words = if speed > 1.0 { say::paired_faster } else { say::paired_slower };
                    words(shown, of, low, high)
                }
                "same" => say::paired_same(&least, &shown, of, &low, &high),
                _ => say::paired_undecided(&least, &shown, of, &low, &high, &needs),
            }
        }
        _ => say::paired_too_few(paired.pairs, &needs),
    }];
    let by_cpu = paired.measure == "cpu_time";
    let compared = match paired.measure {
        "cpu_time" => say::PAIRED_BY_CPU,
        "rate" => say::PAIRED_BY_RATE,
        _ => say::PAIRED_BY_ELAPSED,
    };
    let within = say::PAIRED_WITHIN;
    all.extend((paired.pairs > 0).then(|| Text::list([compared, within], Between::Sentences)));
    let (other, interval) = match by_cpu {
        true => (paired.elapsed_ratio, paired.elapsed_interval),
        false => (paired.cpu_ratio, paired.cpu_interval),
    };
    if let Some((ratio, i)) = other.zip(interval) {
        let [ratio, low, high] = [ratio, i.low, i.high].map(|x| format!("{x:.4}"));
        all.push(if by_cpu {
            say::paired_elapsed_ratio(&ratio, &low, &high)
        } else {
            say::paired_cpu_ratio(&ratio, &low, &high)
        });
    }
    let (pairs, took) = (paired.pairs, seconds(paired.took_s));
    all.push(match &paired.places {
        Some([a, b]) => say::paired_at_once(pairs, a, b, took),
        None => say::paired_turn(pairs, took),
    });
    let interrupted = say::PAIRED_INTERRUPTED;
    all.extend(paired.interrupted.then(|| interrupted.into()));
    let failed = paired.failed.as_ref();
    all.extend(failed.map(say::paired_failed));
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
