//! `explain`: the header of a probe, rule, kernel or importer.
use crate::{exit::Exit, output};
use anyhow::{Result, anyhow, bail};
use messages::Lang;
use render::summary::wrapped;

/// Columns of the text.
const WIDTH: usize = 80;

/// A space at which no line breaks.
const NO_BREAK: &str = "\u{a0}";

/// A page of `docs`, deflated. The English ones are generated from the files' headers by `cargo xtask docs`.
macro_rules! page {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".deflated"))
    };
}

type Deflated = &'static [u8];

/// What a page explains, the page, and its Chinese one.
const PAGES: [(&str, Deflated, Option<Deflated>); 4] = [
    ("probe", page!("probes"), Some(page!("zh-probes"))),
    ("rule", page!("rules"), Some(page!("zh-rules"))),
    ("kernel", page!("kernels"), None),
    // After the probes: `stream` is one, and an importer may share a probe's name.
    ("importer", page!("importers"), None),
];

/// The Chinese pages about probes and rules.
pub(crate) fn chinese_pages() -> Result<Vec<String>> {
    PAGES.iter().filter_map(|(_, _, chinese)| *chinese).map(inflated).collect()
}

/// The first sentence about a probe or rule in these pages.
pub(crate) fn first_sentence<'a>(pages: &'a [String], id: &str) -> Option<&'a str> {
    pages.iter().find_map(|page| section(page, id))?.split('。').next()
}

pub(crate) fn explain(id: &str, lang: arguments::Language) -> Result<Exit> {
    let lang = output::language(lang);
    let mut near = vec![];
    for (kind, english, chinese) in PAGES {
        let page = inflated(english)?;
        if let Some(text) = section(&page, id) {
            let translated = chinese.filter(|_| lang == Lang::Zh).map(inflated).transpose()?;
            let translated = translated.as_deref().and_then(|page| section(page, id));
            let remedy = messages::remedy(lang, id).filter(|_| kind == "rule");
            let remedy = remedy.into_iter().flat_map(|remedy| [String::new(), remedy]);
            let mut shown = format!("{kind} {id}\n\n");
            for paragraph in paragraphs(translated.unwrap_or(text)).into_iter().chain(remedy) {
                let lines = wrapped(&unbroken_code(&paragraph), WIDTH).join("\n");
                shown += &(lines.replace(NO_BREAK, " ") + "\n");
            }
            output::stdout(shown.as_bytes())?;
            return Ok(Exit::Done);
        }
        near.extend(catalogue::nearest(id, ids(&page)).into_iter().map(str::to_owned));
    }
    if near.is_empty() {
        bail!("there is nothing called '{id}'; `cpulens list` shows what there is");
    }
    bail!("there is nothing called '{id}'; did you mean {}?", near.join(", "));
}

fn inflated(page: &[u8]) -> Result<String> {
    let text = miniz_oxide::inflate::decompress_to_vec(page).map_err(|e| anyhow!("a page: {e}"))?;
    Ok(String::from_utf8(text)?)
}

fn ids(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter_map(|l| l.strip_prefix("## "))
}

/// The text under `## id`, without the checksum of a translation.
fn section<'a>(page: &'a str, id: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("\n## {id}\n"))?;
    let text = rest.split_once("\n## ").map_or(rest, |(text, _)| text);
    Some(text.split_once(" -->\n").map_or(text, |(_, text)| text).trim())
}

/// The text with no place to break a line between backquotes.
fn unbroken_code(text: &str) -> String {
    let parts = text.split('`').enumerate();
    let parts =
        parts.map(|(i, part)| if i % 2 == 1 { part.replace(' ', NO_BREAK) } else { part.into() });
    parts.collect::<Vec<_>>().join("`")
}

/// Labels that begin a paragraph.
const LABELS: [&str; 3] = ["Method:", "Limits:", "Source:"];

/// Lines that belong together as one; an empty one, an item, one with a label and one of Chinese stands by itself.
fn paragraphs(text: &str) -> Vec<String> {
    let mut all: Vec<String> = vec![];
    for line in text.lines() {
        let begins = line.is_empty()
            || LABELS.iter().any(|label| line.starts_with(label))
            || line.starts_with(|c| "-|# ".contains(c) || ('\u{4e00}'..='\u{9fff}').contains(&c));
        match all.last_mut().filter(|last| !begins && !last.is_empty()) {
            Some(last) => *last += &format!(" {line}"),
            None => all.push(line.to_owned()),
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_a_paragraph_are_joined_and_its_parts_stay_apart() {
        let text = "One line\n`and`: another.\n\nMethod: it\nis timed.\n- an item\n方法：\n局限：";
        let all = [
            "One line `and`: another.",
            "",
            "Method: it is timed.",
            "- an item",
            "方法：",
            "局限：",
        ];
        assert_eq!(paragraphs(text), all);
    }
}
