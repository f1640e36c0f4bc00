//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod verdicts;

use estimates::analysis::Entry;

/// Every entry and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Entry)] = &[
    ("verdicts", &verdicts::ANALYSIS),
];
