//! A summary's words in every language at once, for pages that carry both and lay them out otherwise than lines.
use super::{View, words};
use analyse::summary::{Cell, Column, Figure, FigureId, Finding, Summary};
use messages::{self as say, Lang};
use record::{Environment, printable};

/// A text in each language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Both {
    /// In English.
    pub(crate) en: String,
    /// In Chinese.
    pub(crate) zh: String,
}

impl Both {
    pub(crate) fn of(make: impl Fn(Lang) -> String) -> Both {
        let made = |lang| {
            let mut text = make(lang);
            printable(&mut text);
            text
        };
        Both { en: made(Lang::En), zh: made(Lang::Zh) }
    }
    fn fixed(make: impl Fn(Lang) -> &'static str) -> Both {
        Both::of(|lang| make(lang).to_owned())
    }
    /// One text for every language.
    pub(crate) fn one(text: &str) -> Both {
        Both::of(|_| text.to_owned())
    }
    /// The texts one after the other.
    pub(crate) fn joined(all: &[Both], between: fn(Lang) -> &'static str) -> Both {
        let join = |lang, pick: fn(&Both) -> &str| {
            all.iter().map(pick).collect::<Vec<_>>().join(between(lang))
        };
        Both { en: join(Lang::En, |b| &b.en), zh: join(Lang::Zh, |b| &b.zh) }
    }
    pub(crate) fn is_empty(&self) -> bool {
        self.en.is_empty()
    }
    /// Whether it is the same in every language, as a command is and a sentence is not.
    pub(crate) fn is_verbatim(&self) -> bool {
        self.en == self.zh
    }
}

/// A summary in words.
#[derive(Debug)]
pub(crate) struct Screen {
    /// The machine's parts.
    pub(crate) machine: Both,
    /// The run's.
    pub(crate) run: Both,
    pub(crate) environment: Environment,
    pub(crate) verdict: Both,
    pub(crate) causes: Both,
    pub(crate) figures: Vec<Shown>,
    pub(crate) tables: Vec<Rows>,
    /// Warnings about imported files.
    pub(crate) warnings: Vec<Both>,
    pub(crate) findings: Vec<Item>,
    /// Said where there is none, or of those beyond.
    pub(crate) findings_note: Option<Both>,
    /// Quantities worse than published, with their heading.
    pub(crate) below: Option<(Both, Both)>,
    pub(crate) gaps: Both,
    pub(crate) next: Vec<String>,
}

/// A figure in words.
#[derive(Debug, Clone)]
pub(crate) struct Shown {
    pub(crate) figure: Figure,
    pub(crate) name: Both,
    pub(crate) value: String,
    /// Interval, without unit.
    pub(crate) range: Both,
    /// Cycles and what it is beside something known.
    pub(crate) note: Both,
    /// The lowest are the most asked for.
    pub(crate) rank: usize,
}

/// A table in words.
#[derive(Debug)]
pub(crate) struct Rows {
    /// The section of the report that says more.
    pub(crate) section: &'static str,
    pub(crate) title: Both,
    /// The first is of the rows' names. Whether each is of numbers.
    pub(crate) columns: Vec<(Both, bool)>,
    pub(crate) rows: Vec<Vec<Both>>,
    /// Notes below it.
    pub(crate) notes: Vec<Both>,
}

/// A finding in words.
#[derive(Debug)]
pub(crate) struct Item {
    pub(crate) claim: Both,
    /// The work that is lost, and what that rests on.
    pub(crate) cost: Both,
    pub(crate) action: Both,
    /// The most that it costs, as a share.
    pub(crate) most: Option<f64>,
}

/// The words of a summary; `record` is what the next command may call the record.
pub(crate) fn screen(summary: &Summary, record: &str) -> Screen {
    let head = |run: bool| {
        Both::of(|lang| {
            let (machine, made) = words::header(summary, &View { lang, record, ..View::default() });
            if run { made } else { machine }.join(say::comma(lang))
        })
    };
    let listed = |items: &dyn Fn(Lang) -> Vec<String>, between: fn(Lang) -> &'static str| {
        Both::of(|lang| items(lang).join(between(lang)))
    };
    let causes =
        listed(&|lang| summary.causes.iter().map(|c| words::cause(lang, c)).collect(), say::comma);
    let view = View { record, ..View::default() };
    let more = summary.more_findings as u64;
    let all = format!("cpulens diagnose {}", words::quoted(record));
    Screen {
        machine: head(false),
        run: head(true),
        environment: summary.environment,
        verdict: Both::fixed(|lang| words::verdict(lang, summary.environment)),
        causes: if causes.is_empty() { Both::fixed(say::nothing_found) } else { causes },
        figures: summary.figures.iter().map(shown).collect(),
        tables: summary.tables.iter().map(rows).collect(),
        warnings: {
            let warnings = |lang| words::doubts(lang, &summary.warnings);
            let both = warnings(Lang::En).into_iter().zip(warnings(Lang::Zh));
            both.map(|(en, zh)| {
                Both::of(|lang| if lang == Lang::En { en.clone() } else { zh.clone() })
            })
            .collect()
        },
        findings: summary.findings.iter().map(|f| item(f, &summary.findings)).collect(),
        findings_note: match (summary.findings.is_empty(), more) {
            _ if !summary.header.other_machines.is_empty() => {
                Some(Both::fixed(say::several_machines))
            }
            (true, _) => Some(Both::of(|lang| say::no_findings(lang, summary.checks as u64))),
            (false, 0) => None,
            _ => Some(Both::of(|lang| say::more_findings(lang, &all, more))),
        },
        below: (!summary.below.is_empty()).then(|| {
            let name = summary.header.microarchitecture.as_deref().unwrap_or_default();
            let all = |lang| summary.below.iter().map(|b| words::below(lang, b)).collect();
            (Both::of(|lang| say::below(lang, name)), listed(&all, say::semicolon))
        }),
        gaps: listed(
            &|lang| summary.gaps.iter().map(|g| words::gap(lang, g)).collect(),
            say::semicolon,
        ),
        next: summary.next.iter().map(|n| words::command(summary, *n, &view)).collect(),
    }
}

fn shown(figure: &Figure) -> Shown {
    let cycles = words::cycles(figure);
    let note = |lang| {
        let cycles = (!cycles.is_empty()).then(|| format!("{cycles} {}", say::column_cycles(lang)));
        let notes = Some(words::notes(lang, figure)).filter(|n| !n.is_empty());
        cycles.into_iter().chain(notes).collect::<Vec<_>>().join(say::comma(lang))
    };
    Shown {
        name: Both::of(|lang| words::figure(lang, figure)),
        value: words::median(figure),
        range: Both::one(&words::range(&figure.quantity)),
        note: Both::of(note),
        rank: words::rank(figure.id),
        figure: figure.clone(),
    }
}

fn rows(table: &analyse::summary::Table) -> Rows {
    let column = |(i, c): (usize, &Column)| {
        (Both::of(|lang| words::column(lang, *c)), words::of_numbers(table, i))
    };
    let columns = table.columns.iter().enumerate().map(column);
    let row = |row: &analyse::summary::Row| {
        let mark = if row.excluded { "- " } else { "" };
        let label = Both::of(|lang| format!("{mark}{}", words::label(lang, &row.label)));
        let cell =
            |(cell, column): (&Cell, &Column)| Both::of(|lang| words::cell(lang, cell, *column));
        std::iter::once(label).chain(row.cells.iter().zip(&table.columns).map(cell)).collect()
    };
    let section = words::section(table);
    let more = (table.more > 0).then(|| Both::of(|lang| say::more_rows(lang, table.more as u64)));
    let excluded = table.rows.iter().any(|r| r.excluded);
    let excluded = excluded.then(|| Both::of(|lang| say::excluded(lang, section)));
    let below = Both::of(|lang| words::title(lang, table).1.unwrap_or_default());
    Rows {
        section,
        title: Both::of(|lang| words::title(lang, table).0),
        columns: std::iter::once((Both::one(""), false)).chain(columns).collect(),
        rows: table.rows.iter().map(row).collect(),
        notes: more
            .into_iter()
            .chain(excluded)
            .chain(Some(below))
            .filter(|n| !n.is_empty())
            .collect(),
    }
}

fn item(finding: &Finding, all: &[Finding]) -> Item {
    Item {
        claim: Both::of(|lang| words::claim(lang, finding.rule)),
        cost: Both::of(|lang| {
            let part = |name: &str, of: &str| (!of.is_empty()).then(|| format!("{name} {of}"));
            let cost = part(say::lost_work(lang), &words::cost(lang, finding, all));
            let basis = part(say::basis(lang), words::grade(lang, finding.grade));
            cost.into_iter().chain(basis).collect::<Vec<_>>().join(say::comma(lang))
        }),
        action: Both::of(|lang| words::action(lang, finding).unwrap_or_default()),
        most: finding.cost.as_ref().map(|c| c.high),
    }
}

impl Screen {
    /// Figures of those kinds, in words: `L1 latency 1.38 ns`.
    pub(crate) fn answer(&self, ids: &[FigureId]) -> Both {
        let of = self.figures.iter().filter(|f| ids.contains(&f.figure.id));
        let said: Vec<Both> = of
            .map(|f| Both {
                en: format!("{} {}", f.name.en, f.value),
                zh: format!("{} {}", f.name.zh, f.value),
            })
            .collect();
        Both::joined(&said, say::semicolon)
    }
}
