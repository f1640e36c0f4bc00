//! Builds the module from the embedded sources, in a folder that is removed when dropped.
use record::Reason;
use std::{
    env, fs,
    os::unix::fs::DirBuilderExt,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The module's own sources; the assembly is in `kernels`.
const SOURCES: [(&str, &str); 3] = [
    ("Kbuild", include_str!("../../../../kmod/Kbuild")),
    ("device.c", include_str!("../../../../kmod/device.c")),
    ("entry.S", include_str!("../../../../kmod/entry.S")),
];

/// A module built for the running kernel, in a folder that is removed with this.
#[derive(Debug)]
pub struct Built {
    folder: PathBuf,
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
        let (name, assembly) = kernels::quantum::SOURCE
            .ok_or_else(|| Reason::new("the module has no assembly for this architecture"))?;
        let mut built = Built { folder: folder()?, file: PathBuf::new() };
        for (file, text) in SOURCES.into_iter().chain([(name, assembly)]) {
            let file = built.folder.join(file);
            fs::write(&file, text)
                .map_err(|e| Reason::new(format!("cannot write {}: {e}", file.display())))?;
        }
        make(headers, &built.folder)?;
        built.file = built.folder.join("cpulens_noise.ko");
        Ok(built)
    }

    /// The module.
    pub fn file(&self) -> &Path {
        &self.file
    }
}

impl Drop for Built {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// A new folder that no other user can write to.
fn folder() -> Result<PathBuf, Reason> {
    let mut trouble = None;
    for n in 0..100 {
        let folder = env::temp_dir().join(format!("cpulens-kmod-{}-{n}", std::process::id()));
        match fs::DirBuilder::new().mode(0o700).create(&folder) {
            Ok(()) => return Ok(folder),
            Err(e) => trouble = Some(format!("cannot make {}: {e}", folder.display())),
        }
    }
    Err(Reason::mended_by(
        trouble.unwrap_or_default(),
        "set TMPDIR to a folder that may be written to",
    ))
}

fn make(headers: &Path, folder: &Path) -> Result<(), Reason> {
    let mut command = Command::new("make");
    command.arg("-C").arg(headers).arg(format!("M={}", folder.display())).arg("modules");
    // Settings of an outer make do not apply.
    command.env_remove("MAKEFLAGS").env_remove("MFLAGS").stdin(Stdio::null());
    let output = command.output().map_err(|e| {
        Reason::mended_by(
            format!("make cannot be started: {e}"),
            "install make and the compiler that the kernel was built with, or --kmod=FILE",
        )
    })?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
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
        let folder = built.folder.clone();
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
