//! UnixBench's report and CSV file, beside genuine ones: the same results must give the same bytes.
use crate::fixture::{record, rendered};
use record::{Better, Outcome, Record, Run, Series, Unit, Value, unixbench};
use render::Settings;

/// A genuine report.
fn sample(name: &str) -> String {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../import/tests/samples/unixbench.");
    std::fs::read_to_string(format!("{folder}{name}.txt")).unwrap()
}

/// A record in which each test of a report counted what the report says, in one pass.
fn measured(report: &str) -> Record {
    let mut record = record("quiet-vm");
    let (template, mut copies) = (record.runs[0].clone(), 0);
    record.runs.clear();
    for line in report.lines() {
        if let Some((_, rest)) = line.split_once("running ") {
            copies = rest.split(' ').next().unwrap().parse().unwrap();
        }
        let Some((head, tail)) = line.rsplit_once(" (").filter(|(_, t)| t.ends_with("samples)"))
        else {
            continue;
        };
        let (head, _) = head.trim_end().rsplit_once(' ').unwrap();
        let (name, score) = head.trim_end().rsplit_once(' ').unwrap();
        let (seconds, _) = tail.split_once(" s").unwrap();
        let (score, seconds): (f64, f64) = (score.parse().unwrap(), seconds.parse().unwrap());
        // Results are printed rounded; the printed index says that this one was a little more.
        let score = if score == 10_472.8 { 10_472.83 } else { score };
        let test = unixbench::named(name.trim_end()).unwrap();
        let count = if test.timebase > 0.0 { score * seconds / test.timebase } else { score };
        record.runs.push(run(&template, test.id.as_str(), copies, "none", count, seconds));
    }
    record
}

fn run(template: &Run, id: &str, copies: u64, placement: &str, count: f64, seconds: f64) -> Run {
    let mut run = template.clone();
    run.case.probe = id.into();
    run.case.params = [
        ("copies", Value::Integer(copies)),
        ("placement", placement.into()),
        ("variant", "upstream-6".into()),
        ("start", "serial".into()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into();
    let series = |metric: &str, unit, x: f64| Series {
        samples: vec![x],
        ..Series::new(metric, unit, Better::Higher)
    };
    run.outcome = Outcome::Measured(vec![
        series("rate", Unit::PerSecond, count),
        series("count", Unit::Count, count),
        series("time", Unit::Seconds, seconds),
    ]);
    run
}

/// The results in a report, without the machine, the time of day, and additions of ours.
fn results(report: &str) -> Vec<&str> {
    let said = |line: &&str| {
        !line.starts_with("   ") && !line.starts_with("Benchmark Run") && !line.starts_with('#')
    };
    let lines: Vec<&str> = report.lines().collect();
    let from = lines.iter().position(|l| l.starts_with("---")).unwrap();
    let mut all: Vec<&str> = lines[from..]
        .iter()
        .copied()
        // The line under an index is drawn with blanks before it.
        .filter(|l| said(l) || l.ends_with("========"))
        .collect();
    while all.last().is_some_and(|l| l.is_empty()) {
        all.pop();
    }
    all
}

#[test]
fn the_results_of_a_genuine_report_are_its_bytes() {
    for name in ["upstream-6.0.0-full-c1-c2", "upstream-6.0.0-partial"] {
        let genuine = sample(name);
        let record = measured(&genuine);
        let ours = rendered("unixbench", &analyse::analyse(&record), Settings::default());
        // The records machine has as many CPUs as it has.
        let cpus = record.machine.topology.cpus.iter().filter(|c| c.online).count();
        let genuine = genuine.replace("2 CPUs in system", &format!("{cpus} CPUs in system"));
        assert_eq!(results(&ours), results(&genuine), "{name}");
    }
}

#[test]
fn the_csv_file_has_a_column_for_each_test_and_a_row_for_each_number_of_copies() {
    let record = measured(&sample("upstream-6.0.0-partial"));
    let ours = rendered("unixbench_csv", &analyse::analyse(&record), Settings::default());
    assert_eq!(
        ours,
        "Concurrency,Dhrystone 2 using register variables,Pipe Throughput,System Call Overhead\n\
         1,83151707.3,2114302.3,1757443.3\n2,162520755.0,4038765.1,3536065.7\n"
    );
}

#[test]
fn what_placement_gains_is_one_table_in_every_format() {
    let mut record = record("quiet-vm");
    let template = record.runs[0].clone();
    record.runs.clear();
    for (placement, counts) in
        [("one-to-one", [900.0, 910.0, 905.0]), ("range", [100.0, 120.0, 110.0])]
    {
        for count in counts {
            record.runs.push(run(&template, "context1", 4, placement, count, 1.0));
        }
    }
    let report = analyse::analyse(&record);
    for (id, words) in [
        ("unixbench", "# Pipe-based Context Switching                  4  +722.7%  yes     7.500x"),
        ("unixbench_csv", "# upstream-6, placement one-to-one, serial start"),
        ("text", "+722.7 %"),
        ("text", "7.500x"),
        ("markdown", "What placement gains"),
        ("html", "chart-unixbench"),
        ("json", "\"apart\": true"),
    ] {
        let shown = rendered(id, &report, Settings::default());
        assert!(shown.contains(words), "{id}: {shown}");
    }
}

/// The indexes of a genuine report beside those of another, as bars with their names and values, and as a table.
#[test]
fn indexes_stand_beside_chosen_references() {
    let (own, other) = (
        measured(&sample("upstream-6.0.0-partial")),
        measured(&sample("upstream-6.0.0-full-c1-c2")),
    );
    let mut report = analyse::analyse(&own);
    let alone = rendered("html", &report, Settings::default());
    let references = analyse::references::Reference::of("elsewhere", &other);
    assert_eq!(references.len(), 2);
    report.set(analyse::references::References(references));
    for id in ["html", "text", "markdown", "json"] {
        let shown = rendered(id, &report, Settings::default());
        // The other's index of Dhrystone with one copy; none of tests that this record has not, nor of all twelve.
        assert!(shown.contains("elsewhere") && shown.contains("6636.2"), "{id}: {shown}");
        assert!(!shown.contains("1565.9") && !shown.contains("520.9"), "{id}");
    }
    let shown = rendered("html", &report, Settings::default());
    assert!(!alone.contains("elsewhere") && shown.contains("2 copies, elsewhere"));
}

#[test]
fn what_the_kernel_counted_is_in_the_details() {
    let mut record = measured(&sample("upstream-6.0.0-partial"));
    for run in &mut record.runs {
        let Outcome::Measured(all) = &mut run.outcome else { panic!("it was measured") };
        let seconds = all[2].samples[0];
        for metric in ["minor_faults", "major_faults", "voluntary_switches", "involuntary_switches"]
        {
            let mut s = Series::new(metric, Unit::Count, Better::Neither);
            s.samples = vec![4321.0 * seconds];
            all.push(s);
        }
    }
    let shown = rendered("html", &analyse::analyse(&record), Settings::default());
    assert!(
        shown.contains("Faults and switches of each test") && shown.contains("4.32 k/s"),
        "{shown}"
    );
}

/// A table of each placement, whose name is the record's.
#[test]
fn a_placement_drives_no_terminal() {
    let mut record = record("quiet-vm");
    let template = record.runs[0].clone();
    let places = ["none", "a\u{1b}[2J\u{202e}b"];
    record.runs = places.map(|at| run(&template, "dhry2reg", 1, at, 1e9, 10.0)).into();
    let text = rendered("unixbench_csv", &analyse::analyse(&record), Settings::default());
    assert_eq!(text.lines().filter(|line| line.starts_with('#')).count(), 2, "{text}");
    assert!(text.contains("placement a") && !text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
}
