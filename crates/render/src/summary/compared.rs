//! The first screen of a comparison: who is faster at what, by how much, how sure and why; then values side by side.
mod beside;
mod ranked;

use super::explained;
use super::layout::{Grid, columns, commands, flow, wrapped};
use super::words::{self, quoted, short_model};
use super::{FITS, LINES, Lines, NARROWEST, Style, View};
use super::{all_in, empty, headed, heading, listed, more_rows, plain, said, styled};
use crate::quantity;
use analyse::compare::{Ahead, Comparison, Headline, Side, Subject, SubjectKind, Sure};
use messages::prose::in_language;
use messages::{self as say, Lang};
use record::{Environment, Text, Unit};

/// More records than this are rows, not columns.
const COLUMNS: usize = 5;
/// Headlines at most.
const HEADLINES: usize = 10;
/// Records that are named where several are alike.
const ALIKE: usize = 4;
/// More records than this are not named in the next commands.
const NAMED: usize = 8;

/// The lines of the first screen of a comparison, none of them wider than `view.width`; `names` is what the next command calls the
/// records. On a page, which has none, there is no next command.
pub fn text(of: &Comparison, names: &[&str], view: &View<'_>) -> Vec<String> {
    let (mut headlines, mut rows) = (HEADLINES, of.beside.len());
    let width = view.width.max(NARROWEST);
    let screen = Screen { of, names, lang: view.lang, option: view.option(), width };
    let mut lines = screen.lines(headlines, rows);
    // Reasons are not cut for room.
    while of.families.is_empty()
        && view.width >= FITS
        && lines.len() + view.above > LINES
        && headlines + rows > 2
    {
        if rows > 6 || headlines <= 4 && rows > 0 {
            rows -= 1;
        } else {
            headlines -= 1;
        }
        lines = screen.lines(headlines, rows);
    }
    styled(lines, view)
}

struct Screen<'a> {
    of: &'a Comparison,
    names: &'a [&'a str],
    lang: Lang,
    /// The option for the language in a suggested command.
    option: &'static str,
    width: usize,
}

impl Screen<'_> {
    fn lines(&self, headlines: usize, rows: usize) -> Lines {
        let mut all = self.machines();
        all.extend(self.environment());
        all.push(empty());
        if self.of.sides.len() > COLUMNS {
            all.extend(self.ranked());
        } else {
            all.extend(self.headlines(headlines));
            let below = match self.of.families.is_empty() {
                true => self.beside(rows),
                false => self.explained(),
            };
            all.extend((!below.is_empty()).then(empty));
            all.extend(below);
        }
        all.push(empty());
        all.extend(self.not_compared());
        all.extend(self.next());
        all
    }

    /// The label of a record: its name as a row, and as a column where all names have room, else a letter.
    fn label(&self, side: usize) -> String {
        let sides = &self.of.sides;
        let room = self.width.saturating_sub(28) / sides.len().max(1);
        match sides.len() > COLUMNS || sides.iter().all(|s| columns(&s.name) + 2 <= room) {
            true => sides[side].name.clone(),
            false => char::from(b'A' + (side % 26) as u8).to_string(),
        }
    }

    fn machines(&self) -> Lines {
        let sides = &self.of.sides;
        if sides.len() > COLUMNS {
            let count = say::compared_records(self.lang, sides.len() as u64);
            let lines = match self.common_parts() {
                parts if parts.is_empty() => wrapped(&count, self.width),
                parts => flow(&format!("{count}  "), &parts, say::comma(self.lang), self.width),
            };
            return all_in(Style::Heading, lines);
        }
        let line = |(i, side): (usize, &Side)| {
            let label = self.label(i);
            let name = if label == side.name { label } else { format!("{label} {}", side.name) };
            match self.parts(side) {
                parts if parts.is_empty() => wrapped(&name, self.width),
                parts => flow(&format!("{name}  "), &parts, say::comma(self.lang), self.width),
            }
        };
        all_in(Style::Heading, sides.iter().enumerate().flat_map(line))
    }

    /// Common properties of all machines, if they have one model.
    fn common_parts(&self) -> Vec<String> {
        let sides = &self.of.sides;
        let Some(first) = sides.first().filter(|s| s.model.is_some()) else { return vec![] };
        if sides.iter().any(|side| side.model != first.model) {
            return vec![];
        }
        let all: Vec<Vec<String>> = sides.iter().map(|side| self.parts(side)).collect();
        let mut parts = self.parts(first);
        parts.retain(|part| all.iter().all(|parts| parts.contains(part)));
        parts
    }

    fn parts(&self, side: &Side) -> Vec<String> {
        let mut parts: Vec<String> = side.model.as_deref().map(short_model).into_iter().collect();
        let count =
            |n: usize, words: fn(Lang, u64) -> String| (n > 0).then(|| words(self.lang, n as u64));
        parts.extend(count(side.cpus, say::cpus));
        parts.extend(count(side.sockets, say::sockets));
        parts.extend(count(side.nodes, say::nodes));
        parts.extend(side.memory_bytes.map(|b| quantity::plain(b, Unit::Bytes)));
        parts
    }

    fn environment(&self) -> Lines {
        let sides = &self.of.sides;
        let named = |of: Environment| -> Vec<String> {
            let own = sides.iter().filter(|s| s.environment == of && !s.foreign());
            self.alike(own.map(|s| s.name.clone()).collect())
        };
        let foreign = sides.iter().filter(|s| s.foreign()).count();
        let (failed, doubtful) = (named(Environment::Fail), named(Environment::Warn));
        let (verdict, mut causes) = if !failed.is_empty() {
            (Environment::Fail, failed)
        } else if !doubtful.is_empty() || foreign > 0 {
            (Environment::Warn, doubtful)
        } else {
            (Environment::Pass, vec![say::nothing_found(self.lang).to_owned()])
        };
        let text = words::verdict(self.lang, verdict);
        if foreign > 0 {
            causes.push(say::compared_published(self.lang, foreign as u64));
        }
        let earlier = sides.iter().map(|side| side.earlier).max().unwrap_or(0);
        if earlier > 0 {
            causes.push(say::compared_earlier(self.lang, earlier as u64));
        }
        let lines = flow(&format!("{text}  "), &causes, say::comma(self.lang), self.width);
        all_in(Style::Check(verdict), lines)
    }

    /// The first of many names, the last of them with the count of the others.
    fn alike(&self, mut names: Vec<String>) -> Vec<String> {
        let more = names.len().saturating_sub(ALIKE);
        names.truncate(ALIKE);
        if more > 0
            && let Some(last) = names.pop()
        {
            names.push(say::compared_and_more(self.lang, more as u64, last));
        }
        names
    }

    fn headlines(&self, most: usize) -> Lines {
        let of = self.of;
        if of.headlines.is_empty() {
            let words = match (of.beside.is_empty(), of.not_compared.is_empty()) {
                (false, _) => say::compared_neutral(self.lang),
                (true, true) => say::compared_nothing(self.lang),
                (true, false) => say::compared_unlike(self.lang),
            };
            return said(words, self.width);
        }
        let base = &of.sides[of.baseline].name;
        let others: Vec<usize> = of.others().collect();
        let title = match others[..] {
            [one] => say::compared_one(self.lang, base, &of.sides[one].name),
            _ => say::compared_several(self.lang, base),
        };
        let mut lines = heading(&title, self.width);
        let labels: Vec<String> = match others[..] {
            [_] => vec![say::column_times(self.lang).to_owned()],
            _ => others.iter().map(|side| self.label(*side)).collect(),
        };
        let mut heads: Vec<(&str, bool)> = labels.iter().map(|l| (l.as_str(), true)).collect();
        if others.len() == 1 {
            heads.push((say::column_interval(self.lang), true));
            heads.push((say::column_of(self.lang), true));
        }
        heads.push((say::column_why(self.lang), false));
        let merged = self.merged();
        let shown = || merged.iter().take(most);
        // What holds for all of them stands once.
        let doubts: Vec<Vec<String>> = shown().map(|h| self.doubts(h)).collect();
        let common = |doubt: &String| doubts.len() > 1 && doubts.iter().all(|d| d.contains(doubt));
        let mut grid = Grid::new("", &heads);
        for (headline, doubts) in shown().zip(&doubts) {
            let times = |side: &usize| {
                let Some(ahead) = &headline.sides[*side] else { return String::new() };
                // Of one record the line below says it.
                let mark = if others.len() > 1 { mark(ahead.sure) } else { "" };
                say::times_one(self.lang, quantity::factor(ahead.times)) + mark
            };
            let mut cells: Vec<String> = others.iter().map(times).collect();
            let mut why: Vec<String> = vec![];
            if let [one] = others[..] {
                let ahead = headline.sides[one].as_ref();
                cells.push(ahead.map_or(String::new(), interval));
                cells.push(ahead.map_or(String::new(), |a| a.rows.to_string()));
                let ipc = ahead.and_then(|a| Some((a.ipc?, a.times)));
                why.extend(ipc.map(|(x, times)| match explains(x, times) {
                    true => say::why_ipc(self.lang, factor(x)),
                    false => say::why_not_ipc(self.lang, factor(x)),
                }));
            }
            let doubts = doubts.iter().filter(|doubt| !common(doubt));
            why.extend(doubts.map(|doubt| in_language(self.lang, doubt)));
            cells.push(why.join(say::comma(self.lang)));
            grid.row(self.subject(&headline.subject), cells);
        }
        lines.extend(headed(grid.lines(self.width)));
        lines.extend(self.more(merged.len().saturating_sub(most)));
        if others.len() > 1 {
            lines.extend(self.legend(Sure::WithinNoise, shown()));
            lines.extend(self.legend(Sure::NoSpread, shown()));
        }
        let common: Vec<String> =
            doubts.iter().take(1).flatten().filter(|d| common(d)).cloned().collect();
        let sure = say::column_sure(self.lang);
        lines.extend(listed(sure, &common, say::comma(self.lang), self.width));
        lines
    }

    /// The meaning of a mark, where one of these has it.
    fn legend<'h>(&self, sure: Sure, mut shown: impl Iterator<Item = &'h Headline>) -> Lines {
        let words = match sure {
            Sure::NoSpread => say::compared_one_run(self.lang),
            _ => say::compared_equal(self.lang),
        };
        let marked = |ahead: &Ahead| mark(ahead.sure) == mark(sure);
        match shown.any(|h| h.sides.iter().flatten().any(marked)) {
            true => said(words, self.width),
            false => vec![],
        }
    }

    fn more(&self, more: usize) -> Lines {
        more_rows(self.lang, more, self.width)
    }

    fn subject(&self, subject: &Subject) -> String {
        let known = say::text(self.lang, &format!("subject-{}", subject.kind.name()));
        let name = known.unwrap_or(subject.kind.name());
        let mut name = match &subject.of {
            Some(of) if matches!(subject.kind, SubjectKind::Program | SubjectKind::Tool) => {
                of.clone()
            }
            Some(of) => format!("{name}{}{of}", say::comma(self.lang)),
            None => name.to_owned(),
        };
        if let Some(on) = subject.on() {
            name += say::comma(self.lang);
            name += &in_language(self.lang, &Text::from(on));
        }
        name
    }

    /// The confidence of the only other record, and the reasons that lower that of any.
    fn doubts(&self, headline: &Headline) -> Vec<String> {
        let sides = || headline.sides.iter().flatten();
        let word = |key: String| say::text(self.lang, &key).map(str::to_owned);
        let sure = sides().map(|a| a.sure).next().filter(|_| self.of.sides.len() == 2);
        let sure = sure.and_then(|sure| word(format!("sure-{}", sure.name())));
        let mut lowered: Vec<_> = sides().flat_map(|a| a.lowered.iter().copied()).collect();
        lowered.sort_unstable();
        lowered.dedup();
        let lowered = lowered.iter().filter_map(|l| word(format!("lowered-{}", l.name())));
        sure.into_iter().chain(lowered).collect()
    }

    /// The reason why there is no headline, and a baseline that would have some.
    fn nothing(&self) -> String {
        let of = self.of;
        let common = |side: &usize| {
            let rows = of.rows.iter().filter(|row| row.cells[*side].is_some());
            rows.filter(|row| row.cells.iter().flatten().count() > 1).count()
        };
        let best = of.others().max_by_key(|side| (common(side), std::cmp::Reverse(*side)));
        let name = |side: usize| self.names.get(side).copied().unwrap_or(&of.sides[side].name);
        match best.map(|side| (common(&side), name(side))) {
            Some((1.., name)) if common(&of.baseline) == 0 => {
                say::compared_other_baseline(self.lang, &of.sides[of.baseline].name, name)
            }
            _ if of.not_compared.is_empty() => say::compared_nothing(self.lang).to_owned(),
            _ => say::compared_unlike(self.lang).to_owned(),
        }
    }

    fn explained(&self) -> Lines {
        explained::lines(self.of, self.lang, self.width, |of| self.subject(of))
    }

    fn not_compared(&self) -> Lines {
        let alone: usize = self.of.alone.iter().sum();
        let alone = (alone > 0).then(|| say::compared_alone(self.lang, alone as u64));
        let reasons = self.of.not_compared.iter().filter_map(|(key, count)| {
            Some(format!("{} ({count})", say::text(self.lang, &format!("unlike-{key}"))?))
        });
        let of = self.of;
        let none = |side: &usize| of.headlines.iter().all(|h| h.sides[*side].is_none());
        let apart = of.others().filter(none).filter(|_| !of.headlines.is_empty());
        let apart: Vec<String> = apart.map(|side| self.label(side)).collect();
        let apart = (!apart.is_empty()).then(|| {
            let named = self.alike(apart).join(say::comma(self.lang));
            say::compared_apart(self.lang, self.label(of.baseline), named)
        });
        let all: Vec<String> = apart.into_iter().chain(reasons).chain(alone).collect();
        listed(say::not_compared(self.lang), &all, say::semicolon(self.lang), self.width)
    }

    fn next(&self) -> Lines {
        let names: Vec<String> = self.names.iter().map(|name| quoted(name)).collect();
        // Where no figure says which is faster, what both machines are stands above, with its own next commands.
        if names.is_empty() || names.len() == 2 && self.of.headlines.is_empty() {
            return vec![];
        }
        let explained = !self.of.families.is_empty();
        let next = ["--full", "--explain", "--format html"].into_iter();
        let next = next.filter(|option| *option != "--explain" || !explained);
        let names = names.join(" ") + self.option;
        let next = next.map(|option| format!("cpulens compare {names} {option}"));
        let next: Vec<String> = next.collect();
        let heading = format!("{}  ", say::next(self.lang));
        let wide = |next: &String| columns(&heading) + columns(next) > self.width;
        if self.names.len() > NAMED || next.iter().any(wide) {
            let words = [say::compared_add(self.lang).to_owned()];
            return plain(flow(&heading, &words, "", self.width));
        }
        plain(commands(&heading, &next, self.width))
    }
}

/// The mark of a ratio among those of several records.
fn mark(sure: Sure) -> &'static str {
    match sure {
        Sure::Significant => "",
        Sure::NoSpread => " ?",
        Sure::Mixed | Sure::WithinNoise => " =",
    }
}

/// A factor to two digits.
fn factor(x: f64) -> String {
    if x >= 9.95 { format!("{x:.0}") } else { format!("{x:.2}") }
}

/// The 95 % interval.
fn interval(ahead: &Ahead) -> String {
    ahead.interval.map_or(String::new(), |i| format!("{}-{}", factor(i.low), factor(i.high)))
}

/// Whether IPC accounts for a part of a difference: at least a quarter of it, in its direction.
fn explains(ipc: f64, times: f64) -> bool {
    ipc.ln() / times.ln() >= 0.25
}
