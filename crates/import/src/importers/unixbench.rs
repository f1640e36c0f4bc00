//! UnixBench reports of every version, as text, as HTML, as a table made of one, or as the CSV of 6.0 and forks: results of
//! tests, their index, the score.
//! Versions do not identify formats, so each row is recognised by itself. A report of 5.1.3 may be of any version from
//! 2011 to 2025: if it has more copies than 5.1.3 runs, its version is unknown.
//!
//! Limits: 5.1.3, 6.0 and forks compile other code for some tests; the version is part of the tool, and they are not
//! comparable. Index and score follow from results and baselines (result over baseline times 10, geometric mean); they
//! are recomputed, and a difference gives a warning. The CSV has neither, nor units: tests outside the index are left out.
//! Source: UnixBench, Run, and USAGE.
use crate::prelude::*;
use record::{param, unixbench};

pub(crate) static IMPORTER: Importer = Importer::new("UnixBench", recognises, read);

/// A row without the bars of a table.
fn words(line: &str) -> String {
    line.replace('|', " ").replace("**", " ").split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `BASELINE RESULT INDEX` behind a test's name; `---` where a test has none.
fn indexed(row: &str) -> Option<(&str, [&str; 3])> {
    let mut tail = row.rsplitn(4, ' ');
    let (index, result, base) = (tail.next()?, tail.next()?, tail.next()?);
    let name = tail.next()?;
    let fits = |w: &str| w == "---" || number(w).is_some_and(|x| x >= 0.0);
    let known = unixbench::named(name);
    let right = match known {
        Some(test) => number(base) == Some(test.baseline),
        None => base == "---" || number(base).is_some(),
    };
    let named = name.starts_with(|c: char| c.is_ascii_alphabetic()) && number(result).is_some();
    (right && named && fits(base) && fits(index) && (known.is_some() || result.contains('.')))
        .then_some((name, [base, result, index]))
}

/// `70603962.9 lps (1.0 s, 1 samples)` behind a test's name.
fn measured(row: &str) -> Option<(&str, f64, &str)> {
    let at = row.rfind(" (").filter(|at| row[*at..].contains(" samples)"))?;
    let head = &row[..at];
    let mut parts = head.rsplitn(3, ' ');
    let (unit, value) = (parts.next()?, number(parts.next()?)?);
    Some((parts.next()?, value, unit))
}

fn recognises(text: &Text) -> bool {
    let known = |name: &str| unixbench::named(name).is_some();
    let row = |l: &str| {
        let row = words(l);
        indexed(&row).is_some_and(|(name, [base, ..])| known(name) && base != "---")
            || measured(&row).is_some_and(|(name, ..)| known(name))
    };
    text.any(|l| l.contains("BYTE UNIX Benchmarks (Version "))
        || heads(text).is_some()
        || text.any(row)
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    if let Some((line, names)) = heads(text) {
        let outside = names.iter().all(|name| unixbench::named(name).is_none());
        let why = "none of its tests is of the index, and a CSV has no units: import the report";
        Problem::when(outside, why)?;
        csv(text, line, &names, found);
        return Ok(());
    }
    let page = text.any(|l| l.trim() == "<html>").then(|| text.derived(&page(text)));
    let text = page.as_ref().unwrap_or(text);
    let mut part: Option<Part> = None;
    let mut copies: Option<u64> = None;
    let mut head = false;
    // The line of a banner with the version that did not change for fourteen years.
    let mut unchanged: Option<u32> = None;
    for line in text.lines() {
        let n = line.number;
        let row = words(line.text);
        if let Some(version) =
            row.split_once("BYTE UNIX Benchmarks (Version ").and_then(|(_, v)| v.split_once(')'))
        {
            found.version(version.0);
            unchanged = (tidy(version.0) == UNCHANGED).then_some(n);
        } else if let Some(cpus) = row
            .split_once(" CPUs in system; running ")
            .or_else(|| row.split_once(" CPU in system; running "))
        {
            part.take().into_iter().for_each(|p: Part| p.end(found));
            copies = cpus.1.split(' ').next().and_then(whole);
            found.known_in(n, "cpu.count", whole(cpus.0), Unit::Count);
            part = Some(Part::begin(n, copies, found));
        } else if row.contains("BASELINE") && row.contains("INDEX") {
            head = true;
            if part.as_ref().is_some_and(|p| !p.indices.is_empty() && p.score.is_none()) {
                found.warn(n, "a second table of indices begins before the score of the first");
            }
        } else if let Some(score) = score(&row) {
            let part = part.get_or_insert_with(|| Part::begin(n, None, found));
            part.score(n, score, &row, found);
        } else if let Some((name, value, unit)) = measured(&row) {
            let part = part.get_or_insert_with(|| Part::begin(n, None, found));
            part.result(n, name, value, Some(unit), found);
        } else if let Some((name, cells)) = indexed(&row) {
            if part.is_none() && !head {
                found.warn(n, "the head of the table (BASELINE RESULT INDEX) is not there; its columns are known by their baselines");
            }
            let part = part.get_or_insert_with(|| Part::begin(n, None, found));
            part.index(n, name, cells, found);
        } else if copies.is_none() {
            about(n, &row, found);
        } else if let Some(test) = unixbench::TESTS.iter().find(|t| row.starts_with(t.name)) {
            let name = test.name;
            found.warn(n, format!("the row of {name} cannot be read: it is cut short or damaged"));
        }
    }
    part.take().into_iter().for_each(|p| p.end(found));
    if let Some(line) = unchanged {
        by_content(line, found);
    }
    Ok(())
}

/// What stands between the tags of a line.
fn bare(line: &str) -> String {
    let texts = line.split('<').map(|part| part.split_once('>').map_or(part, |(_, text)| text));
    texts.collect::<String>().trim().to_owned()
}

/// The lines of the text report for what stands in the HTML report. The system's name is left out.
fn page(text: &Text) -> Vec<(u32, String)> {
    let (mut lines, mut cells) = (vec![], vec![]);
    for line in text.lines() {
        let (n, words) = (line.number, bare(line.text));
        if line.text.contains("<td") {
            cells.push(words);
        } else if line.text.contains("</tr>") {
            lines.extend(table_row(&std::mem::take(&mut cells)).into_iter().map(|l| (n, l)));
        } else if let Some(run) = words.strip_prefix("Benchmark Run: ") {
            let run = run.split_once("; ").unwrap_or((run, ""));
            lines.push((n, format!("{} in system; running {} copies of tests", run.0, run.1)));
        } else if words.starts_with("BYTE UNIX Benchmarks") {
            lines.push((n, words));
        }
    }
    lines
}

/// A row of a table: a test with its result and index, a score, or what the system is.
fn table_row(cells: &[String]) -> Vec<String> {
    match cells {
        [test, score, unit, time, passes, rest @ ..] => {
            let mut lines = vec![format!("{test}  {score} {unit} ({time}, {passes} samples)")];
            // Tests outside the index have no baseline.
            if let [base, index] = rest {
                lines.push(format!("{test}  {base} {score} {index}"));
            }
            lines
        }
        [name, value] if name.contains("Index Score") => {
            vec![format!("{} {value}", name.trim_end_matches(':'))]
        }
        [name, value] if ["OS:", "Machine:"].contains(&&**name) => vec![format!("{name} {value}")],
        [.., cpu, model] if model.contains(" bogomips)") => vec![format!("CPU {cpu} {model}")],
        _ => vec![],
    }
}

/// The line with the heads of a CSV, and the names of its tests.
fn heads(text: &Text) -> Option<(u32, Vec<&str>)> {
    let first = text.lines().find(|line| !line.text.trim().is_empty())?;
    let (copies, names) = first.text.trim().split_once(',')?;
    (copies == "Concurrency").then(|| (first.number, names.split(',').collect()))
}

/// A row for each number of copies, with the result of each test in the unit of reports.
fn csv(text: &Text, heads: u32, names: &[&str], found: &mut Found) {
    for name in names.iter().filter(|name| unixbench::named(name).is_none()) {
        found.warn(heads, format!("{name} is no test of the index, and its unit is not stated"));
    }
    for line in text.lines().filter(|line| line.number > heads && !line.text.trim().is_empty()) {
        let cells: Vec<&str> = line.text.trim().split(',').collect();
        let results: Option<Vec<f64>> = cells[1..].iter().map(|cell| number(cell)).collect();
        let (Some(copies), Some(results)) = (whole(cells[0]), results) else {
            found.warn(line.number, "the row holds something that is no number");
            continue;
        };
        if results.len() != names.len() {
            let (has, wanted) = (results.len(), names.len());
            found.warn(line.number, format!("the row has {has} results of {wanted} tests"));
            continue;
        }
        let mut part = Part::begin(line.number, Some(copies), found);
        for (name, result) in names.iter().zip(results) {
            part.result(line.number, name, result, None, found);
        }
    }
}

/// The version that UnixBench printed from 2011 to 2025, while its tests changed.
const UNCHANGED: &str = "5.1.3";
/// The most copies with which the 5.1.3 of 2011 runs all tests; later versions have no such limit.
const CAP: u64 = 16;

/// Tells by what a report holds whether it is of the version that it names.
fn by_content(line: u32, found: &mut Found) {
    // A part without a test has a case without a series.
    let (mut none, mut some) = (false, false);
    for (index, run) in found.runs.iter().enumerate() {
        if run.case.get(param::COPIES).is_some_and(|copies| copies > CAP) {
            let empty = found.len(index) == 0;
            none |= empty;
            some |= !empty;
        }
    }
    if some {
        found.warn(line, format!(
            "it calls itself {UNCHANGED}, and ran more than {CAP} copies, which that version does not: it is a later one, whose tests score up to six times as much, and which one is not known"
        ));
        found.source.version = None;
        let tool = found.source.tool.clone();
        for run in &mut found.runs {
            run.case.params.insert("tool".into(), tool.as_str().into());
        }
    } else if !none {
        found.warn(line, format!(
            "it calls itself {UNCHANGED}, as every version from 2011 to 2025 does: its content does not show which one it is"
        ));
    }
}

/// Keeps the facts of the machine in a report's head, without the host's name.
fn about(line: u32, row: &str, found: &mut Found) {
    if let Some(os) = row.strip_prefix("OS: ") {
        let release = os.split(" -- ").nth(1).unwrap_or("");
        found.fact(line, "kernel.release", tidy(release));
    } else if let Some(machine) = row.strip_prefix("Machine: ") {
        found.fact(line, "kernel.arch", tidy(machine.split(' ').next().unwrap_or("")));
    } else if let Some(cpu) = row.strip_prefix("CPU 0: ") {
        let model = cpu.rsplit_once(" (").map_or(cpu, |(model, _)| model);
        // Arm kernels print no name: `CPU 0:  (38.4 bogomips)`.
        if !model.starts_with('(') {
            found.fact(line, "cpu.model", tidy(model));
        }
    }
}

fn score(row: &str) -> Option<&str> {
    let (head, value) = row.rsplit_once(' ')?;
    let fits = head.contains("Index Score") || head.trim() == "FINAL SCORE";
    number(value).filter(|_| fits).map(|_| value)
}

/// One run with so many copies.
struct Part {
    case: usize,
    line: u32,
    results: Vec<(String, f64)>,
    indices: Vec<f64>,
    score: Option<f64>,
}

impl Part {
    fn begin(line: u32, copies: Option<u64>, found: &mut Found) -> Part {
        let params: Vec<(&str, Value)> = copies.map(|c| ("copies", c.into())).into_iter().collect();
        if copies.is_none() {
            found.warn(line, "the number of copies is not stated");
        }
        let case = found.case(line, ProbeId::Unixbench, &params);
        Part { case, line, results: vec![], indices: vec![], score: None }
    }
    fn result(&mut self, line: u32, name: &str, value: f64, unit: Option<&str>, found: &mut Found) {
        if let Some((_, first)) = self.results.iter().find(|(n, _)| n == name) {
            if (first - value).abs() > 0.06 {
                found.warn(line, format!("{name} is {value} here and {first} above"));
            }
            return;
        }
        let (unit, factor) = match unit {
            Some("lps") => (Unit::PerSecond, 1.0),
            Some("lpm") => (Unit::PerSecond, 1.0 / 60.0),
            Some("KBps") => (Unit::BytesPerSecond, 1024.0),
            Some("MWIPS" | "MFLOPS") => (Unit::PerSecond, 1e6),
            _ => match unixbench::named(name) {
                Some(test) => (test.unit, test.factor),
                None => return,
            },
        };
        self.results.push((name.to_owned(), value));
        let at = [("test", Value::from(name))];
        found.series(self.case, (Metric::Rate, unit, Better::Higher), &at, &[value * factor]);
    }
    fn index(&mut self, line: u32, name: &str, cells: [&str; 3], found: &mut Found) {
        let ([base, result, index], values) = (cells, cells.map(number));
        if let Some(value) = values[1] {
            self.result(line, name, value, None, found);
        }
        let [Some(base_value), Some(value), Some(index_value)] = values else { return };
        let follows = value / base_value * 10.0;
        let slack = rounding(index) + rounding(result) / base_value * 10.0;
        if base_value > 0.0 && !agree(index_value, follows, slack * 1.01) {
            found.warn(line, format!("the index of {name} is printed as {index}, and {result} over {base} gives {follows:.1}"));
        }
        self.indices.push(index_value);
        let at = [("test", Value::from(name))];
        found.series(self.case, (Metric::Index, Unit::Count, Better::Higher), &at, &[index_value]);
    }
    fn score(&mut self, line: u32, printed: &str, row: &str, found: &mut Found) {
        let Some(value) = number(printed) else { return };
        self.score = Some(value);
        let logs: f64 = self.indices.iter().filter(|i| **i > 0.0).map(|i| i.ln()).sum();
        let count = self.indices.len().max(1) as f64;
        let mean = (logs / count).exp();
        // Small indices are printed to a tenth, too.
        let rounded: f64 = self.indices.iter().filter(|i| **i > 0.0).map(|i| 0.05 / i).sum();
        let slack = (rounded / count + rounding(printed) / value.max(0.1)) * 1.01;
        if self.indices.is_empty() {
            found.warn(line, "a score without the indices that it is the mean of");
        } else if (mean / value - 1.0).abs() > slack.max(5e-4) {
            found.warn(line, format!("the score is printed as {printed}, and the geometric mean of the indices is {mean:.1}"));
        }
        let of = [("Partial", "partial"), ("Non-Index", "non-index"), ("", "all")];
        let of = of.iter().find(|(word, _)| row.contains(word)).map_or("", |(_, of)| of);
        found.series(self.case, SCORE, &[("of", of.into())], &[value]);
        self.indices.clear();
    }
    fn end(self, found: &mut Found) {
        if self.results.is_empty() {
            let what =
                "this part holds no test: UnixBench 5.1.3 runs none with more than 16 copies";
            found.warn(self.line, what);
        } else if self.score.is_none() {
            found.warn(self.line, "the score of this part is not there: it is cut short");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_source_file_is_no_report() {
        let of = |text: &str| crate::Gathered::default().add("a", text.as_bytes()).unwrap_err();
        assert!(of("/* The BYTE UNIX Benchmarks - Release 3 */\n").is_unknown());
    }

    /// In the form of version 6.0.0.
    #[test]
    fn a_page_says_what_the_text_does() {
        let text = "   BYTE UNIX Benchmarks (Version 6.0.0)\n   OS: GNU/Linux -- 6.18.44 -- #1 SMP\n   CPU 0: AMD EPYC (5192.2 bogomips)\n\n2 CPUs in system; running 1 parallel copy of tests\n\nExecl Throughput   2239.8 lps   (29.0 s, 1 samples)\n\nSystem Benchmarks Partial Index   BASELINE   RESULT   INDEX\nExecl Throughput   43.0   2239.8   520.9\nSystem Benchmarks Index Score (Partial Only)    520.9\n";
        let row = |cells: &[&str]| {
            let cells = cells.iter().map(|c| format!("   <td align=right><b>{c}</b></td>\n"));
            format!("<tr>\n{}</tr>\n", cells.collect::<String>())
        };
        let page = format!(
            "<html>\n<p><b>BYTE UNIX Benchmarks (Version 6.0.0)</b></p>\n{}{}{}<h3>Benchmark Run: 2 CPUs; 1 parallel process</h3>\n{}{}</html>\n",
            row(&["System:", "secret: GNU/Linux"]),
            row(&["OS:", "GNU/Linux -- 6.18.44 -- #1 SMP"]),
            row(&["CPUs:", "0:", "AMD EPYC (5192.2 bogomips)<br/>"]),
            row(&["Execl Throughput", "2239.8", "lps", "29.0 s", "1", "43.0", "520.9"]),
            row(&["System Benchmarks Index Score (Partial Only):", "520.9"]),
        );
        let read = |text: &str| {
            let record = crate::gathered::imported("a", text);
            let facts = record.machine.facts.into_iter().map(|(name, fact)| (name, fact.known));
            (facts.collect::<Vec<_>>(), record.runs)
        };
        let (of_text, of_page) = (read(text), read(&page));
        assert_eq!(of_page.0, of_text.0);
        assert_eq!(of_page.1.len(), 1);
        assert_eq!(of_page.1[0].series(), of_text.1[0].series());
    }

    #[test]
    fn a_processor_without_a_name_has_none() {
        let mut found = Found::new(record::Source::default());
        about(1, "CPU 0: (38.4 bogomips)", &mut found);
        assert!(found.machine.facts.is_empty());
        about(2, "CPU 0: Some Core 5 (38.4 bogomips)", &mut found);
        assert_eq!(found.machine.text("cpu.model"), Some("Some Core 5"));
    }

    #[test]
    fn a_csv_has_a_case_for_each_number_of_copies() {
        let text = "Concurrency,Dhrystone 2 using register variables,Recursion Test -- Tower of Hanoi,\
                    File Copy 256 bufsize 500 maxblocks\n\
                    1,80000000.0,1.0,300000.0\n2,150000000.0,2.0\n4,150000000.0,x,2\n8,1.5,1,2.0\n";
        let text = Text::decode("results.csv", text.as_bytes()).unwrap();
        assert!(recognises(&text));
        let mut found = Found::new(record::Source::default());
        read(&text, &mut found).unwrap();
        let rates = |run: &record::Run| -> Vec<(u64, f64)> {
            let copies = run.case.get(param::COPIES).unwrap();
            run.series().iter().map(|s| (copies, s.samples[0])).collect()
        };
        let all: Vec<_> = found.runs.iter().flat_map(rates).collect();
        assert_eq!(all, [(1, 80e6), (1, 300_000.0 * 1024.0), (8, 1.5), (8, 2048.0)]);
        let lines: Vec<_> = found.source.warnings.iter().map(|w| w.line).collect();
        assert_eq!(lines, [Some(1), Some(3), Some(4)], "{:?}", found.source.warnings);
        let units = Text::decode("x", b"Concurrency,Recursion Test -- Tower of Hanoi\n1,2\n");
        assert!(read(&units.unwrap(), &mut found).unwrap_err().why.contains("no units"));
        let other = Text::decode("x", b"Concurrent,a\n1,2\n").unwrap();
        assert!(!recognises(&other));
    }
}
