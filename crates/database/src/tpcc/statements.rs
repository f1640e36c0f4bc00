//! The statements of all transactions, prepared once a session. Those that take several keys or rows are prepared for every
//! number of them.
use super::{inputs::LINES, procedures::PREFIX};
use crate::{
    engine::Dialect,
    session::{Error, Session, Statement},
};

/// Fewest lines of an order.
const FEWEST: usize = 5;

macro_rules! statements {
    ($($name:ident: $text:expr;)*) => {
        /// One of each.
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct Statements { $(pub(crate) $name: Statement,)* }
        impl Statements {
            /// Prepares them; `LOCK` reads for update where the engine can.
            fn prepare(session: &mut dyn Session, lock: &str) -> Result<Statements, Error> {
                Ok(Statements { $($name: session.prepare(&$text.replace(" LOCK", lock))?,)* })
            }
        }
    };
}

statements! {
    customer_warehouse: "SELECT c_discount, c_last, c_credit, w_tax FROM customer, warehouse WHERE w_id = ? AND c_w_id = w_id \
        AND c_d_id = ? AND c_id = ?";
    district: "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ? LOCK";
    district_next: "UPDATE district SET d_next_o_id = ? WHERE d_w_id = ? AND d_id = ?";
    insert_order: "INSERT INTO orders (o_id, o_d_id, o_w_id, o_c_id, o_entry_d, o_ol_cnt, o_all_local) VALUES (?,?,?,?,?,?,?)";
    insert_new_order: "INSERT INTO new_order (no_o_id, no_d_id, no_w_id) VALUES (?,?,?)";
    item: "SELECT i_price, i_name, i_data FROM item WHERE i_id = ?";
    update_stock: "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1, \
        s_remote_cnt = s_remote_cnt + ? WHERE s_i_id = ? AND s_w_id = ?";
    insert_line: "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, \
        ol_dist_info) VALUES (?,?,?,?,?,?,?,?,?)";
    pay_warehouse: "UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?";
    warehouse: "SELECT w_street_1, w_street_2, w_city, w_state, w_zip, w_name FROM warehouse WHERE w_id = ?";
    pay_district: "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?";
    district_address: "SELECT d_street_1, d_street_2, d_city, d_state, d_zip, d_name FROM district WHERE d_w_id = ? AND d_id = ?";
    count_by_name: "SELECT COUNT(c_id) FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?";
    ids_by_name: "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ? ORDER BY c_first";
    customer: "SELECT c_first, c_middle, c_last, c_street_1, c_street_2, c_city, c_state, c_zip, c_phone, c_credit, c_credit_lim, \
        c_discount, c_balance, c_since FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ? LOCK";
    customer_data: "SELECT c_data FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    pay_customer: "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, \
        c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    pay_customer_data: "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?, \
        c_payment_cnt = c_payment_cnt + 1, c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    insert_history: "INSERT INTO history (h_c_d_id, h_c_w_id, h_c_id, h_d_id, h_w_id, h_date, h_amount, h_data) \
        VALUES (?,?,?,?,?,?,?,?)";
    customer_balance: "SELECT c_balance, c_first, c_middle, c_last FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    last_order: "SELECT o_id, o_carrier_id, o_entry_d FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ? \
        ORDER BY o_id DESC LIMIT 1";
    lines: "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d FROM order_line \
        WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    oldest: "SELECT no_o_id FROM new_order WHERE no_w_id = ? AND no_d_id = ? ORDER BY no_o_id LIMIT 1 LOCK";
    delete_new: "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?";
    order_customer: "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?";
    carrier: "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?";
    stamp_lines: "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    sum_lines: "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?";
    deliver: "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1 \
        WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?";
    next_order: "SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?";
    low_stock: "SELECT COUNT(DISTINCT s_i_id) FROM order_line, stock WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? \
        AND ol_o_id >= ? AND s_w_id = ? AND s_i_id = ol_i_id AND s_quantity < ?";
    recent_items: "SELECT DISTINCT ol_i_id FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ? AND ol_o_id >= ?";
    low_item: "SELECT COUNT(*) FROM stock WHERE s_w_id = ? AND s_i_id = ? AND s_quantity < ?";
}

/// Those that take several keys or rows.
#[derive(Debug, Clone)]
pub(crate) struct Batches {
    /// By lines of the order, from [`FEWEST`] on.
    items: Vec<Statement>,
    insert_lines: Vec<Statement>,
    /// By lines and then by district.
    stocks: Vec<Statement>,
    /// Of ten districts; keys that are not there stand for districts without an order.
    pub(crate) delete_news: Statement,
    pub(crate) order_customers: Statement,
    pub(crate) carriers: Statement,
    pub(crate) stamp_all: Statement,
    pub(crate) sum_all: Statement,
}

/// Calls of procedures that are stored in the database; their parameters are those of the transactions.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Calls {
    /// Warehouse, district, customer, lines, all local, time, then item, supply and quantity of 15 lines.
    pub(crate) new_order: Statement,
    /// Warehouse, district, those of the customer, the customer or 0, the last name or nothing, amount, time.
    pub(crate) payment: Statement,
    /// Warehouse, district, the customer or 0, the last name or nothing.
    pub(crate) order_status: Statement,
    /// Warehouse, carrier, time.
    pub(crate) delivery: Statement,
    /// Warehouse, district, threshold.
    pub(crate) stock_level: Statement,
}

/// Statements of one way to ask.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    pub(crate) one: Statements,
    /// A district's stock row, by district.
    stock: Vec<Statement>,
    batches: Option<Batches>,
    pub(crate) calls: Option<Calls>,
}

fn marks(count: usize) -> String {
    vec!["?"; count].join(",")
}

/// So many keys of so many columns, as a list to be in.
fn keys(dialect: Dialect, count: usize, columns: usize) -> String {
    let all = vec![format!("({})", marks(columns)); count].join(",");
    match dialect {
        Dialect::Sqlite => format!("(VALUES {all})"),
        Dialect::Mysql => format!("({all})"),
    }
}

impl Prepared {
    pub(crate) fn new(
        session: &mut dyn Session,
        dialect: Dialect,
        (batched, calls): (bool, bool),
    ) -> Result<Prepared, Error> {
        let lock = if dialect == Dialect::Mysql { " FOR UPDATE" } else { "" };
        let one = Statements::prepare(session, lock)?;
        let mut stock = vec![];
        for d in 1..=10 {
            stock.push(session.prepare(&format!(
                "SELECT s_quantity, s_data, s_dist_{d:02} FROM stock WHERE s_i_id = ? AND s_w_id = ?{lock}"
            ))?);
        }
        let batches = match batched {
            true => Some(Batches::prepare(session, dialect, lock)?),
            false => None,
        };
        let calls = match calls {
            true => Some(Calls::prepare(session)?),
            false => None,
        };
        Ok(Prepared { one, stock, batches, calls })
    }
    /// A stock row with the text of this district.
    pub(crate) fn stock(&self, district: i64) -> Statement {
        self.stock[(district - 1).clamp(0, 9) as usize]
    }
    /// What takes several keys.
    pub(crate) fn batches(&self) -> Result<&Batches, Error> {
        self.batches.as_ref().ok_or_else(|| Error::unexpected("statements of several keys"))
    }
}

impl Batches {
    fn prepare(session: &mut dyn Session, dialect: Dialect, lock: &str) -> Result<Batches, Error> {
        let (mut items, mut stocks, mut insert_lines) = (vec![], vec![], vec![]);
        for n in FEWEST..=LINES {
            items.push(session.prepare(&format!(
                "SELECT i_id, i_price, i_name, i_data FROM item WHERE i_id IN ({})",
                marks(n)
            ))?);
            for d in 1..=10 {
                stocks.push(session.prepare(&format!(
                    "SELECT s_w_id, s_i_id, s_quantity, s_data, s_dist_{d:02} FROM stock WHERE (s_w_id, s_i_id) IN {}{lock}",
                    keys(dialect, n, 2)
                ))?);
            }
            insert_lines.push(session.prepare(&format!(
                "INSERT INTO order_line (ol_o_id, ol_d_id, ol_w_id, ol_number, ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, \
                 ol_dist_info) VALUES {}",
                vec![format!("({})", marks(9)); n].join(",")
            ))?);
        }
        let ten = keys(dialect, 10, 3);
        Ok(Batches {
            items,
            stocks,
            insert_lines,
            delete_news: session
                .prepare(&format!("DELETE FROM new_order WHERE (no_w_id, no_d_id, no_o_id) IN {ten}"))?,
            order_customers: session
                .prepare(&format!("SELECT o_d_id, o_c_id FROM orders WHERE (o_w_id, o_d_id, o_id) IN {ten}"))?,
            carriers: session
                .prepare(&format!("UPDATE orders SET o_carrier_id = ? WHERE (o_w_id, o_d_id, o_id) IN {ten}"))?,
            stamp_all: session.prepare(&format!(
                "UPDATE order_line SET ol_delivery_d = ? WHERE (ol_w_id, ol_d_id, ol_o_id) IN {ten}"
            ))?,
            sum_all: session.prepare(&format!(
                "SELECT ol_d_id, SUM(ol_amount) FROM order_line WHERE (ol_w_id, ol_d_id, ol_o_id) IN {ten} GROUP BY ol_d_id"
            ))?,
        })
    }
    fn at(lines: usize) -> usize {
        lines.clamp(FEWEST, LINES) - FEWEST
    }
    pub(crate) fn items(&self, lines: usize) -> Statement {
        self.items[Self::at(lines)]
    }
    pub(crate) fn stocks(&self, lines: usize, district: i64) -> Statement {
        self.stocks[Self::at(lines) * 10 + (district - 1).clamp(0, 9) as usize]
    }
    pub(crate) fn insert_lines(&self, lines: usize) -> Statement {
        self.insert_lines[Self::at(lines)]
    }
}

impl Calls {
    fn prepare(session: &mut dyn Session) -> Result<Calls, Error> {
        let mut call = |name: &str, parameters: usize| {
            session.prepare(&format!("CALL {PREFIX}{name}({})", marks(parameters)))
        };
        Ok(Calls {
            new_order: call("new_order", 6 + 3 * LINES)?,
            payment: call("payment", 8)?,
            order_status: call("order_status", 4)?,
            delivery: call("delivery", 3)?,
            stock_level: call("stock_level", 3)?,
        })
    }
}
