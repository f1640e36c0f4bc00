//! Workloads that others measure machines with, in their own terms, and what threads pay that take turns.
use super::memory_management::{Part, part};
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Estimate, Report};
use record::{Case, ProbeId, param};

const PRIME: Part = Part {
    probe: ProbeId::Prime,
    title: "Primes by trial division (sysbench cpu)",
    rows: &["sysbench", "threads"],
    columns: "metric",
    about: "In the terms of sysbench 0.4 (10,000 events up to 50,000, extrapolated from those that were measured) and of 1.0 \
            (events per second up to 10,000). It tests the divider alone: beside it the time of one division.",
};

const BC: Part = Part {
    probe: ProbeId::Bc,
    title: "Long arithmetic of the installed bc",
    rows: &["task", "copies"],
    columns: "metric",
    about: "pow: 7^999999; pi: 5000 digits of pi. Elapsed until the last copy has ended, and the CPU time of a copy. It is the \
            time of the bc that is installed: compare equal versions only.",
};

const LOCKS: Part = Part {
    probe: ProbeId::LockCost,
    title: "Locks and atomic operations",
    rows: &["way", "threads"],
    columns: "metric",
    about: "Time of one turn of a thread, of several the threads over the turns per second of all together; these turns per \
            second; and the turns of the thread that had fewest over those of the one that had most. The spin lock and the \
            mutex guard one addition.",
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
            speed.rows.push([vec![name, copies], cells].concat());
        }
    }
    let mut blocks = vec![Block::Heading("openssl speed".into())];
    if !speed.rows.is_empty() {
        speed.note(
            "1000s of bytes per second, as openssl speed prints them, by the size of a block in bytes; `32 on 2`: threads that share CPUs",
        );
        blocks.push(Block::Table(speed));
    }
    blocks.extend(Block::list(signatures));
    blocks.extend(origin::every(report, "Every series, with spread and code", "series", &all));
    blocks
}
