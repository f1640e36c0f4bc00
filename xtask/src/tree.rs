//! Paths of this repository, and how its generated files are read and rewritten.
use std::{
    fs,
    path::{Path, PathBuf},
};

/// The repository's root.
pub fn root() -> PathBuf {
    let mut root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    root.pop();
    root
}

/// The output folder of cargo, for all workspaces: what they share is built once.
pub fn target() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// Files that setup and the checks keep between runs; `cargo clean` removes them.
pub fn cache() -> PathBuf {
    root().join("target/xtask")
}

pub fn read(file: &Path) -> Result<String, String> {
    fs::read_to_string(file).map_err(|e| format!("cannot read {}: {e}", file.display()))
}

/// A folder with those above it.
pub fn make(folder: &Path) -> Result<(), String> {
    fs::create_dir_all(folder).map_err(|e| format!("cannot make {}: {e}", folder.display()))
}

pub fn write(file: &Path, bytes: impl AsRef<[u8]>) -> Result<(), String> {
    fs::write(file, bytes).map_err(|e| format!("cannot write {}: {e}", file.display()))
}

/// A program of these words.
pub fn script(file: &Path, text: &str) -> Result<(), String> {
    use std::os::unix::fs::PermissionsExt;
    refresh(file, text)?;
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(file, mode).map_err(|e| format!("cannot mark {}: {e}", file.display()))
}

/// Writes `text` if the file differs, and says whether it did.
pub fn refresh(file: &Path, text: &str) -> Result<bool, String> {
    if fs::read_to_string(file).is_ok_and(|old| old == text) {
        return Ok(false);
    }
    if let Some(folder) = file.parent() {
        make(folder)?;
    }
    write(file, text)?;
    Ok(true)
}

/// A folder's entries in the order rustfmt gives `mod` lines; none if there is no such folder.
pub fn entries(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(folder) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|e| e.path()).collect();
    paths.sort_by_key(|p| name(p));
    paths
}

/// Every `.rs` file below a folder.
pub fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|x| x == "rs") {
            found.push(path);
        }
    }
    found
}

/// A path as a reader of this repository writes it.
pub fn relative(path: &Path) -> String {
    path.strip_prefix(root()).unwrap_or(path).display().to_string()
}

/// The last part of a path without its extension: an instance's id.
pub fn name(path: &Path) -> String {
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_only_written_when_it_differs() {
        let file = cache().join("test-refresh/file");
        let _ = fs::remove_file(&file);
        assert_eq!(refresh(&file, "a"), Ok(true));
        assert_eq!(refresh(&file, "a"), Ok(false));
        assert_eq!(refresh(&file, "b"), Ok(true));
        assert_eq!(read(&file).as_deref(), Ok("b"));
    }
}
