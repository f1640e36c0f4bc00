//! `time` of bash, zsh's `TIMEFMT` in the same form, and `time -p`: `real`, `user` and `sys`, one after the other.
//!
//! Limits: the time covers all that follows `time`, including a pipe or a loop.
//! Source: bash, execute_cmd.c, BASH_TIMEFORMAT; POSIX, time -p.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("bash time", recognises, read);

const WORDS: [(&str, Metric); 3] =
    [("real", Metric::Elapsed), ("user", Metric::User), ("sys", Metric::System)];

/// The three times that begin at some lines, with the first line's number.
fn blocks<'a>(text: &'a Text) -> Vec<(u32, [&'a str; 3])> {
    let lines: Vec<_> = text.lines().filter(|l| !l.text.is_empty()).collect();
    let value = |(line, (word, _)): (&Line<'a>, &(&str, Metric))| {
        let rest = line.text.trim_start().strip_prefix(word)?;
        rest.split_whitespace().next().filter(|_| rest.starts_with(['\t', ' ']))
    };
    let block = |three: &[Line<'a>]| {
        let times: Option<Vec<&str>> = three.iter().zip(&WORDS).map(value).collect();
        Some((three[0].number, <[&str; 3]>::try_from(times?).ok()?))
    };
    lines.windows(3).filter_map(block).collect()
}

/// `0m39.763s`, `1h2m3s`, `39.76`.
fn duration(text: &str) -> Option<f64> {
    let mut rest = text.trim_end_matches('s');
    let mut sum = 0.0;
    for (unit, factor) in [('h', 3600.0), ('m', 60.0)] {
        if let Some((n, after)) = rest.split_once(unit) {
            sum += number(n)? * factor;
            rest = after;
        }
    }
    Some(sum + if rest.is_empty() { 0.0 } else { number(rest)? }).filter(|s| *s >= 0.0)
}

fn recognises(text: &Text) -> bool {
    !blocks(text).is_empty()
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let timed =
        |l: Line<'_>| command(l.text, &["time"]).filter(|c| c.starts_with("time")).map(kept);
    let commands: Vec<_> = text.lines().filter_map(|l| Some((l.number, timed(l)?))).collect();
    for (line, times) in blocks(text) {
        let before = commands.iter().rev().find(|(n, _)| *n < line).map(|(_, c)| c.clone());
        let of = before.as_ref().map(|c| tidy(c.trim_start_matches("time ")).into());
        found.source.command = found.source.command.take().or(before);
        let case = found.case(line, ProbeId::Time, &known([("of", of)]));
        for ((_, metric), time) in WORDS.iter().zip(times) {
            let seconds = duration(time)
                .ok_or_else(|| Problem::at(line, format!("'{}' is no time", tidy(time))))?;
            found.series(case, crate::metric::seconds(*metric), &[], &[seconds]);
        }
    }
    Ok(())
}
