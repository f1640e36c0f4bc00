//! The machine's parts as boxes inside boxes. Drawn by template: no chart library knows sockets.
use super::frame::Drawn;
use analyse::words;
use askama::Template;
use sections::chart::{Part, Rank};

#[derive(Template)]
#[template(path = "drawing.svg")]
struct Boxes {
    boxes: Vec<Placed>,
}
struct Placed {
    x: usize,
    y: usize,
    width: usize,
    height: usize,
    class: &'static str,
    lines: Vec<String>,
    title: String,
    off: bool,
}

/// Width of the whole in user units.
const WIDTH: usize = 880;
/// Between boxes, and between a box and what is in it.
const GAP: usize = 8;
/// Height of a line of text.
const LINE: usize = 14;
/// Above this many cores a core shows its threads' numbers only; the rest is in its title.
const ROOMY: usize = 32;

/// A box with everything inside it, at the origin.
struct Laid {
    width: usize,
    height: usize,
    boxes: Vec<Placed>,
}

/// How everything is drawn: with each core's caches or without, and how many digits the longest CPU number has, so
/// that equal parts are equally wide.
#[derive(Clone, Copy)]
struct Style {
    roomy: bool,
    digits: usize,
}

impl Style {
    fn gap(self) -> usize {
        if self.roomy { GAP } else { GAP / 2 }
    }
}

pub(super) fn drawn(whole: &Part) -> askama::Result<Drawn> {
    let style = Style { roomy: cores(whole) <= ROOMY, digits: digits(whole) };
    let (boxes, width, height) = flow(&whole.parts, WIDTH, style);
    let width = width.max(240);
    Ok(Drawn {
        body: Boxes { boxes }.render()?,
        width: width as u32,
        height: height.max(20) as u32,
        least: (width * 9 / 10) as u32,
    })
}

fn cores(part: &Part) -> usize {
    if part.rank == Rank::Core {
        part.cores.unwrap_or(1)
    } else {
        part.parts.iter().map(cores).sum()
    }
}

fn digits(part: &Part) -> usize {
    match part.rank {
        Rank::Thread => part.label.len(),
        _ => part.parts.iter().map(digits).max().unwrap_or(0),
    }
}

/// Boxes side by side, in as many rows as they need; with the size of it all.
fn flow(parts: &[Part], room: usize, style: Style) -> (Vec<Placed>, usize, usize) {
    let (mut x, mut y, mut row, mut widest) = (0, 0, 0, 0);
    let mut boxes = vec![];
    for part in parts {
        let laid = laid(part, room, style);
        if x > 0 && x + laid.width > room {
            (x, y, row) = (0, y + row + style.gap(), 0);
        }
        boxes.extend(laid.boxes.into_iter().map(|b| Placed { x: b.x + x, y: b.y + y, ..b }));
        widest = widest.max(x + laid.width);
        x += laid.width + style.gap();
        row = row.max(laid.height);
    }
    (boxes, widest, y + row)
}

fn laid(part: &Part, room: usize, style: Style) -> Laid {
    let full = match part.note.is_empty() {
        true => part.label.clone(),
        false => format!("{}: {}", part.label, part.note).into(),
    };
    let lines: Vec<String> = match part.rank {
        Rank::Core if style.roomy => {
            let notes = part.note.split(", ").filter(|n| !n.is_empty()).map(str::to_owned);
            std::iter::once(part.label.to_string()).chain(notes).collect()
        }
        Rank::Core => vec![],
        Rank::Thread => vec![part.label.to_string()],
        _ => vec![full.to_string()],
    };
    let most = (room.saturating_sub(2 * GAP) / 7).max(4);
    let lines: Vec<String> = lines.iter().map(|line| words::shortened(line, most)).collect();
    // 12 px sans-serif: no letter mix of ours is wider than 7 px a letter on average.
    let letters = lines.iter().map(|l| l.chars().count()).max().unwrap_or(0);
    let letters = if part.rank == Rank::Thread { letters.max(style.digits) } else { letters };
    let text = letters * 7 + 12;
    let head = lines.len() * LINE + 4;
    let edge = if part.rank == Rank::Core && !style.roomy { 3 } else { style.gap() };
    let (inner, width, height) = flow(&part.parts, room.saturating_sub(2 * edge).max(40), style);
    let own = Placed {
        x: 0,
        y: 0,
        width: text.max(if part.parts.is_empty() { 0 } else { width + 2 * edge }),
        height: head.max(6) + if part.parts.is_empty() { 2 } else { height + edge },
        class: match part.rank {
            Rank::Machine | Rank::Package => "package",
            Rank::Node => "node",
            Rank::Die => "die",
            Rank::Cache | Rank::Cluster => "cache",
            Rank::Core => "core",
            Rank::Thread => "thread",
        },
        title: if part.off { format!("{full} (offline)") } else { full.to_string() },
        lines,
        off: part.off,
    };
    let (width, height) = (own.width, own.height);
    let inner = inner.into_iter().map(|b| Placed { x: b.x + edge, y: b.y + head, ..b });
    let boxes = std::iter::once(own).chain(inner).collect();
    Laid { width, height, boxes }
}
