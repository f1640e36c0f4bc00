//! multichase with `-v`: its settings, then nanoseconds per load, a line for each sample.
//!
//! Limits: without `-v` it prints a bare number that nothing tells from any other; such a file is not recognised.
//! Source: google/multichase, multichase.c.
use crate::found::{Found, Problem};
use crate::importer::{Importer, Sure};
use crate::number::{number, whole};
use crate::session::{command, kept};
use crate::text::{Text, tidy};
use record::{Better, Unit, Value};

/// The importer.
#[derive(Debug)]
pub struct Multichase;

impl Importer for Multichase {
    fn title(&self) -> &'static str {
        "multichase"
    }
    fn recognise(&self, text: &Text) -> Sure {
        let has = |head: &str| text.any(|l| l.starts_with(head));
        if has("nr_mixer_indices = ") || (has("total_memory = ") && has("chase = ")) {
            Sure::Certain
        } else {
            Sure::No
        }
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        let mut params: Vec<(&str, Value)> = vec![];
        let (mut samples, mut first, mut columns) = (vec![], 0, 1);
        for line in text.lines() {
            if let Some(asked) = command(line.text, &["multichase"]) {
                found.source.command.get_or_insert(kept(asked));
            } else if let Some((name, value)) = line.text.split_once(" = ") {
                let number = || whole(value.split_whitespace().next().unwrap_or(""));
                match name.trim() {
                    "total_memory" => params.extend(number().map(|b| ("working_set", b.into()))),
                    "stride" => params.extend(number().map(|b| ("stride", b.into()))),
                    "tlb_locality" => params.extend(number().map(|b| ("tlb_locality", b.into()))),
                    "page_size" => params.extend(number().map(|b| ("page", b.into()))),
                    "nr_threads" => params.extend(number().map(|t| ("thread_count", t.into()))),
                    "chase" => params.push(("chase", tidy(value).into())),
                    _ => {}
                }
            } else if let Some((row, _)) = line.text.split_once("avg=") {
                let row: Vec<f64> =
                    row.split_whitespace().filter_map(number).filter(|x| *x > 0.0).collect();
                if row.is_empty() {
                    return Err(Problem::at(line.number, "expected nanoseconds before avg="));
                }
                first = if first == 0 { line.number } else { first };
                columns = columns.max(row.len());
                // One column for each thread.
                samples.push(row.iter().sum::<f64>() / row.len() as f64 * 1e-9);
            }
        }
        if samples.is_empty() {
            return Err(Problem::whole("its settings are there and no sample: it is cut short"));
        }
        if columns > 1 {
            params.push(("statistic", "mean of the threads".into()));
        }
        let at: Vec<(&str, Value)> =
            params.iter().filter(|(n, _)| *n == "working_set").cloned().collect();
        let case = found.case(first, "multichase", &params);
        found.series(case, ("load_to_use", Unit::Seconds, Better::Lower), &at, &samples);
        Ok(())
    }
}
