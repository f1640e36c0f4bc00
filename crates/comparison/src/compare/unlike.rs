//! Finds what is unlike about two records or two values.
use super::{Cell, Side};
use crate::conditions::Traits;
use crate::incomparable::{Incomparable, MEMORY, ours_beside};
use crate::quantities::Quantity;
use record::{Environment, Unit, param};

/// Shares of pages nearer than this are alike: what a program's own small buffers make of them.
const SHARE: f64 = 0.1;

/// Differences of two whole records.
pub(super) fn of_records(base: &Side, side: &Side) -> Vec<Incomparable> {
    let (a, b): (&Traits, &Traits) = (&base.traits, &side.traits);
    let mut found = vec![];
    for (whose, of) in [("the baseline", base), ("this record", side)] {
        if of.environment != Environment::Pass {
            let why = of.doubt.as_ref().map_or("no reason is given", |r| r.why.as_str());
            let word = if of.environment == Environment::Fail { "FAIL" } else { "WARN" };
            let why = format!("the environment check of {whose} says {word}: {why}");
            found.push(Incomparable::Unfit(of.environment, why));
        }
    }
    if a.tool != b.tool {
        found.push(Incomparable::Tool(a.tool.clone(), b.tool.clone()));
    } else if a.version != b.version {
        found.push(Incomparable::Version(a.version.clone(), b.version.clone()));
    }
    if let (Some(x), Some(y)) = (&a.kernels, &b.kernels)
        && x != y
    {
        found.push(Incomparable::Kernels);
    }
    if let (Some(x), Some(y)) = (&a.depth, &b.depth)
        && x != y
    {
        found.push(Incomparable::Depth(x.clone(), y.clone()));
    }
    if let (Some(x), Some(y)) = (&a.hypervisor, &b.hypervisor)
        && x != y
    {
        found.push(Incomparable::Host(x.clone(), y.clone()));
    }
    found
}

/// Differences of two values, the gravest first.
pub(super) fn of_cells(quantity: &Quantity, base: &Cell, cell: &Cell) -> Vec<Incomparable> {
    let (a, b) = (&base.conditions, &cell.conditions);
    let mut found = vec![];
    match (a.equivalent, b.equivalent) {
        (Some(row), None) => found.push(ours_beside(row, a.version)),
        (None, Some(row)) => found.push(ours_beside(row, b.version)),
        _ if a.version != b.version => found.push(Incomparable::Definition(a.version, b.version)),
        _ => {}
    }
    if !a.meant || !b.meant {
        found.push(Incomparable::Meaning);
    }
    let usable = |x: f64| x.is_finite() && x > 0.0;
    if !usable(base.median) || !usable(cell.median) || !(cell.median / base.median).is_normal() {
        found.push(Incomparable::NoRatio);
    }
    // A number of a node is left where nothing tells its distance.
    if param::MEMORY_NODE.is_in(&quantity.at) {
        found.push(Incomparable::Distance);
    }
    if let (Some(x), Some(y)) = (&a.content, &b.content)
        && x != y
    {
        found.push(Incomparable::Content(x.clone(), y.clone()));
    }
    if let (Some(x), Some(y)) = (a.llc_ratio, b.llc_ratio)
        && (x < MEMORY) != (y < MEMORY)
    {
        let sized = quantity.along().is_some();
        found.push(if sized { Incomparable::Reach(x, y) } else { Incomparable::Footprint(x, y) });
    }
    match (a.pages, b.pages) {
        (Some(x), Some(y)) if x != y => found.push(Incomparable::Pages(x, y)),
        _ => {
            if let (Some(x), Some(y)) = (a.huge_share, b.huge_share)
                && (x - y).abs() > SHARE
            {
                found.push(Incomparable::HugeShare(x, y));
            }
        }
    }
    if let (Some(x), Some(y)) = (a.base_page, b.base_page)
        && x != y
    {
        found.push(Incomparable::BasePage(x, y));
    }
    if let (Some(x), Some(y)) = (a.local_share, b.local_share)
        && (x - y).abs() > SHARE
    {
        found.push(Incomparable::Placement(x, y));
    }
    if let (Some(x), Some(y)) = (a.across_caches, b.across_caches)
        && x != y
    {
        found.push(Incomparable::Caches(x));
    }
    if a.states > 1 || b.states > 1 {
        found.push(Incomparable::States(a.states, b.states));
    }
    let all = param::ONE_OR_ALL.of(&quantity.at) == Some("all");
    if all && a.whole != b.whole {
        found.push(Incomparable::Part((a.cores, a.whole), (b.cores, b.whole)));
    }
    if a.cpus != b.cpus && a.cpus > 0 && b.cpus > 0 {
        let (x, y) = (a.cpus, b.cpus);
        found.push(if adds_up(quantity.unit) {
            Incomparable::Threads(x, y)
        } else {
            Incomparable::Crowd(x, y)
        });
    }
    if let (Some(x), Some(y)) = (&a.variant, &b.variant)
        && x != y
    {
        found.push(Incomparable::Code(x.clone(), y.clone()));
    }
    // An operating system has no part in what keeps to registers.
    let has_part = |name: &str| name != "os" || !super::subject::computes(quantity);
    let software = b.software.iter().filter(|(name, ..)| has_part(name));
    found.extend(software.cloned().map(Incomparable::software));
    found.sort_by_key(|u| std::cmp::Reverse(u.grade()));
    found
}

/// Whether more CPUs make more of it.
pub(super) fn adds_up(unit: Unit) -> bool {
    matches!(unit, Unit::BytesPerSecond | Unit::PerSecond)
}
