//! Classes and remedies of MySQL's error codes.
//! Source: "Server Error Message Reference" of the MySQL manual; codes from 1900 on are MariaDB's.
use super::address::{Address, Endpoint};
use crate::session::{Error, ErrorClass};
use record::Reason;
use std::io;

/// An error of the server.
pub(super) fn refused(code: u16, message: &str) -> Error {
    let class = class_of(code, message);
    let why = format!("the server says: {message} ({code})");
    let reason = match remedy(code, class) {
        Some(remedy) => Reason::mended_by(why, remedy),
        None => Reason::new(why),
    };
    Error { class, code: code.into(), reason }
}

fn class_of(code: u16, message: &str) -> ErrorClass {
    let has_errno =
        |errno: &str| message.split(|c: char| !c.is_ascii_digit()).any(|number| number == errno);
    match code {
        1213 | 1614 => ErrorClass::Deadlock,
        1205 => ErrorClass::LockTimeout,
        1020 => ErrorClass::RowChanged,
        // The server shuts down or aborts, or the connection was killed.
        1053 | 1077..=1080 | 1152 | 1184 | 1927 => ErrorClass::ConnectionLost,
        1021 | 1037 | 1038 | 1041 | 1114 => ErrorClass::NoSpace,
        // A file or table cannot be written; the message has the errno of a full disk (28) or quota (122).
        3 | 1026 | 1030 if has_errno("28") || has_errno("122") => ErrorClass::NoSpace,
        1044 | 1045 | 1130 | 1142 | 1143 | 1227 | 1251 | 1698 | 1820 | 1862 => {
            ErrorClass::AccessDenied
        }
        _ => ErrorClass::Fatal,
    }
}

fn remedy(code: u16, class: ErrorClass) -> Option<&'static str> {
    Some(match code {
        1040 => "raise max_connections on the server, or use fewer connections",
        1049 => "create the database on the server, or name another one in the address",
        1130 => "allow the user to connect from this host (CREATE USER ... @'host')",
        1461 => "raise max_prepared_stmt_count on the server",
        1153 => "raise max_allowed_packet on the server",
        // ER_SECURE_TRANSPORT_REQUIRED.
        3159 => "--tls-ca FILE, with the certificate of the server's authority",
        1290 | 1792 | 1836 => "the server is read-only: choose another one",
        _ => match class {
            ErrorClass::AccessDenied => {
                "give the user's password in MYSQL_PWD or an option file, and the user all rights on the database"
            }
            ErrorClass::NoSpace => "make room on the server's disk, or choose a smaller size",
            _ => return None,
        },
    })
}

/// The connection broke.
pub(super) fn lost(error: &io::Error) -> Error {
    let why = format!("the connection to the server broke: {error}");
    Error::new(ErrorClass::ConnectionLost, 0, why)
}

/// The server refused the login.
pub(super) fn login(code: u16, message: &[u8], address: &Address) -> Error {
    let (endpoint, user) = (&address.endpoint, &address.user);
    let message = String::from_utf8_lossy(message);
    let mut refused = refused(code, &message);
    if code == 1045 {
        let password = match address.password.is_empty() {
            true => "without a password",
            false => "with the given password",
        };
        refused.reason.why =
            format!("the server at {endpoint} refuses {user} {password}: {message}").into();
    }
    refused
}

/// Nothing could be connected to.
pub(super) fn unreachable(endpoint: &Endpoint, error: &io::Error) -> Error {
    let remedy = match (endpoint, error.kind()) {
        (_, io::ErrorKind::ConnectionRefused) => {
            "nothing listens there: start the server, or check its port or socket"
        }
        (Endpoint::Socket(_), io::ErrorKind::NotFound) => {
            "find the socket with: SHOW VARIABLES LIKE 'socket'"
        }
        (_, io::ErrorKind::PermissionDenied) => "check the socket's permissions",
        (_, io::ErrorKind::TimedOut | io::ErrorKind::WouldBlock) => {
            "check for a firewall, and whether it is a MySQL server"
        }
        _ => "check the host's name and the network",
    };
    let why = format!("the server at {endpoint} cannot be reached: {error}");
    Error { class: ErrorClass::ConnectionLost, code: 0, reason: Reason::mended_by(why, remedy) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_have_classes() {
        for (code, words, class) in [
            (1213, "Deadlock found", ErrorClass::Deadlock),
            (1205, "Lock wait timeout", ErrorClass::LockTimeout),
            (1020, "Record has changed", ErrorClass::RowChanged),
            (1053, "Server shutdown in progress", ErrorClass::ConnectionLost),
            (1114, "The table 't' is full", ErrorClass::NoSpace),
            (
                1026,
                "Error writing file 'x' (Errcode: 28 \"No space left on device\")",
                ErrorClass::NoSpace,
            ),
            (1030, "Got error 28 from storage engine", ErrorClass::NoSpace),
            (1030, "Got error 128 from storage engine", ErrorClass::Fatal),
            (1045, "Access denied", ErrorClass::AccessDenied),
            (1064, "You have an error in your SQL syntax", ErrorClass::Fatal),
        ] {
            let error = refused(code, words);
            assert_eq!((error.class, error.code), (class, code.into()), "{code}");
            assert!(error.reason.why.contains(words));
        }
        assert!(refused(1114, "full").reason.remedy.unwrap().contains("room"));
    }
}
