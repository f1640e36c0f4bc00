//! The SMBIOS structure table: firmware's account of board, processors and memory (DMTF DSP0134 3.7). Of our own
//! rather than a library's because the table is the most hostile input we have: every access is bounds-checked,
//! the walk always moves forward, and the same walk blanks what a capture must not carry.

/// One structure: its type, its formatted bytes (header included) and its strings.
#[derive(Debug, Clone)]
pub(crate) struct Structure<'a> {
    pub(crate) kind: u8,
    /// Its offset in the table.
    at: usize,
    formatted: &'a [u8],
    strings: &'a [u8],
}

/// More structures than any firmware has; a hostile table is 16 MiB of the shortest ones.
const MAX_STRUCTURES: usize = 20_000;

/// Walks the table. A structure that does not fit ends the walk: what follows it has no known beginning.
pub(crate) fn structures(table: &[u8]) -> (Vec<Structure<'_>>, Option<&'static str>) {
    let mut found = vec![];
    let mut at = 0;
    while let Some(&[kind, length]) = table.get(at..at + 2) {
        let length = usize::from(length);
        if length < 4 {
            return (found, Some("has a structure shorter than its header"));
        }
        let Some(formatted) = table.get(at..at + length) else {
            return (found, Some("is cut short inside a structure"));
        };
        let text = &table[at + length..];
        let Some(end) = text.windows(2).position(|pair| pair == [0, 0]) else {
            return (found, Some("is cut short inside a structure's strings"));
        };
        found.push(Structure { kind, at, formatted, strings: &text[..end + 1] });
        if kind == 127 {
            return (found, None);
        }
        if found.len() >= MAX_STRUCTURES {
            return (found, Some("has more structures than firmware writes"));
        }
        at += length + end + 2;
    }
    (found, if at == table.len() { None } else { Some("is cut short") })
}

impl Structure<'_> {
    pub(crate) fn byte(&self, at: usize) -> Option<u8> {
        self.formatted.get(at).copied()
    }
    pub(crate) fn word(&self, at: usize) -> Option<u16> {
        Some(u16::from_le_bytes(self.formatted.get(at..at + 2)?.try_into().ok()?))
    }
    pub(crate) fn dword(&self, at: usize) -> Option<u32> {
        Some(u32::from_le_bytes(self.formatted.get(at..at + 4)?.try_into().ok()?))
    }
    /// The string that the byte at `at` numbers; none if it is 0, out of range, blank, or a known filler.
    pub(crate) fn string(&self, at: usize) -> Option<String> {
        let number = usize::from(self.byte(at)?);
        let bytes = self.strings.split(|b| *b == 0).nth(number.checked_sub(1)?)?;
        let text = crate::reading::clean(&String::from_utf8_lossy(bytes));
        let filler = [
            "",
            "not specified",
            "unknown",
            "none",
            "n/a",
            "no dimm",
            "to be filled by o.e.m.",
            "default string",
        ];
        (!filler.contains(&text.to_ascii_lowercase().as_str())).then_some(text)
    }
}

/// The bytes of the formatted area that number a string worth keeping, by structure type. Serial numbers, asset
/// tags, OEM strings and everything not named here is personal until shown otherwise.
fn kept_strings(kind: u8) -> &'static [usize] {
    match kind {
        0 => &[0x04, 0x05, 0x08],        // BIOS vendor, version, date
        1 => &[0x04, 0x05, 0x06, 0x1a],  // system maker, product, version, family
        2 => &[0x04, 0x05, 0x06],        // board maker, product, version
        4 => &[0x04, 0x07, 0x10, 0x22],  // socket, maker, version, part number
        7 => &[0x04],                    // cache name
        17 => &[0x10, 0x11, 0x17, 0x1a], // slot, bank, maker, part number
        _ => &[],
    }
}

/// The same table, byte for byte as long, without serial numbers, UUIDs, asset tags or anything of the types
/// that nobody here reads.
pub(crate) fn scrub(table: &[u8]) -> Vec<u8> {
    let mut out = vec![0; table.len()];
    let (found, why) = structures(table);
    let end = found.last().map_or(0, |s| s.at + s.formatted.len() + s.strings.len() + 1);
    if let (Some(_), Some(rest)) = (why, out.get_mut(end..)) {
        // The copy breaks off where the table does: the same header, and nothing that looks like an end.
        rest.fill(b' ');
        let header = rest.len().min(2);
        rest[..header].copy_from_slice(&table[end..end + header]);
    }
    for structure in found {
        let length = structure.formatted.len();
        let at = structure.at;
        let strings_at = at + length;
        // Types 16, 19 and 20 describe memory arrays in numbers only.
        let fields = kept_strings(structure.kind);
        let whole = !fields.is_empty() || matches!(structure.kind, 16 | 19 | 20);
        let keep = if whole { length } else { 4 };
        out[at..at + keep].copy_from_slice(&structure.formatted[..keep]);
        if structure.kind == 1 && length >= 0x18 {
            out[at + 0x08..at + 0x18].fill(0);
        }
        let kept = fields.iter().filter_map(|field| structure.byte(*field).map(usize::from));
        let kept: Vec<usize> = kept.collect();
        let mut number = 1;
        for (i, byte) in structure.strings.iter().enumerate() {
            if *byte == 0 {
                number += 1;
            } else {
                out[strings_at + i] = if kept.contains(&number) { *byte } else { b' ' };
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn structure(kind: u8, body: &[u8], strings: &[&str]) -> Vec<u8> {
        let mut out = vec![kind, body.len() as u8 + 4, 0, 0];
        out.extend(body);
        for string in strings {
            out.extend(string.bytes());
            out.push(0);
        }
        out.extend(if strings.is_empty() { &[0, 0][..] } else { &[0] });
        out
    }

    #[test]
    fn serial_numbers_and_uuids_are_blanked_with_lengths_kept() {
        let mut body = vec![1, 2, 3, 4];
        body.extend([0xab; 16]);
        let mut table = structure(1, &body, &["Maker", "Box", "v1", "SERIAL-123"]);
        table.extend(structure(11, &[1], &["owner: somebody"]));
        table.extend(structure(127, &[], &[]));
        let clean = scrub(&table);
        assert_eq!(clean.len(), table.len());
        let (before, after) = (structures(&table).0, structures(&clean).0);
        assert_eq!(before.len(), after.len());
        assert_eq!(after[0].string(4).as_deref(), Some("Maker"));
        assert_eq!(after[0].string(7), None);
        assert_eq!(before[0].string(7).as_deref(), Some("SERIAL-123"));
        let text = String::from_utf8_lossy(&clean);
        assert!(!text.contains("SERIAL") && !text.contains("owner") && !clean.contains(&0xab));
        assert_eq!(scrub(&clean), clean);
    }

    #[test]
    fn what_does_not_fit_ends_the_walk() {
        let table = structure(17, &[0; 0x20], &["DIMM A1"]);
        for cut in 2..table.len() {
            let (found, why) = structures(&table[..cut]);
            assert!(found.is_empty() && why.is_some(), "cut at {cut}");
        }
        assert!(structures(&[1, 0, 0, 0, 0, 0]).1.is_some());
    }

    proptest! {
        #[test]
        fn random_bytes_survive(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            for s in structures(&bytes).0 {
                for at in 0..300 {
                    let _ = (s.byte(at), s.word(at), s.dword(at), s.string(at));
                }
            }
            prop_assert_eq!(scrub(&bytes).len(), bytes.len());
        }
    }
}
