//! Small C programs that are built with this crate and carried in it: what UnixBench's tests run as processes of their own.
//! They are as small and as dynamically linked as UnixBench's, because starting and copying such a process is what some of
//! its tests measure. Sources: `programs/` of this crate; how they are built: its build script.

/// One program in both forms. A form is empty where the build had no compiler for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Program {
    /// Its name.
    pub name: &'static str,
    /// Linked with the machine's glibc, as UnixBench's programs are.
    pub dynamic: &'static [u8],
    /// The other form, deflated (RFC 1951).
    deflated: &'static [u8],
}

impl Program {
    /// With glibc inside, for machines that have none: starting it is much cheaper.
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

/// The C compiler that built them, as it states itself; empty where there was none.
pub const COMPILER: &str = env!("KERNELS_C_COMPILER");
