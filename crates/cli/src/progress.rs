//! Progress on standard error: a bar with the time left on a terminal, one line per case elsewhere.
use crate::output::visible;
use host::clock::{Clock as _, Monotonic};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::{
    env,
    io::{self, IsTerminal},
    sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc},
    thread,
    time::Duration,
};
use storage::say;

/// Parts of the bar: fine enough to move several times in a case.
const PARTS: u64 = 10_000;
/// The time between two drawings of a line that nobody else draws.
const SECOND: Duration = Duration::from_secs(1);

/// Tells how far a run has come. Drawn between samples, never during one, but for cases that others measure.
#[derive(Debug)]
pub(crate) struct Progress {
    show: Show,
    /// Whether finished cases leave a line on a terminal.
    verbose: bool,
    /// Seconds until the end when the case began, and those of the case.
    left: f64,
    case: f64,
    shown: Arc<Mutex<Shown>>,
    redrawing: Option<Redrawing>,
}

#[derive(Debug)]
enum Show {
    Bar(ProgressBar),
    Lines,
    Nothing,
}

/// What the line shows, and when that was known.
#[derive(Debug)]
struct Shown {
    /// It began with the run.
    clock: Monotonic,
    label: String,
    at: f64,
    /// Seconds left then, and those after the case.
    left: f64,
    after: f64,
    /// Seconds since the begin and seconds left as drawn last.
    drawn: (u64, u64),
}

impl Shown {
    /// Seconds left now.
    fn left(&self) -> f64 {
        (self.left - (self.clock.now() - self.at)).max(self.after)
    }
    /// Share of the time that has passed.
    fn done(&self) -> f64 {
        let passed = self.clock.now();
        (passed / (passed + self.left()).max(1e-9)).clamp(0.0, 1.0)
    }
    /// Draws it if a number differs: samples end more often than anybody reads.
    fn draw(&mut self, bar: &ProgressBar) {
        bar.set_position((self.done() * PARTS as f64) as u64);
        let drawn @ (passed, left) = (self.clock.now() as u64, self.left().round() as u64);
        if std::mem::replace(&mut self.drawn, drawn) != drawn {
            // A long label is cut at its end: the time stands before it.
            bar.set_message(visible(&format!("{passed} s, about {left} s left, {}", self.label)));
        }
    }
}

/// A thread that draws the line once a second until this is dropped.
#[derive(Debug)]
struct Redrawing {
    stop: Option<mpsc::Sender<()>>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Redrawing {
    /// Without a thread the line stands still, which is no failure.
    fn start(bar: &ProgressBar, shown: &Arc<Mutex<Shown>>) -> Redrawing {
        let (stop, stopped) = mpsc::channel::<()>();
        let (bar, shown) = (bar.clone(), Arc::clone(shown));
        let redraw = move || {
            while stopped.recv_timeout(SECOND) == Err(mpsc::RecvTimeoutError::Timeout) {
                locked(&shown).draw(&bar);
            }
        };
        let thread = thread::Builder::new().name("progress".into()).spawn(redraw).ok();
        Redrawing { stop: Some(stop), thread }
    }
}

impl Drop for Redrawing {
    fn drop(&mut self) {
        self.stop = None;
        self.thread.take().map(thread::JoinHandle::join);
    }
}

/// What a thread that panicked left is drawn all the same.
fn locked(shown: &Mutex<Shown>) -> MutexGuard<'_, Shown> {
    shown.lock().unwrap_or_else(PoisonError::into_inner)
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
        let shown = Shown {
            clock: Monotonic::new(),
            label: String::new(),
            at: 0.0,
            left: 0.0,
            after: 0.0,
            drawn: (u64::MAX, u64::MAX),
        };
        Progress {
            show,
            verbose: false,
            left: 0.0,
            case: 0.0,
            shown: Arc::new(Mutex::new(shown)),
            redrawing: None,
        }
    }
    /// Keeps a line of each finished case, or none, on a terminal.
    pub(crate) fn verbose(self, verbose: bool) -> Progress {
        Progress { verbose, ..self }
    }
    /// A case of `case` seconds begins, `left` seconds before the end. Where others measure it, it is drawn meanwhile.
    pub(crate) fn begins(&mut self, label: &str, case: f64, left: f64, by_others: bool) {
        self.redrawing = None;
        self.left = left;
        self.case = case;
        {
            let mut shown = locked(&self.shown);
            shown.label = label.to_owned();
            shown.drawn = (u64::MAX, u64::MAX);
        }
        self.within(0.0);
        if let (Show::Bar(bar), true) = (&self.show, by_others) {
            self.redrawing = Some(Redrawing::start(bar, &self.shown));
        }
    }
    /// This share of the case is done.
    pub(crate) fn within(&self, share: f64) {
        let Show::Bar(bar) = &self.show else { return };
        let mut shown = locked(&self.shown);
        shown.at = shown.clock.now();
        shown.after = (self.left - self.case).max(0.0);
        shown.left = (self.left - self.case * share).max(0.0);
        shown.draw(bar);
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
    pub(crate) fn ended(&mut self, lines: &[String]) {
        self.redrawing = None;
        match &self.show {
            Show::Bar(bar) if self.verbose => {
                lines.iter().for_each(|line| bar.println(visible(line)));
            }
            Show::Lines if !lines.is_empty() => {
                let what = lines.iter().map(|l| l.trim()).collect::<Vec<_>>().join("; ");
                let left = (self.left - self.case).max(0.0);
                let mut shown = locked(&self.shown);
                (shown.at, shown.left, shown.after) = (shown.clock.now(), left, left);
                let done = 100.0 * shown.done();
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
    pub(crate) fn finish(&mut self) {
        self.redrawing = None;
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
