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
pub static ALL: &[(&str, &dyn Exporter)] = &[
    ("cgroup", &cgroup::Cgroup),
    ("docker", &docker::Docker),
    ("hwloc", &hwloc::Hwloc),
    ("jvm", &jvm::Jvm),
    ("kubelet", &kubelet::Kubelet),
    ("mysql", &mysql::Mysql),
    ("nginx", &nginx::Nginx),
    ("numactl", &numactl::Numactl),
    ("systemd", &systemd::Systemd),
    ("taskset", &taskset::Taskset),
];
