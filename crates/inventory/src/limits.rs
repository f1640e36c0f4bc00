//! Limits of this process: cgroup quota, CPUs and memory (v1 and v2), locked memory; and what else runs.
use crate::{
    evidence::Evidence,
    reading::{Files, Presence, ReadResult, Unavailable, clean, listed, put, put_in},
    scrub,
};
use record::{CpuSet, Machine, Reason, Unit};

/// Controller names as /proc/self/cgroup and the mount points spell them.
pub(crate) const CONTROLLERS: &str = include_str!("words/cgroup_controllers.txt");
const OWN: &str = "/proc/self/cgroup";
const TOP: &str = "/sys/fs/cgroup";
/// Deeper than anybody nests; a hostile file could otherwise cost a read per byte.
const MOST_LEVELS: usize = 32;

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    quota(files, machine);
    for (name, found) in [("limits.cpuset", cpuset(files)), ("limits.nodes", nodes(files))] {
        match found {
            Some((set, path)) => machine.set(name, set.to_string(), path),
            None => no_limit(files, machine, name),
        }
    }
    memory(files, machine);
    locked(files, machine);
    load(files, machine);
    steal(files, machine);
}

/// Nothing limits us, unless our group could not be looked at.
fn no_limit(files: Files<'_>, machine: &mut Machine, name: &str) {
    match files.text(OWN) {
        Ok(text)
            if text.lines().take(64).any(|line| {
                line.splitn(3, ':').nth(2).is_some_and(|path| group(path).is_none())
            }) =>
        {
            machine.unknown(name, "this process's control group lies outside of what is mounted, so its limits cannot be read", OWN);
        }
        Ok(_) => machine.set(name, "unlimited", OWN),
        Err(_) => machine.unknown(name, unknown_group(), OWN),
    }
}

/// The names in a group's path; none if it leaves the mount or is absurdly deep.
fn group(path: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> =
        path.split('/').filter(|part| !part.is_empty()).take(MOST_LEVELS + 1).collect();
    (parts.len() <= MOST_LEVELS && !parts.contains(&"..")).then_some(parts)
}

fn unknown_group() -> Reason {
    Reason::mended_by(
        "/proc/self/cgroup cannot be read, so this process's control group is not known",
        "mount /proc",
    )
}

/// The directories of this process's group for a controller, innermost first, up to the mount: a limit of any
/// of them holds. In a container the path is the host's and only the mount itself exists; that is fine, too.
fn levels(files: Files<'_>, controller: &str) -> Vec<String> {
    let text = files.text(OWN).unwrap_or_default();
    let mut levels = vec![];
    for line in text.lines().take(64) {
        let mut parts = line.splitn(3, ':');
        let (Some(_), Some(names), Some(path)) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let mounts: Vec<String> = if names.is_empty() {
            vec![TOP.into(), format!("{TOP}/unified")]
        } else if names.split(',').any(|name| name == controller) {
            let plain = names.split(',').all(|name| listed(CONTROLLERS, name));
            let joint = (plain && names != controller).then(|| format!("{TOP}/{names}"));
            [format!("{TOP}/{controller}")].into_iter().chain(joint).collect()
        } else {
            continue;
        };
        let Some(parts) = group(path) else {
            levels.extend(mounts);
            continue;
        };
        for mount in mounts {
            for depth in (0..=parts.len()).rev() {
                levels.push([&[mount.as_str()], &parts[..depth]].concat().join("/"));
            }
        }
    }
    levels
}

fn quota(files: Files<'_>, machine: &mut Machine) {
    const NAME: &str = "limits.cpu_quota";
    let mut least: Option<(f64, String)> = None;
    let mut refused = None;
    for dir in levels(files, "cpu") {
        let (path, got) = quota_of(files, &dir);
        match got {
            Ok(Some(cpus)) if least.as_ref().is_none_or(|(known, _)| cpus < *known) => {
                least = Some((cpus, path))
            }
            Err(why @ (Unavailable::Denied | Unavailable::Unreadable(_))) => {
                refused = Some((path, why))
            }
            _ => {}
        }
    }
    match (least, refused) {
        (Some((cpus, path)), _) => machine.set_in(NAME, cpus, Unit::Count, scrub::path(&path)),
        (None, Some((path, why))) => {
            let path = scrub::path(&path);
            machine.unknown(NAME, why.reason(&path), path);
        }
        (None, None) => no_limit(files, machine, NAME),
    }
}

/// The quota of one group in CPUs; `None` is "no limit here".
fn quota_of(files: Files<'_>, dir: &str) -> (String, ReadResult<Option<f64>>) {
    let path = format!("{dir}/cpu.max");
    let odd = |text: &str| {
        let shown = clean(&text.chars().take(40).collect::<String>());
        Unavailable::Unreadable(format!("says '{shown}'"))
    };
    match files.line(&path) {
        Ok(text) => {
            let mut words = text.split(' ');
            let mut number = || words.next().unwrap_or("").parse::<u64>();
            let got = match (number(), number()) {
                _ if text.split(' ').next() == Some("max") => Ok(None),
                (Ok(quota @ 1..), Ok(period @ 1..)) => Ok(Some(quota as f64 / period as f64)),
                _ => Err(odd(&text)),
            };
            return (path, got);
        }
        Err(Unavailable::Missing) => {}
        Err(why) => return (path, Err(why)),
    }
    let path = format!("{dir}/cpu.cfs_quota_us");
    let got = files.line(&path).and_then(|text| match text.parse::<i64>() {
        Ok(-1) => Ok(None),
        Ok(quota @ 1..) => match files.number(&format!("{dir}/cpu.cfs_period_us"))? {
            0 => Err(Unavailable::Unreadable("has a period of 0".into())),
            period => Ok(Some(quota as f64 / period as f64)),
        },
        _ => Err(odd(&text)),
    });
    (path, got)
}

/// The CPUs that the innermost cpuset allows, and the (shareable) path that says so.
pub(crate) fn cpuset(files: Files<'_>) -> Option<(CpuSet, String)> {
    innermost(files, ["cpuset.cpus.effective", "cpuset.effective_cpus", "cpuset.cpus"])
}

/// The NUMA nodes that the innermost cpuset allows, likewise.
fn nodes(files: Files<'_>) -> Option<(CpuSet, String)> {
    innermost(files, ["cpuset.mems.effective", "cpuset.effective_mems", "cpuset.mems"])
}

fn innermost(files: Files<'_>, names: [&str; 3]) -> Option<(CpuSet, String)> {
    for dir in levels(files, "cpuset") {
        for name in names {
            let path = format!("{dir}/{name}");
            // An empty list means "as the parent".
            if let Some(set) = files.set(&path).ok().filter(|set| !set.is_empty()) {
                return Some((set, scrub::path(&path)));
            }
        }
    }
    None
}

fn memory(files: Files<'_>, machine: &mut Machine) {
    const NAME: &str = "limits.memory";
    let mut least: Option<(u64, String)> = None;
    for dir in levels(files, "memory") {
        for name in ["memory.max", "memory.high", "memory.limit_in_bytes"] {
            let path = format!("{dir}/{name}");
            // v1 says "no limit" as 2^63 rounded down to a page; "max" is not a number.
            if let Ok(bytes @ 0..0x7000_0000_0000_0000) = files.number(&path)
                && least.as_ref().is_none_or(|(known, _)| bytes < *known)
            {
                least = Some((bytes, path));
            }
        }
    }
    match least {
        Some((bytes, path)) => machine.set_in(NAME, bytes, Unit::Bytes, scrub::path(&path)),
        None => no_limit(files, machine, NAME),
    }
}

fn locked(files: Files<'_>, machine: &mut Machine) {
    const PATH: &str = "/proc/self/limits";
    let soft = files.text(PATH).and_then(|text| {
        let line = text.lines().find_map(|line| line.strip_prefix("Max locked memory"));
        line.and_then(|line| line.split_whitespace().next().map(str::to_string))
            .ok_or_else(|| Unavailable::Unreadable("has no line for locked memory".into()))
    });
    const NAME: &str = "limits.memlock";
    match soft.as_deref().map(str::parse::<u64>) {
        Ok(Ok(bytes)) => machine.set_in(NAME, bytes, Unit::Bytes, PATH),
        _ => put(machine, NAME, soft.map(|text| clean(&text)), PATH, Presence::Always),
    }
}

fn load(files: Files<'_>, machine: &mut Machine) {
    const PATH: &str = "/proc/loadavg";
    let got = files.line(PATH).and_then(|text| {
        let number = text.split(' ').next().and_then(|word| word.parse::<f64>().ok());
        number
            .filter(|n| n.is_finite() && *n >= 0.0)
            .ok_or_else(|| crate::reading::not_a(&text, "load average"))
    });
    put_in(machine, "load.average", got, Unit::Count, PATH, Presence::Always);
}

/// Totals since boot in ticks. Shares and rates need two readings.
fn steal(files: Files<'_>, machine: &mut Machine) {
    const PATH: &str = "/proc/stat";
    let Ok(text) = files.text(PATH) else { return };
    let Some(line) = text.lines().find_map(|line| line.strip_prefix("cpu ")) else { return };
    const NAMES: [&str; 8] =
        ["user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"];
    for (name, word) in NAMES.iter().zip(line.split_whitespace()) {
        if let Ok(ticks) = word.parse::<u64>() {
            machine.set_in(&format!("load.ticks.{name}"), ticks, Unit::Count, PATH);
        }
    }
}
