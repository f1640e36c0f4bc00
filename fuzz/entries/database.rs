//! Entries of the fuzz target and `database/tests/fuzz.rs`: any bytes as the answers of a MySQL server. It must neither panic
//! nor keep more than an answer may be long.
#![allow(clippy::expect_used, reason = "a fuzz target ends at the first surprise")]
use database::mysql::wire;

/// A target: its name, what it runs, and what a fuzzer begins with.
pub(crate) type Target = (&'static str, fn(&[u8]), fn() -> Vec<Vec<u8>>);

/// Every target of this file.
pub(crate) const TARGETS: &[Target] = &[("mysql", mysql, seeds)];

/// Any bytes, as answers to a prepared statement and to a text.
pub(crate) fn mysql(bytes: &[u8]) {
    wire::fuzz(bytes, true);
    wire::fuzz(bytes, false);
}

/// A result without rows, an error, and a row of a number and a text.
fn seeds() -> Vec<Vec<u8>> {
    let packet = |number: u8, payload: &[u8]| {
        let length = (payload.len() as u32).to_le_bytes();
        [&length[..3], &[number], payload].concat()
    };
    let column = |kind: u8| {
        let names = b"\x03def\x01d\x01t\x01t\x01c\x01c\x0c\x2d\0\xff\0\0\0";
        [&names[..], &[kind, 0, 0, 0, 0, 0]].concat()
    };
    let end = [0xfe, 0, 0, 2, 0];
    let row = [&[0, 0][..], &7i64.to_le_bytes(), b"\x02ab"].concat();
    let rows = [
        packet(1, &[2]),
        packet(2, &column(8)),
        packet(3, &column(253)),
        packet(4, &end),
        packet(5, &row),
        packet(6, &end),
    ];
    vec![
        packet(1, &[0, 1, 0, 2, 0, 0, 0]),
        packet(1, b"\xff\xbd\x04#40001Deadlock found"),
        rows.concat(),
    ]
}
