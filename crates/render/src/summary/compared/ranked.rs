//! Many machines of a comparison: one row each, by the first subject, under short names.
use super::{Screen, times};
use crate::messages as say;
use crate::summary::layout::{Grid, columns, flow, head_columns, wrapped};
use crate::summary::{Lines, Style, headed, plain};
use analyse::compare::{Comparison, Headline};
use std::collections::BTreeSet;

/// Machines as rows at most.
const MACHINES: usize = 24;
/// Lines of tables that have machines as rows, one below the other.
const RANKED: usize = 30;
/// A name of more columns is cut: columns of figures need the room.
const LONG: usize = 20;
/// What stands for the part of a name that is cut.
const CUT: &str = "..";

impl Screen<'_> {
    /// Many machines: one row each, by the first subject.
    pub(super) fn ranked(&self, most: usize) -> Lines {
        let of = self.of;
        let filled = |h: &&Headline| h.sides.iter().flatten().count();
        let merged = self.merged();
        let mut chosen: Vec<&Headline> = merged.iter().collect();
        chosen.sort_by_key(|h| std::cmp::Reverse(filled(h)));
        let Some(first) = chosen.first().copied() else {
            return plain(wrapped(&self.nothing(), self.width));
        };
        let all: Vec<&str> = of.sides.iter().map(|side| side.name.as_str()).collect();
        let names = short(&all);
        let most = most.min(MACHINES);
        let title = say::compared_several(self.lang, &of.sides[of.baseline].name);
        let mut lines: Lines =
            wrapped(&title, self.width).into_iter().map(|l| (Style::Heading, l)).collect();
        let mut order: Vec<usize> = (0..of.sides.len()).collect();
        let key = |side: usize| ahead(of, first, side).unwrap_or(0.0);
        order.sort_by(|a, b| key(*b).total_cmp(&key(*a)).then(a.cmp(b)));
        let mut hidden: Vec<String> = vec![];
        for table in self.tables(chosen, &names) {
            let has = |side: &usize| table.iter().any(|h| ahead(of, h, *side).is_some());
            let known: Vec<usize> = order.iter().copied().filter(has).collect();
            let shown = &known[..known.len().min(most)];
            let rows = self.table(&table, shown, &names).lines(self.width);
            let more = self.more(known.len() - shown.len());
            if lines.len() > 1 && lines.len() + rows.len() + more.len() > RANKED {
                hidden.extend(table.iter().map(|h| self.subject(&h.subject)));
                continue;
            }
            lines.extend(headed(rows));
            lines.extend(more);
        }
        if !self.names.is_empty() {
            hidden.push(say::compared_on_page(self.lang).to_owned());
        }
        if !hidden.is_empty() {
            let heading = format!("{}  ", say::not_shown(self.lang));
            lines.extend(plain(flow(&heading, &hidden, say::semicolon(self.lang), self.width)));
        }
        lines
    }

    /// Subjects of one name whose machines are others are one column.
    pub(super) fn merged(&self) -> Vec<Headline> {
        let mut all: Vec<Headline> = vec![];
        for headline in &self.of.headlines {
            let name = self.subject(&headline.subject);
            let fits = |known: &&mut Headline| {
                let mut pairs = known.sides.iter().zip(&headline.sides);
                self.subject(&known.subject) == name
                    && !pairs.any(|(a, b)| a.is_some() && b.is_some())
            };
            let Some(known) = all.iter_mut().find(fits) else {
                all.push(headline.clone());
                continue;
            };
            known.rows.extend(&headline.rows);
            for (side, other) in known.sides.iter_mut().zip(&headline.sides) {
                *side = side.take().or_else(|| other.clone());
            }
        }
        all
    }

    /// What has no room beside the others stands in a table below.
    fn tables<'h>(&self, headlines: Vec<&'h Headline>, names: &[String]) -> Vec<Vec<&'h Headline>> {
        let widest = names.iter().map(|name| columns(name)).max().unwrap_or(0);
        let all = self.width.saturating_sub(widest);
        let mut room = 0;
        let mut tables: Vec<Vec<&Headline>> = vec![];
        for headline in headlines {
            let wide = head_columns(&self.subject(&headline.subject)).max(8) + 2;
            if wide > room {
                tables.push(vec![]);
                room = all;
            }
            room = room.saturating_sub(wide);
            if let Some(table) = tables.last_mut() {
                table.push(headline);
            }
        }
        tables
    }

    fn table(&self, table: &[&Headline], sides: &[usize], names: &[String]) -> Grid {
        let heads: Vec<String> = table.iter().map(|h| self.subject(&h.subject)).collect();
        let heads: Vec<(&str, bool)> = heads.iter().map(|h| (h.as_str(), true)).collect();
        let mut grid = Grid::new("", &heads);
        for side in sides {
            let words = |x: f64| say::times_one(self.lang, times(x));
            let cell = |h: &&Headline| ahead(self.of, h, *side).map_or(String::new(), words);
            grid.row(names[*side].clone(), table.iter().map(cell).collect());
        }
        grid
    }
}

fn ahead(of: &Comparison, headline: &Headline, side: usize) -> Option<f64> {
    match side == of.baseline {
        true => Some(1.0),
        false => headline.sides[side].as_ref().map(|a| a.times),
    }
}

/// Names that tell all of them apart: of long ones the end, without what all of them end with if need be, else with a number.
fn short(names: &[&str]) -> Vec<String> {
    if names.iter().all(|name| columns(name) <= LONG) {
        return names.iter().map(|name| (*name).to_owned()).collect();
    }
    let without = |suffix| names.iter().map(|name| tail(name, suffix)).collect::<Vec<String>>();
    let unlike = |names: &Vec<String>| names.iter().collect::<BTreeSet<_>>().len() == names.len();
    let found = [0, common_end(names)].into_iter().map(without).find(unlike);
    let numbered = |(i, name): (usize, String)| format!("{} {name}", i + 1);
    found.unwrap_or_else(|| without(0).into_iter().enumerate().map(numbered).collect())
}

/// The end of a name, if it is long, without so many characters.
fn tail(name: &str, suffix: usize) -> String {
    if columns(name) <= LONG {
        return name.to_owned();
    }
    let all: Vec<char> = name.chars().collect();
    let end = all.len() - suffix;
    let after = if suffix > 0 { CUT } else { "" };
    let room = LONG - CUT.len() - after.len();
    let fits = |from: &usize| columns(&all[*from..end].iter().collect::<String>()) <= room;
    let from = (0..=end).find(fits).unwrap_or(end);
    let before = if from > 0 { CUT } else { "" };
    format!("{before}{}{after}", all[from..end].iter().collect::<String>())
}

/// Characters that all names end with.
fn common_end(names: &[&str]) -> usize {
    let Some((first, others)) = names.split_first() else { return 0 };
    let alike = |name: &&str| {
        let both = first.chars().rev().zip(name.chars().rev());
        both.take_while(|(a, b)| a == b).count()
    };
    others.iter().map(alike).min().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        assert_eq!(short(&["a", "b"]), ["a", "b"]);
        let ends = ["2026-a-very-long-name-1", "2026-a-very-long-name-2", "short"];
        assert_eq!(short(&ends), ["..a-very-long-name-1", "..a-very-long-name-2", "short"]);
        let starts = ["node1.cluster.example.org", "node2.cluster.example.org"];
        assert_eq!(short(&starts), ["node1..", "node2.."]);
        let both = ["a-in-the-middle-of-this-name", "b-in-the-middle-of-this-name-"];
        let found = short(&both);
        assert!(found[0] != found[1] && found.iter().all(|name| columns(name) <= LONG));
        let inside = ["x1-of-very-long-name-y", "x2-of-very-long-name-y", "x1-of-very-long-name-z"];
        assert!(short(&inside)[1].starts_with("2 .."), "{:?}", short(&inside));
    }
}
