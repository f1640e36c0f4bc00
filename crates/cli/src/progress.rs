//! Progress on standard error: a bar with the time left on a terminal, one line per case elsewhere.
use crate::output::say;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    env,
    io::{self, IsTerminal},
};

/// Parts of the bar: fine enough to move several times in a case.
const PARTS: u64 = 10_000;

/// Tells how far a run has come. Drawn between samples, never during one.
#[derive(Debug)]
pub(crate) struct Progress {
    bar: Option<ProgressBar>,
    total: f64,
    left: f64,
    case: f64,
}

impl Progress {
    /// For a run of so many estimated seconds.
    pub(crate) fn new(total: f64) -> Progress {
        let plain = env::var_os("TERM").is_some_and(|t| t == "dumb");
        let bar = (io::stderr().is_terminal() && !plain).then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(PARTS), ProgressDrawTarget::stderr_with_hz(8));
            let colour = env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
            let template = if colour { "{bar:24.cyan} {msg}" } else { "{bar:24} {msg}" };
            bar.with_style(
                ProgressStyle::with_template(template)
                    .unwrap_or_else(|_| ProgressStyle::default_bar()),
            )
        });
        Progress { bar, total: total.max(0.1), left: total, case: 0.0 }
    }
    /// A case of `case` seconds begins, `left` seconds before the end.
    pub(crate) fn begins(&mut self, number: usize, of: usize, label: &str, case: f64, left: f64) {
        self.left = left;
        self.case = case;
        let line = format!("[{number}/{of}] {label}, about {left:.0} s left");
        match &self.bar {
            Some(bar) => {
                bar.set_message(line);
                self.within(0.0);
            }
            None => say(&line),
        }
    }
    /// This share of the case is done.
    pub(crate) fn within(&self, share: f64) {
        if let Some(bar) = &self.bar {
            let done = 1.0 - (self.left - self.case * share) / self.total;
            bar.set_position((done.clamp(0.0, 1.0) * PARTS as f64) as u64);
        }
    }
    /// A line above the bar.
    pub(crate) fn line(&self, line: &str) {
        match &self.bar {
            Some(bar) => bar.println(line),
            None => say(line),
        }
    }
    /// Takes the bar away.
    pub(crate) fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
