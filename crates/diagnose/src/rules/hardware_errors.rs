//! The hardware reported errors while it was measured.
//!
//! Corrected errors of memory cost time: the controller repeats the access, and the kernel takes an interrupt or polls. Many of
//! them foretell a module that fails. Uncorrected errors and machine checks mean lost data. Source: Linux,
//! Documentation/driver-api/edac.rst; Schroeder et al., DRAM Errors in the Wild (SIGMETRICS 2009).
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use record::{Between, Text};

pub(crate) static RULE: Rule =
    Rule::without_cost(say::ERRORS, &Demand::ALL, check, say::ERRORS_COST, None);

type Words = fn(usize) -> Text;

const KINDS: [(&str, Words); 3] = [
    ("corrected", say::errors_corrected),
    ("uncorrected", say::errors_uncorrected),
    ("machine_checks", say::machine_checks),
];

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let sums =
        KINDS.map(|(kind, words)| (evidence.counted(&format!("hardware_errors.{kind}")), words));
    if let [(Err(why), _), (Err(_), _), (Err(_), _)] = &sums {
        return Err(why.clone());
    }
    let seen = sums.into_iter().filter_map(|(sum, words)| Some((sum.ok()?, words)));
    let seen: Vec<Text> =
        seen.filter(|(sum, _)| *sum > 0.0).map(|(sum, words)| words(sum as usize)).collect();
    Ok((!seen.is_empty()).then(|| {
        Finding::new(
            say::errors_claim(Text::list(seen, Between::Comma)),
            say::ERRORS_ADVICE,
            say::ERRORS_CONFIRM,
        )
    }))
}
