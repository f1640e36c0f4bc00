//! `import` as a user types it: one record of many files, nothing lost to a bad one, nothing overwritten.
use crate::sandbox::{Sandbox, has_control, load};
use record::{Record, param};
use std::{fs, path::Path};

fn sample(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../import/tests/samples")
        .join(name)
        .display()
        .to_string()
}

fn series(record: &Record) -> usize {
    record.runs.iter().map(|r| r.series().len()).sum()
}

/// The first screen has the fewest and the most copies, and says which others the whole report has.
#[test]
fn a_third_number_of_copies_is_not_forgotten() {
    let sandbox = Sandbox::new();
    let report = sample("unixbench.upstream-6.0.0-c1c2c4.txt");
    sandbox.cpulens(&["import", &report, "--record", "u.json"]);
    for (lang, words) in [("en", "Also with 2 copies, see --full"), ("zh", "另有 2 份的结果")]
    {
        let first = sandbox.cpulens(&["show", "u.json", "--lang", lang]).done().out;
        assert!(first.contains(words), "{first}");
    }
    let whole = sandbox.cpulens(&["show", "u.json", "--full"]).done().out;
    assert!([1, 2, 4].iter().all(|n| whole.contains(&format!("copies {n}, "))), "{whole}");
}

/// What is doubtful, and the scores of one thread and of all, need no second command.
#[test]
fn the_first_screen_has_doubts_and_whole_scores() {
    let sandbox = Sandbox::new();
    let counts = sample("guest.perf-stat.text.txt");
    for (lang, words) in [("en", "line 8: cycles was not counted"), ("zh", "第 8 行：周期")] {
        let file = format!("{lang}.json");
        let ran = sandbox.cpulens(&["import", &counts, "--record", &file, "--lang", lang]);
        assert!(ran.out.contains(words), "{}", ran.out);
    }
    let scores =
        sandbox.cpulens(&["import", &sample("geekbench.5.1-screen.txt"), "--record", "g.json"]);
    let scores: Vec<&str> = scores.out.lines().filter(|l| l.contains("all workloads")).collect();
    assert!(scores.len() == 2 && scores[1].ends_with(" 12345"), "{scores:?}");
}

/// What all rows are of stands once; what only the shown ones are of stays with them.
#[test]
fn the_common_words_of_results_are_their_heading() {
    let sandbox = Sandbox::new();
    let screen = |name: &str, lang: &str| {
        let record = format!("{name}.{lang}.json");
        sandbox.cpulens(&["import", &sample(name), "--record", &record, "--lang", lang]).done().out
    };
    let lines = screen("guest.sysbench-cpu.txt", "en");
    assert!(lines.contains("\nResults: cpu, primes to 5000, 1 thread\n"), "{lines}");
    assert!(lines.contains("\nsysbench events  "), "{lines}");
    let lines = screen("guest.sysbench-cpu.txt", "zh");
    assert!(lines.contains("\n结果：cpu，5000 以内的素数，1 个线程\n"), "{lines}");
    let lines = screen("multi.lat_mem_rd-64M.table.txt", "en");
    assert!(lines.contains("\nResults\n"), "{lines}");
}

/// The two indexes come first, then the twelve tests; and UnixBench's own report has them.
#[test]
fn unixbench_of_others_is_shown_as_our_own() {
    let sandbox = Sandbox::new();
    let report = sample("unixbench.upstream-6.0.0-full-c1-c2.txt");
    let ran = sandbox.cpulens(&["import", &report, "--record", "u.json"]);
    let at = |what: &str| ran.out.find(what).unwrap_or_else(|| panic!("{what}: {}", ran.out));
    assert!(at("UnixBench index, 1 copy ") < at("UnixBench index, 2 copies "));
    for test in &record::unixbench::TESTS {
        assert!(at("UnixBench index, 2 copies ") < at(test.name));
        assert_eq!(ran.out.matches(test.name).count(), 1, "{}: {}", test.name, ran.out);
    }
    let shown = sandbox.cpulens(&["show", "u.json", "--format", "unixbench"]);
    assert_eq!(shown.out.matches("System Benchmarks Index Score ").count(), 2, "{}", shown.out);
    assert!(shown.out.contains("1565.9") && shown.out.contains("3592.8"), "{}", shown.out);
}

/// An index is of one result: tests that another one has are no part of it.
#[test]
fn results_of_unixbench_with_as_many_copies_stay_apart() {
    let sandbox = Sandbox::new();
    let [one, other] =
        ["de", "partial"].map(|of| sample(&format!("unixbench.upstream-6.0.0-{of}.txt")));
    let shown = sandbox.cpulens(&["import", &one, &other, "--record", "both.json"]).done().out;
    assert!(shown.contains("UnixBench index, 1 copy    1229.8  partial: 1 test"), "{shown}");
    assert!(shown.contains("UnixBench index, 2 copies  4741.3  partial: 3 tests"), "{shown}");
    assert!(shown.contains("1 more result with as many copies, see --full"), "{shown}");
}

#[test]
fn files_of_two_machines_and_records_are_told_apart() {
    let sandbox = Sandbox::new();
    let (one, other) = (sample("kunpeng-920-4826.lscpu.txt"), sample("intel-8163.lscpu.txt"));
    let ran = sandbox.cpulens(&["import", &one, &other, "--record", "two.json"]);
    let said = ran.err.lines().filter(|l| l.contains("not the same machine")).count();
    assert_eq!((ran.code, said), (0, 1), "{}", ran.err);
    assert!(ran.err.starts_with("cpulens: intel-8163.lscpu.txt: "), "{}", ran.err);
    let head = ran.out.lines().next().unwrap();
    assert!(
        head.starts_with("2 machines, ") && head.ends_with("Intel Xeon Platinum 8163"),
        "{head}"
    );
    let first = "Warnings  intel-8163.lscpu.txt: kernel.arch is x86_64";
    assert!(ran.out.contains(first), "{}", ran.out);
    assert!(sandbox.cpulens(&["show", "two.json"]).out.contains(first));
    let page = sandbox.cpulens(&["show", "two.json", "--format", "html"]).out;
    let warned = page.find("intel-8163.lscpu.txt: kernel.arch is x86_64").unwrap();
    assert!(warned < page.find("<div class=\"annex\">").unwrap());
    let again = sandbox.cpulens(&["import", "two.json", "--record", "again.json"]);
    assert!(again.err.contains("a record of cpulens") && again.code == 2, "{}", again.err);
}

/// A size that both the case and its series have, and a version under the tool's own name.
#[test]
fn the_name_of_a_result_says_nothing_twice() {
    let sandbox = Sandbox::new();
    let shown = |name: &str| {
        sandbox.cpulens(&["import", &sample(name), "--record", &format!("{name}.json")]).done().out
    };
    let out = shown("guest.multichase.txt");
    assert_eq!(out.matches("8 MiB").count(), 1, "{out}");
    let out = shown("guest.tinymembench.txt");
    assert!(out.contains("C copy backwards  ") && !out.contains("0.4.9"), "{out}");
}

#[test]
fn several_files_of_one_machine_make_one_record() {
    let sandbox = Sandbox::new();
    let (lscpu, numactl, stream) = (
        sample("kunpeng-920-4826.lscpu.txt"),
        sample("kunpeng-920-4826.numactl-H.seed000.txt"),
        sample("kunpeng-920-4826.stream.session.txt"),
    );
    let ran = sandbox.cpulens(&[
        "import",
        &lscpu,
        &numactl,
        &stream,
        "--machine",
        "kp",
        "--record",
        "kp.json",
        "--full",
    ]);
    assert_eq!((ran.code, ran.err.as_str()), (0, ""), "{}", ran.out);
    assert!(
        ran.out.contains("kunpeng-920-4826.stream.session.txt: lmbench stream: 40 series"),
        "{}",
        ran.out
    );
    let short = sandbox.cpulens(&["import", &lscpu, &numactl, &stream, "--record", "again.json"]);
    assert_eq!((short.code, short.err.as_str()), (0, ""), "{}", short.out);
    assert!(
        short.out.contains("3 files,") && short.out.contains("Record  again.json"),
        "{}",
        short.out
    );
    assert!(short.out.lines().count() <= 40, "{}", short.out);
    let record = load(&sandbox.path("kp.json"));
    assert_eq!(
        (record.provenance.name.as_deref(), record.provenance.sources.len()),
        (Some("kp"), 3)
    );
    assert_eq!((record.machine.topology.nodes.len(), series(&record)), (4, 40));
    assert_eq!(record.machine.topology.nodes[1].distances, [12, 10, 22, 24]);
    let shown = sandbox.cpulens(&["show", "kp.json", "--full"]).done();
    for words in [
        "Results of other tools",
        "8.70 GB/s",
        "kunpeng-920-4826.stream.session.txt:2",
        "Nothing was planned",
    ] {
        assert!(shown.out.contains(words), "'{words}' is not in: {}", shown.out);
    }
    assert!(!shown.out.contains("As lmbench's stream prints it"), "they are not ours");
}

#[test]
fn contradictions_between_files_are_reported() {
    let sandbox = Sandbox::new();
    let one = sample("kunpeng-920-4826-1node-lscpu.lscpu.txt");
    let four = sample("kunpeng-920-4826.numactl-H.seed000.txt");
    let ran = sandbox.cpulens(&["import", &one, &four, "--record", "a.json", "--full"]);
    assert_eq!(ran.code, 0);
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words(&ran.out).contains("memory.nodes is 4 here and 1 in lscpu"), "{}", ran.out);
    let shown = words(&sandbox.cpulens(&["show", "a.json", "--full"]).out);
    assert!(shown.contains("not the same machine, or not the same settings"), "{shown}");
}

#[test]
fn counts_of_the_whole_machine_are_no_programs() {
    let sandbox = Sandbox::new();
    let (wide, own) =
        (sample("hygon-5280.perf-stat.bc.txt"), sample("intel-8269cy-numa-off.perf-stat.bc.txt"));
    sandbox.cpulens(&["import", &wide, &own, "--record", "a.json"]);
    let record = load(&sandbox.path("a.json"));
    let scopes: Vec<_> = record.runs.iter().map(|r| r.case.get(param::SCOPE).unwrap()).collect();
    assert_eq!(scopes, ["system", "process"]);
    let cycles = record.runs[0].readings.iter().find(|r| r.name == "cpu-cycles").unwrap();
    assert_eq!((cycles.value, cycles.coverage), (317_353_262_523.0, 0.2779));
    let shown = sandbox.cpulens(&["show", "a.json", "--full"]).out;
    let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(shown.contains("instructions per cycle are no program's"), "{shown}");
}

#[test]
fn a_broken_file_hides_no_good_one() {
    let sandbox = Sandbox::new();
    let bad = sandbox.file("bad\u{1b}[31m.txt", "hello\u{1b}[2J world\nnothing here\n");
    let binary = sandbox.file("x.bin", b"\x7fELF\0\0\0\0");
    let good = sample("intel-8163.lscpu.txt");
    let ran =
        sandbox.cpulens(&["import", &bad, &good, &binary, "no-such-file", "--record", "a.json"]);
    assert_eq!(ran.code, 2);
    assert_eq!(ran.err.lines().count(), 4, "{}", ran.err);
    assert_eq!(ran.err.matches("known are /proc/cpuinfo, 7-Zip").count(), 1, "{}", ran.err);
    assert!(ran.err.contains("line 1: this is no known output"), "{}", ran.err);
    assert!(!has_control(&ran.err) && !has_control(&ran.out), "{:?}", ran.err);
    assert_eq!(load(&sandbox.path("a.json")).machine.integer("cpu.count"), Some(96));
    let none = sandbox.cpulens(&["import", &bad]);
    assert_eq!((none.code, none.out.as_str()), (2, ""));
}

/// Made up after sbc-bench 0.9.
#[test]
fn copies_of_memory_and_frequencies_are_named() {
    let sandbox = Sandbox::new();
    let text = "sbc-bench v0.9.71 some board\nCpufreq OPP:  240    Measured:  239 (239.1/239.0/238.9)\ntinymembench v0.4.9 (x)\n C copy backwards (32 byte blocks)  :    919.6 MB/s\n";
    let ran = sandbox.cpulens(&["import", &sandbox.file("sbc.txt", text), "--record", "a.json"]);
    assert!(ran.out.contains("tinymembench: C copy backwards (32 byte blocks)"), "{}", ran.out);
    assert!(ran.out.contains("sbc-bench frequency: 240 MHz set"), "{}", ran.out);
}

#[test]
fn columns_of_unknown_programs_in_a_folder_are_no_results() {
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("logs")).unwrap();
    let modules = "Module                  Size  Used by\ndm_crypt               23177  0 \nxen_fbfront            17342  0 \n";
    let lsmod = sandbox.file("logs/lsmod", modules);
    sandbox.file("logs/notes.md", "| test | time (s) |\n|---|---|\n| a | 1.5 |\n| b | 2.5 |\n");
    sandbox.file("logs/lscpu", fs::read(sample("intel-8163.lscpu.txt")).unwrap());
    let ran = sandbox.cpulens(&[
        "import",
        &sandbox.path("logs").display().to_string(),
        "--record",
        "a.json",
    ]);
    assert!(ran.err.contains("lsmod: line 1: this is no known output"), "{}", ran.err);
    let record = load(&sandbox.path("a.json"));
    let formats: Vec<&str> = record.provenance.sources.iter().map(|s| s.format.as_str()).collect();
    assert_eq!(formats, ["lscpu", "table"]);
    // A file that is named is meant.
    let ran = sandbox.cpulens(&["import", &lsmod, "--record", "b.json"]);
    assert_eq!(ran.code, 0, "{}", ran.err);
}

#[test]
fn no_file_is_overwritten() {
    let sandbox = Sandbox::new();
    let lscpu = sandbox.file("lscpu.txt", fs::read(sample("intel-8163.lscpu.txt")).unwrap());
    for name in ["lscpu.record.json", "lscpu.record-2.json"] {
        let ran = sandbox.cpulens(&["import", &lscpu]);
        assert!(ran.out.contains(name), "{}", ran.out);
        assert!(sandbox.path(name).is_file());
    }
    let before = fs::read(&lscpu).unwrap();
    sandbox.cpulens(&["import", &lscpu, "--record", &lscpu]).could_not("is there already");
    assert_eq!(fs::read(&lscpu).unwrap(), before);
    let same = sandbox.cpulens(&["import", &lscpu, "--record", "new.json", "-o", "new.json"]);
    same.could_not("the same file");
}

#[test]
fn other_formats_give_the_report() {
    let sandbox = Sandbox::new();
    let stream = sample("phytium-ft2500.stream.c7-m0.txt");
    let csv = sandbox.cpulens(&["import", &stream, "--record", "a.json", "--format", "csv"]);
    assert_eq!(csv.code, 0);
    assert_eq!(csv.out.lines().count(), 9, "a head and 8 series: {}", csv.out);
    assert!(csv.err.contains("lmbench stream: 8 series"), "{}", csv.err);
    let piped = sandbox.shell(&format!(
        "'{PROGRAM}' import - --record b.json < '{stream}'",
        PROGRAM = crate::sandbox::PROGRAM
    ));
    assert_eq!(piped.code, 0, "{}", piped.err);
    assert_eq!(series(&load(&sandbox.path("b.json"))), 8);
}

/// A square of the files would take hours, and the test would be ended..
#[test]
fn thousands_of_files_end() {
    let sandbox = Sandbox::new();
    let bytes = fs::read(sample("phytium-ft2500.stream.c7-m0.txt")).unwrap();
    fs::create_dir(sandbox.path("many")).unwrap();
    for i in 0..3_000 {
        fs::write(sandbox.path(&format!("many/{i}.txt")), &bytes).unwrap();
    }
    let ran = sandbox.shell("\"$0\" import many/*.txt --record many.json");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains("3000 files"), "{}", ran.out);
    assert_eq!(series(&load(&sandbox.path("many.json"))), 24_000);
}

/// Nothing about one machine follows from results of two.
#[test]
fn results_of_two_machines_are_not_placed_or_compared_as_one() {
    let sandbox = Sandbox::new();
    let (one, other) = (sample("intel-8163.lscpu.txt"), sample("hygon-5280.lscpu.txt"));
    sandbox.cpulens(&["import", &one, &other, "--record", "two.json"]);
    sandbox.cpulens(&["import", &one, "--record", "one.json"]).done();
    sandbox.cpulens(&["import", &other, "--record", "other.json"]).done();
    let why = "the results are of 2 machines (import the files of each machine by themselves)";
    sandbox.cpulens(&["place", "two.json"]).could_not(&format!("two.json: {why}"));
    let ran = sandbox.cpulens(&["compare", "one.json", "two.json", "other.json"]);
    assert_eq!(ran.code, 2, "{}", ran.out);
    assert!(ran.err.contains(&format!("left out: two: {why}")), "{}", ran.err);
    assert!(ran.out.contains("8163") && ran.out.contains("5280"), "{}", ran.out);
}
