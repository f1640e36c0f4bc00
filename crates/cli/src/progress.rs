//! Progress on standard error: a bar with the time left on a terminal, one line per case elsewhere.
use crate::output::{say, visible};
use host::clock::{Clock as _, Monotonic};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    cell::Cell,
    env,
    io::{self, IsTerminal},
};

/// Estimated seconds that count as passed when the time left is first shown.
const PRIOR: f64 = 5.0;
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
    /// Seconds that pass for an estimated second.
    pace: f64,
    total: f64,
    left: f64,
    case: f64,
    /// Share of the run that was done when the case began.
    done: f64,
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
    /// For a run of so many estimated seconds.
    pub(crate) fn new(total: f64, quiet: bool) -> Progress {
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
            pace: 1.0,
            total: total.max(0.1),
            left: total,
            case: 0.0,
            done: 0.0,
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
        // The time that passed against its estimate; at first the estimate counts more.
        let done = (self.total - left).max(0.0);
        let prior = (self.total * 0.1).min(PRIOR);
        self.pace = (self.clock.now() - self.began + prior) / (done + prior);
        self.left = left;
        self.case = case;
        self.done = (done / self.total).clamp(0.0, 1.0);
        self.label = label.to_owned();
        self.shown.set(u64::MAX);
        self.within(0.0);
    }
    /// These seconds were spent waiting: they say nothing of how fast cases pass.
    pub(crate) fn leave_out(&mut self, seconds: f64) {
        self.began += seconds;
    }
    /// This share of the case is done.
    pub(crate) fn within(&self, share: f64) {
        let Show::Bar(bar) = &self.show else { return };
        let left = (self.left - self.case * share).max(0.0);
        let done = 1.0 - left / self.total;
        bar.set_position((done.clamp(0.0, 1.0) * PARTS as f64) as u64);
        // Samples end more often than anybody reads.
        let seconds = (left * self.pace).round() as u64;
        if self.shown.replace(seconds) != seconds {
            // A long label is cut at its end: the time stands before it.
            bar.set_message(visible(&format!("about {seconds} s left, {}", self.label)));
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
                let left = ((self.left - self.case) * self.pace).max(0.0);
                let done = 100.0 * self.done;
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
