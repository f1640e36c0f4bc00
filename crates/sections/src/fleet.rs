//! A fleet's verdict as a document.
use crate::document::Document;
use crate::page::{Block, Details, Page, Section, Table};
use crate::quantity::{percent, plain};
use crate::say;
use fleet::Loss;
use fleet::verdict::{Flagged, Fleet, Group, LeftOut, SlowFigure, SlowMode, Standing, Unhealthy};
use record::{Better, Between, Sort, Text};
use serde_json::json;
use std::borrow::Cow;

/// Machines, kinds and lines of what was left out that the page shows at once; the rest is in its details, and all of it is in the
/// JSON and CSV.
const SHOWN: usize = 3;
/// Slow and suspect machines with a row of their own at once, the surest first, where they fit on a screen.
const ROWS: usize = 5;
/// Figures, costs and facts of a machine in the details.
const FIGURES: usize = 6;
/// Lines of a screen, and letters of one.
const SCREEN: usize = 40;
const WIDTH: usize = 80;
/// This many of each, where modes are slower, too: modes of up to three lines, and kinds beside machines to look at.
const BOTH: usize = 2;
/// Letters of the names of those after them, which is five lines of a screen.
const ROOM: usize = 400;
/// Machines that are named of a mode.
pub(crate) const NAMED: usize = 4;

/// The document of a fleet: slow machines with their figures and causes; the kinds of machines; what was left out.
pub fn document(fleet: &Fleet) -> Document {
    let standings = fleet.standings();
    let count = |s: Standing| standings.values().filter(|(_, standing)| *standing == s).count();
    let (slow, suspects) = (count(Standing::Slow), count(Standing::Suspect));
    let out = fleet.left_out.len();
    let mut sections =
        vec![Section::new("slow", "Slow and suspect machines", flagged(fleet, suspects))];
    if !fleet.odd.is_empty() {
        let rows = fleet.odd.iter().map(|o| {
            let names: Vec<&str> = o.machines.iter().map(|(_, name)| name.as_str()).collect();
            [named(&names, NAMED), alone(&o.facts, 2) + &of_kind(o.group, fleet)]
        });
        let shown = if fleet.flagged.is_empty() { SHOWN } else { 1 };
        let blocks = some(rows.collect(), shown, |rows| {
            let mut table = Table::new(["@machine", "what only they have"]);
            rows.into_iter().for_each(|row| table.row(row));
            Block::Table(table)
        });
        let many = fleet.odd.iter().filter(|o| o.machines.len() > NAMED).map(|o| {
            let mut table = Table::new(["@machine"]);
            table.rows = o.machines.iter().map(|(_, name)| vec![short(name).into()]).collect();
            Block::folded(alone(&o.facts, 2), table)
        });
        let blocks = blocks.into_iter().chain(many).collect();
        sections.push(Section::new("odd", "Settings that few machines have", blocks));
    }
    let healthy = fleet.flagged.is_empty();
    sections.push(Section::new("kinds", "Kinds of machines", kinds(&fleet.groups, healthy)));
    let left = left_out(&fleet.left_out).chain(fleet.notes.iter().cloned()).collect();
    sections.extend(section_of_left_out(left, SHOWN));
    let title = say::fleet_title(fleet.hosts, slow, suspects, out);
    let page = Page::new(title, "", sections);
    Document { page, value: json!({ "fleet": fleet }), table: rows(fleet) }
}

/// What was not judged, each with its reason.
pub(crate) fn left_out(all: &[LeftOut]) -> impl Iterator<Item = Text> {
    all.iter().map(|l| l.after(&short(&l.name)))
}

/// Lines of what was left out, so many of them at once; nothing without lines.
pub(crate) fn section_of_left_out(lines: Vec<Text>, shown: usize) -> Option<Section> {
    let section =
        |lines| Section::new("left_out", "Left out, and notes", some(lines, shown, Block::items));
    Some(lines).filter(|lines| !lines.is_empty()).map(section)
}

/// The first of them at once, the others folded away.
pub(crate) fn some<T>(
    mut all: Vec<T>,
    shown: usize,
    block: impl Fn(Vec<T>) -> Block,
) -> Vec<Block> {
    let rest = all.split_off(all.len().min(shown));
    let mut blocks = vec![block(all)];
    if !rest.is_empty() {
        let summary = format!("{} more", rest.len()).into();
        let instead = Some(format!("+ {} (--details, --format html, json)", rest.len()).into());
        blocks.push(Block::Details(Details { summary, blocks: vec![block(rest)], instead }));
    }
    blocks
}

fn flagged(fleet: &Fleet, suspects: usize) -> Vec<Block> {
    let all = fleet.unhealthy.iter().map(|u| unhealthy(u, fleet));
    let slower = fleet.slower.iter().map(|s| together(s, fleet));
    let lines: Vec<Text> = all.chain(slower).collect();
    let shown = if fleet.flagged.is_empty() { SHOWN } else { BOTH };
    let mut blocks = if lines.is_empty() { vec![] } else { some(lines, shown, Block::items) };
    let rows = if blocks.is_empty() { ROWS } else { BOTH };
    blocks.extend(fleet.slower.iter().filter(|s| s.machines.len() > NAMED).map(members));
    blocks.extend(match fleet.flagged.is_empty() {
        true if fleet.slower.is_empty() => {
            let compared = fleet.groups.iter().any(|g| !g.figures.is_empty());
            vec![Block::text(match compared {
                true => say::FLEET_NONE,
                false => say::FLEET_NO_PEERS,
            })]
        }
        true => vec![],
        false => machines(fleet, rows),
    });
    if !blocks.is_empty() && !fleet.standings().is_empty() {
        blocks.push(Block::text(&fleet.cost_basis));
    }
    if suspects > 0 {
        let again = say::FLEET_SUSPECT_SLOW_ONE_RUN;
        blocks.push(Block::text(again));
    }
    blocks.push(Block::text(match fleet.false_slow {
        Some(share) => say::fleet_false(percent(share)),
        None => say::FLEET_ONCE.into(),
    }));
    blocks
}

/// The surest with their worst figure, the names of the next, and all with more figures in the details.
fn machines(fleet: &Fleet, rows: usize) -> Vec<Block> {
    let table = |some: &[Flagged], figures: usize| {
        let costs = "work lost, by what bounds it";
        let mut table =
            Table::new(["@machine", "verdict", "what is worse", costs, "what no healthy peer has"]);
        some.iter().for_each(|f| table.row(row(f, fleet, figures)));
        Block::Table(table.without_empty())
    };
    let (first, rest) = fleet.flagged.split_at(fitting(fleet, rows));
    let mut blocks = vec![table(first, 1)];
    if !rest.is_empty() {
        let mut used = 0;
        for (words, standing) in [("slow", Standing::Slow), ("suspect", Standing::Suspect)] {
            let own = rest.iter().filter(|f| f.standing == standing);
            let names: Vec<&str> = own.map(|f| f.name.as_str()).collect();
            let fit = names.iter().take_while(|name| {
                used += short(name).chars().count() + 2;
                used <= ROOM
            });
            let fit = fit.count().max(1);
            if !names.is_empty() {
                let names = named(&names, fit);
                blocks.push(Block::text(format!("Also {words}: {names}.")));
            }
        }
    }
    let all = say::fleet_all_machines(fleet.flagged.len());
    let instead = (!rest.is_empty()).then(|| format!("{all}: --details.").into());
    let blocks_of_all = vec![table(&fleet.flagged, FIGURES)];
    blocks.push(Block::Details(Details { summary: all, blocks: blocks_of_all, instead }));
    blocks
}

/// How many of the first machines have a row on a screen beside all else, about; one at least.
fn fitting(fleet: &Fleet, rows: usize) -> usize {
    let all: Vec<[Text; 5]> = fleet.flagged.iter().take(rows).map(|f| row(f, fleet, 1)).collect();
    let columns = (0..5).filter(|i| all.iter().any(|row| !row[*i].is_empty())).count();
    let lines = |row: &[Text; 5]| {
        let longest = row.iter().map(|cell| cell.chars().count()).max().unwrap_or_default();
        longest.div_ceil((WIDTH / columns.max(1)).saturating_sub(1).max(1))
    };
    let names = fleet.flagged.iter().map(|f| short(&f.name).chars().count() + 2).sum::<usize>();
    let kinds = fleet.groups.len().min(BOTH);
    let left = (fleet.left_out.len() + fleet.notes.len()).min(SHOWN);
    let suspects = fleet.flagged.iter().any(|f| f.standing == Standing::Suspect);
    // Title, headings and what explains the table; then names of the others, kinds, settings, and what was left out.
    let beside = [
        if suspects { 17 } else { 14 },
        names.min(ROOM) / WIDTH,
        2 * kinds,
        if fleet.odd.is_empty() { 0 } else { 7 },
        if left > 0 { 3 + 3 * left } else { 0 },
    ];
    let mut room = SCREEN.saturating_sub(beside.iter().sum());
    let fit = all.iter().take_while(|row| {
        let own = lines(row);
        let fits = own <= room;
        room = room.saturating_sub(own);
        fits
    });
    fit.count().max(1).min(all.len())
}

/// `6 of 60 have 30 % less read bandwidth than the best (129 GB/s, 184 GB/s): bios.version 1.0. Work lost: up to 30 % where it is
/// bound by memory bandwidth. Machines: a, b, c, d and 2 more.` Of several kinds it says of which; facts that divide them in the same
/// way are named, too.
fn together(of: &SlowMode, fleet: &Fleet) -> Text {
    let several = fleet.groups.len() > 1;
    let kind = several.then(|| format!("Kind: {}.", fleet.groups[of.group].key).into());
    let cost = of.cost.as_ref();
    let cost = cost.map(|cost| say::fleet_work_lost_up_where(percent(cost.most), cost.bound_by));
    let facts: Vec<&str> = of.alike.iter().take(NAMED).map(String::as_str).collect();
    let facts = (!facts.is_empty()).then(|| named(&facts, NAMED));
    let alike = facts.map(|facts| match of.alike.len().saturating_sub(NAMED) {
        0 => say::fleet_other_facts_divide_them(facts),
        more => say::fleet_other_facts_divide_them_and_more(facts, more),
    });
    let names: Vec<&str> = of.machines.iter().map(|m| m.name.as_str()).collect();
    let names = format!("Machines: {}.", named(&names, NAMED));
    let claim = Text::from(format!("{}.", claim(of)));
    let said = [Some(claim), alike, cost, kind, Some(names.into())];
    Text::list(said.into_iter().flatten(), Between::Sentences)
}

fn claim(of: &SlowMode) -> String {
    let less = if of.better == Better::Lower { "more" } else { "less" };
    let (n, by, figure) =
        (of.machines.len(), percent(of.worse), fleet::headline::words(&of.metric));
    let [value, best] = [of.value, of.best].map(|x| plain(x, of.unit));
    let text =
        format!("{n} of {} have {by} {less} {figure} than the best ({value}, {best})", of.of);
    match (&of.because, of.standing) {
        (Some((fact, own)), _) => format!("{text}: {fact} {}", short(own)),
        (None, Standing::Slow) => format!("{text}, again after two hours or more"),
        (None, Standing::Suspect) => format!("{text}, suspect"),
    }
}

/// All machines of a mode, each with its own value.
fn members(of: &SlowMode) -> Block {
    let mut table = Table::new(["@machine", &format!("#{}", fleet::headline::words(&of.metric))]);
    for m in &of.machines {
        table.row([short(&m.name).into(), plain(m.value, of.unit)]);
    }
    Block::folded(claim(of), table)
}

/// The first names, and how many there are more.
pub(crate) fn named(all: &[&str], most: usize) -> String {
    let names: Vec<Cow<'_, str>> = all.iter().take(most).map(|name| short(name)).collect();
    let more = match all.len().saturating_sub(most) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    names.join(", ") + &more
}

/// Facts that only some machines have, each with what the others have.
fn alone(facts: &[(String, String, String)], shown: usize) -> String {
    let words = |(fact, own, peers): &(String, String, String)| {
        format!("{fact} {} (peers {})", short(own), short(peers))
    };
    let mut all: Vec<String> = facts.iter().take(shown).map(words).collect();
    if facts.len() > shown {
        all.push(format!("+ {}", facts.len() - shown));
    }
    all.join("; ")
}

/// `memory bandwidth: up to 30 %`, the most first; what loses nothing is in the JSON.
fn costs(of: &Flagged, shown: usize) -> String {
    let lost = of.costs.iter().filter(|c| c.most > 0.0).take(shown);
    let words = lost.map(|c| format!("{}: up to {}", c.bound_by, percent(c.most)));
    words.collect::<Vec<String>>().join("; ")
}

fn unhealthy(of: &Unhealthy, fleet: &Fleet) -> Text {
    let (key, figure) = (&fleet.groups[of.group].key, fleet::headline::words(&of.metric));
    let [best, expected] = [of.best, of.expected].map(|x| plain(x, of.unit));
    say::fleet_no_healthy(key.to_string(), figure, best, expected)
}

/// A name, or a fact's value, of which a page shows so much.
pub(crate) fn short(value: &str) -> Cow<'_, str> {
    const LETTERS: usize = 80;
    match value.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}...", &value[..end]).into(),
        None => value.into(),
    }
}

/// The kind of a machine by its number, the largest being the first; nothing where there is one kind.
fn of_kind(group: usize, fleet: &Fleet) -> String {
    let place = by_size(&fleet.groups).position(|g| std::ptr::eq(g, &fleet.groups[group]));
    let number = place.filter(|_| fleet.groups.len() > 1);
    number.map_or(String::new(), |place| format!("; kind {}", place + 1))
}

/// The kinds, the largest first.
fn by_size(groups: &[Group]) -> impl Iterator<Item = &Group> {
    let mut groups: Vec<&Group> = groups.iter().collect();
    groups.order_by_key(|g| std::cmp::Reverse(g.hosts));
    groups.into_iter()
}

/// A machine with so many of its figures, costs and facts.
fn row(of: &Flagged, fleet: &Fleet, shown: usize) -> [Text; 5] {
    let by_peers = !fleet.groups[of.group].figures.is_empty();
    let peers = if by_peers { "peers" } else { "limit" };
    let labels: String = of.labels.iter().map(|(k, v)| format!(" {k}={v}")).collect();
    let machine = format!("{}{}", short(&of.name), short(&labels));
    let day = of.since.as_deref().filter(|at| record::seconds_since_1970(at).is_some());
    let word = match (of.standing, day.and_then(|at| at.get(..10))) {
        (Standing::Slow, Some(day)) => format!("slow since {day}"),
        (Standing::Slow, None) => "slow".into(),
        (Standing::Suspect, _) => "suspect".into(),
    };
    let figures = of.off.iter().map(|off| {
        let [value, limit] = [off.value, off.peers].map(|x| plain(x, off.unit));
        let (figure, by) = (fleet::headline::words(&off.name), percent(off.worse));
        Text::from(format!("{figure} {by} worse ({value}, {peers} {limit})"))
    });
    let losses = of.losses.iter().map(|loss| loss.why.clone());
    let mut worse: Vec<Text> = losses.chain(figures).collect();
    let more = worse.split_off(worse.len().min(shown)).len();
    if more > 0 {
        worse.push(format!("+ {more}").into());
    }
    [
        machine.into(),
        (word + &of_kind(of.group, fleet)).into(),
        Text::list(worse, Between::Semicolon),
        costs(of, shown).into(),
        alone(&of.differs, shown).into(),
    ]
}

/// The kinds, the largest first, and the figures of that one at once where no machine is to be looked at.
fn kinds(groups: &[Group], healthy: bool) -> Vec<Block> {
    let words = |(number, g): (usize, &Group)| {
        let machines = if g.hosts == 1 { "machine" } else { "machines" };
        let number =
            if groups.len() > 1 { format!("kind {}: ", number + 1) } else { String::new() };
        format!("{number}{}: {} {machines}, {} fit to be compared", g.key, g.hosts, g.fit)
    };
    let all = || by_size(groups).enumerate();
    let shown = if healthy { SHOWN } else { BOTH };
    let mut blocks = some(all().map(words).collect(), shown, Block::items);
    let compared = all().filter(|(_, g)| !g.figures.is_empty());
    for (place, (number, group)) in compared.enumerate() {
        let table = figures(group);
        blocks.extend(match place {
            0 if healthy && groups.len() == 1 => vec![Block::Table(table)],
            0 if healthy => Block::titled(words((number, group)), table),
            _ => vec![Block::folded(words((number, group)), table)],
        });
    }
    if groups.iter().any(|g| !g.figures.is_empty()) {
        let note = say::FLEET_ROBUST_DEVIATION_MACHINES_MODE;
        blocks.push(Block::text(note));
    }
    blocks
}

/// The figures of the machines of a kind, a row for each mode.
fn figures(group: &Group) -> Table {
    let mut table =
        Table::new(["figure", "#median", "#robust deviation", "#machines", "fact of the mode"]);
    for figure in &group.figures {
        for mode in &figure.modes {
            let spread =
                if mode.count > 1 { percent(mode.spread / mode.median) } else { String::new() };
            let because = mode.because.as_ref().map_or(String::new(), |(fact, value)| {
                let more = match mode.alike.len() {
                    0 => String::new(),
                    more => format!("; + {more}"),
                };
                format!("{fact} {}{more}", short(value))
            });
            table.row([
                fleet::headline::words(&figure.name),
                plain(mode.median, figure.unit).into(),
                spread.into(),
                mode.count.into(),
                because.into(),
            ]);
        }
    }
    table.folded()
}

/// Facts as a cell of a table for programs.
fn differing(facts: &[(String, String, String)]) -> String {
    let words = facts.iter().map(|(fact, own, peers)| format!("{fact}={own} ({peers})"));
    words.collect::<Vec<String>>().join("; ")
}

/// One row for each figure and loss of a flagged machine, and for each machine with settings that few have.
fn rows(fleet: &Fleet) -> Table {
    let mut table = Table::new([
        "host", "name", "group", "standing", "since", "metric", "value", "peers", "worse",
        "differs",
    ]);
    for f in &fleet.flagged {
        let of = |off: &SlowFigure| {
            [off.name.clone(), off.value.to_string(), off.peers.to_string(), off.worse.to_string()]
        };
        let lost = |loss: &Loss| {
            let share = loss.share.map_or(String::new(), |share| share.to_string());
            [record::stored_name(&loss.kind), share.clone(), String::new(), share]
        };
        for cells in f.losses.iter().map(lost).chain(f.off.iter().map(of)) {
            let mut row = vec![
                f.host.clone(),
                f.name.clone(),
                f.group.to_string(),
                record::stored_name(&f.standing),
                f.since.clone().unwrap_or_default(),
            ];
            row.extend(cells);
            row.push(differing(&f.differs));
            table.add(row);
        }
    }
    for (s, m) in fleet.slower.iter().flat_map(|s| s.machines.iter().map(move |m| (s, m))) {
        table.add(vec![
            m.host.clone(),
            m.name.clone(),
            s.group.to_string(),
            record::stored_name(&s.standing),
            String::new(),
            s.metric.clone(),
            m.value.to_string(),
            s.best.to_string(),
            ((m.value - s.best).abs() / s.best).to_string(),
            s.because.as_ref().map_or(String::new(), |(fact, own)| format!("{fact}={own}")),
        ]);
    }
    for (o, (host, name)) in fleet.odd.iter().flat_map(|o| o.machines.iter().map(move |m| (o, m))) {
        let mut row = vec![host.clone(), name.clone(), o.group.to_string(), "setting".into()];
        row.extend(vec![String::new(); 5]);
        row.push(differing(&o.facts));
        table.add(row);
    }
    table
}
