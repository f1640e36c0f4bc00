//! `perf stat`: text, `-x,` and `-j`. Of intervals (`-I`) and of parts of the machine (`-A`, `--per-socket`) the sums are kept,
//! as they are printed without these options: the intervals themselves are not. Every count carries the share of the time for
//! which it was counted and its scope: `process` (a command or a pid), `system` (`-a`, system wide), `cpu` (`-C`), or unknown, as
//! in `-x` and `-j`.
//!
//! Of repeats (`-r`) each counter and the elapsed time has its printed spread as a reading `<name>.spread`: the standard error
//! of the mean over the mean.
//!
//! Limits: instructions per cycle of `system` are the machine's, with all that ran on it, and never a program's.
//! Source: linux, tools/perf/util/stat-display.c and stat-shadow.c.
use crate::{prelude::*, session::kept};
use intervals::{Parts, Sums};
use std::collections::BTreeMap;

mod intervals;

pub(crate) static IMPORTER: Importer = Importer::new("perf stat", recognises, read);

const HEAD: &str = "Performance counter stats for ";
/// More cycles a second than any one CPU has: counted on several.
const ONE_CPU: f64 = 6.5e9;
/// No process starts and ends in so few seconds.
const SHORTEST: f64 = 50e-6;

fn recognises(text: &Text) -> bool {
    let machine = |l: Line<'_>| separated(l.text).is_some() || json(l.text).is_some();
    text.any(|l| l.trim_start().starts_with(HEAD) || intervals::is_head(l))
        || text.lines().filter(|l| machine(*l)).count() > 1
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut command_line: Option<CommandLine> = None;
    let mut run: Option<Counted> = None;
    let mut parts: Option<Parts> = None;
    let decimals: Vec<(u32, char)> = text.lines().filter_map(decimal).collect();
    for line in text.lines() {
        let row = line.text.trim();
        if let Some(command) = command(line.text, &["perf"]) {
            command_line = Some(CommandLine::of(command));
        } else if let Some(of) = row.strip_prefix(HEAD) {
            run.take().into_iter().for_each(|r: Counted| r.end(found));
            // `--summary` prints the sums of the intervals before it.
            let other = parts.take().filter(|_| command_line.is_some());
            other.into_iter().for_each(|parts| parts.end(found));
            let mut begun = Counted::begin(line.number, of, command_line.take(), found);
            let next = decimals.partition_point(|(n, _)| *n <= line.number);
            begun.decimal = decimals.get(next).map(|(_, mark)| *mark);
            run = Some(begun);
        } else if intervals::is_head(row) {
            run.take().into_iter().for_each(|r| r.end(found));
            // It comes again after some intervals.
            if command_line.is_some() {
                parts.take().into_iter().for_each(|parts| parts.end(found));
            }
            parts.get_or_insert_with(|| Parts::begin(line.number, command_line.take()));
        } else if let Some(event) = separated(line.text)
            .or_else(|| json(line.text))
            .or_else(|| parts.as_ref().and_then(|_| intervals::row(row)))
        {
            let Some(at) = event.part else {
                parts.take_if(|_| is_summary(row));
                let begin = || Counted::begin(line.number, "", command_line.take(), found);
                run.get_or_insert_with(begin).event(line.number, event, found);
                continue;
            };
            run.take().into_iter().for_each(|r| r.end(found));
            let ended = parts.take_if(|parts| parts.ended_before(at));
            ended.into_iter().for_each(|parts| parts.end(found));
            parts
                .get_or_insert_with(|| Parts::begin(line.number, command_line.take()))
                .add(at, event);
        } else if let Some(run) = &mut run {
            run.text(line, found)?;
        }
    }
    parts.into_iter().for_each(|parts| parts.end(found));
    run.into_iter().for_each(|run| run.end(found));
    Problem::when(found.runs.is_empty(), "there is no count in it")
}

/// One count.
struct Event {
    name: String,
    value: Option<f64>,
    unit: String,
    share: f64,
    /// Of repeats, a share of the value.
    spread: Option<f64>,
    /// CPUs in use on average, beside the CPU time.
    used: Option<f64>,
    /// Of a part of the run: the seconds at the end of its interval, if it is one.
    part: Option<Option<f64>>,
}

/// A line of `-x` behind the intervals, whose sum it is.
fn is_summary(line: &str) -> bool {
    line.strip_prefix("summary").is_some_and(|rest| rest.starts_with([',', ';', '\t']))
}

const UTILIZED: &str = "CPUs utilized";

/// `( +-  0.50% )`, as a share.
fn spread(row: &str) -> Option<f64> {
    let (_, rest) = row.split_once("( +-")?;
    Some(number(rest.split_once('%')?.0.trim())? / 100.0)
}

/// A line of `-x,` (or `;`, or a tab): value, unit, event, time counted, share of the time. `-A` puts a CPU before it,
/// `-I` a time.
fn separated(line: &str) -> Option<Event> {
    let by = [',', ';', '\t'].into_iter().find(|c| line.matches(*c).count() >= 4)?;
    let cells: Vec<&str> = line.split(by).map(str::trim).collect();
    let value = |c: &str| c.starts_with("<not ") || (number(c).is_some() && !c.contains(' '));
    let fits = |at: usize| {
        let [v, unit, name, rest @ ..] = cells.get(at..)? else { return None };
        // Of repeats their spread stands before the time.
        let spread = rest.first().and_then(|cell| number(cell.strip_suffix('%')?));
        let [time, share, derived @ ..] = rest.get(usize::from(spread.is_some())..)? else {
            return None;
        };
        let used = derived.split_last().filter(|(words, _)| **words == UTILIZED);
        let percent = number(share).filter(|p| (0.0..=100.0).contains(p))?;
        let word = name.starts_with(|c: char| c.is_ascii_alphabetic()) && !name.contains(' ');
        let timed = time.bytes().all(|b| b.is_ascii_digit()) && !time.is_empty();
        (value(v) && word && timed && unit.len() < 12).then(|| Event {
            name: tidy(name),
            value: number(v),
            unit: (*unit).to_owned(),
            share: percent / 100.0,
            spread: spread.map(|percent| percent / 100.0),
            used: used.and_then(|(_, before)| number(before.last()?)),
            part: (at > 0 && !is_summary(line)).then(|| intervals::time(cells[0], '.')),
        })
    };
    // After `-A` the CPU, after `-I` the time; after `--per-socket` the socket and how many CPUs it sums up.
    (0..3).find_map(fits).filter(|_| cells.len() <= 12)
}

/// Clocks, which perf before 4.19 prints in milliseconds without a unit or as `task-clock (msec)`.
fn is_clock(event: &str) -> bool {
    let name = event.split(':').next().unwrap_or(event);
    matches!(name, "task-clock" | "cpu-clock")
}

/// A line of `-j`.
fn json(line: &str) -> Option<Event> {
    let line = line.trim();
    if !line.starts_with('{') || !line.contains("\"counter-value\"") {
        return None;
    }
    let object: serde_json::Value = serde_json::from_str(line).ok()?;
    let text = |key: &str| object.get(key)?.as_str();
    // Some versions print numbers as texts.
    let figure = |key: &str| {
        let value = object.get(key)?;
        value.as_f64().or_else(|| number(value.as_str()?))
    };
    let interval = figure("interval");
    // `-A` and `--per-socket` name the part.
    let is_part = ["cpu", "core", "socket", "die", "node"].iter().any(|key| text(key).is_some());
    let share = figure("pcnt-running").unwrap_or(100.0);
    let utilized = text("metric-unit").is_some_and(|unit| unit == UTILIZED);
    Some(Event {
        name: tidy(text("event")?),
        value: text("counter-value").and_then(number),
        unit: text("unit").unwrap_or_default().to_owned(),
        share: share / 100.0,
        spread: figure("variance").map(|percent| percent / 100.0),
        used: figure("metric-value").filter(|_| utilized),
        part: (interval.is_some() || is_part).then_some(interval),
    })
}

/// The digits that a row begins with, with all that a locale puts between them, and what follows.
fn printed_number(row: &str) -> (&str, &str) {
    let inside = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,'\u{2019}".contains(c);
    let end = row.find(|c| !inside(c)).unwrap_or(row.len());
    (row[..end].trim(), &row[end..])
}

/// Whether these are the digits between two marks of thousands.
fn is_group(digits: &str) -> bool {
    digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `18 982 406 383`, `535.027.663.415`, `57,795,675,025`, `1.234,56` by the mark before decimals, if it is known.
fn read_number(printed: &str, decimal: Option<char>) -> Option<f64> {
    let groups: Vec<&str> = printed.split_whitespace().collect();
    if let [first, middle @ .., last] = &groups[..] {
        let whole = last.split(['.', ',']).next().unwrap_or(last);
        let begins = (1..4).contains(&first.len()) && first.bytes().all(|b| b.is_ascii_digit());
        if !(begins && middle.iter().all(|g| is_group(g)) && is_group(whole)) {
            return None;
        }
    }
    let joined = groups.concat().replace(['\'', '\u{2019}'], "");
    let dots = joined.matches('.').count();
    if decimal == Some(',') || dots > 1 {
        let (whole, rest) = joined.split_once(',').unwrap_or((&joined, ""));
        let mut parts = whole.split('.');
        let first = parts.next()?;
        if !parts.all(is_group) {
            return None;
        }
        return number(&format!("{first}{}.{rest}0", whole[first.len()..].replace('.', "")));
    }
    number(&joined)
}

/// The decimal sign of a time, of which perf prints nine decimals.
fn decimal(line: Line<'_>) -> Option<(u32, char)> {
    let row = line.text.trim();
    row.contains("seconds time elapsed").then_some(())?;
    let printed = printed_number(row).0;
    let at = printed.rfind(['.', ','])?;
    let mark = if printed[at..].starts_with(',') { ',' } else { '.' };
    (printed.len() - at > 4).then_some((line.number, mark))
}

/// The event of a row of text, and what is remarked on how its number is read.
fn event_of(row: &str, decimal: Option<char>, remark: &mut dyn FnMut(String)) -> Option<Event> {
    let (counted, notes) = row.split_once('#').map_or((row, ""), |(c, d)| (c.trim(), d.trim()));
    let bare = counted.split_once(" (").map_or(counted, |(c, _)| c).trim();
    let (printed, after) = printed_number(bare);
    let share =
        row.rsplit_once('(').and_then(|(_, s)| number(s.strip_suffix("%)")?)).map(|p| p / 100.0);
    let words: Vec<&str> = bare.split_whitespace().collect();
    let lost = bare.starts_with("<not ");
    let behind: Vec<&str> = after.split_whitespace().collect();
    let event = match (&words[..], &behind[..]) {
        (&[_, _, name], _) if lost => Some((None, "", name)),
        (_, &[name]) if is_clock(name) => {
            read_number(printed, decimal).map(|v| (Some(v), "msec", name))
        }
        (_, &[name]) => {
            // A count has no decimals.
            let parts = printed.split_once('.').filter(|_| decimal.is_none());
            let thousands = parts.filter(|(b, after)| !b.starts_with('0') && is_group(after));
            let count = thousands.map(|(before, after)| number(&format!("{before}{after}")));
            if let (Some((before, after)), Some(Some(_))) = (thousands, count) {
                remark(format!(
                    "{before}.{after} is read as {before}{after}: a count has no decimals, so the point stands between thousands"
                ));
            }
            let value = count.unwrap_or_else(|| read_number(printed, decimal));
            value.map(|v| (Some(v), "", name))
        }
        (_, &[unit, name]) if ["msec", "Joules", "MiB", "ns", "C"].contains(&unit) => {
            read_number(printed, decimal).map(|v| (Some(v), unit, name))
        }
        _ => None,
    };
    let (value, unit, name) = event?;
    let used = notes.split_once(UTILIZED).filter(|_| unit == "msec");
    name.starts_with(|c: char| c.is_ascii_alphabetic()).then(|| Event {
        name: tidy(name),
        value,
        unit: unit.into(),
        share: share.unwrap_or(1.0),
        spread: spread(row),
        used: used.and_then(|(used, _)| read_number(used.trim(), decimal)),
        part: None,
    })
}

/// The command line before a block.
struct CommandLine {
    /// As it is kept.
    command: String,
    /// All CPUs were command_line for.
    wide: bool,
    /// The program behind `--`: lists of events are longer than what is kept of a command.
    program: Option<String>,
}

impl CommandLine {
    fn of(command: &str) -> CommandLine {
        let wide = |word: &str| word == "-a" || word == "--all-cpus";
        CommandLine {
            command: kept(command),
            wide: command.split_whitespace().take_while(|w| *w != "--").any(wide),
            program: command.split_once(" -- ").map(|(_, program)| kept(program)),
        }
    }
}

/// A block of counts.
struct Counted {
    case: usize,
    line: u32,
    scope: &'static str,
    counts: BTreeMap<String, f64>,
    /// Derived values: the number as printed, the words behind it, the event before it.
    derived: Vec<(u32, String, String, String)>,
    last: String,
    /// Of rows for each CPU, or another part of the machine.
    sums: Sums,
    elapsed: Option<f64>,
    /// The decimal sign of its locale, if the next time shows it.
    decimal: Option<char>,
}

impl Counted {
    fn begin(line: u32, of: &str, command_line: Option<CommandLine>, found: &mut Found) -> Counted {
        let of = of.trim().trim_end_matches(':');
        let (of, repeats) =
            of.split_once(" (").map_or((of, None), |(of, runs)| (of, leading(runs)));
        let inside = of.trim().trim_matches('\'');
        let wide = command_line.as_ref().is_some_and(|a| a.wide);
        let scope = if inside == "system wide" || (of.is_empty() && wide) {
            "system"
        } else if of.starts_with("'CPU(s)")
            || inside.starts_with("CPU(s)")
            || of.starts_with("CPU(s)")
        {
            "cpu"
        } else if of.is_empty() {
            "unknown"
        } else {
            "process"
        };
        let mut params: Vec<(&str, Value)> = vec![("scope", scope.into())];
        let what = match scope {
            "process" | "cpu" if of.starts_with('\'') => kept(inside),
            "process" | "cpu" => kept(of.trim()),
            _ => String::new(),
        };
        let behind = command_line.as_ref().and_then(|a| a.program.clone());
        match (what.is_empty(), behind) {
            (false, _) => params.push(("of", what.into())),
            (true, Some(program)) => params.push(("during", program.into())),
            (true, None) => {}
        }
        params.extend(repeats.map(|(n, _)| ("repeats", n.into())));
        if let Some(command_line) = command_line {
            found.source.command.get_or_insert(command_line.command);
        }
        let case = found.case(line, ProbeId::PerfStat, &params);
        Counted {
            case,
            line,
            scope,
            counts: BTreeMap::new(),
            derived: vec![],
            last: String::new(),
            sums: Sums::default(),
            elapsed: None,
            decimal: None,
        }
    }
    fn event(&mut self, line: u32, event: Event, found: &mut Found) {
        self.last.clone_from(&event.name);
        let Some(value) = event.value else {
            found.warn(line, format!("{} was not counted", event.name));
            return;
        };
        let (unit, factor) = match event.unit.as_str() {
            "" if is_clock(&event.name) => (Unit::Seconds, 1e-3),
            "msec" => (Unit::Seconds, 1e-3),
            "ns" => (Unit::Seconds, 1e-9),
            "sec" | "seconds" => (Unit::Seconds, 1.0),
            "MiB" => (Unit::Bytes, 1_048_576.0),
            _ => (Unit::Count, 1.0),
        };
        found.reading(self.case, &event.name, unit, value * factor, event.share);
        if let Some(spread) = event.spread {
            self.spread(&event.name, spread, found);
        }
        if let Some(used) = event.used {
            self.used(line, used, value * factor, found);
        }
        if event.share <= 0.0 {
            found.warn(line, format!("{} was counted for no part of the time", event.name));
        }
        self.counts.insert(event.name, value * factor);
    }
    fn spread(&self, name: &str, spread: f64, found: &mut Found) {
        found.reading(self.case, &format!("{name}.spread"), Unit::Ratio, spread, 1.0);
    }
    /// CPUs in use; some versions print with `-j` what leaves less time than a process takes to start.
    fn used(&self, line: u32, used: f64, seconds: f64, found: &mut Found) {
        if used > 0.0 && seconds / used < SHORTEST {
            let elapsed = seconds / used * 1e6;
            let what =
                format!("{used} CPUs utilized leave {elapsed:.1} us for all of it: not used");
            found.warn(line, what);
        } else if used > 0.0 {
            let quantity = (Metric::CpusUsed, Unit::Count, Better::Neither);
            found.series(self.case, quantity, &[], &[used]);
        }
    }
    fn text(&mut self, line: Line<'_>, found: &mut Found) -> Result<(), Problem> {
        let n = line.number;
        let row = line.text.trim();
        let of_part = intervals::behind_part(row);
        if let Some(event) = of_part.and_then(|row| event_of(row, self.decimal, &mut |_| ())) {
            self.sums.add(None, event);
            return Ok(());
        }
        let (counted, notes) = row.split_once('#').map_or((row, ""), |(c, d)| (c.trim(), d.trim()));
        // Behind it the spread of repeats and the share of the time.
        let bare = counted.split_once(" (").map_or(counted, |(c, _)| c).trim();
        let (printed, after) = printed_number(bare);
        // Of repeats also how far they differ: `0.866 +- 0.002 seconds time elapsed`.
        let what = after.strip_prefix("+-").map_or(after, |spread| printed_number(spread.trim()).1);
        if let Some(value) = read_number(printed, self.decimal)
            && let Some(metric) = [
                ("seconds time elapsed", Metric::Elapsed),
                ("seconds user", Metric::User),
                ("seconds sys", Metric::System),
            ]
            .iter()
            .find_map(|(words, metric)| what.starts_with(words).then_some(*metric))
        {
            found.series(self.case, seconds(metric), &[], &[value]);
            if let Some(spread) = spread(row) {
                self.spread(metric.as_str(), spread, found);
            }
            self.elapsed = self.elapsed.or((metric == Metric::Elapsed).then_some(value));
            return Ok(());
        }
        let words: Vec<&str> = bare.split_whitespace().collect();
        let lost = bare.starts_with("<not ");
        let event = event_of(row, self.decimal, &mut |what| found.warn(n, what));
        if let Some(event) = event {
            self.event(n, event, found);
        } else if words.len() >= 2
            && !lost
            && words[0].len() > 6
            && words[0].starts_with(|c: char| c.is_ascii_digit())
            && number(words[0]).is_none()
            && !notes.is_empty()
        {
            return Err(Problem::at(n, format!("'{}' is no count", tidy(words[0]))));
        }
        if let Some((_, words)) = leading(notes) {
            let end = notes.len() - words.len();
            let words =
                words.rsplit_once(" (").map_or(words, |(w, _)| w).trim_start_matches('%').trim();
            let kept: Vec<&str> = words.split_whitespace().collect();
            self.derived.push((
                n,
                notes[..end].trim().trim_end_matches('%').to_owned(),
                kept.join(" "),
                self.last.clone(),
            ));
        }
        Ok(())
    }
    fn end(mut self, found: &mut Found) {
        for event in std::mem::take(&mut self.sums).events(self.elapsed) {
            self.event(self.line, event, found);
        }
        self.recompute(found);
        let any = |names: &[&str]| names.iter().find_map(|n| self.counts.get(*n)).copied();
        let cycles = any(&["cpu-cycles", "cycles"]);
        if self.last.is_empty() {
            found.warn(self.line, "no counter of this block could be read");
        }
        if self.elapsed.is_none() && self.scope != "unknown" {
            found.warn(self.line, "the elapsed time is not there: it is cut short");
        }
        let rate = cycles.zip(self.elapsed).filter(|(_, e)| *e > 0.0).map(|(c, e)| c / e);
        match (self.scope, rate) {
            ("system", rate) => {
                let mut what = "counted on all CPUs (system wide): these are the machine's counts with whatever else ran, and their instructions per cycle are no program's".to_owned();
                if let Some(rate) = rate.filter(|r| *r > ONE_CPU) {
                    what += &format!("; {:.1} G cycles each second are more than one CPU has", rate / 1e9);
                }
                found.warn(self.line, what);
            }
            ("unknown", _) => found.warn(self.line, "the output does not say whether a program or all CPUs were counted: its instructions per cycle are nobody's"),
            _ => {}
        }
    }
    /// Recomputes perf's derived values from the counts, within the last printed digit.
    fn recompute(&self, found: &mut Found) {
        const OF: &[(&str, &[&str])] = &[
            ("insn", &["cpu-cycles", "cycles"]),
            ("of all branches", &["branch-instructions", "branches"]),
            ("of all cache refs", &["cache-references"]),
            ("backend", &["cpu-cycles", "cycles"]),
            ("frontend", &["cpu-cycles", "cycles"]),
            ("of all L1-dcache", &["L1-dcache-loads"]),
            ("of all L1-icache", &["L1-icache-loads"]),
            ("of all LL-cache", &["LLC-loads"]),
            ("of all dTLB", &["dTLB-loads"]),
            ("of all iTLB", &["iTLB-loads"]),
        ];
        for (line, printed, words, event) in &self.derived {
            let stalled = words.starts_with("stalled cycles per insn");
            let Some((_, below)) = OF.iter().find(|(w, _)| words.starts_with(w)) else {
                if stalled {
                    self.stalled(*line, printed, found);
                }
                continue;
            };
            let below = below.iter().find_map(|n| self.counts.get(*n)).filter(|x| **x > 0.0);
            let (Some(value), Some(above), Some(below)) =
                (number(printed), self.counts.get(event), below)
            else {
                continue;
            };
            let follows = above / below * if words.starts_with("insn") { 1.0 } else { 100.0 };
            if !agree(value, follows, rounding(printed) * 1.2) {
                found.warn(
                    *line,
                    format!("perf printed {printed} {words}, and the counts give {follows:.4}"),
                );
            }
        }
    }
    fn stalled(&self, line: u32, printed: &str, found: &mut Found) {
        let count = |n: &str| self.counts.get(n).copied().unwrap_or(0.0);
        let most = count("stalled-cycles-backend").max(count("stalled-cycles-frontend"));
        let (Some(value), insn) = (number(printed), count("instructions")) else { return };
        if insn > 0.0 && most > 0.0 && !agree(value, most / insn, rounding(printed) * 1.2) {
            found.warn(
                line,
                format!(
                    "perf printed {printed} stalled cycles per insn, and the counts give {:.4}",
                    most / insn
                ),
            );
        }
    }
}

#[cfg(test)]
mod tests;
