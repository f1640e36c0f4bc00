//! The first screen of a fleet's verdict.
use super::made;
use crate::sandbox::Sandbox;
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
