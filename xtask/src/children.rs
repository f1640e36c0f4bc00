//! Programs that chores start: found, run, and never left behind.
use std::{
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// A program that the kernel kills when this one dies, however it dies.
/// `setpriv` (util-linux) asks for that; without it the child is started plainly.
pub fn child(program: impl AsRef<Path>) -> Command {
    let Some(setpriv) = find("setpriv") else { return Command::new(program.as_ref()) };
    let mut command = Command::new(setpriv);
    command.args(["--pdeathsig", "KILL", "--"]).arg(program.as_ref());
    command
}

/// Names the compiler of our own crates.
const WRAPPER: &str = "RUSTC_WORKSPACE_WRAPPER";

/// The cargo that runs this chore, or the one in the path.
pub fn cargo() -> Command {
    let mut command = child(std::env::var_os("CARGO").unwrap_or("cargo".into()));
    command.current_dir(crate::tree::root()).env("CARGO_TARGET_DIR", crate::tree::target());
    // A test that clippy compiled builds programs without it.
    command.env_remove(WRAPPER);
    command
}

/// The same, with clippy as the compiler of our own crates: one pass makes tests and finds what clippy warns of.
pub fn cargo_with_clippy() -> Command {
    let mut command = cargo();
    command.env(WRAPPER, find("clippy-driver").unwrap_or("clippy-driver".into()));
    command
}

/// The path of an installed program.
pub fn find(program: &str) -> Option<PathBuf> {
    let paths = std::env::var_os("PATH")?;
    // A developer's path often lacks the system's own folders.
    std::env::split_paths(&paths)
        .chain(["/usr/sbin", "/sbin"].map(PathBuf::from))
        .map(|folder| folder.join(program))
        .find(|file| file.is_file())
}

/// Runs to the end with the terminal as it is.
pub fn run(command: &mut Command) -> Result<(), String> {
    let status = command.status().map_err(|e| format!("cannot start {}: {e}", words(command)))?;
    if status.success() { Ok(()) } else { Err(format!("{}: {status}", words(command))) }
}

/// Runs to the end and returns what was printed; what went wrong is in the error.
pub fn output(command: &mut Command) -> Result<String, String> {
    let out = command
        .stdin(Stdio::null())
        .output()
        .map_err(|e| format!("cannot start {}: {e}", words(command)))?;
    if !out.status.success() {
        let errors = String::from_utf8_lossy(&out.stderr);
        return Err(format!("{}: {}\n{}", words(command), out.status, errors.trim_end()));
    }
    String::from_utf8(out.stdout).map_err(|_| format!("{} printed no text", words(command)))
}

fn words(command: &Command) -> String {
    let all = std::iter::once(command.get_program()).chain(command.get_args());
    let mut words: Vec<_> = all.map(|w| w.to_string_lossy()).collect();
    if words.len() > 4 && words[1] == "--pdeathsig" {
        words.drain(..4);
    }
    words.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failure_names_the_command_and_what_it_said() {
        let error = output(child("/bin/sh").args(["-c", "echo no >&2; exit 3"])).unwrap_err();
        assert!(error.starts_with("/bin/sh -c echo no >&2; exit 3: "), "{error}");
        assert!(error.ends_with("3\nno"), "{error}");
    }

    #[test]
    fn missing_programs_are_not_found() {
        assert!(find("sh").is_some());
        assert_eq!(find("no such program"), None);
    }
}
