//! A session over a connection: prepared statements by the binary protocol, one request at a time.
use super::{
    ClientOptions,
    connection::{Connection, too_long},
    wire::{self, Prepared, read_row},
};
use crate::{
    options::BeginMode,
    session::{Error, ErrorClass, Rows, Session, Statement, Value},
};
use mysql_common::constants::Command;
use record::Reason;

/// The exit of a server that we started, if it has ended.
pub(crate) type ExitReason = Box<dyn Fn() -> Option<Reason>>;

/// A connection with its prepared statements.
pub(super) struct MysqlSession {
    connection: Connection,
    options: ClientOptions,
    statements: Vec<Prepared>,
    exit_reason: ExitReason,
    /// The server has not refused LOAD DATA LOCAL.
    accepts_lines: bool,
}

/// Error codes of a server that refuses LOAD DATA LOCAL (`local_infile`): MySQL's and MariaDB's.
const REFUSES_LINES: [u32; 3] = [1148, 3948, 4166];

impl MysqlSession {
    /// Sets the session up.
    pub(super) fn new(
        mut connection: Connection,
        options: ClientOptions,
        exit_reason: ExitReason,
    ) -> Result<MysqlSession, Error> {
        if let Some(level) = options.isolation {
            let level = record::stored_name(&level).replace('-', " ");
            connection.run(&format!("SET SESSION TRANSACTION ISOLATION LEVEL {level}"))?;
        }
        if options.begin == BeginMode::Elided {
            connection.run("SET autocommit=0")?;
        }
        let statements = vec![];
        Ok(MysqlSession { connection, options, statements, exit_reason, accepts_lines: true })
    }
    fn command(&mut self, command: Command, text: &[u8]) -> Result<(), Error> {
        let sent = self.connection.send_command(command, text);
        let done =
            sent.and_then(|()| self.connection.finish(self.options.wait, &mut |_, _| Ok(())));
        done.map(drop).map_err(|e| self.explain(e))
    }
    fn explain(&self, error: Error) -> Error {
        explain(error, &self.exit_reason)
    }
}

/// The error; for a lost connection with the reason why the server ended.
pub(super) fn explain(mut error: Error, exit_reason: &ExitReason) -> Error {
    if error.class == ErrorClass::ConnectionLost
        && let Some(reason) = exit_reason()
    {
        error.reason = reason;
    }
    error
}

impl Session for MysqlSession {
    fn disable_timeout(&mut self) {
        self.connection.answer_limit = None;
    }
    fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.connection.run(sql).map_err(|e| self.explain(e))
    }
    fn load_lines(&mut self, sql: &str, lines: &[u8], rows: u64) -> Result<bool, Error> {
        if !self.accepts_lines {
            return Ok(false);
        }
        match self.connection.load_lines(sql, lines) {
            Ok((loaded, 0)) if loaded == rows => Ok(true),
            // LOCAL turns errors into warnings: rows are skipped or changed.
            Ok((loaded, warnings)) => {
                let why =
                    format!("the server loaded {loaded} of {rows} rows, with {warnings} warnings");
                Err(Error::fatal(why))
            }
            Err(error) if REFUSES_LINES.contains(&error.code) => {
                self.accepts_lines = false;
                Ok(false)
            }
            Err(error) => Err(self.explain(error)),
        }
    }
    fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        let prepared = self.connection.prepare(self.options.wait, sql);
        self.statements.push(prepared.map_err(|e| self.explain(e))?);
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
            return Err(Error::fatal("a statement of another session"));
        };
        if prepared.parameters != parameters.len() {
            let (has, given) = (prepared.parameters, parameters.len());
            let why = format!("a statement with {has} parameters was given {given}");
            return Err(Error::fatal(why));
        }
        let connection = &mut self.connection;
        wire::execute(&mut connection.packet, prepared, parameters).ok_or_else(too_long)?;
        let done = connection.send().and_then(|()| {
            connection.response.expect_columns(&prepared.columns);
            connection.finish(self.options.wait, &mut |response, payload| {
                read_row(payload, response.columns(), rows)
            })
        });
        if let Some(columns) = connection.response.new_columns() {
            prepared.columns.clear();
            prepared.columns.extend_from_slice(columns);
        }
        done.map_err(|e| self.explain(e))
    }
    fn begin(&mut self, _writes: bool) -> Result<(), Error> {
        match self.options.begin {
            BeginMode::Elided => return Ok(()),
            BeginMode::Statement => {}
            BeginMode::Ping => self.command(Command::COM_PING, b"")?,
        }
        self.command(Command::COM_QUERY, b"START TRANSACTION")
    }
    fn commit(&mut self) -> Result<(), Error> {
        self.command(Command::COM_QUERY, b"COMMIT")
    }
    fn rollback(&mut self) -> Result<(), Error> {
        self.command(Command::COM_QUERY, b"ROLLBACK")
    }
}
