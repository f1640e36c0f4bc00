//! The matrix of pairs as coloured boxes. Drawn by template, since each box carries a title of its own.
use super::frame::Drawn;
use crate::quantity;
use askama::Template;
use sections::chart::{Heat, range};
use std::collections::BTreeMap;

/// Above this many CPUs a box is too small for a number.
const READABLE: usize = 64;
/// Room for the headings on the left and on top.
const MARGIN: usize = 44;

#[derive(Template)]
#[template(path = "heat.svg")]
struct Map {
    size: usize,
    font: usize,
    /// Place, anchor and text of each heading.
    axis: Vec<(usize, usize, &'static str, u32)>,
    cells: Vec<Shown>,
    /// Boxes too small for a text, by their colour.
    paths: BTreeMap<String, String>,
    /// Place, colour and text of each part of the scale.
    key: Vec<(usize, usize, String, String)>,
}
struct Shown {
    x: usize,
    y: usize,
    fill: String,
    ink: &'static str,
    text: String,
    title: String,
    split: bool,
}

/// Stops of cividis (Nunez, Anderton, Renslow 2018), made to look alike to every kind of colour vision and in grey.
const CIVIDIS: [(u8, u8, u8); 5] =
    [(0, 32, 77), (66, 78, 107), (124, 123, 120), (187, 173, 108), (255, 233, 69)];

/// The colour at a share from 0 to 1, and whether white text reads better on it.
fn colour(share: f64) -> (String, bool) {
    let along = share.clamp(0.0, 1.0) * 4.0;
    let i = (along.floor() as usize).min(3);
    let mix = |a: u8, b: u8| {
        (f64::from(a) + (f64::from(b) - f64::from(a)) * (along - i as f64)).round() as u8
    };
    let (a, b) = (CIVIDIS[i], CIVIDIS[i + 1]);
    let (r, g, b) = (mix(a.0, b.0), mix(a.1, b.1), mix(a.2, b.2));
    let light = 0.299 * f64::from(r) + 0.587 * f64::from(g) + 0.114 * f64::from(b);
    (format!("#{r:02x}{g:02x}{b:02x}"), light < 128.0)
}

pub(super) fn drawn(heat: &Heat) -> askama::Result<Drawn> {
    let columns = heat.to.as_ref().unwrap_or(&heat.cpus);
    let n = heat.cpus.len().max(columns.len());
    let readable = n <= READABLE;
    let size = if readable { (720 / n.max(1)).clamp(34, 64) } else { (900 / n).max(3) };
    let values = heat.cells.iter().map(|c| c.value);
    let (low, high) = range(values.filter(|v| *v > 0.0 && v.is_finite()));
    // Latencies of unlike relations differ by factors, so the scale is logarithmic.
    let share =
        |v: f64| if high > low && v > 0.0 { (v / low).ln() / (high / low).ln() } else { 0.0 };
    let at = |i: usize| MARGIN + i * size;
    let mut map = Map {
        size,
        font: if size < 40 { 11 } else { 14 },
        axis: vec![],
        cells: vec![],
        paths: BTreeMap::new(),
        key: vec![],
    };
    let every = if readable { 1 } else { n.div_ceil(16) };
    for (i, head) in columns.iter().enumerate().step_by(every) {
        map.axis.push((at(i) + size / 2, MARGIN - 8, "middle", *head));
    }
    for (i, head) in heat.cpus.iter().enumerate().step_by(every) {
        map.axis.push((MARGIN - 8, at(i) + size / 2 + 5, "end", *head));
    }
    for cell in &heat.cells {
        let (fill, dark) = colour(if readable {
            share(cell.value)
        } else {
            (share(cell.value) * 31.0).round() / 31.0
        });
        // What holds in both directions is drawn twice.
        let mirrored = heat.to.is_none().then_some((cell.column, cell.row));
        for (row, column) in [(cell.row, cell.column)].into_iter().chain(mirrored) {
            if readable {
                map.cells.push(Shown {
                    x: at(column),
                    y: at(row),
                    fill: fill.clone(),
                    ink: if dark { "#fff" } else { "#000" },
                    text: cell.text.to_string(),
                    title: cell.title.to_string(),
                    split: cell.split,
                });
            } else {
                let path = map.paths.entry(fill.clone()).or_default();
                *path += &format!("M{} {}h{size}v{size}h-{size}z", at(column), at(row));
            }
        }
    }
    let bottom = at(heat.cpus.len()) + 14;
    for i in 0..8 {
        let text = match i {
            0 if low.is_finite() => quantity::plain(low, heat.unit),
            7 if high > low => quantity::plain(high, heat.unit),
            _ => String::new(),
        };
        map.key.push((MARGIN + i * 36, bottom, colour(i as f64 / 7.0).0, text));
    }
    let width = (at(columns.len()) + 10).max(MARGIN + 8 * 36 + 60);
    Ok(Drawn {
        body: map.render()?,
        width: width as u32,
        height: (bottom + 36) as u32,
        least: if readable { (width * 9 / 10) as u32 } else { 520 },
    })
}
