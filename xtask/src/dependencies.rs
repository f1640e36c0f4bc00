//! `cargo xtask dependencies`: what may enter the program, by `deny.toml`. cargo-deny is built without optimisation: two
//! minutes of CPU, once.
use xtask::{
    children::{cargo, child, run},
    setup::cargo_deny,
};

pub(crate) fn chore() -> Result<(), String> {
    let deny = cargo_deny()?;
    for manifest in ["Cargo.toml", "checks/Cargo.toml"] {
        let mut check = child(&deny);
        check.current_dir(xtask::tree::root()).env("CARGO", cargo().get_program());
        check.args(["--manifest-path", manifest, "--locked", "check", "--hide-inclusion-graph"]);
        run(check.args(["bans", "licenses", "sources"]))?;
    }
    Ok(())
}
