//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod add;
pub mod add_chain;
pub mod branch_hit;
pub mod branch_miss;
pub mod div;
pub mod div32;
pub mod div32_chain;
pub mod div_chain;
pub mod empty;
pub mod fma;
pub mod fma_chain;
pub mod fma_vector;
pub mod load;
pub mod mul;
pub mod mul_chain;
pub mod nop;
pub mod nop4;
pub mod nop8;
pub mod store;

use crate::kernel::Kernel;

/// Every kernel and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Kernel)] = &[
    ("add", &add::KERNEL),
    ("add_chain", &add_chain::KERNEL),
    ("branch_hit", &branch_hit::KERNEL),
    ("branch_miss", &branch_miss::KERNEL),
    ("div", &div::KERNEL),
    ("div32", &div32::KERNEL),
    ("div32_chain", &div32_chain::KERNEL),
    ("div_chain", &div_chain::KERNEL),
    ("empty", &empty::KERNEL),
    ("fma", &fma::KERNEL),
    ("fma_chain", &fma_chain::KERNEL),
    ("fma_vector", &fma_vector::KERNEL),
    ("load", &load::KERNEL),
    ("mul", &mul::KERNEL),
    ("mul_chain", &mul_chain::KERNEL),
    ("nop", &nop::KERNEL),
    ("nop4", &nop4::KERNEL),
    ("nop8", &nop8::KERNEL),
    ("store", &store::KERNEL),
];
