//! `cargo xtask dist`: one static binary per architecture, `dist/cpulens-<arch>`.
mod elf;

use crate::{
    children::{cargo, child, output, run},
    setup::aarch64_rustc,
    tree::{self, cache, relative, root},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// An architecture we ship for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arch {
    X86_64,
    Aarch64,
}

impl Arch {
    pub const ALL: [Arch; 2] = [Arch::X86_64, Arch::Aarch64];

    /// As in `target_arch`.
    pub fn name(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86_64",
            Arch::Aarch64 => "aarch64",
        }
    }

    /// As Debian calls it.
    pub fn debian(self) -> &'static str {
        match self {
            Arch::X86_64 => "amd64",
            Arch::Aarch64 => "arm64",
        }
    }

    /// One of binutils' programs for it.
    pub fn tool(self, name: &str) -> String {
        let native = self.name() == std::env::consts::ARCH;
        if native { name.to_owned() } else { format!("{}-linux-gnu-{name}", self.name()) }
    }

    /// The folder of the installed compiler's standard library for it, which need not exist.
    pub fn libraries(self) -> Result<PathBuf, String> {
        let asked = ["--print", "target-libdir", "--target", self.triple()];
        Ok(output(child("rustc").args(asked))?.trim().into())
    }

    pub fn triple(self) -> &'static str {
        match self {
            Arch::X86_64 => "x86_64-unknown-linux-gnu",
            Arch::Aarch64 => "aarch64-unknown-linux-gnu",
        }
    }
}

/// A download should stay small enough for a machine with a bad line.
const LIMIT: u64 = 20 << 20;

/// The processor that runs aarch64 programs here: everything that QEMU has but SME, whose 8-bit outer products it computes
/// wrongly before version 9: 7.2, Debian 12's, leaves out most of the result.
pub const EMULATED: &str = "max,sme=off";

/// Of the flags that OpenSSL states: where its Configure takes a program for static, it leaves out threads with this.
const WITH_THREADS: &[u8] = b"-DOPENSSL_PIC";

pub fn chore() -> Result<(), String> {
    let built = build("cpulens", &Arch::ALL)?;
    for (arch, built) in Arch::ALL.into_iter().zip(built) {
        let file = shipped(arch);
        tree::make(&root().join("dist"))?;
        // A running binary cannot be written to, but it can be replaced.
        let _ = fs::remove_file(&file);
        run(Command::new(arch.tool("strip")).arg("--strip-all").arg("-o").args([&file, &built]))?;
        let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let size = bytes.len() as u64;
        if !bytes.windows(WITH_THREADS.len()).any(|part| part == WITH_THREADS) {
            return Err(format!("{}: OpenSSL was built without threads", relative(&file)));
        }
        if size > LIMIT {
            return Err(format!("{} has {size} bytes, more than {LIMIT}", relative(&file)));
        }
        println!("{}: static, {:.1} MB", relative(&file), size as f64 / 1e6);
    }
    Ok(())
}

/// The program as it was built, with the names of its functions.
pub fn named(arch: Arch) -> Result<PathBuf, String> {
    Ok(target(arch)?.join(arch.triple()).join("release/cpulens"))
}

/// The path of the finished program, without the names of its functions, which are a tenth of it.
pub fn shipped(arch: Arch) -> PathBuf {
    root().join("dist").join(format!("cpulens-{}", arch.name()))
}

/// The packages of [`build`]. All are selected whatever is built: with fewer of them, what they share would have other features.
const PACKAGES: [&str; 2] = ["cpulens", "lab-init"];

/// What the program asks of the crates that it and tests are made of: with a feature more they would be built again.
pub const FEATURES: [&str; 3] = ["--no-default-features", "--features", "openssl"];

/// Builds the program of this name as it is shipped, for every one of these architectures at the same time if one compiler can,
/// and makes sure that it needs nothing from where it runs.
pub fn build(bin: &str, arches: &[Arch]) -> Result<Vec<PathBuf>, String> {
    let at_once = if aarch64_rustc()?.is_some() { 1 } else { arches.len() };
    // This machine's last: other stages build its OpenSSL meanwhile.
    for arches in arches.rchunks(at_once) {
        let mut command = cargo_for(arches[0])?;
        command.args(["build", "--quiet", "--release", "--locked", "--bin", bin]);
        command.args(PACKAGES.map(|package| format!("--package={package}")));
        run(command.args(arches.iter().flat_map(|arch| ["--target", arch.triple()])))?;
    }
    let file = |arch: &Arch| {
        let file = target(*arch)?.join(arch.triple()).join("release").join(bin);
        elf::check_static(&file, *arch).map_err(|e| format!("{}: {e}", relative(&file)))?;
        Ok(file)
    };
    arches.iter().map(file).collect()
}

/// A second compiler has its own folder, or each would rebuild what the other has built for this machine.
fn target(arch: Arch) -> Result<PathBuf, String> {
    Ok(match arch {
        Arch::Aarch64 if aarch64_rustc()?.is_some() => cache().join("build-aarch64"),
        _ => tree::target(),
    })
}

/// A cargo that makes static programs for an architecture. Everything is said through variables of
/// the targets, so that build scripts and procedural macros are built for this machine, as usual.
pub fn cargo_for(arch: Arch) -> Result<Command, String> {
    let mut command = cargo();
    for name in ["RUSTFLAGS", "CARGO_ENCODED_RUSTFLAGS", "CARGO_BUILD_TARGET"] {
        command.env_remove(name);
    }
    let variable = |arch: Arch, what: &str| {
        format!("CARGO_TARGET_{}_{what}", arch.triple().to_uppercase().replace('-', "_"))
    };
    command.env("CARGO_TARGET_DIR", target(arch)?);
    for arch in Arch::ALL {
        command.env(variable(arch, "RUSTFLAGS"), flags(arch)?);
    }
    command.env(variable(Arch::Aarch64, "LINKER"), "aarch64-linux-gnu-gcc");
    command.env(variable(Arch::Aarch64, "RUNNER"), "qemu-aarch64-static");
    command.env("QEMU_CPU", EMULATED);
    if let (Arch::Aarch64, Some(rustc)) = (arch, aarch64_rustc()?) {
        command.env("RUSTC", rustc);
    }
    Ok(command)
}

/// Static, without the paths of the machine it was built on, and with the line tables that a
/// panic's backtrace needs compressed: the standard library's are larger than all our code.
fn flags(arch: Arch) -> Result<String, String> {
    let mut flags = String::from("-Ctarget-feature=+crt-static");
    flags += " -Clink-arg=-Wl,--compress-debug-sections=zlib";
    // Relative relocations as a bitmap, which glibc 2.36 applies: a megabyte less. Binutils know it on x86-64 only.
    if arch == Arch::X86_64 {
        flags += " -Clink-arg=-Wl,-z,pack-relative-relocs";
        // Functions are called directly: on x86-64 full RELRO has the compiler call them by a table of addresses, which a static
        // program does not need. The linker still gives it.
        flags += " -Crelro-level=partial -Clink-arg=-Wl,-z,now";
        flags += &folding()?;
    }
    let homes = [std::env::var_os("CARGO_HOME"), std::env::var_os("HOME")];
    let home = match homes {
        [Some(home), _] => Some(PathBuf::from(home)),
        [None, Some(home)] => Some(Path::new(&home).join(".cargo")),
        [None, None] => None,
    };
    for (path, name) in [(home, "cargo"), (Some(root()), ".")] {
        if let Some(path) = path {
            flags += &format!(" --remap-path-prefix={}={name}", path.display());
        }
    }
    Ok(flags)
}

/// Functions of the same machine code are linked once, which only the linker that comes with most Rust toolchains does: half a
/// megabyte. Another linker makes a larger program.
fn folding() -> Result<String, String> {
    let linker = Arch::X86_64.libraries()?.with_file_name("bin/gcc-ld");
    Ok(match linker.join("ld.lld").is_file() {
        true => {
            let found = format!("-Clink-arg=-B{} -Clink-arg=-fuse-ld=lld", linker.display());
            format!(" {found} -Clink-arg=-Wl,--icf=all")
        }
        false => String::new(),
    })
}
