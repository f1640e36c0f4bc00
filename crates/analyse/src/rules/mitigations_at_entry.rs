//! Mitigations of the processor's flaws run on each entry to the kernel or exit from it.
//!
//! Emptied buffers, IBRS that is written each time, guarded returns and retpolines make every system call, interrupt and switch
//! longer; those that the hardware does by itself (enhanced IBRS) do not. Whoever stays in user mode loses nothing. What they
//! cost here is not known without a boot with them off; what a program spends in the kernel altogether bounds it. Source: Linux,
//! Documentation/admin-guide/hw-vuln.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::rule::{Finding, Rule};
use crate::words::percent;
use record::Reason;

/// What the kernel calls those that it runs at each entry, exit or return; a following word of `NOT` makes them the hardware's.
const AT_ENTRY: &[&str] = &["Clear CPU buffers", "IBRS", "untrained return thunk", "Retpoline"];
const NOT: &[&str] = &["Enhanced", "Automatic"];
/// The flaws whose mitigations these are.
const FLAWS: &[&str] = &[
    "mds",
    "tsx_async_abort",
    "mmio_stale_data",
    "reg_file_data_sampling",
    "spectre_v2",
    "retbleed",
];
/// A program that is in the kernel for less of its time need not mind.
const SELDOM: f64 = 0.1;

pub(crate) static RULE: Rule = Rule {
    title: "Mitigations make system calls longer",
    demands: &[Demand::Kernel, Demand::Forks],
    note: Some(
        "The kernel does this by default on such a processor, and programs that stay in user mode lose nothing.",
    ),
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let mut missing = None;
    let mut at_work = vec![];
    let mut told = false;
    for flaw in FLAWS {
        match evidence.text(&format!("kernel.mitigations.{flaw}")) {
            Ok(words) => {
                told = true;
                at_work.extend(at_entry(words).map(|what| format!("{what} ({flaw})")));
            }
            Err(why) => missing = missing.or(Some(why)),
        }
    }
    if let (Some(why), false) = (missing, told) {
        return Err(why);
    }
    let kernel = in_kernel(evidence);
    if at_work.is_empty() || kernel.is_some_and(|share| share < SELDOM) {
        return Ok(None);
    }
    Ok(Some(Finding {
        claim: format!(
            "Every system call, interrupt or switch pays for mitigations: {}.",
            at_work.join(", ")
        ),
        advice: "Leave them on where foreign code runs. Otherwise call the system less often (batching, io_uring), use a processor that is not affected, or boot with mitigations=off and measure.".into(),
        confirm_with: "perf bench syscall basic, with and without mitigations=off on the kernel's command line: as long".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let share = in_kernel(evidence).ok_or_else(|| {
        Missing(Reason::mended_by(
            "they cost a program what they make its system calls longer, which no figure here tells",
            "cpulens stat -- COMMAND: the kernel's share of its time is the most that it can be",
        ))
    })?;
    Cost::between(
        0.0,
        share,
        Sure::Derived,
        format!(
            "Less than the {} of its time that the counted program spent in the kernel.",
            percent(share)
        ),
    )
}

/// What of the kernel's words runs at each entry.
fn at_entry(words: &str) -> Option<&'static str> {
    let ours = words.starts_with("Mitigation") && !NOT.iter().any(|not| words.contains(not));
    // IBPB is a matter of switches, and conditional most of the time.
    let first = words.split(';').next().filter(|_| ours)?;
    AT_ENTRY.iter().find(|what| first.contains(**what)).copied()
}

/// The kernel's share of the CPU time of the program that was counted, the largest of several.
fn in_kernel(evidence: &Evidence<'_>) -> Option<f64> {
    let programs = evidence.programs().ok()?;
    let share = programs.iter().filter_map(|p| {
        let cpu = p.cpu.as_ref().ok()?;
        Some(cpu.system? / cpu.all.max(1e-9))
    });
    share.reduce(f64::max)
}
