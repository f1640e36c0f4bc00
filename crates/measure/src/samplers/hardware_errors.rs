//! Errors that the hardware reported meanwhile: of memory by EDAC's controllers, and machine checks by `/proc/interrupts`.
//! Source: Linux, Documentation/driver-api/edac.rst; arch/x86/kernel/irq.c (`MCE`, `THR`, `DFR`).
use crate::sampler::{Sampler, Watch};
use record::{CpuSet, Reading, Reason, Unit};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

/// Controllers and lines at most.
const MOST: usize = 4096;

/// Counts of EDAC and of machine checks.
pub(crate) static SAMPLER: Sampler =
    Sampler { open: || open_at("/".as_ref()), slows_switches: false };

fn open_at(root: &Path) -> Result<Box<dyn Watch>, Reason> {
    let watch = Open { root: root.to_owned(), before: BTreeMap::new() };
    match watch.counts().is_empty() {
        false => Ok(Box::new(watch)),
        true => Err(Reason::mended_by(
            "no driver counts errors of memory (EDAC) or machine checks here, as in most guests",
            "on the host: modprobe the EDAC driver of its memory controller",
        )),
    }
}

struct Open {
    root: PathBuf,
    before: BTreeMap<&'static str, u64>,
}

impl Open {
    /// The counts that are there.
    fn counts(&self) -> BTreeMap<&'static str, u64> {
        let mut all = BTreeMap::new();
        let controllers = fs::read_dir(self.root.join("sys/devices/system/edac/mc"));
        for controller in controllers.into_iter().flatten().flatten().take(MOST) {
            for (name, file) in [("corrected", "ce_count"), ("uncorrected", "ue_count")] {
                let text = fs::read_to_string(controller.path().join(file));
                if let Some(count) = text.ok().and_then(|text| text.trim().parse::<u64>().ok()) {
                    *all.entry(name).or_default() += count;
                }
            }
        }
        let interrupts = fs::read_to_string(self.root.join("proc/interrupts")).unwrap_or_default();
        for line in interrupts.lines().take(MOST) {
            let mut words = line.split_whitespace();
            if let Some("MCE:") = words.next() {
                let counts = words.map_while(|word| word.parse::<u64>().ok());
                all.insert("machine_checks", counts.sum());
            }
        }
        all
    }
}

impl Watch for Open {
    fn start(&mut self, _: &CpuSet) {
        self.before = self.counts();
    }
    fn stop(&mut self) -> Vec<Reading> {
        let before = std::mem::take(&mut self.before);
        let more = |(name, now): (&'static str, u64)| {
            let more = now.checked_sub(*before.get(name)?)?;
            Some(Reading::new(format!("hardware_errors.{name}"), Unit::Count, more as f64))
        };
        self.counts().into_iter().filter_map(more).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(top: &Path, corrected: &str, checks: &str) {
        let controller = top.join("sys/devices/system/edac/mc/mc0");
        fs::create_dir_all(&controller).unwrap();
        fs::create_dir_all(top.join("proc")).unwrap();
        fs::write(controller.join("ce_count"), corrected).unwrap();
        let text = format!("      CPU0  CPU1\nMCE:  {checks}   Machine check exceptions\n");
        fs::write(top.join("proc/interrupts"), text).unwrap();
    }

    #[test]
    fn what_was_counted_meanwhile_is_read_and_what_cannot_be_is_no_zero() {
        let top = tempfile::tempdir().unwrap();
        assert!(open_at(top.path()).is_err_and(|why| why.why.contains("EDAC")));
        put(top.path(), "7\n", "1 2");
        let mut watch = open_at(top.path()).unwrap();
        watch.start(&CpuSet::default());
        put(top.path(), "10\n", "1 4");
        let value =
            |all: &[Reading], name: &str| all.iter().find(|r| r.name == name).map(|r| r.value);
        let readings = watch.stop();
        assert_eq!(value(&readings, "hardware_errors.corrected"), Some(3.0));
        assert_eq!(value(&readings, "hardware_errors.machine_checks"), Some(2.0));
        assert_eq!(value(&readings, "hardware_errors.uncorrected"), None);
        // A driver that was loaded anew counts from zero.
        watch.start(&CpuSet::default());
        put(top.path(), "0\n", "1 4");
        assert_eq!(value(&watch.stop(), "hardware_errors.corrected"), None);
    }
}
