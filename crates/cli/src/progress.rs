//! Progress on standard error: a bar with the time left on a terminal, one line per case elsewhere.
use crate::output::{say, visible};
use host::clock::{Clock as _, Monotonic};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    cell::Cell,
    env,
    io::{self, IsTerminal},
};

/// Parts of the bar: fine enough to move several times in a case.
const PARTS: u64 = 10_000;

/// Tells how far a run has come. Drawn between samples, never during one.
#[derive(Debug)]
pub(crate) struct Progress {
    show: Show,
    /// Whether finished cases leave a line on a terminal.
    verbose: bool,
    clock: Monotonic,
    began: f64,
    /// Seconds until the end when the case began, and those of the case.
    left: f64,
    case: f64,
    label: String,
    /// Seconds left that were shown last.
    shown: Cell<u64>,
}

#[derive(Debug)]
enum Show {
    Bar(ProgressBar),
    Lines,
    Nothing,
}

impl Progress {
    /// Shows nothing but complaints if `quiet`.
    pub(crate) fn new(quiet: bool) -> Progress {
        let dumb = env::var_os("TERM").is_some_and(|t| t == "dumb");
        let show = if quiet {
            Show::Nothing
        } else if io::stderr().is_terminal() && !dumb {
            Show::Bar(bar())
        } else {
            Show::Lines
        };
        let clock = Monotonic::new();
        Progress {
            show,
            began: clock.now(),
            clock,
            verbose: false,
            left: 0.0,
            case: 0.0,
            label: String::new(),
            shown: Cell::new(u64::MAX),
        }
    }
    /// Keeps a line of each finished case, or none, on a terminal.
    pub(crate) fn verbose(self, verbose: bool) -> Progress {
        Progress { verbose, ..self }
    }
    /// A case of `case` seconds begins, `left` seconds before the end.
    pub(crate) fn begins(&mut self, label: &str, case: f64, left: f64) {
        self.left = left;
        self.case = case;
        self.label = label.to_owned();
        self.shown.set(u64::MAX);
        self.within(0.0);
    }
    /// Share of the time that has passed, with so many seconds left.
    fn done(&self, left: f64) -> f64 {
        let passed = self.clock.now() - self.began;
        (passed / (passed + left).max(1e-9)).clamp(0.0, 1.0)
    }
    /// This share of the case is done.
    pub(crate) fn within(&self, share: f64) {
        let Show::Bar(bar) = &self.show else { return };
        let left = (self.left - self.case * share).max(0.0);
        bar.set_position((self.done(left) * PARTS as f64) as u64);
        // Samples end more often than anybody reads.
        let seconds = left.round() as u64;
        if self.shown.replace(seconds) != seconds {
            // A long label is cut at its end: the time stands before it.
            bar.set_message(visible(&format!("about {seconds} s left, {}", self.label)));
        }
    }
    /// Prints a line that matters to who waits: above the bar, or by itself.
    pub(crate) fn note(&self, line: &str) {
        match &self.show {
            Show::Bar(bar) => bar.println(visible(line)),
            Show::Lines => say(line),
            Show::Nothing => {}
        }
    }
    /// Prints the results of a case: above the bar, or with the time left.
    pub(crate) fn ended(&self, lines: &[String]) {
        match &self.show {
            Show::Bar(bar) if self.verbose => {
                lines.iter().for_each(|line| bar.println(visible(line)));
            }
            Show::Lines if !lines.is_empty() => {
                let what = lines.iter().map(|l| l.trim()).collect::<Vec<_>>().join("; ");
                let left = (self.left - self.case).max(0.0);
                let done = 100.0 * self.done(left);
                say(&format!("[{done:.0} %, about {left:.0} s left] {what}"));
            }
            Show::Bar(_) | Show::Lines | Show::Nothing => {}
        }
    }
    /// Something the user must know now, quiet or not.
    pub(crate) fn complain(&self, line: &str) {
        match &self.show {
            Show::Bar(bar) => bar.println(visible(line)),
            Show::Lines | Show::Nothing => say(line),
        }
    }
    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Show::Bar(bar) = &self.show {
            bar.finish_and_clear();
        }
    }
}

fn bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr_with_hz(8));
    let colour = env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    // The message is cut to the line; a narrow terminal has room for nothing else.
    let size = terminal_size::terminal_size_of(io::stderr());
    let wide = size.is_none_or(|(width, _)| width.0 >= 60);
    let template = match (wide, colour) {
        (false, _) => "{wide_msg}",
        (true, true) => "{bar:24.cyan} {wide_msg}",
        (true, false) => "{bar:24} {wide_msg}",
    };
    let style = ProgressStyle::with_template(template);
    let style = style.unwrap_or_else(|_| ProgressStyle::default_bar());
    bar.with_style(style.progress_chars("=> "))
}
