//! The core's real frequency, idle of others and under load, what it does per cycle, and what it pays for a wrong guess.
use crate::page::{Block, Table};
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::expected::Quantity;
use analyse::{AsExpected, Estimate, Held, LoadedFrequency, Misprediction, Operation, Report};
use record::{ProbeId, Unit, param};

pub(crate) static SECTION: ReportSection = Section::with_numbers(
    "Core",
    40,
    &[
        ProbeId::CoreFrequency,
        ProbeId::CoreRate,
        ProbeId::BranchMiss,
        ProbeId::PauseLatency,
        ProbeId::LoadedFrequency,
    ],
    blocks,
);

/// Frequency, then rates, then what stands beside them.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let of = |probe| section::of_probes(report, &[probe]);
    let (frequency, rates) = (of(ProbeId::CoreFrequency), of(ProbeId::CoreRate));
    let mut blocks = vec![];
    if !frequency.is_empty() {
        // Only additions take one cycle each: of other chains it is a rate and no frequency.
        let rated = |e: &&Estimate| match param::CHAIN.of(&e.at) {
            None | Some("add") => (**e).clone(),
            Some(_) => Estimate { unit: Unit::PerSecond, ..(**e).clone() },
        };
        let frequency: Vec<Estimate> = frequency.iter().map(rated).collect();
        let frequency: Vec<&Estimate> = frequency.iter().collect();
        blocks.push(Block::Heading("Frequency, without performance counters".into()));
        let said = frequency
            .iter()
            .map(|e| format!("chain of {}: {}", origin::point(e), quantity::estimate(e)));
        blocks.push(Block::List(said.collect()));
        blocks.push(Block::Table(origin::table(report, "chain", &frequency)));
        blocks.push(origin::method(report, &frequency));
    }
    blocks.extend(under_load(report));
    if !rates.is_empty() {
        blocks.push(Block::Heading("Time per operation".into()));
        blocks.push(Block::Table(origin::table(report, "operation", &rates)));
        let expected = report.get::<AsExpected>();
        let operations = report.get::<Vec<Operation>>().iter();
        let judged = expected.sentence(operations.map(|o| (&*o.op, expected.of_operation(&o.op))));
        blocks.extend(judged.map(Block::Paragraph));
        if rates.iter().any(|e| origin::point(e).starts_with("branch_")) {
            blocks.push(Block::text(
                "branch_hit and branch_miss are a step of a random generator and a branch on it: where all branches are predicted, the time is that of the generator's dependent instructions, not a branch's.",
            ));
        }
        blocks.push(per_second(report));
        blocks.push(origin::method(report, &rates));
    }
    blocks.extend(mispredictions(report));
    blocks.extend(hints(report));
    blocks
}

/// The table of the same rates per second.
fn per_second(report: &Report<'_>) -> Block {
    let (operations, expected) = (report.get::<Vec<Operation>>(), report.get::<AsExpected>());
    let rate = |x: f64| quantity::plain(x, Unit::PerSecond);
    let mut table = Table::of(operations, |o| {
        [
            ("operation", o.op.clone()),
            ("kind of core", o.kind.clone().unwrap_or_default()),
            ("#per cycle", o.per_cycle.map_or(String::new(), quantity::cycles)),
            ("judgement", expected.of_operation(&o.op).map_or(String::new(), |j| j.words())),
            ("#IPC (derived)", o.ipc.map_or(String::new(), quantity::cycles)),
            ("#per second", rate(o.per_second)),
            ("#FLOP per second", o.flops.map_or(String::new(), rate)),
        ]
    });
    table.note("one core; a multiply-add is two operations on each number");
    if operations.iter().any(|o| o.ipc.is_some()) {
        table.note(
            "IPC is derived: the kernel's own instructions, which are known, by the measured frequency; nothing was counted",
        );
    }
    Block::folded("Operations per cycle and per second", table.folded())
}

fn median(report: &Report<'_>, at: usize) -> String {
    report.estimates.get(at).map_or(String::new(), quantity::median)
}

fn under_load(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &[ProbeId::LoadedFrequency]);
    if all.is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::Heading("Frequency under load".into())];
    let row = |table: &mut Table, load: &LoadedFrequency, h: &Held| {
        table.row([
            load.class.clone(),
            h.at.to_string(),
            median(report, h.estimate),
            quantity::percent(h.share),
        ]);
    };
    let mut active =
        Table::new(["instructions", "#active CPUs", "#frequency", "#of one scalar CPU's"]);
    let mut seconds = Table::new(["instructions", "#second", "#frequency", "#of the first"]);
    for load in report.get::<Vec<LoadedFrequency>>() {
        load.active.iter().for_each(|h| row(&mut active, load, h));
        load.seconds.iter().for_each(|h| row(&mut seconds, load, h));
    }
    blocks.extend(Block::table(active.folded()));
    if !seconds.rows.is_empty() {
        seconds.note("all CPUs at once, without a pause");
        blocks.push(Block::folded("The frequency second by second", seconds.folded()));
    }
    blocks.push(Block::text(
        "Multiply-adds on single numbers and on vectors, and 8-bit dot products (vnni, amx, sme), in turn with the chain that shows the frequency.",
    ));
    blocks.push(detailed(report, &all));
    blocks.push(origin::method(report, &all));
    blocks
}

fn detailed(report: &Report<'_>, all: &[&Estimate]) -> Block {
    let table = Block::Table(origin::table(report, "series", all));
    Block::details("Every series, with spread and placement", vec![table])
}

fn mispredictions(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &[ProbeId::BranchMiss]);
    if all.is_empty() {
        return vec![];
    }
    let mut lines: Vec<String> = report.get::<Vec<Misprediction>>()
        .iter()
        .map(|m| {
            let kind = m.kind.as_ref().map_or(String::new(), |k| format!("{k}: "));
            let cycles =
                m.cycles.map_or(String::new(), |c| format!(", {} cycles", quantity::cycles(c)));
            let judged = report.get::<AsExpected>().of(&Quantity::BranchMiss);
            let judged = judged
                .filter(|_| m.kind.is_none())
                .map_or(String::new(), |j| format!(" ({})", j.words()));
            format!(
                "{kind}{}{cycles} each{judged}: {} per random branch less {} per constant one, over the half that fails",
                quantity::plain(m.seconds, Unit::Seconds),
                median(report, m.random),
                median(report, m.constant)
            )
        })
        .collect();
    if lines.is_empty() {
        lines.push("random branches were not slower than constant ones".into());
    }
    vec![
        Block::Heading("Mispredicted branches".into()),
        Block::List(lines),
        detailed(report, &all),
        origin::method(report, &all),
    ]
}

fn hints(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &[ProbeId::PauseLatency]);
    if all.is_empty() {
        return vec![];
    }
    vec![
        Block::Heading("PAUSE in spin loops".into()),
        Block::Table(origin::table(report, "instruction", &all)),
        origin::method(report, &all),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_additions_tell_a_frequency() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/records/v1/quiet-vm.json");
        let record = record::from_slice(&std::fs::read(file).unwrap()).unwrap();
        let all = blocks(&analyse::analyse(&record));
        let list = all.iter().find_map(|block| match block {
            Block::List(items) => Some(items),
            _ => None,
        });
        let of = |chain: &str| list.unwrap().iter().find(|l| l.starts_with(chain)).unwrap();
        assert!(of("chain of add").contains("GHz"));
        assert!(of("chain of mul").contains(" G/s") && !of("chain of mul").contains("Hz"));
    }
}
