//! A database server of our own: found on the machine, set up in a folder of ours, started where it is wanted, and stopped.
mod config;
pub(crate) mod managed;
pub(crate) mod program;
mod setup;

use record::Reason;
use std::collections::BTreeMap;

/// How a server of ours is spoken to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    /// By its Unix socket, and by nothing else.
    Socket,
    /// By TCP over the loopback address.
    Tcp,
}

/// What the options say of it.
pub(crate) fn transport(options: &BTreeMap<String, String>) -> Result<Transport, Reason> {
    match options.get("transport").map(String::as_str) {
        None | Some("socket") => Ok(Transport::Socket),
        Some("tcp") => Ok(Transport::Tcp),
        Some(other) => Err(crate::mysql::unknown("transport", other, "socket or tcp")),
    }
}
