//! PCI devices whose place in the machine matters to programs: network, storage, GPUs, accelerators, CXL memory.
use crate::CpuSet;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One physical function. `None` always means "not known".
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Device {
    /// PCI address: `0000:3b:00.0`.
    pub address: String,
    /// Its kind.
    pub kind: DeviceKind,
    /// Its maker and model: `NVIDIA 10de:2330`.
    pub model: String,
    /// The kernel's names that do not come from a person: `eth0`, `nvme0`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub names: Vec<String>,
    /// The kernel's driver; `vfio-pci` gives the device to a guest or to a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub driver: Option<String>,
    /// The NUMA node that it is attached to.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<u32>,
    /// The PCIe link as it runs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<Link>,
    /// The fastest and widest link that the device can have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_of_device: Option<Link>,
    /// The fastest and widest link that the port above it can have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link_of_port: Option<Link>,
    /// Numbers of its interrupts.
    #[serde(default, skip_serializing_if = "CpuSet::is_empty")]
    pub interrupts: CpuSet,
    /// CPUs that these interrupts go to; where the kernel does not say, those that they may go to.
    #[serde(default, skip_serializing_if = "CpuSet::is_empty")]
    pub interrupt_cpus: CpuSet,
    /// Queues of a network device.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub queues: Option<Queues>,
    /// How the IOMMU translates its accesses: `identity`, `DMA`, `DMA-FQ`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub iommu: Option<String>,
    /// Virtual functions (SR-IOV) that are switched on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub virtual_functions: Option<u32>,
}

crate::named! {
    /// The kind of a device.
    #[derive(Serialize, Deserialize)]
    #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
    #[serde(rename_all = "snake_case")]
    pub enum DeviceKind {
        /// Ethernet, InfiniBand and other networks.
        Network = "NIC",
        /// An NVMe controller.
        Nvme = "NVMe",
        /// Another storage controller.
        Storage = "storage",
        /// A graphics processor; no controller that only drives a console.
        Gpu = "GPU",
        /// An accelerator for AI, compression, encryption or copying.
        Accelerator = "accelerator",
        /// A CXL memory device.
        Cxl = "CXL memory",
    }
}

/// A PCIe link.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Link {
    /// Transfers per second of a lane (16 GT/s: 1.6e10).
    pub transfers: f64,
    /// Lanes.
    pub lanes: u32,
}

impl fmt::Display for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} GT/s x{}", self.transfers / 1e9, self.lanes)
    }
}

/// Queues of a network device.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Queues {
    /// Receive queues.
    pub receive: u32,
    /// Transmit queues.
    pub transmit: u32,
    /// CPUs that received packets are passed on to by software (RPS); empty: none are.
    #[serde(default, skip_serializing_if = "CpuSet::is_empty")]
    pub receive_steering: CpuSet,
    /// CPUs that are given a transmit queue (XPS); empty: none are.
    #[serde(default, skip_serializing_if = "CpuSet::is_empty")]
    pub transmit_steering: CpuSet,
}
