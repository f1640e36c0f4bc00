//! The instructions by which a program tells the core that it waits: `pause` on x86-64, `yield` and `isb` on aarch64.
//!
//! Sixteen of one kind in a row, each waiting for nothing but the core. `isb` is no hint, but what spin loops on aarch64 use
//! for one, the standard library's too, since `yield` does nothing on most cores. `wfe` sleeps until another core acts and
//! has no cost of its own. Where no such instruction is known, the standard library's hint stands in.
/// Hints in one step.
pub const PER_STEP: u64 = 16;

/// One way of telling.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// The instruction, as the architecture's manual calls it.
    pub name: &'static str,
    /// Gives it [`PER_STEP`] times in each of so many steps; returns how many it gave.
    pub run: fn(u64) -> u64,
}

/// Defines a loop of one instruction, sixteen times a step. Registers only.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
macro_rules! hint {
    ($name:ident, $insn:literal) => {
        #[inline(never)]
        fn $name(steps: u64) -> u64 {
            block!(steps, [".rept 16", $insn, ".endr"],);
            PER_STEP * steps
        }
    };
}

#[cfg(all(target_arch = "x86_64", not(miri)))]
hint!(spin_pause, "pause");
#[cfg(all(target_arch = "aarch64", not(miri)))]
hint!(spin_yield, "yield");
#[cfg(all(target_arch = "aarch64", not(miri)))]
hint!(spin_isb, "isb");

/// The hints of this architecture.
pub static HINTS: &[Hint] = &[
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    Hint { name: "pause", run: spin_pause },
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    Hint { name: "yield", run: spin_yield },
    #[cfg(all(target_arch = "aarch64", not(miri)))]
    Hint { name: "isb", run: spin_isb },
    #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
    Hint { name: "spin_loop", run: spin_std },
];

/// The standard library's hint; the compiler writes the loop.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn spin_std(steps: u64) -> u64 {
    (0..PER_STEP * steps).for_each(|_| std::hint::spin_loop());
    PER_STEP * steps
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hint_is_given_as_often_as_asked() {
        assert!(!HINTS.is_empty());
        for hint in HINTS {
            assert!(!hint.name.is_empty());
            for steps in [0, 1, 7, 100] {
                assert_eq!((hint.run)(steps), 16 * steps, "{}", hint.name);
            }
        }
    }
}
