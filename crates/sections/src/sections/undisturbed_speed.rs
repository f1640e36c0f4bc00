//! What the system costs a CPU-bound program, as the source's tables show it: one table for each system, mode and state of
//! interrupts, with the places side by side and the slowdown against the undisturbed speed below.
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Report, Speed, UndisturbedSpeed, by_key};
use record::{ProbeId, Sort, Unit};

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
    blocks.extend(origin::every(report, "Every series, with spread and placement", "series", &all));
    blocks
}

fn experiment(report: &Report<'_>, speed: &UndisturbedSpeed) -> Vec<Block> {
    let mut sentences = vec![match &speed.baseline {
        Ok(line) => format!(
            "The baseline (undisturbed speed) is the {}'s pass with interrupts off, {}.",
            line.mode,
            place(&line.place)
        ),
        Err(why) => quantity::capital(&format!("{why}.")),
    }];
    if let Some(code) = &speed.code {
        sentences.push(format!(
            "All passes ran the same machine code ({code}) and found 78,497 primes."
        ));
    }
    if speed.accelerator.as_deref() == Some("tcg") {
        sentences.push(
            "The guest was emulated (TCG): its times do not describe a CPU, and are not compared."
                .into(),
        );
    }
    if let Some(off) = speed.modes.iter().filter_map(|s| s.off).reduce(f64::max) {
        let off = quantity::plain(off, Unit::Seconds);
        sentences.push(format!("Interrupts were off for {off} at the longest."));
    }
    sentences.extend(speed.summary());
    let mut blocks = vec![Block::text(sentences.join(" "))];
    let which = |s: &&Speed| {
        let of = &s.mode;
        format!("{}, {} mode, interrupts {}", of.system, of.mode, of.interrupts)
    };
    for (title, modes) in by_key(&speed.modes, which) {
        blocks.push(Block::Heading(quantity::capital(&title)));
        blocks.push(Block::Table(table(speed, modes)));
    }
    if let Some(missing) = missing(report, speed) {
        blocks.push(Block::Heading("Not run".into()));
        blocks.push(missing);
    }
    blocks
}

/// What could not be run, and why: the same reason once.
fn missing(report: &Report<'_>, speed: &UndisturbedSpeed) -> Option<Block> {
    let run = report.record.runs.get(speed.run)?;
    let what = |name: &str| Some(name.strip_prefix("undisturbed_speed.")?.replace('.', " "));
    let missing = run.unread.iter().filter_map(|(name, why)| Some((what(name)?, why.to_string())));
    let lines = by_key(missing, |(_, why)| why.clone()).into_iter().map(|(why, all)| {
        let names: Vec<String> = all.into_iter().map(|(what, _)| what).collect();
        format!("{}: {why}", names.join(", "))
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
        table.rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
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
