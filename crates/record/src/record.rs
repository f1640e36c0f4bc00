//! The record itself: who measured, on what machine, and what happened, in order.
use crate::{Machine, Reason, Run, Series, Source, distinct};
use serde::{Deserialize, Serialize};

/// Version of the document's schema. A change that old readers cannot read raises it (`docs/adr/0010`).
pub const SCHEMA: u32 = 1;

/// Everything one invocation observed. Nothing in it is derived, but for [`Judgement`], which records what
/// the user saw.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Record"))]
pub struct Record<S = Vec<Series>> {
    /// Version of this document's schema.
    pub schema: u32,
    /// The origin of the record: host, program, time.
    pub provenance: Provenance,
    /// The machine that was measured.
    pub machine: Machine,
    /// Whether the machine was fit to be measured, as judged when the run ended.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judgement: Option<Judgement>,
    /// Every planned case in the order of the plan; skipped, failed and unreached ones too.
    pub runs: Vec<Run<S>>,
    /// A short fixed workload between the cases: how the machine itself drifted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub reference_samples: Vec<ReferenceSample>,
}

impl Record {
    /// A record of a plan or of results, before anything is judged.
    pub fn new(provenance: Provenance, machine: Machine, runs: Vec<Run>) -> Record {
        let schema = crate::SCHEMA;
        Record { schema, provenance, machine, judgement: None, runs, reference_samples: vec![] }
    }
}

/// The origin of a record: host, program, time.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Provenance {
    /// `cpulens`; `cpulens import` where results of the tools in `sources` were read, `cpulens catalogue` where they were
    /// published and transcribed.
    pub tool: String,
    /// Its version.
    pub version: String,
    /// The commit it was built from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The compiler that made the kernels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub compiler: Option<String>,
    /// Target triple.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Hash of the kernels' sources: equal hashes ran equal code.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kernels: Option<String>,
    /// The command line.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub command: Vec<String>,
    /// Depth of the plan: `quick`, `standard` or `thorough`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<String>,
    /// Seed of every random order and buffer.
    #[serde(default)]
    pub seed: u64,
    /// Start, as UTC in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// Duration in seconds, resumed parts added up.
    #[serde(default)]
    pub took: f64,
    /// How often the run was resumed.
    #[serde(default)]
    pub resumed: u32,
    /// A name the user gave the machine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The name that the machine gave itself; no identity, for many machines may have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host: Option<String>,
    /// The files of other tools that this record was made from (`docs/adr/0016`).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<Source>,
}

/// Host names that are no names.
const UNNAMED: [&str; 4] = ["", "(none)", "localhost", "localhost.localdomain"];

impl Provenance {
    /// The machine's name: the user's, else its host name.
    pub fn called(&self) -> Option<&str> {
        let host = self.host.as_deref().filter(|host| !UNNAMED.contains(host));
        self.name.as_deref().or(host)
    }
    /// The machines that the files of an import name beside the record's own, each once.
    pub fn other_machines(&self) -> Vec<&str> {
        distinct(self.sources.iter().filter_map(|source| source.other_machine.as_deref()))
    }
    /// Whether the results are of one machine.
    ///
    /// # Errors
    /// They are of several, from which nothing follows about one.
    pub fn of_one_machine(&self) -> Result<(), Reason> {
        match self.other_machines().len() {
            0 => Ok(()),
            others => Err(Reason::mended_by(
                format!("the results are of {} machines", others + 1),
                "import the files of each machine by themselves",
            )),
        }
    }
}

/// A reference sample: the same short work, again and again through a run. Raw windows; none where a resource was not watched.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReferenceSample {
    /// Seconds since the run began.
    pub at: f64,
    /// The CPU it ran on.
    pub cpu: u32,
    /// Core frequency in hertz, from dependent adds.
    pub frequency: Vec<f64>,
    /// Independent adds per second, which a thread on the same core takes part of.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ports: Vec<f64>,
    /// Seconds per load of a chase through a fixed ring in the nearest cache beyond L1.
    pub chase: Vec<f64>,
    /// Seconds per load in the last cache, of four times the nearest one's size.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub l3: Vec<f64>,
    /// Seconds per load in memory, beyond the last cache.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub memory: Vec<f64>,
}

/// Whether the machine was fit to be measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Environment {
    /// Nothing was found that would move the numbers.
    Pass,
    /// Something may have moved some numbers.
    Warn,
    /// The numbers do not describe this machine.
    Fail,
}

/// The verdict that the user saw when the run ended. Reports judge again from the observations.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Judgement {
    /// The verdict.
    pub environment: Environment,
    /// The reasons, the gravest first.
    pub reasons: Vec<Reason>,
}
