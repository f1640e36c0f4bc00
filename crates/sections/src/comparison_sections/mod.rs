//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub(crate) mod curves;
pub(crate) mod machines;
pub(crate) mod reading;
pub(crate) mod records;
pub(crate) mod rows;
pub(crate) mod summary;
pub(crate) mod unlike;
pub(crate) mod why;

use crate::section::ComparisonSection;

/// Every comparison section and its id, which is its file's name.
#[rustfmt::skip]
pub(crate) static ALL: &[(&str, &ComparisonSection)] = &[
    ("curves", &curves::SECTION),
    ("machines", &machines::SECTION),
    ("reading", &reading::SECTION),
    ("records", &records::SECTION),
    ("rows", &rows::SECTION),
    ("summary", &summary::SECTION),
    ("unlike", &unlike::SECTION),
    ("why", &why::SECTION),
];
