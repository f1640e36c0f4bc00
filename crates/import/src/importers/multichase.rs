//! multichase with `-v`: its settings, then nanoseconds per load, a line for each sample.
//!
//! Limits: without `-v` it prints a bare number; such a file is not recognised.
//! Source: google/multichase, multichase.c.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("multichase", recognises, read);

/// multichase's settings that are whole numbers, and the parameters that they become.
const SETTINGS: &[(&str, &str)] = &[
    ("total_memory", "working_set"),
    ("stride", "stride"),
    ("tlb_locality", "tlb_locality"),
    ("page_size", "page"),
    ("nr_threads", "thread_count"),
];

fn recognises(text: &Text) -> bool {
    let has = |head: &str| text.any(|l| l.starts_with(head));
    has("nr_mixer_indices = ") || (has("total_memory = ") && has("chase = "))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut params: Vec<(&str, Value)> = vec![];
    let (mut samples, mut first, mut columns) = (vec![], 0, 1);
    for line in text.lines() {
        if let Some(command_line) = command(line.text, &["multichase"]) {
            found.command(command_line);
        } else if let Some(field) = Field::parse(line, " = ") {
            let number = || whole(field.value.split_whitespace().next().unwrap_or(""));
            if field.name == "chase" {
                params.push(("chase", tidy(field.value).into()));
            } else if let Some((_, param)) = SETTINGS.iter().find(|(s, _)| *s == field.name) {
                params.extend(number().map(|x| (*param, x.into())));
            }
        } else if let Some((row, _)) = line.text.split_once("avg=") {
            let row: Vec<f64> =
                row.split_whitespace().filter_map(number).filter(|x| *x > 0.0).collect();
            if row.is_empty() {
                return Err(line.problem("expected nanoseconds before avg="));
            }
            first = if first == 0 { line.number } else { first };
            columns = columns.max(row.len());
            // One column for each thread.
            samples.push(row.iter().sum::<f64>() / row.len() as f64 * 1e-9);
        }
    }
    let cut = samples.is_empty();
    Problem::when(cut, "its settings are there and no sample: it is cut short")?;
    if columns > 1 {
        params.push(("statistic", "mean of the threads".into()));
    }
    let at: Vec<_> = params.iter().filter(|(n, _)| *n == "working_set").cloned().collect();
    let case = found.case(first, ProbeId::Multichase, &params);
    found.series(case, LOAD_TO_USE, &at, &samples);
    Ok(())
}
