//! `check`: the one line and the exit codes of a monitoring plug-in, whatever happens.
use crate::sandbox::{Ran, Sandbox, fixtures};
use serde_json::{Value, json};

/// One line for people, at most one bar, and data of which each is a label and a decimal number; the exit code of its word.
fn line(ran: &Ran) -> &str {
    let words = ["OK", "WARNING", "CRITICAL", "UNKNOWN"];
    let line = ran.out.strip_suffix('\n').unwrap_or_else(|| panic!("{}{}", ran.out, ran.err));
    assert!(!line.contains('\n'), "{line}");
    let word = line.strip_prefix("CPULENS ").unwrap().split(" - ").next().unwrap();
    assert_eq!(words.iter().position(|w| *w == word), Some(ran.code as usize), "{line}");
    if let Some((_, data)) = line.split_once('|') {
        for one in data.split_whitespace() {
            let (label, values) = one.split_once('=').unwrap();
            assert!(label.len() > 2 && label.starts_with('\'') && label.ends_with('\''), "{one}");
            for number in values.split([';', ':']).filter(|n| !n.is_empty()) {
                let number = number.trim_end_matches(['s', 'B']);
                assert!(number.chars().all(|c| c.is_ascii_digit() || ".-".contains(c)), "{one}");
                assert!(number.parse::<f64>().is_ok(), "{one}");
            }
        }
    }
    line
}

fn quiet() -> String {
    let all = fixtures();
    let (_, file) = all.iter().find(|(name, _)| name == "quiet-vm").unwrap();
    file.display().to_string()
}

const LIMIT: &str = "[[limit]]\nmetric = \"memory_latency\"\nwhy = \"a test\"\n";

#[test]
fn a_record_is_judged_by_the_limits_that_are_given() {
    let sandbox = Sandbox::new();
    let with = |limits: &str| {
        let profile = sandbox.file("p.toml", format!("{LIMIT}{limits}"));
        sandbox.cpulens(&["check", "--last", "--record", &quiet(), "--profile", &profile])
    };
    let kept = with("warn_max = 1.0\ncritical_max = 2.0");
    assert!(line(&kept).contains("'memory_latency'=0.0000") && kept.code == 0, "{}", kept.out);
    let warned = with("warn_max = 1e-9\ncritical_max = 2.0");
    assert!(line(&warned).starts_with("CPULENS WARNING"), "{}", warned.out);
    assert!(warned.out.contains("memory latency on huge pages (<="), "{}", warned.out);
    let critical = with("warn_max = 1e-10\ncritical_max = 1e-9");
    assert!(line(&critical).starts_with("CPULENS CRITICAL"));
    let other = LIMIT.replace("memory_latency", "l9_latency") + "warn_max = 1.0";
    let other = sandbox.file("p.toml", other);
    let missing = sandbox.cpulens(&["check", "--last", "--record", &quiet(), "--profile", &other]);
    assert!(line(&missing).contains("UNKNOWN - l9_latency"), "{}", missing.out);
    assert!(sandbox.records().is_empty(), "nothing is measured");
}

#[test]
fn a_record_is_as_good_as_itself_and_its_gauges_are_written() {
    let sandbox = Sandbox::new();
    let file = quiet();
    let args = ["check", "--last", "--record", &file, "--against", &file, "--prometheus", "c.prom"];
    let ran = sandbox.cpulens(&args);
    assert!(!line(&ran).contains("(<=") && !ran.out.contains("(>="), "{}", ran.out);
    let gauges = std::fs::read_to_string(sandbox.path("c.prom")).unwrap();
    assert!(gauges.contains(&format!("\ncpulens_check_status {}\n", ran.code)), "{gauges}");
    assert!(gauges.contains("{metric=\"read_bandwidth\",severity=\"critical\",end=\"min\"}"));
    // A file that cannot be written takes no verdict away, and a check that failed replaces it.
    let lost = sandbox.cpulens(&["check", "--last", "--record", &file, "--prometheus", "none/c"]);
    assert!(line(&lost).contains("'read_bandwidth'=") && lost.code < 3, "{}", lost.out);
    assert!(lost.err.contains("cannot write none/c"), "{}", lost.err);
    let args = ["check", "--last", "--record", "gone.json", "--prometheus", "c.prom"];
    assert_eq!(sandbox.cpulens(&args).code, 3);
    let gauges = std::fs::read_to_string(sandbox.path("c.prom")).unwrap();
    assert!(gauges.contains("\ncpulens_check_status 3\n"), "{gauges}");
}

/// Changes all samples of a probe's metric.
fn scaled(record: &mut Value, probe: &str, metric: &str, change: &dyn Fn(f64) -> f64) {
    let runs = record["runs"].as_array_mut().unwrap().iter_mut();
    for run in runs.filter(|r| r["case"]["probe"] == probe) {
        for series in run["outcome"]["measured"].as_array_mut().into_iter().flatten() {
            if series["metric"] == metric {
                for sample in series["samples"].as_array_mut().unwrap() {
                    *sample = json!(change(sample.as_f64().unwrap()));
                }
            }
        }
    }
}

/// The limit of its CPU is not known, and what its sockets lose backs the finding, as in `diagnose`.
#[test]
fn slow_modules_whose_loss_was_measured_are_a_fault() {
    let record = quiet().replace("quiet-vm", "load-generator-196");
    let ran = Sandbox::new().cpulens(&["check", "--last", "--record", &record]);
    assert!(ran.code == 1 && line(&ran).contains("dimm_below_rating"), "{}", ran.out);
}

/// A quota, huge pages off, stolen time and half the bandwidth, each named, and critical where nothing else explains the figures.
#[test]
fn planted_faults_are_named() {
    let sandbox = Sandbox::new();
    let good: Value = serde_json::from_slice(&std::fs::read(quiet()).unwrap()).unwrap();
    let fact = |record: &mut Value, name: &str, value: Value| {
        record["machine"]["facts"][name] = json!({ "value": value, "source": "" });
    };
    type Plant<'a> = &'a dyn Fn(&mut Value);
    let faults: [(&str, i32, Plant<'_>); 5] = [
        ("", 0, &|_| {}),
        ("cpu_quota", 1, &|r| fact(r, "limits.cpu_quota", json!(0.5))),
        ("thp_never", 1, &|r| fact(r, "memory.thp.enabled", json!("never"))),
        ("steal_time", 2, &|r| scaled(r, "preflight", "steal", &|_| 0.2)),
        ("read bandwidth", 2, &|r| scaled(r, "bandwidth", "bandwidth", &|x| x / 2.0)),
    ];
    for (name, least, plant) in faults {
        let mut record = good.clone();
        plant(&mut record);
        let file = sandbox.file("planted.json", record.to_string());
        let args = ["check", "--last", "--record", &file, "--against", &quiet()];
        let ran = sandbox.cpulens(&args);
        let said = line(&ran);
        assert!(ran.code >= least && ran.code < 3 && said.contains(name), "{name}: {said}");
        assert_eq!(ran.code == 0, least == 0, "{name}: {said}");
    }
}

/// Published figures have another definition: it is named, and its tolerance is wide. Those of another processor are no limit.
#[test]
fn a_machine_of_the_catalogue_is_a_measure_for_its_own_processor() {
    let sandbox = Sandbox::new();
    let mut record: Value = serde_json::from_slice(&std::fs::read(quiet()).unwrap()).unwrap();
    let fact = |record: &mut Value, name: &str, value: &str| {
        record["machine"]["facts"][name] = json!({ "value": value, "source": "" });
    };
    let with = |record: &Value, against: &str, more: &[&str]| {
        let file = sandbox.file("own.json", record.to_string());
        let args = ["check", "--last", "--record", &file, "--against", against];
        sandbox.cpulens(&[&args[..], more].concat())
    };
    let two = "ref:intel-8269cy-2node";
    let other = with(&record, two, &[]);
    assert!(other.code == 3 && other.out.contains("is another processor"), "{}", other.out);
    let nothing = with(&record, "ref:amd-7742", &[]);
    assert!(nothing.code == 3 && nothing.out.contains("no latency of its memory"));
    fact(&mut record, "cpu.model", "Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz");
    // 131 ns here, and 69.8 ns there.
    let slow = with(&record, two, &[]);
    assert_eq!(slow.code, 2, "{}", slow.out);
    for words in
        ["memory latency on huge pages (<= 90.7 ns)", "limits: as published of", "(here KVM)"]
    {
        assert!(slow.out.contains(words), "{words}: {}", slow.out);
    }
    scaled(&mut record, "load_latency", "load_to_use", &|x| x / 2.0);
    let kept = with(&record, two, &[]);
    assert_eq!(kept.code, 0, "{}", kept.out);
    let free = format!("2 limits kept, 5 figures have none ({two} states nothing of like kind)");
    assert!(kept.out.contains(&free), "{}", kept.out);
    for (lang, words) in [("en", "another definition, so"), ("zh", "定义不同")] {
        let page = with(&record, two, &["--format", "html", "--lang", lang]);
        assert!(page.out.contains(words), "{lang}");
    }
}

/// Bandwidth of all CPUs is that of a machine of the same size only.
#[test]
fn what_another_tool_printed_is_a_measure_for_its_own_size() {
    let sandbox = Sandbox::new();
    sandbox.file("mlc.txt", include_str!("../../import/tests/samples/mlc.3.11b-two-nodes.txt"));
    for (cpus, limited) in [(2, true), (4, false)] {
        let list: Vec<String> = (0..cpus).map(|cpu: u32| cpu.to_string()).collect();
        let list = list.join(",");
        let lscpu = format!(
            "Architecture: x86_64\nCPU(s): {cpus}\nOn-line CPU(s) list: {list}\nThread(s) per core: 1\n\
             Core(s) per socket: {cpus}\nSocket(s): 1\nNUMA node(s): 1\nVendor ID: AuthenticAMD\n\
             CPU family: 26\nModel: 2\nModel name: AMD EPYC 9555 64-Core Processor\nNUMA node0 CPU(s): {list}\n"
        );
        sandbox.file("lscpu.txt", lscpu);
        let record = format!("{cpus}.json");
        sandbox.cpulens(&["import", "lscpu.txt", "mlc.txt", "--record", &record]).done();
        let args =
            ["check", "--last", "--record", &quiet(), "--against", &record, "--format", "json"];
        let all: Value = serde_json::from_str(&sandbox.cpulens(&args).out).unwrap();
        let results = all["check"]["results"].as_array().unwrap();
        let why = |name: &str| {
            let found = results.iter().find(|r| r["name"] == name).unwrap();
            found["limit"]["why"].as_str().map(str::to_owned)
        };
        assert_eq!(why("read_bandwidth").is_some(), limited, "{results:?}");
        let latency = why("memory_latency").unwrap();
        let said = format!("memory latency of {record} by Intel MLC 3.11b: 81.5 ns");
        assert!(latency.starts_with(&said) && latency.contains("15 %"), "{latency}");
        assert_eq!(why("l1_latency"), None);
    }
}

/// Peers are machines, each by its newest look that was fit; a record that was not fit is no measure either.
#[test]
fn what_was_not_fit_is_no_measure() {
    let sandbox = Sandbox::new();
    let good: Value = serde_json::from_slice(&std::fs::read(quiet()).unwrap()).unwrap();
    let mut busy = good.clone();
    for run in busy["runs"].as_array_mut().unwrap() {
        let preflight = run["case"]["probe"] == "preflight";
        for series in run["outcome"]["measured"].as_array_mut().into_iter().flatten() {
            let steal = preflight && series["metric"] == "steal";
            let fast = series["metric"] == "bandwidth";
            for sample in series["samples"].as_array_mut().unwrap() {
                let x = sample.as_f64().unwrap();
                *sample = json!(if steal {
                    0.2
                } else if fast {
                    3.0 * x
                } else {
                    x
                });
            }
        }
    }
    for dir in ["busy", "one", "five"] {
        std::fs::create_dir_all(sandbox.path(dir).join("below")).unwrap();
    }
    for i in 0..5 {
        let named = |record: &Value, name: String| {
            let mut record = record.clone();
            record["provenance"]["name"] = json!(name);
            record["provenance"]["started"] = json!(format!("2026-03-0{}T00:00:00Z", i + 1));
            record.to_string()
        };
        sandbox.file(&format!("busy/{i}.json"), named(&busy, format!("n{i}")));
        sandbox.file(&format!("one/{i}.json"), named(&good, "n".into()));
        sandbox.file(&format!("five/below/{i}.json"), named(&good, format!("n{i}")));
    }
    let with = |option: &str, other: &str| {
        sandbox.cpulens(&["check", "--last", "--record", &quiet(), option, other])
    };
    for (folder, words) in [("busy", "0 machines of"), ("one", "1 machine of")] {
        let ran = with("--peers", folder);
        assert!(
            ran.err.contains(words) && ran.out.contains("too few peers ("),
            "{}{}",
            ran.out,
            ran.err
        );
    }
    assert!(with("--peers", "five").out.contains("5 peers in five"));
    sandbox.shell("\"$0\" digest five/below/*.json -o five/all.jsonl; rm -r five/below").done();
    assert!(with("--peers", "five").out.contains("5 peers in five"), "digests");
    let missing = with("--peers", "none");
    assert!(missing.code == 3 && line(&missing).contains("none is no folder"), "{}", missing.out);
    let ran = with("--against", "busy/0.json");
    assert!(ran.code == 3 && line(&ran).contains("busy/0.json was not fit"), "{}", ran.out);
}

#[test]
fn limits_of_another_kind_of_machine_say_nothing() {
    let sandbox = Sandbox::new();
    let mut other: Value = serde_json::from_slice(&std::fs::read(quiet()).unwrap()).unwrap();
    other["machine"]["facts"]["cpu.model"] = json!({ "value": "another", "source": "" });
    let other = sandbox.file("other.json", other.to_string());
    let key = "[machine]\nmodel = \"another\"\nsockets = 2\ncores = 8\ncpus = 16\nnodes = 2\n";
    let text = format!("{key}hypervisor = \"none\"\n{LIMIT}critical_max = 1e-9\n");
    let profile = sandbox.file("p.toml", text);
    for (option, file) in [("--against", &other), ("--profile", &profile)] {
        let ran = sandbox.cpulens(&["check", "--last", "--record", &quiet(), option, file]);
        let said = line(&ran);
        assert!(ran.code == 3 && said.contains("another kind of machine: another"), "{said}");
    }
}

/// `--last` judges by the same limits as the daily check.
#[test]
fn scripts_of_monitoring_take_the_limits() {
    let sandbox = Sandbox::new();
    let mut good: Value = serde_json::from_slice(&std::fs::read(quiet()).unwrap()).unwrap();
    good["provenance"]["command"] = json!(["cpulens", "check"]);
    good["provenance"]["started"] = json!(sandbox.shell("date -u +%FT%TZ").done().out.trim());
    std::fs::create_dir_all(sandbox.path("data/cpulens/records")).unwrap();
    sandbox.file("data/cpulens/records/1.json", good.to_string());
    sandbox.file("p.toml", format!("{LIMIT}critical_max = 1e-9\n"));
    let contrib = concat!(env!("CARGO_MANIFEST_DIR"), "/../../contrib");
    let npd = format!("sh {contrib}/node-problem-detector/npd.sh");
    let nhc = format!(
        "bash -c 'die() {{ echo \"$2\"; }}; log() {{ echo \"$1\"; }}; . {contrib}/nhc/cpulens.nhc; check_cpulens'"
    );
    for script in [npd, nhc] {
        for (profile, code) in [("none.toml", 0), ("p.toml", 1)] {
            let ran = sandbox.shell(&format!(
                "mkdir -p bin && ln -sf \"$0\" bin/cpulens && PATH=$PWD/bin:$PATH CPULENS_PROFILE={profile} {script}"
            ));
            assert_eq!(ran.code, code, "{script} {profile}: {}{}", ran.out, ran.err);
            assert_eq!(
                ran.out.contains("memory latency on huge pages (<="),
                code == 1,
                "{}",
                ran.out
            );
        }
    }
}

/// `--last` never reads an older result instead in silence.
#[test]
fn the_newest_result_is_not_passed_over() {
    let sandbox = Sandbox::new();
    let mut good: Value = serde_json::from_slice(&std::fs::read(quiet()).unwrap()).unwrap();
    good["provenance"]["command"] = json!(["cpulens", "check"]);
    let now = || sandbox.shell("date -u +%FT%TZ").done().out.trim().to_owned();
    std::fs::create_dir_all(sandbox.path("data/cpulens/records")).unwrap();
    let keep = |name: &str, record: &Value| {
        sandbox.file(&format!("data/cpulens/records/{name}.json"), record.to_string())
    };
    let last = |args: &[&str]| sandbox.cpulens(&[&["check", "--last"], args].concat());
    keep("1", &good);
    assert!(last(&[]).code < 3);
    // One of a process that is there is running; one of a process that is gone did not end.
    let mut open = good.clone();
    open["judgement"] = Value::Null;
    open["runs"][0]["outcome"] = json!({ "not_reached": { "why": "the run ended before" } });
    open["provenance"]["took"] = json!(0.0);
    open["provenance"]["started"] = json!(now());
    keep(&format!("2-{}", std::process::id()), &open);
    assert!(last(&[]).code < 3);
    let mut killed = std::process::Command::new("sleep").arg("60").spawn().unwrap();
    killed.kill().unwrap();
    let line_of = format!("/proc/{}/cmdline", killed.id());
    while !std::fs::read(&line_of).unwrap().is_empty() {
        std::thread::yield_now();
    }
    let waited_for_by_nobody = keep(&format!("2-{}", killed.id()), &open);
    assert!(line(&last(&[])).contains("unfinished"));
    killed.wait().unwrap();
    std::fs::remove_file(waited_for_by_nobody).unwrap();
    keep("2-999999999", &open);
    let ended = line(&last(&[])).to_owned();
    assert!(ended.contains("unfinished") && !ended.contains("incomplete"), "{ended}");
    let cut = keep("3", &good);
    std::fs::write(&cut, &good.to_string().as_bytes()[..2000]).unwrap();
    assert!(line(&last(&[])).contains("a newer record cannot be read"));
    // In a home that machines share, a check of another one says nothing of this.
    std::fs::remove_file(&cut).unwrap();
    let mut other = good.clone();
    other["provenance"]["host"] = json!("another-machine");
    std::fs::remove_file(sandbox.path("data/cpulens/records/2-999999999.json")).unwrap();
    let other = keep("3", &other);
    assert!(last(&[]).code < 3);
    let first = sandbox.path("data/cpulens/records/1.json");
    std::fs::rename(&first, sandbox.path("data/1.json")).unwrap();
    assert!(line(&last(&[])).contains("of another machine: another-machine"));
    std::fs::remove_file(other).unwrap();
    good["provenance"]["started"] = json!("2040-01-01T00:00:00Z");
    keep("4", &good);
    assert!(line(&last(&[])).contains("2040-01-01T00:00:00Z, which is yet to come"));
    good["provenance"]["started"] = Value::Null;
    keep("5", &good);
    assert!(line(&last(&["--max-age", "90000"])).contains("has no time"));
}

/// An engine that starts a program and reads what it prints needs no shell and no file.
#[test]
fn a_digest_is_one_line_for_a_fleet_whatever_the_verdict() {
    let sandbox = Sandbox::new();
    sandbox.file("p.toml", format!("{LIMIT}critical_max = 1e-9\n"));
    let judged = ["check", "--last", "--record", &quiet(), "--profile", "p.toml"];
    assert_eq!(sandbox.cpulens(&judged).code, 2);
    let ran = sandbox.cpulens(&[&judged[..], &["--digest"]].concat()).done();
    let digest: Value = serde_json::from_str(&ran.out).unwrap();
    assert!(ran.out.lines().count() == 1 && digest["figures"].as_array().unwrap().len() > 5);
    sandbox.file("all.jsonl", &ran.out);
    assert!(sandbox.cpulens(&["fleet", "all.jsonl"]).done().out.contains("Fleet of 1"));
    // Another machine that has no name either.
    let mut other: Value = serde_json::from_slice(&std::fs::read(quiet()).unwrap()).unwrap();
    scaled(&mut other, "bandwidth", "bandwidth", &|x| 1.01 * x);
    sandbox.file("other.json", other.to_string());
    let more = ["check", "--last", "--record", "other.json", "--digest"];
    sandbox.file("all.jsonl", ran.out + &sandbox.cpulens(&more).done().out);
    let both = sandbox.cpulens(&["fleet", "all.jsonl"]).done().out;
    assert!(both.contains("Fleet of 2") && both.contains("2 records without a name"), "{both}");
    assert_eq!(sandbox.cpulens(&["check", "--last", "--digest"]).code, 3);
}

#[test]
fn what_cannot_be_told_is_unknown() {
    let sandbox = Sandbox::new();
    let hostile = sandbox.file("bad.toml", "a\u{1b}|b");
    let long = sandbox.file("long.toml", "#".repeat(1 << 17));
    let empty = sandbox.file("empty.toml", "");
    let cut = quiet().replace("quiet-vm", "cut-short");
    // Of the curve only what fits into the caches.
    let mut over: Value = serde_json::from_slice(&std::fs::read(quiet()).unwrap()).unwrap();
    over["provenance"]["took"] = json!(18.2);
    for run in over["runs"].as_array_mut().unwrap() {
        if run["case"]["probe"] == "load_latency" {
            let series = run["outcome"]["measured"].as_array_mut().unwrap();
            series.retain(|s| s["at"]["working_set"].as_f64().is_none_or(|b| b < 4e6));
        }
    }
    let over = sandbox.file("over.json", over.to_string());
    for (args, words) in [
        (&["check", "--last"][..], "no records yet"),
        (&["check", "--last", "--record", &cut], "unfinished"),
        (&["check", "--last", "--record", &over], "the time was over; not measured: "),
        (&["check", "--profile", "none.toml"], "none.toml"),
        (&["check", "--profile", &hostile], "bad.toml"),
        (&["check", "--profile", "/dev/zero"], "a device, not a file"),
        (&["check", "--profile", &long], "longer than"),
        (&["check", "--profile", &empty], "no limit"),
        (&["check", "--against", "ref:nobody"], "nobody"),
        (&["check", "--last", "--record", &quiet(), "--max-age", "1"], "old"),
    ] {
        let ran = sandbox.cpulens(args);
        assert!(ran.code == 3 && line(&ran).contains(words), "{args:?}: {}{}", ran.out, ran.err);
    }
    assert_eq!(sandbox.cpulens(&["check", "--nonsense"]).code, 3);
}

/// A signal is UNKNOWN and not death by it, which a monitoring system takes for critical; what was not finished stays unknown.
#[test]
fn a_check_that_did_not_end_is_unknown() {
    for signal in ["TERM", "KILL"] {
        let sandbox = Sandbox::new();
        let ran = sandbox.shell(&format!(
            "\"$0\" check & pid=$!; until ls data/cpulens/records/*.json.zst >/dev/null 2>&1; do sleep 0.05; done; \
             kill -{signal} $pid; wait $pid; exit $?"
        ));
        if signal == "TERM" {
            assert!(ran.code == 3 && line(&ran).contains("signal"), "{}{}", ran.out, ran.err);
        }
        let last = sandbox.cpulens(&["check", "--last"]);
        assert!(last.code == 3 && line(&last).contains("unfinished"), "{}{}", last.out, last.err);
    }
}
