//! Caches of architectures that do not list them in sysfs's `cache` folders: s390 prints them in /proc/cpuinfo
//! (`arch/s390/kernel/cache.c`), SPARC as files of each CPU (`arch/sparc/kernel/sysfs.c`).
use crate::{
    evidence::{CPUINFO, Evidence},
    reading::Files,
};
use record::{Cache, CacheKind, CpuSet, Machine, Reason, Topology, Unit};

/// One cache as s390 prints it.
#[derive(Debug, PartialEq)]
struct Line {
    level: u32,
    kind: CacheKind,
    private: bool,
    bytes: Option<u64>,
    line: Option<u32>,
    ways: Option<u32>,
}

/// `level=1 type=Data scope=Private size=128K line_size=256 associativity=8`.
fn parse(text: &str) -> Option<Line> {
    let get = |key: &str| {
        text.split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='))
    };
    let number = |key: &str| get(key)?.parse().ok().filter(|n: &u32| *n > 0);
    Some(Line {
        level: number("level").filter(|level| *level <= 9)?,
        kind: crate::caches::kind(get("type")?)?,
        private: get("scope")? == "Private",
        bytes: crate::caches::size(get("size")?),
        line: number("line_size"),
        ways: number("associativity"),
    })
}

fn lines(evidence: &Evidence<'_>) -> Vec<Line> {
    (0..16).map_while(|i| evidence.cpuinfo.get(&[&format!("cache{i}")])).filter_map(parse).collect()
}

/// Private caches of each core; sysfs lists the same ones where it lists any.
pub(crate) fn private(evidence: &Evidence<'_>, topology: &mut Topology) {
    let listed: Vec<Line> = lines(evidence).into_iter().filter(|line| line.private).collect();
    for line in listed {
        for cpus in cores(topology) {
            let Line { level, kind, bytes, line, ways, .. } = line;
            topology.caches.push(Cache { level, kind, bytes, line, ways, cpus });
        }
    }
    if !topology.caches.is_empty() {
        topology.read("caches", CPUINFO);
    }
}

/// A shared cache of s390 has a size and no list of CPUs, so it gives facts and no instances.
pub(crate) fn shared(evidence: &Evidence<'_>, machine: &mut Machine) {
    let caches = &machine.topology.caches;
    let unlisted: Vec<Line> = lines(evidence)
        .into_iter()
        .filter(|line| !line.private)
        .filter(|line| !caches.iter().any(|c| c.level == line.level && c.kind == line.kind))
        .collect();
    for line in &unlisted {
        let name = crate::caches::fact(line.level, line.kind);
        if let Some(bytes) = line.bytes {
            machine.set_in(&format!("{name}.each"), bytes, Unit::Bytes, CPUINFO);
        }
        let why = Reason::new("the kernel states this cache's size, not which CPUs share it");
        machine.unknown(&format!("{name}.instances"), why.clone(), CPUINFO);
        machine.unknown(&format!("{name}.total"), why, CPUINFO);
    }
    if !unlisted.is_empty() {
        let why = "caches that several cores share are stated by size only, not by who shares them";
        machine.topology.lack("caches.sharing", why);
    }
}

/// SPARC's files name sizes and lines of one CPU's caches; the threads of a core share them.
pub(crate) fn sparc(files: Files<'_>, topology: &mut Topology) {
    const KINDS: [(&str, u32, CacheKind); 3] = [
        ("l1_dcache", 1, CacheKind::Data),
        ("l1_icache", 1, CacheKind::Instruction),
        ("l2_cache", 2, CacheKind::Unified),
    ];
    for cpus in cores(topology) {
        let Some(first) = cpus.first() else { continue };
        let dir = format!("/sys/devices/system/cpu/cpu{first}");
        for (name, level, kind) in KINDS {
            let Ok(text) = files.line(&format!("{dir}/{name}_size")) else { continue };
            let line = files.small(&format!("{dir}/{name}_line_size")).ok().filter(|n| *n > 0);
            let (bytes, cpus) = (crate::caches::size(&text), cpus.clone());
            topology.caches.push(Cache { level, kind, bytes, line, ways: None, cpus });
        }
    }
    if !topology.caches.is_empty() {
        let source = "/sys/devices/system/cpu/cpu*/*cache_size";
        topology.read("caches", source);
    }
}

fn cores(topology: &Topology) -> Vec<CpuSet> {
    let online = topology.online();
    let first = |cpu: &&record::Cpu| {
        cpu.online && cpu.siblings.intersection(&online).first() == Some(cpu.id)
    };
    topology.cpus.iter().filter(first).map(|cpu| cpu.siblings.intersection(&online)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mainframe_s_line() {
        let line = parse("level=4 type=Unified scope=Shared size=491520K line_size=256").unwrap();
        assert_eq!((line.level, line.bytes, line.private), (4, Some(491_520 << 10), false));
        assert_eq!((line.line, line.ways), (Some(256), None));
        for odd in ["", "level=0 type=Data scope=Private size=1K", "level=1 type=Odd size=1K"] {
            assert_eq!(parse(odd), None, "{odd}");
        }
    }
}
