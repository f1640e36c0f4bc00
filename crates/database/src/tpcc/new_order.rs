//! New-Order (clause 2.4.2): an order of several lines, each of which takes from the stock of a warehouse.
use super::{
    inputs::{LINES, Line},
    terminal::Terminal,
    text::Text,
};
use crate::session::{Error, Value};

/// What is ordered.
pub(super) struct Order<'a> {
    pub(super) w: i64,
    pub(super) d: i64,
    pub(super) c: i64,
    pub(super) lines: &'a [Line],
}

/// What the stock of a line said.
#[derive(Clone, Copy)]
struct Stock {
    quantity: i64,
    info: Text<24>,
}

const NO_STOCK: Stock = Stock { quantity: 0, info: Text::new() };

/// What is left of a stock (clause 2.4.2.2).
fn left(stock: i64, taken: i64) -> i64 {
    if stock >= taken + 10 { stock - taken } else { stock - taken + 91 }
}

/// A statement for every row; whether all items were found.
pub(super) fn row_wise(t: &mut Terminal, order: &Order<'_>) -> Result<bool, Error> {
    let number = head(t, order)?;
    let one = t.prepared.one;
    for (i, line) in (1..).zip(order.lines) {
        let mut price = None;
        t.session.execute(one.item, &[Value::Int(line.item)], &mut |row| {
            price = row.first().and_then(|v| v.real());
        })?;
        let Some(price) = price else { return Ok(false) };
        let mut stock = None;
        let key = [Value::Int(line.item), Value::Int(line.supply)];
        let statement = t.prepared.stock(order.d);
        t.session.execute(statement, &key, &mut |row| {
            let mut info = Text::new();
            info.set(row.get(2).and_then(|v| v.text()).unwrap_or_default());
            let quantity = row.first().and_then(|v| v.int());
            stock = quantity.map(|quantity| Stock { quantity, info });
        })?;
        let stock = stock.ok_or_else(|| Error::unexpected("stock of that item"))?;
        take(t, order, line, stock.quantity)?;
        let row = values(order, number, i, line, price, &stock);
        t.session.execute(one.insert_line, &row, &mut |_| ())?;
    }
    Ok(true)
}

/// Statements of several keys; whether all items were found.
pub(super) fn batched(t: &mut Terminal, order: &Order<'_>) -> Result<bool, Error> {
    let number = head(t, order)?;
    let count = order.lines.len();
    let mut ids = [Value::Null; LINES];
    let mut keys = [Value::Null; 2 * LINES];
    for (i, line) in order.lines.iter().enumerate() {
        ids[i] = Value::Int(line.item);
        keys[2 * i] = Value::Int(line.supply);
        keys[2 * i + 1] = Value::Int(line.item);
    }
    let mut prices = [None; LINES];
    let statement = t.prepared.batches()?.items(count);
    t.session.execute(statement, &ids[..count], &mut |row| {
        let (id, price) = (row.first().and_then(|v| v.int()), row.get(1).and_then(|v| v.real()));
        let of = order.lines.iter().enumerate().filter(|(_, line)| Some(line.item) == id);
        of.for_each(|(i, _)| prices[i] = price);
    })?;
    if prices[..count].iter().any(Option::is_none) {
        return Ok(false);
    }
    let mut stocks = [None; LINES];
    let statement = t.prepared.batches()?.stocks(count, order.d);
    t.session.execute(statement, &keys[..2 * count], &mut |row| {
        let int = |at: usize| row.get(at).and_then(|v| v.int());
        let mut info = Text::new();
        info.set(row.get(4).and_then(|v| v.text()).unwrap_or_default());
        let stock = int(2).map(|quantity| Stock { quantity, info });
        let same = |line: &Line| (Some(line.supply), Some(line.item)) == (int(0), int(1));
        let of = order.lines.iter().enumerate().filter(|(_, line)| same(line));
        of.for_each(|(i, _)| stocks[i] = stock);
    })?;
    let mut rows = [Value::Null; 9 * LINES];
    let mut found = [NO_STOCK; LINES];
    for (i, line) in order.lines.iter().enumerate() {
        let mut stock = stocks[i].ok_or_else(|| Error::unexpected("stock of that item"))?;
        // An item that is ordered twice finds what its first line left: lines are sorted.
        if i > 0 && (order.lines[i - 1].supply, order.lines[i - 1].item) == (line.supply, line.item)
        {
            stock.quantity = found[i - 1].quantity;
        }
        take(t, order, line, stock.quantity)?;
        found[i] = Stock { quantity: left(stock.quantity, line.quantity), info: stock.info };
    }
    for (i, line) in order.lines.iter().enumerate() {
        let price = prices[i].unwrap_or_default();
        let row = values(order, number, i as i64 + 1, line, price, &found[i]);
        rows[9 * i..][..9].copy_from_slice(&row);
    }
    let statement = t.prepared.batches()?.insert_lines(count);
    t.session.execute(statement, &rows[..9 * count], &mut |_| ())?;
    Ok(true)
}

/// The order itself; its number.
fn head(t: &mut Terminal, order: &Order<'_>) -> Result<i64, Error> {
    let (w, d, c) = (Value::Int(order.w), Value::Int(order.d), Value::Int(order.c));
    let one = t.prepared.one;
    let mut known = false;
    t.session.execute(one.customer_warehouse, &[w, d, c], &mut |_| known = true)?;
    if !known {
        return Err(Error::unexpected("customer of that number"));
    }
    let mut number = None;
    t.session.execute(one.district, &[w, d], &mut |row| {
        number = row.first().and_then(|v| v.int());
    })?;
    let number = number.ok_or_else(|| Error::unexpected("district of that number"))?;
    let o = Value::Int(number);
    t.session.execute(one.district_next, &[Value::Int(number + 1), w, d], &mut |_| ())?;
    let local = order.lines.iter().all(|line| line.supply == order.w);
    let lines = Value::Int(order.lines.len() as i64);
    let now = Value::Text(t.now.as_str());
    let row = [o, d, w, c, now, lines, Value::Int(i64::from(local))];
    t.session.execute(one.insert_order, &row, &mut |_| ())?;
    t.session.execute(one.insert_new_order, &[o, d, w], &mut |_| ())?;
    Ok(number)
}

/// Takes a line's quantity from its stock.
fn take(t: &mut Terminal, order: &Order<'_>, line: &Line, stock: i64) -> Result<(), Error> {
    let remote = i64::from(line.supply != order.w);
    let row = [left(stock, line.quantity), line.quantity, remote, line.item, line.supply];
    t.session.execute(t.prepared.one.update_stock, &row.map(Value::Int), &mut |_| ()).map(drop)
}

/// A line's row.
fn values<'a>(
    order: &Order<'_>,
    number: i64,
    at: i64,
    line: &Line,
    price: f64,
    stock: &'a Stock,
) -> [Value<'a>; 9] {
    // To the cent, as the column holds it (clause 2.4.2.2: quantity times price).
    let amount = (line.quantity as f64 * price * 100.0).round() / 100.0;
    let int = Value::Int;
    [
        int(number),
        int(order.d),
        int(order.w),
        int(at),
        int(line.item),
        int(line.supply),
        int(line.quantity),
        Value::Real(amount),
        Value::Text(stock.info.as_str()),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stock_is_filled_up_before_it_runs_out() {
        assert_eq!((left(20, 10), left(19, 10), left(10, 10), left(100, 1)), (10, 100, 91, 99));
        for stock in 10..=100 {
            assert!((1..=10).all(|taken| (10..=101).contains(&left(stock, taken))));
        }
    }
}
