//! The commit, compiler and target of this build, for records; unknown where the tree is no checkout. The pages of
//! `explain` are deflated to a third.
use std::{env, error::Error, fs, path::PathBuf, process::Command};

/// Pages in `docs`.
const PAGES: [&str; 6] = ["probes", "zh/probes", "rules", "zh/rules", "kernels", "importers"];

fn main() -> Result<(), Box<dyn Error>> {
    let first_line = |program: &str, args: &[&str]| {
        let output =
            Command::new(program).args(args).output().ok().filter(|o| o.status.success())?;
        Some(String::from_utf8(output.stdout).ok()?.lines().next()?.to_owned())
    };
    let rustc = env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let compiler = first_line(&rustc, &["--version"]);
    let commit = first_line("git", &["rev-parse", "--short=12", "HEAD"]);
    for (name, value) in
        [("COMPILER", compiler), ("COMMIT", commit), ("TARGET", env::var("TARGET").ok())]
    {
        println!("cargo::rustc-env=CPULENS_{name}={}", value.unwrap_or_default());
    }
    // HEAD moves with every commit; a checkout's .git may be a file, which cargo watches as well.
    println!("cargo::rerun-if-changed=../../.git/HEAD");
    println!("cargo::rerun-if-changed=../../.git/refs/heads");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for name in PAGES {
        let page = format!("../../docs/{name}.md");
        println!("cargo::rerun-if-changed={page}");
        let deflated = miniz_oxide::deflate::compress_to_vec(&fs::read(page)?, 9);
        fs::write(out.join(name.replace('/', "-")).with_extension("deflated"), deflated)?;
    }
    Ok(())
}
