//! `noise` from outside: what it finds adds up, and its rows are those of the tools whose names they have.
use crate::sandbox::Sandbox;
use serde_json::Value;

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap()
}

/// The numbers behind a row's name.
fn row(text: &str, name: &str) -> Vec<f64> {
    let line = text.lines().find_map(|l| l.trim_start().strip_prefix(name)?.strip_prefix(':'));
    let words = line.unwrap_or_else(|| panic!("no row {name} in {text}")).split_whitespace();
    words.map_while(|w| w.parse().ok()).collect()
}

#[test]
fn what_is_taken_is_the_sum_of_who_took_it_in_every_form() {
    let sandbox = Sandbox::new();
    let record = sandbox.path("noise.json").display().to_string();
    let short =
        ["--seconds", "0.3", "--each", "0.1", "-q", "--record", &record, "--format", "json"];
    let ran = sandbox.cpulens(&[&["noise"][..], &short].concat());
    assert!(ran.code == 0, "{}", ran.err);
    let report: Value = serde_json::from_str(&ran.out).unwrap();
    let cpus = report["noise"]["cpus"].as_array().unwrap();
    let bound: Vec<&Value> = cpus.iter().filter(|c| c["binding"] == "bound").collect();
    let loose: Vec<&Value> = cpus.iter().filter(|c| c["binding"] == "unbound").collect();
    assert!(!bound.is_empty() && loose.len() == 1, "{cpus:?}");
    assert!(bound.iter().all(|c| c["cpu"].is_u64()) && loose[0]["cpu"].is_null());
    for cpu in cpus {
        let parts: f64 = cpu["parts"].as_array().unwrap().iter().map(|p| number(&p["share"])).sum();
        let taken = number(&cpu["share"]);
        assert!((parts - taken).abs() < 1e-9 + 1e-6 * taken, "{cpu}");
    }
    let works = report["noise"]["works"].as_array().unwrap();
    assert_eq!(works.len(), 4 * cpus.len());
    for work in works {
        let of = |name: &str| number(&work["overhead"][name]);
        assert!(
            of("floor") > 0.0 && number(&work["overhead"]["lengths"][0]) >= of("floor"),
            "{work}"
        );
        let sum = of("direct") + of("indirect") + of("shift") + of("scatter");
        assert!((sum - of("overhead")).abs() < 1e-9 * (1.0 + of("overhead")), "{work}");
    }
    let estimates = report["estimates"].as_array().unwrap();
    let requests = estimates.iter().filter(|e| e["probe"] == "kernel_ops").count();
    assert!(requests >= 8, "{requests} requests");
    let passes = estimates.iter().filter(|e| e["metric"] == "time_per_pass").count();
    assert_eq!(passes, cpus.len(), "78,497 primes are counted by every thread");

    let show = |format: &str| sandbox.cpulens(&["show", &record, "--format", format]).out;
    let text = show("sysjitter");
    assert_eq!(row(&text, "core_i").len(), bound.len(), "{text}");
    let total = row(&text, "int_total(%)");
    for (cpu, total) in bound.iter().zip(total) {
        assert!((number(&cpu["share"]) * 100.0 - total).abs() < 1e-3, "{cpu}: {total}");
    }
    let text = show("oslat");
    let looks: f64 = (1..=32).map(|us| row(&text, &format!("{us:03} (us)"))[0]).sum();
    assert!(looks > 1000.0, "{text}");
    assert!(row(&text, "Maximum")[0] >= row(&text, "Minimum")[0]);
    let text = show("osnoise");
    let line = text.lines().last().unwrap();
    assert_eq!(line.split_whitespace().count(), 12, "{line}");
    assert!(show("html").contains("noise-lengths"));
}

#[test]
fn a_record_without_gaps_is_refused_with_what_makes_some() {
    let sandbox = Sandbox::new();
    let record = sandbox.file("record.json", crate::sandbox::measured());
    for format in ["sysjitter", "oslat", "osnoise"] {
        let ran = sandbox.cpulens(&["show", &record, "--format", format]);
        assert!(ran.code == 2 && ran.err.contains("cpulens noise"), "{}", ran.err);
        // A plan without such cases is refused before anything is measured.
        let ran = sandbox.cpulens(&["run", "--only", "instrument", "--format", format]);
        assert!(ran.code == 2 && ran.err.contains("cpulens noise detours"), "{}", ran.err);
        assert!(sandbox.records().is_empty(), "{format}");
    }
}

#[test]
fn what_is_asked_for_is_planned_and_nothing_else() {
    let sandbox = Sandbox::new();
    let plan = |args: &[&str]| sandbox.cpulens(&[&["noise", "--dry-run"][..], args].concat()).out;
    let detours = plan(&["detours", "--binding", "bound"]);
    assert!(detours.contains("noise_detours") && !detours.contains("noise_fwq"), "{detours}");
    let costs = plan(&["costs"]);
    assert!(costs.contains("kernel_ops") && costs.contains("page_fault"), "{costs}");
    assert!(!costs.contains("noise_detours"), "{costs}");
    for wrong in [&["--duty", "2"][..], &["--threshold", "0"], &["--seconds", "0"], &["nothing"]] {
        assert_eq!(sandbox.cpulens(&[&["noise"][..], wrong].concat()).code, 2, "{wrong:?}");
    }
}
