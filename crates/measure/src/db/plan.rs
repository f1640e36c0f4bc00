//! The cases of a database: steps of a scaling run, and on each the ways in which it shall be measured. Pure.
use super::{
    Pin, Wish,
    variant::{self, Variant},
};
use crate::{
    probe::{Depth, Setting},
    scaling_run::{self, Step},
};
use database::{engine::Engine, engines, prepare::Found, tpcc};
use record::{Case, CpuSet, Machine, Reason, Value};

/// Rows that are loaded in a second, and warehouses: what a slow core does.
const ROWS_A_SECOND: f64 = 130_000.0;
const SECONDS_A_WAREHOUSE: f64 = 2.4;
/// Connections for each CPU of a server if nothing is said, and the terminals of a warehouse: of TPC-C there are no more then.
/// Source: TPC-C 5.11, 4.2.1.
const CONNECTIONS: u64 = 4;
const TERMINALS: u64 = 10;
/// Seconds of a step beside its load: connections, copies of the data, conditions.
const OVERHEAD: f64 = 0.5;

/// The engine with this id.
///
/// # Errors
/// There is none; those that there are.
pub(crate) fn engine(id: &str) -> Result<&'static dyn Engine, Reason> {
    let found = engines::ALL.iter().find(|(known, _)| *known == id);
    found.map(|(_, engine)| *engine).ok_or_else(|| {
        let ids: Vec<&str> = engines::ALL.iter().map(|(id, _)| *id).collect();
        Reason::mended_by(
            format!("there is no database engine '{id}'"),
            format!("--engine {}", ids.join(", ")),
        )
    })
}

/// The steps that were asked for.
fn steps(machine: &Machine, cpus: &CpuSet, asked: &[String]) -> Result<Vec<Step>, Reason> {
    let numbers: Vec<usize> = asked.iter().filter_map(|word| word.parse().ok()).collect();
    let all = scaling_run::steps_and(machine, cpus, &numbers);
    if asked.is_empty() {
        return Ok(all);
    }
    let most = all.iter().map(|s| s.cores).max().unwrap_or(0);
    let alone = |s: &Step| s.cpus.len() == s.cores;
    let mut chosen: Vec<Step> = vec![];
    for word in asked {
        let found = all.iter().find(|s| match word.as_str() {
            "smt" => s.cores == 1 && !alone(s),
            "socket" => s.name.starts_with("socket"),
            "all" => s.cores == most && alone(s),
            "threads" => s.name == "all threads",
            number => alone(s) && number.parse() == Ok(s.cores),
        });
        match found {
            Some(step) if !chosen.contains(step) => chosen.push(step.clone()),
            // A machine without such a step has what is like it under another name.
            None if word.parse::<usize>().is_ok() => {
                return Err(Reason::mended_by(
                    format!("a step of {word} cores was asked for, and there are {most}"),
                    "--points with fewer cores, or --cpus with more",
                ));
            }
            _ => {}
        }
    }
    if chosen.is_empty() {
        let names: Vec<&str> = all.iter().map(|s| s.name.as_str()).collect();
        return Err(Reason::mended_by(
            format!("none of the steps {} is here", asked.join(", ")),
            format!("this machine has {}", names.join(", ")),
        ));
    }
    Ok(chosen)
}

/// The CPUs of clients: those that are left, without the siblings of the server's; with these where nothing else is left;
/// and the server's own, where it has all.
fn clients(machine: &Machine, cpus: &CpuSet, server: &CpuSet) -> CpuSet {
    let left: CpuSet = cpus.iter().filter(|cpu| !server.contains(*cpu)).collect();
    let apart: CpuSet = left.iter().filter(|cpu| is_apart(machine, *cpu, server)).collect();
    [apart, left].into_iter().find(|set| !set.is_empty()).unwrap_or_else(|| server.clone())
}

/// Whether this CPU is none of the server's, nor a sibling of one.
fn is_apart(machine: &Machine, cpu: u32, server: &CpuSet) -> bool {
    let known = machine.topology.cpu(cpu);
    !server.contains(cpu) && known.is_none_or(|c| c.siblings.intersection(server).is_empty())
}

/// The one step of a server that runs already: nobody here puts it anywhere.
fn as_it_runs(machine: &Machine, cpus: &CpuSet, asked: &[String]) -> Result<Step, Reason> {
    if !asked.is_empty() {
        return Err(Reason::mended_by(
            "a server that runs already stays where it is: it has no steps",
            "leave --points out, or --engine mariadb, which starts one on each step's CPUs",
        ));
    }
    let all = scaling_run::steps_and(machine, cpus, &[]);
    Ok(Step {
        name: "server as it runs".into(),
        cpus: cpus.clone(),
        cores: all.iter().map(|s| s.cores).max().unwrap_or(1),
        nodes: CpuSet::default(),
    })
}

/// Refuses what the engine cannot be told.
fn takes(engine: &dyn Engine, wish: &Wish, workload: &str) -> Result<(), Reason> {
    let known = engine.options(workload);
    let Some(unknown) = wish.options.keys().find(|name| !known.contains(&name.as_str())) else {
        return Ok(());
    };
    let (option, workload) = (unknown.replace('_', "-"), workload.replace('_', "-"));
    Err(Reason::mended_by(
        format!("--{option} says nothing of {workload} on {}", wish.engine),
        "leave it out, or name the engine that it is of: --engine mariadb starts a server, mysql://user@host:port/database asks one that runs",
    ))
}

/// The cases of `point_select` or `tpcc`; none below standard depth where nobody asked.
///
/// # Errors
/// There is no such engine, mode or step.
pub(crate) fn cases(setting: &Setting<'_>, workload: &str) -> Result<Vec<Case>, Reason> {
    let small = Wish::small();
    let named = setting.is_named(workload);
    let wish = match setting.probe_options.get::<Wish>() {
        Some(wish) => wish,
        None if setting.depth < Depth::Standard && !named => return Ok(vec![]),
        None => &small,
    };
    let engine = engine(&wish.engine)?;
    let known = engine.modes(workload);
    let first: Vec<String> = known.first().map(|m| (*m).to_owned()).into_iter().collect();
    let modes = if wish.modes.is_empty() { &first } else { &wish.modes };
    if let Some(unknown) = modes.iter().find(|mode| !known.contains(&mode.as_str())) {
        return Err(Reason::mended_by(
            format!("{} has no mode '{unknown}' for this workload", wish.engine),
            format!("--mode {}", known.join(", ")),
        ));
    }
    takes(engine, wish, workload)?;
    let embedded = engine.is_embedded();
    let attached = !embedded && !engine.starts_servers();
    let point = workload == "point_select";
    let mut scaling_points: Vec<(Step, &String, tpcc::Way, u64, Variant)> = vec![];
    let variants = variant::variants(wish, engine.starts_servers())?;
    let steps = match attached {
        true => vec![as_it_runs(setting.machine, &setting.cpus, &wish.scaling_run)?],
        false => steps(setting.machine, &setting.cpus, &wish.scaling_run)?,
    };
    let most = steps.iter().map(|s| s.cores as u64).max().unwrap_or(1);
    // If nothing is said, as many as the workload likes.
    let usual = wish.connections.is_empty();
    let connections = match (embedded, usual) {
        (true, _) => &[1][..],
        (false, true) => &[CONNECTIONS],
        (false, false) => &wish.connections,
    };
    for step in steps {
        for mode in modes {
            let ways = if point { &wish.ways[..1.min(wish.ways.len())] } else { &wish.ways[..] };
            for way in ways {
                for connections in connections {
                    for variant in &variants {
                        let instances = variant.instances as usize;
                        if variant::parts(setting.machine, &step.cpus, instances).is_some() {
                            scaling_points.push((
                                step.clone(),
                                mode,
                                *way,
                                *connections,
                                variant.clone(),
                            ));
                        }
                    }
                }
            }
        }
    }
    if let Some(none) = variants
        .iter()
        .find(|v| scaling_points.iter().all(|(.., scaling_point)| scaling_point != *v))
    {
        return Err(Reason::mended_by(
            format!("no step has cores for {} servers of equally many", none.instances),
            "fewer --instances, or a --points with a multiple of them",
        ));
    }
    let servers = variants.iter().map(|v| v.instances).max().unwrap_or(1);
    let mut loaded: Vec<u64> = vec![];
    let mut cases: Vec<Case> = vec![];
    for (repeat, (step, mode, way, connections, variant)) in
        scaling_run::rounds(&scaling_points, wish.repeats)
    {
        let warehouses = wish.warehouses.unwrap_or(match mode.as_str() {
            "sharded" | "files" => 1,
            _ => (2 * most).min(wish.free / 4 / tpcc::BYTES_A_WAREHOUSE).max(4),
        });
        let connections = match connections * step.cpus.len() as u64 {
            all if embedded || point || !usual => all,
            all => all.min(TERMINALS.saturating_mul(warehouses)),
        };
        // One that is not pinned has them all.
        let place = match variant.pin {
            Pin::Cores => step.cpus.clone(),
            Pin::None => setting.cpus.clone(),
        };
        let threads = place.len() as u64;
        let mut params: Vec<(&str, Value)> = vec![
            ("engine", wish.engine.clone().into()),
            ("mode", mode.clone().into()),
            ("step", step.name.clone().into()),
            ("cores", (step.cores as u64).into()),
            ("threads", threads.into()),
            ("connections", connections.into()),
            ("repeat", (repeat as u64).into()),
            ("windows", (wish.windows as u64).into()),
            ("seconds", wish.seconds.into()),
            ("warm", wish.warm.into()),
        ];
        if !embedded {
            let others = clients(setting.machine, &setting.cpus, &step.cpus);
            params.push(("clients", others.to_string().into()));
            if !wish.options.contains_key("wait") {
                let apart = others.iter().all(|cpu| is_apart(setting.machine, cpu, &step.cpus));
                // A thread looks after several connections of lookups, and after one of transactions; never after several
                // servers.
                let least = if point { servers } else { connections };
                let room = least <= others.len() as u64;
                params.push(("wait", waiting(apart && room, point).into()));
            }
        }
        let instances = variant.instances;
        if instances > 1 {
            params.push(("instances", instances.into()));
        }
        if variant.pin == Pin::None || attached {
            params.push(("pin", "none".into()));
        }
        params.extend(variant.transport.map(|transport| ("transport", transport.into())));
        params.extend(variant.name.map(|name| ("placement", name.into())));
        params.extend(wish.folder.clone().map(|folder| ("folder", folder.into())));
        match wish.found {
            Found::Ours => {}
            Found::Replace => params.push(("found", "replace".into())),
            Found::Reuse => params.push(("found", "reuse".into())),
        }
        params.extend(wish.options.iter().map(|(k, v)| (k.as_str(), v.clone().into())));
        let mut seconds = wish.warm + wish.windows as f64 * wish.seconds + OVERHEAD;
        let loading = match point {
            true => {
                params.push(("rows", wish.rows.into()));
                params.push(("distribution", wish.distribution.name().into()));
                wish.rows as f64 / ROWS_A_SECOND
            }
            false => {
                if way == tpcc::Way::Procedure && embedded {
                    return Err(Reason::mended_by(
                        format!("{} has no stored procedures", wish.engine),
                        "--way row-wise,batched, or a server (--engine mariadb)",
                    ));
                }
                params.push(("warehouses", warehouses.into()));
                params.push(("way", way.name().into()));
                params.push(("mix", wish.mix.name().into()));
                params.push(("binding", wish.binding.name().into()));
                params.push(("conditions", if wish.check_all { 12u64 } else { 4 }.into()));
                warehouses as f64 * SECONDS_A_WAREHOUSE
            }
        };
        // Data that are shared out differently are loaded anew; others are found.
        if !loaded.contains(&instances) {
            seconds += loading;
            loaded.push(instances);
        }
        cases.push(setting.case(place, &params, seconds));
    }
    Ok(cases)
}

/// How clients wait if nobody says it: they never sleep where each has a CPU, so that the server wakes none (docs/adr/0025).
fn waiting(room: bool, point: bool) -> &'static str {
    match (room, point) {
        (true, _) => "spin",
        (false, true) => "epoll",
        (false, false) => "poll",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    fn words(all: &[&str]) -> Vec<String> {
        all.iter().map(|w| (*w).to_owned()).collect()
    }

    /// Cores with two threads each: CPU n and n + cores.
    fn machine(cores: u32) -> (Machine, CpuSet) {
        let mut machine = Machine::default();
        for id in 0..2 * cores {
            let core = id % cores;
            machine.topology.cpus.push(record::Cpu {
                id,
                online: true,
                allowed: true,
                core: Some(core),
                package: Some(0),
                siblings: [core, core + cores].into_iter().collect(),
                ..record::Cpu::default()
            });
        }
        (machine, (0..2 * cores).collect())
    }

    #[test]
    fn clients_sleep_where_they_share_cpus() {
        assert_eq!((waiting(true, true), waiting(true, false)), ("spin", "spin"));
        assert_eq!((waiting(false, true), waiting(false, false)), ("epoll", "poll"));
    }

    #[test]
    fn the_steps_that_are_asked_for_are_found() {
        let (machine, cpus) = machine(12);
        let names = |asked: &[&str]| -> Vec<(usize, usize)> {
            let steps = steps(&machine, &cpus, &words(asked)).unwrap();
            steps.iter().map(|s| (s.cores, s.cpus.len())).collect()
        };
        assert_eq!(
            names(&["1", "smt", "2", "5", "all", "12"]),
            [(1, 1), (1, 2), (2, 2), (5, 5), (12, 12)]
        );
        assert_eq!(names(&["threads"]), [(12, 24)]);
        assert_eq!(names(&[]).len(), 7, "1, its pair, 2, 4, 8, 12, all threads");
        let why = steps(&machine, &cpus, &words(&["13"])).unwrap_err();
        assert!(why.why.contains("13 cores") && why.remedy.is_some(), "{why}");
        let one: CpuSet = [3].into_iter().collect();
        assert!(steps(&machine, &one, &words(&["smt"])).is_err(), "one CPU has no sibling");
    }

    #[test]
    fn clients_are_where_the_server_is_not() {
        let (machine, cpus) = machine(4);
        let of = |server: &str| clients(&machine, &cpus, &server.parse().unwrap()).to_string();
        assert_eq!(of("0"), "1-3,5-7", "the sibling, 4, is left out");
        assert_eq!(of("0-3"), "4-7", "nothing but siblings is left");
        assert_eq!(of("0-7"), "0-7", "nothing is left at all");
    }

    #[test]
    fn a_server_that_runs_already_has_one_step_and_is_pinned_nowhere() {
        let (machine, cpus) = machine(4);
        let mut setting = Setting::new(&machine, cpus.clone(), Depth::Standard);
        let options = BTreeMap::from([("address".to_owned(), "mysql://me@h/d".to_owned())]);
        let wish = Wish { engine: "mysql".into(), options, scaling_run: vec![], ..Wish::small() };
        setting.probe_options.set(wish.clone());
        for workload in ["point_select", "tpcc"] {
            let all = cases(&setting, workload).unwrap();
            let [case] = &all[..] else { panic!("one step: {all:?}") };
            assert_eq!(case.text("step"), Some("server as it runs"));
            assert_eq!((case.text("pin"), case.integer("cores")), (Some("none"), Some(4)));
            assert_eq!(case.place.cpus, cpus);
        }
        setting.probe_options.set(Wish { scaling_run: words(&["1"]), ..wish });
        assert!(cases(&setting, "tpcc").is_err_and(|why| why.why.contains("has no steps")));
    }

    #[test]
    fn clients_on_siblings_sleep() {
        let (machine, cpus) = machine(4);
        let mut setting = Setting::new(&machine, cpus, Depth::Standard);
        let scaling_run = words(&["1", "all"]);
        setting.probe_options.set(Wish { engine: "mariadb".into(), scaling_run, ..Wish::small() });
        let all = cases(&setting, "point_select").unwrap();
        let waits: Vec<_> = all.iter().map(|c| c.text("wait").unwrap()).collect();
        assert_eq!(waits, ["spin", "epoll"], "all cores leave nothing but their siblings");
        assert_eq!(all[1].text("clients"), Some("4-7"));
    }

    #[test]
    fn terminals_are_ten_a_warehouse_unless_more_are_asked_for() {
        let (machine, cpus) = machine(8);
        let mut setting = Setting::new(&machine, cpus, Depth::Standard);
        let mut of = |workload: &str, warehouses: u64, connections: &[u64]| -> Vec<u64> {
            setting.probe_options.set(Wish {
                engine: "mariadb".into(),
                scaling_run: words(&["1", "2", "8"]),
                warehouses: Some(warehouses),
                connections: connections.to_vec(),
                ..Wish::small()
            });
            let all = cases(&setting, workload).unwrap();
            all.iter().map(|case| case.integer("connections").unwrap()).collect()
        };
        assert_eq!(of("tpcc", 4, &[]), [4, 8, 32]);
        assert_eq!(of("tpcc", 1, &[]), [4, 8, 10]);
        assert_eq!(of("tpcc", 1, &[4]), [4, 8, 32], "whoever says so gets them");
        assert_eq!(of("point_select", 1, &[]), [4, 8, 32]);
        setting.probe_options.set(Wish { connections: vec![], ..Wish::small() });
        let all = cases(&setting, "tpcc").unwrap();
        assert!(all.iter().all(|c| c.integer("connections") == Some(c.place.cpus.len() as u64)));
    }

    #[test]
    fn what_an_engine_cannot_be_told_is_refused() {
        let (machine, cpus) = machine(4);
        let mut setting = Setting::new(&machine, cpus, Depth::Standard);
        let mut of = |engine: &str, workload: &str, option: &str| {
            let options = BTreeMap::from([(option.to_owned(), "yes".to_owned())]);
            let scaling_run = vec![];
            setting.probe_options.set(Wish {
                engine: engine.into(),
                options,
                scaling_run,
                ..Wish::small()
            });
            cases(&setting, workload).map(|all| all.len()).map_err(|why| why.to_string())
        };
        assert!(of("mariadb", "tpcc", "durable").is_ok());
        for (engine, workload, option) in [
            ("sqlite", "tpcc", "durable"),
            ("mysql", "tpcc", "durable"),
            ("mariadb", "tpcc", "option_file"),
            ("mariadb", "tpcc", "protocol"),
            ("mariadb", "point_select", "isolation"),
        ] {
            let why = of(engine, workload, option).unwrap_err();
            assert!(why.contains(&format!("--{}", option.replace('_', "-"))), "{why}");
        }
    }

    #[test]
    fn cases_have_all_that_a_resumed_run_needs() {
        let (machine, cpus) = machine(4);
        let mut setting = Setting::new(&machine, cpus, Depth::Quick);
        assert_eq!(cases(&setting, "tpcc"), Ok(vec![]), "nobody asked");
        setting.depth = Depth::Standard;
        let all = cases(&setting, "tpcc").unwrap();
        assert_eq!(all.len(), 2);
        assert_eq!(all[1].place.cpus.len(), 4);
        assert!(all[0].estimate > all[1].estimate, "the first one loads");
        for name in [
            "engine",
            "mode",
            "step",
            "cores",
            "connections",
            "warehouses",
            "way",
            "mix",
            "binding",
            "windows",
        ] {
            assert!(all.iter().all(|c| c.params.contains_key(name)), "{name}");
        }
        let wish = Wish {
            modes: words(&["shared", "wal"]),
            repeats: 3,
            scaling_run: vec![],
            ..Wish::small()
        };
        setting.probe_options.set(wish.clone());
        let all = cases(&setting, "point_select").unwrap();
        assert_eq!(all.len(), 5 * 2 * 3, "1, its pair, 2, 4, all threads");
        let servers = Wish {
            engine: "mariadb".into(),
            instances: vec![1, 2],
            pins: vec![Pin::Cores, Pin::None],
            modes: vec![],
            repeats: 2,
            scaling_run: words(&["1", "4"]),
            ..wish.clone()
        };
        setting.probe_options.set(servers.clone());
        let all = cases(&setting, "point_select").unwrap();
        assert_eq!(all.len(), (2 + 4) * 2, "one core is no two servers'");
        let of = |name: &str| all.iter().filter(|c| c.text("placement") == Some(name)).count();
        assert_eq!(of("2 servers, pinned"), 2);
        let floating: Vec<&Case> = all
            .iter()
            .filter(|c| c.text("placement").is_some_and(|p| p.ends_with(" unpinned")))
            .collect();
        assert!(floating.iter().all(|c| c.place.cpus.len() == 8 && c.text("clients").is_some()));
        assert!(all.iter().all(|c| floating.contains(&c) == (c.text("pin") == Some("none"))));
        let loads = all.iter().filter(|c| c.estimate > all.last().unwrap().estimate + 1.0).count();
        assert_eq!(loads, 2, "whole, and in halves");
        for bad in [
            Wish { instances: vec![1, 3], ..servers.clone() },
            Wish { instances: vec![2], engine: "sqlite".into(), ..wish.clone() },
            Wish { engine: "oracle".into(), ..wish.clone() },
            Wish { modes: words(&["sharded"]), ..wish.clone() },
            Wish { scaling_run: words(&["5"]), ..wish.clone() },
        ] {
            setting.probe_options.set(bad);
            assert!(cases(&setting, "point_select").is_err_and(|why| why.remedy.is_some()));
        }
        setting.probe_options.set(Wish { ways: vec![tpcc::Way::Procedure], modes: vec![], ..wish });
        assert!(cases(&setting, "tpcc").is_err(), "SQLite has no procedures");
    }
}
