//! sysbench 0.4, 0.5 and 1.x: cpu, memory, OLTP and other tests, by the words of their summary; sysbench-tpcc, whose summary is
//! sysbench's, by its command or its own lines in between.
//!
//! Limits: 0.4 does a fixed number of events and prints the time, 1.x counts events in a fixed time; the version is part of
//! the tool, for the tests changed between them. Rates are means over the whole run. sysbench-tpcc counts transactions of all
//! five kinds, not new orders; without its interval lines and its command it is read as OLTP. Queries of 0.4
//! and 0.5 are the sum of the requests and the other operations, which later versions count as queries.
//! Source: sysbench, src/sb_ctype.c of 0.4, src/sysbench.c and src/db_driver.c of 1.0; sysbench-tpcc, tpcc_common.lua, and the
//! outputs in Percona-Lab-results/201808-rocksdb-cloudio.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("sysbench", recognises, read);

/// `sysbench 1.0.20 (using ...)`, `sysbench 0.4.12:  multi-threaded ...`.
fn version(line: &str) -> Option<&str> {
    let word = line.trim().strip_prefix("sysbench ")?.split([' ', ':']).next()?;
    (word.starts_with(|c: char| c.is_ascii_digit()) && word.contains('.')).then_some(word)
}

/// A line in between as sysbench-tpcc writes it: `err/s 0.00`, where sysbench itself has a colon.
fn tpcc(line: &str) -> bool {
    let errors =
        line.split_once("err/s ").map(|(_, rest)| rest.starts_with(|c: char| c.is_ascii_digit()));
    line.starts_with("[ ") && line.contains(" thds: ") && errors == Some(true)
}

/// A line's label and value.
fn pair(line: &str) -> Option<(&str, &str)> {
    let (label, value) = line.trim().split_once(':')?;
    Some((label.trim(), value.trim())).filter(|(_, v)| !v.is_empty())
}

fn recognises(text: &Text) -> bool {
    let head = text.any(|l| version(l).is_some());
    let end = text.any(|l| {
        let l = l.trim();
        l.starts_with("General statistics:")
            || l.starts_with("Test execution summary:")
            || l.starts_with("Throughput:")
    });
    end && (head || text.any(|l| l.trim_start().starts_with("total number of events:")))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut run: Option<Summary> = None;
    let mut asked_tpcc = false;
    for line in text.lines() {
        let n = line.number;
        if let Some(version) = version(line.text) {
            run.take().into_iter().for_each(|r: Summary| r.end(found));
            found.version(version);
            let test = asked_tpcc.then_some("tpcc");
            run = Some(Summary { line: n, test, ..Summary::default() });
        } else if let Some(command_line) = command(line.text, &["sysbench", "tpcc.lua"]) {
            asked_tpcc = command_line.contains("tpcc.lua");
            found.command(command_line);
        } else {
            let run = run.get_or_insert_with(|| Summary { line: n, ..Summary::default() });
            run.line(n, line.text)?;
        }
    }
    run.into_iter().for_each(|r| r.end(found));
    Ok(())
}

/// A printed figure.
type Figure = (Quantity, f64);

#[derive(Default)]
struct Summary {
    line: u32,
    threads: Option<u64>,
    params: Vec<(&'static str, Value)>,
    test: Option<&'static str>,
    figures: Vec<Figure>,
    time: Option<(f64, f64)>,
    events: Option<f64>,
    rate: Option<(u32, f64)>,
    latency: bool,
}

impl Summary {
    fn line(&mut self, n: u32, text: &str) -> Result<(), Problem> {
        let trimmed = text.trim();
        if tpcc(trimmed) {
            self.test = Some("tpcc");
            return Ok(());
        }
        if trimmed.starts_with("Latency (ms)")
            || trimmed.starts_with("per-request statistics")
            || trimmed.starts_with("response time")
        {
            self.latency = true;
            return Ok(());
        }
        let tests = [
            ("Running memory speed test", "memory"),
            ("Doing CPU performance benchmark", "cpu"),
            ("Doing OLTP test", "oltp"),
        ];
        let begun = tests.iter().find(|(words, _)| trimmed.starts_with(words));
        self.test = begun.map(|(_, test)| *test).or(self.test);
        if let Some((moved, rest)) = trimmed.split_once(" transferred (") {
            let mib = rest.split_once(['M', ' ']).and_then(|(x, _)| number(x));
            let rate =
                mib.ok_or_else(|| Problem::at(n, format!("'{}' holds no rate", tidy(moved))))?;
            self.test = Some("memory");
            // 0.4 wrote MB for the same mebibytes.
            self.figures.push((BANDWIDTH, rate * 1_048_576.0));
            return Ok(());
        }
        let Some((label, value)) = pair(trimmed) else { return Ok(()) };
        let per = || value.split_once('(').and_then(|(_, r)| leading(r)).map(|(x, _)| x);
        let time =
            || leading(value).map(|(x, unit)| if unit.starts_with("ms") { x * 1e-3 } else { x });
        let bad = || Problem::at(n, format!("'{}' is no value of {}", tidy(value), tidy(label)));
        match label {
            "Number of threads" => self.threads = whole(value),
            "Prime numbers limit" | "Maximum prime number checked in CPU test" => {
                self.test = Some("cpu");
                self.params.extend(whole(value).map(|p| ("primes", p.into())));
            }
            "block size" => self.params.push(("block", tidy(value).into())),
            "operation" => self.params.push(("operation", tidy(value).into())),
            "scope" => self.params.push(("scope_of_memory", tidy(value).into())),
            "events per second" => {
                let rate = number(value.split_whitespace().next().unwrap_or("")).ok_or_else(bad)?;
                self.rate = Some((n, rate));
                self.figures.push((per_second(Metric::Events), rate));
            }
            "transactions" => {
                self.test.get_or_insert("oltp");
                self.figures.push((per_second(Metric::Transactions), per().ok_or_else(bad)?));
            }
            "queries" | "read/write requests" => {
                self.figures.extend(per().map(|x| (per_second(Metric::Queries), x)))
            }
            // What versions from 1.0 on count as queries, too: BEGIN and COMMIT.
            "other operations" => {
                if let Some(queries) = self.figures.iter_mut().find(|f| f.0.0 == Metric::Queries) {
                    queries.1 += per().unwrap_or(0.0);
                }
            }
            "total time" | "time elapsed" => {
                let time = time().ok_or_else(bad)?;
                self.time = Some((time, rounding(value)));
                self.figures.push((seconds(Metric::Elapsed), time));
            }
            "total number of events" => self.events = number(value),
            "min" | "avg" | "max" if self.latency => {
                let (x, _) = leading(value).ok_or_else(bad)?;
                let name = match label {
                    "min" => Metric::LatencyLeast,
                    "avg" => Metric::LatencyMean,
                    _ => Metric::LatencyMost,
                };
                self.figures.push((seconds(name), x * 1e-3));
            }
            "95th percentile" | "approx.  95 percentile" | "approx. 95 percentile"
                if self.latency =>
            {
                self.figures
                    .extend(leading(value).map(|(x, _)| (seconds(Metric::Latency95), x * 1e-3)));
            }
            _ => {}
        }
        Ok(())
    }
    fn end(self, found: &mut Found) {
        if self.figures.is_empty() {
            return;
        }
        let mut params = self.params;
        params.push(("test", self.test.unwrap_or("unknown").into()));
        params.push(("statistic", "mean".into()));
        params.extend(self.threads.map(|t| ("thread_count", t.into())));
        let fixed = self.events.filter(|e| *e == 10_000.0 && self.rate.is_none());
        params.extend(fixed.map(|e| ("events", (e as u64).into())));
        let case = found.case(self.line, ProbeId::Sysbench, &params);
        for (quantity, value) in &self.figures {
            found.series(case, *quantity, &[], &[*value]);
        }
        if let (Some((line, rate)), Some(events), Some((time, slack))) =
            (self.rate, self.events, self.time)
            && time > 0.0
            && !agree(rate, events / time, rate * (0.02 + slack / time))
        {
            let what =
                format!("{rate} events a second do not follow from {events} events in {time} s");
            found.warn(line, what);
        }
        let get = |name: Metric| self.figures.iter().find(|f| f.0.0 == name).map(|f| f.1);
        if let (Some(least), Some(mean), Some(most)) =
            (get(Metric::LatencyLeast), get(Metric::LatencyMean), get(Metric::LatencyMost))
            && !(least <= mean && mean <= most)
        {
            found.warn(self.line, "the latencies are out of order: least, mean, most");
        }
        if self.time.is_none() {
            found.warn(self.line, "the total time is not there: it is cut short");
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Gathered;
    use record::param;
    use record::{Outcome, Provenance};

    /// Made up after sysbench-tpcc's published outputs.
    const SUMMARY: &str = "SQL statistics:\n    queries performed:\n        total:    56900\n    transactions:    2000 (200.00 per sec.)\n    queries:    56900 (5690.00 per sec.)\n\nGeneral statistics:\n    total time:    10.0000s\n    total number of events:    2000\n";

    /// The test, and the transactions and queries a second.
    fn read(head: &str) -> (String, Vec<f64>) {
        let mut gathered = Gathered::default();
        let text = format!("{head}{SUMMARY}");
        gathered.add("t.txt", text.as_bytes()).unwrap();
        let record = gathered.record(Provenance::default());
        let run = &record.runs[0];
        let Outcome::Measured(series) = &run.outcome else { panic!() };
        let rates =
            series.iter().filter(|s| ["transactions", "queries"].contains(&s.metric.as_str()));
        (run.case.get(param::TEST).unwrap().into(), rates.map(|s| s.samples[0]).collect())
    }

    /// Made up after the format of 0.5: its requests and other operations are the queries of 1.0.
    #[test]
    fn queries_are_of_one_definition() {
        let old = "OLTP test statistics:\n    transactions:    2000 (200.00 per sec.)\n    read/write requests:    52900 (5290.00 per sec.)\n    other operations:    4000 (400.00 per sec.)\n\nGeneral statistics:\n    total time:    10.0000s\n";
        let mut gathered = Gathered::default();
        let text = format!("sysbench 0.5:  multi-threaded system evaluation benchmark\n\n{old}");
        gathered.add("t.txt", text.as_bytes()).unwrap();
        let record = gathered.record(Provenance::default());
        let queries = record.runs[0].metric(record::Metric::Queries).unwrap();
        assert_eq!(queries.samples, [5690.0]);
    }

    #[test]
    fn a_tpcc_load_is_no_oltp() {
        const VERSION: &str =
            "sysbench 1.0.15 (using bundled LuaJIT 2.1.0-beta2)\n\nNumber of threads: 72\n";
        const THEIRS: &str = "[ 1s ] thds: 72 tps: 1.00 qps: 28.40 (r/w/o: 13.00/13.40/2.00) lat (ms,95%): 590.56 err/s 0.00 reconn/s: 0.00\n";
        let own = THEIRS.replace("err/s 0.00", "err/s: 0.00");
        let command = "$ ./tpcc.lua --mysql-socket=/tmp/mysql.sock --threads=72 --tables=10 --scale=100 run\n";
        for (head, test) in [
            (format!("{VERSION}{THEIRS}"), "tpcc"),
            (format!("{VERSION}{own}"), "oltp"),
            (format!("{command}{VERSION}"), "tpcc"),
            (VERSION.to_owned(), "oltp"),
        ] {
            assert_eq!(read(&head), (test.to_owned(), vec![200.0, 5690.0]), "{head}");
        }
    }
}
