//! Several records in every format and on the first screen: word for word, the same numbers, the same bytes twice.
use crate::fixture::{self, ALL, record};
use analyse::compare::{Comparison, Gathering};
use messages::Lang;
use record::{Better, Metric, Outcome, ProbeId, Record, Run, Series, Unit, param};
use render::Settings;
use render::summary::{LINES, View, compared};
use scraper::{Html, Selector};
use unicode_width::UnicodeWidthStr;

fn gathered(records: &[(&str, &Record)]) -> Comparison {
    let mut gathering = Gathering::new();
    records.iter().for_each(|(name, record)| gathering.add(name, record));
    gathering.finish(0)
}

fn rendered(id: &str, of: &Comparison, settings: Settings) -> String {
    let mut out = vec![];
    render::render(id, render::Subject::Comparison(of), &settings, &mut out).unwrap();
    String::from_utf8(out).unwrap()
}

fn each(record: &mut Record, probe: &str, mut change: impl FnMut(&mut Series)) {
    for run in record.runs.iter_mut().filter(|r| r.case.probe == probe) {
        if let Outcome::Measured(series) = &mut run.outcome {
            series.iter_mut().for_each(&mut change);
        }
    }
}

/// A small pair: slower additions, more bandwidth, another definition, and a latency curve that is the same.
fn pair() -> (Record, Record) {
    let mut old = record("quiet-vm");
    old.runs.retain(|run| {
        let probe = run.case.probe.as_str();
        let curve = probe == "load_latency" && run.case.params["pages"].text() == Some("thp");
        curve
            || ["preflight", "core_frequency", "core_rate", "bandwidth", "core_to_core"]
                .contains(&probe)
    });
    let mut new = old.clone();
    each(&mut new, "core_rate", |s| s.samples.iter_mut().for_each(|x| *x *= 1.05));
    each(&mut new, "bandwidth", |s| s.samples.iter_mut().for_each(|x| *x *= 1.3));
    new.runs
        .iter_mut()
        .filter(|r| r.case.probe == ProbeId::CoreToCore)
        .for_each(|r| r.case.version += 1);
    new.machine.set("memory.thp.enabled", "always", "/sys/kernel/mm/transparent_hugepage/enabled");
    (old, new)
}

/// A format of reports alone leaves the rest to another: what goes to a spreadsheet stays a table of cells.
#[test]
fn what_a_format_of_reports_has_no_form_for_another_writes() {
    let (old, new) = pair();
    let of = gathered(&[("old", &old), ("new", &new)]);
    let all = |id: &str| (rendered(id, &of, Settings::default()), fixture::info(id, &old.machine));
    let [csv, text] = ["csv", "text"].map(all);
    assert!(csv.0 != text.0 && csv.1 != text.1);
    assert_eq!(all("unixbench_csv"), csv);
    for id in ["unixbench", "oslat", "osnoise", "sysjitter"] {
        assert_eq!(all(id), text, "{id}");
    }
}

/// Every number of the first screen is in the JSON document, and the screen holds it at any width and in both languages.
#[test]
fn the_first_screen_is_of_the_same_numbers() {
    let all: Vec<(String, Record)> = ALL.iter().map(|n| ((*n).to_owned(), record(n))).collect();
    let (old, new) = pair();
    let many: Vec<(&str, &Record)> = all.iter().map(|(n, r)| (n.as_str(), r)).collect();
    for records in [vec![("old", &old), ("new", &new)], many[..2].to_vec(), many] {
        let of = gathered(&records);
        let document: serde_json::Value =
            serde_json::from_str(&rendered("json", &of, Settings::default())).unwrap();
        assert_eq!(document["headlines"].as_array().unwrap().len(), of.headlines.len());
        for (shown, stored) in of.headlines.iter().zip(document["headlines"].as_array().unwrap()) {
            for (side, ahead) in shown.sides.iter().enumerate() {
                let stored = stored["sides"][side]["times"].as_f64();
                assert_eq!(stored, ahead.as_ref().map(|a| a.times));
            }
            let counts = shown.sides.iter().flatten().map(|a| a.rows).max();
            assert!(counts.is_some_and(|n| n <= shown.rows.len()), "{:?}", shown.subject);
        }
        // A difference counts once: no row is in two headlines.
        let mut rows: Vec<usize> = of.headlines.iter().flat_map(|h| h.rows.clone()).collect();
        let count = rows.len();
        rows.sort_unstable();
        rows.dedup();
        assert_eq!(rows.len(), count);
        let names: Vec<&str> = records.iter().map(|(name, _)| *name).collect();
        for lang in Lang::ALL {
            for width in [20, 40, 79, 80, 120] {
                let view = View { width, lang: *lang, ..View::default() };
                let lines = compared::text(&of, &names, &view);
                assert!(width < 80 || lines.len() <= LINES, "{}", lines.join("\n"));
                // A word of a command is not broken.
                for line in lines.iter().filter(|line| line.trim().contains(' ')) {
                    let command =
                        line.ends_with('\\') && !line.trim_end_matches(" \\").trim().contains(' ');
                    let first = line.trim_end_matches(" \\").ends_with("cpulens");
                    assert!(command || first || line.width() <= width, "{width}: {line}");
                }
                let pasted: Vec<&str> = lines.iter().map(|line| line.trim()).collect();
                let pasted = pasted.join(" ").replace(" \\ ", " ");
                let next = format!("cpulens compare {} --format html", names.join(" "));
                // Commands that are wider than the screen stand once, as what to add.
                let next = match next.len() + 6 > width {
                    true => "--format html",
                    false => &next,
                };
                assert!(pasted.contains(next), "{}", lines.join("\n"));
            }
        }
    }
}

/// The first screen of two records.
fn screen(old: &Record, new: &Record, lang: Lang) -> Vec<String> {
    let view = View { lang, ..View::default() };
    compared::text(&gathered(&[("old", old), ("new", new)]), &["old", "new"], &view)
}

/// No median between two modes is shown, and a round trip is named, for a report has half of it.
#[test]
fn a_bimodal_value_has_both_modes() {
    let (old, mut new) = pair();
    new.runs.iter_mut().for_each(|run| run.case.version = 1);
    let mut old = old;
    old.runs.iter_mut().for_each(|run| run.case.version = 1);
    each(&mut new, "core_to_core", |s| {
        let level = s.samples[0];
        s.samples = (0..64).map(|i| level * if i < 32 { 1.0 } else { 4.0 }).collect();
        (s.visits, s.disturbed) = (vec![], vec![]);
    });
    let words =
        [(Lang::En, "or", "round trip", "* several modes"), (Lang::Zh, "或", "往返", "* 多峰")];
    for (lang, or, name, legend) in words {
        let lines = screen(&old, &new, lang);
        let row = lines.iter().find(|line| line.contains(name)).unwrap();
        assert!(row.contains(&format!(" {or} ")) && row.ends_with('*'), "{row}");
        assert!(lines.iter().any(|line| line.starts_with(legend)), "{}", lines.join("\n"));
        let none = screen(&old, &old, lang);
        assert!(none.iter().all(|line| !line.contains('*')), "{}", none.join("\n"));
    }
}

/// Of several records each says for itself whether it differs.
#[test]
fn of_several_records_those_without_a_difference_are_marked() {
    let (old, new) = pair();
    let of = gathered(&[("old", &old), ("same", &old), ("new", &new)]);
    for (lang, times, legend) in [(Lang::En, "x", "= no sig"), (Lang::Zh, "倍", "= 未显示")] {
        let view = View { lang, ..View::default() };
        let lines = compared::text(&of, &["old", "same", "new"], &view);
        let same = format!("1.00 {times} =");
        let both = |l: &&String| l.contains(&same) && l.contains(&format!("1.30 {times}"));
        let row = lines.iter().find(both).unwrap_or_else(|| panic!("{}", lines.join("\n")));
        assert_eq!(row.matches('=').count(), 1, "{row}");
        assert_eq!(lines.iter().filter(|line| line.starts_with(legend)).count(), 1);
    }
}

/// Of many records those that do not differ from the first have no place.
#[test]
fn of_many_records_those_that_differ_have_a_place() {
    let (old, new) = pair();
    let names = ["old", "same1", "same2", "same3", "same4", "new"];
    let all = names.map(|name| (name, if name == "new" { &new } else { &old }));
    let view = View::default();
    let screen = compared::text(&gathered(&all), &names, &view).join("\n");
    assert!(screen.starts_with("6 records"), "{screen}");
    let row = |name: &str| screen.lines().find(|line| line.starts_with(name)).unwrap();
    assert!(row("new ").contains("1.30 x #1"), "{screen}");
    assert!(row("same1 ").contains("1.00 x =") && !row("same1 ").contains('#'), "{screen}");
    assert!(screen.contains("= no significant difference"), "{screen}");
    let alike: Vec<_> = names.iter().map(|name| (*name, &old)).collect();
    let screen = compared::text(&gathered(&alike), &names, &view).join("\n");
    assert!(!screen.contains("x #"), "{screen}");
}

/// What is in no headline has a mark, as a kernel that newer code measured.
#[test]
fn a_value_that_is_not_compared_is_marked() {
    let (old, mut new) = pair();
    let copies = |run: &&mut Run| {
        run.case.probe == ProbeId::Bandwidth && run.case.get(param::KERNEL) == Some("copy")
    };
    new.runs.iter_mut().filter(copies).for_each(|run| run.case.version += 1);
    for (lang, legend) in [(Lang::En, "# not compared"), (Lang::Zh, "# 不作比较")] {
        let lines = screen(&old, &new, lang);
        let marked: Vec<&String> = lines.iter().filter(|line| line.ends_with(" #")).collect();
        assert!(!marked.is_empty(), "{}", lines.join("\n"));
        assert_eq!(lines.iter().filter(|line| line.starts_with(legend)).count(), 1);
        let same = screen(&old, &old, lang);
        assert!(same.iter().all(|line| !line.contains('#')), "{}", same.join("\n"));
    }
}

/// A subject that says one core does not say it again, elsewhere threads have their noun; a long path is not repeated.
#[test]
fn rows_and_commands_say_things_once() {
    let whole = |name: &str| {
        let mut record = record(name);
        let stream = record.runs.iter_mut().filter(|r| r.case.probe == "stream");
        stream.for_each(|run| drop(run.case.params.remove("threads")));
        record
    };
    let of = gathered(&[("old", &whole("quiet-vm")), ("new", &whole("busy-vm"))]);
    let words = [(Lang::En, "Memory bandwidth", "one thread"), (Lang::Zh, "内存带宽", "一个线程")];
    for (lang, bandwidth, thread) in words {
        let view = View { lang, ..View::default() };
        let path = format!("records/{}.json.zst", "n".repeat(60));
        let lines = compared::text(&of, &[&path, "last"], &view);
        let mut rows = lines.iter().filter(|l| l.contains(bandwidth) && l.contains("GB/s"));
        let once = |row: &String| !row.contains("copy,") && !row.contains("copy，");
        assert!(rows.all(once), "{lines:?}");
        assert!(lines.iter().any(|l| l.contains(thread)), "{lines:?}");
        assert!(lines.last().unwrap().contains("--full"), "{lines:?}");
        assert!(lines.iter().all(|l| !l.contains("nnn")), "{lines:?}");
    }
}

/// Own records have long names: each column keeps its head, and each machine is one line.
#[test]
fn many_machines_with_long_names_keep_their_heads() {
    let (old, new) = pair();
    let names: Vec<String> =
        (0..8).map(|n| format!("2026112{n}T225256.313096Z-amd-epyc-vm-2377{n}")).collect();
    let all: Vec<(&str, &Record)> = names
        .iter()
        .map(|name| (name.as_str(), if name.ends_with('0') { &old } else { &new }))
        .collect();
    let of = gathered(&all);
    for lang in Lang::ALL {
        for width in [60, 80, 120] {
            let view = View { width, lang: *lang, ..View::default() };
            let lines = compared::text(&of, &[], &view);
            let text = lines.join("\n");
            assert!(
                lines[0]
                    .contains(old.machine.text("cpu.model").unwrap().split(' ').next().unwrap()),
                "{text}"
            );
            let of_machine =
                |line: &&String| line.contains("-amd-epyc-vm-2377") && line.starts_with("..");
            let rows: Vec<&String> = lines.iter().filter(of_machine).collect();
            assert!(rows.len() >= 8 && rows.len().is_multiple_of(8), "{text}");
            let times = if *lang == Lang::En { " x" } else { " 倍" };
            let figures = |line: &String| line.matches(times).count();
            assert!(
                lines.iter().all(|line| figures(line) == 0 || line.starts_with("..")),
                "{text}"
            );
        }
    }
}

/// Each machine has its place at the first subject, and the screen keeps its height; all values stand in blocks of five columns.
#[test]
fn a_legend_keeps_to_the_width() {
    let (old, new) = pair();
    let names = ["a", "b"].map(|end| format!("{}{end}", "a long name of a machine ".repeat(6)));
    let of = gathered(&[(&names[0], &old), (&names[1], &new)]);
    let text = rendered("text", &of, Settings { width: 80, ..Settings::default() });
    let (_, curves) = text.split_once("Curves").unwrap();
    let (curves, _) = curves.split_once("Row by row").unwrap();
    assert!(curves.contains("of a machine b"), "{curves}");
    assert!(curves.lines().all(|line| line.width() <= 80), "{curves}");
}

/// Cells decide how many columns have room, not heads: Chinese heads are short.
#[test]
fn a_machine_of_many_is_one_line_in_every_language() {
    let (old, new) = pair();
    let names: Vec<String> = (0..24).map(|n| format!("node{n} (2)")).collect();
    let record = |n: usize| if n.is_multiple_of(3) { &old } else { &new };
    let all: Vec<(&str, &Record)> =
        names.iter().enumerate().map(|(n, name)| (name.as_str(), record(n))).collect();
    let of = gathered(&all);
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    for lang in Lang::ALL {
        let lines = compared::text(&of, &names, &View { lang: *lang, ..View::default() });
        let screen = lines.join("\n");
        assert!(lines.len() <= LINES, "{} lines\n{screen}", lines.len());
        assert!(lines.iter().any(|line| line.contains("--format html")), "{screen}");
    }
}

#[test]
fn fifty_machines_are_ranked_and_stand_in_blocks() {
    let (old, new) = pair();
    let names: Vec<String> = (0..50).map(|n| format!("host-{n:02}")).collect();
    let record = |n: usize| if n.is_multiple_of(3) { &old } else { &new };
    let all: Vec<(&str, &Record)> =
        names.iter().enumerate().map(|(n, name)| (name.as_str(), record(n))).collect();
    let of = gathered(&all);
    let lines = compared::text(&of, &["a"; 50], &View { width: 80, ..View::default() });
    assert!(lines.len() <= 40, "{} lines", lines.len());
    let screen = lines.join("\n");
    for (place, _) in names.iter().enumerate() {
        assert!(screen.contains(&format!("{} host-", place + 1)), "{place}: {screen}");
    }
    assert!(names.iter().all(|name| screen.contains(name.as_str())), "{screen}");

    let full = rendered("text", &of, Settings { width: 80, ..Settings::default() });
    let (_, rows) = full.split_once("Row by row").unwrap();
    let (group, _) = rows.split_once("Memory bandwidth").unwrap();
    let heads: Vec<&str> =
        group.lines().filter(|line| line.trim_start().starts_with("quantity")).collect();
    assert_eq!(heads.len() % 10, 0, "{group}");
    assert!(heads.iter().all(|head| head.matches("host-").count() == 5), "{group}");
    assert!(group.lines().all(|line| line.chars().count() <= 80), "{group}");
    assert!(group.contains(" *") && group.contains("* differs from the baseline"), "{group}");
}

/// Quantities have the names that a report gives them.
#[test]
fn side_by_side_uses_the_names_of_a_report() {
    let (quiet, server) = (record("quiet-vm"), record("two-node-server"));
    for (lang, words) in [
        (Lang::En, ["huge pages", "L1, ", "L2, ", "L3, ", "round trip"]),
        (Lang::Zh, ["大页", "L1，", "L2，", "L3，", "往返"]),
    ] {
        let text = screen(&quiet, &server, lang).join("\n");
        assert!(words.iter().all(|word| text.contains(word)), "{text}");
        assert!(
            !text.contains("thp") && !text.contains("random") && !text.contains(" 0 B/s"),
            "{text}"
        );
    }
}

#[test]
fn a_pair_word_for_word() {
    let (old, new) = pair();
    let of = gathered(&[("old", &old), ("new", &new)]);
    let screen = compared::text(&of, &["old", "new"], &View::default()).join("\n");
    insta::assert_snapshot!("pair.screen", screen);
    for id in ["text", "markdown", "csv"] {
        insta::assert_snapshot!(format!("pair.{id}"), rendered(id, &of, Settings::default()));
    }
    let html = rendered("html", &of, Settings::default());
    let (_, main) = html.split_once("<main>").unwrap();
    insta::assert_snapshot!("pair.html", main);
    // As data each value takes many lines: one probe of each kind is enough.
    let few = |mut record: Record| {
        record.runs.retain(|r| ["core_frequency", "core_to_core"].contains(&r.case.probe.as_str()));
        record
    };
    let of = gathered(&[("old", &few(old)), ("new", &few(new))]);
    insta::assert_snapshot!("pair.json", rendered("json", &of, Settings::default()));
}

#[test]
fn more_records_than_fit_beside_each_other() {
    let (old, new) = pair();
    let names = ["a", "b", "c", "d", "e", "f"];
    let all: Vec<(&str, &Record)> =
        names.iter().enumerate().map(|(i, n)| (*n, if i % 2 == 0 { &old } else { &new })).collect();
    let of = gathered(&all);
    insta::assert_snapshot!("six.text", rendered("text", &of, Settings::default()));
    let csv = rendered("csv", &of, Settings::default());
    let cells: usize = of.rows.iter().map(|r| r.cells.iter().flatten().count()).sum();
    assert_eq!(csv::Reader::from_reader(csv.as_bytes()).records().count(), cells);
}

/// A record without a figure has no row; as the baseline it is said to be the wrong one.
#[test]
fn a_record_without_figures_among_many() {
    let (old, new) = pair();
    let mut empty = old.clone();
    empty.runs.clear();
    let screen = |all: &[(&str, &Record)]| {
        let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
        compared::text(&gathered(all), &names, &View::default()).join("\n")
    };
    let of = [("a", &old), ("b", &new), ("c", &old), ("d", &new), ("e", &old), ("none", &empty)];
    let last = screen(&of);
    assert!(last.contains("no figure in common with a: none;"), "{last}");
    assert!(!last.lines().any(|line| line.starts_with("none")), "{last}");
    let first = screen(&[of[5], of[0], of[1], of[2], of[3], of[4]]);
    assert!(first.contains("--baseline a") && !first.contains("Times as fast"), "{first}");
}

#[test]
fn the_same_records_give_the_same_bytes() {
    let records: Vec<Record> = ALL.iter().map(|name| record(name)).collect();
    let of = || {
        let named: Vec<_> = ALL.iter().copied().zip(&records).collect();
        gathered(&named)
    };
    for id in render::formats() {
        let settings = Settings { details: true, ..Settings::default() };
        assert!(rendered(id, &of(), settings.clone()) == rendered(id, &of(), settings), "{id}");
    }
}

#[test]
fn json_is_versioned_and_has_every_row() {
    let (old, new) = pair();
    let of = gathered(&[("old", &old), ("new", &new)]);
    let json: serde_json::Value =
        serde_json::from_str(&rendered("json", &of, Settings::default())).unwrap();
    assert_eq!(json["comparison"], 1);
    let rows = json["rows"].as_array().unwrap();
    assert_eq!(rows.len(), of.rows.len());
    for (json, row) in rows.iter().zip(&of.rows) {
        let there = &json["cells"][1];
        let ratio = there["standing"]["compared"]["ratio"].as_f64();
        assert_eq!(ratio, row.against(1).map(|a| a.ratio), "{there}");
        assert!(json["quantity"]["unit"].is_string());
    }
}

#[test]
fn nothing_to_compare_is_said_in_every_format() {
    let mut none = record("quiet-vm");
    none.runs.clear();
    for of in [gathered(&[("a", &none), ("b", &none)]), gathered(&[("a", &none)]), gathered(&[])] {
        for id in render::formats() {
            let out = rendered(id, &of, Settings::default());
            assert!(id.ends_with("csv") || out.contains("othing"), "{id}: {out}");
        }
    }
}

/// The cost of a system call after a boot with these mitigations; samples scatter by a per cent.
fn booted(mitigations: &[(&str, &str)], seconds: f64) -> Record {
    let mut record = record("quiet-vm");
    let mut run = record.runs[0].clone();
    run.case.probe = "kernel_ops".into();
    run.case.params =
        [("request".into(), "null_call".into()), ("caller".into(), 0u64.into())].into();
    let cost = Series::new(Metric::TimePerRequest, Unit::Seconds, Better::Lower);
    let samples = (0..21).map(|i| seconds * (1.0 + 0.001 * f64::from(i % 5))).collect();
    run.outcome = Outcome::Measured(vec![Series { samples, ..cost }]);
    record.runs = vec![run];
    for (name, says) in mitigations {
        record.machine.set(&format!("kernel.mitigations.{name}"), *says, "test");
    }
    record
}

/// Two boots of one machine: the costs beside the mitigations at work, their difference, and which mitigations differ.
#[test]
fn what_mitigations_cost_is_the_difference_of_two_boots() {
    let on = booted(&[("meltdown", "Mitigation: PTI"), ("l1tf", "Not affected")], 200e-9);
    let off = booted(&[("meltdown", "Vulnerable"), ("l1tf", "Not affected")], 80e-9);
    for (record, says) in [(&on, "Mitigation: PTI"), (&off, "Vulnerable")] {
        let text = fixture::rendered("text", &analyse::analyse(record), Settings::default());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (_, costs) = text.split_once("Kernel operation costs").unwrap();
        assert!(costs.contains(&format!("meltdown: {says}")), "{costs}");
        assert!(!costs.contains("l1tf"), "{costs}");
    }
    let of = gathered(&[("on", &on), ("off", &off)]);
    let rows: Vec<_> = of.rows.iter().filter(|r| r.cells.iter().flatten().count() == 2).collect();
    assert_eq!(rows.len(), 1);
    let text = rendered("text", &of, Settings::default());
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in
        ["kernel.mitigations.meltdown", "Mitigation: PTI", "Vulnerable", "200 ns 80.2 ns 0.400"]
    {
        assert!(text.contains(words), "{words} is not in {text}");
    }
    assert!(!text.contains("kernel.mitigations.l1tf"), "{text}");
}

#[test]
fn the_page_has_a_column_a_machine_and_sorted_tables_that_links_reach() {
    let own = record("two-node-server");
    let names: Vec<String> = (0..50).map(|i| format!("m{i}")).collect();
    for count in [2, 50] {
        let sides: Vec<(&str, &Record)> =
            names[..count].iter().map(|n| (n.as_str(), &own)).collect();
        let page = rendered("html", &gathered(&sides), Settings::default());
        let page = Html::parse_document(&page);
        let select = |css: &str| page.select(&Selector::parse(css).unwrap()).collect::<Vec<_>>();
        assert_eq!(select("#side-by-side thead th").len(), count + 1);
        let links = select("#side-by-side tbody a");
        assert!(links.len() > 10, "{}", links.len());
        for (i, link) in links.iter().enumerate() {
            assert_eq!(link.attr("href").unwrap(), format!("#sorted-{}", i + 1));
            assert_eq!(select(&format!("#sorted-{} tbody tr", i + 1)).len(), count);
        }
        assert!(select("details.part[open]").is_empty());
    }
}
