//! Debian's archive through a private APT root: packages of other architectures are fetched and
//! unpacked without root, and without telling this machine's dpkg anything.
use crate::{
    children::{child, output},
    tree::{cache, entries, make, refresh},
};
use std::{fs, path::Path, process::Command};

/// The configuration all calls share. The machine's own sources and keys are used, its own lists are not.
fn configuration() -> Result<std::path::PathBuf, String> {
    let root = cache().join("apt");
    let shown = root.display();
    make(&root.join("state/lists/partial"))?;
    make(&root.join("cache/archives/partial"))?;
    let file = root.join("apt.conf");
    refresh(
        &file,
        &format!(
            "APT::Architecture \"amd64\";\nAPT::Architectures {{ \"amd64\"; \"arm64\"; }};\n\
             Dir::State \"{shown}/state\";\nDir::State::status \"/var/lib/dpkg/status\";\n\
             Dir::Cache \"{shown}/cache\";\nAPT::Sandbox::User \"root\";\n\
             Acquire::Languages \"none\";\nAcquire::Retries \"3\";\n"
        ),
    )?;
    Ok(file)
}

fn apt(program: &str) -> Result<Command, String> {
    let mut command = child(program);
    command.env("APT_CONFIG", configuration()?).env("LC_ALL", "C");
    Ok(command)
}

/// Fetches the lists; the packages they name may have moved on since the last time.
pub(super) fn update() -> Result<(), String> {
    output(apt("apt-get")?.args(["-q", "update"])).map(drop)
}

/// The package a meta-package stands for: its first dependency that begins with `prefix`.
pub(super) fn stands_for(meta: &str, prefix: &str) -> Result<String, String> {
    let text = output(apt("apt-cache")?.args(["depends", meta]))?;
    let found = text
        .lines()
        .filter_map(|l| l.trim().strip_prefix("Depends: "))
        // A package that is of every architecture is no package of a foreign one: `<name:arm64>`.
        .map(|name| name.trim_matches(['<', '>']))
        .find(|name| name.starts_with(prefix));
    found.map(str::to_owned).ok_or(format!("Debian's {meta} names no {prefix} package"))
}

/// Unpacks exactly these packages into a folder.
pub(super) fn unpack(packages: &[&str], into: &Path) -> Result<(), String> {
    let debs = into.with_extension("debs");
    fresh(&debs)?;
    output(apt("apt-get")?.args(["-q", "download"]).args(packages).current_dir(&debs))?;
    extract(&debs, into)
}

/// Unpacks packages, installed or not, and whatever they need that this machine does not have.
pub(super) fn unpack_with_missing(packages: &[&str], into: &Path) -> Result<(), String> {
    let debs = into.with_extension("debs");
    fresh(&debs.join("partial"))?;
    let archives = format!("Dir::Cache::archives={}", debs.display());
    let mut download = apt("apt-get")?;
    download.args(["-o", &archives, "-o", "Debug::NoLocking=true", "-q", "-y", "--download-only"]);
    download.args(["--no-install-recommends", "--reinstall", "install"]).args(packages);
    output(&mut download)?;
    extract(&debs, into)
}

/// Unpacks the packages in a folder, and removes it.
fn extract(debs: &Path, into: &Path) -> Result<(), String> {
    for deb in entries(debs).iter().filter(|file| file.extension().is_some_and(|x| x == "deb")) {
        output(child("dpkg-deb").arg("-x").arg(deb).arg(into))?;
    }
    remove(debs)
}

/// An empty folder, whatever lay there before.
pub(super) fn fresh(folder: &Path) -> Result<(), String> {
    remove(folder)?;
    make(folder)
}

pub(super) fn remove(folder: &Path) -> Result<(), String> {
    match fs::remove_dir_all(folder) {
        Err(e) if e.kind() != std::io::ErrorKind::NotFound => {
            Err(format!("cannot remove {}: {e}", folder.display()))
        }
        _ => Ok(()),
    }
}
