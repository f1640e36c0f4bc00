//! Payment (clause 2.5.2): a customer pays, and the warehouse, the district and the customer's account say so.
use super::{inputs::Input, terminal::Terminal, text::Text};
use crate::session::{Error, Value};
use std::fmt::Write;

/// Always to be committed.
pub(super) fn run(t: &mut Terminal, input: &Input) -> Result<bool, Error> {
    let Input::Payment { w, d, cw, cd, who, cents } = *input else { return Ok(true) };
    let one = t.prepared.one;
    let amount = Value::Real(cents as f64 / 100.0);
    let (iw, id) = (Value::Int(w), Value::Int(d));
    let mut names = Text::<24>::new();
    if t.way.by_row() {
        pay_warehouse(t, amount, iw, &mut names)?;
        names.push("    ");
        pay_district(t, amount, [iw, id], &mut names)?;
    } else {
        // The warehouse's row, which all its payments want, is locked for a shorter time.
        let mut of_district = Text::<10>::new();
        pay_district(t, amount, [iw, id], &mut of_district)?;
        pay_warehouse(t, amount, iw, &mut names)?;
        names.push("    ");
        names.push(of_district.as_str());
    }
    let customer = t.customer(cw, cd, who)?;
    let key = [Value::Int(cw), Value::Int(cd), Value::Int(customer)];
    let mut bad = None;
    t.session.execute(one.customer, &key, &mut |row| {
        bad = row.get(9).and_then(|v| v.text()).map(|credit| credit == "BC");
    })?;
    let [kw, kd, kc] = key;
    if bad.ok_or_else(|| Error::unexpected("customer of that number"))? {
        let old = &mut t.old;
        old.clear();
        t.session.execute(one.customer_data, &key, &mut |row| {
            old.set(row.first().and_then(|v| v.text()).unwrap_or_default());
        })?;
        t.data.clear();
        let cents_left = cents % 100;
        let whole = cents / 100;
        // A text that is cut off says all it can.
        _ = write!(t.data, "{customer} {cd} {cw} {d} {w} {whole}.{cents_left:02} ");
        t.data.push(t.old.as_str());
        let row = [amount, amount, Value::Text(t.data.as_str()), kw, kd, kc];
        t.session.execute(one.pay_customer_data, &row, &mut |_| ())?;
    } else {
        t.session.execute(one.pay_customer, &[amount, amount, kw, kd, kc], &mut |_| ())?;
    }
    let now = Value::Text(t.now.as_str());
    let row = [kd, kw, kc, id, iw, now, amount, Value::Text(names.as_str())];
    t.session.execute(one.insert_history, &row, &mut |_| ())?;
    Ok(true)
}

fn pay_warehouse<const N: usize>(
    t: &mut Terminal,
    amount: Value<'_>,
    w: Value<'_>,
    name: &mut Text<N>,
) -> Result<(), Error> {
    t.session.execute(t.prepared.one.pay_warehouse, &[amount, w], &mut |_| ())?;
    t.session.execute(t.prepared.one.warehouse, &[w], &mut |row| named(row, name)).map(drop)
}

fn pay_district<const N: usize>(
    t: &mut Terminal,
    amount: Value<'_>,
    [w, d]: [Value<'_>; 2],
    name: &mut Text<N>,
) -> Result<(), Error> {
    t.session.execute(t.prepared.one.pay_district, &[amount, w, d], &mut |_| ())?;
    let address = t.prepared.one.district_address;
    t.session.execute(address, &[w, d], &mut |row| named(row, name)).map(drop)
}

/// The name at the end of an address.
fn named<const N: usize>(row: &[Value<'_>], name: &mut Text<N>) {
    name.push(row.get(5).and_then(|v| v.text()).unwrap_or_default());
}
