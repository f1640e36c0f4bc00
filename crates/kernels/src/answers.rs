//! Known answers: what each kernel gives for fixed work, the same on every machine. Another result is an error of the core.
//!
//! Source: the kernels' references, which a test runs.
use crate::{Features, Kernel, Line, Run, compute, fill_random, memory};

/// Fixed work of a kernel, and its result.
#[derive(Debug)]
pub struct Answer {
    /// The kind of instructions that it checks.
    pub class: &'static str,
    /// The table and the kernel's id.
    pub name: &'static str,
    /// The kernel.
    pub kernel: &'static Kernel,
    /// Steps of the work.
    pub steps: u64,
    /// The result; see [`Answer::error`].
    pub result: u64,
}

/// Lines of a memory kernel's work: 64 KiB, more than most first-level caches hold.
const LINES: usize = 1024;
/// Seed of the lines.
const SEED: u64 = 42;

/// Kernels whose result is their own argument, so that it proves nothing.
pub const WITHOUT: [&str; 4] = ["empty", "nop", "nop4", "nop8"];

macro_rules! answers {
    ($($class:ident: $($table:ident::$kernel:ident $steps:literal $result:expr),+;)+) => {
        /// An answer for every kernel but those of [`WITHOUT`].
        pub static ALL: &[Answer] = &[$($(
            Answer {
                class: stringify!($class),
                name: concat!(stringify!($table), "/", stringify!($kernel)),
                kernel: &$table::$kernel::KERNEL,
                steps: $steps,
                result: $result,
            },
        )+)+];
    };
}

/// A result that depends on the number of chains, or on the depth of tiles.
const fn by_chains(twelve: u64, twenty_four: u64) -> u64 {
    if cfg!(target_arch = "aarch64") { twenty_four } else { twelve }
}

answers! {
    integer:
        compute::add 500 0x49c8_3775_cc9b_b227,
        compute::add_chain 500 0x9cb7_e236_6deb_b9d3,
        compute::branch_hit 200 0xf68d_5522_8352_b6a4,
        compute::branch_miss 200 0xf68d_5522_8352_b0f0;
    multiply:
        compute::mul 200 0xa95e_6baa_a25a_66af,
        compute::mul_chain 200 0x8a5a_b87f_d2f6_b0d3;
    divide:
        compute::div 200 0x0000_2342_7af8_1d00,
        compute::div32 200 0x0000_0000_2342_1300,
        compute::div32_chain 200 0x0000_0000_fedf_8cb6,
        compute::div_chain 200 0xfedc_ba9b_4872_8362;
    floating_point:
        compute::fma 200 by_chains(0x4492_b00a_5191_3ae4, 0x9bf1_883e_f21a_d048),
        compute::fma_chain 50 0x3ff7_5437_f854_9b9e;
    vector:
        compute::dot8 200 by_chains(0x791e_7330_791e_7330, 0x2120_1609_2120_1609),
        compute::fma_vector 200 by_chains(0xf4de_85ac_75b1_28a1, 0xadcd_b93c_81a1_ed2b),
        compute::madd52 200 by_chains(0x3b67_1093_b78b_dd04, 0x650e_c2e8_c613_f386),
        compute::tile_dot8 200 by_chains(0x78f4_a98e_78f4_a98e, 0xe791_76e0_e791_76e0);
    aes:
        compute::aes 500 0x2428_a617_8756_c3c4;
    atomic:
        compute::atomic_add 50 0xb4a8_2299_95b4_a8ff;
    load_store:
        compute::load 500 0x3e00_a349_29a8_8f1d,
        compute::store 500 0x7617_4947_a6f9_e580,
        memory::add 1 0xf44c_25a4_5f9b_c349,
        memory::add_nt 1 0xf44c_25a4_5f9b_c349,
        memory::copy 1 0x400d_801a_5593_94a4,
        memory::copy_libc 1 0x400d_801a_5593_94a4,
        memory::copy_nt 1 0x400d_801a_5593_94a4,
        memory::mix_1_1 1 0xf4bf_4ce9_aa25_e4c3,
        memory::mix_2_1 1 0xd53d_ed1e_8881_0605,
        memory::mix_3_1 1 0x8736_a47f_08c7_1c8e,
        memory::read 1 0x2c75_353b_9629_1991,
        memory::scale 1 0x59b4_e98b_0896_950f,
        memory::scale_nt 1 0x59b4_e98b_0896_950f,
        memory::triad 1 0xa65f_9b1b_4d43_7958,
        memory::triad_nt 1 0xa65f_9b1b_4d43_7958,
        memory::write 1 0x5f5f_5f5f_5f5f_5f5f,
        memory::write_nt 1 0x5f5f_5f5f_5f5f_5f5f,
        memory::write_zero 1 0,
        memory::zero 1 0;
}

impl Answer {
    /// The variants of the kernel that this machine runs; the portable one only where there is no other and it is not one of
    /// [`compute::NATIVE_ONLY`].
    pub fn variants(&self, features: &Features) -> Vec<(&'static str, Run)> {
        let all = self.kernel.variants.iter();
        let mut here: Vec<_> = all.filter_map(|v| Some((v.name, (v.get)(features)?))).collect();
        let (_, id) = self.name.split_once('/').unwrap_or_default();
        if here.len() > 1 || compute::NATIVE_ONLY.contains(&id) {
            here.remove(0);
        }
        here
    }
    /// Memory for [`Answer::error`].
    pub fn memory() -> Vec<Line> {
        vec![Line::ZERO; LINES]
    }
    /// The bits in which the result of this code and the memory that it leaves are wrong.
    pub fn error(&self, run: Run, memory: &mut [Line]) -> u64 {
        let memory = match self.kernel.work.arrays {
            0 => &mut [],
            _ => memory,
        };
        fill_random(memory, SEED);
        let sum = run(memory, self.steps);
        let words = memory.iter().flat_map(|line| line.0);
        words.fold(sum, |sum, word| sum.rotate_left(5) ^ word) ^ self.result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_has_the_answer_of_its_reference() {
        let mut memory = Answer::memory();
        let tables = [("compute", compute::ALL), ("memory", memory::ALL)];
        let kernels: Vec<String> = tables
            .iter()
            .flat_map(|(table, all)| all.iter().map(move |(id, _)| (table, id)))
            .filter(|(_, id)| !WITHOUT.contains(id))
            .map(|(table, id)| format!("{table}/{id}"))
            .collect();
        let mut answered: Vec<&str> = ALL.iter().map(|answer| answer.name).collect();
        answered.sort_unstable();
        assert_eq!(answered, kernels);
        for answer in ALL {
            let wrong = answer.error(answer.kernel.reference, &mut memory);
            assert_eq!(wrong, 0, "{} gives {:#018x}", answer.name, wrong ^ answer.result);
        }
    }

    #[test]
    fn every_variant_that_this_machine_runs_is_right() {
        let mut memory = Answer::memory();
        for answer in ALL {
            let variants = answer.variants(&Features::detect());
            let (_, id) = answer.name.split_once('/').unwrap();
            assert!(!variants.is_empty() || compute::NATIVE_ONLY.contains(&id), "{id}");
            for (variant, run) in variants {
                assert_eq!(answer.error(run, &mut memory), 0, "{} {variant}", answer.name);
            }
        }
    }

    #[test]
    fn a_wrong_bit_in_a_result_or_in_memory_is_an_error() {
        let of = |name: &str| ALL.iter().find(|answer| answer.name == name).unwrap();
        let mut memory = Answer::memory();
        let product =
            |memory: &mut [Line], steps| (compute::mul::KERNEL.reference)(memory, steps) ^ 8;
        assert_eq!(of("compute/mul").error(product, &mut memory), 8);
        let copied = |memory: &mut [Line], steps| {
            let sum = (memory::copy::KERNEL.reference)(memory, steps);
            memory[100].0[3] ^= 1 << 62;
            sum
        };
        assert_eq!(of("memory/copy").error(copied, &mut memory).count_ones(), 1);
    }
}
