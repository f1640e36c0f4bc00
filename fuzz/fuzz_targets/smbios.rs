//! See `entries/inventory.rs`.
#![no_main]
#[path = "../entries/inventory.rs"]
mod entries;

libfuzzer_sys::fuzz_target!(init: entries::sow("smbios"), |bytes: &[u8]| entries::smbios(bytes));
