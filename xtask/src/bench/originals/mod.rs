//! The originals, one file each.
mod cc_membw;
mod core_to_core_latency;
mod lat_mem_rd;
mod likwid_bench;
mod lmbench_stream;
mod mhz;
mod multichase;
mod openssl;
mod stream;
mod sysbench;

use super::original::Original;

/// Every original, in the order of the table.
pub(crate) static ALL: &[&Original] = &[
    &mhz::ORIGINAL,
    &sysbench::ORIGINAL,
    &openssl::ORIGINAL,
    &multichase::ORIGINAL,
    &lat_mem_rd::ORIGINAL,
    &lat_mem_rd::LARGE,
    &stream::ORIGINAL,
    &lmbench_stream::ORIGINAL,
    &lmbench_stream::A9,
    &likwid_bench::ORIGINAL,
    &cc_membw::ORIGINAL,
    &core_to_core_latency::ORIGINAL,
];

/// Where lmbench can be had.
const LMBENCH: &str = "github.com/intel/lmbench (src/: make; its own makefile wants libtirpc-dev)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_quantities_are_told_apart() {
        let mut names: Vec<&str> = ALL.iter().map(|o| o.name).collect();
        let mut quantities: Vec<(&str, &str)> =
            ALL.iter().flat_map(|o| o.pairs.iter().map(|p| (o.name, p.quantity))).collect();
        let counts = (names.len(), quantities.len());
        names.sort_unstable();
        names.dedup();
        quantities.sort_unstable();
        quantities.dedup();
        assert_eq!((names.len(), quantities.len()), counts);
        assert!(ALL.iter().all(|o| !o.pairs.is_empty() && !o.programs.is_empty()));
    }
}
