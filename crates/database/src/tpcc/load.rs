//! The initial population (clause 4.3.3.1). Items and every warehouse have a generator of their own, so that the same seed
//! gives the same rows however many threads load them.
use super::{
    DISTRICTS, Scale,
    random::{Constants, Random, name},
};
use crate::{
    engine::Dialect,
    insert::Insert,
    loader::Loader,
    session::{Error, Session, Value::*},
};

/// When everything was loaded: any time, but the same everywhere.
const LOADED: &str = "2026-01-01 00:00:00";
/// Steps that a warehouse is told done in: its stock, and each district.
const STEPS: f64 = 11.0;

/// Texts that rows are made of, kept so that rows need no memory of their own.
#[derive(Default)]
struct Words {
    all: Vec<String>,
    used: usize,
}

impl Words {
    fn clear(&mut self) {
        self.used = 0;
    }
    fn add(&mut self, write: impl FnOnce(&mut String)) {
        if self.used == self.all.len() {
            self.all.push(String::new());
        }
        let text = &mut self.all[self.used];
        text.clear();
        write(text);
        self.used += 1;
    }
    fn at(&self, index: usize) -> crate::session::Value<'_> {
        Text(self.all.get(index).map_or("", String::as_str))
    }
    /// Two streets, city, state and zip code (clause 4.3.2.7).
    fn address(&mut self, random: &mut Random) {
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

fn generator(seed: u64, which: i64) -> Random {
    Random::new(seed ^ (which as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15), Constants::LOAD)
}

/// A transaction of what is drawn: the same again if the engine undid it.
fn transaction(
    loader: &mut Loader<'_>,
    random: &mut Random,
    work: impl Fn(&mut dyn Session, Dialect, &mut Random) -> Result<(), Error>,
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
/// The engine refused, or is gone.
pub fn load_items(loader: &mut Loader<'_>, scale: &Scale, seed: u64) -> Result<(), Error> {
    transaction(loader, &mut generator(seed, 0), |session, dialect, random| {
        let mut words = Words::default();
        let columns = ["i_id", "i_im_id", "i_name", "i_price", "i_data"];
        let mut rows = Insert::new(session, dialect, "item", &columns)?;
        for id in 1..=scale.items {
            words.clear();
            words.add(|t| random.letters(t, 14, 24));
            words.add(|t| random.data(t));
            let image = Int(random.between(1, 10_000));
            let price = Real(random.between(100, 10_000) as f64 / 100.0);
            rows.row(&[Int(id), image, words.at(0), price, words.at(1)])?;
        }
        rows.finish()
    })
}

/// Loads a warehouse with all that belongs to it; told of its share that is done, `done` may end it by answering no.
///
/// # Errors
/// The engine refused, or is gone.
pub fn load_warehouse(
    loader: &mut Loader<'_>,
    (scale, warehouse): (&Scale, i64),
    seed: u64,
    done: &mut dyn FnMut(f64) -> bool,
) -> Result<(), Error> {
    let mut random = generator(seed, warehouse);
    // What the districts' customers have paid: with the standard's cardinalities 300,000 and 30,000.
    let paid = scale.customers as f64 * 10.0;
    transaction(loader, &mut random, |session, dialect, random| {
        let mut words = Words::default();
        words.add(|t| random.letters(t, 6, 10));
        words.address(random);
        let columns = [
            "w_id",
            "w_name",
            "w_street_1",
            "w_street_2",
            "w_city",
            "w_state",
            "w_zip",
            "w_tax",
            "w_ytd",
        ];
        let mut rows = Insert::new(session, dialect, "warehouse", &columns)?;
        let tax = Real(random.between(0, 2000) as f64 / 1e4);
        let [name, a, b, c, d, e] = [0, 1, 2, 3, 4, 5].map(|i| words.at(i));
        let all = Real(paid * DISTRICTS as f64);
        rows.row(&[Int(warehouse), name, a, b, c, d, e, tax, all])?;
        rows.finish()?;
        stock(session, dialect, (scale, warehouse), random)
    })?;
    if !done(1.0 / STEPS) {
        return Ok(());
    }
    for district in 1..=DISTRICTS {
        transaction(loader, &mut random, |session, dialect, random| {
            let mut words = Words::default();
            words.add(|t| random.letters(t, 6, 10));
            words.address(random);
            let columns = [
                "d_id",
                "d_w_id",
                "d_name",
                "d_street_1",
                "d_street_2",
                "d_city",
                "d_state",
                "d_zip",
                "d_tax",
                "d_ytd",
                "d_next_o_id",
            ];
            let mut rows = Insert::new(session, dialect, "district", &columns)?;
            let tax = Real(random.between(0, 2000) as f64 / 1e4);
            let [name, a, b, c, d, e] = [0, 1, 2, 3, 4, 5].map(|i| words.at(i));
            let (w, next) = (Int(warehouse), Int(scale.customers + 1));
            rows.row(&[Int(district), w, name, a, b, c, d, e, tax, Real(paid), next])?;
            rows.finish()?;
            customers(session, dialect, (scale, warehouse, district), random)?;
            orders(session, dialect, (scale, warehouse, district), random)
        })?;
        if !done((1 + district) as f64 / STEPS) {
            break;
        }
    }
    Ok(())
}

fn stock(
    session: &mut dyn Session,
    dialect: Dialect,
    (scale, warehouse): (&Scale, i64),
    random: &mut Random,
) -> Result<(), Error> {
    let mut words = Words::default();
    let dists: Vec<String> = (1..=10).map(|d| format!("s_dist_{d:02}")).collect();
    let mut columns = vec!["s_i_id", "s_w_id", "s_quantity"];
    columns.extend(dists.iter().map(String::as_str));
    columns.extend(["s_ytd", "s_order_cnt", "s_remote_cnt", "s_data"]);
    let mut rows = Insert::new(session, dialect, "stock", &columns)?;
    for item in 1..=scale.items {
        words.clear();
        for _ in 0..10 {
            words.add(|t| random.letters(t, 24, 24));
        }
        words.add(|t| random.data(t));
        let mut row = [Int(0); 17];
        (row[0], row[1], row[2]) = (Int(item), Int(warehouse), Int(random.between(10, 100)));
        (0..10).for_each(|i| row[3 + i] = words.at(i));
        row[16] = words.at(10);
        rows.row(&row)?;
    }
    rows.finish()
}

/// The customers of a district, each with a payment of ten in `history`.
fn customers(
    session: &mut dyn Session,
    dialect: Dialect,
    (scale, warehouse, district): (&Scale, i64, i64),
    random: &mut Random,
) -> Result<(), Error> {
    let (w, d) = (Int(warehouse), Int(district));
    let mut words = Words::default();
    let columns = [
        "c_id",
        "c_d_id",
        "c_w_id",
        "c_first",
        "c_middle",
        "c_last",
        "c_street_1",
        "c_street_2",
        "c_city",
        "c_state",
        "c_zip",
        "c_phone",
        "c_since",
        "c_credit",
        "c_credit_lim",
        "c_discount",
        "c_balance",
        "c_ytd_payment",
        "c_payment_cnt",
        "c_delivery_cnt",
        "c_data",
    ];
    let mut rows = Insert::new(session, dialect, "customer", &columns)?;
    for id in 1..=scale.customers {
        words.clear();
        words.add(|t| random.letters(t, 8, 16));
        let number = if id <= 1000 { id - 1 } else { random.last_name(scale.names()) };
        words.add(|t| name(&mut |s| t.push_str(s), number));
        words.address(random);
        words.add(|t| random.digits(t, 16));
        words.add(|t| random.letters(t, 300, 500));
        let credit = Text(if random.percent(10) { "BC" } else { "GC" });
        let discount = Real(random.between(0, 5000) as f64 / 1e4);
        let [first, last, a, b, c, state, zip, phone, data] =
            [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|i| words.at(i));
        rows.row(&[
            Int(id),
            d,
            w,
            first,
            Text("OE"),
            last,
            a,
            b,
            c,
            state,
            zip,
            phone,
            Text(LOADED),
            credit,
            Real(50_000.0),
            discount,
            Real(-10.0),
            Real(10.0),
            Int(1),
            Int(0),
            data,
        ])?;
    }
    rows.finish()?;
    let columns =
        ["h_c_id", "h_c_d_id", "h_c_w_id", "h_d_id", "h_w_id", "h_date", "h_amount", "h_data"];
    let mut rows = Insert::new(session, dialect, "history", &columns)?;
    for id in 1..=scale.customers {
        words.clear();
        words.add(|t| random.letters(t, 12, 24));
        rows.row(&[Int(id), d, w, d, w, Text(LOADED), Real(10.0), words.at(0)])?;
    }
    rows.finish()
}

/// The orders of a district: one of each customer, in random order; the last three of ten are not delivered.
fn orders(
    session: &mut dyn Session,
    dialect: Dialect,
    (scale, warehouse, district): (&Scale, i64, i64),
    random: &mut Random,
) -> Result<(), Error> {
    let (w, d) = (Int(warehouse), Int(district));
    let mut whose: Vec<i64> = (1..=scale.customers).collect();
    random.shuffle(&mut whose);
    let lines: Vec<i64> = whose.iter().map(|_| random.between(5, 15)).collect();
    let delivered = |order: i64| order <= scale.delivered();
    let columns = [
        "o_id",
        "o_d_id",
        "o_w_id",
        "o_c_id",
        "o_entry_d",
        "o_carrier_id",
        "o_ol_cnt",
        "o_all_local",
    ];
    let mut rows = Insert::new(session, dialect, "orders", &columns)?;
    for ((order, customer), lines) in (1..).zip(&whose).zip(&lines) {
        let carrier = if delivered(order) { Int(random.between(1, 10)) } else { Null };
        rows.row(&[Int(order), d, w, Int(*customer), Text(LOADED), carrier, Int(*lines), Int(1)])?;
    }
    rows.finish()?;
    let mut rows = Insert::new(session, dialect, "new_order", &["no_o_id", "no_d_id", "no_w_id"])?;
    for order in scale.delivered() + 1..=scale.customers {
        rows.row(&[Int(order), d, w])?;
    }
    rows.finish()?;
    let columns = [
        "ol_o_id",
        "ol_d_id",
        "ol_w_id",
        "ol_number",
        "ol_i_id",
        "ol_supply_w_id",
        "ol_delivery_d",
        "ol_quantity",
        "ol_amount",
        "ol_dist_info",
    ];
    let mut rows = Insert::new(session, dialect, "order_line", &columns)?;
    let mut words = Words::default();
    for (order, lines) in (1..).zip(&lines) {
        for number in 1..=*lines {
            words.clear();
            words.add(|t| random.letters(t, 24, 24));
            let item = Int(random.between(1, scale.items));
            let (when, amount) = match delivered(order) {
                true => (Text(LOADED), 0),
                false => (Null, random.between(1, 999_999)),
            };
            let amount = Real(amount as f64 / 100.0);
            rows.row(&[Int(order), d, w, Int(number), item, w, when, Int(5), amount, words.at(0)])?;
        }
    }
    rows.finish()
}
