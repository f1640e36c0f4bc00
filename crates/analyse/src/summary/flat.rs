//! The summary as one flat object, for programs: `memory_latency_ns`, its interval as `_low` and `_high`.
use super::{Cell, Figure, Gap, Header, Label, Next, Note, Quantity, Summary, Table, TableId};
use crate::expected;
use record::{Environment, Unit};
use std::collections::BTreeMap;

/// A summary without structure. Units stand at the end of a key: `_ns`, `_hz`, `_bytes_per_s`, `_per_s`, `_ratio`, `_cycles`.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Flat {
    /// The machine and the run.
    #[serde(flatten)]
    pub header: Header,
    /// Whether the machine was fit to be measured.
    pub environment: Environment,
    /// The reasons of the environment check, the gravest first.
    pub causes: Vec<super::Cause>,
    /// Rules that found something, the most costly first.
    pub findings: Vec<String>,
    /// Missing data.
    pub gaps: Vec<Gap>,
    /// Commands that tell more.
    pub next: Vec<Next>,
    /// Keys of figures that were seen at more than one level: these have no single value.
    pub multimodal: Vec<String>,
    /// Keys of figures that rest on what moved beyond its limit while they were measured, by the reference samples beside them.
    pub moved: Vec<String>,
    /// The figures. Each has its value, `_low` and `_high` where it has an interval (that of a figure with several modes reaches
    /// to the lowest and the highest mode; `_mode_1`, `_mode_1_samples` are each), `_cycles` where these are known, and a ratio where there is something to compare it with. Of a
    /// quantity that is worse than published `_of_expected_ratio`; of a finding with a known cost `RULE_cost_ratio_low` and `_high`; of `whatif` `CHANGE_throughput_ratio_low` and `_high`; of
    /// `place` `instances`, `instance_0_cores` and `instance_0_memory_bytes`; of `diagnose --against` `against_WHAT_ratio`.
    #[serde(flatten)]
    pub figures: BTreeMap<String, f64>,
}

/// The suffix of a unit and the factor of its numbers.
fn suffix(unit: Unit) -> (&'static str, f64) {
    match unit {
        Unit::Seconds => ("_ns", 1e9),
        Unit::Bytes => ("_bytes", 1.0),
        Unit::BytesPerSecond => ("_bytes_per_s", 1.0),
        Unit::Hertz => ("_hz", 1.0),
        Unit::PerSecond => ("_per_s", 1.0),
        Unit::PerCycle => ("_per_cycle", 1.0),
        Unit::Cycles => ("_cycles", 1.0),
        Unit::TransfersPerSecond => ("_transfers_per_s", 1.0),
        Unit::Count => ("", 1.0),
        Unit::Ratio => ("_ratio", 1.0),
        Unit::Joules => ("_joules", 1.0),
        Unit::Watts => ("_watts", 1.0),
        Unit::Celsius => ("_celsius", 1.0),
    }
}

/// The key of a figure's value.
pub fn key(figure: &Figure) -> String {
    format!("{}{}", figure.id.name(), suffix(figure.quantity.unit).0)
}

/// A number in the unit of its key, to as many digits as a stored number has: a factor of 1e9 leaves traces in the last one.
fn scaled(value: f64, unit: Unit) -> f64 {
    let (_, factor) = suffix(unit);
    match factor {
        1.0 => value,
        factor => format!("{:.14e}", value * factor).parse().unwrap_or(value * factor),
    }
}

impl Summary {
    /// Without structure.
    pub fn flat(&self) -> Flat {
        let mut figures = BTreeMap::new();
        let (mut multimodal, mut moved) = (vec![], vec![]);
        for figure in &self.figures {
            let key = key(figure);
            let Quantity { value, unit, interval, ref modes, .. } = figure.quantity;
            figures.insert(key.clone(), scaled(value, unit));
            let levels = modes.iter().map(|mode| (mode.level, mode.level));
            let all = levels.chain(interval.map(|i| (i.low, i.high)));
            if let Some((low, high)) = all.reduce(|a, b| (a.0.min(b.0), a.1.max(b.1))) {
                figures.insert(format!("{key}_low"), scaled(low, unit));
                figures.insert(format!("{key}_high"), scaled(high, unit));
            }
            for (i, mode) in (1..).zip(modes.iter().filter(|_| modes.len() > 1)) {
                figures.insert(format!("{key}_mode_{i}"), scaled(mode.level, unit));
                figures.insert(format!("{key}_mode_{i}_samples"), mode.count as f64);
            }
            if let Some(cycles) = figure.cycles {
                figures.insert(format!("{}_cycles", figure.id.name()), cycles);
            }
            if let Some(value) = figure.notes.iter().find_map(|note| match note {
                Note::Elsewhere { value, .. } => Some(*value),
                _ => None,
            }) {
                figures.insert(format!("{key}_other_placement"), scaled(value, unit));
            }
            for (name, value) in figure.notes.iter().flat_map(|of| note(*of)) {
                figures.insert(format!("{}_{name}", figure.id.name()), value);
            }
            if figure.moved {
                moved.push(key.clone());
            }
            if figure.is_doubtful() {
                multimodal.push(key);
            }
        }
        for (rule, cost) in self.findings.iter().filter_map(|f| Some((f.rule, f.cost.as_ref()?))) {
            figures.insert(format!("{rule}_cost_ratio_low"), cost.low);
            figures.insert(format!("{rule}_cost_ratio_high"), cost.high);
        }
        for below in &self.below {
            let name = match &below.quantity {
                expected::Quantity::CacheLatency(level) => format!("l{level}_latency"),
                expected::Quantity::Rate(op) => format!("{op}_rate"),
                expected::Quantity::Chain(op) => format!("{op}_latency"),
                expected::Quantity::BranchMiss => "branch_miss".to_owned(),
                expected::Quantity::TlbEntries(level) => format!("l{level}_data_tlb_entries"),
            };
            figures.insert(format!("{name}_of_expected_ratio"), below.share);
        }
        figures.extend(self.tables.iter().flat_map(answers));
        Flat {
            header: self.header.clone(),
            environment: self.environment,
            causes: self.causes.clone(),
            findings: self.findings.iter().map(|f| f.rule.to_owned()).collect(),
            gaps: self.gaps.clone(),
            next: self.next.clone(),
            multimodal,
            moved,
            figures,
        }
    }
}

/// Values of a table that are no figures: effects of changes, instances, ratios to another record.
fn answers(table: &Table) -> Vec<(String, f64)> {
    let number = |cell: Option<&Cell>| match cell {
        Some(Cell::Number(quantity)) => Some(quantity.value),
        _ => None,
    };
    let mut all = vec![];
    if let TableId::Placement { .. } = table.id {
        all.push(("instances".to_owned(), table.rows.len() as f64));
    }
    for row in &table.rows {
        match (&table.id, &row.label, &row.cells[..]) {
            (TableId::Predictions, Label::Change(change, _), [Cell::Times(low, high), ..]) => {
                let key = format!("{}_throughput_ratio", change.name());
                all.extend([(format!("{key}_low"), *low), (format!("{key}_high"), *high)]);
            }
            (TableId::Placement { .. }, Label::Name(name), [_, cores, _, memory]) => {
                let key = |what: &str| format!("instance_{name}_{what}");
                all.extend(number(Some(cores)).map(|n| (key("cores"), n)));
                all.extend(number(Some(memory)).map(|n| (key("memory_bytes"), n)));
            }
            (TableId::Against(_), Label::Name(what), cells) => {
                let what: Vec<String> = what
                    .split(|c: char| !c.is_ascii_alphanumeric())
                    .filter(|word| !word.is_empty())
                    .map(str::to_lowercase)
                    .collect();
                let ratio = number(cells.last());
                all.extend(ratio.map(|x| (format!("against_{}_ratio", what.join("_")), x)));
            }
            _ => {}
        }
    }
    all
}

/// The ends of a note's keys, each with its number.
fn note(note: Note) -> Vec<(&'static str, f64)> {
    let one = match note {
        Note::AtRated(_) | Note::AsExpected | Note::BetterThanExpected => return vec![],
        Note::Rank { place, of, by } => {
            let ranked = [("rank", place as f64), ("ranked_machines", of as f64)];
            let by = by.map(|seconds| ("ranked_by_ns", scaled(seconds, Unit::Seconds)));
            return ranked.into_iter().chain(by).collect();
        }
        Note::OfKind { low, high, machines } => {
            let (low, high) = (scaled(low, Unit::Seconds), scaled(high, Unit::Seconds));
            return vec![
                ("of_same_design_ns_low", low),
                ("of_same_design_ns_high", high),
                ("of_same_design_machines", machines as f64),
            ];
        }
        Note::OfExpected(share) => ("of_expected_ratio", share),
        Note::OfModelPeak(share) => ("of_model_peak_ratio", share),
        Note::BelowRated(share, _) => ("below_rated_ratio", share),
        Note::AboveRated(share, _) => ("above_rated_ratio", share),
        Note::OfPeak(share) => ("of_peak_ratio", share),
        Note::EachGets(share) | Note::Efficiency(share) => ("per_core_ratio", share),
        Note::LessThanBase(share) => ("saved_ratio", share),
        Note::TimesIdle { times, idle, .. } => {
            let idle = scaled(idle, Unit::Seconds);
            return vec![("over_idle_ratio", times), ("idle_ns", idle)];
        }
        Note::TimesLocal { times, local } => {
            let local = scaled(local, Unit::Seconds);
            return vec![("over_local_ratio", times), ("local_ns", local)];
        }
        Note::OfLocal(share) => ("of_local_ratio", share),
        Note::Elsewhere { share, .. } => ("other_placement_ratio", share),
        Note::RoundTrip(seconds) => ("round_trip_ns", scaled(seconds, Unit::Seconds)),
        Note::OnBase { seconds, interval, .. } => {
            let ends = interval
                .map(|i| [("on_base_pages_ns_low", i.low), ("on_base_pages_ns_high", i.high)]);
            let all = [("on_base_pages_ns", seconds)].into_iter().chain(ends.into_iter().flatten());
            return all.map(|(name, seconds)| (name, scaled(seconds, Unit::Seconds))).collect();
        }
        Note::StillRises(bytes) => ("bytes", bytes),
        Note::PerCycle(ops) => ("operations_per_cycle", ops),
        Note::Tests(tests) => ("tests", tests as f64),
        Note::TimesOne(times) => ("over_one_ratio", times),
    };
    vec![one]
}
