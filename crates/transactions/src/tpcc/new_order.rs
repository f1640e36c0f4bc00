//! New-Order (clause 2.4.2): an order of several lines, each of which takes a quantity from a warehouse's stock.
use super::{
    inputs::{LINES, Line},
    terminal::Terminal,
    text::Text,
};
use database::session::{Error, Value, int_at, real_at, text_at};

/// Inputs of the transaction.
pub(super) struct Order<'a> {
    pub(super) w: i64,
    pub(super) d: i64,
    pub(super) c: i64,
    pub(super) lines: &'a [Line],
}

/// The stock row of a line.
#[derive(Clone, Copy)]
struct Stock {
    quantity: i64,
    info: Text<24>,
}

impl Stock {
    /// From a row with the quantity and the district's text in these columns.
    fn from_row(row: &[Value<'_>], quantity: usize, info: usize) -> Option<Stock> {
        let mut text = Text::new();
        text.set(text_at(row, info));
        Some(Stock { quantity: int_at(row, quantity)?, info: text })
    }
}

/// The quantity after an order (clause 2.4.2.2).
fn left(stock: i64, taken: i64) -> i64 {
    if stock >= taken + 10 { stock - taken } else { stock - taken + 91 }
}

/// A statement for every row. Returns whether all items were found.
pub(super) fn per_row(t: &mut Terminal, order: &Order<'_>) -> Result<bool, Error> {
    let number = insert_order(t, order)?;
    let one = t.prepared.one;
    for (i, line) in (1..).zip(order.lines) {
        let mut price = None;
        let item = [Value::Int(line.item)];
        t.session.execute(one.item, &item, &mut |row| price = real_at(row, 0))?;
        let Some(price) = price else { return Ok(false) };
        let mut stock = None;
        let key = [item[0], Value::Int(line.supply)];
        let statement = t.prepared.stock(order.d);
        t.session.execute(statement, &key, &mut |row| stock = Stock::from_row(row, 0, 2))?;
        let stock = stock.ok_or_else(|| Error::missing("stock of that item"))?;
        update_stock(t, order, line, stock.quantity)?;
        t.session.update(one.insert_line, &line_row(order, number, i, line, price, &stock))?;
    }
    Ok(true)
}

/// Statements of several keys. Returns whether all items were found.
pub(super) fn batched(t: &mut Terminal, order: &Order<'_>) -> Result<bool, Error> {
    let number = insert_order(t, order)?;
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
        let id = int_at(row, 0);
        let lines = order.lines.iter().zip(&mut prices);
        lines.filter(|(line, _)| Some(line.item) == id).for_each(|(_, p)| *p = real_at(row, 1));
    })?;
    if prices[..count].iter().any(Option::is_none) {
        return Ok(false);
    }
    let mut stocks = [None; LINES];
    let statement = t.prepared.batches()?.stocks(count, order.d);
    t.session.execute(statement, &keys[..2 * count], &mut |row| {
        let stock = Stock::from_row(row, 2, 4);
        let key = (int_at(row, 0), int_at(row, 1));
        let same = |line: &Line| (Some(line.supply), Some(line.item)) == key;
        let lines = order.lines.iter().zip(&mut stocks);
        lines.filter(|(line, _)| same(line)).for_each(|(_, s)| *s = stock);
    })?;
    let mut rows = [Value::Null; 9 * LINES];
    for (i, line) in order.lines.iter().enumerate() {
        let mut stock = stocks[i].ok_or_else(|| Error::missing("stock of that item"))?;
        // Lines are sorted: a second line of an item follows the first and sees what that one left.
        if let Some(before) = i.checked_sub(1).map(|before| order.lines[before])
            && (before.supply, before.item) == (line.supply, line.item)
        {
            stock.quantity = stocks[i - 1].map_or(0, |stock| stock.quantity);
        }
        update_stock(t, order, line, stock.quantity)?;
        stock.quantity = left(stock.quantity, line.quantity);
        stocks[i] = Some(stock);
    }
    for (i, (line, stock)) in order.lines.iter().zip(stocks.iter().flatten()).enumerate() {
        let price = prices[i].unwrap_or_default();
        let row = line_row(order, number, i as i64 + 1, line, price, stock);
        rows[9 * i..][..9].copy_from_slice(&row);
    }
    let statement = t.prepared.batches()?.insert_lines(count);
    t.session.update(statement, &rows[..9 * count])?;
    Ok(true)
}

/// Inserts the order and returns its number.
fn insert_order(t: &mut Terminal, order: &Order<'_>) -> Result<i64, Error> {
    let (w, d, c) = (Value::Int(order.w), Value::Int(order.d), Value::Int(order.c));
    let one = t.prepared.one;
    let mut known = false;
    t.session.execute(one.customer_warehouse, &[w, d, c], &mut |_| known = true)?;
    if !known {
        return Err(Error::missing("customer of that number"));
    }
    let number = t.session.query_int(one.district, &[w, d])?;
    let number = number.ok_or_else(|| Error::missing("district of that number"))?;
    let o = Value::Int(number);
    t.session.update(one.district_next, &[Value::Int(number + 1), w, d])?;
    let local = order.lines.iter().all(|line| line.supply == order.w);
    let lines = Value::Int(order.lines.len() as i64);
    let now = Value::Text(t.now.as_str());
    t.session.update(one.insert_order, &[o, d, w, c, now, lines, Value::Int(local.into())])?;
    t.session.update(one.insert_new_order, &[o, d, w])?;
    Ok(number)
}

/// Takes a line's quantity from its stock.
fn update_stock(t: &mut Terminal, order: &Order<'_>, line: &Line, stock: i64) -> Result<(), Error> {
    let remote = i64::from(line.supply != order.w);
    let row = [left(stock, line.quantity), line.quantity, remote, line.item, line.supply];
    t.session.update(t.prepared.one.update_stock, &row.map(Value::Int))
}

/// A row of `order_line`.
fn line_row<'a>(
    order: &Order<'_>,
    number: i64,
    at: i64,
    line: &Line,
    price: f64,
    stock: &'a Stock,
) -> [Value<'a>; 9] {
    // In whole cents, as the column holds it (clause 2.4.2.2: quantity times price).
    let amount = Value::Real((line.quantity as f64 * price * 100.0).round() / 100.0);
    let [o, d, w, at] = [number, order.d, order.w, at].map(Value::Int);
    let [item, supply, quantity] = [line.item, line.supply, line.quantity].map(Value::Int);
    [o, d, w, at, item, supply, quantity, amount, Value::Text(stock.info.as_str())]
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
