//! The memory channel of a slot, from the names that boards give their slots. SMBIOS does not number
//! channels, and boards do not agree: so the channels of all slots are known, or of none.
use std::collections::BTreeSet;

/// No memory controller takes more modules on one channel.
const MOST_PER_CHANNEL: usize = 3;

/// The names of a slot and of its bank.
pub(crate) type Slot = (String, Option<String>);
type Way<'a> = &'a dyn Fn(&Slot) -> Option<String>;

/// The channel of each `(slot, bank)`, such as `P0 A` or `1`; none unless every name has a channel and the
/// whole is a board that can be.
pub(crate) fn channels(slots: &[Slot], maker: Option<&str>) -> Option<Vec<String>> {
    // Dell's letter is the socket and its number counts through the channels.
    let letters = !maker.is_some_and(|maker| maker.to_ascii_lowercase().contains("dell"));
    let bank = |bank: &Option<String>| bank.clone().unwrap_or_default();
    let named = |slot: &Slot| {
        // What stands before the channel in one name may be in the other: "CPU2_DIMM_L1" of "P1 CHANNEL L".
        stated(&bank(&slot.1)).or_else(|| stated(&slot.0))
    };
    let by_letter = |slot: &Slot| lettered(&slot.0).filter(|_| letters);
    let by_digit = |slot: &Slot| digit_first(&slot.0);
    let ways: [Way<'_>; 3] = [&named, &by_letter, &by_digit];
    ways.iter().find_map(|way| {
        let channels = slots.iter().map(way).collect::<Option<Vec<String>>>()?;
        plausible(slots, &channels).then_some(channels)
    })
}

/// The same for a board that names the slots of several arrays alike: the channels of each array, such as `array 2 A`; none
/// unless every array has as many.
pub(crate) fn channels_of_arrays(
    slots: &[Slot],
    arrays: &[Option<u16>],
    maker: Option<&str>,
) -> Option<Vec<String>> {
    let numbers: BTreeSet<u16> = arrays.iter().copied().collect::<Option<_>>()?;
    let mut all = vec![String::new(); slots.len()];
    let mut sizes = BTreeSet::new();
    for (index, number) in numbers.iter().enumerate() {
        let own: Vec<usize> =
            (0..slots.len()).filter(|i| arrays.get(*i) == Some(&Some(*number))).collect();
        let names: Vec<Slot> = own.iter().map(|i| slots[*i].clone()).collect();
        let found = channels(&names, maker)?;
        sizes.insert(found.iter().collect::<BTreeSet<_>>().len());
        for (i, channel) in own.iter().zip(found) {
            all[*i] = format!("array {} {channel}", index + 1);
        }
    }
    (numbers.len() > 1 && sizes.len() == 1).then_some(all)
}

/// Whether there are at most three slots a channel, as many channels on each socket, and no slot twice.
fn plausible(slots: &[Slot], channels: &[String]) -> bool {
    let sizes = record::counts(channels);
    let socket =
        |channel: &str| channel.rsplit_once(' ').map_or("", |(socket, _)| socket).to_owned();
    let sockets = record::counts(sizes.keys().map(|channel| socket(channel)));
    let alike = sockets.values().collect::<BTreeSet<_>>().len() == 1;
    let distinct: BTreeSet<&Slot> = slots.iter().collect();
    alike && distinct.len() == slots.len() && sizes.values().all(|n| *n <= MOST_PER_CHANNEL)
}

/// The words of a name, parted at every change between letters, digits and the rest: `P1_DIMM_A2` is P 1 DIMM A 2.
fn words(name: &str) -> Vec<String> {
    let mut words: Vec<String> = vec![];
    let mut last = ' ';
    for c in name.chars().take(128) {
        let c = c.to_ascii_uppercase();
        let same = c.is_ascii_digit() && last.is_ascii_digit()
            || c.is_ascii_alphabetic() && last.is_ascii_alphabetic();
        match words.last_mut() {
            Some(word) if same => word.push(c),
            _ if c.is_ascii_alphanumeric() => words.push(c.to_string()),
            _ => {}
        }
        last = c;
    }
    words
}

/// `P1_Node0_Channel2_Dimm0`, `P0 CHANNEL B`, `Controller1-ChannelA-DIMM0`, `P1_MC1_DIM_CH_F0`: everything up to
/// the channel's own number.
fn stated(name: &str) -> Option<String> {
    let words = words(name);
    let at = words.iter().position(|w| w.starts_with("CHANNEL") || w == "CH")?;
    let own = match words[at].strip_prefix("CHANNEL") {
        Some(letter) if letter.len() == 1 => letter.to_string(),
        Some("") | None => {
            words.get(at + 1).filter(|w| w.len() == 1 || w.parse::<u8>().is_ok())?.clone()
        }
        Some(_) => return None,
    };
    let before: String =
        words[..at].iter().filter(|w| !w.starts_with("DIM")).map(String::as_str).collect();
    Some(if before.is_empty() { own } else { format!("{before} {own}") })
}

/// `CPU1_DIMM_A2`, `P1-DIMMA2`, `DIMM_P0_A0`, `DIMMB1`: socket, channel's letter, place on the channel (0 to 3).
fn lettered(name: &str) -> Option<String> {
    let words = words(name);
    let (place, rest) = words.split_last()?;
    let (letter, rest) = rest.split_last()?;
    if place.parse::<u8>().ok()? > 3 {
        return None;
    }
    let letter = match letter.strip_prefix("DIMM") {
        Some(letter) => letter,
        // A bare "A1" is not enough: boards number banks, sockets and channels so.
        None if rest.iter().any(|w| w == "DIMM") => letter,
        None => return None,
    };
    if letter.len() != 1 {
        return None;
    }
    let socket: Vec<&str> = rest.iter().map(String::as_str).filter(|w| *w != "DIMM").collect();
    let socket = match socket[..] {
        [] => String::new(),
        ["P" | "CPU" | "PROC" | "SOCKET", number] => format!("P{number} "),
        _ => return None,
    };
    Some(format!("{socket}{letter}"))
}

/// `P1-DIMM3A`, `P4_4A`, and `CPU3_C5D1`: the channel's number, then the place on it.
fn digit_first(name: &str) -> Option<String> {
    let words = words(name);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["P", socket, "DIMM", channel, place] | ["P", socket, channel, place]
            if matches!(place, "A" | "B" | "C") && channel.parse::<u8>().is_ok() =>
        {
            Some(format!("P{socket} {channel}"))
        }
        ["CPU", socket, "C", channel, "D", _] => Some(format!("P{socket} {channel}")),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(names: &[(&str, &str)], maker: &str) -> Option<Vec<String>> {
        let bank = |bank: &str| (!bank.is_empty()).then(|| bank.to_string());
        let slots: Vec<_> = names.iter().map(|(s, b)| (s.to_string(), bank(b))).collect();
        channels(&slots, Some(maker))
    }

    #[test]
    fn names_that_tell_channels() {
        for (names, expected) in [
            (
                &[
                    ("P1-DIMMA1", "P0_Node0_Channel0_Dimm0"),
                    ("P2-DIMMA1", "P1_Node0_Channel0_Dimm0"),
                ],
                ["P0NODE0 0", "P1NODE0 0"],
            ),
            (&[("DIMM 0", "P0 CHANNEL A"), ("DIMM 1", "P0 CHANNEL B")], ["P0 A", "P0 B"]),
            (&[("ChannelA-DIMM0", "BANK 0"), ("ChannelB-DIMM0", "BANK 2")], ["A", "B"]),
            (
                &[("Controller0-ChannelA", ""), ("Controller1-ChannelA", "")],
                ["CONTROLLER0 A", "CONTROLLER1 A"],
            ),
            (&[("CPU0_DIMM_A0", "NODE 1"), ("CPU0_DIMM_A1", "NODE 1")], ["P0 A", "P0 A"]),
            (&[("DIMM_P1_B0", "BANK 0"), ("DIMM_P1_C0", "BANK 1")], ["P1 B", "P1 C"]),
            (&[("P1-DIMM3A", "BANK8"), ("P1-DIMM3C", "BANK9")], ["P1 3", "P1 3"]),
            (
                &[
                    ("DIMM031 J9", "SOCKET 0 CHANNEL 3 DIMM 1"),
                    ("DIMM030 J8", "SOCKET 0 CHANNEL 3 DIMM 0"),
                ],
                ["SOCKET0 3", "SOCKET0 3"],
            ),
            (
                &[("P1_MC1_DIM_CH_F0", "NODE 2"), ("P1_MC1_DIM_CH_E0", "NODE 2")],
                ["P1MC1 F", "P1MC1 E"],
            ),
        ] {
            assert_eq!(
                of(names, "Supermicro").as_deref(),
                Some(&expected.map(String::from)[..]),
                "{names:?}"
            );
        }
    }

    #[test]
    fn slots_of_several_arrays_may_have_the_same_names() {
        let names = ["DIMM_A1", "DIMM_B1", "DIMM_A1", "DIMM_B1"].map(|n| (n.to_owned(), None));
        assert_eq!(channels(&names, None), None);
        let of = |arrays: [u16; 4]| channels_of_arrays(&names, &arrays.map(Some), None);
        let apart = ["array 1 A", "array 1 B", "array 2 A", "array 2 B"].map(String::from);
        assert_eq!(of([0x1000, 0x1000, 0x1001, 0x1001]).as_deref(), Some(&apart[..]));
        assert_eq!(of([1, 1, 1, 1]), None);
        assert_eq!(of([1, 1, 1, 2]), None);
        assert_eq!(channels_of_arrays(&names, &[None; 4], None), None);
    }

    #[test]
    fn names_that_do_not() {
        for names in [
            &[("A1", ""), ("B1", "")][..],
            &[("PROC 1 DIMM 1", ""), ("PROC 1 DIMM 2", "")],
            &[("PROC 1 DIMM 9C", ""), ("PROC 1 DIMM 8F", "")],
            // One slot that does not say, five on one channel, the same slot twice.
            &[("DIMM_A1", ""), ("DIMM 2", "")],
            &[
                ("DIMM 0", "CHANNEL A"),
                ("DIMM 1", "CHANNEL A"),
                ("DIMM 2", "CHANNEL A"),
                ("DIMM 3", "CHANNEL A"),
            ],
            &[("DIMM_A1", "x"), ("DIMM_A1", "x")],
            &[("DIMM_P0_A1", ""), ("DIMM_P0_B1", ""), ("DIMM_P1_A1", "")],
            &[("DIMM_A1", ""), ("DIMM_A7", "")],
        ] {
            assert_eq!(of(names, "Supermicro"), None, "{names:?}");
        }
        assert_eq!(of(&[("DIMM_A1", ""), ("DIMM_B1", "")], "Dell Inc."), None);
        // A typing error in one name of the firmware: the other names show it.
        let slip = [
            ("CPU1_DIMM_A1", "Node0_Channel0"),
            ("CPU1_DIMM_B1", "Node0_Channel6"),
            ("CPU1_DIMM_B2", "Node0_Channel1"),
            ("CPU2_DIMM_A1", "Node1_Channel0"),
            ("CPU2_DIMM_B1", "Node1_Channel1"),
        ];
        assert_eq!(of(&slip, "x").unwrap(), ["P1 A", "P1 B", "P1 B", "P2 A", "P2 B"]);
        assert!(of(&[("DIMM_A1", ""), ("DIMM_B1", "")], "ASUS").is_some());
    }

    proptest! {
        #[test]
        fn any_names_survive(names in proptest::collection::vec((".{0,20}", proptest::option::of("[ -~]{0,20}")), 0..6)) {
            if let Some(channels) = channels(&names, None) {
                prop_assert_eq!(channels.len(), names.len());
            }
        }
    }
}
