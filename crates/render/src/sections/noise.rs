//! What the system takes away: shares of each CPU by who had it, lengths of detours, what the same work takes more, what requests
//! to the kernel cost beside the mitigations at work, and which CPUs take which interrupts.
mod guest;

use crate::chart::{Axes, Chart, Curves, Kind, Line, Panel, Point, Timeline};
use crate::page::{Block, Table};
use crate::{origin, quantity, section};
use analyse::noise::{Noise, Taken, Watched};
use analyse::{Estimate, Report};
use record::{CpuSet, Detours, Unit};
use std::collections::BTreeMap;

/// Lines of a chart, and CPUs that are shown before the rest is folded away.
const LINES: usize = 8;
const SHOWN: usize = 16;
/// Detours that are listed one by one for each thread.
const LONGEST: usize = 5;

/// Detours, work, requests, interrupts.
pub fn blocks(report: &Report<'_>) -> Vec<Block> {
    let Some(noise) = &report.noise else { return vec![] };
    let mut blocks = detours(report, noise);
    blocks.extend(works(report, noise));
    blocks.extend(guest::blocks(report, noise));
    blocks.extend(costs(report, noise));
    let all = section::of_probes(report, &["noise_detours", "noise_fwq", "kernel_ops"]);
    if !all.is_empty() {
        let table = Block::Table(origin::table(report, "series", &all));
        blocks.push(Block::details("Every series, with spread and placement", vec![table]));
        blocks.push(origin::method(report, &all));
    }
    blocks
}

fn share(share: f64) -> String {
    quantity::small_share(share)
}

fn seconds(seconds: f64) -> String {
    quantity::plain(seconds, Unit::Seconds)
}

/// Which thread: `CPU 3`, `CPU 3, fifo`, `unbound`.
fn who(cpu: Option<u32>, binding: &str) -> String {
    match (cpu, binding) {
        (Some(cpu), "bound") => format!("CPU {cpu}"),
        (Some(cpu), binding) => format!("CPU {cpu}, {binding}"),
        (None, binding) => binding.to_owned(),
    }
}

fn seen<'r>(report: &'r Report<'_>, estimate: usize) -> Option<&'r Detours> {
    origin::series(report, report.estimates.get(estimate)?)?.detours.as_deref()
}

fn detours(report: &Report<'_>, noise: &Noise) -> Vec<Block> {
    if noise.cpus.is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::Heading("Who has the CPU when a program wants it".into())];
    // The worst first where not all are shown.
    let mut order: Vec<&Watched> = noise.cpus.iter().collect();
    if order.len() > SHOWN {
        order.sort_by(|a, b| b.share.total_cmp(&a.share));
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
        blocks.push(Block::Paragraph(format!(
            "A detour is a time of {} or more in which a thread that does nothing but look at the time did not get to; a \
             look takes {}. Together the parts are the share taken. SMI or hypervisor: detours that no counter of the kernel \
             explains, or that are far longer than what it counted takes.",
            seconds(lead.threshold),
            seconds(lead.least)
        )));
    }
    if let Some(pressure) = noise.pressure {
        blocks.push(Block::Paragraph(format!(
            "During {} of that time some task of the machine, this program's threads among them, waited for a CPU (pressure stall information).",
            share(pressure.min(1.0))
        )));
    }
    blocks.push(Block::Chart(Box::new(lengths(report, noise))));
    blocks.extend(timeline(report, noise).map(|chart| Block::Chart(Box::new(chart))));
    blocks.push(Block::details("Every part", vec![Block::Table(parts(&noise.cpus))]));
    blocks.push(Block::details("The longest detours", vec![Block::Table(longest(report, noise))]));
    blocks.extend(tasks(report, noise));
    blocks.extend(affinity(noise));
    blocks.extend(uncounted(report, noise));
    blocks
}

fn summary(cpus: &[&Watched]) -> Table {
    let mut table =
        Table::new(&["thread", "#detours", "#median", "#99 %", "#99.9 %", "#longest", "#taken"]);
    for w in cpus {
        let length = |at: usize| w.lengths.map_or(String::new(), |l| seconds(l[at]));
        table.row([
            who(w.cpu, &w.binding),
            quantity::plain(w.per_second, Unit::PerSecond),
            length(0),
            length(1),
            length(2),
            w.longest.map_or(String::new(), seconds),
            share(w.share),
        ]);
    }
    table
}

/// The share of the time that each had.
fn shares(cpus: &[&Watched]) -> Table {
    let mut table = Table::new(&[
        "thread",
        "#interrupts",
        "#softirqs",
        "#preemption",
        "#throttled",
        "#moved",
        "#steal",
        "#SMI, hypervisor",
        "#other",
    ]);
    for w in cpus {
        let sum = |of: &dyn Fn(&Taken) -> bool| {
            let sum: f64 = w.parts.iter().filter(|p| of(&p.by)).map(|p| p.share).sum();
            if sum > 0.0 { share(sum) } else { String::new() }
        };
        table.row([
            who(w.cpu, &w.binding),
            sum(&|by| matches!(by, Taken::Interrupt(_))),
            sum(&|by| *by == Taken::Softirq),
            sum(&|by| *by == Taken::Preemption),
            sum(&|by| matches!(by, Taken::Quota | Taken::RealtimeShare)),
            sum(&|by| *by == Taken::Migration),
            sum(&|by| *by == Taken::Steal),
            sum(&|by| *by == Taken::Unexplained),
            sum(&|by| matches!(by, Taken::Fault | Taken::Unattributed)),
        ]);
    }
    table.folded()
}

/// Every part of every thread.
fn parts(cpus: &[Watched]) -> Table {
    let mut table = Table::new(&["thread", "taken by", "#share", "#times", "#each"]);
    for w in cpus {
        for part in &w.parts {
            table.row([
                who(w.cpu, &w.binding),
                part.by.name(),
                share(part.share),
                quantity::many(part.times.round()),
                if part.times >= 1.0 { seconds(part.seconds / part.times) } else { String::new() },
            ]);
        }
    }
    table
}

/// How often detours of a length and longer come.
fn lengths(report: &Report<'_>, noise: &Noise) -> Chart {
    let mut table = Table::new(&["thread", "#length", "#detours as long or longer"]);
    let axes = Axes {
        x: ("length of a detour", Unit::Seconds),
        y: ("as long or longer", Unit::PerSecond),
    };
    let mut curves = Curves { axes, ..Curves::default() };
    for w in noise.cpus.iter().take(LINES) {
        let Some(detours) = seen(report, w.estimate) else { continue };
        let mut points = vec![];
        let mut longer = 0.0;
        for (bucket, count) in detours.lengths.counts.iter().rev() {
            longer += *count as f64;
            let x = detours.lengths.ends(*bucket).0;
            points.push(Point { x, y: longer / detours.watched, ends: None });
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
        let label = who(w.cpu, &w.binding);
        curves.lines.push(Line { label, points, plateaus: vec![] });
    }
    Chart {
        name: "noise-lengths".into(),
        title: "Detours by length".into(),
        description: "Both axes are logarithmic: how many detours of a length and longer there are in a second. A step is a \
                      kind of interruption."
            .into(),
        table,
        kind: Kind::Curves(curves),
    }
}

/// What was taken of each window of time: the least and the most of all CPUs.
fn timeline(report: &Report<'_>, noise: &Noise) -> Option<Chart> {
    let bound = noise.cpus.iter().filter(|w| w.binding == "bound");
    let series: Vec<_> = bound
        .filter_map(|w| origin::series(report, report.estimates.get(w.estimate)?))
        .filter(|s| s.samples.len() > 1)
        .collect();
    let count = series.iter().map(|s| s.samples.len()).min()?;
    let elapsed =
        series.iter().filter_map(|s| s.detours.as_ref()).map(|g| g.elapsed).fold(0.0, f64::max);
    let mut table = Table::new(&["#at", "#least taken", "#most taken"]);
    let mut spans = vec![];
    for i in 0..count {
        let at = elapsed * (i as f64 + 0.5) / count as f64;
        let low = series.iter().map(|s| s.samples[i]).fold(f64::INFINITY, f64::min);
        let high = series.iter().map(|s| s.samples[i]).fold(0.0, f64::max);
        table.row([seconds(at), share(low), share(high)]);
        spans.push((at, low, high));
    }
    Some(Chart {
        name: "noise-timeline".into(),
        title: "Taken, over time".into(),
        description:
            "Each line spans the CPU of which least was taken to the one of which most was.".into(),
        table,
        kind: Kind::Timeline(Timeline {
            panels: vec![Panel { label: "share taken", unit: Unit::Ratio, spans }],
        }),
    })
}

fn longest(report: &Report<'_>, noise: &Noise) -> Table {
    let mut table = Table::new(&["thread", "#at", "#length", "what moved meanwhile"]);
    for w in &noise.cpus {
        let Some(detours) = seen(report, w.estimate) else { continue };
        let mut all: Vec<_> = detours.largest.iter().collect();
        all.sort_by(|a, b| b.seconds.total_cmp(&a.seconds));
        for detour in all.into_iter().take(LONGEST) {
            let moved = detour.moved.join(", ").replace('_', " ");
            table.row([
                who(w.cpu, &w.binding),
                seconds(detour.at),
                seconds(detour.seconds),
                if moved.is_empty() { "nothing, or it was not looked at".into() } else { moved },
            ]);
        }
    }
    table
}

/// Who ran meanwhile, where tasks of others may be seen.
fn tasks(report: &Report<'_>, noise: &Noise) -> Option<Block> {
    let mut table = Table::new(&["thread", "task", "#ran", "#of the time"]);
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
    table.notes.push(
        "tasks whose last CPU was this one, by what they ran meanwhile there and elsewhere, while causes were looked at, too"
            .into(),
    );
    (!table.rows.is_empty()).then(|| Block::details("Who else ran", vec![Block::Table(table)]))
}

/// Which CPUs take which interrupts, and which are best to pin to.
fn affinity(noise: &Noise) -> Vec<Block> {
    let mut blocks = vec![];
    if !noise.irqs.is_empty() {
        let mut table =
            Table::new(&["interrupt", "#a second", "CPUs, a second each", "sent to", "may go to"]);
        let mut all: Vec<_> = noise.irqs.iter().collect();
        let sum = |of: &BTreeMap<u32, f64>| of.values().sum::<f64>();
        all.sort_by(|a, b| sum(b.1).total_cmp(&sum(a.1)));
        for (irq, cpus) in all.into_iter().take(2 * SHOWN) {
            let mut by: Vec<_> = cpus.iter().collect();
            by.sort_by(|a, b| b.1.total_cmp(a.1));
            let words: Vec<String> = by
                .iter()
                .take(LINES)
                .map(|(cpu, rate)| {
                    format!("CPU {cpu}: {}", quantity::plain(**rate, Unit::PerSecond))
                })
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
        table.notes.push(
            "interrupts of devices while detours were watched; /proc/interrupts says whose they are, \
             effective_affinity_list and smp_affinity_list of /proc/irq/* where they go"
                .into(),
        );
        blocks.push(Block::Heading("Which CPUs take which interrupts".into()));
        blocks.push(Block::Table(table));
    }
    if let Some(spared) = &noise.spared {
        blocks.push(Block::Paragraph(match spared.is_empty() {
            true => "Interrupts of devices are sent to every CPU; a device that is silent now may not stay so.".into(),
            false => format!("No device's interrupts are sent to CPU {spared}, busy or not."),
        }));
    }
    if let [first, .., last] = noise.ranked[..] {
        let of = |cpu: u32| {
            let found = noise.cpus.iter().find(|w| w.cpu == Some(cpu) && w.binding == "bound");
            found.map_or(String::new(), |w| share(w.share))
        };
        let best: Vec<String> = noise.ranked.iter().take(SHOWN).map(u32::to_string).collect();
        blocks.push(Block::Paragraph(format!(
            "Best to pin work to, the least disturbed first: CPU {}. Of CPU {first} {} was taken, of CPU {last} {}.",
            best.join(", "),
            of(first),
            of(last)
        )));
    }
    blocks
}

/// What could not be counted, once for all CPUs.
fn uncounted(report: &Report<'_>, noise: &Noise) -> Option<Block> {
    let mut reasons = BTreeMap::new();
    for detours in noise.cpus.iter().filter_map(|w| seen(report, w.estimate)) {
        for (name, why) in &detours.uncounted {
            reasons.entry(name.as_str()).or_insert_with(|| why.to_string());
        }
    }
    let list: Vec<String> = reasons.into_values().collect();
    (!list.is_empty()).then(|| Block::details("What could not be counted", vec![Block::List(list)]))
}

fn works(report: &Report<'_>, noise: &Noise) -> Vec<Block> {
    if noise.works.is_empty() {
        return vec![];
    }
    let mut lengths = Table::new(&[
        "work",
        "thread",
        "#undisturbed speed",
        "#median",
        "#99 %",
        "#99.9 %",
        "#longest",
        "#disturbed",
    ]);
    let mut more = Table::new(&[
        "work",
        "thread",
        "#direct",
        "#indirect",
        "#floor moves",
        "#by the clock",
        "#scatter",
        "#mean over undisturbed speed",
    ]);
    for w in &noise.works {
        let (p, thread) = (&w.pieces, who(w.cpu, &w.binding));
        let [median, p99, p999, longest] = p.lengths.map(seconds);
        lengths.row([
            w.quantum.clone(),
            thread.clone(),
            seconds(p.floor),
            median,
            p99,
            p999,
            longest,
            share(p.disturbed),
        ]);
        more.row([
            w.quantum.clone(),
            thread,
            share(p.direct),
            share(p.indirect),
            share(p.shift),
            p.frequency.map_or("not known".into(), share),
            share(p.scatter),
            share(p.overhead),
        ]);
    }
    let mut blocks = vec![
        Block::Heading("What the same work takes".into()),
        Block::Table(lengths),
        Block::Table(more),
        Block::Paragraph(
            "Line speed is what the fastest twentieth of the pieces took. Direct: what disturbed pieces take more; indirect: \
             what the eight after each take more, with caches and predictors that others have used; floor moves: the line \
             speed of each tenth of a second over that of all. By the clock is how much of that the core's frequency accounts \
             for, told after each tenth by additions of which each waits for the one before; the rest is the other thread of \
             the core, or caches and memory that are shared."
                .into(),
        ),
    ];
    let passes: Vec<&Estimate> = section::of_probes(report, &["noise_fwq"])
        .into_iter()
        .filter(|e| e.metric == "time_per_pass")
        .collect();
    if !passes.is_empty() {
        let table = origin::table(report, "primes from 3 to 999,999", &passes);
        blocks.push(Block::details(
            "Whole passes: 78,497 primes, counted each time",
            vec![Block::Table(table)],
        ));
    }
    blocks
}

/// What requests cost, and what makes them dear.
fn costs(report: &Report<'_>, noise: &Noise) -> Vec<Block> {
    let all = section::of_probes(report, &["kernel_ops"]);
    if all.is_empty() {
        return vec![];
    }
    let mut table = Table::new(&["request", "#cost", "#cycles", "#95 % interval", "what it is"]);
    for e in &all {
        let params = report.record.runs.get(e.run).map(|r| &r.case);
        let request = params.and_then(|case| case.text("request")).unwrap_or_default();
        let others = e.at.get("others").and_then(|v| v.integer());
        let name = match others {
            Some(n) => format!("{}, {}", request, quantity::counted(n as usize, "other CPU")),
            None => request.replace('_', " "),
        };
        table.row([
            name,
            quantity::median(e),
            e.cycles.map_or(String::new(), |c| quantity::cycles(c, None)),
            e.interval
                .map_or("too few samples".into(), |i| quantity::interval(e.median, e.unit, &i)),
            about(request).into(),
        ]);
    }
    let says: Vec<String> = noise
        .mitigations
        .iter()
        .map(|(name, says)| format!("{}: {says}", name.replace('_', " ")))
        .collect();
    let mut blocks = vec![
        Block::Heading("What requests to the kernel cost".into()),
        Block::Table(table),
        Block::Paragraph(match says.is_empty() {
            true => "Which mitigations are at work is not known from this record, or this processor needs none.".into(),
            false => "At work while this was measured, and in these costs; cpulens compare says what the same requests cost \
                      after another boot:"
                .to_owned(),
        }),
    ];
    blocks.extend((!says.is_empty()).then_some(Block::List(says)));
    blocks
}

fn about(request: &str) -> &'static str {
    match request {
        "null_call" => "a system call that does nothing (getppid)",
        "futex_wake" => "waking nobody",
        "signal" => "a signal to the own thread, with its handler",
        "switch" => "from thread to thread on one CPU, with futexes",
        "handover" => "waking a thread that sleeps on another CPU",
        "interrupt" => "to each other CPU of the process and back (membarrier)",
        "timer" => {
            "how late a sleep of 100 us ends; timers of ordinary threads have 50 us of slack"
        }
        "fork" => "a copy of this process, and its end",
        "exec" => "a copy, a small static program in it, and its end",
        _ => "",
    }
}
