//! The client protocol of MySQL and MariaDB as far as a timed loop needs it: framing, requests and answers, without a system
//! call. What a server sends is not trusted: lengths are bounded and every byte is looked for before it is read.
//! Source: "Client/Server Protocol" of the MySQL and of the MariaDB documentation, protocol version 4.1 with EOF packets.
mod answer;
mod bytes;
mod inbox;
mod request;
mod row;

pub(super) use answer::{Answer, Step};
pub(super) use inbox::Inbox;
pub(super) use request::{LARGEST as LARGEST_REQUEST, Prepared, command, execute, piece, text};
pub(super) use row::{Row, first_text};

#[cfg(test)]
mod tests;

/// Bytes that no server sends: what is wrong with them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Broken(pub &'static str);

/// Commands, by their first byte.
pub(super) mod code {
    pub(crate) const QUERY: u8 = 0x03;
    pub(crate) const PING: u8 = 0x0e;
    pub(crate) const PREPARE: u8 = 0x16;
    pub(crate) const EXECUTE: u8 = 0x17;
}

/// Types of columns and parameters (`enum_field_types`).
mod kind {
    pub(super) const DECIMAL: u8 = 0;
    pub(super) const TINY: u8 = 1;
    pub(super) const SHORT: u8 = 2;
    pub(super) const LONG: u8 = 3;
    pub(super) const FLOAT: u8 = 4;
    pub(super) const DOUBLE: u8 = 5;
    pub(super) const NULL: u8 = 6;
    pub(super) const TIMESTAMP: u8 = 7;
    pub(super) const LONGLONG: u8 = 8;
    pub(super) const INT24: u8 = 9;
    pub(super) const DATE: u8 = 10;
    pub(super) const TIME: u8 = 11;
    pub(super) const DATETIME: u8 = 12;
    pub(super) const YEAR: u8 = 13;
    pub(super) const NEWDECIMAL: u8 = 246;
    pub(super) const VAR_STRING: u8 = 253;
}

/// Everything that bytes of a server go through, for fuzzing: as an answer to a prepared statement, or to a text.
pub fn fuzz(bytes: &[u8], binary: bool) {
    let mut inbox = Inbox::new();
    let mut answer = Answer::new(true);
    let mut rest = bytes;
    inbox.begin();
    answer.begin();
    loop {
        match inbox.packet() {
            Ok(Some(payload)) => match answer.take(payload) {
                Ok(Step::Row(row)) => {
                    let _ = first_text(row, binary);
                    if binary {
                        let _ = Row::of(row, answer.columns()).each(&mut |_| {});
                    }
                }
                Ok(Step::More | Step::Wanted) => {}
                Ok(Step::Prepared(..) | Step::Done(_) | Step::Refused(..)) => {
                    inbox.begin();
                    answer.begin();
                }
                Err(_) => return,
            },
            Ok(None) if rest.is_empty() => return,
            Ok(None) => {
                let Ok(room) = inbox.room() else { return };
                let some = rest.len().min(room.len()).min(7);
                room[..some].copy_from_slice(&rest[..some]);
                inbox.arrived(some);
                rest = &rest[some..];
            }
            Err(_) => return,
        }
    }
}
