//! Paths that another account could exchange for others while root uses them. Source: path_resolution(7), user_namespaces(7).
use super::{MOST_LINKS, ours, reversed};
use rustix::{
    fs::{self as sys, FileType, Mode, Stat},
    io::Errno,
    process::geteuid,
};
use std::{
    ffi::OsString,
    io,
    os::unix::ffi::OsStringExt,
    path::{Path, PathBuf},
};

/// Refuses, as root, a path that another account could exchange: it leads through that account's link or folder, or through one in
/// which it may rename. In a sticky folder, such as /tmp, it may not; but what is at the path itself must be closed to others.
/// The path, or its end, need not exist: it is for what will be made there and must be new.
///
/// # Errors
/// `PermissionDenied`, with the folder; as lstat(2).
pub fn refuse_exchangeable(path: &Path) -> io::Result<()> {
    match refuse_exchangeable_file(path) {
        Err(why) if why.kind() == io::ErrorKind::NotFound => Ok(()),
        judged => judged,
    }
}

/// Refuses, as root, a file that another account could change or exchange: for what is run, loaded, or read to be run.
///
/// # Errors
/// As [`refuse_exchangeable`]; as root, also `NotFound`.
pub fn refuse_exchangeable_file(path: &Path) -> io::Result<()> {
    if !is_root_of_host() {
        return Ok(());
    }
    let mut parts = reversed(&std::path::absolute(path)?);
    let (mut at, mut links) = (PathBuf::from("/"), 0);
    while let Some(part) = parts.pop() {
        closed(&at, &sys::lstat(&at)?, Mode::SVTX)?;
        if part == ".." {
            at.pop();
            continue;
        }
        let next = at.join(&part);
        let there = sys::lstat(&next)?;
        if FileType::from_raw_mode(there.st_mode) != FileType::Symlink {
            at = next;
            continue;
        }
        links += 1;
        if links > MOST_LINKS {
            return Err(Errno::LOOP.into());
        }
        closed(&next, &there, Mode::empty())?;
        let target = sys::readlink(&next, vec![])?.into_bytes();
        let target = PathBuf::from(OsString::from_vec(target));
        if target.is_absolute() {
            at = PathBuf::from("/");
        }
        parts.extend(reversed(&target));
    }
    closed(&at, &sys::lstat(&at)?, Mode::empty())
}

/// Refuses what another account has or may write to, unless its mode has one of these bits.
fn closed(path: &Path, about: &Stat, kept_by: Mode) -> io::Result<()> {
    let mode = Mode::from_raw_mode(about.st_mode);
    let written = Mode::WOTH | if about.st_gid == 0 { Mode::empty() } else { Mode::WGRP };
    // A link's mode says nothing.
    let is_link = FileType::from_raw_mode(about.st_mode) == FileType::Symlink;
    let kept = is_link || mode.intersects(kept_by) || !mode.intersects(written);
    if kept && ours(about.st_uid) {
        return Ok(());
    }
    Err(io::Error::new(
        io::ErrorKind::PermissionDenied,
        format!(
            "other accounts may change {} (owner {}, mode {:04o}), and could lead root elsewhere; name one that only \
             root may change",
            path.display(),
            about.st_uid,
            mode.bits()
        ),
    ))
}

/// Whether this is root, and not merely of a user namespace, whose root has the rights of a user.
pub fn is_root_of_host() -> bool {
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
        symlink(at("mine"), at("open/link")).unwrap();
        symlink("../mine", at("sticky/own")).unwrap();
        symlink(at("loop"), at("loop")).unwrap();
        std::os::unix::fs::lchown(at("sticky/link"), Some(1), Some(1)).unwrap();
        for file in ["mine/file", "mine/theirs", "sticky/file", "sticky/theirs", "theirs/file"] {
            fs::write(at(file), "").unwrap();
        }
        fs::write(at("mine/written"), "").unwrap();
        fs::set_permissions(at("mine/written"), fs::Permissions::from_mode(0o666)).unwrap();
        for theirs in ["mine/theirs", "sticky/theirs"] {
            chown(at(theirs), Some(1), Some(1)).unwrap();
        }
        for fine in ["mine", "mine/new/x", "sticky/new", "sticky/roots", "sticky/own/new", "new"] {
            refuse_exchangeable(&at(fine)).unwrap();
        }
        for fine in ["mine/file", "sticky/file", "sticky/own/file", "sticky/../mine/file"] {
            refuse_exchangeable_file(&at(fine)).unwrap();
        }
        // Somebody could make it between being asked for and being opened.
        let missing = refuse_exchangeable_file(&at("sticky/new")).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        assert!(refuse_exchangeable(&at("loop")).is_err());
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
            // Whose own owner is root, in a folder where others may put another one.
            "open/link",
            "mine/theirs",
            "mine/written",
            "sticky/theirs",
            "sticky/link/file",
            "theirs/file",
            "theirs/../mine/file",
        ] {
            let why = refuse_exchangeable(&at(refused)).expect_err(refused);
            assert_eq!(why.kind(), io::ErrorKind::PermissionDenied, "{why}");
        }
    }
}
