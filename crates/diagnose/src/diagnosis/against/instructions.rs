//! The same program that executes another number of instructions: its compiler, flags, libraries or version differ, and not
//! the machine. Source: run time = instructions / (frequency x IPC).
use super::amount;
use crate::explain::{Factor, Work};
use crate::say;
use crate::words::number;
use record::{ProbeId, Text};

/// Counts of one and the same binary differ by less: what the kernel does on its behalf, and where a run begins.
const SAME: f64 = 1.03;

pub(super) fn sentence(a: &Work, b: &Work) -> Option<Text> {
    // Of loops whose instructions assembly fixes there is nothing to find.
    if a.quantity.probe == ProbeId::CoreRate {
        return None;
    }
    let ratio = amount(a, Factor::Instructions)? / amount(b, Factor::Instructions)?;
    if (1.0 / SAME..=SAME).contains(&ratio) {
        return None;
    }
    let share = (b.rate / a.rate).max(a.rate / b.rate);
    let (name, share) = (super::named(&a.quantity), number(share));
    Some(match ratio > 1.0 {
        true => say::more_instructions(name, number(ratio), number(ratio), share),
        false => say::fewer_instructions(name, number(ratio), number(1.0 / ratio), share),
    })
}
