//! Several files of one machine become one record. A file that cannot be read does not affect the others. Where two
//! files contradict each other, the first is kept and the second gets a warning.
use crate::found::{Found, Problem};
use crate::grammar::json;
use crate::importer::Importer;
use crate::importers;
use crate::text::{Text, tidy};
use inventory::UNNAMED_HYPERVISORS;
use record::{
    CpuSet, Fact, FactValue, Machine, Provenance, Record, Run, Sort, Source, Topology, Value,
    Warning, WarningKind,
};

/// The files read so far.
#[derive(Debug, Default)]
pub struct Gathered {
    machine: Machine,
    runs: Vec<Run>,
    sources: Vec<Source>,
    /// The other machines.
    others: Vec<Machine>,
    /// Sources that name one of those, and which.
    of_others: Vec<(usize, usize)>,
}

/// The results of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Read {
    /// The file's name, harmless.
    pub file: String,
    /// The tools whose output it holds, with the version where it is printed.
    pub formats: Vec<String>,
    /// Facts that it gave.
    pub facts: usize,
    /// CPUs, caches, nodes and modules that it gave.
    pub parts: usize,
    /// Series that it gave.
    pub series: usize,
    /// Warnings about it.
    pub warnings: usize,
    /// The parts that were recognised and could not be read.
    pub problems: Vec<Problem>,
}

impl Gathered {
    /// Adds a file that somebody named.
    ///
    /// # Errors
    /// If nothing of it could be read: why, and at which line.
    pub fn add(&mut self, name: &str, bytes: &[u8]) -> Result<Read, Problem> {
        self.add_file(name, bytes, true)
    }
    /// Adds a file that lay in a folder or an archive, where other programs' columns lie, too.
    ///
    /// # Errors
    /// If nothing of it could be read: why, and at which line.
    pub fn add_one_of_many(&mut self, name: &str, bytes: &[u8]) -> Result<Read, Problem> {
        self.add_file(name, bytes, false)
    }
    fn add_file(&mut self, name: &str, bytes: &[u8], named: bool) -> Result<Read, Problem> {
        let text = Text::decode(name, bytes)?;
        let mut read = Read { file: text.name.clone(), ..Read::default() };
        let mut all = vec![];
        for (id, importer) in chosen(&text, named)? {
            let source = Source {
                file: text.name.clone(),
                format: id.into(),
                tool: importer.title.into(),
                ..Source::default()
            };
            let mut found = Found::new(source);
            let done = (importer.read)(&text, &mut found).and_then(|()| {
                found.finish();
                Problem::when(found.is_empty(), "it was recognised, and holds no number")
            });
            match done {
                Ok(()) => all.push(found),
                Err(problem) => {
                    read.problems
                        .push(Problem { why: format!("{id}: {}", problem.why), ..problem });
                }
            }
        }
        let Some(first) = all.first_mut() else {
            let first = read.problems.into_iter().next();
            return Err(first.unwrap_or_else(|| Problem::whole("nothing in it could be read")));
        };
        text.warnings.iter().for_each(|w| first.warn_of(w.clone()));
        for found in all {
            read.formats.push(found.tool_and_version());
            read.series += found.runs.iter().map(|r| r.series().len()).sum::<usize>();
            let t = &found.machine.topology;
            read.facts += found.machine.facts.len();
            read.parts += t.cpus.len() + t.caches.len() + t.nodes.len() + t.dimms.len();
            read.warnings += self.merge(found);
        }
        Ok(read)
    }
    /// Merges what one importer found; returns the number of warnings.
    fn merge(&mut self, mut found: Found) -> usize {
        let index = u32::try_from(self.sources.len()).unwrap_or(u32::MAX);
        // Tools word one vendor in many ways, and some put the architecture behind the release.
        reword(&mut found.machine, "cpu.vendor", |said| inventory::vendor(said));
        reword(&mut found.machine, "kernel.release", |said| said.split('/').next().unwrap_or(said));
        if is_other(&self.machine, &found.machine) {
            let known = self.others.iter().position(|known| !is_other(known, &found.machine));
            let other = known.unwrap_or(self.others.len());
            self.others.resize_with(self.others.len().max(other + 1), Machine::default);
            merge_machine(&mut self.others[other], found.machine.clone());
            self.of_others.push((self.sources.len(), other));
        }
        for what in merge_machine(&mut self.machine, std::mem::take(&mut found.machine)) {
            found.warn_of(Warning { line: None, what, kind: WarningKind::OtherMachine });
        }
        for run in &mut found.runs {
            if let Some(origin) = &mut run.origin {
                origin.source = index;
            }
        }
        self.runs.append(&mut found.runs);
        let warnings = found.source.warnings.len();
        self.sources.push(found.source);
        warnings
    }
    /// Whether nothing was read.
    pub fn is_empty(&self) -> bool {
        self.sources.is_empty()
    }
    /// The sources so far, with their warnings.
    pub fn sources(&self) -> &[Source] {
        &self.sources
    }
    /// The record of all files. `provenance` states where and when they were imported.
    pub fn record(mut self, provenance: Provenance) -> Record {
        for machine in self.others.iter_mut().chain([&mut self.machine]) {
            let arch = machine.text("kernel.arch").map(str::to_owned);
            inventory::resolve(machine, arch.as_deref());
        }
        inventory::channels_of_slots(&mut self.machine);
        for (source, other) in self.of_others {
            let names = ["cpu.model", "cpu.microarchitecture", "cpu.vendor", "kernel.arch"];
            let name = names.iter().find_map(|name| self.others[other].text(name));
            self.sources[source].other_machine = name.map(str::to_owned);
        }
        let mut record = Record::new(
            Provenance { sources: self.sources, ..provenance },
            self.machine,
            self.runs,
        );
        crate::frequencies::check(&mut record);
        record
    }
}

/// Every importer that recognises its tool's output; the fallback if there is none, of one of many files if it rules its
/// columns as Markdown does.
fn chosen(text: &Text, named: bool) -> Result<Vec<(&'static str, &'static Importer)>, Problem> {
    let is_record = json(text, "\"provenance\"").is_some_and(|d| d["schema"].is_number());
    Problem::when(is_record, "it is a record of cpulens, which needs no import: cpulens show")?;
    let (fallback, chosen): (Vec<_>, Vec<_>) = importers::ALL
        .iter()
        .copied()
        .filter(|(_, importer)| (importer.recognises)(text))
        .partition(|(_, importer)| importer.is_fallback);
    if !chosen.is_empty() {
        return Ok(chosen);
    }
    let rule = |line: &str| {
        line.contains("|--") && line.chars().all(|c| matches!(c, '|' | '-' | ':' | ' '))
    };
    if !fallback.is_empty() && (named || text.any(rule)) {
        return Ok(fallback);
    }
    let first = text.lines().find(|l| !l.text.trim().is_empty());
    let shown: String = first.map_or(String::new(), |l| tidy(l.text).chars().take(60).collect());
    Err(Problem::unknown(first.map(|l| l.number), &shown))
}

/// The names of the tools whose outputs are known.
pub fn tools() -> Vec<&'static str> {
    let mut titles: Vec<&str> = importers::ALL.iter().map(|(_, importer)| importer.title).collect();
    titles.sort_unstable_by_key(|title| title.to_lowercase());
    titles.dedup();
    titles
}

/// The last words of a warning about a file that contradicts an earlier one.
const OTHER_MACHINE: &str = "not the same machine, or not the same settings";

/// Facts that change all the time: two values are no contradiction, and the first is kept.
const VOLATILE: &[&str] = &[
    "cpu.frequency.current",
    "cpu.frequency.reported",
    "memory.free",
    "load.average",
    "cpu.bogomips",
];

/// Facts of which another value is of another machine.
const IDENTITY: [&str; 3] = ["cpu.model", "cpu.vendor", "kernel.arch"];

fn reword(machine: &mut Machine, name: &str, words: fn(&str) -> &str) {
    if let Some(fact) = machine.facts.get_mut(name)
        && let FactValue::Value(Value::Text(said)) = &mut fact.known
    {
        *said = words(said).to_owned();
    }
}

/// Whether a fact only says that there is a hypervisor, which the other does not deny.
fn vague(fact: &Fact, other: &Fact) -> bool {
    let unnamed = |known: &FactValue| matches!(known, FactValue::Value(Value::Text(said)) if UNNAMED_HYPERVISORS.contains(&said.as_str()));
    unnamed(&fact.known)
        && !matches!(&other.known, FactValue::Value(Value::Text(said)) if said == "none")
}

/// Whether the new one is another machine.
fn is_other(known: &Machine, new: &Machine) -> bool {
    IDENTITY.iter().any(|name| {
        let both = known.text(name).zip(new.text(name));
        both.is_some_and(|(known, new)| known != new)
    })
}

/// Adds what is new to what is known, but of no other machine; returns the contradictions.
fn merge_machine(known: &mut Machine, new: Machine) -> Vec<String> {
    let other = is_other(known, &new);
    let (mut warnings, mut facts) = (vec![], new.facts.into_iter().collect::<Vec<_>>());
    // What says most comes first.
    facts.order_by_key(|(name, _)| !IDENTITY.contains(&name.as_str()));
    for (name, fact) in facts {
        match known.facts.get(&name) {
            None if other => {}
            None => {
                known.facts.insert(name, fact);
            }
            Some(first) if first.known == fact.known || VOLATILE.contains(&name.as_str()) => {}
            Some(first) if vague(first, &fact) => drop(known.facts.insert(name, fact)),
            Some(first) if vague(&fact, first) => {}
            Some(first) => {
                let words = |k: &FactValue| match k {
                    FactValue::Value(v) => tidy(&v.to_string()).chars().take(80).collect(),
                    FactValue::Unknown(_) => "unknown".to_owned(),
                };
                warnings.push(format!(
                    "{name} is {} here and {} in {}, which is kept: {OTHER_MACHINE}",
                    words(&fact.known),
                    words(&first.known),
                    first.source
                ));
            }
        }
    }
    if !other {
        warnings.extend(merge_topology(&mut known.topology, new.topology));
    }
    warnings
}

fn merge_topology(known: &mut Topology, new: Topology) -> Vec<String> {
    let mut warnings = vec![];
    let ids = |t: &Topology| -> CpuSet { t.nodes.iter().map(|n| n.id).collect() };
    if known.nodes.is_empty() || new.nodes.is_empty() || ids(known) == ids(&new) {
        for node in new.nodes {
            let Some(old) = known.nodes.iter_mut().find(|n| n.id == node.id) else {
                known.nodes.push(node);
                continue;
            };
            if !old.cpus.is_empty() && !node.cpus.is_empty() && old.cpus != node.cpus {
                warnings.push(format!(
                    "node {} has the CPUs {} here and {} in an earlier file",
                    node.id, node.cpus, old.cpus
                ));
            } else if old.cpus.is_empty() {
                old.cpus = node.cpus;
            }
            if !old.distances.is_empty()
                && !node.distances.is_empty()
                && old.distances != node.distances
            {
                warnings.push(format!(
                    "the distances of node {} differ from those in an earlier file",
                    node.id
                ));
            } else if old.distances.is_empty() {
                old.distances = node.distances;
            }
            old.bytes = old.bytes.or(node.bytes);
            old.free = old.free.or(node.free);
        }
    } else {
        warnings.push(format!(
            "the NUMA nodes are {} here and {} in an earlier file: {OTHER_MACHINE}",
            ids(&new),
            ids(known)
        ));
    }
    if known.cpus.is_empty() {
        known.cpus = new.cpus;
        known.missing.extend(new.missing.into_iter().filter(|(part, _)| part.starts_with("cpus")));
    } else if !new.cpus.is_empty() {
        let cpus = |t: &[record::Cpu]| -> CpuSet { t.iter().map(|c| c.id).collect() };
        if cpus(&known.cpus) != cpus(&new.cpus) {
            warnings.push(format!(
                "the CPUs are {} here and {} in an earlier file",
                cpus(&new.cpus),
                cpus(&known.cpus)
            ));
        }
        for cpu in new.cpus {
            if let Some(old) = known.cpus.iter_mut().find(|c| c.id == cpu.id) {
                old.node = old.node.or(cpu.node);
                old.package = old.package.or(cpu.package);
                old.core = old.core.or(cpu.core);
                if old.siblings.is_empty() {
                    old.siblings = cpu.siblings;
                }
            }
        }
    }
    if known.cpus.iter().all(|c| !c.siblings.is_empty()) {
        known.missing.retain(|(part, _)| part != "cpus.siblings");
    }
    if known.caches.is_empty() {
        known.caches = new.caches;
    }
    // A board may name slots of several arrays alike: one output describes each slot once, another the same slots again.
    // lshw names no banks.
    let same = |a: &record::Dimm, b: &record::Dimm| {
        a.slot == b.slot && (a.bank == b.bank || a.bank.is_none() || b.bank.is_none())
    };
    let mut described: Vec<_> = known.dimms.clone();
    for dimm in new.dimms {
        match described.iter().position(|known| same(known, &dimm)) {
            Some(again) => drop(described.swap_remove(again)),
            None => known.dimms.push(dimm),
        }
    }
    for (part, source) in new.sources {
        if !known.sources.iter().any(|(p, _)| *p == part) {
            known.sources.push((part, source));
        }
    }
    warnings
}

/// The record of one text, for tests.
#[cfg(test)]
pub(crate) fn imported(name: &str, text: &str) -> Record {
    let mut gathered = Gathered::default();
    gathered.add(name, text.as_bytes()).unwrap();
    gathered.record(Provenance::default())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gathered(files: &[&str]) -> Gathered {
        let mut gathered = Gathered::default();
        for text in files {
            gathered.add("file.txt", text.as_bytes()).unwrap();
        }
        gathered
    }

    fn warnings(gathered: &Gathered) -> usize {
        gathered.sources().iter().map(|source| source.warnings.len()).sum()
    }

    const LSCPU: &str = "Architecture: x86_64\nCPU(s): 1\nThread(s) per core: 1\nCore(s) per socket: 1\nSocket(s): 1\n";
    const CPUINFO: &str =
        "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nflags\t\t: fpu hypervisor\n";

    #[test]
    fn a_hypervisors_name_takes_the_place_of_a_flag() {
        let named = format!("{LSCPU}Hypervisor vendor: KVM\n");
        let denied = CPUINFO.replace(" hypervisor", "");
        for (files, name, doubts) in [
            ([CPUINFO, &named], "KVM", 0),
            ([&named, CPUINFO], "KVM", 0),
            ([&named, &denied], "KVM", 1),
            ([CPUINFO, &denied], "a hypervisor that is not named", 2),
        ] {
            let all = gathered(&files);
            assert_eq!(warnings(&all), doubts, "{files:?}");
            let machine = all.record(Provenance::default()).machine;
            assert_eq!(machine.text("virtual.hypervisor"), Some(name));
        }
    }

    #[test]
    fn files_of_several_machines_name_them() {
        let of = |model: &str| format!("{LSCPU}Model name: {model}\n");
        let arm = LSCPU.replace("x86_64", "aarch64");
        let files = [of("A 1"), of("B 2"), arm, of("A 1"), of("B 2")];
        let record = gathered(&files.each_ref().map(|f| f.as_str())).record(Provenance::default());
        let named = |s: &Source| s.other_machine.clone();
        let named: Vec<Option<String>> = record.provenance.sources.iter().map(named).collect();
        assert_eq!(record.machine.text("cpu.model"), Some("A 1"));
        let named: Vec<Option<&str>> = named.iter().map(Option::as_deref).collect();
        assert_eq!(named, [None, Some("B 2"), Some("aarch64"), None, Some("B 2")]);
        assert_eq!(record.provenance.other_machines(), ["B 2", "aarch64"]);
    }

    #[test]
    fn the_architecture_behind_a_release_is_no_part_of_it() {
        let old = format!("{LSCPU}Kernel: 5.10.35/aarch64\n");
        let other = format!("{LSCPU}Kernel: 5.10.36\n");
        let plain = format!("{LSCPU}Kernel: 5.10.35\n");
        assert_eq!(warnings(&gathered(&[&old, &plain])), 0);
        assert_eq!(warnings(&gathered(&[&old, &other])), 1);
        let machine = gathered(&[&old]).record(Provenance::default()).machine;
        assert_eq!(machine.text("kernel.release"), Some("5.10.35"));
    }

    #[test]
    fn slots_of_one_name_stay_apart_and_a_second_output_adds_none() {
        let slot = |name: &str| record::Dimm { slot: name.into(), ..record::Dimm::default() };
        let of = |names: &[&str]| Topology {
            dimms: names.iter().map(|name| slot(name)).collect(),
            ..Topology::default()
        };
        let mut known = Topology::default();
        merge_topology(&mut known, of(&["A1", "B1", "A1", "B1"]));
        assert_eq!(known.dimms.len(), 4);
        merge_topology(&mut known, of(&["B1", "A1", "B1", "A1", "C1"]));
        assert_eq!(known.dimms.len(), 5);
        // dmidecode names the bank of a slot, and lshw does not.
        let mut with_banks = of(&["A1", "A2"]);
        with_banks.dimms.iter_mut().for_each(|d| d.bank = Some("P0 CHANNEL A".into()));
        let mut known = Topology::default();
        merge_topology(&mut known, with_banks);
        merge_topology(&mut known, of(&["A1", "A2"]));
        assert_eq!(known.dimms.len(), 2);
    }
}
