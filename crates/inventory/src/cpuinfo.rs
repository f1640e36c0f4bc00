//! `/proc/cpuinfo` in any dialect: x86 and arm64 list one block per CPU, old arm, MIPS and s390 put shared lines
//! before or after, SPARC and Alpha have no block at all, LoongArch says `Package` where x86 says `physical id`, old arm
//! of one CPU has no number, old RISC-V numbers harts.
use crate::reading::{MAX_TEXT, clean};
use std::collections::BTreeMap;

/// The content of the file: shared lines, and the CPUs.
#[derive(Debug, Default)]
pub(crate) struct CpuInfo {
    /// Values of the first CPU and of lines outside CPU blocks, by lower-case key; the first of a key wins.
    shared: BTreeMap<String, String>,
    /// CPUs in order of appearance.
    pub(crate) cpus: Vec<Entry>,
}

/// One CPU's numbers.
#[derive(Debug, Default, Clone)]
pub(crate) struct Entry {
    pub(crate) id: u32,
    pub(crate) package: Option<u32>,
    pub(crate) core: Option<u32>,
    pub(crate) implementer: Option<u32>,
    pub(crate) part: Option<u32>,
    pub(crate) variant: Option<u32>,
    pub(crate) revision: Option<u32>,
    pub(crate) mhz: Option<f64>,
}

/// More CPUs than any kernel has; the rest of a longer file is not looked at.
const MAX_CPUS: usize = 65_536;

impl CpuInfo {
    pub(crate) fn parse(text: &str) -> CpuInfo {
        let (mut info, mut harts) = (CpuInfo::default(), 0);
        for line in text.lines() {
            let Some((key, value)) = line.split_once(':') else { continue };
            let key = key.trim().to_ascii_lowercase();
            let value = value.trim();
            if key.len() > 64 {
                continue;
            }
            // s390: "processor 0: version = 00, identification = ..."
            let id = match key.strip_prefix("processor") {
                Some("") => value.parse().ok(),
                Some(number) => number.trim().parse().ok(),
                // SPARC: "CPU0: online"
                None if value == "online" => key.strip_prefix("cpu").and_then(|n| n.parse().ok()),
                None if key == "hart" && info.cpus.len() == harts => {
                    value.parse().ok().inspect(|_: &u32| harts += 1)
                }
                None => None,
            };
            if let Some(id) = id.filter(|id| *id <= record::CpuSet::MAX) {
                if info.cpus.len() >= MAX_CPUS {
                    break;
                }
                info.cpus.push(Entry { id, ..Entry::default() });
                continue;
            }
            if let Some(cpu) = info.cpus.last_mut() {
                match key.as_str() {
                    "physical id" | "package" => cpu.package = value.parse().ok(),
                    "core id" | "core" => cpu.core = value.parse().ok(),
                    "cpu implementer" => cpu.implementer = hex(value),
                    "cpu part" => cpu.part = hex(value),
                    "cpu variant" => cpu.variant = hex(value),
                    "cpu revision" => cpu.revision = value.parse().ok(),
                    "cpu mhz" => cpu.mhz = value.parse().ok().filter(|mhz: &f64| mhz.is_finite()),
                    _ => {}
                }
            }
            if info.shared.len() < 512 && !info.shared.contains_key(&key) {
                let value = clean(value.get(..MAX_TEXT).unwrap_or(value));
                if !value.is_empty() {
                    info.shared.insert(key, value);
                }
            }
        }
        // Alpha counts its CPUs, and kernels without SMP number none.
        if info.cpus.is_empty() {
            let counted = info.get(&["cpus active"]).and_then(|n| n.parse().ok());
            let alone = info.get(&["cpu implementer"]).map(|_| 1);
            let all = 0..counted.or(alone).unwrap_or(0).min(MAX_CPUS as u32);
            info.cpus.extend(all.map(|id| Entry { id, ..Entry::default() }));
        }
        info
    }
    /// The first value under any of these keys (lower case).
    pub(crate) fn get(&self, keys: &[&str]) -> Option<&str> {
        keys.iter().find_map(|key| self.shared.get(*key)).map(String::as_str)
    }
    /// The words of the flags line, under whatever name.
    pub(crate) fn flags(&self) -> Option<&str> {
        self.get(&["flags", "features", "isa", "ases implemented", "cpucaps"])
    }
    pub(crate) fn has_flag(&self, flag: &str) -> bool {
        self.flags().is_some_and(|flags| flags.split_whitespace().any(|f| f == flag))
    }
}

/// `0x48` or `48` (both hexadecimal).
pub(crate) fn hex(text: &str) -> Option<u32> {
    u32::from_str_radix(text.trim().trim_start_matches("0x"), 16).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn dialects() {
        let x86 = CpuInfo::parse(
            "processor\t: 0\nphysical id\t: 1\ncore id\t: 3\nmodel name\t: A: B\n\nprocessor\t: 9\ncpu MHz\t: 2100.5\n",
        );
        assert_eq!((x86.cpus[0].package, x86.cpus[0].core, x86.cpus[1].id), (Some(1), Some(3), 9));
        assert_eq!(x86.get(&["model name"]), Some("A: B"));
        assert_eq!(x86.cpus[1].mhz, Some(2100.5));
        let old_arm = CpuInfo::parse(
            "Processor\t: ARMv7 rev 2\nprocessor\t: 0\nprocessor\t: 1\nFeatures : neon\n",
        );
        assert_eq!(old_arm.cpus.len(), 2);
        let alone = CpuInfo::parse("Processor : ARMv7 rev 3\nCPU implementer : 0x41\n");
        assert_eq!((alone.cpus.len(), alone.cpus[0].id), (1, 0));
        let sparc = CpuInfo::parse("cpu : UltraSparc\nCPU0: online\nCPU2: online\nCPU3: offline\n");
        assert_eq!(sparc.cpus.iter().map(|c| c.id).collect::<Vec<_>>(), [0, 2]);
        let alpha = CpuInfo::parse("cpu : Alpha\ncpus detected : 4\ncpus active : 3\n");
        assert_eq!(alpha.cpus.iter().map(|c| c.id).collect::<Vec<_>>(), [0, 1, 2]);
        let riscv = CpuInfo::parse("hart : 1\nisa : rv64imafdc\n\nhart : 2\nisa : rv64imafdc\n");
        assert_eq!(riscv.cpus.iter().map(|c| c.id).collect::<Vec<_>>(), [1, 2]);
        let both = CpuInfo::parse("processor : 0\nhart : 1\n\nprocessor : 1\nhart : 2\n");
        assert_eq!(both.cpus.iter().map(|c| c.id).collect::<Vec<_>>(), [0, 1]);
        assert!(old_arm.has_flag("neon"));
        let s390 = CpuInfo::parse(
            "vendor_id : IBM/S390\nprocessor 0: version = FF\nprocessor 1: version = FF\n",
        );
        assert_eq!(s390.cpus.len(), 2);
    }

    proptest! {
        #[test]
        fn any_text_survives(text in "([pP]rocessor|core id|cpu MHz|[a-z]{0,3})[ \t:0-9x-]{0,12}\n(.{0,30}\n){0,5}") {
            CpuInfo::parse(&text.repeat(3));
        }
    }
}
