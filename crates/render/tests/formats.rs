//! Formats of recorded runs, word for word, and the promises of each to its readers.
use crate::fixture::{ALL, info, record, rendered};
use analyse::{Conclusions, Curve, Verdicts};
use messages::Lang;
use render::Settings;
use sections::document::Document;
use sections::page::{Block, Page, Section, Table};

/// A report with some of the rules, so that a new rule changes no snapshot here.
fn report_of_few_rules(record: &record::Record) -> analyse::Report<'_> {
    const RULES: [&str; 9] = [
        "cpu_contention",
        "cpu_quota",
        "dimm_below_rating",
        "governor_slows",
        "remote_memory",
        "small_pages",
        "steal_time",
        "thp_never",
        "too_noisy",
    ];
    let mut report = analyse::analyse(record);
    report.get::<Conclusions>();
    let mut verdicts = report.get::<Verdicts>().clone();
    verdicts.0.retain(|one| RULES.contains(&one.rule));
    report.set(verdicts);
    report
}

#[test]
fn text() {
    for name in ALL {
        let record = record(name);
        let text = rendered("text", &report_of_few_rules(&record), Settings::default());
        insta::assert_snapshot!(format!("{name}.text"), text);
    }
}

#[test]
fn other_formats_of_a_run_that_was_cut_short() {
    let record = record("cut-short");
    let report = report_of_few_rules(&record);
    for id in ["markdown", "csv", "json"] {
        insta::assert_snapshot!(
            format!("cut-short.{id}"),
            rendered(id, &report, Settings::default())
        );
    }
}

#[test]
fn information() {
    let machine = record("two-node-server").machine;
    for id in ["text", "markdown", "csv", "json"] {
        insta::assert_snapshot!(format!("two-node-server.info.{id}"), info(id, &machine));
    }
}

#[test]
fn the_same_record_gives_the_same_bytes() {
    for name in ALL {
        let (one, two) = (record(name), record(name));
        for id in render::formats() {
            let settings = Settings { details: true, ..Settings::default() };
            let render = |r| rendered(id, &analyse::analyse(r), settings.clone());
            assert_eq!(render(&one), render(&two), "{name} as {id}");
        }
    }
}

#[test]
fn csv_has_one_row_per_series_and_every_number_reads_back() {
    for name in ALL {
        let record = record(name);
        let report = analyse::analyse(&record);
        let csv = rendered("csv", &report, Settings::default());
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let median = reader.headers().unwrap().iter().position(|h| h == "median").unwrap();
        let rows: Vec<f64> =
            reader.records().map(|r| r.unwrap()[median].parse().unwrap()).collect();
        assert_eq!(rows, report.estimates.iter().map(|e| e.median).collect::<Vec<_>>(), "{name}");
    }
}

#[test]
fn json_is_versioned_and_no_measured_number_is_without_unit() {
    for name in ALL {
        let record = record(name);
        let report = analyse::analyse(&record);
        let json: serde_json::Value =
            serde_json::from_str(&rendered("json", &report, Settings::default())).unwrap();
        assert_eq!(json["report"], 1);
        let estimates = json["estimates"].as_array().unwrap();
        assert_eq!(estimates.len(), report.estimates.len());
        for (json, e) in estimates.iter().zip(&report.estimates) {
            assert_eq!(json["median"].as_f64(), Some(e.median));
            assert_eq!(json["unit"], serde_json::to_value(e.unit).unwrap());
        }
        assert_eq!(json["curves"].as_array().unwrap().len(), report.get::<Vec<Curve>>().len());
    }
}

#[test]
fn text_keeps_to_its_width() {
    for name in ALL {
        let record = record(name);
        let report = analyse::analyse(&record);
        for width in [60, 100, 200] {
            for details in [false, true] {
                let text =
                    rendered("text", &report, Settings { width, details, ..Settings::default() });
                // A table of eleven columns cannot be narrower than its letters.
                let slack = if details || width < 100 { 60 } else { 0 };
                for line in text.lines() {
                    assert!(
                        line.chars().count() <= usize::from(width) + slack,
                        "{name} {width}: {line}"
                    );
                }
            }
        }
    }
}

/// A word or number that is broken over lines cannot be read or copied.
#[test]
fn tables_break_no_word() {
    let mut table = Table::new(["machine", "#score", "#copies at once", "what was executed"]);
    for number in 0..3 {
        table.row([
            format!("intel-8269cy-2node-{number}"),
            "11865678.5".into(),
            "42".into(),
            "dynamic program of cc (Debian 12.2.0-14+deb12u1)".into(),
        ]);
    }
    let section = |block| Section { id: "x", title: "X", numbers: false, blocks: vec![block] };
    let page = Page {
        title: "X".into(),
        subtitle: "".into(),
        banner: None,
        sections: vec![section(Block::Table(table.clone()))],
    };
    let value = serde_json::Value::Null;
    let document = Document { page, value, table: table.clone() };
    for width in [40, 60, 80, 100] {
        let mut out = vec![];
        let settings = Settings { width, ..Settings::default() };
        render::render("text", render::Subject::Document(&document), &settings, &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= usize::from(width)), "{text}");
        let shown: Vec<&str> = text.split_whitespace().map(|w| w.trim_end_matches(',')).collect();
        for word in table.rows.iter().flatten().flat_map(|cell| cell.split(' ')) {
            assert!(shown.contains(&word), "{width}: {word} in {text}");
        }
    }
}

/// A median across modes means nothing: the bar and the row of the table have the lowest and the highest.
#[test]
fn a_series_with_two_modes_is_one_row_that_shows_both() {
    let mut record = record("quiet-vm");
    let read = |run: &&mut record::Run| {
        run.case.probe == record::ProbeId::Bandwidth
            && run.case.get(record::param::ONE_OR_ALL) == Some("all")
            && run.case.get(record::param::KERNEL) == Some("read")
    };
    let run = record.runs.iter_mut().find(read).unwrap();
    let record::Outcome::Measured(series) = &mut run.outcome else { panic!("it was measured") };
    series[0].samples = [[4.01e10; 8].as_slice(), &[8.02e10; 4]].concat();
    series[0].disturbed.clear();
    let text = rendered("text", &analyse::analyse(&record), Settings::default());
    let bars: Vec<&str> = text.lines().filter(|l| l.starts_with("read all threads")).collect();
    assert!(bars.len() == 1 && bars[0].ends_with(" 40.1-80.2 GB/s, several modes"), "{bars:?}");
    let rows: Vec<&str> = text.lines().filter(|l| l.contains(" 40.1-80.2 GB/s ")).collect();
    assert!(rows.len() == 1 && rows[0].starts_with(" read "), "{rows:?}");
}

/// But for bars, which end with their value.
#[test]
fn a_terminal_of_twenty_columns_has_the_whole_report() {
    for name in ALL {
        let record = record(name);
        let settings = Settings { width: 20, ..Settings::default() };
        let text = rendered("text", &analyse::analyse(&record), settings);
        let wide = text.lines().find(|l| !l.contains('█') && l.chars().count() > 20);
        assert_eq!(wide, None, "{name}");
    }
}

#[test]
fn colour_only_when_told() {
    let record = record("busy-vm");
    let report = analyse::analyse(&record);
    assert!(!rendered("text", &report, Settings::default()).contains('\u{1b}'));
    let coloured = rendered("text", &report, Settings { colour: true, ..Settings::default() });
    assert!(coloured.contains("\u{1b}[1m"));
}

#[test]
fn environment_check_first_and_once_and_conclusions_last() {
    for name in ALL {
        let record = record(name);
        let text = rendered("text", &analyse::analyse(&record), Settings::default());
        let headings: Vec<&str> = text.lines().filter_map(|l| l.strip_prefix("── ")).collect();
        assert!(headings[0].starts_with("Environment check"), "{headings:?}");
        assert!(headings.last().unwrap().starts_with("Conclusions"), "{headings:?}");
        let verdict = |text: &str| text.lines().filter(|l| l.starts_with("Environment: ")).count();
        assert_eq!(verdict(&text), 1, "{name}");
    }
    // A section alone has the verdict, and only where it has measured numbers.
    let record = record("busy-vm");
    for (section, verdicts) in [("latency", 1), ("machine", 0)] {
        let settings = Settings { section: Some(section), ..Settings::default() };
        let text = rendered("text", &analyse::analyse(&record), settings);
        assert_eq!(text.matches("Environment: FAIL").count(), verdicts, "{section}: {text}");
    }
}

#[test]
fn the_whole_report_is_titled_by_its_host_or_name() {
    let title = |record: &record::Record| {
        let text = rendered("text", &analyse::analyse(record), Settings::default());
        text.lines().next().unwrap().to_owned()
    };
    let mut record = record("quiet-vm");
    let model = title(&record);
    record.provenance.host = Some("db7".into());
    assert_eq!(title(&record), format!("{model}, db7"));
    record.provenance.name = Some("rack 4".into());
    assert_eq!(title(&record), "rack 4");
}

#[test]
fn an_unknown_format_names_the_known_ones() {
    let record = record("cut-short");
    let error =
        render::render("xml", &analyse::analyse(&record), &Settings::default(), &mut vec![])
            .unwrap_err();
    let known: Vec<&str> = render::formats().collect();
    let expected = format!("'xml' is not a format; there are {}", known.join(", "));
    assert!(known.is_sorted() && known.contains(&"json") && known.contains(&"text"));
    assert_eq!(error.to_string(), expected);
}

#[test]
fn devices_and_what_firmware_says_are_in_the_description_of_a_machine() {
    let file =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/machines/server-with-devices.json");
    let machine = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
    let text = info("markdown", &machine);
    let nic = text.lines().find(|l| l.contains("| NIC NVIDIA Mellanox 15b3:1019")).unwrap();
    for part in ["enp129s0f0np0", "0000:81:00.0", "8 GT/s x8", "16 GT/s x16", "2 rx, 1 tx"] {
        assert!(nic.contains(part), "{part}: {nic}");
    }
    assert!(text.contains("IOMMU mode") && text.contains("Memory errors, corrected"), "{text}");
}

#[test]
fn csv_has_a_column_for_each_parameter_and_no_pairs_in_cells() {
    for name in ALL {
        let record = record(name);
        let report = analyse::analyse(&record);
        let csv = rendered("csv", &report, Settings::default());
        let mut reader = csv::Reader::from_reader(csv.as_bytes());
        let heads: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
        let fixed = render::renderers::csv::COLUMNS;
        assert!(heads.len() > fixed.len() && fixed.iter().zip(&heads).all(|((n, _), h)| n == h));
        let named = |row: &csv::StringRecord, name: &str| {
            heads.iter().position(|h| *h == format!("param_{name}")).map(|i| row[i].to_owned())
        };
        for (row, e) in reader.records().zip(&report.estimates) {
            let row = row.unwrap();
            let words = row.iter().flat_map(str::split_whitespace);
            assert!(words.into_iter().all(|word| !word.contains('=')), "{row:?}");
            for (at, value) in &e.at {
                let cell = named(&row, at).unwrap();
                let number = value.number().map(|x| cell.parse::<f64>().unwrap() == x);
                assert!(number.unwrap_or(cell == value.to_string()), "{at}: {cell}");
            }
        }
    }
}

#[test]
fn markdown_fits_a_comment_and_begins_with_the_summary() {
    for name in ALL {
        let record = record(name);
        let text = rendered("markdown", &analyse::analyse(&record), Settings::default());
        assert!(text.chars().count() < render::renderers::markdown::MOST, "{name}");
        let (head, rest) = text.split_once("\n## ").unwrap();
        assert!(head.contains("Environment: "), "{head}");
        assert!(rest.starts_with("Findings"), "{name}");
    }
}

#[test]
fn json_lines_are_the_cases_and_the_summary() {
    let record = record("cut-short");
    let report = analyse::analyse(&record);
    let text = rendered("jsonl", &report, Settings::default());
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let (last, cases) = lines.split_last().unwrap();
    assert_eq!(cases.len(), record.runs.len());
    let estimates: usize = cases.iter().map(|c| c["estimates"].as_array().unwrap().len()).sum();
    assert_eq!(estimates, report.estimates.len());
    assert!(cases.iter().any(|c| c["outcome"] == "not_reached" && c["reason"].is_object()));
    assert_eq!(
        last["summary"],
        serde_json::to_value(analyse::summary::summary(&report).flat()).unwrap()
    );
}

/// The committed page is refreshed from the columns, and the test fails once.
#[test]
fn the_columns_are_documented() {
    use render::renderers::csv::{COLUMNS, COMPARED, PARAMETER};
    let table = |columns: &[(&str, &str)]| {
        let rows = columns.iter().map(|(name, what)| format!("| `{name}` | {what} |\n"));
        format!("| column | what |\n|---|---|\n{}", rows.collect::<String>())
    };
    let page = format!(
        "# Columns of CSV\n\nGenerated from `crates/render/src/renderers/csv.rs`.\n\nNumbers are the shortest decimals that read back \
         as the same number, in base units. What is not known is an empty cell. A parameter of the case and a coordinate of \
         the series have a column each: `{PARAMETER}pages`, `{PARAMETER}working_set`. Keys of `--format json` are in \
         `docs/report.schema.json`; `info`, `diagnose`, `place` and `whatif` have the same `summary`. `--format jsonl` has an object with `run`, `case`, `outcome`, `reason` and `estimates` a \
         case, then one with `summary`.\n\n## A report, one row for each series\n\n{}\n## A comparison, one row for each \
         quantity and record\n\n{}",
        table(COLUMNS),
        table(COMPARED)
    );
    let file = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/csv.md");
    let committed = std::fs::read_to_string(&file).unwrap_or_default();
    std::fs::write(&file, &page).unwrap();
    assert_eq!(committed, page, "docs/csv.md was out of date and is now refreshed");
}

/// Visits by processes of their own are called that, and those of one process are not.
#[test]
fn the_variation_between_processes_is_named() {
    let text = |own: bool, lang| {
        let mut record = record("quiet-vm");
        let memory = |run: &&mut record::Run| run.case.probe == record::ProbeId::LoadLatency;
        for run in record.runs.iter_mut().filter(memory) {
            run.visits = vec![record::Visit { own_process: own, ..Default::default() }; 3];
            run.visits[0].own_process = false;
            let record::Outcome::Measured(all) = &mut run.outcome else { continue };
            all.iter_mut().for_each(|s| s.visits = vec![1, 1, s.samples.len() as u32 - 2]);
        }
        let settings = Settings { details: true, width: u16::MAX, lang, ..Settings::default() };
        rendered("text", &analyse::analyse(&record), settings)
    };
    for (lang, words) in [(Lang::En, " % of 3 processes"), (Lang::Zh, " %（3 个进程）")] {
        assert!(text(true, lang).contains(words) && !text(false, lang).contains(words));
    }
}
