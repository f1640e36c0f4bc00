//! The kind of a PCI device, from its class code and its maker's number.
//! Sources: PCI Code and ID Assignment Specification 1.15; pci-ids.ucw.cz; Virtio 1.2, 4.1.2.
use super::table;
use record::DeviceKind;

const VIRTIO: u32 = 0x1af4;
/// Makers of GPUs; display controllers of others drive a console.
const GPU_MAKERS: &[u32] =
    &[0x1002, 0x10de, 0x8086, 0x1d94, 0x1e3e, 0x1ed5, 0x1ee0, 0x9999, 0x0014];

/// The kind by class (24 bits), maker and device; nothing for bridges, console graphics and the like.
pub(crate) fn kind(class: u32, vendor: u32, device: u32) -> Option<DeviceKind> {
    match (vendor, device) {
        // Some hypervisors give virtio devices no class.
        (VIRTIO, 0x1000 | 0x1041) => return Some(DeviceKind::Network),
        (VIRTIO, 0x1001 | 0x1004 | 0x1042 | 0x1048) => return Some(DeviceKind::Storage),
        // Intel's copy and analytics accelerators call themselves system peripherals.
        (0x8086, 0x0b25 | 0x0cfe | 0x11fb | 0x1212 | 0x1216) => {
            return Some(DeviceKind::Accelerator);
        }
        _ => {}
    }
    Some(match (class >> 16, class >> 8) {
        (_, 0x0108) => DeviceKind::Nvme,
        (0x01, _) => DeviceKind::Storage,
        (0x02, _) => DeviceKind::Network,
        (0x03, _) if GPU_MAKERS.contains(&vendor) => DeviceKind::Gpu,
        (_, 0x0502) => DeviceKind::Cxl,
        (0x12, _) | (_, 0x0b40) => DeviceKind::Accelerator,
        _ => return None,
    })
}

/// Whether it is a bridge to another PCI bus.
pub(crate) fn is_bridge(class: u32) -> bool {
    class >> 8 == 0x0604
}

/// The maker by its number.
pub(crate) fn maker(vendor: u32) -> Option<&'static str> {
    table::name(include_str!("tables/pci.txt"), "maker", vendor)
}
