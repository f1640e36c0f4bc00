//! Scaling run: throughput on one core, its SMT pair, 2, 4, 8 ... cores, the socket, all cores, all threads.
//!
//! Method: `cpulens scale`. Each step has as many copies as CPUs, unless `--copies` says otherwise. A probe's work runs
//! in threads that start together and work for a fixed time; each copy runs a command once. `one-to-one`: a copy per
//! CPU; `range`: all copies on the step's CPUs; `unpinned`: as many copies on all chosen CPUs. `interleave` spreads
//! memory over the nodes of these CPUs, `bind=0` puts it on node 0. Steps are interleaved, up and down (ABBA), three
//! times at least, so drift does not look like scaling. Each copy measures core frequency by short windows of dependent
//! additions. With a server its cores are scaled; the client has the same other CPUs on every step, and each point a
//! fresh server. `cpus_used` is the server's, from when it is ready until its end.
//! Limits: SMT yield and knee are of this workload, not of the CPU. A command has no frequency, and its start is in its
//! time. Processes that a command leaves running live on, run beside later points and are reported, unless
//! `--end-children` ends them. Copies run in a control group of their own where one may be made (cgroup v2).
//! Source: N. Gunther, Guerrilla Capacity Planning (the law that is fitted to the steps); numactl(8).
use crate::prelude::*;
use measure::{
    scalable_work::{MOST_COPIES, ScalableWork},
    scaling_point::{self, ScalingPoint},
    scaling_run::{self, Memory, Policy, ScalingRun as Plan, Step, Workload},
    server::Server,
};
use record::Value;

/// Throughput by step.
pub static PROBE: Probe = Probe {
    waits: true,
    needs_result: true,
    ..Probe::new(470, 1, "Throughput over cores, of a probe or a command", cases, run)
};

/// Bytes per second at which buffers are filled, all copies together: what two slow cores do.
const FILLING: f64 = 4e9;
/// Seconds of a step beside its work: threads, clocks, processes, the reference sample.
const OVERHEAD: f64 = 0.05;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let Some(plan) = setting.probe_options.get::<Plan>() else {
        let asked = setting.is_named(ProbeId::ScalingRun);
        return match setting.depth < Depth::Thorough && !asked {
            true => Ok(vec![]),
            false => Err(Reason::by_plan(
                "a scaling run is of a workload, and none was named",
                "cpulens scale core_rate",
            )),
        };
    };
    let nodes = memory_nodes(setting);
    if plan.memory.contains(&Memory::Interleave) && nodes.len() < 2 {
        return Err(Reason::mended_by(
            "memory is interleaved over two nodes and more, and these CPUs have one",
            "--memory local",
        ));
    }
    for memory in &plan.memory {
        refused(*memory, setting)?;
    }
    let kinds = kinds(plan, setting)?;
    let mut scaling_points = vec![];
    let server = plan.server.as_ref();
    let split = server.map(|s| s.split(setting.machine, &setting.cpus)).transpose()?;
    let (scaled, client) = split.unwrap_or_else(|| (setting.cpus.clone(), CpuSet::default()));
    for step in scaling_run::steps(setting.machine, &scaled) {
        for memory in &plan.memory {
            for policy in &plan.policies {
                scaling_points.extend(kinds.iter().map(|k| (step.clone(), *memory, *policy, *k)));
            }
        }
    }
    let rounds = scaling_run::rounds(&scaling_points, plan.repeats);
    Ok(rounds
        .into_iter()
        .map(|(repeat, (step, memory, policy, kind))| {
            let copies = plan.copies.unwrap_or(step.cpus.len()).max(1);
            let cpus = match policy {
                Policy::Unpinned => setting.cpus.clone(),
                _ => step.cpus.iter().chain(client.iter()).collect(),
            };
            let mut params = params(plan, &step, copies, policy, memory, repeat);
            params.extend(server.into_iter().flat_map(|server| server.params(&client)));
            match memory {
                Memory::Local => {}
                Memory::Interleave => params.push(param::NODES.set(nodes.to_string())),
                Memory::Bind(node) => params.push(param::NODES.set(node.to_string())),
            }
            let mut seconds = plan.seconds + OVERHEAD;
            let mut pages = Pages::Base;
            if let Some((copied, kind)) = kind {
                params.push(copied.parameter.set(kind));
                let free = Some(u64::MAX);
                let bytes = copied.bytes(setting.machine, &cpus, copies, free) * copies as u64;
                seconds += warm_up_seconds(plan.seconds) + bytes as f64 / FILLING;
                if bytes > 0 {
                    pages = memory_kernels::pages(setting.machine);
                }
            }
            let mut case = setting.case(cpus, &params, seconds);
            case.place.pages = pages;
            if let Memory::Bind(node) = memory {
                case.place.node = Some(node);
            }
            case
        })
        .collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let copies = case.get(param::COPIES).unwrap_or(1).clamp(1, MOST_COPIES) as usize;
    let server = Server::of_case(case)?;
    let (all, client) = (&case.place.cpus, server.as_ref().and_then(|s| s.client_cpus.as_ref()));
    let cpus = client.unwrap_or(all);
    let rest = |client: &CpuSet| all.iter().filter(|cpu| !client.contains(*cpu)).collect();
    let pinned = case.get(param::POLICY) == Some(Policy::OneToOne.name());
    let each: Vec<CpuSet> = if pinned { threads::pinned(cpus.iter()) } else { vec![cpus.clone()] };
    let nodes: Option<CpuSet> = case
        .get(param::NODES)
        .map(str::parse)
        .transpose()
        .map_err(|e| Reason::new(format!("the nodes of the case: {e}")))?;
    let memory = case.get(param::MEMORY).and_then(Memory::named);
    let places = each.iter().cycle().take(copies).cloned().collect();
    let scaling_point = ScalingPoint { places, memory: memory.zip(nodes), pinned };
    if let Some(words) = case.get(param::COMMAND_WORDS) {
        let words: Vec<String> = words.iter().map(ToString::to_string).collect();
        let served = server.as_ref().zip(client.map(rest));
        return scaling_point::command(&words, bench, &scaling_point, case, served);
    }
    let id = case.get(param::WORKLOAD).unwrap_or_default();
    let copied = copied(id)?;
    let kind = case.get(copied.parameter).unwrap_or_default();
    scaling_point::probe(
        case,
        bench,
        copied,
        kind,
        &scaling_point,
        case.get(param::SECONDS).unwrap_or(1.0),
    )
}

/// The reason why memory cannot be bound to a node that was named.
fn refused(memory: Memory, setting: &Setting<'_>) -> Result<(), Reason> {
    let Memory::Bind(wanted) = memory else { return Ok(()) };
    let nodes = &setting.machine.topology.nodes;
    let with_memory: CpuSet = nodes.iter().filter(|n| n.bytes != Some(0)).map(|n| n.id).collect();
    if with_memory.contains(wanted) {
        return Ok(());
    }
    let why = match nodes.iter().any(|n| n.id == wanted) {
        true => format!("node {wanted} has no memory to be bound to"),
        false => format!("there is no node {wanted} to bind memory to"),
    };
    Err(Reason::mended_by(why, format!("nodes with memory are {with_memory}")))
}

/// Seconds that copies warm up.
fn warm_up_seconds(seconds: f64) -> f64 {
    (seconds * scaling_point::WARM).min(scaling_point::WARM_MOST)
}

type Kind = (&'static ScalableWork, &'static str);

/// The kinds of work of a scaling run: the workload's first, or all of them where some are chosen by `--where`; nothing for
/// a command.
fn kinds(plan: &Plan, setting: &Setting<'_>) -> Result<Vec<Option<Kind>>, Reason> {
    let Workload::Probe(id) = &plan.workload else { return Ok(vec![None]) };
    let copied = copied(id)?;
    let name = copied.parameter.name();
    let chosen = setting.options.only_with.iter().any(|(asked, _)| asked == name);
    let most = if chosen { usize::MAX } else { 1 };
    Ok((copied.kinds)().into_iter().take(most).map(|kind| Some((copied, kind))).collect())
}

/// The work of the probe with this id.
fn copied(id: &str) -> Result<&'static ScalableWork, Reason> {
    let all = measure::scalable_work::all(crate::probes::ALL);
    let found = all.iter().find(|(known, _)| *known == id).map(|(_, copied)| *copied);
    found.ok_or_else(|| {
        let ids: Vec<&str> = all.iter().map(|(id, _)| *id).collect();
        Reason::mended_by(
            format!("there is no scaling run of '{id}'"),
            format!("cpulens scale with one of {}", ids.join(", ")),
        )
    })
}

/// Nodes with memory that the chosen CPUs belong to, or are nearest to.
fn memory_nodes(setting: &Setting<'_>) -> CpuSet {
    let topology = &setting.machine.topology;
    let own: CpuSet = setting.cpus.iter().filter_map(|cpu| topology.memory_of(cpu)).collect();
    own.iter().filter(|id| topology.node(*id).is_some_and(|n| n.bytes != Some(0))).collect()
}

fn params(
    plan: &Plan,
    step: &Step,
    copies: usize,
    policy: Policy,
    memory: Memory,
    repeat: usize,
) -> Vec<(&'static str, Value)> {
    let mut params = vec![
        param::STEP.set(step.name.clone()),
        param::CORES.set(step.cores),
        param::THREADS.set(step.cpus.len()),
        param::COPIES.set(copies),
        param::POLICY.set(policy.name()),
        param::MEMORY.set(memory.name()),
        param::REPEAT.set(repeat),
    ];
    match &plan.workload {
        Workload::Probe(id) => {
            params.extend([param::WORKLOAD.set(id.clone()), param::SECONDS.set(plan.seconds)]);
        }
        Workload::Command(words) => {
            let words: Vec<Value> = words.iter().map(|w| w.clone().into()).collect();
            params.extend([param::WORKLOAD.set("command"), param::COMMAND_WORDS.set(words)]);
            params.extend(plan.timeout.map(|seconds| param::TIMEOUT.set(seconds)));
            params.extend(plan.rate.param());
            params.extend(plan.end_children.then_some(param::END_CHILDREN.set(true)));
        }
    }
    params
}
