//! Order-Status (clause 2.6.2): the last order of a customer and its lines. Read only.
use super::{inputs::CustomerKey, terminal::Terminal};
use database::session::{Error, Value};

/// Returns whether to commit: always.
pub(super) fn run(
    t: &mut Terminal,
    (w, d): (i64, i64),
    customer: CustomerKey,
) -> Result<bool, Error> {
    let id = t.customer(w, d, customer)?;
    let one = t.prepared.one;
    let key = [Value::Int(w), Value::Int(d), Value::Int(id)];
    t.session.update(one.customer_balance, &key)?;
    // Every customer has an order after loading, and orders are never deleted.
    let order = t.session.query_int(one.last_order, &key)?;
    let order = order.ok_or_else(|| Error::missing("order of that customer"))?;
    let mut lines = 0;
    t.session.execute(one.lines, &[key[0], key[1], Value::Int(order)], &mut |_| lines += 1)?;
    if lines == 0 {
        return Err(Error::missing("lines of that order"));
    }
    Ok(true)
}
