//! YABS (Yet-Another-Bench-Script), text and JSON (`-j`, `-w`): the processor, and Geekbench's scores of one core and of all.
//!
//! Limits: disks and networks are left out, and so is the frequency, which is that of one moment. The workloads behind a score are
//! in the result's page: import that for them.
//! Source: masonr/yet-another-bench-script, yabs.sh, README.md and bin/example.json.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("YABS", recognises, read);

/// More tests than any run has: of each major version of Geekbench one.
const MOST: usize = 16;

fn document(text: &Text) -> Option<serde_json::Value> {
    let document = json(text, "\"geekbench\"").or_else(|| json(text, "\"iperf\""))?;
    let dated = document["version"].as_str().is_some_and(|version| version.starts_with("v20"));
    (dated && document["cpu"].is_object()).then_some(document)
}

/// `#              Yet-Another-Bench-Script              #`.
fn is_banner(line: &str) -> bool {
    line.trim_matches(['#', ' ']) == "Yet-Another-Bench-Script"
}

fn recognises(text: &Text) -> bool {
    text.any(is_banner) || document(text).is_some()
}

/// Adds the scores of a major version of Geekbench, of one core and of all.
fn scores(line: u32, version: &str, scores: [Option<f64>; 2], found: &mut Found) {
    // The figures are Geekbench's: YABS starts it.
    let yabs = (found.source.tool.clone(), found.source.version.clone());
    (found.source.tool, found.source.version) = ("Geekbench".into(), Some(tidy(version)));
    for (threads, score) in ["one", "all"].into_iter().zip(scores) {
        let Some(score) = score.filter(|score| *score > 0.0) else { continue };
        let case = found.case(line, ProbeId::Geekbench, &[("threads", threads.into())]);
        found.series(case, SCORE, &[("of", "all workloads".into())], &[score]);
    }
    (found.source.tool, found.source.version) = yabs;
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    if let Some(document) = document(text) {
        read_json(&document, found);
    }
    let mut geekbench: Option<&str> = None;
    let mut single = None;
    for line in text.lines() {
        let (n, row) = (line.number, line.text.trim());
        if let Some(version) = row.strip_prefix("Geekbench ") {
            let version = version.split_once(" Benchmark Test:").map(|(version, _)| version);
            (geekbench, single) = (version.filter(|v| whole(v).is_some()), None);
        } else if let Some((name, value)) = row.split_once('|') {
            let score = number(value.trim());
            match (geekbench, name.trim()) {
                (Some(_), "Single Core") => single = score.map(|score| (n, score)),
                (Some(version), "Multi Core") => {
                    let (line, one) = single.take().map_or((n, None), |(n, one)| (n, Some(one)));
                    scores(line, version, [one, score], found);
                }
                _ => {}
            }
        } else if let Some(version) = row.trim_matches(['#', ' ']).strip_prefix("v20") {
            if row.starts_with('#') {
                found.version(&format!("v20{version}"));
            }
        } else if let Some((name, value)) = row.split_once(':') {
            let value = value.trim();
            match name.trim() {
                "Processor" => found.fact(n, "cpu.model", tidy(value)),
                "CPU cores" => cpus(n, leading(value).map(|(count, _)| count), found),
                "Distro" => found.fact(n, "os.name", tidy(value)),
                "Kernel" => found.fact(n, "kernel.release", tidy(value)),
                _ => {}
            }
        }
    }
    Problem::when(found.is_empty(), "it holds no processor and no score: it is cut short")
}

/// What YABS calls cores are the processors of `/proc/cpuinfo`.
fn cpus(line: u32, count: Option<f64>, found: &mut Found) {
    let count = count.filter(|n| n.fract() == 0.0 && (1.0..1e6).contains(n));
    found.known_in(line, "cpu.count", count.map(|n| n as u64), Unit::Count);
}

fn read_json(document: &serde_json::Value, found: &mut Found) {
    let text = |part: &str, key: &str| document[part][key].as_str().filter(|text| !text.is_empty());
    found.version(&tidy(document["version"].as_str().unwrap_or_default()));
    for (fact, part, key) in [
        ("cpu.model", "cpu", "model"),
        ("os.name", "os", "distro"),
        ("kernel.release", "os", "kernel"),
    ] {
        found.known(1, fact, text(part, key).map(tidy));
    }
    cpus(1, document["cpu"]["cores"].as_f64(), found);
    // `free` counts in KiB.
    let kib = document["mem"]["ram"].as_u64().filter(|kib| (1..1 << 50).contains(kib));
    found.known_in(1, "memory.total", kib.map(|kib| kib << 10), Unit::Bytes);
    for run in document["geekbench"].as_array().into_iter().flatten().take(MOST) {
        let Some(version) = run["version"].as_u64() else { continue };
        let of = |key: &str| run[key].as_f64();
        scores(1, &version.to_string(), [of("single"), of("multi")], found);
    }
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;

    /// A run whose Geekbench failed, and one that is cut before the second score.
    #[test]
    fn scores_that_are_not_there_are_none() {
        let head = "#              Yet-Another-Bench-Script              #\n#                     v2024-06-09                    #\nProcessor  : AMD EPYC 7543P 32-Core Processor\nCPU cores  : 4 @ 2794.748 MHz\nDistro     : Debian GNU/Linux 12 (bookworm)\nKernel     : 6.1.0-18-amd64\n\nGeekbench 6 Benchmark Test:\n---------------------------------\nTest            | Value\n";
        for rest in [
            "",
            "Single Core     | \n",
            "Single Core     | 1500\n",
            "Single Core | x\nMulti Core | \n",
        ] {
            let record = imported("y.txt", &format!("{head}{rest}"));
            assert_eq!((record.runs.len(), record.machine.facts.len() > 3), (0, true), "{rest}");
        }
        let all =
            imported("y.txt", &format!("{head}Single Core     | 1500\nMulti Core      | 4900\n"));
        let tools: Vec<&str> =
            all.runs.iter().filter_map(|run| run.case.get(record::param::TOOL)).collect();
        assert_eq!(tools, ["Geekbench 6", "Geekbench 6"]);
        assert_eq!(all.provenance.sources[0].version.as_deref(), Some("v2024-06-09"));
    }
}
