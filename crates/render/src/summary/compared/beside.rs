//! Values of a comparison side by side: the rows of each subject, a column for each record.
use super::Screen;
use crate::quantity;
use crate::summary::layout::{Grid, columns, wrapped};
use crate::summary::{Lines, headed, said};
use analyse::compare::{Beside, Cell, Comparison, Row, Standing, SubjectKind};
use analyse::{UnitOfTool, unit_of_tool};
use messages as say;
use messages::prose::in_language;
use record::Sort;
use sections::{compared::ratio, origin};

impl Screen<'_> {
    pub(super) fn beside(&self, most: usize) -> Lines {
        let of = self.of;
        if of.beside.is_empty() || most == 0 {
            return vec![];
        }
        let mut labels: Vec<String> = (0..of.sides.len()).map(|side| self.label(side)).collect();
        labels.extend(one(of).map(|_| say::column_times(self.lang).to_owned()));
        let heads: Vec<(&str, bool)> = labels.iter().map(|l| (l.as_str(), true)).collect();
        let mut grid = Grid::new(say::compared_beside(self.lang), &heads);
        let mut shown: Vec<&Beside> = of.beside.iter().take(most).collect();
        let place = |b: &Beside| of.headlines.iter().position(|h| h.subject == b.subject);
        shown.order_by_key(|b| (place(b), numbers(&b.at), b.row));
        for of_subject in shown.chunk_by(|a, b| a.subject == b.subject) {
            self.of_subject(&mut grid, of_subject, labels.len());
        }
        let mut lines = headed(grid.lines(self.width));
        let cells = || shown.iter().flat_map(|b| of.rows[b.row].cells.iter().flatten());
        if cells().any(|cell| cell.modes.is_some()) {
            lines.extend(said(say::compared_modes(self.lang), self.width));
        }
        if cells().any(|cell| self.is_refused(cell)) {
            lines.extend(said(say::compared_refused(self.lang), self.width));
        }
        let all = match of.headlines.is_empty() {
            true => of.beside.len(),
            false => of.headlines.iter().map(|headline| headline.rows.len()).sum(),
        };
        lines.extend(self.more(all.saturating_sub(most.min(of.beside.len()))));
        lines
    }

    /// The rows of one subject, below its name where they are several.
    fn of_subject(&self, grid: &mut Grid, of_subject: &[&Beside], width: usize) {
        let rows = &self.of.rows;
        let Some(first) = of_subject.first() else { return };
        let of_orders = |b: &&Beside| named(&rows[b.row]).filter(|unit| unit.is_orders());
        let orders = of_subject.iter().all(|b| of_orders(b).is_some());
        let subject = self.subject(&first.subject);
        let unit = of_orders(first).filter(|_| orders);
        let subject = unit.map_or(subject.clone(), |unit| format!("{subject} ({})", unit.name));
        let alone = of_subject.len() == 1;
        if !alone {
            grid.row(subject.clone(), vec![String::new(); width]);
        }
        for beside in of_subject {
            let row = &rows[beside.row];
            // A bandwidth's subject says on how many cores.
            let bandwidth = [SubjectKind::CoreBandwidth, SubjectKind::Bandwidth];
            let said = |(name, _): &&(String, String)| {
                name != "threads" || !bandwidth.contains(&first.subject.kind)
            };
            let at = beside.at.iter().filter(said).filter_map(|at| self.at(at));
            let at: Vec<String> = at.collect();
            let at = at.join(say::comma(self.lang));
            let name = match (alone, at.is_empty()) {
                (false, true) => {
                    format!("  {}", in_language(self.lang, &row.quantity.metric.words()))
                }
                (false, false) => format!("  {at}"),
                (true, true) => subject.clone(),
                (true, false) => format!("{subject}{}{at}", say::comma(self.lang)),
            };
            grid.row(name, self.cells(row, orders));
        }
    }

    /// The values of a row.
    fn cells(&self, row: &Row, orders: bool) -> Vec<String> {
        let cells = row.cells.iter().map(Option::as_deref);
        let text = |c: &Cell| {
            let mark = if self.is_refused(c) { " #" } else { "" };
            self.value(c, row, orders) + mark
        };
        let cells = cells.map(|c| c.map_or(String::new(), text));
        let ratio = |side| row.against(side).map_or(String::new(), |a| ratio(a.ratio));
        cells.chain(one(self.of).map(ratio)).collect()
    }

    /// Whether a value is in no headline, though others of its subject are.
    fn is_refused(&self, cell: &Cell) -> bool {
        !self.of.headlines.is_empty() && matches!(cell.standing, Standing::Refused(_))
    }

    /// Of a value that was seen at several levels the lowest and the highest.
    fn value(&self, cell: &Cell, row: &Row, orders: bool) -> String {
        let (unit, minute) = (row.quantity.unit, 60.0);
        let own = named(row).filter(|unit| !unit.is_orders());
        let plain = |x: f64| match (orders, own) {
            (true, _) => quantity::many(x * minute),
            (false, Some(of)) => format!("{} {}", quantity::many(x / of.one), of.name),
            (false, None) => quantity::plain(x, unit),
        };
        let Some([low, high]) = cell.modes.as_deref() else { return plain(cell.median) };
        let low = match orders {
            true => quantity::many(low * minute),
            false => quantity::in_scale_of(*low, *high, unit),
        };
        format!("{low} {} {} *", say::or(self.lang), plain(*high))
    }

    /// A coordinate in words; a long text is none.
    fn at(&self, (name, value): &(String, String)) -> Option<String> {
        let count = value.parse::<u64>().ok();
        if let Some(counted) = count.and_then(|n| origin::counted(name, n as usize)) {
            return Some(in_language(self.lang, &counted));
        }
        match (name.as_str(), count) {
            ("cores", Some(cores)) => Some(say::cores(self.lang, cores)),
            ("thread_count" | "threads", Some(threads)) => Some(say::threads(self.lang, threads)),
            ("threads", None) if ["one", "all"].contains(&value.as_str()) => {
                let noun = if value == "one" { "thread" } else { "threads" };
                Some(in_language(self.lang, &format!("{value} {noun}")))
            }
            ("copies", Some(copies)) => Some(say::column_copies(self.lang, copies)),
            ("working_set" | "size", Some(bytes)) => Some(quantity::size(bytes)),
            // Random order is the rule, as in a report.
            ("order", _) if value == "random" => None,
            ("pages", _) if value == "base" => Some(say::pages_base(self.lang).to_owned()),
            ("pages", _) if value == "thp" => Some(say::pages_huge(self.lang).to_owned()),
            ("mode", _) if ["kernel", "user"].contains(&value.as_str()) => {
                Some(in_language(self.lang, &format!("{value} mode")))
            }
            ("sysbench", None) => Some(format!("v{value}")),
            ("level", Some(0)) => Some(in_language(self.lang, "idle")),
            (name, Some(number)) => {
                Some(in_language(self.lang, &format!("{} {number}", name.replace('_', " "))))
            }
            // The first words of a test of UnixBench, and of a loop of tinymembench, tell it from the others.
            ("test" | "kernel", _) => {
                let value = value.replace("_nt", " (NT)");
                wrapped(&in_language(self.lang, &value), 28).into_iter().next()
            }
            (name, _) if matches!(value.as_str(), "yes" | "no") => {
                Some(in_language(self.lang, &format!("{} {value}", name.replace('_', " "))))
            }
            _ => (columns(value) <= 28).then(|| in_language(self.lang, &value.replace('_', " "))),
        }
    }
}

/// The record whose ratios stand beside the values of two: headlines have those of their rows.
fn one(of: &Comparison) -> Option<usize> {
    of.others().next().filter(|_| of.sides.len() == 2 && of.headlines.is_empty())
}

/// The unit that a tool has for its result, where it is not ours.
fn named(row: &Row) -> Option<UnitOfTool> {
    let quantity = &row.quantity;
    let text = |name: &str| quantity.at.get(name).map(ToString::to_string).unwrap_or_default();
    let of = (quantity.probe, quantity.metric, quantity.unit);
    unit_of_tool(of, (&text("test"), &text("tool")), quantity.foreign)
}

/// The numbers of coordinates, for steps in their order.
fn numbers(at: &[(String, String)]) -> Vec<u64> {
    at.iter().filter_map(|(_, value)| value.parse().ok()).collect()
}
