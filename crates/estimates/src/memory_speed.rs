//! The limit of memory that runs slower than its modules are rated, where that can be known.
//! Sources: the vendors' statements for each CPU model, with their places in `data/memory_by_cpu.toml`.
use crate::say;
use crate::words::transfers;
use record::{Dimm, Machine, Message, Text};

mod slots;
mod table;

pub(crate) use slots::by_channel;
pub use table::{MemoryOfCpu, of_cpu};

/// Firmware rounds: 2933 and 2934 are the same speed.
const SAME: f64 = 0.02;

/// The limit of the memory speed; speeds in transfers per second.
#[derive(Debug, Clone, PartialEq)]
pub enum Limit {
    /// The slowest module, of this rating.
    Module(f64),
    /// The CPU runs no memory faster than this.
    Cpu(f64),
    /// The number of modules on a channel; the CPU then allows this.
    Load(usize, f64),
    /// A setting of the firmware: with so many modules on a channel the CPU allows this.
    Firmware(usize, f64),
    /// It cannot be determined, because.
    Unknown(Message),
    /// Likewise, and it may be the CPU's own, as what its vendor allows is not known.
    Unstated(Message),
}

impl Limit {
    /// The limit as a sentence.
    pub fn words(&self) -> Text {
        match self {
            Limit::Module(at) => say::limit_module(transfers(*at)),
            Limit::Cpu(at) => say::limit_cpu(transfers(*at)),
            Limit::Load(modules, at) => say::limit_load(*modules, transfers(*at)),
            Limit::Firmware(modules, at) => say::limit_firmware(*modules, transfers(*at)),
            Limit::Unknown(why) | Limit::Unstated(why) => say::limit_undetermined(*why),
        }
    }
    /// The remedy, as sentences.
    pub fn advice(&self) -> Message {
        match self {
            Limit::Module(_) => say::REPLACE_SLOWER_MODULES,
            Limit::Cpu(_) => say::NOTHING_TO_SET,
            Limit::Load(..) => say::FEWER_LARGER_MODULES,
            Limit::Firmware(..) => say::SET_HIGHEST_SPEED,
            Limit::Unknown(_) | Limit::Unstated(_) => say::LOOK_UP_SPEED,
        }
    }
    /// The short action of `dimm_below_rating` that the advice is.
    pub fn action(&self) -> &'static str {
        match self {
            Limit::Module(_) => "module",
            Limit::Cpu(_) => "action",
            Limit::Load(..) => "load",
            Limit::Firmware(..) => "firmware",
            Limit::Unknown(_) | Limit::Unstated(_) => "unknown",
        }
    }
}

/// The limit of a machine's modules.
pub fn limit(machine: &Machine) -> Limit {
    let filled: Vec<&Dimm> = machine.topology.modules().collect();
    let speeds = |get: fn(&Dimm) -> Option<f64>| filled.iter().filter_map(move |d| get(d));
    let (Some(configured), Some(slowest), Some(fastest)) = (
        speeds(|d| d.configured).reduce(f64::min),
        speeds(|d| d.rated).reduce(f64::min),
        speeds(|d| d.rated).reduce(f64::max),
    ) else {
        return Limit::Unknown(say::SPEEDS_NOT_STATED);
    };
    let same = |a: f64, b: f64| (a / b - 1.0).abs() < SAME;
    let cpu = cpu(machine);
    let at_most = cpu.and_then(|cpu| cpu.speed(1));
    // Where the CPU allows no more either, other modules gain nothing.
    let is_cpus = at_most.is_some_and(|at_most| same(configured, at_most));
    if !same(slowest, fastest) && same(configured, slowest) && !is_cpus {
        return Limit::Module(slowest);
    }
    let Some(cpu) = cpu else {
        return Limit::Unstated(say::CPU_NOT_IN_TABLE);
    };
    let merged = filled.iter().any(|d| d.technology.as_deref() == Some("MRDIMM"));
    let Some(one) = (if merged { cpu.mrdimm() } else { cpu.speed(1) }) else {
        return Limit::Unstated(say::SUCH_MODULES_NOT_IN_TABLE);
    };
    let modules = on_a_channel(machine, &filled, cpu.channels);
    let allowed = match modules {
        Some(1) => Some(one),
        Some(more) if !merged => cpu.speed(more),
        _ => None,
    };
    // Four ranks and more load a channel like more modules; the vendors then allow less.
    let light = filled.iter().all(|d| d.ranks.is_some_and(|ranks| ranks <= 2));
    // Of a series the fastest model's is known.
    let unknown = if cpu.at_most { Limit::Unstated } else { Limit::Unknown };
    match (modules, allowed) {
        _ if same(configured, one) => Limit::Cpu(one),
        _ if configured > one => Limit::Unstated(say::FASTER_THAN_STATED),
        (Some(modules), Some(allowed)) if same(configured, allowed) => {
            Limit::Load(modules, allowed)
        }
        (Some(modules), Some(allowed)) if !cpu.at_most && light && configured < allowed => {
            Limit::Firmware(modules, allowed)
        }
        (Some(1), _) => unknown(say::OWN_LIMIT_RANKS_OR_SETTING),
        (Some(_), _) => unknown(say::SEVERAL_MODULES_OR_OWN_LIMIT),
        (None, _) => unknown(say::CHANNELS_OF_SLOTS_UNKNOWN),
    }
}

/// The vendor's statement on the machine's CPU.
pub fn cpu(machine: &Machine) -> Option<&'static MemoryOfCpu> {
    let model = machine.text("cpu.model").or_else(|| machine.text("firmware.cpu.model"));
    of_cpu(model, machine.text("cpu.microarchitecture"))
}

/// The most modules on a channel: the slots' names tell every module's channel or none's, some with the number of the CPU's
/// channels; more modules than channels is two.
fn on_a_channel(machine: &Machine, filled: &[&Dimm], channels: usize) -> Option<usize> {
    let on = record::counts(filled.iter().filter_map(|d| d.channel.as_deref()));
    let crowded = || {
        let sockets = machine.integer("board.sockets.filled").unwrap_or(1).max(1) as usize;
        let least = filled.len().div_ceil(sockets * channels);
        (least > 1 && machine.facts.contains_key("board.sockets.filled")).then_some(least)
    };
    let by_number = || by_channel(machine, channels)?.into_values().max();
    on.values().copied().max().or_else(by_number).or_else(crowded)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn machine(
        rated: &[u32],
        configured: u32,
        channels: Option<&[&str]>,
        (model, design): (&str, &str),
    ) -> Machine {
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
        let mut machine = Machine::default();
        machine.topology.dimms = rated.iter().enumerate().map(module).collect();
        machine.set("cpu.model", model, "test");
        machine.set("cpu.microarchitecture", design, "test");
        machine
    }

    #[test]
    fn the_limit_that_holds_is_named() {
        let apart = Some(&["P0 A", "P0 B"][..]);
        let both = Some(&["P0 A", "P0 A"][..]);
        let xeon = ("Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz", "Cascade Lake");
        let silver = ("Intel(R) Xeon(R) Silver 4210", "");
        let rome = ("AMD EPYC 7742 64-Core Processor", "Zen 2");
        let oem = ("Intel(R) Xeon(R) Platinum", "Cascade Lake");
        for (rated, configured, channels, cpu, expected) in [
            ([3200, 2666], 2666, apart, rome, Limit::Module(2.666e9)),
            ([3200, 3200], 2933, apart, xeon, Limit::Cpu(2.933e9)),
            ([3200, 2933], 2933, apart, xeon, Limit::Cpu(2.933e9)),
            ([2933, 2933], 2400, apart, silver, Limit::Cpu(2.4e9)),
            ([2933, 2933], 2400, None, silver, Limit::Cpu(2.4e9)),
            ([3200, 3200], 2933, apart, oem, Limit::Cpu(2.933e9)),
            ([2933, 2933], 2666, both, xeon, Limit::Load(2, 2.666e9)),
            ([2933, 2933], 2133, apart, xeon, Limit::Firmware(1, 2.933e9)),
            ([2933, 2933], 2133, both, xeon, Limit::Firmware(2, 2.666e9)),
            ([2933, 2933], 2133, apart, silver, Limit::Firmware(1, 2.4e9)),
        ] {
            assert_eq!(limit(&machine(&rated, configured, channels, cpu)), expected);
        }
        for (rated, configured, channels, cpu, expected) in [
            ([2933, 2933], 2400, apart, oem, "this model's own limit, its"),
            ([3200, 3200], 2666, None, rome, "which slots share a channel"),
            ([3200, 3200], 2666, apart, ("x", "Gracemont"), "not in the table"),
            ([3200, 3200], 2933, apart, silver, "faster than the vendor"),
        ] {
            let said = limit(&machine(&rated, configured, channels, cpu)).words();
            assert!(said.contains(expected), "{said}, not {expected}");
        }
        let mut heavy = machine(&[2933, 2933], 2133, apart, xeon);
        heavy.topology.dimms[1].ranks = Some(4);
        assert!(matches!(limit(&heavy), Limit::Unknown(_)));
    }

    #[test]
    fn more_modules_than_channels_share_them() {
        let xeon = ("Intel(R) Xeon(R) Gold 6248 CPU @ 2.50GHz", "");
        let mut server = machine(&[2933; 12], 2666, None, xeon);
        assert!(matches!(limit(&server), Limit::Unknown(_)));
        server.set("board.sockets.filled", 1_u64, "test");
        assert_eq!(limit(&server), Limit::Load(2, 2.666e9));
        server.set("board.sockets.filled", 2_u64, "test");
        assert!(matches!(limit(&server), Limit::Unknown(_)));
    }
}
