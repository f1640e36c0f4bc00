//! The first screen of a fleet's verdict.
use super::made;
use crate::sandbox::{Sandbox, fixtures};
use serde_json::{Value, json};

/// Slow machines with labels and settings of two kinds, suspects, rare settings, and what was left out.
#[test]
fn a_fleet_with_everything_is_one_screen() {
    let sandbox = Sandbox::new();
    let latency = |host, figure: &str| match figure {
        "memory_latency" if (20..32).contains(&host) => 1.1 + 0.05 * (host - 20) as f64,
        _ => 1.0,
    };
    let mut all: Vec<Value> = vec![];
    for line in made(2, 300, latency).lines() {
        let mut run: Value = serde_json::from_str(line).unwrap();
        let number = run["host"].as_str().unwrap().trim_start_matches("node").parse::<usize>();
        let number = number.unwrap();
        run["labels"] = json!({ "rack": format!("row{}-{}", number / 100, number / 40) });
        let modules = if number % 7 == 6 && (20..32).contains(&number) { 1333 } else { 2666 };
        run["facts"]["memory.modules"] = json!(format!("12 x 16 GiB at {modules} MT/s"));
        if number == 40 || number == 29 {
            run["facts"]["limits.cpu_quota"] = json!("4");
        }
        if number == 50 {
            run["key"]["cpus"] = json!(4);
        }
        if number > 296 {
            run["unfit"] = json!("Other programs used 89 % of the CPUs while the cases ran");
        }
        if number == 60 {
            run["facts"]["bios.version"] = json!("an old one of long ago");
        }
        all.push(run);
    }
    let lines: Vec<String> = all.iter().map(Value::to_string).collect();
    sandbox.file("all.jsonl", lines.join("\n"));
    for lang in ["en", "zh"] {
        let text = sandbox.cpulens(&["fleet", "all.jsonl", "--lang", lang]).done().out;
        assert!(text.lines().count() <= 40, "{text}");
        let slow = (20..32).chain([40, 50]).filter(|host| text.contains(&format!("node{host:03}")));
        assert_eq!(slow.count(), 14, "{text}");
        let all = sandbox.cpulens(&["fleet", "all.jsonl", "--lang", lang, "--details"]).done().out;
        assert!(all.contains("memory.modules") && !text.contains("memory.modules"), "{all}");
    }
}

/// Of several kinds each row says of which, in both languages; equal lines are counted, and clones of an image are
/// distinguished.
#[test]
fn a_row_names_the_kind_of_its_machine() {
    let sandbox = Sandbox::new();
    let all = fixtures();
    let (_, file) = all.iter().find(|(name, _)| name == "quiet-vm").unwrap();
    let line = sandbox.cpulens(&["digest", file.to_str().unwrap()]).done().out;
    let quiet: Value = serde_json::from_str(&line).unwrap();
    let mut lines = String::new();
    for (host, hour) in (0..20).flat_map(|host| [(host, 0), (host, 3)]) {
        let mut run = quiet.clone();
        let name = format!("n{host}");
        (run["host"], run["name"]) = (json!(name), json!(name));
        run["run"] = json!(format!("{host}-{hour}"));
        run["started"] = json!(format!("2026-03-01T0{hour}:00:00Z"));
        if host >= 12 {
            run["key"]["model"] = json!("Other CPU");
        }
        // Two clones, of which nobody could read the product UUID.
        if host == 14 || host == 15 {
            let id = "e".repeat(32);
            (run["host"], run["os_id"], run["boot"]) = (json!(id), json!(id), json!(name));
        }
        if host == 3 {
            run["facts"]["bios.version"] = json!("0.1");
        } else {
            run["facts"]["bios.version"] = json!("0.2");
        }
        for figure in run["figures"].as_array_mut().unwrap() {
            let own = 1.0 + 0.001 * f64::from((7 * host + hour) % 10);
            let slow = host == 17 && figure["name"].as_str().unwrap().contains("latency");
            let value = figure["value"].as_f64().unwrap();
            figure["value"] = json!(value * own * if slow { 1.4 } else { 1.0 });
        }
        lines += &format!("{run}\n").repeat(if host == 1 { 3 } else { 1 });
    }
    sandbox.file("all.jsonl", lines);
    for (language, words) in [
        ("en", ["; kind 2", "; kind 1", "4 more that are equal", "n14, n15: machines with one id"]),
        ("zh", ["；种类 2", "；种类 1", "另有 4 份", "n14, n15：操作系统标识相同"]),
    ] {
        let args = ["fleet", "all.jsonl", "--format", "markdown", "--lang", language];
        let text = sandbox.cpulens(&args).done().out;
        for words in words {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
    let again = sandbox.cpulens(&["digest", "all.jsonl"]).done();
    assert_eq!(again.out.lines().count(), 40);
    assert!(again.err.contains("4 more that are equal"), "{}", again.err);
}
