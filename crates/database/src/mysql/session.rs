//! A session over a connection: prepared statements by the binary protocol, one request and one answer at a time.
use super::{
    Begin, Manner,
    connection::{Connection, too_long},
    wire::{self, Prepared, Row, code},
};
use crate::session::{Class, Error, Rows, Session, Statement, Value};
use record::Reason;

/// Tells what became of a server that has gone, if anybody knows.
pub(crate) type Obituary = Box<dyn Fn() -> Option<Reason>>;

/// A connection with its statements.
pub(super) struct Wired {
    connection: Connection,
    manner: Manner,
    statements: Vec<Prepared>,
    obituary: Obituary,
    /// The server has not forbidden to send it lines.
    fills: bool,
}

/// What a server says that does not take lines from its clients (`local_infile`): MySQL's numbers, and MariaDB's.
const NO_LINES: [u32; 3] = [1148, 3948, 4166];

impl Wired {
    /// Sets the session up.
    pub(super) fn new(
        mut connection: Connection,
        manner: Manner,
        obituary: Obituary,
    ) -> Result<Wired, Error> {
        if let Some(isolation) = manner.isolation {
            connection.run(&format!("SET SESSION TRANSACTION ISOLATION LEVEL {isolation}"))?;
        }
        if manner.begin == Begin::Elided {
            connection.run("SET autocommit=0")?;
        }
        Ok(Wired { connection, manner, statements: vec![], obituary, fills: true })
    }
    fn plain(&mut self, code: u8, text: &[u8]) -> Result<(), Error> {
        let asked = self.connection.ask(code, text);
        let done =
            asked.and_then(|()| self.connection.finish(self.manner.wait, &mut |_, _| Ok(())));
        done.map(drop).map_err(|e| self.told(e))
    }
    fn told(&self, error: Error) -> Error {
        told(error, &self.obituary)
    }
}

/// The error, and if the server has gone what became of it.
pub(super) fn told(mut error: Error, obituary: &Obituary) -> Error {
    if error.class == Class::Lost
        && let Some(reason) = obituary()
    {
        error.reason = reason;
    }
    error
}

impl Session for Wired {
    fn be_patient(&mut self) {
        self.connection.patience = None;
    }
    fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.run(sql).map_err(|e| self.told(e))
    }
    fn fill(&mut self, sql: &str, lines: &[u8], rows: u64) -> Result<bool, Error> {
        if !self.fills {
            return Ok(false);
        }
        match self.connection.fill(sql, lines) {
            Ok((taken, 0)) if taken == rows => Ok(true),
            // What it would refuse of a client's statement it leaves out, or bends, of a client's lines.
            Ok((taken, warnings)) => {
                let why = format!(
                    "the server took {taken} of {rows} rows that were loaded, with {warnings} warnings"
                );
                Err(Error::new(Class::Fatal, 0, why))
            }
            Err(error) if NO_LINES.contains(&error.code) => {
                self.fills = false;
                Ok(false)
            }
            Err(error) => Err(self.told(error)),
        }
    }
    fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        let prepared = self.connection.prepare(self.manner.wait, sql);
        self.statements.push(prepared.map_err(|e| self.told(e))?);
        Ok(Statement(self.statements.len() - 1))
    }
    #[inline]
    fn execute(
        &mut self,
        statement: Statement,
        parameters: &[Value<'_>],
        rows: Rows<'_>,
    ) -> Result<u64, Error> {
        let Some(prepared) = self.statements.get_mut(statement.0) else {
            return Err(Error::new(Class::Fatal, 0, "a statement of another session"));
        };
        if prepared.parameters != parameters.len() {
            let (has, given) = (prepared.parameters, parameters.len());
            let what = format!("a statement with {has} parameters was given {given}");
            return Err(Error::new(Class::Fatal, 0, what));
        }
        let whole = wire::execute(&mut self.connection.out, prepared, parameters);
        whole.ok_or_else(too_long)?;
        let connection = &mut self.connection;
        let done = connection.send().and_then(|()| {
            connection.answer.expect(&prepared.columns);
            connection.finish(self.manner.wait, &mut |answer, payload| {
                Row::of(payload, answer.columns()).each(rows)
            })
        });
        if let Some(news) = connection.answer.news() {
            prepared.columns.clear();
            prepared.columns.extend_from_slice(news);
        }
        done.map_err(|e| self.told(e))
    }
    fn begin(&mut self, _writes: bool) -> Result<(), Error> {
        match self.manner.begin {
            Begin::Elided => Ok(()),
            Begin::Statement => self.plain(code::QUERY, b"START TRANSACTION"),
            Begin::Ping => {
                self.plain(code::PING, b"")?;
                self.plain(code::QUERY, b"START TRANSACTION")
            }
        }
    }
    fn commit(&mut self) -> Result<(), Error> {
        self.plain(code::QUERY, b"COMMIT")
    }
    fn rollback(&mut self) -> Result<(), Error> {
        self.plain(code::QUERY, b"ROLLBACK")
    }
}
