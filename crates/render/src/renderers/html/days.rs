//! Figures of a machine over days: a panel each, the medians of the stretches between changes, and below them the settings that
//! changed, each with a line through all panels.
use super::canvas::{At, Canvas, FAINT, INK, LINE, PALETTE, fitted};
use super::frame::Drawn;
use super::plotted::{Axis, Plane, WIDTH, drawn as framed, nothing};
use crate::quantity;
use record::Text;
use sections::chart::{Dated, Days, range};

/// Pixels of a panel.
const PANEL: f64 = 132.0;

pub(super) fn drawn(days: &Days) -> Drawn {
    let figures: Vec<&Dated> =
        days.figures.iter().filter(|f| f.points.iter().any(drawable)).collect();
    let points = figures.iter().flat_map(|f| &f.points).filter(|p| drawable(p));
    let (first, last) = range(points.map(|(at, _)| *at));
    if figures.is_empty() {
        return nothing();
    }
    let air = ((last - first) * 0.02).max(60.0);
    let (first, last) = (first - air, last + air);
    let mut canvas = Canvas::default();
    let bottom = 10.0 + PANEL * figures.len() as f64;
    let mut below = bottom;
    for (i, figure) in figures.iter().enumerate() {
        let top = 10.0 + PANEL * i as f64;
        let plane = panel(&mut canvas, figure, i, (first, last), (top, &days.ticks));
        for (number, (at, words)) in days.settings.iter().enumerate() {
            let x = plane.at(*at, 0.0).0;
            canvas.line(&[(x, plane.top), (x, plane.bottom)], FAINT, 1.0, "3 3");
            if i + 1 == figures.len() {
                let name = (number + 1).to_string();
                canvas.shape(4, (x, bottom + 10.0), INK, words);
                canvas.text((x + 7.0, bottom + 10.0), At::Start, INK, &name);
                let y = bottom + 10.0 + LINE * (number + 1) as f64;
                let line = fitted(&format!("{name}  {words}"), WIDTH - 8.0);
                canvas.text((4.0, y), At::Start, INK, &line);
                below = y + LINE;
            }
        }
    }
    framed(canvas, (WIDTH, below))
}

fn panel(
    canvas: &mut Canvas,
    figure: &Dated,
    number: usize,
    (first, last): (f64, f64),
    (top, ticks): (f64, &[(f64, Text)]),
) -> Plane {
    let points: Vec<(f64, f64)> = figure.points.iter().filter(|p| drawable(p)).copied().collect();
    let y = Axis::panel(points.iter().map(|p| p.1), (&figure.label, figure.unit), 3.0);
    let x = Axis {
        low: first,
        high: last,
        log: false,
        name: String::new(),
        ticks: ticks.iter().map(|(at, text)| (*at, text.to_string())).collect(),
    };
    // The room of an axis' name is used for the next panel.
    let plane = Plane::new(canvas, (top, top + PANEL + LINE - 4.0, WIDTH), x, y);
    let colour = PALETTE[number % PALETTE.len()];
    let mut from = first;
    for (i, (at, [before, after], words)) in figure.changes.iter().enumerate() {
        let to = figure.changes.get(i + 1).map_or(last, |(next, ..)| *next);
        for (a, b, y) in [(from, *at, *before), (*at, to, *after)] {
            canvas.line(&[plane.at(a, y), plane.at(b, y)], &format!("{colour}60"), 5.0, "");
        }
        from = *at;
        let x = plane.at(*at, 0.0).0;
        canvas.line(&[(x, plane.top), (x, plane.bottom)], PALETTE[1], 2.0, "");
        let end = if x > WIDTH * 0.8 { (At::End, x - 5.0) } else { (At::Start, x + 5.0) };
        canvas.text((end.1, plane.top + 5.0), end.0, INK, words);
    }
    for (at, value) in &points {
        canvas.shape(0, plane.at(*at, *value), colour, quantity::plain(*value, figure.unit));
    }
    plane
}

fn drawable((at, value): &(f64, f64)) -> bool {
    (0.0..1e11).contains(at) && (1e-15..1e18).contains(value)
}
