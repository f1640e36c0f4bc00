//! A server's response, packet by packet: OK, ERR, result sets (one or several), or the response to a preparation.
use super::{ProtocolError, Result, SHORT};
use mysql_common::{
    constants::{ColumnFlags, ColumnType, StatusFlags},
    io::ParseBuf,
};

/// The most columns of a table (MySQL's limit).
const MAX_COLUMNS: u64 = 4096;
/// An EOF packet is shorter than this; a row that begins with the same byte is not.
const EOF_LENGTH: usize = 9;

/// Type of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mysql) struct Column {
    pub(super) column_type: ColumnType,
    pub(super) unsigned: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum State {
    /// A result begins.
    #[default]
    Result,
    /// This number of column definitions follows, then EOF.
    Columns(u64),
    Rows,
    /// The response to COM_STMT_PREPARE begins.
    Preparation,
    /// `left` packets follow: parameter definitions and EOF, column definitions and EOF.
    Definitions {
        statement: u32,
        parameters: u16,
        columns: u16,
        left: u32,
    },
}

/// The meaning of a packet for the response.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::mysql) enum ResponseStep<'a> {
    /// More packets follow.
    Continue,
    /// A row of [`Response::columns`].
    Row(&'a [u8]),
    /// A statement was prepared: its id and number of parameters.
    Prepared(u32, u16),
    /// The server requests the lines of LOAD DATA LOCAL.
    LinesRequested,
    /// The response is complete: number of changed rows.
    Done(u64),
    /// The server refused: error code and message.
    Refused(u16, &'a [u8]),
}

/// The state of a response.
#[derive(Debug, Default)]
pub(in crate::mysql) struct Response {
    state: State,
    columns: Vec<Column>,
    /// Whether column definitions are parsed.
    typed: bool,
    /// Whether this response defined columns.
    defined: bool,
    /// Result sets with rows so far.
    results: u32,
    changed_rows: u64,
    warnings: u16,
    /// The statement is a LOAD DATA LOCAL whose lines were not requested yet.
    has_lines: bool,
}

impl Response {
    /// `typed`: column definitions are parsed.
    pub(in crate::mysql) fn new(typed: bool) -> Response {
        Response { typed, ..Response::default() }
    }
    /// A command was sent.
    #[inline]
    pub(in crate::mysql) fn begin(&mut self) {
        self.state = State::Result;
        self.defined = false;
        self.results = 0;
        self.changed_rows = 0;
        self.warnings = 0;
        self.has_lines = false;
    }
    /// The command is COM_STMT_PREPARE.
    pub(in crate::mysql) fn begin_preparation(&mut self) {
        self.state = State::Preparation;
    }
    /// The command is LOAD DATA LOCAL.
    pub(in crate::mysql) fn begin_lines(&mut self) {
        self.has_lines = true;
    }
    /// Number of warnings of a completed statement.
    pub(in crate::mysql) fn warnings(&self) -> u16 {
        self.warnings
    }
    /// The statement was prepared with these columns; MariaDB does not send their definitions again.
    #[inline]
    pub(in crate::mysql) fn expect_columns(&mut self, columns: &[Column]) {
        self.columns.clear();
        self.columns.extend_from_slice(columns);
    }
    /// Column definitions that replace those of the preparation.
    #[inline]
    pub(in crate::mysql) fn new_columns(&self) -> Option<&[Column]> {
        (self.defined && self.results == 1).then_some(&self.columns[..])
    }
    /// Columns of the current rows.
    pub(in crate::mysql) fn columns(&self) -> &[Column] {
        &self.columns
    }
    /// Parses the next packet.
    #[inline]
    pub(in crate::mysql) fn packet<'a>(&mut self, payload: &'a [u8]) -> Result<ResponseStep<'a>> {
        let mut fields = ParseBuf(payload);
        let first = *payload.first().ok_or(ProtocolError("an empty packet"))?;
        match self.state {
            State::Columns(left) => self.column(left, fields),
            _ if first == 0xff => refusal(fields),
            State::Rows if first == 0xfe && payload.len() < EOF_LENGTH => {
                fields.checked_eat(3).ok_or(SHORT)?;
                Ok(self.end_of_result(fields.checked_eat_u16_le().ok_or(SHORT)?))
            }
            State::Rows => Ok(ResponseStep::Row(payload)),
            State::Result => self.result(first, fields),
            State::Preparation if first == 0 => self.preparation(fields).ok_or(SHORT),
            State::Preparation => Err(ProtocolError("no response to a preparation")),
            State::Definitions { statement, parameters, columns, left } => {
                if self.typed && left > 1 && left <= u32::from(columns) + 1 {
                    self.define(fields)?;
                }
                if left == 1 {
                    self.state = State::Result;
                    return Ok(ResponseStep::Prepared(statement, parameters));
                }
                self.state = State::Definitions { statement, parameters, columns, left: left - 1 };
                Ok(ResponseStep::Continue)
            }
        }
    }

    fn result<'a>(&mut self, first: u8, mut fields: ParseBuf<'a>) -> Result<ResponseStep<'a>> {
        match first {
            0x00 => self.ok(fields).ok_or(SHORT),
            // The packet names the file of the statement; there is none, lines are generated.
            0xfb if self.has_lines => {
                self.has_lines = false;
                Ok(ResponseStep::LinesRequested)
            }
            // A server must not read files of the client.
            0xfb => Err(ProtocolError("a request for a local file")),
            _ => {
                let count = fields.checked_eat_lenenc_int().ok_or(SHORT)?;
                if !(1..=MAX_COLUMNS).contains(&count) {
                    return Err(ProtocolError("more columns than a table has"));
                }
                self.results += 1;
                // MariaDB leaves out the definitions of the preparation, and says so in a byte.
                if fields.0.first() == Some(&0) {
                    if self.typed && self.columns.len() as u64 != count {
                        return Err(ProtocolError("columns that were never defined"));
                    }
                    self.state = State::Columns(0);
                } else {
                    self.columns.clear();
                    self.defined = true;
                    self.state = State::Columns(count);
                }
                Ok(ResponseStep::Continue)
            }
        }
    }

    fn ok(&mut self, mut fields: ParseBuf<'_>) -> Option<ResponseStep<'static>> {
        fields.checked_eat_u8()?;
        self.changed_rows = self.changed_rows.saturating_add(fields.checked_eat_lenenc_int()?);
        // Last insert id.
        fields.checked_eat_lenenc_int()?;
        let status = fields.checked_eat_u16_le()?;
        self.warnings = fields.checked_eat_u16_le().unwrap_or(0);
        Some(self.end_of_result(status))
    }

    fn column<'a>(&mut self, left: u64, fields: ParseBuf<'a>) -> Result<ResponseStep<'a>> {
        let is_eof = fields.0.first() == Some(&0xfe) && fields.0.len() < EOF_LENGTH;
        if left == 0 || is_eof {
            self.state = State::Rows;
            let complete = left == 0 && is_eof;
            return complete
                .then_some(ResponseStep::Continue)
                .ok_or(ProtocolError("columns without an end"));
        }
        if fields.0.first() == Some(&0xff) {
            return refusal(fields);
        }
        if self.typed {
            self.define(fields)?;
        }
        self.state = State::Columns(left - 1);
        Ok(ResponseStep::Continue)
    }

    /// Parses a column definition.
    fn define(&mut self, mut fields: ParseBuf<'_>) -> Result<()> {
        // Catalogue, schema, table, original table, name, original name.
        for _ in 0..6 {
            fields.checked_eat_lenenc_str().ok_or(SHORT)?;
        }
        // The length of what follows (12), character set, column length.
        fields.checked_eat(1 + 2 + 4).ok_or(SHORT)?;
        let column_type = ColumnType::try_from(fields.checked_eat_u8().ok_or(SHORT)?)
            .map_err(|_| ProtocolError("a column of an unknown type"))?;
        let flags = fields.checked_eat_u16_le().ok_or(SHORT)?;
        let unsigned = flags & ColumnFlags::UNSIGNED_FLAG.bits() != 0;
        self.columns.push(Column { column_type, unsigned });
        Ok(())
    }

    fn preparation(&mut self, mut fields: ParseBuf<'_>) -> Option<ResponseStep<'static>> {
        fields.checked_eat_u8()?;
        let statement = fields.checked_eat_u32_le()?;
        let columns = fields.checked_eat_u16_le()?;
        let parameters = fields.checked_eat_u16_le()?;
        // Definitions with EOF, or no packet.
        let packets = |count: u16| if count > 0 { u32::from(count) + 1 } else { 0 };
        let left = packets(parameters) + packets(columns);
        self.columns.clear();
        if left == 0 {
            self.state = State::Result;
            return Some(ResponseStep::Prepared(statement, parameters));
        }
        self.state = State::Definitions { statement, parameters, columns, left };
        Some(ResponseStep::Continue)
    }

    fn end_of_result(&mut self, status: u16) -> ResponseStep<'static> {
        self.state = State::Result;
        match status & StatusFlags::SERVER_MORE_RESULTS_EXISTS.bits() {
            0 => ResponseStep::Done(self.changed_rows),
            _ => ResponseStep::Continue,
        }
    }
}

/// An ERR packet: code, perhaps '#' and the SQL state, and the message.
pub(super) fn refusal(mut fields: ParseBuf<'_>) -> Result<ResponseStep<'_>> {
    fields.checked_eat_u8().ok_or(SHORT)?;
    let code = fields.checked_eat_u16_le().ok_or(SHORT)?;
    if fields.0.first() == Some(&b'#') {
        fields.checked_eat(6).ok_or(SHORT)?;
    }
    Ok(ResponseStep::Refused(code, fields.0))
}
