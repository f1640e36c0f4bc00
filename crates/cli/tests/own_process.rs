//! Later visits of the headline cases of memory are measured by processes of their own.
use crate::{
    resume::Running,
    sandbox::{Sandbox, load, soon},
};
use record::{Outcome, Pages, ProbeId};
use std::{fs, path::Path, process::Command};

/// The living processes with this sandbox in their environment that measure a visit, or all of them.
fn processes(sandbox: &Sandbox, visits: bool) -> Vec<String> {
    let home = sandbox.path("home").display().to_string().into_bytes();
    let has = |folder: &Path, file: &str, text: &[u8]| {
        let bytes = fs::read(folder.join(file)).unwrap_or_default();
        bytes.windows(text.len()).any(|part| part == text)
    };
    let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let ours = folders.filter(|folder| {
        has(folder, "environ", &home) && (!visits || has(folder, "cmdline", b"__visit"))
    });
    ours.map(|folder| folder.file_name().unwrap().display().to_string()).collect()
}

/// A series of another process that had another name, parameter or unit would be one of its own.
#[test]
fn a_process_of_its_own_measures_the_same_series() {
    let sandbox = Sandbox::new();
    let cases = "kernel=read,threads=one,order=grouped,pages=base";
    let args = ["run", "--only", "load_latency,bandwidth", "--where", cases];
    sandbox.cpulens(&args).done();
    let record = load(&sandbox.records()[0]);
    let of = |probe| record.runs.iter().filter(move |run| run.case.probe == probe);
    let memory: Vec<_> = of(ProbeId::LoadLatency).chain(of(ProbeId::Bandwidth)).collect();
    let mut visited = 0;
    for run in memory.iter().filter(|run| matches!(run.outcome, Outcome::Measured(_))) {
        assert!(!run.unread.contains_key("visit.process"), "{:?}", run.unread);
        for (number, visit) in run.visits.iter().enumerate().filter(|(_, v)| v.began.is_some()) {
            assert_eq!(visit.own_process, number > 0, "{}", run.case.label());
            visited += usize::from(visit.own_process);
        }
        let done = run.visits.iter().filter(|visit| visit.began.is_some()).count();
        for series in run.series() {
            assert_eq!(series.visits.len(), done, "{}: {}", run.case.label(), series.metric);
            assert!(series.visits.iter().all(|samples| *samples > 0));
        }
        assert_eq!(run.threads.len(), 1, "{:?}", run.threads);
        // The process itself read its accounts: memory on base pages faults once a page.
        let base = run.case.place.pages == Pages::Base;
        let bytes = run.series().iter().filter_map(|s| s.buffer.as_ref()).map(|b| b.bytes).max();
        let pages = bytes.unwrap() / run.series()[0].buffer.as_ref().unwrap().base_page;
        let faults = run.reading("scheduler.faults.minor").unwrap().value;
        assert!(!base || faults >= 0.9 * (done as u64 * pages) as f64, "{faults}, {pages} pages");
    }
    assert!(visited > 1, "{visited} visits by other processes");
    assert!(of(ProbeId::CoreFrequency).flat_map(|run| &run.visits).all(|v| !v.own_process));
}

/// One that is stopped does not end by itself.
#[test]
fn a_killed_run_leaves_no_visit_behind() {
    let sandbox = Sandbox::new();
    let cases = "order=grouped,pages=base";
    let args = ["run", "--only", "load_latency", "--depth", "standard", "--where", cases];
    let run = Running::start(&sandbox, &args);
    let stop = || {
        let stop = |pid: &String| Command::new("kill").args(["-STOP", pid]).status().unwrap();
        processes(&sandbox, true).first().is_some_and(|visit| stop(visit).success())
    };
    assert!(soon(stop), "no visit began");
    run.signal("KILL");
    assert_eq!(run.ended().0, 128 + 9);
    assert!(soon(|| processes(&sandbox, false).is_empty()));
}
