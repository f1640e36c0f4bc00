//! `catalogue` and `ref:NAME` as a user types them: reference machines wherever a record is, own ones beside them, and
//! nothing lost to a broken file.
use crate::sandbox::{Sandbox, has_control};
use record::{Better, Outcome, Series, Unit, param};
use std::fs;

/// A small record whose texts are what a stranger would like to put on a screen.
fn hostile() -> String {
    let mut record = catalogue::record("shenwei-3231").unwrap().unwrap();
    record.provenance.sources.clear();
    record.runs.clear();
    record.provenance.tool = "cpulens".into();
    record.provenance.name = Some("\u{1b}[31mEvil\u{202e}<script>alert(1)</script>".into());
    record.machine.set("cpu.model", "M\u{1b}]0;x\u{7}<img src=x onerror=y>", "s");
    String::from_utf8(record::to_vec(&record).unwrap()).unwrap()
}

/// Figures that the head of their column alone tells apart have it in their name, in words.
#[test]
fn no_two_results_of_a_table_have_one_name() {
    let out = Sandbox::new().cpulens(&["show", "ref:intel-i7-6500u"]).done().out;
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    let kernel = [
        "unpinned, interrupts enabled",
        "pinned, interrupts enabled",
        "unpinned, interrupts disabled",
    ];
    for head in kernel {
        let name = format!("overhead vs undisturbed speed: {head}, ");
        // The value may stand between the lines of a name.
        let in_kernel = |rest: &&str| rest.split(' ').take(3).any(|word| word == "kernel");
        let all = words.split(&name).skip(1);
        assert_eq!(all.filter(in_kernel).count(), 1, "{name} in {out}");
    }
    assert!(!words.contains("BIND"), "{out}");
}

#[test]
fn every_machine_is_listed_and_shown() {
    let sandbox = Sandbox::new();
    let listed = sandbox.cpulens(&["catalogue", "list", "--format", "csv"]).done();
    assert_eq!(listed.out.lines().count(), catalogue::names().count() + 1);
    let shown = sandbox.cpulens(&["show", "ref:kunpeng-920-4826", "--full"]).done();
    let same = sandbox.cpulens(&["catalogue", "show", "kunpeng-920-4826", "--full"]).done();
    assert_eq!((shown.out.as_str(), shown.code), (same.out.as_str(), same.code));
    for words in ["Kunpeng 920-4826", "plantegg", "2021-06-18", "cpu-pk:1456", "3.87 ns is printed"]
    {
        assert!(shown.out.contains(words), "'{words}' is not in: {}", shown.out);
    }
    let data: serde_json::Value = serde_json::from_str(
        &sandbox.cpulens(&["catalogue", "list", "--format", "json"]).done().out,
    )
    .unwrap();
    let rows = data["rows"].as_array().unwrap();
    let sum: u64 =
        rows.iter().map(|r| r[2]["text"].as_str().unwrap().parse::<u64>().unwrap()).sum();
    let figures = catalogue::reference().unwrap().measurements.len();
    assert_eq!((rows.len(), sum), (catalogue::names().count(), figures as u64));
}

/// The first screen names every reference machine on a line, and a user's own first.
#[test]
fn the_list_is_a_screen() {
    let sandbox = Sandbox::new();
    let all = sandbox.cpulens(&["catalogue", "list", "--format", "csv"]).done().out;
    for lang in ["en", "zh"] {
        let shown = sandbox.cpulens(&["catalogue", "list", "--lang", lang]).done().out;
        assert!(shown.lines().count() <= 40, "{shown}");
        assert!(shown.lines().all(|line| unicode_width(line) <= 80), "{shown}");
        for row in all.lines().skip(1) {
            let name = row.split(',').next().unwrap();
            assert!(shown.lines().any(|line| line.trim_start().starts_with(name)), "{name}");
        }
        assert!(lang == "en" || !shown.contains(" machines"), "{shown}");
    }
    let file = sandbox.file("a.json", hostile());
    sandbox.cpulens(&["catalogue", "add", &file, "--name", "zz0"]).done();
    let own = 32;
    let folder = sandbox.path("data/cpulens/catalogue");
    for n in 1..own {
        fs::copy(folder.join("zz0.json"), folder.join(format!("zz{n}.json"))).unwrap();
    }
    let shown = sandbox.cpulens(&["catalogue", "list"]).done().out;
    let count = catalogue::names().count() + own;
    let of_all = format!("{own} of {count} machines");
    assert!(shown.lines().count() <= 40 && shown.contains(&of_all), "{shown}");
    assert!((0..own).all(|n| shown.contains(&format!(" zz{n} "))), "{shown}");
}

/// A Chinese character takes two columns.
fn unicode_width(line: &str) -> usize {
    line.chars().map(|c| if c >= '\u{2e80}' { 2 } else { 1 }).sum()
}

/// A stated figure is on the first screen under its own name, most of them on one line.
#[test]
fn stated_figures_are_short() {
    let sandbox = Sandbox::new();
    let shown = sandbox.cpulens(&["show", "ref:load-generator-196core"]).done().out;
    let line = |name: &str| shown.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    assert!(line("cores stated ").ends_with(" 196"), "{shown}");
    assert!(line("cross socket probability stated: ").ends_with(" 75 %"), "{shown}");
    assert!(!shown.contains("reference result"), "{shown}");
}

#[test]
fn names_stand_wherever_a_record_does() {
    let sandbox = Sandbox::new();
    let compared = sandbox.cpulens(&[
        "compare",
        "ref:intel-8163",
        "ref:intel-8269cy-2node",
        "--format",
        "csv",
    ]);
    assert_eq!(compared.code, 0, "{}", compared.err);
    for words in ["new_orders", "no spread known", "intel-8269cy-2node"] {
        assert!(compared.out.contains(words), "'{words}' is not in: {}", compared.out);
    }
    sandbox
        .cpulens(&["show", "ref:intel-8136"])
        .could_not("the catalogue has no 'intel-8136'; the nearest are intel-8163");
    sandbox.cpulens(&["show", "ref:../../etc/passwd"]).could_not("cpulens catalogue list");
    sandbox.cpulens(&["show", "ref:"]).could_not("the catalogue has no ''");
    sandbox.cpulens(&["show", "ref:\u{1b}[31m"]).could_not("the catalogue has no");
    sandbox.cpulens(&["catalogue", "table", "straem"]).could_not("there are stream");
}

#[test]
fn tables_mark_what_disagrees_in_every_format() {
    let sandbox = Sandbox::new();
    let table =
        |format| sandbox.cpulens(&["catalogue", "table", "stream", "--format", format]).done().out;
    let text = table("text");
    assert!(text.contains("3.87 [3]") && text.contains("- [3] 3.87 ns is printed"), "{text}");
    let data: serde_json::Value = serde_json::from_str(&table("json")).unwrap();
    assert_eq!(data["rows"][2][2]["text"], "3.87");
    assert!(data["rows"][2][2]["flags"][0].as_str().unwrap().contains("line 823 has 4.10"));
    assert!(data["rows"][0][1].get("flags").is_none());
    let csv = table("csv");
    let kunpeng = csv.lines().find(|l| l.starts_with("kunpeng")).unwrap();
    assert!(kunpeng.contains(",3.87,") && kunpeng.contains("most ns: 3.87 ns is printed"), "{csv}");
    assert!(table("markdown").contains("3.87 \\[3\\]") || table("markdown").contains("3.87 [3]"));
    assert!(table("html").contains("3.87 [3]"));
    let names = sandbox.cpulens(&["catalogue", "table", "--format", "csv"]).done().out;
    for name in names.lines().skip(1).map(|l| l.split(',').next().unwrap()) {
        assert_eq!(sandbox.cpulens(&["catalogue", "table", name]).code, 0, "{name}");
    }
    assert_eq!(names.lines().count(), 13);
}

/// A record of this program with the figures of a reference machine, or with the first of them only.
fn measured(figures: usize) -> Vec<u8> {
    let mut record = catalogue::record("intel-8269cy-2node").unwrap().unwrap();
    record.provenance = record::Provenance { tool: "cpulens".into(), ..Default::default() };
    let mut runs = record.runs.clone();
    runs.truncate(figures);
    let prime = [("sysbench", "0.4"), ("max_prime", "50000"), ("threads", "one")];
    let own = [
        ("lmbench_stream", &[("lineage", "intel")][..], "time_per_element", 1.12e-9),
        ("prime", &prime[..], "time_of_10000_events", 83.0),
    ];
    for (run, (probe, params, metric, value)) in runs.iter_mut().zip(own) {
        let mut series = Series::new(metric, Unit::Seconds, Better::Lower);
        if probe == "lmbench_stream" {
            series = series.at(param::KERNEL, "copy");
        }
        series.samples = vec![value; 6];
        run.case.probe = probe.into();
        run.case.version = if probe == "prime" { 3 } else { 1 };
        run.case.params = params.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        run.outcome = Outcome::Measured(vec![series]);
        run.origin = None;
    }
    record.runs = runs;
    record::to_vec(&record).unwrap()
}

#[test]
fn nearest_machines_are_named_with_their_distance() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("a.json", measured(2));
    let text = sandbox.cpulens(&["show", &file, "--section", "nearest"]).done().out;
    let (_, section) = text.split_once("Nearest machines").unwrap();
    assert!(
        section.contains("ref:intel-8269cy-2node (1.00 times apart in 2 figures)"),
        "{section}"
    );
    let html = sandbox.cpulens(&["show", &file, "--format", "html"]).done().out;
    assert!(html.contains("Nearest machines") && html.contains("sysbench 0.4 prime"));
    let json = sandbox.cpulens(&["show", &file, "--format", "json"]).done().out;
    let data: serde_json::Value = serde_json::from_str(&json).unwrap();
    let nearest = data["nearest"].as_array().unwrap();
    assert_eq!((nearest.len(), nearest[0]["name"].as_str()), (3, Some("intel-8269cy-2node")));
    let apart: Vec<f64> = nearest.iter().map(|n| n["apart"].as_f64().unwrap()).collect();
    assert!(apart.is_sorted() && (apart[0] - 1.0).abs() < 1e-9, "{apart:?}");
    // Nothing comparable, nothing said; nor of the reference machines themselves.
    let one = sandbox.file("b.json", measured(1));
    for quiet in [one.as_str(), "ref:intel-8269cy-2node"] {
        let text = sandbox.cpulens(&["show", quiet, "--full"]).done().out;
        assert!(!text.contains("Nearest machines"), "{quiet}");
    }
}

/// The user's own records are neighbours as reference machines are, but none of itself; a broken one hides no other.
#[test]
fn own_records_are_neighbours() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("a.json", measured(2));
    sandbox.cpulens(&["catalogue", "add", &file, "--name", "same"]).done();
    let mut other = record::from_slice(&measured(2)).unwrap();
    other.provenance.name = Some("other".into());
    let other = sandbox.file("b.json", record::to_vec(&other).unwrap());
    sandbox.cpulens(&["catalogue", "add", &other]).done();
    fs::write(sandbox.path("data/cpulens/catalogue/broken.json"), "{").unwrap();
    let text = sandbox.cpulens(&["show", &file, "--section", "nearest"]).done().out;
    assert!(text.contains("ref:other (1.00 times apart in 2 figures)"), "{text}");
    assert!(!text.contains("ref:same") && !text.contains("broken"), "{text}");
}

/// The reference machines that can be near, and by how many figures.
#[test]
fn published_figures_of_our_definitions_are_found() {
    let figures = |name: &str| {
        let record = catalogue::record(name).unwrap().unwrap();
        analyse::nearest::Figures::of(&record).len()
    };
    let with: Vec<(&str, usize)> =
        catalogue::names().map(|n| (n, figures(n))).filter(|(_, n)| *n > 0).collect();
    assert_eq!(
        with,
        [
            ("amd-epyc-7h12-ecs", 2),
            ("hygon-5280", 1),
            ("hygon-7280-8node", 4),
            ("hygon-7280-die-interleaved", 2),
            ("intel-8163", 2),
            ("intel-8269cy-2node", 4),
            ("intel-e5-2682v4", 3),
            ("kunpeng-920-4826", 2),
            ("phytium-ft2500", 2),
        ]
    );
}

#[test]
fn own_records_join_and_are_never_overwritten() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("a.json", hostile());
    let added = sandbox.cpulens(&["catalogue", "add", &file, "--name", "DB 1"]).done();
    assert!(added.out.starts_with("Added as ref:db-1: "), "{}", added.out);
    let kept = sandbox.path("data/cpulens/catalogue/db-1.json");
    let before = fs::read(&kept).unwrap();
    sandbox
        .cpulens(&["catalogue", "add", "ref:intel-8163", "--name", "db-1"])
        .could_not("db-1 is there already");
    sandbox.cpulens(&["catalogue", "add", "ref:intel-8163"]).could_not("of the catalogue itself");
    assert_eq!(fs::read(&kept).unwrap(), before);
    sandbox.cpulens(&["show", "ref:db-1"]).done();
    sandbox.cpulens(&["show", "ref:db-2"]).could_not("the nearest are db-1");
    sandbox.cpulens(&["catalogue", "add", &file, "--name", "\u{1b}"]).could_not("--name");
    sandbox.cpulens(&["catalogue", "add", "no-such.json"]).could_not("cannot be added");
    let text = sandbox.file("lscpu.txt", "Architecture: x86_64\n");
    sandbox.cpulens(&["catalogue", "add", &text]).could_not("cpulens import");
}

#[test]
fn a_broken_own_file_hides_no_other() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("a.json", hostile());
    sandbox.cpulens(&["catalogue", "add", &file, "--name", "good"]).done();
    let folder = sandbox.path("data/cpulens/catalogue");
    fs::write(folder.join("broken.json"), "{\"schema\": 1, ").unwrap();
    fs::write(folder.join("intel-8163.json"), hostile()).unwrap();
    fs::write(folder.join("Bad name.json"), hostile()).unwrap();
    fs::create_dir(folder.join("folder.json")).unwrap();
    fs::write(folder.join("note.txt"), "no record").unwrap();
    let listed = sandbox.cpulens(&["catalogue", "list", "--format", "csv"]);
    assert_eq!(listed.code, 2, "something could not be read");
    let machines = catalogue::names().count();
    assert_eq!(listed.out.lines().count(), machines + 2, "the machines, the head and the good one");
    assert!(listed.out.contains("\ngood,"));
    assert_eq!(listed.err.lines().count(), 4, "{}", listed.err);
    for words in ["broken.json is cut short", "machine of that name", "Bad name", "is a folder"] {
        assert!(listed.err.contains(words), "'{words}' is not in: {}", listed.err);
    }
    sandbox.cpulens(&["show", "ref:broken"]).could_not("is cut short");
    sandbox.cpulens(&["show", "ref:good"]).done();
    sandbox.cpulens(&["show", "ref:intel-8163"]).done();
}

#[test]
fn texts_of_own_records_are_harmless() {
    let sandbox = Sandbox::new();
    let file = sandbox.file("a.json", hostile());
    // The record's own name names it, in characters that no shell minds.
    let added = sandbox.cpulens(&["catalogue", "add", &file]).done();
    assert!(added.out.starts_with("Added as ref:31mevil-script-alert-1-script: "), "{}", added.out);
    for format in ["text", "csv", "markdown", "html", "json"] {
        let out = sandbox.cpulens(&["catalogue", "list", "--format", format]).done().out;
        assert!(!has_control(&out) && !out.contains('\u{202e}'), "{format}");
        assert!(!(format == "html" && out.contains("<img src")), "{format}");
    }
}

#[test]
fn a_place_that_cannot_be_written_is_named() {
    let sandbox = Sandbox::new();
    fs::create_dir_all(sandbox.path("data/cpulens")).unwrap();
    fs::write(sandbox.path("data/cpulens/catalogue"), "a file").unwrap();
    sandbox
        .cpulens(&["catalogue", "add", "ref:intel-8163", "--name", "x"])
        .could_not("cannot write");
    sandbox.cpulens(&["show", "ref:nothing-like-it-at-all"]).could_not("cannot look into");
    assert_eq!(fs::read_to_string(sandbox.path("data/cpulens/catalogue")).unwrap(), "a file");
}

/// The sources' own comparisons, broken down into factors.
#[test]
fn published_ratios_are_taken_apart() {
    let sandbox = Sandbox::new();
    let why = |a: &str, b: &str| {
        let ran = sandbox.cpulens(&["compare", a, b, "--explain"]);
        // Lines are broken where the window ends.
        ran.out.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let bc = why("ref:intel-8269cy-numa-off", "ref:kunpeng-920-4826");
    assert!(bc.contains("Residual: 1"), "{bc}");
    // Counters of the whole machine explain nothing, in a dump or in a table.
    let wide = why("ref:intel-8269cy-numa-off", "ref:hygon-5280");
    assert!(
        wide.contains("The cause is unknown: this record: its counters are not its own"),
        "{wide}"
    );
    assert!(!wide.contains("IPC 0.") && !wide.contains("weighs most is IPC"), "{wide}");
    let hygon = why("ref:intel-8163", "ref:hygon-7280-8node");
    let at = "0.508 - 0.606 x (5 points)";
    assert!(hygon.contains(at), "{hygon}");
    assert!(hygon.contains("for frequency is inferred"), "{hygon}");
    let arm = why("ref:intel-8163", "ref:kunpeng-920-4826");
    let more = "Residual: 0.628 - 0.864 x for instructions";
    assert!(arm.contains(more), "{arm}");
}

/// The load generators of a published story, which have no figure in common: slow modules, remote accesses, what both cost and
/// what mends them, on one screen.
#[test]
fn the_slow_load_generator_is_explained_on_one_screen() {
    let sandbox = Sandbox::new();
    let (slow, fast) = ("ref:load-generator-196core", "ref:load-generator-72core");
    let compared = sandbox.cpulens(&["compare", "--explain", fast, slow]).out;
    for words in [
        "75 %",
        "1.69 ns",
        "2100 MT/s",
        "numactl --cpunodebind",
        "More sockets add nothing",
        "below their rating",
    ] {
        assert!(compared.contains(words), "{words} in {compared}");
    }
    assert!(compared.lines().count() <= 40 && compared.lines().all(|l| l.chars().count() <= 80));
    for (option, factor) in [(&["--dimms", "2933"][..], "1.40 x"), (&["--bound"], "1.00 to ")] {
        let ran = sandbox.cpulens(&[&["whatif", slow], option].concat());
        assert!(ran.out.contains(factor), "{}", ran.out);
    }
    sandbox
        .cpulens(&["place", slow])
        .could_not("numactl --cpunodebind=N --membind=N COMMAND, N from 0 to 3");
}
