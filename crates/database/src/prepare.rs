//! Data that are there, or are loaded: what a former run left is used again, what belongs to somebody else is left alone.
use crate::{
    engine::{Dialect, Running},
    loader::Loader,
    point_select,
    session::{Class, Error, Session},
    tpcc,
};
use record::Reason;
use std::{
    sync::{
        Mutex,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// What a database shall hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Data {
    /// sysbench's table with so many rows.
    PointSelect {
        /// Rows.
        rows: u64,
    },
    /// TPC-C's tables.
    Tpcc {
        /// How much of each.
        scale: tpcc::Scale,
    },
}

/// What may be done with tables that are there already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Found {
    /// Only those that we made may be dropped.
    Ours,
    /// Those that are in the way may be dropped, whoever made them.
    Replace,
    /// They are used as they are, whoever made them.
    Reuse,
}

/// How data came to be there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ready {
    /// They were there already.
    pub found: bool,
    /// Transactions of loaders that the engine undid (deadlocks, lock timeouts), and that were done again.
    pub retries: u64,
    /// What the engine had to say of tables whose statistics it was to make.
    pub notes: Vec<String>,
}

/// The table that says what was loaded, and by whom: a row for each workload, which begins with its name.
const STAMP: &str = "cpulens_data";
/// Workloads and their tables.
const WORKLOADS: [(&str, &[&str]); 2] =
    [("point_select", point_select::TABLES), ("tpcc", tpcc::TABLES)];
/// Between two looks at how far the loaders are.
const LOOK: Duration = Duration::from_millis(50);
/// What `done` counts in: millionths of a loader's share.
const WHOLE: f64 = 1e6;
/// Rows of the smallest piece that is loaded by one thread.
const PIECE: u64 = 100_000;

impl Data {
    /// Bytes that they take.
    pub fn bytes(&self) -> u64 {
        match self {
            Data::PointSelect { rows } => rows.saturating_mul(point_select::BYTES_A_ROW),
            Data::Tpcc { scale } => tpcc::BYTES_OF_ITEMS.saturating_add(
                tpcc::BYTES_A_WAREHOUSE.saturating_mul(scale.warehouses.unsigned_abs()),
            ),
        }
    }
    /// All that they follow from. The number is raised whenever other rows are made of it.
    fn stamp(&self, seed: u64) -> String {
        match self {
            Data::PointSelect { rows } => format!("point_select 1 rows={rows} seed={seed}"),
            Data::Tpcc { scale } => format!(
                "tpcc 1 warehouses={} items={} customers={} seed={seed}",
                scale.warehouses, scale.items, scale.customers
            ),
        }
    }
    fn workload(&self) -> (&'static str, &'static [&'static str]) {
        match self {
            Data::PointSelect { .. } => WORKLOADS[0],
            Data::Tpcc { .. } => WORKLOADS[1],
        }
    }
    fn tables(&self) -> &'static [&'static str] {
        self.workload().1
    }
    /// Says what has become of them, where they are stamped.
    fn mark(&self, what: &str) -> String {
        format!("UPDATE {STAMP} SET what = '{what}' WHERE what LIKE '{} %'", self.workload().0)
    }
}

/// Whether a row of the stamps is of the workload of this name.
fn is_of(row: &str, workload: &str) -> bool {
    row.split(' ').next() == Some(workload)
}

/// Makes the data be there.
///
/// # Errors
/// They cannot be loaded, tables of others are in the way, or `cancel` was set.
pub fn prepare(
    running: &dyn Running,
    (data, seed): (&Data, u64),
    found: Found,
    cancel: &AtomicBool,
    tick: &mut dyn FnMut(f64),
) -> Result<Ready, Reason> {
    let mut session = running.loader(0)?;
    let there = there(&mut *session, running.dialect())?;
    let stamp = data.stamp(seed);
    let stamped = match there.iter().any(|t| t == STAMP) {
        true => texts(&mut *session, &format!("SELECT what FROM {STAMP}"))?,
        false => vec![],
    };
    let ours = |table: &&String| data.tables().contains(&table.as_str());
    let complete = there.iter().filter(ours).count() == data.tables().len();
    if (stamped.contains(&stamp) || found == Found::Reuse) && complete {
        enough(&mut *session, data)?;
        drop(session);
        running.warm(data.tables())?;
        running.loaded()?;
        return Ok(Ready { found: true, ..Ready::default() });
    }
    let made = |table: &str| {
        let claims = |(name, tables): &(&str, &[&str])| {
            tables.contains(&table) && stamped.iter().any(|row| is_of(row, name))
        };
        table == STAMP || WORKLOADS.iter().any(claims)
    };
    let foreign: Vec<&str> =
        there.iter().map(String::as_str).filter(|table| !made(table)).collect();
    if !foreign.is_empty() && found != Found::Replace {
        return Err(Reason::mended_by(
            format!(
                "the database holds tables that cpulens did not make: {}",
                foreign.iter().take(5).copied().collect::<Vec<_>>().join(", ")
            ),
            "name an empty database, or --replace, which drops those that are in the way",
        ));
    }
    let name = data.workload().0;
    let type_ = if running.dialect() == Dialect::Mysql { "VARCHAR(200)" } else { "TEXT" };
    session.run(&format!("CREATE TABLE IF NOT EXISTS {STAMP} (what {type_})"))?;
    session.run(&format!("DELETE FROM {STAMP} WHERE what LIKE '{name} %'"))?;
    for table in data.tables() {
        session.run(&format!("DROP TABLE IF EXISTS {table}"))?;
    }
    session.run(&format!("INSERT INTO {STAMP} VALUES ('{name} loading')"))?;
    let retries = load(running, &mut *session, (data, seed), cancel, tick)?;
    let notes = match running.dialect() {
        Dialect::Mysql => analyse(&mut *session, data.tables())?,
        Dialect::Sqlite => vec![],
    };
    session.run(&data.mark(&stamp))?;
    drop(session);
    running.loaded()?;
    Ok(Ready { found: false, retries, notes })
}

/// Says of data that they are no longer what was loaded, so that they are loaded anew when they are next asked for. What has no
/// stamp of ours stays as it is.
///
/// # Errors
/// The engine refused, or is gone.
pub fn spoil(running: &dyn Running, data: &Data) -> Result<(), Error> {
    let mut session = running.loader(0)?;
    if there(&mut *session, running.dialect())?.iter().any(|table| table == STAMP) {
        session.run(&data.mark(&format!("{} used", data.workload().0)))?;
    }
    Ok(())
}

/// Names of the tables in the database.
fn there(session: &mut dyn Session, dialect: Dialect) -> Result<Vec<String>, Error> {
    texts(
        session,
        match dialect {
            Dialect::Sqlite => {
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
            }
            Dialect::Mysql => {
                "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
            }
        },
    )
}

fn texts(session: &mut dyn Session, sql: &str) -> Result<Vec<String>, Error> {
    let statement = session.prepare(sql)?;
    let mut all = vec![];
    session.execute(statement, &[], &mut |row| {
        all.extend(row.first().and_then(|v| v.text()).map(str::to_owned));
    })?;
    Ok(all)
}

/// Whether tables that are there hold as much as is asked for.
fn enough(session: &mut dyn Session, data: &Data) -> Result<(), Reason> {
    let (sql, wanted) = match data {
        Data::PointSelect { rows } => ("SELECT MAX(id) FROM sbtest1", *rows as i64),
        Data::Tpcc { scale } => ("SELECT COUNT(*) FROM warehouse", scale.warehouses),
    };
    let statement = session.prepare(sql)?;
    let mut there = None;
    session.execute(statement, &[], &mut |row| there = row.first().and_then(|v| v.int()))?;
    let there = there.unwrap_or(0);
    if there >= wanted {
        return Ok(());
    }
    Err(Reason::mended_by(
        format!("the tables that are there hold {there}, and {wanted} are asked for ({sql})"),
        "as many --rows or --warehouses as there are, or --replace",
    ))
}

/// Has statistics made of tables that were empty when a server last looked, and that it looks at no more by itself: whatever it
/// warns of. Without them it asks as before, so that an error is no failure of the load.
fn analyse(session: &mut dyn Session, tables: &[&str]) -> Result<Vec<String>, Error> {
    let mut notes = vec![];
    for table in tables {
        // Not for servers that follow this one.
        let sql = format!("ANALYZE LOCAL TABLE {table}");
        let asked = session.prepare(&sql).and_then(|statement| {
            // A row is a table, what was done, and a kind of message with its words.
            session.execute(statement, &[], &mut |row| {
                let word = |at: usize| row.get(at).and_then(|v| v.text()).unwrap_or_default();
                let kind = word(2).to_ascii_lowercase();
                if matches!(kind.as_str(), "error" | "warning") {
                    notes.push(format!("{sql}: {kind}: {}", word(3)));
                }
            })
        });
        match asked {
            Err(error) if error.class == Class::Lost => return Err(error),
            Err(error) => notes.push(format!("{sql}: {error}")),
            Ok(_) => {}
        }
    }
    Ok(notes)
}

/// Creates the tables and fills them, in as many threads as the engine lets write at once: how many transactions were undone by
/// the engine and done again.
fn load(
    running: &dyn Running,
    session: &mut dyn Session,
    (data, seed): (&Data, u64),
    cancel: &AtomicBool,
    tick: &mut dyn FnMut(f64),
) -> Result<u64, Reason> {
    let dialect = running.dialect();
    let retries = AtomicU64::new(0);
    let pieces = match data {
        Data::PointSelect { rows } => {
            session.run(point_select::schema(dialect))?;
            rows.div_ceil(PIECE)
        }
        Data::Tpcc { scale } => {
            for sql in tpcc::tables(dialect) {
                session.run(&sql)?;
            }
            let mut loader = Loader::new(session, dialect);
            tpcc::load_items(&mut loader, scale, seed)?;
            retries.fetch_add(loader.retries, Relaxed);
            scale.warehouses.unsigned_abs()
        }
    };
    let (next, done) = (AtomicU64::new(0), AtomicI64::new(0));
    let failed = Mutex::new(None);
    let piece = |loader: &mut Loader<'_>, piece: u64| -> Result<(), Error> {
        // A piece that is done again goes back.
        let mut so_far = 0;
        let mut tell = |share: f64| {
            let share = (share * WHOLE) as i64;
            done.fetch_add(share - so_far, Relaxed);
            so_far = share;
            !cancel.load(Relaxed)
        };
        match data {
            Data::PointSelect { rows } => {
                let ids = piece * PIECE..((piece + 1) * PIECE).min(*rows);
                let whole = (ids.end - ids.start) as f64;
                point_select::load(loader, ids, (*rows, seed), &mut |n| tell(n as f64 / whole))
            }
            Data::Tpcc { scale } => {
                tpcc::load_warehouse(loader, (scale, piece as i64 + 1), seed, &mut tell)
            }
        }
    };
    let work = |session: &mut dyn Session| {
        let mut loader = Loader::new(session, dialect);
        while !cancel.load(Relaxed) {
            let at = next.fetch_add(1, Relaxed);
            if at >= pieces {
                break;
            }
            if let Err(error) = piece(&mut loader, at) {
                next.store(pieces, Relaxed);
                failed.lock().unwrap_or_else(|e| e.into_inner()).get_or_insert(error);
            }
        }
        retries.fetch_add(loader.retries, Relaxed);
    };
    let threads = (running.loaders() as u64).clamp(1, pieces.max(1)) as usize;
    thread::scope(|scope| {
        let all: Vec<_> = (0..threads)
            .map(|index| {
                let (work, failed, next) = (&work, &failed, &next);
                scope.spawn(move || match running.loader(index) {
                    Ok(mut session) => work(&mut *session),
                    Err(error) => {
                        next.store(pieces, Relaxed);
                        let mut failed = failed.lock().unwrap_or_else(|e| e.into_inner());
                        failed.get_or_insert(error);
                    }
                })
            })
            .collect();
        while !all.iter().all(|thread| thread.is_finished()) {
            thread::sleep(LOOK);
            tick(done.load(Relaxed) as f64 / WHOLE / pieces.max(1) as f64);
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(|e| e.into_inner()) {
        return Err(error.into());
    }
    if cancel.load(Relaxed) {
        return Err(Reason::new("interrupted while data were loaded"));
    }
    match data {
        Data::PointSelect { .. } => session.run(point_select::INDEX)?,
        Data::Tpcc { .. } => {
            for sql in tpcc::indexes() {
                session.run(sql)?;
            }
        }
    }
    Ok(retries.into_inner())
}
