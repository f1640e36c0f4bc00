//! What Spare Cores' inspector keeps of a server: membench's CSV, rows of lmbench's `bw_mem`, and the JSON of stress-ng by
//! number of stressors and of `openssl speed`. Its Geekbench, PassMark and lscpu outputs are those tools' own.
//!
//! Limits: no file states which server it is: import lscpu's beside it. openssl ran in as many processes as the server has
//! CPUs, and the file does not state how many. membench's MB are 2^20 bytes, as its iterations show, `bw_mem`'s 10^6.
//! Source: SpareCores/sc-inspector, inspector/parse.py and tasks.py; files of SpareCores/sc-inspector-data.
use crate::{grammar::json, prelude::*};
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
            found.series(case, bytes_per_second(Metric::Throughput), &at, &[speed]);
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
                let params = [("thread_count", count.into()), ("statistic", "mean".into())];
                let case = found.case_of(n, ProbeId::StressNg, &params);
                let at = [("stressor", Value::from(stressor.as_str()))];
                found.series(case, per_second(Metric::BogoOps), &at, &[rate]);
            }
        }
    }
    for line in text.lines() {
        if let Some((kernel, size, rate)) = moved(line.text) {
            let params = [("threads", "all".into())];
            let case = found.case_of(line.number, ProbeId::Lmbench, &params);
            let size = Value::from((size * 1e6).round());
            let at = [("kernel", Value::from(kernel)), ("working_set", size)];
            found.series(case, bytes_per_second(Metric::Bandwidth), &at, &[rate * 1e6]);
        } else if let [size, operation, rate, latency, _, _, threads, ..] =
            line.text.split(',').collect::<Vec<_>>()[..]
            && let (Some(size), Some(rate), Some(latency), Some(threads)) =
                (whole(size), number(rate), number(latency), whole(threads))
        {
            let params = [("thread_count", threads.into())];
            let case = found.case_of(line.number, ProbeId::Membench, &params);
            let mut at = vec![("working_set", Value::from((size.min(1 << 40)) << 10))];
            if operation == "latency" {
                found.series(case, seconds(Metric::LoadToUse), &at, &[latency * 1e-9]);
            } else {
                at.push(("kernel", tidy(operation).into()));
                found.series(case, bytes_per_second(Metric::Bandwidth), &at, &[rate * MIB]);
            }
        }
    }
    Problem::when(found.without_series(), "it holds no result: it is cut short")
}
