//! The transcribed data as it is committed: one file a machine in `machines/`, with what was printed about it word for
//! word, and every measurement as a row with the line of the article that it stands on.
use record::{Publication, Sort, Value};
use serde::Deserialize;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};

/// Everything that was transcribed.
#[derive(Debug)]
pub struct Reference {
    /// By name.
    pub machines: Vec<Machine>,
    /// Of all machines, in the order of the articles.
    pub measurements: Vec<Measurement>,
    publications: BTreeMap<String, Published>,
    /// Results that contradict other results.
    pub warnings: Vec<crate::SanityWarning>,
}

/// An article, a repository or notes.
#[derive(Debug, Clone, Deserialize)]
pub struct Published {
    /// The id by which lines refer to it.
    pub id: String,
    /// Title, author, date and address.
    #[serde(flatten)]
    pub publication: Publication,
}

/// A machine: one configuration of hardware and firmware.
#[derive(Debug, Deserialize)]
pub struct Machine {
    /// Its name in `ref:NAME`.
    pub name: String,
    /// In words.
    pub title: String,
    /// Stated facts that no output below holds, by the record's names.
    pub facts: BTreeMap<String, Value>,
    /// Ambiguities of its description.
    pub notes: Vec<String>,
    /// The passages that describe it.
    pub described: Vec<Passage>,
    /// Outputs of tools that the articles print.
    pub outputs: Vec<Output>,
    results: Vec<Group>,
}

/// A passage.
#[derive(Debug, Deserialize)]
pub struct Passage {
    /// The publication's id.
    #[serde(rename = "in")]
    pub publication: String,
    /// Its heading.
    pub section: String,
    /// First and last line.
    pub lines: (u32, u32),
}

/// A tool's output, word for word.
#[derive(Debug, Deserialize)]
pub struct Output {
    /// A name for it.
    pub file: String,
    /// The publication's id.
    #[serde(rename = "in")]
    pub publication: String,
    /// The line of the publication at which it begins.
    pub line: u32,
    /// Its lines.
    pub text: Vec<String>,
}

/// Measurements that have much in common: what all share stands before the columns.
#[derive(Debug, Deserialize)]
struct Group {
    #[serde(rename = "in")]
    publication: String,
    workload: String,
    section: String,
    #[serde(default)]
    params: BTreeMap<String, Value>,
    columns: Vec<String>,
    rows: Vec<Vec<Json>>,
    #[serde(flatten)]
    shared: serde_json::Map<String, Json>,
}

/// A figure that was published.
#[derive(Debug, Clone, Deserialize)]
pub struct Measurement {
    /// Its number in the transcription: `m0001`.
    pub id: String,
    /// The machine's name.
    #[serde(skip)]
    pub machine: String,
    /// The publication's id.
    #[serde(skip)]
    pub publication: String,
    /// The heading it stands under.
    #[serde(skip)]
    pub section: String,
    /// The line it stands on.
    pub line: u32,
    /// The workload.
    #[serde(skip)]
    pub workload: String,
    /// The metric.
    pub metric: String,
    /// The unit of `value`, in the article's scale.
    pub unit: String,
    /// Whether the article prints the unit.
    #[serde(default = "yes")]
    pub unit_printed: bool,
    /// `measured`, `summary`, `restated`, `stated`, `derived-by-author`, `derived-by-tool`, `reference` or
    /// `not-applicable`.
    #[serde(default = "measured")]
    pub kind: String,
    /// The figure; nothing where what is printed is none.
    pub value: Option<f64>,
    /// The text as printed.
    pub printed: String,
    /// Parameters: all columns but those of the other fields.
    #[serde(flatten)]
    pub params: BTreeMap<String, Value>,
    /// Instructions per cycle, printed beside it.
    pub ipc: Option<f64>,
    /// The same as printed.
    pub ipc_printed: Option<String>,
    /// The whole cell of a table.
    pub cell: Option<String>,
    /// Percentage of the time for which a counter was counted.
    pub counted_percent: Option<f64>,
    /// CPU use in percent of one CPU, least and most.
    pub cpu_percent: Option<(f64, f64)>,
    /// Whether the author says that it jittered.
    #[serde(default)]
    pub jitter: bool,
    /// Whether it can be read in more than one way.
    #[serde(default)]
    pub ambiguous: bool,
    /// Conditions that a reader must know.
    #[serde(default)]
    pub note: String,
    /// The value that was probably meant where the printed text is no number.
    pub probable: Option<f64>,
    /// The ends of a range that stands for a value.
    pub value_range: Option<(f64, f64)>,
}

fn yes() -> bool {
    true
}

fn measured() -> String {
    "measured".into()
}

/// Columns that nothing reads.
const UNREAD: [&str; 3] = ["annotation", "annotation2", "cpu_percent_printed"];

impl Measurement {
    /// A parameter as text, or nothing.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.params.get(name)?.text()
    }
    /// A parameter as a whole number, or nothing.
    pub fn integer(&self, name: &str) -> Option<u64> {
        self.params.get(name)?.integer()
    }
    /// Whether the author or a tool saw this figure, and nobody derived, restated or stated it.
    pub fn seen(&self) -> bool {
        self.kind == "measured"
    }
}

impl Reference {
    pub(crate) fn parse() -> Result<Reference, String> {
        let published: Vec<Published> = serde_json::from_str(include_str!("publications.json"))
            .map_err(|e| format!("publications.json: {e}"))?;
        let mut reference = Reference {
            machines: vec![],
            measurements: vec![],
            publications: published.into_iter().map(|p| (p.id.clone(), p)).collect(),
            warnings: crate::warnings::parse()?,
        };
        for (name, text) in crate::MACHINES {
            let text = miniz_oxide::inflate::decompress_to_vec(text)
                .map_err(|e| format!("{name}.json: {e}"))?;
            let machine: Machine =
                serde_json::from_slice(&text).map_err(|e| format!("{name}.json: {e}"))?;
            if machine.name != *name {
                return Err(format!("{name}.json is called {} inside", machine.name));
            }
            for group in &machine.results {
                let all = group.measurements(&machine.name);
                reference.measurements.extend(all.map_err(|e| format!("{name}.json: {e}"))?);
            }
            reference.machines.push(machine);
        }
        reference.measurements.order_by(|a, b| a.id.cmp(&b.id));
        reference.check()?;
        Ok(reference)
    }
    /// Checks beyond those of the types.
    fn check(&self) -> Result<(), String> {
        let mut seen = BTreeSet::new();
        for m in &self.measurements {
            if !seen.insert(&m.id) {
                return Err(format!("{} is there twice", m.id));
            }
            if !self.publications.contains_key(&m.publication) {
                return Err(format!("{} stands in {}, which is not listed", m.id, m.publication));
            }
            if crate::units::unit(&m.unit).is_none() {
                return Err(format!("{} has the unit {}, which is not known", m.id, m.unit));
            }
        }
        let passages = self.machines.iter().flat_map(|m| {
            let outputs = m.outputs.iter().map(|o| &o.publication);
            m.described.iter().map(|d| &d.publication).chain(outputs)
        });
        for id in passages {
            if !self.publications.contains_key(id) {
                return Err(format!("{id} is not listed among the publications"));
            }
        }
        Ok(())
    }
    /// The machine of that name.
    pub fn machine(&self, name: &str) -> Option<&Machine> {
        self.machines.iter().find(|m| m.name == name)
    }
    /// The measurements of a machine.
    pub fn of<'a>(&'a self, machine: &'a str) -> impl Iterator<Item = &'a Measurement> + 'a {
        self.measurements.iter().filter(move |m| m.machine == machine)
    }
    /// The measurements of a workload and metric, on all machines.
    pub fn series<'a>(
        &'a self,
        workload: &'a str,
        metric: &'a str,
    ) -> impl Iterator<Item = &'a Measurement> + 'a {
        self.measurements.iter().filter(move |m| m.workload == workload && m.metric == metric)
    }
    /// Whether the counters behind a printed ratio are those of all CPUs.
    pub(crate) fn counts_all_cpus(&self, m: &Measurement) -> bool {
        self.series(&m.workload, "perf:cpu-cycles")
            .any(|c| c.machine == m.machine && c.text("scope") == Some("system-wide"))
    }
    /// Every publication, by id.
    pub fn publications(&self) -> impl Iterator<Item = &Published> {
        self.publications.values()
    }
    /// The publication of that id.
    pub fn publication(&self, id: &str) -> Option<&Publication> {
        self.publications.get(id).map(|p| &p.publication)
    }
}

impl Group {
    fn measurements(&self, machine: &str) -> Result<Vec<Measurement>, String> {
        let one = |row: &Vec<Json>| -> Result<Measurement, String> {
            if row.len() != self.columns.len() {
                return Err(format!(
                    "a row of {} has {} cells for {} columns",
                    self.workload,
                    row.len(),
                    self.columns.len()
                ));
            }
            let mut fields = self.shared.clone();
            let cells = self.columns.iter().cloned().zip(row.iter().cloned());
            fields.extend(cells.filter(|(_, cell)| !cell.is_null()));
            fields.retain(|column, _| !UNREAD.contains(&column.as_str()));
            let made: Measurement =
                serde_json::from_value(Json::Object(fields)).map_err(|e| e.to_string())?;
            Ok(Measurement {
                machine: machine.into(),
                publication: self.publication.clone(),
                section: self.section.clone(),
                workload: self.workload.clone(),
                value: made.value.or_else(|| made.printed.parse().ok()),
                params: self.params.clone().into_iter().chain(made.params).collect(),
                ..made
            })
        };
        self.rows.iter().map(one).collect()
    }
}
