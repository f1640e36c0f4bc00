//! Commands as packets. A buffer is filled again for each and does not grow in a timed loop.
use super::response::Column;
use crate::session::Value;
use mysql_common::{
    constants::{ColumnType, Command},
    io::BufMutExt,
};

/// The largest payload of one packet.
pub(in crate::mysql) const LARGEST: usize = (1 << 24) - 2;

/// A prepared statement of a connection.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::mysql) struct Prepared {
    /// The server's statement id.
    pub(in crate::mysql) id: u32,
    pub(in crate::mysql) parameters: usize,
    /// Columns of its rows.
    pub(in crate::mysql) columns: Vec<Column>,
    /// Parameter types of the last execution. They are sent again only when they change, as sysbench's library does.
    types: Vec<u8>,
}

impl Prepared {
    pub(in crate::mysql) fn new(id: u32, parameters: u16, columns: &[Column]) -> Prepared {
        Prepared { id, parameters: parameters.into(), columns: columns.to_vec(), types: vec![] }
    }
}

/// A command with its argument; `None` if it does not fit one packet.
pub(in crate::mysql) fn command(
    packet: &mut Vec<u8>,
    command: Command,
    argument: &[u8],
) -> Option<()> {
    begin(packet, command);
    packet.extend_from_slice(argument);
    end(packet)
}

/// A text query in pieces.
#[inline]
pub(in crate::mysql) fn query(packet: &mut Vec<u8>, pieces: &[&[u8]]) -> Option<()> {
    begin(packet, Command::COM_QUERY);
    pieces.iter().for_each(|piece| packet.extend_from_slice(piece));
    end(packet)
}

/// Bytes in a packet with this sequence number: lines of LOAD DATA LOCAL, which an empty packet ends, or an answer of a login.
pub(in crate::mysql) fn raw(packet: &mut Vec<u8>, sequence: u8, bytes: &[u8]) -> Option<()> {
    packet.clear();
    packet.extend_from_slice(&[0, 0, 0, sequence]);
    packet.extend_from_slice(bytes);
    end(packet)
}

/// COM_STMT_EXECUTE; `None` if it does not fit one packet.
pub(in crate::mysql) fn execute(
    packet: &mut Vec<u8>,
    statement: &mut Prepared,
    values: &[Value<'_>],
) -> Option<()> {
    begin(packet, Command::COM_STMT_EXECUTE);
    packet.extend_from_slice(&statement.id.to_le_bytes());
    // No cursor; one iteration.
    packet.extend_from_slice(&[0, 1, 0, 0, 0]);
    if !values.is_empty() {
        let null_bitmap = packet.len();
        packet.resize(null_bitmap + values.len().div_ceil(8), 0);
        let mut changed = statement.types.len() != values.len();
        if changed {
            statement.types.clear();
            statement.types.resize(values.len(), ColumnType::MYSQL_TYPE_NULL as u8);
        }
        for (at, value) in values.iter().enumerate() {
            let column_type = match value {
                // NULL keeps the type of the last value.
                Value::Null => {
                    packet[null_bitmap + at / 8] |= 1 << (at % 8);
                    continue;
                }
                Value::Int(_) => ColumnType::MYSQL_TYPE_LONGLONG,
                Value::Real(_) => ColumnType::MYSQL_TYPE_DOUBLE,
                Value::Text(_) => ColumnType::MYSQL_TYPE_VAR_STRING,
            } as u8;
            changed |= statement.types[at] != column_type;
            statement.types[at] = column_type;
        }
        packet.push(changed.into());
        if changed {
            packet.extend(statement.types.iter().flat_map(|column_type| [*column_type, 0]));
        }
        for value in values {
            match value {
                Value::Null => {}
                Value::Int(n) => packet.extend_from_slice(&n.to_le_bytes()),
                Value::Real(x) => packet.extend_from_slice(&x.to_le_bytes()),
                Value::Text(text) => packet.put_lenenc_str(text.as_bytes()),
            }
        }
    }
    end(packet)
}

fn begin(packet: &mut Vec<u8>, command: Command) {
    packet.clear();
    packet.extend_from_slice(&[0, 0, 0, 0, command as u8]);
}

/// Fills in the three bytes of length.
pub(super) fn end(packet: &mut [u8]) -> Option<()> {
    let length = packet.len() - 4;
    packet[..3].copy_from_slice(&(length as u32).to_le_bytes()[..3]);
    (length <= LARGEST).then_some(())
}
