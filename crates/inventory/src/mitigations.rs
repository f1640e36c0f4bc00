//! One fact for each CPU vulnerability that the kernel reports on, in the kernel's words.
use crate::{evidence::Evidence, reading::Presence, reading::Unavailable};
use record::Machine;

const BASE: &str = "/sys/devices/system/cpu/vulnerabilities";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    match files.0.list(BASE) {
        Ok(names) => {
            let known = |name: &&String| {
                name.len() <= 48
                    && name.chars().all(|c| c.is_ascii_alphanumeric() || "_-".contains(c))
            };
            for name in names.iter().filter(known).take(256) {
                let (fact, path) = (format!("kernel.mitigations.{name}"), format!("{BASE}/{name}"));
                files.fact(machine, &fact, &path, Presence::Always);
            }
        }
        Err(error) => {
            machine.unknown("kernel.mitigations", Unavailable::from(&error).reason(BASE), BASE)
        }
    }
}
