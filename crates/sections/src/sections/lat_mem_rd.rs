//! Latency in lmbench's own way: the two columns that `lat_mem_rd -t` prints, beside our medians.
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::Report;
use record::{ProbeId, Text, Unit, param};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("lmbench lat_mem_rd", 70, &[ProbeId::LatMemRd], blocks);

/// One table for each case.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, SECTION.probes);
    let mut blocks = vec![];
    for these in all.chunk_by(|a, b| a.run == b.run) {
        let Some(run) = report.record.runs.get(these[0].run) else { continue };
        let said = |value: Option<&record::Value>| value.map_or(String::new(), ToString::to_string);
        blocks.push(Block::heading(say::lat_mem_rd_case(
            said(param::SIZE.value(&run.case.params)),
            said(param::STRIDE.value(&run.case.params)),
            run.case.get(param::LINEAGE).unwrap_or_default(),
        )));
        let mut table = Table::default();
        let buffer = these.last().and_then(|e| report.series(e)?.buffer.as_ref());
        let pages = buffer.map_or(String::new(), |b| format!("{}; ", origin::pages(b)));
        table.note(say::lat_mem_rd_lmbench_prints_least(&pages, origin::placement(run, buffer)));
        let mut columns = Table::new(["#size in MiB", "#ns"]);
        columns.note(format!("\"stride={}", said(param::STRIDE.value(&run.case.params))));
        for e in these {
            let Some(bytes) = param::WORKING_SET.of(&e.at) else { continue };
            let ratio = report.series(e).and_then(|s| s.buffer.as_ref()?.llc_ratio);
            columns.row([format!("{:.5}", bytes / 1_048_576.0), format!("{:.3}", e.min * 1e9)]);
            // Octaves only: all sizes are in the details.
            if (bytes as u64).is_power_of_two() && bytes >= 4096.0 {
                table.headed([
                    ("size", quantity::plain(bytes, Unit::Bytes).into()),
                    ("#least of 5", quantity::plain(e.min, Unit::Seconds).into()),
                    ("#median", quantity::median(e).into()),
                    ("#cycles", e.cycles.map_or(String::new(), quantity::cycles).into()),
                    ("what it is", what(ratio)),
                    ("#samples", origin::samples(e).into()),
                    ("excluded", origin::left_out(e).into()),
                ]);
            }
        }
        blocks.push(Block::Table(table.folded()));
        blocks.push(Block::folded(say::ALL_SIZES_AS_LAT_MEM_RD_PRINTS, columns));
    }
    if !all.is_empty() {
        blocks.push(Block::text(say::LAT_MEM_RD_EVERY_LOAD_ANOTHER_PAGE));
        blocks.push(origin::method(report, &all));
    }
    blocks
}

fn what(ratio: Option<f64>) -> Text {
    match ratio {
        Some(r) if r >= 4.0 => "memory".into(),
        Some(r) if r > 0.4 => say::x_last_level_cache_not_memory(quantity::short(r)),
        _ => Text::default(),
    }
}
