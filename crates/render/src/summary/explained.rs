//! Why each workload is faster or slower, a few lines for all of its points: the factors, how each is known, what is left.
use super::layout::{Grid, indented, wrapped};
use super::{Lines, Style, headed, plain};
use crate::messages::{self as say, Lang};
use crate::prose::in_language;
use analyse::compare::{Comparison, Subject};
use analyse::explain::{Factor, Family, How, Share};
use record::Unit;
use sections::compared::{span, unit};

/// Workloads at most; the whole report has all.
const WORKLOADS: usize = 8;
/// A factor nearer to 1 than this is no news.
const WEIGHS: f64 = 0.01;

/// Lines of all workloads; `subject` names a workload.
pub(super) fn lines(
    of: &Comparison,
    lang: Lang,
    width: usize,
    subject: impl Fn(&Subject) -> String,
) -> Lines {
    let mut all: Lines = vec![];
    for family in of.families.iter().take(WORKLOADS) {
        if !all.is_empty() {
            all.push((Style::Plain, String::new()));
        }
        let times = say::times_one(lang, span(family.times, Unit::Count));
        let name = &of.sides[family.side].name;
        let subject = subject(&family.subject);
        let title = match family.points {
            1 => say::explained_one(lang, name, subject, times),
            points => say::explained_several(lang, points as u64, name, subject, times),
        };
        all.extend(wrapped(&title, width).into_iter().map(|line| (Style::Heading, line)));
        if let Some(why) = &family.declined {
            let unknown = say::explained_unknown(lang, in_language(lang, &why.to_string()));
            all.extend(plain(wrapped(&unknown, width)));
            continue;
        }
        all.extend(headed(grid(family, lang).lines(width)));
        all.extend(plain(indented(&left(family, lang), 2, width)));
    }
    match of.families.len().saturating_sub(WORKLOADS) {
        0 => {}
        more => all.extend(plain(wrapped(&say::more_rows(lang, more as u64), width))),
    }
    all
}

fn word(lang: Lang, key: &str) -> String {
    say::text(lang, key).unwrap_or(key).to_owned()
}

fn name(lang: Lang, of: Factor) -> String {
    word(lang, &format!("factor-{}", of.name().to_lowercase().replace(' ', "_")))
}

/// What is left over, and of what.
fn left(of: &Family, lang: Lang) -> String {
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

fn grid(of: &Family, lang: Lang) -> Grid {
    let heads = [
        (say::column_times(lang), true),
        (say::column_baseline(lang), true),
        (say::column_here(lang), true),
        (say::column_known(lang), false),
    ];
    let mut grid = Grid::new("", &heads);
    for share in of.factors.iter().filter(|s| weighs(s)) {
        let side = |i: usize| share.sides[i].map_or(String::new(), |x| span(x, unit(share.factor)));
        let known = match share.how {
            _ if share.inferred => "how-left",
            How::Inferred if share.sides == [None, None] => "how-one_program",
            How::Inferred => "how-inferred",
            How::Stated => "how-stated",
            How::Measured => "how-measured",
        };
        let times = span(share.times, Unit::Count);
        let label = format!("  {}", name(lang, share.factor));
        grid.row(label, vec![times, side(0), side(1), word(lang, known)]);
    }
    grid
}

/// Whether it makes a difference, or is assumed.
fn weighs(share: &Share) -> bool {
    share.times.iter().any(|x| (x - 1.0).abs() > WEIGHS) || share.factor == Factor::Instructions
}
