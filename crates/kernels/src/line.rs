//! The unit of memory of kernels: 64 bytes, independent of the machine's line size.

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
