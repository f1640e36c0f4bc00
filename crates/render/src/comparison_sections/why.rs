//! Why a workload is faster in one record than in another: its factors as a waterfall, with where each comes from.
use crate::chart::{Chart, Fall, Kind, Waterfall};
use crate::compared::ratio;
use crate::page::{Block, Column, Table};
use crate::section::{ComparisonSection, Section};
use crate::{origin, quantity};
use analyse::compare::Comparison;
use analyse::explain::{Amount, Explanation, Factor, How, Parts, Times};

/// More workloads than this are folded away.
const SHOWN: usize = 12;

pub(crate) static SECTION: ComparisonSection =
    Section { title: "Why", order: 20, numbers: true, probes: &[], blocks };

/// Those whose instructions or cycles were counted, one by one; of the others a table.
fn blocks(of: &Comparison) -> Vec<Block> {
    let (counted, rest): (Vec<&Explanation>, Vec<&Explanation>) =
        of.explained.iter().partition(|e| e.counted());
    let mut blocks = vec![];
    if !counted.is_empty() {
        blocks.push(Block::Paragraph(
            "Speed is cores x SMT yield x frequency x IPC x locality x bandwidth over instructions. Each factor is how many times \
             as fast it alone makes the record; multiplied they are the ratio."
                .into(),
        ));
    }
    let mut each = counted.iter().enumerate().map(|(i, e)| one(of, e, i));
    blocks.extend(each.by_ref().take(SHOWN).flatten());
    let more: Vec<Block> = each.flatten().collect();
    if !more.is_empty() {
        let summary = quantity::counted(counted.len() - SHOWN, "more workload");
        blocks.push(Block::details(summary, more));
    }
    if !rest.is_empty() {
        let summary = format!(
            "{} without counts of instructions: what frequency and cores explain",
            quantity::counted(rest.len(), "workload")
        );
        let table = Block::Table(uncounted(of, &rest));
        blocks.push(match counted.is_empty() {
            true => Block::Heading(summary),
            false => Block::details(summary, vec![table.clone()]),
        });
        if counted.is_empty() {
            blocks.push(table);
        }
    }
    blocks
}

/// `point select: cores 1, placement physical cores`.
fn named(of: &Explanation) -> String {
    let words = origin::coordinates(of.at.iter());
    let probe = of.probe.words();
    let metric = of.metric.words();
    let head = if probe == metric { probe } else { format!("{probe} {metric}") };
    if words.is_empty() { head } else { format!("{head}: {}", words.join(", ")) }
}

fn one(of: &Comparison, e: &Explanation, number: usize) -> Vec<Block> {
    let (base, name) = (&of.sides[of.baseline].name, &of.sides[e.side].name);
    let mut blocks = vec![Block::Heading(format!("{} ({name} against {base})", named(e)))];
    blocks.push(Block::Paragraph(e.summary.join(" ")));
    if let Ok(parts) = &e.parts {
        blocks.push(Block::Chart(Box::new(Chart {
            name: format!("why-{number}"),
            title: format!("Factors of {}", ratio(e.ratio)),
            description:
                "Logarithmic: each bar begins where the one before it ended, and the last is the whole. Striped: inferred."
                    .into(),
            table: table(e, parts, base, name),
            kind: Kind::Waterfall(waterfall(e, parts)),
        })));
        let sources = Block::List(sources(parts, base, name));
        blocks.push(Block::details("Where each factor comes from", vec![sources]));
    }
    blocks
}

fn waterfall(e: &Explanation, parts: &Parts) -> Waterfall {
    let mut at = 1.0;
    let mut fall = |label: &str, times: &Times| {
        let (from, to) = (at, at * times.value);
        let ends =
            (times.high / times.low > 1.005).then_some((from * times.low, from * times.high));
        at = to;
        let open = times.how == How::Inferred;
        Fall { label: label.into(), from, to, ends, text: factor(times), open }
    };
    let known = parts.steps.iter().filter_map(|s| Some((s.factor, s.times.as_ref().ok()?)));
    let mut falls: Vec<Fall> = known.map(|(f, times)| fall(f.name(), times)).collect();
    falls.push(fall(&rest(parts), &parts.rest.times));
    falls.push(Fall {
        label: "together".into(),
        from: 1.0,
        to: e.ratio,
        ends: None,
        text: ratio(e.ratio),
        open: false,
    });
    Waterfall { falls }
}

/// What the rest is called.
fn rest(parts: &Parts) -> String {
    match parts.rest.holds[..] {
        [] => "residual".into(),
        [one] => format!("{} (the rest)", one.name()),
        _ => "no significant difference".into(),
    }
}

fn factor(times: &Times) -> String {
    match times.high / times.low {
        wide if wide > 1.005 => {
            format!("{} [{}, {}]", ratio(times.value), ratio(times.low), ratio(times.high))
        }
        _ => ratio(times.value),
    }
}

fn table(e: &Explanation, parts: &Parts, base: &str, name: &str) -> Table {
    let mut table = Table::default();
    for (head, number) in [
        ("factor", false),
        (base, true),
        (name, true),
        ("times as fast", true),
        ("known by", false),
    ] {
        table.columns.push(Column { name: head.into(), number });
    }
    for step in &parts.steps {
        let value =
            |side: &Option<Amount>| side.as_ref().map_or(String::new(), |a| amount(step.factor, a));
        let by = match (&step.times, &step.sides) {
            (Ok(_), [Some(a), Some(b)]) if a.how != b.how => {
                format!("{}, {}", a.how.word(), b.how.word())
            }
            (Ok(times), _) => times.how.word().into(),
            (Err(_), _) if !parts.rest.holds.contains(&step.factor) => {
                "not separated from IPC".into()
            }
            (Err(_), _) => "in the rest".into(),
        };
        let times = step.times.as_ref().map_or(String::new(), factor);
        table.row([
            step.factor.name().into(),
            value(&step.sides[0]),
            value(&step.sides[1]),
            times,
            by,
        ]);
    }
    let holds: Vec<&str> = parts.rest.holds.iter().map(|f| f.name()).collect();
    let why = match holds[..] {
        [] => "what is left".to_owned(),
        [_] => "inferred: what is left".to_owned(),
        _ => format!("what is left: {}", holds.join(", ")),
    };
    let empty = String::new;
    table.row([rest(parts), empty(), empty(), factor(&parts.rest.times), why]);
    table.row(["together".into(), empty(), empty(), ratio(e.ratio), "measured".into()]);
    table
}

/// For each factor what its two values rest on, or why there is none.
fn sources(parts: &Parts, base: &str, name: &str) -> Vec<String> {
    let origin = |a: &Amount| format!("{}: {}", a.how.word(), a.from);
    let words = |step: &analyse::explain::Step| match (&step.times, &step.sides) {
        (Err(why), _) => why.to_string(),
        (Ok(_), [Some(a), Some(b)]) if origin(a) == origin(b) => origin(a),
        (Ok(_), sides) => {
            let each = sides.iter().zip([base, name]);
            let all = each.filter_map(|(a, of)| Some(format!("{of} {}", origin(a.as_ref()?))));
            all.collect::<Vec<_>>().join("; ")
        }
    };
    parts.steps.iter().map(|step| format!("{}: {}", step.factor.name(), words(step))).collect()
}

fn amount(factor: Factor, amount: &Amount) -> String {
    match factor {
        Factor::Frequency | Factor::Ipc => quantity::plain(amount.value, factor.unit()),
        Factor::Instructions if amount.value > 1e4 => format!("{:.4e}", amount.value),
        Factor::Instructions => format!("{:.3}", amount.value),
        _ => ratio(amount.value),
    }
}

/// Frequency, cores and what is left, one line for each.
fn uncounted(of: &Comparison, all: &[&Explanation]) -> Table {
    let mut table = Table::new(&[
        "workload",
        "record",
        "#times as fast",
        "#frequency",
        "#cores used",
        "#SMT yield",
        "#locality",
        "#bandwidth",
        "#rest",
    ]);
    for e in all {
        let Ok(parts) = &e.parts else { continue };
        let known = |wanted: Factor| {
            let step = parts.steps.iter().find(|s| s.factor == wanted);
            let times = step.and_then(|s| s.times.as_ref().ok());
            times.map_or(String::new(), |t| ratio(t.value))
        };
        table.row([
            named(e),
            of.sides[e.side].name.clone(),
            ratio(e.ratio),
            known(Factor::Frequency),
            known(Factor::Cores),
            known(Factor::Smt),
            known(Factor::Locality),
            known(Factor::Bandwidth),
            ratio(parts.rest.times.value),
        ]);
    }
    table.folded()
}
