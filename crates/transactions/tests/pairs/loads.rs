//! The cost of loading by LOAD DATA LOCAL and by INSERT: the same data into one server, interleaved, with the CPU time of the server
//! and the client. It asserts nothing; its output is read.
use crate::{number, server::BenchServer};
use database::{
    engine::{Engine, OpenOptions},
    engines::sqlite::Sqlite,
    options::Transport,
};
use host::{
    clock::{Clock, Monotonic},
    usage,
};
use std::{path::Path, sync::atomic::AtomicBool};
use transactions::{
    prepare::{Dataset, ExistingTables, prepare},
    tpcc::Scale,
};

fn loads(workload: &str, data: &Dataset, each: f64, unit: &str) {
    let rounds = number("PAIRS_COUNT", 2.0) as usize;
    let stand = BenchServer::over(Transport::Socket, workload, data.bytes());
    println!(
        "| load of {each} {unit} | s | server, CPU s a {unit} | client | both |\n|---|---|---|---|---|"
    );
    for round in 0..2 * rounds {
        // ABBA: INSERT, LOAD DATA, LOAD DATA, INSERT.
        let lines = matches!(round % 4, 1 | 2);
        let root = stand.root("cpulens", workload);
        let mut session = root.session(0).unwrap();
        session.run(&format!("SET GLOBAL local_infile = {}", i32::from(lines))).unwrap();
        session.run("CREATE TABLE IF NOT EXISTS cpulens_data (what VARCHAR(200))").unwrap();
        // `invalidate` as a statement that an empty database accepts.
        session
            .run("UPDATE cpulens_data SET what = CONCAT(SUBSTRING_INDEX(what, ' ', 1), ' used')")
            .unwrap();
        let clock = Monotonic::new();
        let now = || {
            // Including threads that have ended.
            let server = usage::process_usage(stand.pid()).unwrap();
            (clock.now(), server.cpu_seconds, usage::process().cpu_seconds)
        };
        let from = now();
        let cancel = AtomicBool::new(false);
        prepare(&*stand.instance, (data, 1), ExistingTables::Ours, &cancel, &mut |_| ()).unwrap();
        let to = now();
        let [server, client] = [to.1 - from.1, to.2 - from.2].map(|s| s / each);
        let name = if lines { "lines" } else { "statements" };
        let took = to.0 - from.0;
        println!("| {name} | {took:.1} | {server:.2} | {client:.2} | {:.2} |", server + client);
    }
    stand.instance.close().unwrap();
}

#[test]
#[ignore = "timed: needs mariadbd"]
fn warehouses() {
    let warehouses = number("PAIRS_WAREHOUSES", 2.0);
    let data = Dataset::Tpcc { scale: Scale::standard(warehouses as i64) };
    loads("tpcc", &data, warehouses, "warehouse");
}

#[test]
#[ignore = "timed: needs mariadbd"]
fn rows() {
    let rows = number("PAIRS_ROWS", 1e6);
    loads("point_select", &Dataset::PointSelect { rows: rows as u64 }, rows / 1e6, "million rows");
}

#[test]
#[ignore = "timed"]
fn rows_into_sqlite() {
    let rows = number("PAIRS_ROWS", 1e6);
    let data = Dataset::PointSelect { rows: rows as u64 };
    // Where the program puts these files.
    let folder = tempfile::tempdir_in(Path::new("/dev/shm")).unwrap();
    let options = OpenOptions {
        workload: "point_select",
        mode: "shared",
        folder: folder.path().to_owned(),
        bytes: data.bytes(),
        threads: 1,
        connections: 1,
        ..OpenOptions::default()
    };
    let instance = Sqlite.open(&options).unwrap();
    let cancel = AtomicBool::new(false);
    prepare(&*instance, (&data, 1), ExistingTables::Ours, &cancel, &mut |_| ()).unwrap();
    let used = usage::process();
    println!(
        "{rows} rows into SQLite's file: {:.1} s of CPU time, {} MB at most",
        used.cpu_seconds,
        used.max_rss_bytes / 1_000_000
    );
}
