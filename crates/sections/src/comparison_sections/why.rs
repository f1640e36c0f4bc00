//! The factors of a workload's ratio between two records: over all points as a waterfall, then each point.
use crate::chart::{Chart, Fall, Kind};
use crate::compared::{ratio, span, unit};
use crate::page::{Block, Table};
use crate::say;
use crate::section::{ComparisonSection, Section};
use crate::{origin, quantity};
use analyse::compare::Comparison;
use analyse::explain::{Amount, Explanation, Factor, Family, How, Step};
use record::{Between, Text, Unit, stored_name};
use std::collections::BTreeSet;

/// More workloads than this are folded away.
const SHOWN: usize = 12;

pub(crate) static SECTION: ComparisonSection = Section::with_numbers("Why", 20, &[], blocks);

fn blocks(of: &Comparison) -> Vec<Block> {
    if of.families.is_empty() && of.explained.is_empty() {
        return vec![];
    }
    let mut blocks = vec![Block::text(say::WHY_SPEED_CORES_X_SMT)];
    let mut each = of.families.iter().enumerate().map(|(i, family)| one(of, family, i));
    blocks.extend(each.by_ref().take(SHOWN).flatten());
    let more: Vec<Block> = each.flatten().collect();
    if !more.is_empty() {
        let count = of.families.len() - SHOWN;
        blocks.push(Block::details(quantity::counted(count, "more workload"), more));
    }
    if !of.explained.is_empty() {
        let points = quantity::counted(of.explained.len(), "point");
        blocks.push(Block::folded(points, each_point(of)));
    }
    let sources = sources(of);
    if !sources.is_empty() {
        let list = Block::items(sources);
        blocks.push(Block::details(say::WHERE_FROM, vec![list]));
    }
    blocks
}

fn one(of: &Comparison, family: &Family, number: usize) -> Vec<Block> {
    let (base, name) = (&of.sides[of.baseline].name, &of.sides[family.side].name);
    let heading = format!("{} ({name} against {base})", family.subject.words());
    let mut blocks =
        vec![Block::heading(heading), Block::text(Text::list(&family.summary, Between::Sentences))];
    if family.declined.is_none() {
        blocks.push(Block::chart(Chart {
            name: format!("why-{number}"),
            title: format!("Factors of {}", ratio(family.mean)).into(),
            description: say::WHY_LOGARITHMIC_EACH_BAR_BEGINS.into(),
            table: table(family, base, name),
            kind: Kind::Waterfall(waterfall(family)),
        }));
    }
    blocks
}

/// The waterfall of the means over the points.
fn waterfall(of: &Family) -> Vec<Fall> {
    let mut at = 1.0;
    let mut fall = |label: &str, mean: f64, [low, high]: [f64; 2], open: bool| {
        let (from, to) = (at, at * mean);
        let ends = (high / low > 1.005).then_some((from * low, from * high));
        at = to;
        let text = span([low, high], Unit::Count);
        Fall { label: label.into(), from, to, ends, text: text.into(), open }
    };
    let mut falls: Vec<Fall> = vec![];
    for share in of.multiplied() {
        let open = share.how == How::Inferred;
        falls.push(fall(share.factor.name(), share.mean, share.times, open));
    }
    falls.push(fall(&rest(of), of.left(), of.rest, true));
    falls.push(Fall {
        label: "together".into(),
        from: 1.0,
        to: of.mean,
        ends: None,
        text: ratio(of.mean).into(),
        open: false,
    });
    falls
}

/// The name of the residual.
fn rest(of: &Family) -> String {
    match of.holds[..] {
        [] => "residual".into(),
        [one] => format!("{} (the rest)", one.name()),
        _ => "the rest".into(),
    }
}

fn table(of: &Family, base: &str, name: &str) -> Table {
    let (base, name) = (format!("#{base}"), format!("#{name}"));
    let mut table = Table::new(["factor", &base, &name, "#times as fast", "known by"]);
    for share in &of.factors {
        let side = |i: usize| share.sides[i].map_or(String::new(), |x| span(x, unit(share.factor)));
        let by = match share.how {
            _ if share.in_ipc => "part of the IPC".into(),
            _ if share.inferred => Text::from(say::WHAT_THE_OTHERS_LEAVE),
            How::Inferred if share.sides == [None, None] => say::ONE_PROGRAM_INFERRED.into(),
            how => stored_name(&how).into(),
        };
        let times = span(share.times, Unit::Count);
        table.row([share.factor.name().into(), side(0).into(), side(1).into(), times.into(), by]);
    }
    let holds: Vec<&str> = of.holds.iter().map(|f| f.name()).collect();
    let by = match holds.is_empty() {
        true => "what is left".into(),
        false => say::why_what_left(holds.join(", ")),
    };
    let empty = Text::default;
    table.row([rest(of).into(), empty(), empty(), span(of.rest, Unit::Count).into(), by]);
    table.row([
        "together".into(),
        empty(),
        empty(),
        span(of.times, Unit::Count).into(),
        "measured".into(),
    ]);
    table
}

/// `point select: cores 1, placement physical cores`.
fn named(of: &Explanation) -> String {
    let words = origin::coordinates(of.at.iter());
    let (probe, metric) = (of.probe.words(), of.metric.words());
    let head = if probe == metric { probe } else { format!("{probe} {metric}") };
    if words.is_empty() { head } else { format!("{head}: {}", words.join(", ")) }
}

/// One line for each point: every factor that is known, and what is left.
fn each_point(of: &Comparison) -> Table {
    let mut heads = vec!["workload".to_owned(), "record".into(), "#times as fast".into()];
    heads.extend(Factor::ALL.iter().map(|f| format!("#{}", f.name())));
    heads.push("#rest".into());
    let mut table = Table::new(heads);
    for e in &of.explained {
        let parts = e.parts.as_ref().ok();
        let known = |wanted: Factor| {
            let step = parts?.steps.iter().find(|s| s.factor == wanted)?;
            Some(ratio(step.times.as_ref().ok()?.value))
        };
        let mut cells = vec![named(e), of.sides[e.side].name.clone(), ratio(e.ratio)];
        cells.extend(Factor::ALL.into_iter().map(|f| known(f).unwrap_or_default()));
        cells.push(parts.map_or_else(|| "unknown".into(), |p| ratio(p.rest.times.value)));
        table.add(cells);
    }
    table.folded()
}

/// For each factor what its values rest on, or why there is none: each reason once.
fn sources(of: &Comparison) -> Vec<Text> {
    let parts = of.explained.iter().filter_map(|e| e.parts.as_ref().ok());
    let line = |step: &Step| Text::list([step.factor.name().into(), source(step)], Between::Colon);
    let all: BTreeSet<Text> = parts.flat_map(|p| &p.steps).map(line).collect();
    all.into_iter().collect()
}

fn source(step: &Step) -> Text {
    let origin = |of: &str, a: &Amount| {
        let how = format!("{of}{}", stored_name(&a.how));
        Text::list([how.into(), a.from.clone()], Between::Colon)
    };
    match (&step.times, &step.sides) {
        (Err(why), _) => why.into(),
        (Ok(_), [None, None]) => say::ONE_PROGRAM_ON.into(),
        (Ok(_), [Some(a), Some(b)]) if origin("", a) == origin("", b) => origin("", a),
        (Ok(_), [a, b]) => {
            let each = [("baseline ", a), ("here ", b)].into_iter();
            let all = each.filter_map(|(of, a)| Some(origin(of, a.as_ref()?)));
            Text::list(all, Between::Semicolon)
        }
    }
}
