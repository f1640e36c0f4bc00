//! The initial population (clause 4.3.3.1). The items and each warehouse have a generator of their own, so the same seed gives the
//! same rows for any number of loader threads.
use super::{
    DISTRICTS, Scale,
    random::{Constants, Random, push_last_name},
};
use crate::{bulk_insert::BulkInsert, loader::Loader};
use database::{
    engine::SqlDialect,
    session::{
        Error, Session,
        Value::{self, Int, Null, Real, Text},
    },
};

/// The load date of all rows; fixed, so that machines load the same.
const LOADED: Value<'static> = Text("2026-01-01 00:00:00");
/// Progress steps of a warehouse: its stock and each district.
const STEPS: f64 = 11.0;

/// The texts of a row, in buffers that are used again for the next row.
#[derive(Default)]
struct TextPool {
    texts: Vec<String>,
    used: usize,
}

impl TextPool {
    fn clear(&mut self) {
        self.used = 0;
    }
    fn add(&mut self, write: impl FnOnce(&mut String)) {
        if self.used == self.texts.len() {
            self.texts.push(String::new());
        }
        let text = &mut self.texts[self.used];
        text.clear();
        write(text);
        self.used += 1;
    }
    fn at(&self, index: usize) -> Value<'_> {
        Text(self.texts.get(index).map_or("", String::as_str))
    }
    /// Two streets, city, state and zip code (clause 4.3.2.7).
    fn add_address(&mut self, random: &mut Random) {
        for _ in 0..3 {
            self.add(|t| random.letters(t, 10, 20));
        }
        self.add(|t| (0..2).for_each(|_| t.push(char::from(b'A' + random.between(0, 25) as u8))));
        self.add(|t| {
            random.digits(t, 4);
            t.push_str("11111");
        });
    }
}

fn generator(seed: u64, stream: i64) -> Random {
    Random::new(seed ^ (stream as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15), Constants::LOAD)
}

/// Runs `work` in a transaction; a retry draws the same rows again.
fn transaction(
    loader: &mut Loader<'_>,
    random: &mut Random,
    work: impl Fn(&mut dyn Session, SqlDialect, &mut Random) -> Result<(), Error>,
) -> Result<(), Error> {
    let before = random.clone();
    loader.transaction(|session, dialect| {
        random.clone_from(&before);
        work(session, dialect, random)
    })
}

/// Loads the items.
///
/// # Errors
/// The engine refused the rows or is gone.
pub fn load_items(loader: &mut Loader<'_>, scale: &Scale, seed: u64) -> Result<(), Error> {
    transaction(loader, &mut generator(seed, 0), |session, dialect, random| {
        let mut texts = TextPool::default();
        let columns = "i_id,i_im_id,i_name,i_price,i_data";
        let mut rows = BulkInsert::new(session, dialect, "item", columns)?;
        for id in 1..=scale.items {
            texts.clear();
            texts.add(|t| random.letters(t, 14, 24));
            texts.add(|t| random.data(t));
            let image = Int(random.between(1, 10_000));
            let price = Real(random.between(100, 10_000) as f64 / 100.0);
            rows.row(&[Int(id), image, texts.at(0), price, texts.at(1)])?;
        }
        rows.finish()
    })
}

/// Loads a warehouse with its districts, stock, customers and orders. `progress` receives the share that is loaded; `false` stops.
///
/// # Errors
/// The engine refused the rows or is gone.
pub fn load_warehouse(
    loader: &mut Loader<'_>,
    (scale, warehouse): (&Scale, i64),
    seed: u64,
    progress: &mut dyn FnMut(f64) -> bool,
) -> Result<(), Error> {
    let mut random = generator(seed, warehouse);
    // What each district's customers have paid: 30,000 with the standard's cardinalities.
    let paid = scale.customers as f64 * 10.0;
    // Name, address and tax, which warehouses and districts have in common.
    let described = |texts: &mut TextPool, random: &mut Random| {
        texts.add(|t| random.letters(t, 6, 10));
        texts.add_address(random);
    };
    transaction(loader, &mut random, |session, dialect, random| {
        let mut texts = TextPool::default();
        described(&mut texts, random);
        let columns = "w_id,w_name,w_street_1,w_street_2,w_city,w_state,w_zip,w_tax,w_ytd";
        let mut rows = BulkInsert::new(session, dialect, "warehouse", columns)?;
        let tax = Real(random.between(0, 2000) as f64 / 1e4);
        let [name, a, b, c, d, e] = [0, 1, 2, 3, 4, 5].map(|i| texts.at(i));
        let ytd = Real(paid * DISTRICTS as f64);
        rows.row(&[Int(warehouse), name, a, b, c, d, e, tax, ytd])?;
        rows.finish()?;
        stock(session, dialect, (scale, warehouse), random)
    })?;
    if !progress(1.0 / STEPS) {
        return Ok(());
    }
    for district in 1..=DISTRICTS {
        transaction(loader, &mut random, |session, dialect, random| {
            let mut texts = TextPool::default();
            described(&mut texts, random);
            let columns = "d_id,d_w_id,d_name,d_street_1,d_street_2,d_city,d_state,d_zip,d_tax,d_ytd,d_next_o_id";
            let mut rows = BulkInsert::new(session, dialect, "district", columns)?;
            let tax = Real(random.between(0, 2000) as f64 / 1e4);
            let [name, a, b, c, d, e] = [0, 1, 2, 3, 4, 5].map(|i| texts.at(i));
            let (w, next) = (Int(warehouse), Int(scale.customers + 1));
            rows.row(&[Int(district), w, name, a, b, c, d, e, tax, Real(paid), next])?;
            rows.finish()?;
            customers(session, dialect, (scale, warehouse, district), random)?;
            orders(session, dialect, (scale, warehouse, district), random)
        })?;
        if !progress((1 + district) as f64 / STEPS) {
            break;
        }
    }
    Ok(())
}

fn stock(
    session: &mut dyn Session,
    dialect: SqlDialect,
    (scale, warehouse): (&Scale, i64),
    random: &mut Random,
) -> Result<(), Error> {
    let mut texts = TextPool::default();
    let columns = "s_i_id,s_w_id,s_quantity,s_dist_01,s_dist_02,s_dist_03,s_dist_04,s_dist_05,s_dist_06,s_dist_07,s_dist_08,\
                   s_dist_09,s_dist_10,s_ytd,s_order_cnt,s_remote_cnt,s_data";
    let mut rows = BulkInsert::new(session, dialect, "stock", columns)?;
    for item in 1..=scale.items {
        texts.clear();
        for _ in 0..10 {
            texts.add(|t| random.letters(t, 24, 24));
        }
        texts.add(|t| random.data(t));
        let mut row = [Int(0); 17];
        (row[0], row[1], row[2]) = (Int(item), Int(warehouse), Int(random.between(10, 100)));
        (0..10).for_each(|i| row[3 + i] = texts.at(i));
        row[16] = texts.at(10);
        rows.row(&row)?;
    }
    rows.finish()
}

/// The customers of a district, each with a payment of ten in `history`.
fn customers(
    session: &mut dyn Session,
    dialect: SqlDialect,
    (scale, warehouse, district): (&Scale, i64, i64),
    random: &mut Random,
) -> Result<(), Error> {
    let (w, d) = (Int(warehouse), Int(district));
    let mut texts = TextPool::default();
    let columns = "c_id,c_d_id,c_w_id,c_first,c_middle,c_last,c_street_1,c_street_2,c_city,c_state,c_zip,c_phone,c_since,c_credit,\
                   c_credit_lim,c_discount,c_balance,c_ytd_payment,c_payment_cnt,c_delivery_cnt,c_data";
    let mut rows = BulkInsert::new(session, dialect, "customer", columns)?;
    let middle = Text("OE");
    let [limit, balance, paid, payments, deliveries] =
        [Real(50_000.0), Real(-10.0), Real(10.0), Int(1), Int(0)];
    for id in 1..=scale.customers {
        texts.clear();
        texts.add(|t| random.letters(t, 8, 16));
        let number = if id <= 1000 { id - 1 } else { random.last_name(scale.names()) };
        texts.add(|t| push_last_name(&mut |s| t.push_str(s), number));
        texts.add_address(random);
        texts.add(|t| random.digits(t, 16));
        texts.add(|t| random.letters(t, 300, 500));
        let credit = Text(if random.percent(10) { "BC" } else { "GC" });
        let discount = Real(random.between(0, 5000) as f64 / 1e4);
        let id = Int(id);
        let [first, last, a, b, city, state, zip, phone, data] =
            [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|i| texts.at(i));
        #[rustfmt::skip]
        rows.row(&[
            id, d, w, first, middle, last, a, b, city, state, zip, phone, LOADED, credit, limit, discount, balance, paid,
            payments, deliveries, data,
        ])?;
    }
    rows.finish()?;
    let columns = "h_c_id,h_c_d_id,h_c_w_id,h_d_id,h_w_id,h_date,h_amount,h_data";
    let mut rows = BulkInsert::new(session, dialect, "history", columns)?;
    for id in 1..=scale.customers {
        texts.clear();
        texts.add(|t| random.letters(t, 12, 24));
        rows.row(&[Int(id), d, w, d, w, LOADED, paid, texts.at(0)])?;
    }
    rows.finish()
}

/// The orders of a district: one of each customer, in random order. The last 30 % are not delivered.
fn orders(
    session: &mut dyn Session,
    dialect: SqlDialect,
    (scale, warehouse, district): (&Scale, i64, i64),
    random: &mut Random,
) -> Result<(), Error> {
    let (w, d) = (Int(warehouse), Int(district));
    let mut customers: Vec<i64> = (1..=scale.customers).collect();
    random.shuffle(&mut customers);
    let lines: Vec<i64> = customers.iter().map(|_| random.between(5, 15)).collect();
    let delivered = |order: i64| order <= scale.delivered();
    let columns = "o_id,o_d_id,o_w_id,o_c_id,o_entry_d,o_carrier_id,o_ol_cnt,o_all_local";
    let mut rows = BulkInsert::new(session, dialect, "orders", columns)?;
    for ((order, customer), lines) in (1..).zip(&customers).zip(&lines) {
        let carrier = if delivered(order) { Int(random.between(1, 10)) } else { Null };
        rows.row(&[Int(order), d, w, Int(*customer), LOADED, carrier, Int(*lines), Int(1)])?;
    }
    rows.finish()?;
    let mut rows = BulkInsert::new(session, dialect, "new_order", "no_o_id,no_d_id,no_w_id")?;
    for order in scale.delivered() + 1..=scale.customers {
        rows.row(&[Int(order), d, w])?;
    }
    rows.finish()?;
    let columns = "ol_o_id,ol_d_id,ol_w_id,ol_number,ol_i_id,ol_supply_w_id,ol_delivery_d,ol_quantity,ol_amount,ol_dist_info";
    let mut rows = BulkInsert::new(session, dialect, "order_line", columns)?;
    let mut texts = TextPool::default();
    for (order, lines) in (1..).zip(&lines) {
        for number in 1..=*lines {
            texts.clear();
            texts.add(|t| random.letters(t, 24, 24));
            let item = Int(random.between(1, scale.items));
            let (when, amount) = match delivered(order) {
                true => (LOADED, 0),
                false => (Null, random.between(1, 999_999)),
            };
            let amount = Real(amount as f64 / 100.0);
            rows.row(&[Int(order), d, w, Int(number), item, w, when, Int(5), amount, texts.at(0)])?;
        }
    }
    rows.finish()
}
