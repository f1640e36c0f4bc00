//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod csv;
pub mod html;
pub mod hwloc;
pub mod json;
pub mod jsonl;
pub mod markdown;
pub mod oslat;
pub mod osnoise;
pub mod sysjitter;
pub mod text;
pub mod unixbench;
pub mod unixbench_csv;

use crate::renderer::Renderer;

/// Every renderer and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Renderer)] = &[
    ("csv", &csv::Csv),
    ("html", &html::Html),
    ("hwloc", &hwloc::Hwloc),
    ("json", &json::Json),
    ("jsonl", &jsonl::Jsonl),
    ("markdown", &markdown::Markdown),
    ("oslat", &oslat::Oslat),
    ("osnoise", &osnoise::Osnoise),
    ("sysjitter", &sysjitter::Sysjitter),
    ("text", &text::Text),
    ("unixbench", &unixbench::Unixbench),
    ("unixbench_csv", &unixbench_csv::UnixbenchCsv),
];
