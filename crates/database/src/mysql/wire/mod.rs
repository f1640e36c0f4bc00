//! The client protocol of MySQL and MariaDB as far as the timed loops need it: packets, commands and responses, without a system
//! call. Server data are not trusted: lengths are bounded, and reads are checked. Fields are parsed by `mysql_common`'s buffer; its
//! packet types own their bytes and would allocate for every row (docs/adr/0025).
//! Source: "Client/Server Protocol" of the MySQL and MariaDB documentation, protocol version 4.1 with EOF packets.
mod command;
mod login;
mod receive_buffer;
mod response;
mod row;

pub(super) use command::{LARGEST as LARGEST_COMMAND, Prepared, command, execute, query, raw};
pub(super) use login::{Login, LoginStep, greeting, login, login_step, tls_request};
pub(super) use receive_buffer::ReceiveBuffer;
pub(super) use response::{Response, ResponseStep};
pub(super) use row::{first_text, pair_of_texts, read_row};

#[cfg(test)]
mod tests;

/// A violation of the protocol by the server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProtocolError(pub &'static str);

type Result<T, E = ProtocolError> = std::result::Result<T, E>;

/// A packet ends before its last field.
const SHORT: ProtocolError = ProtocolError("a packet ends before its last field");

/// Runs the bytes through the parser as a greeting, as a step of a login, and as the response to a prepared statement, or to a text query. For fuzzing.
pub fn fuzz(bytes: &[u8], binary: bool) {
    let _ = (greeting(bytes), login_step(bytes));
    let (mut buffer, mut response) = (ReceiveBuffer::new(), Response::new(true));
    let mut rest = bytes;
    loop {
        match buffer.packet() {
            Ok(Some(payload)) => match response.packet(payload) {
                Ok(ResponseStep::Row(row)) => {
                    let _ = (first_text(row, binary), pair_of_texts(row));
                    if binary {
                        let _ = read_row(row, response.columns(), &mut |_| {});
                    }
                }
                Ok(ResponseStep::Continue | ResponseStep::LinesRequested) => {}
                Ok(_) => {
                    buffer.expect_packet(1);
                    response.begin();
                }
                Err(_) => return,
            },
            Ok(None) if rest.is_empty() => return,
            Ok(None) => {
                let Ok(free) = buffer.free() else { return };
                let some = rest.len().min(free.len()).min(7);
                free[..some].copy_from_slice(&rest[..some]);
                buffer.received(some);
                rest = &rest[some..];
            }
            Err(_) => return,
        }
    }
}
