//! A fleet's verdict as a document, in the language of the summary.
use crate::document::Document;
use crate::messages::{self as say, Lang};
use crate::page::{Block, Page, Section, Table};
use crate::quantity::{percent, plain, small_share};
use fleet::verdict::{Flagged, Fleet, Group, Standing};
use serde_json::json;

/// Machines, kinds and lines of what was left out that the page shows at once; the rest is in its details, and all of it is in the
/// JSON and CSV.
const SHOWN: usize = 8;

/// Who is slow, at what and why; the kinds of machines; what was left out.
pub fn document(fleet: &Fleet, lang: Lang) -> Document {
    let count = |s: Standing| fleet.flagged.iter().filter(|f| f.standing == s).count();
    let (slow, suspects) = (count(Standing::Slow), count(Standing::Suspect));
    let out = fleet.left_out.len();
    let mut page = Page {
        title: say::fleet_title(lang, fleet.hosts, out, slow, suspects),
        subtitle: String::new(),
        banner: None,
        sections: vec![Section {
            id: "slow",
            title: say::fleet_flagged(lang),
            numbers: false,
            blocks: flagged(fleet, suspects, lang),
        }],
    };
    page.sections.push(Section {
        id: "kinds",
        title: say::fleet_groups(lang),
        numbers: false,
        blocks: kinds(&fleet.groups, lang),
    });
    let left = fleet.left_out.iter().map(|l| format!("{}: {}", l.name, l.why));
    let left: Vec<String> = fleet.notes.iter().cloned().chain(left).collect();
    if !left.is_empty() {
        page.sections.push(Section {
            id: "left_out",
            title: say::fleet_left(lang),
            numbers: false,
            blocks: some(left, SHOWN, Block::List),
        });
    }
    page.harmless();
    Document { page, value: json!({ "fleet": fleet }), table: rows(fleet) }
}

/// The first of them at once, the others folded away.
pub(crate) fn some<T>(
    mut all: Vec<T>,
    shown: usize,
    block: impl Fn(Vec<T>) -> Block,
) -> Vec<Block> {
    let rest = all.split_off(all.len().min(shown));
    let more = format!("+ {}", rest.len());
    let mut blocks = vec![block(all)];
    if !rest.is_empty() {
        blocks.push(Block::Paragraph(format!("{more} (--details, --format html, json)")));
        blocks.push(Block::details(more, vec![block(rest)]));
    }
    blocks
}

fn flagged(fleet: &Fleet, suspects: usize, lang: Lang) -> Vec<Block> {
    let mut blocks = match fleet.flagged.is_empty() {
        true => vec![Block::Paragraph(say::fleet_none(lang).into())],
        false => some(fleet.flagged.iter().collect(), SHOWN, |some: Vec<&Flagged>| {
            let heads = [
                say::fleet_machine(lang),
                say::fleet_verdict(lang),
                say::fleet_what(lang),
                say::fleet_alone(lang),
            ];
            let mut table = Table::new(&heads);
            table.rows = some.into_iter().map(|f| row(f, lang).to_vec()).collect();
            Block::Table(table)
        }),
    };
    if suspects > 0 {
        blocks.push(Block::Paragraph(say::fleet_again(lang).into()));
    }
    blocks.push(Block::Paragraph(match fleet.false_slow {
        Some(share) => say::fleet_false(lang, small_share(share)),
        None => say::fleet_once(lang).into(),
    }));
    blocks
}

fn row(of: &Flagged, lang: Lang) -> [String; 4] {
    let labels: String = of.labels.iter().map(|(k, v)| format!(" {k}={v}")).collect();
    let word = match of.standing {
        Standing::Slow => say::fleet_slow(lang),
        Standing::Suspect => say::fleet_suspect(lang),
    };
    let mut worse: Vec<String> = of
        .off
        .iter()
        .take(2)
        .map(|off| {
            let [value, peers] = [off.value, off.peers].map(|x| plain(x, off.unit));
            say::fleet_worse(
                lang,
                percent(off.worse),
                off.name.replace(['_', '.'], " "),
                peers,
                value,
            )
        })
        .collect();
    if of.off.len() > 2 {
        worse.push(format!("+ {}", of.off.len() - 2));
    }
    let mut alone: Vec<String> = of
        .differs
        .iter()
        .take(2)
        .map(|(fact, own, peers)| say::fleet_differs(lang, fact, own, peers))
        .collect();
    if of.differs.len() > 2 {
        alone.push(format!("+ {}", of.differs.len() - 2));
    }
    [format!("{}{labels}", of.name), word.into(), worse.join("; "), alone.join("; ")]
}

fn kinds(groups: &[Group], lang: Lang) -> Vec<Block> {
    let words = |g: &Group| say::fleet_kind(lang, g.fit, g.hosts, &g.key);
    let mut blocks = some(groups.iter().map(words).collect(), SHOWN, Block::List);
    for group in groups {
        let mut table = Table::new(&[say::fleet_figure(lang), say::fleet_modes(lang)]);
        for figure in &group.figures {
            let mode = |m: &fleet::modes::Mode| {
                let because =
                    m.because.as_ref().map_or(String::new(), |(f, v)| format!(", {f} {v}"));
                format!("{} ({}{because})", plain(m.median, figure.unit), m.count)
            };
            let modes: Vec<String> = figure.modes.iter().map(mode).collect();
            table.row([figure.name.replace(['_', '.'], " "), modes.join("; ")]);
        }
        if !table.rows.is_empty() {
            blocks.push(Block::details(words(group), vec![Block::Table(table)]));
        }
    }
    blocks
}

/// One row for each figure of a flagged machine.
fn rows(fleet: &Fleet) -> Table {
    let mut table = Table::new(&[
        "host", "name", "group", "standing", "since", "metric", "value", "peers", "worse",
        "differs",
    ]);
    for f in &fleet.flagged {
        let differs: Vec<String> =
            f.differs.iter().map(|(fact, own, peers)| format!("{fact}={own} ({peers})")).collect();
        for off in &f.off {
            table.rows.push(vec![
                f.host.clone(),
                f.name.clone(),
                f.group.to_string(),
                if f.standing == Standing::Slow { "slow" } else { "suspect" }.into(),
                f.since.clone().unwrap_or_default(),
                off.name.clone(),
                off.value.to_string(),
                off.peers.to_string(),
                off.worse.to_string(),
                differs.join("; "),
            ]);
        }
    }
    table
}
