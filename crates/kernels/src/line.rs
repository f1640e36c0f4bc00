//! The unit of memory kernels work on: one 64-byte line, whatever the machine's own line size is.

/// 64 bytes, aligned to 64 bytes.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line(pub [u64; 8]);

impl Line {
    /// Size of a line in bytes.
    pub const BYTES: usize = size_of::<Line>();
    /// A line of zero words.
    pub const ZERO: Line = Line([0; 8]);
}
