//! Whether there is room for SQLite's files, and for the copies of them that threads have in memory. Of what is free half may be
//! used; files of a tmpfs are memory, too.
use crate::engine::Wanted;
use host::folders::Filesystem;
use record::Reason;

/// Whether files on it lie in memory.
pub(super) fn is_memory(on: &Filesystem) -> bool {
    matches!(on.kind.as_str(), "tmpfs" | "ramfs")
}

/// Bytes of files that are not in the folder yet, where `there` bytes of data are, and of copies in memory.
fn needed(wanted: &Wanted<'_>, there: u64) -> (u64, u64) {
    // A quarter more: indexes, and rows that come while it runs.
    let base = wanted.bytes.saturating_add(wanted.bytes / 4);
    let copy = base.max(there);
    let copies = copy.saturating_mul(wanted.threads as u64);
    let base = base.saturating_sub(there);
    match wanted.mode {
        "own" | "sharded" => (base, copies),
        "files" => (base.saturating_add(copies), 0),
        "shared" if wanted.workload == "tpcc" => (base.saturating_add(copy), 0),
        _ => (base, 0),
    }
}

/// What there is too little of, if there is: in the folder, or of memory. What is not known is enough.
pub(super) fn short(
    wanted: &Wanted<'_>,
    there: u64,
    folder: Option<&Filesystem>,
    memory: Option<u64>,
) -> Option<Reason> {
    let (files, copies) = needed(wanted, there);
    let in_memory = folder.is_some_and(is_memory);
    let all = if in_memory { files.saturating_add(copies) } else { copies };
    let (workload, fewer) = match wanted.workload {
        "tpcc" => ("tpcc", "--warehouses"),
        _ => ("point-select", "--rows"),
    };
    let shown = wanted.folder.display();
    let megabytes = |bytes: u64| bytes / 1_000_000;
    // What `run` and `db` both take is TMPDIR alone.
    if let Some(free) = folder.map(|on| on.free).filter(|free| files > free / 2) {
        return Some(Reason::mended_by(
            format!(
                "files of the data take about {} MB more, and of the {} MB free in {shown} half may be used",
                megabytes(files),
                megabytes(free)
            ),
            format!(
                "a TMPDIR with more room, or cpulens db {workload} with --data in a folder that has it, or with fewer {fewer}"
            ),
        ));
    }
    let free = memory.filter(|free| all > free / 2)?;
    let remedy = match copies {
        0 => format!(
            "a TMPDIR on a disk, or cpulens db {workload} with --data on one, or with fewer {fewer}"
        ),
        _ => format!(
            "cpulens db {workload} with --mode shared, with fewer cores (--points), or with fewer {fewer}"
        ),
    };
    let what = match (in_memory, copies) {
        (true, 0) => format!("files of the data in {shown}, which is memory,"),
        (true, _) => format!("the data in {shown}, which is memory, and each thread's copy"),
        (false, _) => "each thread's copy of the data".to_owned(),
    };
    let (all, free) = (megabytes(all), megabytes(free));
    Some(Reason::mended_by(
        format!("{what} take about {all} MB of memory, and of the {free} MB free half may be used"),
        remedy,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::CpuSet;
    use std::{collections::BTreeMap, path::Path};

    const MB: u64 = 1_000_000;

    /// What is short of data that take 100 MB with their indexes, on this kind of filesystem.
    fn of(
        (workload, mode, threads): (&str, &str, usize),
        there: u64,
        (kind, free): (&str, u64),
        memory: Option<u64>,
    ) -> Option<Reason> {
        let (cpus, options) = (CpuSet::default(), BTreeMap::new());
        let wanted = Wanted {
            workload,
            mode,
            folder: Path::new("/f"),
            bytes: 80 * MB,
            threads,
            connections: threads,
            cpus: &cpus,
            nodes: &cpus,
            options: &options,
        };
        let on = Filesystem { kind: kind.into(), free: free * MB, executes: true };
        short(&wanted, there * MB, Some(&on), memory.map(|mb| mb * MB))
    }

    #[test]
    fn files_need_room_in_their_folder_and_copies_in_memory() {
        let one = ("point_select", "shared", 8);
        assert_eq!(of(one, 0, ("ext4", 200), Some(1)), None, "nothing is held in memory");
        let why = of(one, 0, ("ext4", 199), None).unwrap();
        assert!(why.why.contains("100 MB more") && why.why.contains("in /f"), "{why}");
        for mode in [("point_select", "own", 4), ("tpcc", "sharded", 4)] {
            assert_eq!(of(mode, 0, ("ext4", 200), Some(800)), None, "{mode:?}");
            let why = of(mode, 0, ("ext4", 200), Some(799)).unwrap();
            assert!(why.why.contains("400 MB of memory"), "{why}");
            assert_eq!(of(mode, 0, ("ext4", 200), None), None, "what is not known is enough");
        }
        let files = ("tpcc", "files", 4);
        assert_eq!(of(files, 0, ("ext4", 1000), Some(1)), None);
        assert!(of(files, 0, ("ext4", 999), Some(9999)).is_some());
        assert!(of(("tpcc", "shared", 4), 0, ("ext4", 399), None).is_some(), "it and its copy");
    }

    #[test]
    fn files_on_a_tmpfs_take_memory_beside_the_copies() {
        let own = ("point_select", "own", 4);
        assert_eq!(of(own, 0, ("tmpfs", 200), Some(1000)), None);
        let why = of(own, 0, ("tmpfs", 200), Some(999)).unwrap();
        assert!(why.why.contains("500 MB of memory"), "{why}");
        let why = of(("point_select", "wal", 4), 0, ("tmpfs", 9999), Some(199)).unwrap();
        assert!(why.remedy.unwrap().contains("TMPDIR on a disk"));
    }

    #[test]
    fn data_that_are_there_need_no_room() {
        let one = ("point_select", "shared", 8);
        assert!(of(one, 0, ("ext4", 100), None).is_some());
        assert_eq!(of(one, 80, ("ext4", 40), None), None, "20 may still come");
        assert_eq!(of(one, 300, ("ext4", 0), None), None, "more than enough are there");
        let files = ("tpcc", "files", 4);
        assert_eq!(of(files, 100, ("ext4", 800), None), None);
        assert!(of(files, 200, ("ext4", 800), None).is_some(), "a copy is as large as they are");
        // A step that was let begin leaves the later ones of its size enough.
        for mode in ["own", "files", "shared"] {
            let workload = if mode == "own" { "point_select" } else { "tpcc" };
            let step = (workload, mode, 4);
            let least = (1..9999).find(|mb| of(step, 0, ("tmpfs", *mb), Some(*mb)).is_none());
            let left = least.unwrap() - 80;
            assert_eq!(of(step, 80, ("tmpfs", left), Some(left)), None, "{mode}");
        }
    }

    #[test]
    fn what_helps_is_of_the_workload() {
        let remedy = |case, disk, memory| of(case, 0, disk, memory).unwrap().remedy.unwrap();
        let rows = remedy(("point_select", "shared", 1), ("ext4", 1), None);
        assert!(rows.contains("TMPDIR") && rows.contains("cpulens db point-select"), "{rows}");
        assert!(rows.contains("--data") && rows.contains("--rows"), "{rows}");
        let shards = remedy(("tpcc", "sharded", 9), ("ext4", 9999), Some(1));
        assert!(shards.contains("cpulens db tpcc with --mode shared"), "{shards}");
        assert!(shards.contains("--warehouses") && !shards.contains("--rows"), "{shards}");
    }
}
