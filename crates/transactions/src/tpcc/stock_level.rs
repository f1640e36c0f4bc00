//! Stock-Level (clause 2.8.2): how many items of a district's last twenty orders are below a threshold. Read only.
use super::{
    inputs::LINES,
    terminal::{StatementStyle, Terminal},
};
use database::session::{Error, Value, int_at};

/// Orders that are examined.
const ORDERS: i64 = 20;
/// The most items that they have.
pub(super) const ITEMS: usize = ORDERS as usize * LINES;

/// Returns whether to commit: always.
pub(super) fn run(t: &mut Terminal, key: (i64, i64), threshold: i64) -> Result<bool, Error> {
    items_below(t, key, threshold)?;
    Ok(true)
}

fn items_below(t: &mut Terminal, (w, d): (i64, i64), threshold: i64) -> Result<i64, Error> {
    let one = t.prepared.one;
    let (kw, kd, least) = (Value::Int(w), Value::Int(d), Value::Int(threshold));
    let next = t.session.query_int(one.next_order, &[kw, kd])?;
    let next = next.ok_or_else(|| Error::missing("district of that number"))?;
    let (before, first) = (Value::Int(next), Value::Int(next - ORDERS));
    if t.style != StatementStyle::ItemWise {
        let parameters = [kw, kd, before, first, kw, least];
        return Ok(t.session.query_int(one.low_stock, &parameters)?.unwrap_or(0));
    }
    let found = &mut t.found;
    found.clear();
    t.session.execute(one.recent_items, &[kw, kd, before, first], &mut |row| {
        found.extend(int_at(row, 0));
    })?;
    let mut below = 0;
    for item in &t.found {
        below += t.session.query_int(one.low_item, &[kw, Value::Int(*item), least])?.unwrap_or(0);
    }
    Ok(below)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        prepare::{Dataset, ExistingTables, prepare},
        tpcc::{Binding, Mix, Scale, TerminalOptions},
    };
    use database::{
        engine::{Engine, OpenOptions},
        engines::sqlite::Sqlite,
    };
    use std::sync::atomic::AtomicBool;

    #[test]
    fn items_counted_singly_and_by_join_agree() {
        let folder = tempfile::tempdir().unwrap();
        let options = OpenOptions {
            workload: "tpcc",
            mode: "sharded",
            folder: folder.path().to_owned(),
            threads: 1,
            ..OpenOptions::default()
        };
        let instance = Sqlite.open(&options).unwrap();
        let scale = Scale { warehouses: 1, items: 500, customers: 60 };
        let (data, cancel) = (Dataset::Tpcc { scale }, AtomicBool::new(false));
        prepare(&*instance, (&data, 1), ExistingTables::Ours, &cancel, &mut |_| ()).unwrap();
        let counts = [StatementStyle::RowWise, StatementStyle::ItemWise].map(|style| {
            let terminal = TerminalOptions {
                index: 0,
                scale,
                style,
                mix: Mix::default(),
                binding: Binding::Home,
                seed: 1,
                now: "2026-01-02 03:04:05".into(),
            };
            let session = instance.session(0).unwrap();
            let mut t = Terminal::new(session, instance.dialect(), &terminal).unwrap();
            let mut counts = vec![];
            for d in 1..=10 {
                counts
                    .extend([10, 20, 101].map(|least| items_below(&mut t, (1, d), least).unwrap()));
            }
            counts
        });
        assert_eq!(counts[0], counts[1]);
        assert!(counts[0].windows(3).step_by(3).all(|c| c[0] < c[1] && c[1] < c[2]), "{counts:?}");
    }
}
