//! The five transactions as stored procedures of MySQL and MariaDB: one request each, so little of the client is measured. The
//! client draws the inputs. A procedure executes the statements of the row-wise style in the same order and begins and ends its
//! transaction. It returns 1, 0 where the standard requires a rollback, or -1 where data are missing. The prefix of the names
//! keeps other procedures untouched.
use super::inputs::LINES;

/// The prefix of their names.
pub(super) const PREFIX: &str = "cpulens_tpcc_";

/// Their names and numbers of parameters, in the order of [`super::TransactionType`].
pub(super) const PROCEDURES: [(&str, usize); 5] = [
    ("new_order", 6 + 3 * LINES),
    ("payment", 8),
    ("order_status", 4),
    ("delivery", 3),
    ("stock_level", 3),
];

/// The customer with a number, or the middle one with a name, rounded up (clause 2.5.2.2): `BY_NAME`; a line of a new order, `#`;
/// and the procedures in the order of [`PROCEDURES`], with a blank line between two.
const TEXTS: &str = include_str!("procedures.sql");
/// The type of a last name, independent of the database's default.
const LAST_NAME: &str = "VARCHAR(16) CHARACTER SET latin1 COLLATE latin1_bin";

/// Statements that drop and create them.
pub fn procedures() -> Vec<String> {
    let mut texts = TEXTS.trim_end().split("\n\n");
    let mut next = || texts.next().unwrap_or_default();
    let (by_name, line) = (next(), next());
    let each = |text: &str, between: &str| {
        let lines = (1..=LINES).map(|n| text.replace('#', &n.to_string()));
        lines.collect::<Vec<_>>().join(between)
    };
    let district_texts: String =
        (1..=10).map(|d| format!("WHEN {d} THEN s_dist_{d:02} ")).collect();
    let lines = each(&line.replace("DISTRICT_TEXTS ", &district_texts), "\n");
    let parameters = each("IN i# INT, IN s# INT, IN q# INT", ", ");
    let all = PROCEDURES.iter().zip(texts);
    all.flat_map(|((name, _), text)| {
        let text = text.replace("LINE_PARAMETERS", &parameters).replace("LINES", &lines);
        let text = text.replace("BY_NAME", by_name).replace("LAST_NAME", LAST_NAME);
        [format!("DROP PROCEDURE IF EXISTS {PREFIX}{name}"), text]
    })
    .collect()
}
