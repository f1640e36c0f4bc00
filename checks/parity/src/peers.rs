//! Comparisons that are tests of other crates, in short turns: they are run with their numbers of rounds.
use std::path::{Path, PathBuf};
use xtask::children::{cargo, find, run};

/// A test, and the program beside which it sets ours.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// Its source.
    source: &'static str,
    /// Programs that must be found.
    programs: &'static [&'static str],
    package: &'static str,
    /// The test's file, and its name.
    test: [&'static str; 2],
    /// The variable with the number of rounds, and how many are usual.
    rounds: (&'static str, usize),
}

/// With forty pairs sysbench's seven ways take some six minutes, and TPC-C three beside each; sysjitter takes seven with 150
/// rounds, and planted faults two with eleven, of which the second and the tenth value enclose the median with 95 % confidence.
pub(crate) const ALL: [Peer; 5] = [
    Peer {
        name: "sysbench-mysql",
        source: "the packages sysbench and mariadb-server-core",
        programs: &["sysbench", "mariadbd", "taskset"],
        package: "transactions",
        test: ["pairs", "our_client_beside_sysbench"],
        rounds: ("PAIRS_COUNT", 40),
    },
    Peer {
        name: "go-tpc",
        source: "github.com/pingcap/go-tpc, and the package mariadb-server-core",
        programs: &["go-tpc", "mariadbd", "taskset"],
        package: "transactions",
        test: ["pairs", "tpcc::our_client_beside_go_tpc"],
        rounds: ("PAIRS_COUNT", 40),
    },
    Peer {
        name: "tpcc-mysql",
        source: "github.com/Percona-Lab/tpcc-mysql (its tpcc_start), and the package mariadb-server-core",
        programs: &["tpcc_start", "mariadbd", "taskset"],
        package: "transactions",
        test: ["pairs", "tpcc::our_client_beside_tpcc_mysql"],
        rounds: ("PAIRS_COUNT", 40),
    },
    Peer {
        name: "sysjitter",
        source: "github.com/Xilinx-CNS/cns-sysjitter (make)",
        programs: &["sysjitter"],
        package: "probes",
        test: ["noise", "sysjitter_beside"],
        rounds: ("NOISE_ROUNDS", 150),
    },
    Peer {
        name: "noise",
        source: "this repository",
        programs: &[],
        package: "probes",
        test: ["noise", "verdicts"],
        rounds: ("NOISE_ROUNDS", 11),
    },
];

impl Peer {
    /// Runs the test, or says what is missing. As a control sysjitter takes our turns, too.
    pub(crate) fn measure(
        &self,
        rounds: Option<usize>,
        control: bool,
        values: Option<&Path>,
    ) -> Result<(), String> {
        let found: Option<Vec<PathBuf>> = self.programs.iter().map(|name| find(name)).collect();
        let Some(found) = found else {
            println!("skipped {}: not found; it can be had from {}", self.name, self.source);
            return Ok(());
        };
        let [file, name] = self.test;
        let mut test = cargo();
        test.args(["test", "--quiet", "--release", "--package", self.package]);
        test.args(["--test", file, name]);
        test.args(["--", "--ignored", "--nocapture", "--test-threads", "1"]);
        let (variable, usual) = self.rounds;
        test.env(variable, rounds.unwrap_or(usual).to_string());
        if let Some(program) = found.first() {
            test.env("SYSJITTER", program);
        }
        if control {
            test.env("NOISE_CONTROL", "1");
        }
        if let Some(file) = values {
            let whole = std::path::absolute(file);
            test.env("NOISE_VALUES", whole.map_err(|e| format!("{}: {e}", file.display()))?);
        }
        run(&mut test)
    }
}
