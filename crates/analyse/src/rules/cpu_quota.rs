//! A quota of CPU time is smaller than the CPUs in sight.
//!
//! Programs size their thread pools by the CPUs they see; with a quota the kernel then stops all of them for the rest
//! of each period (100 ms by default), which shows as latency. Source: Linux, Documentation/scheduler/sched-bwc.rst.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, four_cpus};
use crate::facts::CPU_QUOTA;
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{count, plain};

/// See the file's header.
#[derive(Debug)]
pub struct CpuQuota;

impl Rule for CpuQuota {
    fn title(&self) -> &'static str {
        "A quota allows less CPU time than there are CPUs"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        // Without a limit the fact is a word.
        let Some(quota) = evidence.fact(CPU_QUOTA)?.number() else { return Ok(None) };
        let online = evidence.online_cpus()?;
        Ok((quota < online as f64).then(|| Finding {
            claim: format!(
                "A quota allows {} CPUs' worth of time while {} can be seen: with more threads than that, all of them are paused.",
                plain(quota),
                count(online, "CPU")
            ),
            advice: "Raise the quota, which is cpu.max of the cgroup, --cpus of docker run and limits.cpu of Kubernetes, or run fewer threads.".into(),
            confirm_with: "cat /sys/fs/cgroup/cpu.stat: nr_throttled stays still under load".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Cycles]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let quota = evidence.number(CPU_QUOTA)?;
        let lost = 1.0 - quota / evidence.online_cpus()? as f64;
        Cost::between(
            0.0,
            lost,
            Sure::Stated,
            "From nothing, with no more threads than the quota, to the CPU time that the quota takes from all CPUs.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "a container of 1.5 CPUs on 4",
                build: |r| {
                    four_cpus(r);
                    r.machine.set(CPU_QUOTA, 1.5, "example");
                },
                expect: Expect::Fires,
            },
            Example {
                about: "no limit",
                build: |r| {
                    four_cpus(r);
                    r.machine.set(CPU_QUOTA, "unlimited", "example");
                },
                expect: Expect::Clear,
            },
            Example { about: "cgroups out of sight", build: four_cpus, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}
