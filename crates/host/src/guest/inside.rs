//! The other side: this program as the only process of a guest. It mounts what measuring needs, answers lines from the
//! console, and switches the guest off. Source: mount(2), reboot(2), init(1).
use super::ANSWER;
use record::Reason;
use std::{
    ffi::{CStr, CString},
    fs,
    io::{self, BufRead, Write},
    path::Path,
};

/// File systems, and where they go; the kernel lets a second mount of devtmpfs find the first.
const MOUNTS: [(&CStr, &str); 5] = [
    (c"devtmpfs", "/dev"),
    (c"proc", "/proc"),
    (c"sysfs", "/sys"),
    (c"tmpfs", "/tmp"),
    (c"cgroup2", "/sys/fs/cgroup"),
];

/// Answers each line by what `reply` makes of it until there are no more, then switches the guest off.
pub fn serve(mut reply: impl FnMut(&str) -> String) -> Result<(), Reason> {
    // A container's first process has what the host mounted for it.
    if std::process::id() != 1 || Path::new("/proc/self").exists() {
        return Err(Reason::new("this is for a guest's first process only"));
    }
    for (kind, place) in MOUNTS {
        // Without one of them less can be measured, which is told where it is missed.
        let _ = mount(kind, place);
    }
    say("ready");
    let mut lines = io::stdin().lock().lines();
    while let Some(Ok(line)) = lines.next() {
        say(&reply(line.trim()));
    }
    off();
    Ok(())
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    // Whoever does not listen any more ends the guest.
    let _ = writeln!(out, "{ANSWER}{}", text.replace('\n', " "));
    let _ = out.flush();
}

fn mount(kind: &CStr, place: &str) -> io::Result<()> {
    fs::create_dir_all(place)?;
    let place = CString::new(place)?;
    // SAFETY: three strings that end with a zero byte, no flags and no data; memory of this process is not touched.
    let done =
        unsafe { libc::mount(kind.as_ptr(), place.as_ptr(), kind.as_ptr(), 0, std::ptr::null()) };
    if done == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

fn off() {
    // SAFETY: takes nothing.
    unsafe { libc::sync() };
    // SAFETY: takes an integer; `serve` has seen that this is the first process, of a guest that has no other.
    unsafe { libc::reboot(libc::RB_POWER_OFF) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_else_mounts_or_switches_off() {
        let mut asked = false;
        assert!(
            serve(|_| {
                asked = true;
                String::new()
            })
            .is_err()
        );
        assert!(!asked);
    }
}
