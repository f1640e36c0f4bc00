//! Hashes the sources of this crate, so that a record says which machine code made its numbers, and builds the small C
//! programs that UnixBench's tests run: dynamically linked, as those of UnixBench are, and static ones for machines
//! without glibc. The compiler is the linker's driver, which every Rust installation needs; without one that works the
//! programs are empty, and the probes say so.
use sha2::{Digest, Sha256};
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::Command,
};

/// Name, sources, and libraries.
const PROGRAMS: [(&str, &[&str], &[&str]); 2] = [
    ("system", &["system"], &[]),
    ("compute", &["compute", "dhrystone_main", "dhrystone_rest", "whetstone"], &["-lm"]),
];

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=src");
    println!("cargo::rerun-if-changed=programs");
    let mut files = Vec::new();
    collect(Path::new("src"), &mut files)?;
    collect(Path::new("programs"), &mut files)?;
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        // Name and length keep two files from trading text across their border.
        let text = fs::read(&file)?;
        hash.update(file.to_string_lossy().as_bytes());
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    let digits: String = hash.finalize().iter().take(8).map(|b| format!("{b:02x}")).collect();
    println!("cargo::rustc-env=KERNELS_SOURCE_HASH={digits}");
    programs()
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

/// Builds every program in both ways, and says which compiler did.
fn programs() -> io::Result<()> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or(io::ErrorKind::NotFound)?);
    let compiler = compiler();
    let version = Command::new(&compiler).arg("--version").output().ok();
    let version = version.filter(|o| o.status.success());
    let version = version.map(|o| String::from_utf8_lossy(&o.stdout).into_owned());
    let version = version.as_deref().and_then(|text| text.lines().next()).unwrap_or_default();
    println!("cargo::rustc-env=KERNELS_C_COMPILER={version}");
    for (name, sources, libraries) in PROGRAMS {
        for (kind, flags) in [
            // Its own start, for the oldest glibc; see programs/program.c.
            ("dynamic", &["-DOWN_START", "-nostartfiles", "-fPIE", "-pie"][..]),
            ("static", &["-static", "-no-pie"]),
        ] {
            let file = out.join(format!("{name}-{kind}"));
            let built = build(&compiler, sources, libraries, flags, &out, &file);
            if let Err(why) = built {
                println!("cargo::warning=no {kind} program `{name}` for UnixBench's tests: {why}");
                fs::write(&file, b"")?;
            }
            // Two static programs would be a twelfth of ours.
            if kind == "static" {
                let deflated = miniz_oxide::deflate::compress_to_vec(&fs::read(&file)?, 9);
                fs::write(file.with_extension("deflated"), deflated)?;
            }
        }
    }
    Ok(())
}

/// The C compiler of the target: its linker driver.
fn compiler() -> String {
    let target = env::var("TARGET").unwrap_or_default();
    let architecture = target.split('-').next().unwrap_or_default();
    match env::var("RUSTC_LINKER") {
        Ok(linker) => linker,
        Err(_) if env::var("HOST").is_ok_and(|host| host == target) => "cc".into(),
        Err(_) => format!("{architecture}-linux-gnu-gcc"),
    }
}

/// Each source apart, and linked without LTO: a call from one file to another is a call.
fn build(
    compiler: &str,
    sources: &[&str],
    libraries: &[&str],
    flags: &[&str],
    out: &Path,
    file: &Path,
) -> Result<(), String> {
    // The flags of UnixBench's makefile, but for the architecture of the machine that builds.
    let common = ["-O3", "-ffast-math", "-std=gnu11", "-fno-lto", "-U_FORTIFY_SOURCE", "-Wall"];
    let mut objects = vec![];
    for source in ["program"].iter().chain(sources) {
        let object = out.join(format!("{source}.o"));
        let mut command = Command::new(compiler);
        command.args(common).args(flags.iter().filter(|f| **f != "-pie"));
        command.arg("-c").arg(format!("programs/{source}.c")).arg("-o").arg(&object);
        run(&mut command)?;
        objects.push(object);
    }
    let mut command = Command::new(compiler);
    command.args(flags).arg("-s").arg("-o").arg(file).args(&objects).args(libraries);
    command.args(["-Wl,--as-needed", "-Wl,-z,lazy"]);
    run(&mut command)
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command.output().map_err(|e| format!("{:?}: {e}", command.get_program()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{:?}: {}", command.get_program(), said.lines().next().unwrap_or("it failed")))
}
