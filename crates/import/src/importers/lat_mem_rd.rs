//! lmbench's `lat_mem_rd`: after `"stride=64`, the size in MiB and nanoseconds per load in two columns.
//!
//! Limits: it prints the least of its repetitions, on whatever pages it got; whether the order was random (`-t`) is
//! known only where the command stands above.
//! Source: lmbench, src/lat_mem_rd.c.
use crate::found::{Found, Problem};
use crate::importer::{Importer, Sure};
use crate::number::number;
use crate::session::{command, kept, option};
use crate::text::{Text, tidy};
use record::{Better, CpuSet, Unit, Value};

/// The importer.
#[derive(Debug)]
pub struct LatMemRd;

fn stride(text: &str) -> Option<u64> {
    text.trim()
        .trim_matches('"')
        .strip_prefix("stride=")?
        .split_whitespace()
        .next()?
        .parse()
        .ok()
        .filter(|s| *s > 0)
}

impl Importer for LatMemRd {
    fn title(&self) -> &'static str {
        "lmbench lat_mem_rd"
    }
    fn recognise(&self, text: &Text) -> Sure {
        if text.any(|l| stride(l).is_some()) { Sure::Certain } else { Sure::No }
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        let mut asked: Option<String> = None;
        let mut case = None;
        let mut last = 0.0;
        let mut head = 0;
        for line in text.lines() {
            if let Some(command) = command(line.text, &["lat_mem_rd"]) {
                found.source.command.get_or_insert(kept(command));
                asked = Some(command.to_owned());
                case = None;
            } else if let Some(stride) = stride(line.text) {
                head = line.number;
                last = 0.0;
                case = Some(begin(line.number, stride, asked.as_deref(), found));
            } else if let Some(case) = case {
                let words: Vec<&str> = line.text.split_whitespace().collect();
                let [mib, ns] = words[..] else {
                    // The columns end at the first line that has not two.
                    if words.len() == 1 && number(words[0]).is_some() {
                        return Err(Problem::at(
                            line.number,
                            "expected a size and a time: it is cut short",
                        ));
                    }
                    continue;
                };
                let (Some(size), Some(time)) = (number(mib), number(ns)) else { continue };
                if !(size > 0.0 && size < 16e6 && time > 0.0 && time < 1e7) {
                    let what =
                        format!("'{} {}' are no size in MiB and nanoseconds", tidy(mib), tidy(ns));
                    return Err(Problem::at(line.number, what));
                }
                if size <= last {
                    found.warn(line.number, "the sizes do not ascend: two curves are mixed");
                }
                last = size;
                let at = [("working_set", Value::from(exact(size)))];
                found.series(
                    case,
                    ("load_to_use", Unit::Seconds, Better::Lower),
                    &at,
                    &[time * 1e-9],
                );
            }
        }
        if found
            .runs
            .iter()
            .all(|r| matches!(&r.outcome, record::Outcome::Measured(s) if s.is_empty()))
        {
            return Err(Problem::at(head, "no line with a size and a time follows the stride"));
        }
        Ok(())
    }
}

/// Sizes are printed to 5 decimals of a MiB and are multiples of 256 bytes: 0.00049 is 512.
fn exact(mib: f64) -> u64 {
    let bytes = mib * 1_048_576.0;
    let near = (bytes / 256.0).round() * 256.0;
    if (near - bytes).abs() < 5.5 && near > 0.0 { near as u64 } else { bytes.round() as u64 }
}

fn begin(line: u32, stride: u64, asked: Option<&str>, found: &mut Found) -> usize {
    let mut params: Vec<(&str, Value)> =
        vec![("stride", stride.into()), ("statistic", "least".into())];
    let set = |names: &[&str]| {
        asked
            .and_then(|c| option(c, names))
            .and_then(|v| v.parse::<CpuSet>().ok())
            .filter(|s| !s.is_empty())
    };
    let (cpus, node) = (set(&["-C", "--physcpubind"]), set(&["-m", "--membind"]));
    if let Some(asked) = asked {
        let random = asked.split_whitespace().any(|w| w == "-t");
        params.push(("order", if random { "random" } else { "stride" }.into()));
    }
    params.extend(cpus.as_ref().map(|c| ("cpu", c.to_string().into())));
    params.extend(node.as_ref().map(|n| ("memory", n.to_string().into())));
    let case = found.case(line, "lat_mem_rd", &params);
    if let Some(run) = found.runs.get_mut(case) {
        run.case.place.cpus = cpus.unwrap_or_default();
        run.case.place.node = node.and_then(|n| n.first());
    }
    case
}
