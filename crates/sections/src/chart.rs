//! Charts: positions as numbers, words as `quantity` made them, and the same data as a table.
use crate::page::Table;
use analyse::{Interval, quantity};
use record::{Text, Unit};

/// A picture with its words and its data.
#[derive(Debug, Clone)]
pub struct Chart {
    /// Name for links and tests: letters and dashes.
    pub name: String,
    /// Heading.
    pub title: Text,
    /// A description for readers who cannot see it.
    pub description: Text,
    /// The data of the chart as rows.
    pub table: Table,
    /// The picture.
    pub kind: Kind,
}

impl Chart {
    /// Whether the title is a machine's name, which is the same in every language.
    pub fn is_of_machine(&self) -> bool {
        matches!(self.kind, Kind::Days(_))
    }
    /// Whether the picture says more than its table: a line through two points and a map of one pair do not.
    pub fn is_worth_drawing(&self) -> bool {
        let points = |lines: &[Line]| lines.iter().map(|l| l.points.len()).max().unwrap_or(0);
        match &self.kind {
            Kind::Curves(curves) => points(&curves.lines) > 2,
            Kind::Heat(heat) => heat.cells.len() > 1,
            _ => true,
        }
    }
}

/// Kinds of picture.
#[derive(Debug, Clone)]
pub enum Kind {
    /// One quantity over another.
    Curves(Curves),
    /// Values side by side.
    Bars(Bars),
    /// Values per pair.
    Heat(Heat),
    /// Ranges over time: panels that share the time axis.
    Timeline(Vec<Panel>),
    /// Figures of a machine over days, and when its settings changed.
    Days(Days),
    /// Parts inside parts.
    Drawing(Part),
    /// Factors of a ratio on a logarithmic axis, from the top down: each begins where the one before it ended.
    Waterfall(Vec<Fall>),
}

/// One factor, or the whole.
#[derive(Debug, Clone)]
pub struct Fall {
    /// Its name.
    pub label: Text,
    /// Its begin and end: products of the factors so far.
    pub from: f64,
    /// See `from`.
    pub to: f64,
    /// The least and the most that it may end at.
    pub ends: Option<(f64, f64)>,
    /// The factor in words.
    pub text: Text,
    /// Whether it is inferred, or what is left.
    pub open: bool,
}

/// One quantity over another: latency over working set on logarithmic axes if nothing else is said.
#[derive(Debug, Clone, Default)]
pub struct Curves {
    /// Its axes.
    pub axes: Axes,
    /// Whether both axes are linear, from nothing on.
    pub linear: bool,
    /// The lines.
    pub lines: Vec<Line>,
    /// Vertical lines at capacities.
    pub guides: Vec<Guide>,
    /// Published points, in grey and without a line.
    pub others: Vec<Line>,
}

impl Curves {
    /// No lines yet.
    pub fn over(x: (&'static str, Unit), y: (&'static str, Unit)) -> Curves {
        Curves { axes: Axes { x, y }, ..Curves::default() }
    }
    /// Adds a point to the line of that name.
    pub fn point(&mut self, label: Text, point: Point) {
        match self.lines.iter_mut().find(|line| line.label == label) {
            Some(line) => line.points.push(point),
            None => self.lines.push(Line::new(label, vec![point])),
        }
    }
    /// Adds a vertical line, unless there is one at that place.
    pub fn guide(&mut self, x: f64, label: Text) {
        if self.guides.iter().all(|g| g.x != x) {
            self.guides.push(Guide { x, label });
        }
    }

    /// Adds a vertical line at the stated capacity in bytes of a cache, where there is one.
    pub(crate) fn capacity(&mut self, cache: &str, stated: Option<f64>) {
        if let Some(bytes) = stated {
            self.guide(bytes, format!("{cache} {}", quantity::plain(bytes, Unit::Bytes)).into());
        }
    }
}

/// The quantity along each axis, and its unit.
#[derive(Debug, Clone, Copy)]
pub struct Axes {
    /// From left to right.
    pub x: (&'static str, Unit),
    /// From bottom to top.
    pub y: (&'static str, Unit),
}

impl Default for Axes {
    fn default() -> Axes {
        Axes { x: ("working set", Unit::Bytes), y: ("latency per load", Unit::Seconds) }
    }
}

/// One line.
#[derive(Debug, Clone, Default)]
pub struct Line {
    /// Name in the legend.
    pub label: Text,
    /// By ascending x.
    pub points: Vec<Point>,
    /// Flat stretches to be named.
    pub plateaus: Vec<Flat>,
}

impl Line {
    /// A line without named stretches.
    pub fn new(label: Text, points: Vec<Point>) -> Line {
        Line { label, points, plateaus: vec![] }
    }
}

/// One point, in the units of the axes.
#[derive(Debug, Clone, Copy)]
pub struct Point {
    /// From left to right.
    pub x: f64,
    /// From bottom to top.
    pub y: f64,
    /// Interval of `y`.
    pub ends: Option<(f64, f64)>,
}

impl Point {
    /// A point and the interval of its height.
    pub fn new(x: f64, y: f64, interval: Option<Interval>) -> Point {
        Point { x, y, ends: interval.map(|i| i.ends()) }
    }
}

/// A flat stretch.
#[derive(Debug, Clone)]
pub struct Flat {
    /// Smallest x.
    pub from: f64,
    /// Largest x.
    pub to: f64,
    /// Its height.
    pub y: f64,
    /// Its name.
    pub name: Text,
    /// Its value in words.
    pub value: Text,
}

/// A vertical line.
#[derive(Debug, Clone)]
pub struct Guide {
    /// Its position.
    pub x: f64,
    /// Its name.
    pub label: Text,
}

/// Values side by side, in two or more groups.
#[derive(Debug, Clone)]
pub struct Bars {
    /// Unit of the values.
    pub unit: Unit,
    /// Names of the groups, by index.
    pub groups: Vec<Text>,
    /// In order of display.
    pub bars: Vec<Bar>,
}

/// One bar.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Its label.
    pub label: Text,
    /// Index into the groups.
    pub group: usize,
    /// Its length, in the unit of the chart.
    pub value: f64,
    /// The interval.
    pub ends: Option<(f64, f64)>,
    /// Other modes and placements.
    pub levels: Vec<f64>,
    /// The value in words.
    pub text: Text,
}

/// Values per pair.
#[derive(Debug, Clone)]
pub struct Heat {
    /// Row headings, and those of the columns where `to` has none.
    pub cpus: Vec<u32>,
    /// Column headings of a matrix whose two directions differ.
    pub to: Option<Vec<u32>>,
    /// Unit of the values.
    pub unit: Unit,
    /// Measured cells; without `to` each is drawn on both sides of the diagonal.
    pub cells: Vec<HeatCell>,
}

/// One pair.
#[derive(Debug, Clone)]
pub struct HeatCell {
    /// Index of the first heading.
    pub row: usize,
    /// Index of the second heading.
    pub column: usize,
    /// In the unit of the chart.
    pub value: f64,
    /// The value in as few digits as a small box holds.
    pub text: Text,
    /// Both CPUs, the value and the relation.
    pub title: Text,
    /// Whether two states were seen.
    pub split: bool,
}

/// One quantity over time.
#[derive(Debug, Clone)]
pub struct Panel {
    /// Its label.
    pub label: &'static str,
    /// Unit of the values.
    pub unit: Unit,
    /// Seconds since the run began, lowest and highest value seen then.
    pub spans: Vec<(f64, f64, f64)>,
}

/// Figures of one machine: panels that share an axis of days, and the settings that changed below them.
#[derive(Debug, Clone, Default)]
pub struct Days {
    /// Looks whose day is written on the axis: seconds since 1970, and the day.
    pub ticks: Vec<(f64, Text)>,
    /// One for each figure.
    pub figures: Vec<Dated>,
    /// When settings changed, and what, in words.
    pub settings: Vec<(f64, Text)>,
}

/// A figure over days.
#[derive(Debug, Clone)]
pub struct Dated {
    /// Its label.
    pub label: Text,
    /// Unit of the values.
    pub unit: Unit,
    /// Seconds since 1970, and the value.
    pub points: Vec<(f64, f64)>,
    /// Where it changed, by ascending time: the moment, the medians before and after, and the change in words.
    pub changes: Vec<(f64, [f64; 2], Text)>,
}

/// A part of the machine and the parts inside it.
#[derive(Debug, Clone, Default)]
pub struct Part {
    /// Its kind.
    pub rank: Rank,
    /// Its name.
    pub label: Text,
    /// Capacity and the like.
    pub note: Text,
    /// The number of cores of the threads inside, where it is not known which of them share one.
    pub cores: Option<usize>,
    /// Parts inside.
    pub parts: Vec<Part>,
    /// Whether it is out of use: an offline CPU, an empty slot.
    pub off: bool,
}

/// Kinds of part, outermost first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// The whole.
    #[default]
    Machine,
    /// Socket.
    Package,
    /// NUMA node.
    Node,
    /// Die.
    Die,
    /// CPUs that share a last-level cache.
    Cache,
    /// Cores that share a cache nearer than that, or a cluster of another kind.
    Cluster,
    /// Core.
    Core,
    /// Hardware thread.
    Thread,
}

/// The least and the largest of values; infinite ones where there are none.
pub fn range(values: impl IntoIterator<Item = f64>) -> (f64, f64) {
    let none = (f64::INFINITY, f64::NEG_INFINITY);
    values.into_iter().fold(none, |(low, high), x| (low.min(x), high.max(x)))
}
