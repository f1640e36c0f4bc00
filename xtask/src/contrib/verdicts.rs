//! What the checks for NHC and node-problem-detector make of each exit code of `cpulens check`, and of one that was killed.
use std::{fs, path::Path};
use xtask::{
    children::{child, output},
    tree::root,
};

/// In place of the program: ends as `STATUS` says, or as if by `kill -9`.
const PROGRAM: &str = "#!/bin/sh
echo \"CPULENS SOMETHING - words | 'a'=1\"
[ \"$STATUS\" = killed ] && kill -9 $$
exit \"$STATUS\"
";
/// As NHC's own `nhc` does: `die` says why a node is bad, and the check's status decides.
const NHC: &str = "die() { echo \"bad: $*\"; }; . \"$CHECK\"; check_cpulens 90000 || echo failed";

pub(crate) fn chore(folder: &Path) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    let programs = folder.join("programs");
    let program = programs.join("cpulens");
    fs::create_dir_all(&programs)
        .and_then(|()| fs::write(&program, PROGRAM))
        .and_then(|()| fs::set_permissions(&program, fs::Permissions::from_mode(0o755)))
        .map_err(|e| format!("{}: {e}", program.display()))?;
    let path = format!("{}:/usr/bin:/bin", programs.display());
    for (status, node_is_bad, detector) in
        [("0", false, 0), ("1", false, 0), ("2", true, 1), ("3", false, 2), ("killed", false, 2)]
    {
        let mut nhc = child("bash");
        nhc.args(["-c", NHC]).env("PATH", &path).env("STATUS", status);
        let said = output(nhc.env("CHECK", root().join("contrib/nhc/cpulens.nhc")))?;
        let bad = "bad: 1 check_cpulens: CPULENS SOMETHING - words\nfailed\n";
        if said != if node_is_bad { bad } else { "" } {
            return Err(format!("NHC of exit code {status}: {said}"));
        }
        let script = root().join("contrib/node-problem-detector/npd.sh");
        let ended = child("sh").arg(script).env("PATH", &path).env("STATUS", status).output();
        let code = ended.map_err(|e| e.to_string())?.status.code();
        if code != Some(detector) {
            return Err(format!("node-problem-detector of exit code {status}: {code:?}"));
        }
    }
    Ok(())
}
