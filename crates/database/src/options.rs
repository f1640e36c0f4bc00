//! Options of engines, with the names and values of the command line and the record.
use serde::{Deserialize, Serialize, de::value::Error as Unknown, de::value::StrDeserializer};

/// The user's options of an engine; an engine accepts those of [`crate::engine::Engine::options`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineOptions {
    /// `mysql://user@host:port/database` of a running server.
    pub address: Option<String>,
    /// Unix socket of a running server.
    pub socket: Option<String>,
    /// Option file with the user and password of a running server.
    pub option_file: Option<String>,
    /// User of a running server.
    pub user: Option<String>,
    /// Database of a running server.
    pub database: Option<String>,
    /// TLS to a running server; verified by default where the host is not this one.
    pub tls: Option<TlsMode>,
    /// File with the certificates that verify a running server; the system's by default.
    pub tls_ca: Option<String>,
    /// File with the public key of a running server, which encrypts the password where there is no TLS.
    pub server_key: Option<String>,
    /// Program or unpacked archive of the server to start.
    pub server: Option<String>,
    /// Transport to a started server; its Unix socket by default.
    pub transport: Option<Transport>,
    /// Whether commits of a started server wait for the disk.
    pub durable: Option<bool>,
    /// How clients wait; the default is to spin where each client has a CPU, otherwise to poll.
    pub wait: Option<WaitMode>,
    /// Protocol of key lookups; prepared statements by default.
    pub protocol: Option<Protocol>,
    /// How a transaction begins; the default is by a statement.
    pub begin: Option<BeginMode>,
    /// Transaction isolation level; the server's by default.
    pub isolation: Option<Isolation>,
}

/// How a server's certificate is verified.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TlsMode {
    /// No TLS.
    Off,
    /// An authority of the user signed it.
    VerifyCa,
    /// An authority signed it for the host's name or address.
    VerifyIdentity,
}

/// Transport between clients and a started server.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Transport {
    /// Unix socket only.
    Socket,
    /// TCP over the loopback address.
    Tcp,
}

/// How a client waits for answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WaitMode {
    /// One connection per thread, which sleeps in poll(2). Lookups try to receive first, as sysbench does.
    Poll,
    /// Several connections per thread, which sleeps in epoll_wait(2).
    Epoll,
    /// The thread never sleeps, so the server never has to wake a CPU.
    Spin,
}

/// Protocol of key lookups.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Protocol {
    /// Prepared statements.
    Prepared,
    /// Queries as text.
    Text,
}

/// How a transaction begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BeginMode {
    /// START TRANSACTION.
    Statement,
    /// Autocommit is off; no statement is needed.
    Elided,
    /// START TRANSACTION after a COM_PING, as go-tpc does.
    Ping,
}

/// Transaction isolation level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[expect(missing_docs, reason = "names of standard SQL")]
pub enum Isolation {
    ReadUncommitted,
    ReadCommitted,
    RepeatableRead,
    Serializable,
}

/// The value of this name on the command line.
///
/// # Errors
/// There is none; the message lists the values.
pub fn parse<T: for<'a> Deserialize<'a>>(name: &str) -> Result<T, String> {
    T::deserialize(StrDeserializer::<Unknown>::new(name)).map_err(|e| e.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_parsed_by_the_name_that_they_have() {
        for wait in [WaitMode::Poll, WaitMode::Epoll, WaitMode::Spin] {
            assert_eq!(parse(&record::stored_name(&wait)), Ok(wait));
        }
        assert_eq!(record::stored_name(&Isolation::ReadCommitted), "read-committed");
        let why = parse::<Transport>("smoke").unwrap_err();
        assert!(why.contains("`socket`") && why.contains("`tcp`"), "{why}");
    }
}
