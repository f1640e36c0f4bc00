//! Later visits of the headline cases of memory are measured by processes of their own.
use crate::{
    resume::Running,
    sandbox::{Sandbox, load},
};
use record::{Outcome, Pages, ProbeId};
use std::{fs, thread, time::Duration};

/// The command lines of the living processes with this sandbox in their environment.
fn processes(sandbox: &Sandbox) -> Vec<String> {
    let home = sandbox.path("home").display().to_string().into_bytes();
    let folders = fs::read_dir("/proc").unwrap().flatten().map(|entry| entry.path());
    let ours = folders.filter(|folder| {
        let environment = fs::read(folder.join("environ")).unwrap_or_default();
        environment.windows(home.len()).any(|text| text == home)
    });
    let line = |folder| fs::read(folder).ok().map(|l| String::from_utf8_lossy(&l).into_owned());
    ours.filter_map(|folder| line(folder.join("cmdline"))).collect()
}

fn soon(what: impl Fn() -> bool) -> bool {
    (0..6000).any(|_| {
        let done = what();
        if !done {
            thread::sleep(Duration::from_millis(10));
        }
        done
    })
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

#[test]
fn a_killed_run_leaves_no_visit_behind() {
    let sandbox = Sandbox::new();
    let args = [
        "run",
        "--only",
        "load_latency",
        "--depth",
        "standard",
        "--where",
        "order=grouped,pages=base",
    ];
    let run = Running::start(&sandbox, &args);
    assert!(soon(|| processes(&sandbox).iter().any(|line| line.contains("__visit"))));
    run.signal("KILL");
    assert_eq!(run.ended().0, 128 + 9);
    assert!(soon(|| processes(&sandbox).is_empty()), "{:?}", processes(&sandbox));
}
