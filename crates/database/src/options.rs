//! Options of engines, with the names and values of the command line and the record.
use clap::builder::{OsStringValueParser, TypedValueParser};
use clap::{Args, ValueHint};
use serde::{Deserialize, Serialize, de::value::Error as Unknown, de::value::StrDeserializer};

/// The user's options of an engine; an engine accepts those of [`crate::engine::Engine::options`].
#[derive(Debug, Clone, Default, PartialEq, Eq, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct EngineOptions {
    /// `mysql://user@host:port/database` of a running server.
    #[arg(skip)]
    pub address: Option<String>,
    /// Program or unpacked archive of the server to start [default: the first that is found]
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, value_parser = path())]
    pub server: Option<String>,
    /// Unix socket of a running server
    #[arg(long, value_name = "PATH", value_hint = ValueHint::AnyPath, value_parser = path())]
    pub socket: Option<String>,
    /// Log in by this file of mode 0600, as mysql's --defaults-extra-file; a password may also be in MYSQL_PWD
    #[arg(long, value_name = "FILE", value_hint = ValueHint::AnyPath, value_parser = path())]
    pub option_file: Option<String>,
    /// User of a running server
    #[arg(long, value_name = "NAME")]
    pub user: Option<String>,
    /// Database of a running server
    #[arg(long, value_name = "NAME")]
    pub database: Option<String>,
    /// TLS to a running server: verify-identity, verify-ca (any name that --tls-ca signed) or off [default: verify-identity unless the
    /// host is this one]
    #[arg(long, value_name = "MODE", value_parser = parse::<TlsMode>)]
    pub tls: Option<TlsMode>,
    /// Certificates of the authority that signed a running server's [default: the system's]
    #[arg(long, value_name = "FILE", value_hint = ValueHint::AnyPath, value_parser = path())]
    pub tls_ca: Option<String>,
    /// Public key of a running server (its public_key.pem), which encrypts the password where there is no TLS
    #[arg(long, value_name = "FILE", value_hint = ValueHint::AnyPath, value_parser = path())]
    pub server_key: Option<String>,
    /// Transport to a started server; its Unix socket by default.
    #[arg(skip)]
    pub transport: Option<Transport>,
    /// How clients of a server wait: poll as sysbench does, epoll, or spin [default: spin where each client has a CPU]
    #[arg(long, value_name = "MODE", value_parser = parse::<WaitMode>, display_order = 12)]
    pub wait: Option<WaitMode>,
    /// Protocol of point-select on a server: prepared (statements) or text [default: prepared]
    #[arg(long, value_name = "PROTOCOL", value_parser = parse::<Protocol>, display_order = 13)]
    pub protocol: Option<Protocol>,
    /// Begin of a transaction on a server: statement, elided (autocommit off), or ping (as go-tpc) [default: statement]
    #[arg(long, value_name = "MODE", value_parser = parse::<BeginMode>, display_order = 14)]
    pub begin: Option<BeginMode>,
    /// Isolation on a server: read-uncommitted, read-committed, repeatable-read, serializable [default: the server's]
    #[arg(long, value_name = "LEVEL", value_parser = parse::<Isolation>, display_order = 15)]
    pub isolation: Option<Isolation>,
    /// Commits of a started server wait for the disk
    #[arg(long, num_args = 0, default_missing_value = "true", display_order = 16)]
    pub durable: Option<bool>,
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

/// The path of an option. Records hold text, so that a path that is none is an error, which clap gives with the option's name.
pub fn path() -> impl TypedValueParser<Value = String> {
    OsStringValueParser::new().try_map(|path| path.into_string().map_err(|_| "it is not UTF-8"))
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
