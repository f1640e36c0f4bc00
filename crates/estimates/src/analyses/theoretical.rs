//! What the memory modules could deliver: channels, transfers per second, and bytes per transfer. Where modules are not
//! described, as in guests: what the CPU's model could, as its vendor states it.
//!
//! SMBIOS has no field for the channel of a slot. Boards name it in the slot's or the bank's name, by a handful of habits;
//! where these cannot be read, all that is known is that there are no more channels than modules.
//! Source: DMTF DSP0134 (SMBIOS), memory device; names as seen on boards of several makers.
use crate::analysis::{Analysis, Entry};
use crate::estimate::Estimate;
use crate::report::Report;
use crate::say;
use crate::{facts, memory_speed};
use record::{Dimm, Machine, Reason};
use std::collections::{BTreeMap, BTreeSet};

/// The theoretical bandwidth of the memory modules.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Theoretical {
    /// Channels with a module, all sockets together.
    pub channels: usize,
    /// Whether the slots' names tell the channels; otherwise there may be fewer.
    pub exact: bool,
    /// Whether it is of the CPU's model, because the modules are not described: what it could deliver at most.
    pub by_model: bool,
    /// Transfers per second of the slowest channel.
    pub transfers: f64,
    /// Bytes per second of all channels.
    pub peak: f64,
    /// Index into `Report::estimates` of the read bandwidth of the whole machine, where it was measured, and its
    /// share of the peak.
    pub measured: Option<(usize, f64)>,
}

/// Bits that move at once over a channel of DDR memory (two halves of 32 on DDR5).
const CHANNEL_BITS: u32 = 64;

pub static ANALYSIS: Entry = Entry::of::<Result<Theoretical, Reason>>();

impl Analysis for Result<Theoretical, Reason> {
    const TITLE: &str = "What the memory modules could deliver, or why that is not known.";
    const ORDER: u16 = 130;
    /// The theoretical bandwidth, and the measured part of it.
    fn compute(report: &Report<'_>) -> Self {
        let machine = &report.record.machine;
        let known = stated(machine).or_else(|why| by_model(machine).ok_or(why))?;
        let share = |e: usize| (e, report.estimates[e].median / known.peak);
        Ok(Theoretical { measured: measured(report).map(share), ..known })
    }
}

/// Channels that hold a module, and all: as the slots' names tell, else by the CPU's channels and the order in which two makers
/// number their slots.
pub fn filled_channels(machine: &Machine) -> Option<(u64, u64)> {
    let count = |name: &str| machine.integer(name);
    if let (Some(filled), Some(all)) = (count("memory.channels.filled"), count(facts::CHANNELS)) {
        return Some((filled, all));
    }
    let on = memory_speed::by_channel(machine, memory_speed::cpu(machine)?.channels)?;
    let filled = on.values().filter(|modules| **modules > 0).count();
    Some((filled as u64, on.len() as u64))
}

/// The bandwidth by the modules' stated speeds.
pub fn stated(machine: &Machine) -> Result<Theoretical, Reason> {
    let topology = &machine.topology;
    if topology.dimms.is_empty() {
        let reason =
            topology.missing.iter().find(|(name, _)| *name == "dimms").map(|(_, r)| r.clone());
        return Err(reason
            .unwrap_or_else(|| Reason::mended_by(say::MODULES_NOT_DESCRIBED, say::RUN_AS_ROOT)));
    }
    if let Some(name) = facts::hypervisor(machine) {
        return Err(facts::unreal_modules(name));
    }
    let filled: Vec<&Dimm> = topology.modules().collect();
    if filled.is_empty() {
        return Err(Reason::new(say::NO_SLOT_FILLED));
    }
    // The inventory has looked at the board as a whole; what it could not tell is not stated here. Records without
    // that fact are older, and their names are read one by one.
    let looked = machine.facts.contains_key(facts::CHANNELS);
    // Slots of several arrays may have the same names; then the names tell no channel.
    let mut distinct: Vec<_> = filled.iter().map(|d| (&d.slot, &d.bank)).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let untold = looked || distinct.len() < filled.len();
    let own = |d: &Dimm| if untold { None } else { channel(d) };
    let named: Option<Vec<String>> =
        filled.iter().map(|d| d.channel.clone().or_else(|| own(d))).collect();
    let exact = named.is_some();
    let keys = named.unwrap_or_else(|| (0..filled.len()).map(|i| i.to_string()).collect());
    // All modules of a channel run at the pace of the slowest.
    let mut channels: BTreeMap<&str, (f64, u32)> = BTreeMap::new();
    for (key, dimm) in keys.iter().zip(&filled) {
        let transfers = dimm
            .configured
            .filter(|t| t.is_finite() && *t > 0.0)
            .ok_or_else(|| Reason::new(say::module_speed_missing(&dimm.slot)))?;
        let bits = dimm.width.filter(|w| [16, 32].contains(w)).unwrap_or(CHANNEL_BITS);
        let entry = channels.entry(key).or_insert((transfers, bits));
        entry.0 = entry.0.min(transfers);
    }
    let peak = channels.values().map(|(transfers, bits)| transfers * f64::from(*bits) / 8.0).sum();
    let slowest = channels.values().map(|(t, _)| *t).fold(f64::INFINITY, f64::min);
    let channels = channels.len();
    Ok(Theoretical { channels, exact, by_model: false, transfers: slowest, peak, measured: None })
}

/// What the CPU's vendor states, for every socket that shows: a guest's may be made up, but not on more nodes than it has.
fn by_model(machine: &Machine) -> Option<Theoretical> {
    let cpu = memory_speed::cpu(machine)?;
    let topology = &machine.topology;
    let packages: BTreeSet<u32> = topology.cpus.iter().filter_map(|c| c.package).collect();
    let nodes = topology.with_cpus().count();
    let sockets = if facts::hypervisor(machine).is_some() {
        packages.len().min(nodes)
    } else {
        packages.len()
    };
    let channels = cpu.channels * sockets.max(1);
    let transfers = cpu.speed(1)?;
    let peak = channels as f64 * transfers * f64::from(CHANNEL_BITS) / 8.0;
    Some(Theoretical { channels, exact: false, by_model: true, transfers, peak, measured: None })
}

/// The channel that a module is in, as its bank or slot is named: `P0 CHANNEL A`, `P1_Node1_ChannelH_Dimm1`,
/// `CPU1_DIMM_F0`, `P0-DIMMA1`.
fn channel(dimm: &Dimm) -> Option<String> {
    let names = [dimm.bank.as_deref().unwrap_or_default(), &dimm.slot].map(str::to_ascii_uppercase);
    names.iter().find_map(|name| by_word(name)).or_else(|| by_letter(&names[1]))
}

/// Up to and with the letter or number behind the word `CHANNEL`.
fn by_word(name: &str) -> Option<String> {
    let (before, after) = name.split_once("CHANNEL")?;
    let token: String = after
        .trim_start_matches([' ', '_', '-', ':'])
        .chars()
        .take_while(char::is_ascii_alphanumeric)
        .collect();
    (!token.is_empty()).then(|| format!("{before}CHANNEL {token}"))
}

/// `DIMM` followed by one letter for the channel and digits for the slot: all but the digits.
fn by_letter(name: &str) -> Option<String> {
    let (_, after) = name.rsplit_once("DIMM")?;
    let after = after.trim_start_matches([' ', '_', '-']);
    let mut chars = after.chars();
    let letter = chars.next().filter(char::is_ascii_uppercase)?;
    let digits = chars.as_str();
    let slot = !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit());
    slot.then(|| format!("{} {letter}", name.trim_end_matches(|c: char| c.is_ascii_digit())))
}

/// The read bandwidth of all CPUs, if it is that of the whole machine.
fn measured(report: &Report<'_>) -> Option<usize> {
    let last: &Estimate = report.reads("all").last()?;
    report.own().iter().position(|e| std::ptr::eq(e, last)).filter(|_| whole(report, last))
}

/// Whether the case ran on a CPU of every node that has both memory and CPUs.
pub fn whole(report: &Report<'_>, e: &Estimate) -> bool {
    let cpus = &report.record.runs[e.run].case.place.cpus;
    let mut nodes = report.record.machine.topology.with_memory().filter(|n| !n.cpus.is_empty());
    nodes.all(|n| !n.cpus.intersection(cpus).is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn dimm(slot: &str, bank: &str) -> Dimm {
        Dimm {
            slot: slot.into(),
            bank: (!bank.is_empty()).then(|| bank.into()),
            populated: true,
            configured: Some(3.2e9),
            width: Some(64),
            ..Dimm::default()
        }
    }
    /// The names of a Dell PowerEdge and of an HPE ProLiant with six channels a socket, on 24 slots.
    #[test]
    fn makers_number_slots_by_channel() {
        let dell = |i: usize| (format!("{}{}", ["A", "B"][i / 12], i % 12 + 1), i % 12 < 6);
        let hpe = |i: usize| (format!("PROC {} DIMM {}", i / 12 + 1, i % 12 + 1), i % 12 < 6);
        let machine = |maker: &str, name: &dyn Fn(usize) -> (String, bool)| {
            let mut machine = Machine::default();
            machine.set("cpu.model", "Intel(R) Xeon(R) Gold 6230 CPU @ 2.10GHz", "test");
            machine.set("system.vendor", maker, "test");
            let of = |i| {
                let (slot, populated) = name(i);
                Dimm { populated, ..dimm(&slot, "") }
            };
            machine.topology.dimms = (0..24).map(of).collect();
            machine
        };
        assert_eq!(filled_channels(&machine("Dell Inc.", &dell)), Some((12, 12)));
        assert_eq!(filled_channels(&machine("HPE", &hpe)), Some((6, 12)));
        assert_eq!(filled_channels(&machine("Another", &dell)), None);
        let mut cut = machine("Dell Inc.", &dell);
        cut.topology.dimms.pop();
        assert_eq!(filled_channels(&cut), None);
        let few = |i: usize| (format!("PROC {} DIMM {}", i / 12 + 1, i % 12 + 1), true);
        let mut small = machine("HPE", &few);
        small.topology.dimms.truncate(4);
        assert_eq!(filled_channels(&small), None);
        small.topology.dimms[0].slot = format!("PROC 1 DIMM {}", usize::MAX);
        assert_eq!(filled_channels(&small), None);
        cut.set("memory.channels", 12_u64, "test");
        cut.set("memory.channels.filled", 4_u64, "test");
        assert_eq!(filled_channels(&cut), Some((4, 12)));
    }
    #[test]
    fn a_guest_has_the_channels_of_its_cpu() {
        let mut machine = Machine::default();
        machine.set("virtual.hypervisor", "KVM", "test");
        assert!(by_model(&machine).is_none());
        machine.set("cpu.model", "Intel(R) Xeon(R) Platinum 8269CY CPU @ 2.50GHz", "test");
        let known = by_model(&machine).unwrap();
        assert_eq!((known.channels, known.exact, known.by_model), (6, false, true));
        assert!((known.peak / 140.8e9 - 1.0).abs() < 1e-3, "{known:?}");
    }
    #[test]
    fn slots_of_the_same_name_are_not_one_channel() {
        let twice = of(vec![dimm("DIMM_A1", ""), dimm("DIMM_B1", ""), dimm("DIMM_A1", "")]);
        assert_eq!(twice.map(|t| (t.channels, t.exact)), Ok((3, false)));
        let once = of(vec![dimm("DIMM_A1", ""), dimm("DIMM_B1", ""), dimm("DIMM_A2", "")]);
        assert_eq!(once.map(|t| (t.channels, t.exact)), Ok((2, true)));
    }
    fn of(dimms: Vec<Dimm>) -> Result<Theoretical, Reason> {
        let mut machine = Machine::default();
        machine.topology.dimms = dimms;
        stated(&machine)
    }

    #[test]
    fn channels_are_read_from_the_names_boards_give_them() {
        let cases: [(&[(&str, &str)], usize); 6] = [
            (&[("DIMM 0", "P0 CHANNEL A"), ("DIMM 0", "P0 CHANNEL B")], 2),
            (&[("DIMM 0", "P0 CHANNEL A"), ("DIMM 1", "P0 CHANNEL A")], 1),
            (
                &[
                    ("P0-DIMMA1", "P0_Node0_ChannelA_Dimm1"),
                    ("P1-DIMMA1", "P1_Node1_ChannelA_Dimm1"),
                ],
                2,
            ),
            (&[("CPU1_DIMM_F0", ""), ("CPU1_DIMM_F1", ""), ("CPU0_DIMM_F0", "")], 2),
            (&[("CPU0_DIMMA0", ""), ("CPU1_DIMMB0", "")], 2),
            (&[("ChannelA-DIMM0", "BANK 0"), ("ChannelB-DIMM0", "BANK 2")], 2),
        ];
        for (names, want) in cases {
            let found = of(names.iter().map(|(s, b)| dimm(s, b)).collect()).unwrap();
            assert_eq!((found.channels, found.exact), (want, true), "{names:?}");
            assert_eq!(found.peak, want as f64 * 25.6e9);
        }
    }

    #[test]
    fn what_the_inventory_could_not_tell_is_not_guessed() {
        let mut machine = Machine::default();
        machine.topology.dimms = vec![dimm("DIMM_A1", ""), dimm("DIMM_A2", "")];
        let seen = |machine: &Machine| stated(machine).map(|t| (t.channels, t.exact)).unwrap();
        assert_eq!(seen(&machine), (1, true));
        machine.unknown(facts::CHANNELS, Reason::new("a board that numbers sockets so"), "example");
        assert_eq!(seen(&machine), (2, false));
        for (dimm, channel) in machine.topology.dimms.iter_mut().zip(["P0 A", "P0 B"]) {
            dimm.channel = Some(channel.into());
        }
        let rom = Dimm { purpose: Some("flash".into()), configured: None, ..dimm("ROM", "") };
        machine.topology.dimms.push(rom);
        assert_eq!(seen(&machine), (2, true));
    }

    #[test]
    fn names_that_say_nothing_bound_the_channels_only() {
        let found = of(vec![dimm("DIMM 0", ""), dimm("DIMM 1", "")]).unwrap();
        assert_eq!((found.channels, found.exact), (2, false));
        assert!(!of(vec![dimm("DIMM000", "")]).unwrap().exact);
    }

    #[test]
    fn a_channel_runs_at_the_pace_of_its_slowest_module() {
        let slow = Dimm { configured: Some(2.4e9), ..dimm("DIMM_A1", "") };
        let found = of(vec![dimm("DIMM_A0", ""), slow, dimm("DIMM_B0", "")]).unwrap();
        assert_eq!((found.channels, found.transfers), (2, 2.4e9));
        assert_eq!(found.peak, (2.4e9 + 3.2e9) * 8.0);
    }

    #[test]
    fn what_is_not_stated_is_a_reason() {
        assert!(of(vec![]).is_err());
        assert!(of(vec![Dimm { configured: None, ..dimm("DIMM_A0", "") }]).is_err());
        assert!(of(vec![Dimm { populated: false, ..dimm("DIMM_A0", "") }]).is_err());
    }
}
