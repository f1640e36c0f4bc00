//! Memory as the kernel sees it: sizes, swap, pages, and the settings that decide how it is handed out.
use crate::{
    evidence::Evidence,
    reading::{Presence, ReadResult, Unavailable, put, put_in},
};
use record::{Machine, Reason, Unit, Value};

const MEMINFO: &str = "/proc/meminfo";

pub(crate) fn look(evidence: &Evidence<'_>, machine: &mut Machine) {
    let files = evidence.files;
    let meminfo = files.text(MEMINFO);
    let read = |key: &str| -> ReadResult<u64> {
        let text = meminfo.as_ref().map_err(Clone::clone)?;
        kilobytes(text, key).ok_or_else(|| Unavailable::Unreadable(format!("has no {key}")))
    };
    for (name, key) in [
        ("memory.total", "MemTotal"),
        ("memory.available", "MemAvailable"),
        ("memory.free", "MemFree"),
        ("memory.swap.total", "SwapTotal"),
        ("memory.huge.default", "Hugepagesize"),
    ] {
        let need = if key == "Hugepagesize" { Presence::IfThere } else { Presence::Always };
        let got = match read(key) {
            // No machine has no memory.
            Ok(0) if ["memory.total", "memory.huge.default"].contains(&name) => {
                Err(Unavailable::Unreadable(format!("says {key} 0")))
            }
            Err(_) if need == Presence::IfThere => continue,
            got => got,
        };
        put_in(machine, name, got, Unit::Bytes, MEMINFO, need);
    }
    let swapped = read("SwapTotal").and_then(|total| Ok(total.saturating_sub(read("SwapFree")?)));
    put_in(machine, "memory.swap.used", swapped, Unit::Bytes, MEMINFO, Presence::Always);
    page(evidence, machine);
    const THP: &str = "/sys/kernel/mm/transparent_hugepage";
    for (name, file) in [("memory.thp.enabled", "enabled"), ("memory.thp.defrag", "defrag")] {
        let path = format!("{THP}/{file}");
        put(machine, name, files.line(&path).map(|text| chosen(&text)), &path, Presence::Always);
    }
    process(evidence, machine);
    let path = format!("{THP}/hpage_pmd_size");
    let size = files.number(&path);
    put_in(machine, "memory.thp.size", size, Unit::Bytes, &path, Presence::IfThere);
    const POOLS: &str = "/sys/kernel/mm/hugepages";
    let sizes = crate::numa::pools(files, POOLS);
    if !sizes.is_empty() {
        let sizes: Vec<Value> = sizes.iter().map(|pool| pool.page.into()).collect();
        machine.set_in("memory.huge.sizes", sizes, Unit::Bytes, POOLS);
    }
    for (name, path) in [
        ("memory.numa_balancing", "/proc/sys/kernel/numa_balancing"),
        ("memory.zone_reclaim", "/proc/sys/vm/zone_reclaim_mode"),
        ("memory.swappiness", "/proc/sys/vm/swappiness"),
        ("memory.overcommit", "/proc/sys/vm/overcommit_memory"),
    ] {
        put_in(machine, name, files.number(path), Unit::Count, path, Presence::Always);
    }
    fault_around(evidence, machine);
}

/// Whether this process may have transparent huge pages at all, whatever the system's setting is: who starts a program can take
/// them from it and from all that it starts. Kernels before 5.0 do not show it.
/// Source: PR_SET_THP_DISABLE of prctl(2), `THP_enabled` of proc(5).
fn process(evidence: &Evidence<'_>, machine: &mut Machine) {
    const STATUS: &str = "/proc/self/status";
    let status = evidence.files.text(STATUS).unwrap_or_default();
    let enabled = status.lines().find_map(|line| line.strip_prefix("THP_enabled:")).map(str::trim);
    match enabled {
        Some("0") => machine.set("memory.thp.process", "disabled", STATUS),
        Some("1") => machine.set("memory.thp.process", "allowed", STATUS),
        _ => {}
    }
}

/// The part of a file that one fault maps. Only debugfs shows it; only root can read it, and it is not always mounted.
fn fault_around(evidence: &Evidence<'_>, machine: &mut Machine) {
    const NAME: &str = "memory.fault_around";
    const PATH: &str = "/sys/kernel/debug/fault_around_bytes";
    match evidence.files.number(PATH) {
        Err(Unavailable::Missing) => machine.unknown(
            NAME,
            Reason::mended_by(
                "only debugfs shows it, and it is not mounted here or this kernel has no such setting",
                "as root: mount -t debugfs none /sys/kernel/debug",
            ),
            PATH,
        ),
        got => put_in(machine, NAME, got, Unit::Bytes, PATH, Presence::Always),
    }
}

fn page(evidence: &Evidence<'_>, machine: &mut Machine) {
    const AUXV: &str = "/cpulens/auxv";
    let size = evidence.files.text(AUXV).and_then(|text| {
        text.lines()
            .find_map(|line| line.strip_prefix("AT_PAGESZ "))
            .and_then(|value| value.trim().parse::<u64>().ok())
            .filter(|bytes| bytes.is_power_of_two() && (1 << 10..=1 << 24).contains(bytes))
            .ok_or_else(|| Unavailable::Unreadable("states no page size".into()))
    });
    put_in(machine, "memory.page", size, Unit::Bytes, AUXV, Presence::Always);
}

/// `MemTotal:  5204180 kB` or `Node 0 MemTotal: 5204180 kB`, in bytes.
pub(crate) fn kilobytes(text: &str, key: &str) -> Option<u64> {
    let line = |line: &str| -> Option<u64> {
        let (name, value) = line.split_once(':')?;
        if name.split_whitespace().next_back()? != key {
            return None;
        }
        let number = value.trim().strip_suffix("kB")?.trim();
        // 2^54 KiB would be 16 EiB; nothing that large is a size of memory.
        number.parse::<u64>().ok().filter(|n| *n < 1 << 50)?.checked_mul(1024)
    };
    text.lines().take(1000).find_map(line)
}

/// The bracketed word of `always [madvise] never`; the whole text if none is bracketed.
pub(crate) fn chosen(text: &str) -> String {
    let word = text
        .split_once('[')
        .and_then(|(_, rest)| rest.split_once(']'))
        .map(|(word, _)| word.trim());
    word.filter(|word| !word.is_empty()).unwrap_or(text).to_string()
}

#[cfg(test)]
mod tests {
    #[test]
    fn lines_of_both_meminfos() {
        assert_eq!(super::kilobytes("MemTotal:   12 kB\n", "MemTotal"), Some(12288));
        assert_eq!(super::kilobytes("Node 3 MemTotal:   12 kB\n", "MemTotal"), Some(12288));
        assert_eq!(
            super::kilobytes("MemTotal: 99999999999999999999 kB\nX: -1 kB", "MemTotal"),
            None
        );
        assert_eq!(super::chosen("always [madvise] never"), "madvise");
        assert_eq!(super::chosen("odd"), "odd");
    }
}
