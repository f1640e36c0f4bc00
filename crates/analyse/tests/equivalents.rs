//! The table of equivalents: its page, and that no row can be reached by accident or not at all.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
use analyse::compare::Grade;
use analyse::equivalent::{self, Equivalent, Form, Match, Printed, Shown};
use std::fmt::Write;
use std::path::Path;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/equivalents.md");

/// At most four alternatives; of more the first and the last.
fn alternatives(all: &[String]) -> String {
    match all {
        [first, .., last] if all.len() > 4 => format!("{first} … {last}"),
        _ => all.join(", "),
    }
}

/// A condition that restricts one side; `None` where any value will do or the other side decides.
fn restriction(name: &str, is: &Match) -> Option<String> {
    Some(match is {
        Match::One(all) => format!("{name} {}", alternatives(all)),
        Match::OneOrUnstated(all) => format!("{name} {} or unknown", alternatives(all)),
        Match::Tool(all) => alternatives(all),
        Match::Holds(part) => format!("{name} contains {part}"),
        Match::NoLess(other) => format!("{name} >= {other}"),
        Match::Theirs(_) | Match::AsMany(_) | Match::CoresOf(..) | Match::Any => return None,
    })
}

fn restrictions(form: &Form) -> Vec<String> {
    form.at.iter().filter_map(|(name, is)| restriction(name, is)).collect()
}

/// The restrictions that all rows of a tool share; printed once above its table.
fn common<'a>(forms: impl Iterator<Item = &'a Form>) -> Vec<String> {
    forms
        .map(restrictions)
        .reduce(|all, next| all.into_iter().filter(|part| next.contains(part)).collect())
        .unwrap_or_default()
}

fn side(form: &Form, common: &[String]) -> String {
    let probe = if form.probes.len() > 3 {
        "twelve tests".into()
    } else {
        form.probes.iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    };
    let own = restrictions(form).into_iter().filter(|part| !common.contains(part));
    let parts: Vec<String> =
        [format!("`{probe}` `{}`", form.metric)].into_iter().chain(own).collect();
    parts.join("; ")
}

/// The conditions that must be equal on both sides.
fn condition(ours: &Form) -> String {
    let mut equal = vec![];
    let mut counts = vec![];
    for is in ours.at.values() {
        match is {
            Match::Theirs(name) => equal.push(name.as_str()),
            Match::AsMany(name) => counts.push(format!("{name} equal, or all CPUs")),
            Match::CoresOf(name, 1) => counts.push(format!("{name} equal")),
            Match::CoresOf(name, threads) => {
                counts.push(format!("{name} equal, {threads} threads each"))
            }
            _ => {}
        }
    }
    if !equal.is_empty() {
        counts.insert(0, format!("same {}", equal.join(", ")));
    }
    counts.join("; ")
}

fn tolerance(row: &'static Equivalent, notes: &mut Vec<&'static str>) -> String {
    let validated = match &row.shown {
        Shown::Within(share, page) => {
            let name = Path::new(page).file_name().unwrap().to_str().unwrap();
            format!("[{:.0} %](validation/{name})", share * 100.0)
        }
        Shown::Never => "not validated".into(),
    };
    let grade = match row.grade() {
        Grade::Noted => "",
        Grade::Unclaimed => ", no verdict",
        Grade::Refused => ", refused",
    };
    let note = row.differs.as_ref().map_or(String::new(), |differs| {
        let known = notes.iter().position(|note| *note == differs.why);
        let number = known.unwrap_or_else(|| {
            notes.push(&differs.why);
            notes.len() - 1
        });
        format!(" ({})", number + 1)
    });
    format!("{validated}{grade}{note}")
}

fn line(row: &'static Equivalent, common: [&[String]; 2], notes: &mut Vec<&'static str>) -> String {
    let statistic = match row.printed {
        Printed::Least => "minimum",
        Printed::Most => "maximum",
        Printed::Mean => "median",
    };
    let factor = if row.factor == 1.0 { String::new() } else { format!(" x {}", row.factor) };
    format!(
        "| {} | {}; {statistic}{factor} | {} | {} |",
        side(&row.theirs, common[0]),
        side(&row.ours, common[1]),
        condition(&row.ours),
        tolerance(row, notes)
    )
}

/// A table for each tool, with the reasons of its rows below.
fn page() -> String {
    let mut page = String::from(
        "<!-- Written by `cargo test -p analyse` from crates/comparison/data/equivalents.toml. Do not edit. -->\n\
         # Equivalent metrics of other tools\n\n\
         `cpulens compare` puts our value beside the tool's figure if both sides meet the conditions\n\
         ([adr/0027](adr/0027-equivalent-metrics-of-other-tools.md)). If two rows have the same figure, the first that a record can\n\
         fill counts. *No verdict*: a ratio only. *Refused*: both values and the reason, no ratio.\n",
    );
    let rows: Vec<&'static Equivalent> = equivalent::all().collect();
    for tool in rows.chunk_by(|a, b| a.what == b.what) {
        let shared =
            [common(tool.iter().map(|row| &row.theirs)), common(tool.iter().map(|row| &row.ours))];
        writeln!(page, "\n## {}\n\nMeasured by `{}`.", tool[0].what, tool[0].command).unwrap();
        for (whose, parts) in ["Theirs", "Ours"].into_iter().zip(&shared) {
            if !parts.is_empty() {
                writeln!(page, "{whose}: {}.", parts.join("; ")).unwrap();
            }
        }
        page.push('\n');
        page.push_str(
            "| tool's figure | our metric | condition | tolerance |\n|---|---|---|---|\n",
        );
        let mut notes = vec![];
        for row in tool {
            writeln!(page, "{}", line(row, [&shared[0], &shared[1]], &mut notes)).unwrap();
        }
        for (number, note) in notes.iter().enumerate() {
            let gap = if number == 0 { "\n" } else { "" };
            writeln!(page, "{gap}{}. {note}", number + 1).unwrap();
        }
    }
    page
}

/// Rewrites the page where it is out of date, and fails once.
#[test]
fn the_page_is_the_table() {
    let page = page();
    if std::fs::read_to_string(PAGE).unwrap_or_default() != page {
        std::fs::write(PAGE, page).unwrap();
        panic!("docs/equivalents.md was out of date and has been rewritten; look at the diff");
    }
}

#[test]
fn every_row_can_be_reached_and_says_what_it_must() {
    for (number, row) in equivalent::all().enumerate() {
        let name = format!("row {number}, {}", row.what);
        assert!(!row.what.is_empty() && row.command.starts_with("cpulens "), "{name}");
        assert!(!row.theirs.probes.is_empty() && !row.ours.probes.is_empty(), "{name}");
        let theirs = |wanted: &str| row.theirs.at.contains_key(wanted);
        for (of, is) in &row.ours.at {
            match is {
                // What ours shall equal has to be something that theirs may say.
                Match::Theirs(wanted) => assert!(theirs(wanted), "{name}: {of}"),
                Match::AsMany(wanted) | Match::CoresOf(wanted, _) => {
                    assert!(theirs(wanted), "{name}: {of}")
                }
                Match::NoLess(_) | Match::Tool(_) => panic!("{name}: {of} is said of theirs only"),
                _ => {}
            }
        }
        for (of, is) in &row.theirs.at {
            assert!(
                !matches!(is, Match::Theirs(_) | Match::AsMany(_) | Match::CoresOf(..)),
                "{name}: {of} is said of ours only"
            );
        }
        for of in row.near.iter().flat_map(|near| near.at.keys()) {
            assert!(theirs(of), "{name}: {of}");
        }
        if let Shown::Within(share, page) = &row.shown {
            assert!((0.005..0.2).contains(share), "{name}");
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
            let page = std::fs::read_to_string(file).unwrap().to_lowercase();
            let first = row.what.split([' ', ',']).next().unwrap().to_lowercase();
            // The page names what it is of; the time of a command is listed under the program's own.
            assert!(page.contains(&first) || first == "the", "{name}: its page does not name it");
        }
    }
    assert_eq!(equivalent::all().filter(|row| row.near.is_some()).count(), 4);
}
