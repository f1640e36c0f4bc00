//! Payment (clause 2.5.2): a customer pays; the balances of warehouse, district and customer change.
use super::{inputs::Input, terminal::Terminal, text::Text};
use database::session::{Error, Statement, Value, text_at};
use std::fmt::Write;

/// Returns whether to commit: always.
pub(super) fn run(t: &mut Terminal, input: &Input) -> Result<bool, Error> {
    let Input::Payment { w, d, cw, cd, customer, cents } = *input else { return Ok(true) };
    let one = t.prepared.one;
    let amount = Value::Real(cents as f64 / 100.0);
    let (w_value, d_value) = (Value::Int(w), Value::Int(d));
    let mut names = Text::<24>::new();
    if t.style.is_per_row() {
        pay(t, [one.pay_warehouse, one.warehouse], amount, &[w_value], &mut names)?;
        names.push("    ");
        pay(t, [one.pay_district, one.district_address], amount, &[w_value, d_value], &mut names)?;
    } else {
        // All payments of a warehouse update its row: this order holds its lock for a shorter time.
        let mut district = Text::<10>::new();
        let key = [w_value, d_value];
        pay(t, [one.pay_district, one.district_address], amount, &key, &mut district)?;
        pay(t, [one.pay_warehouse, one.warehouse], amount, &[w_value], &mut names)?;
        names.push("    ");
        names.push(district.as_str());
    }
    let id = t.customer(cw, cd, customer)?;
    let key = [Value::Int(cw), Value::Int(cd), Value::Int(id)];
    let mut bad_credit = None;
    t.session.execute(one.customer, &key, &mut |row| bad_credit = Some(text_at(row, 9) == "BC"))?;
    let [kw, kd, kc] = key;
    if bad_credit.ok_or_else(|| Error::missing("customer of that number"))? {
        let old = &mut t.old;
        old.clear();
        t.session.execute(one.customer_data, &key, &mut |row| old.set(text_at(row, 0)))?;
        t.data.clear();
        // A text that does not fit is cut off (clause 2.5.2.2).
        _ = write!(t.data, "{id} {cd} {cw} {d} {w} {}.{:02} ", cents / 100, cents % 100);
        t.data.push(t.old.as_str());
        let row = [amount, amount, Value::Text(t.data.as_str()), kw, kd, kc];
        t.session.update(one.pay_customer_data, &row)?;
    } else {
        t.session.update(one.pay_customer, &[amount, amount, kw, kd, kc])?;
    }
    let now = Value::Text(t.now.as_str());
    let row = [kd, kw, kc, d_value, w_value, now, amount, Value::Text(names.as_str())];
    t.session.update(one.insert_history, &row)?;
    Ok(true)
}

/// Adds the amount to a warehouse or a district and appends its name, the last column of its address.
fn pay<const N: usize>(
    t: &mut Terminal,
    [update, address]: [Statement; 2],
    amount: Value<'_>,
    key: &[Value<'_>],
    name: &mut Text<N>,
) -> Result<(), Error> {
    let mut parameters = [amount; 3];
    parameters[1..=key.len()].copy_from_slice(key);
    t.session.update(update, &parameters[..=key.len()])?;
    t.session.execute(address, key, &mut |row| name.push(text_at(row, 5))).map(drop)
}
