//! Counts of parts of a run: of intervals (`-I`), of single CPUs (`-A`), or both. Their sums are what `perf stat` prints without
//! these options.
use super::{
    CommandLine, Counted,
    event::{Event, event_of, is_clock},
};
use crate::prelude::*;

/// Counts that are summed up.
#[derive(Default)]
pub(super) struct Sums {
    /// Each event once, with the time for which it was counted in parts and the time of these parts.
    events: Vec<(Event, f64, f64)>,
    /// The begin and the end of the interval, in seconds.
    from: f64,
    at: Option<f64>,
}

/// A run of which only its parts are printed.
pub(super) struct Parts {
    line: u32,
    command_line: Option<CommandLine>,
    sums: Sums,
}

/// `#           time             counts unit events`; with `-A` or `--per-socket` there are columns between.
pub(super) fn is_head(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.starts_with(&["#", "time"]) && words.ends_with(&["counts", "unit", "events"])
}

/// The end of an interval, of which perf prints nine decimals.
pub(super) fn time(cell: &str, decimal: char) -> Option<f64> {
    let (_, decimals) = cell.split_once(decimal)?;
    let at = number(&cell.replace(decimal, "."))?;
    (decimals.len() == 9 && at > 0.0).then_some(at)
}

/// What follows the CPU in a row of `-A`, or with `--per-socket` and the like the part and how many CPUs it sums up.
pub(super) fn behind_part(row: &str) -> Option<&str> {
    let (part, rest) = row.split_once(char::is_whitespace)?;
    let named = part.starts_with(|c: char| c.is_ascii_uppercase())
        && part.ends_with(|c: char| c.is_ascii_digit())
        && part.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'-');
    let rest = rest.trim_start();
    match (named, part.starts_with("CPU")) {
        (true, true) => Some(rest),
        (true, false) => {
            let (cpus, rest) = rest.split_once(char::is_whitespace)?;
            whole(cpus).map(|_| rest.trim_start())
        }
        (false, _) => None,
    }
}

/// A row of text that begins with the end of its interval.
pub(super) fn row(row: &str) -> Option<Event> {
    let (at, rest) = row.split_once(char::is_whitespace)?;
    let decimal = if at.contains(',') { ',' } else { '.' };
    let at = time(at, decimal)?;
    let rest = rest.trim_start();
    let event = event_of(behind_part(rest).unwrap_or(rest), Some(decimal), &mut |_| ())?;
    Some(Event { part: Some(Some(at)), ..event })
}

impl Parts {
    pub(super) fn begin(line: u32, command_line: Option<CommandLine>) -> Parts {
        Parts { line, command_line, sums: Sums::default() }
    }
    /// Whether a row that ends at this time is of another run, which began anew.
    pub(super) fn ended_before(&self, at: Option<f64>) -> bool {
        let own = self.sums.at;
        let back = own.zip(at).is_some_and(|(own, at)| at < own);
        !self.sums.events.is_empty() && (back || own.is_some() != at.is_some())
    }
    pub(super) fn add(&mut self, at: Option<f64>, event: Event) {
        self.sums.add(at, event);
    }
    pub(super) fn end(self, found: &mut Found) {
        let mut counted = Counted::begin(self.line, "", self.command_line, found);
        if let Some(end) = self.sums.at {
            found.series(counted.case, seconds(Metric::Elapsed), &[], &[end]);
            counted.elapsed = Some(end);
        }
        counted.sums = self.sums;
        counted.end(found);
    }
}

impl Sums {
    /// Adds a row: the end of its interval, if it has one, and its event.
    pub(super) fn add(&mut self, at: Option<f64>, event: Event) {
        if at != self.at {
            self.from = self.at.unwrap_or(0.0);
            self.at = at;
        }
        let whole = at.map_or(1.0, |at| at - self.from);
        let counted = event.value.map_or(0.0, |_| event.share * whole);
        match self.events.iter_mut().find(|(known, ..)| known.name == event.name) {
            Some((sum, all_counted, all)) => {
                sum.value = match (sum.value, event.value) {
                    (Some(one), Some(other)) => Some(one + other),
                    (one, other) => one.or(other),
                };
                *all_counted += counted;
                *all += whole;
            }
            None => self.events.push((event, counted, whole)),
        }
    }
    /// The sums, of a run that took so many seconds.
    pub(super) fn events(self, elapsed: Option<f64>) -> impl Iterator<Item = Event> {
        self.events.into_iter().map(move |(mut event, of, whole)| {
            event.share = if whole > 0.0 { of / whole } else { 0.0 };
            // What was printed is of a part. Clocks are in milliseconds.
            let clock = event.value.zip(elapsed).filter(|_| is_clock(&event.name));
            event.used = clock.map(|(time, end)| time * 1e-3 / end);
            event
        })
    }
}
