//! A cpuset leaves fewer CPUs than are online.
//!
//! Programs that count the machine's CPUs (/proc/cpuinfo, sysconf) start a thread for each, and these share what the cpuset
//! leaves. Unlike a quota it pauses nobody. Source: Linux, Documentation/admin-guide/cgroup-v2.rst, "Cpuset".
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, four_cpus};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::count;
use record::{CpuSet, Reason, Record};

const CPUSET: &str = "limits.cpuset";

/// See the file's header.
#[derive(Debug)]
pub struct CpusetSmaller;

impl Rule for CpusetSmaller {
    fn title(&self) -> &'static str {
        "A cpuset leaves fewer CPUs than there are"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let Some((left, online)) = left(evidence)? else { return Ok(None) };
        Ok((left < online).then(|| Finding {
            claim: format!(
                "A cpuset leaves {} of the {} that are online: programs that start a thread for each CPU start too many.",
                left,
                count(online, "CPU")
            ),
            advice: "Widen cpuset.cpus of the cgroup (docker --cpuset-cpus), or tell programs how many threads to start (OMP_NUM_THREADS, GOMAXPROCS, worker_processes).".into(),
            confirm_with: "cat /sys/fs/cgroup/cpuset.cpus.effective, and nproc --all".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Cycles]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let (left, online) = left(evidence)?.ok_or_else(Missing::figure)?;
        Cost::between(
            0.0,
            1.0 - left as f64 / online as f64,
            Sure::Stated,
            "From nothing, by a program with no more threads than it leaves, to the CPUs that it takes.",
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "two of four CPUs",
                build: |r| limited(r, "0-1"),
                expect: Expect::Fires,
            },
            Example { about: "all four", build: |r| limited(r, "0-3"), expect: Expect::Clear },
            Example {
                about: "no cpuset",
                build: |r| limited(r, "unlimited"),
                expect: Expect::Clear,
            },
            Example { about: "cgroups out of sight", build: four_cpus, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

/// CPUs that it leaves, and those online; nothing where there is none.
fn left(evidence: &Evidence<'_>) -> Result<Option<(usize, usize)>, Missing> {
    let text = evidence.text(CPUSET)?;
    if text == "unlimited" {
        return Ok(None);
    }
    let set: CpuSet = text.parse().map_err(|e| Missing(Reason::new(format!("{CPUSET}: {e}"))))?;
    Ok(Some((set.len(), evidence.online_cpus()?)))
}

fn limited(record: &mut Record, set: &str) {
    four_cpus(record);
    record.machine.set(CPUSET, set, "example");
}
