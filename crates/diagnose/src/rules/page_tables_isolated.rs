//! Every system call and interrupt switches page tables (KPTI).
//!
//! KPTI protects kernel memory on processors that Meltdown affects. Programs with few system calls lose next to nothing.
//! Programs with many lose some per cent, more where the TLB has no process identifiers (PCID). Source: Linux,
//! Documentation/arch/x86/pti.rst; B. Gregg, "KPTI/KAISER Meltdown Initial Performance Regressions" (0.1 to 6 % on a
//! service's mix of system calls).
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use record::Value;

const KPTI: &str = "kernel.kpti";

pub(crate) static RULE: Rule = Rule::new("System calls switch page tables", &[Demand::Kernel, Demand::Forks], check, cost).noted("The kernel does this by default on such a processor, and programs that stay in user mode lose next to nothing.");

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let Value::Bool(on) = evidence.fact(KPTI)? else {
        return Err(Reason::new(format!("{KPTI} is neither yes nor no")));
    };
    Ok(on.then(|| Finding::new(
        "Kernel page-table isolation (KPTI) is on: every system call and interrupt switches page tables.",
        "Leave it on where untrusted code runs. Otherwise make fewer system calls (batching, io_uring), use huge pages against the TLB misses that follow, or boot with pti=off and measure.",
        "perf bench syscall basic, with and without pti=off on the kernel's command line",
    )))
}

fn cost(_: &Evidence<'_>) -> Result<Cost, Reason> {
    Cost::between(
        0.001,
        0.06,
        Confidence::Stated,
        "Published for a service's mix of system calls, 0.1 to 6 %. It was not measured here.",
    )
}
