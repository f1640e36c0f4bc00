//! lscpu of util-linux, as text (also `-B`, sizes in bytes) in English, Chinese or half of each, and `-J`. The old one (2.33 and before: `32K`) states the size of one
//! cache, the new one (from 2.34: `2 MiB`) that of all together.
//!
//! Limits: it does not show which CPUs share a core, a socket or a cache; those stay unknown.
//! Source: util-linux, sys-utils/lscpu.c, and its po/zh_CN.po.
use crate::{firmware_name::firmware_name, prelude::*};
use inventory::names_processor;
use record::{Cpu, CpuSet, Node};
use std::collections::BTreeMap;

pub(crate) static IMPORTER: Importer = Importer::new("lscpu", recognises, read);

/// The most CPUs that one list may name, and all nodes together.
const MOST_CPUS: u64 = 70_000;

/// The most fields of one list in JSON.
const MOST_FIELDS: usize = 5_000;

/// The labels that are read, a row for each.
const LABELS: &str = include_str!("lscpu/labels.txt");

fn recognises(text: &Text) -> bool {
    if json(text, "\"lscpu\"").is_some() {
        return true;
    }
    let keys: Vec<&str> =
        text.lines().filter_map(|l| label(l.text)).map(|((key, _), _)| key).collect();
    let has = |wanted: &[&str]| wanted.iter().any(|w| keys.contains(w));
    // likwid-topology, also as CSV, has these words, too.
    let likwid = || text.any(|l| l.contains("Hardware Thread Topology"));
    (has(&["threads"]) && has(&["sockets", "cores"]) && !likwid())
        || (has(&["arch", "order", "online"]) && has(&["count", "vendor"]))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let lines = json(text, "\"lscpu\"").map(|document| {
        let mut lines = Lines::of(text);
        fields(&document["lscpu"], 0, &mut lines);
        text.derived(&lines.lines)
    });
    let text = lines.as_ref().unwrap_or(text);
    let mut lscpu = Seen::default();
    if text.lines().any(|l| l.text.trim_start().starts_with("- ") && label(l.text).is_some()) {
        found.source.tool = "author's list".into();
        found.warn(0, "a hand-written list in lscpu's words, not lscpu's output");
    }
    for line in text.lines() {
        if let Some((key, value)) = label(line.text) {
            lscpu.labelled(line, key, &value, found)?;
        } else if let Some((cache, value)) = cache(line.text) {
            lscpu.cache(line, &cache, &value, found)?;
        } else if let Some((node, value)) = node(line.text) {
            lscpu.node(line, node, &value)?;
        }
    }
    lscpu.finish(found)
}

/// Fields that are evaluated together.
#[derive(Default)]
struct Seen {
    /// By label, the first with its line.
    counts: BTreeMap<&'static str, (u64, u32)>,
    frequencies: BTreeMap<&'static str, (f64, u32)>,
    online: Option<(CpuSet, u32)>,
    offline: CpuSet,
    nodes: Vec<(u32, CpuSet, u32)>,
    x86: bool,
    /// Whether `lscpu -x` wrote masks in the place of lists.
    masks: bool,
    /// Names of the kinds of core, of which big.LITTLE machines have several.
    kinds: Vec<(String, u32)>,
}

impl Seen {
    fn count(&self, key: &str) -> Option<(u64, u32)> {
        self.counts.get(key).copied()
    }
    fn cpus(&self, value: &str, line: u32) -> Result<CpuSet, Problem> {
        let set = match value {
            "-" | "" => Some(CpuSet::default()),
            _ if self.masks => CpuSet::from_mask(value).ok(),
            _ => cpu_list(value, MOST_CPUS),
        };
        let shown = || tidy(value).chars().take(60).collect::<String>();
        set.ok_or_else(|| Problem::at(line, format!("'{}' is no list of CPUs", shown())))
    }
    fn frequency(&self, key: &str) -> Option<(f64, u32)> {
        self.frequencies.get(key).copied()
    }
    fn labelled(
        &mut self,
        line: Line<'_>,
        (key, fact): (&'static str, &str),
        value: &str,
        found: &mut Found,
    ) -> Result<(), Problem> {
        let n = line.number;
        let bad = |what| Problem::at(n, format!("'{}' is no {what}", tidy(value)));
        match key {
            // Arm guests and boards without SMBIOS state no sockets: `-`. Each kind of core has a block of its own.
            _ if value == "-" || fact == "-" && key == "clusters" => {}
            "threads" | "cores" | "sockets" | "min" | "model" | "stepping"
                if self.kinds.len() > 1 => {}
            // `processor: 0` behind lscpu's output is /proc/cpuinfo's.
            "name" if !self.kinds.is_empty() => {
                if split(line.text).is_none_or(|(label, _)| label != "processor") {
                    self.kinds.push((tidy(value), n));
                }
            }
            "count" | "threads" | "cores" | "sockets" | "nodes" | "clusters" => {
                let count = whole(value.split_whitespace().next().unwrap_or(""));
                let count = count.filter(|c| *c <= 1 << 20).ok_or_else(|| bad("count"))?;
                self.counts.entry(key).or_insert((count, n));
                found.fact_in(n, fact, count, Unit::Count);
            }
            "online" | "online_mask" => {
                self.masks = key.ends_with("mask");
                self.online = Some((self.cpus(value, n)?, n));
            }
            "offline" | "offline_mask" => self.offline = self.cpus(value, n)?,
            "mhz" | "static" | "max" | "min" => {
                let (mhz, _) = leading(value).ok_or_else(|| bad("frequency"))?;
                // Of several kinds of core the highest counts.
                let lower = self.frequency(key).filter(|_| key == "max" && self.kinds.len() > 1);
                if !(mhz > 0.0 && mhz < 20_000.0) || lower.is_some_and(|(most, _)| mhz <= most) {
                    return Ok(());
                }
                if lower.is_some() {
                    self.frequencies.remove(key);
                    found.machine.facts.remove(fact);
                }
                self.frequencies.entry(key).or_insert((mhz, n));
                found.fact_in(n, fact, mhz * 1e6, Unit::Hertz);
            }
            "bogomips" => {
                if let Some(x) = number(value) {
                    self.frequencies.entry(key).or_insert((x, n));
                    found.fact(n, fact, x);
                }
            }
            // `r3p1` of Arm is no number.
            "stepping" if whole(value).is_none() => found.fact(n, fact, tidy(value)),
            "family" | "model" | "stepping" => found.known(n, fact, whole(value)),
            "memory" => {
                bytes(value).into_iter().for_each(|x| found.fact_in(n, fact, x, Unit::Bytes));
            }
            "boost" => found.fact(n, fact, matches!(value, "enabled" | "启用" | "已启用")),
            _ => {
                match key {
                    "flags" => flags(n, value, found),
                    "arch" => self.x86 = value.contains("86"),
                    "name" => {
                        self.kinds.push((tidy(value), n));
                        let base = value.split_once('@').and_then(|(_, base)| hertz(base));
                        found.known_in(n, "cpu.frequency.base", base, Unit::Hertz);
                    }
                    _ => {}
                }
                let words: Vec<&str> = value.split_whitespace().collect();
                let words = words.join(" ");
                let words = if key == "bios" { firmware_name(&words) } else { &*words };
                if key != "bios" || names_processor(words) {
                    found.fact(n, fact, words);
                }
            }
        }
        Ok(())
    }
    /// Old lscpu prints `32K`, the size of one; new lscpu `2 MiB`, the size of all, and since 2.37 their number.
    fn cache(
        &mut self,
        line: Line<'_>,
        name: &str,
        value: &str,
        found: &mut Found,
    ) -> Result<(), Problem> {
        let n = line.number;
        let size = bytes(value.split(" (").next().unwrap_or(value))
            .ok_or_else(|| Problem::at(n, format!("'{}' is no size of a cache", tidy(value))))?;
        let instances =
            value.split_once('(').and_then(|(_, rest)| whole(rest.split_whitespace().next()?));
        let first = value.split(' ').next().unwrap_or("");
        let new = value.contains("iB") || first.bytes().all(|b| b.is_ascii_digit());
        let fact = |what: &str| format!("cache.{name}.{what}");
        if let Some(instances) = instances.filter(|i| *i > 0 && new) {
            found.fact(n, &fact("instances"), instances);
            found.fact_in(n, &fact("each"), size / instances, Unit::Bytes);
        }
        found.fact_in(n, &fact(if new { "total" } else { "each" }), size, Unit::Bytes);
        Ok(())
    }
    fn node(&mut self, line: Line<'_>, node: u32, value: &str) -> Result<(), Problem> {
        let set = self.cpus(value, line.number)?;
        let listed: usize = self.nodes.iter().map(|(_, set, _)| set.len()).sum();
        if (listed + set.len()) as u64 > MOST_CPUS {
            return Err(line.problem("the nodes' lists name more CPUs than there can be"));
        }
        if !self.nodes.iter().any(|(id, ..)| *id == node) {
            self.nodes.push((node, set, line.number));
        }
        Ok(())
    }
    fn finish(mut self, found: &mut Found) -> Result<(), Problem> {
        if self.kinds.len() > 1 {
            let names = record::distinct(self.kinds.iter().map(|(name, _)| name.as_str()));
            found.replace(self.kinds[0].1, "cpu.model", names.join(" + "));
        } else {
            self.products(found);
        }
        self.speeds(found);
        self.nodes.sort_unstable_by_key(|(id, ..)| *id);
        let (online, line) = match &self.online {
            Some((set, line)) => (set.clone(), *line),
            None => (self.nodes.iter().flat_map(|(_, set, _)| set.iter()).collect(), 0),
        };
        let single = self.count("threads").is_some_and(|(n, _)| n == 1);
        let node_of = |id: u32| {
            self.nodes.iter().find(|(_, set, _)| set.contains(id)).map(|(node, ..)| *node)
        };
        let cpu = |id: u32, online: bool| Cpu {
            id,
            online,
            allowed: true,
            siblings: if single { [id].into_iter().collect() } else { CpuSet::default() },
            node: node_of(id),
            ..Cpu::default()
        };
        let offline = self.offline.iter().filter(|id| !online.contains(*id));
        let offline = offline.map(|id| cpu(id, false));
        let mut cpus: Vec<Cpu> = online.iter().map(|id| cpu(id, true)).chain(offline).collect();
        cpus.sort_unstable_by_key(|c| c.id);
        if !cpus.is_empty() {
            found.topology_read(&["cpus"], line.max(1));
            if !single {
                found.siblings_missing("lscpu");
            }
        }
        if let Some((.., line)) = self.nodes.first() {
            found.topology_read(&["nodes"], *line);
        }
        let nodes = self.nodes.into_iter();
        let t = &mut found.machine.topology;
        t.nodes = nodes.map(|(id, cpus, _)| Node { id, cpus, ..Node::default() }).collect();
        t.cpus = cpus;
        Ok(())
    }
    /// Counts that have to multiply and add up.
    fn products(&self, found: &mut Found) {
        let count = |key| self.count(key);
        if let (Some((all, line)), Some((t, _)), Some((c, _)), Some((s, _))) =
            (count("count"), count("threads"), count("cores"), count("sockets"))
            && t.saturating_mul(c).saturating_mul(s) != all
            && self.offline.is_empty()
        {
            found.warn(line, format!("{all} CPUs are not {s} sockets x {c} cores x {t} threads"));
        }
        if let (Some((all, _)), Some((set, line))) = (count("count"), &self.online)
            && set.len() as u64 + self.offline.len() as u64 != all
            && set.len() as u64 != all
        {
            found.warn(*line, format!("the list names {} CPUs, and there are {all}", set.len()));
        }
        if let Some((n, line)) = count("nodes")
            && n != self.nodes.len() as u64
            && !self.nodes.is_empty()
        {
            let listed = self.nodes.len();
            found.warn(line, format!("{n} NUMA nodes are stated, and {listed} are listed"));
        }
        for (i, (id, set, line)) in self.nodes.iter().enumerate() {
            for (other, theirs, _) in &self.nodes[..i] {
                let both = set.intersection(theirs);
                if !both.is_empty() {
                    found.warn(*line, format!("nodes {other} and {id} both claim the CPUs {both}"));
                }
            }
        }
    }
    fn speeds(&self, found: &mut Found) {
        let frequency = |key| self.frequency(key);
        if let (Some((max, line)), Some((min, _))) = (frequency("max"), frequency("min"))
            && min > max
        {
            let what = format!("the least frequency, {min} MHz, is above the highest, {max} MHz");
            found.warn(line, what);
        }
        if let (Some((max, line)), Some((now, _))) = (frequency("max"), frequency("mhz"))
            && now > max * 1.01
        {
            let what =
                format!("the frequency is {now} MHz, and the highest is stated as {max} MHz");
            found.warn(line, what);
        }
        // acpi-cpufreq lists boost as one MHz above the nominal frequency.
        if let Some((max, line)) = frequency("max")
            && max > 1000.0
            && (max % 100.0 - 1.0).abs() < 1e-9
        {
            let what = format!(
                "{max} MHz is acpi-cpufreq's name for boost: the frequency may go well above it"
            );
            found.warn(line, what);
        }
        if let (Some((bogomips, _)), Some((now, line)), None, true) =
            (frequency("bogomips"), frequency("mhz"), frequency("max"), self.x86)
            && (now / (bogomips / 2.0) - 1.0).abs() > 0.03
        {
            let counter = bogomips / 2.0;
            found.warn(line, format!("the frequency was {now} MHz when lscpu looked, its counter runs at {counter:.0} MHz, and no highest frequency is stated: the frequency during other runs is not known"));
        }
    }
}

/// The fields of `-J`, with those below them.
fn fields(list: &serde_json::Value, depth: usize, lines: &mut Lines<'_>) {
    for field in list.as_array().into_iter().flatten().take(MOST_FIELDS) {
        let (name, data) = (field["field"].as_str(), field["data"].as_str());
        if let (Some(name), Some(data)) = (name, data) {
            lines.push(name, format!("{} {data}", name.trim_end_matches(':').to_owned() + ":"));
        }
        if depth < 8 {
            fields(&field["children"], depth + 1, lines);
        }
    }
}

/// Words that a kernel prints are of small letters, digits and underscores.
fn flags(line: u32, value: &str, found: &mut Found) {
    let strange: Vec<&str> = value
        .split_whitespace()
        .filter(|f| !f.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_'))
        .take(5)
        .collect();
    if !strange.is_empty() {
        let shown = tidy(&strange.join(", "));
        found.warn(line, format!("'{shown}' is no flag that a kernel prints, so a word was replaced: conclude nothing from flags that are absent"));
    }
}

/// A line's label and value, at the first colon of either width; bullets of a list are left out.
fn split(line: &str) -> Option<(String, &str)> {
    let line = line.trim_start().trim_start_matches(['-', '*', '•']).trim_start();
    let at = line.find([':', '：'])?;
    if at > 60 {
        return None;
    }
    let label: String =
        line[..at].chars().filter(|c| !c.is_whitespace()).flat_map(char::to_lowercase).collect();
    Some((label, line[at..].trim_start_matches([':', '：']).trim()))
}

fn label(line: &str) -> Option<((&'static str, &'static str), String)> {
    let (label, value) = split(line)?;
    let row = LABELS.lines().skip(1).find_map(|row| {
        let mut words = row.split_whitespace();
        let key_and_fact = (words.next()?, words.next()?);
        words.any(|word| word == label).then_some(key_and_fact)
    })?;
    (!value.is_empty()).then(|| (row, value.to_owned()))
}

/// `L1d cache`, `L2 缓存`, and `L1d` alone as the newest prints it.
fn cache(line: &str) -> Option<(String, String)> {
    let (label, value) = split(line)?;
    let name = label.strip_suffix("cache").or_else(|| label.strip_suffix("缓存")).unwrap_or(&label);
    let known = ["l1d", "l1i", "l1", "l2", "l2d", "l3", "l4"].contains(&name);
    (known && value.starts_with(|c: char| c.is_ascii_digit()))
        .then(|| (name.to_owned(), value.to_owned()))
}

/// `NUMA node0 CPU(s)`, `NUMA 节点0 CPU`.
fn node(line: &str) -> Option<(u32, String)> {
    let (label, value) = split(line)?;
    let rest = label.strip_prefix("numanode").or_else(|| label.strip_prefix("numa节点"))?;
    let id = rest.strip_suffix("cpu(s)").or_else(|| rest.strip_suffix("cpu"))?;
    id.parse().ok().filter(|id| *id < 4096).map(|id| (id, value.to_owned()))
}

#[cfg(test)]
mod tests {
    use crate::{Gathered, gathered::imported};
    use record::Provenance;

    #[test]
    fn kinds_of_core_are_named_once_and_cpuinfo_behind_them_is_none() {
        let kind = |name: &str| {
            format!(
                "Model name: {name}\nThread(s) per core: 1\nCore(s) per socket: 2\nSocket(s): 1\n"
            )
        };
        let text = format!(
            "Architecture: arm64\nCPU(s): 6\nVendor ID: ARM\n{}{}{}Processor: AArch64 Processor rev 2\nprocessor: 0\n",
            kind("Cortex-A55"),
            kind("Cortex-A76"),
            kind("Cortex-A76")
        );
        let machine = imported("a.txt", &text).machine;
        assert_eq!(machine.text("cpu.microarchitecture"), Some("Cortex-A55 + Cortex-A76"));
        assert_eq!(machine.text("cpu.model"), Some("Cortex-A55 + Cortex-A76"));
    }

    #[test]
    fn masks_are_read_as_lists_are() {
        let head = "Architecture: x86_64\nCPU(s): 12\nThread(s) per core: 2\nCore(s) per socket: 6\nSocket(s): 1\n";
        let read = |lists: &str| {
            let mut gathered = Gathered::default();
            gathered.add("a.txt", format!("{head}{lists}").as_bytes()).unwrap();
            gathered.record(Provenance::default()).machine.topology
        };
        let masks = read(
            "On-line CPU(s) mask: 7ff\nOff-line CPU(s) mask: 800\nNUMA node0 CPU(s): 3f\nNUMA node1 CPU(s): fc0\n",
        );
        let lists = read(
            "On-line CPU(s) list: 0-10\nOff-line CPU(s) list: 11\nNUMA node0 CPU(s): 0-5\nNUMA node1 CPU(s): 6-11\n",
        );
        assert_eq!((masks.cpus.len(), masks.online().len()), (12, 11));
        assert_eq!((masks.cpus, masks.nodes), (lists.cpus, lists.nodes));
    }

    /// The form of util-linux's test of a phone with three kinds of core.
    #[test]
    fn the_highest_frequency_is_that_of_any_kind_of_core() {
        let text = "Architecture: aarch64\nCPU(s): 8\nVendor ID: ARM\nModel name: Cortex-A510\nThread(s) per core: 1\nCore(s) per socket: 3\nSocket(s): 1\nCPU max MHz: 2016.0000\nCPU min MHz: 307.2000\nModel name: Cortex-X3\nThread(s) per core: 1\nCore(s) per socket: 1\nSocket(s): 1\nCPU max MHz: 3187.2000\nCPU min MHz: 595.2000\nModel name: Cortex-A710\nCPU max MHz: 2803.2000\n";
        let machine = imported("a.txt", text).machine;
        let hz = |name| machine.value(name).and_then(record::Value::number);
        assert_eq!(hz("cpu.frequency.max"), Some(3187.2e6));
        assert_eq!(hz("cpu.frequency.min"), Some(307.2e6));
    }
}
