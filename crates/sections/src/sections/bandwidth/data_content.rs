//! The speed-up of zeros: the factor by which a benchmark on zeroed buffers is off on this machine.
use crate::page::{Block, Table};
use crate::say;
use crate::{origin, quantity, section};
use analyse::{Report, ZeroGain};
use record::ProbeId;

/// Part of the bandwidth section.
pub(super) fn blocks(report: &Report<'_>) -> Vec<Block> {
    if report.get::<Vec<ZeroGain>>().is_empty() {
        return vec![];
    }
    let median = |at: usize| report.estimates.get(at).map_or(String::new(), quantity::median);
    let table = Table::of(report.get::<Vec<ZeroGain>>(), |gain| {
        [
            ("kernel", gain.kernel.clone()),
            ("#other data", median(gain.random)),
            ("#zeros", median(gain.zero)),
            ("#zeros over others", format!("{:.2}x", gain.ratio)),
        ]
    });
    let all = section::of_probes(report, &[ProbeId::DataContent]);
    vec![
        Block::heading(say::DATA_CONTENT_ZEROS_BESIDE_OTHER_DATA),
        Block::Table(table.folded()),
        Block::text(say::DATA_CONTENT_READS_ELSEWHERE_HERE_FIND),
        origin::method(report, &all),
    ]
}
