//! The contract of the kernels on emulated Arm processors that differ in what their vectors are.
//! Code that does not know how long a vector is must be right at every length, and must not be offered without any.
use xtask::{
    children::output,
    dist::{self, Arch},
};

/// What QEMU is asked for, and what is special about it. Its user mode starts programs with vectors of 64 bytes unless
/// configured otherwise.
const PROCESSORS: &[(&str, &str)] = &[
    ("cortex-a72", "neither scalable vectors nor casal"),
    ("max,sve-max-vq=1", "vectors of 16 bytes, the shortest: four are a line"),
    ("max,sve-max-vq=2", "vectors of 32 bytes"),
    ("max,sve384=on,sve-default-vector-length=48", "vectors of 48 bytes, no power of two"),
    ("max,sve-default-vector-length=256", "vectors of 256 bytes, the longest: four lines are one"),
];

/// Runs the contract on each.
pub(crate) fn chore() -> Result<(), String> {
    for (processor, what) in PROCESSORS {
        let mut command = dist::cargo_for(Arch::Aarch64)?;
        command.args(["test", "--quiet", "--locked", "--package", "kernels"]);
        command.args(["--lib", "--test", "contract", "--target", Arch::Aarch64.triple()]);
        // As the stage of all aarch64 tests builds them.
        command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "2").env("QEMU_CPU", processor);
        output(&mut command).map_err(|e| format!("{processor} ({what}): {e}"))?;
        println!("{processor}: {what}");
    }
    Ok(())
}
