//! stress-ng's `--metrics` and `--metrics-brief`: bogo operations per second by stressor. The columns are found by their
//! heads, since versions differ in the log's prefix.
//!
//! Limits: bogo operations are what a version's stressor takes for one; nothing is comparable across versions.
//! Source: stress-ng, stress-ng.c, stress_metrics_dump; lines of published outputs with two, three and four columns behind
//! the times.
use crate::found::{Found, Problem};
use crate::importer::{Importer, Sure};
use crate::number::number;
use crate::session::{command, kept};
use crate::text::{Text, tidy};
use record::{Better, Unit, Value};

/// The importer.
#[derive(Debug)]
pub struct StressNg;

/// A line without `stress-ng: metrc: [4711] `.
fn bare(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("stress-ng: ")?;
    let (_, rest) = rest.split_once(':')?;
    let rest = rest.trim_start();
    Some(rest.strip_prefix('[').and_then(|r| r.split_once(']')).map_or(rest, |(_, r)| r).trim())
}

impl Importer for StressNg {
    fn title(&self) -> &'static str {
        "stress-ng"
    }
    fn recognise(&self, text: &Text) -> Sure {
        if text
            .any(|l| bare(l).is_some_and(|l| l.starts_with("stressor") && l.contains("bogo ops/s")))
        {
            Sure::Certain
        } else {
            Sure::No
        }
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        let mut case = None;
        let mut head = false;
        for line in text.lines() {
            if let Some(asked) = command(line.text, &["stress-ng"]) {
                found.source.command.get_or_insert(kept(asked));
                continue;
            }
            let Some(row) = bare(line.text) else { continue };
            let words: Vec<&str> = row.split_whitespace().collect();
            if row.starts_with("stressor") {
                head = true;
            } else if head && words.len() >= 7 && words[1..7].iter().all(|w| number(w).is_some()) {
                let value = |i: usize| words.get(i).and_then(|w| number(w)).unwrap_or(0.0);
                let (ops, real, busy, rate) = (value(1), value(2), value(3) + value(4), value(5));
                let case = *case.get_or_insert_with(|| {
                    found.case(line.number, "stress_ng", &[("statistic", "mean".into())])
                });
                let at = [("stressor", Value::from(tidy(words[0])))];
                found.series(case, ("bogo_ops", Unit::PerSecond, Better::Higher), &at, &[rate]);
                if busy > 0.0 {
                    found.series(
                        case,
                        ("bogo_ops_per_cpu", Unit::PerSecond, Better::Higher),
                        &at,
                        &[value(6)],
                    );
                }
                // Times are printed to hundredths of a second.
                if real > 0.5 && (ops / real / rate.max(1e-9) - 1.0).abs() > 0.02 {
                    found.warn(line.number, format!("{}: {rate} bogo operations a second do not follow from {ops} in {real} s", tidy(words[0])));
                }
            }
        }
        match case {
            Some(_) => Ok(()),
            None => Err(Problem::whole(
                "the head of the metrics is there and no stressor: it is cut short",
            )),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Gathered;

    /// Made up after the format.
    #[test]
    fn columns_are_where_their_heads_are() {
        for prefix in ["stress-ng: metrc: [48] ", "stress-ng: info:  [48] "] {
            let text = format!(
                "{prefix}stressor       bogo ops real time  usr time  sys time   bogo ops/s     bogo ops/s\n{prefix}                          (secs)    (secs)    (secs)   (real time) (usr+sys time)\n{prefix}cpu               10570      3.00      5.98      0.00      3523.33        1767.56\n"
            );
            let read = Gathered::default().add("s.txt", text.as_bytes()).unwrap();
            assert_eq!((read.series, read.warnings), (2, 0));
            let wider = text.replace("1767.56\n", "1767.56        84.05          1548\n")
                + &format!(
                    "{prefix}miscellaneous metrics:\n{prefix}close     600923.80 close calls per sec (harmonic mean of 192 instances)\n"
                );
            let read = Gathered::default().add("s.txt", wider.as_bytes()).unwrap();
            assert_eq!((read.series, read.warnings), (2, 0), "later columns and metrics are left");
            let wrong = text.replace("3523.33", "9523.33");
            assert_eq!(Gathered::default().add("s.txt", wrong.as_bytes()).unwrap().warnings, 1);
        }
    }
}
