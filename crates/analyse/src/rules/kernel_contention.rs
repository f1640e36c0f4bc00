//! Tests of the kernel fall with copies while Dhrystone and Whetstone do not.
//!
//! Copies of a system call that share nothing of their own wait in the kernel for each other: reference counts of files and
//! dentries, the page allocator, locks of the address space and of pipes. The signature is a test whose copies each do far less
//! than one alone, that spends its time in the kernel, beside two tests of pure computation that keep theirs; so it is neither
//! the CPU nor memory. Source: UnixBench with one and 160 copies, where file copies fell to a third and system calls rose 5
//! times, while Dhrystone rose 160 times.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, bench};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::unixbench::{Scaled, ScalingVerdict};
use crate::words::{number, percent};
use record::{Reason, Record};

/// Share of what one copy does alone from which on each of many does enough.
const LESS: f64 = 0.8;

/// See the file's header.
#[derive(Debug)]
pub struct KernelContention;

impl Rule for KernelContention {
    fn title(&self) -> &'static str {
        "Copies wait for each other in the kernel"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let held = held(evidence)?;
        let Some(worst) = held.first() else { return Ok(None) };
        let names: Vec<String> =
            held.iter().map(|s| format!("{} ({} times)", s.test.id, number(s.times))).collect();
        Ok(Some(Finding {
            claim: format!(
                "With {} copies each of these does less than one alone, and waits in the kernel, while computation keeps its pace: {}.",
                worst.copies,
                names.join(", ")
            ),
            advice: "See where with perf top -g beside the test; give each copy files, directories and address spaces of its own (processes instead of threads), cache what is opened and forked over and over, and try a newer kernel.".into(),
            // Without a test that shares nothing nobody could tell.
            confirm_with: format!("cpulens unixbench dhry2reg {} --copies 1,{}, on an idle machine: each copy does as much", worst.test.id, worst.copies),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Kernel, Demand::Forks]
    }

    fn cost(&self, evidence: &Evidence<'_>) -> Result<Cost, Missing> {
        let held = held(evidence)?;
        let worst = held.first().ok_or_else(Missing::figure)?;
        Cost::between(
            0.0,
            1.0 - worst.efficiency,
            Sure::Derived,
            format!(
                "From nothing, for what calls the system seldom, to what {} loses with {} copies, which does nothing else.",
                worst.test.id, worst.copies
            ),
        )
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "eight copies open files as often as two, and compute eight times as much",
                build: |r| copies(r, 8.0, 2.0, 0.9),
                expect: Expect::Fires,
            },
            Example {
                about: "both rise eight times",
                build: |r| copies(r, 7.9, 7.8, 0.9),
                expect: Expect::Clear,
            },
            Example {
                about: "both fall: shared cores or a falling frequency",
                build: |r| copies(r, 4.0, 3.9, 0.9),
                expect: Expect::Clear,
            },
            Example {
                about: "one copy only",
                build: |r| bench(r, "syscall", "none", 1, &[1e6; 3], 0.9),
                expect: Expect::CannotTell,
            },
            Example { about: "not run", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

/// The tests that the kernel holds back, the worst first.
fn held(evidence: &Evidence<'_>) -> Result<Vec<Scaled>, Missing> {
    let mut all = evidence.unixbench()?.bandwidth_scalings;
    let telling = |s: &Scaled| {
        !matches!(s.verdict, ScalingVerdict::CannotTell | ScalingVerdict::Disturbed(_))
    };
    if !all.iter().any(telling) {
        return Err(Missing(Reason::mended_by(
            "no test was run with one copy and with several, undisturbed, beside Dhrystone and Whetstone",
            "cpulens unixbench --copies 1,N",
        )));
    }
    for s in &all {
        evidence.noted(format!(
            "{} with {} copies: {} times one ({})",
            s.test.id,
            s.copies,
            number(s.times),
            percent(s.efficiency)
        ));
    }
    all.retain(|s| matches!(s.verdict, ScalingVerdict::Kernel(_)) && s.efficiency < LESS);
    all.sort_by(|a, b| a.efficiency.total_cmp(&b.efficiency));
    Ok(all)
}

/// One copy and eight, of a computation and of system calls.
fn copies(record: &mut Record, computing: f64, calling: f64, kernel: f64) {
    for (copies, computing, calling) in [(1, 1.0, 1.0), (8, computing, calling)] {
        bench(record, "dhry2reg", "none", copies, &[1e8 * computing; 3], 0.0);
        bench(record, "syscall", "none", copies, &[1e6 * calling; 3], kernel);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{estimate, evidence, observed::Observed, rule::Verdict};

    /// The test that is doubted alone could be judged by nothing.
    #[test]
    fn what_would_prove_it_wrong_has_a_test_that_shares_nothing() {
        let mut record = crate::example::empty();
        copies(&mut record, 8.0, 2.0, 0.9);
        let estimates = estimate::estimates(&record);
        let seen = Observed { record: &record, estimates: &estimates };
        let verdict = evidence::judge(&KernelContention, &Evidence::over(seen));
        let Verdict::Fires { finding, .. } = verdict else { panic!("{verdict:?}") };
        let command = "cpulens unixbench dhry2reg syscall --copies 1,8,";
        assert!(finding.confirm_with.starts_with(command), "{}", finding.confirm_with);
    }
}
