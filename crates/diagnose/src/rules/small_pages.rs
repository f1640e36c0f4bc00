//! Programs get base pages, and loads from memory are slower on them than on huge pages.
//!
//! Beyond the TLB reach every load waits for a page walk, which reads caches or memory. With transparent huge pages (THP)
//! on `madvise` only programs that ask get them; most allocators do not ask. Where THP are off, `thp_never` reports it. The
//! rule fires where even the shortest load on base pages is 10 % longer than the longest on huge pages. Source: Linux,
//! Documentation/admin-guide/mm/transhuge.rst.
use crate::facts::{THP, selected};
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::words::{percent, time};

/// A smaller difference is not worth a setting.
const MORE: f64 = 1.1;

pub(crate) static RULE: Rule = Rule::new("Small pages make loads from memory slower", &[Demand::Latency], check, cost).noted("Many systems give huge pages only on request by default, and programs within the TLB reach need none.");

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    let setting = selected(evidence.text(THP)?);
    let [base, huge] = evidence.by_page()?;
    if setting != "madvise" || base.0 <= huge.1 * MORE {
        return Ok(None);
    }
    let middle = |(low, high): (f64, f64)| f64::midpoint(low, high);
    Ok(Some(Finding::new(
        format!(
            "A random load from memory takes {} on base pages and {} on huge pages ({} less), and only programs that ask for huge pages get them.",
            time(middle(base)),
            time(middle(huge)),
            percent(1.0 - middle(huge) / middle(base))
        ),
        "Make the program ask: GLIBC_TUNABLES=glibc.malloc.hugetlb=1, its own setting (huge_pages, large-pages, UseTransparentHugePages), or for all of them: echo always | sudo tee /sys/kernel/mm/transparent_hugepage/enabled.",
        "cpulens spread --prove with and without GLIBC_TUNABLES=glibc.malloc.hugetlb=1: not confirmed if the program takes the same time",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    let [base, huge] = evidence.by_page()?;
    Cost::up_to(
        1.0 - huge.0 / base.1,
        Confidence::Measured,
        "From nothing, within the TLB reach, to the whole difference of a random load on base pages, for a program that does nothing else.",
    )
}
