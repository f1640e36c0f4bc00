//! A connection: the driver opens it, logs in and asks what is not timed; statements that are go over the same socket in our
//! own words. Between two commands neither leaves anything behind, so that they may take turns.
use super::{
    Wait,
    address::{Address, Place},
    broken, errors,
    wire::{self, Answer, Inbox, Step},
};
use crate::session::{Class, Error};
use host::{
    clock::{Clock, Monotonic},
    signals, sockets,
};
use mysql::{Conn, OptsBuilder, prelude::Queryable};
use std::{
    fmt,
    os::fd::{AsRawFd, OwnedFd},
    panic::{self, AssertUnwindSafe},
    time::Duration,
};

/// The oldest versions that know all that is asked of them: MySQL 5.7, MariaDB 10.2.
const OLDEST: [(&str, [u32; 2]); 2] = [("MySQL", [5, 7]), ("MariaDB", [10, 2])];
/// Seconds for a connection to come about, and for a server to take what is sent.
const PATIENCE: Duration = Duration::from_secs(10);
/// Seconds that a connection may be idle before the server closes it, a week: one waits while others load.
const IDLE: u32 = 7 * 24 * 3600;
/// Bytes of the largest packet that the driver takes.
const LARGEST: usize = 16 << 20;
/// A wait is so long before it is looked around.
pub(super) const LOOK_AROUND: Duration = Duration::from_millis(100);
/// Reads that find nothing before it is looked around, when nobody sleeps.
pub(super) const SPINS: u32 = 1 << 14;
/// Seconds of silence after which a server is given up: far more than any lock is waited for.
pub(super) const SILENCE: f64 = 600.0;

/// Bytes of a piece of lines: little enough to stay in a cache from when it is made until the server has read it.
const PIECE: usize = 64 << 10;

/// How an answer ended.
enum End {
    /// So many rows were changed.
    Done(u64),
    Prepared(wire::Prepared),
    /// The lines that were announced may come.
    Wanted,
}

/// Takes a row, with the answer that knows its columns.
type TakeRow<'a> = &'a mut dyn FnMut(&Answer, &[u8]) -> Result<(), wire::Broken>;

/// An open connection, logged in.
pub(crate) struct Connection {
    driver: Conn,
    address: Address,
    /// The driver's socket once more.
    pub(crate) socket: OwnedFd,
    pub(super) inbox: Inbox,
    pub(super) answer: Answer,
    pub(super) out: Vec<u8>,
    clock: Monotonic,
    /// Seconds of silence after which the server is given up; as long as it takes if nothing.
    pub(super) patience: Option<f64>,
    /// An answer was not read to its end, so that nothing more can be asked.
    gone: bool,
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
    /// Nobody listens, nobody is let in, or it is no server that we know.
    pub(crate) fn open(address: &Address) -> Result<Connection, Error> {
        let options = OptsBuilder::new()
            .user(Some(&address.user))
            .pass(Some(address.password.told()))
            .db_name(address.database.as_deref())
            // What it would ask the server for otherwise, and trust the answer.
            .prefer_socket(false)
            .max_allowed_packet(Some(LARGEST))
            .stmt_cache_size(0)
            .tcp_connect_timeout(Some(PATIENCE))
            .read_timeout(Some(PATIENCE))
            .write_timeout(Some(PATIENCE * 6));
        let options = match &address.place {
            Place::Socket(path) => match path.to_str() {
                Some(path) => options.socket(Some(path)),
                None => return Err(Error::new(Class::Fatal, 0, "the socket's name is not UTF-8")),
            },
            Place::Tcp(host, port) => options.ip_or_hostname(Some(host)).tcp_port(*port),
        };
        // It indexes into packets that a server that is none may have left empty.
        let opened = panic::catch_unwind(AssertUnwindSafe(|| Conn::new(options)));
        let strange = || {
            let what = format!("what listens at {} is no MySQL server", address.place);
            Error::new(Class::Fatal, 0, what)
        };
        let driver = opened.map_err(|_| strange())?.map_err(|e| errors::driver(&e, address))?;
        let socket = sockets::duplicate(driver.as_raw_fd()).map_err(|e| errors::lost(&e))?;
        let mut connection = Connection {
            driver,
            address: address.clone(),
            socket,
            inbox: Inbox::new(),
            answer: Answer::new(true),
            out: Vec::with_capacity(4096),
            clock: Monotonic::new(),
            patience: Some(SILENCE),
            gone: false,
        };
        match connection.pairs(&format!("SET SESSION wait_timeout={IDLE}")) {
            Err(error) if error.class == Class::Lost => Err(error),
            // Whoever refuses that is asked all the same, as long as he stays.
            _ => Ok(connection),
        }
    }

    /// Runs a statement, however long it takes; an interrupt ends the wait.
    pub(crate) fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.there()?;
        let patience = self.patience.take();
        let asked = self.ask(wire::code::QUERY, sql.as_bytes());
        let done = asked.and_then(|()| self.finish(Wait::Poll, &mut |_, _| Ok(())));
        self.patience = patience;
        done.map(drop)
    }

    /// The first column of every row, and the second if there is one, by the driver.
    pub(crate) fn pairs(&mut self, sql: &str) -> Result<Vec<(String, String)>, Error> {
        self.there()?;
        let address = &self.address;
        let driver = &mut self.driver;
        let asked = panic::catch_unwind(AssertUnwindSafe(|| {
            driver.query_map(sql, |row: mysql::Row| {
                let word = |at| row.get_opt::<String, usize>(at).and_then(Result::ok);
                (word(0).unwrap_or_default(), word(1).unwrap_or_default())
            })
        }));
        match asked {
            Ok(rows) => rows.map_err(|e| errors::driver(&e, address)),
            Err(_) => {
                self.gone = true;
                Err(Error::new(Class::Lost, 0, "the server's answer is not understood"))
            }
        }
    }

    /// What the server calls itself, if it is one that we know.
    pub(crate) fn version(&mut self) -> Result<(&'static str, String), Error> {
        let rows = self.pairs("SELECT VERSION()")?;
        let version = rows.into_iter().next().map(|(version, _)| version).unwrap_or_default();
        known(&version).map(|name| (name, version))
    }

    fn there(&self) -> Result<(), Error> {
        if self.gone {
            return Err(Error::new(Class::Lost, 0, "the connection broke earlier"));
        }
        Ok(())
    }

    /// Sends a command, by us.
    #[inline]
    pub(super) fn ask(&mut self, code: u8, argument: &[u8]) -> Result<(), Error> {
        let whole = wire::command(&mut self.out, code, argument);
        whole.ok_or_else(too_long)?;
        self.send()
    }

    /// Sends what is in `out`.
    #[inline]
    pub(super) fn send(&mut self) -> Result<(), Error> {
        self.there()?;
        self.inbox.begin();
        self.answer.begin();
        self.put()
    }

    /// Sends it as a part of what was begun.
    #[inline]
    fn put(&mut self) -> Result<(), Error> {
        sockets::send(&self.socket, &self.out).map_err(|e| {
            self.gone = true;
            errors::lost(&e)
        })
    }

    /// Runs a statement that reads lines, and sends them when the server asks for them: how many rows it took, and how many
    /// warnings it has about them. It reads all of them even if it refuses one.
    pub(super) fn fill(&mut self, sql: &str, lines: &[u8]) -> Result<(u64, u16), Error> {
        let whole = wire::command(&mut self.out, wire::code::QUERY, sql.as_bytes());
        whole.ok_or_else(too_long)?;
        self.send()?;
        self.answer.announce();
        let End::Wanted = self.until(Wait::Poll, &mut |_, _| Ok(()))? else {
            return Err(Error::unexpected("wish for the lines"));
        };
        // The statement was packet 0 and the server's wish 1.
        let mut number = 2u8;
        // The last piece is an empty one.
        for bytes in lines.chunks(PIECE).chain([&[][..]]) {
            wire::piece(&mut self.out, number, bytes).ok_or_else(too_long)?;
            self.put()?;
            number = number.wrapping_add(1);
        }
        self.inbox.begin_at(number);
        let taken = self.finish(Wait::Poll, &mut |_, _| Ok(()))?;
        Ok((taken, self.answer.warnings()))
    }

    /// Waits for the whole answer, and gives every row to `row` with the answer that knows its columns: how many rows were
    /// changed.
    #[inline]
    pub(super) fn finish(&mut self, wait: Wait, row: TakeRow<'_>) -> Result<u64, Error> {
        match self.until(wait, row)? {
            End::Done(affected) => Ok(affected),
            End::Prepared(_) | End::Wanted => Err(Error::unexpected("end")),
        }
    }

    /// Prepares a statement, by us: its number and how many parameters it has.
    pub(super) fn prepare(&mut self, wait: Wait, sql: &str) -> Result<wire::Prepared, Error> {
        let whole = wire::command(&mut self.out, wire::code::PREPARE, sql.as_bytes());
        whole.ok_or_else(too_long)?;
        self.send()?;
        self.answer.begin_preparation();
        match self.until(wait, &mut |_, _| Ok(()))? {
            End::Prepared(prepared) => Ok(prepared),
            End::Done(_) | End::Wanted => Err(Error::unexpected("prepared statement")),
        }
    }

    #[inline]
    fn until(&mut self, wait: Wait, row: TakeRow<'_>) -> Result<End, Error> {
        loop {
            let step = match self.inbox.packet() {
                Ok(Some(payload)) => match self.answer.take(payload) {
                    Ok(Step::Row(payload)) => row(&self.answer, payload).map(|()| Step::More),
                    other => other,
                },
                Ok(None) => {
                    self.receive(wait)?;
                    continue;
                }
                Err(what) => Err(what),
            };
            match step {
                Ok(Step::More | Step::Row(_)) => {}
                Ok(Step::Done(affected)) => return Ok(End::Done(affected)),
                Ok(Step::Wanted) => return Ok(End::Wanted),
                Ok(Step::Prepared(number, parameters)) => {
                    let columns = self.answer.columns();
                    return Ok(End::Prepared(wire::Prepared::new(number, parameters, columns)));
                }
                Ok(Step::Refused(code, words)) => {
                    return Err(errors::refused(code, &String::from_utf8_lossy(words)));
                }
                Err(what) => {
                    self.gone = true;
                    return Err(broken(what));
                }
            }
        }
    }

    /// Waits until something has arrived.
    #[inline]
    fn receive(&mut self, wait: Wait) -> Result<(), Error> {
        let mut since = None;
        let mut spins = 0;
        let sleeps = wait != Wait::Spin;
        // Whoever sleeps has just asked: nothing can be there yet.
        let mut look = !sleeps;
        loop {
            if look && self.receive_now()? {
                return Ok(());
            }
            if !sleeps && spins < SPINS {
                spins += 1;
                continue;
            }
            spins = 0;
            if sleeps && sockets::readable(&self.socket, Some(LOOK_AROUND)) {
                look = true;
                continue;
            }
            let now = self.clock.now();
            let silent = now - *since.get_or_insert(now);
            let too_long = self.patience.is_some_and(|patience| silent > patience);
            if too_long || signals::interrupted() {
                self.gone = true;
                return Err(silence(too_long));
            }
        }
    }

    /// Takes what has arrived: whether that is anything.
    #[inline]
    pub(super) fn receive_now(&mut self) -> Result<bool, Error> {
        let room = self.inbox.room().map_err(broken)?;
        match sockets::receive_now(&self.socket, room) {
            Ok(Some(0)) => {
                self.gone = true;
                Err(Error::new(Class::Lost, 0, "the server closed the connection"))
            }
            Ok(Some(count)) => {
                self.inbox.arrived(count);
                Ok(true)
            }
            Ok(None) => Ok(false),
            Err(error) => {
                self.gone = true;
                Err(errors::lost(&error))
            }
        }
    }
}

/// Nobody answers, or nobody wants an answer any more.
pub(super) fn silence(too_long: bool) -> Error {
    let why = if too_long {
        format!("the server has not answered for {SILENCE} seconds")
    } else {
        "interrupted while the server was at work".into()
    };
    Error::new(Class::Lost, 0, why)
}

pub(super) fn too_long() -> Error {
    let most = wire::LARGEST_REQUEST;
    Error::new(Class::Fatal, 0, format!("a statement is longer than {most} bytes"))
}

/// The name of a server of that version, if it is not too old.
fn known(version: &str) -> Result<&'static str, Error> {
    let name = if version.contains("MariaDB") { "MariaDB" } else { "MySQL" };
    // An old MariaDB says 5.5.5- before its own number, for clients that believed it to be MySQL.
    let number = version.strip_prefix("5.5.5-").filter(|_| name == "MariaDB").unwrap_or(version);
    let mut parts = number.split(|c: char| !c.is_ascii_digit()).map(str::parse::<u32>);
    let (Some(Ok(major)), Some(Ok(minor))) = (parts.next(), parts.next()) else {
        let what =
            format!("the server calls itself {version:?}, which is no version of MySQL or MariaDB");
        return Err(Error::new(Class::Fatal, 0, what));
    };
    for (vendor, [oldest, least]) in OLDEST {
        if vendor == name && (major, minor) < (oldest, least) {
            let what = format!(
                "the server is {name} {version}, which is too old: {oldest}.{least} or later is needed"
            );
            return Err(Error::new(Class::Fatal, 0, what));
        }
    }
    Ok(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_are_known_or_too_old() {
        assert_eq!(known("10.11.19-MariaDB-0+deb12u1").unwrap(), "MariaDB");
        assert_eq!(known("5.5.5-10.4.2-MariaDB").unwrap(), "MariaDB");
        assert_eq!(known("8.0.36").unwrap(), "MySQL");
        assert_eq!(known("5.7.44-log").unwrap(), "MySQL");
        for old in ["5.6.51", "5.5.5-10.1.48-MariaDB", "10.1.48-MariaDB"] {
            assert!(known(old).unwrap_err().reason.why.contains("too old"), "{old}");
        }
        assert!(known("PostgreSQL").unwrap_err().reason.why.contains("no version"));
    }
}
