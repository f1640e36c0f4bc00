//! The results of the checks for NHC and node-problem-detector by each exit code of `cpulens check`, and of one that was
//! killed; and what Prometheus makes of its gauges.
use std::{
    fs::{self, File},
    path::Path,
};
use xtask::{
    children::{child, output, run},
    dist::{self, Arch},
    setup::promtool,
    tree::{root, script},
};

/// In place of the program: ends as `STATUS` says, or as if by `kill -9`.
pub(super) const PROGRAM: &str = include_str!("program.sh");
/// As NHC's own `nhc` does: `die` says why a node is bad, evaluated within single quotes, and the check's status decides.
const NHC: &str = "die() { eval \"echo 'bad: $*'\"; }; log() { echo \"log: $*\"; }
. \"$CHECK\"; check_cpulens 90000 || echo failed";

pub(crate) fn chore(folder: &Path) -> Result<(), String> {
    let programs = folder.join("programs");
    script(&programs.join("cpulens"), PROGRAM)?;
    let path = format!("{}:/usr/bin:/bin", programs.display());
    // The exit code for node-problem-detector: no problem, a problem, unknown.
    for (status, detector) in [("0", 0), ("1", 0), ("2", 1), ("3", 2), ("killed", 2)] {
        let mut nhc = child("bash");
        nhc.args(["-c", NHC]).env("PATH", &path).env("STATUS", status);
        let said = output(nhc.env("CHECK", root().join("contrib/nhc/cpulens.nhc")))?;
        let bad = "bad: 1 check_cpulens: CPULENS SOMETHING - a CPUs words\nfailed\n";
        let expected = match detector {
            1 => said == bad,
            2 => said.starts_with("log: ") && !said.contains("bad"),
            _ => said.is_empty(),
        };
        if !expected {
            return Err(format!("NHC of exit code {status}: {said}"));
        }
        let detects = root().join("contrib/node-problem-detector/npd.sh");
        let ended = child("sh").arg(detects).env("PATH", &path).env("STATUS", status).output();
        let code = ended.map_err(|e| e.to_string())?.status.code();
        if code != Some(detector) {
            return Err(format!("node-problem-detector of exit code {status}: {code:?}"));
        }
    }
    gauges(folder)
}

/// The gauges of a check, by the rules of Prometheus; and that these rules find a gauge without its type.
fn gauges(folder: &Path) -> Result<(), String> {
    let file = folder.join("cpulens.prom");
    let record = root().join("fixtures/records/v1/quiet-vm.json");
    let mut check = child(dist::shipped(Arch::X86_64));
    check.args(["check", "--last", "--record"]).arg(record).arg("--prometheus").arg(&file);
    // The verdict on the fixture is no matter here.
    check.output().map_err(|e| e.to_string())?;
    let failed = |e| format!("{}: {e}", file.display());
    let program = promtool()?;
    let read = || {
        let gauges = File::open(&file).map_err(failed)?;
        run(child(&program).args(["check", "metrics"]).stdin(gauges))
    };
    read()?;
    let text = fs::read_to_string(&file).map_err(failed)?;
    fs::write(&file, text.replace("# HELP", "# HULP")).map_err(failed)?;
    match read() {
        Ok(()) => Err("promtool takes gauges without a word of help".into()),
        Err(_) => Ok(()),
    }
}
