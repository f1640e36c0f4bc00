//! A connection. The driver opens it, logs in and runs what is not timed; timed statements are sent by our own client over the same
//! socket. Neither leaves anything behind after a command, so both can use it.
use super::{
    address::{Address, Endpoint},
    errors, protocol_error,
    wire::{self, ProtocolError, ReceiveBuffer, Response, ResponseStep},
};
use crate::{
    options::WaitMode,
    session::{Error, ErrorClass},
};
use host::{
    clock::{Clock, Monotonic},
    signals, sockets,
};
use mysql::{Conn, OptsBuilder, consts::Command, prelude::Queryable};
use std::{
    fmt,
    os::fd::{AsRawFd, OwnedFd},
    panic::{self, AssertUnwindSafe},
    time::Duration,
};

/// The oldest supported versions.
const OLDEST: [(&str, [u32; 2]); 2] = [("MySQL", [5, 7]), ("MariaDB", [10, 2])];
/// Time limit for connecting and for a send.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// Seconds after which the server closes an idle connection: a week, since one is idle while others load.
const IDLE: u32 = 7 * 24 * 3600;
/// The largest packet that the driver accepts.
const MAX_PACKET: usize = 16 << 20;
/// A wait is interrupted this often to check for signals and silence.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Receives without data between two such checks of a client that spins.
pub(super) const SPINS: u32 = 1 << 14;
/// Seconds without an answer after which a server counts as hung: far longer than any lock wait.
pub(super) const SILENCE: f64 = 600.0;
/// Bytes of lines per packet: few enough to stay in a cache until the server reads them.
const LINES: usize = 64 << 10;

/// The last step of a response.
enum End {
    /// Number of changed rows.
    Done(u64),
    Prepared(wire::Prepared),
    LinesRequested,
}

/// Receives a row with the response that knows its columns.
type TakeRow<'a> = &'a mut dyn FnMut(&Response, &[u8]) -> Result<(), ProtocolError>;

/// An open connection, logged in.
pub(crate) struct Connection {
    driver: Conn,
    address: Address,
    /// The driver's socket, duplicated.
    pub(crate) socket: OwnedFd,
    pub(super) received: ReceiveBuffer,
    pub(super) response: Response,
    /// The packet to send.
    pub(super) packet: Vec<u8>,
    clock: Monotonic,
    /// Seconds without an answer after which the server counts as hung; no limit if `None`.
    pub(super) silence_limit: Option<f64>,
    /// A response was not read to its end, so no command can follow.
    is_broken: bool,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Connection {
    /// Connects and logs in.
    ///
    /// # Errors
    /// No server listens, login fails, or it is not a MySQL server.
    pub(crate) fn open(address: &Address) -> Result<Connection, Error> {
        let options = OptsBuilder::new()
            .user(Some(&address.user))
            .pass(Some(address.password.reveal()))
            .db_name(address.database.as_deref())
            // The driver would ask the server for these values.
            .prefer_socket(false)
            .max_allowed_packet(Some(MAX_PACKET))
            .stmt_cache_size(0)
            .tcp_connect_timeout(Some(CONNECT_LIMIT))
            .read_timeout(Some(CONNECT_LIMIT))
            .write_timeout(Some(CONNECT_LIMIT * 6));
        let options = match &address.endpoint {
            Endpoint::Socket(path) => match path.to_str() {
                Some(path) => options.socket(Some(path)),
                None => return Err(fatal("the socket's name is not UTF-8")),
            },
            Endpoint::Tcp(host, port) => options.ip_or_hostname(Some(host)).tcp_port(*port),
        };
        // The driver panics on packets that no MySQL server sends.
        let opened = panic::catch_unwind(AssertUnwindSafe(|| Conn::new(options)));
        let driver = opened
            .map_err(|_| fatal(format!("what listens at {} is no MySQL server", address.endpoint)))?
            .map_err(|e| errors::driver(&e, address))?;
        let socket = sockets::duplicate(driver.as_raw_fd()).map_err(|e| errors::lost(&e))?;
        let mut connection = Connection {
            driver,
            address: address.clone(),
            socket,
            received: ReceiveBuffer::new(),
            response: Response::new(true),
            packet: Vec::with_capacity(4096),
            clock: Monotonic::new(),
            silence_limit: Some(SILENCE),
            is_broken: false,
        };
        match connection.query_pairs(&format!("SET SESSION wait_timeout={IDLE}")) {
            Err(error) if error.class == ErrorClass::ConnectionLost => Err(error),
            // A server that refuses this is usable.
            _ => Ok(connection),
        }
    }

    /// Executes a statement without a time limit; an interrupt ends the wait.
    pub(crate) fn run(&mut self, sql: &str) -> Result<(), Error> {
        let limit = self.silence_limit.take();
        let done = self.send_command(Command::COM_QUERY, sql.as_bytes());
        let done = done.and_then(|()| self.finish(WaitMode::Poll, &mut |_, _| Ok(())));
        self.silence_limit = limit;
        done.map(drop)
    }

    /// The first two columns of every row, by the driver.
    pub(crate) fn query_pairs(&mut self, sql: &str) -> Result<Vec<(String, String)>, Error> {
        self.check_usable()?;
        let address = &self.address;
        let driver = &mut self.driver;
        let queried = panic::catch_unwind(AssertUnwindSafe(|| {
            driver.query_map(sql, |row: mysql::Row| {
                let text = |at| row.get_opt::<String, usize>(at).and_then(Result::ok);
                (text(0).unwrap_or_default(), text(1).unwrap_or_default())
            })
        }));
        match queried {
            Ok(rows) => rows.map_err(|e| errors::driver(&e, address)),
            Err(_) => self.broken("the server's answer is not understood"),
        }
    }

    /// The name and version of a supported server.
    pub(crate) fn version(&mut self) -> Result<(&'static str, String), Error> {
        let rows = self.query_pairs("SELECT VERSION()")?;
        let version = rows.into_iter().next().map(|(version, _)| version).unwrap_or_default();
        vendor(&version).map(|name| (name, version))
    }

    fn check_usable(&mut self) -> Result<(), Error> {
        if self.is_broken { self.broken("the connection broke earlier") } else { Ok(()) }
    }

    /// An error after which no command can follow.
    fn broken<T>(&mut self, why: &str) -> Result<T, Error> {
        self.is_broken = true;
        Err(Error::new(ErrorClass::ConnectionLost, 0, why))
    }

    /// Sends a command by our own client.
    #[inline]
    pub(super) fn send_command(&mut self, command: Command, argument: &[u8]) -> Result<(), Error> {
        wire::command(&mut self.packet, command, argument).ok_or_else(too_long)?;
        self.send()
    }

    /// Sends the command in `packet`.
    #[inline]
    pub(super) fn send(&mut self) -> Result<(), Error> {
        self.check_usable()?;
        self.received.expect_packet(1);
        self.response.begin();
        self.send_packet()
    }

    #[inline]
    fn send_packet(&mut self) -> Result<(), Error> {
        sockets::send(&self.socket, &self.packet).map_err(|e| {
            self.is_broken = true;
            errors::lost(&e)
        })
    }

    /// Executes a LOAD DATA LOCAL statement with these lines; returns the number of loaded rows and of warnings. The server reads
    /// all lines even if it refuses one.
    pub(super) fn load_lines(&mut self, sql: &str, lines: &[u8]) -> Result<(u64, u16), Error> {
        self.send_command(Command::COM_QUERY, sql.as_bytes())?;
        self.response.begin_lines();
        let End::LinesRequested = self.read_response(WaitMode::Poll, &mut |_, _| Ok(()))? else {
            return Err(Error::missing("request for the lines"));
        };
        // The statement was packet 0, the request packet 1. An empty packet ends the lines.
        let mut sequence = 2u8;
        for lines in lines.chunks(LINES).chain([&[][..]]) {
            wire::lines(&mut self.packet, sequence, lines).ok_or_else(too_long)?;
            self.send_packet()?;
            sequence = sequence.wrapping_add(1);
        }
        self.received.expect_packet(sequence);
        let loaded = self.finish(WaitMode::Poll, &mut |_, _| Ok(()))?;
        Ok((loaded, self.response.warnings()))
    }

    /// Reads the response to its end, passes every row to `row`, and returns the number of changed rows.
    #[inline]
    pub(super) fn finish(&mut self, wait: WaitMode, row: TakeRow<'_>) -> Result<u64, Error> {
        match self.read_response(wait, row)? {
            End::Done(changed) => Ok(changed),
            End::Prepared(_) | End::LinesRequested => Err(Error::missing("end")),
        }
    }

    /// Prepares a statement.
    pub(super) fn prepare(&mut self, wait: WaitMode, sql: &str) -> Result<wire::Prepared, Error> {
        self.send_command(Command::COM_STMT_PREPARE, sql.as_bytes())?;
        self.response.begin_preparation();
        match self.read_response(wait, &mut |_, _| Ok(()))? {
            End::Prepared(prepared) => Ok(prepared),
            End::Done(_) | End::LinesRequested => Err(Error::missing("prepared statement")),
        }
    }

    #[inline]
    fn read_response(&mut self, wait: WaitMode, row: TakeRow<'_>) -> Result<End, Error> {
        loop {
            let step = match self.received.packet() {
                Ok(Some(payload)) => match self.response.packet(payload) {
                    Ok(ResponseStep::Row(payload)) => {
                        row(&self.response, payload).map(|()| ResponseStep::Continue)
                    }
                    other => other,
                },
                Ok(None) => {
                    self.receive(wait)?;
                    continue;
                }
                Err(what) => Err(what),
            };
            match step {
                Ok(ResponseStep::Continue | ResponseStep::Row(_)) => {}
                Ok(ResponseStep::Done(changed)) => return Ok(End::Done(changed)),
                Ok(ResponseStep::LinesRequested) => return Ok(End::LinesRequested),
                Ok(ResponseStep::Prepared(id, parameters)) => {
                    let columns = self.response.columns();
                    return Ok(End::Prepared(wire::Prepared::new(id, parameters, columns)));
                }
                Ok(ResponseStep::Refused(code, message)) => {
                    return Err(errors::refused(code, &String::from_utf8_lossy(message)));
                }
                Err(what) => {
                    self.is_broken = true;
                    return Err(protocol_error(what));
                }
            }
        }
    }

    /// Waits until bytes have arrived.
    #[inline]
    fn receive(&mut self, wait: WaitMode) -> Result<(), Error> {
        let mut silent_since = None;
        let mut spins = 0;
        let sleeps = wait != WaitMode::Spin;
        // A client that sleeps has just sent a command; nothing can be there yet.
        let mut try_first = !sleeps;
        loop {
            if try_first && self.receive_now()? {
                return Ok(());
            }
            if !sleeps && spins < SPINS {
                spins += 1;
                continue;
            }
            spins = 0;
            if sleeps && sockets::readable(&self.socket, Some(CHECK_INTERVAL)) {
                try_first = true;
                continue;
            }
            let now = self.clock.now();
            let silent = now - *silent_since.get_or_insert(now);
            let hung = self.silence_limit.is_some_and(|limit| silent > limit);
            if hung || signals::interrupted() {
                self.is_broken = true;
                return Err(no_answer(hung));
            }
        }
    }

    /// Receives without waiting; returns whether bytes were there.
    #[inline]
    pub(super) fn receive_now(&mut self) -> Result<bool, Error> {
        let free = self.received.free().map_err(protocol_error)?;
        match sockets::receive_now(&self.socket, free) {
            Ok(Some(0)) => self.broken("the server closed the connection"),
            Ok(Some(count)) => {
                self.received.received(count);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => {
                self.is_broken = true;
                Err(errors::lost(&error))
            }
        }
    }
}

/// The server does not answer, or the user interrupted the wait.
pub(super) fn no_answer(hung: bool) -> Error {
    let why = match hung {
        true => format!("the server has not answered for {SILENCE} seconds"),
        false => "interrupted while the server executed a statement".into(),
    };
    Error::new(ErrorClass::ConnectionLost, 0, why)
}

fn fatal(why: impl Into<String>) -> Error {
    Error::new(ErrorClass::Fatal, 0, why)
}

pub(super) fn too_long() -> Error {
    fatal(format!("a statement is longer than {} bytes", wire::LARGEST_COMMAND))
}

/// The name of a server with this version, if it is supported.
fn vendor(version: &str) -> Result<&'static str, Error> {
    let name = if version.contains("MariaDB") { "MariaDB" } else { "MySQL" };
    // Old MariaDBs put 5.5.5- before their version for clients that expect MySQL.
    let number = version.strip_prefix("5.5.5-").filter(|_| name == "MariaDB").unwrap_or(version);
    let mut parts = number.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next()) else {
        let why =
            format!("the server calls itself {version:?}, which is no version of MySQL or MariaDB");
        return Err(fatal(why));
    };
    for (vendor, oldest) in OLDEST {
        if vendor == name && [major, minor] < oldest {
            let [major, minor] = oldest;
            return Err(fatal(format!(
                "the server is {name} {version}, which is too old: {major}.{minor} or later is needed"
            )));
        }
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_and_unknown_versions_are_refused() {
        assert_eq!(vendor("10.11.19-MariaDB-0+deb12u1").unwrap(), "MariaDB");
        assert_eq!(vendor("5.5.5-10.4.2-MariaDB").unwrap(), "MariaDB");
        assert_eq!(vendor("8.0.36").unwrap(), "MySQL");
        assert_eq!(vendor("5.7.44-log").unwrap(), "MySQL");
        for old in ["5.6.51", "5.5.5-10.1.48-MariaDB", "10.1.48-MariaDB"] {
            assert!(vendor(old).unwrap_err().reason.why.contains("too old"), "{old}");
        }
        assert!(vendor("PostgreSQL").unwrap_err().reason.why.contains("no version"));
    }
}
