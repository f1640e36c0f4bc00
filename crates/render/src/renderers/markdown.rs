//! For an issue, a wiki or a pull request: CommonMark with GitHub's tables.
use crate::document::Document;
use crate::page::{Banner, Block, Page, Table};
use crate::renderer::{Renderer, Settings};
use analyse::Report;
use analyse::compare::Comparison;
use record::Machine;
use std::io::{self, Write};

/// CommonMark with tables.
#[derive(Debug)]
pub struct Markdown;

impl Renderer for Markdown {
    fn title(&self) -> &'static str {
        "Markdown with tables"
    }
    fn render(
        &self,
        report: &Report<'_>,
        settings: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write(&Page::of_report(report, settings.section), out)
    }
    fn info(&self, machine: &Machine, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        write(&Page::of_machine(machine), out)
    }
    fn compare(
        &self,
        comparison: &Comparison,
        _: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write(&Page::of_comparison(comparison), out)
    }
    fn document(&self, document: &Document, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        write(&document.page, out)
    }
}

fn write(page: &Page, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "# {}\n\n{}", escaped(&page.title), escaped(&page.subtitle))?;
    for section in &page.sections {
        writeln!(out, "\n## {}", section.title)?;
        if let Some(banner) = page.banner.as_ref().filter(|_| section.numbers) {
            writeln!(out, "\n> **{}**", escaped(&banner.short))?;
        }
        section.blocks.iter().try_for_each(|b| block(b, 3, out))?;
    }
    Ok(())
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
