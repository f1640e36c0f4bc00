//! What the system costs a CPU-bound program, as the source's tables show it: one table for each system, mode and state of
//! interrupts, with the places side by side and the slowdown against the undisturbed speed below.
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Report, Speed, UndisturbedSpeed, by_key};
use record::{Between, ProbeId, Sort, Text, Unit};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("Undisturbed speed", 160, &[ProbeId::UndisturbedSpeed], blocks);

/// Each experiment with all that stands behind it.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, SECTION.probes);
    if all.is_empty() {
        return vec![];
    }
    let mut blocks = vec![];
    for speed in report.get::<Vec<UndisturbedSpeed>>() {
        blocks.extend(experiment(report, speed));
    }
    blocks.extend(origin::every(report, say::CORE_EVERY_SERIES_SPREAD_PLACEMENT, "series", &all));
    blocks
}

fn experiment(report: &Report<'_>, speed: &UndisturbedSpeed) -> Vec<Block> {
    let mut sentences: Vec<Text> = vec![match &speed.baseline {
        Ok(line) => say::the_baseline_undisturbed_speed_is_the_s(&line.mode, place(&line.place)),
        Err(why) => say::sentence(why).capital(),
    }];
    if let Some(code) = &speed.code {
        let code = say::all_passes_ran_the_same_machine_code(code);
        sentences.push(code);
    }
    if speed.accelerator.as_deref() == Some("tcg") {
        sentences.push(say::THE_GUEST_WAS_EMULATED_TCG_ITS_TIMES.into());
    }
    if let Some(off) = speed.modes.iter().filter_map(|s| s.off).reduce(f64::max) {
        let off = quantity::plain(off, Unit::Seconds);
        sentences.push(say::interrupts_were_off_for_at_the_longest(&off));
    }
    sentences.extend(speed.summary());
    let mut blocks = vec![Block::text(Text::list(sentences, Between::Sentences))];
    let which = |s: &&Speed| {
        let of = &s.mode;
        format!("{}, {} mode, interrupts {}", of.system, of.mode, of.interrupts)
    };
    for (title, modes) in by_key(&speed.modes, which) {
        blocks.push(Block::heading(quantity::capital(&title)));
        blocks.push(Block::Table(table(speed, modes)));
    }
    if let Some(missing) = missing(report, speed) {
        blocks.push(Block::heading("Not run"));
        blocks.push(missing);
    }
    blocks
}

/// What could not be run, and why: the same reason once.
fn missing(report: &Report<'_>, speed: &UndisturbedSpeed) -> Option<Block> {
    let run = report.record.runs.get(speed.run)?;
    let what = |name: &str| Some(name.strip_prefix("undisturbed_speed.")?.replace('.', " "));
    let missing = run.unread.iter().filter_map(|(name, why)| Some((what(name)?, Text::from(why))));
    let lines = by_key(missing, |(_, why)| why.clone()).into_iter().map(|(why, all)| {
        let names = Text::list(all.into_iter().map(|(what, _)| what), Between::Comma);
        Text::list([names, why], Between::Colon)
    });
    Block::list(lines.collect())
}

fn table(speed: &UndisturbedSpeed, mut modes: Vec<&Speed>) -> Table {
    modes.order_by_key(|s| {
        ["unbound", "bound", "fifo", "isolated"].iter().position(|p| *p == s.mode.place)
    });
    let heads = modes.iter().map(|s| format!("#{}", place(&s.mode.place)));
    let mut table = Table::new(std::iter::once(String::new()).chain(heads));
    let mut row = |name: &str, of: &dyn Fn(&Speed) -> String| {
        let cells = modes.iter().map(|s| of(s));
        table.add(std::iter::once(name.to_owned()).chain(cells));
    };
    row("median", &|s| quantity::plain(s.median, Unit::Seconds));
    row("95 %", &|s| {
        s.interval.map_or(String::new(), |i| quantity::interval(s.median, Unit::Seconds, &i))
    });
    row("mean", &|s| quantity::plain(s.mean, Unit::Seconds));
    row("over undisturbed speed", &|s| match s.slowdown {
        Some((slower, _)) => more(slower),
        None if speed.baseline.as_ref() == Ok(&s.mode) => "undisturbed speed".into(),
        None => String::new(),
    });
    row("95 %", &|s| {
        let ends = s.slowdown.and_then(|(_, interval)| interval);
        ends.map_or(String::new(), |i| format!("{} to {}", more(i.low), more(i.high)))
    });
    row("preempted", &|s| s.preemptions.map_or(String::new(), quantity::many));
    row("rounds", &|s| s.passes.len().to_string());
    // Rows without content are left out.
    table.rows.retain(|row| row[1..].iter().any(|cell| !cell.is_empty()));
    table
}

/// A share more or less, with its sign, in points with two digits: the effects that are looked for are tenths of a percent.
fn more(share: f64) -> String {
    format!("{:+.2} %", share * 100.0)
}

fn place(word: &str) -> &str {
    match word {
        "unbound" => "not bound",
        "fifo" => "bound, FIFO",
        other => other,
    }
}
