//! Names and tables from raw bytes: pure, compiled on every machine, never panicking on what they are given.
pub(crate) mod arm;
pub(crate) mod brand;
pub(crate) mod cpuid;
pub(crate) mod loongarch;
pub(crate) mod pci;
pub(crate) mod riscv;
pub(crate) mod slots;
pub(crate) mod smbios;
pub(crate) mod table;
pub(crate) mod x86;
