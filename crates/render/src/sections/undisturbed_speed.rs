//! What the system takes from a pure CPU program, in the form of the source's tables: one for each system, mode and
//! state of interrupts, the places side by side, and below each what it takes over undisturbed speed.
use crate::page::{Block, Table};
use crate::{origin, quantity, section};
use analyse::{Report, Speed, UndisturbedSpeed};
use record::Unit;

/// Each experiment with all that stands behind it.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &["undisturbed_speed"]);
    if all.is_empty() {
        return vec![];
    }
    let mut blocks = vec![];
    for speed in &report.undisturbed_speeds {
        blocks.extend(experiment(report, speed));
    }
    blocks.push(Block::details(
        "Every series, with spread and placement",
        vec![Block::Table(origin::table(report, "series", &all))],
    ));
    blocks.push(origin::method(report, &all));
    blocks
}

fn experiment(report: &Report<'_>, speed: &UndisturbedSpeed) -> Vec<Block> {
    let mut said = vec![match &speed.line {
        Ok(line) => format!(
            "Undisturbed speed, which the others are compared with, is the {}'s pass with interrupts off, {}.",
            line.mode,
            place(&line.place)
        ),
        Err(why) => quantity::capital(&format!("{why}.")),
    }];
    if let Some(code) = &speed.code {
        said.push(format!(
            "All passes ran the same machine code ({code}) and found 78,497 primes."
        ));
    }
    if speed.accelerator.as_deref() == Some("tcg") {
        said.push(
            "The guest was emulated (TCG): its times are no speed, and are compared with nothing."
                .into(),
        );
    }
    if let Some(off) = speed.ways.iter().filter_map(|w| w.off).reduce(f64::max) {
        let off = quantity::plain(off, Unit::Seconds);
        said.push(format!("Interrupts were off for {off} at the longest."));
    }
    said.extend(speed.says());
    let mut blocks = vec![Block::Paragraph(said.join(" "))];
    let mut done: Vec<[&str; 3]> = vec![];
    for way in speed.ways.iter().map(|s| &s.way) {
        let which = [way.system.as_str(), way.mode.as_str(), way.interrupts.as_str()];
        if !done.contains(&which) {
            done.push(which);
            let [system, mode, interrupts] = which;
            let title = format!("{system}, {mode} mode, interrupts {interrupts}");
            blocks.push(Block::Heading(quantity::capital(&title)));
            blocks.push(Block::Table(table(speed, which)));
        }
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
    let mut said: Vec<(String, Vec<String>)> = vec![];
    for (name, why) in &run.unread {
        let Some(what) = name.strip_prefix("undisturbed_speed.") else { continue };
        let (what, why) = (what.replace('.', " "), why.to_string());
        match said.iter_mut().find(|(known, _)| *known == why) {
            Some((_, all)) => all.push(what),
            None => said.push((why, vec![what])),
        }
    }
    let lines = said.into_iter().map(|(why, what)| format!("{}: {why}", what.join(", ")));
    let lines: Vec<String> = lines.collect();
    (!lines.is_empty()).then_some(Block::List(lines))
}

fn table(speed: &UndisturbedSpeed, which: [&str; 3]) -> Table {
    let here = |s: &&Speed| {
        [s.way.system.as_str(), s.way.mode.as_str(), s.way.interrupts.as_str()] == which
    };
    let mut ways: Vec<&Speed> = speed.ways.iter().filter(here).collect();
    ways.sort_by_key(|s| {
        ["unbound", "bound", "fifo", "isolated"].iter().position(|p| *p == s.way.place)
    });
    let heads: Vec<String> = ways.iter().map(|s| format!("#{}", place(&s.way.place))).collect();
    let mut columns = vec![""];
    columns.extend(heads.iter().map(String::as_str));
    let mut table = Table::new(&columns);
    let half = |s: &Speed| s.interval.map(|i| (i.high - i.low) / 2.0);
    let mut row = |name: &str, of: &dyn Fn(&Speed) -> String| {
        let cells = ways.iter().map(|s| of(s));
        table.rows.push(std::iter::once(name.to_owned()).chain(cells).collect());
    };
    row("median", &|s| quantity::resolved(s.median, Unit::Seconds, half(s)));
    row("95 %", &|s| {
        s.interval.map_or(String::new(), |i| quantity::interval(s.median, Unit::Seconds, &i))
    });
    row("mean", &|s| quantity::resolved(s.mean, Unit::Seconds, half(s)));
    row("over undisturbed speed", &|s| match s.slowdown {
        Some((slower, _)) => more(slower),
        None if speed.line.as_ref() == Ok(&s.way) => "undisturbed speed".into(),
        None => String::new(),
    });
    row("95 %", &|s| {
        let ends = s.slowdown.and_then(|(_, interval)| interval);
        ends.map_or(String::new(), |i| format!("{} to {}", more(i.low), more(i.high)))
    });
    row("preempted", &|s| s.preemptions.map_or(String::new(), quantity::many));
    row("rounds", &|s| s.passes.len().to_string());
    // A row without content says nothing.
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
