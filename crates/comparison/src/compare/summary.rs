//! The summary of a comparison in a few sentences: the faster machine at each subject, and what was not compared and why.
use super::{
    Ahead, BAND, Cell, Comparison, Grade, Incomparable, Standing, Subject, Sure, Verdict, headlines,
};
use crate::say;
use crate::words;
use record::{Between, Message, Sort, Text};
use stats::Interval;
use std::collections::BTreeMap;

/// Said above of the record.
const WHOLE: Message = say::UNLIKE_AS_WHOLE;

/// Confidence from which on a direction is named although a difference is not.
const LEANS: f64 = 0.8;
/// More records than this are counted, not listed one by one.
const LISTED: usize = 4;

pub(super) fn sentences(of: &Comparison) -> Vec<Text> {
    if of.sides.len() < 2 {
        return vec![say::ONLY_ONE_RECORD.into()];
    }
    let mut sentences = vec![];
    if of.rows.is_empty() {
        sentences.push(say::NO_QUANTITY_TWICE.into());
    } else if !of.comparable() {
        sentences.push(say::NOTHING_WITH_BASELINE.into());
    } else if of.others().count() <= LISTED {
        sentences.extend(of.others().filter_map(|side| ahead(of, side)));
    } else {
        sentences.push(many(of));
    }
    sentences.extend(refused(of));
    sentences
}

/// One record against the baseline.
fn ahead(of: &Comparison, side: usize) -> Option<Text> {
    let (name, base) = (&of.sides[side].name, &of.sides[of.baseline].name);
    let all =
        || of.headlines.iter().filter_map(move |h| Some((&h.subject, h.sides[side].as_ref()?)));
    let beside = beside(of, side);
    // That different programs measured is said of each row, where some rows are of one definition.
    let row_by_row = |u: &Incomparable| matches!(u, Incomparable::Tool(..)) && beside.is_some();
    let whole = of.unlike[side].iter().find(|u| u.grade() >= Grade::Unclaimed && !row_by_row(u));
    if let Some(unlike) = whole {
        let why = unlike.reason("cpulens run");
        return Some(say::nothing_claimed(name, base, &why));
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
    let ratios = of.rows.iter().filter(|r| r.against(side).is_some()).count();
    if all().next().is_none() {
        return Some(say::none_comparable(name, base, ratios));
    }
    let counts = |verdict| of.count(side, verdict);
    Some(say::faster_and_rows(
        name,
        at_what(all, base),
        ratios,
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
) -> Text {
    let list = |keep: &dyn Fn(&Ahead) -> bool, word: &dyn Fn(&Subject, &Ahead) -> Text| {
        let kept = all().filter(|(_, ahead)| keep(ahead));
        Text::list(kept.map(|(subject, ahead)| word(subject, ahead)), Between::Comma)
    };
    let figure = |s: &Subject, a: &Ahead| mean(s.words(), a.times, a.interval, a.times < 1.0);
    let significant = |a: &Ahead| a.sure == Sure::Significant;
    let unclear = |a: &Ahead| matches!(a.sure, Sure::Mixed | Sure::WithinNoise);
    let leans = |a: &Ahead| unclear(a) && a.confidence.is_some_and(|sure| sure >= LEANS);
    let leaning = |s: &Subject, a: &Ahead| {
        say::so_sure(figure(s, a), words::percent(a.confidence.unwrap_or(0.5)))
    };
    let name = |s: &Subject, _: &Ahead| s.words();
    let faster = list(&|a| significant(a) && a.times > 1.0, &figure);
    let slower = list(&|a| significant(a) && a.times < 1.0, &figure);
    let mut words = match (faster.is_empty(), slower.is_empty()) {
        (false, false) => vec![say::faster_at(base, faster), say::slower_at(slower)],
        (false, true) => vec![say::faster_at(base, faster)],
        (true, false) => vec![say::slower_than_at(base, slower)],
        (true, true) => vec![say::neither(base)],
    };
    let clear = words[0] != say::neither(base).as_str();
    let mut add = |say: fn(Text) -> Text, list: Text| {
        if !list.is_empty() {
            words.push(say(list));
        }
    };
    add(say::differs_at, list(&|a| a.sure == Sure::Mixed, &name));
    add(say::leans_faster_at, list(&|a| leans(a) && a.times >= 1.0, &leaning));
    add(say::leans_slower_at, list(&|a| leans(a) && a.times < 1.0, &leaning));
    // Where nothing is clear, that has been said.
    if words.len() > 1 || clear {
        let open = list(&|a| a.sure == Sure::WithinNoise && !leans(a), &name);
        words.extend((!open.is_empty()).then(|| say::no_difference_at(open)));
    }
    Text::list(words, Between::Semicolon)
}

/// One figure each, whose spread nobody knows: how far they are apart, a subject each.
fn single(of: &Comparison, side: usize) -> Text {
    let (name, base) = (&of.sides[side].name, &of.sides[of.baseline].name);
    let figures = of.headlines.iter().filter_map(|h| {
        let (ahead, two) = (h.sides[side].as_ref()?, |x: f64| format!("{x:.2}"));
        let (subject, times) = (h.subject.words(), two(ahead.times));
        Some(match ahead.rows {
            1 => say::times(subject, times),
            rows => say::times_of_figures(subject, times, two(ahead.low), two(ahead.high), rows),
        })
    });
    let figures = Text::list(figures, Between::Semicolon);
    let neutral = neutral(of, side);
    match figures.is_empty() {
        true if !neutral.is_empty() => say::no_figure_says_which_faster(name, base, neutral),
        true => say::no_figure_of_one(name, base),
        false => say::single_figures_over(name, base, figures),
    }
}

/// Values with a ratio and no better direction, by metric: how far they are apart.
fn neutral(of: &Comparison, side: usize) -> Text {
    let rows = of.beside.iter().map(|beside| &of.rows[beside.row]);
    let ratios = rows.filter_map(|r| Some((r.quantity.metric.words(), r.against(side)?.ratio)));
    let by_metric = record::groups(ratios);
    let words = by_metric.into_iter().map(|(metric, ratios)| {
        let (low, high) = stats::ends(ratios.iter().copied()).unwrap_or_default();
        let three = |x: f64| format!("{x:.3}");
        match ratios.len() {
            1 => say::times(metric, three(low)),
            figures => say::times_from_to(metric, three(low), three(high), figures),
        }
    });
    Text::list(words, Between::Semicolon)
}

/// Figures of a tool beside ours of the same definition: how many, and how they stand on the average.
fn beside(of: &Comparison, side: usize) -> Option<Text> {
    let marked = |cell: &Cell| cell.conditions.equivalent;
    let mut tools: BTreeMap<&'static str, usize> = BTreeMap::new();
    let (mut rows, mut different) = (0, 0);
    for row in &of.rows {
        let both = row.cells[of.baseline].as_deref().zip(row.cells[side].as_deref());
        let found = both.and_then(|(a, b)| marked(a).or(marked(b)));
        let (Some(found), Some(against)) = (found, row.against(side)) else { continue };
        *tools.entry(&found.what).or_default() += 1;
        rows += 1;
        different += usize::from(matches!(against.verdict, Verdict::Better | Verdict::Worse));
    }
    let (name, base) = (&of.sides[side].name, &of.sides[of.baseline].name);
    let (theirs, ours) = if of.sides[side].foreign() { (name, base) } else { (base, name) };
    let tools = tools.iter().map(|(what, rows)| say::counted(what, rows));
    let tools = Text::list(tools, Between::Comma);
    let means = of.means[side].iter().map(|m| mean(m.group.name(), m.times, m.interval, false));
    let means = Text::list(means, Between::Comma);
    let means = (!means.is_empty()).then(|| say::means_over(name, base, means));
    (rows > 0).then(|| {
        let stand = say::figures_beside(rows, theirs, ours, tools);
        let all = [Some(stand), means, Some(say::different_beside(different))];
        Text::list(all.into_iter().flatten(), Between::Sentences)
    })
}

/// `core 1.05 times (1.02 to 1.08)`; for the slower the inverse, so that every number is above 1.
fn mean(what: impl Into<Text>, mean: f64, interval: Option<Interval>, inverse: bool) -> Text {
    let times = |x: f64| if inverse { 1.0 / x } else { x };
    let two = |x: f64| format!("{x:.2}");
    match interval.map(|i| (times(i.low), times(i.high))) {
        None => say::times(what, two(times(mean))),
        Some((a, b)) => say::times_in_range(what, two(times(mean)), two(a.min(b)), two(a.max(b))),
    }
}

/// The numbers of records that differ, do not, have figures without a spread only, or none in common with the baseline.
fn many(of: &Comparison) -> Text {
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
    const SAID: [fn(usize) -> Text; 4] =
        [say::many_differ, say::many_do_not, say::many_have_single_figures, say::many_have_none];
    let counted = counts.into_iter().zip(SAID).filter(|(n, _)| *n > 0).map(|(n, said)| said(n));
    let counted = Text::list(counted, Between::Semicolon);
    say::many(of.others().count(), &of.sides[of.baseline].name, counted)
}

/// Values without a ratio, or with one of which nothing is claimed, by the reason.
fn refused(of: &Comparison) -> Option<Text> {
    let mut why: BTreeMap<Text, usize> = BTreeMap::new();
    let (mut all, mut out) = (0, 0_usize);
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
            *why.entry(word.into()).or_default() += 1;
        }
    }
    // Where that is all there is to say, it has been said.
    if why.keys().all(|word| *word == WHOLE.english()) {
        return None;
    }
    let mut why: Vec<_> = why.into_iter().collect();
    why.order_by_key(|(_, count)| std::cmp::Reverse(*count));
    let why = why.into_iter().map(|(word, count)| say::counted(word, count));
    let why = Text::list(why, Between::Semicolon);
    (out > 0).then(|| say::nothing_claimed_of_pairings(out, all, why))
}
