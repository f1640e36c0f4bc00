//! `cargo xtask setup`: installs what the tests need and this machine lacks, and says what and why.
//! What need not be installed (kernels to boot, a second compiler) is unpacked below `target/xtask` instead.
mod apt;
mod unpacked;

pub use unpacked::{
    aarch64_rustc, cargo_deny, dropbear, headers, kernel, promtool, real_time_kernel, slurm,
};

use crate::children::{child, find, run};
use std::path::Path;

/// A Debian package, the program or file that proves that it is there, and why it is wanted.
struct Package(&'static str, &'static str, &'static str);

/// Links and reads static binaries.
const BUILD: &[Package] = &[
    Package("gcc", "cc", "links for this machine"),
    Package("g++", "c++", "compiles libFuzzer"),
    Package("libc6-dev", "/usr/include/stdlib.h", "links for this machine"),
    Package("make", "make", "builds OpenSSL"),
    // `perl-base`, which is always there, lacks the modules that OpenSSL is configured with; `prove` is not in it.
    Package("perl", "prove", "configures OpenSSL"),
    Package("binutils", "objdump", "reads the emitted kernels"),
    Package("hwloc-nox", "hwloc-annotate", "reads the XML written for hwloc"),
    Package("gcc-aarch64-linux-gnu", "aarch64-linux-gnu-gcc", "links for aarch64"),
    Package("libc6-dev-arm64-cross", "/usr/aarch64-linux-gnu/lib/libc.a", "links for aarch64"),
];

/// Runs aarch64 programs, and boots machines we do not have.
const EMULATORS: &[Package] = &[
    Package("qemu-user-static", "qemu-aarch64-static", "runs aarch64 tests here"),
    Package("qemu-system-x86", "qemu-system-x86_64", "boots the lab's x86 machines"),
    Package("qemu-system-arm", "qemu-system-aarch64", "boots the lab's Arm machines"),
];

/// Builds the kernel module: what the kernel's own programs for that are linked with.
const MODULE: &[Package] =
    &[Package("libelf1", "/usr/lib/x86_64-linux-gnu/libelf.so.1", "builds the kernel module")];

/// Opens the HTML report as a reader would.
const BROWSER: &[Package] = &[
    Package("chromium", "chromium", "opens the report"),
    Package(
        "fonts-wqy-microhei",
        "/usr/share/fonts/truetype/wqy/wqy-microhei.ttc",
        "shows the report in Chinese",
    ),
];

/// Installs the packages of a release, or looks into them.
const PACKAGERS: &[Package] = &[
    Package("rpm", "rpm", "installs the .rpm"),
    Package("skopeo", "skopeo", "reads the OCI image"),
    Package("zstd", "zstd", "unpacks the archive"),
    Package("man-db", "man", "reads the manual pages"),
];

/// Check what is in `contrib/`.
const CARRIERS: &[Package] = &[
    Package("python3-pip", "pip3", "installs Ansible and DuckDB for a check"),
    Package("systemd", "systemd-analyze", "verifies units"),
    Package("openssh-client", "ssh", "carries the Ansible role"),
    Package("iproute2", "ip", "connects the machines of the Ansible role"),
];

/// Their outputs are imported, and they take the lines of a placement.
const TOOLS: &[Package] = &[
    Package("util-linux", "lscpu", "describes machines to import"),
    Package("lshw", "lshw", "describes this machine to import"),
    Package("numactl", "numactl", "takes a placement's lines"),
];

/// Sees that nothing calls the system while it is being timed.
const TRACER: &[Package] = &[Package("strace", "strace", "looks into samples")];

/// A server to start and to ask; the package installs no service.
const DATABASE: &[Package] = &[
    Package(
        "mariadb-server-core",
        "/usr/sbin/mariadbd",
        "is started and asked by the tests of databases",
    ),
    Package(
        "mariadb-client-core",
        "/usr/bin/my_print_defaults",
        "has a program that prepares the server's folder",
    ),
];

/// Servers that `scale` scales, and their clients.
const SERVERS: &[Package] = &[
    Package("redis-server", "redis-server", "is loaded by a test of scale"),
    Package("memcached", "memcached", "is loaded by a test of scale"),
    Package("libmemcached-tools", "memcaslap", "loads memcached"),
    Package("nginx-light", "nginx", "is loaded by a test of scale"),
    Package("apache2-utils", "ab", "loads nginx"),
    Package("postgresql", "pgbench", "is loaded by a test of scale"),
];

pub fn chore() -> Result<(), String> {
    packages(&[BUILD, EMULATORS, MODULE, BROWSER, PACKAGERS, CARRIERS, TOOLS, TRACER, DATABASE])?;
    // These packages start services, which a machine that is worked on must not have; their tests are skipped there.
    if !Path::new("/run/systemd/system").exists() {
        packages(&[SERVERS])?;
    }
    let rustc = aarch64_rustc()?;
    println!("aarch64 compiler: {}", rustc.map_or("the installed one".into(), show));
    for arch in crate::dist::Arch::ALL {
        println!("{arch:?} kernel: {}", show(kernel(arch)?));
        println!("{arch:?} headers: {}", show(headers(arch)?));
    }
    Ok(())
}

fn show(path: std::path::PathBuf) -> String {
    crate::tree::relative(&path)
}

/// Installs the packages whose proof is missing.
fn packages(groups: &[&[Package]]) -> Result<(), String> {
    let lacks = |p: &&Package| find(p.1).is_none();
    let missing: Vec<&Package> = groups.iter().copied().flatten().filter(lacks).collect();
    if missing.is_empty() {
        println!("packages: nothing is missing");
        return Ok(());
    }
    missing.iter().for_each(|Package(name, _, why)| println!("needs {name}: {why}"));
    install(&missing.iter().map(|p| p.0).collect::<Vec<_>>())?;
    match missing.into_iter().find(lacks) {
        None => Ok(()),
        Some(Package(name, ..)) => {
            Err(format!("{name} is installed but does not hold what we need"))
        }
    }
}

/// Tries with the lists as they are; a machine whose lists are empty or stale gets new ones first.
fn install(names: &[&str]) -> Result<(), String> {
    let by_hand = format!("run: apt-get install --no-install-recommends {}", names.join(" "));
    if find("apt-get").is_none() {
        return Err(format!("this is not a Debian; install what holds {}", names.join(" ")));
    }
    let arguments = ["-qq", "-y", "--no-install-recommends", "install"];
    let attempt = || run(as_root(&by_hand)?.args(arguments).args(names));
    if attempt().is_ok() {
        return Ok(());
    }
    println!("the package lists may be old: updating them");
    run(as_root(&by_hand)?.args(["-qq", "update"]))?;
    attempt().map_err(|e| format!("{e}\n{by_hand}"))
}

/// Whether this is root, or what a container calls so.
pub fn is_root() -> Result<bool, String> {
    Ok(crate::children::output(child("id").arg("-u"))?.trim() == "0")
}

/// `apt-get` with the right to install.
fn as_root(by_hand: &str) -> Result<std::process::Command, String> {
    let no_sudo = || format!("installing needs root, and there is no sudo; {by_hand}");
    // Not a child that dies with us: an interrupted dpkg is worse than one that ends late.
    let mut command = std::process::Command::new("env");
    if !is_root()? {
        command = std::process::Command::new(find("sudo").ok_or_else(no_sudo)?);
        command.arg("env");
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-o", "Dpkg::Use-Pty=0"]);
    Ok(command)
}
