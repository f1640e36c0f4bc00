//! Databases on pinned cores: what can be asked of them, the steps that follow from it, and a step as it is run. The server, or
//! an embedded engine's threads, has the step's CPUs; clients have others, where there are any.
mod drive;
mod folder;
mod log;
mod observer;
mod plan;
mod point;
mod series;
mod stand;
mod terminals;
mod variant;

pub(crate) use {
    folder::remove as remove_folder, plan::cases, point::lacks as lacks_point_select,
    point::run as run_point_select, terminals::lacks as lacks_tpcc, terminals::run as run_tpcc,
};

pub use database::{
    point_select::Distribution,
    prepare::Found,
    tpcc::{Binding, Mix, Way},
};

use std::collections::BTreeMap;

/// Whether a server stays where it is put.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pin {
    /// On the step's CPUs.
    Cores,
    /// Anywhere on the chosen CPUs.
    None,
}

/// What `cpulens db` asks for.
#[derive(Debug, Clone)]
pub struct Wish {
    /// The engine's id.
    pub engine: String,
    /// How sessions share the data: each on every step; the engine's first if nothing is said.
    pub modes: Vec<String>,
    /// What is said of the engine itself, by name.
    pub options: BTreeMap<String, String>,
    /// A folder that data are kept in, for further runs; one of our own, removed at the end, if nothing is said.
    pub folder: Option<String>,
    /// What may be done with tables that are there.
    pub found: Found,
    /// Rows of point select.
    pub rows: u64,
    /// How ids are drawn.
    pub distribution: Distribution,
    /// Warehouses of TPC-C; of each thread where threads have shards of their own. If nothing is said, one for such a thread,
    /// else as many as fit into a quarter of the memory, two a core at most and four at least.
    pub warehouses: Option<u64>,
    /// Bytes of memory that are free.
    pub free: u64,
    /// How transactions are asked for: each on every step.
    pub ways: Vec<Way>,
    /// How often each transaction comes.
    pub mix: Mix,
    /// Whose warehouse it is of.
    pub binding: Binding,
    /// All twelve conditions after every step, and not four.
    pub check_all: bool,
    /// Connections per CPU of the server: each on every step. If nothing is said, four, and of TPC-C ten a warehouse at most. An
    /// embedded engine has one a CPU.
    pub connections: Vec<u64>,
    /// Servers that share a step's CPUs and the data, each with as many cores: each number on every step. One if nothing is said.
    pub instances: Vec<u64>,
    /// Whether servers stay on a step's CPUs, or go wherever the scheduler likes: each on every step. Pinned if nothing is said.
    pub pins: Vec<Pin>,
    /// How servers that are started are spoken to (`socket`, `tcp`): each on every step. By their sockets if nothing is said.
    pub transports: Vec<String>,
    /// Steps: numbers of cores, `smt`, `socket`, `all`, `threads`; all of them if nothing is said.
    pub scaling_run: Vec<String>,
    /// Times that every step is measured.
    pub repeats: usize,
    /// Windows of a step, and seconds of each.
    pub windows: usize,
    /// Seconds of a window.
    pub seconds: f64,
    /// Seconds before the first window.
    pub warm: f64,
}

impl Wish {
    /// What the probes measure when nothing else is asked for: little of everything.
    pub fn small() -> Wish {
        Wish {
            engine: "sqlite".into(),
            modes: vec![],
            options: BTreeMap::new(),
            folder: None,
            found: Found::Ours,
            rows: 200_000,
            distribution: Distribution::Uniform,
            warehouses: Some(1),
            free: 0,
            ways: vec![Way::RowWise],
            mix: Mix::default(),
            binding: Binding::Random,
            check_all: false,
            connections: vec![4],
            instances: vec![],
            pins: vec![],
            transports: vec![],
            scaling_run: vec!["1".into(), "all".into()],
            repeats: 1,
            windows: 7,
            seconds: 0.25,
            warm: 0.25,
        }
    }
}
