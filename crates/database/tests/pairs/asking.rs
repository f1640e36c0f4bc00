//! Our client as a program of its own: it asks a server that runs until it is killed. What and how is in the environment, as a
//! password would be.
use database::{
    engine::{Engine, Wanted},
    engines::mysql::Mysql,
    point_select::{C_LENGTH, STATEMENT},
    tpcc::{Binding, Mix, Scale, Terminal, Way, Worker},
};
use host::clock::{Clock, Monotonic};
use record::CpuSet;
use std::{collections::BTreeMap, env, path::Path, process::Command, thread};

/// The variable that says that this is the client, and how it asks.
const ASK: &str = "PAIRS_ASK";
/// Connections, as sysbench's threads.
pub(crate) const CONNECTIONS: usize = 8;

/// What a client is told, word by word: names and values.
#[derive(Debug, Clone)]
pub(crate) struct Ask(BTreeMap<String, String>);

impl Ask {
    pub(crate) fn new(words: &[(&str, &str)]) -> Ask {
        Ask(words.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect())
    }
    fn number(&self, name: &str) -> usize {
        self.0[name].parse().unwrap()
    }
    /// This program once more, as the client.
    pub(crate) fn command(&self, cpus: &CpuSet, password: Option<&str>) -> Command {
        let words: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        let mut command = Command::new("taskset");
        command.arg("-c").arg(cpus.to_string()).arg(env::current_exe().unwrap());
        command.args(["--ignored", "--exact", "client"]).env(ASK, words.join("\n"));
        if let Some(password) = password {
            command.env("MYSQL_PWD", password);
        }
        command
    }
    /// What this process was told, if it is a client.
    pub(crate) fn told() -> Option<Ask> {
        let text = env::var(ASK).ok()?;
        let words = text.lines().filter_map(|line| line.split_once('='));
        Some(Ask(words.map(|(name, value)| (name.into(), value.into())).collect()))
    }
}

/// Asks for ever.
pub(crate) fn ask(ask: &Ask) {
    let threads = ask.number("threads");
    let nowhere = CpuSet::default();
    let wanted = Wanted {
        workload: &ask.0["workload"],
        mode: "shared",
        folder: Path::new("/nowhere"),
        bytes: 0,
        threads,
        connections: CONNECTIONS,
        cpus: &nowhere,
        nodes: &nowhere,
        options: &ask.0,
    };
    let running = Mysql.open(&wanted).unwrap();
    thread::scope(|scope| {
        for worker in 0..threads {
            let running = &*running;
            scope.spawn(move || match &*ask.0["workload"] {
                "tpcc" => {
                    let scale = Scale::standard(ask.number("warehouses") as i64);
                    let worker = Worker {
                        index: worker,
                        scale,
                        way: Way::named(&ask.0["way"]).unwrap(),
                        mix: Mix::named(&ask.0["mix"]).unwrap(),
                        binding: Binding::Random,
                        seed: 1,
                        now: "2026-11-22 12:00:00".into(),
                    };
                    let session = running.session(worker.index).unwrap();
                    let mut terminal = Terminal::new(session, running.dialect(), &worker).unwrap();
                    loop {
                        terminal.turn().unwrap();
                    }
                }
                _ => {
                    let each = CONNECTIONS / threads;
                    let mut lookups = running.lookups(worker, each, STATEMENT).unwrap();
                    let clock = Monotonic::new();
                    let rows = ask.number("rows") as u128;
                    let (mut state, mut now) = (worker as u64 + 1, clock.now());
                    let mut next = |_: usize| {
                        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                        ((u128::from(state) * rows) >> 64) as i64 + 1
                    };
                    loop {
                        let mut answered = |_: usize, text: Option<&str>| {
                            assert_eq!(text.map(str::len), Some(C_LENGTH));
                            now = clock.now();
                        };
                        lookups.turn(&mut next, &mut answered).unwrap();
                        assert!(now > 0.0);
                    }
                }
            });
        }
    });
}
