//! A list that is no report: rows under heads, in which cells may be marked with what is doubtful about them.

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
    /// Every mark once, in the order of the cells; a cell refers to them by their places, counted from 1.
    pub(crate) fn marks(&self) -> Vec<&str> {
        let mut all: Vec<&str> = vec![];
        for mark in self.rows.iter().flatten().flat_map(|c| &c.marks) {
            if !all.contains(&mark.as_str()) {
                all.push(mark);
            }
        }
        all
    }
}
