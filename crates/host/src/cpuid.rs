//! Raw output of x86's CPUID instruction as lines of text. `inventory` decodes it, for captured machines too.
use std::{
    arch::x86_64::{__cpuid_count, CpuidResult},
    fmt::Write,
};

/// Limit of leaves in one range; processors have about forty.
const MOST_LEAVES: u32 = 0x60;
/// Limit of subleaves of one leaf; processors have about five.
const MOST_SUBLEAVES: u32 = 0x20;

/// Every leaf on the current CPU, one per line: `leaf subleaf eax ebx ecx edx` in hexadecimal.
pub(crate) fn text() -> String {
    let mut out = String::new();
    range(&mut out, 0);
    if hypervisor_present() {
        range(&mut out, 0x4000_0000);
    }
    range(&mut out, 0x8000_0000);
    out
}

/// Whether a hypervisor reports itself (leaf 1, ECX bit 31, reserved for that by both vendors).
pub(crate) fn hypervisor_present() -> bool {
    query(1, 0).ecx >> 31 == 1
}

/// Whether `rdtscp` exists (leaf 8000_0001h, EDX bit 27); an emulated processor may lack it.
pub(crate) fn has_rdtscp() -> bool {
    query(0x8000_0000, 0).eax > 0x8000_0000 && query(0x8000_0001, 0).edx >> 27 & 1 == 1
}

fn query(leaf: u32, subleaf: u32) -> CpuidResult {
    // SAFETY: every x86-64 processor has the instruction; it writes the four registers declared by the
    // intrinsic, for any leaf.
    #[allow(unused_unsafe, reason = "newer compilers declare the intrinsic safe")]
    unsafe {
        __cpuid_count(leaf, subleaf)
    }
}

/// The leaves from `base` to the last that `base` names, with their subleaves.
fn range(out: &mut String, base: u32) {
    let last = query(base, 0).eax;
    // A range that does not exist is answered with the data of another leaf; its last leaf is then
    // outside. Some hypervisors name no last leaf, and mean the first.
    let last = if last == 0 { base } else { last };
    if last < base || last - base > 0xffff {
        return;
    }
    for leaf in base..=last.min(base + MOST_LEAVES) {
        // Leaf 3 is a Pentium III's serial number. None of our business.
        if leaf != 3 {
            subleaves(out, leaf);
        }
    }
}

fn subleaves(out: &mut String, leaf: u32) {
    let first = query(leaf, 0);
    for subleaf in 0..MOST_SUBLEAVES {
        let found = query(leaf, subleaf);
        let CpuidResult { eax, ebx, ecx, edx } = found;
        // Writing to a String cannot fail.
        let _ = writeln!(out, "{leaf:08x} {subleaf:08x} {eax:08x} {ebx:08x} {ecx:08x} {edx:08x}");
        if is_last(leaf, subleaf, first.eax, &found) {
            return;
        }
    }
}

/// Whether this is the last subleaf; each leaf marks it differently (Intel SDM vol. 2A and AMD APM vol. 3, CPUID). The
/// terminating entry itself is kept.
fn is_last(leaf: u32, subleaf: u32, first_eax: u32, found: &CpuidResult) -> bool {
    match leaf {
        // A cache of type 0 ends the list.
        4 | 0x8000_001d => found.eax & 0x1f == 0,
        // The first subleaf names the last.
        7 | 0x18 => subleaf >= first_eax,
        // A level of type 0 ends the list.
        0xb | 0x1f | 0x8000_0026 => found.ecx >> 8 & 0xff == 0,
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_end_where_their_leaf_says() {
        let with = |eax, ecx| CpuidResult { eax, ebx: 0, ecx, edx: 0 };
        assert!(!is_last(4, 0, 0, &with(0x121, 0)) && is_last(4, 4, 0, &with(0, 0)));
        assert!(!is_last(7, 0, 2, &with(2, 0)) && is_last(7, 2, 2, &with(0, 0)));
        assert!(!is_last(0xb, 1, 0, &with(0, 0x201)) && is_last(0xb, 2, 0, &with(0, 2)));
        assert!(is_last(1, 0, 0xffff, &with(0xffff, 0xffff)));
    }

    #[test]
    fn leaves_come_once_in_order_and_the_vendor_is_text() {
        let text = text();
        let keys: Vec<(u32, u32)> = text
            .lines()
            .map(|line| {
                let words: Vec<u32> =
                    line.split(' ').map(|w| u32::from_str_radix(w, 16).unwrap()).collect();
                assert_eq!(words.len(), 6);
                (words[0], words[1])
            })
            .collect();
        assert!(keys.windows(2).all(|pair| pair[0] < pair[1]), "{text}");
        assert_eq!((keys[0].0, keys[1].0), (0, 1));
        assert!(keys.iter().any(|(leaf, _)| *leaf == 0x8000_0000));
        assert!(keys.iter().all(|(leaf, _)| *leaf != 3));
        assert_eq!(keys.iter().any(|(leaf, _)| *leaf == 0x4000_0000), hypervisor_present());
        let vendor = query(0, 0);
        let letters = [vendor.ebx, vendor.edx, vendor.ecx].map(u32::to_le_bytes).concat();
        assert!(letters.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' '));
    }
}
