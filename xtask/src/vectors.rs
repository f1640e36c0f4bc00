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
    ("max,sme=off,sve-max-vq=1", "vectors of 16 bytes, the shortest: four are a line"),
    ("max,sme=off,sve-max-vq=2", "vectors of 32 bytes"),
    ("max,sme=off,sve384=on,sve-default-vector-length=48", "vectors of 48 bytes, no power of two"),
    (
        "max,sme=off,sve-default-vector-length=256",
        "vectors of 256 bytes, the longest: four lines are one",
    ),
];
/// Those of streaming vectors, which only a QEMU that computes with them can show; see [`xtask::dist::EMULATED`].
const STREAMING: &[(&str, &str)] = &[
    ("max,sme-default-vector-length=16", "streaming vectors of 16 bytes, the shortest"),
    ("max,sme-default-vector-length=64", "streaming vectors of 64 bytes"),
    ("max,sme-default-vector-length=256", "streaming vectors of 256 bytes, the longest"),
];
/// The first QEMU whose outer products are right.
const STREAMS: u32 = 9;

/// The kernels' own tests and their contract, as the stage of all aarch64 tests has built them, on each.
pub(crate) fn chore() -> Result<(), String> {
    let mut build = aarch64_tests_of(&["--lib", "--test", "contract"])?;
    let messages = output(build.args(["--no-run", "--message-format=json"]))?;
    let version = output(child("qemu-aarch64-static").arg("--version"))?;
    let number = version.split("version ").nth(1).and_then(|rest| rest.split('.').next());
    let streams = number.and_then(|n| n.parse().ok()).is_some_and(|n: u32| n >= STREAMS);
    if !streams {
        println!("no streaming vectors: QEMU is older than {STREAMS}");
    }
    let streaming = if streams { STREAMING } else { &[] };
    for (processor, what) in PROCESSORS.iter().chain(streaming) {
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
