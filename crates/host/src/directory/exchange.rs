//! Paths that another account could exchange for others while root uses them. Source: path_resolution(7), user_namespaces(7).
use super::{ours, walk};
use rustix::{
    fs::{self as sys, Mode},
    process::geteuid,
};
use std::{io, path::Path};

/// Refuses, as root, a path that another account could exchange: it leads through that account's link or folder, or through one in
/// which it may rename. In a sticky folder, such as /tmp, it may not; but what is at the path itself must be closed to others.
/// The path, or its end, need not exist.
///
/// # Errors
/// `PermissionDenied`, with the folder; as stat(2).
pub fn refuse_exchangeable(path: &Path) -> io::Result<()> {
    if !is_root_of_host() {
        return Ok(());
    }
    let path = std::path::absolute(path)?;
    let there = path.ancestors().find(|part| part.exists()).unwrap_or(Path::new("/"));
    walk(there, false)?;
    let real = there.canonicalize()?;
    for part in real.ancestors() {
        let about = sys::stat(part)?;
        let mode = Mode::from_raw_mode(about.st_mode);
        let written = Mode::WOTH | if about.st_gid == 0 { Mode::empty() } else { Mode::WGRP };
        let is_the_path = part == real && there == path;
        let kept = mode.contains(Mode::SVTX) && !is_the_path;
        if !ours(about.st_uid) || mode.intersects(written) && !kept {
            return Err(io::Error::new(
                io::ErrorKind::PermissionDenied,
                format!(
                    "other accounts may change {} (owner {}, mode {:04o}), and could lead root elsewhere; name one \
                     that only root may change",
                    part.display(),
                    about.st_uid,
                    mode.bits()
                ),
            ));
        }
    }
    Ok(())
}

/// Whether this is root, and not merely of a user namespace, whose root has the rights of a user.
fn is_root_of_host() -> bool {
    let map = std::fs::read_to_string("/proc/self/uid_map").unwrap_or_default();
    let numbers: Vec<&str> = map.split_whitespace().collect();
    geteuid().is_root() && (numbers.is_empty() || numbers == ["0", "0", "4294967295"])
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        fs,
        os::unix::fs::{PermissionsExt, chown, symlink},
    };

    #[test]
    fn root_makes_nothing_where_another_account_may_exchange_it() {
        if !is_root_of_host() {
            return eprintln!("skipped: needs root, to give a folder to another user");
        }
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        for (name, mode) in
            [("mine", 0o755), ("theirs", 0o755), ("open", 0o777), ("sticky", 0o1777)]
        {
            fs::create_dir(at(name)).unwrap();
            fs::set_permissions(at(name), fs::Permissions::from_mode(mode)).unwrap();
        }
        chown(at("theirs"), Some(1), Some(1)).unwrap();
        fs::create_dir(at("theirs/roots")).unwrap();
        fs::create_dir(at("sticky/roots")).unwrap();
        symlink(at("mine"), at("sticky/link")).unwrap();
        std::os::unix::fs::lchown(at("sticky/link"), Some(1), Some(1)).unwrap();
        for fine in ["mine", "mine/new/x", "sticky/new", "sticky/roots", "new"] {
            refuse_exchangeable(&at(fine)).unwrap();
        }
        for refused in [
            "theirs",
            "theirs/new",
            "theirs/roots",
            "theirs/roots/new",
            "open",
            "open/new",
            "sticky",
            "sticky/link",
            "sticky/link/new",
        ] {
            let why = refuse_exchangeable(&at(refused)).expect_err(refused);
            assert_eq!(why.kind(), io::ErrorKind::PermissionDenied, "{why}");
        }
    }
}
