//! Address translation: reach of the TLBs, what missing them costs, and whether huge pages are what they seem.
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::expected::Quantity;
use analyse::{AsExpected, Backing, Report, Tlb, TlbCost};
use record::{ProbeId, Unit};

pub(crate) static SECTION: ReportSection =
    Section::with_numbers("TLB", 60, &[ProbeId::TlbReach], blocks);

/// The TLBs, translation at memory, the verdict on huge pages.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, SECTION.probes);
    let Some(tlb) = report.get::<Option<Tlb>>() else { return vec![] };
    let mut blocks = vec![];
    match &tlb.levels {
        Ok(levels) => {
            let mut table =
                Table::new(["TLB", "#pages in reach", "#pages beyond", "#miss penalty", "#cycles"]);
            let expected = report.get::<AsExpected>();
            let run = levels.first().and_then(|l| report.record.runs.get(l.run));
            let buffer = all.first().and_then(|e| report.series(e)?.buffer.as_ref());
            table.notes.extend(run.map(|run| {
                let pages = buffer.map_or(String::new(), |b| format!("{}; ", origin::pages(b)));
                say::tlb_one_line_each_page(&pages, origin::placement(run, buffer))
            }));
            for level in levels {
                table.row([
                    level.name.clone(),
                    quantity::plain(level.last, Unit::Count),
                    quantity::plain(level.next, Unit::Count),
                    quantity::plain(level.miss, Unit::Seconds),
                    level.cycles.map_or(String::new(), quantity::cycles),
                ]);
            }
            blocks.push(Block::Table(table.folded()));
            let named = (1..).zip(levels);
            let named = named.map(|(n, l)| (&*l.name, expected.of(&Quantity::TlbEntries(n))));
            blocks.extend(expected.sentence(named).map(Block::text));
            blocks.extend(tlb.refused.as_ref().map(|why| Block::text(say::not_a_tlb(why))));
        }
        Err(why) => blocks.push(Block::text(say::tlb_reach_tlbs_found(why))),
    }
    blocks.push(Block::text(match &tlb.backing {
        Backing::Huge => say::HUGE_PAGES_ARE_REAL_SMALL_PAGES_INSIDE.into(),
        Backing::Small => say::HUGE_PAGES_ARE_BACKED_BY_SMALL_ONES.into(),
        Backing::Unknown(why) => say::whether_huge_pages_are_real_is_unknown_2(why),
    }));
    blocks.extend(Block::titled("Translation at memory", at_memory(&tlb.memory)));
    blocks.extend(origin::every_series(report, &all));
    blocks
}

fn at_memory(costs: &[TlbCost]) -> Table {
    let seconds = |s| quantity::plain(s, Unit::Seconds);
    let bytes = |b| quantity::plain(b, Unit::Bytes);
    let mut table = Table::of(costs, |cost| {
        let parts = cost.parts.map(|(from, to)| format!("{} and {}", bytes(from), bytes(to)));
        [
            ("pages", origin::page_kind(cost.pages)),
            ("#random order", seconds(cost.random)),
            ("#TLB-friendly order", seconds(cost.grouped)),
            ("#translation", seconds(cost.random - cost.grouped)),
            ("#cycles", cost.cycles.map_or(String::new(), quantity::cycles)),
            ("curves part between", parts.unwrap_or_else(|| "they do not".into())),
        ]
    });
    table.note(say::THE_TLB_FRIENDLY_ORDER_STAYS_WITHIN_256);
    table.folded()
}
