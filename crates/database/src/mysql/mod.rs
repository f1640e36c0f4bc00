//! MySQL and MariaDB by an own client, because the way a client waits on its socket changes the throughput (docs/adr/0025, 0037).
pub(crate) mod address;
pub(crate) mod connection;
mod errors;
pub(crate) mod instance;
mod login;
mod lookups;
mod session;
mod stream;
mod tls;
pub mod wire;

use crate::{
    options::{BeginMode, EngineOptions, Isolation, Protocol, WaitMode},
    session::{Error, ErrorClass},
};

/// Options of client connections: the user's with the defaults filled in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ClientOptions {
    pub(crate) wait: WaitMode,
    pub(crate) begin: BeginMode,
    pub(crate) protocol: Protocol,
    pub(crate) isolation: Option<Isolation>,
}

impl ClientOptions {
    /// Clients spin by default if each has a CPU that the server does not use.
    pub(crate) fn new(options: &EngineOptions, cpu_for_each: bool) -> ClientOptions {
        let wait = if cpu_for_each { WaitMode::Spin } else { WaitMode::Poll };
        ClientOptions {
            wait: options.wait.unwrap_or(wait),
            begin: options.begin.unwrap_or(BeginMode::Statement),
            protocol: options.protocol.unwrap_or(Protocol::Prepared),
            isolation: options.isolation,
        }
    }
    /// The options for the record.
    pub(crate) fn settings(&self) -> [(&'static str, String); 4] {
        let isolation = self.isolation.map(|level| record::stored_name(&level).replace('-', " "));
        [
            ("wait", record::stored_name(&self.wait)),
            ("begin", record::stored_name(&self.begin)),
            ("protocol", record::stored_name(&self.protocol)),
            ("isolation", isolation.unwrap_or_else(|| "the server's".into())),
        ]
    }
}

/// The server violated the protocol.
fn protocol_error(what: wire::ProtocolError) -> Error {
    let why = format!("what the server sends is not MySQL's protocol: {}", what.0);
    Error::new(ErrorClass::ConnectionLost, 0, why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_have_defaults() {
        let plain = ClientOptions::new(&EngineOptions::default(), false);
        assert_eq!((plain.wait, plain.protocol), (WaitMode::Poll, Protocol::Prepared));
        assert_eq!(ClientOptions::new(&EngineOptions::default(), true).wait, WaitMode::Spin);
        let given = EngineOptions {
            wait: Some(WaitMode::Epoll),
            isolation: Some(Isolation::ReadCommitted),
            ..EngineOptions::default()
        };
        let given = ClientOptions::new(&given, true);
        assert_eq!(given.wait, WaitMode::Epoll);
        assert_eq!(given.settings()[3], ("isolation", "read committed".to_owned()));
    }
}
