//! Where an engine's files, threads and clients go, and how a step ends.
use super::*;
use database::{
    engine::Dialect,
    session::{Error, Session},
};
use record::{Cpu, Node, Placement};

const DATA: Data = Data::PointSelect { rows: 1 };

/// Two servers of four CPUs, whose clients never sleep.
fn case() -> Case {
    Case {
        probe: "point_select".into(),
        version: 1,
        params: [
            ("engine", Value::from("mariadb")),
            ("folder", "/nowhere".into()),
            ("clients", "5-7".into()),
            ("instances", 2u64.into()),
            ("connections", 16u64.into()),
        ]
        .map(|(name, value)| (name.to_owned(), value))
        .into(),
        place: Placement { cpus: (0..4).collect(), ..Placement::default() },
        estimate: 1.0,
    }
}

#[test]
fn threads_that_never_sleep_have_a_cpu_each() {
    let told = told(&case(), "point_select", &DATA).unwrap();
    assert_eq!((told.threads, told.connections), (2, 16));
    let places = told.places(&Machine::default());
    assert_eq!(places.iter().map(ToString::to_string).collect::<Vec<_>>(), ["5", "6"]);
}

#[test]
fn clients_are_on_the_servers_socket_and_on_cores_of_their_own() {
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
    let of = |clients: &str, server: &str| {
        nearest(&machine, &clients.parse().unwrap(), &server.parse().unwrap())
    };
    // The server has four cores of the second socket: clients had been on the first.
    let all = of("0-7,12-15,16-23,28-31", "8-11");
    assert_eq!(all[..8], [12, 13, 14, 15, 28, 29, 30, 31]);
    assert_eq!(all[8..], (0..8).chain(16..24).collect::<Vec<_>>());
    // On one socket: a core each, while there are enough.
    assert_eq!(of("2-4,18-20", "0-1"), [2, 3, 4, 18, 19, 20]);
    assert_eq!(of("3,18-19", "0-1"), [3, 18, 19], "the first of each core among them");
    // A server on both has no far side.
    assert_eq!(of("7,15,23,31", "0-6,8-14"), [7, 15, 23, 31]);
    let told = Told {
        server: "8-11".parse().unwrap(),
        clients: "0-7,12-15,16-23,28-31".parse().unwrap(),
        threads: 5,
        ..told(&case(), "point_select", &DATA).unwrap()
    };
    let places: Vec<String> = told.places(&machine).iter().map(ToString::to_string).collect();
    assert_eq!(places, ["12", "13", "14", "15", "28"]);
    let all = Told { threads: 25, ..told };
    assert_eq!(all.places(&machine), vec![all.clients.clone(); 25], "they take turns");
}

/// A server that was killed in the end.
struct Killed(Works);
impl Running for Killed {
    fn identity(&self) -> Identity {
        Identity::default()
    }
    fn dialect(&self) -> Dialect {
        Dialect::Mysql
    }
    fn works(&self) -> Works {
        self.0
    }
    fn loaders(&self) -> usize {
        1
    }
    fn loader(&self, _: usize) -> Result<Box<dyn Session>, Error> {
        panic!("nobody loads")
    }
    fn session(&self, _: usize) -> Result<Box<dyn Session>, Error> {
        panic!("nobody asks")
    }
    fn close(self: Box<Self>) -> Result<(), Reason> {
        Err(Reason::new("it did not stop as it should"))
    }
}

#[test]
fn a_server_that_had_to_be_killed_costs_no_step_but_one_that_lives_does() {
    let put_away = |works: Works| {
        let stand = Stand {
            running: vec![Box::new(Killed(works))],
            windows: Windows::fixed(0.0, 1.0, 1),
            seed: 1,
            load_retries: 0,
            load_time: None,
            told: told(&case(), "point_select", &DATA).unwrap(),
            workload: "point_select",
        };
        let mut notes = BTreeMap::new();
        stand.put_away(&mut notes).map(|()| notes.into_iter().collect::<Vec<_>>())
    };
    let why = Reason::new("it did not stop as it should");
    // No process has this id: pid_max is below it.
    let gone = put_away(Works::InProcess(u32::MAX));
    assert_eq!(gone, Ok(vec![("point_select.close".to_owned(), why.clone())]));
    assert_eq!(put_away(Works::InProcess(std::process::id())), Err(why));
}

#[test]
fn memory_is_spread_over_all_nodes_where_there_are_several() {
    let mut topology = Topology::default();
    for id in 0..4 {
        topology.cpus.push(record::Cpu { id, node: Some(id / 2), ..record::Cpu::default() });
    }
    topology.nodes = [0, 1].map(|id| Node { id, ..Node::default() }).to_vec();
    let of = |topology: &Topology, cpus: &str| {
        nodes(topology, &cpus.parse().unwrap()).iter().collect::<Vec<_>>()
    };
    assert_eq!(of(&topology, "0-1"), [0]);
    assert_eq!(of(&topology, "0-3"), [0, 1]);
    topology.nodes.truncate(1);
    assert_eq!(of(&topology, "0-1"), [0u32; 0]);
}
