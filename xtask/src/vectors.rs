//! The contract of the kernels on emulated Arm processors that differ in what their vectors are.
//! Code that does not know how long a vector is must be right at every length, and must not be offered without any.
use crate::{audit::executable, test::aarch64_tests_of};
use xtask::{
    children::{child, output},
    tree::root,
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

/// The kernels' own tests and their contract, as the stage of all aarch64 tests has built them, on each.
pub(crate) fn chore() -> Result<(), String> {
    let mut build = aarch64_tests_of(&["--lib", "--test", "contract"])?;
    let messages = output(build.args(["--no-run", "--message-format=json"]))?;
    for (processor, what) in PROCESSORS {
        for name in ["kernels", "contract"] {
            let program = executable(&messages, name).ok_or(format!("cargo built no {name}"))?;
            let mut run = child("qemu-aarch64-static");
            run.arg(program).env("QEMU_CPU", processor).current_dir(root().join("crates/kernels"));
            output(&mut run).map_err(|e| format!("{processor} ({what}): {e}"))?;
        }
        println!("{processor}: {what}");
    }
    Ok(())
}
