//! Why memory runs slower than its modules are rated: which limit holds, where that can be known.
//! Source of the ceilings: the vendors' product pages and memory population guides of each CPU family.
use crate::words::transfers;
use record::Dimm;
use std::collections::BTreeMap;

/// Firmware rounds: 2933 and 2934 are the same speed.
const SAME: f64 = 0.02;

/// The fastest memory of a family of server CPUs, in MT/s: with one module on a channel, and with two where the
/// guides agree for all of its models. `every` is said where every model reaches the first.
struct Ceiling {
    /// In the microarchitecture's name.
    design: &'static str,
    /// In the model's name.
    model: &'static str,
    one: f64,
    two: Option<f64>,
    every: bool,
}

const fn family(
    design: &'static str,
    model: &'static str,
    one: f64,
    two: Option<f64>,
    every: bool,
) -> Ceiling {
    Ceiling { design, model, one, two, every }
}

/// The first that fits counts.
const CEILINGS: &[Ceiling] = &[
    family("Haswell", "E5-", 2133.0, None, false),
    family("Broadwell", "E5-", 2400.0, None, false),
    family("Skylake-SP", "Platinum 81", 2666.0, None, true),
    family("Skylake-SP", "Xeon", 2666.0, None, false),
    family("Cascade Lake", "Platinum 82", 2933.0, Some(2666.0), true),
    family("Cascade Lake", "Xeon", 2933.0, Some(2666.0), false),
    family("Ice Lake-SP", "Xeon", 3200.0, None, false),
    family("Sapphire Rapids", "Platinum 84", 4800.0, Some(4400.0), true),
    family("Sapphire Rapids", "Xeon", 4800.0, None, false),
    family("Emerald Rapids", "Platinum 85", 5600.0, Some(4400.0), false),
    family("Emerald Rapids", "Xeon", 5600.0, None, false),
    family("Zen 1", "EPYC 7", 2666.0, None, false),
    family("Zen 2", "EPYC 7", 3200.0, Some(2933.0), true),
    family("Zen 3", "EPYC 7", 3200.0, Some(2933.0), true),
    family("Zen 4", "EPYC 9", 4800.0, Some(3600.0), true),
    family("Dhyana", "Hygon", 2666.0, None, false),
    family("TaiShan v110", "", 2933.0, None, false),
    family("FTC663", "", 3200.0, None, false),
    family("Neoverse N1", "Altra", 3200.0, None, true),
];

/// What holds the modules back, as a sentence; or that it cannot be determined, and between what.
pub fn limit(dimms: &[Dimm], model: Option<&str>, design: Option<&str>) -> String {
    let filled: Vec<&Dimm> = dimms.iter().filter(|d| d.populated && d.purpose.is_none()).collect();
    let speeds = |get: fn(&Dimm) -> Option<f64>| filled.iter().filter_map(move |d| get(d));
    let (Some(configured), Some(slowest), Some(fastest)) = (
        speeds(|d| d.configured).reduce(f64::min),
        speeds(|d| d.rated).reduce(f64::min),
        speeds(|d| d.rated).reduce(f64::max),
    ) else {
        return unknown("firmware does not state all speeds");
    };
    let same = |a: f64, b: f64| (a / b - 1.0).abs() < SAME;
    if !same(slowest, fastest) && same(configured, slowest) {
        return format!("The limit is the slowest module, rated {}.", transfers(slowest));
    }
    let mut on: BTreeMap<&str, usize> = BTreeMap::new();
    let named = filled.iter().filter_map(|d| d.channel.as_deref());
    named.for_each(|channel| *on.entry(channel).or_default() += 1);
    // The slots' names tell every module's channel or none's.
    let most = on.values().copied().max();
    let fits = |c: &&Ceiling| {
        design.is_some_and(|d| d.contains(c.design))
            && (c.model.is_empty() || model.is_some_and(|m| m.contains(c.model)))
    };
    let Some(ceiling) = CEILINGS.iter().find(fits) else {
        return unknown("what this CPU allows is not in the table of known ones");
    };
    let (one, two) = (ceiling.one * 1e6, ceiling.two.map(|mts| mts * 1e6));
    if same(configured, one) {
        return format!(
            "The limit is the CPU: its kind runs memory at {} at most.",
            transfers(one)
        );
    }
    // Four ranks and more load a channel like more modules; the guides then allow less.
    let light = filled.iter().all(|d| d.ranks.is_some_and(|ranks| ranks <= 2));
    match (most, two) {
        (Some(2..), Some(two)) if same(configured, two) => format!(
            "The limit is two modules on a channel: this kind of CPU then runs memory at {} at most.",
            transfers(two)
        ),
        (Some(1), _) if ceiling.every && light && configured < one => format!(
            "The limit is a setting of the firmware: with one module on a channel this CPU runs memory at up to {}.",
            transfers(one)
        ),
        (Some(2..), Some(two)) if ceiling.every && light && configured < two => format!(
            "The limit is a setting of the firmware: even with two modules on a channel this CPU runs memory at up to {}.",
            transfers(two)
        ),
        (Some(1), _) => {
            unknown("this model's own limit, its modules' ranks, or a setting of the firmware")
        }
        (Some(2..), _) => unknown(
            "two modules on a channel, this model's own limit, or a setting of the firmware",
        ),
        _ => unknown(
            "which slots share a channel is not known: two modules on one, this model's own limit, or a setting of the firmware",
        ),
    }
}

fn unknown(why: &str) -> String {
    format!("Which limit holds cannot be determined: {why}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimms(rated: &[u32], configured: u32, channels: Option<&[&str]>) -> Vec<Dimm> {
        let mts = |n: u32| Some(f64::from(n) * 1e6);
        let channel = |i: usize| channels.map(|all| all[i].to_string());
        let module = |(i, rated): (usize, &u32)| Dimm {
            populated: true,
            ranks: Some(2),
            rated: mts(*rated),
            configured: mts(configured),
            channel: channel(i),
            ..Dimm::default()
        };
        rated.iter().enumerate().map(module).collect()
    }

    #[test]
    fn the_limit_that_holds_is_named() {
        let apart = Some(&["P0 A", "P0 B"][..]);
        let both = Some(&["P0 A", "P0 A"][..]);
        let xeon = ("Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz", "Cascade Lake");
        let silver = ("Intel(R) Xeon(R) Silver 4210", "Cascade Lake");
        let rome = ("AMD EPYC 7742 64-Core Processor", "Zen 2");
        for (modules, (model, design), expected) in [
            (dimms(&[3200, 2666], 2666, apart), rome, "slowest module"),
            (dimms(&[3200, 3200], 2933, apart), xeon, "is the CPU"),
            (dimms(&[2933, 2933], 2666, both), xeon, "two modules on a channel: this kind"),
            (dimms(&[2933, 2933], 2133, apart), xeon, "with one module on a channel"),
            (dimms(&[2933, 2933], 2133, both), xeon, "even with two"),
            (dimms(&[2933, 2933], 2400, apart), silver, "this model's own limit, its"),
            (dimms(&[3200, 3200], 2666, None), rome, "which slots share a channel"),
            (dimms(&[3200, 3200], 2666, apart), ("x", "Gracemont"), "not in the table"),
        ] {
            let said = limit(&modules, Some(model), Some(design));
            assert!(said.contains(expected), "{said}, not {expected}");
        }
        let mut heavy = dimms(&[2933, 2933], 2133, apart);
        heavy[1].ranks = Some(4);
        assert!(limit(&heavy, Some(xeon.0), Some(xeon.1)).contains("cannot be determined"));
    }
}
