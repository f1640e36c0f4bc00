//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod sqlite;

use crate::engine::Engine;

/// Every engine and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Engine)] = &[
    ("sqlite", &sqlite::Sqlite),
];
