//! For an issue, a wiki or a pull request: CommonMark with GitHub's tables.
use crate::language;
use crate::renderer::{Renderer, Settings, Subject};
use crate::summary::View;
use analyse::Report;
use analyse::summary::summary;
use messages::prose;
use record::Sort;
use sections::page::{Banner, Block, Page, Section, Table};
use sections::section;
use std::io::{self, Write};

/// CommonMark with tables.
pub(crate) static RENDERER: Renderer = Renderer::of_all(write);

pub(crate) fn write(of: Subject<'_>, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
    let summary = match of {
        Subject::Report(report) if settings.section.is_none() => summarised(report, settings),
        _ => String::new(),
    };
    whole(of.page(settings), settings, &summary, out)
}

/// Characters that GitHub takes as a comment are 65,536.
pub const MOST: usize = 60_000;

/// A section as text, and how it was made shorter.
struct Written<'p> {
    section: &'p Section,
    text: String,
    details: bool,
}

/// The whole page if it fits, else without what most readers skip, else without its longest sections, which are named.
fn whole(page: Page, settings: &Settings, summary: &str, out: &mut dyn Write) -> io::Result<()> {
    let page = language::page(settings.lang, page);
    let title = format!("# {}\n\n{}\n{summary}", escaped(&page.title), escaped(&page.subtitle));
    let mut sections: Vec<&Section> = page.sections.iter().collect();
    if !summary.is_empty() {
        sections.order_by_key(|s| section::place(s.id));
    }
    let made = |section, details| -> io::Result<Written<'_>> {
        Ok(Written { section, text: written(section, details)?, details })
    };
    let all: io::Result<Vec<Written<'_>>> = sections.into_iter().map(|s| made(s, true)).collect();
    let (mut all, mut left_out) = (all?, vec![]);
    let length = |text: &str| text.chars().count();
    let pointer = 1000;
    while length(&title) + pointer + all.iter().map(|w| length(&w.text)).sum::<usize>() > MOST {
        let longest = |full: bool| {
            let of = all.iter().enumerate().filter(|(_, w)| w.details == full);
            of.max_by_key(|(_, w)| length(&w.text)).map(|(i, _)| i)
        };
        match (longest(true), longest(false)) {
            (Some(i), _) => all[i] = made(all[i].section, false)?,
            (None, Some(i)) => left_out.push(all.remove(i).section.title),
            (None, None) => break,
        }
    }
    out.write_all(title.as_bytes())?;
    all.iter().try_for_each(|w| out.write_all(w.text.as_bytes()))?;
    if !left_out.is_empty() || all.iter().any(|w| !w.details) {
        let left = match left_out.is_empty() {
            true => String::new(),
            false => format!(" Left out: {}.", left_out.join(", ")),
        };
        let note = format!("Shortened.{left} `--format json` and `--format html` have all of it.");
        writeln!(out, "\n{}", prose::in_language(settings.lang, &note))?;
    }
    Ok(())
}

fn written(section: &Section, details: bool) -> io::Result<String> {
    let mut out = vec![];
    writeln!(out, "\n## {}", section.title)?;
    section.blocks.iter().try_for_each(|b| match b {
        Block::Details(left_out) if !details => {
            left_out.instead.iter().try_for_each(|text| writeln!(out, "\n{}", escaped(text)))
        }
        _ => block(b, 3, &mut out),
    })?;
    String::from_utf8(out).map_err(io::Error::other)
}

/// The summary as it stands on a terminal: it is made for columns.
fn summarised(report: &Report<'_>, settings: &Settings) -> String {
    let view = View { lang: settings.lang, record: &settings.record, ..View::default() };
    let lines = crate::summary::text(&summary(report), &view).join("\n");
    let safe = lines.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("\n<pre>\n{safe}\n</pre>\n")
}

fn block(block_: &Block, level: usize, out: &mut dyn Write) -> io::Result<()> {
    match block_ {
        Block::Heading(text) => writeln!(out, "\n{} {}", "#".repeat(level), escaped(text)),
        Block::Paragraph(text) => writeln!(out, "\n{}", escaped(text)),
        Block::Banner(banner) => self::banner(banner, out),
        Block::List(items) => {
            writeln!(out)?;
            items.iter().try_for_each(|item| writeln!(out, "- {}", escaped(item)))
        }
        Block::Lines(lines) => {
            // A fence longer than any run of backticks inside ends where it should.
            let longest = lines.iter().flat_map(|l| l.split(|c| c != '`')).map(str::len).max();
            let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
            writeln!(out, "\n{fence}")?;
            lines.iter().try_for_each(|line| writeln!(out, "{line}"))?;
            writeln!(out, "{fence}")
        }
        Block::Entries(entries) => {
            writeln!(out)?;
            for e in entries {
                let source =
                    e.source.as_ref().map_or(String::new(), |s| format!(" ({})", escaped(s)));
                writeln!(out, "- **{}**: {}{source}", escaped(&e.name), escaped(&e.value))?;
            }
            Ok(())
        }
        Block::Table(table) => self::table(table, out),
        Block::Chart(chart) => {
            writeln!(out, "\n{} {}", "#".repeat(level), escaped(&chart.title))?;
            writeln!(out, "\n{}", escaped(&chart.description))?;
            self::table(&chart.table, out)
        }
        Block::Details(details) => {
            writeln!(out, "\n<details><summary>{}</summary>", escaped(&details.summary))?;
            details.blocks.iter().try_for_each(|b| block(b, level + 1, out))?;
            writeln!(out, "\n</details>")
        }
    }
}

fn banner(banner: &Banner, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "\n> **{}**", escaped(&banner.verdict))?;
    for reason in &banner.reasons {
        writeln!(out, ">\n> - {}", escaped(reason))?;
    }
    Ok(())
}

fn table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    for note in &table.notes {
        writeln!(out, "\n{}", escaped(note))?;
    }
    let line = |cells: Vec<String>| format!("| {} |", cells.join(" | "));
    writeln!(out, "\n{}", line(table.columns.iter().map(|c| escaped(&c.name)).collect()))?;
    let rule = |number| if number { "---:" } else { "---" }.to_owned();
    writeln!(out, "{}", line(table.columns.iter().map(|c| rule(c.number)).collect()))?;
    table
        .rows
        .iter()
        .try_for_each(|row| writeln!(out, "{}", line(row.iter().map(|c| escaped(c)).collect())))
}

/// Text that Markdown and the HTML inside it read as text. Underscores stay where they join words, so
/// that names remain readable; CommonMark gives them no meaning there.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for (i, c) in text.char_indices() {
        match c {
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '&' => safe.push_str("&amp;"),
            '\\' | '`' | '*' | '[' | ']' | '|' | '~' => {
                safe.push('\\');
                safe.push(c);
            }
            '_' => {
                let before = text[..i].chars().next_back().is_some_and(char::is_alphanumeric);
                let after = text[i + 1..].chars().next().is_some_and(char::is_alphanumeric);
                safe.push_str(if before && after { "_" } else { "\\_" });
            }
            // Bare addresses would become links, and a leading mark a heading or a list.
            ':' if text[i..].starts_with("://") => safe.push_str("&#58;"),
            '#' | '+' | '-' | '=' if text[..i].trim().is_empty() => {
                safe.push('\\');
                safe.push(c);
            }
            c => safe.push(c),
        }
    }
    safe
}
