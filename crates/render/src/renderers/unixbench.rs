//! UnixBench's own report as text, for scripts and people that know it: the same lines, columns and rounding. What
//! UnixBench does not say (placements, what pinning gains, what limits a test) follows in lines that begin with #.
use crate::renderer::{Needs, Renderer, Settings, Subject};
use crate::renderers::text;
use analyse::copies;
use analyse::unixbench::{PlacementGain, Section, Switched, TestScore, UnixBench};
use record::{Record, printed, rfc3339, seconds_since_1970};
use std::io::{self, Write};

/// UnixBench's report.
pub(crate) static RENDERER: Renderer = Renderer { write, needs: NEEDS };

/// A record of other tests would be a head without a result.
pub(crate) const NEEDS: Option<Needs> = Some(Needs {
    what: "results of UnixBench; measure them: cpulens unixbench",
    has: |report| copies::own_or_printed(report).is_some(),
    measures: |probe| record::unixbench::of_probe(*probe).is_some(),
});

/// Width of a test's name, and of the line that ends a table.
const NAME: usize = 40;
const NAMES: &str = "System Benchmarks";

pub(crate) fn write(of: Subject<'_>, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
    let Subject::Report(report) = of else { return text::write(of, settings, out) };
    let mut text = String::new();
    head(report.record, &mut text);
    match copies::own_or_printed(report) {
        None => text += &format!("No index results available for {NAMES}\n"),
        Some(bench) => {
            for section in &bench.sections {
                section_of(report.record, section, &mut text);
            }
            notes(&bench, &mut text);
        }
    }
    // Names come from anywhere; line ends are ours.
    for line in text.lines() {
        writeln!(out, "{}", printed(line))?;
    }
    Ok(())
}

fn head(record: &Record, text: &mut String) {
    let machine = &record.machine;
    let fact = |name: &str| machine.text(name).unwrap_or("unknown").to_owned();
    let system = machine.text("os.name").unwrap_or("GNU/Linux");
    let made = &record.provenance;
    *text += &format!(
        "   BYTE UNIX Benchmarks (Version 6.0.0, {} {})\n\n   System: {}: {system}\n",
        made.tool,
        made.version,
        made.name.as_deref().unwrap_or("unnamed"),
    );
    *text += &format!(
        "   OS: GNU/Linux -- {} -- {}\n   Machine: {} (unknown)\n   Language: en_US.utf8 (charmap=, collate=)\n",
        fact("kernel.release"),
        fact("kernel.version"),
        fact("kernel.arch")
    );
    let bogomips = machine.value("cpu.bogomips").and_then(record::Value::number);
    let bogomips = bogomips.map_or("unknown".into(), |b| format!("{b:.1}"));
    let model = fact("cpu.model");
    for cpu in machine.topology.cpus.iter().filter(|c| c.online) {
        *text += &format!("   CPU {}: {model} ({bogomips} bogomips)\n", cpu.id);
    }
    if !machine.topology.cpus.iter().any(|c| c.online) {
        *text += "   CPU: no details available\n";
    }
    *text += "   uptime not recorded; runlevel \n\n";
}

/// `value` of one thing, or of so many of them; 0 where it is not stated.
fn counted(count: u64, one: &str, many: &str) -> String {
    match count {
        0 => format!("an unknown number of {many}"),
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

fn section_of(record: &Record, section: &Section, text: &mut String) {
    let online = record.machine.topology.cpus.iter().filter(|c| c.online).count() as u64;
    let usual = ("upstream-6", "none", "serial");
    // What others printed has no passes of ours, and not the times of its runs.
    let printed = section.tests.iter().all(|t| t.passes.is_empty());
    if printed {
        *text += &format!("# as printed by {}\n", section.variant);
    } else if (&*section.variant, &*section.placement, &*section.start) != usual {
        *text += &format!(
            "# in the way of {}, placement {}, {} start\n",
            section.variant, section.placement, section.start
        );
    }
    let started = record.provenance.started.as_deref().filter(|_| !printed);
    let run = when(started, section.span).unwrap_or_else(|| "unknown".into());
    *text += &format!("{}\nBenchmark Run: {}\n", "-".repeat(72), run);
    *text += &format!(
        "{} in system; running {} of tests\n\n",
        counted(online, "CPU", "CPUs"),
        counted(section.copies, "parallel copy", "parallel copies"),
    );
    for t in &section.tests {
        let passes = |t: &TestScore| match printed {
            true => String::new(),
            false => format!(" ({:.1} s, {} samples)", t.seconds, t.kept),
        };
        let (of, passes) = (t.test, passes(t));
        *text += &format!("{:<NAME$} {:>12.1} {:<5}{passes}\n", of.name, t.score, of.label);
    }
    *text += "\n";
    let Some(total) = section.total else {
        *text += &format!("No index results available for {NAMES}\n\n");
        return;
    };
    let kind = if section.partial() { "Partial Index" } else { "Index Values" };
    let title = format!("{NAMES} {kind}");
    *text += &format!("{title:<NAME$} {:>12} {:>12} {:>8}\n", "BASELINE", "RESULT", "INDEX");
    for t in &section.tests {
        *text += &format!(
            "{:<NAME$} {:>12.1} {:>12.1} {:>8.1}\n",
            t.test.name, t.test.baseline, t.score, t.index
        );
    }
    *text += &format!("{:<NAME$} {:>12} {:>12} {:>8}\n", "", "", "", "========");
    let only = if section.partial() { " (Partial Only)" } else { "" };
    let score = format!("{NAMES} Index Score{only}");
    *text += &format!("{score:<66} {total:>8.1}\n\n");
}

/// `Fri Nov 20 2026 23:30:11 - 00:24:08`, so many seconds after a start; in UTC, since a record knows no other time.
fn when(started: Option<&str>, (from, to): (f64, f64)) -> Option<String> {
    const MONTHS: [&str; 12] =
        ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    // 1 January 1970 was a Thursday.
    const DAYS: [&str; 7] = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"];
    let started = u64::try_from(seconds_since_1970(started?)?).ok()?;
    let [from, to] = [from, to].map(|later| started + later.clamp(0.0, 1e8) as u64);
    let [began, ended] = [from, to].map(rfc3339);
    let [date, time] = [began.get(..10)?, began.get(11..19)?];
    let [year, month, day] = date.split('-').collect::<Vec<_>>()[..] else { return None };
    let weekday = DAYS.get((from / 86_400 % 7) as usize)?;
    let month = MONTHS.get(month.parse::<usize>().ok()?.checked_sub(1)?)?;
    Some(format!("{weekday} {month} {day} {year} {time} - {}", ended.get(11..19)?))
}

fn notes(bench: &UnixBench, text: &mut String) {
    if !bench.gains.is_empty() {
        *text += &format!(
            "# {:<NAME$} {:>6} {:>8}  apart {:>8}  scores of each repeat\n",
            "What placement gains", "copies", "gain", "nearest"
        );
    }
    for gain in &bench.gains {
        *text += &gain_line(gain);
    }
    for switched in &bench.switches {
        *text += &switch_line(switched);
    }
    for scaled in &bench.scalings {
        *text += &format!(
            "# {:<NAME$} {} copies: {:.2} times one copy: {}\n",
            scaled.test.name,
            scaled.copies,
            scaled.times,
            scaled.verdict.words()
        );
    }
    for sentence in &bench.says {
        *text += &format!("# {sentence}\n");
    }
}

fn gain_line(gain: &PlacementGain) -> String {
    let list = |all: &[f64]| all.iter().map(|x| format!("{x:.1}")).collect::<Vec<_>>().join(" ");
    let apart = match gain.apart {
        Some(true) => "yes",
        Some(false) => "no",
        None => "once",
    };
    let nearest = gain.separation.map_or("n/a".into(), |times| format!("{times:.3}x"));
    format!(
        "# {:<NAME$} {:>6} {:>+7.1}%  {apart:<5} {nearest:>8}  {}: {}; {}: {}\n",
        gain.test.name,
        gain.copies,
        (gain.ratio - 1.0) * 100.0,
        gain.placement.0,
        list(&gain.placement.1),
        gain.against.0,
        list(&gain.against.1)
    )
}

fn switch_line(of: &Switched) -> String {
    let cpus = of.cpus.as_ref().map_or(String::new(), |(a, b)| format!(" (CPUs {a} and {b})"));
    let ratio = of.ratio.map_or(String::new(), |r| format!(", {r:.2} times"));
    format!("# Pipe-based Context Switching {}{cpus}: {:.1} lps{ratio}\n", of.place, of.score)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_their_weekday() {
        for (started, later, shown) in [
            ("2026-11-20T23:30:11Z", 0.0, "Fri Nov 20 2026"),
            ("2026-11-20T23:30:11Z", 3000.0, "Sat Nov 21 2026"),
            ("2024-02-29T00:00:00Z", 0.0, "Thu Feb 29 2024"),
            ("2024-02-29T23:59:59Z", 86_400.0, "Fri Mar 01 2024"),
            ("2000-01-01T00:00:00Z", 0.0, "Sat Jan 01 2000"),
            ("2026-11-20T23:59:30Z", 45.0, "Sat Nov 21 2026"),
            ("2026-11-20T23:59:30.5Z", 15.0, "Fri Nov 20 2026"),
        ] {
            let run = when(Some(started), (later, later + 45.0)).unwrap();
            assert!(run.starts_with(shown), "{run}");
        }
        let run = when(Some("2026-11-20T23:59:30Z"), (15.0, 45.0));
        assert_eq!(run.as_deref(), Some("Fri Nov 20 2026 23:59:45 - 00:00:15"));
        assert_eq!(when(Some("yesterday"), (0.0, 1.0)), None);
    }
}
