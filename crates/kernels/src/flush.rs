//! Flushing one line from all caches and loading it again: the cost of cache flushes.
//!
//! No loop is a memory latency. `flush_reload` is flush and load, ordered only by the address; `flush_fence_reload` waits for
//! each; `flush_fence` is the latter without the load. An architecture without a flush in user mode has no loops.
use crate::line::Line;

/// A loop over one line with this number of turns; gives the number of turns made.
pub type Loop = fn(&Line, u64) -> u64;

/// The loops, and the instruction that flushes.
#[derive(Debug, Clone, Copy)]
pub struct Loops {
    /// The instruction's name in the architecture's manual.
    pub instruction: &'static str,
    /// Flush, load.
    pub reload: Loop,
    /// Flush, fence, load, and wait for it.
    pub fenced: Loop,
    /// Flush, fence.
    pub flush: Loop,
}

/// The loops of this architecture.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
pub fn loops() -> Option<Loops> {
    let instruction = if cfg!(target_arch = "x86_64") { "clflush" } else { "dc civac" };
    Some(Loops {
        instruction,
        reload: flush_reload,
        fenced: flush_fence_reload,
        flush: flush_fence,
    })
}

/// No loops: this architecture has no known flush in user mode.
#[cfg(not(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri))))]
pub fn loops() -> Option<Loops> {
    None
}

/// Defines a function of this architecture whose loop is these instructions: `p` is the line's address, `v` a register for
/// the loaded value, `n` the turns left.
macro_rules! turns {
    ($(#[$about:meta])* $arch:literal $name:ident, $($line:literal),+) => {
        $(#[$about])*
        #[cfg(all(target_arch = $arch, not(miri)))]
        #[inline(never)]
        pub fn $name(line: &Line, turns: u64) -> u64 {
            if turns == 0 {
                return 0;
            }
            // SAFETY: reads the line, which is borrowed, and writes it back to memory as it is; `turns` is at least 1, as
            // checked above, and counted down to 0. No `nomem`: it reads, and orders memory. No `preserves_flags`: the
            // loop counts in them.
            unsafe {
                std::arch::asm!(
                    "2:",
                    $($line,)+
                    p = in(reg) line.0.as_ptr(),
                    n = inout(reg) turns => _,
                    v = out(reg) _,
                    options(nostack)
                );
            }
            turns
        }
    };
}

turns!(
    /// Flush and load, ordered only by the address.
    "x86_64" flush_reload,
    "clflush byte ptr [{p}]",
    "mov {v}, qword ptr [{p}]",
    "dec {n}",
    "jnz 2b"
);
turns!(
    /// `mfence` holds the load back until the flush is done (Intel SDM on CLFLUSH), `lfence` the next flush until the load
    /// is.
    "x86_64" flush_fence_reload,
    "clflush byte ptr [{p}]",
    "mfence",
    "mov {v}, qword ptr [{p}]",
    "lfence",
    "dec {n}",
    "jnz 2b"
);
turns!(
    /// The flush alone, of a line that no cache has after the first turn. `{v}` only names the register.
    "x86_64" flush_fence,
    "clflush byte ptr [{p}]",
    "mfence",
    "dec {n} /* {v} */",
    "jnz 2b"
);

turns!(
    /// Flush and load, ordered only by the address.
    "aarch64" flush_reload,
    "dc civac, {p}",
    "ldr {v}, [{p}]",
    "subs {n}, {n}, #1",
    "b.ne 2b"
);
turns!(
    /// `dsb sy` waits for the flush (Arm ARM on cache maintenance), and then for the load.
    "aarch64" flush_fence_reload,
    "dc civac, {p}",
    "dsb sy",
    "ldr {v}, [{p}]",
    "dsb ld",
    "subs {n}, {n}, #1",
    "b.ne 2b"
);
turns!(
    /// The flush alone, of a line that no cache has after the first turn. `{v}` only names the register.
    "aarch64" flush_fence,
    "dc civac, {p}",
    "dsb sy",
    "subs {n}, {n}, #1 /* {v} */",
    "b.ne 2b"
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flushed_line_holds_what_it_held_and_every_turn_is_made() {
        let Some(loops) = loops() else { return };
        assert!(!loops.instruction.is_empty());
        let mut lines = [Line([0x0123_4567_89ab_cdef; 8]); 3];
        lines[1].0[3] = 7;
        let before = lines;
        for code in [loops.reload, loops.fenced, loops.flush] {
            for turns in [0, 1, 2, 1000] {
                assert_eq!(code(&lines[1], turns), turns);
            }
        }
        assert_eq!(lines, before);
    }

    /// Stored data that is still in a cache must reach memory, not be lost with the line.
    #[test]
    fn a_flush_writes_back_what_was_stored() {
        let Some(loops) = loops() else { return };
        let mut line = Line::ZERO;
        for value in 1..100 {
            line.0[0] = value;
            (loops.flush)(std::hint::black_box(&line), 1);
            assert_eq!(std::hint::black_box(&line).0[0], value);
        }
    }

    #[test]
    fn an_architecture_without_a_flush_has_no_loops() {
        let known = cfg!(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)));
        assert_eq!(loops().is_some(), known);
    }
}
