//! `db` as a user types it: what is refused, what is planned, and a record of the built-in engine.
use crate::sandbox::{Sandbox, load};
use record::{Outcome, Run};

#[test]
fn what_cannot_be_is_refused_before_anything_is_measured() {
    let sandbox = Sandbox::new();
    for (args, words) in [
        (&["db", "point-select", "--engine", "no-such-engine"][..], "--engine"),
        (&["db", "point-select", "--mode", "sharded"], "--mode shared, wal, own"),
        (&["db", "tpcc", "--way", "procedure"], "no stored procedures"),
        (&["db", "tpcc", "--ladder", "8192"], "a step of 8192 cores"),
        (&["db", "tpcc", "--cpus", "60000"], "do not exist"),
    ] {
        sandbox.cpulens(args).could_not(words);
    }
    for args in [
        &["db"][..],
        &["db", "insert"],
        &["db", "tpcc", "--mix", "1/2/3"],
        &["db", "tpcc", "--ladder", "many"],
        &["db", "tpcc", "--reuse", "--replace"],
        &["db", "point-select", "--rows", "0"],
        &["db", "point-select", "--distribution", "normal"],
        &["db", "point-select", "--seconds", "0"],
    ] {
        let ran = sandbox.cpulens(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    }
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_dry_run_shows_every_step() {
    let sandbox = Sandbox::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/machines/epyc-guest/tree");
    let plan = |more: &[&str]| {
        let args = ["db", "--dry-run", "--root", root, "--format", "csv"];
        sandbox.cpulens(&[&args[..], more].concat()).done().out
    };
    let rows = |text: &str, probe: &str| text.lines().filter(|l| l.starts_with(probe)).count();
    let points = plan(&["point-select", "--mode", "shared,wal", "--repeats", "3"]);
    assert!(rows(&points, "point_select,") >= 6 && rows(&points, "tpcc,") == 0, "{points}");
    let one = plan(&["tpcc", "--ladder", "1", "--repeats", "1", "--way", "row-wise,batched"]);
    assert_eq!(rows(&one, "tpcc,"), 2, "{one}");
    assert!(one.contains("way=batched") && one.contains("mix=45/43/4/4/4"), "{one}");
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_ladder_of_the_built_in_engine_is_a_record_and_a_report() {
    let sandbox = Sandbox::new();
    let (file, data) = (sandbox.path("db.json"), sandbox.path("data"));
    let (name, data) = (file.to_str().unwrap(), data.to_str().unwrap());
    let args = [
        "db",
        "point-select",
        "--rows",
        "2000",
        "--windows",
        "3",
        "--seconds",
        "0.05",
        "--warm",
        "0.02",
        "--repeats",
        "1",
        "--ladder",
        "1",
        "--data",
        data,
        "--record",
        name,
    ];
    let ran = sandbox.cpulens(&args);
    assert!(ran.code != 2, "{}", ran.err);
    for words in ["Databases on pinned cores", "engine: SQLite 3.", "1 core"] {
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
    }
    let record = load(&file);
    let runs: Vec<&Run> = record.runs.iter().filter(|r| r.case.probe == "point_select").collect();
    assert!(runs.len() == 1 && matches!(runs[0].outcome, Outcome::Measured(_)), "{runs:?}");
    let kept = sandbox.path("data").join("sqlite-point_select.db");
    let made = std::fs::metadata(&kept).unwrap().modified().unwrap();
    let json = sandbox.cpulens(
        &[&args[..args.len() - 1], &[sandbox.path("2.json").to_str().unwrap(), "--format", "json"]]
            .concat(),
    );
    assert!(json.out.contains("\"databases\"") && json.out.contains("\"verdict\""));
    assert_eq!(std::fs::metadata(&kept).unwrap().modified().unwrap(), made, "data are used again");
}
