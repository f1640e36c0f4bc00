//! This program as the only process of a guest. It mounts what probes need, answers lines from the console, and powers the
//! guest off. Source: mount(2), reboot(2), init(1).
use super::ANSWER;
use record::Reason;
use rustix::{
    mount::{MountFlags, mount},
    system::RebootCommand,
};
use std::{
    fs,
    io::{self, BufRead, Write},
    path::Path,
};

/// Filesystems and their mount points. A second mount of devtmpfs shows the first.
const MOUNTS: [(&str, &str); 5] = [
    ("devtmpfs", "/dev"),
    ("proc", "/proc"),
    ("sysfs", "/sys"),
    ("tmpfs", "/tmp"),
    ("cgroup2", "/sys/fs/cgroup"),
];

/// Answers each line with the result of `reply` until the input ends, then powers the guest off.
pub fn serve(mut reply: impl FnMut(&str) -> String) -> Result<(), Reason> {
    // The first process of a container already has its mounts.
    if std::process::id() != 1 || Path::new("/proc/self").exists() {
        return Err(Reason::new("this is for a guest's first process only"));
    }
    for (kind, place) in MOUNTS {
        // A missing one is reported by the probe that needs it.
        let _ = fs::create_dir_all(place);
        let _ = mount(kind, place, kind, MountFlags::empty(), None);
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
    // A closed console ends the guest.
    let _ = writeln!(out, "{ANSWER}{}", text.replace('\n', " "));
    let _ = out.flush();
}

fn off() {
    rustix::fs::sync();
    // `serve` has seen that this is the first process, of a guest that has no other. What is refused stays on.
    let _ = rustix::system::reboot(RebootCommand::PowerOff);
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
