//! SVG elements as text, and the room that words take. Every text is escaped here.
use std::fmt::{Display, Write as _};
use unicode_width::UnicodeWidthStr;

/// Okabe and Ito's palette without yellow, which is too light for lines on paper.
pub(super) const PALETTE: [&str; 6] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"];
pub(super) const INK: &str = "#1a1a1a";
pub(super) const FAINT: &str = "#767676";
/// Pixels of a line of text.
pub(super) const LINE: f64 = 18.0;
/// Pixels of a terminal's column in text of 13 pixels: wide letters of usual fonts take 0.58 of the height.
const COLUMN: f64 = 13.0 * 0.58;

/// Pixels that a text takes.
pub(super) fn measured(text: &str) -> f64 {
    text.width() as f64 * COLUMN
}

/// The text if it fits, else its beginning and an ellipsis.
pub(super) fn fitted(text: &str, room: f64) -> String {
    if measured(text) <= room {
        return text.to_owned();
    }
    let mut cut = String::new();
    for c in text.chars() {
        cut.push(c);
        if measured(&cut) + COLUMN > room {
            cut.pop();
            break;
        }
    }
    cut.trim_end().to_owned() + "\u{2026}"
}

/// A text inside of an element or an attribute of XML.
pub(in crate::renderers) fn escaped(text: &str) -> String {
    let safe = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    safe.replace('"', "&quot;")
}

/// The anchor of a text at its position.
#[derive(Clone, Copy)]
pub(super) enum At {
    Start,
    Middle,
    End,
}

/// Elements in drawing order.
#[derive(Debug, Default)]
pub(super) struct Canvas(String);

impl Canvas {
    pub(super) fn done(self) -> String {
        self.0
    }
    fn put(&mut self, element: std::fmt::Arguments<'_>) {
        // Writing to a String does not fail.
        let _ = self.0.write_fmt(element);
        self.0.push('\n');
    }
    /// A line of text whose middle is at `y`.
    pub(super) fn text(&mut self, (x, y): (f64, f64), at: At, fill: &str, text: &str) {
        let anchor = match at {
            At::Start => "start",
            At::Middle => "middle",
            At::End => "end",
        };
        let y = y + 4.5;
        let text = escaped(text);
        self.put(format_args!(
            r#"<text x="{x:.1}" y="{y:.1}" class="axis" style="fill:{fill}" text-anchor="{anchor}">{text}</text>"#
        ));
    }
    /// Straight lines through points. `dash` as in SVG, empty for none.
    pub(super) fn line(&mut self, points: &[(f64, f64)], stroke: &str, wide: f64, dash: &str) {
        if points.is_empty() {
            return;
        }
        let mut path = String::new();
        for (i, (x, y)) in points.iter().enumerate() {
            let _ = write!(path, "{}{x:.1} {y:.1}", if i == 0 { 'M' } else { 'L' });
        }
        let dash = match dash {
            "" => String::new(),
            dash => format!(r#" stroke-dasharray="{dash}""#),
        };
        self.put(format_args!(
            r#"<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{wide}"{dash}/>"#
        ));
    }
    /// A box from corner to corner, with what a pointer on it shows.
    pub(super) fn bar(&mut self, from: (f64, f64), to: (f64, f64), group: usize, title: &str) {
        let ((x, y), fill) = (from, PALETTE[group % PALETTE.len()]);
        let (wide, high) = ((to.0 - x).max(0.0), (to.1 - y).max(0.0));
        self.put(format_args!(
            r#"<g><title>{}</title><rect x="{x:.1}" y="{y:.1}" width="{wide:.1}" height="{high:.1}" fill="{fill}" fill-opacity=".75"/></g>"#,
            escaped(title)
        ));
    }
    /// Stripes over a box: groups differ by them too, not by colour alone. The first is plain.
    pub(super) fn hatch(&mut self, group: usize, from: (f64, f64), to: (f64, f64)) {
        let mut x = from.0 + 6.0;
        while group % 2 == 1 && x < to.0 {
            self.line(&[(x, from.1), (x, to.1)], "#fffb", 1.5, "");
            x += 9.0;
        }
    }
    /// A whisker from one end to the other, lying or standing.
    pub(super) fn whisker(&mut self, from: (f64, f64), to: (f64, f64), stroke: &str) {
        let lying = (to.0 - from.0).abs() > (to.1 - from.1).abs();
        let (dx, dy) = if lying { (0.0, 4.0) } else { (4.0, 0.0) };
        self.line(&[from, to], stroke, 1.5, "");
        for (x, y) in [from, to] {
            self.line(&[(x - dx, y - dy), (x + dx, y + dy)], stroke, 1.5, "");
        }
    }
    /// The mark of the i-th series; a pointer on it shows the title.
    pub(super) fn mark(&mut self, i: usize, at: (f64, f64), title: impl Display) {
        self.shape(i % 4, at, PALETTE[i % PALETTE.len()], title);
    }
    /// A circle, triangle, cross, square or diamond.
    pub(super) fn shape(
        &mut self,
        shape: usize,
        (x, y): (f64, f64),
        fill: &str,
        title: impl Display,
    ) {
        let path = match shape {
            0 => "m-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0 -7 0z",
            1 => "m0 -4.5l4.5 8h-9z",
            2 => "m-4 -3l1 -1l3 3l3 -3l1 1l-3 3l3 3l-1 1l-3 -3l-3 3l-1 -1l3 -3z",
            3 => "m-3.5 -3.5h7v7h-7z",
            _ => "m0 -5l4 5l-4 5l-4 -5z",
        };
        let title = escaped(&title.to_string());
        self.put(format_args!(
            r#"<path d="M{x:.1} {y:.1}{path}" fill="{fill}"><title>{title}</title></path>"#
        ));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_cut_and_says_so() {
        assert_eq!(fitted("copy_nt", 200.0), "copy_nt");
        let cut = fitted("copy_nt with a long name", 80.0);
        assert!(cut.ends_with('\u{2026}') && measured(&cut) <= 80.0, "{cut}");
        assert!(measured("内存") > measured("ab"));
    }

    #[test]
    fn text_cannot_leave_its_element() {
        let mut canvas = Canvas::default();
        canvas.text((0.0, 0.0), At::Start, INK, "</text><script>");
        canvas.mark(1, (1.0, 1.0), "\"<&>");
        let svg = canvas.done();
        assert!(!svg.contains("<script") && svg.contains("&quot;&lt;&amp;&gt;"), "{svg}");
    }
}
