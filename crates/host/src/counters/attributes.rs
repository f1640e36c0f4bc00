//! The system call and its argument. Source: linux/perf_event.h, perf_event_open(2).
use super::{Event, Mode};
use crate::syscall::checked;
use std::{
    io, mem,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    ptr,
};

/// The first 64 bytes of `perf_event_attr`, which every kernel with the call knows.
#[repr(C)]
#[derive(Default)]
pub(super) struct Attributes {
    kind: u32,
    size: u32,
    config: u64,
    sample_period: u64,
    sample_type: u64,
    read_format: u64,
    flags: u64,
    wakeup_events: u32,
    breakpoint_type: u32,
    breakpoint_address: u64,
}

const DISABLED: u64 = 1;
const INHERIT: u64 = 1 << 1;
const EXCLUDE_KERNEL: u64 = 1 << 5;
const EXCLUDE_HV: u64 = 1 << 6;
const ENABLE_ON_EXEC: u64 = 1 << 12;
const FORMAT_TIME_ENABLED: u64 = 1;
const FORMAT_TIME_RUNNING: u64 = 2;
const FLAG_CLOEXEC: libc::c_ulong = 8;
const WHOLE_GROUP: libc::c_ulong = 1;
pub(super) const ENABLE: libc::c_ulong = 0x2400;
pub(super) const DISABLE: libc::c_ulong = 0x2401;

/// The task or CPU of one descriptor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Target {
    /// A thread; 0 for the calling one, -1 for all.
    pub(super) pid: libc::pid_t,
    /// A CPU; -1 for any.
    pub(super) cpu: i32,
    /// Whether its later children and threads are counted too.
    pub(super) inherit: bool,
    /// Whether counting begins at exec.
    pub(super) on_exec: bool,
}

impl Attributes {
    /// For a group leader or a member. Each event is read by itself: before Linux 4.13 an inherited group could not be read as
    /// one (PERF_FORMAT_GROUP).
    pub(super) fn new(event: &Event, mode: Mode, target: &Target, leads: bool) -> Attributes {
        let flag = |set: bool, flag: u64| if set { flag } else { 0 };
        Attributes {
            kind: event.kind,
            size: mem::size_of::<Attributes>() as u32,
            config: event.config,
            read_format: FORMAT_TIME_ENABLED | FORMAT_TIME_RUNNING,
            flags: flag(mode == Mode::User, EXCLUDE_KERNEL | EXCLUDE_HV)
                | flag(target.inherit, INHERIT)
                | flag(leads, DISABLED)
                | flag(leads && target.on_exec, ENABLE_ON_EXEC),
            ..Attributes::default()
        }
    }
}

/// Opens one counter.
pub(super) fn open(
    attributes: &Attributes,
    target: &Target,
    group: Option<&OwnedFd>,
) -> io::Result<OwnedFd> {
    let leader = group.map_or(-1, AsRawFd::as_raw_fd);
    // SAFETY: the kernel reads `size` bytes from `attributes`, which is as long, and writes there only how long its own
    // are (E2BIG), a field of the same struct. The other arguments are integers.
    let fd = checked(unsafe {
        libc::syscall(
            libc::SYS_perf_event_open,
            ptr::from_ref(attributes),
            target.pid,
            target.cpu,
            leader,
            FLAG_CLOEXEC,
        )
    })?;
    // SAFETY: the call succeeded, so this is a new descriptor that nobody else knows.
    Ok(unsafe { OwnedFd::from_raw_fd(fd as i32) })
}

/// Switches the group of a leader on or off.
pub(super) fn control_group(leader: &OwnedFd, request: libc::c_ulong) -> io::Result<()> {
    // SAFETY: both requests take an integer and touch no memory of ours.
    checked(unsafe { libc::ioctl(leader.as_raw_fd(), request as _, WHOLE_GROUP) }).map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The layout that the kernel calls PERF_ATTR_SIZE_VER0.
    #[test]
    fn attributes_have_the_size_every_kernel_knows() {
        assert_eq!(mem::size_of::<Attributes>(), 64);
        assert_eq!(mem::offset_of!(Attributes, read_format), 32);
        assert_eq!(mem::offset_of!(Attributes, flags), 40);
    }

    #[test]
    fn flags_say_who_is_counted_and_from_when() {
        let held = Target { pid: 5, cpu: -1, inherit: true, on_exec: true };
        let flags = |mode, target: &Target, leads| {
            Attributes::new(&Event::cycles(), mode, target, leads).flags
        };
        assert_eq!(flags(Mode::All, &held, true), DISABLED | INHERIT | ENABLE_ON_EXEC);
        // A further one is switched with its leader.
        assert_eq!(flags(Mode::All, &held, false), INHERIT);
        let here = Target { pid: 0, cpu: -1, inherit: false, on_exec: false };
        assert_eq!(flags(Mode::User, &here, true), DISABLED | EXCLUDE_KERNEL | EXCLUDE_HV);
    }
}
