//! The context of a case: its engine opened, its data loaded or found, its client threads placed.
use super::{
    clients::{ClientLoad, ClientPlan, ClientSamples, run_clients},
    data_folder, layout,
    observer::CpuSplit,
    options::CaseParams,
    plan,
    series::{self, EventTypes},
    windows::Windows,
};
use database::{
    engine::{Engine, EngineInfo, Executor, Instance, OpenOptions},
    options::WaitMode,
};
use host::usage;
use measure::{bench::Bench, events, place, threads};
use record::{Case, CpuSet, Machine, Reason, Series, Topology};
use std::{
    collections::BTreeMap,
    fs,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
};
use transactions::prepare::{self, Dataset, LoadReport};

/// Share of a case's progress that loading is.
const LOADING: f64 = 0.8;

/// The remedy for changed data.
pub(crate) const LOADED_AGAIN: &str =
    "run it again: data are loaded again; tables that others made only with --replace";

/// The resources of a case.
struct Resources {
    engine: &'static dyn Engine,
    params: CaseParams,
    workload: &'static str,
    data: Dataset,
    folder: PathBuf,
    /// CPUs of the server, or of the threads of an embedded engine.
    cpus: CpuSplit,
    instances: usize,
    threads: usize,
    connections: usize,
}

/// The resources of one instance.
struct InstanceResources {
    folder: PathBuf,
    cpus: CpuSet,
    /// NUMA nodes that its memory is bound to or interleaved over; empty on a machine with one.
    nodes: CpuSet,
}

/// The NUMA nodes of these CPUs, if all have memory and the machine has several.
fn nodes(topology: &Topology, cpus: &CpuSet) -> CpuSet {
    let nodes: CpuSet = cpus.iter().filter_map(|cpu| topology.node_of(cpu)).collect();
    let with_memory = nodes.iter().all(|n| topology.node(n).is_some_and(|n| n.bytes != Some(0)));
    // Also for all nodes: otherwise the first touch decides, and one thread reads all tables.
    if with_memory && topology.nodes.len() > 1 { nodes } else { CpuSet::default() }
}

impl Resources {
    fn new(
        case: &Case,
        params: CaseParams,
        workload: &'static str,
        data: &Dataset,
    ) -> Result<Resources, Reason> {
        let engine = plan::engine(&params.engine)?;
        if let Some(folder) = &params.folder {
            super::check_folder(&params.engine, Path::new(folder))?;
        }
        let server = case.place.cpus.clone();
        let clients = params.client_cpus()?.unwrap_or_else(|| server.clone());
        let instances = params.instances();
        // Instances have equal numbers of connections and threads.
        let equal = |n: usize| n.max(1).next_multiple_of(instances);
        let connections = equal(params.connections.clamp(1, 1 << 16) as usize);
        // A thread has one connection if it is the engine, polls, as in sysbench, or runs transactions; otherwise several.
        let one_each = engine.is_embedded()
            || workload == "tpcc"
            || params.engine_options.wait == Some(WaitMode::Poll);
        let threads = match one_each {
            true => connections,
            // With more threads than CPUs all threads would have to share CPUs.
            false => clients.len().min(connections) / instances * instances,
        };
        let mut resources = Resources {
            engine,
            workload,
            data: data.clone(),
            folder: params.folder.as_ref().map(PathBuf::from).unwrap_or_default(),
            cpus: CpuSplit { server, clients },
            instances,
            threads: equal(threads),
            connections,
            params,
        };
        if resources.params.folder.is_none() {
            resources.folder = data_folder::of_this_run(|folder| {
                engine.prefers_tmpfs() && resources.unavailable(folder).is_none()
            })?;
        }
        Ok(resources)
    }
    /// The resources of each instance.
    fn split(&self, machine: &Machine) -> Result<Vec<InstanceResources>, Reason> {
        let pinned = self.params.is_pinned();
        let server = &self.cpus.server;
        let parts = match pinned {
            true => layout::parts(machine, server, self.instances),
            false => Some(vec![server.clone(); self.instances]),
        };
        let parts = parts.ok_or_else(|| {
            Reason::new(format!("CPUs {server} are not {} equal parts", self.instances))
        })?;
        let resources = |(number, cpus): (usize, CpuSet)| InstanceResources {
            folder: match self.instances {
                1 => self.folder.clone(),
                all => self.folder.join(format!("{}-of-{all}", number + 1)),
            },
            nodes: if pinned { nodes(&machine.topology, &cpus) } else { CpuSet::default() },
            cpus,
        };
        Ok(parts.into_iter().enumerate().map(resources).collect())
    }
    fn open_options(&self, folder: &Path, cpus: &CpuSet, nodes: &CpuSet) -> OpenOptions<'_> {
        OpenOptions {
            workload: self.workload,
            mode: &self.params.mode,
            folder: folder.to_owned(),
            bytes: self.data.bytes(),
            size_option: Some(self.data.size_option()),
            threads: self.threads / self.instances,
            connections: self.connections / self.instances,
            cpus: cpus.clone(),
            nodes: nodes.clone(),
            options: self.params.engine_options.clone(),
        }
    }
    /// The reason why the engine cannot be opened with its files in this folder.
    fn unavailable(&self, folder: &Path) -> Option<Reason> {
        let options = self.open_options(folder, &self.cpus.server, &CpuSet::default());
        self.engine.unavailable(&options)
    }
    /// CPUs of each client thread: one CPU while there are enough, otherwise all CPUs of the clients.
    fn thread_cpus(&self, machine: &Machine) -> Vec<CpuSet> {
        let CpuSplit { server, clients } = &self.cpus;
        match self.threads <= clients.len() {
            true => {
                let nearest = nearest_first(machine, clients, server);
                threads::pinned(nearest.into_iter().take(self.threads))
            }
            false => vec![clients.clone(); self.threads],
        }
    }
    /// Opens an instance and prepares its data; returns it with the load report and the seconds that it took.
    fn open(
        &self,
        own: &InstanceResources,
        bench: &mut Bench<'_>,
        progress: impl Fn(f64) -> f64,
    ) -> Result<(Box<dyn Instance>, LoadReport, f64), Reason> {
        let folder = &own.folder;
        if !folder.exists() {
            fs::DirBuilder::new().mode(0o700).create(folder).map_err(|e| {
                Reason::new(format!("the folder {} cannot be made: {e}", folder.display()))
            })?;
        }
        let instance = self.engine.open(&self.open_options(folder, &own.cpus, &own.nodes))?;
        let began = bench.clock.now();
        let existing = self.params.existing.unwrap_or_default();
        let tick = &mut bench.tick;
        let mut report = |share: f64| tick(progress(share));
        let data = (&self.data, bench.seed);
        match prepare::prepare(&*instance, data, existing, bench.cancel, &mut report) {
            Ok(report) => Ok((instance, report, bench.clock.now() - began)),
            Err(why) => {
                // The first error matters more than one of closing.
                _ = instance.close();
                Err(why)
            }
        }
    }
}

/// The clients' CPUs: those of the server's sockets first, and of each socket one CPU per core before their siblings.
fn nearest_first(machine: &Machine, clients: &CpuSet, server: &CpuSet) -> Vec<u32> {
    let socket = |cpu: u32| machine.topology.cpu(cpu).and_then(|c| c.package);
    let sockets: Vec<Option<u32>> = server.iter().map(socket).collect();
    let (near, far): (Vec<u32>, Vec<u32>) =
        clients.iter().partition(|cpu| sockets.contains(&socket(*cpu)));
    let ordered = |cpus: Vec<u32>| place::cores_first(machine, &cpus.into_iter().collect());
    [near, far].into_iter().flat_map(ordered).collect()
}

/// The reason why the case cannot run here.
pub(crate) fn unavailable(
    case: &Case,
    params: CaseParams,
    workload: &'static str,
    data: &Dataset,
) -> Option<Reason> {
    let resources = Resources::new(case, params, workload, data).ok()?;
    resources.unavailable(&resources.folder)
}

/// A case with its engine open and its data prepared.
pub(crate) struct CaseContext {
    /// One, or several servers that share the data.
    instances: Vec<Box<dyn Instance>>,
    windows: Windows,
    pub(crate) seed: u64,
    load_retries: u64,
    /// Seconds of loading, where data were loaded.
    load_time: Option<f64>,
    resources: Resources,
}

impl CaseContext {
    /// Opens the engine and prepares the data; `data` are those of one instance.
    ///
    /// # Errors
    /// The engine cannot be opened, or the data cannot be loaded.
    pub(crate) fn open(
        case: &Case,
        params: CaseParams,
        bench: &mut Bench<'_>,
        workload: &'static str,
        data: &Dataset,
    ) -> Result<CaseContext, Reason> {
        let windows = Windows {
            warm_up: params.warm_up.clamp(0.0, 1e5),
            seconds: params.seconds.clamp(1e-3, 1e5),
            count: params.windows.clamp(1, 10_000) as usize,
        };
        let mut context = CaseContext {
            instances: vec![],
            windows,
            seed: bench.seed,
            load_retries: 0,
            load_time: None,
            resources: Resources::new(case, params, workload, data)?,
        };
        let options = &context.resources.params.engine_options;
        if let Some(why) = context.resources.engine.warning(options) {
            bench.unread.insert(format!("{workload}.tls"), why);
        }
        let parts = context.resources.split(bench.machine)?;
        let count = parts.len() as f64;
        for (number, part) in parts.iter().enumerate() {
            let progress = |share: f64| (number as f64 + share) / count * LOADING;
            match context.resources.open(part, bench, progress) {
                Ok((instance, report, took)) => {
                    context.load_retries += report.retries;
                    if let Some(first) = report.notes.first() {
                        let why = format!("{first} ({} such)", report.notes.len());
                        bench.unread.insert(format!("{workload}.statistics"), Reason::new(why));
                    }
                    if !report.found {
                        *context.load_time.get_or_insert(0.0) += took;
                    }
                    context.instances.push(instance);
                }
                Err(why) => {
                    _ = context.close();
                    return Err(why);
                }
            }
        }
        Ok(context)
    }
    pub(crate) fn instances(&self) -> &[Box<dyn Instance>] {
        &self.instances
    }
    /// The instance of a client thread, and the thread's number among those of the instance.
    pub(crate) fn instance_of(&self, thread: usize) -> (&dyn Instance, usize) {
        let count = self.instances.len().max(1);
        (&*self.instances[thread % count], thread / count)
    }
    /// The number of connections of a client thread.
    pub(crate) fn connections_of(&self, thread: usize) -> usize {
        let Resources { engine, connections, threads, .. } = self.resources;
        if engine.is_embedded() {
            return 1;
        }
        (connections / threads + usize::from(thread < connections % threads)).max(1)
    }
    /// Marks the data as changed, so that they are loaded again.
    pub(crate) fn invalidate(&self, data: &Dataset) {
        for instance in &self.instances {
            // The caller reports its own error; that of a dead server does not matter.
            _ = prepare::invalidate(&**instance, data);
        }
    }
    /// Runs the clients; closes nothing.
    ///
    /// # Errors
    /// A load failed or the server died.
    pub(crate) fn run_clients<L: ClientLoad>(
        &self,
        bench: &mut Bench<'_>,
        (event_types, min_latency): (usize, u64),
        make: impl Fn(usize) -> Result<L, Reason> + Sync,
    ) -> Result<ClientSamples, Reason> {
        let plan = ClientPlan {
            places: self.resources.thread_cpus(bench.machine),
            windows: self.windows,
            event_types,
            min_latency,
            cpus: self.resources.cpus.clone(),
            stall: events::stalls(bench.machine),
        };
        run_clients(bench, &self.instances, &plan, make)
    }
    /// Adds readings, returns the series, and closes the engine.
    ///
    /// # Errors
    /// No window was finished, or a server cannot be stopped and would disturb later cases.
    pub(crate) fn finish(
        self,
        bench: &mut Bench<'_>,
        samples: &ClientSamples,
        types: &EventTypes<'_>,
    ) -> Result<Vec<Series>, Reason> {
        let variant = variant(self.instances.iter().map(|instance| instance.info()).collect());
        let on_nodes = self.instances.iter().filter_map(|instance| instance.memory_on_nodes());
        let is_client = !self.resources.engine.is_embedded();
        let facts = series::CaseFacts {
            cpus: self.resources.cpus.all().len(),
            load_retries: self.load_retries,
            load_time: self.load_time,
            client_memory: is_client.then(|| usage::process().max_rss_bytes),
            memory_on_nodes: on_nodes.reduce(f64::min),
        };
        series::add_readings(bench, samples, self.resources.workload, &facts);
        let series = series::series(samples, self.windows.seconds, types, &variant);
        self.close_or_note(&mut bench.unread)?;
        series
    }
    /// Closes every instance; the first error.
    fn close(self) -> Result<(), Reason> {
        let closed: Vec<Result<(), Reason>> =
            self.instances.into_iter().map(|instance| instance.close()).collect();
        closed.into_iter().collect()
    }
    /// Closes every instance. An unclean stop is noted and costs no result.
    ///
    /// # Errors
    /// A server still runs.
    fn close_or_note(self, notes: &mut BTreeMap<String, Reason>) -> Result<(), Reason> {
        let executors: Vec<_> = self.instances.iter().map(|one| one.executor()).collect();
        let name = format!("{}.close", self.resources.workload);
        let Err(why) = self.close() else { return Ok(()) };
        let still_runs = |executor: &Executor| match executor {
            Executor::Process(pid) => usage::process_usage(*pid).is_some(),
            Executor::CallingThread | Executor::Unobservable => false,
        };
        if executors.iter().any(still_runs) {
            return Err(why);
        }
        notes.insert(name, why);
        Ok(())
    }
}

/// The engine with its settings; a setting in which instances differ has all values.
fn variant(infos: Vec<EngineInfo>) -> String {
    let Some(first) = infos.first() else { return String::new() };
    let setting = |name: &String| {
        let values = infos.iter().filter_map(|info| info.settings.get(name));
        let mut values: Vec<&str> = values.map(String::as_str).collect();
        values.dedup();
        format!("{name}={}", values.join(" | "))
    };
    let settings: Vec<String> = first.settings.keys().map(setting).collect();
    let engine = format!("{} {}", first.name, first.version);
    if settings.is_empty() { engine } else { format!("{engine} ({})", settings.join("; ")) }
}

#[cfg(test)]
mod tests;
