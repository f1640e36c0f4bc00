//! Checks before the build whether this kernel lets this process load a module.
use record::Reason;
use std::{fs, io};

/// CAP_SYS_MODULE of linux/capability.h.
const SYS_MODULE: u32 = 16;

/// The system's settings. One that cannot be read counts as permissive.
#[derive(Debug, Default)]
pub(super) struct Gate {
    /// `/proc/self/status`
    status: String,
    /// `/proc/sys/kernel/modules_disabled`
    disabled: String,
    /// `/sys/kernel/security/lockdown`
    lockdown: String,
    /// `/sys/module/module/parameters/sig_enforce`
    enforced: String,
    /// Whether the kernel has modules at all.
    modules: bool,
}

impl Gate {
    pub(super) fn read() -> Gate {
        let text = |file: &str| fs::read_to_string(file).unwrap_or_default();
        Gate {
            status: text("/proc/self/status"),
            disabled: text("/proc/sys/kernel/modules_disabled"),
            lockdown: text("/sys/kernel/security/lockdown"),
            enforced: text("/sys/module/module/parameters/sig_enforce"),
            modules: fs::exists("/proc/modules").unwrap_or(false),
        }
    }

    /// Refuses if anything forbids it.
    pub(super) fn open(&self) -> Result<(), Reason> {
        let refuse = |why: &str, remedy: &str| Err(Reason::mended_by(why, remedy));
        if !self.modules {
            return Err(Reason::new("this kernel has no loadable modules (no /proc/modules)"));
        }
        let held = self.status.lines().find_map(|line| line.strip_prefix("CapEff:"));
        let held = held.and_then(|hex| u64::from_str_radix(hex.trim(), 16).ok());
        if held.is_some_and(|held| held >> SYS_MODULE & 1 == 0) {
            return refuse(
                "loading a kernel module needs the capability CAP_SYS_MODULE",
                "run as root, outside a container",
            );
        }
        if self.disabled.trim() == "1" {
            return refuse(
                "modules were disabled until the next boot (kernel.modules_disabled = 1)",
                "boot without that setting",
            );
        }
        for level in ["integrity", "confidentiality"] {
            if self.lockdown.contains(&format!("[{level}]")) {
                return refuse(
                    &format!("the kernel is locked down ({level}), and the module is not signed"),
                    "boot without secure boot or lockdown=, on a machine for tests",
                );
            }
        }
        if self.enforced.trim() == "Y" {
            return refuse(
                "this kernel takes signed modules only (module.sig_enforce)",
                "boot without module.sig_enforce, on a machine for tests",
            );
        }
        Ok(())
    }
}

/// The reason for the errno of a refused module.
pub(super) fn refused(file: &str, error: &io::Error) -> Reason {
    let of = |why: &str, remedy: &str| Reason::mended_by(format!("{file}: {why}"), remedy);
    match error.raw_os_error() {
        Some(libc::ENOEXEC) => of(
            "no module that this kernel takes; it was built for another one",
            "build it for the running kernel, or give --kmod alone to have that done",
        ),
        Some(libc::EKEYREJECTED | libc::ENOKEY) => of(
            "the kernel wants it signed with a key that it knows",
            "sign it, or boot without module.sig_enforce, on a machine for tests",
        ),
        Some(libc::EPERM) => of(
            "the kernel forbids it (lockdown, a security module or a container)",
            "run as root, outside a container; dmesg says what forbade it",
        ),
        _ => Reason::new(format!("{file}: the kernel does not load it: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gate() -> Gate {
        Gate {
            status: "Name:\tx\nCapEff:\t000001ffffffffff\n".into(),
            disabled: "0\n".into(),
            lockdown: "[none] integrity confidentiality\n".into(),
            enforced: "N\n".into(),
            modules: true,
        }
    }

    #[test]
    fn each_lock_is_told_with_its_remedy() {
        assert_eq!(gate().open(), Ok(()));
        assert_eq!(Gate { modules: true, ..Gate::default() }.open(), Ok(()), "nothing is known");
        for (locked, word) in [
            (Gate { status: "CapEff:\t00000000a80425fb\n".into(), ..gate() }, "CAP_SYS_MODULE"),
            (Gate { disabled: "1\n".into(), ..gate() }, "modules_disabled"),
            (Gate { lockdown: "none [integrity] confidentiality".into(), ..gate() }, "locked down"),
            (Gate { lockdown: "none integrity [confidentiality]".into(), ..gate() }, "locked down"),
            (Gate { enforced: "Y\n".into(), ..gate() }, "signed"),
        ] {
            let reason = locked.open().unwrap_err();
            assert!(reason.why.contains(word) && reason.remedy.is_some(), "{reason}");
        }
        assert!(Gate { modules: false, ..gate() }.open().is_err());
    }

    #[test]
    fn the_kernels_own_refusals_are_worded() {
        for errno in [libc::ENOEXEC, libc::EKEYREJECTED, libc::EPERM] {
            let reason = refused("x.ko", &io::Error::from_raw_os_error(errno));
            assert!(reason.why.starts_with("x.ko: ") && reason.remedy.is_some());
        }
        assert!(refused("x.ko", &io::Error::from_raw_os_error(libc::ENOMEM)).remedy.is_none());
    }
}
