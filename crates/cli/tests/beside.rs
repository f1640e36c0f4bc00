//! A record of ours beside what others published or printed: which definitions meet, in whose terms, and what is said where
//! they do not. The values are made up, so that ratios are known.
use crate::sandbox::{Sandbox, fixtures};
use record::{
    Better, Case, Outcome, Pages, Placement, ProbeId, Record, Run, Series, Thread, Unit, Value,
};
use std::collections::BTreeSet;
use std::fs;

const SAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../import/tests/samples/");

/// A machine of two CPUs, and nothing measured yet.
fn machine() -> Record {
    let (_, file) = fixtures().into_iter().find(|(name, _)| name == "quiet-vm").unwrap();
    let mut record = record::from_slice(&fs::read(file).unwrap()).unwrap();
    record.runs.retain(|run| run.case.probe == ProbeId::Preflight);
    record
}

type At<'a> = &'a [(&'a str, &'a str)];

fn value(word: &str) -> Value {
    word.parse::<u64>().map_or_else(|_| word.into(), Value::from)
}

/// Adds a case of ours with one series.
fn put(
    record: &mut Record,
    (probe, version, params): (&str, u32, At<'_>),
    (metric, unit, at): (&str, Unit, At<'_>),
    samples: &[f64],
) {
    let better = if unit == Unit::Seconds { Better::Lower } else { Better::Higher };
    let mut series = Series::new(metric, unit, better);
    for (name, word) in at {
        series.at.insert((*name).into(), value(word));
    }
    series.samples = samples.to_vec();
    let all = params.iter().any(|(_, v)| *v == "all" || *v == "2" || *v == "siblings");
    let cpus = if all { 0..2 } else { 0..1 };
    record.runs.push(Run {
        threads: Vec::<Thread>::new(),
        took: 1.0,
        ..Run::new(
            Case {
                probe: probe.into(),
                version,
                params: params.iter().map(|(n, v)| ((*n).into(), value(v))).collect(),
                place: Placement { cpus: cpus.collect(), node: None, pages: Pages::Base },
                estimate: 1.0,
            },
            Outcome::Measured(vec![series]),
        )
    });
}

const RATE: Unit = Unit::BytesPerSecond;
const TIME: Unit = Unit::Seconds;
const EACH: Unit = Unit::PerSecond;
const SIZE: &str = "67108864";

/// One series of ours for every definition that the table has.
fn ours() -> Record {
    let mut r = machine();
    for kernel in ["copy", "scale", "add", "triad", "add_sum"] {
        let case = ("lmbench_stream", 1, &[("lineage", "intel")][..]);
        let at = [("kernel", kernel)];
        put(&mut r, case, ("time_per_element", TIME, &at), &[1.4e-9, 1.0e-9, 1.2e-9]);
        put(&mut r, case, ("bandwidth", RATE, &at), &[11e9, 16e9, 13e9]);
        for (pages, threads) in [("base", "one"), ("thp", "one"), ("base", "all")] {
            let case = ("stream", 3, &[("pages", pages), ("threads", threads)][..]);
            put(&mut r, case, ("bandwidth", RATE, &at), &[18e9, 20e9, 19e9]);
        }
    }
    let case = [("lineage", "intel"), ("size", "64"), ("stride", "64"), ("pages", "base")];
    for size in ["524288", "1048576", SIZE] {
        let at = [("working_set", size)];
        put(
            &mut r,
            ("lat_mem_rd", 3, &case),
            ("load_to_use", TIME, &at),
            &[120e-9, 100e-9, 110e-9],
        );
    }
    for (order, stride) in [("random", "64"), ("grouped", "256")] {
        let case = [("order", order), ("pages", "base"), ("stride", stride)];
        for size in ["8388608", "536870912"] {
            let at = [("working_set", size)];
            put(&mut r, ("load_latency", 2, &case), ("load_to_use", TIME, &at), &[90e-9; 5]);
        }
    }
    for (threads, seconds) in [("one", 100.0), ("siblings", 60.0)] {
        let case = [("sysbench", "0.4"), ("max_prime", "50000"), ("threads", threads)];
        put(&mut r, ("prime", 3, &case), ("time_of_10000_events", TIME, &[]), &[seconds; 5]);
    }
    for threads in ["one", "all"] {
        let case = [("sysbench", "1.0"), ("max_prime", "10000"), ("threads", threads)];
        put(&mut r, ("prime", 3, &case), ("events", EACH, &[]), &[4000.0; 5]);
    }
    for algorithm in
        ["aes-256-ige", "aes-256-gcm", "aes-256-gcm-stream", "sha256", "chacha20-poly1305"]
    {
        for copies in ["1", "2", "32"] {
            let case = [("algorithm", algorithm), ("copies", copies)];
            for block in ["16", "64", "256", "1024", "8192", "16384"] {
                let at = [("block", block)];
                put(&mut r, ("openssl", 2, &case), ("throughput", RATE, &at), &[1e9; 5]);
            }
        }
    }
    let bc = [("task", "pow"), ("copies", "one")];
    put(&mut r, ("bc", 1, &bc), ("elapsed", TIME, &[]), &[15.0]);
    for variant in ["upstream-6", "5.1.3"] {
        for copies in ["1", "2"] {
            let case = [
                ("variant", variant),
                ("copies", copies),
                ("placement", "none"),
                ("start", "serial"),
                ("passes", "3"),
                ("seconds", "10"),
            ];
            let at = [("test", "Dhrystone 2 using register variables")];
            put(&mut r, ("dhry2reg", 1, &case), ("rate", EACH, &at), &[5e7; 5]);
        }
    }
    let at = [("from", "0"), ("to", "1")];
    let case = ("core_to_core", 3, &[("method", "cas")][..]);
    put(&mut r, case, ("round_trip", TIME, &at), &[60e-9; 5]);
    let at = [("from", "0"), ("to", "0")];
    put(&mut r, ("numa_matrix", 2, &[("to", "0")]), ("idle_latency", TIME, &at), &[90e-9; 5]);
    put(&mut r, ("numa_matrix", 2, &[("to", "0")]), ("bandwidth", RATE, &at), &[50e9; 5]);
    let read = [("kernel", "read"), ("threads", "all")];
    put(&mut r, ("bandwidth", 1, &read), ("bandwidth", RATE, &[]), &[50e9; 5]);
    r
}

/// The document of a comparison with ours as the baseline.
fn compared(sandbox: &Sandbox, own: &Record, other: &str) -> serde_json::Value {
    let own = sandbox.file("own.json", record::to_vec(own).unwrap());
    let ran = sandbox.cpulens(&["compare", &own, other, "--format", "json"]);
    assert_eq!(ran.code, 0, "{other}: {}", ran.err);
    serde_json::from_str(&ran.out).unwrap()
}

/// The definitions that met, each with how its rows stand.
fn met(document: &serde_json::Value) -> BTreeSet<(String, String)> {
    let rows = document["rows"].as_array().unwrap().iter();
    rows.filter_map(|row| {
        let [ours, theirs] = [&row["cells"][0], &row["cells"][1]];
        let standing = &theirs["standing"];
        let verdict = standing["compared"]["verdict"].as_str();
        let refused = standing.get("refused").map(|_| REFUSED);
        let standing = verdict.or(refused).or(standing.as_str())?;
        Some((ours["conditions"]["equivalent"].as_str()?.to_owned(), standing.to_owned()))
    })
    .collect()
}

/// The expected pairs.
fn pairs(all: &[(&str, &str)]) -> BTreeSet<(String, String)> {
    all.iter().map(|(a, b)| ((*a).to_owned(), (*b).to_owned())).collect()
}

const ALONE: &str = "no_spread";
const REFUSED: &str = "refused";

#[test]
fn every_tool_with_an_equivalent_metric_meets_ours() {
    let sandbox = Sandbox::new();
    let record = ours();
    for (other, expected) in [
        (
            "ref:hygon-7280-8node",
            &[
                ("lmbench stream", ALONE),
                ("lmbench stream", REFUSED),
                ("lat_mem_rd -t", ALONE),
                ("sysbench cpu", ALONE),
            ][..],
        ),
        (
            "ref:intel-8269cy-numa-off",
            &[("bc, 7^999999", "unclaimed"), ("openssl speed", "unclaimed")][..],
        ),
        ("ref:kunpeng-1630v100-sample", &[("UnixBench", "unclaimed")][..]),
        ("guest.stream.txt", &[("STREAM", ALONE)][..]),
        ("guest.multichase.txt", &[("multichase", "unclaimed")][..]),
        ("guest.openssl.txt", &[("openssl speed", ALONE)][..]),
        ("unixbench.upstream-6.0.0-c1c2c4.txt", &[("UnixBench", ALONE)][..]),
        // Every version of fourteen years calls itself so.
        ("unixbench.upstream-5.1.3-index-c1.txt", &[("UnixBench", "unclaimed")][..]),
        ("mlc.3.11b-two-nodes.txt", &[("Intel MLC", "unclaimed")][..]),
    ] {
        let file = format!("{SAMPLES}{other}");
        let other = if other.starts_with("ref:") { other } else { &file };
        assert_eq!(met(&compared(&sandbox, &record, other)), pairs(expected), "{other}");
    }
}

/// The row of a foreign metric at these coordinates: our value, theirs, and their ratio.
fn row(document: &serde_json::Value, metric: &str, at: At<'_>) -> (f64, f64, Option<f64>) {
    let fits = |row: &&serde_json::Value| {
        row["quantity"]["metric"] == metric
            && row["cells"][0]["conditions"]["equivalent"].is_string()
            && at.iter().all(|(name, word)| {
                let value = &row["quantity"]["at"][*name];
                value.as_str().map_or_else(|| value.to_string(), str::to_owned) == *word
            })
    };
    let rows: Vec<_> = document["rows"].as_array().unwrap().iter().filter(fits).collect();
    assert_eq!(rows.len(), 1, "{metric} {at:?}");
    let median = |i: usize| rows[0]["cells"][i]["median"].as_f64().unwrap();
    let ratio = rows[0]["cells"][1]["standing"]["compared"]["ratio"].as_f64();
    (median(0), median(1), ratio)
}

#[test]
fn ours_uses_the_tools_terms() {
    let sandbox = Sandbox::new();
    let record = ours();
    let of = |name: &str, text: &str| compared(&sandbox, &record, &sandbox.file(name, text));

    // lmbench prints the least and the best of its repetitions.
    let document = compared(&sandbox, &record, "ref:hygon-7280-8node");
    let at = [("kernel", "copy"), ("between", "own node")];
    assert_eq!(row(&document, "time_per_element", &at).0, 1.0e-9);
    assert_eq!(row(&document, "bandwidth", &at).0, 16e9);
    assert_eq!(row(&document, "load_to_use", &[("working_set", SIZE)]).0, 100e-9);
    // A mean, for which the median stands; one thread and a pair of them.
    let (one, theirs, ratio) =
        row(&document, "elapsed", &[("placement", "1 physical core"), ("os", "CentOS")]);
    assert_eq!((one, ratio), (100.0, Some(theirs / 100.0)));
    assert_eq!(row(&document, "elapsed", &[("placement", "1 SMT pair"), ("os", "Kylin")]).0, 60.0);
    // What nothing stands beside is listed with what would give a row; lmbench's add is one name for two loops.
    let unmatched = document["unmatched"].as_array().unwrap();
    let tpcc = unmatched.iter().filter(|u| u["tool"].as_str().unwrap().contains("TPC-C"));
    let remedies: Vec<&str> = tpcc.filter_map(|u| u["remedy"].as_str()).collect();
    // New orders have a equivalent, how many CPUs were busy has none.
    assert!(remedies.iter().any(|r| r.contains("cpulens db tpcc")), "{remedies:?}");
    assert!(remedies.iter().any(|r| r.contains("that tool run here")), "{remedies:?}");
    assert_eq!(
        row(&document, "time_per_element", &[("kernel", "add"), ("between", "own node")]).2,
        None
    );

    let sysbench = "sysbench 1.0.20 (using system LuaJIT 2.1.0)\n\nNumber of threads: 2\n\nPrime numbers limit: 10000\n\n\
        CPU speed:\n    events per second:  2000.00\n\nGeneral statistics:\n    total time:  10.0000s\n    \
        total number of events:  20000\n";
    let document = of("sysbench.txt", sysbench);
    assert_eq!(
        row(&document, "events", &[]),
        (4000.0, 2000.0, Some(0.5)),
        "two threads are all of two CPUs"
    );
    // As many threads as there are CPUs, which the other file tells: machine against machine.
    let four = sandbox.file("four.txt", sysbench.replace("threads: 2", "threads: 4"));
    let own = sandbox.path("own.json").display().to_string();
    let ran = sandbox.cpulens(&["compare", &own, &four, "--format", "json"]);
    assert_eq!(ran.code, 2, "four threads of a machine that is not known: {}", ran.err);
    let document: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let lacking = document["unmatched"].as_array().unwrap().iter();
    let remedies: Vec<&str> = lacking.filter_map(|u| u["remedy"].as_str()).collect();
    assert!(remedies.contains(&"cpulens run --only prime --depth standard"), "{remedies:?}");

    // Half of the way there and back, between CPUs of one relation: who they are is in the other file.
    let lscpu = "# CPU,Core,Socket,Node,,L1d,L1i,L2,L3\n0,0,0,0,,0,0,0,0\n1,1,0,0,,1,1,1,0\n";
    let files = [sandbox.file("c2c.csv", ",\n45.0,\n"), sandbox.file("lscpu-p.txt", lscpu)];
    let made = sandbox.path("other.json").display().to_string();
    sandbox.cpulens(&["import", &files[0], &files[1], "--record", &made]).done();
    let document = compared(&sandbox, &record, &made);
    let (half, theirs, ratio) = row(&document, "one_way", &[]);
    let near = |a: f64, b: f64| (a / b - 1.0).abs() < 1e-9;
    assert!(
        near(half, 30e-9) && near(theirs, 45e-9) && near(ratio.unwrap(), 1.5),
        "{half} {theirs}"
    );
}

#[test]
fn what_is_unlike_states_why_and_what_would_mend_it() {
    let sandbox = Sandbox::new();
    let text = |record: &Record, other: &str| {
        let own = sandbox.file("own.json", record::to_vec(record).unwrap());
        let ran = sandbox.cpulens(&["compare", &own, other, "--full"]);
        ran.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let record = ours();
    let said = text(&record, "ref:intel-8269cy-numa-off");
    for words in [
        "cpulens's own implementation of bc, 7^999999, agreeing with the original within 3 % (docs/validation/core.md); \
         each machine ran its installed bc",
        "never set beside the original; openssl speed dropped AES-IGE in 3.0",
    ] {
        assert!(said.contains(words), "'{words}' is not in: {said}");
    }
    let said = text(&record, "ref:hygon-7280-8node");
    assert!(said.contains("the kind of add is unknown"), "{said}");
    assert!(said.contains("stand beside cpulens's own of the same definition"), "{said}");
    // A definition of ours that has changed since it was set beside the original.
    let mut changed = ours();
    for run in changed.runs.iter_mut().filter(|run| run.case.probe == ProbeId::Prime) {
        run.case.version += 1;
    }
    let said = text(&changed, "ref:hygon-7280-8node");
    assert!(said.contains("in version 3, and this record has version 4"), "{said}");
    // The page shows the same, and no row of ours is left without a mark.
    let own = sandbox.path("own.json").display().to_string();
    let page = sandbox.cpulens(&["compare", &own, "ref:hygon-7280-8node", "--format", "html"]);
    assert!(
        page.out.contains("ours of that definition")
            || page.out.contains("theirs of that definition")
    );
}

/// The table speaks of versions of our probes: a change of a definition needs a new comparison with the original.
#[test]
fn the_table_knows_the_versions_that_the_probes_have() {
    for row in analyse::equivalent::all() {
        for id in row.ours.probes.iter().filter(|id| **id != "stat") {
            let found = probes::probes::ALL.iter().find(|(known, _)| *known == id.as_str());
            let (_, probe) =
                found.unwrap_or_else(|| panic!("{}: there is no probe {id}", row.what));
            assert_eq!(probe.version, row.version, "{}: {id}", row.what);
        }
    }
}
