//! A case as it is run: its engine opened, its data loaded or found, its threads in their places.
use super::{
    drive::{Drive, Driven, Load, drive},
    folder,
    log::Windows,
    observer::Parts,
    plan::engine,
    series::{self, Kinds},
};
use crate::bench::Bench;
use database::{
    engine::{Running, Wanted},
    prepare::{self, Data, Found},
};
use record::{Case, CpuSet, Reason, Series, Value};
use std::{collections::BTreeMap, path::PathBuf};

/// Parameters that are not the engine's own.
const KNOWN: [&str; 21] = [
    "engine",
    "mode",
    "step",
    "cores",
    "threads",
    "connections",
    "repeat",
    "windows",
    "seconds",
    "warm",
    "placement",
    "clients",
    "folder",
    "found",
    "rows",
    "distribution",
    "warehouses",
    "way",
    "mix",
    "binding",
    "conditions",
];

/// Share of a case's progress that loading is, where it has to load.
const LOADING: f64 = 0.8;

/// What a case says, in our terms.
struct Told {
    mode: String,
    folder: PathBuf,
    server: CpuSet,
    nodes: CpuSet,
    clients: CpuSet,
    threads: usize,
    connections: usize,
    options: BTreeMap<String, String>,
    embedded: bool,
}

fn told(case: &Case, one_by_one: bool) -> Result<Told, Reason> {
    let engine = engine(case.text("engine").unwrap_or_default())?;
    let embedded = engine.is_embedded();
    let server = case.place.cpus.clone();
    let clients = match case.text("clients") {
        Some(list) => list.parse().map_err(|e| Reason::new(format!("the clients' CPUs: {e}")))?,
        None => server.clone(),
    };
    let connections = case.integer("connections").unwrap_or(1).clamp(1, 1 << 16) as usize;
    // A thread has as many connections as it can wait for at once, or one; whoever polls has one, as sysbench's do.
    let one_by_one = one_by_one || case.text("wait") == Some("poll");
    let threads = match (embedded, one_by_one) {
        (true, _) => server.len(),
        (false, true) => connections,
        (false, false) => clients.len().min(connections),
    };
    let folder = match case.text("folder") {
        Some(named) => PathBuf::from(named),
        None => folder::of_this_run(engine.files_in_memory())?,
    };
    let own = |name: &&String| !KNOWN.contains(&name.as_str());
    let options = case.params.iter().filter(|(name, _)| own(name));
    Ok(Told {
        mode: case.text("mode").unwrap_or_default().to_owned(),
        folder,
        nodes: CpuSet::default(),
        server,
        clients,
        threads: threads.max(1),
        connections,
        options: options.map(|(k, v)| (k.clone(), v.to_string())).collect(),
        embedded,
    })
}

impl Told {
    fn wanted<'a>(&'a self, workload: &'a str, data: &Data) -> Wanted<'a> {
        Wanted {
            workload,
            mode: &self.mode,
            folder: &self.folder,
            bytes: data.bytes(),
            threads: self.threads,
            connections: self.connections,
            cpus: &self.server,
            nodes: &self.nodes,
            options: &self.options,
        }
    }
    /// Each thread's CPUs: one for itself while there are enough, else those of all clients.
    fn places(&self) -> Vec<CpuSet> {
        match self.threads <= self.clients.len() {
            true => self
                .clients
                .iter()
                .take(self.threads)
                .map(|cpu| [cpu].into_iter().collect())
                .collect(),
            false => vec![self.clients.clone(); self.threads],
        }
    }
}

/// What is not here that the case needs.
pub(crate) fn lacks(case: &Case, workload: &str, data: &Data) -> Option<Reason> {
    let told = told(case, workload == "tpcc").ok()?;
    let engine = engine(case.text("engine").unwrap_or_default()).ok()?;
    engine.lacks(&told.wanted(workload, data))
}

/// A case with its engine open and its data there.
pub(crate) struct Stand {
    pub(crate) running: Box<dyn Running>,
    pub(crate) windows: Windows,
    pub(crate) seed: u64,
    told: Told,
    workload: &'static str,
}

impl Stand {
    /// Opens the engine and makes the data be there.
    ///
    /// # Errors
    /// The engine cannot be had, or the data cannot be loaded.
    pub(crate) fn open(
        case: &Case,
        bench: &mut Bench<'_>,
        workload: &'static str,
        data: &Data,
    ) -> Result<Stand, Reason> {
        let mut told = told(case, workload == "tpcc")?;
        let topology = &bench.machine.topology;
        let nodes: CpuSet = told.server.iter().filter_map(|cpu| topology.node_of(cpu)).collect();
        let with_memory =
            nodes.iter().all(|n| topology.node(n).is_some_and(|n| n.bytes != Some(0)));
        if with_memory && topology.nodes.len() > nodes.len() {
            told.nodes = nodes;
        }
        let number = |name: &str| case.params.get(name).and_then(Value::number);
        let windows = Windows {
            warm: number("warm").unwrap_or(1.0).clamp(0.0, 1e5),
            seconds: number("seconds").unwrap_or(1.0).clamp(1e-3, 1e5),
            count: case.integer("windows").unwrap_or(10).clamp(1, 10_000) as usize,
        };
        let found = match case.text("found") {
            Some("replace") => Found::Replace,
            Some("reuse") => Found::Reuse,
            _ => Found::Ours,
        };
        let running =
            engine(case.text("engine").unwrap_or_default())?.open(&told.wanted(workload, data))?;
        let seed = bench.seed;
        let tick = &mut bench.tick;
        let loaded = prepare::prepare(&*running, (data, seed), found, bench.cancel, &mut |share| {
            tick(share * LOADING);
        });
        match loaded {
            Ok(_) => Ok(Stand { running, windows, seed, told, workload }),
            Err(why) => {
                // What was started is stopped; why it was of no use matters more than how that went.
                _ = running.close();
                Err(why)
            }
        }
    }
    /// Connections of this thread: as equal parts as there can be.
    pub(crate) fn connections(&self, thread: usize) -> usize {
        if self.told.embedded {
            return 1;
        }
        let (all, threads) = (self.told.connections, self.told.threads);
        (all / threads + usize::from(thread < all % threads)).max(1)
    }
    /// Drives the load, and closes nothing.
    ///
    /// # Errors
    /// It could not go on.
    pub(crate) fn drive<L: Load>(
        &self,
        bench: &mut Bench<'_>,
        (kinds, least): (usize, u64),
        make: impl Fn(usize) -> Result<L, Reason> + Sync,
    ) -> Result<Driven, Reason> {
        let parts = Parts { server: self.told.server.clone(), clients: self.told.clients.clone() };
        let places = self.told.places();
        drive(
            bench,
            &*self.running,
            &Drive { places, windows: self.windows, kinds, least, parts },
            make,
        )
    }
    /// What came of it, as series and readings; the engine is closed.
    ///
    /// # Errors
    /// No window was finished, or the engine left something behind.
    pub(crate) fn finish(
        self,
        bench: &mut Bench<'_>,
        driven: &Driven,
        kinds: &Kinds<'_>,
    ) -> Result<Vec<Series>, Reason> {
        let identity = self.running.identity();
        let settings: Vec<String> =
            identity.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut variant = format!("{} {}", identity.name, identity.version);
        if !settings.is_empty() {
            variant += &format!(" ({})", settings.join("; "));
        }
        let all: CpuSet = self.told.server.iter().chain(self.told.clients.iter()).collect();
        series::readings(bench, driven, self.workload, all.len());
        self.running.close()?;
        series::series(driven, self.windows.seconds, kinds, &variant)
    }
}
