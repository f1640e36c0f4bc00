//! Two commands that ran in pairs, as a document.
use crate::document::Document;
use crate::messages::{self as say, Lang};
use crate::page::{Block, Page, Section, Table};
use crate::quantity::{interval, percent, resolved};
use analyse::paired::{Command, Middle, Paired};
use record::Unit;

/// The answer, how it was found, and what each command used.
pub fn document(paired: &Paired, lang: Lang) -> Document {
    let [a, b] = &paired.commands;
    let section =
        |id, blocks| Section { id, title: say::paired_answer(lang), numbers: false, blocks };
    let mut page = Page {
        title: format!("A: {}", a.command),
        subtitle: format!("B: {}", b.command),
        banner: None,
        sections: vec![section(
            "answer",
            vec![Block::List(sentences(paired, lang)), Block::Table(table(paired, lang))],
        )],
    };
    page.harmless();
    let value = serde_json::to_value(paired).unwrap_or_default();
    Document { page, value, table: table(paired, lang) }
}

fn sentences(paired: &Paired, lang: Lang) -> Vec<String> {
    let least = percent(paired.least);
    let seconds = |s: f64| format!("{:.0}", s.ceil());
    let needs = seconds(paired.needs_s.unwrap_or_default());
    let mut all = vec![match (paired.ratio, paired.interval) {
        (Some(ratio), Some(i)) => {
            let ratios = [ratio, i.low, i.high].map(|x| format!("{x:.4}"));
            let [shown, low, high] = &ratios;
            match paired.decision {
                "differs" => {
                    let by = |x: f64| percent((x - 1.0).abs());
                    let (near, far) = if ratio > 1.0 { (i.low, i.high) } else { (i.high, i.low) };
                    let words = if ratio > 1.0 {
                        say::paired_differs_faster
                    } else {
                        say::paired_differs_slower
                    };
                    words(lang, by(ratio), by(far), by(near))
                }
                "same" => say::paired_same(lang, high, least, low, shown),
                _ => say::paired_open(lang, high, least, low, needs, shown),
            }
        }
        _ => say::paired_few(lang, needs, paired.pairs),
    }];
    if let Some((ratio, i)) = paired.cpu_ratio.zip(paired.cpu_interval) {
        let [ratio, low, high] = [ratio, i.low, i.high].map(|x| format!("{x:.4}"));
        all.push(say::paired_cpu_ratio(lang, high, low, ratio));
    }
    let took = seconds(paired.took_s);
    all.push(match &paired.places {
        Some([a, b]) => say::paired_together(lang, a, b, paired.pairs, took),
        None => say::paired_turn(lang, paired.pairs, took),
    });
    all.extend(paired.interrupted.then(|| say::paired_interrupted(lang).to_owned()));
    all
}

/// A column for each side, a row for each quantity that was measured.
fn table(paired: &Paired, lang: Lang) -> Table {
    let mut table = Table::new(&["", "#A", "#B"]);
    let [a, b] = &paired.commands;
    table.row([
        say::paired_runs(lang).to_owned(),
        a.elapsed_s.len().to_string(),
        b.elapsed_s.len().to_string(),
    ]);
    type Of = fn(&Command) -> Option<Middle>;
    let rows: [(&str, Unit, Of); 7] = [
        (say::paired_elapsed(lang), Unit::Seconds, |c| c.elapsed),
        (say::paired_rate(lang), Unit::PerSecond, |c| c.rate),
        (say::paired_cpu(lang), Unit::Seconds, |c| c.cpu_s),
        (say::paired_resident(lang), Unit::Bytes, |c| c.resident_bytes),
        (say::paired_preempted(lang), Unit::Count, |c| c.preempted),
        (say::paired_ipc(lang), Unit::PerCycle, |c| c.ipc),
        (say::paired_instructions(lang), Unit::Count, |c| c.instructions),
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
    let half = middle.interval.map(|i| 0.5 * (i.high - i.low));
    let median = resolved(middle.median, unit, half);
    match middle.interval.filter(|i| i.low < i.high) {
        Some(i) => format!("{median} ({})", interval(middle.median, unit, &i)),
        None => median,
    }
}
