//! MySQL and MariaDB: a well-kept driver connects, authenticates and does everything that is not timed; a client of our own
//! does the rest over the driver's connection, because how a socket is waited for changes what is measured (docs/adr/0025).
pub(crate) mod address;
pub(crate) mod connection;
mod errors;
mod lookups;
pub(crate) mod running;
mod session;
pub mod wire;

use crate::session::{Class, Error};
use record::Reason;
use std::collections::BTreeMap;

/// How a worker waits for answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wait {
    /// One connection to a thread: lookups look, and sleep in poll(2) if there is nothing yet, as sysbench does; sessions do not
    /// look first.
    Poll,
    /// Several connections to a thread, which sleeps in epoll_wait(2).
    Epoll,
    /// It never sleeps, so that the server never has to wake a CPU.
    Spin,
}

/// How a transaction begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Begin {
    /// By a statement.
    Statement,
    /// By itself: autocommit is off.
    Elided,
    /// By a statement after a COM_PING.
    Ping,
}

/// How sessions are held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Manner {
    pub(crate) wait: Wait,
    pub(crate) begin: Begin,
    /// Lookups are prepared statements; otherwise texts.
    pub(crate) prepared: bool,
    /// What transactions see of each other, in SQL's words; the server's default if nothing.
    pub(crate) isolation: Option<&'static str>,
}

impl Manner {
    /// What the options say; without a word on waiting, it is never slept where every worker can have a CPU.
    pub(crate) fn of(options: &BTreeMap<String, String>, room: bool) -> Result<Manner, Reason> {
        let of = |name: &str| options.get(name).map(String::as_str);
        Ok(Manner {
            wait: match of("wait") {
                None if room => Wait::Spin,
                None | Some("poll") => Wait::Poll,
                Some("epoll") => Wait::Epoll,
                Some("spin") => Wait::Spin,
                Some(other) => return Err(unknown("wait", other, "poll, epoll or spin")),
            },
            begin: match of("begin") {
                None | Some("statement") => Begin::Statement,
                Some("elided") => Begin::Elided,
                Some("ping") => Begin::Ping,
                Some(other) => return Err(unknown("begin", other, "statement, elided or ping")),
            },
            prepared: match of("protocol") {
                None | Some("prepared") => true,
                Some("text") => false,
                Some(other) => return Err(unknown("protocol", other, "prepared or text")),
            },
            isolation: match of("isolation") {
                None => None,
                Some("read-uncommitted") => Some("READ UNCOMMITTED"),
                Some("read-committed") => Some("READ COMMITTED"),
                Some("repeatable-read") => Some("REPEATABLE READ"),
                Some("serializable") => Some("SERIALIZABLE"),
                Some(other) => {
                    let known = "read-uncommitted, read-committed, repeatable-read or serializable";
                    return Err(unknown("isolation", other, known));
                }
            },
        })
    }
    /// The same in words, for the record.
    pub(crate) fn settings(&self) -> Vec<(&'static str, String)> {
        let wait = match self.wait {
            Wait::Poll => "poll",
            Wait::Epoll => "epoll",
            Wait::Spin => "spin",
        };
        let begin = match self.begin {
            Begin::Statement => "statement",
            Begin::Elided => "elided",
            Begin::Ping => "ping",
        };
        let protocol = if self.prepared { "prepared" } else { "text" };
        let isolation = self.isolation.map_or("the server's".into(), |i| i.to_lowercase());
        vec![
            ("wait", wait.into()),
            ("begin", begin.into()),
            ("protocol", protocol.into()),
            ("isolation", isolation),
        ]
    }
}

/// An option that has no such value.
pub(crate) fn unknown(option: &str, value: &str, known: &str) -> Reason {
    Reason::mended_by(format!("{option} cannot be {value}"), format!("choose {known}"))
}

/// The server said something that no server says.
fn broken(what: wire::Broken) -> Error {
    Error::new(Class::Lost, 0, format!("what the server sends is not MySQL's protocol: {}", what.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_known_or_refused() {
        let of = |words: &[(&str, &str)], room| {
            let options = words.iter().map(|(k, v)| ((*k).into(), (*v).into())).collect();
            Manner::of(&options, room)
        };
        let plain = of(&[], false).unwrap();
        assert_eq!((plain.wait, plain.begin, plain.prepared), (Wait::Poll, Begin::Statement, true));
        assert_eq!(of(&[], true).unwrap().wait, Wait::Spin);
        let said = [
            ("wait", "epoll"),
            ("begin", "ping"),
            ("protocol", "text"),
            ("isolation", "read-committed"),
        ];
        let said = of(&said, true).unwrap();
        assert_eq!((said.wait, said.begin, said.prepared), (Wait::Epoll, Begin::Ping, false));
        assert_eq!(said.settings()[3], ("isolation", "read committed".to_owned()));
        for option in ["wait", "begin", "protocol", "isolation"] {
            let why = of(&[(option, "x")], false).unwrap_err();
            assert!(why.why.contains(option) && why.remedy.is_some(), "{why}");
        }
    }
}
