//! The loops of lmbench's `stream`: three arrays that change places before each call, one element per iteration.
//!
//! Own code after lmbench 3: scalar loads and stores of 8 bytes, arrays placed as by `malloc`. `add_sum` is the `add` of one
//! lineage: it adds up a single array, each addition waiting for the last. Source: L. McVoy, C. Staelin, lmbench; J. McCalpin, STREAM.
use crate::line::Line;

/// `malloc` maps whole pages for a large array, with its 16 bytes of header in front.
const PAGE: usize = 4096;
const FRONT: usize = 16;
/// The factor of `scale` and `triad`.
const SCALAR: f64 = 3.0;

/// A loop over the arrays.
#[derive(Clone, Copy, Debug)]
pub struct Loop {
    /// Its name.
    pub name: &'static str,
    /// Counted bytes per element, as by STREAM; three arrays for `add_sum`, which reads one.
    pub counted: u64,
    run: fn(Roles, usize) -> f64,
}

/// Every loop, in the order in which lmbench prints them; `add` is that of the lineage 3.0-a9.
pub static LOOPS: [Loop; 5] = [
    Loop { name: "copy", counted: 16, run: copy },
    Loop { name: "scale", counted: 16, run: scale },
    Loop { name: "add", counted: 24, run: add },
    Loop { name: "add_sum", counted: 24, run: add_sum },
    Loop { name: "triad", counted: 24, run: triad },
];

/// Addresses of the arrays `a`, `b`, `c` of a call. Only [`Arrays`] makes one, of memory that it borrows.
#[derive(Clone, Copy, Debug)]
struct Roles {
    a: *mut f64,
    b: *mut f64,
    c: *mut f64,
}

/// Three arrays in borrowed memory.
#[derive(Debug)]
pub struct Arrays<'a> {
    memory: &'a mut [Line],
    elements: usize,
    /// The arrays that are `a`, `b` and `c` in the next call.
    order: [usize; 3],
}

impl<'a> Arrays<'a> {
    /// Bytes of arrays with this many elements.
    pub fn bytes(elements: usize) -> usize {
        3 * Self::stride(elements)
    }

    fn stride(elements: usize) -> usize {
        (FRONT + elements * size_of::<f64>()).next_multiple_of(PAGE)
    }

    /// Arrays of this many elements with lmbench's contents, 1, 2 and 0; nothing if the memory is too small.
    pub fn new(memory: &'a mut [Line], elements: usize) -> Option<Arrays<'a>> {
        if elements == 0 || size_of_val(memory) < Self::bytes(elements) {
            return None;
        }
        let mut arrays = Arrays { memory, elements, order: [0, 1, 2] };
        for (array, value) in [1.0f64, 2.0, 0.0].into_iter().enumerate() {
            arrays.fill(array, value.to_bits());
        }
        Some(arrays)
    }

    /// Whole lines at once: single words would take as long as a timed interval.
    fn fill(&mut self, array: usize, word: u64) {
        let first = (array * Self::stride(self.elements) + FRONT) / 8;
        let last = first + self.elements;
        let (whole, rest) = (first.next_multiple_of(8).min(last), last / 8 * 8);
        self.memory[whole / 8..(rest / 8).max(whole / 8)].fill(Line([word; 8]));
        for at in (first..whole).chain(rest.max(whole)..last) {
            self.memory[at / 8].0[at % 8] = word;
        }
    }

    /// Calls a loop this many times; the arrays change places after each call. Gives the sum of the last call.
    pub fn run(&mut self, this: &Loop, calls: u64) -> f64 {
        let stride = Self::stride(self.elements);
        let first = self.memory.as_mut_ptr().cast::<u8>();
        let begin = |array: usize| first.wrapping_add(array * stride + FRONT).cast();
        let mut sum = 0.0;
        for _ in 0..calls {
            let [a, b, c] = self.order.map(begin);
            sum = (this.run)(Roles { a, b, c }, self.elements);
            self.order.rotate_left(1);
        }
        sum
    }
}

/// One place of the arrays, for machines without a loop of their own.
#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
#[derive(Clone, Copy)]
struct Element {
    roles: Roles,
    at: usize,
}

#[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
impl Element {
    #[inline(always)]
    fn load(self, array: *mut f64) -> f64 {
        // SAFETY: `roles` are three arrays that `Arrays::run` borrows mutably, and `at` is below their elements.
        // Volatile: one load, neither dropped nor merged.
        unsafe { array.wrapping_add(self.at).read_volatile() }
    }
    #[inline(always)]
    fn store(self, array: *mut f64, value: f64) -> f64 {
        // SAFETY: as for the load.
        unsafe { array.wrapping_add(self.at).write_volatile(value) }
        0.0
    }
}

/// Defines a loop: `each!(name, x86 "instructions for one element", aarch64 "the same", portable |element| ...)`.
/// x86-64: `rdi`, `rsi`, `rdx` are `a`, `b`, `c`, `rax` the offset; aarch64: `x0`, `x1`, `x2`, and `x3`.
/// `xmm0` or `d0` is the sum or scratch, `xmm1` or `d1` the factor.
macro_rules! each {
    ($name:ident, [$($x86:literal),+], [$($arm:literal),+], $portable:expr) => {
        #[inline(never)]
        fn $name(roles: Roles, elements: usize) -> f64 {
            let mut sum = 0.0f64;
            #[cfg(all(target_arch = "x86_64", not(miri)))]
            // SAFETY: `roles` are three arrays of `elements` doubles, at least one, that `Arrays::run` borrows mutably.
            // Reads and writes these only. No `nomem`: it does. No `preserves_flags`: the loop counts in them.
            unsafe {
                std::arch::asm!(
                    ".p2align 5",
                    "2:",
                    $($x86,)+
                    "add rax, 8",
                    "cmp rax, rcx",
                    "jne 2b",
                    in("rdi") roles.a,
                    in("rsi") roles.b,
                    in("rdx") roles.c,
                    in("rcx") elements * 8,
                    inlateout("rax") 0usize => _,
                    inlateout("xmm0") sum,
                    inlateout("xmm1") SCALAR => _,
                    options(nostack)
                );
            }
            #[cfg(all(target_arch = "aarch64", not(miri)))]
            // SAFETY: as on x86-64.
            unsafe {
                std::arch::asm!(
                    ".p2align 5",
                    "2:",
                    $($arm,)+
                    "add x3, x3, #8",
                    "cmp x3, x4",
                    "b.ne 2b",
                    in("x0") roles.a,
                    in("x1") roles.b,
                    in("x2") roles.c,
                    inlateout("x3") 0usize => _,
                    in("x4") elements * 8,
                    inlateout("d0") sum,
                    inlateout("d1") SCALAR => _,
                    out("d2") _,
                    options(nostack)
                );
            }
            #[cfg(any(miri, not(any(target_arch = "x86_64", target_arch = "aarch64"))))]
            for at in 0..elements {
                let portable: fn(Element) -> f64 = $portable;
                sum += portable(Element { roles, at });
            }
            sum
        }
    };
}

each!(
    copy,
    ["movsd xmm0, [rdi + rax]", "movsd [rdx + rax], xmm0"],
    ["ldr d0, [x0, x3]", "str d0, [x2, x3]"],
    |e| e.store(e.roles.c, e.load(e.roles.a))
);
each!(
    scale,
    ["movapd xmm0, xmm1", "mulsd xmm0, [rdx + rax]", "movsd [rsi + rax], xmm0"],
    ["ldr d0, [x2, x3]", "fmul d0, d0, d1", "str d0, [x1, x3]"],
    |e| e.store(e.roles.b, SCALAR * e.load(e.roles.c))
);
each!(
    add,
    ["movsd xmm0, [rdi + rax]", "addsd xmm0, [rsi + rax]", "movsd [rdx + rax], xmm0"],
    ["ldr d0, [x0, x3]", "ldr d2, [x1, x3]", "fadd d0, d0, d2", "str d0, [x2, x3]"],
    |e| e.store(e.roles.c, e.load(e.roles.a) + e.load(e.roles.b))
);
each!(add_sum, ["addsd xmm0, [rdi + rax]"], ["ldr d2, [x0, x3]", "fadd d0, d0, d2"], |e| e
    .load(e.roles.a));
each!(
    triad,
    [
        "movapd xmm0, xmm1",
        "mulsd xmm0, [rdx + rax]",
        "addsd xmm0, [rsi + rax]",
        "movsd [rdi + rax], xmm0"
    ],
    [
        "ldr d0, [x2, x3]",
        "ldr d2, [x1, x3]",
        "fmul d0, d0, d1",
        "fadd d0, d0, d2",
        "str d0, [x0, x3]"
    ],
    |e| e.store(e.roles.a, e.load(e.roles.b) + SCALAR * e.load(e.roles.c))
);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arena;

    /// The operation on one element, in plain Rust.
    fn element(name: &str, [a, b, c]: [&mut f64; 3]) -> f64 {
        match name {
            "copy" => *c = *a,
            "scale" => *b = SCALAR * *c,
            "add" => *c = *a + *b,
            "triad" => *a = *b + SCALAR * *c,
            _ => return *a,
        }
        0.0
    }

    impl Arrays<'_> {
        fn word(&mut self, array: usize, at: usize) -> &mut u64 {
            let word = (array * Self::stride(self.elements) + FRONT) / 8 + at;
            &mut self.memory[word / 8].0[word % 8]
        }

        /// The elements at one place of the three arrays, in the order in which they lie in memory.
        fn elements_at(&mut self, at: usize) -> [f64; 3] {
            [0, 1, 2].map(|array| f64::from_bits(*self.word(array, at)))
        }
        /// The same in plain Rust.
        fn run_reference(&mut self, this: &Loop, calls: u64) -> f64 {
            let mut sum = 0.0;
            for _ in 0..calls {
                sum = 0.0;
                for at in 0..self.elements {
                    let order = self.order;
                    let all = self.elements_at(at);
                    let mut roles = order.map(|array| all[array]);
                    sum += element(this.name, roles.each_mut());
                    for (role, array) in order.into_iter().enumerate() {
                        *self.word(array, at) = roles[role].to_bits();
                    }
                }
                self.order.rotate_left(1);
            }
            sum
        }
    }

    #[test]
    fn every_loop_does_what_its_reference_does_and_nothing_beside_it() {
        for this in &LOOPS {
            for (elements, calls) in [(1, 1), (2, 3), (7, 4), (600, 5), (1000, 2)] {
                let image = |plain: bool| {
                    let mut arena = Arena::heap(Arrays::bytes(elements) + 64);
                    crate::fill_random(arena.lines_mut(), 3);
                    let mut arrays = Arrays::new(arena.lines_mut(), elements).unwrap();
                    let sum = if plain {
                        arrays.run_reference(this, calls)
                    } else {
                        arrays.run(this, calls)
                    };
                    let sum = if this.name == "add_sum" { sum } else { 0.0 };
                    (sum, arena.lines().to_vec())
                };
                let (got, want) = (image(false), image(true));
                assert_eq!(got.0, want.0, "sum of {} over {elements}", this.name);
                assert!(got.1 == want.1, "memory after {} on {elements}", this.name);
            }
        }
    }

    #[test]
    fn fresh_arrays_hold_their_numbers_and_nothing_beside_them_changes() {
        for elements in [1, 2, 5, 6, 7, 13, 14, 15, 100, 600, 1000] {
            let mut arena = Arena::heap(Arrays::bytes(elements) + 64);
            crate::fill_random(arena.lines_mut(), 3);
            let before: Vec<u64> = arena.lines().iter().flat_map(|l| l.0).collect();
            let mut arrays = Arrays::new(arena.lines_mut(), elements).unwrap();
            assert!(
                (0..elements).all(|at| arrays.elements_at(at) == [1.0, 2.0, 0.0]),
                "{elements}"
            );
            let after = arena.lines().iter().flat_map(|l| l.0);
            let changed = before.iter().zip(after).filter(|(b, a)| *b != a).count();
            assert_eq!(changed, 3 * elements);
        }
    }

    /// Worked out by hand from 1, 2, 0: what the changing places do.
    #[test]
    fn arrays_change_places_as_in_lmbench() {
        let after = |name: &str, calls| {
            let this = LOOPS.iter().find(|l| l.name == name).unwrap();
            let mut arena = Arena::heap(Arrays::bytes(9));
            let mut arrays = Arrays::new(arena.lines_mut(), 9).unwrap();
            let sum = arrays.run(this, calls);
            (arrays.elements_at(8), sum)
        };
        assert_eq!(after("copy", 1).0, [1.0, 2.0, 1.0]);
        assert_eq!(after("copy", 2).0, [2.0, 2.0, 1.0]);
        assert_eq!(after("scale", 2).0, [1.0, 0.0, 3.0]);
        assert_eq!(after("add", 2).0, [5.0, 2.0, 3.0]);
        assert_eq!(after("triad", 2).0, [2.0, 6.0, 0.0]);
        assert_eq!([1, 2, 3].map(|calls| after("add_sum", calls).1), [9.0, 18.0, 0.0]);
    }

    #[test]
    fn arrays_lie_as_malloc_would_lay_them() {
        assert_eq!(Arrays::bytes(2_796_202), 3 * 22_372_352);
        let mut arena = Arena::heap(Arrays::bytes(100) - 64);
        assert!(Arrays::new(arena.lines_mut(), 100).is_none(), "too small");
        assert!(Arrays::new(arena.lines_mut(), 0).is_none());
    }
}
