//! System calls that a container's seccomp filter denies. The filter is set by perl, which then becomes the program.
use crate::sandbox::{PROGRAM, Ran, Sandbox, possible};

/// Operation not permitted: what container runtimes answer.
pub(crate) const EPERM: i32 = 1;
/// Errors of disks and network file systems: broken, read-only, without hard links, without locks, gone, out of quota.
pub(crate) const EIO: i32 = 5;
pub(crate) const EROFS: i32 = 30;
pub(crate) const EOPNOTSUPP: i32 = 95;
pub(crate) const ENOLCK: i32 = 37;
pub(crate) const ESTALE: i32 = 116;
pub(crate) const EDQUOT: i32 = 122;
/// Function not implemented: what older ones answer.
pub(crate) const ENOSYS: i32 = 38;

/// The number of prctl(2).
pub(crate) const PRCTL: u32 = if cfg!(target_arch = "x86_64") { 157 } else { 167 };

/// Its arguments: numbers of system calls, the error, and the command. `prctl` sets NO_NEW_PRIVS and the filter.
const FILTER: &str = r#"
my ($prctl, $numbers, $errno) = splice @ARGV, 0, 3;
my @numbers = split /,/, $numbers;
my $filter = pack("SCCL", 0x20, 0, 0, 0);
for (0 .. $#numbers) { $filter .= pack("SCCL", 0x15, @numbers - $_, 0, $numbers[$_]); }
$filter .= pack("SCCL", 0x06, 0, 0, 0x7fff0000) . pack("SCCL", 0x06, 0, 0, 0x00050000 | $errno);
my $program = pack("Sx6P", @numbers + 3, $filter);
syscall($prctl, 38, 1, 0, 0, 0) == 0 and syscall($prctl, 22, 2, $program, 0, 0) == 0 or exit 77;
exec { $ARGV[0] } @ARGV;
"#;

/// The numbers of a call and its variants; asm/unistd.h.
fn numbers(call: &str) -> &'static [u32] {
    let (x86, arm): (&[u32], &[u32]) = match call {
        "flock" => (&[73], &[32]),
        "fsync" => (&[74, 75], &[82, 83]),
        "link" => (&[86, 265], &[37]),
        "mkdir" => (&[83, 258], &[34]),
        "nanosleep" => (&[35, 230], &[101, 115]),
        "poll" => (&[7, 271], &[73]),
        "rename" => (&[82, 264, 316], &[38, 276]),
        "sched_setaffinity" => (&[203], &[122]),
        "sigaction" => (&[13], &[134]),
        _ => panic!("no number of {call}"),
    };
    if cfg!(target_arch = "x86_64") { x86 } else { arm }
}

/// Runs the program without these system calls; nothing where filters cannot be set.
pub(crate) fn without(sandbox: &Sandbox, calls: &[&str], error: i32, args: &[&str]) -> Option<Ran> {
    let denied: Vec<u32> = calls.iter().flat_map(|call| numbers(call)).copied().collect();
    without_numbers(sandbox, &denied, error, args)
}

/// The same for numbers of system calls.
pub(crate) fn without_numbers(
    sandbox: &Sandbox,
    denied: &[u32],
    error: i32,
    args: &[&str],
) -> Option<Ran> {
    let denied: Vec<String> = denied.iter().map(u32::to_string).collect();
    let mut command = sandbox.command("perl");
    command.args(["-e", FILTER, "--", &PRCTL.to_string(), &denied.join(",")]);
    let ran = Ran::of(command.arg(error.to_string()).arg(PROGRAM).args(args));
    possible("perl and seccomp are needed", ran.code != 77).then_some(ran)
}
