//! Every fuzz target. The variable TARGET names the one that is looked into, and SEEDS the folder for what it begins with; without
//! them the names are printed.
#![no_main]
#[path = "../entries/database.rs"]
mod database;
#[path = "../entries/import.rs"]
mod import;
#[path = "../entries/inventory.rs"]
mod inventory;
#[path = "../entries/report.rs"]
mod report;

use std::{env, fs, path::PathBuf, process, sync::OnceLock};

type Target = (&'static str, fn(&[u8]), fn() -> Vec<Vec<u8>>);

static CHOSEN: OnceLock<fn(&[u8])> = OnceLock::new();

libfuzzer_sys::fuzz_target!(init: choose(), |bytes: &[u8]| {
    CHOSEN.get().expect("a target")(bytes)
});

/// Before the fuzzer looks.
fn choose() {
    let all: [&[Target]; 4] =
        [database::TARGETS, import::TARGETS, inventory::TARGETS, report::TARGETS];
    let all = all.concat();
    let Ok(wanted) = env::var("TARGET") else {
        all.iter().for_each(|(name, ..)| println!("{name}"));
        process::exit(0);
    };
    let (_, run, seeds) = all.iter().find(|target| target.0 == wanted).expect("a target");
    CHOSEN.get_or_init(|| *run);
    let Some(folder) = env::var_os("SEEDS").map(PathBuf::from) else { return };
    for (n, seed) in seeds().iter().enumerate() {
        fs::write(folder.join(format!("seed-{n}")), seed).expect("seeds can be written");
    }
}
