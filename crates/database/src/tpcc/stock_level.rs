//! Stock-Level (clause 2.8.2): how many items of a district's last twenty orders run short. Read only.
use super::{
    inputs::LINES,
    terminal::{Terminal, Way},
};
use crate::session::{Error, Value};

/// Orders that are looked at.
const ORDERS: i64 = 20;
/// Items that they have at most.
pub(super) const ITEMS: usize = ORDERS as usize * LINES;

/// Always to be committed.
pub(super) fn run(t: &mut Terminal, key: (i64, i64), threshold: i64) -> Result<bool, Error> {
    short(t, key, threshold)?;
    Ok(true)
}

/// Items of which the warehouse has less than that.
fn short(t: &mut Terminal, (w, d): (i64, i64), threshold: i64) -> Result<i64, Error> {
    let one = t.prepared.one;
    let (kw, kd, least) = (Value::Int(w), Value::Int(d), Value::Int(threshold));
    let mut next = None;
    t.session.execute(one.next_order, &[kw, kd], &mut |row| {
        next = row.first().and_then(|v| v.int());
    })?;
    let next = next.ok_or_else(|| Error::unexpected("district of that number"))?;
    let (before, first) = (Value::Int(next), Value::Int(next - ORDERS));
    let mut short = 0;
    let mut count = |row: &[Value<'_>]| short += row.first().and_then(|v| v.int()).unwrap_or(0);
    if t.way != Way::ItemWise {
        t.session.execute(one.low_stock, &[kw, kd, before, first, kw, least], &mut count)?;
        return Ok(short);
    }
    let found = &mut t.found;
    found.clear();
    t.session.execute(one.recent_items, &[kw, kd, before, first], &mut |row| {
        found.extend(row.first().and_then(|v| v.int()));
    })?;
    for item in &t.found {
        t.session.execute(one.low_item, &[kw, Value::Int(*item), least], &mut count)?;
    }
    Ok(short)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::{Engine, Wanted},
        engines::sqlite::Sqlite,
        prepare::{Data, Found, prepare},
        tpcc::{Binding, Mix, Scale, Worker},
    };
    use record::CpuSet;
    use std::{collections::BTreeMap, sync::atomic::AtomicBool};

    #[test]
    fn items_one_by_one_are_as_many_as_joined() {
        let folder = tempfile::tempdir().unwrap();
        let (cpus, options) = (CpuSet::default(), BTreeMap::new());
        let wanted = Wanted {
            workload: "tpcc",
            mode: "sharded",
            folder: folder.path(),
            bytes: 1,
            threads: 1,
            connections: 1,
            cpus: &cpus,
            nodes: &cpus,
            options: &options,
        };
        let running = Sqlite.open(&wanted).unwrap();
        let scale = Scale { warehouses: 1, items: 500, customers: 60 };
        let (data, cancel) = (Data::Tpcc { scale }, AtomicBool::new(false));
        prepare(&*running, (&data, 1), Found::Ours, &cancel, &mut |_| ()).unwrap();
        let counts = [Way::RowWise, Way::ItemWise].map(|way| {
            let worker = Worker {
                index: 0,
                scale,
                way,
                mix: Mix::default(),
                binding: Binding::Home,
                seed: 1,
                now: "2026-01-02 03:04:05".into(),
            };
            let session = running.session(0).unwrap();
            let mut t = Terminal::new(session, running.dialect(), &worker).unwrap();
            let mut counts = vec![];
            for d in 1..=10 {
                counts.extend([10, 20, 101].map(|least| short(&mut t, (1, d), least).unwrap()));
            }
            counts
        });
        assert_eq!(counts[0], counts[1]);
        assert!(counts[0].windows(3).step_by(3).all(|c| c[0] < c[1] && c[1] < c[2]), "{counts:?}");
    }
}
