//! `digest` and `fleet`: records of many machines, from files that may be broken.
mod digests;
mod screen;

use crate::sandbox::{Sandbox, fixtures, possible};
use serde_json::{Value, json};
use std::fs;

/// Ten machines alike but for one that is slow at both runs, three hours apart, and a file that is cut short.
fn folder(sandbox: &Sandbox) {
    let all = fixtures();
    let (_, file) = all.iter().find(|(name, _)| name == "quiet-vm").unwrap();
    let quiet: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    fs::create_dir_all(sandbox.path("runs/more")).unwrap();
    for host in 0..10 {
        for hour in [0, 3] {
            let mut record = quiet.clone();
            record["provenance"]["name"] = json!(format!("node{host}"));
            record["provenance"]["started"] = json!(format!("2026-03-01T0{hour}:00:00Z"));
            let own = 1.0 + 0.002 * f64::from((7 * host + hour) % 10);
            for run in record["runs"].as_array_mut().unwrap() {
                let slow = host == 4 && run["case"]["probe"] == "load_latency";
                let series = run["outcome"]["measured"].as_array_mut();
                for sample in
                    series.into_iter().flatten().flat_map(|s| s["samples"].as_array_mut().unwrap())
                {
                    *sample = json!(sample.as_f64().unwrap() * own * if slow { 1.4 } else { 1.0 });
                }
            }
            if host == 4 {
                record["machine"]["facts"]["memory.thp.enabled"] =
                    json!({ "value": "never", "source": "" });
                record["machine"]["facts"]["kernel.release"] =
                    json!({ "value": "x".repeat(100_000), "source": "" });
            }
            sandbox.file(&format!("runs/more/{host}-{hour}.json"), record.to_string());
        }
    }
    sandbox.file("runs/half.json", &quiet.to_string()[..9000]);
}

#[test]
fn the_slow_machine_is_named_with_what_only_it_has() {
    let sandbox = Sandbox::new();
    folder(&sandbox);
    sandbox.file("hosts", "node4\nnode77\nnode77\n");
    sandbox.file("runs/more/9-6.json.gz", "");
    sandbox.file("runs/.5-6.json.Xa81bC", r#"{"schema": 1, "#);
    sandbox.file("runs/more/9-0.JSON", fs::read(sandbox.path("runs/more/9-0.json")).unwrap());
    sandbox.file("runs/empty.json", "");
    sandbox.file("runs/newer.json", r#"{"digest":9}"#);
    sandbox.file("runs/huge.json", r#"{"digest":1,"took":1e400}"#);
    // Links back lead nowhere.
    sandbox.shell("cd runs/more && for i in 1 2 3; do ln -s .. up$i; done").done();
    let args = ["fleet", "runs", "--hosts", "hosts", "--format", "json", "--strict"];
    let ran = sandbox.cpulens(&args);
    assert_eq!(ran.code, 1, "{}", ran.err);
    let all: Value = serde_json::from_str(&ran.out).unwrap();
    let fleet = &all["fleet"];
    assert_eq!((&fleet["hosts"], &fleet["runs"]), (&json!(10), &json!(20)));
    let flagged = fleet["flagged"].as_array().unwrap();
    assert_eq!(flagged.len(), 1, "{flagged:?}");
    assert_eq!((&flagged[0]["host"], &flagged[0]["standing"]), (&json!("node4"), &json!("slow")));
    let differs = flagged[0]["differs"].to_string();
    assert!(differs.contains(r#"["memory.thp.enabled","never","madvise"]"#), "{differs}");
    let left = fleet["left_out"].to_string();
    for (file, why) in [
        ("empty", "is empty: no record"),
        ("newer", "is a digest of version 9"),
        ("huge", "is no digest: number out of range"),
        ("9-6.json.gz", "is packed: unpack it"),
        (".5-6.json.Xa81bC", "is cut short"),
    ] {
        assert!(left.contains(why), "{file}: {left}");
    }
    assert!(left.contains("half.json") && left.matches("node77").count() == 1, "{left}");
    assert!(left.contains("the same run as runs/more/9-0."), "{left}");
    sandbox.file("runs/part.json.zst", b"\x28\xb5\x2f\xfdxx");
    let whole = sandbox.cpulens(&["fleet", "runs", "--lang", "zh", "--details"]).done().out;
    assert!(whole.contains("part.json.zst：不完整或已损坏；"), "{whole}");
    for lang in ["en", "zh"] {
        let text = sandbox.cpulens(&["fleet", "runs", "--lang", lang]).done().out;
        assert!(text.lines().count() <= 40 && text.contains("node4"), "{text}");
        assert!(text.len() < 10_000, "a long fact is cut");
    }
    let page = sandbox.cpulens(&["fleet", "runs", "--format", "html"]).done().out;
    assert!(page.contains("<html") && page.contains("node4"));
}

/// A quota and stolen CPU time at both runs make machines slow, whether their runs were fit or not; one of each is in one place.
#[test]
fn machines_that_lose_cpu_time_are_among_the_slow() {
    let sandbox = Sandbox::new();
    let all = fixtures();
    let (_, file) = all.iter().find(|(name, _)| name == "quiet-vm").unwrap();
    let quiet: Value = serde_json::from_slice(&fs::read(file).unwrap()).unwrap();
    fs::create_dir_all(sandbox.path("runs")).unwrap();
    for (host, hour) in (0..8).flat_map(|host| [(host, 0), (host, 3)]) {
        let mut record = quiet.clone();
        record["provenance"]["name"] = json!(format!("node{host}"));
        record["provenance"]["started"] = json!(format!("2026-03-01T0{hour}:00:00Z"));
        if host == 2 {
            record["machine"]["facts"]["limits.cpu_quota"] = json!({ "value": 0.5, "source": "" });
        }
        let runs = record["runs"].as_array_mut().unwrap().iter_mut();
        for run in runs.filter(|r| host == 5 && r["case"]["probe"] == "preflight") {
            let all = run["outcome"]["measured"].as_array_mut().unwrap().iter_mut();
            for series in all.filter(|series| series["metric"] == "steal") {
                let samples = series["samples"].as_array_mut().unwrap().iter_mut();
                samples.for_each(|sample| *sample = json!(0.2));
            }
        }
        sandbox.file(&format!("runs/{host}-{hour}.json"), record.to_string());
    }
    let ran = sandbox.cpulens(&["fleet", "runs", "--format", "json"]).done();
    let all: Value = serde_json::from_str(&ran.out).unwrap();
    let flagged = all["fleet"]["flagged"].as_array().unwrap().iter();
    let flagged: Vec<Value> =
        flagged.map(|f| json!([f["host"], f["standing"], f["losses"][0]["kind"]])).collect();
    let slow = [json!(["node2", "slow", "cpu_quota"]), json!(["node5", "slow", "steal_time"])];
    assert_eq!(flagged, slow);
    let empty = json!([]);
    assert_eq!((&all["fleet"]["left_out"], &all["fleet"]["odd"]), (&empty, &empty));
    for (lang, words) in [
        ("en", ["A quota allows 0.5", "Steal time was 20", "up to 75 %"]),
        ("zh", ["配额只允许使用", "窃取了 20 %", "至多 75 %"]),
    ] {
        let page = sandbox.cpulens(&["fleet", "runs", "--lang", lang, "--format", "html"]).done();
        assert!(words.iter().all(|w| page.out.contains(w)), "{lang}: {}", page.out);
    }
    // Broken files have a line each, of which a screen shows the first.
    for i in 0..20 {
        sandbox.file(&format!("runs/broken{i}.json"), "{");
    }
    let text = sandbox.cpulens(&["fleet", "runs"]).done().out;
    assert!(text.lines().count() <= 40 && text.contains("node2") && text.contains("node5"));
    let csv = sandbox.cpulens(&["fleet", "runs", "--format", "csv"]).done().out;
    assert!(csv.contains(",cpu_quota,0.75,,0.75,"), "{csv}");
    assert!(csv.contains(",steal_time,0.2,,0.2,"), "{csv}");
}

/// A folder in which somebody may not run leaves out what is in it, and nothing else.
#[test]
fn a_folder_that_cannot_be_read_has_a_line() {
    let sandbox = Sandbox::new();
    let nobody = "setpriv --reuid 65534 --clear-groups";
    let can = sandbox.shell(&format!("{nobody} test -x \"$0\"")).code == 0;
    if !possible("becoming another user needs root, setpriv(1) and a program they can reach", can) {
        return;
    }
    fs::create_dir_all(sandbox.path("runs/closed")).unwrap();
    sandbox.file("runs/all.jsonl", made(1, 6, |_, _| 1.0));
    let fleet = format!("chmod -R a+rX . && chmod 700 runs/closed && {nobody} \"$0\" fleet runs");
    let text = sandbox.shell(&fleet).done().out;
    assert!(text.contains("Fleet of 6"), "{text}");
    assert!(text.contains("runs/closed: cannot be looked into: Permission denied"), "{text}");
}

/// Runs on machines with three figures each, of which `scale` makes each what it is.
fn made(runs: usize, hosts: usize, scale: impl Fn(usize, &str) -> f64) -> String {
    let figures = [
        ("core_frequency", "hertz", "higher", 3e9),
        ("memory_latency", "seconds", "lower", 1e-7),
        ("read_bandwidth", "bytes_per_second", "higher", 1e11),
    ];
    let run = |i: usize| {
        let host = i % hosts;
        let figure = |(k, (name, unit, better, typical)): (usize, &(&str, &str, &str, f64))| {
            let own = 1.0 + 0.001 * ((host * (k + 7) + i / hosts) % 10) as f64;
            json!({ "name": name, "unit": unit, "better": better, "value": typical * own * scale(host, name) })
        };
        let figures: Vec<Value> = figures.iter().enumerate().map(figure).collect();
        json!({
            "digest": 1, "host": format!("node{host:03}"), "name": format!("node{host:03}"),
            "started": format!("2026-03-01T{:02}:00:00Z", 3 * (i / hosts)),
            "key": { "model": "X", "sockets": 1, "cores": 8, "cpus": 8, "nodes": 1, "hypervisor": "none" },
            "facts": {}, "figures": figures,
        })
        .to_string()
    };
    (0..runs * hosts).map(run).collect::<Vec<_>>().join("\n")
}

/// Machines that are all slow are said to be so before anything else.
#[test]
fn no_peer_is_healthy_where_all_are_slow() {
    let sandbox = Sandbox::new();
    let expected = r#""expected":{"memory_latency":9e-8},"facts""#;
    sandbox.file("all.jsonl", made(1, 20, |_, _| 1.0).replace("\"facts\"", expected));
    for (lang, words) in
        [("en", "no peer is healthy by what is published"), ("zh", "没有正常的同类")]
    {
        let text = sandbox.cpulens(&["fleet", "all.jsonl", "--lang", lang]).done().out;
        assert!(text.lines().nth(3).is_some_and(|l| l.starts_with("- X")), "{text}");
        assert!(text.replace("\n  ", " ").contains(words), "{text}");
    }
    let limits = sandbox.cpulens(&["fleet", "all.jsonl", "--write-profile", "limits.toml"]).done();
    assert!(limits.err.contains("limits of memory_latency are of slow machines"), "{}", limits.err);
}

/// Machines of four kinds, of which three have a loss and four no figure.
#[test]
fn unlike_machines_are_one_screen() {
    let records = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1");
    let text = Sandbox::new().cpulens(&["fleet", records]).done().out;
    assert!(text.starts_with("Fleet of 8: 0 slow, 3 suspect, 4 left out"), "{text}");
    assert!(text.lines().count() <= 40 && text.contains("+ 2 (--details"), "{text}");
}

/// Twelve machines alone, six in a mode: each has a name, and what it costs.
#[test]
fn all_slow_machines_are_named_with_what_they_cost() {
    let sandbox = Sandbox::new();
    let scale = |host, figure: &str| match figure {
        "read_bandwidth" if host < 6 => 0.7,
        "memory_latency" if (20..32).contains(&host) => 1.1 + 0.05 * (host - 20) as f64,
        _ => 1.0,
    };
    sandbox.file("all.jsonl", made(2, 300, scale));
    for lang in ["en", "zh"] {
        let text = sandbox.cpulens(&["fleet", "all.jsonl", "--lang", lang]).done().out;
        let slow = (20..32).filter(|host| text.contains(&format!("node{host:03}"))).count();
        assert_eq!((slow, text.matches("\n node").count()), (12, 5), "{text}");
        assert!(text.lines().count() <= 40 && text.contains("--details"), "{text}");
    }
    // Slow machines and suspects beyond the rows have a line each.
    sandbox.file("once.jsonl", made(1, 300, scale));
    for (file, lang, said, other) in [
        ("all.jsonl", "en", "Also slow: node", "Also suspect"),
        ("once.jsonl", "en", "Also suspect: node", "Also slow"),
        ("once.jsonl", "zh", "同样可疑：node", "同样慢"),
    ] {
        let text = sandbox.cpulens(&["fleet", file, "--lang", lang]).done().out;
        assert!(text.contains(said) && !text.contains(other), "{text}");
    }
    let long = made(2, 300, scale).replace("node0", "of-a-rack-with-a-long-name.example.org-0");
    sandbox.file("long.jsonl", long);
    let text = sandbox.cpulens(&["fleet", "long.jsonl"]).done().out;
    let joined = text.replace('\n', " ");
    assert!(joined.contains(" and 5 more. ") && joined.contains("figures: --details."), "{text}");
    // A page has its details, and no option that shows them.
    let page = sandbox.cpulens(&["fleet", "long.jsonl", "--format", "html"]).done().out;
    assert!(page.contains("Also slow: ") && !page.contains("--details"), "{page}");
    let narrow = |text: &str| text.lines().all(|line| line.chars().count() <= 80);
    assert!(text.lines().count() <= 40 && narrow(&text), "{text}");
    sandbox.file("mode.jsonl", made(2, 60, scale));
    // Of two kinds the sentence says which it is of.
    let other = made(1, 5, |_, _| 1.0).replace("node0", "other0").replace("\"X\"", "\"Y\"");
    sandbox.file("kinds.jsonl", made(2, 60, scale) + "\n" + &other);
    for (lang, kind) in [("en", "Kind: X, stepping"), ("zh", "种类：X，")] {
        let of = |file| sandbox.cpulens(&["fleet", file, "--lang", lang]).done().out;
        let [one, two] = ["mode.jsonl", "kinds.jsonl"].map(of);
        let said = |text: &str| text.replace("\n  ", " ").contains(kind);
        assert!(said(&two) && !said(&one), "{two}");
    }
    for (lang, words) in [
        (
            "en",
            [
                "slow since",
                "6 of 60 have 30 % less",
                "memory bandwidth. Machines: node000,",
                "and 2 more.",
                "memory latency: up",
            ],
        ),
        (
            "zh",
            [
                "自 2026-03-01",
                "60 台中有 6 台",
                "。机器：node000,",
                "另有 2 台",
                "受内存带宽限制的程序至多 30 %",
            ],
        ),
    ] {
        let text = sandbox.cpulens(&["fleet", "mode.jsonl", "--lang", lang]).done().out;
        let text = text.replace("\n  ", if lang == "en" { " " } else { "" });
        assert!(words.iter().all(|w| text.contains(w)), "{text}");
        let all = sandbox.cpulens(&["fleet", "mode.jsonl", "--lang", lang, "--details"]).done().out;
        assert!((0..6).all(|host| all.contains(&format!("\n node{host:03} "))), "{all}");
        let page = sandbox.cpulens(&["fleet", "mode.jsonl", "--lang", lang, "--format", "html"]);
        assert!(page.done().out.contains("node003"), "{lang}");
    }
    let all = sandbox.cpulens(&["fleet", "mode.jsonl", "--format", "json"]).done().out;
    let fleet = serde_json::from_str::<Value>(&all).unwrap()["fleet"].clone();
    let mode = &fleet["slower"][0];
    assert_eq!(mode["machines"].as_array().map(Vec::len), Some(6));
    let lost =
        |of: &Value| (of["most"].as_f64().unwrap(), of["bound_by"].as_str().unwrap().to_owned());
    let (most, by) = lost(&mode["cost"]);
    assert!((0.28..0.32).contains(&most) && by == "memory bandwidth", "{mode}");
    let worst =
        fleet["flagged"].as_array().unwrap().iter().find(|f| f["host"] == "node031").unwrap();
    let costs: Vec<_> = worst["costs"].as_array().unwrap().iter().map(lost).collect();
    // 65 % more time for a load is 39 % less work of loads.
    assert!((0.37..0.41).contains(&costs[0].0) && costs[0].1 == "memory latency", "{worst}");
    assert!(costs.len() == 3 && costs[1].0 == 0.0 && costs[2].0 == 0.0, "{worst}");
}

/// Which of two facts is the cause is not known, so that both are named; figures of other code are not compared.
#[test]
fn all_facts_that_divide_modes_are_named() {
    let sandbox = Sandbox::new();
    let is_slow = |host: usize| host < 20;
    let scale = |host, figure: &str| match figure {
        "read_bandwidth" if is_slow(host) => 0.8,
        _ => 1.0,
    };
    for (fact, en, zh) in [
        ("kernel.release", "divide them in the same way: kernel.release.", "：kernel.release。"),
        ("cpulens.kernels", "several versions of the code", "不同版本的代码"),
    ] {
        let own = |line: &str| {
            let slow =
                (0..60).find(|host| line.contains(&format!("node{host:03}"))).is_some_and(is_slow);
            let facts = json!({ "cpu.microcode": slow.to_string(), fact: slow.to_string() });
            line.replace("\"facts\":{}", &format!("\"facts\":{facts}"))
        };
        let lines: Vec<String> = made(2, 60, scale).lines().map(own).collect();
        sandbox.file("all.jsonl", lines.join("\n"));
        for (lang, words) in [("en", en), ("zh", zh)] {
            let text = sandbox.cpulens(&["fleet", "all.jsonl", "--lang", lang]).done().out;
            let text = text.replace("\n  ", if lang == "en" { " " } else { "" });
            assert!(text.contains(words), "{text}");
            let slower = text.contains("20 of 60 have") || text.contains("60 台中有 20 台");
            assert_eq!(slower, fact == "kernel.release", "{text}");
        }
    }
}

#[test]
fn suspects_are_written_and_a_history_has_a_page() {
    let sandbox = Sandbox::new();
    folder(&sandbox);
    sandbox.shell("rm runs/more/*-3.json").done();
    sandbox.cpulens(&["fleet", "runs", "--write-suspects", "again.txt"]).done();
    assert_eq!(fs::read_to_string(sandbox.path("again.txt")).unwrap(), "node4\n");
    for _ in 0..2 {
        let args = ["fleet", "runs/more/0-0.json", "--write-suspects", "again.txt"];
        assert!(sandbox.cpulens(&args).done().err.contains("no again.txt"));
        assert!(!sandbox.path("again.txt").exists(), "an empty list is all machines");
    }
    // Twenty days of one machine, of which the kernel and the latency change after twelve.
    sandbox.shell("\"$0\" digest runs/more/0-0.json -o one.jsonl").done();
    let one = fs::read_to_string(sandbox.path("one.jsonl")).unwrap();
    let one: Value = serde_json::from_str(&one).unwrap();
    let mut days = String::new();
    for day in 0..20 {
        let mut run = one.clone();
        run["started"] = json!(format!("2026-03-{:02}T03:00:00Z", day + 1));
        run["facts"]["kernel.release"] = json!(if day < 12 { "6.1<b>" } else { "6.18" });
        for figure in run["figures"].as_array_mut().unwrap() {
            let own = 1.0 + 0.001 * f64::from(7 * day % 10);
            let slower = if day >= 12 && figure["name"] == "memory_latency" { 1.2 } else { 1.0 };
            figure["value"] = json!(figure["value"].as_f64().unwrap() * own * slower);
        }
        days.push_str(&format!("{run}\n"));
    }
    sandbox.file("days.jsonl", &days);
    let text = sandbox.cpulens(&["history", "days.jsonl"]).done().out;
    assert!(text.contains("2026-03-13") && text.contains("6.1<b> → 6.18"), "{text}");
    // Runs of one day have their hours below the picture.
    let hours = (1..=20).fold(days.clone(), |all, n| {
        all.replace(&format!("2026-03-{n:02}T03"), &format!("2026-03-01T{n:02}"))
    });
    sandbox.file("hours.jsonl", hours);
    let page = |file: &str| sandbox.cpulens(&["history", file, "--format", "html"]).done().out;
    assert!(page("hours.jsonl").contains(">01:00</text>"));
    assert!(page("days.jsonl").contains(">2026-03-01</text>"));
    // What came with the same setting on several machines is one line.
    let other = days.replace("node0", "node7");
    assert_ne!(other, days);
    sandbox.file("two.jsonl", format!("{days}{other}"));
    for (lang, line, names) in [
        ("en", "2026-03-13: memory latency on huge pages of 2 machines is 2", "node0, node7"),
        ("zh", "2026-03-13 起，2 台机器的内存延时（大页）升高", "node0, node7"),
    ] {
        let text = sandbox.cpulens(&["history", "two.jsonl", "--lang", lang]).done().out;
        let text = text.replace("\n  ", if lang == "en" { " " } else { "" });
        assert!(text.contains(line) && text.contains(names), "{text}");
        assert_eq!(text.matches("6.1<b>").count(), 1, "{text}");
    }
    // A check that did not end is not fit.
    let cut = fixtures().into_iter().find(|(name, _)| name == "cut-short").unwrap().1;
    sandbox.file("cut.json", fs::read_to_string(cut).unwrap().replace("\"never\"", "\"madvise\""));
    let cut = sandbox.cpulens(&["fleet", "cut.json"]).done().out;
    assert!(cut.contains("not fit to be measured: the check did not end"), "{cut}");
    // Without a name each file is a machine; a name that it has itself is one, but for that which all have.
    std::fs::create_dir(sandbox.path("un")).unwrap();
    let quiet: Value =
        serde_json::from_str(&fs::read_to_string(sandbox.path("runs/more/0-0.json")).unwrap())
            .unwrap();
    for (host, unnamed) in [(None, true), (Some("localhost"), true), (Some("web1"), false)] {
        for day in 0..3 {
            let mut run = quiet.clone();
            run["provenance"]["name"] = Value::Null;
            run["provenance"]["host"] = json!(host);
            run["provenance"]["started"] = json!(format!("2026-03-0{}T03:00:00Z", day + 1));
            sandbox.file(&format!("un/{day}.json"), run.to_string());
        }
        for command in ["history", "fleet"] {
            let said = sandbox.cpulens(&[command, "un"]).done().out;
            let each = said.contains("3 records without a name: each taken as a machine");
            assert_eq!(each, unnamed, "{said}");
        }
    }
    let all = sandbox.cpulens(&["fleet", "un", "--format", "json"]).done().out;
    let fleet = serde_json::from_str::<Value>(&all).unwrap()["fleet"].clone();
    assert_eq!((&fleet["hosts"], &fleet["runs"]), (&json!(1), &json!(3)));
    // In one's own folder what has no name is of the machine that the others name.
    sandbox.cpulens(&["history"]).could_not("there are no records yet in");
    fs::create_dir_all(sandbox.path("data/cpulens/records")).unwrap();
    sandbox.shell("cp un/*.json data/cpulens/records && sed 's/\"web1\"/\"localhost\"/; s/2026-03-0/2026-04-0/' un/0.json > data/cpulens/records/0-more.json").done();
    let own = sandbox.cpulens(&["history", "--format", "json"]).done().out;
    let own = serde_json::from_str::<Value>(&own).unwrap()["history"].clone();
    assert_eq!((&own["hosts"], &own["runs"]), (&json!(1), &json!(4)));
    // The digests of these records are the same runs.
    sandbox.shell("\"$0\" digest un/*.json -o un/again.jsonl").done();
    let all = sandbox.cpulens(&["fleet", "un", "--format", "json"]).done().out;
    let fleet = serde_json::from_str::<Value>(&all).unwrap()["fleet"].clone();
    assert_eq!((&fleet["hosts"], &fleet["runs"]), (&json!(1), &json!(3)));
    assert_eq!(fleet["left_out"].to_string().matches("the same run as").count(), 3);
    // A machine that is called as a word of ours keeps its name.
    sandbox.file("word.jsonl", days.replace(one["name"].as_str().unwrap(), "kernel"));
    for format in ["html", "markdown", "text"] {
        let args = ["history", "word.jsonl", "--lang", "zh", "--format", format];
        let word = sandbox.cpulens(&args).done().out;
        assert!(word.contains("kernel") && !word.contains("核函数"), "{word}");
    }
    // Of many machines that changed together the details have all.
    let name = one["name"].as_str().unwrap();
    let six: Vec<String> = (0..6).map(|i| days.replace(name, &format!("same{i}"))).collect();
    sandbox.file("six.jsonl", six.concat());
    let six = sandbox.cpulens(&["history", "six.jsonl", "--details"]).done().out;
    let since = |i: &usize| six.contains(&format!("\n same{i}     2026-03-13T03:00:00Z"));
    assert_eq!((0..6).filter(since).count(), 6, "{six}");
    // Nine runs cannot tell, and runs that were not fit are none.
    let nine: Vec<&str> = days.lines().skip(8).take(9).collect();
    sandbox.file("nine.jsonl", nine.join("\n"));
    let few = sandbox.cpulens(&["history", "nine.jsonl"]).done().out;
    assert!(few.contains("A change is found from 10 runs of one machine."), "{few}");
    assert!(few.contains("kernel.release") && !few.contains("No figure has changed"), "{few}");
    sandbox.file("unfit.jsonl", days.replace("{\"digest\"", "{\"unfit\":\"x\",\"digest\""));
    // What cannot be read has a line in the page, not only among the messages.
    sandbox.file("half.json", r#"{"schema": 1, "#);
    let half = sandbox.cpulens(&["history", "days.jsonl", "half.json"]).done().out;
    assert!(half.contains("- half.json: is cut short"), "{half}");
    assert_eq!(sandbox.cpulens(&["history", "half.json"]).code, 2);
    let unfit = sandbox.cpulens(&["history", "unfit.jsonl"]).done().out;
    assert!(unfit.contains("not fit to be measured: x"), "{unfit}");
    assert!(!unfit.contains("No figure has changed"), "{unfit}");
    let page = sandbox.cpulens(&["history", "days.jsonl", "--format", "html"]).done().out;
    assert!(!page.contains("<script") && !page.contains("6.1<b>"), "no script, nothing unescaped");
    assert_eq!(page.matches("<svg").count(), 1, "a picture of the machine");
    assert!(page.contains("kernel.release 6.1&lt;b&gt; → 6.18"));
    assert_eq!(page.matches(">+20").count(), 1, "the change, beside its line");
    assert_eq!(page, sandbox.cpulens(&["history", "days.jsonl", "--format", "html"]).done().out);
}

#[test]
fn limits_of_a_fleet_are_those_that_a_check_reads() {
    let sandbox = Sandbox::new();
    folder(&sandbox);
    sandbox.cpulens(&["fleet", "runs", "--write-profile", "limits.toml"]).done();
    let code = |record: &str| {
        let args = ["check", "--last", "--record", record, "--profile", "limits.toml"];
        sandbox.cpulens(&args).code
    };
    assert_eq!((code("runs/more/3-0.json"), code("runs/more/4-3.json")), (0, 2));
    sandbox
        .cpulens(&["fleet", "runs/more/3-0.json", "--write-profile", "x.toml"])
        .could_not("limits take 5 healthy machines of one kind");
    assert_eq!(sandbox.cpulens(&["fleet", "nowhere"]).code, 2);
}
