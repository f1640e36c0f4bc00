//! Our client of MySQL beside those of others, in short turns, against one server: `crates/database/tests/pairs`. With forty
//! pairs sysbench's seven ways take some six minutes, and TPC-C three beside each.
use crate::children::{cargo, find, run};
use std::path::Path;

/// A program beside which ours is set.
pub(crate) struct Peer {
    /// What it is called on the command line of the chore.
    pub(crate) name: &'static str,
    /// Where it can be had.
    pub(crate) source: &'static str,
    program: &'static str,
    test: &'static str,
}

/// Pairs of windows where none are asked for.
pub(crate) const PAIRS: usize = 40;

pub(crate) const ALL: [Peer; 3] = [
    Peer {
        name: "sysbench-mysql",
        source: "the packages sysbench and mariadb-server-core",
        program: "sysbench",
        test: "our_client_beside_sysbench",
    },
    Peer {
        name: "go-tpc",
        source: "github.com/pingcap/go-tpc, and the package mariadb-server-core",
        program: "go-tpc",
        test: "tpcc::our_client_beside_go_tpc",
    },
    Peer {
        name: "tpcc-mysql",
        source: "github.com/Percona-Lab/tpcc-mysql (its tpcc_start), and the package mariadb-server-core",
        program: "tpcc_start",
        test: "tpcc::our_client_beside_tpcc_mysql",
    },
];

impl Peer {
    /// Whether it and a server are here.
    pub(crate) fn located(&self) -> bool {
        let server = find("mariadbd").is_some() || Path::new("/usr/sbin/mariadbd").exists();
        server && find(self.program).is_some() && find("taskset").is_some()
    }

    pub(crate) fn measure(&self, pairs: usize) -> Result<(), String> {
        let mut test = cargo();
        test.args(["test", "--quiet", "--release", "--package", "database", "--test", "pairs"]);
        test.args(["--", "--ignored", "--nocapture", "--exact", self.test]);
        run(test.env("PAIRS_COUNT", pairs.to_string()))
    }
}
