//! A number to another process and back through two pipes.
//!
//! Method: each turn is two wake-ups. The scheduler places the two processes, or `--context`: one CPU, two threads of a
//! core, two cores of a node, or two nodes, with one copy.
//! Limits: placement decides more than anything else: one CPU is several times as fast as two, whose idle states must
//! be left.
//! Source: pipe(7), sched(7); UnixBench test context1.
use workloads::unixbench::{Work, probe};

probe!(420, "UnixBench: Pipe-based Context Switching", Work::Context);
