//! Tests of the kernel fall with more copies while Dhrystone and Whetstone scale.
//!
//! Copies of a system call that share no data of their own contend in the kernel: reference counts of files and dentries,
//! the page allocator, locks of address spaces and pipes. The sign is a test that spends its time in the kernel and whose
//! copies each do far less than one alone, beside two tests of pure computation that scale. The cause is then neither the
//! CPU nor memory. Source: UnixBench with one and 160 copies: file copies fell to a third and system calls rose 5 times,
//! while Dhrystone rose 160 times.
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule, no_figure};
use crate::say;
use crate::unixbench::{Scaled, ScalingVerdict};
use crate::words::{number, percent};
use record::{Between, Sort, Text};

/// Share of what one copy does alone from which on each of many does enough.
const LESS: f64 = 0.8;

pub(crate) static RULE: Rule =
    Rule::new(say::KERNEL_TITLE, &[Demand::Kernel, Demand::Forks], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let held = held(evidence)?;
    let Some(worst) = held.first() else { return Ok(None) };
    let names = held.iter().map(|s| say::kernel_test(s.test.id.as_str(), number(s.times)));
    Ok(Some(Finding::new(
        say::kernel_claim(worst.copies, Text::list(names, Between::Comma)),
        say::KERNEL_ADVICE,
        // The verdict needs a test that shares nothing.
        say::kernel_verify(worst.test.id.as_str(), worst.copies),
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let held = held(evidence)?;
    let worst = held.first().ok_or_else(no_figure)?;
    Cost::up_to(
        1.0 - worst.efficiency,
        Confidence::Derived,
        say::kernel_cost(worst.test.id.as_str(), worst.copies),
    )
}

/// The tests that the kernel holds back, the worst first.
fn held(evidence: &Evidence<'_>) -> Result<Vec<Scaled>, Reason> {
    let mut all = evidence.unixbench()?.scalings.clone();
    let telling = |s: &Scaled| {
        !matches!(s.verdict, ScalingVerdict::CannotTell | ScalingVerdict::Disturbed(_))
    };
    if !all.iter().any(telling) {
        return Err(Reason::mended_by(say::KERNEL_MISSING, "cpulens unixbench --copies 1,N"));
    }
    for s in &all {
        evidence.note(say::kernel_read(
            s.test.id.as_str(),
            s.copies,
            number(s.times),
            percent(s.efficiency),
        ));
    }
    all.retain(|s| {
        matches!(s.verdict, ScalingVerdict::Kernel(_) | ScalingVerdict::KernelByDesign)
            && s.efficiency < LESS
    });
    all.order_by(|a, b| a.efficiency.total_cmp(&b.efficiency));
    Ok(all)
}
