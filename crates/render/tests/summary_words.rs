//! The words of a summary: names, marks and colours, whatever numbers stand beside them.

use crate::fixture;
use analyse::compare::Gathering;
use analyse::diagnosis::diagnosis;
use analyse::summary::{
    Cell, Column, Summary, Table, TableId, of_diagnosis, of_predictions, summary,
};
use analyse::whatif::{Change, whatif};
use messages::Lang;
use record::{Origin, Outcome, Source, param};
use render::Settings;
use render::summary::{View, compared, text};

/// A scaling run of a command that failed has steps, and no number that could lack an interval.
#[test]
fn a_table_without_numbers_lacks_no_interval() {
    let mut failed = summary(&analyse::analyse(&fixture::record("scaling_run")));
    let explained = |of: &Summary| text(of, &View::default()).join("\n").contains("Without CI");
    failed.figures = vec![];
    for table in &mut failed.tables {
        for cell in table.rows.iter_mut().flat_map(|row| &mut row.cells) {
            if let Cell::Number(quantity) = cell {
                quantity.interval = None;
            }
        }
    }
    assert!(explained(&failed));
    for table in &mut failed.tables {
        table.columns.clear();
        table.rows.iter_mut().for_each(|row| row.cells.clear());
    }
    assert!(!explained(&failed));
}

#[test]
fn names_are_whole_in_both_languages() {
    let mut record = fixture::record("quiet-vm");
    let unnamed = "a hypervisor that is not named";
    record.machine.set("virtual.hypervisor", unnamed, "test");
    // As a publication prints it.
    record.machine.set("kernel.release", "linux 5.10.0_yhy", "test");
    let report = analyse::analyse(&record);
    let [en, zh] = [Lang::En, Lang::Zh]
        .map(|lang| text(&summary(&report), &View { lang, ..View::default() }).join("\n"));
    assert!(en.contains(unnamed) && !zh.contains("hypervisor"), "{zh}");
    assert!(en.contains(" Linux 5.10.0_yhy") || en.contains("\nLinux 5.10.0_yhy"), "{en}");
    // A database that never answered has no name.
    let mut asked = summary(&report);
    asked.tables = vec![Table {
        id: TableId::Database {
            workload: "tpcc".into(),
            engine: None,
            unlimited: None,
            against: None,
        },
        columns: vec![],
        rows: vec![],
        more: 0,
        common: record::Text::default(),
        file: None,
    }];
    assert!(text(&asked, &View::default()).contains(&"TPC-C".to_owned()));
    // Its settings are in the section.
    if let TableId::Database { engine, against, .. } = &mut asked.tables[0].id {
        (*engine, *against) = (Some("MariaDB 10.11 (a=b; c=d)".into()), Some(4));
    }
    let lines = text(&asked, &View::default());
    assert!(lines.contains(&"TPC-C on MariaDB 10.11".to_owned()), "{lines:?}");
    assert!(!lines.join(" ").contains("Per core"), "it has no such column");
    asked.tables[0].columns.push(Column::Efficiency);
    let lines = text(&asked, &View::default());
    assert!(lines.contains(&"Per core: over 1 core with 4 clients.".to_owned()), "{lines:?}");
    // The header is of one of two records.
    let other = fixture::record("two-node-server");
    let found = diagnosis(&report, None).against(&report, &analyse::analyse(&other));
    assert_eq!(found.against.as_ref().unwrap().other.as_deref(), other.provenance.called());
    let mut named = found;
    named.against.as_mut().unwrap().other = Some("db7".into());
    let beside = text(&of_diagnosis(&report, &named), &View::default());
    assert!(beside.contains(&"Compared with db7".to_owned()), "{beside:?}");
}

#[test]
fn what_two_records_have_alike_is_not_compared() {
    let (one, other) = (fixture::record("quiet-vm"), fixture::record("two-node-server"));
    let report = analyse::analyse(&one);
    let beside = |other| {
        let found = diagnosis(&report, None).against(&report, &analyse::analyse(other));
        let alike = found.against.iter().flat_map(|against| &against.rows);
        let alike = alike.filter(|row| row.own == row.other).count();
        (alike > 0, of_diagnosis(&report, &found).tables.len())
    };
    assert_eq!((beside(&one), beside(&other).1), ((true, 0), 1));
}

/// The basis and the cost stand in columns only where all of a finding is one line.
#[test]
fn a_basis_below_its_finding_is_not_padded() {
    let all = summary(&analyse::analyse(&fixture::record("busy-vm")));
    for width in [40, 30] {
        let lines = text(&all, &View { width, ..View::default() });
        let below: Vec<&String> = lines.iter().filter(|l| l.starts_with("   measured")).collect();
        assert!(below.len() > 2, "{lines:?}");
        assert!(below.iter().all(|line| !line.trim().contains("   ")), "{below:?}");
    }
}

#[test]
fn colours_change_no_character() {
    let record = fixture::record("busy-vm");
    let summary = summary(&analyse::analyse(&record));
    let plain = text(&summary, &View::default());
    let coloured = text(&summary, &View { colour: true, ..View::default() });
    let bare = |line: &String| {
        let mut bare = line.clone();
        for code in ["\u{1b}[1m", "\u{1b}[1;31m", "\u{1b}[1;32m", "\u{1b}[1;33m", "\u{1b}[0m"] {
            bare = bare.replace(code, "");
        }
        bare
    };
    assert_eq!(coloured.iter().map(bare).collect::<Vec<_>>(), plain);
    assert_ne!(coloured, plain);
}

#[test]
fn a_value_at_two_levels_shows_both_and_a_mark() {
    let mut record = fixture::record("quiet-vm");
    let case = |r: &&mut record::Run| {
        r.case.probe == "bandwidth"
            && r.case.get(param::ONE_OR_ALL) == Some("all")
            && r.case.get(param::KERNEL) == Some("read")
    };
    let run = record.runs.iter_mut().find(case).unwrap();
    let Outcome::Measured(series) = &mut run.outcome else { panic!("it was measured") };
    series[0].samples = vec![26e9, 26.1e9, 26.2e9, 26.3e9, 52e9, 52.1e9, 52.2e9];
    series[0].disturbed.clear();
    let lines = text(&summary(&analyse::analyse(&record)), &View::default());
    let row = lines.iter().find(|l| l.starts_with("Read bandwidth, 2 CPUs")).unwrap();
    assert!(row.contains("26.1-52.1 GB/s *"), "{row}");
    let words = lines.iter().flat_map(|l| l.split_whitespace());
    let text = words.collect::<Vec<_>>().join(" ");
    assert!(text.contains("modes 26.1 (4) or 52.1 (3)"), "{text}");
    assert!(lines.iter().any(|l| l.starts_with("* ")), "the mark is explained");
}

/// A loss is counted once: that of a symptom is a part of its cause's, unless it is larger.
#[test]
fn a_symptom_is_a_part_of_its_cause() {
    let mut all = summary(&analyse::analyse(&fixture::record("two-node-server")));
    let at = |rule: &str| all.findings.iter().position(|f| f.rule == rule).unwrap();
    let (cause, symptom) = (at("governor_slows"), at("frequency_below_boost"));
    assert_eq!(all.findings[symptom].part_of, Some("governor_slows"));
    let costs = |all: &Summary| -> Vec<String> {
        let lines = text(all, &View { width: 120, ..View::default() });
        let claims = lines.into_iter().filter(|line| line.contains(". "));
        claims.skip_while(|line| !line.starts_with("1. ")).take(all.findings.len()).collect()
    };
    assert!(costs(&all)[symptom].ends_with(&format!(" part of {}", cause + 1)));
    all.findings[cause].cost.as_mut().unwrap().high = 0.01;
    let larger = costs(&all)[symptom].clone();
    assert!(larger.ends_with(&format!(" %, with {}", cause + 1)), "{larger}");
}

/// What a shell gets from a narrow screen is what it gets from a wide one.
#[test]
fn commands_of_findings_are_pasted_at_any_width() {
    let mut all = summary(&analyse::analyse(&fixture::record("two-node-server")));
    let actions = [
        ("frequency_below_boost", "sudo turbostat --show Busy%,Bzy_MHz,PkgTmp,PkgWatt"),
        ("thp_never", "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled"),
        ("slit_untrue", "cpulens place"),
        ("link_below_capability", "sudo lspci -vv | grep LnkSta"),
    ];
    for (rule, command) in actions {
        all.findings[0].rule = rule;
        all.findings.truncate(1);
        for (lang, width) in Lang::ALL.iter().flat_map(|lang| [20, 40, 60, 80].map(|w| (*lang, w)))
        {
            let lines = text(&all, &View { width, lang, ..View::default() }).join("\n");
            let pasted = lines.split(" \\\n").map(str::trim).collect::<Vec<_>>().join(" ");
            assert!(pasted.contains(command), "{rule} at {width}: {lines}");
        }
    }
}

/// A record of two machines: both have their name, and each file its own column.
#[test]
fn results_of_two_machines_are_not_mixed() {
    let mut record = fixture::record("scaling_run");
    let of = |file: &str, other: Option<&str>| Source {
        file: file.into(),
        other_machine: other.map(str::to_owned),
        ..Source::default()
    };
    record.machine.set("cpu.model", "A 1", "test");
    record.provenance.sources = vec![of("a.txt", None), of("b.txt", Some("B 2"))];
    record.runs.truncate(2);
    for (source, run) in record.runs.iter_mut().enumerate() {
        run.origin = Some(Origin { source: source as u32, line: 1 });
    }
    let all = summary(&analyse::analyse(&record));
    assert!(all.findings.is_empty() && all.figures.is_empty() && all.tables.len() == 2);
    let page = fixture::rendered("html", &analyse::analyse(&record), Settings::default());
    let said = "These files are of several machines";
    assert!(page.contains("2 machines, A 1") && page.contains(said));
    record.machine.facts.remove("cpu.model");
    let unnamed = summary(&analyse::analyse(&record));
    for lang in Lang::ALL {
        let shown = text(&unnamed, &View { lang: *lang, ..View::default() });
        assert!(shown[0].contains("a.txt (Ice Lake)"), "{}", shown.join("\n"));
        let shown = text(&all, &View { lang: *lang, ..View::default() });
        for (name, line) in [("A 1", 0), ("B 2", 0)] {
            assert!(shown[line].contains(name), "{}", shown.join("\n"));
        }
        let heads = shown.iter().filter(|line| line.contains("a.txt") || line.contains("b.txt"));
        assert_eq!(heads.count(), 2, "{}", shown.join("\n"));
    }
}

/// On a lower screen rows go, and the line that counts them stands below the others.
#[test]
fn rows_of_a_comparison_are_counted_below_them() {
    let (one, other) = (fixture::record("busy-vm"), fixture::record("quiet-vm"));
    let mut gathering = Gathering::new();
    gathering.add("one", &one);
    gathering.add("other", &other);
    let of = gathering.finish(0);
    let lines = compared::text(&of, &["one", "other"], &View { above: 26, ..View::default() });
    let at = |words: &str| lines.iter().position(|line| line.starts_with(words)).unwrap();
    assert!(at("and ") < at("How sure"), "{}", lines.join("\n"));
}

/// Words that stand where other predictions have a command are wrapped as words.
#[test]
fn a_sentence_is_not_continued_as_a_command() {
    let record = fixture::record("two-node-server");
    let report = analyse::analyse(&record);
    for (change, continued) in [(Change::Dimms(3.2e9), false), (Change::Bound, true)] {
        let all = of_predictions(&report, &whatif(&report, &[change]));
        for lang in Lang::ALL {
            let lines = text(&all, &View { width: 40, lang: *lang, ..View::default() });
            let ends = lines.iter().any(|line| line.starts_with("    ") && line.ends_with('\\'));
            assert_eq!(ends, continued, "{}", lines.join("\n"));
        }
    }
}

#[test]
fn why_a_change_is_not_predicted_is_in_brackets_of_the_language() {
    let record = fixture::record("two-node-server");
    let report = analyse::analyse(&record);
    let all = of_predictions(&report, &whatif(&report, &[Change::SmtOff]));
    for (lang, bracket, other) in [(Lang::En, " (what", "（"), (Lang::Zh, "（没有", " (没有")]
    {
        let shown = text(&all, &View { lang, ..View::default() }).join("\n");
        assert!(shown.contains(bracket) && !shown.contains(other), "{shown}");
    }
}
