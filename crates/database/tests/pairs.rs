//! Our client beside sysbench 1.0.20, in turn, against the same server and the same rows: queries a second and the client's CPU
//! time for each. It asserts nothing and is run on a quiet machine by `cargo xtask bench sysbench-mysql`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail by unwrapping; this one is read"
)]
use database::{
    engine::{Engine, Running, Wanted},
    engines::mariadb::Mariadb,
};
use host::{
    clock::{Clock, Monotonic},
    cpus, usage,
};
use record::CpuSet;
use std::{collections::BTreeMap, env, process::Command, sync::Barrier, thread};

/// Connections, as sysbench's threads.
const CONNECTIONS: usize = 8;
/// Seconds before the counted ones.
const WARM: f64 = 1.0;

/// What came of a turn: queries a second, and microseconds of client CPU time a query.
#[derive(Debug, Clone, Copy)]
struct Turn {
    rate: f64,
    cpu: f64,
}

fn number(name: &str, default: f64) -> f64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

struct Stand {
    folder: tempfile::TempDir,
    server: CpuSet,
    client: CpuSet,
    rows: u64,
}

impl Stand {
    fn open(&self, way: &[(&str, &str)]) -> Box<dyn Running> {
        let options: BTreeMap<String, String> =
            way.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
        let wanted = Wanted {
            workload: "point_select",
            mode: "shared",
            folder: self.folder.path(),
            bytes: self.rows * 260,
            threads: CONNECTIONS,
            connections: CONNECTIONS,
            cpus: &self.server,
            nodes: &CpuSet::default(),
            options: &options,
        };
        Mariadb.open(&wanted).unwrap()
    }

    fn sysbench(&self, text: bool, verb: &str, seconds: f64) -> Option<Turn> {
        let socket = self.folder.path().join("server/socket");
        let mut words = vec![
            "-c".to_owned(),
            self.client.to_string(),
            "sysbench".into(),
            "oltp_point_select".into(),
            "--mysql-user=root".into(),
            "--mysql-db=cpulens".into(),
            format!("--table-size={}", self.rows),
            "--rand-type=uniform".into(),
            format!("--threads={}", if verb == "run" { CONNECTIONS } else { 1 }),
            format!("--time={seconds:.0}"),
            format!("--db-ps-mode={}", if text { "disable" } else { "auto" }),
        ];
        words.push(format!("--mysql-socket={}", socket.display()));
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
    let running = stand.open(&[("wait", "poll")]);
    stand.sysbench(false, "prepare", 0.0);
    running.loaded().unwrap();
    running.close().unwrap();
    println!(
        "{} rows, server on CPU {}, clients on CPU {}, {rounds} x {seconds} s",
        stand.rows, stand.server, stand.client
    );
    println!(
        "way                     QPS   sysbench  ratio [min..max]      CV %  theirs  us/query  theirs  ratio"
    );
    let ways = [
        ("poll", "prepared", CONNECTIONS),
        ("epoll", "prepared", 1),
        ("spin", "prepared", 1),
        ("poll", "text", CONNECTIONS),
        ("epoll", "text", 1),
    ];
    for (wait, protocol, threads) in ways {
        let running = stand.open(&[("wait", wait), ("protocol", protocol)]);
        // Every page is read once before anything counts.
        running.session(0).unwrap().run("SELECT SUM(LENGTH(c)) FROM sbtest1").unwrap();
        let (mut ours, mut theirs) = (vec![], vec![]);
        for round in 0..rounds {
            let mut one = || ours.push(stand.ours(&*running, threads, seconds));
            let mut other = || {
                let text = protocol == "text";
                theirs.push(stand.sysbench(text, "run", seconds).unwrap());
            };
            if round % 2 == 0 {
                one();
                other();
            } else {
                other();
                one();
            }
        }
        running.close().unwrap();
        let of = |all: &[Turn], what: fn(&Turn) -> f64| all.iter().map(what).collect::<Vec<f64>>();
        let (rate, rate2) = (of(&ours, |t| t.rate), of(&theirs, |t| t.rate));
        let (cpu, cpu2) = (of(&ours, |t| t.cpu), of(&theirs, |t| t.cpu));
        let ratios: Vec<f64> = rate.iter().zip(&rate2).map(|(a, b)| a / b).collect();
        let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
        let most = ratios.iter().copied().fold(0.0, f64::max);
        let costs: Vec<f64> = cpu.iter().zip(&cpu2).map(|(a, b)| a / b).collect();
        println!(
            "{:<18} {:>8.0} {:>10.0}  {:.3} [{least:.3}..{most:.3}]  {:>5.1}  {:>5.1}  {:>8.2} {:>7.2}  {:.2}",
            format!("{wait} {protocol}"),
            median(rate.clone()),
            median(rate2.clone()),
            median(ratios),
            variation(&rate),
            variation(&rate2),
            median(cpu),
            median(cpu2),
            median(costs),
        );
    }
}
