//! PCI devices whose place matters: node, link, interrupts, queues, IOMMU. Serial numbers and addresses of networks are not
//! read. Source: Linux, Documentation/ABI/testing/sysfs-bus-pci, sysfs-class-net-queues, sysfs-kernel-iommu_groups.
use crate::{
    decode::pci,
    evidence::Evidence,
    reading::{Files, ReadResult},
};
use record::{CpuSet, Device, DeviceKind, Link, Machine, Queues, Value};
use std::collections::{BTreeMap, BTreeSet};

const BUS: &str = "/sys/bus/pci/devices";
/// More functions than the largest servers have, the virtual ones included.
const MOST_FUNCTIONS: usize = 4096;
/// Devices that are kept.
const MOST_DEVICES: usize = 256;
/// Interrupts and queues of all devices that are looked at.
const MOST_PARTS: usize = 8192;
/// Network queues of one device.
const MOST_QUEUES: usize = 256;

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let mut names = files.0.list(BUS).unwrap_or_default();
    names.retain(|name| is_address(name));
    names.sort_unstable();
    let (mut devices, mut ports) = (vec![], BTreeMap::new());
    let routes = routes(machine);
    let mut left = MOST_PARTS;
    for name in names.into_iter().take(MOST_FUNCTIONS) {
        let dir = format!("{BUS}/{name}");
        let hex = |file: &str| hexadecimal(files, &format!("{dir}/{file}"));
        let Some(class) = hex("class") else { continue };
        if pci::is_bridge(class) {
            let below = files.small(&format!("{dir}/secondary_bus_number"));
            if let (Ok(bus), Some(link)) = (below, link(files, &dir, "max")) {
                ports.insert(format!("{}:{bus:02x}", &name[..name.len() - 8]), link);
            }
            continue;
        }
        let (Some(vendor), Some(device)) = (hex("vendor"), hex("device")) else { continue };
        let Some(kind) = pci::kind(class, vendor, device) else { continue };
        // A virtual function belongs to a guest; in the guest it looks like any device.
        if devices.len() >= MOST_DEVICES || files.exists(&format!("{dir}/physfn/class")) {
            continue;
        }
        let model = match pci::maker(vendor) {
            Some(maker) => format!("{maker} {vendor:04x}:{device:04x}"),
            None => format!("{vendor:04x}:{device:04x}"),
        };
        let (interrupts, mut found) = (interrupts(files, &dir, &mut left), Names::default());
        found.look(files, &dir, kind, &mut left);
        let interrupt_cpus = interrupts.iter().filter_map(|irq| routes.get(&irq));
        devices.push(Device {
            model: found.model.map_or(model, |model| clipped(&model)),
            names: found.names,
            queues: found.queues,
            driver: driver(files, &dir),
            node: files.small(&format!("{dir}/numa_node")).ok().filter(|n| *n <= CpuSet::MAX),
            link: link(files, &dir, "current"),
            link_of_device: link(files, &dir, "max"),
            link_of_port: None,
            interrupt_cpus: interrupt_cpus.flat_map(CpuSet::iter).collect(),
            interrupts,
            iommu: files.line(&format!("{dir}/iommu_group/type")).ok().map(|t| clipped(&t)),
            virtual_functions: files
                .small(&format!("{dir}/sriov_numvfs"))
                .ok()
                .filter(|n| (1..=0xffff).contains(n)),
            address: name,
            kind,
        });
    }
    for device in &mut devices {
        // `0000:3b:00.0` is on bus 3b.
        device.link_of_port = ports.get(&device.address[..device.address.len() - 5]).copied();
    }
    iommu(machine, &devices);
    if !devices.is_empty() {
        machine.topology.read("devices", BUS);
    }
    machine.topology.devices = devices;
}

/// `0000:3b:00.0`; the domain may be longer.
fn is_address(name: &str) -> bool {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|b| b.is_ascii_hexdigit());
    let (Some((head, function)), 12..=16) = (name.rsplit_once('.'), name.len()) else {
        return false;
    };
    let mut parts = head.split(':');
    let sizes = [parts.next(), parts.next(), parts.next()].map(|p| p.filter(|p| digits(p)));
    matches!(sizes, [Some(_), Some(bus), Some(slot)] if bus.len() == 2 && slot.len() == 2)
        && parts.next().is_none()
        && function.len() == 1
        && digits(function)
}

fn hexadecimal(files: Files<'_>, path: &str) -> Option<u32> {
    u32::from_str_radix(files.line(path).ok()?.strip_prefix("0x")?, 16).ok()
}

/// A word or name, cut to the permitted length.
fn clipped(text: &str) -> String {
    text.chars().take(64).collect()
}

/// `16.0 GT/s PCIe` (`8 GT/s` before Linux 5.7) and `4`; both 0 or unknown where there is no link.
fn link(files: Files<'_>, dir: &str, which: &str) -> Option<Link> {
    let speed = files.line(&format!("{dir}/{which}_link_speed")).ok()?;
    let giga: f64 = speed.split(' ').next()?.parse().ok()?;
    let lanes = files.small(&format!("{dir}/{which}_link_width")).ok()?;
    let real = (2.0..=256.0).contains(&giga) && (1..=64).contains(&lanes);
    real.then_some(Link { transfers: giga * 1e9, lanes })
}

fn driver(files: Files<'_>, dir: &str) -> Option<String> {
    let text = files.text(&format!("{dir}/uevent")).ok()?;
    let name = text.lines().take(32).find_map(|line| line.strip_prefix("DRIVER="))?;
    Some(clipped(&crate::reading::clean(name))).filter(|name| !name.is_empty())
}

/// The numbers of its message-signalled interrupts, else of its only one.
fn interrupts(files: Files<'_>, dir: &str, left: &mut usize) -> CpuSet {
    let place = format!("{dir}/msi_irqs");
    let mut set = files.some(&place, "", *left);
    // Read, so that a capture has them.
    set.retain(|irq| files.exists(&format!("{place}/{irq}")));
    if set.is_empty() {
        let one = files.small(&format!("{dir}/irq")).ok();
        set.extend(one.filter(|irq| (1..=CpuSet::MAX).contains(irq)));
    }
    *left -= set.len().min(*left);
    set.into_iter().collect()
}

/// CPUs by interrupt: those that it goes to, else those that it may go to.
fn routes(machine: &Machine) -> BTreeMap<u32, CpuSet> {
    let Some(Value::List(routes)) = machine.value("interrupts.routes") else {
        return BTreeMap::new();
    };
    let one = |text: &str| -> Option<(CpuSet, CpuSet)> {
        let mut words = text.split(' ');
        let irqs = words.next()?.parse().ok()?;
        let may: CpuSet = words.next()?.parse().ok()?;
        Some((irqs, words.next().and_then(|does| does.parse().ok()).unwrap_or(may)))
    };
    let known = routes.iter().filter_map(|route| one(route.text()?));
    known
        .flat_map(|(irqs, cpus)| irqs.iter().map(|irq| (irq, cpus.clone())).collect::<Vec<_>>())
        .collect()
}

/// The kernel's names of a device.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    model: Option<String>,
    queues: Option<Queues>,
}

impl Names {
    fn look(&mut self, files: Files<'_>, dir: &str, kind: DeviceKind, left: &mut usize) {
        // The devices of a virtio device are one folder below.
        let virtio = files.numbered(dir, "virtio").unwrap_or_default();
        let mut dirs = vec![dir.to_owned()];
        dirs.extend(virtio.first().map(|id| format!("{dir}/virtio{id}")));
        for dir in dirs {
            match kind {
                DeviceKind::Network => self.networks(files, &dir, left),
                DeviceKind::Nvme => {
                    for id in files.numbered(&format!("{dir}/nvme"), "nvme").unwrap_or_default() {
                        self.model = files.line(&format!("{dir}/nvme/nvme{id}/model")).ok();
                        self.add(format!("nvme{id}"));
                    }
                }
                DeviceKind::Storage => {
                    let mut disks = files.0.list(&format!("{dir}/block")).unwrap_or_default();
                    disks.retain(|name| {
                        name.starts_with("vd") && files.exists(&format!("{dir}/block/{name}/size"))
                    });
                    disks.sort_unstable();
                    disks.into_iter().for_each(|name| self.add(name));
                }
                DeviceKind::Gpu => self.numbered(files, &format!("{dir}/drm"), "card", "dev"),
                DeviceKind::Cxl => self.numbered(files, &dir, "mem", "ram/size"),
                DeviceKind::Accelerator => {}
            }
        }
    }
    /// Adds the entries of a folder that begin with `prefix` and have this file.
    fn numbered(&mut self, files: Files<'_>, dir: &str, prefix: &str, file: &str) {
        for id in files.numbered(dir, prefix).unwrap_or_default() {
            if files.exists(&format!("{dir}/{prefix}{id}/{file}")) {
                self.add(format!("{prefix}{id}"));
            }
        }
    }

    fn add(&mut self, name: String) {
        if self.names.len() < 8 {
            self.names.push(clipped(&name));
        }
    }
    fn networks(&mut self, files: Files<'_>, dir: &str, left: &mut usize) {
        let mut names = files.0.list(&format!("{dir}/net")).unwrap_or_default();
        names.retain(|name| is_impersonal(name));
        names.sort_unstable();
        for name in names.into_iter().take(8) {
            let place = format!("{dir}/net/{name}/queues");
            let queues = self.queues.get_or_insert_default();
            for (prefix, file, count, steering) in [
                ("rx-", "rps_cpus", &mut queues.receive, &mut queues.receive_steering),
                ("tx-", "xps_cpus", &mut queues.transmit, &mut queues.transmit_steering),
            ] {
                let ids = files.numbered(&place, prefix).unwrap_or_default();
                let mut cpus: BTreeSet<u32> = steering.iter().collect();
                for id in ids.into_iter().take(MOST_QUEUES.min(*left)) {
                    *left -= 1;
                    *count += 1;
                    let mask: ReadResult<CpuSet> =
                        files.mask(&format!("{place}/{prefix}{id}/{file}"));
                    cpus.extend(mask.iter().flat_map(CpuSet::iter));
                    // A single queue has no mask to read; a captured tree holds it by this file.
                    let _ = files.0.read(&format!("{place}/{prefix}{id}/tx_timeout"));
                }
                *steering = cpus.into_iter().collect();
            }
            self.add(name);
        }
    }
}

/// Whether a network interface has a name by the kernel's or systemd's scheme. Others, and those made of hardware addresses,
/// are private. Source: systemd.net-naming-scheme(7).
fn is_impersonal(name: &str) -> bool {
    const SCHEMES: &[&str] =
        &["eth", "eno", "ens", "enp", "enP", "end", "ib", "ibp", "ibs", "ibP", "wlan", "wlp"];
    let places = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit())
            && rest.chars().all(|c| c.is_ascii_digit() || "psfndviurc".contains(c))
    };
    name.len() <= 15 && SCHEMES.iter().any(|s| name.strip_prefix(s).is_some_and(places))
}

/// The modes of the devices' groups.
fn iommu(machine: &mut Machine, devices: &[Device]) {
    let modes: BTreeSet<&str> = devices.iter().filter_map(|d| d.iommu.as_deref()).collect();
    if !modes.is_empty() {
        let modes: Vec<&str> = modes.into_iter().take(8).collect();
        machine.set("devices.iommu", modes.join(", "), "/sys/kernel/iommu_groups/*/type");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_are_devices_and_only_schemes_are_names() {
        for (name, is) in [
            ("0000:3b:00.0", true),
            ("10000:e1:00.0", true),
            ("0000:3b:00", false),
            ("0000:3b:0000.0", false),
            ("0000:3b:00.ü", false),
            (":3b:00:00:00.0", false),
        ] {
            assert_eq!(is_address(name), is, "{name}");
        }
        for (name, is) in [
            ("eth0", true),
            ("enp59s0f1np1", true),
            ("ens5", true),
            ("enx001122334455", false),
            ("ethSECRET", false),
            ("eth", false),
            ("db-master", false),
        ] {
            assert_eq!(is_impersonal(name), is, "{name}");
        }
    }
}
