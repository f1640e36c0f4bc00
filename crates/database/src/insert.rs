//! Many rows into a table, in the way that each engine takes them fastest: one prepared statement a row where there is no way
//! to go; lines of text where the server takes them (LOAD DATA LOCAL), else statements of many rows. A server reads a line in
//! half of the time that it needs for the same row in a statement.
//! Source: "LOAD DATA Statement" in the manuals of MySQL and MariaDB.
use crate::{
    engine::Dialect,
    session::{Class, Error, Session, Statement, Value},
};
use std::fmt::Write;

/// Bytes of a statement of many rows, as sysbench has them: below every server's default of `max_allowed_packet`.
const MOST: usize = 512 * 1024;

/// Somebody forbade it meanwhile.
const NO_MORE: &str = "the server took lines from its clients and does not any more (local_infile)";

/// How rows go.
enum Way {
    /// One by one, by this statement.
    Prepared(Statement),
    /// As lines that this statement reads.
    Lines(String),
    /// As the rest of this statement.
    Literals(String),
}

/// Rows on their way into a table.
#[allow(missing_debug_implementations, reason = "it borrows a session")]
pub struct Insert<'a> {
    session: &'a mut dyn Session,
    way: Way,
    text: String,
    /// How many are in the text.
    rows: u64,
}

impl<'a> Insert<'a> {
    /// Rows with these columns into this table. Texts are of ASCII.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    pub fn new(
        session: &'a mut dyn Session,
        dialect: Dialect,
        table: &str,
        columns: &[&str],
    ) -> Result<Insert<'a>, Error> {
        let columns_of = columns.join(",");
        let head = format!("INSERT INTO {table} ({columns_of}) VALUES ");
        let way = match dialect {
            Dialect::Sqlite => {
                let marks = vec!["?"; columns.len()].join(",");
                Way::Prepared(session.prepare(&format!("{head}({marks})"))?)
            }
            Dialect::Mysql => {
                // Numbers for characters mean the same in every SQL mode: tab, backslash, new line.
                let lines = format!(
                    "LOAD DATA LOCAL INFILE 'rows' INTO TABLE {table} CHARACTER SET latin1 FIELDS TERMINATED BY 0x09 \
                     ESCAPED BY 0x5c LINES TERMINATED BY 0x0a ({columns_of})"
                );
                // Asked with none, before there are any that would have to be written anew.
                if session.fill(&lines, b"", 0)? { Way::Lines(lines) } else { Way::Literals(head) }
            }
        };
        Ok(Insert { session, way, text: String::new(), rows: 0 })
    }
    /// One row, with a value for each column.
    ///
    /// # Errors
    /// The engine refused, or is gone.
    pub fn row(&mut self, values: &[Value<'_>]) -> Result<(), Error> {
        match &self.way {
            Way::Prepared(statement) => {
                return self.session.execute(*statement, values, &mut |_| ()).map(drop);
            }
            Way::Lines(_) => line(&mut self.text, values),
            Way::Literals(head) => {
                self.text.push_str(if self.text.is_empty() { head } else { "," });
                literals(&mut self.text, values);
            }
        }
        self.rows += 1;
        if self.text.len() >= MOST { self.flush() } else { Ok(()) }
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
        let outcome = match &self.way {
            Way::Lines(statement) => self
                .session
                .fill(statement, self.text.as_bytes(), self.rows)?
                .then_some(())
                .ok_or_else(|| Error::new(Class::Fatal, 0, NO_MORE)),
            _ => self.session.run(&self.text),
        };
        self.text.clear();
        self.rows = 0;
        outcome
    }
}

/// A number as it is in both forms.
fn number(text: &mut String, written: std::fmt::Arguments<'_>) {
    // Writing to a text cannot fail.
    let written = text.write_fmt(written);
    debug_assert!(written.is_ok());
}

/// Whether one of these is in it; to look at every byte is faster than to stop at the first.
fn needs_escapes(words: &str) -> bool {
    words.bytes().fold(false, |found, b| found | matches!(b, b'\\' | b'\t' | b'\n'))
}

/// A row as a line.
fn line(text: &mut String, values: &[Value<'_>]) {
    for (i, value) in values.iter().enumerate() {
        if i > 0 {
            text.push('\t');
        }
        match value {
            Value::Null => text.push_str("\\N"),
            Value::Int(n) => number(text, format_args!("{n}")),
            Value::Real(x) => number(text, format_args!("{x}")),
            Value::Text(words) if needs_escapes(words) => {
                for c in words.chars() {
                    if matches!(c, '\\' | '\t' | '\n') {
                        text.push('\\');
                    }
                    text.push(c);
                }
            }
            Value::Text(words) => text.push_str(words),
        }
    }
    text.push('\n');
}

/// A row in brackets.
fn literals(text: &mut String, values: &[Value<'_>]) {
    for (i, value) in values.iter().enumerate() {
        text.push(if i == 0 { '(' } else { ',' });
        match value {
            Value::Null => text.push_str("NULL"),
            Value::Int(n) => number(text, format_args!("{n}")),
            Value::Real(x) => number(text, format_args!("{x}")),
            Value::Text(words) => {
                text.push('\'');
                for c in words.chars() {
                    if matches!(c, '\'' | '\\') {
                        text.push(c);
                    }
                    text.push(c);
                }
                text.push('\'');
            }
        }
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

    #[test]
    fn lines_are_escaped() {
        let mut text = String::new();
        let first =
            [Value::Int(-3), Value::Null, Value::Text("it's \\ a\ttab\n"), Value::Real(0.5)];
        line(&mut text, &first);
        line(&mut text, &[Value::Text("")]);
        assert_eq!(text, "-3\t\\N\tit's \\\\ a\\\ttab\\\n\t0.5\n\n");
    }

    /// Counts what it is told, and keeps nothing.
    #[derive(Default)]
    struct Counts {
        takes_lines: bool,
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
        fn fill(&mut self, sql: &str, lines: &[u8], rows: u64) -> Result<bool, Error> {
            assert!(sql.contains("INTO TABLE t ") && sql.ends_with("(a,b)"));
            self.statements += usize::from(!lines.is_empty());
            self.longest = self.longest.max(lines.len());
            self.rows += rows as usize;
            assert_eq!(lines.iter().filter(|b| **b == b'\n').count(), rows as usize);
            Ok(self.takes_lines)
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
        for takes_lines in [false, true] {
            let mut counts = Counts { takes_lines, ..Counts::default() };
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
}
