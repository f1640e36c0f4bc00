//! Other programs use the CPUs while this one wants them.
//!
//! Whoever shares a CPU with a hog gets half of it, and whoever shares its caches and its memory gets less without sharing a
//! CPU. It is told where even the least of what was seen just before the run, or the mean while cases ran, is more than a quiet
//! Linux takes for itself. Source: proc_stat(5); the samplers' `contention.busy`, which leaves our own CPU time out.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, measured, noted};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{number, percent};
use record::{Better, Record, Series, Unit};

/// Housekeeping of a quiet Linux stays below 2 % of its CPUs; the same as for environment.
const BUSY: f64 = 0.05;

/// See the file's header.
#[derive(Debug)]
pub struct CpuContention;

impl Rule for CpuContention {
    fn title(&self) -> &'static str {
        "Other programs use the CPUs"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let (low, high) = evidence.others()?;
        if low <= BUSY {
            return Ok(None);
        }
        let cpus = evidence
            .online_cpus()
            .map_or(String::new(), |cpus| format!(", {} CPUs' worth", number(high * cpus as f64)));
        Ok(Some(Finding {
            claim: format!(
                "Other programs used up to {} of the CPUs{cpus}: what runs here shares them, their caches and the memory.",
                percent(high)
            ),
            advice: "Find them (top, systemd-cgtop) and stop them, move them to another machine, or give them CPUs of their own (cpuset.cpus) and a share (cpu.weight).".into(),
            confirm_with: "vmstat 1 while nothing of yours runs: us and sy stay near 0".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        Demand::ALL
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let (_, high) = evidence.others()?;
        Cost::between(
            0.0,
            high,
            Sure::Measured,
            "From nothing, by a program that leaves as many CPUs idle, to all the CPU time that they took.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "a hog on one CPU of two",
                build: |r| busy(r, 0.5),
                expect: Expect::Fires,
            },
            Example {
                about: "a hog that starts after the run",
                build: |r| {
                    busy(r, 0.01);
                    for _ in 0..3 {
                        measured(r, "core_rate", &[], vec![]);
                        noted(r, "contention.busy", Unit::Ratio, 0.4);
                        if let Some(run) = r.runs.last_mut() {
                            run.took = 1.0;
                        }
                    }
                },
                expect: Expect::Fires,
            },
            Example { about: "housekeeping", build: |r| busy(r, 0.01), expect: Expect::Clear },
            Example { about: "not looked at", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

fn busy(record: &mut Record, share: f64) {
    let mut series = Series::new("busy", Unit::Ratio, Better::Lower);
    series.samples = vec![share; 3];
    measured(record, "preflight", &[], vec![series]);
}
