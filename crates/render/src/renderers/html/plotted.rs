//! Curves, latency over load, bars and the timeline. Margins come from the labels' measured widths.
use super::canvas::{At, Canvas, FAINT, INK, LINE, PALETTE, fitted, measured};
use super::frame::Drawn;
use crate::quantity;
use messages::{Lang, word};
use record::{Text, Unit};
use sections::chart::{Bar, Bars, Curves, Flat, Panel, Point, range};

/// As wide as a column of a page.
pub(super) const WIDTH: f64 = 720.0;
/// As wide as the window of a phone.
pub(super) const PHONE: f64 = 372.0;

/// A chart that has nothing to plot says so.
pub(super) fn nothing() -> Drawn {
    let mut canvas = Canvas::default();
    canvas.text((20.0, 26.0), At::Start, INK, "Nothing that can be drawn; the data is below.");
    drawn(canvas, (WIDTH, 48.0))
}

pub(super) fn drawn(canvas: Canvas, (width, height): (f64, f64)) -> Drawn {
    let (width, height) = (width.ceil() as u32, height.ceil() as u32);
    Drawn { body: canvas.done(), width, height, least: width * 2 / 3 }
}

/// An axis: its range, whether it is logarithmic, its unit and where it is labelled.
pub(super) struct Axis {
    pub(super) low: f64,
    pub(super) high: f64,
    pub(super) log: bool,
    pub(super) name: String,
    pub(super) ticks: Vec<(f64, String)>,
}

impl Axis {
    fn log(range: (f64, f64), (name, unit): (&str, Unit), ticks: Vec<f64>) -> Axis {
        let ticks = ticks.into_iter().map(|t| (t, quantity::plain(t, unit))).collect();
        Axis { low: range.0, high: range.1, log: true, name: name.into(), ticks }
    }
    pub(super) fn linear(range: (f64, f64), (name, unit): (&str, Unit), about: f64) -> Axis {
        let ticks = even(range, about);
        let step = (range.1 - range.0) / 10.0;
        let ticks = ticks.into_iter().map(|t| (t, quantity::tick(t, step, unit))).collect();
        Axis { low: range.0, high: range.1, log: false, name: name.into(), ticks }
    }
    /// Around all values, never so close that a per mille fills the panel.
    pub(super) fn panel(values: impl Iterator<Item = f64>, name: (&str, Unit), about: f64) -> Axis {
        let (low, high) = range(values);
        let air = ((high - low) * 0.15).max(high * 0.02);
        Axis::linear(((low - air).max(0.0), high + air), name, about)
    }
    /// The position of a value, from 0 to 1.
    fn share(&self, value: f64) -> f64 {
        let share = match self.log {
            true => (value / self.low).ln() / (self.high / self.low).ln(),
            false => (value - self.low) / (self.high - self.low),
        };
        if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 }
    }
}

/// Round numbers over a range, about as many as asked for.
fn even((low, high): (f64, f64), about: f64) -> Vec<f64> {
    let rough = (high - low) / about;
    let power = 10f64.powf(rough.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|s| s * power).into_iter().find(|s| *s >= rough);
    let Some(step) = step.filter(|s| *s > 0.0) else { return vec![] };
    let first = (low / step).ceil();
    (0..64).map(|i| (first + f64::from(i)) * step).take_while(|t| *t <= high).collect()
}

/// Powers of two over the range, thinned to at most ten.
fn sizes(low: f64, high: f64) -> Vec<f64> {
    let all: Vec<i32> = (low.log2().ceil() as i32..=high.log2().floor() as i32).collect();
    let every = all.len().div_ceil(10).max(1);
    all.into_iter()
        .filter(|e| every == 1 || (*e - 12) % every as i32 == 0)
        .map(|e| 2f64.powi(e))
        .collect()
}

/// 1, 2, 5 times powers of ten over the range; powers alone over a wide one.
fn times(low: f64, high: f64) -> Vec<f64> {
    let steps: &[f64] = if high / low > 3e3 { &[1.0] } else { &[1.0, 2.0, 5.0] };
    let decades = low.log10().floor() as i32..=high.log10().ceil() as i32;
    decades
        .flat_map(|d| steps.iter().map(move |s| s * 10f64.powi(d)))
        .filter(|t| (low..=high).contains(t))
        .collect()
}

/// The box inside which values are drawn.
pub(super) struct Plane {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
    x: Axis,
    y: Axis,
}

impl Plane {
    /// Axes with their labels, in a box that leaves these room.
    pub(super) fn new(
        canvas: &mut Canvas,
        (top, bottom, width): (f64, f64, f64),
        x: Axis,
        y: Axis,
    ) -> Plane {
        let widest = y.ticks.iter().map(|(_, t)| measured(t)).fold(0.0, f64::max);
        let plane = Plane {
            left: widest + 14.0,
            top: top + LINE + 4.0,
            right: width - 16.0,
            bottom: bottom - 2.0 * LINE - 4.0,
            x,
            y,
        };
        canvas.text((2.0, top + LINE / 2.0), At::Start, FAINT, &plane.y.name);
        let middle = (plane.left + plane.right) / 2.0;
        canvas.text((middle, bottom - LINE / 2.0), At::Middle, FAINT, &plane.x.name);
        for (value, words) in &plane.y.ticks {
            let y = plane.at(plane.x.low, *value).1;
            canvas.line(&[(plane.left, y), (plane.right, y)], "#e4e4e4", 1.0, "");
            canvas.text((plane.left - 8.0, y), At::End, INK, words);
        }
        let mut free = f64::NEG_INFINITY;
        for (value, words) in &plane.x.ticks {
            let (half, x) = (measured(words) / 2.0, plane.at(*value, plane.y.low).0);
            canvas.line(&[(x, plane.bottom), (x, plane.bottom + 5.0)], FAINT, 1.0, "");
            if x - half > free && x + half <= width {
                canvas.text((x, plane.bottom + LINE - 3.0), At::Middle, INK, words);
                free = x + half + 6.0;
            }
        }
        let corner = (plane.left, plane.bottom);
        let axes = [(plane.left, plane.top), corner, (plane.right, plane.bottom)];
        canvas.line(&axes, FAINT, 1.0, "");
        plane
    }
    pub(super) fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (
            self.left + self.x.share(x) * (self.right - self.left),
            self.bottom - self.y.share(y) * (self.bottom - self.top),
        )
    }
}

/// Boxes that the next label shall not cover, of points and of labels already placed: left, top, right, bottom.
struct Labels(Vec<[f64; 4]>);

impl Labels {
    /// Writes a centred label inside the plane, at the nearest free height; `steps` are tried in order. Where none is free it is
    /// left out: the table has it.
    fn put(&mut self, canvas: &mut Canvas, plane: &Plane, label: &str, at: (f64, f64), fill: &str) {
        let half = measured(label) / 2.0 + 2.0;
        let x = at.0.clamp(plane.left + half, (plane.right - half).max(plane.left + half));
        let boxed = |y: f64| [x - half, y - 8.0, x + half, y + 8.0];
        let apart =
            |a: [f64; 4], b: &[f64; 4]| a[2] < b[0] || b[2] < a[0] || a[3] < b[1] || b[3] < a[1];
        let inside = |y: f64| y - 8.0 >= plane.top && y + 8.0 <= plane.bottom;
        let steps = (1..=8).flat_map(|i| [-17.0 * f64::from(i), 17.0 * f64::from(i) + 1.0]);
        let free = |y: &f64| inside(*y) && self.0.iter().all(|b| apart(boxed(*y), b));
        if let Some(y) = steps.map(|step| at.1 + step).find(free) {
            self.0.push(boxed(y));
            canvas.text((x, y), At::Middle, fill, label);
        }
    }
}

/// Values that a logarithmic axis can show, within what a machine can be: 1 ps to 1 EB/s, 1 ps or 1 B to 1 EiB.
fn shown(p: &&Point) -> bool {
    (1e-12..1.2e18).contains(&p.x) && (1e-12..1e18).contains(&p.y)
}

pub(super) fn curves(curves: &Curves, width: f64) -> Drawn {
    if curves.linear {
        return linear(curves, width);
    }
    let all = || curves.lines.iter().chain(&curves.others).flat_map(|l| &l.points).filter(shown);
    let (left, right) = range(all().map(|p| p.x));
    let (low, high) = range(all().map(|p| p.y));
    if !left.is_finite() {
        return nothing();
    }
    let (left, right, low, high) = (left / 1.2, right * 1.2, low / 1.5, high * 2.0);
    let keys = match curves.axes.x.1 {
        Unit::Seconds => times(left, right),
        _ => sizes(left, right),
    };
    let x = Axis::log((left, right), curves.axes.x, keys);
    let y = Axis::log((low, high), curves.axes.y, times(low, high));
    plotted(curves, (x, y), shown, width)
}

fn linear(curves: &Curves, width: f64) -> Drawn {
    // Beyond these no machine is, and an axis could not be divided.
    let fits = |p: &&Point| (0.0..1e15).contains(&p.x) && (1e-12..1e3).contains(&p.y);
    let all = || curves.lines.iter().flat_map(|l| &l.points).filter(fits);
    let right = all().map(|p| p.x).fold(0.0, f64::max) * 1.05;
    let high = all().map(|p| p.y).fold(0.0, f64::max) * 1.15;
    if right <= 0.0 || high <= 0.0 {
        return nothing();
    }
    let x = Axis::linear((0.0, right), curves.axes.x, 8.0);
    let y = Axis::linear((0.0, high), curves.axes.y, 8.0);
    plotted(curves, (x, y), fits, width)
}

/// Lines with marks and whiskers, a legend above, vertical guides, and named flat stretches.
fn plotted(of: &Curves, (x, y): (Axis, Axis), fits: fn(&&Point) -> bool, width: f64) -> Drawn {
    let Curves { axes, lines, others, guides, .. } = of;
    let mut canvas = Canvas::default();
    let legend = (lines.len() + others.len()) as f64 * LINE + 8.0;
    let height = 360.0 + legend;
    for (i, line) in lines.iter().enumerate() {
        let y = 12.0 + i as f64 * LINE;
        canvas.line(&[(14.0, y), (58.0, y)], PALETTE[i % PALETTE.len()], 2.0, dash(i));
        canvas.mark(i, (36.0, y), &line.label);
        canvas.text((68.0, y), At::Start, INK, &fitted(&line.label, width - 76.0));
    }
    for (i, line) in others.iter().enumerate() {
        let y = 12.0 + (lines.len() + i) as f64 * LINE;
        canvas.shape(4, (36.0, y), FAINT, &line.label);
        canvas.text((68.0, y), At::Start, FAINT, &fitted(&line.label, width - 76.0));
    }
    let plane = Plane::new(&mut canvas, (legend, height, width), x, y);
    let mut labels = Labels(vec![]);
    for guide in guides.iter().filter(|g| (plane.x.low..plane.x.high).contains(&g.x)) {
        let x = plane.at(guide.x, plane.y.low).0;
        canvas.line(&[(x, plane.top + LINE), (x, plane.bottom)], FAINT, 1.0, "5 5");
        labels.put(&mut canvas, &plane, &guide.label, (x, plane.top - 9.0), FAINT);
    }
    let seen = |line: &sections::chart::Line, p: &Point| {
        let value = |y| quantity::plain(y, axes.y.1);
        let ends = p.ends.map_or(String::new(), |(a, b)| format!(" [{} – {}]", value(a), value(b)));
        format!("{}: {}, {}{ends}", line.label, quantity::plain(p.x, axes.x.1), value(p.y))
    };
    for line in others {
        for p in line.points.iter().filter(fits) {
            let at = plane.at(p.x, p.y);
            canvas.shape(4, at, FAINT, seen(line, p));
            labels.0.push([at.0 - 5.0, at.1 - 5.0, at.0 + 5.0, at.1 + 5.0]);
        }
    }
    for (i, line) in lines.iter().enumerate() {
        let points: Vec<&Point> = line.points.iter().filter(fits).collect();
        let path: Vec<(f64, f64)> = points.iter().map(|p| plane.at(p.x, p.y)).collect();
        canvas.line(&path, PALETTE[i % PALETTE.len()], 2.0, dash(i));
        for (p, at) in points.iter().zip(&path) {
            if let Some((low, high)) = p.ends.filter(|(low, high)| *low > 0.0 && high.is_finite()) {
                let (bottom, top) = (plane.at(p.x, low), plane.at(p.x, high));
                // Below the size of a mark there is nothing to see.
                if bottom.1 - top.1 > 8.0 {
                    canvas.whisker(bottom, top, PALETTE[i % PALETTE.len()]);
                    labels.0.push([top.0 - 4.0, top.1, bottom.0 + 4.0, bottom.1]);
                }
            }
            canvas.mark(i, *at, seen(line, p));
            labels.0.push([at.0 - 4.0, at.1 - 4.0, at.0 + 4.0, at.1 + 4.0]);
        }
    }
    let mut named: Vec<(&Flat, (f64, f64))> = vec![];
    // Levels on huge pages come last, and the summary quotes them.
    for (i, line) in lines.iter().enumerate().rev() {
        for flat in &line.plateaus {
            if !shown(&&Point { x: flat.from, y: flat.y, ends: None }) {
                continue;
            }
            let (from, to) = (plane.at(flat.from, flat.y), plane.at(flat.to, flat.y));
            canvas.line(&[from, to], &format!("{}40", PALETTE[i % PALETTE.len()]), 9.0, "");
            // Levels that lie on one another are named once; the table below tells them apart.
            let said =
                |(one, _): &(&Flat, _)| one.name == flat.name && (flat.y / one.y).ln().abs() < 0.03;
            if !named.iter().any(said) {
                named.push((flat, ((from.0 + to.0) / 2.0, from.1)));
            }
        }
    }
    // Of two levels of one name the lower has its label below: the first step up from there.
    named.sort_by(|a, b| b.0.y.total_cmp(&a.0.y));
    for (i, (flat, (x, y))) in named.iter().enumerate() {
        let is_lower = named[..i].iter().any(|(higher, _)| higher.name == flat.name);
        let at = (*x, if is_lower { y + 35.0 } else { *y });
        labels.put(&mut canvas, &plane, &format!("{} {}", flat.name, flat.value), at, INK);
    }
    drawn(canvas, (width, height))
}

/// The dashes of the i-th series.
fn dash(i: usize) -> &'static str {
    ["", "9 4", "3 3", "12 7"][i % 4]
}

/// The positions of the names of groups, in lines of this width, and the number of lines.
fn legend(groups: &[Text], (left, right): (f64, f64)) -> (Vec<(f64, f64)>, f64) {
    let (mut x, mut line) = (left, 0.0);
    let mut places = vec![];
    for group in groups {
        let width = 22.0 + measured(group) + 24.0;
        if x > left && x + width > right {
            (x, line) = (left, line + 1.0);
        }
        places.push((x, line * 20.0));
        x += width;
    }
    (places, line + 1.0)
}

pub(super) fn bars(bars: &Bars) -> Drawn {
    const ROW: f64 = 24.0;
    const BARS: f64 = 640.0;
    let widest =
        |of: &dyn Fn(&Bar) -> &str| bars.bars.iter().map(|b| measured(of(b))).fold(0.0, f64::max);
    let left = widest(&|b| &b.label).min(240.0) + 16.0;
    let right = widest(&|b| &b.text).min(220.0) + 16.0;
    let (places, lines) = legend(&bars.groups, (8.0, BARS));
    let top = 10.0 + lines * 20.0;
    // A little air between kernels, whose bars stand together.
    let breaks = bars.bars.windows(2).filter(|w| w[0].label != w[1].label).count() as f64;
    let height = top + bars.bars.len() as f64 * ROW + breaks * 8.0 + 12.0;
    let fits = |v: f64| (0.0..1e18).contains(&v);
    let most = |b: &Bar| {
        let ends = b.ends.map(|(_, high)| high).into_iter();
        let all = ends.chain([b.value]).chain(b.levels.iter().copied());
        all.filter(|v| fits(*v)).fold(0.0, f64::max)
    };
    let largest = bars.bars.iter().map(most).fold(0.0, f64::max);
    if largest <= 0.0 {
        return nothing();
    }
    let place = |v: f64| left + if fits(v) { v } else { 0.0 } / largest * (BARS - left - right);
    let mut canvas = Canvas::default();
    for (i, (group, (x, y))) in bars.groups.iter().zip(&places).enumerate() {
        let (from, to) = ((*x, y + 4.0), (x + 16.0, y + 18.0));
        canvas.bar(from, to, i, group);
        canvas.hatch(i, from, to);
        canvas.text((x + 22.0, y + 11.0), At::Start, INK, group);
    }
    let (mut y, mut last) = (top, "");
    for bar in &bars.bars {
        if !last.is_empty() && *last != *bar.label {
            y += 8.0;
        }
        let middle = y + ROW / 2.0;
        if *last != *bar.label {
            canvas.text((left - 8.0, middle), At::End, INK, &fitted(&bar.label, left - 14.0));
        }
        last = &bar.label;
        let (from, to) = ((left, y + 3.0), (place(bar.value), y + ROW - 3.0));
        let group = bars.groups.get(bar.group).map_or("", |group| &**group);
        canvas.bar(from, to, bar.group, &format!("{}, {group}: {}", bar.label, bar.text));
        canvas.hatch(bar.group, from, to);
        let mut end = to.0;
        if let Some((low, high)) = bar.ends.filter(|(low, high)| fits(*low) && fits(*high)) {
            canvas.whisker((place(low), middle), (place(high), middle), INK);
            end = end.max(place(high));
        }
        for level in bar.levels.iter().filter(|v| fits(**v)) {
            canvas.shape(4, (place(*level), middle), INK, quantity::plain(*level, bars.unit));
            end = end.max(place(*level) + 4.0);
        }
        canvas.text((end + 8.0, middle), At::Start, INK, &bar.text);
        y += ROW;
    }
    canvas.line(&[(left, top), (left, y)], FAINT, 1.0, "");
    drawn(canvas, (BARS, height))
}

pub(super) fn timeline(panels: &[Panel], lang: Lang) -> Drawn {
    let panels: Vec<&Panel> = panels.iter().filter(|p| p.spans.iter().any(drawable)).collect();
    let ends = || panels.iter().flat_map(|p| &p.spans).filter(|s| drawable(s)).map(|s| s.0);
    let last = ends().fold(0.0, f64::max).max(1e-3) * 1.02;
    if panels.is_empty() {
        return nothing();
    }
    let mut canvas = Canvas::default();
    for (i, panel) in panels.iter().enumerate() {
        let spans = || panel.spans.iter().filter(|s| drawable(s));
        let x = (word(lang, "time since the start"), Unit::Seconds);
        let x = Axis::linear((0.0, last), x, 10.0);
        let y = Axis::panel(spans().flat_map(|s| [s.1, s.2]), (panel.label, panel.unit), 5.0);
        let top = 10.0 + i as f64 * 200.0;
        let plane = Plane::new(&mut canvas, (top, top + 196.0, WIDTH), x, y);
        for (t, from, to) in spans() {
            let (low, high) = (plane.at(*t, *from), plane.at(*t, *to));
            let words = |v: f64| quantity::plain(v, panel.unit);
            let till = if from == to { String::new() } else { format!(" – {}", words(*to)) };
            let title = format!("{}: {}{till}", quantity::plain(*t, Unit::Seconds), words(*from));
            canvas.line(&[low, high], PALETTE[i % PALETTE.len()], 3.0, "");
            canvas.shape(0, low, PALETTE[i % PALETTE.len()], &title);
            if from != to {
                canvas.shape(0, high, PALETTE[i % PALETTE.len()], &title);
            }
        }
    }
    drawn(canvas, (WIDTH, 10.0 + 200.0 * panels.len() as f64))
}

fn drawable((at, low, high): &(f64, f64, f64)) -> bool {
    (0.0..1e9).contains(at) && *low > 0.0 && low <= high && *high < 1e15
}

#[cfg(test)]
mod tests {
    use super::*;
    use sections::chart::Line;

    #[test]
    fn names_of_groups_that_do_not_fit_go_to_the_next_line() {
        let names = |all: &[&str]| all.iter().map(|n| Text::from(*n)).collect::<Vec<_>>();
        let (places, lines) = legend(&names(&["read", "write"]), (130.0, 560.0));
        assert_eq!((places[0], places[1].1, lines), ((130.0, 0.0), 0.0, 1.0));
        let long = "1 copy, ref:kunpeng-1630v100-sample";
        let (places, lines) = legend(&names(&["1 copy", "2 copies", long, long]), (130.0, 560.0));
        assert_eq!(
            (places[1].1, places[2], places[3], lines),
            (0.0, (130.0, 20.0), (130.0, 40.0), 3.0)
        );
    }

    /// Two lines of one level on loud points: the last is named, and its label crosses no whisker.
    #[test]
    fn labels_keep_off_whiskers_and_name_the_last_line() {
        let line = |y: f64| {
            let point = |x: f64| Point { x, y, ends: Some((y / 1.2, y * 1.2)) };
            let value = format!("{:.0} ns", y * 1e9);
            let flat = Flat { from: 4e6, to: 16e6, y, name: "L3".into(), value: value.into() };
            let points = [4e6, 8e6, 16e6].map(point).into();
            Line { plateaus: vec![flat], ..Line::new(format!("{y}").into(), points) }
        };
        let over = Curves::over(("working set", Unit::Bytes), ("latency", Unit::Seconds));
        let drawn = curves(&Curves { lines: vec![line(50e-9), line(51e-9)], ..over }, 560.0);
        let numbers = |text: &str| -> Vec<f64> {
            text.split(|c: char| !c.is_ascii_digit() && c != '.')
                .filter_map(|n| n.parse().ok())
                .collect()
        };
        let labels: Vec<&str> = drawn.body.lines().filter(|l| l.contains(">L3 ")).collect();
        assert!(labels.len() == 1 && labels[0].contains(">L3 51 ns<"), "{labels:?}");
        let label = numbers(labels[0]);
        let whiskers = drawn.body.lines().filter(|l| l.contains(r#"stroke-width="1.5""#));
        let standing = whiskers.map(numbers).filter(|n| n[0] == n[2]).collect::<Vec<_>>();
        assert_eq!(standing.len(), 6);
        let half = measured("L3 51 ns") / 2.0;
        let crossed = |n: &&Vec<f64>| {
            let (low, high) = (n[1].min(n[3]), n[1].max(n[3]));
            (n[0] - label[0]).abs() < half && (low..high).contains(&label[1])
        };
        assert!(!standing.iter().any(|n| crossed(&n)), "{label:?} {standing:?}");
    }

    #[test]
    fn the_higher_of_two_levels_has_its_label_above() {
        let line = |y: f64| {
            let flat = Flat {
                from: 4e6,
                to: 16e6,
                y,
                name: "memory".into(),
                value: format!("{y}").into(),
            };
            let points = [4e6, 8e6, 16e6].map(|x| Point { x, y, ends: None }).into();
            Line { plateaus: vec![flat], ..Line::new(format!("{y}").into(), points) }
        };
        for [one, other] in [[216.0, 167.0], [167.0, 216.0]] {
            let over = Curves::over(("working set", Unit::Bytes), ("latency", Unit::Seconds));
            let drawn = curves(&Curves { lines: vec![line(one), line(other)], ..over }, 560.0);
            let height = |label: &str| -> f64 {
                let text = drawn.body.lines().find(|line| line.contains(label)).unwrap();
                text.split(" y=\"").nth(1).unwrap().split('"').next().unwrap().parse().unwrap()
            };
            assert!(height(">memory 216<") < height(">memory 167<"), "{one} {other}");
        }
    }

    #[test]
    fn round_numbers_divide_an_axis() {
        assert_eq!(even((0.0, 10.0), 5.0), [0.0, 2.0, 4.0, 6.0, 8.0, 10.0]);
        assert_eq!(even((0.0, 0.0), 5.0), Vec::<f64>::new());
        assert_eq!(even((3.0, f64::NAN), 5.0), Vec::<f64>::new());
    }
}
