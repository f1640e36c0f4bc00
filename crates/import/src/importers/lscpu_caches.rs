//! The table of caches of `lscpu -C` (util-linux 2.34 and later), as text or with `-J`: of each kind of cache the size of one and
//! of all.
//!
//! Limits: it does not name the machine, and not which CPUs share a cache: import the text of lscpu beside it. Ways, sets and lines
//! are left out, as lscpu's text leaves them out.
//! Source: util-linux, sys-utils/lscpu.c.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("lscpu -C", recognises, read);

/// The columns that are read, as text; JSON has them in small letters.
const COLUMNS: [&str; 3] = ["NAME", "ONE-SIZE", "ALL-SIZE"];
/// More kinds of cache than any processor has.
const MOST: usize = 64;

/// A row: its line, and the cells of [`COLUMNS`].
type Row = (u32, [Option<String>; 3]);

fn is_head(line: &str) -> bool {
    let words: Vec<&str> = line.split_whitespace().collect();
    words.contains(&COLUMNS[0]) && COLUMNS[1..].iter().any(|size| words.contains(size))
}

fn recognises(text: &Text) -> bool {
    text.any(is_head) || !from_json(text).is_empty()
}

fn from_json(text: &Text) -> Vec<Row> {
    let Some(document) = json(text, "\"caches\"") else { return vec![] };
    let line = text.whole().find("\"caches\"").map_or(1, |at| text.line_at(at));
    let rows = document["caches"].as_array().into_iter().flatten();
    let row = |cache: &serde_json::Value| {
        let cell = |name: &str| match &cache[name.to_ascii_lowercase()] {
            serde_json::Value::String(text) => Some(text.clone()),
            serde_json::Value::Number(bytes) => Some(bytes.to_string()),
            _ => None,
        };
        let cells = COLUMNS.map(cell);
        (cells[0].is_some() && (cells[1].is_some() || cells[2].is_some())).then_some((line, cells))
    };
    rows.filter_map(row).take(MOST).collect()
}

fn from_text(text: &Text) -> Vec<Row> {
    let mut heads: Vec<&str> = vec![];
    let mut rows = vec![];
    for line in text.lines() {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        if is_head(line.text) {
            heads = words;
        } else if words.len() == heads.len() && !heads.is_empty() {
            let cell = |name: &str| {
                let place = heads.iter().position(|head| *head == name)?;
                Some(words[place].to_owned())
            };
            rows.push((line.number, COLUMNS.map(cell)));
        } else {
            heads.clear();
        }
    }
    rows.truncate(MOST);
    rows
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let rows = [from_json(text), from_text(text)].concat();
    for (line, [name, one, all]) in rows {
        let name = name.unwrap_or_default().to_ascii_lowercase();
        let level = name.strip_prefix('l').map(|level| level.trim_end_matches(['d', 'i']));
        if level.and_then(whole).is_none_or(|level| level > 9) {
            found.warn(line, format!("'{}' is no name of a cache", tidy(&name)));
            continue;
        }
        let [one, all] = [one, all].map(|size| size.as_deref().and_then(bytes));
        let sizes = [("each", one), ("total", all)];
        for (what, size) in sizes.into_iter().filter_map(|(what, size)| Some((what, size?))) {
            found.fact_in(line, &format!("cache.{name}.{what}"), size, Unit::Bytes);
        }
        if let (Some(one), Some(all)) = (one.filter(|one| *one > 0), all) {
            // Kinds of core have caches of several sizes, of which lscpu shows one.
            match all % one {
                0 => found.fact(line, &format!("cache.{name}.instances"), all / one),
                _ => found.warn(line, format!("{all} bytes of {name} are no multiple of {one}")),
            }
        }
    }
    Problem::when(found.machine.facts.is_empty(), "it holds no size of a cache: it is cut short")
}

#[cfg(test)]
mod tests {
    use crate::gathered::imported;

    /// Columns that somebody chose, sizes in bytes, and JSON in which numbers are texts.
    #[test]
    fn chosen_columns_and_bytes_are_read() {
        let number = |text: &str, fact: &str| {
            imported("c.txt", text).machine.value(fact).and_then(record::Value::number)
        };
        let text = "NAME ONE-SIZE\nL1d       48K\nL3         1.5M\n\nL2 99\n";
        assert_eq!(number(text, "cache.l1d.each"), Some(49152.0));
        assert_eq!(number(text, "cache.l3.each"), Some(1_572_864.0));
        assert_eq!((number(text, "cache.l2.each"), number(text, "cache.l3.total")), (None, None));
        let json = r#"{"caches": [{"name": "L2", "one-size": 1048576, "all-size": "2097152"}]}"#;
        let of = |what: &str| number(json, &format!("cache.l2.{what}"));
        assert_eq!((of("each"), of("instances")), (Some(1_048_576.0), Some(2.0)));
    }
}
