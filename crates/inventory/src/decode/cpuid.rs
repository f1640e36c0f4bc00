//! CPUID leaves from the text lines `leaf subleaf eax ebx ecx edx` (hexadecimal). Sources: Intel SDM vol. 2A
//! CPUID; AMD APM vol. 3 appendix E; the hypervisor leaves are a convention of KVM, Xen, Hyper-V and VMware.
use std::collections::BTreeMap;

/// The leaves of one CPU.
#[derive(Debug, Default)]
pub(crate) struct Cpuid(BTreeMap<(u32, u32), [u32; 4]>);

/// One cache as CPUID states it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct CpuidCache {
    pub(crate) level: u32,
    pub(crate) kind: record::CacheKind,
    pub(crate) bytes: u64,
    pub(crate) line: u32,
    pub(crate) ways: u32,
    /// The largest number of logical CPUs that can share it.
    pub(crate) sharers: u32,
}

/// Family, model and stepping in EAX of leaf 1, with their extensions.
pub fn signature(eax: u32) -> (u32, u32, u32) {
    let (base, model) = (eax >> 8 & 15, eax >> 4 & 15);
    let family = if base == 15 { base + (eax >> 20 & 0xff) } else { base };
    let extended = matches!(base, 6 | 7 | 15);
    let model = if extended { model | (eax >> 16 & 15) << 4 } else { model };
    (family, model, eax & 15)
}

impl Cpuid {
    pub(crate) fn parse(text: &str) -> Cpuid {
        let mut leaves = BTreeMap::new();
        for line in text.lines().take(4096) {
            let words: Vec<u32> =
                line.split_whitespace().map_while(crate::cpuinfo::hex).take(6).collect();
            if let [leaf, subleaf, eax, ebx, ecx, edx] = words[..] {
                leaves.insert((leaf, subleaf), [eax, ebx, ecx, edx]);
            }
        }
        Cpuid(leaves)
    }
    /// The registers of a leaf, unless the CPU says it does not have it.
    pub(crate) fn leaf(&self, leaf: u32, subleaf: u32) -> Option<[u32; 4]> {
        let base = leaf & 0xffff_0000;
        let [highest, ..] = *self.0.get(&(base, 0))?;
        if leaf != base && leaf > highest && base != 0x4000_0000 {
            return None;
        }
        self.0.get(&(leaf, subleaf)).copied()
    }
    /// `GenuineIntel`, `AuthenticAMD`, `HygonGenuine`, `CentaurHauls`, `  Shanghai  `.
    pub(crate) fn vendor(&self) -> Option<String> {
        let [_, ebx, ecx, edx] = self.leaf(0, 0)?;
        Some(letters(&[ebx, edx, ecx]))
    }
    /// Family, model and stepping with their extensions.
    pub(crate) fn signature(&self) -> Option<(u32, u32, u32)> {
        Some(signature(self.leaf(1, 0)?[0]))
    }
    /// The brand string.
    pub(crate) fn brand(&self) -> Option<String> {
        let words: Vec<u32> = (0x8000_0002..=0x8000_0004)
            .map(|leaf| self.leaf(leaf, 0))
            .collect::<Option<Vec<_>>>()?
            .concat();
        Some(letters(&words)).filter(|text| !text.is_empty())
    }
    /// Base and maximum frequency in MHz (leaf 16h); zero means that the CPU does not say.
    pub(crate) fn megahertz(&self) -> Option<(Option<u32>, Option<u32>)> {
        let [base, max, ..] = self.leaf(0x16, 0)?;
        let known = |mhz: u32| Some(mhz & 0xffff).filter(|mhz| *mhz > 0);
        Some((known(base), known(max)))
    }
    /// Whether the CPU says that it is a guest's.
    pub(crate) fn is_guest(&self) -> Option<bool> {
        Some(self.leaf(1, 0)?[2] >> 31 == 1)
    }
    /// The hypervisor signatures, the one that is native last: KVM puts Hyper-V's first for Windows guests.
    pub(crate) fn hypervisors(&self) -> Vec<String> {
        (0..16)
            .filter_map(|i| self.leaf(0x4000_0000 + i * 0x100, 0))
            .map(|[_, ebx, ecx, edx]| letters(&[ebx, ecx, edx]))
            .filter(|text| !text.is_empty())
            .collect()
    }
    /// The caches, from leaf 4 (Intel, Zhaoxin) or 8000_001Dh (AMD, Hygon), which have the same form.
    pub(crate) fn caches(&self) -> Vec<CpuidCache> {
        for leaf in [4, 0x8000_001d] {
            let caches: Vec<_> = (0..16).map_while(|i| decode_cache(self.leaf(leaf, i)?)).collect();
            if !caches.is_empty() {
                return caches;
            }
        }
        self.old_caches()
    }
    /// AMD before family 15h: leaves 8000_0005h and 8000_0006h, sizes in KiB and (third level) 512 KiB.
    fn old_caches(&self) -> Vec<CpuidCache> {
        use record::CacheKind::{Data, Instruction, Unified};
        let Some([_, _, data, instruction]) = self.leaf(0x8000_0005, 0) else { return vec![] };
        let [_, _, second, third] = self.leaf(0x8000_0006, 0).unwrap_or_default();
        // The first level states its ways plainly, the others by a code; 0 is "not stated" or "all of them".
        let coded = |word: u32| match word >> 12 & 15 {
            code @ (1 | 2 | 4) => code,
            6 => 8,
            8 => 16,
            10 => 32,
            11 => 48,
            12 => 64,
            13 => 96,
            14 => 128,
            _ => 0,
        };
        // Magny-Cours has two dies in a package and states the third level of both as one.
        let dies =
            if self.signature().is_some_and(|(f, m, _)| (f, m) == (0x10, 9)) { 2 } else { 1 };
        let cores = self.leaf(0x8000_0008, 0).map_or(1, |[_, _, ecx, _]| (ecx & 0xff) + 1);
        let cache = |level, kind, kib: u32, word: u32, ways, sharers| {
            let (bytes, line) = (u64::from(kib) << 10, word & 0xff);
            CpuidCache { level, kind, bytes, line, ways, sharers }
        };
        let (third_kib, third_ways) = ((third >> 18) * 512 / dies, coded(third) / dies);
        let all = [
            cache(1, Data, data >> 24, data, data >> 16 & 0xff, 1),
            cache(1, Instruction, instruction >> 24, instruction, instruction >> 16 & 0xff, 1),
            cache(2, Unified, second >> 16, second, coded(second), 1),
            cache(3, Unified, third_kib, third, third_ways, cores.div_ceil(dies)),
        ];
        all.into_iter().filter(|cache| cache.bytes > 0).collect()
    }
}

fn decode_cache([eax, ebx, ecx, _]: [u32; 4]) -> Option<CpuidCache> {
    let kind = match eax & 31 {
        1 => record::CacheKind::Data,
        2 => record::CacheKind::Instruction,
        3 => record::CacheKind::Unified,
        _ => return None,
    };
    let level = eax >> 5 & 7;
    if level == 0 {
        return None;
    }
    let line = (ebx & 0xfff) + 1;
    let (partitions, ways) = ((ebx >> 12 & 0x3ff) + 1, (ebx >> 22) + 1);
    // At most 2^12 * 2^10 * 2^10 * 2^32 = 2^64, which only all-ones registers reach.
    let bytes = u64::from(line * partitions)
        .checked_mul(u64::from(ways))?
        .checked_mul(u64::from(ecx) + 1)?;
    Some(CpuidCache { level, kind, bytes, line, ways, sharers: (eax >> 14 & 0xfff) + 1 })
}

/// Registers as text, low byte first; ends at the first zero.
fn letters(words: &[u32]) -> String {
    let bytes: Vec<u8> =
        words.iter().flat_map(|word| word.to_le_bytes()).take_while(|b| *b != 0).collect();
    let text: String =
        bytes.iter().map(|b| if b.is_ascii_graphic() { *b as char } else { ' ' }).collect();
    text.trim().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_cascade_lake() {
        let cpuid = Cpuid::parse(
            "0 0 16 756e6547 6c65746e 49656e69\n1 0 50657 0 7ffefbff bfebfbff\n\
             4 0 1c004121 1c0003f 3f 0\n4 3 0 0 0 0\n16 0 9c4 ed8 64 0\n",
        );
        assert_eq!(cpuid.vendor().as_deref(), Some("GenuineIntel"));
        assert_eq!(cpuid.signature(), Some((6, 85, 7)));
        assert_eq!(cpuid.megahertz(), Some((Some(2500), Some(3800))));
        assert_eq!(cpuid.is_guest(), Some(false));
        let l1 = &cpuid.caches()[0];
        assert_eq!((l1.level, l1.bytes, l1.line, l1.ways, l1.sharers), (1, 32768, 64, 8, 2));
    }

    #[test]
    fn a_k10_states_its_caches_in_the_old_way() {
        let cpuid = Cpuid::parse(
            "0 0 6 68747541 444d4163 69746e65\n80000000 0 8000001e 0 0 0\n80000005 0 0 0 40020140 40020140\n\
             80000006 0 0 0 2008140 28b140\n80000008 0 3030 0 5 0\n",
        );
        let caches = cpuid.caches();
        let seen: Vec<_> =
            caches.iter().map(|c| (c.level, c.bytes >> 10, c.ways, c.sharers)).collect();
        assert_eq!(seen, [(1, 64, 2, 1), (1, 64, 2, 1), (2, 512, 16, 1), (3, 5120, 48, 6)]);
        assert!(caches.iter().all(|c| c.line == 64));
    }

    #[test]
    fn a_leaf_above_the_highest_does_not_count() {
        let cpuid = Cpuid::parse("0 0 d 0 0 0\n16 0 9c4 ed8 64 0\n");
        assert_eq!(cpuid.megahertz(), None);
    }

    proptest! {
        #[test]
        fn random_registers_survive(words in proptest::collection::vec(any::<u32>(), 4 * 12)) {
            let leaves = [(0, 0), (1, 0), (4, 0), (4, 1), (0x16, 0), (0x4000_0000, 0), (0x8000_0000u32, 0),
                (0x8000_0002, 0), (0x8000_0003, 0), (0x8000_0004, 0), (0x8000_001d, 0), (0x8000_001d, 1)];
            let text: String = leaves.iter().zip(words.chunks(4))
                .map(|((l, s), w)| format!("{l:x} {s:x} {:x} {:x} {:x} {:x}\n", w[0], w[1], w[2], w[3])).collect();
            let cpuid = Cpuid::parse(&text);
            let _ = (cpuid.vendor(), cpuid.brand(), cpuid.signature(), cpuid.caches(), cpuid.hypervisors(), cpuid.megahertz());
        }
        #[test]
        fn any_text_survives(text in ".{0,200}") {
            Cpuid::parse(&text).caches();
        }
    }
}
