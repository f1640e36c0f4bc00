//! UnixBench's own report as text, for scripts and people that know it: the same lines, columns and rounding. What
//! UnixBench does not say (placements, what pinning gains, what limits a test) follows in lines that begin with #.
use crate::renderer::{Renderer, Settings, Subject};
use crate::renderers::text;
use analyse::copies;
use analyse::unixbench::{PlacementGain, Section, Switched, TestScore, UnixBench, second_of_day};
use record::Record;
use sections::page::printed;
use std::io::{self, Write};

/// UnixBench's report.
pub(crate) static RENDERER: Renderer = write;

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
    let run = if printed { "unknown".to_owned() } else { when(record, section.span) };
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

/// `Fri Nov 20 2026 23:30:11 - 00:24:08`, in UTC, since a record knows no other time.
fn when(record: &Record, (from, to): (f64, f64)) -> String {
    let frequency = |seconds: f64| {
        let at = second_of_day(record, seconds).unwrap_or(0);
        format!("{:02}:{:02}:{:02}", at / 3600, at / 60 % 60, at % 60)
    };
    let date = record.provenance.started.as_deref().and_then(|s| date(s, from));
    format!("{} {} - {}", date.unwrap_or_else(|| "unknown".into()), frequency(from), frequency(to))
}

/// `Fri Nov 20 2026`, so many seconds after a time in RFC 3339.
fn date(started: &str, later: f64) -> Option<String> {
    let (day, time) = started.split_once('T')?;
    let mut parts = day.split('-').map(|p| p.parse::<i64>().ok());
    let (year, month, day) = (parts.next()??, parts.next()??, parts.next()??);
    let whole = |part: &str| part.split('.').next()?.parse::<i64>().ok();
    let mut frequency = time.trim_end_matches('Z').split(':').map(whole);
    let seconds = frequency.next()?? * 3600 + frequency.next()?? * 60 + frequency.next()??;
    // Days since 1 March of year 0, in years that begin in March, so that leap days come last.
    let (y, m) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let number =
        365 * y + y.div_euclid(4) - y.div_euclid(100) + y.div_euclid(400) + (153 * m + 2) / 5 + day
            - 1
            + (seconds + later.clamp(0.0, 1e8) as i64) / 86_400;
    // And back (H. Hinnant, days_from_civil).
    let era = number.div_euclid(146_097);
    let of_era = number.rem_euclid(146_097);
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let m = (5 * of_year + 2) / 153;
    let day = of_year - (153 * m + 2) / 5 + 1;
    let year = year_of_era + era * 400 + i64::from(m >= 10);
    const MONTHS: [&str; 12] =
        ["Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec", "Jan", "Feb"];
    // 1 March of year 0 was a Wednesday.
    const DAYS: [&str; 7] = ["Wed", "Thu", "Fri", "Sat", "Sun", "Mon", "Tue"];
    let weekday = DAYS.get(number.rem_euclid(7) as usize)?;
    Some(format!("{weekday} {} {day:02} {year}", MONTHS.get(m as usize)?))
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
            assert_eq!(date(started, later).as_deref(), Some(shown));
        }
        assert_eq!(date("yesterday", 0.0), None);
    }
}
