//! `explain`: the header of a probe, rule, kernel or importer.
use crate::{exit::Exit, output};
use anyhow::{Result, anyhow, bail};

/// A page of `docs`, deflated. They are generated from the files' headers by `cargo xtask docs`.
macro_rules! page {
    ($name:literal) => {
        include_bytes!(concat!(env!("OUT_DIR"), "/", $name, ".deflated"))
    };
}

const PAGES: [(&str, &[u8]); 4] = [
    ("probe", page!("probes")),
    ("rule", page!("rules")),
    ("kernel", page!("kernels")),
    // After the probes: `stream` is one, and an importer may share a probe's name.
    ("importer", page!("importers")),
];

pub(crate) fn explain(id: &str) -> Result<Exit> {
    let mut near = vec![];
    for (kind, deflated) in PAGES {
        let page = miniz_oxide::inflate::decompress_to_vec(deflated)
            .map_err(|e| anyhow!("the {kind} page: {e}"))?;
        let page = String::from_utf8(page)?;
        if let Some(text) = section(&page, id) {
            output::stdout(format!("{kind} {id}\n\n{text}\n").as_bytes())?;
            return Ok(Exit::Done);
        }
        near.extend(ids(&page).filter(|known| known.contains(id)).map(str::to_owned));
    }
    if near.is_empty() {
        bail!("there is nothing called '{id}'; `cpulens list` shows what there is");
    }
    bail!("there is nothing called '{id}'; did you mean {}?", near.join(", "));
}

fn ids(page: &str) -> impl Iterator<Item = &str> {
    page.lines().filter_map(|l| l.strip_prefix("## "))
}

/// The text under `## id`.
fn section<'a>(page: &'a str, id: &str) -> Option<&'a str> {
    let (_, rest) = page.split_once(&format!("\n## {id}\n"))?;
    Some(rest.split_once("\n## ").map_or(rest, |(text, _)| text).trim())
}
