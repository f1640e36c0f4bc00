//! `cpulens whatif` from outside: every change on every kept record, in every format, and what is no change at all.
use crate::sandbox::{Sandbox, fixtures, has_control};
use serde_json::Value;

const CHANGES: [&str; 9] = [
    "--dimms",
    "2933",
    "--bound",
    "--smt-off",
    "--huge-pages",
    "--frequency",
    "4000",
    "--cores",
    "16",
];

#[test]
fn every_record_gets_a_range_or_a_reason_for_each_change() {
    let place = Sandbox::new();
    let mut predicted = 0;
    for (name, file) in fixtures() {
        let file = file.display().to_string();
        let args = [&["whatif", &file, "--format", "json"], &CHANGES[..]].concat();
        let ran = place.cpulens(&args).done();
        let said: Value = serde_json::from_str(&ran.out).unwrap();
        let all = said["predictions"].as_array().unwrap();
        assert_eq!(all.len(), 6, "{name}");
        for p in all {
            match p["prediction"].as_object() {
                Some(found) => {
                    predicted += 1;
                    let end = |name: &str| found[name].as_f64().unwrap();
                    assert!(0.0 < end("low") && end("low") <= end("high"), "{name}: {p}");
                    for words in ["of", "basis", "assumes", "test"] {
                        assert!(!found[words].as_str().unwrap().is_empty(), "{name}: {p}");
                    }
                }
                None => assert!(!p["cannot_tell"]["why"].as_str().unwrap().is_empty(), "{p}"),
            }
        }
        for format in ["text", "markdown", "csv", "html"] {
            let args = [&["whatif", &file, "--format", format], &CHANGES[..]].concat();
            let ran = place.cpulens(&args).done();
            assert!(!has_control(&ran.out.replace('\r', "")), "{name} {format}");
            assert!(format == "csv" || ran.out.contains("Predicted"), "{name} {format}");
        }
    }
    assert!(predicted > 8, "{predicted}");
}

#[test]
fn the_load_generator_is_predicted_with_what_it_assumes() {
    let place = Sandbox::new();
    let all = fixtures();
    let (_, file) = all.iter().find(|(name, _)| name == "load-generator-196").unwrap();
    let file = file.display().to_string();
    let ran = place.cpulens(&["whatif", &file, "--dimms", "2933", "--bound"]).done();
    for figure in ["1.00 to 1.40 x", "1.00 to 4.08 x", "Predicted, not measured"] {
        assert!(ran.out.contains(figure), "{figure}: {}", ran.out);
    }
    let args = ["whatif", &file, "--dimms", "2933", "--bound", "--full"];
    let ran = place.cpulens(&args).done();
    for figure in ["1.00 to 1.40 times", "1.00 to 4.08 times", "nothing of this was measured"] {
        assert!(ran.out.contains(figure), "{figure}: {}", ran.out);
    }
    // What is not in the record is not predicted, and that is an answer of its own.
    let ran = place.cpulens(&["whatif", &file, "--huge-pages"]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    let some = ["whatif", &file, "--huge-pages", "--bound"];
    assert_eq!(place.cpulens(&some).code, 0);
    assert!([1, 3].contains(&place.cpulens(&[&some[..], &["--strict"]].concat()).code));
    for (lang, asked) in [("en", "huge pages for all programs"), ("zh", "所有程序使用大页")]
    {
        let ran = place.cpulens(&["whatif", &file, "--lang", lang]);
        assert!(ran.code == 2 && ran.out.is_empty(), "{}", ran.out);
        assert!(ran.err.contains(&format!("--huge-pages     {asked}")), "{}", ran.err);
    }
    let refused = place.cpulens(&["whatif", &file, "--dimms", "3"]);
    assert!(refused.code == 2 && refused.err.contains("100 to 100000"), "{}", refused.err);
    place.cpulens(&["whatif", "no-such-file", "--bound"]).could_not("cannot open");
    place
        .cpulens(&["whatif", &file, "--bound", "--workload", "games"])
        .could_not("--workload games");
}

/// Memory at the speed that it has, and advice of a machine whose record names sockets and no nodes.
#[test]
fn what_published_machines_are_told_is_true_of_them() {
    let sandbox = Sandbox::new();
    let same = sandbox.cpulens(&["whatif", "ref:dimm-home-machine", "--dimms", "2100"]).done();
    assert!(same.out.contains("nothing changes: memory runs at 2100 MT/s now"), "{}", same.out);
    let more = sandbox.cpulens(&["whatif", "ref:dimm-home-machine", "--dimms", "2933"]).done();
    assert!(more.out.contains("1.00 to 1.40 x"), "{}", more.out);
    let one = sandbox.cpulens(&["diagnose", "ref:dimm-home-machine", "--full"]);
    assert!(
        !one.out.contains("1 of 1") && one.out.contains("The only memory module"),
        "{}",
        one.out
    );
    let hidden = sandbox.cpulens(&["diagnose", "ref:load-generator-196core", "--full"]);
    assert!(hidden.out.contains("With memory on 4 sockets, 75 %"), "{}", hidden.out);
    assert!(hidden.out.contains("numa_hidden: not so"), "{}", hidden.out);
}

/// The next command repeats the options: without them it would answer something else, or nothing.
#[test]
fn the_next_command_answers_the_same_question_in_full() {
    let place = Sandbox::new();
    let all = fixtures();
    let (_, file) = all.into_iter().find(|(name, _)| name.contains("two-node-server")).unwrap();
    let file = file.display().to_string();
    for args in [
        &["whatif", &file, "--dimms", "2933"][..],
        &["diagnose", &file, "--workload", "db"],
        &["place", &file, "--instances", "2"],
    ] {
        let screen = place.cpulens(args).done().out.replace("\\\n", " ").replace("$R", &file);
        let words: Vec<&str> = screen.split_whitespace().collect();
        let next = [args, &["--full"]].concat();
        let said = words.windows(next.len()).any(|words| words == next);
        assert!(said, "{next:?}: {screen}");
        place.cpulens(&next).done();
    }
}
