//! Many rows into a table, in the way that each dialect takes them fastest: one prepared statement a row where there is no
//! way to go, statements of many rows where there is one.
use crate::{
    engine::Dialect,
    session::{Error, Session, Statement, Value},
};
use std::fmt::Write;

/// Bytes of a statement of many rows, as sysbench has them: below every server's default of `max_allowed_packet`.
const MOST: usize = 512 * 1024;

/// Rows on their way into a table.
#[allow(missing_debug_implementations, reason = "it borrows a session")]
pub struct Insert<'a> {
    session: &'a mut dyn Session,
    /// The statement of one row, or the head of one of many.
    statement: Result<Statement, String>,
    text: String,
}

impl<'a> Insert<'a> {
    /// Rows with these columns into this table.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    pub fn new(
        session: &'a mut dyn Session,
        dialect: Dialect,
        table: &str,
        columns: &[&str],
    ) -> Result<Insert<'a>, Error> {
        let head = format!("INSERT INTO {table} ({}) VALUES ", columns.join(","));
        let statement = match dialect {
            Dialect::Sqlite => {
                let marks = vec!["?"; columns.len()].join(",");
                Ok(session.prepare(&format!("{head}({marks})"))?)
            }
            Dialect::Mysql => Err(head),
        };
        Ok(Insert { session, statement, text: String::new() })
    }
    /// One row, with a value for each column.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    pub fn row(&mut self, values: &[Value<'_>]) -> Result<(), Error> {
        match &self.statement {
            Ok(statement) => self.session.execute(*statement, values, &mut |_| ()).map(drop),
            Err(head) => {
                self.text.push_str(if self.text.is_empty() { head } else { "," });
                literals(&mut self.text, values);
                if self.text.len() >= MOST { self.flush() } else { Ok(()) }
            }
        }
    }
    /// What has not been sent yet.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    pub fn finish(mut self) -> Result<(), Error> {
        self.flush()
    }

    fn flush(&mut self) -> Result<(), Error> {
        if self.text.is_empty() {
            return Ok(());
        }
        let outcome = self.session.run(&self.text);
        self.text.clear();
        outcome
    }
}

/// A row in brackets.
fn literals(text: &mut String, values: &[Value<'_>]) {
    for (i, value) in values.iter().enumerate() {
        text.push(if i == 0 { '(' } else { ',' });
        let written = match value {
            Value::Null => write!(text, "NULL"),
            Value::Int(n) => write!(text, "{n}"),
            Value::Real(x) => write!(text, "{x}"),
            Value::Text(words) => {
                text.push('\'');
                for c in words.chars() {
                    if matches!(c, '\'' | '\\') {
                        text.push(c);
                    }
                    text.push(c);
                }
                text.push('\'');
                Ok(())
            }
        };
        // Writing to a text cannot fail.
        debug_assert!(written.is_ok());
    }
    text.push(')');
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_are_quoted() {
        let mut text = String::new();
        literals(
            &mut text,
            &[Value::Int(-3), Value::Null, Value::Text(r"it's \"), Value::Real(0.5)],
        );
        assert_eq!(text, r"(-3,NULL,'it''s \\',0.5)");
    }

    /// Counts what it is told, and keeps nothing.
    #[derive(Default)]
    struct Counts {
        statements: usize,
        longest: usize,
        rows: usize,
    }
    impl Session for Counts {
        fn run(&mut self, sql: &str) -> Result<(), Error> {
            self.statements += 1;
            self.longest = self.longest.max(sql.len());
            self.rows += sql.matches('(').count() - 1;
            Ok(())
        }
        fn prepare(&mut self, _: &str) -> Result<Statement, Error> {
            Err(Error::unexpected("statement"))
        }
        fn execute(
            &mut self,
            _: Statement,
            _: &[Value<'_>],
            _: crate::session::Rows<'_>,
        ) -> Result<u64, Error> {
            Err(Error::unexpected("statement"))
        }
        fn begin(&mut self, _: bool) -> Result<(), Error> {
            Ok(())
        }
        fn commit(&mut self) -> Result<(), Error> {
            Ok(())
        }
        fn rollback(&mut self) -> Result<(), Error> {
            Ok(())
        }
    }

    #[test]
    fn what_waits_to_be_sent_does_not_grow_with_the_table() {
        let mut counts = Counts::default();
        let mut insert = Insert::new(&mut counts, Dialect::Mysql, "t", &["a", "b"]).unwrap();
        let words = "x".repeat(200);
        for n in 0..20_000 {
            insert.row(&[Value::Int(n), Value::Text(&words)]).unwrap();
            assert!(insert.text.capacity() <= 3 * MOST);
        }
        insert.finish().unwrap();
        assert_eq!(counts.rows, 20_000);
        assert!((8..10).contains(&counts.statements), "{}", counts.statements);
        assert!(counts.longest < MOST + 300, "{}", counts.longest);
    }
}
