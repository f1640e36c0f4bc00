//! Columns and lines by the width that terminals give to characters: Chinese ones take two.
use record::Sort;
use unicode_width::UnicodeWidthStr;

/// Columns that a text takes.
pub(super) fn columns(text: &str) -> usize {
    text.width()
}

/// A name of at most so many columns: its middle is left out, for machines differ at the ends of their names.
pub(super) fn elided(name: &str, most: usize) -> String {
    if columns(name) <= most {
        return name.to_owned();
    }
    let part = |room: usize, chars: &mut dyn Iterator<Item = char>| {
        let mut used = 0;
        let fits = |c: &char| {
            used += columns(c.encode_utf8(&mut [0; 4]));
            used <= room
        };
        chars.take_while(fits).collect::<Vec<char>>()
    };
    let room = most.saturating_sub(3);
    let begin = part(room.div_ceil(2), &mut name.chars());
    let end = part(room / 2, &mut name.chars().rev());
    begin.into_iter().chain("...".chars()).chain(end.into_iter().rev()).collect()
}

/// Characters that may not begin a line.
const CLOSING: &[char] = &['，', '。', '：', '；', '）', '、', '！', '？', '”', '》'];

/// Characters that may not end a line.
const OPENING: &[char] = &['（', '“', '《'];

/// Words that stay with the number before them.
const UNITS: &[&str] = &[
    "%", "B", "FLOP/s", "GB/s", "GFLOP/s", "GHz", "GT/s", "GiB", "Hz", "J", "KiB", "M/s", "MB/s",
    "MHz", "MT/s", "MiB", "TB/s", "TFLOP/s", "TiB", "W", "k/s", "min", "ms", "ns", "s", "us", "x",
];

/// Pieces between which a line may break: words with the spaces before them, and single wide characters. A unit stays with its
/// number.
fn pieces(text: &str) -> Vec<String> {
    let mut all: Vec<String> = vec![];
    for word in words(text) {
        let unit =
            word.trim_start().trim_end_matches(|c| CLOSING.contains(&c) || ",.;:)".contains(c));
        let number = |piece: &&mut String| piece.ends_with(|c: char| c.is_ascii_digit());
        match all.last_mut().filter(number) {
            Some(number) if UNITS.contains(&unit) => number.push_str(&word),
            _ => all.push(word),
        }
    }
    all
}

fn words(text: &str) -> Vec<String> {
    let mut all: Vec<String> = vec![];
    let mut last_wide = false;
    for c in text.chars() {
        let wide = columns(c.encode_utf8(&mut [0; 4])) > 1;
        let begins = match all.last() {
            None => true,
            Some(_) if CLOSING.contains(&c) => false,
            Some(piece) if piece.ends_with(OPENING) => false,
            Some(piece) => {
                (c == ' ' && !piece.trim().is_empty())
                    || (c != ' ' && (wide || last_wide) && !piece.trim().is_empty())
            }
        };
        match all.last_mut().filter(|_| !begins) {
            Some(piece) => piece.push(c),
            None => all.push(c.to_string()),
        }
        last_wide = wide;
    }
    all
}

/// Columns of its longest word, a number with its unit being one.
pub(crate) fn longest_word(text: &str) -> usize {
    pieces(text).iter().map(|piece| columns(piece.trim())).max().unwrap_or(0)
}

/// Lines of at most `width` columns. Only a word that is wider than a line is cut.
pub fn wrapped(text: &str, width: usize) -> Vec<String> {
    indented(text, 0, width)
}

/// [`wrapped`] with every line indented, as far as there is room.
pub(crate) fn indented(text: &str, indent: usize, width: usize) -> Vec<String> {
    let indent = if width > 3 * indent { indent } else { 0 };
    let inside = (width - indent).max(2);
    let mut lines = vec![String::new()];
    for piece in pieces(text) {
        let used = lines.last().map_or(0, |l| columns(l));
        let fresh = used == 0;
        if !fresh && used + columns(&piece) <= inside
            || fresh && columns(if lines.len() > 1 { piece.trim_start() } else { &piece }) <= inside
        {
            let piece = if fresh && lines.len() > 1 { piece.trim_start() } else { &piece };
            if let Some(line) = lines.last_mut() {
                line.push_str(piece);
            }
            continue;
        }
        // A new line; what does not fit on it either is cut.
        if !fresh {
            lines.push(String::new());
        }
        let mut rest = piece.trim_start();
        lines.pop();
        while columns(rest) > inside {
            let (line, after) = rest.split_at(cut(rest, inside));
            lines.push(line.to_owned());
            rest = after;
        }
        lines.push(rest.to_owned());
    }
    let margin = " ".repeat(indent);
    lines.iter().map(|l| format!("{margin}{}", l.trim_end())).collect()
}

/// The lines of a label: those after the first are indented, for none of them is a row.
fn hanging(label: &str, width: usize) -> Vec<String> {
    let margin = if columns(label) > width && width > 3 * GAP { GAP } else { 0 };
    let mut lines = wrapped(label, width - margin);
    lines.iter_mut().skip(1).for_each(|line| *line = format!("{}{line}", " ".repeat(margin)));
    lines
}

/// Characters after which a word that is wider than a line is cut: those between the parts of paths and settings, then those inside
/// of names.
const JOINTS: [&[char]; 2] = [&['/', ',', '=', ':', ';'], &['.', '_', '-']];

/// Bytes of a word that have room in a line: up to its last joint, if it has one.
fn cut(word: &str, width: usize) -> usize {
    let ends = word.char_indices().map(|(at, c)| at + c.len_utf8());
    let fits = ends.take_while(|end| columns(&word[..*end]) <= width).last();
    let fits = fits.or_else(|| word.chars().next().map(char::len_utf8)).unwrap_or(0);
    let joints = JOINTS.iter().filter_map(|of| word[..fits].rfind(*of));
    joints.map(|joint| joint + 1).find(|end| end * 3 > fits).unwrap_or(fits)
}

/// Items behind a heading, as many on a line as fit; later lines are indented by the heading where that is short, else a little.
pub(super) fn flow(heading: &str, items: &[String], between: &str, width: usize) -> Vec<String> {
    let indent = match columns(heading) {
        head if head * 3 <= width => head,
        head if head * 2 <= width => GAP,
        _ => 0,
    };
    let margin = " ".repeat(indent);
    let first = if indent == 0 { 0 } else { columns(heading) };
    let inside = |lines: &[String]| width - if lines.is_empty() { first } else { indent };
    let mut lines: Vec<String> = vec![];
    let mut line = String::new();
    for (i, item) in items.iter().enumerate() {
        // A comma stays at the end of its line.
        let mark = if i + 1 < items.len() { between.trim_end() } else { "" };
        let item = format!("{item}{mark}");
        // A full-width comma brings its own space.
        let gap = match between.trim() {
            "" => between,
            _ if between.ends_with(' ') => " ",
            _ => "",
        };
        if !line.is_empty() && columns(&line) + columns(gap) + columns(&item) <= inside(&lines) {
            line += gap;
            line += &item;
            continue;
        }
        if !line.is_empty() {
            lines.push(std::mem::take(&mut line));
        }
        let mut parts = wrapped(&item, inside(&lines));
        line = parts.pop().unwrap_or_default();
        lines.append(&mut parts);
    }
    lines.push(line);
    if indent == 0 && !heading.is_empty() {
        let mut all = wrapped(heading.trim_end(), width);
        all.extend(lines);
        return all;
    }
    let first = |i| if i == 0 { heading } else { &margin };
    lines
        .iter()
        .enumerate()
        .map(|(i, l)| format!("{}{l}", first(i)).trim_end().to_owned())
        .collect()
}

/// Commands behind a heading, as many on a line as fit. A longer one goes on after a backslash, as a shell takes it. A long name
/// in several of them is a variable of the shell where that takes fewer lines.
pub(super) fn commands(heading: &str, commands: &[String], width: usize) -> Vec<String> {
    let plain = listed(heading, commands, width);
    let short = listed(heading, &with_variables(commands), width);
    if short.len() < plain.len() { short } else { plain }
}

/// The commands behind assignments of the names that several of them have, the longest first. Each ends with a semicolon, for a
/// command on the same line would not see it.
fn with_variables(commands: &[String]) -> Vec<String> {
    let of = |command: &String, word: &str| command.split(' ').any(|other| other == word);
    let words = commands.iter().flat_map(|command| command.split(' '));
    // A part of a quoted name is no word.
    let mut long: Vec<&str> = words.filter(|w| columns(w) > LONG && !w.contains('\'')).collect();
    long.order_by_key(|word| (std::cmp::Reverse(columns(word)), *word));
    long.dedup();
    long.retain(|word| commands.iter().filter(|command| of(command, word)).count() > 1);
    let variables: Vec<(&str, String)> =
        long.into_iter().zip(VARIABLES.chars().map(|name| name.to_string())).collect();
    let shortened = commands.iter().map(|command| {
        let short = |word: &str| match variables.iter().find(|(long, _)| *long == word) {
            Some((_, name)) => format!("${name}"),
            None => word.to_owned(),
        };
        command.split(' ').map(short).collect::<Vec<_>>().join(" ")
    });
    variables.iter().map(|(long, name)| format!("{name}={long};")).chain(shortened).collect()
}

/// A name of more columns is worth a variable.
const LONG: usize = 24;
/// Names of variables in the order of their use.
const VARIABLES: &str = "RSTUVW";

fn listed(heading: &str, commands: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = vec![];
    let margin = " ".repeat(columns(heading));
    for command in commands {
        let fits = |line: &&mut String| columns(line) + BETWEEN.len() + columns(command) <= width;
        match lines.last_mut().filter(fits).filter(|line| !line.starts_with(&goes_on(&margin))) {
            Some(line) => {
                *line += BETWEEN;
                *line += command;
            }
            None => {
                let first = if lines.is_empty() { heading } else { &margin };
                lines.extend(pasted(first, command, width));
            }
        }
    }
    lines
}

/// The begin of a line that continues a command.
fn goes_on(margin: &str) -> String {
    format!("{}  ", " ".repeat(columns(margin)))
}

/// A command on lines that can be pasted together: each but the last ends with a backslash. No word is broken.
pub(super) fn pasted(margin: &str, command: &str, width: usize) -> Vec<String> {
    let mut lines = vec![margin.to_owned()];
    let mut words = command.split(' ').peekable();
    let mut begins = true;
    while let Some(word) = words.next() {
        let Some(line) = lines.last_mut() else { break };
        let end = if words.peek().is_some() { BACKSLASH.len() } else { 0 };
        let gap = usize::from(!begins);
        if !begins && columns(line) + gap + columns(word) + end > width {
            *line += BACKSLASH;
            lines.push(format!("{}{word}", goes_on(margin)));
        } else {
            *line += if begins { "" } else { " " };
            *line += word;
        }
        begins = false;
    }
    lines
}

/// Indented words that end with a command, which goes on a line of its own where it would be wrapped.
pub(super) fn advice(text: &str, command: &str, indent: usize, width: usize) -> Vec<String> {
    let words = text.strip_suffix(command).unwrap_or(text).trim_end();
    if command.is_empty() || indent + columns(text) <= width {
        return indented(text, indent, width);
    }
    let mut lines = if words.is_empty() { vec![] } else { indented(words, indent, width) };
    lines.extend(pasted(&" ".repeat(indent), command, width));
    lines
}

/// The end of a line that goes on.
const BACKSLASH: &str = " \\";

/// Between commands on one line.
const BETWEEN: &str = "   ";

/// Rows of a label and cells under headings.
#[derive(Debug)]
pub(super) struct Grid {
    label: String,
    /// Whether the last column holds commands, which are not broken.
    commands: bool,
    /// Rows that have none there.
    of_words: Vec<usize>,
    /// Headings, and whether the cells are flush right.
    heads: Vec<(String, bool)>,
    rows: Vec<(String, Vec<String>)>,
}

/// Between columns.
const GAP: usize = 2;
/// A last column of text is wrapped down to this.
const NARROWEST_TEXT: usize = 14;
/// A label wider than this is wrapped, so that cells stay near it.
const WIDEST_LABEL: usize = 64;
/// Labels are wrapped down to this where else numbers would leave their columns.
const NARROWEST_LABEL: usize = 20;
/// A heading wider than this is wrapped between words.
const WIDEST_HEAD: usize = 16;

/// The lines of a heading.
pub(super) fn head(text: &str) -> Vec<String> {
    wrapped(text, WIDEST_HEAD.max(longest_word(text)))
}

/// Columns that a heading takes.
pub(super) fn head_columns(text: &str) -> usize {
    head(text).iter().map(|line| columns(line)).max().unwrap_or(0)
}

/// A number that does not stand below its heading has it beside it; a text says what it is of.
fn headed_cell((head, right): &(String, bool), cell: &str) -> String {
    if head.is_empty() || !right { cell.to_owned() } else { format!("{head} {cell}") }
}

impl Grid {
    pub(super) fn new(label: &str, heads: &[(&str, bool)]) -> Grid {
        let heads = heads.iter().map(|(name, right)| ((*name).to_owned(), *right)).collect();
        Grid { label: label.into(), commands: false, of_words: vec![], heads, rows: vec![] }
    }
    /// The same, where the last column holds commands.
    pub(super) fn of_commands(mut self, commands: bool) -> Grid {
        self.commands = commands;
        self
    }
    /// Adds a row.
    pub(super) fn row(&mut self, label: String, cells: Vec<String>) {
        self.rows.push((label, cells));
    }
    /// The last row has words where others have a command.
    pub(super) fn of_words(&mut self) {
        self.of_words.extend(self.rows.len().checked_sub(1));
    }
    fn widths(&self) -> (usize, Vec<usize>) {
        let label = self.rows.iter().map(|(l, _)| columns(l)).max().unwrap_or(0);
        let of = |i: usize| {
            let cells = self.rows.iter().map(|(_, cells)| columns(&cells[i])).max().unwrap_or(0);
            if cells == 0 { 0 } else { cells.max(head_columns(&self.heads[i].0)) }
        };
        (label.max(columns(&self.label)), (0..self.heads.len()).map(of).collect())
    }
    /// Lines of at most `width` columns: all columns that fit, the first ones before the last, which is wrapped if it is text;
    /// where not even the first fits beside the labels, each cell on a line of its own.
    pub(super) fn lines(&self, width: usize) -> Vec<String> {
        let (natural, mut widths) = self.widths();
        let mut least = natural.min(WIDEST_LABEL).min(width / 2);
        if self.heads.iter().all(|(_, right)| *right) {
            let words = self.rows.iter().map(|(label, _)| longest_word(label));
            least = least.min(words.max().unwrap_or(0).max(NARROWEST_LABEL));
        }
        let text = !self.commands && self.heads.last().is_some_and(|(_, right)| !right);
        if let Some((last, others)) = widths.split_last_mut()
            && text
        {
            let others: usize = others.iter().filter(|w| **w > 0).map(|w| w + GAP).sum();
            *last = (*last).min(width.saturating_sub(least + others + GAP).max(NARROWEST_TEXT));
        }
        let used =
            |n: usize| widths[..n].iter().filter(|w| **w > 0).map(|w| w + GAP).sum::<usize>();
        let Some(mut shown) = (1..=widths.len()).rev().find(|n| least + used(*n) <= width) else {
            return self.stacked(width);
        };
        // Cells that do not fit beside the others go below their label.
        let label = natural.min(width - used(shown)).min(WIDEST_LABEL.max(least));
        let narrow = text && shown + 1 == widths.len();
        let room = width.saturating_sub(label + used(shown) + GAP);
        if narrow && self.heads.last().is_some_and(|(head, _)| head_columns(head) <= room) {
            widths[shown] = room;
            shown += 1;
        }
        let mut lines = vec![];
        // What is said of the labels and of the columns ends on one line.
        let named = wrapped(&self.label, label);
        let heads: Vec<Vec<String>> = self.heads.iter().map(|(h, _)| head(h)).collect();
        let heads = || heads.iter().take(shown).chain([&named]);
        let high = heads().map(Vec::len).max().unwrap_or(0);
        let of = |parts: &'_ Vec<String>, i: usize| match (i + parts.len()).checked_sub(high) {
            Some(part) => parts[part].clone(),
            None => String::new(),
        };
        for i in 0..high {
            let cells: Vec<String> = heads().map(|parts| of(parts, i)).collect();
            let cells = cells[..shown].iter().map(String::as_str);
            lines.push(self.line(&of(&named, i), cells, label, &widths[..shown]));
        }
        lines.retain(|line| !line.is_empty());
        for (row, (name, cells)) in self.rows.iter().enumerate() {
            let names = hanging(name, label);
            let wraps = |i: usize| i + 1 == widths.len() && !self.heads[i].1 && widths[i] > 0;
            // A text goes below, too, where it has no room in its column or takes more lines there.
            let fits = |i: usize, cell: &str| match wraps(i) {
                true if columns(cell) <= widths[i] => true,
                true if narrow => false,
                true => wrapped(cell, widths[i]).len() <= 1 + indented(cell, 4, width).len(),
                false => true,
            };
            let beside = shown - usize::from(!fits(shown - 1, &cells[shown - 1]));
            let parts = |(i, cell): (usize, &String)| {
                if wraps(i) { wrapped(cell, widths[i]) } else { vec![cell.clone()] }
            };
            let parts: Vec<Vec<String>> = cells[..beside].iter().enumerate().map(parts).collect();
            let high = parts.iter().map(Vec::len).max().unwrap_or(1).max(names.len());
            for i in 0..high {
                let of = |parts: &'_ Vec<String>| parts.get(i).cloned().unwrap_or_default();
                let cells: Vec<String> = parts.iter().map(of).collect();
                let cells = cells.iter().map(String::as_str);
                lines.push(self.line(&of(&names), cells, label, &widths[..beside]));
            }
            let rest = cells.iter().zip(&self.heads).skip(beside).filter(|(c, _)| !c.is_empty());
            for (cell, head) in rest {
                lines.extend(match self.commands && !self.of_words.contains(&row) {
                    true => pasted("    ", cell, width),
                    false => indented(&headed_cell(head, cell), 4, width),
                });
            }
        }
        lines
    }
    fn line<'a>(
        &self,
        label: &str,
        cells: impl Iterator<Item = &'a str>,
        width: usize,
        widths: &[usize],
    ) -> String {
        let mut line = format!("{label}{}", " ".repeat(width.saturating_sub(columns(label))));
        for ((cell, width), (_, right)) in cells.zip(widths).zip(&self.heads) {
            if *width == 0 {
                continue;
            }
            let pad = " ".repeat(width.saturating_sub(columns(cell)));
            line += &" ".repeat(GAP);
            line += &if *right { format!("{pad}{cell}") } else { format!("{cell}{pad}") };
        }
        line.trim_end().to_owned()
    }
    fn stacked(&self, width: usize) -> Vec<String> {
        let mut lines = vec![];
        for (label, cells) in &self.rows {
            lines.extend(wrapped(label, width));
            for (cell, head) in cells.iter().zip(&self.heads).filter(|(c, _)| !c.is_empty()) {
                lines.extend(indented(&headed_cell(head, cell), 2, width));
            }
        }
        lines
    }
}

#[cfg(test)]
mod tests;
