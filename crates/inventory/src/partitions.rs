//! Cache and bandwidth shares handed out by resctrl (Intel RDT, AMD QoS, Arm MPAM): a program in a small share sees
//! a smaller cache than the machine has.
use crate::{evidence::Evidence, reading::Unavailable};
use record::{Machine, Reason, Unit};

const MOUNT: &str = "/sys/fs/resctrl";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    const NAME: &str = "cache.partition";
    let files = evidence.files;
    let path = format!("{MOUNT}/schemata");
    match files.text(&path) {
        Ok(text) => {
            machine.set(NAME, "mounted", MOUNT);
            // "L3:0=7ff;1=7ff", one resource a line.
            let lines: Vec<&str> = text.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
            machine.set("cache.partition.schemata", crate::reading::clean(&lines.join(" ")), path);
        }
        Err(why @ (Unavailable::Denied | Unavailable::Unreadable(_))) => {
            return machine.unknown(NAME, why.reason(&path), path);
        }
        Err(Unavailable::Missing) => {
            let flags = ["cat_l3", "cat_l2", "cdp_l3", "mba"];
            if !evidence.is_x86() || evidence.cpuinfo.flags().is_none() {
                let why = "resctrl is not mounted; whether the processor supports cache allocation is not known";
                return machine.unknown(NAME, why, MOUNT);
            }
            if !flags.iter().any(|flag| evidence.cpuinfo.has_flag(flag)) {
                return machine.set(NAME, "not supported", crate::evidence::CPUINFO);
            }
            let remedy = "mount -t resctrl resctrl /sys/fs/resctrl";
            let why = "the processor can part its caches, but resctrl is not mounted, so its shares cannot be read";
            return machine.unknown(NAME, Reason::mended_by(why, remedy), MOUNT);
        }
    }
    for level in ["L2", "L3"] {
        let name = format!("cache.partition.{}", level.to_ascii_lowercase());
        let path = format!("{MOUNT}/info/{level}/cbm_mask");
        if let Ok(mask) = files.line(&path)
            && let Ok(bits) = u64::from_str_radix(&mask, 16)
        {
            machine.set_in(&format!("{name}.ways"), bits.count_ones(), Unit::Count, path);
        }
        let path = format!("{MOUNT}/info/{level}/num_closids");
        if let Ok(classes) = files.number(&path) {
            machine.set_in(&format!("{name}.classes"), classes, Unit::Count, path);
        }
    }
}
