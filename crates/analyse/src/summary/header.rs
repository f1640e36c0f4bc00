//! The header: the machine, time and program.
use crate::facts;
use record::Record;

/// Two lines above everything else. What is not known is absent.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Header {
    /// The processor's name.
    pub model: Option<String>,
    /// The machines beside it whose results an import holds; the rest of the header is of the first alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub other_machines: Vec<String>,
    /// Of several machines the file of the first, if it names no processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unnamed_in: Option<String>,
    /// The core's design.
    pub microarchitecture: Option<String>,
    /// Online CPUs.
    pub cpus: Option<usize>,
    /// Physical cores with an online CPU.
    pub cores: Option<usize>,
    /// Whether several CPUs share a core; nothing where it is not known.
    pub smt: Option<bool>,
    /// Sockets.
    pub sockets: Option<usize>,
    /// NUMA nodes.
    pub nodes: Option<usize>,
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
    /// The depth: `quick`, `standard`, `thorough`.
    pub depth: Option<String>,
    /// Duration of the run in seconds.
    pub took_s: Option<f64>,
    /// Start, as UTC in RFC 3339.
    pub started: Option<String>,
}

/// The header of a record.
pub(super) fn header(record: &Record) -> Header {
    let (machine, made) = (&record.machine, &record.provenance);
    let topology = &machine.topology;
    let text = |name: &str| machine.text(name).map(str::to_owned);
    let known = |count: usize| Some(count).filter(|n| *n > 0);
    // Benchmarks state the number alone.
    let stated = || machine.integer("cpu.count").and_then(|n| usize::try_from(n).ok());
    let model = text(facts::CPU_MODEL);
    let other_machines: Vec<String> =
        made.other_machines().into_iter().map(str::to_owned).collect();
    let is_unnamed = model.is_none() && !other_machines.is_empty();
    let first = made.sources.iter().find(|source| source.other_machine.is_none());
    Header {
        unnamed_in: first.filter(|_| is_unnamed).map(|source| source.file.clone()),
        // A design that is not listed is worded "unknown: ..." with its numbers, for the table of facts; of many Arm chips
        // the core's name is the only one.
        microarchitecture: text(facts::MICROARCHITECTURE)
            .filter(|n| !n.starts_with("unknown") && Some(n) != model.as_ref()),
        model,
        other_machines,
        cpus: known(topology.online().len()).or_else(stated),
        cores: known(machine.cores()),
        smt: machine.flag("cpu.smt"),
        sockets: known(machine.sockets()),
        nodes: known(topology.nodes.len()),
        memory_bytes: machine.number("memory.total"),
        // A publication may say no more than that it is one.
        hypervisor: facts::hypervisor(machine).map(|name| match name {
            "not stated" => "virtual machine".to_owned(),
            name => name.to_owned(),
        }),
        kernel: text("kernel.release"),
        name: made.called().map(str::to_owned),
        tool: made.tool.clone(),
        version: made.version.clone(),
        depth: made.depth.clone(),
        took_s: Some(made.took).filter(|took| *took > 0.0),
        started: made.started.clone(),
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_count_that_is_stated_is_shown_and_a_name_once() {
        let mut record = record::Record::new(Default::default(), Default::default(), vec![]);
        for name in ["cpu.model", "cpu.microarchitecture"] {
            record.machine.set(name, "Cortex-A53", "test");
        }
        record.machine.set("cpu.count", 4_u64, "test");
        let header = super::header(&record);
        assert_eq!((header.microarchitecture, header.cpus), (None, Some(4)));
    }

    #[test]
    fn a_virtual_machine_of_an_unstated_hypervisor_is_one() {
        let mut record = record::Record::new(Default::default(), Default::default(), vec![]);
        record.machine.set("virtual.hypervisor", "not stated", "test");
        assert_eq!(super::header(&record).hypervisor.as_deref(), Some("virtual machine"));
    }

    #[test]
    fn an_unknown_count_is_absent_and_not_zero() {
        let record = record::Record::new(Default::default(), Default::default(), vec![]);
        let header = serde_json::to_value(super::header(&record)).unwrap();
        for key in ["cpus", "cores", "sockets", "nodes", "took_s"] {
            assert!(header[key].is_null(), "{key}: {}", header[key]);
        }
    }
}
