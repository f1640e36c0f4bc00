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
use crate::words::{bytes, percent, time};

/// A smaller difference may be rows of memory that the order without misses keeps open.
const MORE: f64 = 1.1;

pub(crate) static RULE: Rule =
    Rule::new("The host backs huge pages with small ones", &[Demand::Latency], check, cost);

fn check(evidence: &Evidence<'_>) -> Result<Option<Finding>, Reason> {
    if evidence.text(HYPERVISOR)? == "none" || !evidence.huge_pages_split()? {
        return Ok(None);
    }
    let found = evidence.translation_on_huge_pages()?;
    if found.least <= found.spared * MORE {
        return Ok(None);
    }
    let from =
        found.over.map_or("from memory on".into(), |size| format!("over {} of", bytes(size)));
    Ok(Some(Finding::new(
        format!(
            "Huge pages miss the TLB as small ones do: the host maps this guest's memory in small pages. A random load {from} huge pages takes {}, of which up to {} is address translation.",
            time(found.seconds),
            percent(found.share())
        ),
        "Choose an instance type whose hosts use huge pages, or keep what is used together within a few pages. On the host, back the guest with huge pages (libvirt: memoryBacking hugepages; QEMU: memory-backend-file on hugetlbfs; Firecracker: huge_pages 2M).",
        "cpulens run --only tlb_reach,load_latency: not confirmed if huge pages are real",
    )))
}

fn cost(evidence: &Evidence<'_>) -> Result<Cost, Reason> {
    Cost::up_to(
        evidence.translation_on_huge_pages()?.share(),
        Confidence::Measured,
        "From nothing, within the TLB reach, to all that translation adds to a random load on huge pages: an upper bound, for the order without misses may also keep rows of memory open.",
    )
}
