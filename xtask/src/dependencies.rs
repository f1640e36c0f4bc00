//! `cargo xtask dependencies`: what may enter the program, by `deny.toml`.
use xtask::{
    children::{child, run},
    setup::cargo_deny,
};

pub(crate) fn chore() -> Result<(), String> {
    let mut check = child(cargo_deny()?);
    check.current_dir(xtask::tree::root());
    check.args(["--locked", "check", "--hide-inclusion-graph", "bans", "licenses", "sources"]);
    run(&mut check)
}
