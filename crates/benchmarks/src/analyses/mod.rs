//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod databases;
pub mod noise;
pub mod references;
pub mod scaling_runs;
pub mod unixbench;

use estimates::analysis::Entry;

/// Every entry and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Entry)] = &[
    ("databases", &databases::ANALYSIS),
    ("noise", &noise::ANALYSIS),
    ("references", &references::ANALYSIS),
    ("scaling_runs", &scaling_runs::ANALYSIS),
    ("unixbench", &unixbench::ANALYSIS),
];
