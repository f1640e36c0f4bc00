//! The channel of each memory slot where slots are numbered through the channels of a socket, as far as the CPU's channels are known.
//! Dell names the socket by a letter and fills every channel before any gets a second slot: `A1` to `A12` on six channels. HPE
//! numbers the slots of a channel in a row: `PROC 1 DIMM 1` and `2` share one of six channels with twelve slots, and three share
//! one of four. Sources: installation and service manuals of PowerEdge servers; HPE's population rules for ProLiant servers.
use record::{Dimm, Machine};
use std::collections::{BTreeMap, BTreeSet};

/// A socket's name, and the number of one of its channels from 0.
type Channel = (String, usize);

/// The modules on each channel of every socket that has slots; nothing where any slot is named otherwise or left out.
pub(crate) fn by_channel(machine: &Machine, channels: usize) -> Option<BTreeMap<Channel, usize>> {
    let maker = machine.text("board.vendor").or_else(|| machine.text("system.vendor"))?;
    let maker = maker.to_ascii_lowercase();
    let dell = maker.contains("dell");
    if channels == 0 || !(dell || maker.starts_with("hp") || maker.contains("hewlett")) {
        return None;
    }
    let read = |d: &Dimm| {
        let (socket, number) = if dell { dell_slot(&d.slot)? } else { hpe_slot(&d.slot)? };
        Some(((socket, number), d.populated))
    };
    let main = machine.topology.dimms.iter().filter(|d| d.purpose.is_none());
    let slots: Vec<((String, usize), bool)> = main.map(read).collect::<Option<_>>()?;
    let numbers: BTreeSet<&(String, usize)> = slots.iter().map(|(slot, _)| slot).collect();
    let sockets: BTreeSet<&str> = slots.iter().map(|((socket, _), _)| socket.as_str()).collect();
    let last = slots.iter().map(|((_, number), _)| *number).max()?;
    // A slot that firmware leaves out would move the others.
    let whole = numbers.len() == slots.len() && slots.len() == last * sockets.len();
    if !whole || !(dell || last.is_multiple_of(channels)) {
        return None;
    }
    let channel = |number: usize| match dell {
        true => (number - 1) % channels,
        false => (number - 1) / (last / channels),
    };
    let mut on: BTreeMap<Channel, usize> = BTreeMap::new();
    for socket in sockets {
        on.extend((0..channels).map(|channel| ((socket.to_owned(), channel), 0)));
    }
    for ((socket, number), _) in slots.iter().filter(|(_, populated)| *populated) {
        *on.entry((socket.clone(), channel(*number))).or_default() += 1;
    }
    Some(on)
}

/// `A1`, `DIMM_B12`, `DIMM A3`: the socket's letter, and the number.
fn dell_slot(name: &str) -> Option<(String, usize)> {
    let name = name.trim_start_matches("DIMM").trim_start_matches(['_', ' ', '.']);
    let letter = name.chars().next().filter(|c| ('A'..='H').contains(c))?;
    Some((letter.to_string(), counted(&name[1..])?))
}

/// `PROC 1 DIMM 7`, and with the place in the order of population behind it, `PROC 1 DIMM 9C`.
fn hpe_slot(name: &str) -> Option<(String, usize)> {
    let (socket, number) = name.strip_prefix("PROC ")?.split_once(" DIMM ")?;
    counted(socket)?;
    let number = number.trim().trim_end_matches(|c: char| c.is_ascii_uppercase());
    Some((socket.to_owned(), counted(number)?))
}

fn counted(number: &str) -> Option<usize> {
    number.parse().ok().filter(|n| (1..=64).contains(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A server with the slots of two sockets, of which these are filled in each.
    fn server(
        maker: &str,
        name: fn(usize, usize) -> String,
        of: usize,
        filled: &[usize],
    ) -> Machine {
        let mut machine = Machine::default();
        machine.set("system.vendor", maker, "test");
        for (socket, number) in (1..=2).flat_map(|s| (1..=of).map(move |n| (s, n))) {
            let populated = filled.contains(&number);
            let slot = name(socket, number);
            machine.topology.dimms.push(Dimm { slot, populated, ..Dimm::default() });
        }
        machine
    }

    #[test]
    fn slots_of_dell_and_hpe_tell_the_fullest_channel() {
        let dell = |s, n| format!("{}{n}", ['A', 'B'][s - 1]);
        let hpe = |s: usize, n: usize| format!("PROC {s} DIMM {n}");
        let (six, all): (Vec<usize>, Vec<usize>) = ((1..=6).collect(), (1..=12).collect());
        for (machine, channels, expected) in [
            (server("Dell Inc.", dell, 12, &six), 6, Some(1)),
            (server("Dell Inc.", dell, 12, &all), 6, Some(2)),
            (server("Dell Inc.", dell, 12, &[1, 2, 3, 4, 5]), 4, Some(2)),
            // Two on the first channel, none on the second.
            (server("Dell Inc.", dell, 10, &[1, 7]), 6, Some(2)),
            (server("HPE", hpe, 12, &[1, 3, 5, 8, 10, 12]), 6, Some(1)),
            (server("HPE", hpe, 12, &[1, 2]), 6, Some(2)),
            (server("HP", |s, n| format!("PROC {s} DIMM {n}A"), 12, &[3, 6, 7, 10]), 4, Some(1)),
            (server("Hewlett Packard Enterprise", hpe, 8, &[1, 3]), 6, None),
            (server("Lenovo", dell, 12, &six), 6, None),
            (server("Dell Inc.", hpe, 12, &six), 6, None),
        ] {
            let found = by_channel(&machine, channels).and_then(|on| on.into_values().max());
            assert_eq!(found, expected, "{:?}", machine.topology.dimms[0]);
        }
        // Only populated slots are listed: the highest number tells that some are missing.
        let mut machine = server("HPE", hpe, 12, &[1, 3]);
        machine.topology.dimms.retain(|d| d.populated);
        assert_eq!(by_channel(&machine, 6), None);
    }
}
