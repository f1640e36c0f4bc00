//! Firmware's description of the board, the BIOS, the processors and every memory slot, from SMBIOS (DMTF DSP0134).
use crate::processor::names_processor;
use crate::{
    decode::{
        slots,
        smbios::{Structure, structures},
        table,
    },
    evidence::{Evidence, SMBIOS},
    reading::{Presence, Unavailable, put},
};
use record::{Dimm, Machine, Reason, Unit};
use std::collections::BTreeMap;

const ID: &str = "/sys/class/dmi/id";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    identity(evidence, machine);
    let table = match &evidence.smbios {
        Ok(table) => table,
        Err(why) => {
            let reason = match why {
                Unavailable::Denied => Reason::mended_by(
                    format!("{SMBIOS} is readable by root only"),
                    format!("run as root, or: sudo cat {SMBIOS} > dmi.bin"),
                ),
                Unavailable::Missing
                    if !evidence.files.exists("/sys/devices/system/cpu/present") =>
                {
                    Reason::mended_by(
                        format!("{SMBIOS} cannot be read: /sys is not mounted"),
                        "mount -t sysfs sysfs /sys",
                    )
                }
                // What the kernel read of the table is there, so the machine has one.
                Unavailable::Missing if evidence.files.exists(&format!("{ID}/sys_vendor")) => {
                    Reason::new(format!(
                        "{SMBIOS} is not here, nor are its entries, though the machine has an SMBIOS table"
                    ))
                }
                Unavailable::Missing => Reason::new(
                    "this machine has no SMBIOS table; guests and device-tree machines often have none",
                ),
                Unavailable::Unreadable(_) => why.reason(SMBIOS),
            };
            machine.topology.lack("dimms", reason);
            return;
        }
    };
    let (found, why) = structures(table);
    if let Some(why) = why {
        machine.topology.lack("smbios", Unavailable::Unreadable(why.into()).reason(SMBIOS));
    }
    // Identity also without /sys/class/dmi; what that says is the same table, read by the kernel.
    for (name, _, kind, at) in IDENTITY {
        let text = found.iter().find(|s| s.kind == kind).and_then(|s| s.string(at));
        if let (None, Some(text)) = (machine.text(name), text) {
            machine.set(name, text, SMBIOS);
        }
    }
    processors(&found, machine);
    dimms(&found, machine);
}

/// Facts with their files in [`ID`], and the types of the structures and the offsets at which the table has them.
const IDENTITY: [(&str, &str, u8, usize); 7] = [
    ("system.vendor", "sys_vendor", 1, 0x04),
    ("system.product", "product_name", 1, 0x05),
    ("board.vendor", "board_vendor", 2, 0x04),
    ("board.product", "board_name", 2, 0x05),
    ("bios.vendor", "bios_vendor", 0, 0x04),
    ("bios.version", "bios_version", 0, 0x05),
    ("bios.date", "bios_date", 0, 0x08),
];

fn identity(evidence: &Evidence<'_>, machine: &mut Machine) {
    for (name, file, ..) in IDENTITY {
        let path = format!("{ID}/{file}");
        match evidence.files.line(&path) {
            // Device-tree machines name themselves elsewhere.
            Err(Unavailable::Missing) if name == "board.product" => {
                let model = "/proc/device-tree/model";
                match evidence.files.line(model) {
                    Ok(text) => machine.set(name, text, model),
                    Err(_) => machine.unknown(
                        name,
                        "firmware does not name the board: there is no DMI and no device tree",
                        path,
                    ),
                }
            }
            got => put(machine, name, got, &path, Presence::Always),
        }
    }
}

/// Type 4: the processor's own name and limits, which on Arm servers nothing else states.
fn processors(found: &[Structure<'_>], machine: &mut Machine) {
    // Status (7.5.3): bit 6 says that the socket is populated, 2 and 3 in the low bits that its CPU is disabled.
    let in_use = |status: u8| status & 0x40 != 0 && !matches!(status & 7, 2 | 3);
    let sockets: Vec<_> = found.iter().filter(|s| s.kind == 4).collect();
    let filled: Vec<_> = sockets.iter().filter(|s| s.byte(0x18).is_some_and(in_use)).collect();
    if sockets.is_empty() {
        return;
    }
    machine.set_in("board.sockets", sockets.len() as u64, Unit::Count, SMBIOS);
    machine.set_in("board.sockets.filled", filled.len() as u64, Unit::Count, SMBIOS);
    let Some(first) = filled.first() else { return };
    for (name, at) in [("firmware.cpu.vendor", 0x07), ("firmware.cpu.model", 0x10)] {
        if let Some(text) = first.string(at).filter(|text| names_processor(text)) {
            machine.set(name, text, SMBIOS);
        }
    }
    for (name, at) in [
        ("firmware.cpu.frequency.external", 0x12),
        ("firmware.cpu.frequency.max", 0x14),
        ("firmware.cpu.frequency.current", 0x16),
    ] {
        if let Some(mhz) = first.word(at).filter(|mhz| (1..=MOST_MHZ).contains(mhz)) {
            machine.set_in(name, f64::from(mhz) * 1e6, Unit::Hertz, SMBIOS);
        }
    }
    // Counts of 255 and more are in the wider fields of SMBIOS 3.0.
    for (name, narrow, wide) in [
        ("firmware.cpu.cores", 0x23, 0x2a),
        ("firmware.cpu.cores.enabled", 0x24, 0x2c),
        ("firmware.cpu.threads", 0x25, 0x2e),
    ] {
        let count = match first.byte(narrow) {
            Some(0xff) => first.word(wide).filter(|n| *n != 0xffff),
            count => count.map(u16::from),
        };
        if let Some(count) = count.filter(|n| *n > 0) {
            machine.set_in(name, u64::from(count), Unit::Count, SMBIOS);
        }
    }
}

fn dimms(found: &[Structure<'_>], machine: &mut Machine) {
    // Type 16: slots of system memory (use 3) that the board has.
    let arrays = found.iter().filter(|s| s.kind == 16 && s.byte(5) == Some(3));
    let slots: u64 = arrays.filter_map(|s| s.word(0x0d)).map(u64::from).sum();
    if slots > 0 {
        machine.set_in("memory.slots", slots, Unit::Count, SMBIOS);
    }
    let topology = &mut machine.topology;
    // Each device names its array, and the array what it is used for (7.17.2).
    let uses: BTreeMap<u16, u8> = found
        .iter()
        .filter(|s| s.kind == 16)
        .filter_map(|s| Some((s.word(2)?, s.byte(5)?)))
        .collect();
    let devices = found.iter().filter(|s| s.kind == 17);
    let mut arrays = vec![];
    for s in devices {
        let array = s.word(4);
        let used = array.and_then(|array| uses.get(&array)).and_then(|code| memory("use", *code));
        topology.dimms.push(Dimm { purpose: used.map(str::to_string), ..dimm(s) });
        arrays.push(array);
    }
    if topology.dimms.is_empty() {
        let why = "the SMBIOS table of this machine describes no memory; guests often have it so";
        topology.lack("dimms", why);
    } else {
        topology.read("dimms", SMBIOS);
        channels(machine, &arrays, SMBIOS);
    }
}

/// The channels of the slots of a machine that another tool described, as far as their names state them.
pub fn channels_of_slots(machine: &mut Machine) {
    let source = machine.topology.sources.iter().find(|(part, _)| *part == "dimms");
    let Some(source) = source.map(|(_, source)| source.clone()) else { return };
    let arrays = vec![None; machine.topology.dimms.len()];
    channels(machine, &arrays, &source);
}

/// The channels of the slots, and how many of them hold a module, if the slots' names state them. `arrays` holds the array
/// of each slot.
fn channels(machine: &mut Machine, arrays: &[Option<u16>], source: &str) {
    let board = machine.text("board.vendor").or(machine.text("system.vendor"));
    let board = board.map(str::to_string);
    let dimms = &mut machine.topology.dimms;
    let all = dimms.iter_mut().zip(arrays).filter(|(d, _)| d.purpose.is_none());
    let (mut main, arrays): (Vec<&mut Dimm>, Vec<Option<u16>>) = all.map(|(d, a)| (d, *a)).unzip();
    let names: Vec<_> = main.iter().map(|d| (d.slot.clone(), d.bank.clone())).collect();
    let channels = slots::channels(&names, board.as_deref());
    let channels =
        channels.or_else(|| slots::channels_of_arrays(&names, &arrays, board.as_deref()));
    let Some(channels) = channels else {
        let why =
            "firmware does not number channels, and this board's slot names do not state them";
        return machine.unknown("memory.channels", why, source);
    };
    let mut modules: BTreeMap<&str, u64> = BTreeMap::new();
    for (dimm, channel) in main.iter_mut().zip(&channels) {
        *modules.entry(channel).or_default() += u64::from(dimm.populated);
        dimm.channel = Some(channel.clone());
    }
    let filled = modules.values().filter(|n| **n > 0).count() as u64;
    let most = modules.values().copied().max().unwrap_or(0);
    for (name, count) in [
        ("memory.channels", modules.len() as u64),
        ("memory.channels.filled", filled),
        ("memory.channels.modules", most),
    ] {
        machine.set_in(name, count, Unit::Count, format!("{source} (the names of the slots)"));
    }
}

/// A type of memory (7.18.2), its technology (7.18.6) other than plain DRAM, or the use of its array (7.17.2) other than as
/// main memory.
fn memory(of: &str, code: u8) -> Option<&'static str> {
    table::name(include_str!("decode/tables/memory.txt"), of, code.into())
}

/// No frequency is above 20 GHz.
const MOST_MHZ: u16 = 20_000;
/// Transfers per second, in millions, that a module can have: SDRAM began at 66, MRDIMMs of 2025 are at 12800.
const MTS: std::ops::RangeInclusive<u32> = 10..=40_000;
/// Four times the largest module announced (CXL, 4 TiB).
const MOST_BYTES: u64 = 16 << 40;

/// Type 17 (7.18).
fn dimm(s: &Structure<'_>) -> Dimm {
    let size = match s.word(0x0c) {
        None | Some(0xffff) => None,
        // Tables older than the wider field (SMBIOS 2.7) mean what they say; the real size may be a MiB more.
        Some(0x7fff) => {
            Some(s.dword(0x1c).map_or(0x7fff, |mib| u64::from(mib & 0x7fff_ffff)) << 20)
        }
        // Bit 15 chooses KiB over MiB.
        Some(size) if size & 0x8000 != 0 => Some(u64::from(size & 0x7fff) << 10),
        Some(size) => Some(u64::from(size) << 20),
    };
    // An empty slot has size 0; its other fields are leftovers.
    let populated = size != Some(0);
    let only = |text: Option<String>| text.filter(|_| populated);
    let named = |of: &str, at: usize| {
        only(s.byte(at).and_then(|code| memory(of, code)).map(str::to_string))
    };
    // 0xffff points to the wider field of SMBIOS 3.3; 0 is "unknown".
    let speed = |narrow: usize, wide: usize| -> Option<f64> {
        let mts = match s.word(narrow)? {
            0xffff => s.dword(wide)? & 0x7fff_ffff,
            mts => u32::from(mts),
        };
        (MTS.contains(&mts) && populated).then(|| f64::from(mts) * 1e6)
    };
    Dimm {
        slot: s.string(0x10).unwrap_or_default(),
        bank: s.string(0x11),
        bytes: size.filter(|bytes| (1..=MOST_BYTES).contains(bytes)),
        populated,
        kind: named("type", 0x12),
        ranks: s
            .byte(0x1b)
            .map(|attributes| u32::from(attributes & 15))
            .filter(|ranks| *ranks > 0 && populated),
        width: s
            .word(0x0a)
            .filter(|bits| !matches!(bits, 0 | 0xffff))
            .map(u32::from)
            .filter(|_| populated),
        rated: speed(0x15, 0x54),
        configured: speed(0x20, 0x58),
        manufacturer: only(s.string(0x17)),
        part: only(s.string(0x1a)),
        technology: named("technology", 0x28),
        ..Dimm::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn random_structures_survive(kinds in proptest::collection::vec((prop::sample::select(vec![0u8, 1, 2, 4, 16, 17]), 4u8..0x60, any::<[u8; 8]>()), 0..6), noise in any::<u8>()) {
            let mut table = vec![];
            for (kind, length, strings) in kinds {
                table.extend([kind, length]);
                table.extend((2..length).map(|i| i.wrapping_mul(noise)));
                table.extend(strings);
                table.extend([0, 0]);
            }
            let mut machine = Machine::default();
            let (found, _) = structures(&table);
            processors(&found, &mut machine);
            dimms(&found, &mut machine);
            for dimm in &machine.topology.dimms {
                prop_assert!(dimm.bytes != Some(0) && dimm.rated != Some(0.0));
            }
        }
    }
}
