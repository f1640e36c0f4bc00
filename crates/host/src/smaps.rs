//! Verification of the pages and NUMA nodes of a buffer, as the kernel shows them.
use crate::{pages, syscall};
use kernels::Arena;
use std::{collections::BTreeMap, fs, ops::Range};

/// The pages and nodes of a buffer.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verified {
    /// Size of the kernel's base page in bytes.
    pub base_page: u64,
    /// Share of the resident memory on huge pages, THP or hugetlb; nothing where smaps cannot be read or no page was
    /// touched.
    pub huge_share: Option<f64>,
    /// Shares of the sampled pages by node; empty where the kernel does not show it.
    pub nodes: BTreeMap<u32, f64>,
}

/// Sampled pages: enough for a share within 3 %, few enough for a millisecond.
const SAMPLED_PAGES: usize = 1024;

/// Reads the pages and nodes of a buffer. Call it after the buffer was filled.
pub fn verify(arena: &Arena) -> Verified {
    let base_page = pages::base_page();
    let start = arena.as_ptr() as usize;
    let range = start..start + arena.bytes();
    let smaps = fs::read_to_string("/proc/self/smaps").ok();
    let huge_share = smaps.and_then(|smaps| huge_share(&smaps, &range));
    Verified { base_page, huge_share, nodes: nodes(&range, base_page as usize) }
}

/// Huge over resident memory of the mappings that `range` lies in.
fn huge_share(smaps: &str, range: &Range<usize>) -> Option<f64> {
    let (mut huge, mut small_and_huge, mut inside) = (0u64, 0u64, false);
    for line in smaps.lines() {
        if let Some(mapping) = header(line) {
            inside = mapping.start < range.end && range.start < mapping.end;
        } else if inside && let Some((name, value)) = line.split_once(':') {
            let kib = || value.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok();
            match name {
                // Rss counts transparent huge pages, but not hugetlb.
                "Rss" => small_and_huge += kib()?,
                "AnonHugePages" => huge += kib()?,
                "Private_Hugetlb" | "Shared_Hugetlb" => {
                    huge += kib()?;
                    small_and_huge += kib()?;
                }
                _ => {}
            }
        }
    }
    (small_and_huge > 0).then(|| huge as f64 / small_and_huge as f64)
}

/// The addresses of a line that begins a mapping: `7f00-7f80 rw-p 00000000 00:00 0`.
fn header(line: &str) -> Option<Range<usize>> {
    let (from, to) = line.split(' ').next()?.split_once('-')?;
    Some(usize::from_str_radix(from, 16).ok()?..usize::from_str_radix(to, 16).ok()?)
}

fn nodes(range: &Range<usize>, page: usize) -> BTreeMap<u32, f64> {
    let sample = sample(range, page);
    let found = syscall::nodes_of(&sample).unwrap_or_else(|_| {
        // Seccomp profiles that forbid the one call sometimes allow the other.
        sample.iter().map_while(|page| syscall::node_of(*page).ok()).collect()
    });
    let mut counts: BTreeMap<u32, f64> = BTreeMap::new();
    for node in found.iter().filter_map(|node| u32::try_from(*node).ok()) {
        *counts.entry(node).or_default() += 1.0;
    }
    let all: f64 = counts.values().sum();
    counts.values_mut().for_each(|count| *count /= all);
    counts
}

/// Addresses of pages spread evenly over `range`.
fn sample(range: &Range<usize>, page: usize) -> Vec<usize> {
    let pages = range.len().div_ceil(page);
    let count = pages.min(SAMPLED_PAGES);
    (0..count)
        .map(|i| range.start + (i as u128 * pages as u128 / count as u128) as usize * page)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMAPS: &str = "\
7f0000000000-7f0000400000 rw-p 00000000 00:00 0
Size:               4096 kB
KernelPageSize:        4 kB
Rss:                4096 kB
AnonHugePages:      2048 kB
Private_Hugetlb:       0 kB
VmFlags: rd wr mr mw me ac hg
7f0000400000-7f0000800000 rw-p 00000000 00:0f 1 /anon_hugepage (deleted)
KernelPageSize:     2048 kB
Rss:                   0 kB
AnonHugePages:         0 kB
Private_Hugetlb:    4096 kB
7f0000800000-7f0000c00000 rw-p 00000000 00:00 0
Rss:                   0 kB
AnonHugePages:         0 kB
";

    #[test]
    fn each_kind_of_huge_page_counts_and_only_in_its_own_mapping() {
        let at = 0x7f00_0000_0000;
        let share = |from: usize, to: usize| huge_share(SMAPS, &(at + from..at + to));
        assert_eq!(share(0, 0x40_0000), Some(0.5));
        assert_eq!(share(0x40_0000, 0x50_0000), Some(1.0));
        assert_eq!(share(0, 0x80_0000), Some(0.75));
        assert_eq!(share(0x80_0000, 0xc0_0000), None, "untouched");
        assert_eq!(share(0x100_0000, 0x100_1000), None, "not mapped");
        assert_eq!(huge_share("", &(0..1)), None);
    }

    #[test]
    fn samples_are_pages_of_the_range_spread_over_all_of_it() {
        assert_eq!(sample(&(0x1000..0x3001), 0x1000), [0x1000, 0x2000, 0x3000]);
        let many = sample(&(0..1 << 40), 4096);
        assert_eq!(many.len(), SAMPLED_PAGES);
        assert!(many.is_sorted() && many.iter().all(|address| address % 4096 == 0));
        assert!(*many.last().unwrap() > (1 << 40) - (1 << 31));
        assert!(sample(&(5..5), 4096).is_empty());
    }
}
