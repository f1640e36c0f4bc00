//! See `entries/report.rs`.
#![no_main]
#[path = "../entries/report.rs"]
mod entries;

libfuzzer_sys::fuzz_target!(init: entries::sow("cpuset"), |bytes: &[u8]| entries::cpuset(bytes));
