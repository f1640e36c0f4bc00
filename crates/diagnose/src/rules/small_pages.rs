//! Programs get base pages, and loads from memory are slower on them than on huge pages.
//!
//! Beyond the TLB reach every load waits for a page walk, which reads caches or memory. With transparent huge pages (THP)
//! on `madvise` only programs that ask get them; most allocators do not ask. Where THP are off, `thp_never` reports it. The
//! rule fires where even the shortest load on base pages is 10 % longer than the longest on huge pages. Source: Linux,
//! Documentation/admin-guide/mm/transhuge.rst.
use crate::facts::{THP, selected};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{percent, time};

/// A smaller difference is not worth a setting.
const MORE: f64 = 1.1;

pub(crate) static RULE: Rule =
    Rule::new(say::PAGES_TITLE, &[Demand::Latency], check, cost).noted(say::PAGES_NOTE);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let setting = selected(evidence.text(THP)?);
    let [base, huge] = evidence.by_page()?;
    if setting != "madvise" || base.0 <= huge.1 * MORE {
        return Ok(None);
    }
    let middle = |(low, high): (f64, f64)| f64::midpoint(low, high);
    Ok(Some(Finding::new(
        say::pages_claim(
            time(middle(base)),
            time(middle(huge)),
            percent(1.0 - middle(huge) / middle(base)),
        ),
        say::PAGES_ADVICE,
        say::PAGES_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let [base, huge] = evidence.by_page()?;
    Cost::up_to(1.0 - huge.0 / base.1, Confidence::Measured, say::PAGES_COST)
}
