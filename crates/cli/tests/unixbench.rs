//! `unixbench` as a user types it: what is refused, what is planned, that its report is one of UnixBench's, and that neither
//! processes nor files outlive it.
use crate::{
    resume::Running,
    sandbox::{Sandbox, load, reached, soon},
};
use record::{Metric, Outcome, Record, Run, param};
use std::fs;

fn of<'a>(record: &'a Record, probe: &str) -> &'a Run {
    record.runs.iter().find(|r| r.case.probe == probe).unwrap()
}

/// An empty table and success would pass for a result.
#[test]
fn a_record_without_its_tests_has_no_table() {
    let sandbox = Sandbox::new();
    for more in [&[][..], &["-o", "table.csv"]] {
        let show = ["show", "ref:amd-7742", "--format", "unixbench_csv"];
        sandbox.cpulens(&[&show[..], more].concat()).could_not("cpulens unixbench");
    }
    assert!(sandbox.everything().is_empty());
}

#[test]
fn what_cannot_be_run_is_refused_before_anything_is_measured() {
    let sandbox = Sandbox::new();
    sandbox.cpulens(&["unixbench", "--scratch", "no/such/folder"]).could_not("no such folder");
    sandbox.cpulens(&["unixbench", "--cpus", "60000"]).could_not("no such CPU");
    let same = ["unixbench", "--context", "same"];
    let with = |more: &[&str]| sandbox.cpulens(&[&same[..], more].concat());
    with(&["context1", "--copies", "2"]).could_not("add 1 to --copies");
    with(&["pipe"]).could_not("add it to the tests");
    for args in [
        &["unixbench", "whets"][..],
        &["unixbench", "--copies", "0"],
        &["unixbench", "--copies", "many"],
        &["unixbench", "--variant", "4.1"],
        &["unixbench", "--placement", "somewhere"],
        &["unixbench", "--context", "far"],
        &["unixbench", "--exact", "--passes", "2"],
        &["unixbench", "--exact", "--depth", "standard"],
        &["unixbench", "--seconds", "0"],
    ] {
        let ran = sandbox.cpulens(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    }
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_dry_run_is_a_plan_of_these_tests_alone() {
    let sandbox = Sandbox::new();
    let args = ["unixbench", "--dry-run", "--format", "csv", "--copies", "1,512", "--exact"];
    let plan = sandbox.cpulens(&args).done().out;
    for (test, _) in workloads::unixbench::TESTS {
        let rows = plan.lines().filter(|l| l.starts_with(&format!("{test},"))).count();
        assert_eq!(rows, 2, "{test}: {plan}");
    }
    assert!(!plan.contains("core_frequency") && plan.contains("copies=512"));
    // UnixBench itself writes one name with a hyphen; a plain run has none of the tests.
    let one = sandbox.cpulens(&["unixbench", "whetstone-double", "--dry-run"]).done().out;
    assert!(one.contains("whetstone_double") && !one.contains("dhry2reg"));
    let plain = sandbox.cpulens(&["run", "--dry-run", "--format", "csv"]).done().out;
    assert!(!plain.contains("dhry2reg"), "{plain}");
    assert!(sandbox.everything().is_empty());
}

/// Ours and the importer's agree in names, units and numbers, and it has nothing to doubt.
#[test]
fn the_report_is_read_by_the_importer_of_unixbenchs_reports() {
    let sandbox = Sandbox::new();
    let file = |name: &str| sandbox.path(name).display().to_string();
    let (own, report, table) = (file("own.json"), file("report.txt"), file("scores.csv"));
    let short = ["--copies", "1,2", "--passes", "1", "--seconds", "0.2", "--record", &own];
    let args =
        [&["unixbench", "pipe", "fsbuffer", "--format", "unixbench", "-o", &report], &short[..]]
            .concat();
    sandbox.cpulens(&args).done();
    let text = fs::read_to_string(&report).unwrap();
    assert!(text.contains("System Benchmarks Index Score (Partial Only)"), "{text}");

    let imported = file("imported.json");
    sandbox.cpulens(&["import", &report, "--record", &imported]);
    let (own_record, imported) = (load(own.as_ref()), load(imported.as_ref()));
    assert!(
        imported.provenance.sources[0].warnings.is_empty(),
        "{:?}",
        imported.provenance.sources
    );
    for copies in [1, 2] {
        let with = |record: &'_ Record, probe: &str| -> Run {
            let wanted =
                |r: &&Run| r.case.probe == probe && r.case.get(param::COPIES) == Some(copies);
            record.runs.iter().find(wanted).unwrap().clone()
        };
        for test in ["pipe", "fsbuffer"] {
            let run = with(&own_record, test);
            let rate = run.metric(Metric::Rate).unwrap();
            let theirs = with(&imported, "unixbench");
            let Outcome::Measured(all) = &theirs.outcome else { panic!("{theirs:?}") };
            let theirs = all.iter().find(|s| s.metric == Metric::Rate && s.at == rate.at).unwrap();
            assert_eq!(theirs.unit, rate.unit);
            assert!((theirs.samples[0] / rate.samples[0] - 1.0).abs() < 1e-3, "{test}");
        }
    }
    let shown = sandbox.cpulens(&["show", &own, "--format", "unixbench_csv", "-o", &table]).done();
    assert_eq!(shown.out, "");
    let table = fs::read_to_string(table).unwrap();
    assert_eq!(table.lines().count(), 3, "{table}");
    assert!(table.starts_with("Concurrency,File Copy 256 bufsize 500 maxblocks,Pipe Throughput"));
    let page = fs::read_to_string(sandbox.path("own.html")).unwrap();
    assert!(page.contains("chart-unixbench"));
    indexes_stand_beside(&sandbox, &own, &report);
}

/// Beside machines of the catalogue if nothing is said, else beside what was chosen, UnixBench's own reports too.
fn indexes_stand_beside(sandbox: &Sandbox, own: &str, report: &str) {
    let beside = |args: &[&str]| -> Vec<String> {
        let args = [&["show", own, "--format", "json"], args].concat();
        let shown: serde_json::Value = serde_json::from_str(&sandbox.cpulens(&args).out).unwrap();
        let all = shown["references"].as_array().unwrap().iter();
        all.map(|r| format!("{} {}", r["name"].as_str().unwrap(), r["copies"])).collect()
    };
    let published = beside(&[]);
    assert!(published.contains(&"ref:kunpeng-1630v100-sample 1".to_owned()), "{published:?}");
    assert!(published.iter().all(|name| name.ends_with(" 1")), "none had two: {published:?}");
    assert_eq!(beside(&["--against", report]), ["report 1", "report 2"]);
    let both = format!("ref:kunpeng-1630v100-sample,{report}");
    assert_eq!(beside(&["--against", &both])[0], "ref:kunpeng-1630v100-sample 1");
    let show = |against: &str| sandbox.cpulens(&["show", own, "--against", against]);
    show("ref:amd-7742").could_not("no test of UnixBench");
    show("no-such-file").could_not("no-such-file");
}

/// Processes whose command line names this folder.
fn strays(folder: &str) -> Vec<String> {
    let entries = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    let lines = entries.filter_map(|e| fs::read(e.path().join("cmdline")).ok());
    let lines = lines.map(|l| String::from_utf8_lossy(&l).replace('\0', " "));
    lines.filter(|l| l.contains(folder) && !l.contains("cpulens unixbench")).collect()
}

#[test]
fn ctrl_c_leaves_no_copy_and_no_file_and_keeps_what_was_measured() {
    let sandbox = Sandbox::new();
    let scratch = sandbox.path("scratch");
    fs::create_dir(&scratch).unwrap();
    let folder = scratch.display().to_string();
    let args = ["unixbench", "pipe", "shell8", "fsdisk", "--scratch", &folder];
    let long = ["--copies", "4", "--passes", "40", "--seconds", "0.5"];
    let mut run = Running::start(&sandbox, &[&args[..], &long].concat());
    // Something was measured (the environment check at least), and copies are at work.
    let file = run.measured(&sandbox);
    assert!(soon(|| strays(&folder).len() > 3), "no copy was seen");
    run.signal("INT");
    let (code, _, err) = run.ended();
    assert_eq!(code, 128 + 2, "{err}");
    assert_eq!(strays(&folder), Vec::<String>::new());
    assert_eq!(fs::read_dir(&scratch).unwrap().count(), 0);
    let (done, left) = reached(&load(&file));
    assert!(done > 0 && left > 0, "{done} {left}");
    assert!(err.lines().last().unwrap().contains("cpulens run --resume"), "{err}");
}

/// Killed, or asked twice to stop, it cleans up nothing itself; somebody does.
#[test]
fn a_killed_run_leaves_no_copy_and_no_file() {
    let sandbox = Sandbox::new();
    let scratch = sandbox.path("scratch");
    fs::create_dir(&scratch).unwrap();
    let folder = scratch.display().to_string();
    let args = ["unixbench", "fsdisk", "--scratch", &folder];
    let long = ["--copies", "2", "--passes", "1", "--seconds", "60"];
    let run = Running::start(&sandbox, &[&args[..], &long].concat());
    assert!(soon(|| strays(&folder).len() > 1), "no copy was seen");
    run.signal("KILL");
    run.ended();
    let files = || fs::read_dir(&scratch).unwrap().count();
    assert!(soon(|| files() == 0 && strays(&folder).is_empty()), "{:?}", strays(&folder));
}

#[test]
fn without_the_scripts_tools_the_index_is_partial_and_states_why() {
    let sandbox = Sandbox::new();
    let (file, empty) = (sandbox.path("own.json"), sandbox.path("empty"));
    fs::create_dir(&empty).unwrap();
    let mut command = sandbox.command(crate::sandbox::PROGRAM);
    command.env("PATH", &empty).args(["unixbench", "shell1", "syscall", "--copies", "1", "--full"]);
    command.args(["--passes", "1", "--seconds", "0.1", "--record"]).arg(&file);
    let ran = crate::sandbox::Ran::of(&mut command).done();
    assert!(ran.out.contains("(Partial Only)"), "{}", ran.out);
    assert!(
        ran.out.contains("# Shell Scripts (1 concurrent) with 1 copy has no score"),
        "{}",
        ran.out
    );
    let record = load(&file);
    match &of(&record, "shell1").outcome {
        Outcome::Skipped(why) => assert!(why.why.contains("sort") && why.remedy.is_some(), "{why}"),
        other => panic!("{other:?}"),
    }
    assert!(of(&record, "syscall").metric(Metric::Rate).is_some());
    remedy_can_be_typed(&sandbox, &file.display().to_string());
}

/// The rule that cannot judge one copy advises a command that exists.
fn remedy_can_be_typed(sandbox: &Sandbox, one_copy: &str) {
    let shown = sandbox.cpulens(&["show", one_copy, "--format", "json"]).out;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    let verdicts = shown["verdicts"].as_array().unwrap();
    let rule = verdicts.iter().find(|v| v["rule"] == "kernel_contention").unwrap();
    let remedy = rule["missing"]["remedy"].as_str().unwrap();
    let words: Vec<&str> = remedy.split(' ').skip(1).chain(["--dry-run"]).collect();
    let plan = sandbox.cpulens(&words).done().out;
    assert!(remedy.starts_with("cpulens ") && plan.contains("dhry2reg"), "{remedy}: {plan}");
}

#[test]
fn a_named_test_runs_without_the_command_too() {
    let sandbox = Sandbox::new();
    let plan = sandbox.cpulens(&["run", "--only", "execl", "--dry-run", "--format", "csv"]).done();
    assert!(plan.out.contains("copies=1") && plan.out.contains("placement=none"), "{}", plan.out);
}
