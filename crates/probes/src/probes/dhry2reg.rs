//! Dhrystone 2.1 as UnixBench runs it: integer code, calls and strings that a first-level cache holds.
//!
//! Method: Weicker's Dhrystone 2.1 in two C files, compiled apart by gcc -O3 without LTO, run by every copy until its time is over; one
//! loop is one count, and the machine's own `strcmp` is part of it.
//! Limits: a third of its time is one comparison of strings; code layout alone moves it by some percent. It says nothing of memory.
//! Source: R. Weicker, CACM 27 (1984) 10, version 2.1 (1988); UnixBench test dhry2reg.
use workloads::unixbench::{Work, probe};

probe!(350, "UnixBench: Dhrystone 2", Work::Dhrystone);
