//! The grammar under the importers: `name: value` fields, sections of fields under a head, facts by a table of fields,
//! and matrices whose rows and columns are numbered.
use crate::found::Found;
use crate::number::{bytes, hertz, leading, number, whole};
use crate::text::{Line, Text, tidy};
use record::{Unit, Value};

/// One `name: value` line.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Field<'a> {
    pub(crate) line: u32,
    pub(crate) name: &'a str,
    pub(crate) value: &'a str,
}

impl<'a> Field<'a> {
    pub(crate) fn parse(line: Line<'a>, separator: &str) -> Option<Field<'a>> {
        let (name, value) = line.text.split_once(separator)?;
        Some(Field { line: line.number, name: name.trim(), value: value.trim() })
    }
    /// The parsed value with its line.
    pub(crate) fn read<T>(self, parse: impl Fn(&'a str) -> Option<T>) -> Option<(u32, T)> {
        Some((self.line, parse(self.value)?))
    }
}

/// A head and the fields below it.
#[derive(Debug)]
pub(crate) struct Section<'a, H> {
    pub(crate) head: H,
    pub(crate) line: u32,
    pub(crate) fields: Vec<Field<'a>>,
}

impl<'a, H> Section<'a, H> {
    pub(crate) fn get(&self, name: &str) -> Option<Field<'a>> {
        self.fields.iter().find(|f| f.name == name).copied()
    }
    pub(crate) fn words(&self, name: &str) -> Option<String> {
        self.get(name).map(|f| tidy(f.value))
    }
    /// An integer within a range; a unit may follow it.
    pub(crate) fn integer(&self, name: &str, range: std::ops::RangeInclusive<u32>) -> Option<u32> {
        let (value, _) = leading(self.get(name)?.value)?;
        Some(value as u32).filter(|n| range.contains(n))
    }
}

/// The sections of a text. Lines before the first head are left out.
pub(crate) fn sections<'a, H>(
    text: &'a Text,
    head: impl Fn(&'a str) -> Option<H>,
    field: impl Fn(Line<'a>) -> Option<Field<'a>>,
) -> Vec<Section<'a, H>> {
    let mut all: Vec<Section<'a, H>> = vec![];
    for line in text.lines() {
        if let Some(head) = head(line.text) {
            all.push(Section { head, line: line.number, fields: vec![] });
        } else if let (Some(last), Some(field)) = (all.last_mut(), field(line)) {
            last.fields.push(field);
        }
    }
    all
}

/// JSON of a tool that prints the same as text, if it begins like JSON and holds the mark. Old lshw leaves the brackets
/// of its list out: several values, with commas or without, are a list.
pub(crate) fn json(text: &Text, mark: &str) -> Option<serde_json::Value> {
    let whole = text.whole().trim_start();
    let json = whole.starts_with(['{', '[']) && whole.contains(mark);
    let (mut rest, mut values) = (whole, vec![]);
    while json && !rest.is_empty() {
        let mut stream = serde_json::Deserializer::from_str(rest).into_iter();
        values.push(stream.next()?.ok()?);
        rest = rest[stream.byte_offset()..].trim_start_matches([',', ' ', '\r', '\n']);
    }
    if values.len() > 1 { Some(values.into()) } else { values.pop() }
}

/// The most bytes that are searched for the lines of names.
const MOST_SEARCHED: usize = 64 << 20;

/// Writes lines in a tool's text form for what stands in its JSON; each gets the line of the JSON that names it.
pub(crate) struct Lines<'a> {
    all: Vec<&'a str>,
    at: usize,
    /// Bytes that may still be searched for names: one that stands nowhere costs the whole text.
    left: usize,
    pub(crate) lines: Vec<(u32, String)>,
}

impl<'a> Lines<'a> {
    pub(crate) fn of(text: &'a Text) -> Lines<'a> {
        Lines { all: text.whole().lines().collect(), at: 0, left: MOST_SEARCHED, lines: vec![] }
    }
    pub(crate) fn push(&mut self, named: &str, line: String) {
        let named = format!("\"{named}\"");
        let mut further = self.all[self.at..].iter();
        let found = further.position(|l| {
            self.left = self.left.saturating_sub(l.len());
            self.left == 0 || l.contains(&named)
        });
        self.at += found.filter(|_| self.left > 0).unwrap_or(0);
        self.lines.push((self.at as u32 + 1, line));
    }
}

/// The format of a field's value, and the unit in which the fact is kept.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Kind {
    Words,
    /// A whole number without a unit.
    Integer,
    Count,
    Bytes,
    Hertz,
}

impl Kind {
    fn value(self, text: &str) -> Option<(Value, Option<Unit>)> {
        Some(match self {
            Kind::Words => (tidy(text).into(), None),
            Kind::Integer => (whole(text)?.into(), None),
            Kind::Count => (whole(text)?.into(), Some(Unit::Count)),
            Kind::Bytes => (bytes(text)?.into(), Some(Unit::Bytes)),
            Kind::Hertz => (hertz(text)?.into(), Some(Unit::Hertz)),
        })
    }
}

/// A field's name, the fact that it becomes, and how its value is written.
pub(crate) type FactTable = [(&'static str, &'static str, Kind)];

/// Keeps a field as a fact, if its value can be read.
pub(crate) fn fact(field: Field<'_>, name: &str, kind: Kind, found: &mut Found) {
    if let Some((value, unit)) = kind.value(field.value) {
        found.insert(field.line, name, value, unit);
    }
}

/// Keeps the fields of a table as facts.
pub(crate) fn facts<'a>(
    table: &FactTable,
    get: impl Fn(&str) -> Option<Field<'a>>,
    found: &mut Found,
) {
    for (name, fact_name, kind) in table {
        if let Some(field) = get(name) {
            fact(field, fact_name, *kind, found);
        }
    }
}

/// A cell with its column. A dash is no number.
type Cell = (u64, Option<f64>);

/// A matrix whose head numbers its columns and whose rows begin with their number, such as one of NUMA nodes.
#[derive(Debug, Default)]
pub(crate) struct Matrix {
    pub(crate) columns: Vec<u64>,
}

impl Matrix {
    /// Reads a head such as `Numa node 0 1`. A line without numbers changes nothing.
    pub(crate) fn head(&mut self, words: &[&str]) {
        let columns: Vec<u64> = words.iter().filter_map(|w| whole(w)).collect();
        if !columns.is_empty() {
            self.columns = columns;
        }
    }
    /// A row's number and its cells by column.
    pub(crate) fn row(&self, words: &[&str]) -> Option<(u64, Vec<Cell>)> {
        let (first, cells) = words.split_first()?;
        let cells = self.columns.iter().zip(cells).map(|(column, cell)| (*column, number(cell)));
        Some((whole(first)?, cells.collect()))
    }
}
