//! Columns of a table of text that has little room: headings on several lines, and no broken words.
use crate::summary::longest_word;
use comfy_table::{ColumnConstraint, Width};
use sections::page::Table;
use std::collections::BTreeSet;
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
        column.name = lines.join("\n").into();
    }
    folded
}

/// Widens columns to their least widths until no word is broken: the room that one gains is taken from the others.
pub(crate) fn keep_words(drawn: &mut comfy_table::Table, table: &Table, least: &[usize]) {
    let all = record::counts((0..least.len()).flat_map(|i| words(table, i)));
    let mut wide = BTreeSet::new();
    loop {
        let text = drawn.to_string();
        let whole = record::counts(text.split_whitespace());
        let broken = |i: &usize| words(table, *i).any(|word| whole.get(word) < all.get(word));
        let narrow: Vec<usize> =
            (0..least.len()).filter(|i| !wide.contains(i)).filter(broken).collect();
        if narrow.is_empty() {
            return;
        }
        for i in narrow {
            wide.insert(i);
            if let Ok(width) = u16::try_from(least[i])
                && let Some(column) = drawn.column_mut(i)
            {
                column.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(width)));
            }
        }
    }
}

/// The words of a column and of its heading.
fn words(table: &Table, column: usize) -> impl Iterator<Item = &str> {
    let cells = table.rows.iter().filter_map(move |row| row.get(column)).map(|cell| &**cell);
    let heading = table.columns.get(column).map(|column| column.name.as_str());
    cells.chain(heading).flat_map(str::split_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sections::page::Column;

    #[test]
    fn a_word_that_another_column_has_too_is_not_broken() {
        let mut table = Table::new(["record", "measured by", "#not measured", "#alone"]);
        table.row(["intel-8163", "catalogue", "0", "12"]);
        let mut drawn = comfy_table::Table::new();
        drawn.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(45);
        drawn.set_header(table.columns.iter().map(|column| &column.name)).add_row(&table.rows[0]);
        keep_words(&mut drawn, &table, &[12, 11, 10, 7]);
        let text = drawn.to_string();
        assert_eq!(text.split_whitespace().filter(|word| *word == "measured").count(), 2, "{text}");
    }

    #[test]
    fn a_wider_column_breaks_no_word_of_another() {
        let names =
            ["hygon-5280", "hygon-7280-8node", "hygon-7280-die-interleaved", "intel-8269cy-2node"];
        let mut table = Table::new(["quantity"]);
        table.columns.extend(names.map(|name| Column {
            name: name.into(),
            number: true,
            ..Column::default()
        }));
        let label = "lmbench stream, own node, add, 64 MiB, statistic best";
        table
            .rows
            .push([label, "", "17.15 GB/s", "16.4 GB/s", "18.31 GB/s"].map(Into::into).into());
        let mut drawn = comfy_table::Table::new();
        drawn.set_content_arrangement(comfy_table::ContentArrangement::Dynamic).set_width(100);
        drawn.set_header(table.columns.iter().map(|column| &column.name)).add_row(&table.rows[0]);
        let least = ["statistic"].iter().chain(&names).map(|word| word.len() + 2);
        keep_words(&mut drawn, &table, &least.collect::<Vec<_>>());
        let text = drawn.to_string();
        assert!(names.iter().all(|name| text.contains(name)), "{text}");
    }
}
