//! Small C programs, built with this crate and embedded: the processes of UnixBench's tests. They are dynamically linked and
//! as small as UnixBench's, because some tests measure exec and fork of such a process. Sources: `programs/` of this crate,
//! built by its build script.

/// A program, dynamic and static. Empty where the build had no compiler for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Linked with the machine's glibc, as UnixBench's programs are.
    pub dynamic: &'static [u8],
    /// The static program, deflated (RFC 1951).
    deflated: &'static [u8],
}

impl Program {
    /// The static program, for machines without glibc. Starting it is much cheaper.
    pub fn fixed(&self) -> Vec<u8> {
        miniz_oxide::inflate::decompress_to_vec(self.deflated).unwrap_or_default()
    }
}

/// Execl, spawn, pipe, context switches, system calls, scripts and file copy.
pub static SYSTEM: Program = Program {
    name: "system",
    dynamic: include_bytes!(concat!(env!("OUT_DIR"), "/system-dynamic")),
    deflated: include_bytes!(concat!(env!("OUT_DIR"), "/system-static.deflated")),
};

/// Dhrystone and Whetstone.
pub static COMPUTE: Program = Program {
    name: "compute",
    dynamic: include_bytes!(concat!(env!("OUT_DIR"), "/compute-dynamic")),
    deflated: include_bytes!(concat!(env!("OUT_DIR"), "/compute-static.deflated")),
};

/// Version line of the C compiler that built them; empty if there was none.
pub const COMPILER: &str = env!("KERNELS_C_COMPILER");
