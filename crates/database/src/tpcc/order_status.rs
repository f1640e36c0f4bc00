//! Order-Status (clause 2.6.2): the last order of a customer, and its lines. Read only.
use super::{inputs::Who, terminal::Terminal};
use crate::session::{Error, Value};

/// Always to be committed.
pub(super) fn run(t: &mut Terminal, (w, d): (i64, i64), who: Who) -> Result<bool, Error> {
    let customer = t.customer(w, d, who)?;
    let one = t.prepared.one;
    let key = [Value::Int(w), Value::Int(d), Value::Int(customer)];
    t.session.execute(one.customer_balance, &key, &mut |_| ())?;
    let mut order = None;
    t.session.execute(one.last_order, &key, &mut |row| {
        order = row.first().and_then(|v| v.int());
    })?;
    // Every customer has an order after loading, and orders are never deleted.
    let order = order.ok_or_else(|| Error::unexpected("order of that customer"))?;
    let mut lines = 0;
    t.session.execute(one.lines, &[key[0], key[1], Value::Int(order)], &mut |_| lines += 1)?;
    if lines == 0 {
        return Err(Error::unexpected("lines of that order"));
    }
    Ok(true)
}
