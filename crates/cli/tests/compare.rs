//! `compare` from outside: what is said, what is left out, and the exit codes.
use crate::sandbox::{Sandbox, fixtures, has_control};
use record::{Outcome, Record};
use std::fs;

fn quiet() -> Record {
    let (_, file) = fixtures().into_iter().find(|(name, _)| name == "quiet-vm").unwrap();
    record::from_slice(&fs::read(file).unwrap()).unwrap()
}

fn written(sandbox: &Sandbox, name: &str, record: &Record) -> String {
    sandbox.file(name, record::to_vec(record).unwrap())
}

/// The quiet machine with core and bandwidth off by a factor.
fn changed(factor: f64) -> Record {
    let mut record = quiet();
    for run in record.runs.iter_mut().filter(|r| r.case.probe == "core_rate") {
        if let Outcome::Measured(all) = &mut run.outcome {
            all.iter_mut().flat_map(|s| &mut s.samples).for_each(|x| *x *= factor);
        }
    }
    record
}

#[test]
fn the_same_twice_differs_in_nothing_and_a_change_is_found() {
    let sandbox = Sandbox::new();
    let a = written(&sandbox, "a.json", &quiet());
    let b = written(&sandbox, "b.json", &quiet());
    let slow = written(&sandbox, "slow.json", &changed(1.2));
    let ran = sandbox.cpulens(&["compare", &a, &b]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("b against a") && ran.out.contains("not clearly faster or slower"));
    let ran = sandbox.cpulens(&["compare", &a, &slow]);
    assert_eq!(ran.code, 1, "{}", ran.err);
    assert!(ran.out.contains("slow is slower than a at core"), "{}", ran.out);
    let ran = sandbox.cpulens(&["compare", &a, &slow, "--baseline", &slow]);
    assert!(ran.out.contains("a is faster than slow at core"), "{}", ran.out);
}

#[test]
fn every_format_and_every_fixture() {
    let sandbox = Sandbox::new();
    let files: Vec<String> = fixtures().into_iter().map(|(_, f)| f.display().to_string()).collect();
    for format in ["csv", "html", "json", "markdown", "text"] {
        let mut args = vec!["compare", "--format", format];
        args.extend(files.iter().map(String::as_str));
        let ran = sandbox.cpulens(&args);
        assert_eq!((ran.code, ran.err.as_str()), (3, ""), "{format}: one of them was not fit");
        assert!(ran.out.len() > 1000, "{format}");
    }
    assert!(sandbox.everything().is_empty(), "reading writes nothing");
}

#[test]
fn a_broken_file_hides_no_good_ones() {
    let sandbox = Sandbox::new();
    let a = written(&sandbox, "a.json", &quiet());
    let b = written(&sandbox, "b.json", &quiet());
    let broken = sandbox.file("broken\u{1b}[2J.json", "{ \"schema\": 1");
    let ran = sandbox.cpulens(&["compare", &a, &broken, &b]);
    assert_eq!(ran.code, 2);
    assert!(ran.out.contains("b against a"), "{}", ran.out);
    assert!(ran.err.contains("left out") && ran.err.contains("cut short"), "{}", ran.err);
    assert!(!has_control(&ran.err));
    let ran = sandbox.cpulens(&["compare", &a, &broken, "no-such.json"]);
    assert!(ran.code == 2 && ran.out.is_empty(), "{}", ran.out);
    assert!(ran.err.contains("1 of 3 could be read"), "{}", ran.err);
    let ran = sandbox.cpulens(&["compare", &a, &b, "--baseline", &broken]);
    assert!(ran.code == 2 && ran.out.is_empty() && ran.err.contains("baseline"), "{}", ran.err);
}

#[test]
fn nothing_in_common_is_said_and_is_a_failure() {
    let sandbox = Sandbox::new();
    let only = |probe: &str| {
        let mut record = quiet();
        record.runs.retain(|r| r.case.probe == probe);
        written(&sandbox, &format!("{probe}.json"), &record)
    };
    let ran = sandbox.cpulens(&["compare", &only("core_clock"), &only("core_rate")]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.out.contains("nothing can be compared"), "{}", ran.out);
    let ran = sandbox.cpulens(&["compare", &only("core_clock"), &only("core_clock")]);
    assert!(ran.code < 2 || ran.code == 3, "{}", ran.err);
    assert!(ran.out.contains("core clock, add"), "one quantity is enough: {}", ran.out);
}

#[test]
fn standard_input_may_be_one_of_them() {
    let sandbox = Sandbox::new();
    let a = written(&sandbox, "a.json", &quiet());
    let ran = sandbox.shell(&format!("cat {a} | \"$0\" compare - {a}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("a against standard input"), "{}", ran.out);
}
