//! Our client of MySQL beside sysbench's, in turn, against one server and one table: `crates/database/tests/pairs.rs`. Some
//! fifteen minutes with five rounds of ten seconds for each of five ways to ask.
use crate::children::{cargo, find, run};

/// What it is called on the command line of the chore.
pub(crate) const NAME: &str = "sysbench-mysql";
/// Where it can be had.
pub(crate) const SOURCE: &str = "the packages sysbench and mariadb-server-core";
/// Rounds where none are asked for.
pub(crate) const ROUNDS: usize = 5;

/// Whether both are here.
pub(crate) fn located() -> bool {
    let server = find("mariadbd").is_some() || std::path::Path::new("/usr/sbin/mariadbd").exists();
    server && find("sysbench").is_some() && find("taskset").is_some()
}

pub(crate) fn measure(rounds: usize) -> Result<(), String> {
    let mut test = cargo();
    test.args(["test", "--quiet", "--release", "--package", "database", "--test", "pairs"]);
    test.args(["--", "--ignored", "--nocapture"]).env("PAIRS_ROUNDS", rounds.to_string());
    run(&mut test)
}
