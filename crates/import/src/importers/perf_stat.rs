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
use crate::prelude::*;
use event::{
    Event, decimal, event_of, is_clock, is_summary, json, printed_number, read_number, separated,
    spread,
};
use intervals::{Parts, Sums};
use std::collections::BTreeMap;

mod event;
mod intervals;

pub(crate) static IMPORTER: Importer = Importer::new("perf stat", recognises, read);

const HEAD: &str = "Performance counter stats for ";
/// The times that follow the counts.
const TIMES: [(&str, Metric); 3] = [
    ("seconds time elapsed", Metric::Elapsed),
    ("seconds user", Metric::User),
    ("seconds sys", Metric::System),
];
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

/// The command line before a block.
struct CommandLine {
    /// As it is kept.
    command: String,
    /// Whether it counts on all CPUs (`-a`).
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
#[derive(Default)]
struct Counted {
    case: usize,
    line: u32,
    scope: &'static str,
    counts: BTreeMap<String, f64>,
    /// Derived values: the number as printed, the words behind it, the event before it.
    derived: Vec<(u32, String, String, String)>,
    last: String,
    /// Sums over the rows of CPUs or other parts of the machine.
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
        } else if inside.starts_with("CPU(s)") {
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
        match what.is_empty() {
            false => params.push(("of", what.into())),
            true => params.extend(behind.map(|program| ("during", program.into()))),
        }
        params.extend(repeats.map(|(n, _)| ("repeats", n.into())));
        if let Some(command_line) = command_line {
            found.source.command.get_or_insert(command_line.command);
        }
        let case = found.case(line, ProbeId::PerfStat, &params);
        Counted { case, line, scope, ..Counted::default() }
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
        let time = TIMES.iter().find(|(words, _)| what.starts_with(words));
        if let (Some(value), Some((_, metric))) = (read_number(printed, self.decimal), time) {
            let metric = *metric;
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
            let printed =
                notes[..notes.len() - words.len()].trim().trim_end_matches('%').to_owned();
            let words = words.rsplit_once(" (").map_or(words, |(w, _)| w).trim_start_matches('%');
            let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
            self.derived.push((n, printed, words, self.last.clone()));
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
                let what =
                    format!("perf printed {printed} {words}, and the counts give {follows:.4}");
                found.warn(*line, what);
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
