//! The same program that executes another number of instructions: its compiler, flags, libraries or version differ, and not
//! the machine. Source: run time = instructions / (frequency x IPC).
use super::amount;
use crate::explain::{Factor, Work};
use crate::words::number;
use record::ProbeId;

/// Counts of one and the same binary differ by less: what the kernel does on its behalf, and where a run begins.
const SAME: f64 = 1.03;

pub(super) fn sentence(a: &Work, b: &Work) -> Option<String> {
    // Of loops whose instructions assembly fixes there is nothing to find.
    if a.quantity.probe == ProbeId::CoreRate {
        return None;
    }
    let ratio = amount(a, Factor::Instructions)? / amount(b, Factor::Instructions)?;
    if (1.0 / SAME..=SAME).contains(&ratio) {
        return None;
    }
    let (more, times) = if ratio > 1.0 { ("more", ratio) } else { ("fewer", 1.0 / ratio) };
    let share = (b.rate / a.rate).max(a.rate / b.rate);
    Some(format!(
        "{} executes {} times as many instructions here ({more}): that is its compiler, flags, libraries or version and not the machine, and accounts for up to {} of the {} times between them. Run the same static binary on both.",
        super::named(&a.quantity),
        number(ratio),
        number(times),
        number(share)
    ))
}
