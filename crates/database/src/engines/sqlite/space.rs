//! Whether SQLite's files and the threads' copies in memory have enough space. Half of the free space may be used. Files on a
//! tmpfs are memory.
use crate::engine::OpenOptions;
use filesystem::folders::Filesystem;
use record::Reason;

pub(super) fn is_in_memory(filesystem: &Filesystem) -> bool {
    matches!(filesystem.kind.as_str(), "tmpfs" | "ramfs")
}

/// Bytes that files still need where `existing` bytes are there already, and bytes of copies in memory.
fn needed(options: &OpenOptions<'_>, existing: u64) -> (u64, u64) {
    // 25 % more, for indexes and inserted rows.
    let base = options.bytes.saturating_add(options.bytes / 4);
    let copy = base.max(existing);
    let copies = copy.saturating_mul(options.threads as u64);
    let base = base.saturating_sub(existing);
    match options.mode {
        "own" | "sharded" => (base, copies),
        "files" => (base.saturating_add(copies), 0),
        "shared" if options.workload == "tpcc" => (base.saturating_add(copy), 0),
        _ => (base, 0),
    }
}

/// The missing space in the folder or in memory. Unknown free space is enough.
pub(super) fn missing(
    options: &OpenOptions<'_>,
    existing: u64,
    folder: Option<&Filesystem>,
    memory: Option<u64>,
) -> Option<Reason> {
    let (files, copies) = needed(options, existing);
    let in_memory = folder.is_some_and(is_in_memory);
    let all = if in_memory { files.saturating_add(copies) } else { copies };
    let (workload, fewer) = match options.workload {
        "tpcc" => ("tpcc", "--warehouses"),
        _ => ("point-select", "--rows"),
    };
    let shown = options.folder.display();
    let megabytes = |bytes: u64| bytes / 1_000_000;
    // `run` has no --data; TMPDIR works for `run` and `db`.
    if let Some(free) = folder.map(|on| on.free).filter(|free| files > free / 2) {
        let (files, free) = (megabytes(files), megabytes(free));
        return Some(Reason::mended_by(
            format!(
                "the data files need {files} MB more, and half of the {free} MB free in {shown} may be used"
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
        (true, 0) => format!("the data files in {shown}, which is memory,"),
        (true, _) => format!("the data in {shown}, which is memory, and each thread's copy"),
        (false, _) => "each thread's copy of the data".to_owned(),
    };
    let (all, free) = (megabytes(all), megabytes(free));
    Some(Reason::mended_by(
        format!("{what} need {all} MB of memory, and half of the {free} MB free may be used"),
        remedy,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MB: u64 = 1_000_000;

    /// For data of 100 MB with their indexes on this filesystem.
    fn missing_for(
        (workload, mode, threads): (&str, &str, usize),
        there: u64,
        (kind, free): (&str, u64),
        memory: Option<u64>,
    ) -> Option<Reason> {
        let options = OpenOptions {
            workload,
            mode,
            folder: "/f".into(),
            bytes: 80 * MB,
            threads,
            ..OpenOptions::default()
        };
        let on = Filesystem { kind: kind.into(), free: free * MB, executes: true };
        missing(&options, there * MB, Some(&on), memory.map(|mb| mb * MB))
    }

    #[test]
    fn files_need_space_in_their_folder_and_copies_in_memory() {
        let one = ("point_select", "shared", 8);
        assert_eq!(missing_for(one, 0, ("ext4", 200), Some(1)), None, "nothing is held in memory");
        let why = missing_for(one, 0, ("ext4", 199), None).unwrap();
        assert!(why.why.contains("100 MB more") && why.why.contains("in /f"), "{why}");
        for mode in [("point_select", "own", 4), ("tpcc", "sharded", 4)] {
            assert_eq!(missing_for(mode, 0, ("ext4", 200), Some(800)), None, "{mode:?}");
            let why = missing_for(mode, 0, ("ext4", 200), Some(799)).unwrap();
            assert!(why.why.contains("400 MB of memory"), "{why}");
            assert_eq!(missing_for(mode, 0, ("ext4", 200), None), None, "unknown memory is enough");
        }
        let files = ("tpcc", "files", 4);
        assert_eq!(missing_for(files, 0, ("ext4", 1000), Some(1)), None);
        assert!(missing_for(files, 0, ("ext4", 999), Some(9999)).is_some());
        assert!(
            missing_for(("tpcc", "shared", 4), 0, ("ext4", 399), None).is_some(),
            "it and its copy"
        );
    }

    #[test]
    fn files_on_a_tmpfs_need_memory_like_the_copies() {
        let own = ("point_select", "own", 4);
        assert_eq!(missing_for(own, 0, ("tmpfs", 200), Some(1000)), None);
        let why = missing_for(own, 0, ("tmpfs", 200), Some(999)).unwrap();
        assert!(why.why.contains("500 MB of memory"), "{why}");
        let why = missing_for(("point_select", "wal", 4), 0, ("tmpfs", 9999), Some(199)).unwrap();
        assert!(why.remedy.unwrap().contains("TMPDIR on a disk"));
    }

    #[test]
    fn existing_data_need_no_space() {
        let one = ("point_select", "shared", 8);
        assert!(missing_for(one, 0, ("ext4", 100), None).is_some());
        assert_eq!(missing_for(one, 80, ("ext4", 40), None), None, "20 may still come");
        assert_eq!(missing_for(one, 300, ("ext4", 0), None), None, "more than enough are there");
        let files = ("tpcc", "files", 4);
        assert_eq!(missing_for(files, 100, ("ext4", 800), None), None);
        assert!(
            missing_for(files, 200, ("ext4", 800), None).is_some(),
            "a copy is as large as they are"
        );
        // Space for a scaling point is enough for later points of the same size.
        for mode in ["own", "files", "shared"] {
            let workload = if mode == "own" { "point_select" } else { "tpcc" };
            let case = (workload, mode, 4);
            let least =
                (1..9999).find(|mb| missing_for(case, 0, ("tmpfs", *mb), Some(*mb)).is_none());
            let left = least.unwrap() - 80;
            assert_eq!(missing_for(case, 80, ("tmpfs", left), Some(left)), None, "{mode}");
        }
    }

    #[test]
    fn remedies_name_the_workload() {
        let remedy =
            |case, disk, memory| missing_for(case, 0, disk, memory).unwrap().remedy.unwrap();
        let rows = remedy(("point_select", "shared", 1), ("ext4", 1), None);
        assert!(rows.contains("TMPDIR") && rows.contains("cpulens db point-select"), "{rows}");
        assert!(rows.contains("--data") && rows.contains("--rows"), "{rows}");
        let shards = remedy(("tpcc", "sharded", 9), ("ext4", 9999), Some(1));
        assert!(shards.contains("cpulens db tpcc with --mode shared"), "{shards}");
        assert!(shards.contains("--warehouses") && !shards.contains("--rows"), "{shards}");
    }
}
