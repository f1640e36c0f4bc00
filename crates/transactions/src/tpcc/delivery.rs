//! Delivery (clause 2.7.4): the oldest new order of each district gets a carrier; its customer's balance grows by its amount.
use super::{DISTRICTS, terminal::Terminal};
use database::session::{Error, Value, int_at, real_at};

/// Statements for every district and table. Returns whether to commit: always.
pub(super) fn per_row(t: &mut Terminal, w: i64, carrier: i64) -> Result<bool, Error> {
    let one = t.prepared.one;
    for d in 1..=DISTRICTS {
        let (kw, kd) = (Value::Int(w), Value::Int(d));
        let Some(order) = t.session.query_int(one.oldest, &[kw, kd])? else { continue };
        let ko = Value::Int(order);
        let key = [kw, kd, ko];
        t.session.update(one.delete_new, &key)?;
        let customer = t.session.query_int(one.order_customer, &key)?;
        let customer = customer.ok_or_else(|| Error::missing("order that is new"))?;
        t.session.update(one.carrier, &[Value::Int(carrier), kw, kd, ko])?;
        t.session.update(one.stamp_lines, &[Value::Text(t.now.as_str()), kw, kd, ko])?;
        let mut sum = 0.0;
        t.session.execute(one.sum_lines, &key, &mut |row| sum = real_at(row, 0).unwrap_or(0.0))?;
        t.session.update(one.deliver, &[Value::Real(sum), kw, kd, Value::Int(customer)])?;
    }
    Ok(true)
}

/// Statements for all ten districts. Returns whether to commit: always.
pub(super) fn batched(t: &mut Terminal, w: i64, carrier: i64) -> Result<bool, Error> {
    let one = t.prepared.one;
    // The first value is what some statements set. A district without a new order gets a key that matches no row.
    let mut values = [Value::Int(0); 1 + 3 * DISTRICTS as usize];
    let mut any = false;
    for (key, d) in values[1..].chunks_mut(3).zip(1..) {
        let order = t.session.query_int(one.oldest, &[Value::Int(w), Value::Int(d)])?;
        any |= order.is_some();
        key.copy_from_slice(&[Value::Int(w), Value::Int(d), Value::Int(order.unwrap_or(0))]);
    }
    if !any {
        return Ok(true);
    }
    let batches = t.prepared.batches()?;
    t.session.update(batches.delete_new, &values[1..])?;
    let mut customers = [None; DISTRICTS as usize];
    t.session.execute(batches.order_customers, &values[1..], &mut |row| {
        if let Some(index) = district_index(row) {
            customers[index] = int_at(row, 1);
        }
    })?;
    values[0] = Value::Int(carrier);
    t.session.update(batches.carriers, &values)?;
    let now = t.now;
    values[0] = Value::Text(now.as_str());
    t.session.update(batches.stamp_lines, &values)?;
    let mut sums = [0.0; DISTRICTS as usize];
    t.session.execute(batches.sum_lines, &values[1..], &mut |row| {
        if let Some(index) = district_index(row) {
            sums[index] = real_at(row, 1).unwrap_or(0.0);
        }
    })?;
    for (d, (customer, sum)) in (1..).zip(customers.iter().zip(sums)) {
        if let Some(customer) = *customer {
            let row = [Value::Real(sum), Value::Int(w), Value::Int(d), Value::Int(customer)];
            t.session.update(one.deliver, &row)?;
        }
    }
    Ok(true)
}

/// Index of the district in a row's first column.
fn district_index(row: &[Value<'_>]) -> Option<usize> {
    let d = int_at(row, 0)?;
    (1..=DISTRICTS).contains(&d).then_some((d - 1) as usize)
}
