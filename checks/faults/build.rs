//! The program that is tested: that of `cargo xtask dist`, in the variable in which cargo's own tests find theirs.

fn main() {
    let folder = std::env::var("CARGO_MANIFEST_DIR").unwrap_or_default();
    let arch = std::env::var("CARGO_CFG_TARGET_ARCH").unwrap_or_default();
    println!("cargo::rustc-env=CARGO_BIN_EXE_cpulens={folder}/../../dist/cpulens-{arch}");
    println!("cargo::rerun-if-changed=build.rs");
}
