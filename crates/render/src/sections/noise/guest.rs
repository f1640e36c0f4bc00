//! A guest beside its host: detours by who had them, and what the same work takes.
use super::{SHOWN, seconds, share, who};
use crate::page::{Block, Table};
use crate::{origin, quantity};
use analyse::Report;
use analyse::noise::{CpuFixedWork, Noise, NoiseSource};
use record::Unit;

/// Nothing where no guest was asked.
pub(super) fn blocks(report: &Report<'_>, noise: &Noise) -> Vec<Block> {
    let Some(guest) = &noise.guest else { return vec![] };
    let emulated = guest.accelerator != "kvm";
    let mut blocks = vec![Block::Heading("A guest beside its host".into())];
    if emulated {
        blocks.push(Block::Paragraph(format!(
            "This guest was emulated ({}): its figures show that it answers, and say nothing of a real one.",
            guest.accelerator.to_uppercase()
        )));
    }
    let mut table = Table::new(&[
        "thread",
        "#detours",
        "#median",
        "#longest",
        "#lost",
        "#interrupts",
        "#preemption",
        "#steal",
        "#SMI, hypervisor",
        "#other",
    ]);
    let host = noise.cpus.iter().filter(|w| w.binding == "bound").take(SHOWN);
    let rows = host.map(|w| ("host", w)).chain(guest.cpus.iter().map(|w| ("guest", w)));
    for (of, w) in rows {
        let sum = |wanted: &dyn Fn(&NoiseSource) -> bool| {
            let sum: f64 = w.parts.iter().filter(|p| wanted(&p.by)).map(|p| p.share).sum();
            if sum > 0.0 { share(sum) } else { String::new() }
        };
        let known = |by: &NoiseSource| {
            let interrupt = matches!(by, NoiseSource::Interrupt(_) | NoiseSource::Softirq);
            interrupt
                || matches!(
                    by,
                    NoiseSource::Preemption | NoiseSource::Steal | NoiseSource::Unexplained
                )
        };
        table.row([
            format!("{of}, {}", who(w.cpu, &w.binding)),
            quantity::plain(w.per_second, Unit::PerSecond),
            w.lengths.map_or(String::new(), |l| seconds(l[0])),
            w.longest.map_or(String::new(), seconds),
            share(w.share),
            sum(&|by| matches!(by, NoiseSource::Interrupt(_) | NoiseSource::Softirq)),
            sum(&|by| *by == NoiseSource::Preemption),
            sum(&|by| *by == NoiseSource::Steal),
            sum(&|by| *by == NoiseSource::Unexplained),
            sum(&|by| !known(by)),
        ]);
    }
    if !guest.cpus.is_empty() {
        blocks.push(Block::Table(table.folded()));
    }
    // A piece is as many numbers as take 50 us, elsewhere others: what one takes can be compared.
    let mut table = Table::new(&[
        "thread",
        "work",
        "#a step at undisturbed speed",
        "#mean",
        "#mean over undisturbed speed",
    ]);
    let alike = |w: &&CpuFixedWork| {
        w.binding == "bound" && guest.works.iter().any(|theirs| theirs.quantum == w.quantum)
    };
    let host = noise.works.iter().filter(alike).take(SHOWN);
    for (of, w) in host.map(|w| ("host", w)).chain(guest.works.iter().map(|w| ("guest", w))) {
        let series = report.estimates.get(w.estimate).and_then(|e| origin::series(report, e));
        let Some(steps) = series.map(|s| s.steps.max(1) as f64) else { continue };
        let floor = w.overhead.floor / steps;
        table.row([
            format!("{of}, {}", who(w.cpu, &w.binding)),
            w.quantum.clone(),
            seconds(floor),
            seconds(floor * (1.0 + w.overhead.overhead)),
            share(w.overhead.overhead),
        ]);
    }
    if !guest.works.is_empty() {
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::Paragraph(
        "Host and guest did the same one after the other, with a thread bound to each CPU; what the guest cannot explain, its \
         host had."
            .into(),
    ));
    blocks
}
