//! The bytes of a connection: a Unix socket or TCP, plain or in TLS. Nothing here waits.
use super::{address::Endpoint, errors, tls::Tls};
use crate::session::Error;
use host::sockets;
use std::{
    io,
    net::{TcpStream, ToSocketAddrs},
    os::{fd::OwnedFd, unix::net::UnixStream},
    time::Duration,
};

/// Time limit for connecting to each address of a host.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);

/// A connected socket.
#[derive(Debug)]
pub(super) struct Stream {
    socket: OwnedFd,
    tls: Option<Box<Tls>>,
}

impl Stream {
    pub(super) fn connect(endpoint: &Endpoint) -> Result<Stream, Error> {
        let connected = match endpoint {
            Endpoint::Socket(path) => UnixStream::connect(path).map(OwnedFd::from),
            Endpoint::Tcp(host, port) => connect_tcp(host, *port),
        };
        let socket = connected.map_err(|e| errors::unreachable(endpoint, &e))?;
        Ok(Stream { socket, tls: None })
    }
    pub(super) fn socket(&self) -> &OwnedFd {
        &self.socket
    }
    /// Everything from now on is encrypted.
    pub(super) fn encrypt(&mut self, tls: Tls) {
        self.tls = Some(Box::new(tls));
    }
    pub(super) fn is_encrypted(&self) -> bool {
        self.tls.is_some()
    }
    /// TLS's version and cipher, or `off`.
    pub(super) fn encryption(&self) -> String {
        self.tls.as_ref().map_or("off".into(), |tls| tls.name())
    }
    /// Whether bytes were decrypted that no receive has returned: the socket does not show them.
    #[inline]
    pub(super) fn has_decrypted(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.has_decrypted())
    }
    /// Whether accepted bytes are still to be sent, by a further [`Stream::send_now`].
    #[inline]
    pub(super) fn has_unsent(&self) -> bool {
        self.tls.as_ref().is_some_and(|tls| tls.has_unsent())
    }
    /// The number of bytes (0: the server has closed), or nothing yet.
    #[inline]
    pub(super) fn receive_now(&mut self, into: &mut [u8]) -> io::Result<Option<usize>> {
        match &mut self.tls {
            None => sockets::receive_now(&self.socket, into),
            Some(tls) => tls.receive_now(&self.socket, into),
        }
    }
    /// The number of bytes that were accepted, or nothing while the socket is full.
    #[inline]
    pub(super) fn send_now(&mut self, bytes: &[u8]) -> io::Result<Option<usize>> {
        match &mut self.tls {
            None => sockets::send_now(&self.socket, bytes),
            Some(tls) => tls.send_now(&self.socket, bytes),
        }
    }
}

fn connect_tcp(host: &str, port: u16) -> io::Result<OwnedFd> {
    let mut refused = io::Error::new(io::ErrorKind::NotFound, "the host has no address");
    for address in (host, port).to_socket_addrs()? {
        match TcpStream::connect_timeout(&address, CONNECT_LIMIT) {
            Ok(stream) => {
                stream.set_nodelay(true)?;
                return Ok(stream.into());
            }
            Err(error) => refused = error,
        }
    }
    Err(refused)
}
