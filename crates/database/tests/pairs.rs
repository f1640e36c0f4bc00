//! Our client beside sysbench 1.0.20, in turn, against the same server and the same rows: queries a second and the client's CPU
//! time for each. It asserts nothing and is run on a quiet machine by `cargo xtask bench sysbench-mysql`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail by unwrapping; this one is read"
)]
use database::{
    engine::{Engine, Running, Wanted},
    engines::{mariadb::Mariadb, mysql::Mysql},
};
use host::{
    clock::{Clock, Monotonic},
    cpus, usage,
};
use record::CpuSet;
use std::{collections::BTreeMap, env, fs, process::Command, sync::Barrier, thread};

/// Connections, as sysbench's threads.
const CONNECTIONS: usize = 8;
/// Seconds before the counted ones.
const WARM: f64 = 1.0;

/// A way to ask, and what is wanted of it: bounds of the ratio of queries a second, and of the client's CPU time for each.
struct Way {
    wait: &'static str,
    protocol: &'static str,
    transport: &'static str,
    threads: usize,
    rate: (f64, f64),
    cpu: f64,
}

const ANY: f64 = f64::INFINITY;
#[rustfmt::skip]
const WAYS: [Way; 5] = [
    Way { wait: "poll", protocol: "prepared", transport: "socket", threads: CONNECTIONS, rate: (0.97, 1.05), cpu: 1.05 },
    Way { wait: "epoll", protocol: "prepared", transport: "socket", threads: 1, rate: (0.97, ANY), cpu: 0.75 },
    Way { wait: "spin", protocol: "prepared", transport: "socket", threads: 1, rate: (1.05, ANY), cpu: ANY },
    Way { wait: "poll", protocol: "text", transport: "socket", threads: CONNECTIONS, rate: (0.97, 1.03), cpu: ANY },
    Way { wait: "poll", protocol: "prepared", transport: "tcp", threads: CONNECTIONS, rate: (0.97, 1.03), cpu: ANY },
];
/// Variation of either that is wanted, in percent.
const CV: f64 = 2.0;
/// An account by TCP that sysbench has the password of.
const ACCOUNT: &str = "pairs";

/// What came of a turn: queries a second, and microseconds of client CPU time a query.
#[derive(Debug, Clone, Copy)]
struct Turn {
    rate: f64,
    cpu: f64,
}

fn number(name: &str, default: f64) -> f64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

static NOWHERE: std::sync::LazyLock<CpuSet> = std::sync::LazyLock::new(CpuSet::default);

struct Stand {
    folder: tempfile::TempDir,
    server: CpuSet,
    client: CpuSet,
    rows: u64,
}

impl Stand {
    fn wanted<'a>(&'a self, options: &'a BTreeMap<String, String>) -> Wanted<'a> {
        Wanted {
            workload: "point_select",
            mode: "shared",
            folder: self.folder.path(),
            bytes: self.rows * 260,
            threads: CONNECTIONS,
            connections: CONNECTIONS,
            cpus: &self.server,
            nodes: &NOWHERE,
            options,
        }
    }
    fn open(&self, way: &Way) -> Box<dyn Running> {
        let options =
            [("wait", way.wait), ("protocol", way.protocol), ("transport", way.transport)];
        let options = options.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        Mariadb.open(&self.wanted(&options)).unwrap()
    }
    fn socket(&self) -> String {
        self.folder.path().join("server/socket").display().to_string()
    }
    /// Lets sysbench in by TCP.
    fn admit(&self) {
        let options = [("socket", &*self.socket()), ("user", "root"), ("database", "cpulens")];
        let options = options.map(|(k, v)| (k.to_owned(), v.to_owned())).into();
        let root = Mysql.open(&self.wanted(&options)).unwrap();
        let mut session = root.loader(0).unwrap();
        let who = format!("'{ACCOUNT}'@'127.0.0.1'");
        session.run(&format!("CREATE USER {who} IDENTIFIED BY '{ACCOUNT}'")).unwrap();
        session.run(&format!("GRANT ALL ON cpulens.* TO {who}")).unwrap();
    }
    /// Where the server that runs is reached, in sysbench's words.
    fn address(&self, way: &Way) -> Vec<String> {
        if way.transport == "socket" {
            return vec!["--mysql-user=root".into(), format!("--mysql-socket={}", self.socket())];
        }
        let options = fs::read_to_string(self.folder.path().join("server/my.cnf")).unwrap();
        let port = options.lines().find_map(|line| line.strip_prefix("port=")).unwrap();
        vec![
            "--mysql-host=127.0.0.1".into(),
            format!("--mysql-port={port}"),
            format!("--mysql-user={ACCOUNT}"),
            format!("--mysql-password={ACCOUNT}"),
        ]
    }

    fn sysbench(&self, way: &Way, verb: &str, seconds: f64) -> Option<Turn> {
        let mut words = vec![
            "-c".to_owned(),
            self.client.to_string(),
            "sysbench".into(),
            "oltp_point_select".into(),
            "--mysql-db=cpulens".into(),
            format!("--table-size={}", self.rows),
            "--rand-type=uniform".into(),
            format!("--threads={}", if verb == "run" { CONNECTIONS } else { 1 }),
            format!("--time={seconds:.0}"),
            format!("--db-ps-mode={}", if way.protocol == "text" { "disable" } else { "auto" }),
        ];
        words.extend(self.address(way));
        words.push(verb.into());
        let before = usage::children();
        let done = Command::new("taskset").args(&words).output().unwrap();
        let used = usage::children().since(&before);
        let said = String::from_utf8_lossy(&done.stdout);
        assert!(done.status.success(), "{said} {}", String::from_utf8_lossy(&done.stderr));
        let queries = said.lines().find_map(|line| line.trim().strip_prefix("queries:"))?;
        let count: f64 = queries.split_whitespace().next()?.parse().ok()?;
        let rate = queries.split('(').nth(1)?.split_whitespace().next()?.parse().ok()?;
        Some(Turn { rate, cpu: used.cpu_seconds / count * 1e6 })
    }

    /// Threads with so many connections each.
    fn ours(&self, running: &dyn Running, threads: usize, seconds: f64) -> Turn {
        let each = CONNECTIONS / threads;
        let (begin, end) = (Barrier::new(threads + 1), Barrier::new(threads + 1));
        let (count, cpu, took) = thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|worker| {
                    let (begin, end) = (&begin, &end);
                    scope.spawn(move || {
                        let _pinned = cpus::confined(&self.client).unwrap();
                        let mut lookups = running
                            .lookups(worker, each, "SELECT c FROM sbtest1 WHERE id=?")
                            .unwrap();
                        let clock = Monotonic::new();
                        let mut state = worker as u64 + 1;
                        let rows = self.rows;
                        let mut next = move |_: usize| {
                            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                            (((u128::from(state) * u128::from(rows)) >> 64) as i64) + 1
                        };
                        let mut now = clock.now();
                        let mut drive = |seconds: f64| {
                            let until = now + seconds;
                            let mut count = 0u64;
                            while now < until {
                                lookups
                                    .turn(&mut next, &mut |_, text| {
                                        assert_eq!(text.map(str::len), Some(119));
                                        now = clock.now();
                                        count += 1;
                                    })
                                    .unwrap();
                            }
                            count
                        };
                        drive(WARM);
                        begin.wait();
                        let count = drive(seconds);
                        end.wait();
                        count
                    })
                })
                .collect();
            let clock = Monotonic::new();
            begin.wait();
            let (from, before) = (clock.now(), usage::process());
            end.wait();
            let (took, used) = (clock.now() - from, usage::process().since(&before));
            let count: u64 = workers.into_iter().map(|worker| worker.join().unwrap()).sum();
            (count as f64, used.cpu_seconds, took)
        });
        Turn { rate: count / took, cpu: cpu / count * 1e6 }
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    all[all.len() / 2]
}
fn variation(all: &[f64]) -> f64 {
    let mean = all.iter().sum::<f64>() / all.len() as f64;
    let squares = all.iter().map(|x| (x - mean).powi(2)).sum::<f64>();
    (squares / (all.len() as f64 - 1.0)).sqrt() / mean * 100.0
}

#[test]
#[ignore = "timed: needs sysbench, mariadbd and a quiet machine of two CPUs"]
fn our_client_beside_sysbench() {
    let all = cpus::affinity().unwrap();
    let stand = Stand {
        folder: tempfile::tempdir().unwrap(),
        server: all.iter().take(1).collect(),
        client: all.iter().skip(1).take(1).collect(),
        rows: number("PAIRS_ROWS", 1e6) as u64,
    };
    let (seconds, rounds) = (number("PAIRS_SECONDS", 10.0), number("PAIRS_ROUNDS", 5.0) as usize);
    let running = stand.open(&WAYS[0]);
    stand.sysbench(&WAYS[0], "prepare", 0.0);
    stand.admit();
    running.loaded().unwrap();
    running.close().unwrap();
    println!(
        "{} rows, server on CPU {}, {CONNECTIONS} connections from CPU {}, {rounds} x {seconds} s",
        stand.rows, stand.server, stand.client
    );
    println!(
        "way                    QPS sysbench  ratio [min..max] wanted         CV % theirs  us/query theirs ratio wanted  met"
    );
    for way in WAYS {
        let running = stand.open(&way);
        // Every page is read once before anything counts.
        running.session(0).unwrap().run("SELECT SUM(LENGTH(c)) FROM sbtest1").unwrap();
        let (mut ours, mut theirs) = (vec![], vec![]);
        for round in 0..rounds {
            let mut one = || ours.push(stand.ours(&*running, way.threads, seconds));
            let mut other = || theirs.push(stand.sysbench(&way, "run", seconds).unwrap());
            if round % 2 == 0 {
                one();
                other();
            } else {
                other();
                one();
            }
        }
        running.close().unwrap();
        line(&way, &ours, &theirs);
    }
}

/// What came of a way, beside what is wanted of it.
fn line(way: &Way, ours: &[Turn], theirs: &[Turn]) {
    let of = |all: &[Turn], what: fn(&Turn) -> f64| all.iter().map(what).collect::<Vec<f64>>();
    let (rate, rate2) = (of(ours, |t| t.rate), of(theirs, |t| t.rate));
    let (cpu, cpu2) = (of(ours, |t| t.cpu), of(theirs, |t| t.cpu));
    let ratios = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a / b).collect::<Vec<f64>>();
    let (rates, costs) = (ratios(&rate, &rate2), ratios(&cpu, &cpu2));
    let least = rates.iter().copied().fold(f64::INFINITY, f64::min);
    let most = rates.iter().copied().fold(0.0, f64::max);
    let (ratio, cost, own) = (median(rates), median(costs), variation(&rate));
    let (low, high) = way.rate;
    let wanted = match high == ANY {
        true => format!(">= {low}"),
        false => format!("{low}..{high}"),
    };
    let mut missed = vec![];
    if !(low..=high).contains(&ratio) {
        missed.push("QPS");
    }
    if cost > way.cpu {
        missed.push("CPU");
    }
    if own > CV {
        missed.push("CV");
    }
    println!(
        "{:<20} {:>6.0} {:>8.0}  {ratio:.3} [{least:.3}..{most:.3}] {wanted:<11} {own:>6.1} {:>6.1}  {:>8.2} {:>6.2} {cost:>5.2} {:<6}  {}",
        format!("{} {} {}", way.wait, way.protocol, way.transport),
        median(rate),
        median(rate2.clone()),
        variation(&rate2),
        median(cpu),
        median(cpu2),
        if way.cpu == ANY { "any".into() } else { format!("<= {}", way.cpu) },
        if missed.is_empty() { "yes".into() } else { format!("no: {}", missed.join(", ")) },
    );
}
