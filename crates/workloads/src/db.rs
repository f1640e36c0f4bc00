//! Databases on pinned cores: their options, the scaling points that follow, and how a point is measured. The server, or an embedded
//! engine's client threads, has the point's CPUs; clients of a server have others where there are any.
mod clients;
mod context;
mod data_folder;
mod layout;
mod observer;
mod options;
mod plan;
mod point_select;
mod series;
mod tpcc;
mod windows;

pub use {
    data_folder::remove as remove_folder, plan::cases, point_select::run as run_point_select,
    point_select::unavailable as point_select_unavailable, tpcc::run as run_tpcc,
    tpcc::unavailable as tpcc_unavailable,
};

pub use database::options::EngineOptions;
pub use options::{DatabaseOptions, SQLITE};
pub use transactions::prepare::ExistingTables;

use record::Reason;
use std::path::Path;

/// A warning before the engine with this id is used.
pub fn warning(engine: &str, options: &EngineOptions) -> Option<Reason> {
    plan::engine(engine).ok()?.warning(options)
}

/// Refuses a data folder that the engine with this id cannot use, by its name, or that other accounts could exchange; the folder
/// need not exist.
///
/// # Errors
/// The folder is of no use. An unknown engine is the plan's to report.
pub fn check_folder(engine: &str, folder: &Path) -> Result<(), Reason> {
    filesystem::directory::refuse_exchangeable(folder).map_err(|e| Reason::new(e.to_string()))?;
    plan::engine(engine).map_or(Ok(()), |engine| engine.check_folder(folder))
}
