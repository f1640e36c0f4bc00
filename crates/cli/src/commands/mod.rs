//! The commands, one file each.
pub(crate) mod capture;
pub(crate) mod catalogue;
pub(crate) mod compare;
pub(crate) mod completions;
pub(crate) mod db;
pub(crate) mod diagnose;
pub(crate) mod explain;
pub(crate) mod import;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod place;
pub(crate) mod run;
pub(crate) mod scale;
pub(crate) mod show;
pub(crate) mod spread;
pub(crate) mod stat;
pub(crate) mod unixbench;
