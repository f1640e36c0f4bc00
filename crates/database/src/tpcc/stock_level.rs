//! Stock-Level (clause 2.8.2): how many items of a district's last twenty orders run short. Read only.
use super::terminal::Terminal;
use crate::session::{Error, Value};

/// Orders that are looked at.
const ORDERS: i64 = 20;

/// Always to be committed.
pub(super) fn run(t: &mut Terminal, (w, d): (i64, i64), threshold: i64) -> Result<bool, Error> {
    let (kw, kd) = (Value::Int(w), Value::Int(d));
    let mut next = None;
    t.session.execute(t.prepared.one.next_order, &[kw, kd], &mut |row| {
        next = row.first().and_then(|v| v.int());
    })?;
    let next = next.ok_or_else(|| Error::unexpected("district of that number"))?;
    let row = [kw, kd, Value::Int(next), Value::Int(next - ORDERS), kw, Value::Int(threshold)];
    t.session.execute(t.prepared.one.low_stock, &row, &mut |_| ())?;
    Ok(true)
}
