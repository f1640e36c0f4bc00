//! What a server's numbers of errors mean for us, and what would help.
//! Source: "Server Error Message Reference" of the MySQL manual; numbers from 1900 are MariaDB's.
use super::address::{Address, Place};
use crate::session::{Class, Error};
use record::Reason;
use std::io;

/// An error that the server answered with.
pub(super) fn refused(code: u16, words: &str) -> Error {
    let class = class_of(code, words);
    let why = format!("the server says: {words} ({code})");
    let reason = match remedy(code, class) {
        Some(remedy) => Reason::mended_by(why, remedy),
        None => Reason::new(why),
    };
    Error { class, code: code.into(), reason }
}

fn class_of(code: u16, words: &str) -> Class {
    match code {
        1213 | 1614 => Class::Deadlock,
        1205 => Class::LockTimeout,
        1020 => Class::Changed,
        // Shutting down, aborting, or somebody ended the connection.
        1053 | 1077..=1080 | 1152 | 1184 | 1927 => Class::Lost,
        1021 | 1037 | 1038 | 1041 | 1114 => Class::Full,
        // A file, or the engine, cannot be written: the errno of a full disk or quota is in the words.
        3 | 1026 | 1030 if ["28", "122"].iter().any(|errno| has_number(words, errno)) => {
            Class::Full
        }
        1044 | 1045 | 1130 | 1142 | 1143 | 1227 | 1251 | 1698 | 1820 | 1862 => Class::Denied,
        _ => Class::Fatal,
    }
}

/// Whether a number stands in the words by itself.
fn has_number(words: &str, number: &str) -> bool {
    words.split(|c: char| !c.is_ascii_digit()).any(|word| word == number)
}

fn remedy(code: u16, class: Class) -> Option<&'static str> {
    Some(match code {
        1040 => "raise max_connections on the server, or ask over fewer connections",
        1049 => "create the database on the server, or name another one in the address",
        1130 => "let the user in from this host (CREATE USER ... @'host')",
        1461 => "raise max_prepared_stmt_count on the server",
        1153 => "raise max_allowed_packet on the server",
        1290 | 1792 | 1836 => "the server is read-only: choose another one",
        _ => match class {
            Class::Denied => {
                "give the user's password in MYSQL_PWD or an option file, and the user all rights on the database"
            }
            Class::Full => "make room on the server's disk, or choose a smaller size",
            _ => return None,
        },
    })
}

/// The connection broke, and with what.
pub(super) fn lost(error: &io::Error) -> Error {
    Error::new(Class::Lost, 0, format!("the connection to the server broke: {error}"))
}

/// The driver could not connect or log in, or a command of it failed.
pub(super) fn driver(error: &mysql::Error, address: &Address) -> Error {
    let place = &address.place;
    match error {
        mysql::Error::MySqlError(e) => {
            let mut refused = refused(e.code, &e.message);
            if e.code == 1045 {
                let with = if address.password.is_empty() {
                    "without a password"
                } else {
                    "with the password given"
                };
                refused.reason.why = format!(
                    "the server at {place} does not let {} in {with}: {}",
                    address.user, e.message
                );
            }
            refused
        }
        mysql::Error::IoError(e) => unreachable(place, e.kind(), &e.to_string()),
        mysql::Error::DriverError(mysql::DriverError::CouldNotConnect(Some((_, words, kind)))) => {
            unreachable(place, *kind, words)
        }
        mysql::Error::DriverError(mysql::DriverError::ConnectTimeout) => {
            unreachable(place, io::ErrorKind::TimedOut, "no answer")
        }
        other => {
            Error::new(Class::Fatal, 0, format!("the server at {place} is not understood: {other}"))
        }
    }
}

/// There is no connection, or it broke while logging in.
fn unreachable(place: &Place, kind: io::ErrorKind, words: &str) -> Error {
    let remedy = match (place, kind) {
        (_, io::ErrorKind::ConnectionRefused) => {
            "nobody listens there: start the server, or look at its port or socket"
        }
        (Place::Socket(_), io::ErrorKind::NotFound) => {
            "look for the socket with: SHOW VARIABLES LIKE 'socket'"
        }
        (_, io::ErrorKind::PermissionDenied) => "look at the socket's permissions",
        (_, io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => {
            "look whether a firewall is between, and whether it is a MySQL server"
        }
        _ => "look into the server's error log",
    };
    let why = format!("the server at {place} cannot be reached: {words}");
    Error { class: Class::Lost, code: 0, reason: Reason::mended_by(why, remedy) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_classes() {
        for (code, words, class) in [
            (1213, "Deadlock found", Class::Deadlock),
            (1205, "Lock wait timeout", Class::LockTimeout),
            (1020, "Record has changed", Class::Changed),
            (1053, "Server shutdown in progress", Class::Lost),
            (1114, "The table 't' is full", Class::Full),
            (1026, "Error writing file 'x' (Errcode: 28 \"No space left on device\")", Class::Full),
            (1030, "Got error 28 from storage engine", Class::Full),
            (1030, "Got error 128 from storage engine", Class::Fatal),
            (1045, "Access denied", Class::Denied),
            (1064, "You have an error in your SQL syntax", Class::Fatal),
        ] {
            let error = refused(code, words);
            assert_eq!((error.class, error.code), (class, code.into()), "{code}");
            assert!(error.reason.why.contains(words));
        }
        assert!(refused(1114, "full").reason.remedy.unwrap().contains("room"));
    }
}
