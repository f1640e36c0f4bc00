//! A report in Chinese has no English sentence left.
use crate::{english::english, fixture};
use analyse::compare::Gathering;
use messages::Lang;
use record::{Machine, Record};
use render::Settings;
use render::summary::View;
use sections::document::Document;
use sections::page::{Block, Page, Section, Table};
use std::collections::BTreeSet;
use std::{fs, path::Path, path::PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures").join(folder);
    let all = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    let mut all: Vec<_> = all.filter(|p| p.extension().is_some_and(|x| x == "json")).collect();
    all.sort();
    all
}

fn settings() -> Settings {
    Settings { details: true, width: u16::MAX, lang: Lang::Zh, ..Settings::default() }
}

fn records() -> Vec<Record> {
    let read = |path: &PathBuf| record::from_slice(&fs::read(path).unwrap()).unwrap();
    files("records/v1").iter().map(read).collect()
}

/// Every part that is left, with its line.
fn left(text: &str) -> BTreeSet<String> {
    // Pictures, flags of processors and parameters are no sentences.
    let none = ["│", "cpu.flags", "step=", "workload bandwidth"];
    let lines = text.lines().filter(|line| none.iter().all(|mark| !line.contains(mark)));
    let parts = lines.flat_map(|line| english(line).into_iter().map(move |part| (part, line)));
    parts
        .map(|(part, line)| format!("{part}: {}", line.chars().take(160).collect::<String>()))
        .collect()
}

#[track_caller]
fn nothing_left(texts: impl Iterator<Item = String>) {
    let all: BTreeSet<String> = texts.flat_map(|text| left(&text)).collect();
    assert!(all.is_empty(), "{}:\n{}", all.len(), all.into_iter().collect::<Vec<_>>().join("\n"));
}

#[test]
fn reports_are_all_chinese() {
    for format in ["markdown", "text"] {
        nothing_left(
            records().iter().map(|r| fixture::rendered(format, &analyse::analyse(r), settings())),
        );
    }
}

#[test]
fn summaries_are_all_chinese() {
    let view = View { lang: Lang::Zh, ..View::default() };
    nothing_left(records().iter().map(|record| {
        let summary = analyse::summary::summary(&analyse::analyse(record));
        render::summary::text(&summary, &view).join("\n")
    }));
}

/// Cells that have no room beside one another are a list.
#[test]
fn a_table_without_room_has_chinese_commas() {
    let record = fixture::record("two-node-server");
    let narrow = Settings { width: 40, ..settings() };
    let text = fixture::rendered("text", &analyse::analyse(&record), narrow);
    let text: String = text.lines().map(str::trim).collect();
    assert!(text.contains("，每周期字节") && !text.contains(", 每周期字节"), "{text}");
}

/// A long first sentence is cut after it is translated.
#[test]
fn answers_of_folded_sections_are_all_chinese() {
    let answers = records().into_iter().flat_map(|record| {
        let page = fixture::rendered("html", &analyse::analyse(&record), settings());
        let answers = page.split("class=\"answer\">").skip(1);
        let chinese = answers.filter_map(|answer| {
            let line = answer.split("</summary>").next()?;
            let (_, text) = line.split_once("<span lang=\"zh\">")?;
            Some(text.split("</span>").next()?.to_owned())
        });
        chinese.collect::<Vec<_>>()
    });
    let answers: Vec<String> = answers.collect();
    assert!(answers.len() > 50, "{}", answers.len());
    nothing_left(answers.into_iter());
}

#[test]
fn machines_are_all_chinese() {
    nothing_left(files("machines").iter().map(|path| {
        let machine: Machine = serde_json::from_slice(&fs::read(path).unwrap()).unwrap();
        let mut out = vec![];
        render::render("text", render::Subject::Machine(&machine), &settings(), &mut out).unwrap();
        String::from_utf8(out).unwrap()
    }));
}

#[test]
fn comparisons_are_all_chinese() {
    let records = records();
    nothing_left(records.iter().map(|other| {
        let mut gathering = Gathering::new();
        gathering.add("a", &records[0]);
        gathering.add("b", other);
        let mut out = vec![];
        render::render(
            "text",
            render::Subject::Comparison(&gathering.finish(0)),
            &settings(),
            &mut out,
        )
        .unwrap();
        String::from_utf8(out).unwrap()
    }));
}

/// Titles, notes and warnings of published machines.
#[test]
fn the_catalogue_is_all_chinese() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../catalogue/src");
    let machines = fs::read_dir(folder.join("machines")).unwrap().map(|file| file.unwrap().path());
    let machines = machines.filter(|file| file.extension().is_some_and(|x| x == "json"));
    let mut said = vec![];
    for file in machines.chain([folder.join("warnings.json")]) {
        collect(&serde_json::from_slice(&fs::read(file).unwrap()).unwrap(), "", &mut said);
    }
    assert!(said.len() > 150, "{}", said.len());
    said_in_chinese(said);
}

/// The texts of these keys anywhere in a document.
fn collect(value: &serde_json::Value, key: &str, into: &mut Vec<String>) {
    match value {
        serde_json::Value::Object(map) => map.iter().for_each(|(key, v)| collect(v, key, into)),
        serde_json::Value::Array(all) => all.iter().for_each(|v| collect(v, key, into)),
        serde_json::Value::String(text) if ["title", "notes", "note", "what"].contains(&key) => {
            into.push(text.clone());
        }
        _ => {}
    }
}

fn said_in_chinese(said: Vec<String>) {
    let section = Section {
        id: "said",
        title: "",
        numbers: false,
        blocks: vec![Block::List(said.into_iter().map(Into::into).collect())],
    };
    let page =
        Page { title: "".into(), subtitle: "".into(), banner: None, sections: vec![section] };
    let table = Table::default();
    let document = Document { page, value: Default::default(), table };
    let mut out = vec![];
    render::render("text", render::Subject::Document(&document), &settings(), &mut out).unwrap();
    nothing_left([String::from_utf8(out).unwrap()].into_iter());
}
