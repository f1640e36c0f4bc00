//! What Spare Cores' inspector keeps of a server: membench's CSV, rows of lmbench's `bw_mem`, stress-ng by number of stressors as
//! JSON and as the CSV of a folder or file called `stressngfull`, and the JSON of `openssl speed`, of compressors and of pgbench by number of clients. Its Geekbench, PassMark and
//! lscpu outputs are those tools' own.
//!
//! Limits: no file states which server it is: import lscpu's beside it. openssl ran in as many processes as the server has
//! CPUs, and the file does not state how many. `stressngfull` has no heads, so that its name alone says what it is. membench's MB are 2^20 bytes, as its iterations show, `bw_mem`'s 10^6.
//! Source: SpareCores/sc-inspector, inspector/parse.py and tasks.py; files of SpareCores/sc-inspector-data.
use crate::prelude::*;
use serde_json::Value as Json;

pub(crate) static IMPORTER: Importer = Importer::new("Spare Cores inspector", recognises, read);

const MEMBENCH: &str = "size_kb,operation,bandwidth_mb_s,latency_ns,";
const MIB: f64 = 1_048_576.0;
/// `bw_mem`'s operations, and what its full report calls them.
const OPERATIONS: &[(&str, &str)] =
    &[("rd", "partial read"), ("wr", "partial write"), ("rdwr", "partial read/write")];

fn openssl(text: &Text) -> Option<Vec<Json>> {
    let Json::Array(rows) = json(text, "\"block_size\"")? else { return None };
    let ours = |row: &Json| row["algo"].is_string() && row["speed"].is_number();
    (!rows.is_empty() && rows.iter().all(ours)).then_some(rows)
}

fn stressors(text: &Text) -> Option<Json> {
    let document = json(text, "\"bogo_ops_per_sec\"")?;
    document["stressors"].is_object().then(|| document["stressors"].clone())
}

/// Stressors and bogo operations a second: `2,3043.08`. Only the name of the task says what they are.
fn full(text: &Text) -> Option<Vec<(u32, u64, f64)>> {
    let row = |line: Line<'_>| {
        let (count, rate) = line.text.split_once(',')?;
        Some((line.number, whole(count).filter(|n| *n > 0)?, number(rate).filter(|x| *x > 0.0)?))
    };
    let named = text.is_called("stressngfull");
    let all = || text.lines().filter(|l| !l.text.is_empty()).map(row).collect();
    if named { all() } else { None }
}

/// By algorithm, then by level.
fn compressors(text: &Text) -> Option<Json> {
    let document = json(text, "\"decompress\"")?;
    let levels = document.as_object()?.values().next()?.as_object()?;
    levels.values().next()?[0]["compress"].is_number().then_some(document)
}

fn pgbench(text: &Text) -> Option<Json> {
    json(text, "\"pgbench_postgres\"").filter(|d| d["sizes"].is_array())
}

/// `rd 0.016384 557938.92`.
fn moved(line: &str) -> Option<(&'static str, f64, f64)> {
    let mut words = line.split_whitespace();
    let (operation, size, rate) = (words.next()?, number(words.next()?)?, number(words.next()?)?);
    let (_, name) = OPERATIONS.iter().find(|(word, _)| *word == operation)?;
    words.next().is_none().then_some((name, size, rate))
}

fn recognises(text: &Text) -> bool {
    text.any(|l| l.starts_with(MEMBENCH))
        || text.lines().filter(|l| moved(l.text).is_some()).count() > 2
        || openssl(text).is_some()
        || stressors(text).is_some()
        || full(text).is_some()
        || compressors(text).is_some()
        || pgbench(text).is_some()
}

fn compression(all: &Json, found: &mut Found) {
    let levels = all.as_object().into_iter().flatten().flat_map(|(algorithm, levels)| {
        levels.as_object().into_iter().flatten().map(move |(level, runs)| (algorithm, level, runs))
    });
    for (algorithm, level, runs) in levels {
        let named = whole(level).map_or(tidy(algorithm), |n| format!("{} -{n}", tidy(algorithm)));
        for run in runs.as_array().into_iter().flatten() {
            let Some(threads) = run["threads"].as_u64() else { continue };
            let params = [("thread_count", threads.into())];
            let case = found.case_of(1, ProbeId::Compression, &params);
            for (of, key) in [("compressing", "compress"), ("decompressing", "decompress")] {
                let Some(rate) = run[key].as_f64().filter(|rate| *rate > 0.0) else { continue };
                let mut at = vec![("algorithm", Value::from(named.as_str())), ("of", of.into())];
                at.extend(run["extra_args"]["block_size"].as_u64().map(|b| ("block", b.into())));
                found.series(case, THROUGHPUT, &at, &[rate]);
            }
        }
    }
}

/// Transactions a minute at each number of clients.
fn clients(document: &Json, found: &mut Found) {
    let text = |key: &str| document[key].as_str().map(tidy);
    let sizes = document["sizes"].as_array().into_iter().flatten();
    for step in sizes.flat_map(|size| size["profile"].as_array().into_iter().flatten()) {
        let (Some(clients), Some(tpm)) = (step["concurrency"].as_u64(), step["tpm"].as_f64())
        else {
            continue;
        };
        let mut params = vec![("connections", clients.into()), ("statistic", "mean".into())];
        params.extend(text("workload").map(|workload| ("script", workload.into())));
        params.extend(step["jobs"].as_u64().map(|jobs| ("thread_count", jobs.into())));
        let case = found.case_of(1, ProbeId::Pgbench, &params);
        found.series(case, per_second(Metric::Transactions), &[], &[tpm / 60.0]);
        if let Some(latency) = step["latency_avg_ms"].as_f64() {
            found.series(case, seconds(Metric::LatencyMean), &[], &[latency * 1e-3]);
        }
    }
}

/// The rate of a stressor with so many threads.
fn stressed(line: u32, stressor: &str, threads: u64, rate: f64, found: &mut Found) {
    let params = [("thread_count", threads.into()), ("statistic", "mean".into())];
    let case = found.case_of(line, ProbeId::StressNg, &params);
    found.series(case, BOGO_OPS, &[("stressor", stressor.into())], &[rate]);
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let named = text.whole().find("\"stressors\"").map_or(1, |at| text.line_at(at));
    if let Some(rows) = openssl(text) {
        let case = found.case(1, ProbeId::OpensslSpeed, &[]);
        for row in rows {
            let algorithm = row["algo"].as_str().unwrap_or("");
            let (block, speed) = (row["block_size"].as_u64(), row["speed"].as_f64());
            let (Some(block), Some(speed)) = (block, speed) else { continue };
            let at = [("algorithm", Value::from(algorithm)), ("block", block.into())];
            found.series(case, THROUGHPUT, &at, &[speed]);
        }
    }
    if let Some(Json::Object(all)) = stressors(text) {
        for (name, by_count) in all {
            let (stressor, n) = (tidy(&name), named);
            for (count, result) in by_count.as_object().into_iter().flatten() {
                let rate = result["bogo_ops_per_sec"].as_f64();
                let (Some(count), Some(rate)) = (whole(count), rate) else {
                    found.warn(n, format!("{stressor} has no result"));
                    continue;
                };
                stressed(n, &stressor, count, rate, found);
            }
        }
    }
    for (line, count, rate) in full(text).into_iter().flatten() {
        stressed(line, "cpu (div16)", count, rate, found);
    }
    compressors(text).into_iter().for_each(|all| compression(&all, found));
    pgbench(text).into_iter().for_each(|document| clients(&document, found));
    for line in text.lines() {
        if let Some((kernel, size, rate)) = moved(line.text) {
            let params = [("threads", "all".into())];
            let case = found.case_of(line.number, ProbeId::Lmbench, &params);
            let size = Value::from((size * 1e6).round());
            let at = [("kernel", Value::from(kernel)), ("working_set", size)];
            found.series(case, BANDWIDTH, &at, &[rate * 1e6]);
        } else if let [size, operation, rate, latency, _, _, threads, ..] =
            line.text.split(',').collect::<Vec<_>>()[..]
            && let (Some(size), Some(rate), Some(latency), Some(threads)) =
                (whole(size), number(rate), number(latency), whole(threads))
        {
            let params = [("thread_count", threads.into())];
            let case = found.case_of(line.number, ProbeId::Membench, &params);
            let mut at = vec![("working_set", Value::from((size.min(1 << 40)) << 10))];
            if operation == "latency" {
                found.series(case, LOAD_TO_USE, &at, &[latency * 1e-9]);
            } else {
                at.push(("kernel", tidy(operation).into()));
                found.series(case, BANDWIDTH, &at, &[rate * MIB]);
            }
        }
    }
    Problem::when(found.without_series(), "it holds no result: it is cut short")
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;
    use record::{Outcome, Record};

    fn samples(record: &Record) -> Vec<Vec<f64>> {
        let of = |run: &record::Run| match &run.outcome {
            Outcome::Measured(series) => series.iter().map(|s| s.samples[0]).collect(),
            _ => vec![],
        };
        record.runs.iter().map(of).collect()
    }

    /// The rows of a c7g.large. Without the name nothing says what they are.
    #[test]
    fn stressors_by_number_are_known_by_the_name_of_the_task() {
        let text = "1,1532.38\n2,3043.08\n";
        for name in ["data/aws/c7g.large/stressngfull/stdout", "stressngfull.csv"] {
            let record = imported(name, text);
            assert_eq!(samples(&record), [[1532.38], [3043.08]], "{name}");
            let counts = record.runs.iter().map(|run| run.case.params["thread_count"].to_string());
            assert!(counts.eq(["1", "2"]), "{name}");
        }
        let mut gathered = crate::Gathered::default();
        assert!(gathered.add("stdout", text.as_bytes()).is_err());
        assert!(gathered.add("stressngfull/stdout", b"1,1532.38\n2,\n").is_err());
    }

    /// Made up after the inspector's form; bzip3 has no levels.
    #[test]
    fn compressors_have_rates_by_level_and_threads() {
        let run = |threads: u8, rate: f64| {
            format!(
                r#"{{"threads": {threads}, "extra_args": {{}}, "ratio": 43.2, "compress": {rate}, "decompress": 2e8}}"#
            )
        };
        let (one, all, slow) = (run(1, 1e8), run(4, 3e8), run(1, 1e7));
        let record = imported(
            "stdout",
            &format!(
                r#"{{"brotli": {{"0": [{one}, {all}], "11": [{slow}]}}, "bzip3": {{"null": [{slow}]}}}}"#
            ),
        );
        assert_eq!(samples(&record), [vec![1e8, 2e8, 1e7, 2e8, 1e7, 2e8], vec![3e8, 2e8]]);
    }

    /// Made up after the inspector's form.
    #[test]
    fn transactions_are_read_by_number_of_clients() {
        let record = imported(
            "stdout",
            r#"{"benchmark": "pgbench_postgres", "workload": "ro", "sizes": [{"profile": [{"concurrency": 1, "jobs": 1, "latency_avg_ms": 10.5, "tpm": 6000}, {"concurrency": 56, "jobs": 32, "tpm": 9000}]}]}"#,
        );
        let found = samples(&record);
        assert_eq!((found.len(), &found[1]), (2, &vec![150.0]));
        assert!((found[0][1] - 0.0105).abs() < 1e-12 && found[0][0] == 100.0, "{found:?}");
    }
}
