//! Names, values and causes of a summary in words.
mod figures;
mod findings;
mod header;

pub(super) use figures::{cycles, figure, median, notes, range, rank, value};
pub(super) use findings::{action, claim, command_of, cost, grade};
pub(super) use header::{header, short_model};

use super::View;
use crate::quantity;
use analyse::expected::Quantity;
use analyse::noise::NoiseSource;
use analyse::summary::{
    Below, Cause, Cell, Column, Command, Gap, Imported, Label, Next, Summary, Table, TableId,
    Watched,
};
use analyse::whatif::Change;
use analyse::{Limit, Resource, databases};
use messages::prose::in_language;
use messages::{self as say, Lang};
use record::{Environment, Unit, Warning};

/// Probes named; more are counted.
const NAMED: usize = 4;

/// The files of an import.
pub(super) fn imported(lang: Lang, of: &Imported) -> Vec<String> {
    vec![
        say::read_files(lang, of.files as u64),
        say::read_facts(lang, of.facts as u64),
        say::read_cases(lang, of.cases as u64),
    ]
}

/// The first warnings about what was imported, and how many more there are.
pub(super) fn doubts(lang: Lang, warnings: &[(Option<String>, Warning)]) -> Vec<String> {
    const SHOWN: usize = 2;
    let doubt = |(file, one): &(Option<String>, Warning)| {
        let what = in_language(lang, &one.what);
        match (file, one.line.map(u64::from)) {
            (Some(file), Some(line)) => say::doubt_in_file_and_line(lang, file, line, what),
            (Some(file), None) => say::doubt_in_file(lang, file, what),
            (None, Some(line)) => say::doubt_in_line(lang, line, what),
            (None, None) => what,
        }
    };
    let mut all: Vec<String> = warnings.iter().take(SHOWN).map(doubt).collect();
    let more = warnings.len().saturating_sub(SHOWN) as u64;
    all.extend((more > 0).then(|| say::more_causes(lang, more)));
    all
}

pub(super) fn cause(lang: Lang, cause: &Cause) -> String {
    let percent = |share: &f64| quantity::percent(*share);
    let hertz = |hertz: &f64| quantity::plain(*hertz, Unit::Hertz);
    match cause {
        Cause::Contention { share, watched: Watched::WhileCasesRan } => {
            say::cause_contention_during(lang, percent(share))
        }
        Cause::Contention { share, .. } => say::cause_contention_around(lang, percent(share)),
        Cause::ContentionUnknown => say::cause_contention_unknown(lang).to_owned(),
        Cause::Steal { share } => say::cause_steal(lang, percent(share)),
        Cause::RunnableTasks { tasks } => say::cause_runnable(lang, tasks.round() as u64),
        Cause::Swapping { .. } => say::cause_swapping(lang).to_owned(),
        Cause::DisturbedSamples { share } => say::cause_disturbed(lang, percent(share)),
        Cause::Quota { quota } => say::cause_quota(lang, quantity::plain(*quota, Unit::Count)),
        Cause::CpuSet { usable, online } => say::cause_cpuset(lang, online, usable),
        Cause::FrequencyBelowRated { measured, rated, name: "base" } => {
            say::cause_below_base(lang, hertz(measured), hertz(rated))
        }
        Cause::FrequencyBelowRated { measured, rated, .. } => {
            say::cause_below_boost(lang, hertz(measured), hertz(rated))
        }
        Cause::FrequencyUnsteady { low, high } => {
            say::cause_unsteady(lang, hertz(high), hertz(low))
        }
        Cause::Drift { resource, range } => {
            let moved = percent(range);
            match resource {
                Resource::Frequency => say::cause_drift_frequency(lang, moved),
                Resource::Ports => say::cause_drift_ports(lang, moved),
                Resource::L2 => say::cause_drift_l2(lang, moved),
                Resource::L3 => say::cause_drift_l3(lang, moved),
                Resource::Memory => say::cause_drift_memory(lang, moved),
                Resource::Placement => say::cause_drift_placement(lang, moved),
            }
        }
        Cause::CpusMoved { moved, checked } => say::cause_moved(lang, checked, moved),
        Cause::Imported { .. } => say::cause_imported(lang).to_owned(),
        Cause::OtherMachine { files } => say::cause_other_machine(lang, *files as u64),
        Cause::ImportWarnings { warnings } => say::cause_warnings(lang, *warnings as u64),
    }
}

/// The verdict of the environment check.
pub(super) fn verdict(lang: Lang, of: Environment) -> &'static str {
    match of {
        Environment::Pass => say::environment_pass(lang),
        Environment::Warn => say::environment_warn(lang),
        Environment::Fail => say::environment_fail(lang),
    }
}

/// Whether the cells of a column are numbers.
pub(super) fn of_numbers(table: &Table, column: usize) -> bool {
    let is_text = |cell: &Cell| matches!(cell, Cell::Text(_) | Cell::Command(_));
    let text = table.rows.iter().any(|row| row.cells.get(column).is_some_and(is_text));
    !text && !matches!(table.columns[column], Column::Source | Column::HeldBy)
}

/// A table's title, and what stands below it.
pub(super) fn title(lang: Lang, table: &Table) -> (String, Option<String>) {
    let (title, below) = own_title(lang, table);
    let title = match &table.file {
        Some((file, Some(other))) => {
            say::table_of_file_and_machine(lang, file, short_model(other), title)
        }
        Some((file, None)) => say::table_of_file(lang, file, title),
        None => title,
    };
    (title, below)
}

fn own_title(lang: Lang, table: &Table) -> (String, Option<String>) {
    match &table.id {
        TableId::Scaling { workload: of, limit } => {
            let limit = match limit {
                Ok(limit) => limited(lang, limit),
                Err(why) => say::limit_unknown(lang, in_language(lang, &why.why)),
            };
            (say::table_scaling(lang, workload(lang, of)), Some(limit))
        }
        TableId::UnixBench { between, others } => {
            let all: Vec<String> = between.iter().map(u64::to_string).collect();
            let between = (!all.is_empty()).then(|| say::copies_between(lang, all.join(", ")));
            let others = (*others > 0).then(|| say::more_results(lang, *others as u64));
            let notes: Vec<String> = between.into_iter().chain(others).collect();
            let more = (!notes.is_empty()).then(|| notes.join(say::semicolon(lang)));
            (say::table_unixbench(lang).to_owned(), more)
        }
        TableId::Noise => (say::table_noise(lang).to_owned(), None),
        TableId::Database { workload: of, engine, unlimited, against } => {
            let why =
                unlimited.as_ref().map(|why| say::limit_unknown(lang, in_language(lang, &why.why)));
            let against = against.filter(|_| table.columns.contains(&Column::Efficiency));
            let base = against.map(|clients| say::efficiency_against(lang, clients));
            let notes: Vec<String> = base.into_iter().chain(why).collect();
            // Its settings, up to ten lines of them, are in the section.
            let name = engine.as_deref().map(|e| e.split_once(" (").map_or(e, |(name, _)| name));
            let title = match name {
                Some(name) => say::table_database(lang, name, workload(lang, of)),
                None => workload(lang, of),
            };
            (title, (!notes.is_empty()).then(|| notes.join(" ")))
        }
        TableId::Imported | TableId::Measured(_) if !table.common.is_empty() => {
            (say::table_imported_of(lang, in_language(lang, &table.common)), None)
        }
        TableId::Imported | TableId::Measured(_) => (say::table_imported(lang).to_owned(), None),
        TableId::Machine => (say::table_machine(lang).to_owned(), None),
        TableId::Against(None) => (say::table_against(lang).to_owned(), None),
        TableId::Against(Some(other)) => (say::table_against_named(lang, other), None),
        TableId::Predictions => {
            let title = say::table_predictions(lang).to_owned();
            (title, Some(say::predicted_alone(lang).to_owned()))
        }
        TableId::Placement { measured, left } => {
            let title = match measured {
                true => say::table_placement_measured(lang),
                false => say::table_placement(lang),
            };
            let left = (!left.is_empty()).then(|| say::placement_left(lang, left));
            (title.to_owned(), left)
        }
    }
}

/// A workload's operation; what has no words stays as the record has it: a command line.
fn workload(lang: Lang, of: &str) -> String {
    let key = match of.split_once(' ') {
        Some((probe, kind)) => kind.split_once('=').map(|(_, kind)| format!("{probe}-{kind}")),
        None => Some(of.to_owned()),
    };
    let key = key.map(|key| format!("workload-{key}").replace('.', "_"));
    key.and_then(|key| say::text(lang, &key)).unwrap_or(of).to_owned()
}

/// The section of the report that says more of a table.
pub(super) fn section(table: &Table) -> &'static str {
    match table.id {
        TableId::Scaling { .. } => "scaling_run",
        TableId::UnixBench { .. } => "unixbench",
        TableId::Noise => "noise",
        TableId::Database { .. } => "databases",
        TableId::Imported => "imported",
        TableId::Measured(probe) => sections::section::of_probe(probe).unwrap_or("other"),
        TableId::Machine | TableId::Placement { .. } => "machine",
        TableId::Against(_) | TableId::Predictions => "findings",
    }
}

fn limited(lang: Lang, limit: &Limit) -> String {
    let percent = |share: &f64| quantity::percent(*share);
    let times = |x: &f64| quantity::factor(*x);
    match limit {
        Limit::None(share) => say::limit_none(lang, percent(share)),
        Limit::Waiting { full, efficiency, .. } => {
            say::limit_waiting(lang, percent(full), percent(efficiency))
        }
        Limit::Frequency { ratio, efficiency } => {
            say::limit_frequency(lang, times(ratio), percent(efficiency))
        }
        Limit::Stalled { ratio, efficiency } => {
            say::limit_stalled(lang, times(ratio), percent(efficiency))
        }
        Limit::Client { full, client } => say::limit_client(lang, percent(client), percent(full)),
        Limit::Shared { efficiency, .. } => say::limit_shared(lang, percent(efficiency)),
    }
}

pub(super) fn column(lang: Lang, column: Column) -> String {
    match column {
        Column::Throughput => say::column_throughput(lang),
        Column::Interval => say::column_interval(lang),
        Column::Efficiency => say::column_efficiency(lang),
        Column::Ipc => say::column_ipc(lang),
        Column::Frequency => say::column_frequency(lang),
        Column::Index(copies) => return say::column_copies(lang, copies),
        Column::Times => say::column_times(lang),
        Column::Lost => say::column_lost(lang),
        Column::Detours => say::column_detours(lang),
        Column::MedianLength => say::column_median_length(lang),
        Column::Longest => say::column_longest(lang),
        Column::Source => say::column_source(lang),
        Column::Connections => say::column_connections(lang),
        Column::P99 => say::column_p99(lang),
        Column::HeldBy => say::column_held_by(lang),
        Column::Value => say::column_value(lang),
        Column::Here => say::column_here(lang),
        Column::Other => say::column_other(lang),
        Column::Test => say::column_test(lang),
        Column::Cpus => say::column_cpus(lang),
        Column::Cores => say::column_cores(lang),
        Column::Nodes => say::column_nodes(lang),
        Column::Memory => say::column_memory(lang),
    }
    .to_owned()
}

pub(super) fn label(lang: Lang, label: &Label) -> String {
    match label {
        Label::Name(name) => in_language(lang, name),
        Label::Cpu(cpu) => say::label_cpu(lang, cpu),
        Label::Unbound => say::label_unbound(lang).to_owned(),
        Label::Part(part) => {
            let known = say::text(lang, &format!("part-{}", part.name()));
            known.unwrap_or(part.name()).to_owned()
        }
        Label::Change(change, now) => {
            let now =
                now.as_ref().map(|now| format!("{}{}", say::comma(lang), in_language(lang, now)));
            self::change(lang, *change) + &now.unwrap_or_default()
        }
        Label::Cores { cores, threads, placement } => {
            let step = match threads > cores {
                true => say::label_cores_smt(lang, *cores as u64, threads),
                false => say::cores(lang, *cores as u64),
            };
            match placement {
                // `1 core, cores` says it twice.
                Some(placement) if placement != "cores" => {
                    format!("{step}{}{}", say::comma(lang), in_language(lang, placement))
                }
                Some(_) | None => step,
            }
        }
    }
}

pub(super) fn cell(lang: Lang, cell: &Cell, column: Column) -> String {
    match cell {
        Cell::Empty => String::new(),
        Cell::Number(quantity) if column == Column::Interval => {
            let half = |interval| quantity::half_width(quantity.value, interval);
            quantity.interval.as_ref().map_or(String::new(), half)
        }
        Cell::Number(quantity) => match column {
            Column::Index(_) => format!("{:.1}", quantity.value),
            Column::Ipc => quantity::plain(quantity.value, Unit::Count),
            Column::Times => quantity::factor(quantity.value),
            _ => value(quantity),
        },
        Cell::Named(quantity, one, unit) => {
            format!("{} {unit}", quantity::many(quantity.value / one)).trim_end().to_owned()
        }
        Cell::Text(text) => in_language(lang, text),
        Cell::Command(command) => in_language(lang, command),
        Cell::Times(low, high) => {
            let times = |x: &f64| quantity::factor(*x);
            match times(low) == times(high) {
                true => say::times_one(lang, times(low)),
                false => say::times_range(lang, times(high), times(low)),
            }
        }
        Cell::Source(source, None) => from(lang, source),
        Cell::Source(source, Some(task)) => {
            say::source_task(lang, quantity::percent(task.share), from(lang, source), &task.name)
        }
        Cell::HeldBy(verdict) => match verdict {
            databases::Verdict::Scales => say::held_scales(lang).to_owned(),
            databases::Verdict::Memory(times) => say::held_memory(lang, quantity::factor(*times)),
            databases::Verdict::Locks(share) => say::held_locks(lang, quantity::percent(*share)),
            databases::Verdict::Clients => say::held_clients(lang).to_owned(),
            databases::Verdict::Disk => say::held_disk(lang).to_owned(),
            databases::Verdict::Unknown(_) => say::held_unknown(lang).to_owned(),
        },
    }
}

fn from(lang: Lang, source: &NoiseSource) -> String {
    let key = match source {
        NoiseSource::Interrupt(kind) => {
            let known = say::text(lang, &format!("source-interrupt-{kind}"));
            return known.map_or_else(
                || say::source_interrupt(lang, kind.replace('_', " ")),
                str::to_owned,
            );
        }
        NoiseSource::Softirq => say::source_softirq(lang),
        NoiseSource::Preemption => say::source_preemption(lang),
        NoiseSource::Quota => say::source_quota(lang),
        NoiseSource::RealtimeShare => say::source_realtime(lang),
        NoiseSource::Migration => say::source_migration(lang),
        NoiseSource::Fault => say::source_fault(lang),
        NoiseSource::Steal => say::source_steal(lang),
        NoiseSource::Unexplained => say::source_unexplained(lang),
        NoiseSource::Stall => say::source_stall(lang),
        NoiseSource::Unattributed => say::source_unattributed(lang),
    };
    key.to_owned()
}

/// A change in words.
fn change(lang: Lang, change: Change) -> String {
    match change {
        Change::Dimms(transfers) => {
            say::change_dimms(lang, quantity::plain(transfers, Unit::TransfersPerSecond))
        }
        Change::Bound => say::change_bound(lang).to_owned(),
        Change::SmtOff => say::change_smt_off(lang).to_owned(),
        Change::HugePages => say::change_huge_pages(lang).to_owned(),
        Change::Frequency(hertz) => {
            say::change_frequency(lang, quantity::plain(hertz, Unit::Hertz))
        }
        Change::Cores(cores) => say::change_cores(lang, cores as u64),
    }
}

pub(super) fn gap(lang: Lang, gap: &Gap) -> String {
    let named = |probes: &[String]| {
        let mut names = probes.iter().take(NAMED).cloned().collect::<Vec<_>>().join(", ");
        if probes.len() > NAMED {
            names += &format!(" {}", say::and_more(lang, probes.len() - NAMED));
        }
        names
    };
    match gap {
        Gap::Skipped { probes } => say::gap_skipped(lang, named(probes)),
        Gap::Failed { probes, why } => say::gap_failed(lang, named(probes), in_language(lang, why)),
        Gap::NotReached { probes } => say::gap_not_reached(lang, named(probes)),
        Gap::FewerTurns { probes } => say::gap_fewer_turns(lang, named(probes)),
        Gap::RatedFrequency => say::gap_rated(lang).to_owned(),
        Gap::MemorySpeed => say::gap_memory_speed(lang).to_owned(),
        Gap::MemoryLatency => say::gap_memory_latency(lang).to_owned(),
        Gap::MemoryLatencyHugePages => say::gap_memory_latency_huge_pages(lang).to_owned(),
        Gap::Rules { count } => say::gap_rules(lang, *count as u64),
        Gap::Facts { names } => say::gap_facts(lang, names.len() as u64, named(names)),
        Gap::Prediction { change, why } => {
            say::gap_prediction(lang, self::change(lang, *change), in_language(lang, why))
        }
    }
}

/// A quantity worse than published.
pub(super) fn below(lang: Lang, of: &Below) -> String {
    let level = |n: &u32| n.to_string();
    let name = match &of.quantity {
        Quantity::CacheLatency(n) => say::below_cache(lang, level(n)),
        Quantity::Rate(op) => say::below_rate(lang, op),
        Quantity::Chain(op) => say::below_chain(lang, op),
        Quantity::BranchMiss => say::below_branch(lang).to_owned(),
        Quantity::TlbEntries(n) => say::below_tlb(lang, level(n)),
    };
    let number = |x: f64| match of.quantity.unit() {
        Unit::Count => format!("{x:.0}"),
        unit => quantity::plain(x, unit),
    };
    say::below_published(lang, number(of.measured), name, number(of.published))
}

/// A name as a shell takes it.
pub(super) fn quoted(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./:+@=,".contains(c);
    match !name.is_empty() && name.chars().all(plain) {
        true => name.to_owned(),
        false => format!("'{}'", name.replace('\'', r"'\''")),
    }
}

/// A command that works as it stands, in the language that was asked for.
pub(super) fn command(summary: &Summary, next: Next, view: &View<'_>) -> String {
    let typed = matches!(next, Next::FullOf(_)) && !view.typed.is_empty();
    match typed || next == Next::Spread {
        true => in_default(summary, next, view),
        false => in_default(summary, next, view) + view.option(),
    }
}

fn in_default(summary: &Summary, next: Next, view: &View<'_>) -> String {
    let named = if view.record.is_empty() { String::new() } else { quoted(view.record) + " " };
    let record = quoted(view.record);
    match next {
        // Without its options it would answer something else, or nothing.
        Next::FullOf(_) if !view.typed.is_empty() => {
            let words: Vec<String> = view.typed.iter().map(|word| quoted(word)).collect();
            format!("cpulens {} --full", words.join(" "))
        }
        Next::Resume => format!("cpulens run --resume {record}"),
        Next::Run => "cpulens run".to_owned(),
        Next::Deeper => "cpulens run --depth standard".to_owned(),
        Next::Full => format!("cpulens show {record} --full"),
        Next::Diagnose => format!("cpulens diagnose {record}"),
        Next::Compare => {
            let other = summary.nearest.as_deref().unwrap_or("last");
            format!("cpulens compare {record} {}", quoted(other))
        }
        Next::Catalogue => "cpulens catalogue list".to_owned(),
        // On that machine.
        Next::Machine => {
            let given = summary.imported.as_ref().map_or("FILE", |i| i.given.as_str());
            format!("lscpu | cpulens import {} -", quoted(given))
        }
        Next::Place => "cpulens place".to_owned(),
        Next::Spread => "cpulens spread --help".to_owned(),
        Next::FullOf(Command::Info) => "cpulens info --full".to_owned(),
        Next::FullOf(Command::Diagnose) => format!("cpulens diagnose {record} --full"),
        Next::FullOf(Command::Whatif) => format!("cpulens whatif {record} --full"),
        Next::FullOf(Command::Place) => format!("cpulens place {named}--full"),
    }
}
