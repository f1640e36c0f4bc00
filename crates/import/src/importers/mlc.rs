//! Intel Memory Latency Checker: idle latencies and bandwidths between nodes, peak bandwidth by mix of reads and writes,
//! latency under load, cache to cache.
//!
//! Limits: MB are 10^6 bytes. Whether prefetchers were off (root) and pages huge (`-e`, `-X`) is not always printed.
//! Source: Intel MLC's readme; published outputs of 3.5, 3.9, 3.9a, 3.10 and 3.11b.
use crate::{grammar::Matrix, prelude::*};

pub(crate) static IMPORTER: Importer = Importer::new("Intel MLC", recognises, read);

const LATENCY: Quantity = seconds(Metric::IdleLatency);
const CACHE_TO_CACHE: Quantity = seconds(Metric::CacheToCache);

/// The measurements of MLC, in the order of its output.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
enum Part {
    #[default]
    Unknown,
    IdleLatency,
    NodeBandwidth,
    PeakBandwidth,
    MaximumBandwidth,
    LoadedLatency,
    CacheToCache,
}

const HEADS: &[(&str, Part)] = &[
    ("Measuring idle latencies", Part::IdleLatency),
    ("Measuring Memory Bandwidths between nodes", Part::NodeBandwidth),
    ("Measuring Peak Injection Memory Bandwidths", Part::PeakBandwidth),
    ("Measuring Maximum Memory Bandwidths", Part::MaximumBandwidth),
    ("Measuring Loaded Latencies", Part::LoadedLatency),
    ("Measuring cache-to-cache transfer latency", Part::CacheToCache),
    ("Measuring", Part::Unknown),
];

/// The part that begins at a line.
fn part(line: &str) -> Option<Part> {
    HEADS.iter().find_map(|(head, part)| line.trim_start().starts_with(head).then_some(*part))
}

fn recognises(text: &Text) -> bool {
    text.any(|l| {
        l.contains("Memory Latency Checker") || part(l).is_some_and(|p| p != Part::Unknown)
    })
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut output = Output::default();
    let mut last = 0;
    for line in text.lines() {
        last = line.number;
        if !output.setting(line, found) {
            output.result(line, found)?;
        }
    }
    match found.runs.is_empty() {
        true => Err(Problem::at(last, "MLC printed no number: it needs root, or -e in a guest")),
        false => Ok(()),
    }
}

/// The part that is being read, and the settings printed before it.
#[derive(Default)]
struct Output {
    part: Part,
    case: Option<usize>,
    matrix: Matrix,
    traffic: Option<String>,
    order: Option<&'static str>,
    buffer: Option<u64>,
    /// Heading of the cache-to-cache matrix.
    pair: String,
}

impl Output {
    /// Reads a line that is no result; false if it may be one.
    fn setting(&mut self, line: Line<'_>, found: &mut Found) -> bool {
        let row = line.text.trim();
        if let Some((_, version)) = row.split_once("Memory Latency Checker - v") {
            found.version(version.split_whitespace().next().unwrap_or(""));
        } else if let Some(command_line) = command(line.text, &["mlc"]) {
            found.command(command_line);
        } else if let Some(part) = part(row) {
            (self.part, self.case, self.matrix) = (part, None, Matrix::default());
            // Since 3.11 sequential loads, with prefetchers off, unless it may not switch them off.
            let printed = |order: &&str| row.contains(&format!("for {order} access"));
            self.order = ["random", "sequential"].into_iter().find(printed);
        } else if let Some(size) = row.strip_prefix("Using buffer size of ") {
            self.buffer = bytes(size.split(['/', ' ']).next().unwrap_or(""));
        } else if row.contains("enabling random access for latency") {
            self.order = Some("random");
        } else if let Some(traffic) =
            row.strip_prefix("Using ").and_then(|r| r.strip_suffix(" traffic type"))
        {
            self.traffic = Some(tidy(traffic)).filter(|t| !t.is_empty());
        } else {
            return false;
        }
        true
    }
    fn result(&mut self, line: Line<'_>, found: &mut Found) -> Result<(), Problem> {
        let (n, row) = (line.number, line.text.trim());
        let words: Vec<&str> = row.split_whitespace().collect();
        if row.starts_with("Each iteration took ") {
            self.idle_latency(n, row, found);
        } else if !words.is_empty() {
            match self.part {
                Part::Unknown => {}
                Part::IdleLatency | Part::NodeBandwidth => return self.nodes(n, &words, found),
                Part::PeakBandwidth | Part::MaximumBandwidth => self.peak(n, row, found),
                Part::LoadedLatency => self.loaded(n, &words, found),
                Part::CacheToCache => self.caches(n, row, &words, found),
            }
        }
        Ok(())
    }
    fn case(
        &mut self,
        n: u32,
        probe: ProbeId,
        params: &[(&str, Value)],
        found: &mut Found,
    ) -> usize {
        *self.case.get_or_insert_with(|| found.case(n, probe, params))
    }
    fn traffic(&self) -> Option<Value> {
        self.traffic.as_deref().map(Value::from)
    }
    /// `Each iteration took 31.1 base frequency clocks ( 12.5 ns)`, of `--idle_latency`.
    fn idle_latency(&self, n: u32, row: &str, found: &mut Found) {
        let inside = row.rsplit_once('(').and_then(|(_, rest)| rest.trim_end().strip_suffix(')'));
        let Some((ns, "ns")) = inside.and_then(leading) else {
            found.warn(n, "an iteration's nanoseconds are not there");
            return;
        };
        let case =
            found.case(n, ProbeId::MlcIdle, &known([("order", self.order.map(Value::from))]));
        let at = known([("working_set", self.buffer.map(Value::from))]);
        found.series(case, LATENCY, &at, &[ns * 1e-9]);
    }
    /// The matrix of idle latencies or of bandwidths between nodes.
    fn nodes(&mut self, n: u32, words: &[&str], found: &mut Found) -> Result<(), Problem> {
        if whole(words[0]).is_none() {
            self.matrix.head(words);
            return Ok(());
        }
        // Authors comment on the rows that they paste.
        let numbers = words.iter().take_while(|w| number(w).is_some()).count();
        let (cells, columns) = (numbers - 1, self.matrix.columns.len());
        let Some((from, row)) =
            self.matrix.row(&words[..numbers]).filter(|_| columns > 0 && cells <= columns)
        else {
            return Err(Problem::at(n, "a row of the matrix has more cells than its head"));
        };
        if cells < columns {
            found.warn(n, format!("node {from} has {cells} of {columns} cells: it is cut short"));
        }
        let idle = self.part == Part::IdleLatency;
        let params = known([
            ("traffic", self.traffic().filter(|_| !idle)),
            ("order", self.order.filter(|_| idle).map(Value::from)),
        ]);
        let case = self.case(n, ProbeId::NumaMatrix, &params, found);
        let (metric, factor) = if idle { (LATENCY, 1e-9) } else { (BANDWIDTH, 1e6) };
        for (to, value) in row.into_iter().filter_map(|(to, value)| Some((to, value?))) {
            let at = [("from", Value::from(from)), ("to", to.into())];
            found.series(case, metric, &at, &[value * factor]);
        }
        Ok(())
    }
    fn peak(&mut self, n: u32, row: &str, found: &mut Found) {
        let Some((mix, rate)) = row.rsplit_once(':') else { return };
        let Some(rate) = number(rate)
            .filter(|_| ["Read", "triad", "write"].iter().any(|word| mix.contains(word)))
        else {
            return;
        };
        // `--max_bandwidth` tries several rates of injection, for minutes, where the other injects all it can.
        let best = self.part == Part::MaximumBandwidth;
        let params = known([
            ("threads", Some("all".into())),
            ("injection", best.then(|| "best rate".into())),
        ]);
        let case = self.case(n, ProbeId::MlcPeak, &params, found);
        found.series(case, BANDWIDTH, &[("traffic", tidy(mix).into())], &[rate * 1e6]);
    }
    fn loaded(&mut self, n: u32, words: &[&str], found: &mut Found) {
        let [delay, latency, rate] = words[..] else { return };
        let (Some(delay), Some(ns), Some(rate)) = (whole(delay), number(latency), number(rate))
        else {
            return;
        };
        let case = self.case(n, ProbeId::MlcLoaded, &known([("traffic", self.traffic())]), found);
        let at = [("delay", Value::from(delay))];
        found.series(case, seconds(Metric::LoadedLatency), &at, &[ns * 1e-9]);
        found.series(case, INJECTED, &at, &[rate * 1e6]);
    }
    fn caches(&mut self, n: u32, row: &str, words: &[&str], found: &mut Found) {
        if let Some((what, value)) =
            row.rsplit_once("latency").filter(|(what, _)| what.contains("L2->L2"))
        {
            // A matrix of sockets follows where no number does.
            self.pair = tidy(&format!("{what} {}", value.trim().trim_matches(['(', ')'])));
            self.matrix = Matrix::default();
            let Some(ns) = number(value) else { return };
            let case = self.case(n, ProbeId::MlcCaches, &[], found);
            found.series(case, CACHE_TO_CACHE, &[("pair", tidy(what).into())], &[ns * 1e-9]);
        } else if row.starts_with("Writer Numa Node") {
            self.matrix.head(words);
        } else if let Some((writer, cells)) =
            self.matrix.row(words).filter(|_| !self.matrix.columns.is_empty())
        {
            let case = self.case(n, ProbeId::MlcCaches, &[], found);
            // A dash stands for a socket with itself.
            for (reader, ns) in cells.into_iter().filter_map(|(to, ns)| Some((to, ns?))) {
                let at = [
                    ("pair", self.pair.as_str().into()),
                    ("writer", Value::from(writer)),
                    ("reader", reader.into()),
                ];
                found.series(case, CACHE_TO_CACHE, &at, &[ns * 1e-9]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::{Gathered, gathered::imported};
    use record::param;
    use record::{Outcome, Provenance};

    /// Made up after the format; MLC's licence keeps its output out of most repositories.
    const EXAMPLE: &str = "Intel(R) Memory Latency Checker - v3.9\nMeasuring idle latencies (in ns)...\n\t\tNuma node\nNuma node\t     0\t     1\t\n       0\t  80.0\t 140.0\t\n       1\t 141.0\t  81.0\t\n\nMeasuring Peak Injection Memory Bandwidths for the system\nBandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)\nALL Reads        :\t200000.5\t\n3:1 Reads-Writes :\t190000.0\t\nStream-triad like:\t180000.0\t\n\nMeasuring Loaded Latencies for the system\nUsing Read-only traffic type\nInject\tLatency\tBandwidth\nDelay\t(ns)\tMB/sec\n==========================\n 00000\t250.50\t 200000.0\n 00500\t 90.00\t  10000.0\n\nMeasuring cache-to-cache transfer latency (in ns)...\nLocal Socket L2->L2 HIT  latency\t50.0\n";

    /// Made up after a published output of `mlc --idle_latency` 3.10 and the head of 3.11's matrix.
    #[test]
    fn one_buffer_and_the_order_of_loads_are_read() {
        let run_in = |text: &str| imported("mlc.txt", text).runs.remove(0);
        let run = run_in(
            "Intel(R) Memory Latency Checker - v3.10\nCommand line parameters: --idle_latency -c0 -L -b10m\n\nUsing buffer size of 10.000MiB\n*** So, enabling random access for latency measurements\nEach iteration took 31.0 base frequency clocks (\t12.4\tns)\n",
        );
        assert_eq!(
            (run.case.probe.as_str(), run.case.get(param::ORDER)),
            ("mlc_idle", Some("random"))
        );
        let Outcome::Measured(all) = &run.outcome else { panic!() };
        assert_eq!(all[0].at["working_set"], (10u64 << 20).into());
        assert!((all[0].samples[0] - 12.4e-9).abs() < 1e-15);
        let run = run_in(
            "Intel(R) Memory Latency Checker - v3.11b\nMeasuring idle latencies for sequential access (in ns)...\n                Numa node\nNuma node            0\n       0          83.0\n",
        );
        assert_eq!(run.case.get(param::ORDER), Some("sequential"));
    }

    #[test]
    fn every_part_is_read() {
        let mut gathered = Gathered::default();
        let read = gathered.add("mlc.txt", EXAMPLE.as_bytes()).unwrap();
        assert_eq!(
            (read.series, read.warnings, read.formats),
            (12, 0, vec!["Intel MLC 3.9".into()])
        );
        let record = gathered.record(Provenance::default());
        let Outcome::Measured(matrix) = &record.runs[0].outcome else { panic!() };
        let far = matrix
            .iter()
            .find(|s| s.at["from"] == 1u64.into() && s.at["to"] == 0u64.into())
            .unwrap();
        assert!((far.samples[0] - 141e-9).abs() < 1e-15);
        let cut = &EXAMPLE[..EXAMPLE.find(" 140.0").unwrap()];
        let mut cut_short = Gathered::default();
        assert_eq!(cut_short.add("mlc.txt", cut.as_bytes()).unwrap().warnings, 1);
    }
}
