//! The frame of every chart: a name, a title and a description for readers who cannot see it.
use askama::Template;
use sections::chart::Chart;

/// The inside of an SVG image and its size in user units.
#[derive(Debug)]
pub(super) struct Drawn {
    /// Elements; every text in them is already escaped.
    pub(super) body: String,
    /// Width, at which the text has its natural size.
    pub(super) width: u32,
    /// Height.
    pub(super) height: u32,
    /// Narrower than this the text cannot be read: the chart then scrolls.
    pub(super) least: u32,
}

impl Drawn {
    /// Joins the image with that of another language: an element a line, and one that differs is there twice. The larger size has
    /// room for both.
    pub(super) fn with(self, other: &Drawn) -> Drawn {
        let lines = |drawn: &Drawn| drawn.body.lines().count();
        let body = match lines(&self) == lines(other) {
            true => self.body.lines().zip(other.body.lines()).map(both).collect(),
            false => both((&self.body, &other.body)),
        };
        let (width, height) = (self.width.max(other.width), self.height.max(other.height));
        Drawn { body, width, height, least: self.least.max(other.least) }
    }
}

fn both((en, zh): (&str, &str)) -> String {
    match en == zh {
        true => format!("{en}\n"),
        false => format!("<g lang=\"en\">{en}</g><g lang=\"zh\">{zh}</g>\n"),
    }
}

#[derive(Template)]
#[template(path = "frame.svg")]
struct Frame<'a> {
    chart: &'a Chart,
    drawn: &'a Drawn,
}

/// The whole image.
pub(super) fn framed(chart: &Chart, drawn: &Drawn) -> askama::Result<String> {
    Frame { chart, drawn }.render()
}
