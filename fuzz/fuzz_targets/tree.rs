//! See `entries/inventory.rs`.
#![no_main]
#[path = "../entries/inventory.rs"]
mod entries;

libfuzzer_sys::fuzz_target!(init: entries::sow("tree"), |bytes: &[u8]| entries::tree(bytes));
