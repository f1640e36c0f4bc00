//! The fuzz targets in the ordinary suite.
#[path = "../../../fuzz/entries/report.rs"]
mod entries;
#[path = "../../../fuzz/entries/suite.rs"]
mod suite;
