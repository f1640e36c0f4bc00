//! STREAM and lmbench's `stream` in their own words: the best, which they print, beside the median.
use crate::page::{Block, Table};
use crate::say;
use crate::{origin, quantity, section};
use analyse::{Estimate, Report};
use record::{Metric, ProbeId, param};

/// Part of the bandwidth section.
pub(super) fn blocks(report: &Report<'_>) -> Vec<Block> {
    let stream = section::of_probes(report, &[ProbeId::Stream]);
    let mut blocks = Block::titled(say::AS_STREAM_PRINTS_IT_THE_BEST, best(report, &stream));
    let lmbench = section::of_probes(report, &[ProbeId::LmbenchStream]);
    if !lmbench.is_empty() {
        blocks.push(Block::heading("As lmbench's stream prints it: the least time"));
        blocks.push(Block::Table(lmbench_table(&lmbench)));
        blocks.push(Block::text(say::SCALAR_LOOPS_OVER_64_MIB_ON_BASE));
        blocks.push(origin::method(report, &lmbench));
    }
    blocks
}

fn kernel(e: &Estimate) -> String {
    param::KERNEL.value(&e.at).map_or_else(String::new, ToString::to_string)
}

fn best(report: &Report<'_>, all: &[&Estimate]) -> Table {
    let table = Table::of(all, |e| {
        let params = report.record.runs.get(e.run).map(|run| &run.case.params);
        let case: Vec<String> =
            params.into_iter().flatten().map(|(name, value)| format!("{name} {value}")).collect();
        [
            ("kernel", kernel(e)),
            ("case", case.join(", ")),
            ("#best", quantity::plain(e.max, e.unit)),
            ("#median", quantity::median(e)),
            ("#samples", origin::samples(e)),
        ]
    });
    table.folded()
}

/// Time and bandwidth of a kernel in one row: both come from the same intervals.
fn lmbench_table(all: &[&Estimate]) -> Table {
    let times = all.iter().filter(|e| e.metric == Metric::TimePerElement);
    let table = Table::of(times, |time| {
        let moved = all.iter().find(|e| {
            e.metric == Metric::Bandwidth && e.run == time.run && kernel(e) == kernel(time)
        });
        [
            ("kernel", kernel(time)),
            ("case", time.case.clone()),
            ("#least time", quantity::plain(time.min, time.unit)),
            ("#median", quantity::median(time)),
            ("#most bandwidth", moved.map_or(String::new(), |e| quantity::plain(e.max, e.unit))),
            ("#median", moved.map_or(String::new(), |e| quantity::median(e))),
            ("#samples", origin::samples(time)),
        ]
    });
    table.folded()
}
