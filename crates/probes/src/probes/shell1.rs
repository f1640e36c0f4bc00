//! Runs of a shell script that sorts, dumps, searches and counts a small text.
//!
//! Method: each count is one run of a script that starts another one in the background and waits; that one runs this
//! machine's sort, od, sort, grep, tee, wc and rm on a text of 362 lines.
//! Limits: /bin/sh, the locale and the scratch folder's filesystem change it by 10 % and more; all are recorded.
//! Source: sh(1); UnixBench test shell1.
use workloads::unixbench::{Work, probe};

probe!(450, "UnixBench: Shell Scripts (1 concurrent)", Work::Shell(1));
