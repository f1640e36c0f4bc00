//! core-to-core-latency's `--csv`: nanoseconds between each CPU and those before it, a lower triangle without heads.
//!
//! Limits: rows are CPUs in the order in which they were measured; which CPUs those were is not in the file. The tool
//! prints half a round trip.
//! Source: nviennot/core-to-core-latency, README and src/main.rs.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer =
    Importer::new("core-to-core-latency --csv", recognises, read);

/// All pairs of more CPUs than this are more series than a file may give.
const MOST: usize = 450;

/// The rows, if the text is a triangle: the first line is empty but for commas, each further one has a number more.
fn triangle<'a>(text: &'a Text) -> Option<Vec<(u32, Vec<&'a str>)>> {
    let lines: Vec<Line<'_>> =
        text.lines().filter(|l| !l.text.trim().is_empty()).take(2 * MOST).collect();
    let width = lines.first()?.text.split(',').count();
    if !(2..=MOST).contains(&width) || lines.len() > width || lines.len() < 2 {
        return None;
    }
    let row = |(i, line): (usize, &Line<'a>)| {
        let cells: Vec<&str> = line.text.split(',').map(str::trim).collect();
        let fits = |(j, c): (usize, &&str)| if j < i { number(c).is_some() } else { c.is_empty() };
        (cells.len() == width && cells.iter().enumerate().all(fits)).then_some((line.number, cells))
    };
    lines.iter().enumerate().map(row).collect()
}

fn recognises(text: &Text) -> bool {
    triangle(text).is_some()
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let rows = triangle(text).ok_or_else(|| Problem::whole("it is no triangle of numbers"))?;
    let width = rows[0].1.len();
    let case = found.case(
        rows[0].0,
        ProbeId::CoreToCore,
        &[("method", "cas".into()), ("statistic", "mean".into())],
    );
    for (i, (line, cells)) in rows.iter().enumerate() {
        for (j, cell) in cells.iter().enumerate().take(i) {
            let Some(ns) = number(cell).filter(|x| *x > 0.0) else { continue };
            if ns > 1e5 {
                let what = format!("{ns} ns between CPUs {i} and {j}: one of them was not running");
                found.warn(*line, what);
            }
            let at = [("from", Value::from(j as u64)), ("to", Value::from(i as u64))];
            found.series(case, seconds(Metric::OneWay), &at, &[ns * 1e-9]);
        }
    }
    if rows.len() < width {
        let there = rows.len();
        let what = format!("{there} of {width} rows are there: it is cut short");
        found.warn(rows[there - 1].0, what);
    }
    found.warn(0, "CPUs are numbered in the order of the rows: with --cores they were others");
    Ok(())
}
