//! Texts of data files: those of this workspace, and what other tools print.
use crate::exceptions::SILENT;
use crate::patterns::HOLE;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The files of a folder and below whose names end so, in order; all of them where nothing is asked for.
pub(crate) fn files(folder: &Path, ending: &str, into: &mut Vec<PathBuf>) {
    let mut all: Vec<_> = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path()).collect();
    all.sort();
    for path in all {
        if path.is_dir() {
            files(&path, ending, into);
        } else if path.to_string_lossy().ends_with(ending) {
            into.push(path);
        }
    }
}

/// The crates whose texts reach the reader of a report.
pub(crate) fn crates() -> Vec<String> {
    let all = fs::read_dir(root().join("crates")).unwrap();
    let names = all.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !SILENT.contains(&name.as_str())).collect();
    names.sort_unstable();
    names
}

/// The data files beside the sources.
fn of_crates(ending: &str) -> Vec<PathBuf> {
    let mut all = vec![];
    for name in crates() {
        for folder in ["src", "data", "presets"] {
            let folder = root().join("crates").join(&name).join(folder);
            if folder.is_dir() {
                files(&folder, ending, &mut all);
            }
        }
    }
    all
}

/// Their lines, and those of records that must stay readable.
pub(crate) fn lines() -> BTreeSet<String> {
    let mut all: Vec<_> =
        [".toml", ".json", ".txt", ".md"].into_iter().flat_map(of_crates).collect();
    files(&root().join("fixtures/records"), ".json", &mut all);
    let texts = all.iter().map(|path| fs::read_to_string(path).unwrap().replace("\\\"", "\""));
    let mut lines: BTreeSet<String> =
        texts.flat_map(|text| text.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    // Names of series and parameters are printed as words.
    let names = lines.iter().map(|line| line.replace(['_', '-'], " ")).collect::<Vec<_>>();
    lines.extend(names);
    lines
}

/// The keys of texts that a report prints.
const KEYS: [&str; 9] =
    ["title", "notes", "note", "what", "why", "remedy", "conditions", "placement", "state"];

/// The sentences of the data files, each with its file.
pub(crate) fn sentences() -> BTreeMap<String, String> {
    let mut all = BTreeMap::new();
    for path in [".json", ".toml"].into_iter().flat_map(of_crates) {
        let shown = path.strip_prefix(root().join("crates")).unwrap().display().to_string();
        let text = fs::read_to_string(&path).unwrap();
        let value = match shown.ends_with(".json") {
            true => serde_json::from_str(&text).unwrap(),
            false => basic_toml::from_str(&text).unwrap(),
        };
        // A preset's title is its documentation.
        if !shown.contains("/presets/") {
            collect(&value, "", &shown, &mut all);
        }
    }
    all
}

fn collect(value: &Value, key: &str, file: &str, into: &mut BTreeMap<String, String>) {
    match value {
        Value::Object(map) => map.iter().for_each(|(key, value)| collect(value, key, file, into)),
        Value::Array(all) => all.iter().for_each(|value| collect(value, key, file, into)),
        Value::String(text) if KEYS.contains(&key) => {
            into.insert(text.clone(), file.to_owned());
        }
        _ => {}
    }
}

/// What other tools and the kernel print, in small letters.
#[derive(Debug)]
pub(crate) struct Printed(String);

pub(crate) fn of_tools() -> Printed {
    let mut all = vec![];
    files(&root().join("crates/import/tests/samples"), "", &mut all);
    files(&root().join("fixtures/machines"), "", &mut all);
    let texts =
        all.iter().map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).to_lowercase());
    Printed(texts.collect())
}

impl Printed {
    /// Whether each part of a text is there.
    pub(crate) fn have(&self, text: &str) -> bool {
        let mut parts = text.split([HOLE, '|']).map(|part| part.trim().to_lowercase());
        parts.all(|part| self.0.contains(&part))
    }
}
