//! Builds the module from the embedded sources, in a folder that is removed when dropped.
use crate::{
    child::{Program, Status, Supervised},
    own_folder::OwnFolder,
    signals,
};
use filesystem::directory::refuse_exchangeable_file;
use record::Reason;
use std::{
    ffi::OsStr,
    fs::{self, File},
    path::{Path, PathBuf},
    time::Duration,
};

/// The polling interval for an interrupt while the module is built.
const LOOK: Duration = Duration::from_millis(100);

/// The module's own sources; the assembly is in `kernels`.
const SOURCES: [(&str, &str); 3] = [
    ("Kbuild", include_str!("../../../../kmod/Kbuild")),
    ("device.c", include_str!("../../../../kmod/device.c")),
    ("entry.S", include_str!("../../../../kmod/entry.S")),
];

/// A module built for the running kernel, in a folder that is removed with this.
#[derive(Debug)]
pub struct Built {
    folder: OwnFolder,
    file: PathBuf,
}

impl Built {
    /// Builds it with the headers of the running kernel.
    pub fn new() -> Result<Built, Reason> {
        let release = super::release().unwrap_or_default();
        Built::with(Path::new(&format!("/lib/modules/{release}/build")), &release)
    }

    fn with(headers: &Path, release: &str) -> Result<Built, Reason> {
        if !headers.join("Makefile").is_file() {
            return Err(Reason::mended_by(
                format!("the headers of this kernel are not installed ({})", headers.display()),
                format!(
                    "apt install linux-headers-{release} (Fedora: kernel-devel), or --kmod=FILE"
                ),
            ));
        }
        // Root runs what they say.
        refuse_exchangeable_file(headers)
            .map_err(|e| Reason::mended_by(e.to_string(), "--kmod=FILE"))?;
        let (name, assembly) =
            kernels::quantum::SOURCE.ok_or("the module has no assembly for this architecture")?;
        let mut built =
            Built { folder: OwnFolder::temporary("cpulens-kmod-")?, file: PathBuf::new() };
        for (file, text) in SOURCES.into_iter().chain([(name, assembly)]) {
            let file = built.folder.path().join(file);
            fs::write(&file, text)
                .map_err(|e| Reason::new(format!("cannot write {}: {e}", file.display())))?;
        }
        make(headers, built.folder.path())?;
        built.file = built.folder.path().join("cpulens_noise.ko");
        Ok(built)
    }

    /// The module.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

/// Runs make under a supervisor, which ends it and its compilers if this process is killed.
fn make(headers: &Path, folder: &Path) -> Result<(), Reason> {
    const REMEDY: &str =
        "install make and the compiler that the kernel was built with, or --kmod=FILE";
    let failed = |e: std::io::Error| Reason::new(format!("cannot write the log of make: {e}"));
    let log = folder.join("log");
    let file = File::options().read(true).write(true).create_new(true).open(&log);
    let module = format!("M={}", folder.display());
    let words: [&OsStr; 5] =
        ["make".as_ref(), "-C".as_ref(), headers.as_ref(), module.as_ref(), "modules".as_ref()];
    let mut program = Program::new(&words)?;
    // Settings of an outer make do not apply.
    for name in ["MAKEFLAGS", "MFLAGS"] {
        program = program.with(name, "");
    }
    let started = Supervised::start(&program.writing_into(file.map_err(failed)?));
    let mut running = started.map_err(|refused| Reason::mended_by(refused.why.why, REMEDY))?;
    let status = loop {
        if let Some(status) = running.wait(LOOK) {
            break status;
        }
        if signals::interrupted() {
            return Err(Reason::new("interrupted while the module was built"));
        }
    };
    if status == Status::Exited(0) {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&fs::read(&log).map_err(failed)?).into_owned();
    let line = said.lines().find(|l| l.contains("rror")).or(said.lines().last());
    Err(Reason::mended_by(
        format!("the module could not be built: {}", line.unwrap_or("make says nothing").trim()),
        "install the compiler that the kernel was built with, or --kmod=FILE",
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_that_are_missing_are_named() {
        let reason = Built::with(Path::new("/no/such/folder"), "6.1.0-x").unwrap_err();
        assert!(reason.why.contains("/no/such/folder"), "{reason}");
        assert!(reason.remedy.unwrap().contains("linux-headers-6.1.0-x"));
    }

    /// A Makefile that only looks what it was given stands for the kernel's.
    #[test]
    fn the_build_gets_all_sources_and_its_folder_goes() {
        let _alone = crate::child::alone();
        let headers = tempfile::tempdir().unwrap();
        let rule = "modules:\n\tcd $(M) && cat Kbuild device.c entry.S *_64.S aarch64.S > cpulens_noise.ko\n";
        let rule = match kernels::quantum::SOURCE {
            Some((name, _)) => rule.replace("*_64.S aarch64.S", name),
            None => return eprintln!("skipped: no assembly"),
        };
        fs::write(headers.path().join("Makefile"), rule).unwrap();
        let built = Built::with(headers.path(), "x").unwrap();
        let text = fs::read_to_string(built.file()).unwrap();
        assert!(text.contains("cpulens_quantum_begin:") && text.contains("module_misc_device"));
        let folder = built.folder.path().to_owned();
        assert!(folder.is_dir());
        drop(built);
        assert!(!folder.exists());
        fs::write(
            headers.path().join("Makefile"),
            "modules:\n\t@echo fatal error: no >&2; false\n",
        )
        .unwrap();
        let reason = Built::with(headers.path(), "x").unwrap_err();
        assert!(reason.why.contains("fatal error: no"), "{reason}");
    }
}
