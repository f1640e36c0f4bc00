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
pub static ALL: &[(&str, &Renderer)] = &[
    ("csv", &csv::RENDERER),
    ("html", &html::RENDERER),
    ("hwloc", &hwloc::RENDERER),
    ("json", &json::RENDERER),
    ("jsonl", &jsonl::RENDERER),
    ("markdown", &markdown::RENDERER),
    ("oslat", &oslat::RENDERER),
    ("osnoise", &osnoise::RENDERER),
    ("sysjitter", &sysjitter::RENDERER),
    ("text", &text::RENDERER),
    ("unixbench", &unixbench::RENDERER),
    ("unixbench_csv", &unixbench_csv::RENDERER),
];
