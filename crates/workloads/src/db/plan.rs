//! The cases of a database: scaling points, and on each the combinations that the options name. Pure.
use super::{
    layout::{self, ServerLayout, combinations, or_default},
    options::{CaseParams, DatabaseOptions, Pinning, PointSelectParams, TpccParams, given},
};
use database::{engine::Engine, engines, options::WaitMode};
use measure::{
    probe::{Depth, Setting},
    scaling_run::{self, Step},
};
use record::{Case, CpuSet, Machine, ProbeId, Reason};
use transactions::{
    prepare::ExistingTables,
    tpcc::{self, StatementStyle},
};

/// Rows per second and seconds per warehouse of loading on a slow core.
const ROWS_PER_SECOND: f64 = 130_000.0;
const SECONDS_PER_WAREHOUSE: f64 = 2.4;
/// Default connections per CPU of a server, and terminals per warehouse, which limit them for TPC-C. Source: TPC-C 5.11, 4.2.1.
const CONNECTIONS: u64 = 4;
const TERMINALS: u64 = 10;
/// Fewest default points. Where there are fewer numbers of cores, one core has these times as many connections, too.
const FEWEST_POINTS: usize = 3;
const MORE_CONNECTIONS: [u64; FEWEST_POINTS - 1] = [2, 4];
/// Seconds of a point for connections, copies of the data, and conditions.
const OVERHEAD: f64 = 0.5;

/// The engine with this id.
///
/// # Errors
/// There is none; the remedy lists the engines.
pub(super) fn engine(id: &str) -> Result<&'static dyn Engine, Reason> {
    let found = engines::ALL.iter().find(|(known, _)| *known == id);
    found.map(|(_, engine)| *engine).ok_or_else(|| {
        let ids: Vec<&str> = engines::ALL.iter().map(|(id, _)| *id).collect();
        Reason::mended_by(
            format!("there is no database engine '{id}'"),
            format!("--engine {}", ids.join(", ")),
        )
    })
}

/// The scaling points with these names, or all.
fn points(machine: &Machine, cpus: &CpuSet, names: &[String]) -> Result<Vec<Step>, Reason> {
    let numbers: Vec<usize> = names.iter().filter_map(|name| name.parse().ok()).collect();
    let all = scaling_run::steps_and(machine, cpus, &numbers);
    if names.is_empty() {
        return Ok(all);
    }
    let most = all.iter().map(|s| s.cores).max().unwrap_or(0);
    let one_per_core = |s: &Step| s.cpus.len() == s.cores;
    let mut chosen: Vec<Step> = vec![];
    for name in names {
        let found = all.iter().find(|s| match name.as_str() {
            "smt" => s.cores == 1 && !one_per_core(s),
            "socket" => s.name.starts_with("socket"),
            "all" => s.cores == most && one_per_core(s),
            "threads" => s.name == "all threads",
            number => one_per_core(s) && number.parse() == Ok(s.cores),
        });
        match found {
            Some(point) if !chosen.contains(point) => chosen.push(point.clone()),
            // A machine without the named point has an equal one with another name.
            None if name.parse::<usize>().is_ok() => {
                return Err(Reason::mended_by(
                    format!("--points has {name} cores, and there are {most}"),
                    "--points with fewer cores, or --cpus with more",
                ));
            }
            _ => {}
        }
    }
    if chosen.is_empty() {
        let known: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
        return Err(Reason::mended_by(
            format!("none of the scaling points {} is here", names.join(", ")),
            format!("this machine has {}", known.join(", ")),
        ));
    }
    Ok(chosen)
}

/// The CPUs of clients: those that are neither the server's nor their siblings; without any, the siblings; without these, the
/// server's.
fn client_cpus(machine: &Machine, cpus: &CpuSet, server: &CpuSet) -> CpuSet {
    let others: CpuSet = cpus.iter().filter(|cpu| !server.contains(*cpu)).collect();
    let separate: CpuSet = others.iter().filter(|cpu| is_separate(machine, *cpu, server)).collect();
    [separate, others].into_iter().find(|set| !set.is_empty()).unwrap_or_else(|| server.clone())
}

/// Whether this CPU is neither the server's nor a sibling of one.
fn is_separate(machine: &Machine, cpu: u32, server: &CpuSet) -> bool {
    let known = machine.topology.cpu(cpu);
    !server.contains(cpu) && known.is_none_or(|c| c.siblings.intersection(server).is_empty())
}

/// The default wait of clients: they spin where each has a CPU, so that the server wakes none (docs/adr/0025).
fn default_wait(cpu_for_each: bool, is_point_select: bool) -> WaitMode {
    match (cpu_for_each, is_point_select) {
        (true, _) => WaitMode::Spin,
        (false, true) => WaitMode::Epoll,
        (false, false) => WaitMode::Poll,
    }
}

/// The cases of `point_select` or `tpcc`. Below standard depth there are none unless the user named the probe or gave options.
///
/// # Errors
/// There is no such engine, mode or scaling point, or options do not fit each other.
pub fn cases(setting: &Setting<'_>, workload: ProbeId) -> Result<Vec<Case>, Reason> {
    let default = DatabaseOptions::default();
    let is_named = setting.is_named(workload);
    let options = match setting.probe_options.get::<DatabaseOptions>() {
        Some(options) => options,
        None if setting.depth < Depth::Standard && !is_named => return Ok(vec![]),
        None => &default,
    };
    let engine = engine(&options.engine)?;
    let is_point_select = workload == ProbeId::PointSelect;
    let plan = Plan { setting, options, engine, workload: workload.as_str(), is_point_select };
    plan.check()?;
    let combinations = plan.combinations()?;
    let largest = combinations.iter().map(|c| c.point.cores).max().unwrap_or(1) as u64;
    let most_servers = combinations.iter().map(|c| c.layout.instances).max().unwrap_or(1);
    let mut loaded = vec![];
    let mut cases = vec![];
    for (repeat, combination) in scaling_run::rounds(&combinations, options.repeats) {
        // A new number of servers needs other data files; otherwise the data are there already.
        let loads = !loaded.contains(&combination.layout.instances);
        loaded.push(combination.layout.instances);
        cases.push(plan.case(&combination, repeat, loads, (largest, most_servers))?);
    }
    Ok(cases)
}

/// One measurement of a scaling point.
#[derive(Debug, Clone)]
struct Combination {
    point: Step,
    mode: String,
    statements: StatementStyle,
    /// Connections per CPU.
    connections: u64,
    layout: ServerLayout,
}

struct Plan<'a> {
    setting: &'a Setting<'a>,
    options: &'a DatabaseOptions,
    engine: &'static dyn Engine,
    workload: &'a str,
    is_point_select: bool,
}

impl Plan<'_> {
    /// Whether the server runs already: we cannot pin it.
    fn is_attached(&self) -> bool {
        !self.engine.is_embedded() && !self.engine.starts_servers()
    }
    /// Refuses options that the engine does not have.
    fn check(&self) -> Result<(), Reason> {
        let name = &self.options.engine;
        let known = self.engine.modes(self.workload);
        let unknown = self.options.modes.iter().find(|mode| !known.contains(&mode.as_str()));
        if let Some(unknown) = unknown {
            return Err(Reason::mended_by(
                format!("{name} has no mode '{unknown}' for this workload"),
                format!("--mode {}", known.join(", ")),
            ));
        }
        let known = self.engine.options(self.workload);
        let given = given(&self.options.engine_options).unwrap_or_default();
        if let Some(unknown) = given.keys().find(|name| !known.contains(&name.as_str())) {
            let (option, workload) = (unknown.replace('_', "-"), self.workload.replace('_', "-"));
            return Err(Reason::mended_by(
                format!("--{option} is no option of {workload} on {name}"),
                "leave it out, or name the engine that it belongs to: --engine mariadb starts a server, mysql://user@host:port/database is one that runs",
            ));
        }
        let calls = self.options.statements.contains(&StatementStyle::Procedure);
        if !self.is_point_select && calls && self.engine.is_embedded() {
            return Err(Reason::mended_by(
                format!("{name} has no stored procedures"),
                "--statements row-wise,batched, or a server (--engine mariadb)",
            ));
        }
        Ok(())
    }
    /// The only point of a server that runs already.
    fn attached_point(&self) -> Result<Step, Reason> {
        if !self.options.points.is_empty() {
            return Err(Reason::mended_by(
                "a server that runs already stays on its CPUs: it has no scaling points",
                "leave --points out, or --engine mariadb, which starts one on each point's CPUs",
            ));
        }
        let cpus = &self.setting.cpus;
        let all = scaling_run::steps_and(self.setting.machine, cpus, &[]);
        Ok(Step {
            name: "server as it runs".into(),
            cpus: cpus.clone(),
            cores: all.iter().map(|s| s.cores).max().unwrap_or(1),
            nodes: CpuSet::default(),
        })
    }
    /// Whether neither the scaling points nor what is measured on each is named.
    fn has_default_points(&self) -> bool {
        let DatabaseOptions { points, connections, instances, pinning, .. } = self.options;
        points.is_empty()
            && connections.is_empty()
            && instances.is_empty()
            && pinning.is_empty()
            && !self.is_attached()
    }
    /// Scaling points and their connections per CPU. Points on which the clients of a server would have no CPU but its own are
    /// left out, since they would not count.
    fn default_points(&self, points: Vec<Step>, connections: u64) -> Vec<(Step, u64)> {
        let Setting { machine, cpus, .. } = self.setting;
        let counts = |point: &&Step| {
            self.engine.is_embedded() || client_cpus(machine, cpus, &point.cpus) != point.cpus
        };
        let own: Vec<Step> = points.iter().filter(counts).cloned().collect();
        let points = if own.is_empty() { points } else { own };
        let more = FEWEST_POINTS.saturating_sub(points.len());
        let mut all: Vec<(Step, u64)> = points.into_iter().map(|p| (p, connections)).collect();
        if let Some((one, _)) = all.first().cloned() {
            let more = MORE_CONNECTIONS.iter().take(more);
            all.splice(1..1, more.map(|times| (one.clone(), connections * times)));
        }
        all
    }
    /// Every combination that fits on its scaling point.
    fn combinations(&self) -> Result<Vec<Combination>, Reason> {
        let (options, machine) = (self.options, self.setting.machine);
        let layouts = layout::layouts(options, self.engine.starts_servers())?;
        let points = match self.is_attached() {
            true => vec![self.attached_point()?],
            false => points(machine, &self.setting.cpus, &options.points)?,
        };
        let first_mode = self.engine.modes(self.workload).first().copied().unwrap_or_default();
        let modes = or_default(&options.modes, first_mode.to_owned());
        let statements = match self.is_point_select {
            true => vec![StatementStyle::RowWise],
            false => options.statements.clone(),
        };
        let default = if self.engine.is_embedded() { 1 } else { CONNECTIONS };
        let connections = or_default(&options.connections, default);
        let of_points: Vec<(Step, u64)> = match self.has_default_points() {
            true => self.default_points(points, default),
            false => combinations(&points, &connections),
        };
        let mut all = vec![];
        for ((point, connections), (mode, statements)) in
            combinations(&of_points, &combinations(&modes, &statements))
        {
            all.extend(layouts.iter().map(|layout| Combination {
                point: point.clone(),
                mode: mode.clone(),
                statements,
                connections,
                layout: layout.clone(),
            }));
        }
        all.retain(|c| {
            layout::parts(machine, &c.point.cpus, c.layout.instances as usize).is_some()
        });
        match layouts.iter().find(|layout| all.iter().all(|c| c.layout != **layout)) {
            Some(none) => Err(Reason::mended_by(
                format!("no scaling point has equal parts for {} servers", none.instances),
                "fewer --instances, or --points with a multiple of them",
            )),
            None => Ok(all),
        }
    }
    /// A case; `largest` is the number of cores of the largest point.
    fn case(
        &self,
        combination: &Combination,
        repeat: usize,
        loads: bool,
        (largest, most_servers): (u64, u64),
    ) -> Result<Case, Reason> {
        let (options, machine) = (self.options, self.setting.machine);
        let Combination { point, mode, layout, .. } = combination;
        let warehouses = options.warehouses.unwrap_or(match mode.as_str() {
            "sharded" | "files" => 1,
            _ => {
                let fitting = options.free_memory / 4 / tpcc::SIZE_OPTION.each;
                (2 * largest).min(fitting).max(4)
            }
        });
        let mut connections = combination.connections * point.cpus.len() as u64;
        let is_default = options.connections.is_empty() && !self.engine.is_embedded();
        if is_default && !self.is_point_select {
            connections = connections.min(TERMINALS.saturating_mul(warehouses));
        }
        let cpus = match layout.pinning {
            Pinning::Cores => &point.cpus,
            Pinning::None => &self.setting.cpus,
        };
        let mut engine_options = options.engine_options.clone();
        engine_options.transport = layout.transport.or(engine_options.transport);
        let mut clients = None;
        if !self.engine.is_embedded() {
            let others = client_cpus(machine, &self.setting.cpus, &point.cpus);
            // A thread serves several connections of lookups or one of transactions, and never several servers.
            let threads = if self.is_point_select { most_servers } else { connections };
            let cpu_for_each = threads <= others.len() as u64
                && others.iter().all(|cpu| is_separate(machine, cpu, &point.cpus));
            let wait = default_wait(cpu_for_each, self.is_point_select);
            engine_options.wait.get_or_insert(wait);
            clients = Some(others.to_string());
        }
        let unpinned = layout.pinning == Pinning::None || self.is_attached();
        let (point_select, tpcc, load_time) = match self.is_point_select {
            true => {
                let (rows, distribution) = (options.rows, options.distribution);
                let params = PointSelectParams { rows, distribution };
                (Some(params), None, rows as f64 / ROWS_PER_SECOND)
            }
            false => {
                let params = TpccParams {
                    warehouses,
                    statements: combination.statements,
                    mix: options.mix.clone(),
                    binding: options.binding,
                    conditions: if options.check_all { 12 } else { 4 },
                };
                (None, Some(params), warehouses as f64 * SECONDS_PER_WAREHOUSE)
            }
        };
        let params = CaseParams {
            engine: options.engine.clone(),
            mode: mode.clone(),
            step: point.name.clone(),
            cores: point.cores as u64,
            threads: cpus.len() as u64,
            connections,
            repeat: repeat as u64,
            windows: options.windows as u64,
            seconds: options.seconds,
            warm_up: options.warm_up,
            clients,
            instances: Some(layout.instances).filter(|n| *n > 1),
            pin: unpinned.then_some(Pinning::None),
            placement: layout.name.clone(),
            folder: options.folder.clone(),
            existing: Some(options.existing).filter(|e| *e != ExistingTables::Ours),
            point_select,
            tpcc,
            engine_options,
        };
        let seconds = options.warm_up + options.windows as f64 * options.seconds + OVERHEAD;
        let seconds = if loads { seconds + load_time } else { seconds };
        let mut case = self.setting.case(cpus.clone(), &[], seconds);
        case.params = params.to_record()?;
        Ok(case)
    }
}

#[cfg(test)]
mod tests;
