//! Two programs that take turns: both stay connected, and the other one is stopped (SIGSTOP). A window is half a
//! second or a second, short beside what a busy host does to both, and there are many of them; the two windows of a pair
//! follow each other, in alternating order. What was done in a window is what the server counted, not what the programs say.
use host::{
    clock::{Clock, Monotonic},
    usage,
};
use record::CpuSet;
use std::{
    fs,
    io::{BufRead, BufReader, Write},
    process::{Child, ChildStdin, ChildStdout, Command, Stdio},
    thread,
    time::Duration,
};

/// The time after a program's stop in which the server answers pending queries.
const SETTLE: Duration = Duration::from_millis(10);

/// Sends signals without starting a program for each: a shell's own `kill`.
pub(crate) struct Signals {
    shell: Child,
    words: ChildStdin,
    done: BufReader<ChildStdout>,
}

impl Signals {
    pub(crate) fn new() -> Signals {
        let mut shell = Command::new("sh");
        let mut shell = shell.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let words = shell.stdin.take().unwrap();
        let done = BufReader::new(shell.stdout.take().unwrap());
        Signals { shell, words, done }
    }
    fn send(&mut self, name: &str, pid: u32) {
        writeln!(self.words, "kill -{name} {pid}; echo").unwrap();
        self.done.read_line(&mut String::new()).unwrap();
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        let _ = self.shell.kill();
        let _ = self.shell.wait();
    }
}

/// A program that asks until it is killed.
pub(crate) struct Side(Child);

impl Side {
    /// Starts it, lets it run for a while and stops it.
    pub(crate) fn start(mut command: Command, warm: f64, signals: &mut Signals) -> Side {
        let command = command.stdout(Stdio::null()).stderr(Stdio::inherit());
        let mut side = Side(command.spawn().unwrap());
        thread::sleep(Duration::from_secs_f64(warm));
        assert!(side.0.try_wait().unwrap().is_none(), "it ended before its first turn");
        signals.send("STOP", side.0.id());
        thread::sleep(SETTLE);
        side
    }
}

impl Drop for Side {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Seconds of CPU of all threads of a process, to the nanosecond while none of them runs.
fn cpu_seconds(pid: u32) -> f64 {
    let tasks = fs::read_dir(format!("/proc/{pid}/task")).unwrap().filter_map(Result::ok);
    let of = |task: fs::DirEntry| -> Option<f64> {
        let accounts = fs::read_to_string(task.path().join("schedstat")).ok()?;
        Some(accounts.split_whitespace().next()?.parse::<f64>().ok()? * 1e-9)
    };
    tasks.filter_map(of).sum()
}

/// Times that its threads gave their CPU up, or had it taken.
fn switches(pid: u32) -> f64 {
    let used = usage::process_usage(pid).unwrap();
    (used.ctx_voluntary + used.ctx_involuntary) as f64
}

/// Seconds that the CPUs of the pairs were busy, or stolen.
fn busy(cpus: &CpuSet) -> f64 {
    let times = usage::cpu_times().unwrap();
    let of = |cpu| times.per_cpu.get(&cpu).map_or(0.0, |one| one.busy + one.steal);
    cpus.iter().map(of).sum()
}

/// The result of a window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    /// Events a second.
    pub(crate) rate: f64,
    /// Microseconds of CPU time an event, of the program and of the server.
    pub(crate) client: f64,
    pub(crate) server: f64,
    /// Times that a thread of the program gave its CPU up, or had it taken, an event.
    pub(crate) switches: f64,
    /// Share of a CPU that others had.
    pub(crate) others: f64,
}

/// The windows of two sides, and who the server is.
pub(crate) struct Turns<'a> {
    pub(crate) signals: &'a mut Signals,
    pub(crate) server: u32,
    pub(crate) seconds: f64,
    pub(crate) pairs: usize,
    /// CPUs of the server and of the sides.
    pub(crate) cpus: CpuSet,
}

impl Turns<'_> {
    fn window(&mut self, side: &Side, count: &mut dyn FnMut() -> f64) -> Window {
        let clock = Monotonic::new();
        let pid = side.0.id();
        let mut state = || (count(), cpu_seconds(pid), cpu_seconds(self.server), switches(pid));
        let (count, client, server, switches) = state();
        let (from, busy_before) = (clock.now(), busy(&self.cpus));
        self.signals.send("CONT", pid);
        thread::sleep(Duration::from_secs_f64(self.seconds));
        self.signals.send("STOP", pid);
        let took = clock.now() - from;
        let busy = busy(&self.cpus) - busy_before;
        thread::sleep(SETTLE);
        let (after, client_after, server_after, switches_after) = state();
        let events = after - count;
        assert!(events > 0.0, "nothing was done in a window");
        let (client, server) = (client_after - client, server_after - server);
        Window {
            rate: events / took,
            client: client / events * 1e6,
            server: server / events * 1e6,
            switches: (switches_after - switches) / events,
            others: ((busy - client - server) / took).max(0.0),
        }
    }

    /// Pairs of windows: the first side's and the second's, each counted by its own.
    pub(crate) fn pairs(
        &mut self,
        sides: [&Side; 2],
        counts: [&mut dyn FnMut() -> f64; 2],
    ) -> Vec<[Window; 2]> {
        let [one, other] = counts;
        (0..self.pairs)
            .map(|pair| match pair % 2 {
                0 => {
                    let first = self.window(sides[0], one);
                    [first, self.window(sides[1], other)]
                }
                _ => {
                    let second = self.window(sides[1], other);
                    [self.window(sides[0], one), second]
                }
            })
            .collect()
    }
}
