//! Writes reports to standard output or a file. Progress and errors go to standard error.
use crate::{args, files};
use analyse::Report;
use analyse::compare::Comparison;
use anyhow::{Context, Result};
use record::Machine;
use render::document::Document;
use render::page::hostile;
use render::renderer::{self, Settings};
use std::{
    env,
    io::{self, IsTerminal, Write},
};

/// Writes a line to standard error. A closed standard error is no failure.
pub(crate) fn say(line: &str) {
    let _ = writeln!(io::stderr(), "{}", visible(line));
}

/// Replaces hostile characters, which file names and records may hold, by visible ones. Line ends stay.
pub(crate) fn visible(text: &str) -> String {
    let mark = |c: char| if hostile(c) && c != '\n' { '\u{fffd}' } else { c };
    text.chars().map(mark).collect()
}

fn settings(output: &args::Output) -> Settings {
    let terminal = output.file.is_none() && io::stdout().is_terminal();
    let colour = match output.color {
        args::Colour::Always => true,
        args::Colour::Never => false,
        args::Colour::Auto => terminal && env::var_os("NO_COLOR").is_none_or(|v| v.is_empty()),
    };
    let width = terminal
        .then(terminal_size::terminal_size)
        .flatten()
        .map(|(width, _)| width.0.clamp(40, 400));
    Settings { colour, width: width.unwrap_or(Settings::default().width), details: output.details }
}

/// Checks that the chosen file can be written, before anything is measured.
pub(crate) fn check(output: &args::Output) -> Result<()> {
    let Some(file) = &output.file else { return Ok(()) };
    files::check(file).with_context(|| format!("cannot write {}", file.display()))
}

/// Renders a report in the chosen format.
pub(crate) fn report(output: &args::Output, report: &Report<'_>) -> Result<()> {
    write(output, |out| renderer::render(&output.format, report, &settings(output), out))
}

/// Renders a comparison in the chosen format.
pub(crate) fn comparison(output: &args::Output, of: &Comparison) -> Result<()> {
    write(output, |out| renderer::render_comparison(&output.format, of, &settings(output), out))
}

/// Renders a machine in the chosen format.
pub(crate) fn machine(output: &args::Output, machine: &Machine) -> Result<()> {
    write(output, |out| renderer::render_info(&output.format, machine, &settings(output), out))
}

/// Renders a document in the chosen format.
pub(crate) fn document(output: &args::Output, document: &Document) -> Result<()> {
    write(output, |out| renderer::render_document(&output.format, document, &settings(output), out))
}

/// Writes the output of `render` to the chosen place.
pub(crate) fn write(
    output: &args::Output,
    render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    match &output.file {
        Some(file) => files::replace_by(file, render)
            .with_context(|| format!("cannot write {}", file.display())),
        // Data formats keep what is in the record; on a terminal even they must not move the cursor.
        None if output.format != "text" && io::stdout().is_terminal() => {
            let mut bytes = vec![];
            render(&mut bytes)?;
            stdout(visible(&String::from_utf8_lossy(&bytes)).as_bytes())
        }
        // Written as it is made: the rows of a fleet are a hundred megabytes.
        None => {
            let mut out = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
            let done = render(&mut out).and_then(|()| out.flush());
            done.context("cannot write to standard output")
        }
    }
}

/// Writes to standard output.
pub(crate) fn stdout(bytes: &[u8]) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).context("cannot write to standard output")
}
