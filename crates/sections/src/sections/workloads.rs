//! Workloads that others measure machines with, in their own terms, and what threads pay that take turns.
use super::memory_management::{Part, part};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Estimate, Report};
use record::{Case, ProbeId, param};

const PRIME: Part = Part {
    probe: ProbeId::Prime,
    title: "Primes by trial division (sysbench cpu)",
    rows: &["sysbench", "threads"],
    columns: "metric",
    about: say::WORKLOADS_TERMS_SYSBENCH_0_4,
};

const BC: Part = Part {
    probe: ProbeId::Bc,
    title: "Long arithmetic of the installed bc",
    rows: &["task", "copies"],
    columns: "metric",
    about: say::WORKLOADS_POW_7_999999_PI,
};

const LOCKS: Part = Part {
    probe: ProbeId::LockCost,
    title: "Locks and atomic operations",
    rows: &["way", "threads"],
    columns: "metric",
    about: say::WORKLOADS_TIME_ONE_TURN_THREAD,
};

pub(crate) static SECTION: ReportSection = Section::with_numbers(
    "Workloads and locks",
    180,
    &[ProbeId::Prime, ProbeId::Openssl, ProbeId::Bc, ProbeId::LockCost],
    blocks,
);

/// For each workload its numbers side by side, and all that stands behind them.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = part(report, &PRIME);
    blocks.extend(openssl(report));
    blocks.extend(part(report, &BC));
    blocks.extend(part(report, &LOCKS));
    blocks
}

/// The number of copies, and of CPUs where these are fewer.
fn copies(case: &Case) -> String {
    let cpus = case.place.cpus.len() as u64;
    match case.get(param::COPIES) {
        Some(n) if n > cpus => format!("{n} on {cpus}"),
        Some(n) => n.to_string(),
        None => String::new(),
    }
}

/// Throughput by block size as `openssl speed` prints it, and signatures.
fn openssl(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &[ProbeId::Openssl]);
    if all.is_empty() {
        return vec![];
    }
    let block = |e: &Estimate| param::BLOCK.of(&e.at);
    let mut sizes: Vec<u64> = all.iter().filter_map(|e| block(e)).collect();
    sizes.sort_unstable();
    sizes.dedup();
    let heads = ["algorithm".to_owned(), "#at once".to_owned()];
    let heads = heads.into_iter().chain(sizes.iter().map(|s| format!("#{s}")));
    let (mut speed, mut signatures) = (Table::new(heads), vec![]);
    for of_run in all.chunk_by(|a, b| a.run == b.run) {
        let Some(run) = report.record.runs.get(of_run[0].run) else { continue };
        let name = run.case.get(param::ALGORITHM).unwrap_or_default().to_owned();
        let copies = copies(&run.case);
        for e in of_run.iter().filter(|e| block(e).is_none()) {
            let rate = quantity::estimate(e);
            signatures.push(format!("{name}, {copies} at once: {}: {rate}", e.metric));
        }
        let at = |size: &u64| {
            let found = of_run.iter().find(|e| block(e) == Some(*size));
            found.map_or(String::new(), |e| quantity::thousands(e.median))
        };
        let cells: Vec<String> = sizes.iter().map(at).collect();
        if cells.iter().any(|c| !c.is_empty()) {
            speed.add([vec![name, copies], cells].concat());
        }
    }
    let mut blocks = vec![Block::heading("openssl speed")];
    if !speed.rows.is_empty() {
        speed.note(say::OPENSSL_THOUSANDS);
        blocks.push(Block::Table(speed));
    }
    blocks.extend(Block::list(signatures));
    blocks.extend(origin::every(report, say::WORKLOADS_EVERY_SERIES_SPREAD_CODE, "series", &all));
    blocks
}
