//! Intel Memory Latency Checker: idle latencies and bandwidths between nodes, peak bandwidth by mix of reads and writes,
//! latency under load, cache to cache.
//!
//! Limits: MB are 10^6 bytes. Whether prefetchers were off (root) and pages huge (`-e`, `-X`) is not always printed.
//! Source: Intel MLC's readme; published outputs of 3.5, 3.9, 3.9a, 3.10 and 3.11b.
use crate::found::{Found, Problem};
use crate::importer::{Importer, Sure};
use crate::number::{bytes, leading, number, whole};
use crate::session::{command, kept};
use crate::text::{Text, tidy};
use record::{Better, Unit, Value};

/// The importer.
#[derive(Debug)]
pub struct Mlc;

const LATENCY: (&str, Unit, Better) = ("idle_latency", Unit::Seconds, Better::Lower);
const BANDWIDTH: (&str, Unit, Better) = ("bandwidth", Unit::BytesPerSecond, Better::Higher);

#[derive(Clone, Copy, PartialEq)]
enum Part {
    Nothing,
    Idle,
    Between,
    Peak,
    Most,
    Loaded,
    Caches,
}

/// What the lines after this one are.
fn part(line: &str) -> Option<Part> {
    let heads = [
        ("Measuring idle latencies", Part::Idle),
        ("Measuring Memory Bandwidths between nodes", Part::Between),
        ("Measuring Peak Injection Memory Bandwidths", Part::Peak),
        ("Measuring Maximum Memory Bandwidths", Part::Most),
        ("Measuring Loaded Latencies", Part::Loaded),
        ("Measuring cache-to-cache transfer latency", Part::Caches),
        ("Measuring", Part::Nothing),
    ];
    heads.into_iter().find_map(|(head, part)| line.trim_start().starts_with(head).then_some(part))
}

/// `Each iteration took 31.1 base frequency frequencies ( 12.5 ns)`, of `--idle_latency`.
fn alone(n: u32, row: &str, order: Option<&str>, buffer: Option<u64>, found: &mut Found) {
    let inside = row.rsplit_once('(').and_then(|(_, rest)| rest.trim_end().strip_suffix(')'));
    let Some((ns, "ns")) = inside.and_then(leading) else {
        found.warn(n, "an iteration's nanoseconds are not there");
        return;
    };
    let params: Vec<(&str, Value)> = order.map(|o| ("order", o.into())).into_iter().collect();
    let case = found.case(n, "mlc_idle", &params);
    let at: Vec<(&str, Value)> = buffer.map(|b| ("working_set", b.into())).into_iter().collect();
    found.series(case, LATENCY, &at, &[ns * 1e-9]);
}

impl Importer for Mlc {
    fn title(&self) -> &'static str {
        "Intel MLC"
    }
    fn recognise(&self, text: &Text) -> Sure {
        let head = |l: &str| {
            l.contains("Memory Latency Checker") || part(l).is_some_and(|p| p != Part::Nothing)
        };
        if text.any(head) { Sure::Certain } else { Sure::No }
    }
    fn read(&self, text: &Text, found: &mut Found) -> Result<(), Problem> {
        let (mut now, mut case, mut nodes, mut last) = (Part::Nothing, None, vec![], 0);
        let (mut traffic, mut order, mut buffer) = (String::new(), None, None);
        let mut pair = String::new();
        for line in text.lines() {
            let n = line.number;
            last = n;
            let row = line.text.trim();
            let words: Vec<&str> = row.split_whitespace().collect();
            if let Some((_, version)) = row.split_once("Memory Latency Checker - v") {
                found.version(version.split_whitespace().next().unwrap_or(""));
            } else if let Some(asked) = command(line.text, &["mlc"]) {
                found.source.command.get_or_insert(kept(asked));
            } else if let Some(next) = part(row) {
                (now, case, nodes) = (next, None, vec![]);
                // Since 3.11 sequential loads, with prefetchers off, unless it may not switch them off.
                order = ["random", "sequential"]
                    .into_iter()
                    .find(|o| row.contains(&format!("for {o} access")));
            } else if let Some(of) = row.strip_prefix("Using buffer size of ") {
                buffer = bytes(of.split(['/', ' ']).next().unwrap_or(""));
            } else if row.contains("enabling random access for latency") {
                order = Some("random");
            } else if row.starts_with("Each iteration took ") {
                self::alone(n, row, order, buffer, found);
            } else if let Some(of) =
                row.strip_prefix("Using ").and_then(|r| r.strip_suffix(" traffic type"))
            {
                traffic = tidy(of);
            } else if now == Part::Nothing || words.is_empty() {
                continue;
            } else if matches!(now, Part::Idle | Part::Between) {
                let numbers: Vec<f64> = words.iter().map_while(|w| number(w)).collect();
                if words.first().is_some_and(|w| whole(w).is_none()) {
                    // `Numa node  0  1`; the line above it has no numbers.
                    let ids: Vec<u64> = words.iter().filter_map(|w| whole(w)).collect();
                    nodes = if ids.is_empty() { nodes } else { ids };
                    continue;
                }
                let Some(from) = whole(words[0]) else { continue };
                // Authors comment on the rows that they paste.
                let cells: Vec<&str> =
                    words[1..].iter().copied().take_while(|w| number(w).is_some()).collect();
                if nodes.is_empty() || cells.len() > nodes.len() {
                    return Err(Problem::at(n, "a row of the matrix has more cells than its head"));
                }
                if cells.len() < nodes.len() {
                    found.warn(
                        n,
                        format!(
                            "node {from} has {} of {} cells: it is cut short",
                            cells.len(),
                            nodes.len()
                        ),
                    );
                }
                let case = *case.get_or_insert_with(|| {
                    let mut params: Vec<(&str, Value)> = vec![];
                    params.extend(
                        (now == Part::Between && !traffic.is_empty())
                            .then(|| ("traffic", traffic.as_str().into())),
                    );
                    params.extend(order.filter(|_| now == Part::Idle).map(|o| ("order", o.into())));
                    found.case(n, "numa_matrix", &params)
                });
                for (to, value) in nodes.iter().zip(numbers.iter().skip(1)) {
                    let at = [("from", Value::from(from)), ("to", Value::from(*to))];
                    match now {
                        Part::Idle => found.series(case, LATENCY, &at, &[value * 1e-9]),
                        _ => found.series(case, BANDWIDTH, &at, &[value * 1e6]),
                    }
                }
            } else if matches!(now, Part::Peak | Part::Most) {
                let Some((kind, rate)) = row.rsplit_once(':') else { continue };
                let Some(rate) =
                    number(rate).filter(|_| kind.contains("Reads") || kind.contains("triad"))
                else {
                    continue;
                };
                // `--max_bandwidth` tries several rates of injection, for minutes, where the other injects all it can.
                let case = *case.get_or_insert_with(|| {
                    let mut params: Vec<(&str, Value)> = vec![("threads", "all".into())];
                    params.extend((now == Part::Most).then(|| ("injection", "best rate".into())));
                    found.case(n, "mlc_peak", &params)
                });
                found.series(case, BANDWIDTH, &[("traffic", tidy(kind).into())], &[rate * 1e6]);
            } else if now == Part::Loaded {
                let [delay, latency, rate] = words[..] else { continue };
                let (Some(delay), Some(latency), Some(rate)) =
                    (whole(delay), number(latency), number(rate))
                else {
                    continue;
                };
                let case = *case.get_or_insert_with(|| {
                    let params: Vec<(&str, Value)> = (!traffic.is_empty())
                        .then(|| ("traffic", traffic.as_str().into()))
                        .into_iter()
                        .collect();
                    found.case(n, "mlc_loaded", &params)
                });
                let at = [("delay", Value::from(delay))];
                found.series(
                    case,
                    ("loaded_latency", Unit::Seconds, Better::Lower),
                    &at,
                    &[latency * 1e-9],
                );
                found.series(
                    case,
                    ("injected", Unit::BytesPerSecond, Better::Neither),
                    &at,
                    &[rate * 1e6],
                );
            } else if now == Part::Caches {
                const BETWEEN: (&str, Unit, Better) =
                    ("cache_to_cache", Unit::Seconds, Better::Lower);
                if let Some((what, value)) =
                    row.rsplit_once("latency").filter(|(w, _)| w.contains("L2->L2"))
                {
                    // A matrix of sockets follows where no number does.
                    pair = tidy(&format!("{what} {}", value.trim().trim_matches(['(', ')'])));
                    nodes.clear();
                    let Some(value) = number(value) else { continue };
                    let case = *case.get_or_insert_with(|| found.case(n, "mlc_caches", &[]));
                    let at = [("pair", tidy(what).into())];
                    found.series(case, BETWEEN, &at, &[value * 1e-9]);
                } else if row.starts_with("Writer Numa Node") {
                    nodes = words.iter().filter_map(|w| whole(w)).collect();
                } else if let Some(from) = whole(words[0]).filter(|_| !nodes.is_empty()) {
                    let case = *case.get_or_insert_with(|| found.case(n, "mlc_caches", &[]));
                    for (to, cell) in nodes.iter().zip(&words[1..]) {
                        // A socket with itself is a line.
                        let Some(value) = number(cell) else { continue };
                        let at = [
                            ("pair", pair.as_str().into()),
                            ("writer", Value::from(from)),
                            ("reader", Value::from(*to)),
                        ];
                        found.series(case, BETWEEN, &at, &[value * 1e-9]);
                    }
                }
            }
        }
        if found.runs.is_empty() {
            return Err(Problem::at(
                last,
                "MLC printed no number: it needs root, or -e in a guest",
            ));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {

    use crate::Gathered;
    use record::{Outcome, Provenance};

    /// Made up after the format; MLC's licence keeps its output out of most repositories.
    const EXAMPLE: &str = "Intel(R) Memory Latency Checker - v3.9\nMeasuring idle latencies (in ns)...\n\t\tNuma node\nNuma node\t     0\t     1\t\n       0\t  80.0\t 140.0\t\n       1\t 141.0\t  81.0\t\n\nMeasuring Peak Injection Memory Bandwidths for the system\nBandwidths are in MB/sec (1 MB/sec = 1,000,000 Bytes/sec)\nALL Reads        :\t200000.5\t\n3:1 Reads-Writes :\t190000.0\t\nStream-triad like:\t180000.0\t\n\nMeasuring Loaded Latencies for the system\nUsing Read-only traffic type\nInject\tLatency\tBandwidth\nDelay\t(ns)\tMB/sec\n==========================\n 00000\t250.50\t 200000.0\n 00500\t 90.00\t  10000.0\n\nMeasuring cache-to-cache transfer latency (in ns)...\nLocal Socket L2->L2 HIT  latency\t50.0\n";

    /// Made up after a published output of `mlc --idle_latency` 3.10 and the head of 3.11's matrix.
    #[test]
    fn one_buffer_and_the_order_of_loads_are_read() {
        let of = |text: &str| {
            let mut gathered = Gathered::default();
            gathered.add("mlc.txt", text.as_bytes()).unwrap();
            gathered.record(Provenance::default()).runs.remove(0)
        };
        let run = of(
            "Intel(R) Memory Latency Checker - v3.10\nCommand line parameters: --idle_latency -c0 -L -b10m\n\nUsing buffer size of 10.000MiB\n*** So, enabling random access for latency measurements\nEach iteration took 31.0 base frequency frequencies (\t12.4\tns)\n",
        );
        assert_eq!((run.case.probe.as_str(), run.case.text("order")), ("mlc_idle", Some("random")));
        let Outcome::Measured(all) = &run.outcome else { panic!() };
        assert_eq!(all[0].at["working_set"], (10u64 << 20).into());
        assert!((all[0].samples[0] - 12.4e-9).abs() < 1e-15);
        let run = of(
            "Intel(R) Memory Latency Checker - v3.11b\nMeasuring idle latencies for sequential access (in ns)...\n                Numa node\nNuma node            0\n       0          83.0\n",
        );
        assert_eq!(run.case.text("order"), Some("sequential"));
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
