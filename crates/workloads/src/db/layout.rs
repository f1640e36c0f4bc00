//! Layouts of servers on the same cores: one or several, pinned or not, by socket or TCP. All layouts are measured on
//! every scaling point, interleaved. Pure.
use super::options::{DatabaseOptions, Pinning};
use database::options::Transport;
use record::{CpuSet, Machine, Reason, Sort};

/// A layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerLayout {
    /// Servers that share the CPUs and the data.
    pub(super) instances: u64,
    pub(super) pinning: Pinning,
    /// `None`: the default.
    pub(super) transport: Option<Transport>,
    /// The name that distinguishes it from the other layouts; `None` if there are none.
    pub(super) name: Option<String>,
}

/// All combinations of two lists.
pub(super) fn combinations<A: Clone, B: Clone>(a: &[A], b: &[B]) -> Vec<(A, B)> {
    a.iter().flat_map(|x| b.iter().map(move |y| (x.clone(), y.clone()))).collect()
}

/// The list, or the default if it is empty.
pub(super) fn or_default<T: Clone>(list: &[T], default: T) -> Vec<T> {
    if list.is_empty() { vec![default] } else { list.to_vec() }
}

/// The layouts of the options, the default first.
///
/// # Errors
/// The engine does not start servers.
pub(super) fn layouts(
    options: &DatabaseOptions,
    starts_servers: bool,
) -> Result<Vec<ServerLayout>, Reason> {
    let instances = or_default(&options.instances, 1);
    let pinning = or_default(&options.pinning, Pinning::Cores);
    let transports: Vec<Option<Transport>> = options.transports.iter().copied().map(Some).collect();
    let transports = or_default(&transports, None);
    let several = instances != [1];
    let varies_pinning = pinning != [Pinning::Cores];
    let varies_transport = transports.len() > 1;
    if !starts_servers && (several || varies_pinning || transports != [None]) {
        return Err(Reason::mended_by(
            "instances, pinning and transport are options of a server that is started for the run",
            "--engine mariadb, or without --instances, --pin and --transport",
        ));
    }
    let all = combinations(&combinations(&instances, &pinning), &transports);
    let layouts = all.into_iter().map(|((instances, pinning), transport)| {
        let servers = if instances == 1 { "1 server" } else { &format!("{instances} servers") };
        let pinned = if pinning == Pinning::Cores { "pinned" } else { "unpinned" };
        let over = if transport == Some(Transport::Tcp) { "TCP" } else { "socket" };
        let words = [(several, servers), (varies_pinning, pinned), (varies_transport, over)];
        let words: Vec<&str> = words.iter().filter(|(varies, _)| *varies).map(|w| w.1).collect();
        let name = (!words.is_empty()).then(|| words.join(", "));
        ServerLayout { instances, pinning, transport, name }
    });
    Ok(record::distinct(layouts))
}

/// The CPUs of each server: whole neighbouring cores. `None` where servers cannot have equal parts.
pub(super) fn parts(machine: &Machine, cpus: &CpuSet, instances: usize) -> Option<Vec<CpuSet>> {
    let instances = instances.max(1);
    let position = |cpu: u32| {
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
    cores.order_by_key(|core| core.first().map(position));
    let each = cores.len() / instances;
    let joined = |group: &[CpuSet]| group.iter().flat_map(CpuSet::iter).collect::<CpuSet>();
    let parts: Vec<CpuSet> = cores.chunks(each).map(joined).collect();
    parts.iter().all(|part| part.len() == parts[0].len()).then_some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layouts_are_named_by_what_varies() {
        let names = |change: &dyn Fn(&mut DatabaseOptions)| {
            let mut options = DatabaseOptions::default();
            change(&mut options);
            let all = layouts(&options, true).unwrap();
            all.into_iter().map(|v| v.name.unwrap_or_default()).collect::<Vec<_>>()
        };
        assert_eq!(names(&|_| ()), [""]);
        assert_eq!(names(&|w| w.instances = vec![1, 2, 1]), ["1 server", "2 servers"]);
        assert_eq!(names(&|w| w.instances = vec![2]), ["2 servers"]);
        assert_eq!(names(&|w| w.pinning = vec![Pinning::Cores]), [""]);
        assert_eq!(names(&|w| w.transports = vec![Transport::Tcp]), [""], "it is in the settings");
        assert_eq!(
            names(&|w| {
                w.pinning = vec![Pinning::Cores, Pinning::None];
                w.transports = vec![Transport::Socket, Transport::Tcp];
            }),
            ["pinned, socket", "pinned, TCP", "unpinned, socket", "unpinned, TCP"]
        );
        let options = DatabaseOptions { instances: vec![1, 2], ..DatabaseOptions::default() };
        assert!(layouts(&options, false).is_err_and(|why| why.remedy.is_some()));
        assert_eq!(layouts(&DatabaseOptions::default(), false).unwrap().len(), 1);
    }

    #[test]
    fn servers_have_whole_neighbouring_cores() {
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
        let parts_of = |cpus: &str, instances| {
            let parts = parts(&machine, &cpus.parse().unwrap(), instances)?;
            Some(parts.iter().map(ToString::to_string).collect::<Vec<_>>())
        };
        assert_eq!(parts_of("0-15", 2).unwrap(), ["0,2,4,6,8,10,12,14", "1,3,5,7,9,11,13,15"]);
        assert_eq!(parts_of("0-3", 4).unwrap(), ["0", "2", "1", "3"]);
        assert_eq!(parts_of("0-3", 1).unwrap(), ["0-3"]);
        assert_eq!(parts_of("0,8", 2), None, "siblings are one core");
        assert_eq!(parts_of("0-2", 2), None);
        assert_eq!(parts_of("0,1,8", 2), None, "two threads and one are not equally many");
        assert_eq!(parts_of("0", 2), None);
    }
}
