//! What must be true on every machine of the lab: that it is what its description says, and how the
//! program behaves there. Structure and counts only; an emulator's speed says nothing.
use super::{Boot, Ending, MACHINES, Machine, PATIENCE, boot, job::LOOK};

/// Boots every machine that does not take minutes.
pub(crate) fn suite() -> Result<(), String> {
    for machine in MACHINES.iter().filter(|m| !m.slow) {
        let came_back = boot(machine, &["--version"], PATIENCE)?;
        is_as_described(machine, &came_back)
            .and_then(|()| program_behaves(&came_back))
            .map_err(|e| format!("{}: {e}", machine.name))?;
        println!("{}: as described", machine.name);
    }
    Ok(())
}

/// The machine itself, before anything is said of the program.
fn is_as_described(machine: &Machine, boot: &Boot) -> Result<(), String> {
    if !boot.notes.is_empty() {
        return Err(format!("the init could not prepare it: {}", boot.notes.join("; ")));
    }
    let look = boot.files.get(LOOK).ok_or("the init sent no look around")?;
    let look = String::from_utf8_lossy(look);
    for line in machine.proof {
        if !look.lines().any(|l| l == *line) {
            return Err(format!("`{line}` is not what its kernel says:\n{look}"));
        }
    }
    Ok(())
}

fn program_behaves(boot: &Boot) -> Result<(), String> {
    if boot.ending == Ending::Exited(0) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&boot.stderr);
    Err(format!("the program ended with {:?}\n{}", boot.ending, said.trim_end()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::machine;

    fn came_back(look: &str, notes: &[&str]) -> Boot {
        Boot {
            stdout: Vec::new(),
            stderr: b"no such CPU".to_vec(),
            ending: Ending::Exited(1),
            files: [(LOOK.to_owned(), look.as_bytes().to_vec())].into(),
            notes: notes.iter().map(|&n| n.to_owned()).collect(),
        }
    }

    #[test]
    fn a_machine_that_is_another_is_not_believed() {
        let machine = machine("offline-cpus").unwrap();
        assert_eq!(is_as_described(&machine, &came_back("cpus 0,3\nnodes 0\n", &[])), Ok(()));
        assert!(is_as_described(&machine, &came_back("cpus 0-3\n", &[])).is_err());
        assert!(is_as_described(&machine, &came_back("cpus 0,3\n", &["cannot"])).is_err());
    }

    #[test]
    fn a_failing_program_is_quoted() {
        assert!(program_behaves(&came_back("", &[])).unwrap_err().contains("no such CPU"));
    }
}
