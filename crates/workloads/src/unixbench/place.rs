//! The CPUs of each copy, and those of the two processes of a context switch.
use super::{Placement, Switch};
use measure::threads;
use record::{Case, CpuSet, Machine, Reason, param};

/// Copies at most: as many as a kernel has CPUs at most (NR_CPUS).
const MOST: u64 = 8192;

/// The CPUs of every copy; nothing where the scheduler may choose among all.
pub(super) fn places(case: &Case, machine: &Machine) -> Result<Vec<Option<CpuSet>>, Reason> {
    let copies = case.get(param::COPIES).unwrap_or(1).clamp(1, MOST) as usize;
    let name = case.get(param::PLACEMENT).unwrap_or_default();
    let placement = Placement::named(name)
        .ok_or_else(|| Reason::new(format!("there is no placement '{name}'")))?;
    let cpus = &case.place.cpus;
    let each: Vec<Option<CpuSet>> = match placement {
        // Fewer CPUs than there are were asked for.
        Placement::None if *cpus == machine.topology.usable() => vec![None],
        Placement::None | Placement::Range => vec![Some(cpus.clone())],
        Placement::OneToOne => {
            threads::pinned(in_order(machine, cpus)).into_iter().map(Some).collect()
        }
        Placement::Node => nodes(machine, cpus).into_iter().map(Some).collect(),
    };
    Ok(each.iter().cycle().take(copies).cloned().collect())
}

/// A CPU of every core first, then their siblings.
fn in_order(machine: &Machine, cpus: &CpuSet) -> Vec<u32> {
    let first = machine.topology.one_per_core();
    let (cores, siblings): (Vec<u32>, Vec<u32>) = cpus.iter().partition(|cpu| first.contains(*cpu));
    [cores, siblings].concat()
}

/// The chosen CPUs of every node; all of them together where no node is known.
fn nodes(machine: &Machine, cpus: &CpuSet) -> Vec<CpuSet> {
    let of = |id: u32| cpus.iter().filter(move |cpu| machine.topology.node_of(*cpu) == Some(id));
    let all = machine.topology.nodes.iter().map(|node| of(node.id).collect::<CpuSet>());
    let all: Vec<CpuSet> = all.filter(|set| !set.is_empty()).collect();
    if all.is_empty() { vec![cpus.clone()] } else { all }
}

/// The CPUs of the parent and of the child; nothing where they may be anywhere.
///
/// # Errors
/// There are no two CPUs of the kind.
pub(super) fn pair(
    switch: Switch,
    machine: &Machine,
    cpus: &CpuSet,
) -> Result<Option<(CpuSet, CpuSet)>, Reason> {
    let topology = &machine.topology;
    let one = |cpu: u32| -> CpuSet { [cpu].into_iter().collect() };
    let all: Vec<u32> = cpus.iter().collect();
    let first = all.first().copied().ok_or("there is no CPU to run on")?;
    let siblings = |a: u32, b: u32| topology.cpu(a).is_some_and(|c| c.siblings.contains(b));
    let find = |fits: &dyn Fn(u32, u32) -> bool| {
        all.iter().find_map(|a| {
            let b = all.iter().find(|b| a != *b && fits(*a, **b))?;
            Some((one(*a), one(*b)))
        })
    };
    let (found, what) = match switch {
        Switch::Free => return Ok(None),
        // By number, and by what is online, usable or not, as the version that has it does.
        Switch::Halves => {
            let online = topology.cpus.iter().filter(|cpu| cpu.online).count() as u32;
            let half = online / 2;
            let range = |from: u32, to: u32| (from..to).collect::<CpuSet>();
            return Ok((half > 0).then(|| (range(0, half), range(half, 2 * half))));
        }
        Switch::Same => return Ok(Some((one(first), one(first)))),
        Switch::Siblings => (find(&siblings), "threads of one core"),
        Switch::Node => {
            let node = |cpu| topology.node_of(cpu);
            (find(&|a, b| !siblings(a, b) && node(a) == node(b)), "cores of one node")
        }
        Switch::Nodes => {
            let node = |cpu| topology.node_of(cpu);
            let on_two = |a, b| node(a).zip(node(b)).is_some_and(|(a, b)| a != b);
            (find(&on_two), "on two nodes")
        }
    };
    found.map(Some).ok_or_else(|| {
        Reason::mended_by(
            format!("no two of the CPUs {cpus} are {what}"),
            "--cpus with such CPUs, where the machine has them",
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cpu, Node};
    use std::collections::BTreeMap;

    /// Two nodes of two cores of two threads: 0-3 and 4-7; siblings are neighbours.
    fn machine() -> Machine {
        let mut machine = Machine::default();
        for id in 0..8u32 {
            let siblings = [id & !1, id | 1].into_iter().collect();
            let (online, allowed, node) = (true, true, Some(id / 4));
            let cpu = Cpu { id, online, allowed, siblings, node, ..Cpu::default() };
            machine.topology.cpus.push(cpu);
        }
        for id in 0..2u32 {
            let cpus = (id * 4..id * 4 + 4).collect();
            machine.topology.nodes.push(Node { id, cpus, ..Node::default() });
        }
        machine
    }

    fn placed(copies: u64, placement: &str, cpus: &str) -> Vec<String> {
        let params = BTreeMap::from([
            ("copies".to_owned(), copies.into()),
            ("placement".to_owned(), placement.into()),
        ]);
        let place = record::Placement { cpus: cpus.parse().unwrap(), ..Default::default() };
        let case = Case { probe: "pipe".into(), version: 1, params, place, estimate: 1.0 };
        let shown = |set: Option<CpuSet>| set.map_or("anywhere".into(), |s| s.to_string());
        places(&case, &machine()).unwrap().into_iter().map(shown).collect()
    }

    #[test]
    fn cores_come_before_siblings_and_copies_go_round() {
        assert_eq!(placed(5, "one-to-one", "0-7"), ["0", "2", "4", "6", "1"]);
        assert_eq!(placed(3, "one-to-one", "2"), ["2", "2", "2"]);
    }

    #[test]
    fn none_is_anywhere_unless_fewer_cpus_were_chosen() {
        assert_eq!(placed(2, "none", "0-7"), ["anywhere", "anywhere"]);
        assert_eq!(placed(1, "none", "0-3"), ["0-3"]);
        assert_eq!(placed(2, "range", "0-7"), ["0-7", "0-7"]);
        assert_eq!(placed(3, "node", "0-7"), ["0-3", "4-7", "0-3"]);
        assert_eq!(placed(1, "node", "5-7"), ["5-7"]);
    }

    #[test]
    fn two_processes_are_as_near_as_asked_for() {
        let machine = machine();
        let all: CpuSet = "0-7".parse().unwrap();
        let of = |switch, cpus: &CpuSet| {
            pair(switch, &machine, cpus).map(|p| p.map(|(a, b)| format!("{a} {b}")))
        };
        let shown = |switch| of(switch, &all).unwrap().unwrap_or_default();
        let found = Switch::ALL.map(shown);
        assert_eq!(found, ["", "0-3 4-7", "0 0", "0 1", "0 2", "0 4"]);
        let cores: CpuSet = "0,2".parse().unwrap();
        assert!(of(Switch::Siblings, &cores).unwrap_err().why.contains("threads of one core"));
        assert!(of(Switch::Nodes, &cores).unwrap_err().remedy.is_some());
    }
}
