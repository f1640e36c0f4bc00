//! Programs may use only a part of a cache (CAT, resctrl).
//!
//! Cache allocation limits a class of programs to some ways of a cache. The administrator sets the classes. A program that
//! is in no other class is in the default one, which then has a smaller cache than the machine states. Source: Linux,
//! Documentation/filesystems/resctrl.rst.
use crate::rule::{Demand, Evidence, Finding, Reason, Rule};
use crate::say;

const PARTITION: &str = "cache.partition";
const SCHEMATA: &str = "cache.partition.schemata";
const WAYS: [(&str, &str); 2] =
    [("L3", "cache.partition.l3.ways"), ("L2", "cache.partition.l2.ways")];

pub(crate) static RULE: Rule = Rule::without_cost(
    say::PARTITIONED,
    &[Demand::Latency, Demand::Sharing],
    check,
    say::SMALLER_CACHE,
    Some(say::PARTITIONED_GAIN),
);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    if evidence.text(PARTITION)? != "mounted" {
        return Ok(None);
    }
    let schemata = evidence.text(SCHEMATA)?;
    let mut any_known = false;
    for (level, fact) in WAYS {
        let Some(fewest) = fewest(schemata, level) else { continue };
        let ways = evidence.number(fact)?;
        any_known = true;
        if f64::from(fewest) < ways {
            return Ok(Some(Finding::new(
                say::partitioned_claim(fewest, ways, level),
                say::PARTITIONED_ADVICE,
                say::PARTITIONED_CONFIRM,
            )));
        }
    }
    if any_known {
        return Ok(None);
    }
    Err(Reason::new(say::partitioned_none(SCHEMATA)))
}

/// The fewest ways that any instance of a cache gives: `L3:0=7ff;1=7ff`, one resource a word, code and data apart or not.
fn fewest(schemata: &str, level: &str) -> Option<u32> {
    let of = |word: &&str| {
        word.split_once(':')
            .is_some_and(|(name, _)| name == level || name == format!("{level}DATA"))
    };
    let masks = schemata.split_whitespace().filter(of).flat_map(|word| {
        let (_, masks) = word.split_once(':').unwrap_or_default();
        masks.split(';').filter_map(|m| u64::from_str_radix(m.split_once('=')?.1, 16).ok())
    });
    masks.map(u64::count_ones).min()
}
