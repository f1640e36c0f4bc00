//! Spin hints: `pause` on x86-64, `yield` and `isb` on aarch64.
//!
//! Sixteen of one kind in a row. `isb` is a barrier, but spin loops on aarch64 use it as a hint, as in the standard library,
//! since `yield` does nothing on most cores. `wfe` sleeps until another core acts, so it has no cost of its own. Elsewhere
//! the standard library's hint is used.
/// Hints in one step.
pub const PER_STEP: u64 = 16;

/// A spin hint.
#[derive(Clone, Copy, Debug)]
pub struct Hint {
    /// The instruction's name in the architecture's manual.
    pub name: &'static str,
    /// Executes it [`PER_STEP`] times per step; gives how many were executed.
    pub run: fn(u64) -> u64,
}

/// Defines a loop of one instruction of this architecture, sixteen times a step. Registers only.
macro_rules! hint {
    ($arch:literal, $name:ident, $insn:literal) => {
        #[cfg(all(target_arch = $arch, not(miri)))]
        #[inline(never)]
        fn $name(steps: u64) -> u64 {
            block!(steps, [".rept 16", $insn, ".endr"],);
            PER_STEP * steps
        }
    };
}

hint!("x86_64", spin_pause, "pause");
hint!("aarch64", spin_yield, "yield");
hint!("aarch64", spin_isb, "isb");

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

/// The standard library's hint; the compiler generates the loop.
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
