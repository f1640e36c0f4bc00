//! Figures over time as a document, in the language of the summary.
use crate::document::Document;
use crate::messages::{self as say, Lang};
use crate::page::{Block, Page, Section, Table};
use crate::quantity::{percent, plain};
use fleet::history::{Change, History, Series};
use serde_json::json;

/// Looks that a sparkline shows: the newest.
const SHOWN: usize = 24;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What changed, and each figure as a line.
pub fn document(history: &History, lang: Lang) -> Document {
    let changed = history.series.iter().flat_map(|s| s.changes.iter().map(move |c| (s, c)));
    let mut sentences: Vec<String> = changed.map(|(s, c)| sentence(s, c, lang)).collect();
    if sentences.is_empty() {
        sentences.push(say::history_none(lang).into());
    }
    let heads = [say::fleet_machine(lang), say::fleet_figure(lang), say::history_newest(lang)];
    let mut table = Table::new(&[heads[0], heads[1], say::history_line(lang), heads[2]]);
    for s in &history.series {
        let newest = s.points.last().map_or(String::new(), |(_, x)| plain(*x, s.unit));
        table.row([s.name.clone(), words(&s.metric), sparkline(s), newest]);
    }
    let mut rows = Table::new(&["host", "metric", "started", "value", "changed"]);
    for (s, (at, value)) in history.series.iter().flat_map(|s| s.points.iter().map(move |p| (s, p)))
    {
        let new = s.changes.iter().any(|c| c.since == *at);
        rows.rows.push(vec![
            s.host.clone(),
            s.metric.clone(),
            at.clone(),
            value.to_string(),
            new.to_string(),
        ]);
    }
    let section = |id, title, blocks| Section { id, title, numbers: false, blocks };
    let mut page = Page {
        title: say::history_title(lang, history.hosts, history.looks),
        subtitle: String::new(),
        banner: None,
        sections: vec![
            section("changes", say::history_changes(lang), vec![Block::List(sentences)]),
            section("figures", say::history_figures(lang), vec![Block::Table(table.folded())]),
        ],
    };
    page.harmless();
    Document { page, value: json!({ "history": history }), table: rows }
}

fn sentence(of: &Series, change: &Change, lang: Lang) -> String {
    let by = percent((change.after / change.before - 1.0).abs());
    let [before, after] = [change.before, change.after].map(|x| plain(x, of.unit));
    let day = change.since.get(..10).unwrap_or(&change.since);
    let (figure, name) = (words(&of.metric), &of.name);
    let risen = if change.after > change.before { say::history_up } else { say::history_down };
    let mut text = risen(lang, after, before, by, day, figure, name);
    let facts: Vec<String> =
        change.facts.iter().map(|(f, a, b)| format!("{f} {a} → {b}")).collect();
    if !facts.is_empty() {
        text.push(' ');
        text.push_str(&say::history_with(lang, facts.join(", ")));
    }
    text
}

/// The newest values between the least and the largest of them, from zero difference on in the middle.
fn sparkline(of: &Series) -> String {
    let shown = &of.points[of.points.len().saturating_sub(SHOWN)..];
    let low = shown.iter().map(|(_, x)| *x).fold(f64::INFINITY, f64::min);
    let high = shown.iter().map(|(_, x)| *x).fold(0.0, f64::max);
    // Less than the differences of two looks at a quiet machine is no shape.
    let range = (high - low).max(0.04 * high);
    let bar = |x: f64| ((x - low) / range * 7.0).round().clamp(0.0, 7.0) as usize;
    shown.iter().map(|(_, x)| BARS[if range > 0.0 { bar(*x) } else { 0 }]).collect()
}

fn words(metric: &str) -> String {
    metric.replace(['_', '.'], " ")
}
