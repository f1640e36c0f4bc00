//! Both sides at once on one CPU, in turn for a tenth of a second each: what neighbours do to memory, and what the clock
//! does, meets both alike, which neither runs in turn nor runs on two CPUs give.
//!
//! The system's round-robin threads keep other programs off that CPU. Ours leaves disturbed samples out as always; an
//! original that times itself is given the CPU time it has used instead of its clock, by a library that is loaded before
//! the system's. Limits: Linux, root, a C compiler; the original must be linked with shared libraries; whoever has its
//! turn first reloads the caches, which a mean over everything counts and a median of ours does not.
use super::{guardian::Guardian, process::Call};
use crate::tree;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The system's settings while sides share a CPU, restored when dropped or killed.
#[derive(Debug)]
pub(crate) struct Shared {
    /// The library with the other clock.
    pub(crate) clock: PathBuf,
    _before: Guardian,
}

/// Share of a CPU's time, in microseconds of a second, that real-time threads may take.
const LIMIT: &str = "/proc/sys/kernel/sched_rt_runtime_us";
const CLOCK: &str = include_str!("shared_clock.c");

impl Shared {
    /// Builds the library and lifts the limit on real-time threads.
    pub(crate) fn set_up() -> Result<Shared, String> {
        let folder = super::folder().map_err(|e| e.to_string())?;
        let (source, clock) = (folder.join("shared_clock.c"), folder.join("shared_clock.so"));
        fs::write(&source, CLOCK).map_err(|e| format!("{}: {e}", source.display()))?;
        let [source, library] = [&source, &clock].map(|p| p.display().to_string());
        let words = ["-O2", "-shared", "-fPIC", "-o", &library, &source];
        let built = Call::new("cc").args(&words).run()?;
        if built.code != Some(0) {
            return Err(format!("cc: exit code {:?}\n{}", built.code, built.text));
        }
        let before = tree::read(Path::new(LIMIT))?;
        let before = Guardian::of(&format!("echo {} > {LIMIT}", before.trim()), "true")?;
        fs::write(LIMIT, "-1").map_err(|e| format!("{LIMIT}: {e}; --shared needs root"))?;
        Ok(Shared { clock, _before: before })
    }
}

/// Whether a library can be loaded before the system's into this program: it names the dynamic linker, or is a script.
pub(crate) fn needs_frequency(program: &Path) -> bool {
    let named = |bytes: Vec<u8>| {
        bytes.starts_with(b"#!")
            || bytes.windows(10).any(|w| w == b"/ld-linux-" || w == b"/ld-musl-x")
    };
    fs::read(program).is_ok_and(named)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_static_program_does_not_take_another_clock() {
        assert!(needs_frequency(Path::new("/bin/sh")));
        assert!(!needs_frequency(Path::new("/no/such/program")));
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("static");
        fs::write(&file, b"\x7fELF and nothing else").unwrap();
        assert!(!needs_frequency(&file));
    }
}
