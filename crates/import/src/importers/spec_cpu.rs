//! SPEC CPU's CSV and text report: the rate or ratio of each benchmark in each iteration, base and peak, its time, and the
//! suite's result.
//!
//! Limits: written after CPU2017; later suites with the same tables are read, with their name. The notes, and the outputs of
//! other tools in them, are left. A result that is not valid is an estimate by SPEC's rules.
//! Source: published CSV files of SPEC CPU2017 1.1.5 and 1.1.9, text reports of CPU2017 and CPU2026; SPEC, result-fields.
use crate::{cells::separated, prelude::*};

pub(crate) static IMPORTER: Importer = Importer::new("SPEC CPU", recognises, read);

/// A result with its notes has some 800 rows, of a dozen columns.
const MOST_ROWS: usize = 3_000;
const MOST_COLUMNS: usize = 64;
const TUNES: [&str; 2] = ["base", "peak"];

const FACTS: &FactTable = &[
    ("CPU Name", "cpu.model", Kind::Words),
    ("OS", "os.name", Kind::Words),
    ("Hardware Vendor", "system.vendor", Kind::Words),
    ("Hardware Model", "system.product", Kind::Words),
    ("Memory", "memory.installed", Kind::Bytes),
];
const MEGAHERTZ: &[(&str, &str)] =
    &[("Max MHz", "cpu.frequency.max"), ("Nominal", "cpu.frequency.base")];

/// The suite: `SPEC CPU2017 Integer Rate Result`.
fn suite(cells: &[String]) -> Option<&str> {
    cells[0].strip_prefix("SPEC CPU")?.strip_suffix(" Result")
}

fn recognises(text: &Text) -> bool {
    let title = |l: &str| l.trim_start_matches('"').starts_with("SPEC CPU");
    (text.any(|l| title(l) && suite(&separated(l)).is_some())
        && text.any(|l| l.contains("Results Table")))
        || is_report(text)
}

fn is_report(text: &Text) -> bool {
    text.any(|l| heads(l).is_some()) && text.any(|l| score(l).is_some())
}

/// The columns of a report's table, as the CSV names them.
fn heads(line: &str) -> Option<Vec<String>> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let ["Benchmarks", many @ ("Copies" | "Threads"), "Run", "Time", rate @ ("Rate" | "Ratio"), ..] =
        words[..]
    else {
        return None;
    };
    let of = |tune: &str| {
        [format!("{tune} # {many}"), format!("{tune} Run Time"), format!("{tune} {rate}")]
    };
    Some(["Benchmark".to_owned()].into_iter().chain(of("Base")).chain(of("Peak")).collect())
}

/// `Est. SPECrate(R)2017_int_base  2.82`, as the CSV names it, and its value.
fn score(line: &str) -> Option<(String, &str)> {
    let (name, value) = line.trim().trim_start_matches("Est. ").split_once(' ')?;
    let of = ["SPECrate", "SPECspeed"].iter().any(|kind| name.starts_with(kind));
    (of && name.contains('_')).then(|| (name.replace("(R)", ""), value.trim()))
}

/// The title of the suite of a score: `SPECrate2017_int_base` is of `SPEC CPU2017 Integer Rate Result`.
fn title(score: &str) -> Option<String> {
    let (suite, rest) = score.split_once('_')?;
    let (kind, year) = match suite.strip_prefix("SPECrate") {
        Some(year) => ("Rate", year),
        None => ("Speed", suite.strip_prefix("SPECspeed")?),
    };
    let of = if rest.starts_with("int") { "Integer" } else { "Floating Point" };
    Some(format!("SPEC CPU{year} {of} {kind} Result"))
}

/// The report's lines as rows of the CSV.
fn report(text: &Text) -> Vec<(u32, Vec<String>)> {
    let mut rows: Vec<(u32, Vec<String>)> = vec![];
    let named = text.lines().find_map(|l| title(&score(l.text)?.0));
    rows.extend(named.map(|title| (1, vec![title])));
    let mut columns = vec![];
    for line in text.lines().take(MOST_ROWS) {
        let mut row = |cells: Vec<String>| rows.push((line.number, cells));
        let mut cells: Vec<String> = line.text.split_whitespace().map(str::to_owned).collect();
        if let Some(heads) = heads(line.text) {
            columns = heads;
            row(vec!["Full Results Table".into()]);
            row(columns.clone());
        } else if line.text.trim().starts_with("=====") && !columns.is_empty() {
            row(vec!["Selected Results Table".into()]);
            row(columns.clone());
        } else if let Some((name, value)) = score(line.text) {
            row(vec![name, value.to_owned(), String::new()]);
        } else if cells.first().is_some_and(|name| name.contains('.') && name.contains('_')) {
            // Behind each rate stands whether it is the selected one.
            cells.retain(|cell| !["S", "*"].contains(&cell.as_str()));
            cells.resize(columns.len(), String::new());
            row(cells);
        } else if let Some((name, value)) = line.text.split_once(':') {
            row(vec![name.trim().trim_end_matches('.').to_owned(), value.trim().to_owned()]);
        }
    }
    rows
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let fits = |l: &Line<'_>| l.text.matches(',').count() < MOST_COLUMNS;
    let row = |l: Line<'_>| (l.number, separated(l.text));
    let rows: Vec<(u32, Vec<String>)> = match is_report(text) {
        true => report(text),
        false => text.lines().filter(fits).take(MOST_ROWS).map(row).collect(),
    };
    let field = |name: &str| value(&rows, name);
    let tested = rows.iter().find(|(_, cells)| cells[0].starts_with("Tested with SPEC CPU"));
    let mut table = Table::default();
    let mut results: Vec<(u32, String, f64)> = vec![];
    for (n, cells) in &rows {
        if let Some(name) = suite(cells) {
            table.suite = name.to_owned();
        } else if cells[0].ends_with("Results Table") {
            table.selected = cells[0].starts_with("Selected");
            table.heads.clear();
        } else if cells[0] == "Benchmark" {
            table.heads.clone_from(cells);
        } else if cells[0].starts_with("SPEC") && cells.len() > 2 {
            let value = cells.get(1).and_then(|c| number(c));
            results.extend(value.map(|value| (*n, cells[0].clone(), value)));
            table.heads.clear();
        } else if cells.len() == table.heads.len() {
            table.row(cells);
        }
    }
    let compiler = field("Compiler").map(|(_, words)| tidy(words));
    table.end(compiler, &results, found)?;
    // Results of all versions of a suite compare.
    if let Some(version) = tested.and_then(|(_, cells)| cells.get(1)) {
        found.version(version.trim_start_matches('v').trim_end_matches('.'));
    }
    facts(FACTS, |name| field(name).map(|(line, value)| Field { line, name: "", value }), found);
    for (name, fact) in MEGAHERTZ {
        let (line, mhz) = field(name).unwrap_or_default();
        found.known_in(line, fact, number(mhz).map(|mhz| mhz * 1e6), Unit::Hertz);
    }
    // `128 cores, 2 chips, 2 threads/core`.
    if let Some((line, enabled)) = field("Enabled") {
        let count = |what: &str| count_of(enabled, ", ", what);
        found.cores(line, count("chip"), count("core"));
        found.known(line, "cpu.threads_per_core", count("thread"));
    }
    if field("valid").is_some_and(|(_, valid)| valid == "0") {
        found.warn(1, "the result is not valid by SPEC's rules: an estimate");
    }
    Ok(())
}

/// The value of a named row, with its line.
fn value<'a>(rows: &'a [(u32, Vec<String>)], name: &str) -> Option<(u32, &'a str)> {
    let (line, cells) = rows.iter().find(|(_, cells)| {
        cells[0].trim_end_matches(':') == name && cells.get(1).is_some_and(|c| !c.is_empty())
    })?;
    Some((*line, cells[1].as_str()))
}

#[derive(Default)]
struct Table {
    suite: String,
    heads: Vec<String>,
    selected: bool,
    /// By base or peak, then benchmark: copies or threads, rates, times, and the selected rate.
    all: [Vec<(String, Benchmark)>; 2],
}

#[derive(Default)]
struct Benchmark {
    many: Option<(&'static str, u64)>,
    rates: Vec<f64>,
    times: Vec<f64>,
    selected: Option<f64>,
}

impl Table {
    fn row(&mut self, cells: &[String]) {
        for (tune, all) in TUNES.iter().zip(&mut self.all) {
            // `Base Rate`, of an estimate `Est. Base Rate`; of speed suites `Base Ratio`.
            let cell = |names: &[&str]| {
                let mut heads = self.heads.iter().zip(cells);
                let fits = |head: &str| {
                    let head = head.trim_start_matches("Est. ").to_lowercase();
                    let of = head.strip_prefix(*tune).unwrap_or("").trim().to_owned();
                    names.contains(&of.as_str())
                };
                heads.find(|(head, _)| fits(head)).map(|(_, cell)| cell.as_str())
            };
            let Some(rate) = cell(&["rate", "ratio"]).and_then(number).filter(|x| *x > 0.0) else {
                continue;
            };
            let copies = cell(&["# copies"]).and_then(whole).map(|n| ("copies", n));
            let many = copies.or(cell(&["# threads"]).and_then(whole).map(|n| ("threads", n)));
            let time = cell(&["run time"]).and_then(number);
            let known = all.iter().position(|(name, _)| *name == cells[0]);
            let at = known.unwrap_or_else(|| {
                all.push((cells[0].clone(), Benchmark::default()));
                all.len() - 1
            });
            let of = &mut all[at].1;
            if self.selected {
                of.selected = Some(rate);
            } else {
                of.rates.push(rate);
                of.times.extend(time);
            }
            of.many = many;
        }
    }
    fn end(
        self,
        compiler: Option<String>,
        results: &[(u32, String, f64)],
        found: &mut Found,
    ) -> Result<(), Problem> {
        let cut = self.all.iter().all(Vec::is_empty);
        Problem::when(cut, "no benchmark has a result: it is cut short")?;
        for (tune, benchmarks) in TUNES.into_iter().zip(self.all) {
            let mut params = vec![("suite", Value::from(tidy(&self.suite))), ("tune", tune.into())];
            params.extend(compiler.as_deref().map(|words| ("compiler", words.into())));
            let printed = results.iter().find(|(_, name, _)| name.ends_with(&format!("_{tune}")));
            let selected: Vec<f64> = benchmarks.iter().filter_map(|(_, b)| b.selected).collect();
            let mean =
                (selected.iter().map(|x| x.ln()).sum::<f64>() / selected.len().max(1) as f64).exp();
            // All the same in a rate; a peak of a speed suite may have fewer threads for some.
            let many = benchmarks.first().and_then(|(_, b)| b.many);
            let same = benchmarks.iter().all(|(_, b)| b.many == many);
            if let Some((n, name, value)) = printed {
                let case = found.case(*n, ProbeId::SpecCpu, &params);
                let at = [("of", Value::from(tidy(name)))];
                found.series(case, SCORE, &at, &[*value]);
                if let Some((what, n)) = many.filter(|_| same) {
                    found.series(case, neither(what.into(), Unit::Count), &at, &[n as f64]);
                }
                if !selected.is_empty() && !agree(*value, mean, 1e-3 * value) {
                    let what =
                        format!("{name} is {value}, and the benchmarks' geometric mean {mean:.6}");
                    found.warn(*n, what);
                }
            }
            for (name, of) in benchmarks {
                let case = found.case(1, ProbeId::SpecCpu, &params);
                let rates =
                    if of.rates.is_empty() { of.selected.into_iter().collect() } else { of.rates };
                let at = [("of", Value::from(name))];
                found.series(case, SCORE, &at, &rates);
                // The score in other words.
                found.series(case, neither(Metric::Elapsed, Unit::Seconds), &at, &of.times);
                if let Some((what, n)) = of.many.filter(|_| !same || printed.is_none()) {
                    found.series(case, neither(what.into(), Unit::Count), &at, &[n as f64]);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::Gathered;
    use record::Provenance;

    /// Made up after reports of CPU2017 and CPU2026.
    #[test]
    fn a_report_gives_what_the_csv_does() {
        let text = "                 Estimated                       Estimated\n                 Base     Base        Base        Peak     Peak        Peak\nBenchmarks       Copies  Run Time     Rate        Copies  Run Time     Rate\n--------------- -------  ---------  ---------    -------  ---------  ---------\n706.stockfish_r       4        310       4.00  *\n706.stockfish_r       4        311       4.20  S\n777.zstd_r            4        309       1.00  *       4   300   2.00  *\n753.ns3_r                                NR\n==========\n706.stockfish_r       4        310       4.00  *\n777.zstd_r            4        309       1.00  *\n Est. SPECrate(R)2026_int_base            2.00\n Est. SPECrate(R)2026_int_peak                   Not Run\n\nCPU Name: Some Core\n  Enabled: 4 cores, 1 chip\n";
        let mut gathered = Gathered::default();
        let read = gathered.add("report.txt", text.as_bytes()).unwrap();
        assert_eq!((read.formats, read.warnings), (vec!["SPEC CPU".to_owned()], 0));
        let record = gathered.record(Provenance::default());
        assert_eq!(record.machine.text("cpu.model"), Some("Some Core"));
        assert_eq!(record.machine.integer("cpu.sockets"), Some(1));
        let suite = |run: &record::Run| run.case.params["suite"] == "2026 Integer Rate".into();
        assert!(record.runs.iter().all(suite));
        let scores = |of: &str| -> Vec<f64> {
            let all = record.runs.iter().flat_map(|run| run.series());
            let of = all.filter(|s| s.metric == record::Metric::Score && s.at["of"] == of.into());
            of.flat_map(|s| s.samples.clone()).collect()
        };
        assert_eq!(scores("706.stockfish_r"), [4.0, 4.2]);
        assert_eq!(scores("777.zstd_r"), [1.0, 2.0]);
        assert_eq!(scores("SPECrate2026_int_base"), [2.0]);
    }
}
