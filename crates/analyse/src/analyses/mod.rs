//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub(crate) mod conclusions;
pub(crate) mod nearest;
pub(crate) mod peers;

use estimates::analysis::Entry;

/// Every entry and its id, which is its file's name.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &Entry)] = &[
    ("conclusions", &conclusions::ANALYSIS),
    ("nearest", &nearest::ANALYSIS),
    ("peers", &peers::ANALYSIS),
];
