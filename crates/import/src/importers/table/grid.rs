//! Rows and columns of a hand-written table.
use crate::{
    cells::{bare, cell, dashes, piped, unit},
    prelude::*,
};

/// More rows or columns are no table that a person wrote.
const MOST_ROWS: usize = 5_000;
const MOST_COLUMNS: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Grid {
    pub(super) heads: Vec<String>,
    pub(super) rows: Vec<Row>,
    pub(super) warnings: Vec<(u32, String)>,
    /// Whether a program may have written it: its cells are parted by commas or tabs.
    pub(super) separated: bool,
}

#[derive(Debug, Default)]
pub(super) struct Row {
    pub(super) line: u32,
    pub(super) label: String,
    pub(super) group: String,
    pub(super) cells: Vec<String>,
}

/// The table in a text. A problem with a line is damage to something that was a table; one without is no table at all.
pub(super) fn of(text: &Text) -> Result<Grid, Problem> {
    let lines: Vec<Line<'_>> =
        text.lines().filter(|l| !l.text.trim().is_empty()).take(MOST_ROWS).collect();
    let json = |l: &Line<'_>| l.text.trim_start().starts_with("{\"");
    if lines.iter().any(json) {
        return Err(Problem::whole("it is JSON, and no table"));
    }
    let rows: Vec<(u32, Vec<String>)> =
        lines.iter().filter_map(|l| Some((l.number, piped(l.text)?))).collect();
    if rows.len() >= 2 {
        return ruled(rows);
    }
    for by in ['\t', ',', ';'] {
        let cells = |l: &Line<'_>| -> Vec<String> {
            l.text.split(by).map(|c| bare(c.trim().trim_matches('"'))).collect()
        };
        let width = lines.first().map_or(0, |l| cells(l).len());
        if width >= 2 && lines.len() >= 2 && lines.iter().all(|l| cells(l).len() == width) {
            let first = cells(&lines[0]);
            if first.iter().filter(|c| !c.is_empty()).all(|c| cell(c).is_some()) {
                let why =
                    "the first row holds numbers only: without a head nothing says what they are";
                return Err(lines[0].problem(why));
            }
            let grid = ruled(lines.iter().map(|l| (l.number, cells(l))).collect())?;
            return Ok(Grid { separated: true, ..grid });
        }
    }
    let blanks = |l: &Line<'_>| -> Vec<String> {
        l.text.trim().split("  ").map(bare).filter(|c| !c.is_empty()).collect()
    };
    let width = lines.first().map_or(0, |l| blanks(l).len());
    if width >= 2 && lines.len() >= 3 && lines.iter().all(|l| blanks(l).len() == width) {
        return ruled(lines.iter().map(|l| (l.number, blanks(l))).collect());
    }
    listed(&lines).or_else(|| scored(&lines)).map_or_else(|| flat(&lines), Ok)
}

/// Cells with borders: a head, then rows; the first column names them unless it holds numbers only.
fn ruled(rows: Vec<(u32, Vec<String>)>) -> Result<Grid, Problem> {
    let mut grid = Grid::default();
    let mut rows = rows.into_iter().filter(|(_, cells)| !dashes(cells));
    let Some((_, heads)) = rows.next() else { return Err(Problem::whole("it has no head")) };
    let body: Vec<(u32, Vec<String>)> = rows.collect();
    let width = heads.len().min(MOST_COLUMNS);
    let named = body.iter().any(|(_, cells)| cells.first().is_none_or(|c| cell(c).is_none()));
    for (line, mut cells) in body {
        if cells.len() != heads.len() {
            let (has, wanted) = (cells.len(), heads.len());
            let what = format!("this row has {has} cells, and the head has {wanted}");
            grid.warnings.push((line, what));
        }
        let is_error = |c: &&String| c.starts_with('#') && c.ends_with(['!', '?', 'A']);
        if let Some(wrong) = cells.iter().find(is_error) {
            let what = format!("a cell holds a spreadsheet's error, {}", tidy(wrong));
            grid.warnings.push((line, what));
        }
        cells.truncate(width);
        let label = if named && !cells.is_empty() { tidy(&cells.remove(0)) } else { String::new() };
        if cells.iter().any(|c| cell(c).is_some()) {
            grid.rows.push(Row { line, label, cells, ..Row::default() });
        }
    }
    grid.heads = heads.into_iter().take(width).skip(usize::from(named)).map(|h| tidy(&h)).collect();
    for (i, head) in grid.heads.iter_mut().enumerate().filter(|(_, h)| h.is_empty()) {
        *head = format!("column {}", i + 1);
    }
    Problem::when(grid.rows.is_empty(), "it holds no number")?;
    Ok(grid)
}

/// Lines of a name such as `core:8` and a number; a name before it, or a line of its own, heads those that follow.
fn listed(lines: &[Line<'_>]) -> Option<Grid> {
    let place = |w: &str| {
        let stem = w.trim_end_matches(|c: char| c.is_ascii_digit());
        stem.len() < w.len()
            && ["core:", "core", "cpu:", "cpu", "numa", "node", "numa:", "node:"].contains(&stem)
    };
    let mut grid = Grid { heads: vec!["value".into()], ..Grid::default() };
    let (mut group, mut titles) = (String::new(), 0);
    for line in lines {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        match words[..] {
            [ref before @ .., at, value] if place(at) && number(value).is_some() => {
                if !before.is_empty() {
                    group = tidy(&before.join(" "));
                }
                let (label, cells) = (at.to_owned(), vec![value.to_owned()]);
                grid.rows.push(Row { line: line.number, label, group: group.clone(), cells });
            }
            _ => {
                titles += 1;
                group = tidy(line.text);
            }
        }
    }
    (grid.rows.len() >= 2 && titles * 4 <= grid.rows.len()).then_some(grid)
}

/// Lines whose last column is a word and a number: `(with x)  kernel 4.9  score 227`.
fn scored(lines: &[Line<'_>]) -> Option<Grid> {
    let mut grid = Grid::default();
    for line in lines {
        let (before, last) = line.text.trim().rsplit_once("  ")?;
        let (what, value) = last.trim().rsplit_once(' ')?;
        let fits = number(value).is_some() && what.bytes().all(|b| b.is_ascii_alphabetic());
        if !fits || grid.heads.first().is_some_and(|h| h != what) {
            return None;
        }
        grid.heads = vec![what.to_owned()];
        let (label, cells) = (tidy(before), vec![value.to_owned()]);
        grid.rows.push(Row { line: line.number, label, cells, ..Row::default() });
    }
    (grid.rows.len() >= 2).then_some(grid)
}

/// A table whose borders are lost can be read only if every row ends in as many numbers.
fn flat(lines: &[Line<'_>]) -> Result<Grid, Problem> {
    let mut grid = Grid::default();
    let Some((head, body)) = lines.split_first().filter(|(_, b)| b.len() >= 2) else {
        return Err(Problem::whole("it is no table"));
    };
    let numbers = |l: &Line<'_>| l.text.split_whitespace().filter(|w| number(w).is_some()).count();
    if body.iter().filter(|l| numbers(l) >= 2).count() * 5 < body.len() * 4
        || numbers(head) > body.iter().map(numbers).max().unwrap_or(0)
    {
        return Err(Problem::whole("it is no table"));
    }
    for line in body {
        let mut words: Vec<&str> = line.text.split_whitespace().collect();
        let mut cells: Vec<String> = vec![];
        let mut behind = None;
        while let Some(word) = words.last() {
            if number(word).is_some() {
                cells.push(match behind.take() {
                    Some(unit) => format!("{word} {unit}"),
                    None => (*word).to_owned(),
                });
            } else if unit(word).is_some() && behind.is_none() {
                behind = Some(*word);
            } else {
                break;
            }
            words.pop();
        }
        cells.reverse();
        let label = tidy(&words.join(" "));
        grid.rows.push(Row { line: line.number, label, cells, ..Row::default() });
    }
    let width = grid.rows[0].cells.len();
    let stray = |r: &Row| r.label.split(' ').any(|w| number(w).is_some());
    if width == 0
        || width > MOST_COLUMNS
        || grid.rows.iter().any(|r| r.cells.len() != width || r.label.is_empty() || stray(r))
    {
        return Err(Problem::at(head.number, damage(body)));
    }
    grid.warnings.push((head.number, "the borders of this table's cells are lost, and its head cannot be divided: the columns are numbered".into()));
    grid.heads = (1..=width).map(|i| format!("column {i}")).collect();
    pairs(head.text, &mut grid);
    Ok(grid)
}

/// The visible damage of a table.
fn damage(body: &[Line<'_>]) -> String {
    let letters = |w: &str| {
        let digits = w.strip_suffix(['l', 'I', 'O', 'o']).filter(|digits| digits.len() > 2);
        digits.is_some_and(|digits| digits.bytes().all(|b| b.is_ascii_digit()))
    };
    let mut what = format!(
        "the borders of this table's cells are lost: its {} rows do not hold equally many numbers, so their columns cannot be known",
        body.len()
    );
    for line in body {
        for word in line.text.split_whitespace().filter(|w| letters(w)).take(3) {
            let (number, word) = (line.number, tidy(word));
            what += &format!("; line {number}: '{word}' ends in a letter where a digit belongs");
        }
    }
    what + "; write it as a Markdown table to import it"
}

/// lmbench's copy moves 16 bytes an element: times and MB/s in one row belong together.
fn pairs(head: &str, grid: &mut Grid) {
    if !(head.contains("RT") && head.contains("copy bandwidth")) {
        return;
    }
    for row in &grid.rows {
        let all: Option<Vec<_>> = row.cells.iter().map(|c| cell(c)).collect();
        let Some([a, b, c, d]) = all.as_deref() else { continue };
        for (time, rate) in [(a, c), (b, d)] {
            let follows = 16e3 / rate.value;
            if rate.unit.is_some()
                && rate.value > 0.0
                && !agree(time.value, follows, rounding(&time.printed))
            {
                grid.warnings.push((row.line, format!("{} of {} ns and {} MB/s do not belong together: 16 bytes at that rate take {follows:.3} ns", row.label, time.printed, rate.printed)));
            }
        }
    }
}
