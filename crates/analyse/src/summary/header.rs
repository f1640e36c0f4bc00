//! Which machine, measured when and how.
use crate::facts;
use record::Record;

/// Two lines above everything else. What is not known is absent.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Header {
    /// The processor's name.
    pub model: Option<String>,
    /// The core's design.
    pub microarchitecture: Option<String>,
    /// Online CPUs; 0 where it is not known.
    pub cpus: usize,
    /// Physical cores with an online CPU; 0 where it is not known.
    pub cores: usize,
    /// Whether several CPUs share a core; nothing where it is not known.
    pub smt: Option<bool>,
    /// Sockets; 0 where it is not known.
    pub sockets: usize,
    /// NUMA nodes; 0 where it is not known.
    pub nodes: usize,
    /// Memory in bytes.
    pub memory_bytes: Option<f64>,
    /// The hypervisor, of a virtual machine.
    pub hypervisor: Option<String>,
    /// The kernel's release.
    pub kernel: Option<String>,
    /// The name that the user gave the machine, else the one that it gave itself.
    pub name: Option<String>,
    /// The program that made the record.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// How much was measured: `quick`, `standard`, `thorough`.
    pub depth: Option<String>,
    /// Duration of the run in seconds; 0 where nothing was timed.
    pub took_s: f64,
    /// Start, as UTC in RFC 3339.
    pub started: Option<String>,
}

/// The header of a record.
pub(super) fn header(record: &Record) -> Header {
    let (machine, made) = (&record.machine, &record.provenance);
    let topology = &machine.topology;
    let text = |name: &str| machine.text(name).map(str::to_owned);
    Header {
        model: text(facts::CPU_MODEL),
        // A design that is not listed is worded "unknown: ..." with its numbers, for the table of facts.
        microarchitecture: text(facts::MICROARCHITECTURE).filter(|n| !n.starts_with("unknown")),
        cpus: topology.online().len(),
        cores: machine.cores(),
        smt: machine.flag("cpu.smt"),
        sockets: machine.sockets(),
        nodes: topology.nodes.len(),
        memory_bytes: machine.number("memory.total"),
        hypervisor: facts::hypervisor(machine).map(str::to_owned),
        kernel: text("kernel.release"),
        name: made.called().map(str::to_owned),
        tool: made.tool.clone(),
        version: made.version.clone(),
        depth: made.depth.clone(),
        took_s: made.took,
        started: made.started.clone(),
    }
}
