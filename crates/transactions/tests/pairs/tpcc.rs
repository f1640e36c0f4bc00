//! TPC-C beside go-tpc and tpcc-mysql: one server, two databases that our loader filled alike, one for each side, so that no
//! side waits for locks of the one that is stopped. New orders are counted by the districts' next numbers.
use crate::{
    clients::Ask,
    number,
    server::{ACCOUNT, BenchServer, counter},
    table::{Wanted, head, lines},
    turns::{Side, Signals, Turns},
};
use std::{process::Command, sync::atomic::AtomicBool};
use transactions::{
    prepare::{Dataset, ExistingTables, prepare},
    tpcc::Scale,
};

/// Terminals of either.
const THREADS: usize = 4;
/// The database of the others.
const PEER: &str = "peer";
/// Seconds of load before the first window of each.
const WARM: f64 = 5.0;

/// A program beside which ours is set: how it is started, and how ours does the same.
struct Peer {
    name: &'static str,
    program: &'static str,
    words: fn(&BenchServer, &str) -> Vec<String>,
    ours: &'static [(&'static str, &'static str)],
    by_socket: bool,
    wanted: Wanted,
    /// Columns of its tables that ours lack.
    more: &'static [&'static str],
    /// The same for its database alone.
    own: &'static [&'static str],
}

const GO_TPC: Peer = Peer {
    name: "batched",
    program: "go-tpc",
    words: |stand, warehouses| {
        let words = ["tpcc", "run", "--time", "10000h", "-H", "127.0.0.1", "-D", PEER];
        let mut words = words.map(String::from).to_vec();
        words.extend(["-P".into(), stand.port(), "-U".into(), ACCOUNT.into()]);
        words.extend(["-p".into(), ACCOUNT.into(), "-T".into(), THREADS.to_string()]);
        words.extend(["--warehouses".into(), warehouses.into()]);
        words
    },
    ours: &[("style", "batched"), ("begin", "ping"), ("mix", "45/43/4/4/4")],
    by_socket: false,
    wanted: Wanted { rate: (0.93, 1.07), cpu: 0.6 },
    more: &[],
    own: &[],
};

const TPCC_MYSQL: Peer = Peer {
    name: "item-wise",
    program: "tpcc_start",
    words: |stand, warehouses| {
        let words = ["-d", PEER, "-u", "root", "-p", "", "-r", "0", "-l", "1000000", "-i", "10"];
        let mut words = words.map(String::from).to_vec();
        words.extend(["-S".into(), stand.socket(), "-c".into(), THREADS.to_string()]);
        words.extend(["-w".into(), warehouses.into()]);
        words
    },
    ours: &[("style", "item-wise"), ("begin", "elided"), ("mix", "10/10/1/1/1")],
    by_socket: true,
    wanted: Wanted { rate: (0.93, 1.07), cpu: super::ANY },
    // Its foreign keys, and the indexes that they need.
    more: &[
        "SET foreign_key_checks=0",
        "CREATE INDEX stock_item ON stock (s_i_id)",
        "CREATE INDEX line_supply ON order_line (ol_supply_w_id, ol_i_id)",
        "ALTER TABLE district ADD FOREIGN KEY (d_w_id) REFERENCES warehouse (w_id)",
        "ALTER TABLE customer ADD FOREIGN KEY (c_w_id, c_d_id) REFERENCES district (d_w_id, d_id)",
        "ALTER TABLE history ADD FOREIGN KEY (h_c_w_id, h_c_d_id, h_c_id) REFERENCES customer (c_w_id, c_d_id, c_id)",
        "ALTER TABLE history ADD FOREIGN KEY (h_w_id, h_d_id) REFERENCES district (d_w_id, d_id)",
        "ALTER TABLE new_order ADD FOREIGN KEY (no_w_id, no_d_id, no_o_id) REFERENCES orders (o_w_id, o_d_id, o_id)",
        "ALTER TABLE orders ADD FOREIGN KEY (o_w_id, o_d_id, o_c_id) REFERENCES customer (c_w_id, c_d_id, c_id)",
        "ALTER TABLE order_line ADD FOREIGN KEY (ol_w_id, ol_d_id, ol_o_id) REFERENCES orders (o_w_id, o_d_id, o_id)",
        "ALTER TABLE order_line ADD FOREIGN KEY (ol_supply_w_id, ol_i_id) REFERENCES stock (s_w_id, s_i_id)",
        "ALTER TABLE stock ADD FOREIGN KEY (s_w_id) REFERENCES warehouse (w_id)",
        "ALTER TABLE stock ADD FOREIGN KEY (s_i_id) REFERENCES item (i_id)",
    ],
    own: &["RENAME TABLE new_order TO new_orders"],
};

fn beside(peer: &Peer) {
    let warehouses = number("PAIRS_WAREHOUSES", 4.0) as i64;
    let (seconds, pairs) = (number("PAIRS_SECONDS", 2.0), number("PAIRS_COUNT", 30.0) as usize);
    let data = Dataset::Tpcc { scale: Scale::standard(warehouses) };
    let stand = BenchServer::open("tpcc", data.bytes() * 5);
    let mut session = stand.root("cpulens", "tpcc").session(0).unwrap();
    session.run(&format!("CREATE DATABASE {PEER} CHARACTER SET latin1")).unwrap();
    let sides = ["cpulens", PEER].map(|database| stand.root(database, "tpcc"));
    for (which, side) in sides.iter().enumerate() {
        let cancel = AtomicBool::new(false);
        prepare(&**side, (&data, 1), ExistingTables::Ours, &cancel, &mut |_| ()).unwrap();
        let mut session = side.session(0).unwrap();
        let own = if which == 1 { peer.own } else { &[] };
        for sql in peer.more.iter().chain(own) {
            session.run(sql).unwrap();
        }
    }
    stand.instance.finish_load(&transactions::tpcc::procedures()).unwrap();
    println!(
        "{warehouses} warehouses, server on CPU {}, {THREADS} terminals from CPU {}, windows of {seconds} s",
        stand.server, stand.client
    );
    let [mut count, mut theirs] = [&sides[0], &sides[1]]
        .map(|side| counter(side.session(0).unwrap(), "SELECT SUM(d_next_o_id) FROM district"));
    let (socket, terminals, text) = (stand.socket(), THREADS.to_string(), warehouses.to_string());
    let address = format!("mysql://{ACCOUNT}@127.0.0.1:{}/cpulens", stand.port());
    let mut words = vec![("workload", "tpcc"), ("wait", "poll"), ("threads", &*terminals)];
    words.extend([("warehouses", &*text)]);
    words.extend(peer.ours);
    match peer.by_socket {
        true => words.extend([("socket", &*socket), ("user", "root"), ("database", "cpulens")]),
        false => words.push(("address", &address)),
    }
    let mut signals = Signals::new();
    let password = (!peer.by_socket).then_some(ACCOUNT);
    let ours = Ask::new(&words).command(&stand.client, password);
    let ours = Side::start(ours, WARM, &mut signals);
    let mut other = Command::new("taskset");
    other.args(["-c", &stand.client.to_string(), peer.program]);
    other.args((peer.words)(&stand, &text));
    let other = Side::start(other, WARM, &mut signals);
    head(peer.program);
    let mut turns = Turns {
        signals: &mut signals,
        server: stand.pid(),
        seconds,
        pairs,
        cpus: stand.server.iter().chain(stand.client.iter()).collect(),
    };
    let windows = turns.pairs([&ours, &other], [&mut count, &mut theirs]);
    lines(peer.name, peer.wanted, &windows);
    drop((ours, other, count, theirs, sides));
    stand.instance.close().unwrap();
}

#[test]
#[ignore = "timed: needs go-tpc, mariadbd and two CPUs"]
fn our_client_beside_go_tpc() {
    beside(&GO_TPC);
}

#[test]
#[ignore = "timed: needs tpcc_start of tpcc-mysql, mariadbd and two CPUs"]
fn our_client_beside_tpcc_mysql() {
    beside(&TPCC_MYSQL);
}
