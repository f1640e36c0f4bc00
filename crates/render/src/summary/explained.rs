//! Why each workload is faster or slower, a few lines for all of its points: the factors, how each is known, what is left.
use super::layout::{Grid, indented};
use super::{Lines, empty, headed, heading, more_rows, plain};
use crate::quantity;
use analyse::compare::{Comparison, Subject};
use analyse::explain::{Factor, Family, How, Interleaved, Share};
use messages::prose::in_language;
use messages::{self as say, Lang};
use record::{Sort, Text, Unit};
use sections::compared::{span, unit};

/// Lines at most; the whole report has all.
const MOST: usize = 15;
/// A factor nearer to 1 than this is no news.
const WEIGHS: f64 = 0.01;

/// One explanation for each workload, as tables where all have room, else in sentences; `subject` names a workload.
pub(super) fn lines(
    of: &Comparison,
    lang: Lang,
    width: usize,
    subject: impl Fn(&Subject) -> String,
) -> Lines {
    let families = &of.families;
    let titled = |family: &Family, rest: Lines| {
        let times = say::times_one(lang, span(family.times, Unit::Count));
        let mut subject = subject(&family.subject);
        if of.sides.len() > 2 {
            subject = format!("{subject}{}{}", say::comma(lang), of.sides[family.side].name);
        }
        let title = match family.points {
            1 => say::explained_one(lang, subject, times),
            points => say::explained_several(lang, points as u64, subject, times),
        };
        [heading(&title, width), rest].concat()
    };
    let ending = |family: &Family| {
        let cause = family.interleaved.as_ref().map(|dies| interleaved(of, dies, lang));
        let said = cause.into_iter().chain([left(family, lang)]);
        plain(said.flat_map(|one| indented(&one, 2, width)))
    };
    let table = |family: &Family| {
        let mut rest = headed(grid(family, lang).lines(width));
        rest.truncate(if family.declined.is_some() { 0 } else { rest.len() });
        rest.extend(ending(family));
        titled(family, rest)
    };
    let tables: Vec<Lines> = families.iter().take(MOST).map(table).collect();
    if tables.len() == families.len()
        && tables.iter().map(Vec::len).sum::<usize>() + tables.len() <= MOST + 1
    {
        return tables.join(&empty());
    }
    let mut all: Lines = vec![];
    for (i, family) in families.iter().enumerate() {
        let factors = factors(family, lang);
        let known = factors.iter().flat_map(|text| indented(text, 2, width));
        let mut rest = plain(known);
        rest.extend(ending(family));
        let one = titled(family, rest);
        let more = usize::from(i + 1 < families.len());
        if all.len() + one.len() + more > MOST {
            all.extend(more_rows(lang, families.len() - i, width));
            break;
        }
        all.extend(one);
    }
    all
}

/// The factors in words, the one that weighs most with its two values; nothing where none differs.
fn factors(of: &Family, lang: Lang) -> Option<String> {
    let main = of.main().map(|(factor, _)| factor);
    let mut shares: Vec<&Share> = of.factors.iter().filter(|s| differs(s)).collect();
    shares.order_by_key(|s| Some(s.factor) != main);
    let one = |share: &&Share| {
        let (factor, known) = (name(lang, share.factor), known(of, share, lang));
        let times = say::times_one(lang, span(share.times, Unit::Count));
        let side = |i: usize| share.sides[i].map(|x| span(x, unit(share.factor)));
        match (Some(share.factor) == main, side(0), side(1)) {
            (true, Some(a), Some(b)) => say::explained_main(lang, a, factor, b, known, times),
            _ => say::explained_factor(lang, factor, known, times),
        }
    };
    let all: Vec<String> = shares.iter().map(one).collect();
    (!all.is_empty()).then(|| all.join(say::semicolon(lang)))
}

fn word(lang: Lang, key: &str) -> String {
    say::text(lang, key).unwrap_or(key).to_owned()
}

fn name(lang: Lang, of: Factor) -> String {
    word(lang, &format!("factor-{}", of.name().to_lowercase().replace(' ', "_")))
}

/// The residual, and its factors.
fn left(of: &Family, lang: Lang) -> String {
    if let Some(why) = &of.declined {
        return say::explained_unknown(lang, in_language(lang, &Text::from(why)));
    }
    let rest = say::times_one(lang, span(of.rest, Unit::Count));
    // What is a part of IPC is no part of its own.
    let ipc = of.holds.contains(&Factor::Ipc);
    let holds = of.holds.iter().filter(|f| !ipc || !f.inside_ipc());
    let holds: Vec<String> = holds.map(|f| name(lang, *f)).collect();
    match of.factors.iter().find(|s| s.inferred) {
        Some(share) if of.unchecked() => say::explained_unchecked(lang, name(lang, share.factor)),
        Some(share) if holds.is_empty() && share.factor == Factor::Frequency => {
            say::explained_beyond(lang, rest)
        }
        _ if holds.is_empty() => say::explained_residual(lang, rest),
        _ => say::explained_rest(lang, holds.join(say::comma(lang)), rest),
    }
}

fn interleaved(of: &Comparison, dies: &Interleaved, lang: Lang) -> String {
    let value = |x: f64| quantity::plain(x, dies.unit);
    let (apart, side) = (&of.sides[dies.apart].name, &of.sides[dies.side].name);
    say::explained_dies(lang, apart, dies.dies as u64, value(dies.mean), value(dies.own), side)
}

/// The source of a factor.
fn known(of: &Family, share: &Share, lang: Lang) -> String {
    let key = match share.how {
        _ if share.in_ipc => "how-in_ipc",
        _ if share.inferred || of.interleaved.is_some() => "how-left",
        How::Inferred if share.sides == [None, None] => "how-one_program",
        How::Inferred => "how-inferred",
        How::Stated => "how-stated",
        How::Measured => "how-measured",
    };
    word(lang, key)
}

fn grid(of: &Family, lang: Lang) -> Grid {
    let heads = [
        (say::column_times(lang), true),
        (say::column_baseline(lang), true),
        (say::column_here(lang), true),
        (say::column_known(lang), false),
    ];
    let mut grid = Grid::new("", &heads);
    for share in of.factors.iter().filter(|s| differs(s) || s.factor == Factor::Instructions) {
        let side = |i: usize| share.sides[i].map_or(String::new(), |x| span(x, unit(share.factor)));
        let times = span(share.times, Unit::Count);
        let label = format!("  {}", name(lang, share.factor));
        grid.row(label, vec![times, side(0), side(1), known(of, share, lang)]);
    }
    grid
}

fn differs(share: &Share) -> bool {
    share.times.iter().any(|x| (x - 1.0).abs() > WEIGHS)
}
