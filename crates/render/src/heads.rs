//! Headings of a table of text on several lines, where its numbers are narrower.
use crate::summary::longest_word;
use sections::page::Table;
use unicode_width::UnicodeWidthStr;

/// Headings of numbers that are wider than these, such as names of machines, on several lines: broken behind a mark.
pub(crate) fn folded_heads(table: &Table) -> Table {
    let mut folded = table.clone();
    for (i, column) in folded.columns.iter_mut().enumerate().filter(|(_, column)| column.number) {
        let cells = table.rows.iter().filter_map(|row| row.get(i));
        let widest = cells.map(|cell| longest_word(cell)).max().unwrap_or(0);
        let parts = || column.name.split_inclusive(['-', '_', '.', '/', '@', ' ']);
        let room = parts().map(|part| part.trim_end().width()).fold(widest, usize::max);
        let mut lines = vec![String::new()];
        for part in parts() {
            match lines.last_mut().filter(|line| line.width() + part.trim_end().width() <= room) {
                Some(line) => line.push_str(part),
                None => lines.push(part.to_owned()),
            }
        }
        column.name = lines.join("\n");
    }
    folded
}
