//! A session of SQLite: a connection and its prepared statements, which borrow from it.
use crate::session::{Error, ErrorClass, Rows, Session, Statement, Value};
use record::Reason;
use rusqlite::{Connection, ErrorCode, types::ValueRef};
use std::{io, path::Path};

type Statements<'a> = Vec<rusqlite::Statement<'a>>;

self_cell::self_cell!(
    struct ConnectionWithStatements {
        owner: Connection,
        #[covariant]
        dependent: Statements,
    }
);

/// The first statements of every session.
const FIRST_STATEMENTS: [&str; 4] = ["BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
const BEGIN: Statement = Statement(0);
const BEGIN_IMMEDIATE: Statement = Statement(1);
const COMMIT: Statement = Statement(2);
const ROLLBACK: Statement = Statement(3);

/// The most columns of a row; further ones are cut off.
const COLUMNS: usize = 24;

pub(super) struct SqliteSession(ConnectionWithStatements);

impl SqliteSession {
    pub(super) fn new(connection: Connection) -> Result<SqliteSession, Error> {
        let mut session = SqliteSession(ConnectionWithStatements::new(connection, |_| vec![]));
        for sql in FIRST_STATEMENTS {
            session.prepare(sql)?;
        }
        Ok(session)
    }
    fn run_statement(&mut self, statement: Statement) -> Result<(), Error> {
        self.execute(statement, &[], &mut |_| ()).map(drop)
    }
}

impl Session for SqliteSession {
    fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.0.borrow_owner().execute_batch(sql).map_err(|e| sqlite_error(&e))
    }
    fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        self.0.with_dependent_mut(|connection, statements| {
            statements.push(connection.prepare(sql).map_err(|e| sqlite_error(&e))?);
            Ok(Statement(statements.len() - 1))
        })
    }
    fn execute(
        &mut self,
        statement: Statement,
        parameters: &[Value<'_>],
        take: Rows<'_>,
    ) -> Result<u64, Error> {
        self.0.with_dependent_mut(|connection, statements| {
            let prepared = statements.get_mut(statement.0);
            let prepared = prepared.ok_or_else(|| Error::missing("statement"))?;
            for (at, parameter) in (1..).zip(parameters) {
                let bound = match *parameter {
                    Value::Null => prepared.raw_bind_parameter(at, rusqlite::types::Null),
                    Value::Int(n) => prepared.raw_bind_parameter(at, n),
                    Value::Real(x) => prepared.raw_bind_parameter(at, x),
                    Value::Text(text) => prepared.raw_bind_parameter(at, text),
                };
                bound.map_err(|e| sqlite_error(&e))?;
            }
            let columns = prepared.column_count().min(COLUMNS);
            let mut rows = prepared.raw_query();
            while let Some(row) = rows.next().map_err(|e| sqlite_error(&e))? {
                let mut values = [Value::Null; COLUMNS];
                for (at, value) in values[..columns].iter_mut().enumerate() {
                    *value = match row.get_ref(at).map_err(|e| sqlite_error(&e))? {
                        ValueRef::Null | ValueRef::Blob(_) => Value::Null,
                        ValueRef::Integer(n) => Value::Int(n),
                        ValueRef::Real(x) => Value::Real(x),
                        ValueRef::Text(text) => {
                            Value::Text(std::str::from_utf8(text).unwrap_or_default())
                        }
                    };
                }
                take(&values[..columns]);
            }
            Ok(if columns == 0 { connection.changes() } else { 0 })
        })
    }
    fn begin(&mut self, writes: bool) -> Result<(), Error> {
        // IMMEDIATE takes the write lock at once: a read lock cannot always be upgraded.
        self.run_statement(if writes { BEGIN_IMMEDIATE } else { BEGIN })
    }
    fn commit(&mut self) -> Result<(), Error> {
        self.run_statement(COMMIT)
    }
    fn rollback(&mut self) -> Result<(), Error> {
        if self.0.borrow_owner().is_autocommit() { Ok(()) } else { self.run_statement(ROLLBACK) }
    }
}

/// An error of SQLite.
pub(super) fn sqlite_error(error: &rusqlite::Error) -> Error {
    let why = format!("SQLite: {error}");
    let rusqlite::Error::SqliteFailure(number, _) = error else {
        return Error::fatal(why);
    };
    let class = match number.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => ErrorClass::Deadlock,
        ErrorCode::DiskFull | ErrorCode::OutOfMemory => ErrorClass::NoSpace,
        ErrorCode::PermissionDenied | ErrorCode::CannotOpen | ErrorCode::ReadOnly => {
            ErrorClass::AccessDenied
        }
        _ => ErrorClass::Fatal,
    };
    let code = number.extended_code.unsigned_abs();
    match number.code {
        ErrorCode::OutOfMemory => {
            let remedy = "make room in memory, or choose fewer --rows or --warehouses";
            Error { class, code, reason: Reason::mended_by(why, remedy) }
        }
        _ => with_remedy(class, code, why),
    }
}

/// An error of a file.
pub(super) fn file_error(path: &Path, error: &io::Error) -> Error {
    let class = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => ErrorClass::NoSpace,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => {
            ErrorClass::AccessDenied
        }
        _ => ErrorClass::Fatal,
    };
    with_remedy(class, 0, format!("{}: {error}", path.display()))
}

fn with_remedy(class: ErrorClass, code: u32, why: String) -> Error {
    let remedy = match class {
        ErrorClass::NoSpace => {
            "make room there, choose fewer --rows or --warehouses, or --data FOLDER with more room"
        }
        ErrorClass::AccessDenied => {
            "--data FOLDER in which files can be created and written (ls -ld, df, ulimit -n)"
        }
        _ => return Error::new(class, code, why),
    };
    Error { class, code, reason: Reason::mended_by(why, remedy) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sqlite(code: i32) -> Error {
        sqlite_error(&rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None))
    }

    /// Codes of sqlite.org/rescode.html and errno(3).
    #[test]
    fn errors_have_classes_and_remedies() {
        for (code, class, helps) in [
            (13, ErrorClass::NoSpace, "--data FOLDER"),
            (7, ErrorClass::NoSpace, "in memory"),
            (14, ErrorClass::AccessDenied, "--data FOLDER"),
            (8, ErrorClass::AccessDenied, "--data FOLDER"),
        ] {
            let error = sqlite(code);
            assert_eq!((error.class, error.code), (class, code.unsigned_abs()));
            assert!(error.reason.remedy.unwrap().contains(helps), "{code}");
        }
        assert_eq!(sqlite(5).class, ErrorClass::Deadlock);
        assert_eq!((sqlite(11).class, sqlite(11).reason.remedy), (ErrorClass::Fatal, None));
        for (errno, class) in [
            (28, ErrorClass::NoSpace),
            (122, ErrorClass::NoSpace),
            (13, ErrorClass::AccessDenied),
            (30, ErrorClass::AccessDenied),
        ] {
            let error = file_error(Path::new("/d/f"), &io::Error::from_raw_os_error(errno));
            assert_eq!(error.class, class, "{errno}");
            assert!(error.reason.why.starts_with("/d/f: ") && error.reason.remedy.is_some());
        }
        let other = file_error(Path::new("/d/f"), &io::Error::from_raw_os_error(5));
        assert_eq!((other.class, other.reason.remedy), (ErrorClass::Fatal, None));
    }
}
