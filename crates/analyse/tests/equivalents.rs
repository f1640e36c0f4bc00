//! The table of equivalents: its page, and that no row can be reached by accident or not at all.
#![allow(clippy::unwrap_used, reason = "helpers of tests")]
use analyse::compare::Grade;
use analyse::equivalent::{self, Equivalent, Form, Is, Printed, Shown};
use std::fmt::Write;
use std::path::Path;

const PAGE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/equivalents.md");

fn words(is: Is) -> String {
    match is {
        Is::One(all) => all.join(" or "),
        Is::OneOrUntold(all) => format!("{} or not told", all.join(" or ")),
        Is::Tool(all) => all.join(", "),
        Is::Holds(part) => format!("holds {part}"),
        Is::NoLess(of) => format!("{of} or more"),
        Is::Theirs(of) => format!("their {of}"),
        Is::AsMany(of) => format!("as many as their {of}, or all of both machines"),
        Is::CoresOf(of, 1) => format!("as many cores as their {of}, one thread of each"),
        Is::CoresOf(of, n) => format!("as many cores as their {of}, {n} threads of each"),
        Is::Any => "any".into(),
    }
}

fn form(of: &Form) -> String {
    let at: Vec<String> =
        of.at.iter().map(|(name, is)| format!("{name} = {}", words(*is))).collect();
    let probes = if of.probes.len() > 3 { "its twelve tests".into() } else { of.probes.join(", ") };
    format!("`{}` of {probes}: {}", of.metric, at.join("; "))
}

fn line(row: &Equivalent) -> String {
    let printed = match row.printed {
        Printed::Least => "the least",
        Printed::Most => "the most",
        Printed::Mean => "the median",
    };
    let ours = match row.factor == 1.0 {
        true => printed.to_owned(),
        false => format!("{printed}, times {}", row.factor),
    };
    let shown = match row.shown {
        Shown::Within(share, page) => {
            let name = Path::new(page).file_name().unwrap().to_str().unwrap();
            format!("within {:.0} % ([{name}](validation/{name}))", share * 100.0)
        }
        Shown::Never => "never set beside it".into(),
    };
    let grade = match row.grade() {
        Grade::Noted => "a ratio",
        Grade::Unclaimed => "a ratio, nothing claimed",
        Grade::Refused => "refused",
    };
    let differs = row.differs.map_or(String::new(), |d| format!(": {}", d.why));
    format!(
        "| {} | {} | {} | {ours} | {shown} | {grade}{differs} | `{}` |",
        row.what,
        form(&row.theirs),
        form(&row.ours),
        row.command
    )
}

/// Rewrites the page where it is out of date, and fails once.
#[test]
fn the_page_is_the_table() {
    let mut page = String::from(
        "<!-- Written by `cargo test -p analyse` from crates/analyse/src/equivalents. Do not edit. -->\n\
         # Ours beside other tools' figures\n\n\
         What of a record stands beside what an imported or published one holds, in `cpulens compare`: how it is decided is\n\
         [adr/0027](adr/0027-equivalent-metrics-of-other-tools.md). Where two rows are of one figure of theirs, the first that a record can fill counts.\n\n\
         | definition | theirs | ours | of our samples | agreement | the row is | measured by |\n\
         |---|---|---|---|---|---|---|\n",
    );
    for row in equivalent::all() {
        writeln!(page, "{}", line(row)).unwrap();
    }
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
        let theirs = |wanted: &str| row.theirs.at.iter().any(|(known, _)| *known == wanted);
        for (of, is) in row.ours.at {
            match is {
                // What ours shall equal has to be something that theirs may say.
                Is::Theirs(wanted) => assert!(theirs(wanted), "{name}: {of}"),
                Is::AsMany(wanted) | Is::CoresOf(wanted, _) => {
                    assert!(theirs(wanted), "{name}: {of}")
                }
                Is::NoLess(_) | Is::Tool(_) => panic!("{name}: {of} is said of theirs only"),
                _ => {}
            }
        }
        for (of, is) in row.theirs.at {
            assert!(
                !matches!(is, Is::Theirs(_) | Is::AsMany(_) | Is::CoresOf(..)),
                "{name}: {of} is said of ours only"
            );
        }
        for (of, _) in row.near.iter().flat_map(|near| near.at) {
            assert!(theirs(of), "{name}: {of}");
        }
        if let Shown::Within(share, page) = row.shown {
            assert!((0.005..0.2).contains(&share), "{name}");
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
            let page = std::fs::read_to_string(file).unwrap().to_lowercase();
            let first = row.what.split([' ', ',']).next().unwrap().to_lowercase();
            // The page names what it is of; the time of a command is told under the program's own.
            assert!(page.contains(&first) || first == "the", "{name}: its page does not name it");
        }
    }
    assert_eq!(equivalent::all().filter(|row| row.near.is_some()).count(), 4);
}
