//! McCalpin's STREAM, C and Fortran, up to 5.10: the best rate in MB/s (10^6) of each kernel, and its times.
//!
//! Limits: the best of its repetitions, the first left out. Whether stores were non-temporal is the compiler's choice and
//! not printed.
//! Source: stream.c 5.10.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("STREAM", recognises, read);

const KERNELS: [(&str, f64); 4] = [("copy", 16.0), ("scale", 16.0), ("add", 24.0), ("triad", 24.0)];

/// `Copy:  10206.4  0.016  0.016  0.017`: the kernel, and its rate and average, least and most time.
fn row(line: &str) -> Option<(&'static str, f64, Vec<&str>)> {
    let (name, rest) = line.trim().split_once(':')?;
    let (kernel, each) = KERNELS.into_iter().find(|(k, _)| name.eq_ignore_ascii_case(k))?;
    Some((kernel, each, rest.split_whitespace().collect()))
}

fn recognises(text: &Text) -> bool {
    let head = text
        .any(|l| l.contains("STREAM version") || (l.starts_with("Function") && l.contains("Rate")));
    let whole = |words: Vec<&str>| words.len() == 4 && words.iter().all(|w| number(w).is_some());
    let rows = text.lines().filter(|l| row(l.text).is_some_and(|(.., words)| whole(words)));
    rows.count() >= if head { 1 } else { 4 }
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let (mut elements, mut width, mut threads, mut case) = (None, None, None, None);
    // HPCC's, which is the same program, states GB/s.
    let mut bytes_of = 1e6;
    for line in text.lines() {
        let n = line.number;
        let number_in = |before: &str, after: &str| {
            let rest = line.text.split_once(before)?.1;
            whole(rest.split(after).next()?.trim())
        };
        if let Some(version) =
            line.text.split_once("$Revision:").map(|(_, v)| v.trim().trim_end_matches('$'))
        {
            found.version(version);
        } else if let Some(command_line) =
            command(line.text, &["stream", "stream_c", "stream_c.exe", "stream_omp"])
        {
            found.command(command_line);
        } else if let Some(size) = number_in("Array size =", "(") {
            (elements, case) = (Some(size), None);
        } else if let Some(bytes) = number_in("This system uses ", " bytes") {
            width = Some(bytes);
        } else if let Some(counted) = number_in("Number of Threads counted =", " ")
            .or_else(|| number_in("Number of Threads requested =", " "))
        {
            threads = Some(counted);
        } else if line.text.starts_with("Function") {
            bytes_of = if line.text.contains("GB/s") { 1e9 } else { 1e6 };
        } else if let Some((kernel, ..)) =
            row(line.text).filter(|(.., cells)| cells.first() == Some(&"inf"))
        {
            found.warn(n, format!("{kernel} took less time than its clock can tell: it is left"));
        } else if let Some((kernel, each, cells)) = row(line.text) {
            let values: Option<Vec<f64>> = cells.iter().map(|w| number(w)).collect();
            let values = values.filter(|v| !v.is_empty() && v[0] > 0.0);
            let why = "expected a rate in MB/s: it is cut short or damaged";
            let values = values.ok_or_else(|| line.problem(why))?;
            let case = *case.get_or_insert_with(|| {
                let params = known([
                    ("statistic", Some("best".into())),
                    ("elements", elements.map(Value::from)),
                    ("thread_count", threads.map(Value::from)),
                    ("threads", threads.filter(|t| *t == 1).map(|_| "one".into())),
                ]);
                found.case(n, ProbeId::Stream, &params)
            });
            let at = [("kernel", Value::from(kernel))];
            found.series(case, BANDWIDTH, &at, &[values[0] * bytes_of]);
            let [rate, mean, least, most] = values[..] else { continue };
            if !(least <= mean * 1.001 && mean <= most * 1.001) {
                found.warn(n, format!("the times of {kernel} are out of order: average {mean}, least {least}, most {most}"));
            }
            if let Some(elements) = elements {
                let bytes = elements as f64 * each / 8.0 * width.unwrap_or(8) as f64;
                let slack = rate * rounding(cells[2]) / least.max(1e-12) + rounding(cells[0]);
                if least > 0.0 && !agree(rate, bytes / least / bytes_of, slack * 1.1) {
                    let mb = rate * bytes_of / 1e6;
                    let what = format!(
                        "{kernel}: {mb} MB/s and {least} s do not belong to {elements} elements"
                    );
                    found.warn(n, what);
                }
            }
        } else if line.text.to_ascii_lowercase().contains("failed validation") {
            let said = tidy(line.text);
            found.warn(n, format!("STREAM reports that its results are wrong: {said}"));
        }
    }
    let last = text.lines().last().map_or(0, |l| l.number);
    if found.runs.iter().any(|r| r.series().len() % 4 != 0) {
        found.warn(last, "a kernel's row is not there: it is cut short");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::{Gathered, gathered::imported};

    /// Made up after HPCC 1.5.
    #[test]
    fn a_rate_is_in_the_unit_of_the_head() {
        let rates = |head: &str| -> Vec<f64> {
            let text = format!(
                "Function      {head}   Avg time     Min time     Max time\nCopy:  5.5  0.4  0.4  0.4\nScale: 5.5  0.4  0.4  0.4\nAdd:   5.5  0.4  0.4  0.4\nTriad: 5.5  0.4  0.4  0.4\n"
            );
            let record = imported("stream.txt", &text);
            record.runs[0].series().iter().map(|s| s.samples[0]).collect()
        };
        assert_eq!(rates("Rate (GB/s)"), [5.5e9; 4]);
        assert_eq!(rates("Rate (MB/s)"), [5.5e6; 4]);
    }

    #[test]
    fn an_infinite_rate_hides_no_other() {
        let text = "Function    Best Rate MB/s  Avg time     Min time     Max time\nCopy:  inf  0.1  0.0  0.1\nAdd:  62.5  0.1  0.1  0.1\n";
        let mut gathered = Gathered::default();
        let read = gathered.add("stream.txt", text.as_bytes()).unwrap();
        assert_eq!((read.series, read.warnings), (1, 2));
    }
}
