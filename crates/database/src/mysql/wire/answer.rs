//! What a server answers to a command, packet by packet: a result without rows, columns and their rows, several of these one
//! after the other, or an error.
use super::{Broken, bytes::Bytes};

/// Most columns that a table has (MySQL's own limit).
const COLUMNS: u64 = 4096;
/// Status: a further result follows (`SERVER_MORE_RESULTS_EXISTS`).
const MORE_RESULTS: u16 = 8;
/// An end of columns or rows is shorter than this, which tells it from a row that begins with the same byte.
const END: usize = 9;

/// What is known of a column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::mysql) struct Column {
    pub(super) kind: u8,
    pub(super) unsigned: bool,
}

/// Flag of a column without negative numbers.
const UNSIGNED: u16 = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    /// A result begins.
    Result,
    /// So many definitions of columns are to come, and an end.
    Columns(u64),
    Rows,
    /// The answer to a preparation begins.
    Preparation,
    /// After it so many packets: definitions of parameters and an end, definitions of columns and an end.
    Definitions {
        statement: u32,
        parameters: u16,
        columns: u16,
        left: u32,
    },
}

/// What a packet was.
#[derive(Debug, PartialEq, Eq)]
pub(in crate::mysql) enum Step<'a> {
    /// Something that leads to something.
    More,
    /// A row; its columns are those of the answer.
    Row(&'a [u8]),
    /// A statement is prepared: its number, and how many parameters it has.
    Prepared(u32, u16),
    /// The lines that were announced may come now.
    Wanted,
    /// All is there: so many rows were changed.
    Done(u64),
    /// The server refused: its number of the error, and its words.
    Refused(u16, &'a [u8]),
}

/// An answer that is arriving.
#[derive(Debug)]
pub(in crate::mysql) struct Answer {
    state: State,
    columns: Vec<Column>,
    /// Definitions of columns are wanted.
    typed: bool,
    /// They came with this answer.
    described: bool,
    /// Results with rows so far.
    results: u32,
    affected: u64,
    warnings: u16,
    /// Lines were announced that have not been asked for yet.
    announced: bool,
}

impl Answer {
    /// With or without the types of columns.
    pub(in crate::mysql) fn new(typed: bool) -> Answer {
        Answer {
            state: State::Result,
            columns: vec![],
            typed,
            described: false,
            results: 0,
            affected: 0,
            warnings: 0,
            announced: false,
        }
    }
    /// Something was asked.
    #[inline]
    pub(in crate::mysql) fn begin(&mut self) {
        self.state = State::Result;
        self.described = false;
        self.results = 0;
        self.affected = 0;
        self.warnings = 0;
        self.announced = false;
    }
    /// The statement that was asked announces lines, which the server will ask for.
    pub(in crate::mysql) fn announce(&mut self) {
        self.announced = true;
    }
    /// What the server had to say against the statement that is done, without refusing it.
    pub(in crate::mysql) fn warnings(&self) -> u16 {
        self.warnings
    }
    /// A statement with these columns was executed: they may not come again.
    #[inline]
    pub(in crate::mysql) fn expect(&mut self, columns: &[Column]) {
        self.columns.clear();
        self.columns.extend_from_slice(columns);
    }
    /// Columns that came instead of those that were expected, and will not come again.
    #[inline]
    pub(in crate::mysql) fn news(&self) -> Option<&[Column]> {
        (self.described && self.results == 1).then_some(&self.columns[..])
    }
    /// A statement is to be prepared.
    pub(in crate::mysql) fn begin_preparation(&mut self) {
        self.state = State::Preparation;
    }
    /// Columns of the rows that are arriving.
    pub(in crate::mysql) fn columns(&self) -> &[Column] {
        &self.columns
    }
    /// Takes the next packet.
    #[inline]
    pub(in crate::mysql) fn take<'a>(&mut self, payload: &'a [u8]) -> Result<Step<'a>, Broken> {
        let mut bytes = Bytes(payload);
        let first = *payload.first().ok_or(Broken("an empty packet"))?;
        match self.state {
            State::Columns(left) => self.column(left, bytes),
            _ if first == 0xff => refusal(bytes),
            State::Rows if first == 0xfe && payload.len() < END => {
                bytes.take(3)?;
                Ok(self.ended(bytes.u16()?))
            }
            State::Rows => Ok(Step::Row(payload)),
            State::Result => self.result(first, bytes),
            State::Preparation if first == 0 => self.preparation(bytes),
            State::Preparation => Err(Broken("no answer to a preparation")),
            State::Definitions { statement, parameters, columns, left } => {
                if self.typed && left > 1 && left <= u32::from(columns) + 1 {
                    self.define(bytes)?;
                }
                if left == 1 {
                    self.state = State::Result;
                    return Ok(Step::Prepared(statement, parameters));
                }
                self.state = State::Definitions { statement, parameters, columns, left: left - 1 };
                Ok(Step::More)
            }
        }
    }

    fn result<'a>(&mut self, first: u8, mut bytes: Bytes<'a>) -> Result<Step<'a>, Broken> {
        match first {
            0x00 => {
                bytes.u8()?;
                self.affected = self.affected.saturating_add(bytes.length()?);
                bytes.length()?;
                let status = bytes.u16()?;
                self.warnings = bytes.u16().unwrap_or(0);
                Ok(self.ended(status))
            }
            // It names the file that the statement named, which is none: lines are made as they go.
            0xfb if self.announced => {
                self.announced = false;
                Ok(Step::Wanted)
            }
            // What a file of ours holds is nobody's business.
            0xfb => Err(Broken("a request for a local file")),
            _ => {
                let count = bytes.length()?;
                if !(1..=COLUMNS).contains(&count) {
                    return Err(Broken("more columns than a table has"));
                }
                self.results += 1;
                // A MariaDB leaves out what it said when the statement was prepared, and says in a byte that it does.
                if bytes.0.first() == Some(&0) {
                    if self.typed && self.columns.len() as u64 != count {
                        return Err(Broken("columns that were never described"));
                    }
                    self.state = State::Columns(0);
                } else {
                    self.columns.clear();
                    self.described = true;
                    self.state = State::Columns(count);
                }
                Ok(Step::More)
            }
        }
    }

    fn column<'a>(&mut self, left: u64, bytes: Bytes<'a>) -> Result<Step<'a>, Broken> {
        let is_end = bytes.0.first() == Some(&0xfe) && bytes.0.len() < END;
        if left == 0 || is_end {
            self.state = State::Rows;
            let whole = left == 0 && is_end;
            return if whole { Ok(Step::More) } else { Err(Broken("columns without an end")) };
        }
        if bytes.0.first() == Some(&0xff) {
            return refusal(bytes);
        }
        if self.typed {
            self.define(bytes)?;
        }
        self.state = State::Columns(left - 1);
        Ok(Step::More)
    }

    /// Takes note of a column's type.
    fn define(&mut self, mut bytes: Bytes<'_>) -> Result<(), Broken> {
        // Catalogue, schema, table, its own name, name, its own name.
        for _ in 0..6 {
            bytes.string()?;
        }
        // A length that is always 12, character set, width.
        bytes.take(1 + 2 + 4)?;
        let kind = bytes.u8()?;
        let unsigned = bytes.u16()? & UNSIGNED != 0;
        self.columns.push(Column { kind, unsigned });
        Ok(())
    }

    fn preparation<'a>(&mut self, mut bytes: Bytes<'a>) -> Result<Step<'a>, Broken> {
        bytes.u8()?;
        let statement = bytes.u32()?;
        let (columns, parameters) = (bytes.u16()?, bytes.u16()?);
        // Each kind is there with an end behind it, or not at all.
        let packets = |count: u16| if count > 0 { u32::from(count) + 1 } else { 0 };
        let left = packets(parameters) + packets(columns);
        if left == 0 {
            self.columns.clear();
            self.state = State::Result;
            return Ok(Step::Prepared(statement, parameters));
        }
        self.columns.clear();
        self.state = State::Definitions { statement, parameters, columns, left };
        Ok(Step::More)
    }

    fn ended(&mut self, status: u16) -> Step<'static> {
        self.state = State::Result;
        if status & MORE_RESULTS == 0 { Step::Done(self.affected) } else { Step::More }
    }
}

/// An error: its number, perhaps a mark and five characters of state, and words.
fn refusal(mut bytes: Bytes<'_>) -> Result<Step<'_>, Broken> {
    bytes.u8()?;
    let code = bytes.u16()?;
    if bytes.0.first() == Some(&b'#') {
        bytes.take(6)?;
    }
    Ok(Step::Refused(code, bytes.0))
}
