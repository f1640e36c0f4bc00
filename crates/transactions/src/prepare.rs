//! Data sets: found from an earlier run, or loaded. Tables that cpulens did not create stay as they are.
use crate::{loader::Loader, point_select, tpcc};
use database::{
    engine::{Instance, SizeOption, SqlDialect},
    session::{Error, ErrorClass, Session, text_at},
};
use host::threads::not_started;
use record::Reason;
use serde::{Deserialize, Serialize};
use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering::Relaxed},
    },
    thread,
    time::Duration,
};

/// The data of a workload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Dataset {
    /// sysbench's table.
    PointSelect {
        /// Rows.
        rows: u64,
    },
    /// TPC-C's tables.
    Tpcc {
        /// Cardinalities.
        scale: tpcc::Scale,
    },
}

/// The treatment of existing tables.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ExistingTables {
    /// Only tables that cpulens created may be dropped.
    #[default]
    Ours,
    /// All tables in the way may be dropped.
    Replace,
    /// They are used as they are.
    Reuse,
}

/// The preparation of the data set.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LoadReport {
    /// It was there already.
    pub found: bool,
    /// Loader transactions that were rolled back by the engine (deadlock, lock wait timeout) and repeated.
    pub retries: u64,
    /// Warnings of ANALYZE TABLE.
    pub notes: Vec<String>,
}

/// The table that records what was loaded: a row for each workload that begins with its name.
const STAMP: &str = "cpulens_data";
/// Workloads and their tables.
const WORKLOADS: [(&str, &[&str]); 2] =
    [("point_select", point_select::TABLES), ("tpcc", tpcc::TABLES)];
/// Interval between progress reports.
const PROGRESS: Duration = Duration::from_millis(50);
/// Unit of the progress counter: millionths of a piece.
const PIECE_UNITS: f64 = 1e6;
/// Rows of a piece that one thread loads.
const PIECE: u64 = 100_000;

impl Dataset {
    /// Bytes in the engine.
    pub fn bytes(&self) -> u64 {
        self.size_option().bytes(match self {
            Dataset::PointSelect { rows } => *rows,
            Dataset::Tpcc { scale } => scale.warehouses.unsigned_abs(),
        })
    }
    /// The option that names its size.
    pub fn size_option(&self) -> SizeOption {
        match self {
            Dataset::PointSelect { .. } => point_select::SIZE_OPTION,
            Dataset::Tpcc { .. } => tpcc::SIZE_OPTION,
        }
    }
    /// Statements that create its stored procedures, where the engine has some.
    fn procedures(&self, instance: &dyn Instance) -> Vec<String> {
        match self {
            Dataset::Tpcc { .. } if instance.has_procedures() => tpcc::procedures(),
            _ => vec![],
        }
    }
    /// All that determines the data. The version is raised whenever the same size and seed give other rows.
    fn stamp(&self, seed: u64) -> String {
        match self {
            Dataset::PointSelect { rows } => format!("point_select 1 rows={rows} seed={seed}"),
            Dataset::Tpcc { scale } => format!(
                "tpcc 1 warehouses={} items={} customers={} seed={seed}",
                scale.warehouses, scale.items, scale.customers
            ),
        }
    }
    fn workload(&self) -> (&'static str, &'static [&'static str]) {
        match self {
            Dataset::PointSelect { .. } => WORKLOADS[0],
            Dataset::Tpcc { .. } => WORKLOADS[1],
        }
    }
    /// The statement that changes the stamp.
    fn set_stamp(&self, stamp: &str) -> String {
        format!("UPDATE {STAMP} SET what = '{stamp}' WHERE what LIKE '{} %'", self.workload().0)
    }
}

/// Makes sure that the data set is loaded.
///
/// # Errors
/// It cannot be loaded, other tables are in the way, or `cancel` was set.
pub fn prepare(
    instance: &dyn Instance,
    (data, seed): (&Dataset, u64),
    existing: ExistingTables,
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(f64),
) -> Result<LoadReport, Reason> {
    let mut session = instance.loader_session(0)?;
    let found = table_names(&mut *session, instance.dialect())?;
    let stamp = data.stamp(seed);
    let stamps = match found.iter().any(|t| t == STAMP) {
        true => select_texts(&mut *session, &format!("SELECT what FROM {STAMP}"))?,
        false => vec![],
    };
    let (name, tables) = data.workload();
    let is_complete = tables.iter().all(|table| found.iter().any(|known| known == table));
    if (stamps.contains(&stamp) || existing == ExistingTables::Reuse) && is_complete {
        check_size(&mut *session, data)?;
        drop(session);
        instance.warm_up(tables)?;
        instance.finish_load(&data.procedures(instance))?;
        return Ok(LoadReport { found: true, ..LoadReport::default() });
    }
    let has_stamp = |workload: &str| stamps.iter().any(|s| s.split(' ').next() == Some(workload));
    let is_ours = |table: &&str| {
        let owners = WORKLOADS.iter().filter(|(_, tables)| tables.contains(table));
        *table == STAMP || owners.into_iter().any(|(name, _)| has_stamp(name))
    };
    let foreign: Vec<&str> = found.iter().map(String::as_str).filter(|t| !is_ours(t)).collect();
    if !foreign.is_empty() && existing != ExistingTables::Replace {
        let names = foreign.iter().take(5).copied().collect::<Vec<_>>().join(", ");
        return Err(Reason::mended_by(
            format!("the database holds tables that cpulens did not make: {names}"),
            "name an empty database, or --replace, which drops those that are in the way",
        ));
    }
    let text = if instance.dialect() == SqlDialect::Mysql { "VARCHAR(200)" } else { "TEXT" };
    session.run(&format!("CREATE TABLE IF NOT EXISTS {STAMP} (what {text})"))?;
    session.run(&format!("DELETE FROM {STAMP} WHERE what LIKE '{name} %'"))?;
    for table in tables {
        session.run(&format!("DROP TABLE IF EXISTS {table}"))?;
    }
    session.run(&format!("INSERT INTO {STAMP} VALUES ('{name} loading')"))?;
    let retries = load(instance, &mut *session, (data, seed), cancel, progress)?;
    let notes = match instance.dialect() {
        SqlDialect::Mysql => analyze_tables(&mut *session, tables)?,
        SqlDialect::Sqlite => vec![],
    };
    session.run(&data.set_stamp(&stamp))?;
    drop(session);
    instance.finish_load(&data.procedures(instance))?;
    Ok(LoadReport { found: false, retries, notes })
}

/// Marks the data as changed, so that the next run loads them again. Data without our stamp stay as they are.
///
/// # Errors
/// The engine refused a statement or is gone.
pub fn invalidate(instance: &dyn Instance, data: &Dataset) -> Result<(), Error> {
    let mut session = instance.loader_session(0)?;
    if table_names(&mut *session, instance.dialect())?.iter().any(|table| table == STAMP) {
        session.run(&data.set_stamp(&format!("{} used", data.workload().0)))?;
    }
    Ok(())
}

fn table_names(session: &mut dyn Session, dialect: SqlDialect) -> Result<Vec<String>, Error> {
    let sql = match dialect {
        SqlDialect::Sqlite => {
            "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'"
        }
        SqlDialect::Mysql => {
            "SELECT table_name FROM information_schema.tables WHERE table_schema = DATABASE()"
        }
    };
    select_texts(session, sql)
}

fn select_texts(session: &mut dyn Session, sql: &str) -> Result<Vec<String>, Error> {
    let statement = session.prepare(sql)?;
    let mut texts = vec![];
    session.execute(statement, &[], &mut |row| texts.push(text_at(row, 0).to_owned()))?;
    Ok(texts)
}

/// Whether existing tables are large enough.
fn check_size(session: &mut dyn Session, data: &Dataset) -> Result<(), Reason> {
    let (sql, wanted) = match data {
        Dataset::PointSelect { rows } => ("SELECT MAX(id) FROM sbtest1", *rows as i64),
        Dataset::Tpcc { scale } => ("SELECT COUNT(*) FROM warehouse", scale.warehouses),
    };
    let found = session.select_int(sql)?.unwrap_or(0);
    if found >= wanted {
        return Ok(());
    }
    Err(Reason::mended_by(
        format!("the tables that are there hold {found}, and {wanted} are wanted ({sql})"),
        "as many --rows or --warehouses as there are, or --replace",
    ))
}

/// Updates the statistics of tables that were empty when the server last did; it does not do so by itself (see server/config.rs).
/// Returns its warnings. Queries work without statistics, so an error does not fail the load.
fn analyze_tables(session: &mut dyn Session, tables: &[&str]) -> Result<Vec<String>, Error> {
    let mut notes = vec![];
    for table in tables {
        // LOCAL: not for replicas.
        let sql = format!("ANALYZE LOCAL TABLE {table}");
        let done = session.prepare(&sql).and_then(|statement| {
            // Columns: table, operation, message type, message.
            session.execute(statement, &[], &mut |row| {
                let kind = text_at(row, 2).to_ascii_lowercase();
                if matches!(kind.as_str(), "error" | "warning") {
                    notes.push(format!("{sql}: {kind}: {}", text_at(row, 3)));
                }
            })
        });
        match done {
            Err(error) if error.class == ErrorClass::ConnectionLost => return Err(error),
            Err(error) => notes.push(format!("{sql}: {error}")),
            Ok(_) => {}
        }
    }
    Ok(notes)
}

/// Creates the tables and loads them with as many threads as the engine allows. Returns the number of retries.
fn load(
    instance: &dyn Instance,
    session: &mut dyn Session,
    (data, seed): (&Dataset, u64),
    cancel: &AtomicBool,
    progress: &mut dyn FnMut(f64),
) -> Result<u64, Reason> {
    let dialect = instance.dialect();
    let retries = AtomicU64::new(0);
    let pieces = match data {
        Dataset::PointSelect { rows } => {
            session.run(&point_select::schema(dialect))?;
            rows.div_ceil(PIECE)
        }
        Dataset::Tpcc { scale } => {
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
    let fail = |error: Error| {
        next.store(pieces, Relaxed);
        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    };
    let load_piece = |loader: &mut Loader<'_>, piece: u64| -> Result<(), Error> {
        // A retry begins at 0 again.
        let mut so_far = 0;
        let mut report = |share: f64| {
            let share = (share * PIECE_UNITS) as i64;
            done.fetch_add(share - so_far, Relaxed);
            so_far = share;
            !cancel.load(Relaxed)
        };
        match data {
            Dataset::PointSelect { rows } => {
                let ids = piece * PIECE..((piece + 1) * PIECE).min(*rows);
                let whole = (ids.end - ids.start) as f64;
                point_select::load(loader, ids, (*rows, seed), &mut |n| report(n as f64 / whole))
            }
            Dataset::Tpcc { scale } => {
                tpcc::load_warehouse(loader, (scale, piece as i64 + 1), seed, &mut report)
            }
        }
    };
    let load_pieces = |session: &mut dyn Session| {
        let mut loader = Loader::new(session, dialect);
        while !cancel.load(Relaxed) {
            let piece = next.fetch_add(1, Relaxed);
            if piece >= pieces {
                break;
            }
            load_piece(&mut loader, piece).unwrap_or_else(fail);
        }
        retries.fetch_add(loader.retries, Relaxed);
    };
    let threads = (instance.max_loaders() as u64).clamp(1, pieces.max(1)) as usize;
    thread::scope(|scope| {
        let loader = |index| {
            let (load_pieces, fail) = (&load_pieces, &fail);
            let load = move || match instance.loader_session(index) {
                Ok(mut session) => load_pieces(&mut *session),
                Err(error) => fail(error),
            };
            let started = thread::Builder::new().spawn_scoped(scope, load);
            started.inspect_err(|error| fail(not_started(error).into()))
        };
        let loaders: Vec<_> = (0..threads).map_while(|index| loader(index).ok()).collect();
        while !loaders.iter().all(|thread| thread.is_finished()) {
            host::clock::sleep(PROGRESS);
            progress(done.load(Relaxed) as f64 / PIECE_UNITS / pieces.max(1) as f64);
        }
    });
    if let Some(error) = failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error.into());
    }
    if cancel.load(Relaxed) {
        return Err(Reason::new("interrupted while data were loaded"));
    }
    let indexes = match data {
        Dataset::PointSelect { .. } => &[point_select::INDEX][..],
        Dataset::Tpcc { .. } => &tpcc::indexes(),
    };
    indexes.iter().try_for_each(|sql| session.run(sql))?;
    Ok(retries.into_inner())
}
