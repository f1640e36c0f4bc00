//! A guest beside its host: detours by who had them, and what the same work takes.
use super::{SHOWN, seconds, share, sum, who};
use crate::page::{Block, Table};
use crate::quantity;
use crate::say;
use analyse::Report;
use analyse::noise::{CpuFixedWork, Noise};
use record::Unit;

/// Nothing where no guest was asked.
pub(super) fn blocks(report: &Report<'_>, noise: &Noise) -> Vec<Block> {
    let Some(guest) = &noise.guest else { return vec![] };
    let emulated = guest.accelerator != "kvm";
    let mut blocks = vec![Block::heading("A guest beside its host")];
    if emulated {
        blocks.push(Block::text(say::guest_emulated(guest.accelerator.to_uppercase())));
    }
    let host = noise.cpus.iter().filter(|w| w.binding == "bound").take(SHOWN);
    let rows = host.map(|w| ("host", w)).chain(guest.cpus.iter().map(|w| ("guest", w)));
    let table = Table::of(rows, |(of, w)| {
        let sum = |columns: &[&str]| sum(w, columns);
        [
            ("thread", format!("{of}, {}", who(w.cpu, &w.binding))),
            ("#detours", quantity::plain(w.per_second, Unit::PerSecond)),
            ("#median", w.lengths.map_or(String::new(), |l| seconds(l[0]))),
            ("#longest", w.longest.map_or(String::new(), seconds)),
            ("#lost", share(w.share)),
            ("#interrupts", sum(&["#interrupts", "#softirqs"])),
            ("#preemption", sum(&["#preemption"])),
            ("#steal", sum(&["#steal"])),
            ("#SMI, hypervisor", sum(&["#SMI, hypervisor"])),
            ("#other", sum(&["#throttled", "#moved", "#other"])),
        ]
    });
    if !guest.cpus.is_empty() {
        blocks.push(Block::Table(table.folded()));
    }
    // A piece is as many numbers as take 50 us, elsewhere others: what one takes can be compared.
    let mut table = Table::default();
    let alike = |w: &&CpuFixedWork| {
        w.binding == "bound" && guest.works.iter().any(|theirs| theirs.quantum == w.quantum)
    };
    let host = noise.works.iter().filter(alike).take(SHOWN);
    for (of, w) in host.map(|w| ("host", w)).chain(guest.works.iter().map(|w| ("guest", w))) {
        let series = report.estimates.get(w.estimate).and_then(|e| report.series(e));
        let Some(steps) = series.map(|s| s.steps.max(1) as f64) else { continue };
        let floor = w.overhead.floor / steps;
        table.headed([
            ("thread", format!("{of}, {}", who(w.cpu, &w.binding))),
            ("work", w.quantum.clone()),
            ("#a step at undisturbed speed", seconds(floor)),
            ("#mean", seconds(floor * (1.0 + w.overhead.overhead))),
            ("#mean over undisturbed speed", share(w.overhead.overhead)),
        ]);
    }
    if !guest.works.is_empty() {
        blocks.push(Block::Table(table));
    }
    blocks.push(Block::text(say::HOST_AND_GUEST_DID_THE_SAME_ONE));
    blocks
}
