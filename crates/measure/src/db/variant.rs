//! Ways to have servers on the same cores: one or several, pinned or not, by a socket or by TCP. Each is measured on every step,
//! in turn with the others, so that they can be compared. Pure.
use super::{Pin, Wish};
use record::{CpuSet, Machine, Reason};

/// One way to have them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variant {
    /// Servers that share the CPUs and the data.
    pub(super) instances: u64,
    pub(super) pin: Pin,
    /// `socket` or `tcp`, where it was said.
    pub(super) transport: Option<String>,
    /// What it is called beside the others; nothing if there are no others.
    pub(super) name: Option<String>,
}

/// Those that were asked for, the plain one first.
///
/// # Errors
/// The engine is no server that is started for the purpose.
pub(super) fn variants(wish: &Wish, starts_servers: bool) -> Result<Vec<Variant>, Reason> {
    let asked = |all: usize, plain: bool| all > 1 || !plain;
    let several = asked(wish.instances.len(), wish.instances.iter().all(|n| *n == 1));
    let floats = asked(wish.pins.len(), wish.pins.iter().all(|pin| *pin == Pin::Cores));
    let spoken = wish.transports.len() > 1;
    if !starts_servers && (several || floats || !wish.transports.is_empty()) {
        return Err(Reason::mended_by(
            "instances, pinning and transport are those of a server that is started for the purpose",
            "--engine mariadb, or without --instances, --pin and --transport",
        ));
    }
    let instances = if wish.instances.is_empty() { &[1][..] } else { &wish.instances };
    let pins = if wish.pins.is_empty() { &[Pin::Cores][..] } else { &wish.pins };
    let transports: Vec<Option<&String>> = match wish.transports.is_empty() {
        true => vec![None],
        false => wish.transports.iter().map(Some).collect(),
    };
    let mut all = vec![];
    for instances in instances {
        for pin in pins {
            for transport in &transports {
                let servers = match instances {
                    1 => "1 server".to_owned(),
                    n => format!("{n} servers"),
                };
                let pinned = if *pin == Pin::Cores { "pinned" } else { "unpinned" };
                let over = if transport.is_some_and(|t| t == "tcp") { "TCP" } else { "socket" };
                let words: Vec<String> = [
                    several.then_some(servers),
                    floats.then(|| pinned.to_owned()),
                    spoken.then(|| over.to_owned()),
                ]
                .into_iter()
                .flatten()
                .collect();
                let name = (!words.is_empty()).then(|| words.join(", "));
                let transport = transport.cloned();
                let variant = Variant { instances: *instances, pin: *pin, transport, name };
                if !all.contains(&variant) {
                    all.push(variant);
                }
            }
        }
    }
    Ok(all)
}

/// The CPUs of each of so many servers, whole cores and neighbours; nothing where they cannot have equally many.
pub(super) fn parts(machine: &Machine, cpus: &CpuSet, instances: usize) -> Option<Vec<CpuSet>> {
    let instances = instances.max(1);
    let of = |cpu: u32| {
        let known = machine.topology.cpu(cpu);
        let package = known.and_then(|c| c.package);
        (package, machine.topology.node_of(cpu), known.and_then(|c| c.core))
    };
    let mut cores: Vec<CpuSet> = vec![];
    for cpu in cpus.iter() {
        let sibling = |core: &&mut CpuSet| {
            let siblings = machine.topology.cpu(cpu).map(|c| &c.siblings);
            siblings.is_some_and(|all| !all.intersection(core).is_empty())
        };
        match cores.iter_mut().find(sibling) {
            Some(core) => core.insert(cpu),
            None => cores.push([cpu].into_iter().collect()),
        }
    }
    if cores.is_empty() || !cores.len().is_multiple_of(instances) {
        return None;
    }
    cores.sort_by_key(|core| core.first().map(of));
    let each = cores.len() / instances;
    let joined = |group: &[CpuSet]| group.iter().flat_map(CpuSet::iter).collect::<CpuSet>();
    let parts: Vec<CpuSet> = cores.chunks(each).map(joined).collect();
    parts.iter().all(|part| part.len() == parts[0].len()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_is_named_by_what_tells_it_from_the_others() {
        let names = |change: &dyn Fn(&mut Wish)| {
            let mut wish = Wish::small();
            change(&mut wish);
            let all = variants(&wish, true).unwrap();
            all.into_iter().map(|v| v.name.unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(names(&|_| ()), [""]);
        assert_eq!(names(&|w| w.instances = vec![1, 2, 1]), ["1 server", "2 servers"]);
        assert_eq!(names(&|w| w.instances = vec![2]), ["2 servers"]);
        assert_eq!(names(&|w| w.pins = vec![Pin::Cores]), [""]);
        assert_eq!(names(&|w| w.transports = vec!["tcp".into()]), [""], "it is in the settings");
        assert_eq!(
            names(&|w| {
                w.pins = vec![Pin::Cores, Pin::None];
                w.transports = vec!["socket".into(), "tcp".into()];
            }),
            ["pinned, socket", "pinned, TCP", "unpinned, socket", "unpinned, TCP"]
        );
        let wish = Wish { instances: vec![1, 2], ..Wish::small() };
        assert!(variants(&wish, false).is_err_and(|why| why.remedy.is_some()));
        assert_eq!(variants(&Wish::small(), false).unwrap().len(), 1);
    }

    #[test]
    fn servers_have_whole_cores_that_lie_together() {
        let mut machine = Machine::default();
        for id in 0..16u32 {
            let core = id % 8;
            // Cores of two sockets, numbered in turn.
            machine.topology.cpus.push(record::Cpu {
                id,
                online: true,
                allowed: true,
                core: Some(core),
                package: Some(core % 2),
                siblings: [core, core + 8].into_iter().collect(),
                ..record::Cpu::default()
            });
        }
        let of = |cpus: &str, instances| {
            let parts = parts(&machine, &cpus.parse().unwrap(), instances)?;
            Some(parts.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(of("0-15", 2).unwrap(), ["0,2,4,6,8,10,12,14", "1,3,5,7,9,11,13,15"]);
        assert_eq!(of("0-3", 4).unwrap(), ["0", "2", "1", "3"]);
        assert_eq!(of("0-3", 1).unwrap(), ["0-3"]);
        assert_eq!(of("0,8", 2), None, "siblings are one core");
        assert_eq!(of("0-2", 2), None);
        assert_eq!(of("0,1,8", 2), None, "two threads and one are not equally many");
        assert_eq!(of("0", 2), None);
    }
}
