//! Delivery (clause 2.7.4): the oldest order of each district that is new gets a carrier, and its customer the bill.
use super::{DISTRICTS, terminal::Terminal};
use crate::session::{Error, Value};

/// A statement for every district and table; always to be committed.
pub(super) fn row_wise(t: &mut Terminal, w: i64, carrier: i64) -> Result<bool, Error> {
    let one = t.prepared.one;
    for d in 1..=DISTRICTS {
        let Some(order) = oldest(t, w, d)? else { continue };
        let key = [Value::Int(w), Value::Int(d), Value::Int(order)];
        t.session.execute(one.delete_new, &key, &mut |_| ())?;
        let mut customer = None;
        t.session.execute(one.order_customer, &key, &mut |row| {
            customer = row.first().and_then(|v| v.int());
        })?;
        let customer = customer.ok_or_else(|| Error::unexpected("order that is new"))?;
        let [kw, kd, ko] = key;
        t.session.execute(one.carrier, &[Value::Int(carrier), kw, kd, ko], &mut |_| ())?;
        let now = Value::Text(t.now.as_str());
        t.session.execute(one.stamp_lines, &[now, kw, kd, ko], &mut |_| ())?;
        let mut sum = 0.0;
        t.session.execute(one.sum_lines, &key, &mut |row| {
            sum = row.first().and_then(|v| v.real()).unwrap_or(0.0);
        })?;
        bill(t, w, d, customer, sum)?;
    }
    Ok(true)
}

/// Statements of ten districts; always to be committed.
pub(super) fn batched(t: &mut Terminal, w: i64, carrier: i64) -> Result<bool, Error> {
    // The first is for the value that some statements set; a district without a new order has a key that no row has.
    let mut values = [Value::Int(0); 1 + 3 * DISTRICTS as usize];
    let mut any = false;
    for (three, d) in values[1..].chunks_mut(3).zip(1..) {
        let order = oldest(t, w, d)?;
        any |= order.is_some();
        three.copy_from_slice(&[Value::Int(w), Value::Int(d), Value::Int(order.unwrap_or(0))]);
    }
    if !any {
        return Ok(true);
    }
    let batches = t.prepared.batches()?;
    t.session.execute(batches.delete_news, &values[1..], &mut |_| ())?;
    let mut customers = [None; DISTRICTS as usize];
    t.session.execute(batches.order_customers, &values[1..], &mut |row| {
        if let Some(at) = place(row) {
            customers[at] = row.get(1).and_then(|v| v.int());
        }
    })?;
    values[0] = Value::Int(carrier);
    t.session.execute(batches.carriers, &values, &mut |_| ())?;
    let now = t.now;
    values[0] = Value::Text(now.as_str());
    t.session.execute(batches.stamp_all, &values, &mut |_| ())?;
    let mut sums = [0.0; DISTRICTS as usize];
    t.session.execute(batches.sum_all, &values[1..], &mut |row| {
        if let Some(at) = place(row) {
            sums[at] = row.get(1).and_then(|v| v.real()).unwrap_or(0.0);
        }
    })?;
    for (d, (customer, sum)) in (1..).zip(customers.iter().zip(sums)) {
        if let Some(customer) = *customer {
            bill(t, w, d, customer, sum)?;
        }
    }
    Ok(true)
}

/// Where the district in a row's first column stands.
fn place(row: &[Value<'_>]) -> Option<usize> {
    let d = row.first()?.int()?;
    (1..=DISTRICTS).contains(&d).then_some((d - 1) as usize)
}

fn oldest(t: &mut Terminal, w: i64, d: i64) -> Result<Option<i64>, Error> {
    let mut order = None;
    t.session.execute(t.prepared.one.oldest, &[Value::Int(w), Value::Int(d)], &mut |row| {
        order = row.first().and_then(|v| v.int());
    })?;
    Ok(order)
}

fn bill(t: &mut Terminal, w: i64, d: i64, customer: i64, sum: f64) -> Result<(), Error> {
    let row = [Value::Real(sum), Value::Int(w), Value::Int(d), Value::Int(customer)];
    t.session.execute(t.prepared.one.deliver, &row, &mut |_| ()).map(drop)
}
