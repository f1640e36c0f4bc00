//! Waiting for children: wakes when a child changed, or a signal has to be passed on.
//! Source: the self-pipe of signal-safety(7); registration by signal-hook.
use crate::sockets;
use signal_hook::low_level;
use std::{
    io::{self, Read},
    os::{fd::AsRawFd, unix::net::UnixStream},
    sync::OnceLock,
    time::Duration,
};

/// Passed on to the commands. Stop and continue are left to the terminal.
const PASSED_ON: [i32; 6] =
    [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT, libc::SIGUSR1, libc::SIGUSR2];

/// Signal numbers arrive here; the handlers own the other end, which is never closed.
static PIPE: OnceLock<Option<(UnixStream, UnixStream)>> = OnceLock::new();

/// The receiving end, created once. A signal ignored at program start (`nohup`) stays ignored.
pub(super) fn listen() -> io::Result<&'static UnixStream> {
    let pipe = PIPE.get_or_init(|| {
        let (read, write) = UnixStream::pair().ok()?;
        read.set_nonblocking(true).ok()?;
        let to = write.as_raw_fd();
        for number in PASSED_ON.into_iter().filter(|n| !crate::signals::is_ignored(*n)) {
            register(number, to);
        }
        register(libc::SIGCHLD, to);
        Some((read, write))
    });
    pipe.as_ref().map(|(read, _)| read).ok_or_else(|| io::Error::other("no pipe for signals"))
}

fn register(number: i32, to: i32) {
    let byte = number as u8;
    let action = move || {
        // SAFETY: sends one byte that lives on this stack, without waiting; send(2) is async-signal-safe.
        unsafe { libc::send(to, (&raw const byte).cast(), 1, libc::MSG_DONTWAIT) };
    };
    // SAFETY: the action only calls send(2), which a handler may. signal-hook keeps errno.
    let registered = unsafe { low_level::register(number, action) };
    // Without a handler the signal does what it always does, which ends us and by PDEATHSIG the command.
    drop(registered);
}

/// Waits for a signal, at most this many seconds (a day by default); gives the signals to pass on.
pub(super) fn wait(mut from: &UnixStream, seconds: Option<f64>) -> Vec<i32> {
    let patience = seconds.unwrap_or(86_400.0).clamp(0.0, 86_400.0);
    sockets::readable(from, Some(Duration::from_secs_f64(patience)));
    let mut bytes = [0u8; 256];
    let mut arrived = vec![];
    while let Ok(got @ 1..) = from.read(&mut bytes) {
        arrived.extend(bytes[..got].iter().map(|b| i32::from(*b)));
    }
    arrived.retain(|number| *number != libc::SIGCHLD);
    arrived
}
