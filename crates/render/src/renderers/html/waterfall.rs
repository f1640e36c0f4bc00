//! A waterfall of factors: bars on a logarithmic axis, each from where the one before it ended.
use super::canvas::{At, Canvas, FAINT, INK, fitted, measured};
use super::frame::Drawn;
use super::plotted::drawn as framed;
use crate::falls;
use sections::chart::Fall;

const ROW: f64 = 28.0;
const WIDTH: f64 = 720.0;
const TOP: f64 = 12.0;

pub(super) fn drawn(of: &[Fall]) -> Drawn {
    let height = TOP + of.len() as f64 * ROW + 12.0;
    let mut canvas = Canvas::default();
    let Some((low, high)) = falls::range(of) else {
        canvas.text((20.0, 26.0), At::Start, INK, "No factor to show.");
        return framed(canvas, (WIDTH, 48.0));
    };
    let widest = |of: &mut dyn Iterator<Item = &str>| of.map(measured).fold(0.0, f64::max);
    let left = widest(&mut of.iter().map(|f| f.label.as_str())).min(260.0) + 14.0;
    let right = widest(&mut of.iter().map(|f| f.text.as_str())).min(200.0) + 20.0;
    let room = WIDTH - left - right;
    let place = |x: f64| left + (x.clamp(low, high) / low).ln() / (high / low).ln() * room;
    let one = place(1.0);
    canvas.line(&[(one, TOP), (one, height - 8.0)], FAINT, 1.0, "");
    for (i, fall) in of.iter().enumerate() {
        let y = TOP + i as f64 * ROW;
        let middle = y + ROW / 2.0;
        canvas.text((left - 8.0, middle), At::End, INK, &fitted(&fall.label, left - 12.0));
        let (a, b) = (place(fall.from), place(fall.to));
        let (from, to) = ((a.min(b), y + 5.0), (a.max(b).max(a.min(b) + 1.0), y + ROW - 5.0));
        // Slower is another colour than faster, and stripes are what nobody measured.
        let group = usize::from(fall.to < fall.from);
        canvas.bar(from, to, group, &format!("{}: {}", fall.label, fall.text));
        if fall.open {
            canvas.hatch(1, from, to);
        }
        if let Some((low, high)) = fall.ends {
            canvas.whisker((place(low), middle), (place(high), middle), INK);
        }
        if i + 1 < of.len() {
            canvas.line(&[(b, y + ROW - 5.0), (b, y + ROW + 5.0)], FAINT, 1.0, "");
        }
        let text = fitted(&fall.text, right - 12.0);
        canvas.text((WIDTH - right + 12.0, middle), At::Start, INK, &text);
    }
    framed(canvas, (WIDTH, height))
}
