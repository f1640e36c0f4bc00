//! Arguments of `place`, and those that `spread` shares.
use crate::{
    Output, Screen,
    values::{automatic, one_of, some_cores},
};
use analyse::place::Per;
use clap::Args as Group;
use std::path::PathBuf;

#[derive(Debug, Group)]
#[command(after_help = include_str!("help/place.txt"))]
pub struct Place {
    /// A record's file, `last` for the newest, ref:NAME, or - for standard input [default: this machine]
    pub record: Option<String>,
    /// A captured tree instead of this machine
    #[arg(long, value_name = "DIR", conflicts_with = "record")]
    pub root: Option<PathBuf>,
    /// Number of instances; `auto` follows NUMA nodes, sockets and the measurements
    #[arg(long, value_name = "auto|N", default_value = "auto", value_parser = automatic)]
    pub instances: Automatic,
    /// Physical cores of each instance
    #[arg(long, value_name = "K", value_parser = some_cores)]
    pub cores_per_instance: Option<usize>,
    /// Whether to use the second thread of each core [default: by the measurements]
    #[arg(long, value_name = "on|off", value_parser = one_of(SMT))]
    pub smt: Option<bool>,
    /// One instance for each of these parts
    #[arg(long, value_name = "PART", value_parser = one_of(PARTS))]
    pub per: Option<Per>,
    /// Only the NUMA node of this device: nic, nvme, gpu, accelerator, cxl, a name as eth0, or a PCI address
    #[arg(long, value_name = "DEVICE")]
    pub near: Option<String>,
    #[command(flatten)]
    pub screen: Screen,
    #[command(flatten)]
    pub output: Output,
}

/// A number, or none for `auto`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Automatic(pub Option<usize>);

/// The parts of a machine that instances may have.
pub(crate) const PARTS: [(&str, Per); 4] =
    [("socket", Per::Socket), ("node", Per::Node), ("die", Per::Die), ("core", Per::Core)];
/// Whether to use the second thread of each core.
pub(crate) const SMT: [(&str, bool); 2] = [("on", true), ("off", false)];
