//! Whether counts can be of the program they are said to be of: its cycles fit into its time on CPUs at a frequency that
//! exists. Counts of a whole machine do not: they have been printed as a program's IPC often enough.
use crate::say;
use estimates::words;
use record::{Reason, Text};

/// No core is sold that runs faster, in hertz.
const FASTEST: f64 = 6.5e9;
/// The frequency that is advertised is often the base; boost is at most so many times that.
const BOOST: f64 = 2.1;
/// A core that is counted all of its time runs at a tenth of what is advertised, at least.
const SLOWEST: f64 = 0.1;
/// The least frequency of a core where none is advertised, in hertz.
const SLOWEST_OF_ALL: f64 = 1e8;
/// Accounts of the kernel are rounded to ticks.
const SLACK: f64 = 1.05;
/// No core retires more in a cycle.
const WIDEST: f64 = 16.0;

/// Counts, and the time that they are said to be of.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Claim {
    /// Cycles counted.
    pub cycles: f64,
    /// Instructions counted.
    pub instructions: f64,
    /// Seconds from start to end.
    pub elapsed: f64,
    /// CPU seconds of the program, where they are known.
    pub cpu: Option<f64>,
    /// The number of CPUs that it can have used at once.
    pub threads: f64,
    /// The frequency that the CPU is sold with, in hertz.
    pub advertised: Option<f64>,
}

/// The result of a [`Claim`].
#[derive(Debug, Clone, PartialEq)]
pub enum Identity {
    /// The counts can be of it; the frequency that they imply, in hertz.
    Holds(f64),
    /// They cannot, and why.
    Impossible(Text),
    /// There are none.
    Unknown(Reason),
}

/// Compares cycles with elapsed time, frequency and CPUs.
pub fn check(claim: &Claim) -> Identity {
    let numbers = [claim.cycles, claim.instructions, claim.elapsed, claim.cpu.unwrap_or(0.0)];
    if numbers.iter().any(|n| !n.is_finite() || *n < 0.0) {
        return Identity::Impossible(say::COUNTS_NO_NUMBERS.into());
    }
    let room = claim.elapsed * claim.threads;
    let time = |seconds: f64| words::time(seconds);
    if let Some(cpu) = claim.cpu.filter(|cpu| *cpu > room * SLACK + 0.02) {
        return Identity::Impossible(say::counts_do_not_fit(
            time(cpu),
            time(claim.elapsed),
            claim.threads,
        ));
    }
    let seconds = claim.cpu.unwrap_or(room).min(room * SLACK);
    let frequency = claim.cycles / seconds.max(1e-9);
    let most = claim.advertised.map_or(FASTEST, |frequency| (frequency * BOOST).min(FASTEST));
    if frequency > most {
        let times = frequency / claim.advertised.unwrap_or(FASTEST);
        return Identity::Impossible(say::counts_of_others(
            format!("{times:.1}"),
            time(seconds),
            words::frequency(frequency),
        ));
    }
    let least = claim.advertised.map_or(SLOWEST_OF_ALL, |frequency| frequency * SLOWEST);
    // In user mode alone a program of few instructions has little of its time.
    if frequency < least && claim.cpu.is_some() {
        return Identity::Impossible(say::counts_not_all_time(words::frequency(frequency)));
    }
    let ipc = claim.instructions / claim.cycles.max(1.0);
    if ipc > WIDEST {
        return Identity::Impossible(say::counts_too_wide(format!("{ipc:.1}")));
    }
    Identity::Holds(frequency)
}
