//! Many machines of a comparison: one row each with its place at each subject, under short names. Where they are more than rows,
//! the ranking of each subject.
use super::{Screen, mark};
use crate::quantity;
use crate::summary::layout::{Grid, columns, head_columns};
use crate::summary::{Lines, headed, heading, listed, said};
use analyse::compare::{Comparison, Headline, Sure};
use messages as say;
use record::Sort;
use std::collections::BTreeSet;

/// More machines than this are no rows of a table.
const MACHINES: usize = 24;
/// Machines that are shown of a later ranking: this many of the best and of the worst.
const ENDS: usize = 3;
/// Lines of tables that have machines as rows, one below the other.
const RANKED: usize = 30;
/// A name of more columns is cut: columns of figures need the room.
const LONG: usize = 20;
/// The mark of the part of a name that is cut.
const CUT: &str = "..";

impl Screen<'_> {
    /// Many machines: one row each, by the first subject.
    pub(super) fn ranked(&self) -> Lines {
        let of = self.of;
        let filled = |h: &&Headline| h.sides.iter().flatten().count();
        let merged = self.merged();
        let mut chosen: Vec<&Headline> = merged.iter().collect();
        chosen.order_by_key(|h| std::cmp::Reverse(filled(h)));
        let Some(first) = chosen.first().copied() else {
            return said(&self.nothing(), self.width);
        };
        let all: Vec<&str> = of.sides.iter().map(|side| side.name.as_str()).collect();
        let names = short(&all);
        let title = say::compared_ranked(self.lang, &of.sides[of.baseline].name);
        let mut lines = heading(&title, self.width);
        let blocks: Vec<(Vec<&Headline>, Lines)> = if places(of, first).len() > MACHINES {
            let ranked = |(i, h)| (vec![h], self.ranking(h, &names, i == 0));
            chosen.into_iter().enumerate().map(ranked).collect()
        } else {
            let tables = self.tables(chosen, &names).into_iter();
            let rows = |table: &Vec<&Headline>| self.table(table, &names).lines(self.width);
            tables.map(|table| (rows(&table), table)).map(|(r, t)| (t, headed(r))).collect()
        };
        let (mut hidden, mut shown): (Vec<String>, Vec<&Headline>) = (vec![], vec![]);
        for (subjects, block) in blocks {
            if lines.len() > 1 && lines.len() + block.len() > RANKED {
                hidden.extend(subjects.iter().map(|h| self.subject(&h.subject)));
                continue;
            }
            lines.extend(block);
            shown.extend(subjects);
        }
        lines.extend(self.legend(Sure::WithinNoise, shown.into_iter()));
        if !self.names.is_empty() {
            hidden.push(say::compared_in_full(self.lang).to_owned());
        }
        let (not_shown, between) = (say::not_shown(self.lang), say::semicolon(self.lang));
        lines.extend(listed(not_shown, &hidden, between, self.width));
        lines
    }

    /// The machines that have a subject, the best first: all of them, or the best and the worst.
    fn ranking(&self, headline: &Headline, names: &[String], all: bool) -> Lines {
        let words = |(i, (side, x)): (usize, &(usize, f64))| {
            let times = say::times_one(self.lang, quantity::factor(*x));
            format!("{} {} {times}{}", i + 1, names[*side], equal(headline, *side))
        };
        let mut items: Vec<String> =
            places(self.of, headline).iter().enumerate().map(words).collect();
        if !all && items.len() > ENDS * 2 {
            items.splice(ENDS..items.len() - ENDS, ["…".to_owned()]);
        }
        let subject = self.subject(&headline.subject);
        listed(&subject, &items, say::semicolon(self.lang), self.width)
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

    /// Headlines without room beside the others, in a table below.
    fn tables<'h>(&self, headlines: Vec<&'h Headline>, names: &[String]) -> Vec<Vec<&'h Headline>> {
        let cells = |h: &Headline| {
            let places = places(self.of, h);
            (0..places.len()).map(|at| columns(&self.place(h, &places, at))).max().unwrap_or(0)
        };
        let widest = names.iter().map(|name| columns(name)).max().unwrap_or(0);
        let all = self.width.saturating_sub(widest);
        let mut room = 0;
        let mut tables: Vec<Vec<&Headline>> = vec![];
        for headline in headlines {
            let wide = head_columns(&self.subject(&headline.subject)).max(cells(headline)) + 2;
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

    /// A column for each subject, with the place of each machine; by the place in the first.
    fn table(&self, table: &[&Headline], names: &[String]) -> Grid {
        let heads: Vec<String> = table.iter().map(|h| self.subject(&h.subject)).collect();
        let heads: Vec<(&str, bool)> = heads.iter().map(|h| (h.as_str(), true)).collect();
        let mut grid = Grid::new("", &heads);
        let ranks: Vec<Vec<(usize, f64)>> = table.iter().map(|h| places(self.of, h)).collect();
        let order = record::distinct(ranks.iter().flatten().map(|(side, _)| *side));
        let cell = |side: usize, (headline, ranks): (&Headline, &[(usize, f64)])| {
            let at = ranks.iter().position(|(other, _)| *other == side)?;
            Some(self.place(headline, ranks, at))
        };
        for side in order {
            let columns = table.iter().copied().zip(ranks.iter().map(Vec::as_slice));
            let cells = columns.map(|column| cell(side, column).unwrap_or_default()).collect();
            grid.row(names[side].clone(), cells);
        }
        grid
    }

    /// `1.31 x #1`, and `1.01 x =` of a machine that does not differ from the baseline; the baseline has no place among those.
    fn place(&self, headline: &Headline, places: &[(usize, f64)], at: usize) -> String {
        let (side, x) = places[at];
        let times = say::times_one(self.lang, quantity::factor(x));
        let alike = |(other, _): &(usize, f64)| {
            *other == self.of.baseline || !equal(headline, *other).is_empty()
        };
        match equal(headline, side) {
            "" if side == self.of.baseline && places.iter().all(alike) => times,
            "" => format!("{times} #{}", at + 1),
            equal => times + equal,
        }
    }
}

/// The mark of a machine that does not differ from the baseline.
fn equal(headline: &Headline, side: usize) -> &'static str {
    let sure = headline.sides[side].as_ref().map(|ahead| ahead.sure);
    sure.map(mark).filter(|is| *is == mark(Sure::WithinNoise)).unwrap_or("")
}

/// The machines that have a subject and how many times as fast as the baseline each is, the best first.
fn places(of: &Comparison, headline: &Headline) -> Vec<(usize, f64)> {
    let ahead = |side: usize| {
        if side == of.baseline { Some(1.0) } else { headline.sides[side].as_ref().map(|a| a.times) }
    };
    let sides = 0..of.sides.len();
    let mut places: Vec<(usize, f64)> =
        sides.filter_map(|side| Some((side, ahead(side)?))).collect();
    places.order_by(|a, b| b.1.total_cmp(&a.1));
    places
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
