//! `explain`: the header of a probe, rule, kernel or importer.
use crate::{exit::Exit, output};
use anyhow::{Result, bail};

/// Generated from the files' headers by `cargo xtask docs`.
const PAGES: [(&str, &str); 4] = [
    ("probe", include_str!("../../../../docs/probes.md")),
    ("rule", include_str!("../../../../docs/rules.md")),
    ("kernel", include_str!("../../../../docs/kernels.md")),
    // After the probes: `stream` is one, and an importer may share a probe's name.
    ("importer", include_str!("../../../../docs/importers.md")),
];

pub(crate) fn explain(id: &str) -> Result<Exit> {
    for (kind, page) in PAGES {
        if let Some(text) = section(page, id) {
            output::stdout(format!("{kind} {id}\n\n{text}\n").as_bytes())?;
            return Ok(Exit::Done);
        }
    }
    let near: Vec<&str> =
        PAGES.iter().flat_map(|(_, page)| ids(page)).filter(|known| known.contains(id)).collect();
    if near.is_empty() {
        bail!("there is nothing called '{id}'; `cpulens list` shows what there is");
    }
    bail!("there is nothing called '{id}'; did you mean {}?", near.join(", "));
}

fn ids(page: &'static str) -> impl Iterator<Item = &'static str> {
    page.lines().filter_map(|l| l.strip_prefix("## "))
}

/// The text under `## id`.
fn section(page: &'static str, id: &str) -> Option<&'static str> {
    let (_, rest) = page.split_once(&format!("\n## {id}\n"))?;
    Some(rest.split_once("\n## ").map_or(rest, |(text, _)| text).trim())
}
