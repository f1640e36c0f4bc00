//! Cores to instances: as many as asked for or as fit, each in the tightest domain that holds it, spread evenly over nodes.
use super::{Basis, Draft, Per, Request, cores::Core, sockets};
use crate::say;
use record::{Message, Reason, Sort, Text};
use std::cmp::Reverse;
use std::collections::BTreeSet;

pub(super) const ABOUT: Message = say::ABOUT_INSTANCES;

/// Nested domains, tightest first.
const LEVELS: [fn(&Core) -> u64; 4] = [
    |c| c.die as u64,
    |c| c.node.map_or(u64::MAX, u64::from),
    |c| c.socket.map_or(u64::MAX, u64::from),
    |_| 0,
];
const NODE: usize = 1;
const SOCKET: usize = 2;
const MACHINE: usize = 3;

/// The cores of each instance. `alike`: memory takes the same time from everywhere; `stated`: how many sockets the machine has.
pub(super) fn allot(
    cores: &[Core],
    ask: &Request,
    (alike, stated): (bool, usize),
    draft: &mut Draft,
) -> Result<Vec<Vec<Core>>, Reason> {
    let fastest: Vec<Core> = {
        let best = cores.iter().map(|c| c.kind).min().unwrap_or(0);
        cores.iter().filter(|c| c.kind == best).cloned().collect()
    };
    if let Some(per) = ask.per {
        let unknown = per == Per::Socket && cores.iter().any(|c| c.socket.is_none());
        if unknown && stated != 1 {
            return Err(sockets::unknown(cores));
        }
        return Ok(parts(cores, per, ask, draft));
    }
    let (each, instances) = match (ask.instances, ask.cores) {
        (Some(0), _) | (_, Some(0)) => {
            return Err(Reason::new(say::PLACE_ONE_CORE_AT_LEAST));
        }
        (Some(n), Some(k)) => {
            draft.choose(ABOUT, say::place_instances_asked(n, k), Basis::Asked);
            (k, n)
        }
        (Some(n), None) => {
            let pool = if n <= fastest.len() { &fastest } else { cores };
            let each = largest(pool, n);
            if each == 0 {
                return Err(too_many(cores.len(), n, 1));
            }
            draft.choose(ABOUT, say::place_instances_largest(n, each), Basis::Asked);
            (each, n)
        }
        (None, Some(k)) => {
            let n = capacity(&fastest, k, &LEVELS).max(1);
            draft.choose(ABOUT, say::place_instances_fit(k, n), Basis::Asked);
            (k, n)
        }
        (None, None) => return Ok(automatic(&fastest, alike, stated, draft)),
    };
    let mut free: Vec<Core> =
        if each * instances <= fastest.len() { fastest } else { cores.to_vec() };
    let total = free.len();
    let mut groups: Vec<Vec<Core>> = vec![];
    // A node's first core is left out where not all are needed.
    if each * instances == total {
        free.iter_mut().for_each(|core| core.first = false);
    }
    for _ in 0..instances {
        let Some(group) = take(&mut free, each, &groups) else {
            return Err(too_many(total, instances, each));
        };
        groups.push(group);
    }
    // Numbers follow the machine.
    groups.order_by_key(|g| g.iter().filter_map(|c| c.cpus.first()).min());
    Ok(groups)
}

fn too_many(cores: usize, instances: usize, each: usize) -> Reason {
    Reason::mended_by(say::place_too_many(instances, each, cores), say::PLACE_TOO_MANY_DO)
}

/// One for each part, with all of its cores.
fn parts(cores: &[Core], per: Per, ask: &Request, draft: &mut Draft) -> Vec<Vec<Core>> {
    type Said = fn(usize) -> Text;
    type Domain = fn(&Core) -> u64;
    let (said, of): (Said, Domain) = match per {
        Per::Socket => (say::place_each_socket, LEVELS[SOCKET]),
        Per::Node => (say::place_each_node, LEVELS[NODE]),
        Per::Die => (say::place_each_die, LEVELS[0]),
        Per::Core => (say::place_each_core, |c| c.cpus.first().map_or(0, u64::from)),
    };
    let mut groups = grouped(cores, of);
    if let Some(k) = ask.cores {
        groups.iter_mut().for_each(|g| {
            g.order_by_key(|c| (c.kind, c.first));
            g.truncate(k.max(1));
        });
    }
    if let Some(n) = ask.instances {
        groups.truncate(n.max(1));
    }
    draft.choose(ABOUT, said(groups.len()), Basis::Asked);
    groups
}

/// One for each node; where memory is alike everywhere or the nodes hide, one for each socket.
fn automatic(cores: &[Core], alike: bool, stated: usize, draft: &mut Draft) -> Vec<Vec<Core>> {
    let number = |level: usize| cores.iter().map(LEVELS[level]).collect::<BTreeSet<_>>().len();
    let (nodes, sockets) = (number(NODE), number(SOCKET));
    let (level, text, basis) = match (nodes, sockets, alike) {
        (2.., _, false) => (NODE, say::place_auto_nodes(nodes), Basis::Stated),
        (_, 2.., true) => (SOCKET, say::place_auto_alike(sockets), Basis::Measured),
        (_, 2.., false) => (SOCKET, say::place_auto_hidden(sockets), Basis::Stated),
        (2.., _, true) => (MACHINE, say::PLACE_AUTO_MACHINE_ALIKE.into(), Basis::Measured),
        _ if stated > 1 => (MACHINE, say::place_auto_machine_sockets(stated), Basis::Stated),
        _ => (MACHINE, say::PLACE_AUTO_MACHINE.into(), Basis::Stated),
    };
    draft.choose(ABOUT, text, basis);
    grouped(cores, LEVELS[level])
}

/// The cores of each domain, in the order of the domains' numbers.
fn grouped(cores: &[Core], of: fn(&Core) -> u64) -> Vec<Vec<Core>> {
    record::groups(cores.iter().map(|c| (of(c), c.clone()))).into_values().collect()
}

/// The number of instances of `each` cores that fit: first inside the tightest domains, then in what these leave of the next.
fn capacity(cores: &[Core], each: usize, levels: &[fn(&Core) -> u64]) -> usize {
    let mut rest: Vec<Core> = cores.to_vec();
    let mut fit = 0;
    for of in levels {
        for mut group in grouped(&std::mem::take(&mut rest), *of) {
            fit += group.len() / each;
            group.truncate(group.len() % each);
            rest.extend(group);
        }
    }
    fit
}

/// The most cores that each of so many instances can have: inside nodes if there are at least as many instances as nodes,
/// else inside sockets, else anywhere.
fn largest(cores: &[Core], instances: usize) -> usize {
    let number = |level: usize| cores.iter().map(LEVELS[level]).collect::<BTreeSet<_>>().len();
    let widest =
        [NODE, SOCKET].into_iter().find(|level| instances >= number(*level)).unwrap_or(MACHINE);
    let fits = |each: &usize| capacity(cores, *each, &LEVELS[widest..=widest]) >= instances;
    (1..=cores.len() / instances.max(1)).rev().find(fits).unwrap_or(0)
}

/// Takes so many cores: from the tightest level that has a domain with as many left, from the node that has the fewest
/// instances yet and the most cores left, from the domain that they fill best.
fn take(free: &mut Vec<Core>, each: usize, taken: &[Vec<Core>]) -> Option<Vec<Core>> {
    for (level, of) in LEVELS.iter().enumerate() {
        let on_node = |node: Option<u32>| free.iter().filter(|c| c.node == node).count();
        let there =
            |node: Option<u32>| taken.iter().filter(|g| g.iter().any(|c| c.node == node)).count();
        let best = grouped(free, *of).into_iter().filter(|d| d.len() >= each).min_by_key(|d| {
            let node = d.first().and_then(|c| c.node);
            let slow = d.iter().map(|c| c.kind).min();
            let fill = if level == 0 { d.len() % each } else { 0 };
            (
                slow,
                there(node),
                Reverse(on_node(node)),
                fill,
                d.first().and_then(|c| c.cpus.first()),
            )
        });
        let Some(mut domain) = best else { continue };
        // Whole dies first, and a node's first core last.
        let sizes = record::counts(domain.iter().map(|c| c.die));
        domain.order_by_key(|c| {
            let size = sizes.get(&c.die).copied().unwrap_or(0);
            (c.kind, c.node, Reverse(size), c.die, c.first, c.cpus.first())
        });
        domain.truncate(each);
        domain.order_by_key(|c| c.cpus.first());
        free.retain(|c| !domain.contains(c));
        return Some(domain);
    }
    None
}
