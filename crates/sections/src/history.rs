//! Figures over time as a document.
use crate::chart::{Chart, Dated, Days, Kind, range};
use crate::document::Document;
use crate::fleet::{NAMED, left_out, named, section_of_left_out, short, some};
use crate::page::{Block, Page, Section, Table};
use crate::quantity::{percent, plain};
use crate::say;
use fleet::headline::{STATISTIC, words};
use fleet::history::{Change, FEWEST, History, Series, Setting};
use record::{Between, Sort, Text};
use serde_json::json;

/// Runs that a sparkline shows: the newest.
const SHOWN: usize = 24;
/// Changes and figures that the page shows at once; the rest is in its details.
const SERIES: usize = 20;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// Machines of which there is a picture: those with changes first.
const PICTURES: usize = 20;
/// Lines of what was left out that the page shows at once.
const LEFT: usize = 8;
/// Days that are written on an axis.
const TICKS: usize = 6;

/// The document of a history: the changes, each figure as a line, and each machine as a picture.
pub fn document(history: &History) -> Document {
    let changes = together(history);
    let mut sentences: Vec<Text> = changes.iter().map(|all| sentence(all)).collect();
    let (few, most) = history.few;
    if sentences.is_empty() && history.hosts > few {
        sentences.push("No figure has changed.".into());
    }
    if few > 0 {
        sentences.push(say::history_change_found_runs_one(FEWEST, few, history.hosts, most));
        sentences
            .extend(history.settings.iter().filter(|s| is_few(s, history)).map(changed_settings));
    }
    if history.hosts == 0 {
        sentences.push(say::HISTORY_NO_RUN.into());
    }
    let mut series: Vec<&Series> = history.series.iter().collect();
    series.order_by_key(|s| s.changes.is_empty());
    let mut figures = some(series, SERIES, |some| {
        let newest = |s: &Series| s.points.last().map_or(String::new(), |(_, x)| plain(*x, s.unit));
        let table = Table::of(some, |s| {
            [
                ("@machine", short(&s.name).into()),
                ("figure", words(&s.metric)),
                ("latest", newest(s).into()),
                ("trend", sparkline(s).into()),
            ]
        });
        let mut table = table.folded();
        table.note(STATISTIC);
        Block::Table(table)
    });
    figures.extend(pictures(history));
    let mut changed = some(sentences, SERIES, Block::items);
    changed.extend(changes.iter().filter(|all| all.len() > NAMED).map(|all| members(all)));
    let mut sections = vec![Section::new("changes", "Changes", changed)];
    if !history.series.is_empty() {
        sections.push(Section::new("figures", "Figures over time", figures));
    }
    let left = history.notes.iter().cloned().chain(left_out(&history.left_out)).collect();
    sections.extend(section_of_left_out(left, LEFT));
    let title = format!("Runs: {}, machines: {}", history.runs, history.hosts);
    let page = Page::new(title, "", sections);
    Document { page, value: json!({ "history": history }), table: rows(history) }
}

/// Whether the machine has too few looks for its figures to have changes.
fn is_few(of: &Setting, history: &History) -> bool {
    history.series.iter().filter(|s| s.host == of.host).all(|s| s.points.len() < FEWEST)
}

fn changed_settings(of: &Setting) -> Text {
    let day = of.since.get(..10).unwrap_or(&of.since);
    say::history_changed(day, short(&of.name), facts(&of.facts))
}

fn rows(history: &History) -> Table {
    let mut rows = Table::new(["host", "metric", "started", "value", "changed"]);
    for (s, (at, value)) in history.series.iter().flat_map(|s| s.points.iter().map(move |p| (s, p)))
    {
        let new = s.changes.iter().any(|c| c.since == *at).to_string();
        rows.row([s.host.clone(), s.metric.clone(), at.clone(), value.to_string(), new]);
    }
    rows
}

fn pictures(history: &History) -> Vec<Block> {
    let machines = history.series.chunk_by(|a, b| a.host == b.host);
    let mut machines: Vec<&[Series]> = machines.collect();
    let changes = |all: &[Series]| all.iter().map(|s| s.changes.len()).sum::<usize>();
    machines.order_by_key(|all| std::cmp::Reverse(changes(all)));
    let charts = machines.iter().take(PICTURES).enumerate();
    charts.map(|(i, all)| Block::chart(picture(i, all, history))).collect()
}

fn picture(number: usize, all: &[Series], history: &History) -> Chart {
    let moment = |at: &str| record::seconds_since_1970(at).map(|s| s as f64);
    let settings = history.settings.iter().filter(|s| all.iter().any(|of| of.host == s.host));
    let figure = |s: &Series| Dated {
        label: words(&s.metric),
        unit: s.unit,
        points: s.points.iter().filter_map(|(at, x)| Some((moment(at)?, *x))).collect(),
        changes: s
            .changes
            .iter()
            .filter_map(|c| {
                Some((
                    moment(&c.since)?,
                    [c.before, c.after],
                    signed(c.after / c.before - 1.0).into(),
                ))
            })
            .collect(),
    };
    let longest = all.iter().map(|s| &s.points).max_by_key(|p| p.len());
    let points = longest.map_or(&[][..], Vec::as_slice);
    let every = points.len().div_ceil(TICKS).max(1);
    let day = |at: &String| at.get(..10).map(str::to_owned);
    let days = || points.iter().map(|(at, _)| day(at));
    let of_one_day = days().all(|one| one == days().next().flatten());
    let tick = |(at, _): &(String, f64)| {
        let tick = if of_one_day { at.get(11..16)?.to_owned() } else { day(at)? };
        Some((moment(at)?, tick.into()))
    };
    let mut table =
        Table::new(["figure", "since", "before", "after", "settings that changed with it"]);
    for (s, c) in all.iter().flat_map(|s| s.changes.iter().map(move |c| (s, c))) {
        let [before, after] = [c.before, c.after].map(|x| plain(x, s.unit));
        let since = c.since.as_str().into();
        table.row([words(&s.metric), since, before.into(), after.into(), facts(&c.facts).into()]);
    }
    Chart {
        name: format!("days-{number}"),
        title: all.first().map_or(String::new().into(), |s| short(&s.name).into()),
        description: say::HISTORY_VERTICAL_LINE_CHANGE_FIGURE.into(),
        table,
        kind: Kind::Days(Days {
            ticks: points.iter().step_by(every).filter_map(tick).collect(),
            figures: all.iter().map(figure).collect(),
            settings: settings
                .filter_map(|s| {
                    let day = s.since.get(..10)?;
                    Some((moment(&s.since)?, format!("{day}: {}", facts(&s.facts)).into()))
                })
                .collect(),
        }),
    }
}

fn signed(share: f64) -> String {
    let sign = if share < 0.0 { '−' } else { '+' };
    format!("{sign}{}", percent(share.abs()))
}

fn facts(all: &[(String, String, String)]) -> String {
    all.iter().map(|(f, a, b)| format!("{f} {a} → {b}")).collect::<Vec<_>>().join(", ")
}

/// Changes of one figure in one direction that came with the same settings, or on one day where no setting changed: those of most
/// machines first, of these the largest.
fn together(history: &History) -> Vec<Vec<(&Series, &Change)>> {
    let all = history.series.iter().flat_map(|s| s.changes.iter().map(move |c| (s, c)));
    let groups = record::groups(all.map(|(s, c)| {
        let with = if c.facts.is_empty() { day(c).to_owned() } else { facts(&c.facts) };
        ((&s.metric, c.after > c.before, with), (s, c))
    }));
    let mut groups: Vec<_> = groups.into_values().collect();
    let largest = |all: &[(&Series, &Change)]| all.iter().map(|(_, c)| by(c)).fold(0.0, f64::max);
    groups.order_by(|a, b| (b.len().cmp(&a.len())).then(largest(b).total_cmp(&largest(a))));
    groups
}

/// The share by which the figure changed.
fn by(change: &Change) -> f64 {
    (change.after / change.before - 1.0).abs()
}

fn day(change: &Change) -> &str {
    change.since.get(..10).unwrap_or(&change.since)
}

/// The change on each machine.
fn members(all: &[(&Series, &Change)]) -> Block {
    let mut table = Table::new(["@machine", "since", "before", "after"]);
    for (s, c) in all {
        let [before, after] = [c.before, c.after].map(|x| plain(x, s.unit));
        table.row([short(&s.name).into(), c.since.clone(), before, after]);
    }
    Block::folded(claim(all), table)
}

fn sentence(all: &[(&Series, &Change)]) -> Text {
    let change = all[0].1;
    let changed =
        (!change.facts.is_empty()).then(|| say::history_what_changed(facts(&change.facts)));
    let names: Vec<&str> = all.iter().map(|(s, _)| s.name.as_str()).collect();
    let machines = (all.len() > 1).then(|| say::machines(named(&names, NAMED)));
    Text::list([claim(all)].into_iter().chain(changed).chain(machines), Between::Sentences)
}

fn claim(all: &[(&Series, &Change)]) -> Text {
    let (of, change) = all[0];
    let day = all.iter().map(|(_, c)| day(c)).min().unwrap_or_default();
    let figure = words(&of.metric);
    let higher = change.after > change.before;
    let mut shares: Vec<f64> = all.iter().map(|(_, c)| by(c)).collect();
    shares.order_by(f64::total_cmp);
    let [least, most] = [shares[0], shares[shares.len() - 1]].map(percent);
    let [before, after] = [change.before, change.after].map(|x| plain(x, of.unit));
    match all {
        [_] => {
            let say = if higher { say::history_higher } else { say::history_lower };
            say(day, figure, short(&of.name), most, before, after)
        }
        _ => {
            let say = if higher { say::history_all_higher } else { say::history_all_lower };
            say(day, figure, all.len(), least, most)
        }
    }
}

/// The newest values between the least and the largest of them, from zero difference on in the middle.
fn sparkline(of: &Series) -> String {
    let shown = &of.points[of.points.len().saturating_sub(SHOWN)..];
    let (low, high) = range(shown.iter().map(|(_, x)| *x));
    // Less than the differences of two runs on a quiet machine is no shape.
    let apart = (high - low).max(0.04 * high);
    let bar = |x: f64| ((x - low) / apart * 7.0).round().clamp(0.0, 7.0) as usize;
    shown.iter().map(|(_, x)| BARS[if apart > 0.0 { bar(*x) } else { 0 }]).collect()
}
