//! Devices on NUMA nodes, and memory of which firmware states how fast it is: what QEMU is asked for, and the drivers that
//! Debian's cloud kernel has as modules only. Source: QEMU 7.2, docs/pci_expander_bridge.txt, docs/system/devices/cxl.rst,
//! `-numa` of its manual.
use crate::machine::{Device, Hmat, Machine};
use record::DeviceKind;
use std::path::PathBuf;
use xtask::setup;

/// Each after those that it needs.
const NETWORK: [&str; 8] = [
    "drivers/virtio/virtio_ring",
    "drivers/virtio/virtio",
    "drivers/virtio/virtio_pci_legacy_dev",
    "drivers/virtio/virtio_pci_modern_dev",
    "drivers/virtio/virtio_pci",
    "net/core/failover",
    "drivers/net/net_failover",
    "drivers/net/virtio_net",
];
const CXL: [&str; 3] = ["drivers/cxl/cxl_acpi", "drivers/cxl/cxl_pci", "drivers/cxl/cxl_mem"];

impl Machine {
    /// More options of `-machine`.
    pub(crate) fn board(&self) -> String {
        let hmat = if self.hmat.is_some() { ",hmat=on" } else { "" };
        let cxl = self.devices.iter().zip(1..).filter_map(|(d, at): (_, u32)| Some((d.size?, at)));
        let window = |(n, (size, at))| {
            format!(",cxl=on,cxl-fmw.{n}.targets.0=root{at},cxl-fmw.{n}.size={size}M")
        };
        hmat.to_owned() + &cxl.enumerate().map(window).collect::<String>()
    }

    /// More options of `-numa node`: the node with CPUs that is nearest to this one.
    pub(crate) fn nearest(&self, node: usize) -> String {
        let Some(hmat) = &self.hmat else { return String::new() };
        let rows = self.initiators().zip(&hmat.latency);
        let nearest = rows.min_by_key(|(_, row)| row.get(node).copied());
        nearest.map_or(String::new(), |(from, _)| format!(",initiator={from}"))
    }

    /// The nodes that have CPUs.
    fn initiators(&self) -> impl Iterator<Item = usize> {
        (0..).zip(&self.cpus).filter(|(_, cpus)| !cpus.is_empty()).map(|(node, _)| node)
    }

    /// The words for what firmware states of memory, and for devices.
    pub(crate) fn device_words(&self) -> Vec<String> {
        let stated = self.hmat.iter().flat_map(|hmat| hmat.words(self.initiators()));
        stated.chain(self.devices.iter().zip(1..).flat_map(|(d, at)| d.words(at))).collect()
    }

    /// The kernel modules that the devices need.
    ///
    /// # Errors
    /// There is no kernel.
    pub(crate) fn drivers(&self) -> Result<Vec<PathBuf>, String> {
        let has = |kind| self.devices.iter().any(|device| device.kind == kind);
        let needed = [(DeviceKind::Network, &NETWORK[..]), (DeviceKind::Cxl, &CXL[..])];
        let needed: Vec<_> = needed.iter().filter(|(kind, _)| has(*kind)).collect();
        if needed.is_empty() {
            return Ok(vec![]);
        }
        let image = setup::kernel(self.arch())?.display().to_string();
        let folder = image.replacen("boot/vmlinuz-", "lib/modules/", 1);
        let drivers = needed.iter().flat_map(|(_, drivers)| *drivers);
        Ok(drivers.map(|driver| format!("{folder}/kernel/{driver}.ko").into()).collect())
    }
}

impl Hmat {
    fn words(&self, initiators: impl Iterator<Item = usize>) -> Vec<String> {
        let mut all = vec![];
        for (from, (latency, bandwidth)) in initiators.zip(self.latency.iter().zip(&self.bandwidth))
        {
            for (to, (latency, bandwidth)) in latency.iter().zip(bandwidth).enumerate() {
                let pair = format!("hmat-lb,initiator={from},target={to},hierarchy=memory");
                all.push(format!("{pair},data-type=access-latency,latency={latency}"));
                all.push(format!("{pair},data-type=access-bandwidth,bandwidth={bandwidth}M"));
            }
        }
        for (node, size) in self.cache.iter().enumerate() {
            let cache = format!("hmat-cache,node-id={node},size={size}M,level=1");
            all.push(format!("{cache},associativity=direct,policy=write-back,line=64"));
        }
        all.into_iter().flat_map(|words| ["-numa".to_owned(), words]).collect()
    }
}

impl Device {
    fn words(&self, at: u32) -> Vec<String> {
        let (node, bus) = (self.node, 0x20 * at);
        let (bridge, port, lanes) = match (self.kind, self.port) {
            (DeviceKind::Cxl, _) => ("pxb-cxl", "cxl-rp,port=0", String::new()),
            (_, None) => ("pxb-pcie", "pcie-root-port", String::new()),
            (_, Some((speed, lanes))) => {
                ("pxb-pcie", "pcie-root-port", format!(",x-speed={speed},x-width={lanes}"))
            }
        };
        let mut all = vec![
            format!("-device {bridge},bus=pcie.0,id=root{at},bus_nr={bus},numa_node={node}"),
            format!("-device {port},bus=root{at},id=port{at},chassis={at}{lanes}"),
        ];
        all.extend(match self.kind {
            DeviceKind::Nvme => vec![
                format!("-blockdev null-co,node-name=disk{at},size=1048576,read-zeroes=on"),
                format!("-device nvme,bus=port{at},serial=0,drive=disk{at}"),
            ],
            DeviceKind::Cxl => vec![
                format!("-object memory-backend-ram,id=far{at},size={}M", self.size.unwrap_or(256)),
                format!("-object memory-backend-ram,id=labels{at},size=1M"),
                format!("-device cxl-type3,bus=port{at},memdev=far{at},lsa=labels{at}"),
            ],
            _ => vec![
                format!("-netdev hubport,id=net{at},hubid={at}"),
                format!("-device virtio-net-pci,bus=port{at},netdev=net{at}"),
            ],
        });
        all.iter().flat_map(|words| words.split(' ')).map(str::to_owned).collect()
    }
}
