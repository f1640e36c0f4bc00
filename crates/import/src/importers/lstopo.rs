//! hwloc's XML (`lstopo --of xml`), versions 1 and 2: packages, dies, cores, CPUs, caches, NUMA nodes with their
//! distances, memory attributes, and what made the machine. The host's name and serial numbers are left out.
//!
//! Limits: what hwloc was allowed to see; in a container or a guest that is not the machine. Memory attributes may be the
//! firmware's and not measured.
//! Source: hwloc, doc of the XML format, hwloc.dtd and hwloc2.dtd.
use crate::prelude::*;
use record::{Cache, CacheKind, Cpu, CpuSet, Node};
use roxmltree::{Document, Node as Element};
use std::{collections::BTreeMap, iter::successors};

pub(crate) static IMPORTER: Importer = Importer::new("lstopo", recognises, read);

/// CPUs named in all sets together: 8192 CPUs in a hundred sets each.
const MOST_MEMBERS: usize = 1_000_000;
/// Nested deeper than any machine, and not deep enough to exhaust a stack.
const DEEPEST: usize = 64;

fn recognises(text: &Text) -> bool {
    let whole = text.whole().trim_start();
    whole.starts_with('<') && whole.contains("<topology") && whole.contains("<object type=")
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let document = text.xml(true)?;
    let root = document.root_element();
    let (mut objects, mut seen) = (vec![], Seen::default());
    for element in root.children().filter(|c| c.has_tag_name("object")) {
        collect(element, None, 0, &mut objects)?;
    }
    let put = seen.put(&objects);
    put.map_err(|(at, why)| Problem::at(document.text_pos_at(at).row, why))?;
    Problem::when(seen.cpus.is_empty(), "no CPU is in it")?;
    for info in root.descendants().filter(|d| d.has_tag_name("info")) {
        about(info, &document, found);
    }
    seen.order();
    distances(root, &mut seen.nodes, &document, found);
    attributes(root, &seen.nodes, found);
    seen.keep(found);
    Ok(())
}

/// An object of the tree.
pub(super) struct Object<'a> {
    /// Where it stands: a byte of XML, a line of text.
    pub(super) at: usize,
    /// `Package`, `L3`, `NUMANode`.
    pub(super) kind: &'a str,
    pub(super) number: Option<u32>,
    pub(super) parent: Option<usize>,
    /// The CPUs in it.
    pub(super) cpus: CpuSet,
    /// Whether hwloc was allowed to use it.
    pub(super) allowed: bool,
    /// A cache's level, and what it holds.
    pub(super) cache: Option<(u32, CacheKind)>,
    /// Size of a cache or a node.
    pub(super) bytes: Option<u64>,
    pub(super) line: Option<u32>,
    pub(super) ways: Option<u32>,
}

/// What the objects describe.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) cpus: Vec<Cpu>,
    pub(super) caches: Vec<Cache>,
    pub(super) nodes: Vec<Node>,
    /// CPUs in all sets so far.
    members: usize,
}

fn number<T: std::str::FromStr>(e: Element<'_, '_>, name: &str) -> Option<T> {
    e.attribute(name)?.parse().ok()
}

impl Seen {
    /// Sets that name CPUs over and over would cost gigabytes.
    pub(super) fn spend(&mut self, members: usize) -> Result<(), String> {
        self.members += members + 1;
        match self.members > MOST_MEMBERS {
            true => Err(format!("its sets name more than {MOST_MEMBERS} CPUs")),
            false => Ok(()),
        }
    }
    /// Puts CPUs and nodes in order, and the CPUs on their nodes.
    pub(super) fn order(&mut self) {
        self.cpus.sort_unstable_by_key(|c| c.id);
        self.cpus.dedup_by_key(|c| c.id);
        self.nodes.sort_unstable_by_key(|n| n.id);
        self.nodes.dedup_by_key(|n| n.id);
        for node in &self.nodes {
            for cpu in self.cpus.iter_mut().filter(|c| node.cpus.contains(c.id)) {
                cpu.node = cpu.node.or(Some(node.id));
            }
        }
    }
    pub(super) fn keep(self, found: &mut Found) {
        let t = &mut found.machine.topology;
        (t.cpus, t.caches, t.nodes) = (self.cpus, self.caches, self.nodes);
        found.topology_read(&["cpus", "caches", "nodes"], 1);
    }
    /// Adds the CPUs, nodes and caches of a tree. An error says where the object stands.
    pub(super) fn put(&mut self, all: &[Object<'_>]) -> Result<(), (usize, String)> {
        all.iter().try_for_each(|object| self.one(all, object).map_err(|why| (object.at, why)))
    }
    fn one(&mut self, all: &[Object<'_>], object: &Object<'_>) -> Result<(), String> {
        self.spend(object.cpus.len())?;
        // The nearest object around this one that is of a kind.
        let around = |kinds: &[&str]| {
            let above = |of: &Object<'_>| of.parent.map(|at| &all[at]);
            successors(above(object), |of| above(of)).find(|of| kinds.contains(&of.kind))
        };
        match (object.kind, object.number) {
            ("PU", number) => {
                let id = number.ok_or("a PU without a number")?;
                let core = around(&["Core"]);
                let mut siblings = core.map_or_else(CpuSet::default, |core| core.cpus.clone());
                self.spend(siblings.len())?;
                siblings.insert(id);
                self.cpus.push(Cpu {
                    id,
                    online: true,
                    allowed: object.allowed,
                    package: around(&["Package", "Socket"]).and_then(|package| package.number),
                    die: around(&["Die"]).and_then(|die| die.number),
                    core: core.and_then(|core| core.number),
                    siblings,
                    ..Cpu::default()
                });
            }
            (kind, Some(id)) if kind.starts_with("NUMANode") => {
                let (cpus, bytes) = (object.cpus.clone(), object.bytes);
                self.nodes.push(Node { id, cpus, bytes, ..Node::default() });
            }
            _ => {
                let Object { bytes, line, ways, .. } = *object;
                let cache = |(level, kind)| Cache {
                    level,
                    kind,
                    bytes,
                    line,
                    ways,
                    cpus: object.cpus.clone(),
                };
                self.caches.extend(object.cache.map(cache));
            }
        }
        Ok(())
    }
}

/// Adds an element and those in it.
fn collect<'a>(
    e: Element<'a, '_>,
    parent: Option<usize>,
    depth: usize,
    all: &mut Vec<Object<'a>>,
) -> Result<(), Problem> {
    if depth > DEEPEST {
        return Err(Problem::whole(format!("its objects are nested deeper than {DEEPEST}")));
    }
    let (at, kind) = (e.range().start, e.attribute("type").unwrap_or(""));
    let level = number(e, "depth")
        .or_else(|| kind.trim_start_matches('L').chars().next()?.to_digit(10))
        .filter(|level| kind.ends_with("Cache") && (1..=8).contains(level));
    let holds = match e.attribute("cache_type") {
        Some("1") => CacheKind::Data,
        Some("2") => CacheKind::Instruction,
        _ => CacheKind::Unified,
    };
    let has_set = level.is_some() || ["Core", "NUMANode"].contains(&kind);
    let set = e.attribute("cpuset").filter(|set| has_set && !set.is_empty());
    // `0xf...f` is an infinite set.
    let cpus = set.map_or(Ok(CpuSet::default()), CpuSet::from_mask).map_err(|_| {
        let shown = tidy(set.unwrap_or_default()).chars().take(60).collect::<String>();
        Problem::at(e.document().text_pos_at(at).row, format!("'{shown}' is no set of CPUs"))
    })?;
    let size = if kind == "NUMANode" { "local_memory" } else { "cache_size" };
    all.push(Object {
        at,
        kind,
        number: number(e, "os_index").filter(|i| *i <= CpuSet::MAX),
        parent,
        cpus,
        allowed: true,
        cache: level.map(|level| (level, holds)),
        bytes: number(e, size).filter(|bytes: &u64| *bytes > 0),
        line: number(e, "cache_linesize").filter(|l: &u32| *l > 0),
        ways: number(e, "cache_associativity").filter(|w: &u32| *w > 0),
    });
    let own = all.len() - 1;
    let mut inside = e.children().filter(|c| c.has_tag_name("object"));
    inside.try_for_each(|child| collect(child, Some(own), depth + 1, all))
}

pub(super) const INFO: &FactTable = &[
    ("CPUModel", "cpu.model", Kind::Words),
    ("CPUVendor", "cpu.vendor", Kind::Words),
    // Of Arm, where the register's parts stand in the place of names.
    ("CPUImplementer", "cpu.vendor", Kind::Words),
    ("CPUPart", "cpu.model", Kind::Words),
    ("CPUFamilyNumber", "cpu.family", Kind::Integer),
    ("CPUModelNumber", "cpu.model_number", Kind::Integer),
    ("CPUStepping", "cpu.stepping", Kind::Integer),
    ("Architecture", "kernel.arch", Kind::Words),
    ("OSRelease", "kernel.release", Kind::Words),
    ("DMIProductName", "system.product", Kind::Words),
    ("DMISysVendor", "system.vendor", Kind::Words),
    ("DMIBoardVendor", "board.vendor", Kind::Words),
    ("DMIBoardName", "board.product", Kind::Words),
    ("DMIBIOSVersion", "bios.version", Kind::Words),
    ("DMIBIOSVendor", "bios.vendor", Kind::Words),
    ("DMIBIOSDate", "bios.date", Kind::Words),
];

/// Keeps a fact of the machine. Host names and serial numbers are left out.
fn about(info: Element<'_, '_>, document: &Document<'_>, found: &mut Found) {
    let (Some(name), Some(value)) = (info.attribute("name"), info.attribute("value")) else {
        return;
    };
    let line = document.text_pos_at(info.range().start).row;
    if name == "hwlocVersion" {
        found.version(value);
    }
    facts(INFO, |known| (known == name).then_some(Field { line, name, value }), found);
}

/// Measured or stated speeds between CPUs and nodes: `hwloc-annotate` adds such values to a file.
/// Nanoseconds, and MiB a second.
const ATTRIBUTES: &[(&str, Quantity, f64)] =
    &[("Latency", seconds(Metric::IdleLatency), 1e-9), ("ReadBandwidth", BANDWIDTH, 1_048_576.0)];

/// Values from the CPUs of one node to the memory of one.
fn attributes(root: Element<'_, '_>, nodes: &[Node], found: &mut Found) {
    let ids: BTreeMap<&str, u32> = root
        .descendants()
        .filter(|d| d.has_tag_name("object") && d.attribute("type") == Some("NUMANode"))
        .filter_map(|d| Some((d.attribute("gp_index")?, number(d, "os_index")?)))
        .collect();
    let mut case = None;
    for attribute in root.children().filter(|c| c.has_tag_name("memattr")) {
        let name = attribute.attribute("name");
        let Some((_, quantity, scale)) = ATTRIBUTES.iter().find(|(n, _, _)| Some(*n) == name)
        else {
            continue;
        };
        let line = root.document().text_pos_at(attribute.range().start).row;
        let values = attribute.children().filter(|c| c.has_tag_name("memattr_value"));
        for value in values.take(nodes.len().saturating_mul(nodes.len())) {
            let from = match value.attribute("initiator_cpuset") {
                Some(cpus) => CpuSet::from_mask(cpus).ok().and_then(|cpus| {
                    nodes.iter().find(|n| !cpus.is_empty() && n.cpus == cpus).map(|n| n.id)
                }),
                None => {
                    value.attribute("initiator_obj_gp_index").and_then(|gp| ids.get(gp).copied())
                }
            };
            let to = value.attribute("target_obj_gp_index").and_then(|gp| ids.get(gp));
            let amount = value.attribute("value").and_then(crate::number::number);
            let (Some(from), Some(to), Some(amount)) = (from, to, amount) else { continue };
            let case = *case.get_or_insert_with(|| found.case(line, ProbeId::NumaMatrix, &[]));
            let at = [("from", Value::from(from)), ("to", Value::from(*to))];
            found.series(case, *quantity, &at, &[amount * scale]);
        }
    }
}

/// The matrix that firmware states, in either version of the format.
fn distances(
    root: Element<'_, '_>,
    nodes: &mut [Node],
    document: &Document<'_>,
    found: &mut Found,
) {
    let is = |e: &Element<'_, '_>| {
        (e.has_tag_name("distances2") && e.attribute("type") == Some("NUMANode"))
            || e.has_tag_name("distances")
    };
    let Some(matrix) = root.descendants().find(is) else { return };
    let line = document.text_pos_at(matrix.range().start).row;
    let n = nodes.len();
    let words = |tag: &str| -> Vec<f64> {
        let all = matrix.children().filter(|c| c.has_tag_name(tag)).filter_map(|c| c.text());
        let words = all.flat_map(str::split_whitespace).take(1 << 20);
        words.filter_map(crate::number::number).collect()
    };
    let mut values = words("u64values");
    let indexes = words("indexes");
    if values.is_empty() {
        let value = |e: Element<'_, '_>, name| e.attribute(name).and_then(crate::number::number);
        let base = value(matrix, "latency_base").unwrap_or(1.0);
        let cells = matrix.children().filter(|c| c.has_tag_name("latency"));
        values = cells.filter_map(|c| Some((value(c, "value")? * base).round())).collect();
    }
    let ours: Vec<f64> = nodes.iter().map(|n| f64::from(n.id)).collect();
    let fits = values.len() == n * n && (indexes.is_empty() || indexes == ours);
    if !fits || values.iter().any(|v| !(1.0..=255.0).contains(v)) {
        found.warn(line, "the matrix of distances does not fit the NUMA nodes: it is left out");
        return;
    }
    for (node, row) in nodes.iter_mut().zip(values.chunks(n)) {
        node.distances = row.iter().map(|v| *v as u32).collect();
    }
}
