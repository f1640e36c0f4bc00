//! A kernel: its work, a plain reference, and the variants that must agree with it.
use crate::{features::Features, line::Line};

/// The code: works on the memory for this many steps and gives a checksum.
///
/// One step of a memory kernel is one pass over the slice; one step of a compute kernel is one unrolled block.
pub type Run = fn(&mut [Line], u64) -> u64;

/// The work of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work {
    /// Equal parts of whole lines that the slice is cut into, the remainder unused; part 0 is written. Compute kernels use
    /// none.
    pub arrays: usize,
    /// Parts read per pass.
    pub reads: u64,
    /// Parts written per pass.
    pub writes: u64,
    /// Floating-point operations: per 8-byte element of a part for memory kernels, per step for compute kernels.
    pub flops: u64,
    /// Operations of the kind the kernel is named after, per step of a compute kernel.
    pub ops: u64,
    /// All instructions per step of a compute kernel, loop included, as on x86-64 and aarch64 where the loop is written
    /// in assembly; a variant for which it is 0 leaves the loop to the compiler, see [`Work::exact_instructions`].
    pub instructions: u64,
}

impl Work {
    pub(crate) const fn memory(arrays: usize, reads: u64, writes: u64, flops: u64) -> Work {
        Work { arrays, reads, writes, flops, ops: 0, instructions: 0 }
    }

    pub(crate) const fn compute(ops: u64, flops: u64, instructions: u64) -> Work {
        Work { arrays: 0, reads: 0, writes: 0, flops, ops, instructions }
    }

    /// The same work in a loop that the compiler generates.
    pub(crate) const fn compiled(self) -> Work {
        Work { instructions: 0, ..self }
    }

    /// Bytes read and written in one pass over a slice of this size, without write-allocate and remainder.
    pub fn bytes_per_pass(&self, slice_bytes: usize) -> u64 {
        if self.arrays == 0 {
            return 0;
        }
        let part = slice_bytes / Line::BYTES / self.arrays * Line::BYTES;
        part as u64 * (self.reads + self.writes)
    }

    /// Instructions per step of an assembly loop; `None` where the compiler generates the loop.
    pub fn exact_instructions(&self) -> Option<u64> {
        (self.instructions != 0).then_some(self.instructions)
    }
}

/// A kernel with all its variants.
#[derive(Debug)]
pub struct Kernel {
    /// A description in Markdown.
    pub about: &'static str,
    /// The work of a step, unless the variant differs.
    pub work: Work,
    /// Plain Rust, for tests only: every variant must leave the same memory and give the same result.
    pub reference: Run,
    /// The first is portable and always available.
    pub variants: &'static [Variant],
}

/// One implementation of a kernel.
#[derive(Debug)]
pub struct Variant {
    /// Its name, after the instructions that it uses.
    pub name: &'static str,
    /// The code, if this machine can run it.
    pub get: fn(&Features) -> Option<Run>,
    /// Its work, where it differs from the kernel's.
    pub work: Option<Work>,
}

impl Variant {
    pub(crate) const fn new(name: &'static str, get: fn(&Features) -> Option<Run>) -> Variant {
        Variant { name, get, work: None }
    }

    pub(crate) const fn with(self, work: Work) -> Variant {
        Variant { work: Some(work), ..self }
    }
}

/// A kernel's variants: the portable one, then each architecture's, by the names of their functions, with the feature
/// that a processor must have for it: `variants![word; x86_64: sse2, avx2 if avx2; aarch64: neon if neon]`. The portable
/// one may have a name of its own (`plain = word`) and work of its own (`portable with WORK.compiled()`).
macro_rules! variants {
    (@portable $name:ident) => { variants!(@portable $name = $name) };
    (@portable $name:ident = $run:ident) => { $crate::Variant::new(stringify!($name), |_| Some($run)) };
    (@get $run:ident) => { |_| Some($run) };
    (@get $run:ident $feature:ident) => { |features| features.$feature($run) };
    (
        $name:ident $(= $run:ident)? $(with $work:expr)?
        $(; x86_64: $($x86:ident $(if $x86_has:ident)?),+)?
        $(; aarch64: $($arm:ident $(if $arm_has:ident)?),+)?
    ) => {
        &[
            variants!(@portable $name $(= $run)?)$(.with($work))?,
            $($(
                #[cfg(all(target_arch = "x86_64", not(miri)))]
                $crate::Variant::new(stringify!($x86), variants!(@get $x86 $($x86_has)?)),
            )+)?
            $($(
                #[cfg(all(target_arch = "aarch64", not(miri)))]
                $crate::Variant::new(stringify!($arm), variants!(@get $arm $($arm_has)?)),
            )+)?
        ]
    };
}

/// The portable variant: the `arithmetic` of the module, of which the compiler may simplify nothing.
macro_rules! portable {
    () => {
        #[inline(never)]
        fn portable(_memory: &mut [Line], steps: u64) -> u64 {
            arithmetic(steps, arch::opaque)
        }
    };
}

/// A list of kernels and their ids, which are the names of their modules.
macro_rules! kernels {
    ($($name:ident),+ $(,)?) => { &[$((stringify!($name), &$name::KERNEL)),+] };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_the_program_asked_for() {
        let triad = Work::memory(3, 2, 1, 2);
        assert_eq!(triad.bytes_per_pass(10 * 64), 3 * 3 * 64);
        assert_eq!(triad.bytes_per_pass(2 * 64), 0);
        assert_eq!(Work::memory(1, 1, 0, 0).bytes_per_pass(100), 64);
        assert_eq!(Work::compute(64, 0, 66).bytes_per_pass(1 << 20), 0);
    }
}
