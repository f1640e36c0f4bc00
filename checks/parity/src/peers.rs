//! Comparisons that are tests of other crates, in short turns: they are run with their numbers of rounds.
use serde::Deserialize;
use std::path::{Path, PathBuf};
use xtask::children::{cargo, find, run};

/// A test, and the program beside which it sets ours: a row of `peers.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Peer {
    /// Its name on the command line.
    pub(crate) name: String,
    source: String,
    /// Programs that must be found.
    programs: Vec<String>,
    package: String,
    test: [String; 2],
    variable: String,
    rounds: usize,
}

/// All of them.
pub(crate) fn all() -> Result<Vec<Peer>, String> {
    #[derive(Deserialize)]
    struct Table {
        peer: Vec<Peer>,
    }
    let table: Table = record::from_toml(include_str!("../peers.toml"))?;
    Ok(table.peer)
}

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
        let [file, name] = &self.test;
        let mut test = cargo();
        test.args(["test", "--quiet", "--release", "--package", &self.package]);
        test.args(["--test", file, name]);
        test.args(["--", "--ignored", "--nocapture", "--test-threads", "1"]);
        test.env(&self.variable, rounds.unwrap_or(self.rounds).to_string());
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
