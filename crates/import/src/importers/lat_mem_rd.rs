//! lmbench's `lat_mem_rd`: after `"stride=64`, the size in MiB and nanoseconds per load in two columns.
//!
//! Limits: it prints the least of its repetitions, on whatever pages it got; whether the order was random (`-t`) is
//! known only if the command is above it.
//! Source: lmbench, src/lat_mem_rd.c.
use crate::prelude::*;
use record::CpuSet;

pub(crate) static IMPORTER: Importer = Importer::new("lmbench lat_mem_rd", recognises, read);

fn stride(text: &str) -> Option<u64> {
    let stride = text.trim().trim_matches('"').strip_prefix("stride=")?;
    stride.split_whitespace().next()?.parse().ok().filter(|s| *s > 0)
}

fn recognises(text: &Text) -> bool {
    text.any(|l| stride(l).is_some())
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut command_line: Option<String> = None;
    let mut case = None;
    let mut last = 0.0;
    let mut head = 0;
    for line in text.lines() {
        if let Some(command) = command(line.text, &["lat_mem_rd"]) {
            found.command(command);
            command_line = Some(command.to_owned());
            case = None;
        } else if let Some(stride) = stride(line.text) {
            head = line.number;
            last = 0.0;
            case = Some(begin(line.number, stride, command_line.as_deref(), found));
        } else if let Some(case) = case {
            let words: Vec<&str> = line.text.split_whitespace().collect();
            let [mib, ns] = words[..] else {
                // The columns end at the first line that has not two.
                if words.len() == 1 && number(words[0]).is_some() {
                    return Err(line.problem("expected a size and a time: it is cut short"));
                }
                continue;
            };
            let (Some(size), Some(time)) = (number(mib), number(ns)) else { continue };
            if !(size > 0.0 && size < 16e6 && time > 0.0 && time < 1e7) {
                let (mib, ns) = (tidy(mib), tidy(ns));
                return Err(
                    line.problem(format!("'{mib} {ns}' are no size in MiB and nanoseconds"))
                );
            }
            if size <= last {
                found.warn(line.number, "the sizes do not ascend: two curves are mixed");
            }
            last = size;
            let at = [("working_set", Value::from(exact(size)))];
            found.series(case, LOAD_TO_USE, &at, &[time * 1e-9]);
        }
    }
    match found.without_series() {
        true => Err(Problem::at(head, "no line with a size and a time follows the stride")),
        false => Ok(()),
    }
}

/// Sizes are printed to 5 decimals of a MiB and are multiples of 256 bytes: 0.00049 is 512.
fn exact(mib: f64) -> u64 {
    let bytes = mib * 1_048_576.0;
    let near = (bytes / 256.0).round() * 256.0;
    if (near - bytes).abs() < 5.5 && near > 0.0 { near as u64 } else { bytes.round() as u64 }
}

fn begin(line: u32, stride: u64, command_line: Option<&str>, found: &mut Found) -> usize {
    let set =
        |names: &[&str]| cpu_list(option(command_line?, names)?, 256).filter(|set| !set.is_empty());
    let (cpus, node) = (set(&["-C", "--physcpubind"]), set(&["-m", "--membind"]));
    let list = |set: &Option<CpuSet>| set.as_ref().map(|s| s.to_string().into());
    let order = command_line.map(|c| {
        let random = c.split_whitespace().any(|w| w == "-t");
        if random { "random" } else { "stride" }.into()
    });
    let params = known([
        ("stride", Some(stride.into())),
        ("statistic", Some("least".into())),
        ("order", order),
        ("cpu", list(&cpus)),
        ("memory", list(&node)),
    ]);
    found.case_on(line, ProbeId::LatMemRd, &params, [cpus, node])
}
