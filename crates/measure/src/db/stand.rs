//! A case as it is run: its engine opened, its data loaded or found, its threads in their places.
use super::{
    drive::{Drive, Driven, Load, drive},
    folder,
    log::Windows,
    observer::Parts,
    plan::engine,
    series::{self, Kinds},
    variant,
};
use crate::{bench::Bench, events, place};
use database::{
    engine::{Engine, Identity, Running, Wanted, Works},
    prepare::{self, Data, Found},
};
use host::usage;
use record::{Case, CpuSet, Machine, Reason, Series, Topology, Value};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};

/// Parameters that are not the engine's own.
const KNOWN: [&str; 23] = [
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
    "instances",
    "pin",
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

/// Variation of windows above which there are more of them, up to twice as many: of point selects, and of transactions. Beyond it
/// a point would not count.
const SPREAD: [f64; 2] = [0.02, 0.05];

/// Share of a case's progress that loading is, where it has to load.
const LOADING: f64 = 0.8;

/// What helps where data are not what was loaded.
pub(crate) const LOADED_ANEW: &str =
    "run it again: they are loaded anew; tables that others made only with --replace";

/// What a case says, in our terms.
struct Told {
    mode: String,
    folder: PathBuf,
    server: CpuSet,
    /// Servers that have these CPUs and the data between them.
    instances: usize,
    /// Each of them has all of these CPUs.
    anywhere: bool,
    clients: CpuSet,
    threads: usize,
    connections: usize,
    options: BTreeMap<String, String>,
    embedded: bool,
}

/// Servers that have a case's data between them.
pub(crate) fn instances(case: &Case) -> u64 {
    case.integer("instances").unwrap_or(1).clamp(1, 1 << 10)
}

fn told(case: &Case, workload: &str, data: &Data) -> Result<Told, Reason> {
    let engine = engine(case.text("engine").unwrap_or_default())?;
    let embedded = engine.is_embedded();
    let server = case.place.cpus.clone();
    let clients = match case.text("clients") {
        Some(list) => list.parse().map_err(|e| Reason::new(format!("the clients' CPUs: {e}")))?,
        None => server.clone(),
    };
    let instances = instances(case) as usize;
    // Each has as many connections and threads as the others.
    let shared_out = |n: usize| n.max(1).next_multiple_of(instances);
    let connections = case.integer("connections").unwrap_or(1).clamp(1, 1 << 16) as usize;
    let connections = shared_out(connections);
    // A thread has as many connections as it can wait for at once, or one; whoever polls has one, as sysbench's do.
    let one_by_one = workload == "tpcc" || case.text("wait") == Some("poll");
    let threads = match (embedded, one_by_one) {
        (true, _) => server.len(),
        (false, true) => connections,
        // A thread more than there are CPUs, and all of them would have to take turns.
        (false, false) => clients.len().min(connections) / instances * instances,
    };
    let own = |name: &&String| !KNOWN.contains(&name.as_str());
    let options = case.params.iter().filter(|(name, _)| own(name));
    let mut told = Told {
        mode: case.text("mode").unwrap_or_default().to_owned(),
        folder: case.text("folder").map(PathBuf::from).unwrap_or_default(),
        server,
        instances,
        anywhere: case.text("pin") == Some("none"),
        clients,
        threads: shared_out(threads),
        connections,
        options: options.map(|(k, v)| (k.clone(), v.to_string())).collect(),
        embedded,
    };
    if case.text("folder").is_none() {
        told.folder = folder::of_this_run(|folder| {
            engine.files_in_memory() && told.lacks(engine, folder, workload, data).is_none()
        })?;
    }
    Ok(told)
}

/// What one of the servers has, or the engine if there is but one.
struct Part {
    folder: PathBuf,
    cpus: CpuSet,
    /// Nodes that its memory is bound to, or spread over; empty where there is but one.
    nodes: CpuSet,
}

/// The nodes of these CPUs, if all of them have memory and there are several in the machine.
fn nodes(topology: &Topology, cpus: &CpuSet) -> CpuSet {
    let nodes: CpuSet = cpus.iter().filter_map(|cpu| topology.node_of(cpu)).collect();
    let with_memory = nodes.iter().all(|n| topology.node(n).is_some_and(|n| n.bytes != Some(0)));
    // On all nodes, too: whoever touches a page first would settle where it lies, and one thread reads all.
    let some = with_memory && topology.nodes.len() > 1;
    if some { nodes } else { CpuSet::default() }
}

impl Told {
    /// Shares the CPUs out.
    fn parts(&self, machine: &Machine) -> Result<Vec<Part>, Reason> {
        let cpus = match self.anywhere {
            true => Some(vec![self.server.clone(); self.instances]),
            false => variant::parts(machine, &self.server, self.instances),
        };
        let cpus = cpus.ok_or_else(|| {
            Reason::new(format!("CPUs {} are not {} equal parts", self.server, self.instances))
        })?;
        let part = |(number, cpus): (usize, CpuSet)| Part {
            folder: match self.instances {
                1 => self.folder.clone(),
                all => self.folder.join(format!("{}-of-{all}", number + 1)),
            },
            nodes: match self.anywhere {
                true => CpuSet::default(),
                false => nodes(&machine.topology, &cpus),
            },
            cpus,
        };
        Ok(cpus.into_iter().enumerate().map(part).collect())
    }
    fn wanted<'a>(&'a self, part: &'a Part, workload: &'a str, data: &Data) -> Wanted<'a> {
        Wanted {
            workload,
            mode: &self.mode,
            folder: &part.folder,
            bytes: data.bytes(),
            threads: self.threads / self.instances,
            connections: self.connections / self.instances,
            cpus: &part.cpus,
            nodes: &part.nodes,
            options: &self.options,
        }
    }
    /// What the engine needs and has not with its files in this folder.
    fn lacks(
        &self,
        engine: &dyn Engine,
        folder: &Path,
        workload: &str,
        data: &Data,
    ) -> Option<Reason> {
        let (folder, cpus) = (folder.to_owned(), self.server.clone());
        let all = Part { folder, cpus, nodes: CpuSet::default() };
        engine.lacks(&self.wanted(&all, workload, data))
    }
    /// Each thread's CPUs: one for itself while there are enough, else those of all clients.
    fn places(&self, machine: &Machine) -> Vec<CpuSet> {
        match self.threads <= self.clients.len() {
            true => nearest(machine, &self.clients, &self.server)
                .into_iter()
                .take(self.threads)
                .map(|cpu| [cpu].into_iter().collect())
                .collect(),
            false => vec![self.clients.clone(); self.threads],
        }
    }
}

/// The clients' CPUs in the order in which they are given away: those of the server's sockets first, and on either side one of
/// each core before its siblings.
fn nearest(machine: &Machine, clients: &CpuSet, server: &CpuSet) -> Vec<u32> {
    let socket = |cpu: u32| machine.topology.cpu(cpu).and_then(|c| c.package);
    let sockets: Vec<Option<u32>> = server.iter().map(socket).collect();
    let (near, far): (Vec<u32>, Vec<u32>) =
        clients.iter().partition(|cpu| sockets.contains(&socket(*cpu)));
    let ordered = |cpus: Vec<u32>| place::cores_first(machine, &cpus.into_iter().collect());
    [near, far].into_iter().flat_map(ordered).collect()
}

/// What is not here that the case needs.
pub(crate) fn lacks(case: &Case, workload: &str, data: &Data) -> Option<Reason> {
    let told = told(case, workload, data).ok()?;
    let engine = engine(case.text("engine").unwrap_or_default()).ok()?;
    told.lacks(engine, &told.folder, workload, data)
}

/// A case with its engine open and its data there.
pub(crate) struct Stand {
    /// As many as have the data between them: one, or several servers.
    running: Vec<Box<dyn Running>>,
    pub(crate) windows: Windows,
    pub(crate) seed: u64,
    /// Transactions that had to be loaded again.
    load_retries: u64,
    /// Seconds that loading took, where it had to be done.
    load_time: Option<f64>,
    told: Told,
    workload: &'static str,
}

impl Stand {
    /// Opens the engine and makes the data be there; `data` are those of one instance.
    ///
    /// # Errors
    /// The engine cannot be had, or the data cannot be loaded.
    pub(crate) fn open(
        case: &Case,
        bench: &mut Bench<'_>,
        workload: &'static str,
        data: &Data,
    ) -> Result<Stand, Reason> {
        let told = told(case, workload, data)?;
        let number = |name: &str| case.params.get(name).and_then(Value::number);
        let count = case.integer("windows").unwrap_or(10).clamp(1, 10_000) as usize;
        let windows = Windows {
            warm: number("warm").unwrap_or(1.0).clamp(0.0, 1e5),
            seconds: number("seconds").unwrap_or(1.0).clamp(1e-3, 1e5),
            count,
            most: 2 * count,
            spread: SPREAD[usize::from(workload == "tpcc")],
        };
        let found = match case.text("found") {
            Some("replace") => Found::Replace,
            Some("reuse") => Found::Reuse,
            _ => Found::Ours,
        };
        let engine = engine(case.text("engine").unwrap_or_default())?;
        let parts = told.parts(bench.machine)?;
        let (seed, instances) = (bench.seed, told.instances as f64);
        let (running, load_retries, load_time) = (vec![], 0, None);
        let mut stand = Stand { running, windows, seed, load_retries, load_time, told, workload };
        for (number, part) in parts.iter().enumerate() {
            let tick = &mut bench.tick;
            let mut open = || {
                if !part.folder.exists() {
                    let made = fs::DirBuilder::new().mode(0o700).create(&part.folder);
                    made.map_err(|e| {
                        let folder = part.folder.display();
                        Reason::new(format!("the folder {folder} cannot be made: {e}"))
                    })?;
                }
                let running = engine.open(&stand.told.wanted(part, workload, data))?;
                let from = bench.clock.now();
                let mut tell = |share: f64| tick((number as f64 + share) / instances * LOADING);
                let ready =
                    prepare::prepare(&*running, (data, seed), found, bench.cancel, &mut tell);
                match ready {
                    Ok(ready) => Ok((running, ready, bench.clock.now() - from)),
                    Err(why) => {
                        // What was started is stopped; why it was of no use matters more than how that went.
                        _ = running.close();
                        Err(why)
                    }
                }
            };
            match open() {
                Ok((running, ready, took)) => {
                    stand.load_retries += ready.retries;
                    if let Some(first) = ready.notes.first() {
                        let said = format!("{first} ({} such)", ready.notes.len());
                        bench.unread.insert(format!("{workload}.statistics"), Reason::new(said));
                    }
                    if !ready.found {
                        *stand.load_time.get_or_insert(0.0) += took;
                    }
                    stand.running.push(running);
                }
                Err(why) => {
                    _ = stand.close();
                    return Err(why);
                }
            }
        }
        Ok(stand)
    }
    /// How many instances there are.
    pub(crate) fn instances(&self) -> &[Box<dyn Running>] {
        &self.running
    }
    /// The instance that this thread asks, and its number among those that do.
    pub(crate) fn of(&self, thread: usize) -> (&dyn Running, usize) {
        let all = self.running.len().max(1);
        (&*self.running[thread % all], thread / all)
    }
    /// The data are no longer what was loaded: whoever asks for them next loads them anew.
    pub(crate) fn spoil(&self, data: &Data) {
        for running in &self.running {
            // One that has gone cannot be told; why its data are of no use is told all the same.
            _ = prepare::spoil(&**running, data);
        }
    }
    /// Closes every instance: the first that left something behind.
    fn close(self) -> Result<(), Reason> {
        let closed: Vec<Result<(), Reason>> =
            self.running.into_iter().map(|running| running.close()).collect();
        closed.into_iter().collect()
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
        let (places, windows) = (self.told.places(bench.machine), self.windows);
        let stall = events::stalls(bench.machine);
        let drive_ = Drive { places, windows, kinds, least, parts, stall };
        drive(bench, &self.running, &drive_, make)
    }
    /// What came of it, as series and readings; the engine is closed. How that went is noted, and costs no step that was
    /// measured.
    ///
    /// # Errors
    /// No window was finished, or a server cannot be stopped: it would be in the way of the next steps.
    pub(crate) fn finish(
        self,
        bench: &mut Bench<'_>,
        driven: &Driven,
        kinds: &Kinds<'_>,
    ) -> Result<Vec<Series>, Reason> {
        let variant = variant(self.running.iter().map(|running| running.identity()).collect());
        let all: CpuSet = self.told.server.iter().chain(self.told.clients.iter()).collect();
        let on_nodes = self.running.iter().filter_map(|running| running.on_nodes());
        let beside = series::Beside {
            cpus: all.len(),
            load_retries: self.load_retries,
            load_time: self.load_time,
            client_memory: (!self.told.embedded).then(|| usage::process().max_rss_bytes),
            on_nodes: on_nodes.reduce(f64::min),
        };
        series::readings(bench, driven, self.workload, &beside);
        let series = series::series(driven, self.windows.seconds, kinds, &variant);
        self.put_away(&mut bench.unread)?;
        series
    }
    /// Closes every instance. One that did not go as it should is noted.
    ///
    /// # Errors
    /// It has not gone at all.
    fn put_away(self, notes: &mut BTreeMap<String, Reason>) -> Result<(), Reason> {
        let works: Vec<Works> = self.running.iter().map(|running| running.works()).collect();
        let name = format!("{}.close", self.workload);
        let Err(why) = self.close() else { return Ok(()) };
        let lives = |works: &Works| match works {
            Works::InProcess(pid) => usage::process_usage(*pid).is_some(),
            Works::InCaller | Works::Elsewhere => false,
        };
        if works.iter().any(lives) {
            return Err(why);
        }
        notes.insert(name, why);
        Ok(())
    }
}

/// The engine with its settings; where several instances differ in one, those of all.
fn variant(identities: Vec<Identity>) -> String {
    let Some(first) = identities.first() else { return String::new() };
    let settings: Vec<String> = first
        .settings
        .keys()
        .map(|name| {
            let mut values: Vec<&str> = identities
                .iter()
                .filter_map(|i| i.settings.get(name))
                .map(String::as_str)
                .collect();
            values.dedup();
            format!("{name}={}", values.join(" | "))
        })
        .collect();
    let engine = format!("{} {}", first.name, first.version);
    if settings.is_empty() { engine } else { format!("{engine} ({})", settings.join("; ")) }
}

#[cfg(test)]
mod tests;
