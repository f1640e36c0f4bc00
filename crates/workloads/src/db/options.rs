//! Options of `cpulens db`, and the parameters of a case in the record.
use database::options::{EngineOptions, Transport};
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DatabaseOptions {
    /// The engine's id.
    pub engine: String,
    /// How sessions share the data; empty: the engine's first mode.
    pub modes: Vec<String>,
    /// Options of the engine.
    pub engine_options: EngineOptions,
    /// A folder that keeps the data for later runs; `None`: one that is removed at the end.
    pub folder: Option<String>,
    /// The treatment of existing tables.
    pub existing: ExistingTables,
    /// Rows of point select.
    pub rows: u64,
    /// Distribution of ids.
    pub distribution: Distribution,
    /// Warehouses of TPC-C, of each thread where threads have shards. `None`: one for a thread's shard; otherwise two per core,
    /// four at least, and as many as fit into a quarter of the free memory.
    pub warehouses: Option<u64>,
    /// Bytes of free memory.
    pub free_memory: u64,
    /// Statement styles of TPC-C.
    pub statements: Vec<StatementStyle>,
    /// Mix of TPC-C's transactions.
    pub mix: Mix,
    /// Home warehouse of transactions.
    pub binding: Binding,
    /// Check all twelve consistency conditions, not only four.
    pub check_all: bool,
    /// Connections per CPU; of an embedded engine, threads. Empty: four, with ten per warehouse of TPC-C at most; of an embedded
    /// engine one.
    pub connections: Vec<u64>,
    /// Numbers of servers that share a point's CPUs and the data; empty: one.
    pub instances: Vec<u64>,
    /// Pinning of started servers; empty: pinned.
    pub pinning: Vec<Pinning>,
    /// Transports to started servers; empty: their sockets.
    pub transports: Vec<Transport>,
    /// Scaling points: numbers of cores, `smt`, `socket`, `all`, `threads`; empty: all of them.
    pub points: Vec<String>,
    /// Repeats of every scaling point.
    pub repeats: usize,
    /// Windows of a point.
    pub windows: usize,
    /// Seconds of a window.
    pub seconds: f64,
    /// Seconds of load before the first window.
    pub warm_up: f64,
}

impl Default for DatabaseOptions {
    fn default() -> DatabaseOptions {
        DatabaseOptions {
            engine: "sqlite".into(),
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
