//! The nine tables (clause 1.3) with go-tpc's names and types, so that either program can run on and check the other's data.
//! `history` has no primary key: InnoDB adds a hidden one.
use database::engine::SqlDialect;

/// The tables in the order in which they can be dropped.
#[rustfmt::skip]
pub const TABLES: &[&str] = &[
    "history", "new_order", "order_line", "orders", "customer", "district", "stock", "item", "warehouse",
];

const ADDRESS: &str =
    "street_1 VARCHAR(20), @street_2 VARCHAR(20), @city VARCHAR(20), @state CHAR(2), @zip CHAR(9)";

/// The CREATE TABLE statements.
pub fn tables(dialect: SqlDialect) -> Vec<String> {
    let address = |prefix: &str| format!("{prefix}{}", ADDRESS.replace('@', prefix));
    let (keyed, plain) = match dialect {
        SqlDialect::Sqlite => (" WITHOUT ROWID", ""),
        SqlDialect::Mysql => {
            let all = " ENGINE=InnoDB DEFAULT CHARACTER SET latin1 COLLATE latin1_bin";
            (all, all)
        }
    };
    let dists: String = (1..=10).map(|d| format!("s_dist_{d:02} CHAR(24), ")).collect();
    vec![
        format!(
            "CREATE TABLE warehouse (w_id INT NOT NULL, w_name VARCHAR(10), {}, w_tax DECIMAL(4,4), w_ytd DECIMAL(12,2), \
             PRIMARY KEY (w_id)){keyed}",
            address("w_")
        ),
        format!(
            "CREATE TABLE district (d_id INT NOT NULL, d_w_id INT NOT NULL, d_name VARCHAR(10), {}, d_tax DECIMAL(4,4), \
             d_ytd DECIMAL(12,2), d_next_o_id INT, PRIMARY KEY (d_w_id, d_id)){keyed}",
            address("d_")
        ),
        format!(
            "CREATE TABLE customer (c_id INT NOT NULL, c_d_id INT NOT NULL, c_w_id INT NOT NULL, c_first VARCHAR(16), \
             c_middle CHAR(2), c_last VARCHAR(16), {}, c_phone CHAR(16), c_since DATETIME, c_credit CHAR(2), \
             c_credit_lim DECIMAL(12,2), c_discount DECIMAL(4,4), c_balance DECIMAL(12,2), c_ytd_payment DECIMAL(12,2), \
             c_payment_cnt INT, c_delivery_cnt INT, c_data VARCHAR(500), PRIMARY KEY (c_w_id, c_d_id, c_id)){keyed}",
            address("c_")
        ),
        format!(
            "CREATE TABLE history (h_c_id INT NOT NULL, h_c_d_id INT NOT NULL, h_c_w_id INT NOT NULL, h_d_id INT NOT NULL, \
             h_w_id INT NOT NULL, h_date DATETIME, h_amount DECIMAL(6,2), h_data VARCHAR(24)){plain}"
        ),
        format!(
            "CREATE TABLE new_order (no_o_id INT NOT NULL, no_d_id INT NOT NULL, no_w_id INT NOT NULL, \
             PRIMARY KEY (no_w_id, no_d_id, no_o_id)){keyed}"
        ),
        format!(
            "CREATE TABLE orders (o_id INT NOT NULL, o_d_id INT NOT NULL, o_w_id INT NOT NULL, o_c_id INT, o_entry_d DATETIME, \
             o_carrier_id INT, o_ol_cnt INT, o_all_local INT, PRIMARY KEY (o_w_id, o_d_id, o_id)){keyed}"
        ),
        format!(
            "CREATE TABLE order_line (ol_o_id INT NOT NULL, ol_d_id INT NOT NULL, ol_w_id INT NOT NULL, ol_number INT NOT NULL, \
             ol_i_id INT NOT NULL, ol_supply_w_id INT, ol_delivery_d DATETIME, ol_quantity INT, ol_amount DECIMAL(6,2), \
             ol_dist_info CHAR(24), PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number)){keyed}"
        ),
        format!(
            "CREATE TABLE stock (s_i_id INT NOT NULL, s_w_id INT NOT NULL, s_quantity INT, {dists}s_ytd INT, s_order_cnt INT, \
             s_remote_cnt INT, s_data VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id)){keyed}"
        ),
        format!(
            "CREATE TABLE item (i_id INTEGER NOT NULL, i_im_id INT, i_name VARCHAR(24), i_price DECIMAL(5,2), \
             i_data VARCHAR(50), PRIMARY KEY (i_id)){plain}"
        ),
    ]
}

/// The CREATE INDEX statements for after loading.
pub fn indexes() -> [&'static str; 2] {
    [
        "CREATE INDEX idx_customer ON customer (c_w_id, c_d_id, c_last, c_first)",
        "CREATE INDEX idx_order ON orders (o_w_id, o_d_id, o_c_id, o_id)",
    ]
}
