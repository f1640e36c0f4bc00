//! Sources that several subjects use, read once: /proc/cpuinfo, CPUID, the SMBIOS table and the command line.
use crate::{
    cpuinfo::CpuInfo,
    decode::{cpuid::Cpuid, x86},
    reading::{Files, ReadResult, Unavailable, clean},
    scrub,
};
pub(crate) const CPUINFO: &str = "/proc/cpuinfo";
pub(crate) const CPUID: &str = "/cpulens/cpuid";
pub(crate) const SMBIOS: &str = "/sys/firmware/dmi/tables/DMI";
/// The SMBIOS table with a file for each structure, where the kernel or a collection of files has it so.
pub(crate) const SMBIOS_ENTRIES: &str = "/sys/firmware/dmi/entries";
pub(crate) const CMDLINE: &str = "/proc/cmdline";

/// Shared sources.
pub(crate) struct Evidence<'a> {
    pub(crate) files: Files<'a>,
    pub(crate) cpuinfo: CpuInfo,
    pub(crate) cpuid: Cpuid,
    pub(crate) smbios: ReadResult<Vec<u8>>,
    /// The kernel command line, scrubbed.
    pub(crate) cmdline: ReadResult<String>,
    /// `uname -m`: `x86_64`, `aarch64` ...
    pub(crate) arch: Option<(String, &'static str)>,
}

impl<'a> Evidence<'a> {
    pub(crate) fn gather(files: Files<'a>) -> Evidence<'a> {
        let cpuinfo = CpuInfo::parse(&files.text(CPUINFO).unwrap_or_default());
        let arch = arch(files, &cpuinfo);
        Evidence {
            cpuid: Cpuid::parse(&files.text(CPUID).unwrap_or_default()),
            smbios: smbios(files),
            cmdline: files.text(CMDLINE).map(|text| clean(&scrub::command_line(&text))),
            cpuinfo,
            arch,
            files,
        }
    }
    pub(crate) fn is_x86(&self) -> bool {
        self.arch_is(&["x86_64", "i686", "i586", "i386"])
    }
    pub(crate) fn is_arm(&self) -> bool {
        self.arch_is(&["aarch64", "armv7l", "armv8l", "arm"])
    }
    pub(crate) fn arch_is(&self, names: &[&str]) -> bool {
        self.arch.as_ref().is_some_and(|(arch, _)| names.contains(&arch.as_str()))
    }
    /// The value of `key=` on the command line.
    pub(crate) fn parameter(&self, key: &str) -> Option<&str> {
        let words = self.cmdline.as_deref().ok()?.split(' ');
        words.filter_map(|word| word.strip_prefix(key)?.strip_prefix('=')).next_back()
    }
}

/// The table, else its structures one after the other (`17-3` is the fourth of type 17).
fn smbios(files: Files<'_>) -> ReadResult<Vec<u8>> {
    let whole = files.bytes(SMBIOS);
    let Err(why) = whole else { return whole };
    let entry = |name: &String| {
        let (kind, at) = name.split_once('-')?;
        Some((kind.parse().ok()?, at.parse().ok()?))
    };
    let names = files.0.list(SMBIOS_ENTRIES).unwrap_or_default();
    let mut entries: Vec<(u8, u32)> = names.iter().filter_map(entry).collect();
    entries.retain(|(kind, _)| *kind < END_OF_TABLE);
    entries.sort_unstable();
    entries.truncate(MOST_ENTRIES);
    let (mut table, mut failed) = (vec![], None);
    for (kind, at) in entries {
        match files.bytes(&format!("{SMBIOS_ENTRIES}/{kind}-{at}/raw")) {
            Ok(structure) if table.len() < MOST_BYTES => table.extend(structure),
            Ok(_) => break,
            Err(why) => failed = Some(why),
        }
    }
    match table.is_empty() {
        false => Ok(table),
        true => Err(failed.filter(|_| why == Unavailable::Missing).unwrap_or(why)),
    }
}

/// The type of the last structure, and what belongs to OEMs behind it.
const END_OF_TABLE: u8 = 127;
const MOST_ENTRIES: usize = 4096;
const MOST_BYTES: usize = 1 << 20;

fn is_loongarch(words: &str) -> bool {
    ["Loongson-64bit", "Loongson-3A5000", "Loongson-3C"].iter().any(|name| words.contains(name))
}

/// The architecture: from uname, else from what only one architecture's /proc/cpuinfo says.
fn arch(files: Files<'_>, info: &CpuInfo) -> Option<(String, &'static str)> {
    let uname = files.text("/cpulens/uname").unwrap_or_default();
    if let Some(machine) = uname.lines().nth(3).map(clean).filter(|t| !t.is_empty()) {
        return Some((machine, "/cpulens/uname"));
    }
    if let Ok(machine) = files.line("/proc/sys/kernel/arch") {
        return Some((machine, "/proc/sys/kernel/arch"));
    }
    let source = match () {
        () if info.has_flag("lm") => "x86_64",
        () if info.get(&["vendor_id"]) == Some("IBM/S390") => "s390x",
        () if info.get(&["cpu family"]).is_some() && info.get(&["fpu_exception"]).is_some() => {
            "i686"
        }
        () if info.get(&["cpu family"]).is_some()
            && info.get(&["vendor_id"]).is_some_and(x86::is_vendor) =>
        {
            "x86_64"
        }
        () if info.get(&["cpu architecture"]) == Some("8") || info.has_flag("asimd") => "aarch64",
        () if info.get(&["cpu implementer"]).is_some() => "arm",
        // LoongArch has a line "ISA", too.
        () if info.get(&["isa"]).is_some_and(|isa| isa.starts_with("rv32")) => "riscv32",
        () if info.get(&["isa"]).is_some_and(|isa| isa.starts_with("rv"))
            || info.get(&["hart"]).is_some() =>
        {
            "riscv64"
        }
        () if info.get(&["model name", "cpu family"]).is_some_and(is_loongarch) => "loongarch64",
        () if info.get(&["cpu"]).is_some_and(|t| t.starts_with("POWER")) => "ppc64",
        () => return None,
    };
    Some((source.into(), "the exporter of /proc/cpuinfo"))
}
