//! The CPUs of the machine, those this process may use, and their topology: packages, dies, clusters, cores, threads.
use crate::{
    evidence::{CPUINFO, Evidence},
    reading::{Files, Presence, Unavailable, distinct},
};
use record::{Cpu, CpuSet, Machine, Reason, Sort, Topology};
use std::collections::BTreeMap;

const BASE: &str = "/sys/devices/system/cpu";
const ISOLATED: &str = "/sys/devices/system/cpu/isolated";
/// No CPU has more hardware threads in a core (POWER: 8); kernels that claim more are not believed.
const MOST_THREADS: usize = 64;

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let topology = &mut machine.topology;
    let Some((present, source)) = present(evidence) else {
        let why = "neither /sys/devices/system/cpu nor /proc/cpuinfo lists CPUs";
        let reason = Reason::mended_by(why, "mount /sys and /proc");
        topology.lack("cpus", reason.clone());
        machine.unknown("cpu.smt", reason, BASE);
        return;
    };
    topology.read("cpus", source);
    const PRESENT: &str = "/sys/devices/system/cpu/present";
    if let Err(why @ (Unavailable::Denied | Unavailable::Unreadable(_))) = files.set(PRESENT) {
        topology.lack("cpus.present", why.reason(PRESENT));
    }
    let online = online(evidence, &present, topology);
    let allowed = allowed(files, &online, topology);
    let isolated = isolated(evidence);
    let listed: BTreeMap<u32, &crate::cpuinfo::Entry> =
        evidence.cpuinfo.cpus.iter().map(|e| (e.id, e)).collect();
    let mut unlisted = CpuSet::default();
    let mut packages = BTreeMap::new();
    topology.cpus = present
        .iter()
        .chain(online.iter().filter(|id| !present.contains(*id)))
        .map(|id| {
            let mut cpu = Cpu {
                id,
                online: online.contains(id),
                allowed: allowed.contains(id),
                isolated: isolated.contains(id),
                ..Cpu::default()
            };
            let listed_siblings = place(files, &mut cpu, &mut packages);
            if cpu.online && !listed_siblings {
                unlisted.insert(id);
            }
            if let Some(entry) = listed.get(&id) {
                cpu.package = cpu.package.or(entry.package);
                cpu.core = cpu.core.or(entry.core);
            }
            cpu
        })
        .collect();
    topology.cpus.order_by_key(|cpu| cpu.id);
    packages_by_set(topology, &packages);
    siblings_by_number(topology, &unlisted);
    siblings_agree(topology);
    kinds(files, topology);
    let isolated: CpuSet = topology.cpus.iter().filter(|c| c.isolated).map(|c| c.id).collect();
    let in_sysfs = files.exists(ISOLATED);
    if evidence.is_arm() {
        clusters_called_packages(topology);
    }
    smt(files, machine);
    let list = |set: CpuSet| if set.is_empty() { "none".into() } else { set.to_string() };
    if in_sysfs || evidence.cmdline.is_ok() {
        let source = if in_sysfs { ISOLATED } else { crate::evidence::CMDLINE };
        machine.set("cpu.isolated", list(isolated), source);
    }
    const TICKLESS: &str = "/sys/devices/system/cpu/nohz_full";
    // Kernels without the feature have no file; "(null)" and an empty list are "none".
    if let Ok(set) = files.set(TICKLESS) {
        machine.set("cpu.nohz_full", list(set), TICKLESS);
    }
}

/// The result of sched_getaffinity(2).
const AFFINITY: &str = "/cpulens/affinity";

fn present(evidence: &Evidence<'_>) -> Option<(CpuSet, &'static str)> {
    let files = evidence.files;
    let of_file = |path| (files.set(path).unwrap_or_default(), path);
    let entries = || files.numbered(BASE, "cpu").unwrap_or_default().into_iter().collect();
    // A root with none of these has at least the CPUs that the kernel lets us use.
    let sources: [&dyn Fn() -> (CpuSet, &'static str); 5] = [
        &|| of_file("/sys/devices/system/cpu/present"),
        &|| (entries(), "the entries of /sys/devices/system/cpu"),
        &|| of_file("/sys/devices/system/cpu/online"),
        &|| (evidence.cpuinfo.cpus.iter().map(|e| e.id).collect(), CPUINFO),
        &|| of_file(AFFINITY),
    ];
    sources.iter().map(|source| source()).find(|(set, _)| !set.is_empty())
}

fn online(evidence: &Evidence<'_>, present: &CpuSet, topology: &mut Topology) -> CpuSet {
    const PATH: &str = "/sys/devices/system/cpu/online";
    match evidence.files.set(PATH) {
        Ok(set) if !set.is_empty() => return set,
        Err(why @ (Unavailable::Denied | Unavailable::Unreadable(_))) => {
            topology.lack("cpus.online", why.reason(PATH))
        }
        _ => {}
    }
    // Older kernels list each CPU's own state; CPU 0 often has none, because it cannot go offline.
    let state = |id: u32| evidence.files.number(&format!("{BASE}/cpu{id}/online")).ok();
    let state: Vec<(u32, Option<bool>)> =
        present.iter().map(|id| (id, state(id).map(|n| n != 0))).collect();
    if state.iter().any(|(_, known)| known.is_some()) {
        return state.iter().filter(|(_, on)| *on != Some(false)).map(|(id, _)| *id).collect();
    }
    let listed: CpuSet = evidence.cpuinfo.cpus.iter().map(|e| e.id).collect();
    let both = listed.intersection(present);
    if both.is_empty() { present.clone() } else { both }
}

fn allowed(files: Files<'_>, online: &CpuSet, topology: &mut Topology) -> CpuSet {
    let mut allowed = online.clone();
    let mut sources = vec![];
    match files.set(AFFINITY).ok().filter(|set| !set.is_empty()) {
        Some(set) => {
            allowed = allowed.intersection(&set);
            sources.push(AFFINITY.to_string());
        }
        None => {
            const STATUS: &str = "/proc/self/status";
            let text = files.text(STATUS).unwrap_or_default();
            let list = text.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
            if let Some(Ok(set)) = list.map(crate::reading::cpu_list)
                && !set.is_empty()
            {
                allowed = allowed.intersection(&set);
                sources.push(STATUS.into());
            }
        }
    }
    if let Some((set, path)) = crate::limits::cpuset(files) {
        allowed = allowed.intersection(&set);
        sources.push(path);
    }
    if sources.is_empty() {
        sources.push("nothing limits it: all online CPUs".into());
    }
    topology.read("cpus.allowed", sources.join(", "));
    allowed
}

fn isolated(evidence: &Evidence<'_>) -> CpuSet {
    if let Ok(set) = evidence.files.set(ISOLATED) {
        return set;
    }
    // isolcpus=managed_irq,domain,2-7: flags first, then the list.
    let list: Vec<&str> = evidence
        .parameter("isolcpus")
        .unwrap_or("")
        .split(',')
        .filter(|part| part.starts_with(|c: char| c.is_ascii_digit()))
        .collect();
    crate::reading::cpu_list(&list.join(",")).unwrap_or_default()
}

/// The position of one CPU by its sysfs directory, and whether that lists the core's threads; an offline CPU has none.
/// `packages` gathers the package's CPUs by the text that names them: one entry a package, however many CPUs.
fn place(files: Files<'_>, cpu: &mut Cpu, packages: &mut BTreeMap<String, CpuSet>) -> bool {
    cpu.siblings.insert(cpu.id);
    if !cpu.online {
        return false;
    }
    let dir = format!("{BASE}/cpu{}/topology", cpu.id);
    let number = |name: &str| files.small(&format!("{dir}/{name}")).ok();
    cpu.package = number("physical_package_id");
    cpu.core = number("core_id");
    cpu.die = number("die_id").filter(|id| *id != 0xffff);
    // x86 without clusters says 65535 (BAD_APICID as 16 bits).
    cpu.cluster = number("cluster_id").filter(|id| *id != 0xffff);
    // Newest name first; old kernels have masks only.
    let threads = files
        .set(&format!("{dir}/core_cpus_list"))
        .or_else(|_| files.set(&format!("{dir}/thread_siblings_list")))
        .or_else(|_| files.mask(&format!("{dir}/core_cpus")))
        .or_else(|_| files.mask(&format!("{dir}/thread_siblings")))
        .ok();
    let mut listed = false;
    if let Some(set) = threads.filter(|set| set.contains(cpu.id) && set.len() <= MOST_THREADS) {
        cpu.siblings = set;
        listed = true;
    }
    let package = files
        .text(&format!("{dir}/package_cpus"))
        .or_else(|_| files.text(&format!("{dir}/core_siblings")))
        .unwrap_or_default();
    if !package.trim().is_empty() {
        packages.entry(package).or_default().insert(cpu.id);
    }
    listed
}

/// Firmware that numbers no packages (POWER and s390 say -1), or two packages alike (early Itanium), still names
/// each one's CPUs: where those sets and the numbers part the machine differently, the sets are right.
fn packages_by_set(topology: &mut Topology, packages: &BTreeMap<String, CpuSet>) {
    let sets: Vec<CpuSet> =
        packages.keys().filter_map(|mask| crate::reading::cpu_mask(mask).ok()).collect();
    let online = topology.online();
    // One set a CPU, each CPU in its own set, and all together every CPU: else the masks are of another machine.
    let named: usize = sets.iter().map(|set| set.intersection(&online).len()).sum();
    let own = packages.values().zip(&sets).all(|(own, set)| *own == set.intersection(&online));
    if sets.len() != packages.len() || named != online.len() || !own {
        return;
    }
    let mut first: Vec<&CpuSet> = packages.values().collect();
    first.order_by_key(|set| set.first());
    let number_of = |id: u32| topology.cpu(id).and_then(|cpu| cpu.package);
    let number = |set: &&CpuSet| match distinct(set.iter().map(number_of))[..] {
        [only] => only,
        _ => None,
    };
    let numbers: Vec<Option<u32>> = first.iter().map(number).collect();
    if distinct(&numbers).len() == numbers.len() && !numbers.contains(&None) {
        return;
    }
    let of: BTreeMap<u32, u32> = first
        .iter()
        .zip(0..)
        .flat_map(|(set, number)| set.iter().map(move |id| (id, number)))
        .collect();
    for cpu in &mut topology.cpus {
        cpu.package = of.get(&cpu.id).copied();
    }
}

/// Kernels before 5.18 call an Arm phone's clusters packages. No board has sockets with different cores, so
/// packages that differ in kind, each of one kind, are clusters of one chip.
fn clusters_called_packages(topology: &mut Topology) {
    let mut kinds: BTreeMap<u32, Option<String>> = BTreeMap::new();
    for cpu in topology.cpus.iter().filter(|cpu| cpu.online) {
        let (Some(package), None) = (cpu.package, cpu.cluster) else { return };
        let kind = kinds.entry(package).or_insert_with(|| cpu.kind.clone());
        if cpu.kind.is_none() || *kind != cpu.kind {
            return;
        }
    }
    if distinct(kinds.values()).len() < 2 {
        return;
    }
    for cpu in topology.cpus.iter_mut().filter(|cpu| cpu.online) {
        cpu.cluster = cpu.package.replace(0);
    }
}

/// Without readable sibling lists, CPUs with the same package, die and core are one core's threads.
/// A list that names one CPU is an answer: core numbers start again in each cluster or node of some packages.
fn siblings_by_number(topology: &mut Topology, unlisted: &CpuSet) {
    let key = |cpu: &Cpu| {
        Some((cpu.package?, cpu.die, cpu.cluster, cpu.core?)).filter(|_| unlisted.contains(cpu.id))
    };
    let cores = record::sets(topology.cpus.iter().filter_map(|cpu| Some((key(cpu)?, cpu.id))));
    for cpu in &mut topology.cpus {
        if let Some(set) =
            key(cpu).and_then(|key| cores.get(&key)).filter(|set| set.len() <= MOST_THREADS)
        {
            cpu.siblings = set.clone();
        }
    }
}

/// The sibling lists of a core's threads must be equal, and no other CPU may be in them. Other lists are rejected.
fn siblings_agree(topology: &mut Topology) {
    let sets: BTreeMap<u32, CpuSet> = (topology.cpus.iter().filter(|cpu| cpu.online))
        .map(|cpu| (cpu.id, cpu.siblings.clone()))
        .collect();
    let known: CpuSet = topology.cpus.iter().map(|cpu| cpu.id).collect();
    let mut odd = None;
    for cpu in topology.cpus.iter_mut().filter(|cpu| cpu.online && cpu.siblings.len() > 1) {
        let differs = |id| sets.get(&id).is_some_and(|own| *own != cpu.siblings);
        if !cpu.siblings.is_subset(&known) || cpu.siblings.iter().any(differs) {
            odd.get_or_insert(cpu.id);
            cpu.siblings = [cpu.id].into_iter().collect();
        }
    }
    if let Some(cpu) = odd {
        let why = format!(
            "the CPUs that CPU {cpu} names as threads of its core do not all name the same"
        );
        topology.lack("cpus.siblings", why);
    }
}

/// Kinds of cores: Intel's drivers list them; Arm states a capacity per CPU.
fn kinds(files: Files<'_>, topology: &mut Topology) {
    let listed: Vec<(&str, CpuSet)> = [
        ("performance", "/sys/devices/cpu_core/cpus"),
        ("efficiency", "/sys/devices/cpu_atom/cpus"),
        ("low-power efficiency", "/sys/devices/cpu_lowpower/cpus"),
    ]
    .iter()
    .filter_map(|(kind, path)| Some((*kind, files.set(path).ok()?)))
    .collect();
    if !listed.is_empty() {
        for cpu in &mut topology.cpus {
            let kind = listed.iter().find(|(_, set)| set.contains(cpu.id)).map(|(kind, _)| *kind);
            cpu.kind = kind.map(str::to_string);
        }
        topology.read("cpus.kind", "/sys/devices/cpu_{core,atom}/cpus");
        return;
    }
    let stated = |id: u32| files.small(&format!("{BASE}/cpu{id}/cpu_capacity")).ok();
    let capacity: BTreeMap<u32, u32> =
        topology.cpus.iter().filter_map(|cpu| Some((cpu.id, stated(cpu.id)?))).collect();
    let levels = distinct(capacity.values());
    if levels.len() < 2 {
        return;
    }
    for cpu in &mut topology.cpus {
        cpu.kind =
            capacity.get(&cpu.id).map(|own| match levels.iter().position(|level| *level == own) {
                Some(0) => "efficiency".into(),
                Some(at) if at + 1 == levels.len() => "performance".into(),
                _ => "middle".into(),
            });
    }
    topology.read("cpus.kind", "/sys/devices/system/cpu/cpu*/cpu_capacity");
}

fn smt(files: Files<'_>, machine: &mut Machine) {
    let smt = machine.topology.cpus.iter().any(|cpu| cpu.online && cpu.siblings.len() > 1);
    machine.set("cpu.smt", smt, "siblings of /sys/devices/system/cpu/cpu*/topology");
    let control = "/sys/devices/system/cpu/smt/control";
    files.fact(machine, "cpu.smt.control", control, Presence::IfThere);
}
