//! See `entries/import.rs`.
#![no_main]
#[path = "../entries/import.rs"]
mod entries;

libfuzzer_sys::fuzz_target!(init: entries::sow("import"), |bytes: &[u8]| entries::import(bytes));
