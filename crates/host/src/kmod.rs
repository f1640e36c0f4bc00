//! The kernel module of `kmod/`: built with the machine's headers if necessary, loaded, and used for passes. It is unloaded
//! when it is dropped, or by a supervisor when this program dies. Where the kernel would refuse it, nothing is tried.
//! Source: finit_module(2), delete_module(2), capabilities(7), kernel_lockdown(7); kernel: Documentation/kbuild/modules.rst.
mod build;
mod gate;

pub use build::Built;

use crate::child::Cleanup;
use filesystem::directory::refuse_exchangeable_file;
use gate::Gate;
use record::{OrWhy, Reason};
use rustix::system::{delete_module, finit_module};
use std::{
    ffi::CStr,
    fs::{self, File},
    io,
    os::unix::fs::{FileExt, OpenOptionsExt},
    path::Path,
    time::Duration,
};

/// The module's name in the kernel.
const NAME: &CStr = c"cpulens_noise";
/// Exists while the module is loaded.
const LOADED: &str = "/sys/module/cpulens_noise";
/// The module's device.
const DEVICE: &str = "/dev/cpulens_noise";
/// Longest time without interrupts in nanoseconds; the module allows no more.
const QUANTUM: u32 = 2_000_000;
/// Waits of 10 ms for udev to create the device.
const PATIENCE: u32 = 200;

record::named! {
    /// Whether interrupts reach the core during a quantum.
    pub enum Interrupts {
        /// Interrupts are enabled.
        On = "on",
        /// Interrupts are disabled during a quantum.
        Off = "off",
    }
}

/// The module's report of a pass.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pass {
    /// Primes.
    pub found: u64,
    /// Nanoseconds of the pass.
    pub wall: u64,
    /// Nanoseconds within quanta.
    pub worked: u64,
    /// The longest quantum, in nanoseconds.
    pub longest: u64,
    /// FNV-1a of the machine code that ran.
    pub hash: u64,
    /// The longest quantum by the counter of cycles, in nanoseconds; 0 from a module that does not tell.
    pub longest_cycles: u64,
}

/// The loaded module. It is unloaded when this is dropped.
#[derive(Debug)]
pub struct Module {
    device: Option<File>,
    /// Unloads it if this process is killed.
    cleanup: Option<Cleanup>,
}

/// Checks, before the build, whether the kernel would let this process load the module.
pub fn permitted() -> Result<(), Reason> {
    Gate::read().open()
}

impl Module {
    /// Checks [`permitted`], then loads the module from a file built for the running kernel, which only root may change.
    pub fn load(file: &Path) -> Result<Module, Reason> {
        permitted()?;
        let shown = file.display();
        let opened = refuse_exchangeable_file(file).and_then(|()| File::open(file));
        let object = opened.map_err(|e| Reason::new(format!("{shown}: {e}")))?;
        if Path::new(LOADED).exists() {
            // Left by a cpulens that was killed together with its supervisor.
            delete().map_err(|e| {
                Reason::mended_by(
                    format!("cpulens_noise is loaded already and does not go: {e}"),
                    "wait for the other cpulens, or: rmmod cpulens_noise",
                )
            })?;
        }
        let cleanup = Cleanup::of_module(NAME).ok();
        if let Err(error) = finit_module(object, c"", 0) {
            let why = gate::refused(&shown.to_string(), &error.into());
            cleanup.into_iter().for_each(Cleanup::cancel);
            return Err(why);
        }
        let mut module = Module { device: None, cleanup };
        module.device = Some(device()?);
        Ok(module)
    }

    /// One pass over the numbers `first..last`, on the calling thread.
    pub fn pass(
        &mut self,
        interrupts: Interrupts,
        (first, last): (u64, u64),
    ) -> Result<Pass, Reason> {
        let failed = |e: io::Error| Reason::new(format!("{DEVICE}: {e}"));
        let device = self.device.as_ref().ok_or("the module is gone")?;
        let asked = format!("{} {first} {last} {QUANTUM}", interrupts.name());
        device.write_at(asked.as_bytes(), 0).map_err(failed)?;
        let mut text = [0; 512];
        let length = device.read_at(&mut text, 0).map_err(failed)?;
        let pass = Pass::read(&String::from_utf8_lossy(&text[..length]))
            .ok_or_else(|| Reason::new(format!("{DEVICE} gives no result that is understood")))?;
        pass.has_time().then_some(pass).or_why(
            "the clock source stands still while interrupts are off",
            "another one of /sys/devices/system/clocksource/clocksource0/available_clocksource",
        )
    }
}

impl Drop for Module {
    fn drop(&mut self) {
        // An open device would keep it loaded.
        drop(self.device.take());
        if delete().is_ok() {
            self.cleanup.take().into_iter().for_each(Cleanup::cancel);
        }
        // Otherwise the supervisor keeps trying for some seconds.
    }
}

impl Pass {
    /// Whether the clock ran during the longest quantum as the counter of cycles did. Jiffies do not with interrupts off.
    fn has_time(&self) -> bool {
        self.longest >= self.longest_cycles / 2
    }
    /// Parses lines of a name and a number.
    fn read(text: &str) -> Option<Pass> {
        let word =
            |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let number = |name| word(name)?.parse().ok();
        Some(Pass {
            found: number("found")?,
            wall: number("wall")?,
            worked: number("worked")?,
            longest: number("longest")?,
            hash: u64::from_str_radix(word("hash")?, 16).ok()?,
            longest_cycles: number("longest_cycles").unwrap_or(0),
        })
    }
}

/// Opens the device as soon as it exists; only root may.
fn device() -> Result<File, Reason> {
    let mut tries = 0..PATIENCE;
    loop {
        let opened =
            File::options().read(true).write(true).custom_flags(libc::O_CLOEXEC).open(DEVICE);
        match (opened, tries.next()) {
            (Ok(device), _) => return Ok(device),
            (Err(e), Some(_)) if e.kind() == io::ErrorKind::NotFound => {
                crate::clock::sleep(Duration::from_millis(10));
            }
            (Err(e), _) => {
                return Err(Reason::mended_by(
                    format!("the module is loaded, but {DEVICE} cannot be opened: {e}"),
                    "run where /dev is the kernel's own (devtmpfs), not in a container",
                ));
            }
        }
    }
}

/// Unloads it, unless it is in use (EWOULDBLOCK).
fn delete() -> io::Result<()> {
    Ok(delete_module(NAME, libc::O_NONBLOCK)?)
}

/// The running kernel's release, as `uname -r` prints it.
pub fn release() -> Option<String> {
    fs::read_to_string("/proc/sys/kernel/osrelease").ok().map(|text| text.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_is_named_numbers() {
        let text = "found 78497\nwall 130000000\nworked 129000000\nlongest 1999000\nquanta 66\nhash d917a9c3fc5ccc45\n";
        let pass = Pass::read(text).unwrap();
        assert_eq!((pass.found, pass.longest), (78_497, 1_999_000));
        assert_eq!(pass.hash, 0xd917_a9c3_fc5c_cc45);
        assert!(pass.has_time());
        assert_eq!(Pass::read(&text.replace("worked", "slept")), None);
        // Of a kernel with the clock source jiffies.
        let jiffies = "found 7224\nwall 40000000\nworked 0\nlongest 0\nquanta 14\nhash d917a9c3fc5ccc45\nlongest_cycles 6188095\n";
        assert!(!Pass::read(jiffies).unwrap().has_time());
        assert_eq!(Pass::read(""), None);
    }

    /// Depends on the machine; a test loads no module.
    #[test]
    fn a_file_that_is_no_module_is_refused_and_nothing_stays() {
        let refused = Module::load(Path::new("/dev/null")).map(drop);
        assert!(refused.is_err());
        assert!(!Path::new(LOADED).exists());
    }
}
