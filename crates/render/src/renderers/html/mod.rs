//! One file that loads nothing: no scripts, styles inside, charts as inline SVG, each with its data below.
mod canvas;
mod compared;
mod days;
mod drawing;
mod first;
mod frame;
mod heat;
mod plotted;
mod waterfall;

pub(super) use canvas::escaped;

use crate::language;
use crate::renderer::{Renderer, Settings, Subject};
use crate::summary::screen::Both;
use askama::Template;
use compared::Compared;
use first::{First, class};
use messages::Lang;
use messages::prose::{self, Words};
use record::visible;
use sections::chart::{Chart, Kind};
use sections::page::{Block, Page, Section};
use std::io::{self, Write};

/// A page for a browser, paper or a phone.
pub(crate) static RENDERER: Renderer = Renderer::of_all(write);

pub(crate) fn write(of: Subject<'_>, settings: &Settings, out: &mut dyn Write) -> io::Result<()> {
    let page = &of.page(settings);
    let whole = Whole::plain(page, settings);
    match of {
        Subject::Report(report) if settings.section.is_none() => {
            let first = first::first(report, page, &settings.record);
            let model = report.record.machine.text("cpu.model");
            let name = report.record.provenance.called();
            let title: Vec<&str> = name.into_iter().chain(model).collect();
            let title = if title.is_empty() { page.title.to_string() } else { title.join(", ") };
            Whole { title, first: Some(&first), ..whole }.write(out)
        }
        Subject::Comparison(comparison) => {
            Whole { beside: Some(&compared::compared(comparison)), ..whole }.write(out)
        }
        _ => whole.write(out),
    }
}

#[derive(Template)]
#[template(path = "page.html")]
struct Whole<'a> {
    page: &'a Page,
    title: String,
    /// A report opens with its summary.
    first: Option<&'a First<'a>>,
    /// Several records open side by side.
    beside: Option<&'a Compared>,
    /// Whether it opens in Chinese.
    zh: bool,
    style: &'static str,
}

impl<'a> Whole<'a> {
    fn plain(page: &'a Page, settings: &Settings) -> Whole<'a> {
        Whole {
            page,
            title: page.title.to_string(),
            first: None,
            beside: None,
            zh: settings.lang == Lang::Zh,
            style: STYLE,
        }
    }
    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let page = self.render().map_err(io::Error::other)?;
        // Words of the summary come from records, too.
        out.write_all(visible(&page).as_bytes())
    }
}

const STYLE: &str = include_str!("style.css");

#[derive(Template)]
#[template(path = "block.html")]
struct Piece<'a> {
    block: &'a Block,
}

/// A text in Chinese, if it is another one.
fn chinese(english: &(impl Words + ?Sized)) -> Option<String> {
    prose::translated(Lang::Zh, english)
}

/// Whether a cell is a number or a range, which is the same to every reader and most of a page.
fn amount(cell: &str) -> bool {
    cell.starts_with(|c: char| c.is_ascii_digit())
}

/// A text in each language.
fn say<T: Words + AsRef<str> + ?Sized>(english: &T) -> Both {
    Both::of(|lang| prose::in_language(lang, english))
}

/// A name of parameters in each language, without underscores.
fn named(english: &str) -> Both {
    Both::of(|lang| prose::in_language(lang, english).replace('_', " "))
}

/// A section's title in each language.
fn titled(section: &Section) -> Both {
    Both::of(|lang| language::title(lang, section).to_owned())
}

fn begins(section: &Section) -> Both {
    first::begins(&section.blocks)
}

/// A word of the page itself.
fn said(key: &str) -> Both {
    Both::of(|lang| messages::text(lang, key).unwrap_or_default().to_owned())
}

/// A block as HTML, escaped by its own template.
fn laid(block: &Block) -> askama::Result<String> {
    Piece { block }.render()
}

/// The data of the chart, in rows.
fn data(chart: &Chart) -> askama::Result<String> {
    laid(&Block::Table(chart.table.clone()))
}

/// A chart as SVG. An element whose words differ is there in each language; a matrix is too large for that.
fn picture(chart: &Chart) -> askama::Result<String> {
    sized(chart, plotted::WIDTH)
}

/// A chart that is narrower where it is of curves.
fn sized(chart: &Chart, width: f64) -> askama::Result<String> {
    let mut english = drawn(chart, Lang::En, width)?;
    if !matches!(chart.kind, Kind::Heat(_)) {
        let chinese = drawn(&language::chart(Lang::Zh, chart), Lang::Zh, width)?;
        english = english.with(&chinese);
    }
    frame::framed(chart, &english)
}

/// The chart for the window of a phone.
fn phone(chart: &Chart) -> askama::Result<String> {
    let chart = Chart { name: format!("{}-phone", chart.name), ..chart.clone() };
    sized(&chart, plotted::PHONE)
}

fn drawn(chart: &Chart, lang: Lang, width: f64) -> askama::Result<frame::Drawn> {
    Ok(match &chart.kind {
        Kind::Curves(curves) => plotted::curves(curves, width),
        Kind::Bars(bars) => plotted::bars(bars),
        Kind::Timeline(timeline) => plotted::timeline(timeline, lang),
        Kind::Days(days) => days::drawn(days),
        Kind::Heat(heat) => heat::drawn(heat)?,
        Kind::Drawing(part) => drawing::drawn(part)?,
        Kind::Waterfall(falls) => waterfall::drawn(falls),
    })
}
