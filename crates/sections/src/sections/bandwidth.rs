//! Bandwidth by kernel and number of threads, beside what the memory modules could deliver.
mod bandwidth_scaling;
mod cache_bandwidth;
mod data_content;
mod stream;

use crate::chart::{Bar, Bars, Chart, Kind};
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Estimate, Report, Theoretical, by_key};
use record::{ProbeId, Reason, Sort, Unit, param};

pub(crate) static SECTION: ReportSection = Section::with_numbers(
    "Bandwidth",
    80,
    &[
        ProbeId::Bandwidth,
        ProbeId::BandwidthScaling,
        ProbeId::CacheBandwidth,
        ProbeId::Stream,
        ProbeId::LmbenchStream,
        ProbeId::DataContent,
    ],
    blocks,
);

/// Kinds of access, what the modules could deliver, numbers of threads, caches, STREAM and lmbench, contents.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let mut blocks = kinds(report, ProbeId::Bandwidth, "Bandwidth by kind of access");
    if !blocks.is_empty() {
        blocks.push(theoretical(report));
    }
    blocks.extend(bandwidth_scaling::blocks(report));
    blocks.extend(cache_bandwidth::blocks(report));
    blocks.extend(kinds(report, ProbeId::Stream, "STREAM kernels"));
    blocks.extend(stream::blocks(report));
    blocks.extend(data_content::blocks(report));
    if !blocks.is_empty() {
        blocks.push(Block::text(
            "Bytes that the program reads and writes per second, 1 GB/s = 1e9 B/s; what the hardware moves \
             besides (a line read before it is written) is not counted. The mixes change their lines in place, \
             so that everything that moves is counted.",
        ));
    }
    blocks
}

/// Bars and table of one probe.
fn kinds(report: &Report<'_>, probe: ProbeId, title: &str) -> Vec<Block> {
    let all = section::of_probes(report, &[probe]);
    if all.is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::chart(chart(report, probe, title, &all))];
    // A table for each set of CPUs, which then stands once above it.
    let cpus = |e: &&Estimate| report.record.runs.get(e.run).map(|run| &run.case.place.cpus);
    for (_, these) in by_key(all.iter().copied(), cpus) {
        blocks.push(Block::Table(origin::table(report, "series", &these)));
    }
    blocks.push(origin::method(report, &all));
    blocks
}

/// The measured part of the modules' theoretical bandwidth.
fn theoretical(report: &Report<'_>) -> Block {
    let could = match report.get::<Result<Theoretical, Reason>>() {
        Ok(could) => could,
        Err(why) => {
            return Block::text(format!("What the memory could deliver is not known: {why}."));
        }
    };
    let (peak, transfers) = (
        quantity::plain(could.peak, Unit::BytesPerSecond),
        quantity::plain(could.transfers, Unit::TransfersPerSecond),
    );
    let mut said = if could.by_model {
        format!(
            "Memory of this CPU model could deliver {peak} at most: {} channels of the sockets that show at {transfers}, as the vendor states. The modules may be slower or fewer, and a guest shares them.",
            could.channels
        )
    } else {
        let channels =
            if could.exact { "" } else { " at most, since the slots' names do not tell" };
        format!(
            "The memory could deliver {peak}: {} channels{channels} at {transfers}.",
            could.channels
        )
    };
    if let Some((estimate, share)) = could.measured
        && let Some(e) = report.estimates.get(estimate)
    {
        said += &format!(
            " All threads together read {}, which is {} of that.",
            quantity::median(e),
            quantity::percent(share)
        );
        said += match (share > 1.0, could.by_model) {
            (false, _) => "",
            (true, true) => " More than all: this machine has memory of more sockets than show.",
            (true, false) => " More than all: what firmware states of the modules cannot be right.",
        };
    }
    Block::text(said)
}

fn group(report: &Report<'_>, estimate: &Estimate) -> String {
    let threads =
        report.record.runs.get(estimate.run).and_then(|run| run.case.get(param::ONE_OR_ALL));
    match threads {
        Some("one") => "one thread".into(),
        Some("node") => "all of one node".into(),
        Some("all") => "all threads".into(),
        Some(other) => format!("{other} threads"),
        None => "threads not stated".into(),
    }
}

fn kernel(report: &Report<'_>, estimate: &Estimate) -> String {
    let params = report.record.runs.get(estimate.run).map(|run| &run.case.params);
    let kernel =
        params.and_then(|p| param::KERNEL.value(p)).or_else(|| param::KERNEL.value(&estimate.at));
    let mut label = kernel.map_or_else(|| estimate.metric.to_string(), ToString::to_string);
    if params.and_then(|p| param::PAGES.of(p)) == Some("base") {
        label += " (base pages)";
    }
    label
}

fn chart(report: &Report<'_>, probe: ProbeId, title: &str, all: &[&Estimate]) -> Chart {
    let mut bars = Bars { unit: Unit::BytesPerSecond, groups: vec![], bars: vec![] };
    let mut table = Table::default();
    for e in all {
        let (label, name) = (kernel(report, e), group(report, e));
        let group = bars.groups.iter().position(|g| *g == name).unwrap_or_else(|| {
            bars.groups.push(name.clone());
            bars.groups.len() - 1
        });
        table.headed([
            ("kernel", label.clone()),
            ("threads", name),
            ("#median", origin::median(e)),
            ("#95 % interval", origin::interval(e.median, e.unit, e.interval)),
            ("#samples", origin::samples(e)),
            ("excluded", origin::left_out(e)),
        ]);
        let split = if e.states.len() > 1 { ", several modes" } else { "" };
        let modes = e.states.iter().map(|s| s.level).filter(|_| e.states.len() > 1);
        let levels = modes.chain(e.elsewhere.iter().map(|s| s.level)).collect();
        bars.bars.push(Bar {
            label,
            group,
            value: e.median,
            ends: e.interval.map(|i| i.ends()),
            levels,
            text: origin::median(e) + split,
        });
    }
    // Bars of the same kernel stand together, in the order in which kernels first appear.
    let order: Vec<String> = bars.bars.iter().map(|b| b.label.clone()).collect();
    bars.bars.order_by_key(|b| (order.iter().position(|l| *l == b.label), b.group));
    Chart {
        name: probe.to_string(),
        title: title.to_owned(),
        description:
            "Bars are medians, whiskers 95 % intervals, diamonds other modes and placements of the CPUs.".into(),
        table: table.folded(),
        kind: Kind::Bars(bars),
    }
}
