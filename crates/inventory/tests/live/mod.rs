//! The machine the tests run on as a `Root`, for tests only: the program has its own.
use inventory::{Root, root::bounded};
use std::{fs, io};

#[derive(Debug)]
pub(crate) struct Live;

impl Root for Live {
    fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match path.strip_prefix("/cpulens/") {
            Some(name) => synthetic(name),
            None => bounded(fs::File::open(path)?),
        }
    }
    fn list(&self, path: &str) -> io::Result<Vec<String>> {
        fs::read_dir(path)?.map(|e| Ok(e?.file_name().to_string_lossy().into_owned())).collect()
    }
    fn link(&self, path: &str) -> io::Result<String> {
        Ok(fs::read_link(path)?.to_string_lossy().into_owned())
    }
}

fn synthetic(name: &str) -> io::Result<Vec<u8>> {
    let text = match name {
        "cpuid" => cpuid(),
        "affinity" => {
            let status = fs::read_to_string("/proc/self/status")?;
            status
                .lines()
                .find_map(|l| l.strip_prefix("Cpus_allowed_list:"))
                .map(|l| l.trim().to_string() + "\n")
        }
        "uname" => {
            let line = |file: &str| fs::read_to_string(format!("/proc/sys/kernel/{file}"));
            Some(format!(
                "{}{}{}{}\n",
                line("ostype")?,
                line("osrelease")?,
                line("version")?,
                std::env::consts::ARCH
            ))
        }
        "auxv" => {
            let raw = fs::read("/proc/self/auxv")?;
            let word = |at: usize| u64::from_ne_bytes(raw[at..at + 8].try_into().unwrap());
            let names = [(6, "AT_PAGESZ"), (16, "AT_HWCAP"), (26, "AT_HWCAP2")];
            let line = |at: usize| {
                let (_, name) = names.iter().find(|(key, _)| *key == word(at))?;
                let value = word(at + 8);
                Some(if *name == "AT_PAGESZ" {
                    format!("{name} {value}\n")
                } else {
                    format!("{name} {value:x}\n")
                })
            };
            Some((0..raw.len() / 16).filter_map(|i| line(i * 16)).collect())
        }
        _ => None,
    };
    text.map(String::into_bytes).ok_or_else(|| io::ErrorKind::NotFound.into())
}

#[cfg(target_arch = "x86_64")]
fn cpuid() -> Option<String> {
    let mut text = String::new();
    for base in [0u32, 0x4000_0000, 0x8000_0000] {
        let highest = std::arch::x86_64::__cpuid_count(base, 0).eax.clamp(base, base + 0x20);
        for leaf in base..=highest {
            let subleaves = if matches!(leaf, 4 | 7 | 0xb | 0x8000_001d) { 5 } else { 1 };
            for sub in 0..subleaves {
                let r = std::arch::x86_64::__cpuid_count(leaf, sub);
                // APIC ids and the like say which CPU it was; two captures shall be equal.
                let ebx = if leaf == 1 { r.ebx & 0x00ff_ffff } else { r.ebx };
                let edx = if leaf == 0xb { 0 } else { r.edx };
                text += &format!("{leaf:x} {sub:x} {:x} {ebx:x} {:x} {edx:x}\n", r.eax, r.ecx);
            }
        }
    }
    Some(text)
}

#[cfg(not(target_arch = "x86_64"))]
fn cpuid() -> Option<String> {
    None
}
