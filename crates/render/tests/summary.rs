//! The summary: one screen, in both languages, whose numbers are those of the report.

use crate::fixture;
use analyse::State;
use analyse::diagnosis::{Workload, diagnosis};
use analyse::place::{Request, place};
use analyse::summary::{
    Cell, Column, Label, Note, Quantity, Row, Summary, Table, TableId, key, of_diagnosis,
    of_machine, of_placement, of_predictions, summary,
};
use analyse::whatif::{Change, whatif};
use messages::Lang;
use proptest::prelude::*;
use record::{Disturbed, OTHER_PLACEMENT, Outcome, Record, param};
use render::quantity;
use render::summary::{LINES, View, text};
use serde_json::Value;
use std::collections::BTreeSet;
use unicode_width::UnicodeWidthStr;

const LOAD_GENERATORS: [&str; 2] = ["load-generator-72", "load-generator-196"];

fn records() -> Vec<(String, Record)> {
    let names = fixture::ALL.into_iter().chain(LOAD_GENERATORS);
    names.map(|name| (name.to_owned(), fixture::record(name))).collect()
}

fn views() -> impl Iterator<Item = View<'static>> {
    Lang::ALL.iter().map(|lang| View { lang: *lang, ..View::default() })
}

/// At most one screen of 80 columns; a command is not broken.
fn fits(name: &str, summary: &Summary) {
    for view in views() {
        let lines = text(summary, &view);
        let mut environment = lines.iter().skip_while(|line| !line.starts_with("Environment: "));
        assert!(
            !environment.nth(1).is_some_and(|line| line.starts_with(' ')),
            "{name}: {lines:#?}"
        );
        assert!(lines.len() <= LINES, "{name}: {} lines\n{}", lines.len(), lines.join("\n"));
        for line in &lines {
            let command = line.starts_with("   ") && line.contains("cpulens ");
            let width = line.width();
            assert!(width <= view.width || command, "{name}: {width} columns: {line}");
            assert_eq!(line.trim_end(), line);
        }
        marks_are_explained(name, &lines);
    }
}

/// A line that explains a mark stands below a row that has it.
fn marks_are_explained(name: &str, lines: &[String]) {
    for mark in ["*", "~"] {
        let explains = |line: &String| line.starts_with(&format!("{mark} "));
        let Some(end) = lines.iter().position(explains) else { continue };
        let marked = |line: &String| line.split_whitespace().any(|word| word == mark);
        assert!(lines[..end].iter().any(marked), "{name}: {mark}\n{}", lines.join("\n"));
    }
}

/// More figures than there is room for, of which each in turn has modes.
#[test]
fn a_mark_that_is_not_shown_is_not_explained() {
    let mut all = summary(&analyse::analyse(&fixture::record("busy-vm")));
    all.figures.iter_mut().for_each(|f| f.quantity.modes.clear());
    all.figures = vec![all.figures; 3].concat();
    let explained = |i: usize| {
        let mut one = all.clone();
        let level = |level: f64| State { level, count: 2 };
        let value = one.figures[i].quantity.value;
        one.figures[i].quantity.modes = vec![level(value), level(2.0 * value)];
        fits("busy-vm", &one);
        text(&one, &View::default()).iter().any(|line| line.starts_with("* "))
    };
    let shown = (0..all.figures.len()).filter(|i| explained(*i)).count();
    assert!(shown > 0 && shown < all.figures.len(), "{shown} of {}", all.figures.len());
}

/// Every number of a JSON document but those of its summary, by its bits.
fn numbers(value: &Value, all: &mut BTreeSet<u64>) {
    match value {
        Value::Number(n) => drop(all.insert(n.as_f64().unwrap().to_bits())),
        Value::Array(items) => items.iter().for_each(|v| numbers(v, all)),
        Value::Object(fields) => {
            fields.iter().filter(|(k, _)| *k != "summary").for_each(|(_, v)| numbers(v, all));
        }
        _ => {}
    }
}

/// The summary's values equal the report's, to the last bit; and the text shows them as the tables do.
fn agrees(name: &str, record: &Record) {
    let report = analyse::analyse(record);
    let summary = summary(&report);
    let settings = render::Settings::default();
    let document: Value =
        serde_json::from_str(&fixture::rendered("json", &report, settings)).unwrap();
    let mut known = BTreeSet::new();
    numbers(&document, &mut known);
    let holds = |x: f64| known.contains(&x.to_bits());
    let all = |q: &Quantity, factor: f64| {
        let ends = q.interval.iter().flat_map(|i| [i.low, i.high]);
        ends.chain([q.value])
            .chain(q.modes.iter().map(|mode| mode.level))
            .all(|x| holds(x * factor))
    };
    let flat = &document["summary"];
    let lines = text(&summary, &View::default());
    let mut hidden = 0;
    for figure in &summary.figures {
        // One way is half of the round trip that is measured.
        let factor = if figure.id.name().starts_with("core_to_core") { 2.0 } else { 1.0 };
        assert!(all(&figure.quantity, factor), "{name}: {figure:?} is in no estimate");
        let stored = flat[key(figure)].as_f64().unwrap();
        let scale = if key(figure).ends_with("_ns") { 1e9 } else { 1.0 };
        assert!((stored / scale / figure.quantity.value - 1.0).abs() < 1e-12, "{name}: {figure:?}");
        if figure.is_in_table() {
            continue;
        }
        let Quantity { value, unit, ref modes, .. } = figure.quantity;
        let shown = match unit {
            // Of modes there is no single value.
            _ if modes.len() > 1 => quantity::plain(modes[modes.len() - 1].level, unit),
            record::Unit::Count => format!("{value:.1}"),
            _ => quantity::plain(value, unit),
        };
        let shown = shown.trim_end_matches("/s").to_owned();
        hidden += usize::from(!lines.iter().any(|l| l.contains(&shown)));
    }
    // What has no room is counted.
    let counted = |l: &String| {
        let words = l.strip_prefix("and ").filter(|l| l.contains("more row"));
        words.and_then(|l| l.split(' ').next()?.parse::<usize>().ok())
    };
    let said: usize = lines.iter().filter_map(counted).sum();
    assert!(hidden <= said, "{name}: {hidden} figures are missing:\n{}", lines.join("\n"));
    for table in &summary.tables {
        for cell in table.rows.iter().flat_map(|row| &row.cells) {
            let Cell::Number(quantity) = cell else { continue };
            assert!(all(quantity, 1.0), "{name}: {quantity:?} of {:?}", table.id);
        }
    }
    fits(name, &summary);
}

#[test]
fn every_number_is_an_estimate_and_all_fit_on_a_screen() {
    for (name, record) in records() {
        agrees(&name, &record);
    }
}

/// The same of the other commands: each with the JSON document that it gives.
fn commands(record: &Record) -> Vec<(Summary, Value)> {
    const CHANGES: &[Change] = &[
        Change::Dimms(2.933e9),
        Change::Bound,
        Change::SmtOff,
        Change::HugePages,
        Change::Frequency(3e9),
        Change::Cores(64),
    ];
    let report = analyse::analyse(record);
    let bare = Record { runs: vec![], ..record.clone() };
    let other = fixture::record("load-generator-72");
    let value = |document: &sections::document::Document| {
        let mut out = vec![];
        render::render(
            "json",
            render::Subject::Document(document),
            &render::Settings::default(),
            &mut out,
        )
        .unwrap();
        serde_json::from_slice(&out).unwrap()
    };
    let machine = serde_json::from_str(&fixture::info("json", &record.machine)).unwrap();
    let found = diagnosis(&report, Workload::named("db"));
    let found = found.against(&report, &analyse::analyse(&other));
    let predicted = whatif(&report, CHANGES);
    let mut all = vec![
        (of_machine(&analyse::analyse(&bare)), machine),
        (
            of_diagnosis(&report, &found),
            value(&sections::diagnosis::document(&found, &report, ("a", "b"))),
        ),
        (
            of_predictions(&report, &predicted),
            value(&sections::whatif::document(&predicted, &report, "a")),
        ),
    ];
    if let Ok(placement) = place(&report, &Request { cores: Some(1), ..Request::default() }) {
        let document = sections::placement::document(&placement, &report, "a");
        let lines = placement.instances.iter().map(|i| format!("numactl {}", i.cpus)).collect();
        let summary = Summary { lines, ..of_placement(&report, &placement) };
        all.push((summary, value(&document)));
    }
    all
}

#[test]
fn every_command_has_one_screen_with_numbers_of_its_document() {
    for (name, record) in records() {
        for (summary, mut document) in commands(&record) {
            fits(&name, &summary);
            // The document has it flat, too.
            let flat = document.as_object_mut().unwrap().remove("summary").unwrap();
            let own = serde_json::to_value(summary.flat()).unwrap();
            assert_eq!(flat["cpus"], own["cpus"], "{name}");
            let mut of_flat = BTreeSet::new();
            numbers(&flat, &mut of_flat);
            let mut known = BTreeSet::new();
            numbers(&document, &mut known);
            for row in summary.tables.iter().flat_map(|t| &t.rows) {
                let all = row.cells.iter().flat_map(|cell| match cell {
                    Cell::Number(quantity) => vec![quantity.value],
                    Cell::Times(low, high) => vec![*low, *high],
                    _ => vec![],
                });
                // The number of cores of an instance follows from its CPUs.
                let derived = |x: f64| matches!(&row.label, Label::Name(_)) && x == 1.0;
                for x in all.filter(|x| !derived(*x)) {
                    assert!(known.contains(&x.to_bits()), "{name}: {x} of {:?}", row.label);
                    let answers = !matches!(row.label, Label::Name(_) | Label::Part(_));
                    assert!(!answers || of_flat.contains(&x.to_bits()), "{name}: {x} is not flat");
                }
            }
            let lines = text(&summary, &View::default());
            let numbered =
                |l: &&String| l.split_once(". ").is_some_and(|(n, _)| n.parse::<u8>().is_ok());
            let more = lines.iter().any(|l| l.contains("more finding"));
            let shown = lines.iter().filter(numbered).count();
            assert!(shown == summary.findings.len() || more, "{name}: {shown}");
        }
    }
}

#[test]
fn narrow_and_wide_terminals_are_never_exceeded() {
    for (name, record) in records() {
        let report = analyse::analyse(&record);
        let summary = summary(&report);
        for width in (20..=130).step_by(5) {
            for view in views() {
                for line in text(&summary, &View { width, ..view }) {
                    // A command is never broken inside of a word.
                    let one_word = line.trim_end_matches('\\').split_whitespace().count() == 1;
                    let whole = line.contains("cpulens ") || one_word;
                    assert!(whole || line.width() <= width, "{name} at {width}: {line}");
                }
            }
        }
    }
}

#[test]
fn english_is_plain_ascii_and_chinese_has_no_english_sentence() {
    for (name, record) in records() {
        let summary = summary(&analyse::analyse(&record));
        let english = text(&summary, &View::default()).join("\n");
        assert!(english.is_ascii(), "{name}: {english}");
        let chinese = text(&summary, &View { lang: Lang::Zh, ..View::default() }).join("\n");
        for word in
            ["Environment", "median", "Memory latency", "Findings", "Not known", "Next", "than"]
        {
            assert!(!chinese.contains(word), "{name}: {word} in\n{chinese}");
        }
    }
}

/// A path that fills a line stands once before the next commands, and rows of the answer stay.
#[test]
fn a_long_path_costs_a_line_and_not_the_answer() {
    let long = format!("records/{}.json.zst", "n".repeat(52));
    for name in ["busy-vm", "two-node-server"] {
        let summary = summary(&analyse::analyse(&fixture::record(name)));
        let lines = text(&summary, &View { record: &long, ..View::default() });
        assert!(lines.len() <= LINES, "{name}");
        let units = [" ns ", " us ", " GB/s ", " GHz "];
        let shown = lines[6..].iter().filter(|l| units.iter().any(|u| l.contains(u))).count();
        let said = lines.join("\n");
        assert!(shown >= 9 && said.matches(&long).count() == 1, "{name}: {shown}\n{said}");
        assert!(said.contains(" --full"), "{said}");
        let more = lines.iter().find(|l| l.contains("more finding"));
        assert!(more.is_none_or(|l| !l.ends_with('\\')), "{said}");
    }
}

/// A run of everything has databases beside the figures: their rows go before the finding that costs most, and what holds for both
/// tables stands once.
#[test]
fn tables_leave_room_for_a_finding() {
    let mut full = summary(&analyse::analyse(&fixture::record("busy-vm")));
    let row = |cores| Row {
        label: Label::Cores { cores, threads: cores, placement: None },
        cells: vec![Cell::Number(Quantity::plain(1e6, record::Unit::PerSecond))],
        excluded: true,
    };
    let table = |workload: &str| Table {
        id: TableId::Database {
            workload: workload.into(),
            engine: Some(format!("SQLite ({})", "a setting; ".repeat(6))),
            unlimited: Some(record::Reason::new("others used its CPUs meanwhile")),
            against: Some(1),
        },
        columns: vec![Column::Throughput],
        rows: vec![row(1), row(2)],
        more: 0,
        common: record::Text::default(),
        file: None,
    };
    full.tables = vec![table("point_select"), table("tpcc")];
    full.below = vec![];
    for view in views() {
        let lines = text(&full, &View { record: &"r".repeat(78), ..view });
        let all = lines.join("\n");
        assert!(lines.len() <= LINES, "{} lines\n{all}", lines.len());
        assert!(lines.iter().any(|line| line.starts_with("1. ")), "{all}");
        assert_eq!(all.matches("--section databases").count(), 1, "{all}");
        assert_eq!(lines.iter().filter(|line| line.starts_with("- 2 ")).count(), 2, "{all}");
    }
}

/// What has no room beside the model is on the line of the run.
#[test]
fn the_header_is_two_lines() {
    let summary = summary(&analyse::analyse(&fixture::record("quiet-vm")));
    for view in views() {
        let lines = text(&summary, &view);
        assert!(lines[0].starts_with("AMD EPYC 9555") && lines[0].width() <= 80, "{lines:#?}");
        assert!(lines[..2].join("").contains("Linux 6.18.5"), "{lines:#?}");
        assert!(lines[1].contains("44 s") && !lines[2].contains("44 s"), "{lines:#?}");
    }
}

/// Long names of processors and hosts do not make it longer; what is left of a host's name has both of its ends.
#[test]
fn names_are_shortened_before_the_header_takes_a_third_line() {
    let mut summary = summary(&analyse::analyse(&fixture::record("quiet-vm")));
    summary.header.model = Some("Intel(R) Xeon(R) Platinum 8480+ CPU @ 2.00GHz".into());
    summary.header.name = Some(format!("first{}last", "-".repeat(64)));
    for view in views() {
        let lines = text(&summary, &view);
        assert!(lines[0].starts_with("Intel Xeon Platinum 8480+ ("), "{lines:#?}");
        assert!(lines[1].contains("first-") && lines[1].contains("-last"), "{lines:#?}");
        let (en, zh) = ("Environment: ", "环境检查：");
        assert!(lines[2].contains(if view.lang == Lang::Zh { zh } else { en }), "{lines:#?}");
    }
    for (name, short) in [
        ("AMD EPYC 9555 64-Core Processor", "AMD EPYC 9555"),
        ("12th Gen Intel(R) Core(TM) i5-12600K", "12th Gen Intel Core i5-12600K"),
        ("Intel(R) Xeon(R) CPU E5-2682 v4 @ 2.50GHz", "Intel Xeon E5-2682 v4"),
        ("QEMU Virtual CPU version 2.5+", "QEMU Virtual CPU version 2.5+"),
        ("Kunpeng 920-4826", "Kunpeng 920-4826"),
    ] {
        summary.header.model = Some(name.into());
        assert!(text(&summary, &View::default())[0].starts_with(&format!("{short} (")), "{name}");
    }
}

/// The conclusions say the idle latency that stands beside the loaded one.
#[test]
fn latency_under_load_is_beside_one_idle_latency() {
    let mut seen = 0;
    for (name, record) in records() {
        let report = analyse::analyse(&record);
        let notes = summary(&report).figures.into_iter().flat_map(|f| f.notes);
        let idle = notes.into_iter().find_map(|note| match note {
            Note::TimesIdle { idle, .. } => Some(quantity::plain(idle, record::Unit::Seconds)),
            _ => None,
        });
        let Some(idle) = idle else { continue };
        let text = fixture::rendered("text", &report, render::Settings::default());
        let words = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(words.contains(&format!(" instead of {idle}, ")), "{name}: {idle}");
        seen += 1;
    }
    assert!(seen > 2, "{seen}");
}

#[test]
fn the_answer_is_on_the_screen() {
    let shown = |name: &str, lang| {
        let record = fixture::record(name);
        text(&summary(&analyse::analyse(&record)), &View { lang, ..View::default() }).join("\n")
    };
    insta::assert_snapshot!("two-node-server.en", shown("two-node-server", Lang::En));
    insta::assert_snapshot!("two-node-server.zh", shown("two-node-server", Lang::Zh));
    insta::assert_snapshot!("busy-vm.en", shown("busy-vm", Lang::En));
    insta::assert_snapshot!("scaling_run.en", shown("scaling_run", Lang::En));
    insta::assert_snapshot!("cut-short.zh", shown("cut-short", Lang::Zh));
}

/// vCPUs that were nearer for a part of the time: the samples of that time are another quantity.
#[test]
fn samples_of_another_placement_stand_beside_the_value() {
    let mut record = fixture::record("quiet-vm");
    let read = |r: &&mut record::Run| {
        r.case.probe == "bandwidth"
            && r.case.get(param::ONE_OR_ALL) == Some("all")
            && r.case.get(param::KERNEL) == Some("read")
    };
    let run = record.runs.iter_mut().find(read).unwrap();
    let Outcome::Measured(series) = &mut run.outcome else { panic!("it was measured") };
    series[0].samples = [[4e10; 8].as_slice(), &[8e10; 4]].concat();
    let mark = |sample| Disturbed { sample, why: OTHER_PLACEMENT.into() };
    series[0].disturbed = (8..12).map(mark).collect();
    let lines = text(&summary(&analyse::analyse(&record)), &View::default());
    let row = lines.iter().find(|l| l.starts_with("Read bandwidth, 2 CPUs")).unwrap();
    assert!(row.contains(" 40") && !row.contains('*'), "{row}");
    let words = lines.iter().flat_map(|l| l.split_whitespace());
    let text = words.collect::<Vec<_>>().join(" ");
    assert!(text.contains("33 % at 80 GB/s (CPUs moved)"), "{text}");
}

/// A share of moved CPUs is one way, as the value of its row, and so stands before the round trip.
#[test]
fn round_trips_of_moved_cpus_stand_beside_the_way_that_they_are_of() {
    let mut record = fixture::record("quiet-vm");
    let trips = |s: &&mut record::Series| s.metric == record::Metric::RoundTrip;
    let measured = record.runs.iter_mut().filter_map(|run| match &mut run.outcome {
        Outcome::Measured(series) => Some(series),
        _ => None,
    });
    let series = measured.flatten().find(trips).unwrap();
    series.samples = [[6e-8; 8].as_slice(), &[2e-8; 4]].concat();
    let mark = |sample| Disturbed { sample, why: OTHER_PLACEMENT.into() };
    series.disturbed = (8..12).map(mark).collect();
    let lines = text(&summary(&analyse::analyse(&record)), &View::default());
    let text = lines.join(" ").split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("33 % at 10 ns (CPUs moved), round trip 60 ns"), "{text}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    /// Samples that move by any factor, some of them by another, and cases that failed.
    #[test]
    fn made_records_agree_too(
        which in 0..4_usize,
        seeds in prop::collection::vec((0.2_f64..20.0, 0..8_usize, 0..12_u8), 1..60),
    ) {
        let mut record = fixture::record(fixture::ALL[which]);
        let mut seeds = seeds.into_iter().cycle();
        for run in &mut record.runs {
            let (factor, every, fate) = seeds.next().unwrap();
            if fate == 0 {
                run.outcome = Outcome::Failed(record::Reason::new("it was made to"));
                continue;
            }
            let Outcome::Measured(all) = &mut run.outcome else { continue };
            for (i, sample) in all.iter_mut().flat_map(|s| &mut s.samples).enumerate() {
                *sample *= if every > 0 && i % every == 0 { factor } else { 1.0 };
            }
        }
        agrees("made", &record);
    }
}

/// The description of a machine, the largest ones included, in both languages.
#[test]
fn a_machine_fits_one_screen() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/machines");
    let mut seen = 0;
    for name in [
        "phytium-ft2500",
        "hygon-7280",
        "kunpeng-920",
        "server-with-devices",
        "server-with-modules",
    ] {
        let machine = std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
        let text = format!(
            r#"{{"schema": 1, "provenance": {{"tool": "test", "version": "1"}}, "machine": {machine}, "runs": []}}"#
        );
        let record = record::from_slice(text.as_bytes()).unwrap();
        let summary = analyse::summary::of_machine(&analyse::analyse(&record));
        for lang in [Lang::En, Lang::Zh] {
            let lines = render::summary::text(&summary, &View { lang, ..View::default() });
            assert!(lines.len() <= render::summary::LINES, "{name}: {lines:#?}");
            let columns = |l: &String| unicode_width::UnicodeWidthStr::width(l.as_str());
            assert!(lines.iter().all(|l| columns(l) <= 80), "{name}: {lines:#?}");
            seen += lines.len();
        }
        assert!(!summary.drawing.is_empty(), "{name}");
    }
    assert!(seen > 100);
}
