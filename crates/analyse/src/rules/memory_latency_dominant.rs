//! A counted program waits for memory most of the time: its cycles per instruction go by the latency of a load.
//!
//! Cycles per instruction (CPI) of such a program are lines from memory per instruction times the cycles of a load, less what
//! overlaps; a faster frequency then brings little, and a nearer memory much. Told apart from bandwidth by the number of lines in
//! flight, in `cpulens stat`'s way. Source: A. Yasin, "A top-down method", ISPASS 2014; published point-select runs whose order
//! is that of memory latency and not of frequencies.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, counted};
use crate::program::{Limiter, Program, Whom};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{number, percent, time};
use record::Reason;

/// See the file's header.
#[derive(Debug)]
pub struct MemoryLatencyDominant;

impl Rule for MemoryLatencyDominant {
    fn title(&self) -> &'static str {
        "Memory latency takes most of a program's time"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let (programs, mut unknown) = (evidence.programs()?, None);
        let mut told = false;
        for p in &programs {
            match p.limiter.limiter {
                Limiter::MemoryLatency => return Ok(Some(finding(evidence, p))),
                Limiter::Unknown | Limiter::Memory => {
                    let why = p.limiter.evidence.last().cloned().unwrap_or_default();
                    unknown = Some(Missing(Reason::mended_by(
                        format!("what limits the counted program cannot be told: {why}"),
                        "cpulens stat where stalls and lines from memory are counted",
                    )));
                }
                _ => told = true,
            }
        }
        match unknown {
            Some(why) if !told => Err(why),
            _ => Ok(None),
        }
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Latency]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let programs = evidence.programs()?;
        let of = programs.iter().find(|p| p.limiter.limiter == Limiter::MemoryLatency);
        let waits = of.and_then(Program::waits).ok_or_else(|| {
            Missing(Reason::mended_by(
                "for how many of its cycles it waits was not counted",
                "cpulens stat on a processor whose stalls are counted",
            ))
        })?;
        Cost::between(
            0.0,
            waits,
            Sure::Derived,
            "From nothing, if its memory cannot be nearer or its loads overlap more, to all the cycles that it waits for memory.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "half of the cycles stalled on loads from memory, few lines in flight",
                build: |r| counted(r, &stalls(15e9, 0.1e9)),
                expect: Expect::Fires,
            },
            Example {
                about: "as many stalls, and as many lines in flight as a core can have: bandwidth",
                build: |r| counted(r, &stalls(15e9, 1.2e9)),
                expect: Expect::Clear,
            },
            Example {
                about: "nothing stalls it",
                build: |r| counted(r, &stalls(1e9, 0.01e9)),
                expect: Expect::Clear,
            },
            Example {
                about: "cycles and instructions only",
                build: |r| counted(r, &[("instructions", 9e9)]),
                expect: Expect::CannotTell,
            },
            Example { about: "no counted run", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

fn finding(evidence: &Evidence<'_>, p: &Program<'_>) -> Finding {
    let cpi = match &p.counted {
        Ok(counted) => format!(" at {} cycles per instruction", number(1.0 / counted.ipc())),
        Err(_) => String::new(),
    };
    let waited = p.waits().map_or("most".to_owned(), percent);
    let latency = match (evidence.level("memory"), &p.counted) {
        (Some(seconds), Ok(counted)) => format!(
            " A load from memory takes {} here, {:.0} of its cycles.",
            time(seconds),
            seconds * counted.frequency()
        ),
        _ => String::new(),
    };
    Finding {
        claim: format!(
            "The counted program waits for memory during {waited} of its cycles{cpi}: {}.{latency}",
            p.limiter.evidence.join("; ")
        ),
        advice: "Bring its memory near (bind each process to a node), give it huge pages, and keep what is used together on one line; a faster frequency brings little.".into(),
        confirm_with: if p.whom == Whom::Process {
            "cpulens stat --pid PID: loads from memory take less than a fifth of its cycles".into()
        } else {
            "cpulens stat -- COMMAND, its memory bound near: it takes as long".into()
        },
    }
}

/// Cycles stalled on loads from memory, and lines that came from there in ten seconds.
fn stalls(cycles: f64, lines: f64) -> Vec<(&'static str, f64)> {
    vec![
        ("instructions", 9e9),
        ("stall_frontend", 1e9),
        ("stall_backend", cycles + 1e9),
        ("stall_memory", cycles + 0.5e9),
        ("stall_l1_miss", cycles + 0.5e9),
        ("stall_l2_miss", cycles + 0.2e9),
        ("stall_l3_miss", cycles),
        ("fills_memory", lines),
    ]
}
