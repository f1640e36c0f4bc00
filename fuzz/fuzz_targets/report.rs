//! See `entries/report.rs`.
#![no_main]
#[path = "../entries/report.rs"]
mod entries;

libfuzzer_sys::fuzz_target!(init: entries::sow("report"), |bytes: &[u8]| entries::report(bytes));
