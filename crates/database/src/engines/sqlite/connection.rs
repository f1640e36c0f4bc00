//! A connection with its prepared statements, which borrow from it and live as long.
use crate::session::{Class, Error, Rows, Session, Statement, Value};
use record::Reason;
use rusqlite::{Connection, ErrorCode, types::ValueRef};
use std::{io, path::Path};

type Statements<'a> = Vec<rusqlite::Statement<'a>>;

self_cell::self_cell!(
    struct Both {
        owner: Connection,
        #[covariant]
        dependent: Statements,
    }
);

/// The first statements of every connection.
const WORDS: [&str; 4] = ["BEGIN", "BEGIN IMMEDIATE", "COMMIT", "ROLLBACK"];
const READ: Statement = Statement(0);
const WRITE: Statement = Statement(1);
const COMMIT: Statement = Statement(2);
const ROLLBACK: Statement = Statement(3);

/// The widest row that is asked for; what is wider is cut off.
const WIDEST: usize = 24;

/// A session of SQLite.
pub(super) struct Connected(Both);

impl Connected {
    pub(super) fn new(connection: Connection) -> Result<Connected, Error> {
        let mut connected = Connected(Both::new(connection, |_| vec![]));
        for words in WORDS {
            connected.prepare(words)?;
        }
        Ok(connected)
    }
}

impl Session for Connected {
    fn run(&mut self, sql: &str) -> Result<(), Error> {
        self.0.borrow_owner().execute_batch(sql).map_err(|e| failed(&e))
    }
    fn prepare(&mut self, sql: &str) -> Result<Statement, Error> {
        self.0.with_dependent_mut(|connection, statements| {
            statements.push(connection.prepare(sql).map_err(|e| failed(&e))?);
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
            let prepared = prepared.ok_or_else(|| Error::unexpected("statement"))?;
            for (at, parameter) in (1..).zip(parameters) {
                let bound = match *parameter {
                    Value::Null => prepared.raw_bind_parameter(at, rusqlite::types::Null),
                    Value::Int(n) => prepared.raw_bind_parameter(at, n),
                    Value::Real(x) => prepared.raw_bind_parameter(at, x),
                    Value::Text(text) => prepared.raw_bind_parameter(at, text),
                };
                bound.map_err(|e| failed(&e))?;
            }
            let columns = prepared.column_count().min(WIDEST);
            let mut rows = prepared.raw_query();
            while let Some(row) = rows.next().map_err(|e| failed(&e))? {
                let mut values = [Value::Null; WIDEST];
                for (at, value) in values[..columns].iter_mut().enumerate() {
                    *value = match row.get_ref(at).map_err(|e| failed(&e))? {
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
        // Who will write says so at once: a lock that was taken for reading cannot always become one for writing.
        self.execute(if writes { WRITE } else { READ }, &[], &mut |_| ()).map(drop)
    }
    fn commit(&mut self) -> Result<(), Error> {
        self.execute(COMMIT, &[], &mut |_| ()).map(drop)
    }
    fn rollback(&mut self) -> Result<(), Error> {
        if self.0.borrow_owner().is_autocommit() {
            return Ok(());
        }
        self.execute(ROLLBACK, &[], &mut |_| ()).map(drop)
    }
}

/// What SQLite refused.
pub(super) fn failed(error: &rusqlite::Error) -> Error {
    let rusqlite::Error::SqliteFailure(number, _) = error else {
        return Error::new(Class::Fatal, 0, format!("SQLite: {error}"));
    };
    let class = match number.code {
        ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked => Class::Deadlock,
        ErrorCode::DiskFull | ErrorCode::OutOfMemory => Class::Full,
        ErrorCode::PermissionDenied | ErrorCode::CannotOpen | ErrorCode::ReadOnly => Class::Denied,
        _ => Class::Fatal,
    };
    let why = format!("SQLite: {error}");
    let remedy = match number.code {
        ErrorCode::OutOfMemory => Some(NO_MEMORY),
        _ => remedy(class),
    };
    refused(class, number.extended_code.unsigned_abs(), why, remedy)
}

/// What a file refused.
pub(super) fn broken(path: &Path, error: &io::Error) -> Error {
    let class = match error.kind() {
        io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded => Class::Full,
        io::ErrorKind::PermissionDenied | io::ErrorKind::ReadOnlyFilesystem => Class::Denied,
        _ => Class::Fatal,
    };
    refused(class, 0, format!("{}: {error}", path.display()), remedy(class))
}

fn refused(class: Class, code: u32, why: String, remedy: Option<&str>) -> Error {
    let reason = match remedy {
        Some(remedy) => Reason::mended_by(why, remedy),
        None => Reason::new(why),
    };
    Error { class, code, reason }
}

/// What helps where memory is full, and no disk.
const NO_MEMORY: &str = "make room in memory, or choose fewer --rows or --warehouses";

fn remedy(class: Class) -> Option<&'static str> {
    match class {
        Class::Full => Some(
            "make room there, choose fewer --rows or --warehouses, or --data FOLDER with more room",
        ),
        Class::Denied => Some(
            "--data FOLDER with one in which files can be made and written (ls -ld, df, ulimit -n)",
        ),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sqlite(code: i32) -> Error {
        failed(&rusqlite::Error::SqliteFailure(rusqlite::ffi::Error::new(code), None))
    }

    /// Numbers of sqlite.org/rescode.html and errno(3).
    #[test]
    fn what_can_be_mended_has_a_remedy() {
        for (code, class, helps) in [
            (13, Class::Full, "--data FOLDER"),
            (7, Class::Full, "in memory"),
            (14, Class::Denied, "--data FOLDER"),
            (8, Class::Denied, "--data FOLDER"),
        ] {
            let error = sqlite(code);
            assert_eq!((error.class, error.code), (class, code.unsigned_abs()));
            assert!(error.reason.remedy.unwrap().contains(helps), "{code}");
        }
        assert_eq!(sqlite(5).class, Class::Deadlock);
        assert_eq!((sqlite(11).class, sqlite(11).reason.remedy), (Class::Fatal, None));
        for (errno, class) in
            [(28, Class::Full), (122, Class::Full), (13, Class::Denied), (30, Class::Denied)]
        {
            let error = broken(Path::new("/d/f"), &io::Error::from_raw_os_error(errno));
            assert_eq!(error.class, class, "{errno}");
            assert!(error.reason.why.starts_with("/d/f: ") && error.reason.remedy.is_some());
        }
        let other = broken(Path::new("/d/f"), &io::Error::from_raw_os_error(5));
        assert_eq!((other.class, other.reason.remedy), (Class::Fatal, None));
    }
}
