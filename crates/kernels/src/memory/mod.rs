//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod add;
pub mod add_nt;
pub mod copy;
pub mod copy_libc;
pub mod copy_nt;
pub mod mix_1_1;
pub mod mix_2_1;
pub mod mix_3_1;
pub mod read;
pub mod scale;
pub mod scale_nt;
pub mod triad;
pub mod triad_nt;
pub mod write;
pub mod write_nt;
pub mod write_zero;
pub mod zero;

use crate::kernel::Kernel;

/// Every kernel and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Kernel)] = &[
    ("add", &add::KERNEL),
    ("add_nt", &add_nt::KERNEL),
    ("copy", &copy::KERNEL),
    ("copy_libc", &copy_libc::KERNEL),
    ("copy_nt", &copy_nt::KERNEL),
    ("mix_1_1", &mix_1_1::KERNEL),
    ("mix_2_1", &mix_2_1::KERNEL),
    ("mix_3_1", &mix_3_1::KERNEL),
    ("read", &read::KERNEL),
    ("scale", &scale::KERNEL),
    ("scale_nt", &scale_nt::KERNEL),
    ("triad", &triad::KERNEL),
    ("triad_nt", &triad_nt::KERNEL),
    ("write", &write::KERNEL),
    ("write_nt", &write_nt::KERNEL),
    ("write_zero", &write_zero::KERNEL),
    ("zero", &zero::KERNEL),
];
