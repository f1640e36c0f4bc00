//! A core computes wrong results.
//!
//! `run --verify` compares the results of all kernels with known answers on every core. One wrong result is a defect of that
//! core, its voltage or its memory path, and any program's data may be wrong without a word. Such cores are about one in several
//! thousand; they often fail for one kind of instruction only. Source: Dixit et al., Silent Data Corruptions at Scale (2021);
//! Hochschild et al., Cores that don't count (HotOS 2021).
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::count;
use estimates::verified::verified;
use record::{Between, CpuSet, ProbeId, Text};

pub(crate) static RULE: Rule =
    Rule::without_cost(say::WRONG_TITLE, &Demand::ALL, check, say::WRONG_COST, None);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let readings = evidence.readings(ProbeId::Verify)?;
    let mut classes = verified(readings);
    let checked: f64 = classes.values().map(|of| of.checked).sum();
    classes.retain(|_, of| of.wrong > 0.0);
    if classes.is_empty() {
        return Ok(None);
    }
    let wrong: f64 = classes.values().map(|of| of.wrong).sum();
    let places = classes
        .iter()
        .map(|(class, of)| say::wrong_on(class.replace('_', " "), of.cpus.to_string()));
    let places = Text::list(places, Between::Comma);
    let all: CpuSet = classes.values().flat_map(|of| of.cpus.iter()).collect();
    let all = all.to_string();
    Ok(Some(Finding::new(
        say::wrong_claim(count(wrong as usize, "result"), format!("{checked:.0}"), places),
        say::wrong_advice(&all),
        say::wrong_verify(&all),
    )))
}
