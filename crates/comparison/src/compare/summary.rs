//! The summary of a comparison in a few sentences: the faster machine at each subject, and what was not compared and why.
use super::{
    Ahead, BAND, Cell, Comparison, Grade, Incomparable, Standing, Subject, Sure, Verdict, headlines,
};
use crate::words;
use record::Sort;
use stats::Interval;
use std::collections::BTreeMap;

/// Said above of the record.
const WHOLE: &str = "a record is not comparable as a whole";

/// Confidence from which on a direction is named although a difference is not.
const LEANS: f64 = 0.8;
/// More records than this are counted, not listed one by one.
const LISTED: usize = 4;

pub(super) fn sentences(of: &Comparison) -> Vec<String> {
    if of.sides.len() < 2 {
        return vec!["There is one record only: nothing to compare.".into()];
    }
    let mut sentences = vec![];
    if of.rows.is_empty() {
        sentences.push(
            "No quantity was measured in two of the records: nothing can be compared.".into(),
        );
    } else if !of.comparable() {
        sentences.push("Nothing could be compared with the baseline.".into());
    } else if of.others().count() <= LISTED {
        sentences.extend(of.others().filter_map(|side| ahead(of, side)));
    } else {
        sentences.push(many(of));
    }
    sentences.extend(refused(of));
    sentences
}

/// One record against the baseline.
fn ahead(of: &Comparison, side: usize) -> Option<String> {
    let (name, base) = (&of.sides[side].name, &of.sides[of.baseline].name);
    let all =
        || of.headlines.iter().filter_map(move |h| Some((&h.subject, h.sides[side].as_ref()?)));
    let beside = beside(of, side);
    // That different programs measured is said of each row, where some rows are of one definition.
    let row_by_row = |u: &Incomparable| matches!(u, Incomparable::Tool(..)) && beside.is_some();
    let whole = of.unlike[side].iter().find(|u| u.grade() >= Grade::Unclaimed && !row_by_row(u));
    if let Some(unlike) = whole {
        let why = unlike.reason("cpulens run");
        return Some(format!("Nothing is claimed of {name} against {base}: {why}."));
    }
    if let Some(beside) = beside {
        return Some(beside);
    }
    // Single figures: no count of rows says more than the figures.
    if of.count(side, Verdict::NoSpread) > 0
        && [Verdict::Better, Verdict::Worse, Verdict::Same, Verdict::Unclear, Verdict::Different]
            .iter()
            .all(|verdict| of.count(side, *verdict) == 0)
    {
        return Some(single(of, side));
    }
    if all().next().is_none() {
        let ratios = of.rows.iter().filter(|r| r.against(side).is_some()).count();
        return Some(format!(
            "Nothing is claimed of {name} against {base}: {}, none comparable.",
            words::count(ratios, "ratio")
        ));
    }
    let words = at_what(all, base);
    let counts = |verdict| of.count(side, verdict);
    Some(format!(
        "{name} {words}. Of {}, row by row, {} are better, {} worse, {} the same within {}, {} no significant difference, {} of unknown spread.",
        words::count(of.rows.iter().filter(|r| r.against(side).is_some()).count(), "ratio"),
        counts(Verdict::Better),
        counts(Verdict::Worse),
        counts(Verdict::Same),
        words::percent(BAND),
        counts(Verdict::Unclear),
        counts(Verdict::NoSpread),
    ))
}

/// Faster at what, slower at what, and what is not clear.
fn at_what<'a, All: Iterator<Item = (&'a Subject, &'a Ahead)>>(
    all: impl Fn() -> All,
    base: &str,
) -> String {
    let list = |keep: &dyn Fn(&Ahead) -> bool, word: &dyn Fn(&Subject, &Ahead) -> String| {
        let kept = all().filter(|(_, ahead)| keep(ahead));
        kept.map(|(subject, ahead)| word(subject, ahead)).collect::<Vec<_>>().join(", ")
    };
    let figure = |s: &Subject, a: &Ahead| mean(&s.words(), a.times, a.interval, a.times < 1.0);
    let significant = |a: &Ahead| a.sure == Sure::Significant;
    let unclear = |a: &Ahead| matches!(a.sure, Sure::Mixed | Sure::WithinNoise);
    let leans = |a: &Ahead| unclear(a) && a.confidence.is_some_and(|sure| sure >= LEANS);
    let leaning = |s: &Subject, a: &Ahead| {
        format!("{}, {} sure", figure(s, a), words::percent(a.confidence.unwrap_or(0.5)))
    };
    let name = |s: &Subject, _: &Ahead| s.words();
    let faster = list(&|a| significant(a) && a.times > 1.0, &figure);
    let slower = list(&|a| significant(a) && a.times < 1.0, &figure);
    let than = if faster.is_empty() { format!(" than {base}") } else { String::new() };
    let neither = faster.is_empty() && slower.is_empty();
    let mut words = vec![];
    let mut say = |what: String, list: String| {
        if !list.is_empty() {
            words.push(what + &list);
        }
    };
    say(format!("is faster than {base} at "), faster);
    say(format!("is slower{than} at "), slower);
    if neither {
        say(
            format!("is not clearly faster or slower than {base} at "),
            "anything as a whole".into(),
        );
    }
    say("differs in some rows at ".into(), list(&|a| a.sure == Sure::Mixed, &name));
    say("leans to faster at ".into(), list(&|a| leans(a) && a.times >= 1.0, &leaning));
    say("leans to slower at ".into(), list(&|a| leans(a) && a.times < 1.0, &leaning));
    let open = list(&|a| a.sure == Sure::WithinNoise && !leans(a), &name);
    // Where nothing is clear, that has been said.
    if words.len() > 1 || !neither {
        words.extend(
            (!open.is_empty()).then(|| format!("shows no significant difference at {open}")),
        );
    }
    words.join("; ")
}

/// One figure each, whose spread nobody knows: how far they are apart, a subject each.
fn single(of: &Comparison, side: usize) -> String {
    let (name, base) = (&of.sides[side].name, &of.sides[of.baseline].name);
    let words = of.headlines.iter().filter_map(|h| {
        let ahead = h.sides[side].as_ref()?;
        let range = match ahead.rows {
            1 => String::new(),
            rows => format!(" ({:.2} to {:.2}, {rows} figures)", ahead.low, ahead.high),
        };
        Some(format!("{} {:.2} times{range}", h.subject.words(), ahead.times))
    });
    let words: Vec<String> = words.collect();
    let neutral = neutral(of, side);
    match words.is_empty() {
        true if !neutral.is_empty() => format!(
            "No figure of {name} and {base} says which is faster. Ratios without a better direction: {}.",
            neutral.join("; ")
        ),
        true => format!("No figure of {name} and {base} is of one thing."),
        false => format!(
            "{name} over {base}, where more is better: {}. These are single figures, whose spread nobody printed.",
            words.join("; ")
        ),
    }
}

/// Values with a ratio and no better direction, by metric: how far they are apart.
fn neutral(of: &Comparison, side: usize) -> Vec<String> {
    let rows = of.beside.iter().map(|beside| &of.rows[beside.row]);
    let ratios = rows.filter_map(|r| Some((r.quantity.metric.words(), r.against(side)?.ratio)));
    let by_metric = record::groups(ratios);
    let words = by_metric.into_iter().map(|(metric, ratios)| {
        let (low, high) = stats::ends(ratios.iter().copied()).unwrap_or_default();
        match ratios.len() {
            1 => format!("{metric} {low:.3} times"),
            figures => format!("{metric} {low:.3} to {high:.3} times ({figures} figures)"),
        }
    });
    words.collect()
}

/// Figures of a tool beside ours of the same definition: how many, and how they stand on the average.
fn beside(of: &Comparison, side: usize) -> Option<String> {
    let marked = |cell: &Cell| cell.conditions.equivalent;
    let mut tools: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut rows, mut sentences) = (0, 0);
    for row in &of.rows {
        let both = row.cells[of.baseline].as_deref().zip(row.cells[side].as_deref());
        let found = both.and_then(|(a, b)| marked(a).or(marked(b)));
        let (Some(found), Some(against)) = (found, row.against(side)) else { continue };
        *tools.entry(&found.what).or_default() += 1;
        rows += 1;
        sentences += usize::from(matches!(against.verdict, Verdict::Better | Verdict::Worse));
    }
    let (name, base) = (&of.sides[side].name, &of.sides[of.baseline].name);
    let (theirs, ours) = if of.sides[side].foreign() { (name, base) } else { (base, name) };
    let tools: Vec<String> = tools.iter().map(|(what, rows)| format!("{what} ({rows})")).collect();
    let means: Vec<String> =
        of.means[side].iter().map(|m| mean(m.group.name(), m.times, m.interval, false)).collect();
    let means = match means.is_empty() {
        true => String::new(),
        false => format!(" {name} over {base}, where more is better: {}.", means.join(", ")),
    };
    (rows > 0).then(|| {
        format!(
            "{} of {theirs} {} beside cpulens's own of the same definition in {ours}: {}.{means} {} beyond noise and what the \
             two programs may differ by; a single printed figure has no spread, and proves nothing.",
            words::count(rows, "figure"),
            if rows == 1 { "stands" } else { "stand" },
            tools.join(", "),
            match sentences {
                0 => "None is different".to_owned(),
                1 => "One is different".to_owned(),
                some => format!("{some} are different"),
            },
        )
    })
}

/// `core 1.05 times (1.02 to 1.08)`; for the slower the inverse, so that every number is above 1.
fn mean(what: &str, mean: f64, interval: Option<Interval>, inverse: bool) -> String {
    let times = |x: f64| if inverse { 1.0 / x } else { x };
    let mut words = format!("{what} {:.2} times", times(mean));
    if let Some(i) = interval {
        let (a, b) = (times(i.low), times(i.high));
        words += &format!(" ({:.2} to {:.2})", a.min(b), a.max(b));
    }
    words
}

/// The numbers of records that differ, do not, have figures without a spread only, or none in common with the baseline.
fn many(of: &Comparison) -> String {
    let mut counts = [0; 4];
    for side in of.others() {
        let found: Vec<&Ahead> =
            of.headlines.iter().filter_map(|h| h.sides[side].as_ref()).collect();
        let kind = match of.differs(side) {
            _ if found.is_empty() => 3,
            true => 0,
            false if found.iter().all(|ahead| ahead.sure == Sure::NoSpread) => 2,
            false => 1,
        };
        counts[kind] += 1;
    }
    const WORDS: [[&str; 2]; 4] = [
        ["differs by more than noise", "differ by more than noise"],
        ["does not", "do not"],
        [
            "has single figures only, of unknown spread",
            "have single figures only, of unknown spread",
        ],
        ["has no figure in common with it", "have no figure in common with it"],
    ];
    let counted = counts.iter().zip(WORDS).filter(|(n, _)| **n > 0);
    let words =
        counted.map(|(n, [one, several])| format!("{n} {}", if *n == 1 { one } else { several }));
    format!(
        "Of {} against {}, {}.",
        words::count(of.others().count(), "record"),
        of.sides[of.baseline].name,
        words.collect::<Vec<_>>().join("; ")
    )
}

/// Values without a ratio, or with one of which nothing is claimed, by the reason.
fn refused(of: &Comparison) -> Option<String> {
    let mut why: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut all, mut out) = (0, 0);
    for cell in of.rows.iter().flat_map(|row| row.cells.iter().flatten()) {
        let whole = match &cell.standing {
            Standing::Baseline | Standing::Alone => continue,
            Standing::Refused(_) => false,
            Standing::Compared(against) => against.verdict == Verdict::Unclaimed,
        };
        let own = headlines::obstacle(cell).map(Incomparable::word);
        let word = own.or(whole.then_some(WHOLE));
        all += 1;
        if let Some(word) = word {
            out += 1;
            *why.entry(word).or_default() += 1;
        }
    }
    // Where that is all there is to say, it has been said.
    if why.keys().all(|word| *word == WHOLE) {
        return None;
    }
    let mut why: Vec<_> = why.into_iter().collect();
    why.order_by_key(|(word, count)| (std::cmp::Reverse(*count), *word));
    let words: Vec<String> = why.iter().map(|(word, count)| format!("{word} ({count})")).collect();
    (out > 0).then(|| {
        format!(
            "Nothing is claimed of {out} of {}: {}.",
            words::count(all, "pairing"),
            words.join("; ")
        )
    })
}
