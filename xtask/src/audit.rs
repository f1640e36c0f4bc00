//! The counter audit, where it can be had on any host: on an emulated machine that counts its instructions exactly.
//! It compares what every kernel states it executes with what the processor counted.
use xtask::{
    children::output,
    dist::{self, Arch},
};

/// Boots the machine with the audit as its program, and all of the audit, which fails if it compares nothing.
pub(crate) fn chore() -> Result<(), String> {
    // With the crate whose test of timed regions has all features of the program: what both need is built already.
    let program = test_program(Arch::Aarch64, &["host", "probes"], "counter_audit")?;
    let audit = ["--include-ignored", "--nocapture", "--test-threads=1"];
    crate::checks::lab(&[&["arm-pmu", "--program", &program, "--"], &audit[..]].concat())
}

/// A test of these packages as a static program, of kernels as they are shipped: what the program that we ship was made of is not
/// built twice.
pub(crate) fn test_program(arch: Arch, packages: &[&str], name: &str) -> Result<String, String> {
    let mut command = dist::cargo_for(arch)?;
    command.args(["test", "--quiet", "--release", "--locked", "--no-run", "--test", name]);
    command.args(packages.iter().flat_map(|package| ["--package", package]));
    command.args(["--target", arch.triple()]).args(dist::FEATURES);
    let messages = output(command.arg("--message-format=json"))?;
    executable(&messages, name).ok_or(format!("cargo built no {name}"))
}

/// A program among the messages of cargo, which chooses the file's name.
pub(crate) fn executable(messages: &str, name: &str) -> Option<String> {
    messages
        .lines()
        .filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok())
        .filter(|message| message["target"]["name"] == name)
        .find_map(|message| message["executable"].as_str().map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_is_found_among_the_messages() {
        let messages = r#"{"reason":"compiler-artifact","target":{"name":"host"},"executable":null}
{"reason":"compiler-artifact","target":{"name":"counter_audit"},"executable":"/t/counter_audit-1"}
{"reason":"build-finished","success":true}"#;
        assert_eq!(executable(messages, "counter_audit").as_deref(), Some("/t/counter_audit-1"));
        assert_eq!(executable("not JSON\n{}", "counter_audit"), None);
    }
}
