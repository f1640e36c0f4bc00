//! A table with headings and flagged cells, as a document in every format.
use crate::document::Document;
use crate::page::{Block, Page, Section, Table};
use serde_json::{Value, json};

/// Version of the JSON. A change that readers of the old one would misread raises it.
const LISTING: u32 = 1;

/// A list.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// Its title.
    pub title: String,
    /// Its source, in a line.
    pub subtitle: String,
    /// The heading of the rows.
    pub heading: &'static str,
    /// Heads; one that begins with `#` is of numbers.
    pub columns: Vec<String>,
    /// As many cells in each as there are heads.
    pub rows: Vec<Vec<ListedCell>>,
    /// Remarks on all of it.
    pub notes: Vec<String>,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedCell {
    /// The text.
    pub text: String,
    /// Contradictions of the cell: sentences.
    pub flags: Vec<String>,
}

impl<T: Into<String>> From<T> for ListedCell {
    fn from(text: T) -> ListedCell {
        ListedCell { text: text.into(), flags: vec![] }
    }
}

impl Listing {
    /// The list as a page, a value and a table.
    pub fn document(&self) -> Document {
        Document { page: self.page(), value: self.value(), table: self.table() }
    }
    /// Every flag once, in the order of the cells. A cell refers to them by number, from 1.
    fn flags(&self) -> Vec<&str> {
        record::distinct(self.rows.iter().flatten().flat_map(|c| &c.flags).map(String::as_str))
    }
    fn heads(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|c| c.trim_start_matches('#'))
    }
    /// Flags are numbers in brackets, with their texts below the rows.
    fn page(&self) -> Page {
        let flags = self.flags();
        let number = |flag: &String| flags.iter().position(|m| *m == flag.as_str());
        let mut table = Table::new(&self.columns);
        for row in &self.rows {
            let cell = |c: &ListedCell| {
                let flagged = c.flags.iter().filter_map(number).map(|n| format!(" [{}]", n + 1));
                format!("{}{}", c.text, flagged.collect::<String>())
            };
            table.add(row.iter().map(cell));
        }
        let mut blocks = vec![Block::Table(table)];
        blocks.extend(self.notes.iter().cloned().map(Block::text));
        if !flags.is_empty() {
            let numbered = flags.iter().enumerate().map(|(n, m)| format!("[{}] {m}", n + 1));
            blocks.push(Block::heading("Flagged cells contradict other results"));
            blocks.push(Block::items(numbered));
        }
        let section = Section::new("list", self.heading, blocks);
        Page::new(&self.title, &self.subtitle, vec![section])
    }
    fn value(&self) -> Value {
        let cell = |c: &ListedCell| match c.flags.is_empty() {
            true => json!({ "text": c.text }),
            false => json!({ "text": c.text, "flags": c.flags }),
        };
        let row = |r: &Vec<ListedCell>| r.iter().map(cell).collect::<Vec<_>>();
        json!({
            "listing": LISTING,
            "title": self.title,
            "subtitle": self.subtitle,
            "columns": self.heads().collect::<Vec<_>>(),
            "rows": self.rows.iter().map(row).collect::<Vec<_>>(),
            "notes": self.notes,
        })
    }
    /// The last column holds the flags of the row.
    fn table(&self) -> Table {
        let mut table = Table::new(self.heads().chain(["flags"]));
        for row in &self.rows {
            let flags: Vec<String> = row
                .iter()
                .zip(self.heads())
                .flat_map(|(c, head)| c.flags.iter().map(move |m| format!("{head}: {m}")))
                .collect();
            let texts = row.iter().map(|c| c.text.clone());
            table.add(texts.chain([flags.join("; ")]));
        }
        table
    }
}
