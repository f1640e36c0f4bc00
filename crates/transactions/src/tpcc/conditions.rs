//! The consistency conditions (clause 3.3.2.1 to 3.3.2.12) as queries that count the rows that violate them. The standard has the
//! eleventh for freshly loaded data; with deliveries counted it always holds.
use super::Scale;
use database::session::{Error, Session};

/// The consistency conditions to check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ConditionSet {
    /// The first four, which an ACID test needs (clause 3.3.3.2).
    Four,
    /// All twelve; they take minutes with many warehouses.
    All,
}

/// Each counts the rows that violate it; a blank line is between two. `DELIVERED` is a district's number of delivered orders
/// after loading.
const CONDITIONS: &str = include_str!("conditions.sql");

/// The numbers of the violated conditions, each with the number of rows that violate it.
///
/// # Errors
/// The engine refused a statement or is gone.
pub fn violations(
    session: &mut dyn Session,
    scale: &Scale,
    set: ConditionSet,
) -> Result<Vec<(usize, i64)>, Error> {
    let count = if set == ConditionSet::All { usize::MAX } else { 4 };
    let mut violated = vec![];
    // Some take hours with a thousand warehouses.
    session.disable_timeout();
    for (number, sql) in (1..).zip(CONDITIONS.split("\n\n")).take(count) {
        let sql = sql.replace("DELIVERED", &scale.delivered().to_string());
        let rows = session.select_int(&sql)?.ok_or_else(|| Error::missing("count"))?;
        if rows != 0 {
            violated.push((number, rows));
        }
    }
    Ok(violated)
}

/// The sum of all districts' next order numbers. It grows by the number of committed new orders.
///
/// # Errors
/// The engine refused the statement or is gone.
pub fn next_orders(session: &mut dyn Session) -> Result<i64, Error> {
    let sum = session.select_int("SELECT SUM(d_next_o_id) FROM district")?;
    sum.ok_or_else(|| Error::missing("districts"))
}
