//! Our client as a program of its own: it asks a server that runs until it is killed. What and how is in the environment, as a
//! password would be.
use database::{
    engine::{Engine, OpenOptions},
    engines::mysql::Mysql,
    options::{self, EngineOptions},
};
use host::clock::{Clock, Monotonic};
use record::CpuSet;
use std::{collections::BTreeMap, env, process::Command, thread};
use transactions::{
    point_select::{C_LENGTH, STATEMENT},
    tpcc::{Binding, Scale, Terminal, TerminalOptions},
};

/// The variable that says that this is the client, and how it asks.
const ASK: &str = "PAIRS_ASK";
/// Connections, as sysbench's threads.
pub(crate) const CONNECTIONS: usize = 8;

/// The arguments of a client: names and values.
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
    /// The arguments of this process, if it is a client.
    pub(crate) fn from_arguments() -> Option<Ask> {
        let text = env::var(ASK).ok()?;
        let words = text.lines().filter_map(|line| line.split_once('='));
        Some(Ask(words.map(|(name, value)| (name.into(), value.into())).collect()))
    }
}

/// Asks for ever.
pub(crate) fn ask(ask: &Ask) {
    let threads = ask.number("threads");
    let text = |name: &str| ask.0.get(name).cloned();
    let engine_options = EngineOptions {
        address: text("address"),
        socket: text("socket"),
        user: text("user"),
        database: text("database"),
        wait: text("wait").map(|wait| options::parse(&wait).unwrap()),
        protocol: text("protocol").map(|protocol| options::parse(&protocol).unwrap()),
        begin: text("begin").map(|begin| options::parse(&begin).unwrap()),
        ..EngineOptions::default()
    };
    let open_options = OpenOptions {
        workload: &ask.0["workload"],
        mode: "shared",
        threads,
        connections: CONNECTIONS,
        options: engine_options,
        ..OpenOptions::default()
    };
    let instance = Mysql.open(&open_options).unwrap();
    thread::scope(|scope| {
        for worker in 0..threads {
            let instance = &*instance;
            scope.spawn(move || match &*ask.0["workload"] {
                "tpcc" => {
                    let scale = Scale::standard(ask.number("warehouses") as i64);
                    let worker = TerminalOptions {
                        index: worker,
                        scale,
                        style: options::parse(&ask.0["style"]).unwrap(),
                        mix: options::parse(&ask.0["mix"]).unwrap(),
                        binding: Binding::Random,
                        seed: 1,
                        now: "2026-11-22 12:00:00".into(),
                    };
                    let session = instance.session(worker.index).unwrap();
                    let mut terminal = Terminal::new(session, instance.dialect(), &worker).unwrap();
                    loop {
                        terminal.run_transaction().unwrap();
                    }
                }
                _ => {
                    let each = CONNECTIONS / threads;
                    let mut lookups = instance.lookups(worker, each, STATEMENT).unwrap();
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
                        lookups.exchange(&mut next, &mut answered).unwrap();
                        assert!(now > 0.0);
                    }
                }
            });
        }
    });
}
