//! UnixBench's own CSV file: scores by number of copies, one column for each test in the order of names. Where several
//! versions or placements were measured each has a table of its own behind a line that begins with #.
use crate::renderer::{Renderer, Settings, Subject};
use crate::renderers::{csv, unixbench};
use analyse::unixbench::Section;
use analyse::{by_key, copies};
use record::printed;
use std::io::{self, Write};

/// UnixBench's CSV file. An empty table would pass for a result.
pub(crate) static RENDERER: Renderer = Renderer { write, needs: unixbench::NEEDS };

pub(crate) fn write(of: Subject<'_>, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
    let Subject::Report(report) = of else { return csv::write(of, settings, out) };
    let bench = copies::own_or_printed(report);
    let sections = bench.as_ref().map_or(&[][..], |b| &b.sections);
    let kind =
        |s: &&Section| format!("# {}, placement {}, {} start", s.variant, s.placement, s.start);
    let kinds = by_key(sections, kind);
    for (kind, rows) in &kinds {
        if kinds.len() > 1 {
            writeln!(out, "{}", printed(kind))?;
        }
        table(rows, out)?;
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
