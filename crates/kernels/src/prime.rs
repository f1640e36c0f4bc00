//! sysbench's search for primes by trial division: a test of the core's 64-bit divider.
//!
//! An event divides every number `c` in `3..limit` by 2, 3, 4, ... up to its square root until a remainder is 0; without one it
//! counts as prime. Numbers are unsigned with 64 bits; the root is a double, and every divisor is compared with it as one.
//! Division by two is a test of the lowest bit, as compilers make it: an even number costs its root, which is compared with 2
//! first, and no division. Own code after that description. The inner loop is assembly, since some compilers put a test for
//! 32-bit operands before a 64-bit division.

/// The first divisor.
const FIRST: u64 = 3;

/// One event: how many numbers from 3 to below `limit` are prime.
#[inline(never)]
pub fn primes(limit: u64) -> u64 {
    let mut found = 0;
    for c in 3..limit {
        let root = (c as i64 as f64).sqrt();
        let prime = root < 2.0 || (c & 1 == 1 && undivided(c, root));
        found += u64::from(prime);
    }
    found
}

/// Divisions that [`primes`] carries out, by the same rule.
pub fn divisions(limit: u64) -> u64 {
    let of = |c: u64| {
        let mut divisor = FIRST;
        let mut count = 0;
        while divisor * divisor <= c {
            count += 1;
            if c.is_multiple_of(divisor) {
                break;
            }
            divisor += 1;
        }
        count
    };
    (3..limit).filter(|c| c & 1 == 1).map(of).sum()
}

/// Whether no number from 3 to `root` divides `c`.
#[cfg(all(target_arch = "x86_64", not(miri)))]
#[inline(always)]
fn undivided(c: u64, root: f64) -> bool {
    let mut divisor = FIRST - 1;
    // SAFETY: registers only; the divisor is at least 3 and the dividend's high half 0, so that no division traps. Orders
    // nothing. `nomem`: it touches no memory. No `pure`: it is timed. No `preserves_flags`: it compares.
    unsafe {
        std::arch::asm!(
            "2:",
            "add {l}, 1",
            "pxor {x}, {x}",
            "cvtsi2sd {x}, {l}",
            "comisd {t}, {x}",
            "jb 3f",
            "mov rax, {c}",
            "xor edx, edx",
            "div {l}",
            "test rdx, rdx",
            "jne 2b",
            "3:",
            c = in(reg) c,
            t = in(xmm_reg) root,
            x = out(xmm_reg) _,
            l = inout(reg) divisor,
            out("rax") _,
            out("rdx") _,
            options(nomem, nostack)
        );
    }
    divisor as i64 as f64 > root
}

/// Whether no number from 3 to `root` divides `c`.
#[cfg(all(target_arch = "aarch64", not(miri)))]
#[inline(always)]
fn undivided(c: u64, root: f64) -> bool {
    let mut divisor = FIRST - 1;
    // SAFETY: registers only. Orders nothing. `nomem`: it touches no memory. No `pure`: it is timed. No
    // `preserves_flags`: it compares.
    unsafe {
        std::arch::asm!(
            "2:",
            "add {l}, {l}, #1",
            "ucvtf {x:d}, {l}",
            "fcmp {t:d}, {x:d}",
            "b.mi 3f",
            "udiv {q}, {c}, {l}",
            "msub {q}, {q}, {l}, {c}",
            "cbnz {q}, 2b",
            "3:",
            c = in(reg) c,
            t = in(vreg) root,
            x = out(vreg) _,
            l = inout(reg) divisor,
            q = out(reg) _,
            options(nomem, nostack)
        );
    }
    divisor as i64 as f64 > root
}

/// Whether no number from 3 to `root` divides `c`. The compiler writes the loop.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
fn undivided(c: u64, root: f64) -> bool {
    let numbers = (FIRST..).take_while(|divisor| *divisor as i64 as f64 <= root);
    numbers.into_iter().all(|divisor| !crate::arch::opaque(c).is_multiple_of(divisor))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same by a sieve.
    fn sieved(limit: usize) -> u64 {
        let mut prime = vec![true; limit];
        for i in 2..limit {
            if prime[i] {
                (i * i..limit).step_by(i).for_each(|j| prime[j] = false);
            }
        }
        (3..limit).filter(|i| prime[*i]).count() as u64
    }

    #[test]
    fn the_primes_are_those_of_a_sieve() {
        for limit in [0, 3, 4, 5, 8, 9, 10, 11, 25, 26, 27, 1000, 2500] {
            assert_eq!(primes(limit), sieved(limit as usize), "below {limit}");
        }
        // The prime counting function at 10,000 is 1229; sysbench does not look at 2.
        assert_eq!(primes(10_000), 1228);
    }

    /// By hand: 9 by 3; 11 and 13 by 3; 15 by 3; 17, 19 and 23 by 3 and 4; 21 by 3; 25 by 3, 4 and 5.
    #[test]
    fn divisions_are_counted_as_they_are_carried_out() {
        assert_eq!(divisions(9), 0);
        assert_eq!(divisions(10), 1);
        assert_eq!(divisions(16), 4);
        assert_eq!(divisions(26), 4 + 3 * 2 + 1 + 3);
        assert!(divisions(50_000) > 10 * divisions(10_000) / 2);
    }
}
