//! A number to another process and back through two pipes.
//!
//! Method: each turn is two wake-ups. The two processes are wherever the scheduler puts them; `--context` asks for one CPU, two threads of a
//! core, two cores of a node, or two nodes, with one copy.
//! Limits: where the scheduler puts the two decides more than anything else: on one CPU it is several times as fast as across two, whose idle
//! states have to be left.
//! Source: pipe(7), sched(7); UnixBench test context1.
use crate::unixbench::{Test, Work};

/// One of the twelve tests of UnixBench's index.
#[derive(Debug)]
pub struct Context1;

impl Test for Context1 {
    const TITLE: &'static str = "UnixBench: Pipe-based Context Switching";
    const VERSION: u32 = 1;
    const WORK: Work = Work::Context;
}
