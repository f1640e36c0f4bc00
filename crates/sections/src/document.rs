//! Documents other than reports and comparisons: a page for people, a value and a table for programs, made together.
use crate::page::{Page, Table};
use serde_json::Value;

/// Something that every format can show.
#[derive(Debug, Clone)]
pub struct Document {
    /// For text, Markdown and HTML.
    pub page: Page,
    /// For JSON.
    pub value: Value,
    /// For CSV.
    pub table: Table,
}
