//! Commands as bytes: a text, or a prepared statement with its parameters. A buffer is filled anew for each and never grows in
//! a timed loop.
use super::{answer::Column, code, kind};
use crate::session::Value;

/// Bytes of the largest payload that fits one packet.
pub(in crate::mysql) const LARGEST: usize = (1 << 24) - 2;

/// A prepared statement of a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::mysql) struct Prepared {
    /// The server's number of it.
    pub(in crate::mysql) number: u32,
    /// Parameters that it has.
    pub(in crate::mysql) parameters: usize,
    /// What its rows have.
    pub(in crate::mysql) columns: Vec<Column>,
    /// The types with which it was executed last: they are sent again only when they change.
    pub(super) types: Vec<u8>,
}

impl Prepared {
    pub(in crate::mysql) fn new(number: u32, parameters: u16, columns: &[Column]) -> Prepared {
        Prepared { number, parameters: parameters.into(), columns: columns.to_vec(), types: vec![] }
    }
}

/// A command with its argument; nothing if it is too long for one packet.
pub(in crate::mysql) fn command(into: &mut Vec<u8>, code: u8, argument: &[u8]) -> Option<()> {
    text(into, code, &[argument])
}

/// A command whose argument is in pieces.
#[inline]
pub(in crate::mysql) fn text(into: &mut Vec<u8>, code: u8, pieces: &[&[u8]]) -> Option<()> {
    begin(into, code);
    pieces.iter().for_each(|piece| into.extend_from_slice(piece));
    end(into)
}

/// A piece of what a command announced: the packet of that number. An empty one ends it.
pub(in crate::mysql) fn piece(into: &mut Vec<u8>, number: u8, bytes: &[u8]) -> Option<()> {
    into.clear();
    into.extend_from_slice(&[0, 0, 0, number]);
    into.extend_from_slice(bytes);
    end(into)
}

/// The execution of a statement; nothing if it is too long for one packet.
pub(in crate::mysql) fn execute(
    into: &mut Vec<u8>,
    statement: &mut Prepared,
    values: &[Value<'_>],
) -> Option<()> {
    begin(into, code::EXECUTE);
    into.extend_from_slice(&statement.number.to_le_bytes());
    // No cursor, once.
    into.extend_from_slice(&[0, 1, 0, 0, 0]);
    if !values.is_empty() {
        let nulls = into.len();
        into.resize(nulls + values.len().div_ceil(8), 0);
        let first = statement.types.len() != values.len();
        if first {
            statement.types.clear();
            statement.types.resize(values.len(), kind::NULL);
        }
        let mut changed = first;
        for (at, value) in values.iter().enumerate() {
            let Some(kind) = kind_of(value) else {
                into[nulls + at / 8] |= 1 << (at % 8);
                continue; // Whatever type it had, it has no value.
            };
            changed |= statement.types[at] != kind;
            statement.types[at] = kind;
        }
        into.push(changed.into());
        if changed {
            into.extend(statement.types.iter().flat_map(|kind| [*kind, 0]));
        }
        values.iter().for_each(|value| put(into, value));
    }
    end(into)
}

fn kind_of(value: &Value<'_>) -> Option<u8> {
    match value {
        Value::Null => None,
        Value::Int(_) => Some(kind::LONGLONG),
        Value::Real(_) => Some(kind::DOUBLE),
        Value::Text(_) => Some(kind::VAR_STRING),
    }
}

fn put(into: &mut Vec<u8>, value: &Value<'_>) {
    match value {
        Value::Null => {}
        Value::Int(number) => into.extend_from_slice(&number.to_le_bytes()),
        Value::Real(number) => into.extend_from_slice(&number.to_le_bytes()),
        Value::Text(text) => {
            let length = text.len();
            match length {
                0..=0xfa => into.push(length as u8),
                0xfb..=0xffff => {
                    into.push(0xfc);
                    into.extend_from_slice(&(length as u16).to_le_bytes());
                }
                _ => {
                    into.push(0xfe);
                    into.extend_from_slice(&(length as u64).to_le_bytes());
                }
            }
            into.extend_from_slice(text.as_bytes());
        }
    }
}

fn begin(into: &mut Vec<u8>, code: u8) {
    into.clear();
    into.extend_from_slice(&[0, 0, 0, 0, code]);
}

/// Fills in the length: three bytes, and the number 0 of a command's first packet.
fn end(into: &mut [u8]) -> Option<()> {
    let length = into.len() - 4;
    let bytes = (length as u32).to_le_bytes();
    into[..3].copy_from_slice(&bytes[..3]);
    (length <= LARGEST).then_some(())
}
