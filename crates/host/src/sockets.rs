//! Sockets of a timed client: non-blocking receive, and three ways to wait. A blocking read of a Unix socket wakes twice per
//! answer, once when the peer takes the request; poll(2) and epoll(7) wake for the answer only.
//! Source: recv(2), send(2), poll(2), epoll_ctl(2), SO_PEERCRED of unix(7).
use crate::{syscall::checked, tcp_peer};
use std::{
    io, mem,
    net::TcpStream,
    os::fd::{AsRawFd, FromRawFd, OwnedFd},
    time::Duration,
};

/// Receives without waiting: the number of bytes (0: the peer has closed), or nothing yet.
#[inline]
pub fn receive_now(socket: &impl AsRawFd, into: &mut [u8]) -> io::Result<Option<usize>> {
    let (to, room) = (into.as_mut_ptr(), into.len());
    // SAFETY: the kernel writes at most `room` bytes to `into`, which has that many.
    at_once(|| unsafe { libc::recv(socket.as_raw_fd(), to.cast(), room, libc::MSG_DONTWAIT) })
}

/// Sends what the socket takes without waiting: the number of bytes, or nothing while it is full. A closed peer is an error, not
/// SIGPIPE.
#[inline]
pub fn send_now(socket: &impl AsRawFd, bytes: &[u8]) -> io::Result<Option<usize>> {
    let (from, count) = (bytes.as_ptr(), bytes.len());
    let flags = libc::MSG_NOSIGNAL | libc::MSG_DONTWAIT;
    // SAFETY: the kernel reads at most `count` bytes of `bytes`, which has that many.
    at_once(|| unsafe { libc::send(socket.as_raw_fd(), from.cast(), count, flags) })
}

#[inline]
fn at_once(call: impl Fn() -> isize) -> io::Result<Option<usize>> {
    loop {
        if let Ok(bytes) = usize::try_from(call()) {
            return Ok(Some(bytes));
        }
        let error = io::Error::last_os_error();
        match error.kind() {
            io::ErrorKind::WouldBlock => return Ok(None),
            io::ErrorKind::Interrupted => {}
            _ => return Err(error),
        }
    }
}

/// Whether data or end of file arrives within this time (`None`: no limit). A signal ends the wait early.
#[inline]
pub fn readable(descriptor: &impl AsRawFd, patience: Option<Duration>) -> bool {
    ready(descriptor, libc::POLLIN, patience)
}

/// Whether a full socket takes bytes again within this time, as [`readable`].
pub fn writable(descriptor: &impl AsRawFd, patience: Option<Duration>) -> bool {
    ready(descriptor, libc::POLLOUT, patience)
}

#[inline]
fn ready(descriptor: &impl AsRawFd, events: i16, patience: Option<Duration>) -> bool {
    let mut watched = libc::pollfd { fd: descriptor.as_raw_fd(), events, revents: 0 };
    // SAFETY: one pollfd, which the kernel reads and writes.
    let ready = unsafe { libc::poll(&raw mut watched, 1, milliseconds(patience)) };
    ready > 0
}

/// Milliseconds for poll(2) and epoll_wait(2), rounded up.
fn milliseconds(patience: Option<Duration>) -> i32 {
    patience.map_or(-1, |time| i32::try_from(time.as_micros().div_ceil(1000)).unwrap_or(i32::MAX))
}

/// The process at the other end of a socket; nothing where it is on another machine or hidden.
pub fn peer(socket: &OwnedFd) -> Option<u32> {
    let of_tcp = || tcp_peer::peer(&TcpStream::from(socket.try_clone().ok()?));
    peer_of_unix(socket).or_else(of_tcp)
}

fn peer_of_unix(socket: &OwnedFd) -> Option<u32> {
    // SAFETY: ucred is integers only, for which all-zero bytes are a value.
    let mut peer: libc::ucred = unsafe { mem::zeroed() };
    let mut size = size_of::<libc::ucred>() as libc::socklen_t;
    let to = (&raw mut peer).cast();
    // SAFETY: the kernel writes at most `size` bytes to `peer`, which has that many, and the size itself.
    let got = unsafe {
        libc::getsockopt(socket.as_raw_fd(), libc::SOL_SOCKET, libc::SO_PEERCRED, to, &raw mut size)
    };
    let pid = u32::try_from(peer.pid).ok().filter(|pid| *pid > 0);
    pid.filter(|_| got == 0)
}

/// Waits for several sockets at once.
#[derive(Debug)]
pub struct Epoll {
    descriptor: OwnedFd,
    ready: Vec<libc::epoll_event>,
    ticks: Option<OwnedFd>,
}

impl Epoll {
    /// For this many sockets.
    pub fn new(sockets: usize) -> io::Result<Epoll> {
        // SAFETY: takes an integer.
        let descriptor = checked(unsafe { libc::epoll_create1(libc::EPOLL_CLOEXEC) })?;
        // SAFETY: the kernel has just opened it for us, and nobody else knows of it.
        let descriptor = unsafe { OwnedFd::from_raw_fd(descriptor) };
        Ok(Epoll {
            descriptor,
            ready: vec![libc::epoll_event { events: 0, u64: 0 }; sockets.max(1)],
            ticks: None,
        })
    }
    /// Adds a periodic timer under this number. It replaces time limits of single waits, for each of which the kernel would
    /// set and cancel a timer.
    pub fn tick(&mut self, every: Duration, number: usize) -> io::Result<()> {
        let flags = libc::TFD_NONBLOCK | libc::TFD_CLOEXEC;
        // SAFETY: takes integers.
        let timer = checked(unsafe { libc::timerfd_create(libc::CLOCK_MONOTONIC, flags) })?;
        // SAFETY: the kernel has just opened it for us, and nobody else knows of it.
        let timer = unsafe { OwnedFd::from_raw_fd(timer) };
        // SAFETY: itimerspec is integers only, for which all-zero bytes are a value.
        let mut times: libc::itimerspec = unsafe { mem::zeroed() };
        times.it_interval.tv_sec = every.as_secs() as libc::time_t;
        times.it_interval.tv_nsec = every.subsec_nanos() as libc::c_long;
        times.it_value = times.it_interval;
        // SAFETY: reads one itimerspec, and `times` is one; it writes nothing where there is no pointer to.
        checked(unsafe {
            libc::timerfd_settime(timer.as_raw_fd(), 0, &raw const times, std::ptr::null_mut())
        })?;
        self.watch(&timer, number)?;
        self.ready.push(libc::epoll_event { events: 0, u64: 0 });
        self.ticks = Some(timer);
        Ok(())
    }
    /// Consumes an expired tick, which arms the next one.
    pub fn ticked(&self) {
        let Some(timer) = &self.ticks else { return };
        let mut count = [0u8; 8];
        // SAFETY: the kernel writes at most eight bytes to `count`, which has that many. A tick that was taken already is an
        // error (EAGAIN) which says that there is nothing to do.
        let _ = unsafe { libc::read(timer.as_raw_fd(), count.as_mut_ptr().cast(), count.len()) };
    }
    /// Watches a socket for input under this number, edge-triggered (EPOLLET): the caller reads all that has arrived, and the
    /// kernel need not check the socket again before the caller sleeps.
    pub fn watch(&self, socket: &impl AsRawFd, number: usize) -> io::Result<()> {
        let events = (libc::EPOLLIN | libc::EPOLLET) as u32;
        let mut event = libc::epoll_event { events, u64: number as u64 };
        let (here, add) = (self.descriptor.as_raw_fd(), libc::EPOLL_CTL_ADD);
        // SAFETY: reads one event, and `event` is one.
        checked(unsafe { libc::epoll_ctl(here, add, socket.as_raw_fd(), &raw mut event) }).map(drop)
    }
    /// Waits this long (`None`: no limit) for input; gives the number of ready sockets, for [`Epoll::ready`].
    #[inline]
    pub fn wait(&mut self, patience: Option<Duration>) -> io::Result<usize> {
        let (at, room) = (self.ready.as_mut_ptr(), self.ready.len() as i32);
        let here = self.descriptor.as_raw_fd();
        // SAFETY: the kernel writes at most `room` events to `ready`, which has that many.
        match checked(unsafe { libc::epoll_wait(here, at, room, milliseconds(patience)) }) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => Ok(0),
            count => count.map(|count| count as usize),
        }
    }
    /// The number of the `index`th ready socket.
    #[inline]
    pub fn ready(&self, index: usize) -> usize {
        self.ready[index].u64 as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::Write,
        os::unix::net::{UnixListener, UnixStream},
    };

    #[test]
    fn what_has_not_arrived_is_not_waited_for() {
        let (mut here, there) = UnixStream::pair().unwrap();
        let mut bytes = [0; 8];
        assert_eq!(receive_now(&there, &mut bytes).unwrap(), None);
        assert!(!readable(&there, Some(Duration::ZERO)));
        here.write_all(b"abc").unwrap();
        assert!(readable(&there, None));
        assert_eq!(receive_now(&there, &mut bytes).unwrap(), Some(3));
        assert_eq!(&bytes[..3], b"abc");
        drop(here);
        assert_eq!(receive_now(&there, &mut bytes).unwrap(), Some(0), "it has closed");
        assert!(send_now(&there, b"x").is_err(), "no SIGPIPE");
        let (full, _peer) = UnixStream::pair().unwrap();
        assert!(writable(&full, None));
        while send_now(&full, &[0; 4096]).unwrap().is_some() {}
        assert!(!writable(&full, Some(Duration::ZERO)));
    }

    #[test]
    fn several_are_waited_for_and_told_apart() {
        let pairs: Vec<_> = (0..3).map(|_| UnixStream::pair().unwrap()).collect();
        let mut epoll = Epoll::new(3).unwrap();
        for (number, (_, there)) in pairs.iter().enumerate() {
            epoll.watch(there, number).unwrap();
        }
        assert_eq!(epoll.wait(Some(Duration::ZERO)).unwrap(), 0);
        for number in [2, 0] {
            send_now(&pairs[number].0, b"x").unwrap();
        }
        let count = epoll.wait(None).unwrap();
        let mut ready: Vec<_> = (0..count).map(|i| epoll.ready(i)).collect();
        ready.sort_unstable();
        assert_eq!(ready, [0, 2]);
        assert_eq!(epoll.wait(Some(Duration::ZERO)).unwrap(), 0, "they were reported");
        assert!(epoll.watch(&pairs[0].1, 9).is_err(), "it is watched already");
    }

    #[test]
    fn ticks_come_again_and_beside_what_arrives() {
        let (here, there) = UnixStream::pair().unwrap();
        let mut epoll = Epoll::new(1).unwrap();
        epoll.watch(&there, 0).unwrap();
        epoll.tick(Duration::from_millis(2), 1).unwrap();
        for _ in 0..3 {
            assert_eq!(epoll.wait(None).unwrap(), 1);
            assert_eq!(epoll.ready(0), 1);
            epoll.ticked();
        }
        send_now(&here, b"x").unwrap();
        let mut reported = vec![];
        while !reported.contains(&0) {
            let count = epoll.wait(None).unwrap();
            reported.extend((0..count).map(|i| epoll.ready(i)));
        }
        Epoll::new(1).unwrap().ticked();
    }

    #[test]
    fn who_listens_is_known_by_its_socket() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("s");
        let _listens = UnixListener::bind(&path).unwrap();
        let stream = UnixStream::connect(&path).unwrap();
        assert_eq!(peer(&OwnedFd::from(stream)), Some(std::process::id()));
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let stream = OwnedFd::from(TcpStream::connect(listener.local_addr().unwrap()).unwrap());
        assert_eq!(peer(&stream), None, "it has not accepted yet");
        let _accepted = listener.accept().unwrap();
        assert_eq!(peer(&stream), Some(std::process::id()));
    }

    #[test]
    fn patience_is_rounded_up() {
        let of = |micros| milliseconds(Some(Duration::from_micros(micros)));
        assert_eq!((of(0), of(1), of(1000), of(1001)), (0, 1, 1, 2));
        assert_eq!(milliseconds(None), -1);
    }
}
