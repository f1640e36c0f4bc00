//! The fuzz target in the ordinary suite.
#[path = "../../../fuzz/entries/database.rs"]
mod entries;
#[path = "../../../fuzz/entries/suite.rs"]
mod suite;
