//! Bandwidth by kernel and number of threads, beside what the memory modules could deliver.
mod bandwidth_scaling;
mod cache_bandwidth;
mod data_content;
mod stream;

use crate::chart::{Bar, Bars, Chart, Kind};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::{Estimate, Report, Theoretical, by_key};
use record::{Between, ProbeId, Reason, Sort, Text, Unit, param};

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
    let mut blocks = kinds(report, ProbeId::Bandwidth, say::BANDWIDTH_BY_KIND_OF_ACCESS);
    if !blocks.is_empty() {
        blocks.push(theoretical(report));
    }
    blocks.extend(bandwidth_scaling::blocks(report));
    blocks.extend(cache_bandwidth::blocks(report));
    blocks.extend(kinds(report, ProbeId::Stream, "STREAM kernels"));
    blocks.extend(stream::blocks(report));
    blocks.extend(data_content::blocks(report));
    if !blocks.is_empty() {
        blocks.push(Block::text(say::BANDWIDTH_BYTES_PROGRAM_READS_WRITES));
    }
    blocks
}

/// Bars and table of one probe.
fn kinds(report: &Report<'_>, probe: ProbeId, title: impl Into<Text>) -> Vec<Block> {
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
            return Block::text(say::what_the_memory_could_deliver_is_not(why));
        }
    };
    let (peak, transfers) = (
        quantity::plain(could.peak, Unit::BytesPerSecond),
        quantity::plain(could.transfers, Unit::TransfersPerSecond),
    );
    let mut said = vec![if could.by_model {
        say::memory_of_model_could(peak, could.channels, transfers)
    } else if could.exact {
        say::memory_could(peak, could.channels, transfers)
    } else {
        say::memory_could_at_most(peak, could.channels, transfers)
    }];
    if let Some((estimate, share)) = could.measured
        && let Some(e) = report.estimates.get(estimate)
    {
        said.push(say::all_threads_read(quantity::median(e), quantity::percent(share)));
        said.extend((share > 1.0).then(|| match could.by_model {
            true => Text::from(say::MORE_SOCKETS_THAN_SHOW),
            false => say::FIRMWARE_IS_WRONG.into(),
        }));
    }
    Block::text(Text::list(said, Between::Sentences))
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

fn chart(report: &Report<'_>, probe: ProbeId, title: impl Into<Text>, all: &[&Estimate]) -> Chart {
    let mut bars = Bars { unit: Unit::BytesPerSecond, groups: vec![], bars: vec![] };
    let mut table = Table::default();
    for e in all {
        let (label, name) = (kernel(report, e), group(report, e));
        let group = bars.groups.iter().position(|g| *g == name).unwrap_or_else(|| {
            bars.groups.push(name.clone().into());
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
            label: label.into(),
            group,
            value: e.median,
            ends: e.interval.map(|i| i.ends()),
            levels,
            text: (origin::median(e) + split).into(),
        });
    }
    // Bars of the same kernel stand together, in the order in which kernels first appear.
    let order: Vec<Text> = bars.bars.iter().map(|b| b.label.clone()).collect();
    bars.bars.order_by_key(|b| (order.iter().position(|l| *l == b.label), b.group));
    Chart {
        name: probe.to_string(),
        title: title.into(),
        description: say::BARS_ARE_MEDIANS_WHISKERS_95_INTERVALS_DIAMONDS.into(),
        table: table.folded(),
        kind: Kind::Bars(bars),
    }
}
