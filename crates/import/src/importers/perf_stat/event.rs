//! One count of perf stat, of each of its formats. Source: linux, tools/perf/util/stat-display.c.
use crate::prelude::*;

/// One count.
pub(super) struct Event {
    pub(super) name: String,
    pub(super) value: Option<f64>,
    pub(super) unit: String,
    pub(super) share: f64,
    /// Spread over repeats, a share of the value.
    pub(super) spread: Option<f64>,
    /// CPUs in use on average, beside the CPU time.
    pub(super) used: Option<f64>,
    /// For a part of the run: the seconds at the end of its interval, if it is one.
    pub(super) part: Option<Option<f64>>,
}

/// A line of `-x` behind the intervals, whose sum it is.
pub(super) fn is_summary(line: &str) -> bool {
    line.strip_prefix("summary").is_some_and(|rest| rest.starts_with([',', ';', '\t']))
}

const UTILIZED: &str = "CPUs utilized";

/// `( +-  0.50% )`, as a share.
pub(super) fn spread(row: &str) -> Option<f64> {
    let (_, rest) = row.split_once("( +-")?;
    Some(number(rest.split_once('%')?.0.trim())? / 100.0)
}

/// A line of `-x,` (or `;`, or a tab): value, unit, event, time counted, share of the time. `-A` puts a CPU before it,
/// `-I` a time.
pub(super) fn separated(line: &str) -> Option<Event> {
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
            part: (at > 0 && !is_summary(line)).then(|| super::intervals::time(cells[0], '.')),
        })
    };
    // After `-A` the CPU, after `-I` the time; after `--per-socket` the socket and how many CPUs it sums up.
    (0..3).find_map(fits).filter(|_| cells.len() <= 12)
}

/// Clocks, which perf before 4.19 prints in milliseconds without a unit or as `task-clock (msec)`.
pub(super) fn is_clock(event: &str) -> bool {
    let name = event.split(':').next().unwrap_or(event);
    matches!(name, "task-clock" | "cpu-clock")
}

/// A line of `-j`.
pub(super) fn json(line: &str) -> Option<Event> {
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
pub(super) fn printed_number(row: &str) -> (&str, &str) {
    let inside = |c: char| c.is_ascii_digit() || c.is_whitespace() || ".,'\u{2019}".contains(c);
    let end = row.find(|c| !inside(c)).unwrap_or(row.len());
    (row[..end].trim(), &row[end..])
}

/// Whether these are the digits between two marks of thousands.
fn is_group(digits: &str) -> bool {
    digits.len() == 3 && digits.bytes().all(|b| b.is_ascii_digit())
}

/// `18 982 406 383`, `535.027.663.415`, `57,795,675,025`, `1.234,56` by the mark before decimals, if it is known.
pub(super) fn read_number(printed: &str, decimal: Option<char>) -> Option<f64> {
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
pub(super) fn decimal(line: Line<'_>) -> Option<(u32, char)> {
    let row = line.text.trim();
    row.contains("seconds time elapsed").then_some(())?;
    let printed = printed_number(row).0;
    let at = printed.rfind(['.', ','])?;
    let mark = if printed[at..].starts_with(',') { ',' } else { '.' };
    (printed.len() - at > 4).then_some((line.number, mark))
}

/// The event of a row of text, and what is remarked on how its number is read.
pub(super) fn event_of(
    row: &str,
    decimal: Option<char>,
    remark: &mut dyn FnMut(String),
) -> Option<Event> {
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
