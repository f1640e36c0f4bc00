//! Generated from this folder by `cargo xtask registry`. Do not edit.

pub mod cgroup;
pub mod docker;
pub mod hwloc;
pub mod jvm;
pub mod kubelet;
pub mod mysql;
pub mod nginx;
pub mod numactl;
pub mod systemd;
pub mod taskset;

use crate::exporter::Exporter;

/// Every exporter and its id, which is its file's name.
#[rustfmt::skip]
pub static ALL: &[(&str, &Exporter)] = &[
    ("cgroup", &cgroup::EXPORTER),
    ("docker", &docker::EXPORTER),
    ("hwloc", &hwloc::EXPORTER),
    ("jvm", &jvm::EXPORTER),
    ("kubelet", &kubelet::EXPORTER),
    ("mysql", &mysql::EXPORTER),
    ("nginx", &nginx::EXPORTER),
    ("numactl", &numactl::EXPORTER),
    ("systemd", &systemd::EXPORTER),
    ("taskset", &taskset::EXPORTER),
];
