//! Programs get small pages, and a load from memory takes longer on them than on huge ones.
//!
//! Beyond the reach of the TLB every load waits for the page's translation first, which comes from caches or from memory. With
//! transparent huge pages on `madvise` only those who ask get them; most allocators do not. Where they are off altogether,
//! `thp_never` says so. It is told where even the shortest load on base pages is a tenth longer than the longest on huge ones.
//! Source: Linux, Documentation/admin-guide/mm/transhuge.rst.
use crate::cost::{Cost, Demand, Sure};
use crate::evidence::{Evidence, Missing};
use crate::facts::{THP, selected};
use crate::rule::{Finding, Rule};
use crate::words::{percent, time};

/// A smaller difference is not worth a setting.
const MORE: f64 = 1.1;

pub(crate) static RULE: Rule = Rule {
    title: "Small pages make loads from memory longer",
    demands: &[Demand::Latency],
    note: Some(
        "Huge pages for those who ask are the default of many systems, and programs within reach of the TLB need none.",
    ),
    check,
    cost,
};

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
    let setting = selected(evidence.text(THP)?);
    let [base, huge] = evidence.by_page()?;
    if setting != "madvise" || base.0 <= huge.1 * MORE {
        return Ok(None);
    }
    let middle = |(low, high): (f64, f64)| f64::midpoint(low, high);
    Ok(Some(Finding {
        claim: format!(
            "A random load from memory takes {} on base pages and {} on huge ones ({} less), and only programs that ask for huge pages get them.",
            time(middle(base)),
            time(middle(huge)),
            percent(1.0 - middle(huge) / middle(base))
        ),
        advice: "Let the program ask: GLIBC_TUNABLES=glibc.malloc.hugetlb=1, its own setting (huge_pages, large-pages, UseTransparentHugePages), or for all of them: echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled.".into(),
        confirm_with: "cpulens spread --prove with and without GLIBC_TUNABLES=glibc.malloc.hugetlb=1: the program takes as long".into(),
    }))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Missing> {
    let [base, huge] = evidence.by_page()?;
    Cost::between(
        0.0,
        1.0 - huge.0 / base.1,
        Sure::Measured,
        "From nothing, within reach of the TLB, to all that a random load is longer on base pages, by a program that does nothing else.",
    )
}
