//! Whether this is a guest or a container, and of which hypervisor or runtime.
use crate::{
    evidence::{CPUID, CPUINFO, Evidence},
    reading::{Files, clean},
};
use record::{Machine, Reason};

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    hypervisor(evidence, machine);
    container(evidence, machine);
}

const NAME: &str = "virtual.hypervisor";

/// The hypervisor's name where a sign only says that there is one.
pub const UNNAMED: [&str; 2] =
    ["a hypervisor that is not named", "a hypervisor that does not name itself"];

/// Names the hypervisor by firmware, where no source says whether there is one, as of lscpu on Arm.
pub(crate) fn by_firmware(machine: &mut Machine) {
    if machine.facts.contains_key(NAME) {
        return;
    }
    let found = board(machine).or_else(|| {
        let stated = machine.value("bios.virtual")?.yes_or_no()?;
        let source = machine.facts.get("bios.virtual")?.source.clone();
        stated.then_some((UNNAMED[0], source))
    });
    if let Some((name, source)) = found {
        machine.set(NAME, name, source);
    }
}

fn hypervisor(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let in_file = |path: &str| Some((files.line(path).ok()?, path.to_owned()));
    // Under Hyper-V's signature KVM puts its own at the next hundred; the last one is the native one.
    let signature = evidence.cpuid.hypervisors().pop();
    let found = signature
        .map(|signature| (signed(&signature), format!("{CPUID} leaf 40000000h")))
        .or_else(|| in_file("/sys/hypervisor/type"))
        .or_else(|| board(machine).map(|(name, source)| (name.into(), source)))
        .or_else(|| Some((device(files)?.into(), PCI.into())))
        .or_else(|| in_file("/proc/device-tree/hypervisor/compatible"))
        .or_else(|| partition(files).map(|(name, source)| (name, source.into())))
        .or_else(|| Some((evidence.cpuinfo.get(&["hypervisor vendor"])?.into(), CPUINFO.into())));
    if let Some((name, source)) = found {
        return machine.set(NAME, name, source);
    }
    match (evidence.cpuid.is_guest(), evidence.is_x86() && evidence.cpuinfo.flags().is_some()) {
        (Some(true), _) => machine.set(NAME, UNNAMED[1], CPUID),
        (Some(false), _) => machine.set(NAME, "none", CPUID),
        (None, true) if evidence.cpuinfo.has_flag("hypervisor") => {
            machine.set(NAME, UNNAMED[0], CPUINFO);
        }
        (None, true) => machine.set(NAME, "none", CPUINFO),
        (None, false) => machine.unknown(
            NAME,
            "no sign of one in DMI, device tree or /sys/hypervisor, which on this architecture is no proof",
            "/sys/class/dmi/id",
        ),
    }
}

const PCI: &str = "/proc/bus/pci/devices";

/// Old kernels under full virtualisation do not show the CPUID bit, but such guests have telling devices.
fn device(files: Files<'_>) -> Option<&'static str> {
    let text = files.text(PCI).ok()?;
    let mut ids = text.lines().take(4096).filter_map(|line| line.split_whitespace().nth(1));
    ids.find_map(|id| match id {
        "80eebeef" | "80eecafe" => Some("VirtualBox"),
        "15ad0405" | "15ad0740" => Some("VMware"),
        "58530001" => Some("Xen"),
        _ => None,
    })
}

/// The layers that POWER and s390 always run on, and the hypervisors that name themselves there.
fn partition(files: Files<'_>) -> Option<(String, &'static str)> {
    const SYSINFO: &str = "/proc/sysinfo";
    const PARTITION: &str = "/proc/device-tree/ibm,partition-name";
    if let Ok(text) = files.text(SYSINFO) {
        // The innermost is VM00: this machine is its guest.
        let inner = text.lines().find_map(|line| line.strip_prefix("VM00 Control Program:"));
        let name = match inner.map(clean) {
            Some(name) if name.starts_with("KVM") => "KVM".into(),
            Some(name) if !name.is_empty() => name.split_whitespace().collect::<Vec<_>>().join(" "),
            _ if text.contains("LPAR Number:") => "PR/SM (LPAR)".into(),
            _ => return None,
        };
        return Some((name, SYSINFO));
    }
    // QEMU's guests have both files, too, but also this one.
    let qemu = files.exists("/proc/device-tree/chosen/qemu,graphic-width");
    (files.exists(PARTITION) && files.exists("/proc/device-tree/hmc-managed?") && !qemu)
        .then(|| ("PowerVM (pHyp)".to_string(), PARTITION))
}

fn signed(signature: &str) -> String {
    match signature {
        "KVMKVMKVM" | "Linux KVM Hv" => "KVM",
        "Microsoft Hv" => "Hyper-V",
        "VMwareVMware" => "VMware",
        "XenVMMXenVMM" => "Xen",
        "TCGTCGTCGTCG" => "QEMU (emulation)",
        "bhyve bhyve" => "bhyve",
        "prl hyperv" | "lrpepyh vr" => "Parallels",
        "VBoxVBoxVBox" => "VirtualBox",
        "ACRNACRNACRN" => "ACRN",
        "Jailhouse" => "Jailhouse",
        "SRESRESRESRE" => "LMHS",
        "EVMMEVMMEVMM" => "Intel KGT (Trusty)",
        other => return clean(&format!("unknown: '{other}'")),
    }
    .into()
}

/// A guest's firmware usually names its maker. Cloud names are not among them: they sell bare metal, too.
fn board(machine: &Machine) -> Option<(&'static str, String)> {
    let facts =
        ["system.vendor", "system.product", "board.vendor", "bios.vendor", "firmware.cpu.vendor"];
    for fact in facts {
        let Some(text) = machine.text(fact) else { continue };
        let known = [
            ("QEMU", "QEMU"),
            ("KVM", "KVM"),
            ("VMware", "VMware"),
            ("VirtualBox", "VirtualBox"),
            ("innotek", "VirtualBox"),
            ("Xen", "Xen"),
            ("Bochs", "Bochs"),
            ("Parallels", "Parallels"),
            ("BHYVE", "bhyve"),
            ("Virtual Machine", "Hyper-V"),
            ("Google Compute Engine", "KVM (Google)"),
            ("Alibaba Cloud ECS", "KVM (Alibaba Cloud)"),
            ("OpenStack", "OpenStack"),
            ("Firecracker", "KVM (Firecracker)"),
            ("vServer", "KVM (Hetzner)"),
        ];
        if let Some((_, name)) = known.iter().find(|(sign, _)| text.contains(sign)) {
            let source = machine.facts.get(fact).map_or(String::new(), |fact| fact.source.clone());
            return Some((name, source));
        }
    }
    // Providers put their own names there, and leave QEMU's on the modules.
    let by_qemu = machine.topology.dimms.iter().any(|d| d.manufacturer.as_deref() == Some("QEMU"));
    let described = |(part, source): &(String, String)| (part == "dimms").then(|| source.clone());
    let source = machine.topology.sources.iter().find_map(described);
    by_qemu.then(|| ("QEMU", source.unwrap_or_default()))
}

fn container(evidence: &Evidence<'_>, machine: &mut Machine) {
    const NAME: &str = "virtual.container";
    let files = evidence.files;
    if let Ok(kind) = files.line("/run/systemd/container") {
        return machine.set(NAME, kind, "/run/systemd/container");
    }
    for (path, kind) in [("/run/.containerenv", "podman"), ("/.dockerenv", "docker")] {
        if files.exists(path) {
            return machine.set(NAME, kind, path);
        }
    }
    for path in ["/proc/self/cgroup", "/proc/1/cgroup"] {
        let Ok(text) = files.text(path) else { continue };
        for (sign, kind) in [
            ("kubepods", "kubernetes"),
            ("docker", "docker"),
            ("libpod", "podman"),
            ("containerd", "containerd"),
            ("crio", "cri-o"),
            ("/lxc", "lxc"),
        ] {
            if text.contains(sign) {
                return machine.set(NAME, kind, path);
            }
        }
    }
    const OWN: &str = "/proc/self/cgroup";
    if files.text(OWN).is_ok() {
        machine.set(NAME, "none", "/proc/self/cgroup, /.dockerenv, /run/systemd/container");
    } else {
        let why = Reason::mended_by("/proc/self/cgroup cannot be read", "mount /proc");
        machine.unknown(NAME, why, OWN);
    }
}
