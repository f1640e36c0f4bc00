//! Our client beside sysbench 1.0.20, go-tpc and tpcc-mysql, in turns of half a second or two, against the same server: queries or
//! new orders a second and CPU time for each. It asserts nothing and is run by `cargo xtask bench sysbench-mysql go-tpc tpcc-mysql`.
#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test may fail by unwrapping; this one is read"
)]
mod clients;
mod loads;
mod server;
mod table;
mod tpcc;
mod turns;

use clients::{Ask, CONNECTIONS};
use server::{ACCOUNT, BenchServer, counter};
use std::{env, process::Command};
use table::{ANY, Wanted, head, lines};
use turns::{Side, Signals, Turns};

/// Seconds of load before the first window of each.
const WARM: f64 = 2.0;

/// A way to ask, and what is wanted of it.
struct ClientVariant {
    wait: &'static str,
    protocol: &'static str,
    transport: &'static str,
    threads: usize,
    wanted: Wanted,
}

#[rustfmt::skip]
const WAYS: [ClientVariant; 7] = [
    ClientVariant { wait: "poll", protocol: "prepared", transport: "socket", threads: CONNECTIONS, wanted: Wanted { rate: (0.97, 1.05), cpu: 1.05 } },
    ClientVariant { wait: "epoll", protocol: "prepared", transport: "socket", threads: 1, wanted: Wanted { rate: (0.97, ANY), cpu: 0.75 } },
    ClientVariant { wait: "spin", protocol: "prepared", transport: "socket", threads: 1, wanted: Wanted { rate: (1.05, ANY), cpu: ANY } },
    ClientVariant { wait: "poll", protocol: "text", transport: "socket", threads: CONNECTIONS, wanted: Wanted { rate: (0.97, 1.03), cpu: ANY } },
    ClientVariant { wait: "epoll", protocol: "text", transport: "socket", threads: 1, wanted: Wanted { rate: (0.97, ANY), cpu: ANY } },
    ClientVariant { wait: "poll", protocol: "prepared", transport: "tcp", threads: CONNECTIONS, wanted: Wanted { rate: (0.97, 1.03), cpu: ANY } },
    ClientVariant { wait: "epoll", protocol: "prepared", transport: "tcp", threads: 1, wanted: Wanted { rate: (0.97, ANY), cpu: ANY } },
];

fn number(name: &str, default: f64) -> f64 {
    env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// sysbench with its own words for where the server is.
fn sysbench(stand: &BenchServer, way: &ClientVariant, rows: u64, verb: &str) -> Command {
    let mut command = Command::new("taskset");
    let cpus = if verb == "run" { stand.client.to_string() } else { "0-1".into() };
    command.args(["-c", &cpus, "sysbench", "oltp_point_select", "--mysql-db=cpulens"]);
    command.args([format!("--table-size={rows}"), "--rand-type=uniform".into()]);
    let threads = if verb == "run" { CONNECTIONS } else { 1 };
    command.args([format!("--threads={threads}"), "--time=100000".into()]);
    let prepared = if way.protocol == "text" { "disable" } else { "auto" };
    command.arg(format!("--db-ps-mode={prepared}"));
    match way.transport {
        "socket" => {
            command.args(["--mysql-user=root", &format!("--mysql-socket={}", stand.socket())])
        }
        _ => command.args([
            "--mysql-host=127.0.0.1".into(),
            format!("--mysql-port={}", stand.port()),
            format!("--mysql-user={ACCOUNT}"),
            format!("--mysql-password={ACCOUNT}"),
        ]),
    };
    command.arg(verb);
    command
}

/// Our client with the same.
fn ours(stand: &BenchServer, way: &ClientVariant, rows: u64) -> Command {
    let (socket, rows, threads) = (stand.socket(), rows.to_string(), way.threads.to_string());
    let address = format!("mysql://{ACCOUNT}@127.0.0.1:{}/cpulens", stand.port());
    let mut words = vec![
        ("workload", "point_select"),
        ("rows", &rows),
        ("threads", &threads),
        ("wait", way.wait),
        ("protocol", way.protocol),
    ];
    let tcp = way.transport == "tcp";
    match tcp {
        true => words.push(("address", &address)),
        false => words.extend([("socket", &*socket), ("user", "root"), ("database", "cpulens")]),
    }
    Ask::new(&words).command(&stand.client, tcp.then_some(ACCOUNT))
}

#[test]
#[ignore = "started by the others, as a program that asks until it is killed"]
fn client() {
    if let Some(ask) = Ask::from_arguments() {
        clients::ask(&ask);
    }
}

#[test]
#[ignore = "timed: needs sysbench, mariadbd and two CPUs"]
fn our_client_beside_sysbench() {
    let rows = number("PAIRS_ROWS", 1e6) as u64;
    let (seconds, pairs) = (number("PAIRS_SECONDS", 0.5), number("PAIRS_COUNT", 40.0) as usize);
    let only = env::var("PAIRS_ONLY").unwrap_or_default();
    let stand = BenchServer::open("point_select", rows * 260);
    let made = sysbench(&stand, &WAYS[0], rows, "prepare").output().unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
    stand.instance.finish_load(&[]).unwrap();
    // Every page is read once before anything counts.
    let root = stand.root("cpulens", "point_select");
    let mut session = root.session(0).unwrap();
    session.run("SELECT SUM(LENGTH(c)) FROM sbtest1").unwrap();
    let mut count = counter(session, "SHOW GLOBAL STATUS LIKE 'Com_select'");
    let mut again = counter(root.session(1).unwrap(), "SHOW GLOBAL STATUS LIKE 'Com_select'");
    println!(
        "{rows} rows, server on CPU {}, {CONNECTIONS} connections from CPU {}, {pairs} pairs of windows of {seconds} s",
        stand.server, stand.client
    );
    head("sysbench");
    let mut signals = Signals::new();
    for way in &WAYS {
        let name = format!("{} {} {}", way.wait, way.protocol, way.transport);
        if !name.contains(&only) {
            continue;
        }
        let first = Side::start(ours(&stand, way, rows), WARM, &mut signals);
        let second = Side::start(sysbench(&stand, way, rows, "run"), WARM, &mut signals);
        let server = stand.pid();
        let cpus = stand.server.iter().chain(stand.client.iter()).collect();
        let mut turns = Turns { signals: &mut signals, server, seconds, pairs, cpus };
        let windows = turns.pairs([&first, &second], [&mut count, &mut again]);
        lines(&name, way.wanted, &windows);
    }
    drop((count, again));
    stand.instance.close().unwrap();
}
