//! Writes reports to standard output or a file. Progress and errors go to standard error.

use analyse::Report;
use analyse::compare::Comparison;
use analyse::summary::{Summary, summary};
use anyhow::{Context, Result, bail};
use host::clock;
use messages::Lang;
pub(crate) use record::visible;
use record::{Machine, Run};
use render::renderer::Needs;
use render::summary::View;
use render::{Settings, Subject};
use sections::document::Document;
use std::{
    env,
    io::{self, IsTerminal, Write},
};
use storage::{files, say};

/// Says why an input is not among the others.
pub(crate) fn left_out(why: impl std::fmt::Display) {
    say(&format!("cpulens: left out: {why:#}").replace('\n', " "));
}

fn settings(output: &arguments::Output) -> Settings {
    let terminal = output.file.is_none() && io::stdout().is_terminal();
    let colour = match output.color {
        arguments::Colour::Always => true,
        arguments::Colour::Never => false,
        arguments::Colour::Auto => {
            terminal
                && env::var_os("NO_COLOR").is_none_or(|v| v.is_empty())
                && env::var_os("TERM").is_none_or(|v| v != "dumb")
        }
    };
    let width = columns(output).map(|width| width.clamp(20, 400));
    let width = width.unwrap_or(View::default().width as u16);
    let lang = language(output.lang);
    Settings { colour, width, details: output.details, lang, ..Settings::default() }
}

/// Columns of the terminal that is written to.
fn columns(output: &arguments::Output) -> Option<u16> {
    terminal_columns().filter(|_| output.file.is_none())
}

/// Columns of the terminal that is standard output, if it is one.
pub(crate) fn terminal_columns() -> Option<u16> {
    let size = io::stdout().is_terminal().then(terminal_size::terminal_size);
    size.flatten().map(|(width, _)| width.0)
}

/// The environment's locale for messages; empty where it is not set.
fn locale() -> String {
    let set = |name| env::var(name).ok().filter(|value| !value.is_empty());
    ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(set).unwrap_or_default()
}

/// Whether the terminal or the locale was said to have no other characters.
fn is_ascii_only() -> bool {
    matches!(&*locale(), "C" | "POSIX") || env::var_os("TERM").is_some_and(|term| term == "dumb")
}

/// The language that was asked for, else that of the environment.
pub(crate) fn language(asked: arguments::Language) -> Lang {
    match asked {
        arguments::Language::En => Lang::En,
        arguments::Language::Zh => Lang::Zh,
        arguments::Language::Auto => Lang::of_locale(&locale()),
    }
}

/// Checks that the chosen file can be written, before anything is measured.
pub(crate) fn check(output: &arguments::Output) -> Result<()> {
    output.file.as_deref().map_or(Ok(()), files::check)
}

/// Checks besides that the plan measures what the format shows.
pub(crate) fn check_plan(output: &arguments::Output, runs: &[Run]) -> Result<()> {
    check(output)?;
    check_needs(output, |needs| runs.iter().any(|run| (needs.measures)(&run.case.probe)))
}

/// Whether what the format shows is there.
fn check_needs(output: &arguments::Output, has: impl Fn(&Needs) -> bool) -> Result<()> {
    match render::renderer::named(&output.format)?.needs {
        Some(needs) if !has(&needs) => bail!("--format {} needs {}", output.format, needs.what),
        _ => Ok(()),
    }
}

/// Renders a report in the chosen format; as text its summary, unless more was asked for. `name` is what the next command may
/// call the record.
pub(crate) fn report(
    output: &arguments::Output,
    answer: &arguments::Answer,
    report: &Report<'_>,
    name: &str,
) -> Result<()> {
    // A page is kept, and the newest record is another one later.
    let newest = || files::newest(|_| true).map_or(name.into(), |file| file.display().to_string());
    let record = if name == "last" && output.format != "text" { newest() } else { name.into() };
    // What is kept is read in other zones.
    let started = report.record.provenance.started.as_deref().filter(|_| output.format == "text");
    let started = started.and_then(clock::local);
    let settings = Settings { section: answer.section, record, started, ..settings(output) };
    check_needs(output, |needs| (needs.has)(report))?;
    if let Some(id) = answer.section
        && sections::section::of_report(report, Some(id)).is_empty()
    {
        let others = sections::section::of_report(report, None);
        let others: Vec<&str> = others.iter().map(|section| section.id).collect();
        let others = others.join(", ");
        say(&format!("cpulens: the record has nothing for --section {id}; it has {others}"));
    }
    if answer.section.is_some() || !is_short(output, &answer.screen) {
        return write(output, |out| render::render(&output.format, report, &settings, out));
    }
    screen(output, &summary(report), name).map(drop)
}

/// Whether the summary is what was asked for.
pub(crate) fn is_short(output: &arguments::Output, screen: &arguments::Screen) -> bool {
    output.format == "text" && !screen.full && !output.details
}

/// Writes a summary, and counts its lines. `name` is what the next command may call the record.
pub(crate) fn screen(output: &arguments::Output, summary: &Summary, name: &str) -> Result<usize> {
    let started = summary.header.started.as_deref().and_then(clock::local);
    let typed = typed();
    let view = View { started: started.as_deref(), record: name, typed: &typed, ..view(output) };
    let text = render::summary::text(summary, &view);
    lines(output, &text).map(|()| text.len())
}

/// The arguments of this process; none where a command of its own ends them, behind which no option is ours.
fn typed() -> Vec<String> {
    let all: Vec<String> = env::args_os().skip(1).map(|a| a.to_string_lossy().into()).collect();
    if all.iter().any(|word| word == "--") { vec![] } else { all }
}

fn lines(output: &arguments::Output, lines: &[String]) -> Result<()> {
    write(output, |out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))
}

/// Width, colours and language of the output.
fn view(output: &arguments::Output) -> View<'static> {
    let Settings { colour, lang, .. } = settings(output);
    View {
        width: columns(output).map_or(View::default().width, usize::from),
        colour,
        lang,
        asked: output.lang != arguments::Language::Auto,
        ..View::default()
    }
}

/// Renders a comparison in the chosen format; as text its first screen, unless more was asked for, `above` lines of which are
/// written.
pub(crate) fn comparison(
    output: &arguments::Output,
    screen: Option<&arguments::Screen>,
    of: &Comparison,
    names: &[&str],
    above: usize,
) -> Result<()> {
    if screen.is_some_and(|screen| is_short(output, screen)) {
        let view = View { above, ..view(output) };
        return lines(output, &render::summary::compared::text(of, names, &view));
    }
    rendered(output, Subject::Comparison(of))
}

/// Renders a machine in the chosen format.
pub(crate) fn machine(output: &arguments::Output, machine: &Machine) -> Result<()> {
    rendered(output, Subject::Machine(machine))
}

/// Renders a document in the chosen format.
pub(crate) fn document(output: &arguments::Output, document: &Document) -> Result<()> {
    rendered(output, Subject::Document(document))
}

fn rendered(output: &arguments::Output, of: Subject<'_>) -> Result<()> {
    write(output, |out| render::render(&output.format, of, &settings(output), out))
}

/// Writes the output of `render` to the chosen place.
pub(crate) fn write(
    output: &arguments::Output,
    render: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    match &output.file {
        Some(file) => files::replace_by(file, render),
        // Data formats keep what is in the record; on a terminal even they must not move the cursor.
        None if output.format != "text" && io::stdout().is_terminal() => {
            let mut bytes = vec![];
            render(&mut bytes)?;
            stdout(visible(&String::from_utf8_lossy(&bytes)).as_bytes())
        }
        None if output.format == "text" && is_ascii_only() => {
            let mut bytes = vec![];
            render(&mut bytes)?;
            stdout(ascii(&String::from_utf8_lossy(&bytes)).as_bytes())
        }
        // Written as it is made: the rows of a fleet are a hundred megabytes.
        None => {
            let mut out = io::BufWriter::with_capacity(1 << 16, Stdout(io::stdout().lock()));
            let done = render(&mut out).and_then(|()| out.flush());
            done.context("cannot write to standard output")
        }
    }
}

/// Writes a line to standard output at once.
pub(crate) fn line(render: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    let mut bytes = vec![];
    render(&mut bytes)?;
    stdout(&bytes)
}

/// Standard output, whose reader may have seen enough: what comes after that is lost, and no failure.
struct Stdout<W>(W);

impl<W: Write> Write for Stdout<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.write(bytes) {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(bytes.len()),
            written => written,
        }
    }
    fn flush(&mut self) -> io::Result<()> {
        match self.0.flush() {
            Err(e) if e.kind() == io::ErrorKind::BrokenPipe => Ok(()),
            flushed => flushed,
        }
    }
}

/// Writes to standard output.
pub(crate) fn stdout(bytes: &[u8]) -> Result<()> {
    let mut out = Stdout(io::stdout().lock());
    out.write_all(bytes).and_then(|()| out.flush()).context("cannot write to standard output")
}
/// A report's drawing characters as ASCII, for terminals and locales that have no other.
fn ascii(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '─' | '–' => plain.push('-'),
            '│' | '├' => plain.push('|'),
            '└' => plain.push('`'),
            '▁' => plain.push('_'),
            '▂' => plain.push('.'),
            '▃' => plain.push('-'),
            '▄' => plain.push('='),
            '▅' => plain.push('+'),
            '▆' => plain.push('*'),
            '▇' => plain.push('%'),
            '█' => plain.push('#'),
            '▓' => plain.push('%'),
            '▒' => plain.push('+'),
            '░' => plain.push('.'),
            '±' => plain.push_str("+/-"),
            '×' => plain.push('x'),
            '…' => plain.push_str("..."),
            other => plain.push(other),
        }
    }
    plain
}
