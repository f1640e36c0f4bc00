//! See `entries/database.rs`.
#![no_main]
#[path = "../entries/database.rs"]
mod entries;

libfuzzer_sys::fuzz_target!(init: entries::sow("mysql"), |bytes: &[u8]| entries::mysql(bytes));
