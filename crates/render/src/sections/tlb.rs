//! Address translation: reach of the TLBs, what missing them costs, and whether huge pages are what they seem.
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::expected::Quantity;
use analyse::{AsExpected, Backing, Report, Tlb, TlbCost};
use record::{ProbeId, Unit};

pub(crate) static SECTION: ReportSection = Section {
    title: "Address translation",
    order: 60,
    numbers: true,
    probes: &[ProbeId::TlbReach],
    blocks,
};

/// The TLBs, translation at memory, the verdict on huge pages.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, SECTION.probes);
    let Some(tlb) = report.get::<Option<Tlb>>() else { return vec![] };
    let mut blocks = vec![];
    match &tlb.levels {
        Ok(levels) => {
            let mut table =
                Table::new(&["TLB", "#pages reached", "#and no longer", "#a miss adds", "#cycles"]);
            let expected = report.get::<AsExpected>();
            let run = levels.first().and_then(|l| report.record.runs.get(l.run));
            let buffer = all.first().and_then(|e| origin::series(report, e)?.buffer.as_ref());
            table.notes.extend(run.map(|run| {
                let pages = buffer.map_or(String::new(), |b| format!("{}; ", origin::pages(b)));
                format!(
                    "{pages}{}; one line in each page, less as many lines packed densely",
                    origin::placement(run, buffer)
                )
            }));
            for level in levels {
                table.row([
                    level.name.clone(),
                    quantity::plain(level.last, Unit::Count),
                    quantity::plain(level.next, Unit::Count),
                    quantity::plain(level.miss, Unit::Seconds),
                    level.cycles.map_or(String::new(), |c| quantity::cycles(c, None)),
                ]);
            }
            blocks.push(Block::Table(table.folded()));
            let named = (1..).zip(levels);
            let named = named.map(|(n, l)| (&*l.name, expected.of(&Quantity::TlbEntries(n))));
            blocks.extend(expected.sentence(named).map(Block::Paragraph));
            blocks.extend(
                tlb.refused.as_ref().map(|why| Block::Paragraph(format!("Not a TLB: {why}"))),
            );
        }
        Err(why) => blocks.push(Block::Paragraph(format!("Reach of the TLBs: not found: {why}"))),
    }
    blocks.push(Block::Paragraph(match &tlb.backing {
        Backing::Huge => "Huge pages are real: small pages inside of them do not miss the first-level TLB.".into(),
        Backing::Small => "Huge pages are backed by small ones: small pages inside of them miss the first-level TLB as base pages do."
            .into(),
        Backing::Unknown(why) => format!("Whether huge pages are real is unknown. {why}"),
    }));
    if !tlb.memory.is_empty() {
        blocks.push(Block::Heading("Translation at memory".into()));
        blocks.push(Block::Table(at_memory(&tlb.memory)));
    }
    if !all.is_empty() {
        blocks.extend(origin::every(
            report,
            "Every series, with spread, pages and placement",
            "series",
            &all,
        ));
    }
    blocks
}

fn at_memory(costs: &[TlbCost]) -> Table {
    let mut table = Table::new(&[
        "pages",
        "#random order",
        "#TLB-friendly order",
        "#translation",
        "#cycles",
        "curves part between",
    ]);
    table.notes.push(
        "The TLB-friendly order stays within 256 KiB at a time, which may also keep rows of memory open: the difference is an upper bound."
            .into(),
    );
    for cost in costs {
        table.row([
            origin::page_kind(cost.pages),
            quantity::plain(cost.random, Unit::Seconds),
            quantity::plain(cost.grouped, Unit::Seconds),
            quantity::plain(cost.random - cost.grouped, Unit::Seconds),
            cost.cycles.map_or(String::new(), |c| quantity::cycles(c, None)),
            cost.parts.map_or("they do not".into(), |(from, to)| {
                format!(
                    "{} and {}",
                    quantity::plain(from, Unit::Bytes),
                    quantity::plain(to, Unit::Bytes)
                )
            }),
        ]);
    }
    table.folded()
}
