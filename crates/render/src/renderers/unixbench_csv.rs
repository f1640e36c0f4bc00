//! UnixBench's own CSV file: scores by number of copies, one column for each test in the order of names. Where several
//! versions or placements were measured each has a table of its own behind a line that begins with #.
use crate::renderer::{Renderer, Settings, Subject};
use crate::renderers::csv;
use analyse::copies;
use analyse::unixbench::Section;
use sections::page::printed;
use std::io::{self, Write};

/// UnixBench's CSV file.
pub(crate) static RENDERER: Renderer = write;

pub(crate) fn write(of: Subject<'_>, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
    let Subject::Report(report) = of else { return csv::write(of, settings, out) };
    let bench = copies::own_or_printed(report);
    let sections = bench.as_ref().map_or(&[][..], |b| &b.sections);
    let kind = |s: &Section| (s.variant.clone(), s.placement.clone(), s.start.clone());
    let mut kinds = vec![];
    for section in sections {
        if !kinds.contains(&kind(section)) {
            kinds.push(kind(section));
        }
    }
    for of in &kinds {
        if kinds.len() > 1 {
            let kind = format!("# {}, placement {}, {} start", of.0, of.1, of.2);
            writeln!(out, "{}", printed(&kind))?;
        }
        let rows: Vec<&Section> = sections.iter().filter(|s| kind(s) == *of).collect();
        table(&rows, out)?;
    }
    Ok(())
}

fn table(rows: &[&Section], out: &mut dyn Write) -> io::Result<()> {
    let has = |s: &&Section, id| s.tests.iter().any(|t| t.test.id == id);
    let tests = record::unixbench::TESTS.iter().filter(|t| rows.iter().any(|s| has(s, t.id)));
    let tests: Vec<_> = tests.collect();
    write!(out, "Concurrency")?;
    tests.iter().try_for_each(|t| write!(out, ",{}", t.name))?;
    writeln!(out)?;
    for section in rows {
        write!(out, "{}", section.copies)?;
        for test in &tests {
            let score = section.tests.iter().find(|t| t.test.id == test.id);
            write!(out, ",{}", score.map_or(String::new(), |t| format!("{:.1}", t.score)))?;
        }
        writeln!(out)?;
    }
    Ok(())
}
