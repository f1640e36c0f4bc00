//! Curves, bars and the timeline, plotted by `plotters` into SVG without fonts, files or bitmaps.
use super::frame::Drawn;
use crate::chart::{Bars, Curves, Line, Loads, Panel, Point, Timeline};
use crate::quantity;
use plotters::coord::Shift;
use plotters::element::DashedPathElement;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use record::Unit;
use std::error::Error;

/// Okabe and Ito's palette without yellow, which is too light for lines on paper.
const PALETTE: [RGBColor; 6] = [
    RGBColor(0x00, 0x72, 0xb2),
    RGBColor(0xd5, 0x5e, 0x00),
    RGBColor(0x00, 0x9e, 0x73),
    RGBColor(0xcc, 0x79, 0xa7),
    RGBColor(0xe6, 0x9f, 0x00),
    RGBColor(0x56, 0xb4, 0xe9),
];
pub(super) const INK: RGBColor = RGBColor(0x1a, 0x1a, 0x1a);
pub(super) const FAINT: RGBColor = RGBColor(0x76, 0x76, 0x76);
/// Narrow enough that a phone shows most of it with letters that can be read.
const WIDTH: u32 = 720;
/// Size of text in plotters' measure: 1.24 times the pixels it writes.
const TEXT: i32 = 17;

pub(super) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(super) type Plotted = Result<(), Box<dyn Error>>;

/// Plots into a string and takes the library's own frame off. A chart that cannot be plotted says so.
pub(super) fn plot((width, height): (u32, u32), draw: impl FnOnce(&Area<'_>) -> Plotted) -> Drawn {
    let mut svg = String::new();
    let result = {
        let area = SVGBackend::with_string(&mut svg, (width, height)).into_drawing_area();
        draw(&area).and_then(|()| Ok(area.present()?))
    };
    let inside = svg.split_once('>').and_then(|(_, rest)| rest.rsplit_once("</svg>"));
    let body = match (result, inside) {
        (Ok(()), Some((body, _))) => body.trim().to_owned(),
        _ => "<text x=\"20\" y=\"30\" class=\"axis\">Nothing that can be drawn; the data is below.</text>".into(),
    };
    Drawn { body, width, height, least: width * 2 / 3 }
}

pub(super) fn text(colour: RGBColor, h: HPos, v: VPos) -> TextStyle<'static> {
    ("sans-serif", TEXT).into_font().color(&colour).pos(Pos::new(h, v))
}

/// Boxes that the next label shall not cover, of points and of labels already placed: left, top, right, bottom.
struct Labels(Vec<(i32, i32, i32, i32)>);

impl Labels {
    /// Writes a centred label at the nearest free height; `steps` are tried in order.
    fn put(
        &mut self,
        area: &Area<'_>,
        label: &str,
        (x, y): (i32, i32),
        colour: RGBColor,
        steps: &[i32],
    ) -> Plotted {
        let half = label.chars().count() as i32 * 4 + 2;
        let x = x.clamp(half, WIDTH as i32 - half);
        let boxed = |y: i32| (x - half, y - 8, x + half, y + 8);
        let apart = |a: (i32, i32, i32, i32), b: &(i32, i32, i32, i32)| {
            a.2 < b.0 || b.2 < a.0 || a.3 < b.1 || b.3 < a.1
        };
        let free = |step: &&i32| self.0.iter().all(|placed| apart(boxed(y + **step), placed));
        let y = y + steps.iter().find(free).or(steps.last()).copied().unwrap_or(0);
        self.0.push(boxed(y));
        area.draw(&Text::new(label.to_owned(), (x, y), text(colour, HPos::Center, VPos::Center)))?;
        Ok(())
    }
}

/// Values that a logarithmic axis can show, within what a machine can be: 1 ps to 1 EB/s, 1 ps or 1 B to 1 EiB.
fn shown(p: &&Point) -> bool {
    (1e-12..1.2e18).contains(&p.x) && (1e-12..1e18).contains(&p.y)
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

pub(super) fn curves(curves: &Curves) -> Drawn {
    let legend = curves.lines.len() as i32 * 22 + 8;
    plot((WIDTH, 420 + legend as u32), |area| {
        let points = || curves.lines.iter().flat_map(|l| &l.points).filter(shown);
        let range = |pick: fn(&Point) -> f64| {
            points()
                .map(pick)
                .fold((f64::INFINITY, 0.0), |(low, high): (f64, f64), x| (low.min(x), high.max(x)))
        };
        let ((left, right), (low, high)) = (range(|p| p.x), range(|p| p.y));
        if !left.is_finite() {
            return Err("no point to show".into());
        }
        let (left, right, low, high) = (left / 1.2, right * 1.2, low / 1.5, high * 3.0);
        let keys = match curves.axes.x.1 {
            Unit::Seconds => times(left, right),
            _ => sizes(left, right),
        };
        let (head, body) = area.split_vertically(legend);
        for (i, line) in curves.lines.iter().enumerate() {
            let y = 15 + i as i32 * 22;
            stroke(&head, i, &[(70, y), (120, y)])?;
            marker(&head, i, (95, y))?;
            head.draw(&Text::new(
                line.label.clone(),
                (130, y),
                text(INK, HPos::Left, VPos::Center),
            ))?;
        }
        let mut chart = ChartBuilder::on(&body)
            .margin(8)
            .margin_right(24)
            .x_label_area_size(52)
            .y_label_area_size(76)
            .build_cartesian_2d(
                (left..right).log_scale().base(2.0).with_key_points(keys),
                (low..high).log_scale().with_key_points(times(low, high)),
            )?;
        chart
            .configure_mesh()
            .disable_mesh()
            .light_line_style(WHITE)
            .axis_style(FAINT)
            .x_desc(curves.axes.x.0)
            .y_desc(curves.axes.y.0)
            .x_label_formatter(&|x| quantity::plain(*x, curves.axes.x.1))
            .y_label_formatter(&|y| quantity::plain(*y, curves.axes.y.1))
            .label_style(text(INK, HPos::Left, VPos::Top))
            .draw()?;
        let plane = chart.plotting_area();
        let at = |x: f64, y: f64| plane.map_coordinate(&(x, y));
        let mut labels = Labels(vec![]);
        for guide in curves.guides.iter().filter(|g| (left..right).contains(&g.x)) {
            let (top, bottom) = (at(guide.x, high), at(guide.x, low));
            for y in (top.1 + 20..bottom.1).step_by(10) {
                area.draw(&PathElement::new([(top.0, y), (top.0, (y + 5).min(bottom.1))], FAINT))?;
            }
            labels.put(area, &guide.label, (top.0, top.1), FAINT, &[10, 28, 46])?;
        }
        for (i, line) in curves.lines.iter().enumerate() {
            let path: Vec<(i32, i32)> =
                line.points.iter().filter(shown).map(|p| at(p.x, p.y)).collect();
            stroke(area, i, &path)?;
            for p in &path {
                marker(area, i, *p)?;
                labels.0.push((p.0 - 4, p.1 - 4, p.0 + 4, p.1 + 4));
            }
            whiskers(area, i, line, &at)?;
        }
        let mut named: Vec<(&str, f64)> = vec![];
        for (i, line) in curves.lines.iter().enumerate() {
            for flat in
                line.plateaus.iter().filter(|f| shown(&&Point { x: f.from, y: f.y, ends: None }))
            {
                let (from, to) = (at(flat.from, flat.y), at(flat.to.clamp(left, right), flat.y));
                let band = PALETTE[i % PALETTE.len()].mix(0.25).stroke_width(9);
                area.draw(&PathElement::new([from, to], band))?;
                // Levels that lie on one another are named once; the table below tells them apart.
                if named
                    .iter()
                    .all(|(name, y)| *name != flat.name || (flat.y / y).ln().abs() > 0.03)
                {
                    named.push((&flat.name, flat.y));
                    let label = format!("{} {}", flat.name, flat.value);
                    let steps = [-16, 18, -33, 35, -50, 52, -67, 69];
                    let middle = ((from.0 + to.0) / 2, from.1);
                    labels.put(area, &label, middle, dark(i), &steps)?;
                }
            }
        }
        Ok(())
    })
}

pub(super) fn loads(loads: &Loads) -> Drawn {
    let legend = loads.lines.len() as i32 * 22 + 8;
    plot((WIDTH, 360 + legend as u32), |area| {
        // Beyond these no machine is, and an axis could not be divided.
        let drawn = |p: &&Point| (0.0..1e15).contains(&p.x) && (1e-12..1e3).contains(&p.y);
        let points = || loads.lines.iter().flat_map(|l| &l.points).filter(drawn);
        let right = points().map(|p| p.x).fold(0.0, f64::max) * 1.05;
        let high = points().map(|p| p.y).fold(0.0, f64::max) * 1.15;
        if right <= 0.0 || high <= 0.0 {
            return Err("no point to show".into());
        }
        let (head, body) = area.split_vertically(legend);
        for (i, line) in loads.lines.iter().enumerate() {
            let y = 15 + i as i32 * 22;
            stroke(&head, i, &[(70, y), (120, y)])?;
            marker(&head, i, (95, y))?;
            let style = text(INK, HPos::Left, VPos::Center);
            head.draw(&Text::new(line.label.clone(), (130, y), style))?;
        }
        let mut chart = ChartBuilder::on(&body)
            .margin(8)
            .margin_right(24)
            .x_label_area_size(52)
            .y_label_area_size(76)
            .build_cartesian_2d(0.0..right, 0.0..high)?;
        chart
            .configure_mesh()
            .disable_mesh()
            .axis_style(FAINT)
            .x_labels(8)
            .y_labels(8)
            .x_desc("bandwidth that others use")
            .y_desc("latency per load")
            .x_label_formatter(&|x| quantity::plain(*x, Unit::BytesPerSecond))
            .y_label_formatter(&|y| quantity::plain(*y, Unit::Seconds))
            .label_style(text(INK, HPos::Left, VPos::Top))
            .draw()?;
        let plane = chart.plotting_area();
        let at = |x: f64, y: f64| plane.map_coordinate(&(x, y));
        let mut labels = Labels(vec![]);
        for guide in loads.guides.iter().filter(|g| (0.0..right).contains(&g.x)) {
            let (top, bottom) = (at(guide.x, high), at(guide.x, 0.0));
            for y in (top.1 + 20..bottom.1).step_by(10) {
                area.draw(&PathElement::new([(top.0, y), (top.0, (y + 5).min(bottom.1))], FAINT))?;
            }
            labels.put(area, &guide.label, (top.0, top.1), FAINT, &[10, 28, 46])?;
        }
        for (i, line) in loads.lines.iter().enumerate() {
            let path: Vec<(i32, i32)> =
                line.points.iter().filter(drawn).map(|p| at(p.x, p.y)).collect();
            stroke(area, i, &path)?;
            for p in &path {
                marker(area, i, *p)?;
            }
            let seen: Vec<Point> = line.points.iter().filter(drawn).copied().collect();
            let line = Line { points: seen, ..Line::default() };
            whiskers(area, i, &line, &at)?;
        }
        Ok(())
    })
}

/// A palette colour dark enough for text.
fn dark(i: usize) -> RGBColor {
    let RGBColor(r, g, b) = PALETTE[i % PALETTE.len()];
    let less = |c: u8| (f64::from(c) * 0.75) as u8;
    RGBColor(less(r), less(g), less(b))
}

fn whiskers(
    area: &Area<'_>,
    i: usize,
    line: &Line,
    at: &dyn Fn(f64, f64) -> (i32, i32),
) -> Plotted {
    for p in line.points.iter().filter(shown) {
        let Some((low, high)) = p.ends.filter(|(low, high)| *low > 0.0 && high.is_finite()) else {
            continue;
        };
        let (bottom, top) = (at(p.x, low), at(p.x, high));
        // Below the size of a marker there is nothing to see.
        if bottom.1 - top.1 > 8 {
            area.draw(&PathElement::new([bottom, top], PALETTE[i % PALETTE.len()]))?;
        }
    }
    Ok(())
}

/// A line of the i-th series: its colour, and dashes of its own.
fn stroke(area: &Area<'_>, i: usize, path: &[(i32, i32)]) -> Plotted {
    let style = PALETTE[i % PALETTE.len()].stroke_width(2);
    match [None, Some((9, 4)), Some((3, 3)), Some((12, 7))][i % 4] {
        None => area.draw(&PathElement::new(path.to_vec(), style))?,
        Some((dash, gap)) => area.draw(&DashedPathElement::new(path.to_vec(), dash, gap, style))?,
    }
    Ok(())
}

/// The mark of the i-th series.
fn marker(area: &Area<'_>, i: usize, at: (i32, i32)) -> Plotted {
    let colour = PALETTE[i % PALETTE.len()];
    match i % 4 {
        0 => area.draw(&Circle::new(at, 3, colour.filled()))?,
        1 => area.draw(&TriangleMarker::new(at, 5, colour.filled()))?,
        2 => area.draw(&Cross::new(at, 3, colour.stroke_width(2)))?,
        _ => area
            .draw(&Rectangle::new([(at.0 - 3, at.1 - 3), (at.0 + 3, at.1 + 3)], colour.filled()))?,
    }
    Ok(())
}

/// Where the names of groups stand, one after the other in lines of this width, and how many lines that takes.
fn legend(groups: &[String], (left, right): (i32, i32)) -> (Vec<(i32, i32)>, i32) {
    let (mut x, mut line) = (left, 0);
    let mut places = vec![];
    for group in groups {
        let width = 22 + group.chars().count() as i32 * 8 + 24;
        if x > left && x + width > right {
            (x, line) = (left, line + 1);
        }
        places.push((x, line * 20));
        x += width;
    }
    (places, line + 1)
}

pub(super) fn bars(bars: &Bars) -> Drawn {
    const ROW: i32 = 24;
    const LEFT: i32 = 130;
    const BARS: u32 = 560;
    let (places, lines) = legend(&bars.groups, (LEFT, BARS as i32));
    let top = 14 + lines * 20;
    // A little air between kernels, whose bars stand together.
    let breaks = bars.bars.windows(2).filter(|w| w[0].label != w[1].label).count() as i32;
    let height = top + bars.bars.len() as i32 * ROW + breaks * 8 + 12;
    plot((BARS, height as u32), |area| {
        let fits = |v: f64| (0.0..1e18).contains(&v);
        let ends = |b: &crate::chart::Bar| b.ends.map_or(b.value, |(_, high)| high);
        let largest =
            bars.bars.iter().map(|b| ends(b).max(b.value)).filter(|v| fits(*v)).fold(0.0, f64::max);
        if largest <= 0.0 {
            return Err("no bar to show".into());
        }
        let room = f64::from(BARS as i32 - LEFT - 110);
        let place = |v: f64| LEFT + (if fits(v) { v } else { 0.0 } / largest * room).round() as i32;
        for (i, (group, (x, y))) in bars.groups.iter().zip(&places).enumerate() {
            let (x, y) = (*x, *y);
            area.draw(&Rectangle::new([(x, y + 8), (x + 16, y + 22)], fill(i)))?;
            hatch(area, i, (x, y + 8), (x + 16, y + 22))?;
            area.draw(&Text::new(
                group.clone(),
                (x + 22, y + 15),
                text(INK, HPos::Left, VPos::Center),
            ))?;
        }
        let mut y = top;
        let mut last = "";
        for bar in &bars.bars {
            if !last.is_empty() && last != bar.label {
                y += 8;
            }
            if last != bar.label {
                let head: String = bar.label.chars().take(18).collect();
                area.draw(&Text::new(
                    head,
                    (LEFT - 10, y + ROW / 2),
                    text(INK, HPos::Right, VPos::Center),
                ))?;
            }
            last = &bar.label;
            let (from, to) = ((LEFT, y + 3), (place(bar.value), y + ROW - 3));
            area.draw(&Rectangle::new([from, to], fill(bar.group)))?;
            hatch(area, bar.group, from, to)?;
            let mut end = to.0;
            if let Some((low, high)) = bar.ends.filter(|(low, high)| fits(*low) && fits(*high)) {
                let (low, high, y) = (place(low), place(high), y + ROW / 2);
                for line in [
                    [(low, y), (high, y)],
                    [(low, y - 4), (low, y + 4)],
                    [(high, y - 4), (high, y + 4)],
                ] {
                    area.draw(&PathElement::new(line.to_vec(), INK))?;
                }
                end = end.max(high);
            }
            area.draw(&Text::new(
                bar.text.clone(),
                (end + 8, y + ROW / 2),
                text(INK, HPos::Left, VPos::Center),
            ))?;
            y += ROW;
        }
        area.draw(&PathElement::new(vec![(LEFT, top), (LEFT, y)], FAINT))?;
        Ok(())
    })
}

pub(super) fn fill(group: usize) -> ShapeStyle {
    PALETTE[group % PALETTE.len()].mix(0.75).filled()
}

/// Groups differ by their stripes too, not by colour alone: the first is plain.
pub(super) fn hatch(area: &Area<'_>, group: usize, from: (i32, i32), to: (i32, i32)) -> Plotted {
    if group % 2 == 1 {
        for x in (from.0 + 6..to.0).step_by(9) {
            area.draw(&PathElement::new(vec![(x, from.1), (x, to.1)], WHITE.mix(0.6)))?;
        }
    }
    Ok(())
}

pub(super) fn timeline(timeline: &Timeline) -> Drawn {
    let panels: Vec<&Panel> =
        timeline.panels.iter().filter(|p| p.spans.iter().any(drawable)).collect();
    plot((WIDTH, 200 * panels.len().max(1) as u32 + 20), |area| {
        let ends = || panels.iter().flat_map(|p| &p.spans).filter(|s| drawable(s)).map(|s| s.0);
        let last = ends().fold(0.0, f64::max).max(1e-3) * 1.02;
        if panels.is_empty() {
            return Err("no sample to show".into());
        }
        for (i, (panel, area)) in
            panels.iter().zip(area.split_evenly((panels.len(), 1))).enumerate()
        {
            let spans = || panel.spans.iter().filter(|s| drawable(s));
            let low = spans().map(|s| s.1).fold(f64::INFINITY, f64::min);
            let high = spans().map(|s| s.2).fold(0.0, f64::max);
            // Never so close that a per mille fills the panel.
            let air = ((high - low) * 0.15).max(high * 0.02);
            let (low, high) = ((low - air).max(0.0), high + air);
            let mut chart = ChartBuilder::on(&area)
                .margin(6)
                .margin_right(24)
                .caption(panel.label, text(INK, HPos::Left, VPos::Top))
                .x_label_area_size(36)
                .y_label_area_size(90)
                .build_cartesian_2d(0.0..last, low..high)?;
            chart
                .configure_mesh()
                .disable_x_mesh()
                .bold_line_style(FAINT.mix(0.3))
                .light_line_style(WHITE)
                .axis_style(FAINT)
                .y_labels(5)
                .x_labels(10)
                .x_label_formatter(&|t| quantity::plain(*t, Unit::Seconds))
                .y_label_formatter(&|v| {
                    quantity::resolved(*v, panel.unit, Some((high - low) / 10.0))
                })
                .label_style(text(INK, HPos::Left, VPos::Top))
                .draw()?;
            let style = PALETTE[i % PALETTE.len()].stroke_width(3);
            for (t, from, to) in spans() {
                chart.draw_series(std::iter::once(PathElement::new(
                    vec![(*t, *from), (*t, *to)],
                    style,
                )))?;
                for end in [from, to] {
                    chart.draw_series(std::iter::once(Circle::new(
                        (*t, *end),
                        2,
                        style.filled(),
                    )))?;
                }
            }
        }
        Ok(())
    })
}

fn drawable((at, low, high): &(f64, f64, f64)) -> bool {
    (0.0..1e9).contains(at) && *low > 0.0 && low <= high && *high < 1e15
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_groups_that_do_not_fit_go_to_the_next_line() {
        let names = |all: &[&str]| all.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
        assert_eq!(legend(&names(&["read", "write"]), (130, 560)), (vec![(130, 0), (208, 0)], 1));
        let long = "1 copy, ref:kunpeng-1630v100-sample";
        let (places, lines) = legend(&names(&["1 copy", "2 copies", long, long]), (130, 560));
        assert_eq!((places[1].1, places[2], places[3], lines), (0, (130, 20), (130, 40), 3));
    }
}
