//! OS noise: the share each source takes of each CPU, detour lengths, fixed work quanta (FWQ), kernel operation costs beside the
//! active mitigations, and interrupt affinity.
mod guest;

use crate::chart::{Chart, Curves, Kind, Line, Panel, Point, range};
use crate::page::{Block, Table};
use crate::quantity::{self, percent as share};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, section};
use analyse::noise::{CpuDetours, Noise, NoiseResult, NoiseSource};
use analyse::{Estimate, Report};
use record::{CpuSet, Detours, Message, Metric, ProbeId, Sort, Text, Unit, param};
use std::collections::BTreeMap;

/// Lines of a chart, and CPUs that are shown before the rest is folded away.
const LINES: usize = 8;
const SHOWN: usize = 16;
/// Detours that are listed one by one for each thread.
const LONGEST: usize = 5;

pub(crate) static SECTION: ReportSection = Section::with_numbers(
    "OS noise",
    150,
    &[ProbeId::NoiseDetours, ProbeId::NoiseFwq, ProbeId::KernelOps],
    blocks,
);

/// Detours, work, requests, interrupts.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let Some(noise) = &report.get::<NoiseResult>().0 else { return vec![] };
    let mut blocks = detours(report, noise);
    blocks.extend(works(report, noise));
    blocks.extend(guest::blocks(report, noise));
    blocks.extend(costs(report, noise));
    let all =
        section::of_probes(report, &[ProbeId::NoiseDetours, ProbeId::NoiseFwq, ProbeId::KernelOps]);
    blocks.extend(origin::every(report, say::CORE_EVERY_SERIES_SPREAD_PLACEMENT, "series", &all));
    blocks
}

fn seconds(seconds: f64) -> String {
    quantity::plain(seconds, Unit::Seconds)
}

/// The thread: `CPU 3`, `CPU 3, fifo`, `unbound`.
fn who(cpu: Option<u32>, binding: &str) -> String {
    match (cpu, binding) {
        (Some(cpu), "bound") => format!("CPU {cpu}"),
        (Some(cpu), binding) => format!("CPU {cpu}, {binding}"),
        (None, binding) => binding.to_owned(),
    }
}

fn seen<'r>(report: &'r Report<'_>, estimate: usize) -> Option<&'r Detours> {
    report.series(report.estimates.get(estimate)?)?.detours.as_deref()
}

fn detours(report: &Report<'_>, noise: &Noise) -> Vec<Block> {
    if noise.cpus.is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::heading("OS noise by source")];
    // The worst first where not all are shown.
    let mut order: Vec<&CpuDetours> = noise.cpus.iter().collect();
    if order.len() > SHOWN {
        order.order_by(|a, b| b.share.total_cmp(&a.share));
    }
    let (first, rest) = order.split_at(order.len().min(SHOWN));
    blocks.push(Block::Table(summary(first)));
    blocks.push(Block::Table(shares(first)));
    if !rest.is_empty() {
        let title = format!("The other {}", quantity::counted(rest.len(), "thread"));
        let tables = vec![Block::Table(summary(rest)), Block::Table(shares(rest))];
        blocks.push(Block::details(title, tables));
    }
    if let Some(lead) = noise.cpus.first().and_then(|w| seen(report, w.estimate)) {
        blocks.push(Block::text(say::noise_detour_interval_more_thread(
            seconds(lead.threshold),
            seconds(lead.least),
        )));
    }
    if let Some(pressure) = noise.pressure {
        blocks.push(Block::text(say::tasks_waited(share(pressure.min(1.0)))));
    }
    blocks.push(Block::chart(lengths(report, noise)));
    blocks.extend(timeline(report, noise).map(Block::chart));
    blocks.push(Block::folded("Every part", parts(&noise.cpus)));
    blocks.push(Block::folded("The longest detours", longest(report, noise)));
    blocks.extend(tasks(report, noise));
    blocks.extend(affinity(noise));
    blocks.extend(uncounted(report, noise));
    blocks
}

fn summary(cpus: &[&CpuDetours]) -> Table {
    Table::of(cpus, |w| {
        let length = |at: usize| w.lengths.map_or(String::new(), |l| seconds(l[at]));
        [
            ("thread", who(w.cpu, &w.binding)),
            ("#detours", quantity::plain(w.per_second, Unit::PerSecond)),
            ("#median", length(0)),
            ("#99 %", length(1)),
            ("#99.9 %", length(2)),
            ("#longest", w.longest.map_or(String::new(), seconds)),
            ("#lost", share(w.share)),
        ]
    })
}

/// The share of the time that the sources of these columns had; empty for none.
fn sum(of: &CpuDetours, columns: &[&str]) -> String {
    let wanted = of.parts.iter().filter(|p| columns.contains(&column(&p.by)));
    let sum: f64 = wanted.map(|p| p.share).sum();
    if sum > 0.0 { share(sum) } else { String::new() }
}

/// The column of a source: each is in one.
fn column(by: &NoiseSource) -> &'static str {
    match by {
        NoiseSource::Interrupt(_) => "#interrupts",
        NoiseSource::Softirq => "#softirqs",
        NoiseSource::Preemption => "#preemption",
        NoiseSource::Quota | NoiseSource::RealtimeShare => "#throttled",
        NoiseSource::Migration => "#moved",
        NoiseSource::Steal => "#steal",
        NoiseSource::Unexplained => "#SMI, hypervisor",
        NoiseSource::Fault | NoiseSource::Stall | NoiseSource::Unattributed => "#other",
    }
}

/// The share of the time that each had.
fn shares(cpus: &[&CpuDetours]) -> Table {
    let table = Table::of(cpus, |w| {
        let sum = |of: &'static str| (of, sum(w, &[of]));
        [
            ("thread", who(w.cpu, &w.binding)),
            sum("#interrupts"),
            sum("#softirqs"),
            sum("#preemption"),
            sum("#throttled"),
            sum("#moved"),
            sum("#steal"),
            sum("#SMI, hypervisor"),
            sum("#other"),
        ]
    });
    table.folded()
}

/// Every part of every thread.
fn parts(cpus: &[CpuDetours]) -> Table {
    let mut table = Table::new(["thread", "source", "#share", "#times", "#each"]);
    for w in cpus {
        for part in &w.parts {
            let each = seconds(part.seconds / part.times);
            let each = if part.times >= 1.0 { each } else { String::new() };
            table.row([
                who(w.cpu, &w.binding).into(),
                part.by.name(),
                share(part.share).into(),
                quantity::many(part.times.round()).into(),
                each.into(),
            ]);
        }
    }
    table
}

/// The rate of detours of a length and longer.
fn lengths(report: &Report<'_>, noise: &Noise) -> Chart {
    let mut table = Table::new(["thread", "#length", "#detours as long or longer"]);
    let mut curves =
        Curves::over(("length of a detour", Unit::Seconds), ("as long or longer", Unit::PerSecond));
    for w in noise.cpus.iter().take(LINES) {
        let Some(detours) = seen(report, w.estimate) else { continue };
        let mut points = vec![];
        let mut longer = 0.0;
        for (bucket, count) in detours.lengths.counts.iter().rev() {
            longer += *count as f64;
            let x = detours.lengths.ends(*bucket).0;
            points.push(Point::new(x, longer / detours.watched, None));
        }
        points.reverse();
        // A point an octave says in rows what all of them say in a picture.
        for point in points.iter().step_by(detours.lengths.per_octave.max(1) as usize) {
            table.row([
                who(w.cpu, &w.binding),
                seconds(point.x),
                quantity::plain(point.y, Unit::PerSecond),
            ]);
        }
        curves.lines.push(Line::new(who(w.cpu, &w.binding).into(), points));
    }
    Chart {
        name: "noise-lengths".into(),
        title: "Detours by length".into(),
        description: say::NOISE_BOTH_AXES_LOGARITHMIC_HOW.into(),
        table,
        kind: Kind::Curves(curves),
    }
}

/// The share of each window of time that was taken: the least and the most of all CPUs.
fn timeline(report: &Report<'_>, noise: &Noise) -> Option<Chart> {
    let bound = noise.cpus.iter().filter(|w| w.binding == "bound");
    let series: Vec<_> = bound
        .filter_map(|w| report.series(report.estimates.get(w.estimate)?))
        .filter(|s| s.samples.len() > 1)
        .collect();
    let count = series.iter().map(|s| s.samples.len()).min()?;
    let elapsed =
        series.iter().filter_map(|s| s.detours.as_ref()).map(|g| g.elapsed).fold(0.0, f64::max);
    let mut table = Table::new(["#at", "#least lost", "#most lost"]);
    let mut spans = vec![];
    for i in 0..count {
        let at = elapsed * (i as f64 + 0.5) / count as f64;
        let (low, high) = range(series.iter().map(|s| s.samples[i]));
        table.row([seconds(at), share(low), share(high)]);
        spans.push((at, low, high));
    }
    Some(Chart {
        name: "noise-timeline".into(),
        title: say::SOURCES_OF_OS_NOISE_OVER_TIME.into(),
        description: say::EACH_LINE_SPANS_FROM_THE_CPU_THAT.into(),
        table,
        kind: Kind::Timeline(vec![Panel { label: "share lost", unit: Unit::Ratio, spans }]),
    })
}

fn longest(report: &Report<'_>, noise: &Noise) -> Table {
    let mut table = Table::new(["thread", "#at", "#length", "counters that moved"]);
    for w in &noise.cpus {
        let Some(detours) = seen(report, w.estimate) else { continue };
        let mut all: Vec<_> = detours.largest.iter().collect();
        all.order_by(|a, b| b.seconds.total_cmp(&a.seconds));
        for detour in all.into_iter().take(LONGEST) {
            let moved = detour.moved.join(", ").replace('_', " ");
            table.row([
                who(w.cpu, &w.binding),
                seconds(detour.at),
                seconds(detour.seconds),
                if moved.is_empty() { "none, or not read".into() } else { moved },
            ]);
        }
    }
    table
}

/// Tasks that ran meanwhile, where tasks of others may be seen.
fn tasks(report: &Report<'_>, noise: &Noise) -> Option<Block> {
    let mut table = Table::new(["thread", "task", "#ran", "#of the time"]);
    for w in &noise.cpus {
        let Some(detours) = seen(report, w.estimate) else { continue };
        for task in &detours.tasks {
            table.row([
                who(w.cpu, &w.binding),
                task.name.clone(),
                seconds(task.seconds),
                share(task.seconds / detours.elapsed.max(1e-9)),
            ]);
        }
    }
    table.note(say::TASKS_WHOSE_LAST_CPU_WAS_THIS_ONE);
    (!table.rows.is_empty()).then(|| Block::folded("Other tasks", table))
}

/// Interrupt affinity, and which are best to pin to.
fn affinity(noise: &Noise) -> Vec<Block> {
    let mut table =
        Table::new(["interrupt", "#a second", "CPUs, a second each", "sent to", "may go to"]);
    let mut all: Vec<_> = noise.irqs.iter().collect();
    let sum = |of: &BTreeMap<u32, f64>| of.values().sum::<f64>();
    all.order_by(|a, b| sum(b.1).total_cmp(&sum(a.1)));
    for (irq, cpus) in all.into_iter().take(2 * SHOWN) {
        let mut by: Vec<_> = cpus.iter().collect();
        by.order_by(|a, b| b.1.total_cmp(a.1));
        let words: Vec<String> = by
            .iter()
            .take(LINES)
            .map(|(cpu, rate)| format!("CPU {cpu}: {}", quantity::plain(**rate, Unit::PerSecond)))
            .collect();
        let number: Option<u32> = irq.parse().ok();
        let route = noise.routes.iter().find(|r| number.is_some_and(|n| r.irqs.contains(n)));
        let says = |set: Option<&CpuSet>| set.map_or("-".into(), |s| format!("CPU {s}"));
        table.row([
            format!("IRQ {irq}"),
            quantity::plain(sum(cpus), Unit::PerSecond),
            words.join(", "),
            says(route.and_then(|r| r.goes.as_ref())),
            says(route.map(|r| &r.may)),
        ]);
    }
    table.note(say::DEVICE_INTERRUPTS_DURING_THE_CASE_PROC_INTERRUPTS);
    let mut blocks = Block::titled("Interrupt affinity", table);
    if let Some(spared) = &noise.spared {
        blocks.push(Block::text(match spared.is_empty() {
            true => say::NOISE_DEVICE_INTERRUPTS_GO_EVERY.into(),
            false => say::no_device_interrupt_is_routed_to_cpu(spared.to_string()),
        }));
    }
    if let [first, .., last] = noise.ranked[..] {
        let of = |cpu: u32| {
            let found = noise.cpus.iter().find(|w| w.cpu == Some(cpu) && w.binding == "bound");
            found.map_or(String::new(), |w| share(w.share))
        };
        let best: Vec<String> = noise.ranked.iter().take(SHOWN).map(u32::to_string).collect();
        blocks.push(Block::text(say::cpus_to_pin_to(
            best.join(", "),
            first,
            of(first),
            last,
            of(last),
        )));
    }
    blocks
}

/// Counts that could not be read, once for all CPUs.
fn uncounted(report: &Report<'_>, noise: &Noise) -> Option<Block> {
    let mut reasons = BTreeMap::new();
    for detours in noise.cpus.iter().filter_map(|w| seen(report, w.estimate)) {
        for (name, why) in &detours.uncounted {
            reasons.entry(name.as_str()).or_insert_with(|| why.to_string());
        }
    }
    let list = Block::list(reasons.into_values().collect())?;
    Some(Block::details(say::NOISE_WHAT_COULD_COUNTED, vec![list]))
}

fn works(report: &Report<'_>, noise: &Noise) -> Vec<Block> {
    if noise.works.is_empty() {
        return vec![];
    }
    let mut lengths = Table::default();
    let mut more = Table::default();
    for w in &noise.works {
        let (p, thread) = (&w.overhead, who(w.cpu, &w.binding));
        let [median, p99, p999, longest] = p.lengths.map(seconds);
        lengths.headed([
            ("work", w.quantum.clone()),
            ("thread", thread.clone()),
            ("#undisturbed speed", seconds(p.floor)),
            ("#median", median),
            ("#99 %", p99),
            ("#99.9 %", p999),
            ("#longest", longest),
            ("#disturbed", share(p.disturbed)),
        ]);
        more.headed([
            ("work", w.quantum.clone()),
            ("thread", thread),
            ("#direct", share(p.direct)),
            ("#indirect", share(p.indirect)),
            ("#floor shift", share(p.shift)),
            ("#frequency", p.frequency.map_or("not known".into(), share)),
            ("#scatter", share(p.scatter)),
            ("#mean over undisturbed speed", share(p.overhead)),
        ]);
    }
    let mut blocks = vec![
        Block::heading("Fixed work (FWQ)"),
        Block::Table(lengths),
        Block::Table(more),
        Block::text(say::NOISE_UNDISTURBED_SPEED_FIFTH_PERCENTILE),
    ];
    let passes: Vec<&Estimate> = section::of_probes(report, &[ProbeId::NoiseFwq])
        .into_iter()
        .filter(|e| e.metric == Metric::TimePerPass)
        .collect();
    if !passes.is_empty() {
        let table = origin::table(report, "primes from 3 to 999,999", &passes);
        blocks.push(Block::folded(say::WHOLE_PASSES_78_497_PRIMES_COUNTED_EACH, table));
    }
    blocks
}

/// The cost of system calls, and its causes.
fn costs(report: &Report<'_>, noise: &Noise) -> Vec<Block> {
    let all = section::of_probes(report, &[ProbeId::KernelOps]);
    if all.is_empty() {
        return vec![];
    }
    let table = Table::of(&all, |e| {
        let params = report.record.runs.get(e.run).map(|r| &r.case);
        let request = params.and_then(|case| case.get(param::REQUEST)).unwrap_or_default();
        let others = param::OTHERS.of(&e.at);
        let name = match others {
            Some(n) => format!("{}, {}", request, quantity::counted(n as usize, "other CPU")),
            None => request.replace('_', " "),
        };
        [
            ("operation", name.into()),
            ("#cost", quantity::median(e).into()),
            ("#cycles", e.cycles.map_or(String::new(), quantity::cycles).into()),
            ("#95 % interval", origin::interval(e.median, e.unit, e.interval).into()),
            ("what it is", Text::from(about(request))),
        ]
    });
    let says: Vec<String> = noise
        .mitigations
        .iter()
        .map(|(name, says)| format!("{}: {says}", name.replace('_', " ")))
        .collect();
    let mut blocks = vec![
        Block::heading("Kernel operation costs"),
        Block::Table(table),
        Block::text(match says.is_empty() {
            true => say::THE_ACTIVE_MITIGATIONS_ARE_NOT_IN_THIS,
            false => say::ACTIVE_MITIGATIONS_INCLUDED_IN_THESE_COSTS_CPULENS,
        }),
    ];
    blocks.extend(Block::list(says));
    blocks
}

fn about(request: &str) -> Message {
    match request {
        "null_call" => say::A_SYSTEM_CALL_THAT_DOES_NOTHING_GETPPID,
        "futex_wake" => say::WAKING_NOBODY,
        "signal" => say::A_SIGNAL_TO_THE_OWN_THREAD_WITH,
        "switch" => say::FROM_THREAD_TO_THREAD_ON_ONE_CPU,
        "handover" => say::WAKING_A_THREAD_THAT_SLEEPS_ON_ANOTHER,
        "interrupt" => say::TO_EACH_OTHER_CPU_OF_THE_PROCESS,
        "timer" => say::HOW_LATE_A_SLEEP_OF_100_US,
        "fork" => say::A_COPY_OF_THIS_PROCESS_AND_ITS,
        "exec" => say::A_COPY_A_SMALL_STATIC_PROGRAM_IN,
        _ => Message::verbatim(""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use analyse::noise::Part;

    /// A stall of the core is in the share lost, so that it is in a column too.
    #[test]
    fn every_source_is_in_a_column() {
        let by = [NoiseSource::Preemption, NoiseSource::Stall];
        let parts = by.map(|by| Part { by, seconds: 0.1, share: 0.1, times: 1.0 });
        let cpu = CpuDetours {
            estimate: 0,
            binding: "bound".into(),
            cpu: Some(0),
            per_second: 2.0,
            lengths: None,
            longest: None,
            share: 0.2,
            parts: parts.into(),
            culprit: None,
        };
        let shown = shares(&[&cpu]).rows.concat();
        assert_eq!(shown.iter().filter(|cell| *cell == "10 %").count(), 2, "{shown:?}");
    }
}
