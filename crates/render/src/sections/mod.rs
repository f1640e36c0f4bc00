//! One file per section of a page; their order and headings are in `section.rs`.
pub mod bandwidth;
pub mod conclusions;
pub mod core;
pub mod core_to_core;
pub mod findings;
pub mod instrument;
pub mod latency;
pub mod loaded;
pub mod machine;
pub mod memory_management;
pub mod not_measured;
pub mod numa;
pub mod other;
pub mod parts;
pub mod provenance;
pub mod stability;
pub mod validity;
