//! A digest: the figures of one run on one machine, the machine's kind, and the facts that may explain a difference.
use crate::group::Key;
use crate::headline::{Headline, headlines, is_of_figures, system_call};
use crate::loss::{self, Loss};
use crate::profile::Profile;
use analyse::Report;
use estimates::analyses::judgement;
use record::{Environment, Machine, Record, Run};
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

/// Version of the digest. A change that old readers cannot read raises it.
pub const VERSION: u32 = 1;

/// Prefix of the facts that hold labels.
const LABEL: &str = "label.";
/// The fact that says which code measured.
pub(crate) const KERNELS: &str = "cpulens.kernels";
/// Of figures in base units, what is not between these was not measured: a picosecond is a thousandth of a cycle, and no machine
/// moves an exabyte in a second.
const LEAST: f64 = 1e-12;
const MOST: f64 = 1e18;

/// Facts that may explain why one machine is slower than its peers. All of a prefix, where one ends with a dot.
const FACTS: [&str; 24] = [
    "bios.date",
    "bios.vendor",
    "bios.version",
    "cpu.boost",
    "cpu.driver",
    "cpu.epp",
    "cpu.frequency.limit",
    "cpu.governor",
    "cpu.idle.disabled",
    "cpu.isolated",
    "cpu.microcode",
    "kernel.clocksource",
    "kernel.kpti",
    "kernel.mitigations.",
    "kernel.release",
    loss::QUOTA,
    "memory.channels.filled",
    "memory.numa_balancing",
    loss::THP,
    loss::THP_PROCESS,
    "memory.zone_reclaim",
    "os.name",
    "power.limit.",
    "system.product",
];

/// One run on one machine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Digest {
    /// Version of this form.
    pub digest: u32,
    /// The machine: a hash of its product UUID, else of its operating system's id, else its name, else the name of the record.
    pub host: String,
    /// Its name: the user's, else its host name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// A hash of what was measured: equal for the digest of a record and every copy of it, whatever they are called.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<String>,
    /// Labels that the user gave it, such as its rack.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub labels: BTreeMap<String, String>,
    /// When the run began, as UTC in RFC 3339.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub started: Option<String>,
    /// Seconds that the run took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub took: Option<f64>,
    /// A hash of the boot, where the machine says who it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub boot: Option<String>,
    /// Seconds since that boot when the run began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub uptime: Option<f64>,
    /// A hash of the operating system's id, which clones of an image share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub os_id: Option<String>,
    /// The kind of machine.
    pub key: Key,
    /// Facts that may explain a difference.
    pub facts: BTreeMap<String, String>,
    /// The reason why the environment was unfit, or the run incomplete.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unfit: Option<String>,
    /// What the machine lost meanwhile, but for losses by its settings, which are facts.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub losses: Vec<Loss>,
    /// The figures.
    pub figures: Vec<Headline>,
    /// Values beyond which figures are worse than expected, where something is published.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub expected: BTreeMap<String, f64>,
}

impl Digest {
    /// The digest of a record that the user calls by this name, such as a file.
    pub fn of(report: &Report<'_>, given: &str) -> Digest {
        let record = report.record;
        let machine = &record.machine;
        let mut figures = headlines(report);
        let limits = Profile::expected(report, &figures).limits;
        figures.extend(system_call(report));
        let warnings = judgement::warnings(report);
        let gravest = warnings.first().filter(|w| w.environment == Environment::Fail);
        let unfit = gravest.map(|warning| warning.why.to_string());
        let name = record.provenance.called().map(str::to_owned);
        let id = machine.text("machine.id").map(str::to_owned);
        let os_id = machine.text("machine.os_id").map(str::to_owned);
        let labels = machine.facts.keys().filter_map(|fact| {
            Some((fact.strip_prefix(LABEL)?.to_owned(), machine.text(fact)?.to_owned()))
        });
        Digest {
            digest: VERSION,
            host: id
                .or_else(|| os_id.clone())
                .or_else(|| name.clone())
                .unwrap_or_else(|| given.to_owned()),
            os_id,
            labels: labels.collect(),
            name,
            run: run(record),
            started: record.provenance.started.clone(),
            took: Some(record.provenance.took).filter(|took| *took > 0.0),
            boot: machine.text("machine.boot").map(str::to_owned),
            uptime: machine.number("machine.uptime"),
            key: Key::of(machine),
            facts: facts(machine, record.provenance.kernels.as_deref()),
            unfit: crate::check::unfinished(record).map(|why| why.to_string()).or(unfit),
            losses: loss::losses(warnings),
            figures,
            expected: limits.into_iter().filter_map(|l| Some((l.metric, l.warn_max?))).collect(),
        }
    }
    /// What is to be noted of this run, and what makes another the same if it was noted of that: its machine, moment and figures,
    /// and where one of the two has no name what was measured.
    pub fn identities(&self) -> (Vec<String>, Vec<String>) {
        let figures = self.figures.iter().map(|h| format!(" {} {:.6e}", h.name, h.value));
        let figures: String = figures.collect();
        let Digest { host, key, started, unfit, run, name, .. } = self;
        let own = format!("{host} {key} {started:?} {unfit:?}{figures}");
        let run = |what: &str| Some(format!("{what} {} {started:?}{figures}", run.as_ref()?));
        let (named, unnamed) = (run("named"), run("unnamed"));
        let (noted, asked) = match name {
            Some(_) => ([named, None], [unnamed, None]),
            None => ([unnamed.clone(), None], [unnamed, named]),
        };
        let with = |of: [Option<String>; 2]| of.into_iter().flatten().chain([own.clone()]);
        (with(noted).collect(), with(asked).collect())
    }
    /// Leaves out figures that nothing can have measured, and names that come again; says which.
    pub(crate) fn drop_impossible(&mut self) -> Vec<String> {
        let mut seen = BTreeSet::new();
        let mut odd = vec![];
        self.figures.retain(|h| {
            let possible = (LEAST..MOST).contains(&h.value) && seen.insert(h.name.clone());
            if !possible {
                odd.push(format!("{} {:.2e}", h.name, h.value));
            }
            possible
        });
        odd
    }
    /// Its facts, and its labels under the names of the record: what may name the machines of a mode.
    pub(crate) fn naming(&self) -> Cow<'_, BTreeMap<String, String>> {
        if self.labels.is_empty() {
            return Cow::Borrowed(&self.facts);
        }
        let labels =
            self.labels.iter().map(|(label, own)| (format!("{LABEL}{label}"), own.clone()));
        Cow::Owned(self.facts.clone().into_iter().chain(labels).collect())
    }
    /// The figure of this name.
    pub(crate) fn figure(&self, name: &str) -> Option<&Headline> {
        self.figures.iter().find(|h| h.name == name)
    }

    /// The machine's name as shown; one longer than any in DNS is cut.
    pub fn shown(&self) -> &str {
        const LONGEST: usize = 253;
        let name = self.name.as_deref().filter(|name| !name.trim().is_empty());
        let name = name.unwrap_or(&self.host);
        name.char_indices().nth(LONGEST).map_or(name, |(end, _)| &name[..end])
    }
}

/// FNV-1a of the moment and of all samples behind figures, 64 bits at a time; nothing where there are none.
fn run(record: &Record) -> Option<String> {
    let made = &record.provenance;
    let runs = record.runs.iter().filter(|run| is_of_figures(&run.case));
    let samples = runs.flat_map(Run::series).flat_map(|series| &series.samples);
    samples.clone().next()?;
    let moment = made.started.as_deref().unwrap_or_default().bytes().map(u64::from);
    let numbers = [&made.took].into_iter().chain(samples).map(|x| x.to_bits());
    let hash = moment.chain(numbers).fold(0xcbf2_9ce4_8422_2325_u64, |hash, word| {
        (hash ^ word).wrapping_mul(0x0000_0100_0000_01b3)
    });
    Some(format!("{hash:016x}"))
}

fn facts(machine: &Machine, kernels: Option<&str>) -> BTreeMap<String, String> {
    let wanted = |fact: &str| {
        FACTS.iter().any(|f| if f.ends_with('.') { fact.starts_with(f) } else { fact == *f })
    };
    let known = machine.facts.keys().filter(|fact| wanted(fact));
    let mut all: BTreeMap<String, String> =
        known.filter_map(|fact| Some((fact.clone(), machine.value(fact)?.to_string()))).collect();
    let modules = record::counts(machine.topology.modules().map(|dimm| {
        let gib = dimm.bytes.map_or("?".into(), |bytes| (bytes >> 30).to_string());
        let speed = dimm.configured.map_or("?".into(), |mts| format!("{:.0}", mts / 1e6));
        format!("{gib} GiB at {speed} MT/s")
    }));
    if !modules.is_empty() {
        let words: Vec<String> = modules.iter().map(|(what, n)| format!("{n} x {what}")).collect();
        all.insert("memory.modules".into(), words.join(", "));
    }
    if let Some(kernels) = kernels {
        // Numbers of other code are another quantity.
        all.insert(KERNELS.into(), kernels.into());
    }
    all
}
