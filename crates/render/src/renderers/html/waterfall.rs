//! A waterfall of factors: bars on a logarithmic axis, each from where the one before it ended.
use super::frame::Drawn;
use super::plotted::{FAINT, INK, Plotted, fill, hatch, plot, text};
use crate::chart::Waterfall;
use crate::falls;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, VPos};

const ROW: i32 = 28;
const LEFT: i32 = 190;
const WIDTH: i32 = 720;
/// Room for the factor in words.
const RIGHT: i32 = 150;
const TOP: i32 = 12;

pub(super) fn drawn(of: &Waterfall) -> Drawn {
    let height = TOP + of.falls.len() as i32 * ROW + 12;
    plot((WIDTH as u32, height as u32), |area| -> Plotted {
        let Some((low, high)) = falls::range(of) else { return Err("no factor to show".into()) };
        let room = f64::from(WIDTH - LEFT - RIGHT);
        let place = |x: f64| {
            let share = (x.clamp(low, high) / low).ln() / (high / low).ln();
            LEFT + (share * room).round() as i32
        };
        let line = |from: (i32, i32), to: (i32, i32), colour| PathElement::new([from, to], colour);
        let one = place(1.0);
        area.draw(&line((one, TOP), (one, height - 8), FAINT))?;
        for (i, fall) in of.falls.iter().enumerate() {
            let y = TOP + i as i32 * ROW;
            let label: String = fall.label.chars().take(26).collect();
            let beside = text(INK, HPos::Right, VPos::Center);
            area.draw(&Text::new(label, (LEFT - 10, y + ROW / 2), beside))?;
            let (a, b) = (place(fall.from), place(fall.to));
            let (from, to) = ((a.min(b), y + 5), (a.max(b).max(a.min(b) + 1), y + ROW - 5));
            // Slower is another colour than faster, and stripes are what nobody measured.
            let group = usize::from(fall.to < fall.from);
            area.draw(&Rectangle::new([from, to], fill(group)))?;
            if fall.open {
                hatch(area, 1, from, to)?;
            }
            if let Some((low, high)) = fall.ends {
                let (low, high, middle) = (place(low), place(high), y + ROW / 2);
                for (from, to) in [
                    ((low, middle), (high, middle)),
                    ((low, middle - 4), (low, middle + 4)),
                    ((high, middle - 4), (high, middle + 4)),
                ] {
                    area.draw(&line(from, to, INK))?;
                }
            }
            if i + 1 < of.falls.len() {
                area.draw(&line((b, y + ROW - 5), (b, y + ROW + 5), FAINT))?;
            }
            let style = text(INK, HPos::Left, VPos::Center);
            area.draw(&Text::new(fall.text.clone(), (WIDTH - RIGHT + 12, y + ROW / 2), style))?;
        }
        Ok(())
    })
}
