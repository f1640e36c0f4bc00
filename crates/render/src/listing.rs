//! Rows under heads, in which cells may be marked with what is doubtful about them, as a document in every format.
use crate::document::Document;
use crate::page::{Block, Page, Section, Table};
use serde_json::{Value, json};

/// Version of the JSON. A change that readers of the old one would misread raises it.
const LISTING: u32 = 1;

/// A list.
#[derive(Debug, Clone, Default)]
pub struct Listing {
    /// What it is.
    pub title: String,
    /// Where it comes from, in a line.
    pub subtitle: String,
    /// What stands above the rows.
    pub heading: &'static str,
    /// Heads; one that begins with `#` is of numbers.
    pub columns: Vec<String>,
    /// As many cells in each as there are heads.
    pub rows: Vec<Vec<ListedCell>>,
    /// What holds for all of it.
    pub notes: Vec<String>,
}

/// A cell.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ListedCell {
    /// What it says.
    pub text: String,
    /// What is doubtful about it: sentences.
    pub marks: Vec<String>,
}

impl<T: Into<String>> From<T> for ListedCell {
    fn from(text: T) -> ListedCell {
        ListedCell { text: text.into(), marks: vec![] }
    }
}

impl Listing {
    /// The list as a page, a value and a table.
    pub fn document(&self) -> Document {
        Document { page: self.page(), value: self.value(), table: self.table() }
    }
    /// Every mark once, in the order of the cells; a cell refers to them by their places, counted from 1.
    fn marks(&self) -> Vec<&str> {
        let mut all: Vec<&str> = vec![];
        for mark in self.rows.iter().flatten().flat_map(|c| &c.marks) {
            if !all.contains(&mark.as_str()) {
                all.push(mark);
            }
        }
        all
    }
    fn heads(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|c| c.trim_start_matches('#'))
    }
    /// Marks are numbers in brackets, and stand below the rows.
    fn page(&self) -> Page {
        let marks = self.marks();
        let number = |mark: &String| marks.iter().position(|m| *m == mark.as_str());
        let columns: Vec<&str> = self.columns.iter().map(String::as_str).collect();
        let mut table = Table::new(&columns);
        for row in &self.rows {
            let cell = |c: &ListedCell| {
                let marked = c.marks.iter().filter_map(number).map(|n| format!(" [{}]", n + 1));
                format!("{}{}", c.text, marked.collect::<String>())
            };
            table.rows.push(row.iter().map(cell).collect());
        }
        let mut blocks = vec![Block::Table(table)];
        blocks.extend(self.notes.iter().cloned().map(Block::Paragraph));
        if !marks.is_empty() {
            let numbered = marks.iter().enumerate().map(|(n, m)| format!("[{}] {m}", n + 1));
            blocks.push(Block::Heading("Cells that disagree with other figures".into()));
            blocks.push(Block::List(numbered.collect()));
        }
        let section = Section { id: "list", title: self.heading, numbers: false, blocks };
        let mut page = Page {
            title: self.title.clone(),
            subtitle: self.subtitle.clone(),
            banner: None,
            sections: vec![section],
        };
        page.harmless();
        page
    }
    fn value(&self) -> Value {
        let cell = |c: &ListedCell| match c.marks.is_empty() {
            true => json!({ "text": c.text }),
            false => json!({ "text": c.text, "marks": c.marks }),
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
    /// The last column holds the marks of the row.
    fn table(&self) -> Table {
        let heads: Vec<&str> = self.heads().chain(["marks"]).collect();
        let mut table = Table::new(&heads);
        for row in &self.rows {
            let marks: Vec<String> = row
                .iter()
                .zip(self.heads())
                .flat_map(|(c, head)| c.marks.iter().map(move |m| format!("{head}: {m}")))
                .collect();
            let texts = row.iter().map(|c| c.text.clone());
            table.rows.push(texts.chain([marks.join("; ")]).collect());
        }
        table
    }
}
