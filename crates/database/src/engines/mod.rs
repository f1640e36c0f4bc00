//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod mariadb;
pub mod mysql;
pub mod sqlite;

use crate::engine::Engine;

/// Every engine and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &dyn Engine)] = &[
    ("mariadb", &mariadb::ENGINE),
    ("mysql", &mysql::ENGINE),
    ("sqlite", &sqlite::ENGINE),
];
