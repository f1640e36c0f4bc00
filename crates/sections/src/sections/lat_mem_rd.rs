//! Latency in lmbench's own way: the two columns that `lat_mem_rd -t` prints, beside our medians.
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::Report;
use record::{ProbeId, Unit, param};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("lmbench lat_mem_rd", 70, &[ProbeId::LatMemRd], blocks);

/// One table for each case.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, SECTION.probes);
    let mut blocks = vec![];
    for these in all.chunk_by(|a, b| a.run == b.run) {
        let Some(run) = report.record.runs.get(these[0].run) else { continue };
        let said = |value: Option<&record::Value>| value.map_or(String::new(), ToString::to_string);
        blocks.push(Block::Heading(format!(
            "lat_mem_rd -t {}, stride {}, lineage {}",
            said(param::SIZE.value(&run.case.params)),
            said(param::STRIDE.value(&run.case.params)),
            run.case.get(param::LINEAGE).unwrap_or_default()
        )));
        let mut table = Table::default();
        let buffer = these.last().and_then(|e| report.series(e)?.buffer.as_ref());
        let pages = buffer.map_or(String::new(), |b| format!("{}; ", origin::pages(b)));
        table.note(format!("{pages}{}; lmbench prints the least", origin::placement(run, buffer)));
        let mut columns = Table::new(["#size in MiB", "#ns"]);
        columns.note(format!("\"stride={}", said(param::STRIDE.value(&run.case.params))));
        for e in these {
            let Some(bytes) = param::WORKING_SET.of(&e.at) else { continue };
            let ratio = report.series(e).and_then(|s| s.buffer.as_ref()?.llc_ratio);
            columns.row([format!("{:.5}", bytes / 1_048_576.0), format!("{:.3}", e.min * 1e9)]);
            // Octaves only: all sizes are in the details.
            if (bytes as u64).is_power_of_two() && bytes >= 4096.0 {
                table.headed([
                    ("size", quantity::plain(bytes, Unit::Bytes)),
                    ("#least of 5", quantity::plain(e.min, Unit::Seconds)),
                    ("#median", quantity::median(e)),
                    ("#cycles", e.cycles.map_or(String::new(), quantity::cycles)),
                    ("what it is", what(ratio)),
                    ("#samples", origin::samples(e)),
                    ("excluded", origin::left_out(e)),
                ]);
            }
        }
        blocks.push(Block::Table(table.folded()));
        blocks.push(Block::folded("All sizes, as lat_mem_rd prints them", columns));
    }
    if !all.is_empty() {
        blocks.push(Block::text(
            "Every load is on another page than the last: above the reach of the first-level TLB each one misses it. \
             Points between 0.4 and 4 times the last-level cache scatter with what others leave of it and are no memory latency.",
        ));
        blocks.push(origin::method(report, &all));
    }
    blocks
}

fn what(ratio: Option<f64>) -> String {
    match ratio {
        Some(r) if r >= 4.0 => "memory".into(),
        Some(r) if r > 0.4 => format!("{}x last-level cache: not memory", quantity::short(r)),
        _ => String::new(),
    }
}
