//! `compare` from outside: what is said, what is left out, and the exit codes.
use crate::sandbox::{Sandbox, fixtures, has_control};
use record::{Outcome, ProbeId, Record};
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
    for run in record.runs.iter_mut().filter(|r| r.case.probe == ProbeId::CoreRate) {
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
    let ran = sandbox.cpulens(&["compare", &a, &b]).done();
    assert!(ran.out.contains("b against a") && ran.out.contains("no significant difference"));
    assert!(!ran.out.contains("  significant") && ran.out.lines().count() <= 40, "{}", ran.out);
    let ran = sandbox.cpulens(&["compare", &a, &b, "--full"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("b against a") && ran.out.contains("not clearly faster or slower"));
    let ran = sandbox.cpulens(&["compare", &a, &slow, "--full"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("slow is slower than a at core"), "{}", ran.out);
    assert_eq!(sandbox.cpulens(&["compare", "--strict", &a, &slow]).code, 1);
    assert_eq!(sandbox.cpulens(&["compare", "--strict", &a, &b]).code, 0);
    let ran = sandbox.cpulens(&["compare", &a, &slow, "--baseline", &slow, "--full"]);
    assert!(ran.out.contains("a is faster than slow at core"), "{}", ran.out);
}

/// A mean over one thread and all of them would say that a machine which is faster at one alone is as fast at both.
#[test]
fn one_thread_and_all_are_two_answers() {
    let sandbox = Sandbox::new();
    let score = |one: u32, all: u32| {
        format!(
            "Geekbench 6.3.0 : https://www.geekbench.com/\n\nSingle-Core Performance\n  Single-Core Score             {one}\nMulti-Core Performance\n  Multi-Core Score              {all}\n"
        )
    };
    for (name, text) in [("a", score(1500, 3000)), ("b", score(1800, 2500))] {
        let file = sandbox.file(&format!("{name}.txt"), text);
        let ran = sandbox.cpulens(&["import", &file, "--record", &format!("{name}.json")]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let out = sandbox.cpulens(&["compare", "a.json", "b.json"]).out;
    let times = |subject: &str| {
        let line = out.lines().find(|l| l.starts_with(&format!("{subject}  ")));
        line.unwrap_or_else(|| panic!("{subject}: {out}")).to_owned()
    };
    assert!(times("geekbench").contains("0.833 x"), "{out}");
    assert!(times("geekbench, one thread").contains("1.20 x"), "{out}");
}

/// Two outputs of other tools take one screen together with what differs about their machines, and figures that are in both are not
/// called missing.
#[test]
fn two_imports_say_why_they_are_not_compared_on_one_screen() {
    let sandbox = Sandbox::new();
    let samples = concat!(env!("CARGO_MANIFEST_DIR"), "/../import/tests/samples");
    let import = |name: &str| {
        let file = format!("{samples}/{name}.txt");
        let json = format!("{name}.json");
        assert_eq!(sandbox.cpulens(&["import", &file, "--record", &json]).code, 0);
        json
    };
    let [a, b] = ["lmbench.summary-aarch64", "lmbench.summary-riscv64"].map(import);
    let ran = sandbox.cpulens(&["compare", &a, &b]).done();
    assert!(ran.out.lines().count() <= 40 && !ran.out.contains("could be checked"), "{}", ran.out);
    assert!(ran.out.contains("0.332 x"), "{}", ran.out);
    // With the digits that it has in the record's own report.
    let own = sandbox.cpulens(&["show", &a, "--full"]).done().out;
    let shown =
        |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ").contains(" 10 GB/s ");
    assert!(shown(&own) && shown(&ran.out), "{own}{}", ran.out);
    let [a, b] = ["mlc.3.9-numa-off", "mlc.3.11b-two-nodes"].map(import);
    let ran = sandbox.cpulens(&["compare", &a, &b]);
    assert!(!ran.err.contains("no figure is in both"), "{}", ran.err);
    assert!(ran.out.contains("other version of the tool (16)"), "{}", ran.out);
    assert!(ran.code == 2 && ran.out.lines().count() <= 40, "{}", ran.out);
    assert!(!ran.out.contains("\n\n\n"), "{}", ran.out);
}

/// Without names, and with `last` alone, it is the newest record beside the one before it, never a record beside itself.
#[test]
fn the_newest_is_compared_with_the_one_before_it() {
    let sandbox = Sandbox::new();
    sandbox.cpulens(&["compare"]).could_not("no records yet");
    fs::create_dir_all(sandbox.records_folder()).unwrap();
    let put = |name: &str, record: &Record| {
        let file = sandbox.records_folder().join(format!("{name}.json"));
        fs::write(file, record::to_vec(record).unwrap()).unwrap();
    };
    put("2026-1", &quiet());
    sandbox.cpulens(&["compare", "last"]).could_not("needs two records: cpulens run");
    put("2026-2", &changed(1.2));
    for args in [&["compare"][..], &["compare", "last"]] {
        let ran = sandbox.cpulens(args).done();
        assert!(ran.out.contains("last against 2026-1"), "{}", ran.out);
    }
}

/// One run cannot know the variation between runs, here 8 % every other time; earlier runs show it.
#[test]
fn earlier_runs_of_a_machine_say_what_is_noise() {
    let sandbox = Sandbox::new();
    let of_one = |mut record: Record| {
        record.provenance.host = Some("one".into());
        record
    };
    let a = written(&sandbox, "a.json", &of_one(quiet()));
    let slow = written(&sandbox, "slow.json", &of_one(changed(1.08)));
    fs::create_dir_all(sandbox.records_folder()).unwrap();
    for (hour, factor) in [1.08, 1.0, 1.08, 1.0, 1.0, 1.08, 1.0].into_iter().enumerate() {
        let mut record = of_one(changed(factor));
        record.provenance.started = Some(format!("2026-01-01T0{hour}:00:00Z"));
        written(&sandbox, &format!("data/cpulens/records/{hour}.json"), &record);
    }
    let own = sandbox.records_folder();
    let folder = own.to_str().unwrap();
    let compare = |a: &str, b: &str, more: &[&str]| {
        sandbox.cpulens(&[&["compare", "--strict", a, b], more].concat())
    };
    assert_eq!(compare(&a, &slow, &[]).code, 1);
    let ran = compare(&a, &slow, &["--earlier", folder]);
    assert_eq!(ran.code, 0, "{}", ran.out);
    assert!(ran.out.contains("intervals by 7 earlier runs"), "{}", ran.out);
    let nameless = written(&sandbox, "nameless.json", &quiet());
    let other = written(&sandbox, "other.json", &changed(1.08));
    let ran = compare(&nameless, &other, &["--earlier", folder]);
    assert!(ran.code == 1 && !ran.out.contains("intervals by"), "{}", ran.out);
    let ran = compare(&a, &slow, &["--earlier", "/proc/none"]);
    assert!(ran.code == 2 && ran.err.contains("cannot look into /proc/none"), "{}", ran.err);
    // Records of the user's own folder have each other.
    let ran = compare(&format!("{folder}/0.json"), "last", &[]);
    assert!(ran.out.contains("intervals by 5 earlier runs"), "{}", ran.out);
}

#[test]
fn every_format_and_every_fixture() {
    let sandbox = Sandbox::new();
    let files: Vec<String> = fixtures().into_iter().map(|(_, f)| f.display().to_string()).collect();
    for format in ["csv", "html", "json", "markdown", "text"] {
        let mut args = vec!["compare", "--format", format];
        args.extend(files.iter().map(String::as_str));
        let ran = sandbox.cpulens(&args);
        assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{format}");
        args.push("--strict");
        assert_eq!(sandbox.cpulens(&args).code, 3, "{format}: one of them was not fit");
        assert!(ran.out.len() > 500, "{format}");
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
    let ran = sandbox.cpulens(&["compare", &only("core_frequency"), &only("core_rate")]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains("nothing can be compared"), "{}", ran.err);
    let ran = sandbox.cpulens(&["compare", &only("core_frequency"), &only("core_frequency")]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Core frequency"), "one quantity is enough: {}", ran.out);
}

#[test]
fn standard_input_may_be_one_of_them() {
    let sandbox = Sandbox::new();
    let a = written(&sandbox, "a.json", &quiet());
    let ran = sandbox.shell(&format!("cat {a} | \"$0\" compare - {a}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("a against standard input"), "{}", ran.out);
}

#[test]
fn many_machines_fit_on_one_screen() {
    let sandbox = Sandbox::new();
    let (_, file) = fixtures().into_iter().find(|(name, _)| name == "busy-vm").unwrap();
    let bytes = fs::read(file).unwrap();
    let files = (0..60).map(|n| sandbox.file(&format!("node{n}.json"), &bytes));
    let files: Vec<String> = files.collect();
    let ran = sandbox.cpulens(
        &[&["compare"], &files.iter().map(String::as_str).collect::<Vec<_>>()[..]].concat(),
    );
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(ran.out.contains("node0, node1, node2, node3 and 56 more"), "{}", ran.out);
    assert!(ran.out.lines().count() <= 40, "{}", ran.out);
}

/// Outputs of other tools that the importers are tested with.
fn sample(name: &str) -> String {
    format!("{}/../import/tests/samples/{name}", env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn foreign_files_are_compared_as_they_are_and_explained() {
    let sandbox = Sandbox::new();
    let (intel, kunpeng) = (
        sample("intel-8269cy-numa-off.perf-stat.bc.txt"),
        sample("kunpeng-920-4826.perf-stat.bc.txt"),
    );
    let ran = sandbox.cpulens(&["compare", &kunpeng, &intel, "--explain", "--format", "json"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    let parts = &json["explained"][0]["parts"]["Ok"];
    assert_eq!(parts["steps"].as_array().unwrap().len(), 7);
    assert!(parts["rest"]["holds"].as_array().unwrap().is_empty());
    assert!((parts["rest"]["times"]["value"].as_f64().unwrap() - 1.0).abs() < 0.01);
    // The same command counted of all CPUs: its time is compared, its counts are not.
    let hygon = sample("hygon-5280.perf-stat.bc.txt");
    let ran = sandbox.cpulens(&["compare", &kunpeng, &hygon, "--explain"]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    let text = ran.out.replace('\n', " ");
    assert!(text.contains("The cause is unknown") && text.contains("system-wide"), "{text}");
    assert!(text.contains("perf stat -a") || text.contains("without -a"), "{text}");
    let ran = sandbox.cpulens(&["compare", &kunpeng, &intel, "--explain", "--format", "csv"]);
    assert!(ran.code == 2 && ran.err.contains("csv has rows only"), "{}", ran.err);
    let sevenzip = sample("guest.7z-one-thread.txt");
    let ran = sandbox.cpulens(&["compare", &sevenzip, &sevenzip]);
    assert!(ran.out.contains(" MIPS") && ran.out.contains("1.00 x"), "{}{}", ran.out, ran.err);
    assert!(sandbox.everything().is_empty(), "reading writes nothing");
}

#[test]
fn what_stat_wrote_is_compared() {
    let sandbox = Sandbox::new();
    let path = |name: &str| sandbox.path(name).display().to_string();
    let (a, b) = (path("a.json"), path("b.json"));
    for file in [&a, &b] {
        let ran =
            sandbox.cpulens(&["stat", "--format", "json", "-o", file, "--", "sh", "-c", "exit 0"]);
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let ran = sandbox.cpulens(&["compare", &a, &b, "--explain"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("Why sh -c 'exit 0': "), "{}", ran.out);
}

#[test]
fn price_and_watts_are_of_records_that_are_there() {
    let sandbox = Sandbox::new();
    let (a, b) = (written(&sandbox, "a.json", &quiet()), written(&sandbox, "b.json", &quiet()));
    let given = [format!("{a}=100"), "b=200".to_owned()];
    let ran = sandbox.cpulens(&["compare", &a, &b, "--watts", &given[0], "--watts", &given[1]]);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.out.contains("per watt") && ran.out.contains("0.500"), "{}", ran.out);
    let ran = sandbox.cpulens(&["compare", &a, &b, "--price", "c=3"]);
    assert!(ran.code == 2 && ran.err.contains("none of the records"), "{}", ran.err);
    for bad in ["a", "a=", "a=-1", "=3", "a=NaN"] {
        let ran = sandbox.cpulens(&["compare", &a, &b, "--price", bad]);
        assert_eq!(ran.code, 2, "{bad}");
    }
}

/// The first screen of published machines.
fn screen(names: &[&str]) -> String {
    let names: Vec<String> = names.iter().map(|name| format!("ref:{name}")).collect();
    let mut args = vec!["compare"];
    args.extend(names.iter().map(String::as_str));
    let ran = Sandbox::new().cpulens(&args);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    ran.out
}

/// One run says nothing about significance.
#[test]
fn differences_of_single_runs_are_not_judged() {
    let sandbox = Sandbox::new();
    let all = ["ref:hygon-7280-8node", "ref:phytium-ft2500", "ref:kunpeng-920-4826"];
    let text = sandbox.cpulens(&[&["compare"][..], &all].concat()).done().out;
    assert!(text.contains(" x ?") && text.contains("\n? one run each"), "{text}");
    assert!(!text.contains(" x ="), "{text}");
}

#[test]
fn every_test_of_unixbench_is_named_once() {
    let screen = screen(&["kunpeng-1630v100-sample", "unspecified-tlbi-host"]);
    let headlines = screen.lines().filter(|l| l.starts_with("UnixBench, one copy  "));
    assert_eq!(headlines.count(), 1, "{screen}");
    for test in record::unixbench::TESTS {
        let words: String = test.name.chars().take(26).collect();
        assert_eq!(screen.matches(&words).count(), 1, "{screen}");
    }
}

/// The hypervisor's cost: ticks of the same work are a time.
#[test]
fn ticks_of_one_work_say_what_a_hypervisor_costs() {
    let screen = screen(&["intel-i7-6500u", "intel-i7-6500u-vm"]);
    assert!(screen.contains("irq_test-prime-sieve, tsc ticks  0.986 x     6"), "{screen}");
    assert!(screen.contains("1508746974         1535383348"), "{screen}");
    let args = ["compare", "ref:intel-i7-6500u", "ref:intel-i7-6500u-vm", "--full"];
    let text = Sandbox::new().cpulens(&args).out;
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("tsc ticks 0.99 times (0.98 to 0.99, 6 figures)"), "{text}");
    assert!(text.contains("1508746974 1535383348 1.018"), "{text}");
}

#[test]
fn what_has_no_room_is_counted_or_named() {
    let mut names = vec![
        "intel-8269cy-2node",
        "hygon-7280-8node",
        "kunpeng-920-4826",
        "intel-8163",
        "phytium-ft2500",
        "amd-epyc-7h12-ecs",
    ];
    let six = screen(&names);
    for subject in ["TPC-C", "sysbench primes", "Load latency", "Not shown", "side by side"] {
        assert!(six.contains(subject), "{subject}: {six}");
    }
    names.truncate(3);
    assert!(screen(&names).contains("more rows"), "{}", screen(&names));
}

/// Each pair of reference machines: 15 lines at most, each workload once, and an IPC that the table above states too.
#[test]
fn explanations_of_all_pairs_are_short_and_once() {
    let names: Vec<&str> = catalogue::names().collect();
    let records: Vec<record::Record> =
        names.iter().map(|name| catalogue::record(name).unwrap().unwrap()).collect();
    let mut pairs = 0;
    for (i, a) in names.iter().enumerate() {
        for (j, b) in names.iter().enumerate().skip(i + 1) {
            let mut gathering = analyse::compare::Gathering::explaining();
            gathering.add(a, &records[i]);
            gathering.add(b, &records[j]);
            let of = gathering.finish(0);
            pairs += 1;
            for family in &of.families {
                let same = of.families.iter().filter(|f| f.subject == family.subject);
                assert_eq!(same.count(), 1, "{a} {b}: {:?}", family.subject);
                let ipc = family.factors.iter().find(|s| s.factor == analyse::explain::Factor::Ipc);
                for headline in of.headlines.iter().filter(|h| {
                    (h.subject.kind, &h.subject.of) == (family.subject.kind, &family.subject.of)
                }) {
                    let above = headline.sides[1].as_ref().and_then(|ahead| ahead.ipc);
                    if let (Some(ipc), Some(above)) = (ipc, above) {
                        let within = ipc.times[0] * 0.99..=ipc.times[1] * 1.01;
                        assert!(within.contains(&above), "{a} {b}: {above} not in {ipc:?}");
                    }
                }
            }
            let view = render::summary::View { width: 80, ..render::summary::View::default() };
            let lines = render::summary::compared::text(&of, &[], &view);
            let from =
                lines.iter().position(|line| line.starts_with("Why ")).unwrap_or(lines.len());
            let lines = lines[from..].iter().take_while(|l| !l.starts_with("Not compared"));
            let text: Vec<&String> = lines.collect();
            let text = text.iter().rev().skip_while(|line| line.is_empty()).count();
            assert!(text <= 15, "{a} {b}: {text} lines");
            assert_eq!(of.families.is_empty(), text == 0, "{a} {b}");
        }
    }
    assert!(pairs >= 325, "{pairs}");
}

/// All reference machines at once: the first has nothing in common with the others, so another is the baseline.
#[test]
fn many_machines_are_ranked_on_one_screen() {
    let sandbox = Sandbox::new();
    let names: Vec<String> = catalogue::names().map(|name| format!("ref:{name}")).collect();
    let mut args = vec!["compare"];
    args.extend(names.iter().map(String::as_str));
    let ran = sandbox.cpulens(&args).done();
    assert!(ran.out.lines().count() <= 40, "{}", ran.out);
    let ranked = ran.out.lines().filter(|line| line.contains(" x")).count();
    assert!(ranked >= 12 && ran.out.contains("Queries, MySQL"), "{}", ran.out);
    // A named baseline stays.
    args.extend(["--baseline", "ref:amd-7742"]);
    assert!(sandbox.cpulens(&args).out.contains("amd-7742 has no figure in common"));
}

/// The first of these shares figures with one other only, which shares some with all.
#[test]
fn the_baseline_shares_figures_with_most_of_the_others() {
    let sandbox = Sandbox::new();
    let all = ["intel-8163", "hygon-5280", "kunpeng-920-4826", "phytium-ft2500"];
    let names = all.map(|name| format!("ref:{name}"));
    let mut args = vec!["compare"];
    args.extend(names.iter().map(String::as_str));
    let out = sandbox.cpulens(&args).out;
    assert!(out.contains("Times as fast as kunpeng-920-4826"), "{out}");
    assert!(!out.contains("no figure in common"), "{out}");
    args.extend(["--baseline", &names[0]]);
    let out = sandbox.cpulens(&args).out;
    assert!(out.contains("Times as fast as intel-8163"), "{out}");
}
