//! A diagnosis as a document: what is wrong, most costly first, what is in order, and what would settle the rest.
use crate::document::Document;
use crate::page::{Block, Entry, Page, Section, Table};
use crate::quantity;
use crate::say;
use analyse::Report;
use analyse::cost::Cost;
use analyse::diagnosis::{Against, Diagnosis, Ranked, Row, Unlock};
use analyse::summary::of_diagnosis;
use record::{Between, Judgement, Text, Unit};
use serde_json::{Value, json};

/// Version of the JSON form.
const DIAGNOSIS: u32 = 1;

/// The diagnosis of a report's record; `names` are what this record and the other are called.
pub fn document(diagnosis: &Diagnosis, report: &Report<'_>, names: (&str, &str)) -> Document {
    let workload = diagnosis.workload.as_ref().map_or(say::ANY_PROGRAM.into(), |w| w.name.clone());
    let subtitle = say::diagnosis_of(names.0, workload);
    let page = Page::of_record(report, subtitle, sections(diagnosis, names));
    Document { page, value: value(diagnosis, report), table: table(diagnosis) }
}

fn sections(diagnosis: &Diagnosis, names: (&str, &str)) -> Vec<Section> {
    let list = |items: Vec<Text>| if items.is_empty() { vec![] } else { vec![Block::items(items)] };
    let aside = diagnosis.aside.iter().map(|r| of_rule(r.id, &r.finding.claim));
    let clear = diagnosis.clear.iter().map(|(id, title, read)| {
        let title = Text::from(title).in_sentence();
        of_rule(id, say::not_so(title, Text::list(read, Between::Semicolon)))
    });
    let against = diagnosis.against.as_ref().map_or(vec![], |against| beside(against, names));
    let part = |(id, title, numbers, blocks)| Section { id, title, numbers, blocks };
    [
        ("findings", "Findings, most costly first", true, found(diagnosis)),
        ("notes", "Notes, nothing to do", true, diagnosis.notes.iter().flat_map(note).collect()),
        ("aside", "Findings of little cost to this workload", true, list(aside.collect())),
        (
            "of_published",
            "Published runs beside each other",
            true,
            Block::list(diagnosis.of_published.clone()).into_iter().collect(),
        ),
        ("against", "Compared with the other record", true, against),
        ("untold", "Not determined", false, untold(diagnosis)),
        ("clear", "Checks passed", false, list(clear.collect())),
    ]
    .into_iter()
    .map(part)
    .filter(|section| !section.blocks.is_empty())
    .collect()
}

fn found(diagnosis: &Diagnosis) -> Vec<Block> {
    let mut blocks: Vec<Block> = diagnosis.workload.iter().map(|w| Block::text(leans(w))).collect();
    if diagnosis.findings.is_empty() {
        blocks.push(Block::text(if diagnosis.clear.is_empty() {
            say::DIAGNOSIS_NOTHING.into()
        } else {
            say::diagnosis_nothing_wrong(quantity::counted(diagnosis.clear.len(), "matter"))
        }));
    }
    for (number, ranked) in diagnosis.findings.iter().enumerate() {
        let heading = say::numbered_finding(number + 1, &ranked.title, ranked.id);
        blocks.push(Block::heading(heading));
        blocks.push(Block::text(ranked.finding.claim.clone()));
        blocks.push(Block::Entries(entries(ranked)));
    }
    blocks
}

/// Something that is so, why it is nothing to act on, and what could be done all the same.
pub(crate) fn note(ranked: &Ranked) -> Vec<Block> {
    let mut entries = entries(ranked);
    let why = ranked.note.clone().unwrap_or_default();
    entries.insert(0, Entry::known("Why it is a note", why));
    vec![
        Block::heading(say::named_finding(&ranked.title, ranked.id)),
        Block::text(ranked.finding.claim.clone()),
        Block::Entries(entries),
    ]
}

fn leans(workload: &analyse::diagnosis::Workload) -> Text {
    let demands = workload.demands.iter().map(|d| d.name());
    say::for_workload(&workload.name, Text::list(demands, Between::Comma), &workload.why)
}

/// Words about a rule behind its id.
pub(crate) fn of_rule(id: &str, words: impl Into<Text>) -> Text {
    say::of_rule(id, words)
}

/// The cost of a finding, its remedy, and what would prove it wrong.
pub(crate) fn entries(ranked: &Ranked) -> Vec<Entry> {
    let bears = ranked.demands.iter().map(|d| d.name());
    vec![
        Entry::known("What it costs", cost(ranked)),
        Entry::known("Affects", Text::list(bears, Between::Comma)),
        Entry::known("What to do", ranked.finding.advice.clone()),
        Entry::known("How to verify", ranked.finding.confirm_with.clone()),
        Entry::known("Rests on", Text::list(&ranked.read, Between::Semicolon)),
    ]
}

fn cost(of: &Ranked) -> Text {
    let own = match &of.cost {
        Ok(cost) => say::cost_of_finding(cost.words(), cost.confidence.name(), &cost.basis),
        Err(why) => say::no_figure_of_cost(why),
    };
    match of.part_of {
        Some(rule) => Text::list([own, say::counted_with(rule)], Between::Sentences),
        None => own,
    }
}

fn beside(against: &Against, (own, other): (&str, &str)) -> Vec<Block> {
    let (own, other) = (format!("#{own}"), format!("#{other}"));
    let mut table = Table::new(["", &own, &other, "#ratio"]);
    let worded = |x: Option<f64>, unit: Unit| match (x, unit) {
        (Some(x), Unit::Ratio) => quantity::percent(x),
        (Some(x), unit) => quantity::plain(x, unit),
        (None, _) => "not known".into(),
    };
    for row in &against.rows {
        let ratio = row.ratio().map_or(String::new(), |r| format!("{r:.2}"));
        let [own, other] = [row.own, row.other].map(|x| worded(x, row.unit));
        table.row([row.what.to_owned(), own.into(), other.into(), ratio.into()]);
    }
    vec![Block::Table(table), Block::items(against.sentences.clone())]
}

fn untold(diagnosis: &Diagnosis) -> Vec<Block> {
    let mut blocks = vec![];
    for Unlock { remedy, rules } in &diagnosis.unlocks {
        blocks.push(Block::heading(remedy.clone().unwrap_or(say::NO_REMEDY_KNOWN.into())));
        blocks.push(Block::items(rules.iter().map(|(id, why)| of_rule(id, why))));
    }
    blocks
}

fn table(diagnosis: &Diagnosis) -> Table {
    let mut table =
        Table::new(["#rank", "rule", "answer", "#low", "#high", "sure", "says", "advice"]);
    let ends = |r: &Ranked, pick: fn(&Cost) -> f64| {
        r.cost.as_ref().map_or(String::new(), |c| pick(c).to_string())
    };
    let ranked = |rank: String, answer: &str, r: &Ranked| {
        [
            rank,
            r.id.to_owned(),
            answer.to_owned(),
            ends(r, |c| c.low),
            ends(r, |c| c.high),
            r.cost.as_ref().map_or(String::new(), |c| c.confidence.name().to_owned()),
            r.finding.claim.to_string(),
            r.finding.advice.to_string(),
        ]
    };
    for (number, r) in diagnosis.findings.iter().enumerate() {
        table.row(ranked((number + 1).to_string(), "wrong", r));
    }
    diagnosis.notes.iter().for_each(|r| table.row(ranked(String::new(), "note", r)));
    diagnosis.aside.iter().for_each(|r| table.row(ranked(String::new(), "of little matter", r)));
    let mut other = |id: &str, answer: &str, says: &str, advice: &str| {
        table.row(["", id, answer, "", "", "", says, advice].map(str::to_owned));
    };
    for (id, _, read) in &diagnosis.clear {
        other(id, "in order", &read.join("; "), "");
    }
    for Unlock { remedy, rules } in &diagnosis.unlocks {
        let remedy = remedy.as_deref().unwrap_or_default();
        rules.iter().for_each(|(id, why)| other(id, "cannot tell", why, remedy));
    }
    table
}

fn value(diagnosis: &Diagnosis, report: &Report<'_>) -> Value {
    let ranked = |r: &Ranked| {
        let cost = r.cost.as_ref().ok().map(|c| {
            json!({ "low": c.low, "high": c.high, "unit": "ratio", "basis": c.basis, "confidence": c.confidence.name() })
        });
        json!({
            "rule": r.id, "title": r.title, "claim": r.finding.claim, "advice": r.finding.advice,
            "workload": r.finding.workload, "confirm_with": r.finding.confirm_with,
            "read": r.read, "cost": cost,
            "cost_unknown": r.cost.as_ref().err(), "note": r.note,
            "part_of": r.part_of,
            "affects": r.demands.iter().map(|d| d.name()).collect::<Vec<_>>(),
        })
    };
    let workload = diagnosis.workload.as_ref().map(|w| {
        json!({ "name": w.name, "depends_on": w.demands.iter().map(|d| d.name()).collect::<Vec<_>>(), "why": w.why })
    });
    let against = diagnosis.against.as_ref().map(|a| {
        let row = |r: &Row| json!({ "what": r.what, "own": r.own, "other": r.other, "unit": r.unit, "ratio": r.ratio() });
        json!({ "rows": a.rows.iter().map(row).collect::<Vec<_>>(), "sentences": a.sentences })
    });
    let untold: Vec<Value> = diagnosis
        .unlocks
        .iter()
        .flat_map(|Unlock { remedy, rules }| {
            rules.iter().map(move |(id, why)| json!({ "rule": id, "why": why, "remedy": remedy }))
        })
        .collect();
    json!({
        "diagnosis": DIAGNOSIS,
        "summary": of_diagnosis(report, diagnosis).flat(),
        "judgement": report.get::<Judgement>(),
        "workload": workload,
        "findings": diagnosis.findings.iter().map(ranked).collect::<Vec<_>>(),
        "notes": diagnosis.notes.iter().map(ranked).collect::<Vec<_>>(),
        "aside": diagnosis.aside.iter().map(ranked).collect::<Vec<_>>(),
        "clear": diagnosis.clear.iter().map(|(id, title, read)| json!({ "rule": id, "title": title, "read": read })).collect::<Vec<_>>(),
        "cannot_tell": untold,
        "of_published": diagnosis.of_published,
        "against": against,
    })
}
