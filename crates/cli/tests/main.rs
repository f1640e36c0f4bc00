//! The program from outside: what a user types, what comes back, and what happens where things are missing.
#![allow(clippy::unwrap_used, clippy::print_stderr, reason = "tests, and the functions they share")]
mod beside;
mod broken;
mod catalogue_command;
mod check;
mod commands;
mod compare;
mod db;
#[allow(dead_code, reason = "shared with checks/faults")]
mod denied;
mod diagnose;
mod exit_codes;
mod fleet;
mod foreign;
mod hard_places;
mod hwloc;
mod import;
mod nodes;
mod noise;
mod paired;
mod place;
mod planted;
mod readme;
mod recorded;
mod resume;
mod sandbox;
mod saved;
mod scale;
mod scale_server;
mod schema;
mod spread;
mod stat;
mod terminal;
mod trees;
mod unixbench;
mod verify;
mod whatif;
