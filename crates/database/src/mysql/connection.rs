//! A connection to a server: statements are sent and answers read by our own client (docs/adr/0025). Servers are not trusted: an
//! answer has a limit of bytes and of time, and an interrupt ends every wait.
use super::{
    address::Address,
    errors, login, protocol_error,
    stream::Stream,
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
use mysql_common::constants::Command;
use std::{fmt, os::fd::OwnedFd, time::Duration};

/// The oldest supported versions.
const OLDEST: [(&str, [u32; 2]); 2] = [("MySQL", [5, 7]), ("MariaDB", [10, 2])];
/// Seconds after which the server closes an idle connection: a week, since one is idle while others load.
const IDLE: u32 = 7 * 24 * 3600;
/// A wait is interrupted this often to check for signals and silence.
pub(super) const CHECK_INTERVAL: Duration = Duration::from_millis(100);
/// Receives without data between two such checks of a client that spins.
pub(super) const SPINS: u32 = 1 << 14;
/// Seconds after which a server counts as hung that has not answered a statement: far longer than any lock wait.
pub(super) const SILENCE: f64 = 600.0;
/// Seconds until a query outside of the timed loops must be answered, such as one for settings.
const ASIDE: f64 = 30.0;
/// Receives of an answer between two checks of a server that sends without a pause.
const CHECKED_RECEIVES: u32 = 16;
/// The most bytes of an answer. The longest, a list of tables, has 70 bytes a table.
const LARGEST_ANSWER: u64 = 4 << 20;
/// Seconds for a send.
const SEND_LIMIT: f64 = 60.0;
/// Bytes of lines per packet: few enough to stay in a cache until the server reads them.
const LINES: usize = 64 << 10;

/// The last step of a response.
enum LastStep {
    /// Number of changed rows.
    Done(u64),
    Prepared(wire::Prepared),
    LinesRequested,
}

/// Receives a row with the response that knows its columns.
type TakeRow<'a> = &'a mut dyn FnMut(&Response, &[u8]) -> Result<(), ProtocolError>;

/// An open connection, logged in.
pub(crate) struct Connection {
    stream: Stream,
    pub(super) received: ReceiveBuffer,
    pub(super) response: Response,
    /// The packet to send.
    pub(super) packet: Vec<u8>,
    clock: Monotonic,
    /// Seconds for an answer. If `None` the server may execute a statement as long as it likes, and has [`SILENCE`] for its answer
    /// from the first byte on.
    pub(super) answer_limit: Option<f64>,
    /// Seconds that a wait goes on after an interrupt.
    interrupt_limit: f64,
    answer: Answer,
    /// A response was not read to its end, so no command can follow.
    is_broken: bool,
}

/// The part of an answer that has arrived.
#[derive(Debug, Clone, Copy, Default)]
struct Answer {
    bytes: u64,
    receives: u32,
    /// When it was first waited for, and when the interrupt was seen.
    since: Option<f64>,
    interrupted: Option<f64>,
}

impl fmt::Debug for Connection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Connection").finish_non_exhaustive()
    }
}

impl Connection {
    /// Connects and logs in.
    ///
    /// # Errors
    /// No server listens, login fails, or it is not a MySQL server.
    pub(crate) fn open(address: &Address) -> Result<Connection, Error> {
        let mut connection = Connection {
            stream: Stream::connect(&address.endpoint)?,
            received: ReceiveBuffer::new(),
            response: Response::new(true),
            packet: Vec::with_capacity(4096),
            clock: Monotonic::new(),
            answer_limit: Some(login::LIMIT),
            // Data that changed are marked after an interrupt, which takes a connection.
            interrupt_limit: login::INTERRUPT_LIMIT,
            answer: Answer::default(),
            is_broken: false,
        };
        login::log_in(&mut connection, address)?;
        connection.answer_limit = Some(SILENCE);
        connection.interrupt_limit = 0.0;
        match connection.query_pairs(&format!("SET SESSION wait_timeout={IDLE}")) {
            Err(error) if error.class == ErrorClass::ConnectionLost => Err(error),
            // A server that refuses this is usable.
            _ => Ok(connection),
        }
    }
    /// For epoll and for the peer.
    pub(crate) fn socket(&self) -> &OwnedFd {
        self.stream.socket()
    }
    pub(super) fn stream(&mut self) -> &mut Stream {
        &mut self.stream
    }
    /// TLS's version and cipher, or why there is none.
    pub(crate) fn encryption(&self) -> String {
        self.stream.encryption()
    }

    /// Executes a statement without a time limit; an interrupt ends the wait.
    pub(crate) fn run(&mut self, sql: &str) -> Result<(), Error> {
        let limit = self.answer_limit.take();
        let done = self.query(sql, &mut |_, _| Ok(()));
        self.answer_limit = limit;
        done
    }

    /// The first two columns of every row, as text.
    pub(crate) fn query_pairs(&mut self, sql: &str) -> Result<Vec<(String, String)>, Error> {
        let limit = self.answer_limit.replace(ASIDE);
        let mut pairs = vec![];
        let done = self.query(sql, &mut |_, row| {
            pairs.push(wire::pair_of_texts(row)?);
            Ok(())
        });
        self.answer_limit = limit;
        done.map(|()| pairs)
    }

    fn query(&mut self, sql: &str, row: TakeRow<'_>) -> Result<(), Error> {
        self.send_command(Command::COM_QUERY, sql.as_bytes())?;
        self.finish(WaitMode::Poll, row).map(drop)
    }

    /// The name and version of a supported server.
    pub(crate) fn version(&mut self) -> Result<(&'static str, String), Error> {
        let rows = self.query_pairs("SELECT VERSION()")?;
        let version = rows.into_iter().next().map(|(version, _)| version).unwrap_or_default();
        vendor(&version).map(|name| (name, version))
    }

    /// An error after which no command can follow.
    fn broken<T>(&mut self, error: Error) -> Result<T, Error> {
        self.is_broken = true;
        Err(error)
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
        if self.is_broken {
            return Err(lost("the connection broke earlier"));
        }
        self.received.expect_packet(1);
        self.response.begin();
        self.send_packet()
    }

    /// Sends what is in `packet`; an answer follows.
    #[inline]
    pub(super) fn send_packet(&mut self) -> Result<(), Error> {
        self.answer = Answer::default();
        let mut rest = 0;
        let mut since = None;
        while rest < self.packet.len() || self.stream.has_unsent() {
            match self.stream.send_now(&self.packet[rest..]) {
                Ok(Some(sent)) => rest += sent,
                Ok(None) => {
                    let now = self.clock.now();
                    let hung = now - *since.get_or_insert(now) > SEND_LIMIT;
                    if hung || signals::interrupted() {
                        return self.broken(lost(match hung {
                            true => "the server does not take what it is sent",
                            false => "interrupted while a statement was sent",
                        }));
                    }
                    sockets::writable(self.stream.socket(), Some(CHECK_INTERVAL));
                }
                Err(error) => return self.broken(errors::lost(&error)),
            }
        }
        Ok(())
    }

    /// Executes a LOAD DATA LOCAL statement with these lines; returns the number of loaded rows and of warnings. The server reads
    /// all lines even if it refuses one.
    pub(super) fn load_lines(&mut self, sql: &str, lines: &[u8]) -> Result<(u64, u16), Error> {
        self.send_command(Command::COM_QUERY, sql.as_bytes())?;
        self.response.begin_lines();
        let LastStep::LinesRequested = self.read_response(WaitMode::Poll, &mut |_, _| Ok(()))?
        else {
            return Err(Error::missing("request for the lines"));
        };
        // The statement was packet 0, the request packet 1. An empty packet ends the lines.
        let mut sequence = 2u8;
        for lines in lines.chunks(LINES).chain([&[][..]]) {
            wire::raw(&mut self.packet, sequence, lines).ok_or_else(too_long)?;
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
            LastStep::Done(changed) => Ok(changed),
            LastStep::Prepared(_) | LastStep::LinesRequested => Err(Error::missing("end")),
        }
    }

    /// Prepares a statement.
    pub(super) fn prepare(&mut self, wait: WaitMode, sql: &str) -> Result<wire::Prepared, Error> {
        self.send_command(Command::COM_STMT_PREPARE, sql.as_bytes())?;
        self.response.begin_preparation();
        match self.read_response(wait, &mut |_, _| Ok(()))? {
            LastStep::Prepared(prepared) => Ok(prepared),
            LastStep::Done(_) | LastStep::LinesRequested => {
                Err(Error::missing("prepared statement"))
            }
        }
    }

    #[inline]
    fn read_response(&mut self, wait: WaitMode, row: TakeRow<'_>) -> Result<LastStep, Error> {
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
                Ok(ResponseStep::Done(changed)) => return Ok(LastStep::Done(changed)),
                Ok(ResponseStep::LinesRequested) => return Ok(LastStep::LinesRequested),
                Ok(ResponseStep::Prepared(id, parameters)) => {
                    let columns = self.response.columns();
                    return Ok(LastStep::Prepared(wire::Prepared::new(id, parameters, columns)));
                }
                Ok(ResponseStep::Refused(code, message)) => {
                    return Err(errors::refused(code, &String::from_utf8_lossy(message)));
                }
                Err(what) => return self.broken(protocol_error(what)),
            }
        }
    }

    /// The next packet, in order.
    pub(super) fn read_packet(&mut self) -> Result<Vec<u8>, Error> {
        loop {
            match self.received.packet() {
                Ok(Some(payload)) => return Ok(payload.to_vec()),
                Ok(None) => self.receive(WaitMode::Poll)?,
                Err(what) => return self.broken(protocol_error(what)),
            }
        }
    }

    /// Waits until bytes have arrived.
    #[inline]
    fn receive(&mut self, wait: WaitMode) -> Result<(), Error> {
        let mut spins = 0;
        let sleeps = wait != WaitMode::Spin;
        // A client that sleeps has just sent a command; nothing can be there yet, unless TLS has decrypted more than was asked for.
        let mut try_first = !sleeps || self.stream.has_decrypted();
        self.answer.receives = self.answer.receives.wrapping_add(1);
        if self.answer.receives.is_multiple_of(CHECKED_RECEIVES) {
            self.check_answer()?;
        }
        loop {
            if try_first && self.receive_now()? {
                return Ok(());
            }
            if !sleeps && spins < SPINS {
                spins += 1;
                continue;
            }
            spins = 0;
            if sleeps && sockets::readable(self.stream.socket(), Some(CHECK_INTERVAL)) {
                try_first = true;
                continue;
            }
            self.check_answer()?;
        }
    }

    /// Ends a wait that is too long or interrupted.
    fn check_answer(&mut self) -> Result<(), Error> {
        let now = self.clock.now();
        let limit = match self.answer_limit {
            Some(limit) => Some(limit),
            None => (self.answer.bytes > 0).then_some(SILENCE),
        };
        if let Some(limit) = limit
            && now - *self.answer.since.get_or_insert(now) > limit
        {
            return self.broken(no_answer(Some(limit)));
        }
        if signals::interrupted()
            && now - *self.answer.interrupted.get_or_insert(now) >= self.interrupt_limit
        {
            return self.broken(no_answer(None));
        }
        Ok(())
    }

    /// Waits until the socket can be read, or written to.
    pub(super) fn wait(&mut self, for_reading: bool) -> Result<(), Error> {
        let wait = Some(CHECK_INTERVAL);
        let ready = match for_reading {
            true => sockets::readable(self.stream.socket(), wait),
            false => sockets::writable(self.stream.socket(), wait),
        };
        self.answer.receives = self.answer.receives.wrapping_add(1);
        if !ready || self.answer.receives.is_multiple_of(CHECKED_RECEIVES) {
            self.check_answer()?;
        }
        Ok(())
    }

    /// Receives without waiting; returns whether bytes were there.
    #[inline]
    pub(super) fn receive_now(&mut self) -> Result<bool, Error> {
        let free = self.received.free().map_err(protocol_error)?;
        match self.stream.receive_now(free) {
            Ok(Some(0)) => self.broken(lost("the server closed the connection")),
            Ok(Some(count)) => {
                self.received.received(count);
                self.answer.bytes += count as u64;
                if self.answer.bytes > LARGEST_ANSWER {
                    let why = ProtocolError("a larger answer than any query has");
                    return self.broken(protocol_error(why));
                }
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => self.broken(errors::lost(&error)),
        }
    }
}

fn lost(why: impl Into<record::Text>) -> Error {
    Error::new(ErrorClass::ConnectionLost, 0, why)
}

/// The server does not answer within these seconds, or the user interrupted the wait.
pub(super) fn no_answer(limit: Option<f64>) -> Error {
    let why = match limit {
        Some(limit) => format!("the server has not answered within {limit} seconds"),
        None => "interrupted while the server executed a statement".into(),
    };
    lost(why)
}

pub(super) fn too_long() -> Error {
    Error::fatal(format!("a statement is longer than {} bytes", wire::LARGEST_COMMAND))
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
        return Err(Error::fatal(why));
    };
    for (vendor, oldest) in OLDEST {
        if vendor == name && [major, minor] < oldest {
            let [major, minor] = oldest;
            return Err(Error::fatal(format!(
                "the server is {name} {version}, which is too old: {major}.{minor} or later is needed"
            )));
        }
    }
    Ok(name)
}

#[cfg(test)]
mod tests;
