//! One file that loads nothing: no scripts, styles inside, charts as inline SVG, each with its data below.
mod drawing;
mod frame;
mod heat;
mod plotted;
mod waterfall;

use crate::chart::{Chart, Kind};
use crate::document::Document;
use crate::page::{Banner, Block, Page};
use crate::renderer::{Renderer, Settings};
use analyse::Report;
use analyse::compare::Comparison;
use askama::Template;
use record::{Environment, Machine};
use std::io::{self, Write};

/// A page for a browser, paper or a phone.
#[derive(Debug)]
pub struct Html;

impl Renderer for Html {
    fn title(&self) -> &'static str {
        "A web page in one file"
    }
    fn render(
        &self,
        report: &Report<'_>,
        settings: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write(&Page::of_report(report, settings.section), out)
    }
    fn info(&self, machine: &Machine, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        write(&Page::of_machine(machine), out)
    }
    fn compare(
        &self,
        comparison: &Comparison,
        _: &Settings,
        out: &mut dyn Write,
    ) -> io::Result<()> {
        write(&Page::of_comparison(comparison), out)
    }
    fn document(&self, document: &Document, _: &Settings, out: &mut dyn Write) -> io::Result<()> {
        write(&document.page, out)
    }
}

#[derive(Template)]
#[template(path = "page.html")]
struct Whole<'a> {
    page: &'a Page,
    style: &'static str,
}

#[derive(Template)]
#[template(path = "block.html")]
struct Piece<'a> {
    block: &'a Block,
}

fn write(page: &Page, out: &mut dyn Write) -> io::Result<()> {
    let whole = Whole { page, style: include_str!("style.css") };
    out.write_all(whole.render().map_err(io::Error::other)?.as_bytes())
}

/// A block as HTML, escaped by its own template.
fn laid(block: &Block) -> askama::Result<String> {
    Piece { block }.render()
}

/// The class of a banner.
fn word(banner: &Banner) -> &'static str {
    match banner.environment {
        Environment::Pass => "valid",
        Environment::Warn => "doubtful",
        Environment::Fail => "invalid",
    }
}

/// What the chart shows, in rows.
fn data(chart: &Chart) -> askama::Result<String> {
    laid(&Block::Table(chart.table.clone()))
}

/// A chart as SVG.
fn picture(chart: &Chart) -> askama::Result<String> {
    let drawn = match &chart.kind {
        Kind::Curves(curves) => plotted::curves(curves),
        Kind::Loads(loads) => plotted::loads(loads),
        Kind::Bars(bars) => plotted::bars(bars),
        Kind::Timeline(timeline) => plotted::timeline(timeline),
        Kind::Heat(heat) => heat::drawn(heat)?,
        Kind::Drawing(part) => drawing::drawn(part)?,
        Kind::Waterfall(falls) => waterfall::drawn(falls),
    };
    frame::framed(chart, &drawn)
}
