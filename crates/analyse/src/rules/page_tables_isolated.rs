//! Page tables are switched on every system call and interrupt (KPTI).
//!
//! It keeps processors that Meltdown affects from leaking the kernel's memory. Programs that call the system seldom lose
//! next to nothing; those that do so all the time lose some per cent, more where the TLB has no process identifiers (PCID).
//! Source: Linux, Documentation/arch/x86/pti.rst; B. Gregg, "KPTI/KAISER Meltdown Initial Performance Regressions" (0.1 to
//! 6 % on a service's mix of system calls).
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use record::{Reason, Value};

const KPTI: &str = "kernel.kpti";

pub(crate) static RULE: Rule = Rule {
    title: "System calls switch page tables",
    demands: &[Demand::Kernel, Demand::Forks],
    note: Some(
        "The kernel does this by default on such a processor, and programs that stay in user mode lose next to nothing.",
    ),
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let Value::Bool(on) = evidence.fact(KPTI)? else {
        return Err(Missing(Reason::new(format!("{KPTI} is neither yes nor no"))));
    };
    Ok(on.then(|| Finding {
        claim: "Page-table isolation is at work (KPTI): every system call and interrupt switches page tables.".into(),
        advice: "Leave it on where foreign code runs. Otherwise call the system less often (batching, io_uring, huge pages for the TLB misses that follow), or boot with pti=off and measure.".into(),
        confirm_with: "perf bench syscall basic, with and without pti=off on the kernel's command line".into(),
    }))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Missing> {
    Cost::between(
        0.001,
        0.06,
        Sure::Stated,
        "Published of a service's mix of system calls, 0.1 to 6 %; it was not measured here.",
    )
}
