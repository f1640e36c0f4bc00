//! Finds what is unlike about two records or two values.
use super::{Cell, Side};
use crate::conditions::Traits;
use crate::incomparable::{Incomparable, MEMORY, ours_beside};
use crate::quantities::Quantity;
use crate::say;
use record::{Environment, Sort, Text, Unit, param};

/// Shares of pages nearer than this are alike: what a program's own small buffers make of them.
const SHARE: f64 = 0.1;

/// Differences of two whole records.
pub(super) fn of_records(base: &Side, side: &Side) -> Vec<Incomparable> {
    let (a, b): (&Traits, &Traits) = (&base.traits, &side.traits);
    let mut found = vec![];
    type Said = fn(Text) -> Text;
    let of_base: (Said, Said) = (say::baseline_fail, say::baseline_warn);
    let of_side: (Said, Said) = (say::record_fail, say::record_warn);
    for ((fails, warns), of) in [(of_base, base), (of_side, side)] {
        if of.environment != Environment::Pass {
            let why = of.doubt.as_ref().map_or(say::NO_REASON_GIVEN.into(), |r| r.why.clone());
            let failed = of.environment == Environment::Fail;
            let why = if failed { fails(why) } else { warns(why) };
            found.push(Incomparable::Unfit(of.environment, why));
        }
    }
    if a.tool != b.tool {
        found.push(Incomparable::Tool(a.tool.clone(), b.tool.clone()));
    } else if a.version != b.version {
        found.push(Incomparable::Version(a.version.clone(), b.version.clone()));
    }
    found.extend(differing(&a.kernels, &b.kernels).map(|_| Incomparable::Kernels));
    found.extend(differing(&a.depth, &b.depth).map(|(x, y)| Incomparable::Depth(x, y)));
    found.extend(differing(&a.hypervisor, &b.hypervisor).map(|(x, y)| Incomparable::Host(x, y)));
    found
}

/// Both values, where both are known and differ.
fn differing<T: Clone + PartialEq>(a: &Option<T>, b: &Option<T>) -> Option<(T, T)> {
    a.clone().zip(b.clone()).filter(|(a, b)| a != b)
}

/// Both shares, where both are known and differ.
fn shares_apart(a: Option<f64>, b: Option<f64>) -> Option<(f64, f64)> {
    a.zip(b).filter(|(a, b)| (a - b).abs() > SHARE)
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
    found.extend(differing(&a.content, &b.content).map(|(x, y)| Incomparable::Content(x, y)));
    let beyond = a.llc_ratio.zip(b.llc_ratio).filter(|(x, y)| (*x < MEMORY) != (*y < MEMORY));
    found.extend(beyond.map(|(x, y)| match quantity.along() {
        Some(_) => Incomparable::Reach(x, y),
        None => Incomparable::Footprint(x, y),
    }));
    let pages = differing(&a.pages, &b.pages).map(|(x, y)| Incomparable::Pages(x, y));
    let huge = || shares_apart(a.huge_share, b.huge_share);
    found.extend(pages.or_else(|| huge().map(|(x, y)| Incomparable::HugeShare(x, y))));
    found.extend(differing(&a.base_page, &b.base_page).map(|(x, y)| Incomparable::BasePage(x, y)));
    let placed = shares_apart(a.local_share, b.local_share);
    found.extend(placed.map(|(x, y)| Incomparable::Placement(x, y)));
    let across = differing(&a.across_caches, &b.across_caches);
    found.extend(across.map(|(x, _)| Incomparable::Caches(x)));
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
    found.extend(differing(&a.variant, &b.variant).map(|(x, y)| Incomparable::Code(x, y)));
    // An operating system has no part in what keeps to registers.
    let has_part = |name: &str| name != "os" || !super::subject::computes(quantity);
    let software = b.software.iter().filter(|(name, ..)| has_part(name));
    found.extend(software.cloned().map(Incomparable::software));
    found.order_by_key(|u| std::cmp::Reverse(u.grade()));
    found
}

/// Whether more CPUs make more of it.
pub(super) fn adds_up(unit: Unit) -> bool {
    matches!(unit, Unit::BytesPerSecond | Unit::PerSecond)
}
