//! Both sides at once on one CPU, in turn for a tenth of a second each: what neighbours do to memory, and what the core's frequency
//! does, meets both alike, which runs in turn do not give.
//!
//! The system's round-robin threads keep other programs off that CPU. Ours leaves disturbed samples out as always; an original
//! that times itself is given the CPU time it has used instead of its clock, by a library that is loaded before the system's.
//! Limits: Linux, root, a C compiler; the original must be linked with shared libraries; the side that has its turn first reloads
//! the caches, which a mean over everything counts and a median of ours does not.
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
};
use xtask::{children::output, tree::read};

/// The system's settings while sides share a CPU.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The library with the other clock.
    pub(crate) clock: PathBuf,
    _before: RestoreOnExit,
}

/// Share of a CPU's time, in microseconds of a second, that real-time threads may take.
const LIMIT: &str = "/proc/sys/kernel/sched_rt_runtime_us";

impl Shared {
    /// Builds the library and lifts the limit on real-time threads.
    pub(crate) fn set_up(folder: &Path) -> Result<Shared, String> {
        let (source, clock) = (folder.join("shared_clock.c"), folder.join("shared_clock.so"));
        fs::write(&source, include_str!("shared_clock.c")).map_err(|e| e.to_string())?;
        output(Command::new("cc").args(["-O2", "-shared", "-fPIC", "-o"]).args([&clock, &source]))?;
        let before = read(Path::new(LIMIT))?;
        let before = RestoreOnExit::start(&format!("echo {} > {LIMIT}", before.trim()))?;
        fs::write(LIMIT, "-1").map_err(|e| format!("{LIMIT}: {e}; --shared needs root"))?;
        Ok(Shared { clock, _before: before })
    }
}

/// Whether a library can be loaded before the system's into this program: it names the dynamic linker, or is a script.
pub(crate) fn takes_clock(program: &Path) -> bool {
    let named = |bytes: Vec<u8>| {
        bytes.starts_with(b"#!")
            || bytes.windows(10).any(|w| w == b"/ld-linux-" || w == b"/ld-musl-x")
    };
    fs::read(program).is_ok_and(named)
}

/// A shell that puts something back when this is dropped, or when this process is gone: it waits for the end of its input. It is
/// real-time where that is permitted, above everything that is measured and may have to be stopped.
#[derive(Debug)]
pub(crate) struct RestoreOnExit(Child);

impl RestoreOnExit {
    pub(crate) fn start(script: &str) -> Result<RestoreOnExit, String> {
        let wait = "trap '' INT TERM HUP; chrt -f -p 70 $$ >/dev/null 2>&1; read -r _";
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("{wait}\n{script}")]).stdin(Stdio::piped());
        shell.spawn().map(RestoreOnExit).map_err(|e| format!("sh: {e}"))
    }
}

impl Drop for RestoreOnExit {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        match self.0.wait() {
            Ok(status) if status.success() => {}
            other => println!("not everything was put back: {other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_static_program_does_not_take_another_clock() {
        assert!(takes_clock(Path::new("/bin/sh")));
        assert!(!takes_clock(Path::new("/no/such/program")));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("static");
        fs::write(&file, b"\x7fELF and nothing else").unwrap();
        assert!(!takes_clock(&file));
    }

    #[test]
    fn what_was_is_put_back() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let afterwards = RestoreOnExit::start(&format!("echo 1 > {}", file.display())).unwrap();
        assert!(!file.exists());
        drop(afterwards);
        assert_eq!(fs::read_to_string(file).unwrap(), "1\n");
    }
}
