//! Options of `cpulens db`, and the parameters of a case in the record.
use clap::{Args, ValueHint};
use database::options::{EngineOptions, Transport, parse, path};
use measure::values::{MOST_CORES, some_seconds, whole};
use record::{Case, CpuSet, Reason, Value};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use transactions::{
    point_select::Distribution,
    prepare::ExistingTables,
    tpcc::{Binding, Mix, StatementStyle},
};

/// Whether a server stays on its CPUs.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pinning {
    /// Pinned to the scaling point's CPUs.
    #[default]
    Cores,
    /// Anywhere on the CPUs of the run.
    None,
}

/// Options of `cpulens db`. Several values of a list are measured on every scaling point. The default is the small load of `run`.
#[derive(Debug, Clone, PartialEq, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct DatabaseOptions {
    /// sqlite (built in), mariadb (a MariaDB or MySQL that is started here), or a running one: mysql://user@host:port/database
    #[arg(long, value_name = "ENGINE", default_value = SQLITE)]
    pub engine: String,
    /// Options of the engine.
    #[command(flatten)]
    pub engine_options: EngineOptions,
    /// Transport to a started server, socket or tcp; each on every scaling point [default: socket]
    #[arg(long = "transport", value_name = "TRANSPORT,...", value_delimiter = ',', value_parser = parse::<Transport>, display_order = 9)]
    pub transports: Vec<Transport>,
    /// Servers that are started and share a point's cores and the data; each on every point that has cores for it [default: 1]
    #[arg(long, value_name = "N,...", value_delimiter = ',', value_parser = whole(1..=1024_u64), display_order = 10)]
    pub instances: Vec<u64>,
    /// Pin a started server to a point's cores, or to none; each on every scaling point [default: cores]
    #[arg(long = "pin", value_name = "cores|none,...", value_delimiter = ',', value_parser = parse::<Pinning>, display_order = 11)]
    pub pinning: Vec<Pinning>,
    /// How threads share the data; each on every scaling point
    #[arg(long = "mode", value_name = "MODE,...", value_delimiter = ',')]
    pub modes: Vec<String>,
    /// Rows of point-select
    #[arg(long, value_name = "ROWS", default_value_t = 1_000_000, value_parser = whole(1..=10_000_000_000_u64))]
    pub rows: u64,
    /// Distribution of ids: uniform, gaussian, special (as sysbench 1.0), special-0.5, pareto or zipfian
    #[arg(long, value_name = "NAME", default_value = "uniform", value_parser = parse::<Distribution>)]
    pub distribution: Distribution,
    /// Warehouses of tpcc, or of each thread with its own [default: 1 of each thread, else by cores and memory]
    // Two per core, four at least, and as many as fit into a quarter of the free memory.
    #[arg(long, value_name = "W", value_parser = whole(1..=1_000_000_u64))]
    pub warehouses: Option<u64>,
    /// Statements of tpcc: row-wise (as sysbench-tpcc), item-wise (also in Stock-Level, as tpcc-mysql), batched (several keys and
    /// rows, as go-tpc) or procedure (stored, as HammerDB); each on every scaling point
    #[arg(long, value_name = "STYLE,...", value_delimiter = ',', default_value = "row-wise", value_parser = parse::<StatementStyle>)]
    pub statements: Vec<StatementStyle>,
    /// Mix of new-order, payment, order-status, delivery and stock-level
    #[arg(long, value_name = "N/N/N/N/N", default_value = "45/43/4/4/4", value_parser = parse::<Mix>)]
    pub mix: Mix,
    /// Home warehouse of a tpcc transaction: random, or home (the terminal's own)
    #[arg(long, value_name = "WAREHOUSE", default_value = "random", value_parser = parse::<Binding>)]
    pub binding: Binding,
    /// Check all twelve consistency conditions of tpcc after every scaling point, not only four
    #[arg(long = "check")]
    pub check_all: bool,
    /// Connections per CPU, of SQLite threads, each on every point [default: 4, of tpcc 10 a warehouse at most, of SQLite 1; where
    /// there are fewer than three points, one core also has 2 and 4 times as many]
    #[arg(long = "threads", value_name = "N,...", value_delimiter = ',', value_parser = whole(1..=1024_u64))]
    pub connections: Vec<u64>,
    /// Only these scaling points: numbers of cores, smt, socket, all, threads
    #[arg(long, value_name = "POINT,...", value_delimiter = ',', value_parser = cores_or_name)]
    pub points: Vec<String>,
    /// Repeats of every scaling point, interleaved
    #[arg(long, default_value_t = 2, value_parser = whole(1..=1000_usize))]
    pub repeats: usize,
    /// Windows of a scaling point
    #[arg(long, default_value_t = 10, value_parser = whole(1..=10_000_usize))]
    pub windows: usize,
    /// Seconds of a window
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = some_seconds)]
    pub seconds: f64,
    /// Seconds of load before the first window.
    #[arg(skip)]
    pub warm_up: f64,
    /// Keep data in this folder, and use what is there; for root, one that no other account may change
    // Without one the data is removed at the end.
    #[arg(long = "data", value_name = "DIR", value_hint = ValueHint::AnyPath, value_parser = path(), display_order = 31)]
    pub folder: Option<String>,
    /// The treatment of existing tables.
    #[arg(skip)]
    pub existing: ExistingTables,
    /// Bytes of free memory.
    #[arg(skip)]
    pub free_memory: u64,
}

/// The id of the engine that is used unasked.
pub const SQLITE: &str = "sqlite";

fn cores_or_name(text: &str) -> Result<String, String> {
    match text {
        "smt" | "socket" | "all" | "threads" => Ok(text.to_owned()),
        _ => match whole(1..=MOST_CORES)(text) {
            Ok(cores) => Ok(cores.to_string()),
            Err(why) => Err(format!("smt, socket, all, threads, or {why}")),
        },
    }
}

impl Default for DatabaseOptions {
    fn default() -> DatabaseOptions {
        DatabaseOptions {
            engine: SQLITE.into(),
            modes: vec![],
            engine_options: EngineOptions::default(),
            folder: None,
            existing: ExistingTables::Ours,
            rows: 200_000,
            distribution: Distribution::Uniform,
            warehouses: Some(1),
            free_memory: 0,
            statements: vec![StatementStyle::RowWise],
            mix: Mix::default(),
            binding: Binding::Random,
            check_all: false,
            connections: vec![],
            instances: vec![],
            pinning: vec![],
            transports: vec![],
            points: vec!["1".into(), "all".into()],
            repeats: 1,
            windows: 7,
            seconds: 0.25,
            warm_up: 0.25,
        }
    }
}

/// The parameters of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct CaseParams {
    pub(super) engine: String,
    pub(super) mode: String,
    /// Name of the scaling point.
    pub(super) step: String,
    pub(super) cores: u64,
    /// CPUs of the point.
    pub(super) threads: u64,
    pub(super) connections: u64,
    pub(super) repeat: u64,
    pub(super) windows: u64,
    pub(super) seconds: f64,
    pub(super) warm_up: f64,
    /// CPUs of the clients; `None` for an embedded engine.
    pub(super) clients: Option<String>,
    /// Servers; `None` for one.
    pub(super) instances: Option<u64>,
    /// `None` for pinned.
    pub(super) pin: Option<Pinning>,
    /// The name that distinguishes it from other layouts on the same point.
    pub(super) placement: Option<String>,
    pub(super) folder: Option<String>,
    pub(super) existing: Option<ExistingTables>,
    #[serde(flatten)]
    pub(super) point_select: Option<PointSelectParams>,
    #[serde(flatten)]
    pub(super) tpcc: Option<TpccParams>,
    #[serde(flatten)]
    pub(super) engine_options: EngineOptions,
}

/// Parameters of point select.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct PointSelectParams {
    pub(super) rows: u64,
    pub(super) distribution: Distribution,
}

/// Parameters of TPC-C.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct TpccParams {
    pub(super) warehouses: u64,
    pub(super) statements: StatementStyle,
    pub(super) mix: Mix,
    pub(super) binding: Binding,
    /// Consistency conditions that are checked: 4 or 12.
    pub(super) conditions: u64,
}

impl CaseParams {
    pub(super) fn of_case(case: &Case) -> Result<CaseParams, Reason> {
        let params = serde_json::to_value(&case.params).and_then(serde_json::from_value);
        params.map_err(|e| Reason::new(format!("the case's parameters are not those of db: {e}")))
    }
    /// The parameters that are set, for the record.
    pub(super) fn to_record(&self) -> Result<BTreeMap<String, Value>, Reason> {
        given(self).map_err(|e| Reason::new(format!("the parameters cannot be recorded: {e}")))
    }
    pub(super) fn instances(&self) -> usize {
        self.instances.unwrap_or(1).clamp(1, 1 << 10) as usize
    }
    pub(super) fn is_pinned(&self) -> bool {
        self.pin != Some(Pinning::None)
    }
    pub(super) fn client_cpus(&self) -> Result<Option<CpuSet>, Reason> {
        let parsed = self.clients.as_ref().map(|list| list.parse()).transpose();
        parsed.map_err(|e| Reason::new(format!("the clients' CPUs: {e}")))
    }
}

/// The fields that are not `None`, by name.
pub(super) fn given(options: &impl Serialize) -> serde_json::Result<BTreeMap<String, Value>> {
    let mut fields = serde_json::to_value(options)?;
    if let Some(fields) = fields.as_object_mut() {
        fields.retain(|_, value| !value.is_null());
    }
    serde_json::from_value(fields)
}

#[cfg(test)]
mod tests {
    use super::*;
    use database::options::WaitMode;

    #[test]
    fn parameters_survive_the_record() {
        let params = CaseParams {
            engine: "mariadb".into(),
            mode: "shared".into(),
            step: "1 core".into(),
            cores: 1,
            threads: 1,
            connections: 4,
            repeat: 0,
            windows: 10,
            seconds: 0.5,
            warm_up: 10.0,
            clients: Some("1-3".into()),
            instances: None,
            pin: Some(Pinning::None),
            placement: None,
            folder: None,
            existing: None,
            point_select: None,
            tpcc: Some(TpccParams {
                warehouses: 2,
                statements: StatementStyle::ItemWise,
                mix: Mix::default(),
                binding: Binding::Home,
                conditions: 12,
            }),
            engine_options: EngineOptions {
                wait: Some(WaitMode::Epoll),
                durable: Some(true),
                ..EngineOptions::default()
            },
        };
        let record = params.to_record().unwrap();
        for (name, value) in [
            ("statements", Value::from("item-wise")),
            ("mix", "45/43/4/4/4".into()),
            ("pin", "none".into()),
            ("wait", "epoll".into()),
            ("durable", Value::Bool(true)),
            ("warm_up", Value::Number(10.0)),
        ] {
            assert_eq!(record.get(name), Some(&value), "{name}");
        }
        assert!(!record.contains_key("instances") && !record.contains_key("rows"));
        let case = Case {
            probe: "tpcc".into(),
            version: 1,
            params: record,
            place: record::Placement::default(),
            estimate: 1.0,
        };
        assert_eq!(CaseParams::of_case(&case), Ok(params));
        let other = Case { params: BTreeMap::new(), ..case };
        assert!(CaseParams::of_case(&other).is_err());
    }
}
