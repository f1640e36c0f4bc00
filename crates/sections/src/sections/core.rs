//! The core's real frequency, idle of others and under load, what it does per cycle, and what it pays for a wrong guess.
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::expected::Quantity;
use analyse::{AsExpected, Estimate, Held, LoadedFrequency, Misprediction, Operation, Report};
use record::{ProbeId, Text, Unit, param};

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
        blocks.push(Block::heading("Frequency, without performance counters"));
        let said = frequency
            .iter()
            .map(|e| format!("chain of {}: {}", origin::point(e), quantity::estimate(e)));
        blocks.push(Block::items(said));
        blocks.push(Block::Table(origin::table(report, "chain", &frequency)));
        blocks.push(origin::method(report, &frequency));
    }
    blocks.extend(under_load(report));
    if !rates.is_empty() {
        blocks.push(Block::heading("Time per operation"));
        blocks.push(Block::Table(origin::table(report, "operation", &rates)));
        let expected = report.get::<AsExpected>();
        let operations = report.get::<Vec<Operation>>().iter();
        let judged = expected.sentence(operations.map(|o| (&*o.op, expected.of_operation(&o.op))));
        blocks.extend(judged.map(Block::text));
        if rates.iter().any(|e| origin::point(e).starts_with("branch_")) {
            blocks.push(Block::text(say::BRANCH_HIT_AND_BRANCH_MISS_ARE_A));
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
            ("operation", o.op.clone().into()),
            ("kind of core", o.kind.clone().unwrap_or_default().into()),
            ("#per cycle", o.per_cycle.map_or(String::new(), quantity::cycles).into()),
            ("judgement", expected.of_operation(&o.op).map_or(Text::default(), |j| j.words())),
            ("#IPC (derived)", o.ipc.map_or(String::new(), quantity::cycles).into()),
            ("#per second", rate(o.per_second).into()),
            ("#FLOP per second", o.flops.map_or(String::new(), rate).into()),
        ]
    });
    table.note(say::ONE_CORE_A_MULTIPLY_ADD_IS_TWO);
    if operations.iter().any(|o| o.ipc.is_some()) {
        table.note(say::IPC_IS_DERIVED_THE_KERNEL_S_OWN);
    }
    Block::folded(say::CORE_OPERATIONS_PER_CYCLE_PER, table.folded())
}

fn median(report: &Report<'_>, at: usize) -> String {
    report.estimates.get(at).map_or(String::new(), quantity::median)
}

fn under_load(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &[ProbeId::LoadedFrequency]);
    if all.is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::heading("Frequency under load")];
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
        seconds.note(say::ALL_CPUS_AT_ONCE_WITHOUT_A_PAUSE);
        blocks.push(Block::folded(say::THE_FREQUENCY_SECOND_BY_SECOND, seconds.folded()));
    }
    blocks.push(Block::text(say::MULTIPLY_ADDS_ON_SINGLE_NUMBERS_AND_ON));
    blocks.push(detailed(report, &all));
    blocks.push(origin::method(report, &all));
    blocks
}

fn detailed(report: &Report<'_>, all: &[&Estimate]) -> Block {
    let table = Block::Table(origin::table(report, "series", all));
    Block::details(say::CORE_EVERY_SERIES_SPREAD_PLACEMENT, vec![table])
}

fn mispredictions(report: &Report<'_>) -> Vec<Block> {
    let all = section::of_probes(report, &[ProbeId::BranchMiss]);
    if all.is_empty() {
        return vec![];
    }
    let mut lines: Vec<Text> = report.get::<Vec<Misprediction>>()
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
            .into()
        })
        .collect();
    if lines.is_empty() {
        lines.push(say::NO_MISPREDICTION_SEEN.into());
    }
    vec![
        Block::heading("Mispredicted branches"),
        Block::items(lines),
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
        Block::heading("PAUSE in spin loops"),
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
