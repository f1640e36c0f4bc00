//! A fixed piece of a core's work for programs and kernels alike: counting primes by trial division.
//!
//! The same machine code runs in user mode, in a kernel module and in a guest, so that differences in time are OS noise. One
//! assembly file per architecture (`quantum/`) holds the body of the function; here it is a function of this program, in
//! `kmod/` one of the module, and both can hash its bytes.
//! After the CPU test of github.com/snake0/irq_test: every number from 3 to 999,999, the root by digits, divisors from 2.

/// The first number of the source's test, which skips 2.
pub const FIRST: u64 = 3;
/// The end of the test, exclusive.
pub const LAST: u64 = 1_000_000;
/// Its result: the primes below a million except 2 (OEIS A006880: 78,498 with it).
pub const PRIMES: u64 = 78_497;

/// Name and text of this architecture's assembly file, for the kernel module; nothing where portable code replaces it.
pub const SOURCE: Option<(&str, &str)> = source();

#[cfg(target_arch = "x86_64")]
const fn source() -> Option<(&'static str, &'static str)> {
    Some(("x86_64.S", include_str!("quantum/x86_64.S")))
}
#[cfg(target_arch = "aarch64")]
const fn source() -> Option<(&'static str, &'static str)> {
    Some(("aarch64.S", include_str!("quantum/aarch64.S")))
}
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const fn source() -> Option<(&'static str, &'static str)> {
    None
}

/// Wraps the body into a function; the kernel module uses the kernel's macros for that (`kmod/entry.S`).
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
macro_rules! function {
    ($body:literal, $($option:ident),*) => {
        std::arch::global_asm!(
            ".pushsection .text.cpulens_quantum, \"ax\", %progbits",
            ".p2align 6",
            ".globl cpulens_quantum, cpulens_quantum_begin, cpulens_quantum_end",
            ".hidden cpulens_quantum, cpulens_quantum_begin, cpulens_quantum_end",
            ".type cpulens_quantum, %function",
            "cpulens_quantum:",
            include_str!($body),
            "ret",
            ".size cpulens_quantum, . - cpulens_quantum",
            ".popsection",
            options($($option),*)
        );
    };
}
#[cfg(all(target_arch = "x86_64", not(miri)))]
function!("quantum/x86_64.S", raw, att_syntax);
#[cfg(all(target_arch = "aarch64", not(miri)))]
function!("quantum/aarch64.S", raw);

#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
unsafe extern "C" {
    fn cpulens_quantum(first: u64, last: u64) -> u64;
    static cpulens_quantum_begin: u8;
    static cpulens_quantum_end: u8;
}

/// The number of primes in `first..last`, `first` at least 2.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
pub fn primes(first: u64, last: u64) -> u64 {
    // SAFETY: takes and returns integers by the C convention, and uses but registers that it lets a callee use; no
    // divisor is 0. It ends, since its numbers grow to `last`.
    unsafe { cpulens_quantum(first.max(2), last) }
}

/// The number of primes in `first..last`, `first` at least 2. The compiler generates the loop.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub fn primes(first: u64, last: u64) -> u64 {
    portable(first, last)
}

/// The kernel in Rust, where there is no assembly.
#[cfg(any(test, miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn portable(first: u64, last: u64) -> u64 {
    let root = |c: u64| {
        let (mut rest, mut root, mut bit) = (c, 0, 1u64 << 62);
        while bit > c {
            bit >>= 2;
        }
        while bit != 0 {
            let next = root + bit;
            root >>= 1;
            if rest >= next {
                rest -= next;
                root += bit;
            }
            bit >>= 2;
        }
        root
    };
    let undivided = |c: u64| !(2..=root(c)).any(|l| crate::arch::opaque(c).is_multiple_of(l));
    (first.max(2)..last).filter(|c| undivided(*c)).count() as u64
}

/// The machine code of [`primes`] without call and return; nothing where the compiler generates it.
#[cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), not(miri)))]
pub fn code() -> Option<&'static [u8]> {
    let begin = &raw const cpulens_quantum_begin;
    let bytes = (&raw const cpulens_quantum_end) as usize - begin as usize;
    // SAFETY: both labels are in one section of this program's text, which is mapped readable as long as it runs and is
    // never written; the second follows the first.
    Some(unsafe { std::slice::from_raw_parts(begin, bytes) })
}

/// The machine code of [`primes`] without call and return; nothing where the compiler generates it.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
pub fn code() -> Option<&'static [u8]> {
    None
}

/// The hash of [`code`], to compare user mode, kernel and guest.
pub fn hash() -> Option<u64> {
    code().map(fnv1a)
}

/// FNV-1a of 64 bits (Fowler, Noll, Vo; IETF draft-eastlake-fnv).
pub fn fnv1a(bytes: &[u8]) -> u64 {
    let mix = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_primes_below_a_million_are_those_of_the_source() {
        assert_eq!(primes(FIRST, LAST), PRIMES);
        assert_eq!(primes(2, LAST), PRIMES + 1);
    }

    /// 46,339 and 46,349 are primes, whose squares' neighbourhood tells a root that is off by one.
    #[test]
    fn assembly_counts_as_rust_does_wherever_it_begins_and_ends() {
        for (first, last) in [(0, 0), (0, 3), (2, 3), (3, 3), (9, 4), (2, 30), (24, 26), (48, 50)] {
            assert_eq!(primes(first, last), portable(first, last), "{first}..{last}");
        }
        for square in [9, 25, 121, 961, 994_009, 46_339 * 46_339, 46_349 * 46_349] {
            let around = (square - 2, square + 3);
            assert_eq!(primes(around.0, around.1), portable(around.0, around.1), "{square}");
        }
        let parts: u64 = (0..100).map(|n| primes(n * 100, (n + 1) * 100)).sum();
        assert_eq!(parts, 1229, "the primes below 10,000");
    }

    /// The draft's vectors.
    #[test]
    fn the_hash_is_the_one_that_everybody_means() {
        assert_eq!(fnv1a(b""), 0xcbf2_9ce4_8422_2325);
        assert_eq!(fnv1a(b"a"), 0xaf63_dc4c_8601_ec8c);
        assert_eq!(fnv1a(b"foobar"), 0x8594_4171_f739_67e8);
    }

    /// A change here is a change of what was measured: the probes that time it raise their version.
    #[test]
    fn the_machine_code_is_the_one_that_is_known() {
        let known = match std::env::consts::ARCH {
            _ if cfg!(miri) => None,
            "x86_64" => Some(0xd917_a9c3_fc5c_cc45),
            "aarch64" => Some(0x4563_ea91_0d1e_4b5c),
            _ => None,
        };
        assert_eq!(hash(), known);
        assert!(code().is_none_or(|code| code.len() > 100 && code.len() < 256));
    }
}
