//! Runs of a shell script that sorts, dumps, searches and counts a small text.
//!
//! Method: each count is one run of a script that starts one other script in the background and waits; that one runs sort, od, sort, grep, tee, wc
//! and rm of this machine on a text of 362 lines.
//! Limits: which shell /bin/sh is, whether the locale is installed, and the scratch folder's filesystem move it by a tenth and more; all are stated.
//! Source: sh(1); UnixBench test shell1.
use crate::unixbench::{Test, Work};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Shell1;

impl Test for Shell1 {
    const TITLE: &'static str = "UnixBench: Shell Scripts (1 concurrent)";
    const VERSION: u32 = 1;
    const WORK: Work = Work::Shell(1);
}
