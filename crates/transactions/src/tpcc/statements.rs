//! The prepared statements of all transactions. Those with several keys or rows are prepared for each number of them.
use super::{
    inputs::LINES,
    procedures::{PREFIX, PROCEDURES},
    terminal::StatementStyle,
};
use database::{
    engine::SqlDialect,
    session::{Error, Session, Statement},
};

/// The fewest lines of an order.
const FEWEST_LINES: usize = 5;

macro_rules! statements {
    ($($name:ident: $text:expr;)*) => {
        /// The statements for one row or one district.
        #[derive(Debug, Clone, Copy)]
        pub(crate) struct Statements { $(pub(crate) $name: Statement,)* }
        impl Statements {
            /// Prepares them; `LOCK` stands for FOR UPDATE where the engine has it.
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

/// The statements with several keys or rows.
#[derive(Debug, Clone)]
pub(crate) struct BatchedStatements {
    /// By number of lines, from [`FEWEST_LINES`] on.
    items: Vec<Statement>,
    insert_lines: Vec<Statement>,
    /// By number of lines, then by district.
    stocks: Vec<Statement>,
    /// For all ten districts.
    pub(crate) delete_new: Statement,
    pub(crate) order_customers: Statement,
    pub(crate) carriers: Statement,
    pub(crate) stamp_lines: Statement,
    pub(crate) sum_lines: Statement,
}

/// The statements of a terminal.
#[derive(Debug, Clone)]
pub(crate) struct PreparedStatements {
    pub(crate) one: Statements,
    /// A stock row with its text for a district, by district.
    stock: Vec<Statement>,
    batches: Option<BatchedStatements>,
    /// Calls of the stored procedures and their numbers of parameters, in the order of [`PROCEDURES`].
    pub(crate) calls: Vec<(Statement, usize)>,
}

fn marks(count: usize) -> String {
    vec!["?"; count].join(",")
}

/// A list of `count` keys of several columns, for IN.
fn keys(dialect: SqlDialect, count: usize, columns: usize) -> String {
    let all = vec![format!("({})", marks(columns)); count].join(",");
    match dialect {
        SqlDialect::Sqlite => format!("(VALUES {all})"),
        SqlDialect::Mysql => format!("({all})"),
    }
}

impl PreparedStatements {
    pub(crate) fn new(
        session: &mut dyn Session,
        dialect: SqlDialect,
        style: StatementStyle,
    ) -> Result<PreparedStatements, Error> {
        let lock = if dialect == SqlDialect::Mysql { " FOR UPDATE" } else { "" };
        let mut prepared = PreparedStatements {
            one: Statements::prepare(session, lock)?,
            stock: vec![],
            batches: None,
            calls: vec![],
        };
        for d in 1..=10 {
            prepared.stock.push(session.prepare(&format!(
                "SELECT s_quantity, s_data, s_dist_{d:02} FROM stock WHERE s_i_id = ? AND s_w_id = ?{lock}"
            ))?);
        }
        match style {
            StatementStyle::RowWise | StatementStyle::ItemWise => {}
            StatementStyle::Batched => {
                prepared.batches = Some(BatchedStatements::prepare(session, dialect, lock)?);
            }
            StatementStyle::Procedure => {
                for (name, parameters) in PROCEDURES {
                    let sql = format!("CALL {PREFIX}{name}({})", marks(parameters));
                    prepared.calls.push((session.prepare(&sql)?, parameters));
                }
            }
        }
        Ok(prepared)
    }
    /// A stock row with the text for this district.
    pub(crate) fn stock(&self, district: i64) -> Statement {
        self.stock[(district - 1).clamp(0, 9) as usize]
    }
    pub(crate) fn batches(&self) -> Result<&BatchedStatements, Error> {
        self.batches.as_ref().ok_or_else(|| Error::missing("statements of several keys"))
    }
}

impl BatchedStatements {
    fn prepare(
        session: &mut dyn Session,
        dialect: SqlDialect,
        lock: &str,
    ) -> Result<BatchedStatements, Error> {
        let (mut items, mut stocks, mut insert_lines) = (vec![], vec![], vec![]);
        for n in FEWEST_LINES..=LINES {
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
        let mut prepare = |sql: &str| session.prepare(&sql.replace("TEN", &ten));
        Ok(BatchedStatements {
            items,
            stocks,
            insert_lines,
            delete_new: prepare("DELETE FROM new_order WHERE (no_w_id, no_d_id, no_o_id) IN TEN")?,
            order_customers: prepare(
                "SELECT o_d_id, o_c_id FROM orders WHERE (o_w_id, o_d_id, o_id) IN TEN",
            )?,
            carriers: prepare(
                "UPDATE orders SET o_carrier_id = ? WHERE (o_w_id, o_d_id, o_id) IN TEN",
            )?,
            stamp_lines: prepare(
                "UPDATE order_line SET ol_delivery_d = ? WHERE (ol_w_id, ol_d_id, ol_o_id) IN TEN",
            )?,
            sum_lines: prepare(
                "SELECT ol_d_id, SUM(ol_amount) FROM order_line WHERE (ol_w_id, ol_d_id, ol_o_id) IN TEN GROUP BY ol_d_id",
            )?,
        })
    }
    fn index(lines: usize) -> usize {
        lines.clamp(FEWEST_LINES, LINES) - FEWEST_LINES
    }
    pub(crate) fn items(&self, lines: usize) -> Statement {
        self.items[Self::index(lines)]
    }
    pub(crate) fn stocks(&self, lines: usize, district: i64) -> Statement {
        self.stocks[Self::index(lines) * 10 + (district - 1).clamp(0, 9) as usize]
    }
    pub(crate) fn insert_lines(&self, lines: usize) -> Statement {
        self.insert_lines[Self::index(lines)]
    }
}
