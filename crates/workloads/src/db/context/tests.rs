//! Placement of files, threads and clients, and the end of a case.
use super::*;
use database::{
    engine::SqlDialect,
    options::EngineOptions,
    session::{Error, Session},
};
use record::{Cpu, Node, Placement};

const DATA: Dataset = Dataset::PointSelect { rows: 1 };

/// Two servers on four CPUs whose clients spin.
fn resources() -> Resources {
    let case = Case {
        probe: "point_select".into(),
        version: 1,
        params: BTreeMap::new(),
        place: Placement { cpus: (0..4).collect(), ..Placement::default() },
        estimate: 1.0,
    };
    let params = CaseParams {
        engine: "mariadb".into(),
        mode: "shared".into(),
        step: "4 cores".into(),
        cores: 4,
        threads: 4,
        connections: 16,
        repeat: 0,
        windows: 1,
        seconds: 1.0,
        warm_up: 0.0,
        clients: Some("5-7".into()),
        instances: Some(2),
        pin: None,
        placement: None,
        folder: Some("/nowhere".into()),
        existing: None,
        point_select: None,
        tpcc: None,
        engine_options: EngineOptions::default(),
    };
    Resources::new(&case, params, "point_select", &DATA).unwrap()
}

fn texts(all: &[CpuSet]) -> Vec<String> {
    all.iter().map(ToString::to_string).collect()
}

#[test]
fn spinning_threads_have_a_cpu_each() {
    let resources = resources();
    assert_eq!((resources.threads, resources.connections), (2, 16));
    assert_eq!(texts(&resources.thread_cpus(&Machine::default())), ["5", "6"]);
}

#[test]
fn clients_are_near_the_server_on_cores_of_their_own() {
    let mut machine = Machine::default();
    for id in 0..32u32 {
        // Two sockets of eight cores; the second threads are numbered after all first ones.
        let core = id % 16;
        machine.topology.cpus.push(Cpu {
            id,
            package: Some(core / 8),
            core: Some(core),
            siblings: [core, core + 16].into_iter().collect(),
            ..Cpu::default()
        });
    }
    let order = |clients: &str, server: &str| {
        nearest_first(&machine, &clients.parse().unwrap(), &server.parse().unwrap())
    };
    // The server has four cores of the second socket: clients had been on the first.
    let all = order("0-7,12-15,16-23,28-31", "8-11");
    assert_eq!(all[..8], [12, 13, 14, 15, 28, 29, 30, 31]);
    assert_eq!(all[8..], (0..8).chain(16..24).collect::<Vec<_>>());
    // On one socket: a core each, while there are enough.
    assert_eq!(order("2-4,18-20", "0-1"), [2, 3, 4, 18, 19, 20]);
    assert_eq!(order("3,18-19", "0-1"), [3, 18, 19], "the first of each core among them");
    // A server on both has no far side.
    assert_eq!(order("7,15,23,31", "0-6,8-14"), [7, 15, 23, 31]);
    let cpus = CpuSplit {
        server: "8-11".parse().unwrap(),
        clients: "0-7,12-15,16-23,28-31".parse().unwrap(),
    };
    let five = Resources { cpus, threads: 5, ..resources() };
    assert_eq!(texts(&five.thread_cpus(&machine)), ["12", "13", "14", "15", "28"]);
    let many = Resources { threads: 25, ..five };
    assert_eq!(many.thread_cpus(&machine), vec![many.cpus.clients.clone(); 25], "CPUs are shared");
}

/// A server that had to be killed.
struct Killed(Executor);
impl Instance for Killed {
    fn info(&self) -> EngineInfo {
        EngineInfo::default()
    }
    fn dialect(&self) -> SqlDialect {
        SqlDialect::Mysql
    }
    fn executor(&self) -> Executor {
        self.0
    }
    fn loader_session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
        panic!("the test loads nothing")
    }
    fn session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
        panic!("the test opens no session")
    }
    fn close(self: Box<Self>) -> Result<(), Reason> {
        Err(Reason::new("it did not stop as it should"))
    }
}

#[test]
fn an_unclean_stop_costs_no_result_but_a_server_that_still_runs_does() {
    let close = |executor: Executor| {
        let context = CaseContext {
            instances: vec![Box::new(Killed(executor))],
            windows: Windows { warm_up: 0.0, seconds: 1.0, count: 1 },
            seed: 1,
            load_retries: 0,
            load_time: None,
            resources: resources(),
        };
        let mut notes = BTreeMap::new();
        context.close_or_note(&mut notes).map(|()| notes.into_iter().collect::<Vec<_>>())
    };
    let why = Reason::new("it did not stop as it should");
    // No process has this id: pid_max is below it.
    let gone = close(Executor::Process(u32::MAX));
    assert_eq!(gone, Ok(vec![("point_select.close".to_owned(), why.clone())]));
    assert_eq!(close(Executor::Process(std::process::id())), Err(why));
}

#[test]
fn memory_is_on_the_nodes_of_the_cpus() {
    let mut topology = Topology::default();
    for id in 0..4 {
        topology.cpus.push(record::Cpu { id, node: Some(id / 2), ..record::Cpu::default() });
    }
    topology.nodes = [0, 1].map(|id| Node { id, ..Node::default() }).to_vec();
    let nodes_of = |topology: &Topology, cpus: &str| {
        nodes(topology, &cpus.parse().unwrap()).iter().collect::<Vec<_>>()
    };
    assert_eq!(nodes_of(&topology, "0-1"), [0]);
    assert_eq!(nodes_of(&topology, "0-3"), [0, 1]);
    topology.nodes.truncate(1);
    assert_eq!(nodes_of(&topology, "0-1"), [0u32; 0]);
}
