//! The host maps this guest's memory in small pages, also where the guest has huge ones.
//!
//! A TLB entry of a guest covers the smaller of two pages: the guest's, and the one by which the host maps it. Where the host
//! uses 4 KiB pages, huge pages of the guest shorten a walk through the page tables and spare none, and random loads beyond the
//! reach of the TLB wait for translation whatever the guest does. The rule fires in a virtual machine where small pages inside
//! of huge ones miss the first-level TLB as base pages do, and a random load on huge pages takes 10 % longer than one that
//! misses no TLB. Source: AMD64 Architecture Programmer's Manual, volume 2, 15.25; Intel SDM,
//! volume 3, 29.4.
use crate::facts::HYPERVISOR;
use crate::rule::{Confidence, Cost, Demand, Evidence, Finding, Reason, Rule};
use crate::say;
use crate::words::{bytes, percent, time};

/// A smaller difference may be rows of memory that the order without misses keeps open.
const MORE: f64 = 1.1;

pub(crate) static RULE: Rule = Rule::new(say::HOST_PAGES_TITLE, &[Demand::Latency], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    if evidence.text(HYPERVISOR)? == "none" || !evidence.huge_pages_split()? {
        return Ok(None);
    }
    let found = evidence.translation_on_huge_pages()?;
    if found.least <= found.spared * MORE {
        return Ok(None);
    }
    let (load, share) = (time(found.seconds), percent(found.share()));
    Ok(Some(Finding::new(
        match found.over {
            Some(size) => say::host_pages_claim_over(bytes(size), load, share),
            None => say::host_pages_claim(load, share),
        },
        say::HOST_PAGES_ADVICE,
        say::HOST_PAGES_VERIFY,
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    Cost::up_to(
        evidence.translation_on_huge_pages()?.share(),
        Confidence::Measured,
        say::HOST_PAGES_COST,
    )
}
