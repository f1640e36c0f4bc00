//! The live machine as files: the real ones, and under `/cpulens` the results of instructions and system calls, so that a
//! captured machine can have them too.
use crate::{cpus, pages};
use record::CpuSet;
use std::{
    ffi::{CStr, c_char},
    fmt::Write,
    fs::{self, File},
    io::{self, Read},
    os::unix::fs::OpenOptionsExt,
};

/// Longest file that is read. The longest of interest, `/proc/cpuinfo` on a thousand CPUs, is below 2 MiB.
const MAX_BYTES: u64 = 16 << 20;

/// The folder of generated files.
const OURS: &str = "/cpulens";

/// This machine, now. Missing files are `NotFound`, forbidden ones `PermissionDenied`.
#[derive(Debug)]
pub struct Live {
    /// Read at creation: later the reading thread may be pinned.
    affinity: io::Result<CpuSet>,
}

impl Live {
    /// The machine as the calling thread sees it. Create it before pinning any thread.
    pub fn here() -> Live {
        Live { affinity: cpus::affinity() }
    }

    /// The bytes of a file of at most 16 MiB. Never waits for data.
    pub fn read(&self, path: &str) -> io::Result<Vec<u8>> {
        match path.strip_prefix(OURS).and_then(|rest| rest.strip_prefix('/')) {
            Some(name) => self.ours(name).map(String::into_bytes),
            None => read_file(path),
        }
    }

    /// The names in a folder, sorted.
    pub fn list(&self, path: &str) -> io::Result<Vec<String>> {
        if path.trim_end_matches('/') == OURS {
            let names = ["affinity", "auxv", "cpuid", "uname"];
            return Ok(names
                .into_iter()
                .filter(|name| self.ours(name).is_ok())
                .map(String::from)
                .collect());
        }
        let mut names = fs::read_dir(path)?
            .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
            .collect::<io::Result<Vec<String>>>()?;
        names.sort_unstable();
        Ok(names)
    }

    /// The target of a symbolic link, as written.
    pub fn link(&self, path: &str) -> io::Result<String> {
        Ok(fs::read_link(path)?.to_string_lossy().into_owned())
    }

    fn ours(&self, name: &str) -> io::Result<String> {
        match name {
            "affinity" => match &self.affinity {
                Ok(cpus) => Ok(format!("{cpus}\n")),
                Err(error) => Err(io::Error::new(error.kind(), error.to_string())),
            },
            "auxv" => Ok(auxv()),
            #[cfg(target_arch = "x86_64")]
            "cpuid" => Ok(crate::cpuid::text()),
            // Without the name in the network, since records are shared.
            "uname" => uname().map(|[system, _, release, version, machine]| {
                format!("{system}\n{release}\n{version}\n{machine}\n")
            }),
            _ => Err(io::ErrorKind::NotFound.into()),
        }
    }
}

fn read_file(path: &str) -> io::Result<Vec<u8>> {
    // Reads of some files of /proc and of pipes would block.
    let file = File::options().read(true).custom_flags(libc::O_NONBLOCK).open(path)?;
    let mut bytes = vec![];
    file.take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::new(
            io::ErrorKind::FileTooLarge,
            format!("longer than {} MiB", MAX_BYTES >> 20),
        ));
    }
    Ok(bytes)
}

/// The auxiliary vector's masks about the CPU, in hexadecimal: `AT_HWCAP 178bfbff`.
fn auxv() -> String {
    let mut out = String::new();
    // Writing to a String cannot fail.
    let _ = writeln!(out, "AT_HWCAP {:x}", auxiliary(libc::AT_HWCAP));
    let _ = writeln!(out, "AT_HWCAP2 {:x}", auxiliary(libc::AT_HWCAP2));
    let _ = writeln!(out, "AT_PAGESZ {}", pages::base_page());
    let platform = auxiliary(libc::AT_PLATFORM) as usize as *const c_char;
    if !platform.is_null() {
        // SAFETY: AT_PLATFORM, where it is present, is the address of a NUL-terminated string that the
        // kernel put on this process's first stack (getauxval(3)); nobody unmaps or writes that.
        let platform = unsafe { CStr::from_ptr(platform) };
        let _ = writeln!(out, "AT_PLATFORM {}", platform.to_string_lossy());
    }
    out
}

fn auxiliary(kind: libc::c_ulong) -> libc::c_ulong {
    // SAFETY: looks a number up in a table; 0 if it is not there.
    unsafe { libc::getauxval(kind) }
}

/// The machine's name in the network, for names of files; empty where that cannot be had.
pub fn host_name() -> String {
    uname().map_or_else(|_| String::new(), |[_, name, ..]| name)
}

/// System name, name in the network, release, version and machine. A filter of system calls may deny them.
fn uname() -> io::Result<[String; 5]> {
    // SAFETY: utsname is arrays of characters, for which all-zero bytes are a value.
    let mut names: libc::utsname = unsafe { std::mem::zeroed() };
    // SAFETY: the kernel writes one utsname, and `names` is one.
    if unsafe { libc::uname(&mut names) } != 0 {
        return Err(io::Error::last_os_error());
    }
    let libc::utsname { sysname, nodename, release, version, machine, .. } = names;
    Ok([sysname, nodename, release, version, machine].map(|field| {
        #[allow(clippy::unnecessary_cast, reason = "characters are unsigned on some targets")]
        let bytes = field.map(|c| c as u8);
        let text = CStr::from_bytes_until_nul(&bytes).unwrap_or_default();
        text.to_string_lossy().into_owned()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use io::ErrorKind::{NotADirectory, NotFound, PermissionDenied};

    fn text(path: &str) -> String {
        String::from_utf8(Live::here().read(path).unwrap()).unwrap()
    }

    #[test]
    fn every_listed_path_of_ours_can_be_read() {
        let live = Live::here();
        let names = live.list("/cpulens").unwrap();
        let expected: &[&str] = if cfg!(target_arch = "x86_64") {
            &["affinity", "auxv", "cpuid", "uname"]
        } else {
            &["affinity", "auxv", "uname"]
        };
        assert_eq!(names, expected);
        for name in names {
            assert!(text(&format!("/cpulens/{name}")).ends_with('\n'));
        }
        assert_eq!(live.read("/cpulens/else").unwrap_err().kind(), NotFound);
        assert_eq!(live.read("/cpulensed").unwrap_err().kind(), NotFound);
    }

    #[test]
    fn ours_say_what_the_kernel_says() {
        assert_eq!(text("/cpulens/affinity").parse::<CpuSet>().unwrap(), cpus::affinity().unwrap());
        assert!(text("/cpulens/auxv").contains(&format!("AT_PAGESZ {}\n", pages::base_page())));
        let uname = text("/cpulens/uname");
        let lines: Vec<&str> = uname.lines().collect();
        assert_eq!((lines.len(), lines[0]), (4, "Linux"));
        assert_eq!(lines[1], text("/proc/sys/kernel/osrelease").trim());
        assert_eq!(lines[2], text("/proc/sys/kernel/version").trim());
    }

    #[test]
    fn affinity_is_from_before_pinning() {
        let live = Live::here();
        let before = live.read("/cpulens/affinity").unwrap();
        let cpu = cpus::affinity().unwrap().first().unwrap();
        let _pinned = cpus::pin(cpu).unwrap();
        assert_eq!(live.read("/cpulens/affinity").unwrap(), before);
    }

    #[test]
    fn missing_and_denied_are_told_apart() {
        let live = Live::here();
        assert_eq!(live.read("/proc/no such file").unwrap_err().kind(), NotFound);
        assert_eq!(live.list("/proc/no such folder").unwrap_err().kind(), NotFound);
        assert_eq!(live.link("/proc/no such link").unwrap_err().kind(), NotFound);
        assert_eq!(live.list("/proc/version").unwrap_err().kind(), NotADirectory);
        // A switch that is only ever written: not even root may read it.
        match live.read("/proc/sys/vm/compact_memory") {
            Err(error) if error.kind() == NotFound => eprintln!("skipped: no such switch here"),
            other => assert_eq!(other.unwrap_err().kind(), PermissionDenied),
        }
    }

    #[test]
    fn folders_are_sorted_and_links_are_read() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        fs::write(at("b"), "x").unwrap();
        fs::write(at("a"), "x").unwrap();
        std::os::unix::fs::symlink("b", at("c")).unwrap();
        let live = Live::here();
        assert_eq!(live.list(folder.path().to_str().unwrap()).unwrap(), ["a", "b", "c"]);
        assert_eq!(live.link(at("c").to_str().unwrap()).unwrap(), "b");
        assert_eq!(live.read(at("c").to_str().unwrap()).unwrap(), b"x");
    }

    #[test]
    fn the_kernel_is_named_and_the_machine_only_for_files() {
        let text = |file: &str| fs::read_to_string(file).unwrap().trim().to_owned();
        let kernel = String::from_utf8(Live::here().read("/cpulens/uname").unwrap()).unwrap();
        let lines: Vec<&str> = kernel.lines().collect();
        assert_eq!(
            lines[..2],
            [text("/proc/sys/kernel/ostype"), text("/proc/sys/kernel/osrelease")]
        );
        assert_eq!(lines.len(), 4, "{kernel}");
        assert_eq!(host_name(), text("/proc/sys/kernel/hostname"));
    }

    #[test]
    fn files_without_end_are_refused() {
        assert_eq!(Live::here().read("/dev/zero").unwrap_err().kind(), io::ErrorKind::FileTooLarge);
    }
}
