//! Runs on machines where things are missing, full, forbidden or few: they finish or say what is missing, and never panic.
use crate::sandbox::{
    CHEAP, PROGRAM, Ran, Sandbox, fixtures, is_record, load, measured, possible, reached,
};
use record::{FactValue, Outcome, ProbeId, Record};
use std::{fs, path::Path};

fn cheap() -> String {
    format!("\"$0\" {}", CHEAP.join(" "))
}

fn is_root() -> bool {
    Sandbox::new().shell("id -u").out.trim() == "0"
}

/// Whether mounts of our own can be made, which no other process sees.
fn can_mount() -> bool {
    let mounted = "unshare -m sh -c 'mount -t tmpfs -o size=64k none /mnt' 2>/dev/null";
    possible("mounting needs root and unshare(1)", Sandbox::new().shell(mounted).code == 0)
}

fn only_record(sandbox: &Sandbox) -> Record {
    let [file] = &sandbox.records()[..] else { panic!("{:?}", sandbox.everything()) };
    load(file)
}

#[test]
fn closed_streams_do_not_stop_a_run() {
    for closed in ["2>&-", "<&- >&- 2>&-"] {
        let sandbox = Sandbox::new();
        sandbox.shell(&format!("{} {closed}", cheap())).done();
        assert_eq!(reached(&only_record(&sandbox)), (3, 0), "{closed}");
    }
    let sandbox = Sandbox::new();
    let json = sandbox.shell(&format!("{} --format json 2>&-", cheap())).done().out;
    serde_json::from_str::<serde_json::Value>(&json).unwrap();
    for command in ["list", "explain core_frequency", "info", "completions bash", "--help"] {
        assert_eq!(sandbox.shell(&format!("\"$0\" {command} >&-")).code, 0, "{command}");
    }
}

#[test]
fn a_reader_that_has_seen_enough_is_no_error() {
    let sandbox = Sandbox::new();
    let record = fixtures()[0].1.display().to_string();
    // The reader is gone before anything is written; `set -o pipefail` is not known to every sh.
    for command in [
        &format!("show {record}")[..],
        &format!("show {record} --format json"),
        "list",
        "info",
        "--help",
    ] {
        let line = format!("{{ sleep 0.2; \"$0\" {command}; echo $? >&2; }} | exec true");
        let ran = sandbox.shell(&line);
        assert_eq!(ran.err, "0\n", "{command}");
    }
    let ran = sandbox.shell(&format!("\"$0\" show {record} | head -1"));
    assert_eq!((ran.code, ran.err.as_str(), ran.out.lines().count()), (0, "", 1));
    // A run whose report nobody reads has still been recorded.
    let ran = sandbox.shell(&format!("{{ {}; echo $? >&2; }} | exec true", cheap()));
    assert!(ran.err.ends_with("\n0\n"), "{}", ran.err);
    assert_eq!(reached(&only_record(&sandbox)), (3, 0));
}

#[test]
fn a_full_stdout_is_reported_and_the_record_is_kept() {
    let sandbox = Sandbox::new();
    let ran = sandbox.shell(&format!("{} >/dev/full", cheap()));
    assert!(ran.code == 2 && ran.err.contains("standard output"), "{}", ran.err);
    assert!(ran.err.contains("Record: "), "{}", ran.err);
    assert_eq!(reached(&only_record(&sandbox)), (3, 0));
}

/// /proc is a folder in which not even root can make files.
#[test]
fn without_a_writable_home_the_record_goes_elsewhere_and_that_is_reported() {
    let sandbox = Sandbox::new();
    let ran = sandbox
        .shell(&format!("unset XDG_DATA_HOME; HOME=/proc/none; export HOME; {}", cheap()))
        .done();
    assert!(ran.err.lines().next().unwrap().contains("cannot write in /proc/none/"), "{}", ran.err);
    let [file] = &sandbox.everything().into_iter().filter(|f| is_record(f)).collect::<Vec<_>>()[..]
    else {
        panic!("{:?}", sandbox.everything())
    };
    assert!(ran.err.contains(&format!("the record goes to {}", file.display())), "{}", ran.err);
    // The next commands find it there.
    assert!(ran.out.contains(&file.display().to_string()), "{}", ran.out);
    assert!(!ran.out.contains(" last"), "{}", ran.out);
    assert_eq!(reached(&load(file)), (3, 0));
}

#[test]
fn without_home_and_data_home_it_measures_and_states_where_the_record_is() {
    let sandbox = Sandbox::new();
    let ran = sandbox.shell(&format!("unset HOME XDG_DATA_HOME TMPDIR; {}", cheap())).done();
    assert!(ran.err.contains("neither HOME nor XDG_DATA_HOME"), "{}", ran.err);
    let files = sandbox.everything();
    assert_eq!(files.len(), 2, "record and page, in the working folder: {files:?}");
    for command in ["show last", "run --resume"] {
        let ran = sandbox.shell(&format!("unset HOME XDG_DATA_HOME; \"$0\" {command}"));
        ran.could_not("neither HOME nor XDG_DATA_HOME");
    }
    let relative =
        sandbox.shell("HOME=home XDG_DATA_HOME=data; export HOME XDG_DATA_HOME; \"$0\" show last");
    relative.could_not("neither HOME nor XDG_DATA_HOME");
}

#[test]
fn without_any_place_to_write_the_report_still_comes() {
    let sandbox = Sandbox::new();
    let line = format!(
        "cd /proc; HOME=/proc/none XDG_DATA_HOME=/proc/none TMPDIR=/proc/none; export HOME XDG_DATA_HOME TMPDIR; {}",
        cheap()
    );
    let ran = sandbox.shell(&line);
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.out.contains("Core frequency"), "{}", ran.err);
    let last = ran.err.lines().last().unwrap();
    assert!(last.contains("not saved") && last.contains("--record FILE"), "{}", ran.err);
    assert!(sandbox.everything().is_empty());
}

/// No file may grow beyond 4 KiB, in no folder.
#[test]
fn a_record_that_does_not_fit_is_reported_and_the_report_still_comes() {
    let sandbox = Sandbox::new();
    let ran = sandbox.shell(&format!("trap '' XFSZ; ulimit -f 8; {}", cheap()));
    assert_eq!(ran.code, 4, "{}", ran.err);
    assert!(ran.out.contains("Core frequency"), "{}", ran.err);
    assert!(ran.err.lines().last().unwrap().contains("not saved"), "{}", ran.err);
    assert!(!ran.err.contains("Record: "), "{}", ran.err);
    assert!(sandbox.everything().is_empty(), "{:?}", sandbox.everything());
    let sandbox = Sandbox::new();
    let ran = sandbox.shell(&format!("trap '' XFSZ; ulimit -f 0; {} --record r.json", cheap()));
    ran.could_not("cannot write r.json");
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_read_only_root_and_a_noexec_tmp_are_enough() {
    if !can_mount() {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("data")).unwrap();
    // Everything read-only but one folder, in which nothing may be executed.
    let line = "mount -t tmpfs -o noexec none data && mount -o remount,bind,ro / && \
                XDG_DATA_HOME=$PWD/data; TMPDIR=$PWD/data; export XDG_DATA_HOME TMPDIR; \
                \"$0\" run --only core_frequency --quiet >/dev/null; code=$?; ls data/cpulens/records; exit $code";
    let ran = Ran::of(sandbox.command("unshare").args(["-m", "sh", "-c", line, PROGRAM]));
    if !possible("the root cannot be remounted read-only", !ran.err.contains("mount:")) {
        return;
    }
    let ran = ran.done();
    assert!(
        ran.err.is_empty() && ran.out.contains(".json") && ran.out.contains(".html"),
        "{} {}",
        ran.out,
        ran.err
    );
}

#[test]
fn one_cpu_has_no_pairs_and_that_is_reported() {
    let sandbox = Sandbox::new();
    let taskset = sandbox.shell("taskset -pc $$").code == 0;
    if !possible("there is no taskset(1)", taskset) {
        return;
    }
    let plan =
        sandbox.cpulens(&["run", "--dry-run", "--only", "core_frequency", "--format", "json"]).out;
    let plan: serde_json::Value = serde_json::from_str(&plan).unwrap();
    let cpu = plan["plan"]["cases"][1]["case"]["place"]["cpus"].as_str().unwrap().to_owned();
    let line =
        format!("taskset -c {cpu} \"$0\" run --only core_frequency,core_to_core --cpus {cpu}");
    let ran = sandbox.shell(&line).done();
    assert!(ran.err.contains("core_frequency"), "{}", ran.err);
    let record = only_record(&sandbox);
    let pairs = record.runs.iter().find(|r| r.case.probe == ProbeId::CoreToCore).unwrap();
    let Outcome::Skipped(why) = &pairs.outcome else { panic!("{pairs:?}") };
    assert!(why.why.contains("only one CPU") && why.remedy.is_some(), "{why}");
    assert_eq!(record.machine.topology.usable().len(), 1);
    let all = record.machine.topology.cpus.len();
    if all > 1 {
        let other =
            record.machine.topology.cpus.iter().find(|c| c.id.to_string() != cpu).unwrap().id;
        let line = format!("taskset -c {cpu} \"$0\" run --only core_frequency --cpus {other}");
        sandbox.shell(&line).could_not("affinity");
    }
}

#[test]
fn little_address_space_shrinks_or_fails_cases_with_reasons() {
    let sandbox = Sandbox::new();
    // The program itself, 64 MiB beside it, in KiB.
    let kib = fs::metadata(PROGRAM).unwrap().len() / 1024 + (64 << 10);
    let run = "run --only core_frequency,bandwidth,core_to_core,loaded_latency,numa_matrix --per-cpu --where kernel=read --time-budget 20 --quiet";
    let ran = sandbox.shell(&format!("ulimit -v {kib}; \"$0\" {run}")).done();
    assert!(ran.err.is_empty(), "{}", ran.err);
    let record = only_record(&sandbox);
    assert!(reached(&record).0 >= 3, "what needs no memory is measured: {}", ran.out);
    let mut without = 0;
    for run in &record.runs {
        if let Outcome::Failed(why) | Outcome::Skipped(why) | Outcome::NotReached(why) =
            &run.outcome
        {
            without += 1;
            assert!(
                !why.why.is_empty() && !why.why.contains("defect"),
                "{}: {why}",
                run.case.label()
            );
        }
        if let Outcome::Measured(series) = &run.outcome {
            let bytes = series.iter().filter_map(|s| s.buffer.as_ref()).map(|b| b.bytes).max();
            assert!(bytes.unwrap_or(0) <= kib << 10, "{}", run.case.label());
        }
    }
    assert_eq!(without + reached(&record).0, record.runs.len());
}

/// A container of 64 MiB: the kernel would kill a run that fills more.
#[test]
fn buffers_stay_within_a_memory_cgroup() {
    for (probes, cpus) in [
        ("bandwidth", "--cpus $cpu"),
        // Threads with a buffer each beside a ring, and the memory of one node.
        ("loaded_latency,numa_matrix", "--per-cpu"),
    ] {
        let sandbox = Sandbox::new();
        let run = format!("run --only core_frequency,{probes} {cpus} --time-budget 20 --quiet");
        let line = "cpu=$(taskset -pc $$ | sed 's/.*: *//; s/[-,].*//') || exit 77
        for top in /sys/fs/cgroup/memory:memory.limit_in_bytes /sys/fs/cgroup:memory.max; do
            group=${top%%:*}/cpulens-test-$$; limit=${top##*:}
            mkdir $group 2>/dev/null || continue
            if echo 67108864 2>/dev/null >$group/$limit; then
                sh -c 'echo $$ >'$group'/cgroup.procs && exec \"$0\" RUN' \"$0\"
                code=$?; rmdir $group; exit $code
            fi
            rmdir $group
        done; exit 77";
        let ran = sandbox.shell(&line.replace("RUN", &run.replace("$cpu", "'$cpu'")));
        if !possible("a memory cgroup cannot be made here", ran.code != 77) {
            return;
        }
        ran.done();
        let record = only_record(&sandbox);
        for probe in probes.split(',') {
            let buffers = buffers(&record, probe);
            // On a busy machine threads that must run at once may not get to, and say so.
            let skipped = record.runs.iter().any(|r| match &r.outcome {
                Outcome::Skipped(why) | Outcome::Failed(why) | Outcome::NotReached(why) => {
                    r.case.probe == probe && probe != "bandwidth" && why.remedy.is_some()
                }
                Outcome::Measured(_) => false,
            });
            assert!(!buffers.is_empty() || skipped, "{probe}: {:?}", record.runs);
            assert!(buffers.iter().all(|bytes| *bytes < 64 << 20), "{probe}: {buffers:?}");
        }
    }
}

/// Sizes of the memory that a probe worked on.
fn buffers(record: &Record, probe: &str) -> Vec<u64> {
    let measured = record.runs.iter().filter_map(|r| match &r.outcome {
        Outcome::Measured(series) if r.case.probe == probe => Some(series),
        _ => None,
    });
    measured.flatten().filter_map(|s| s.buffer.as_ref()).map(|b| b.bytes).collect()
}

#[test]
fn whoever_is_nobody_can_measure() {
    let nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups";
    let can = is_root() && Sandbox::new().shell(&format!("{nobody} test -x \"$0\"")).code == 0;
    if !possible("becoming another user needs root, setpriv(1) and a program they can reach", can) {
        return;
    }
    let sandbox = Sandbox::new();
    fs::create_dir(sandbox.path("data")).unwrap();
    assert_eq!(sandbox.shell("chmod 755 . && chown 65534 data").code, 0);
    sandbox.shell(&format!("{nobody} {}", cheap())).done();
    assert_eq!(reached(&only_record(&sandbox)), (3, 0));
    let info = sandbox.shell(&format!("{nobody} \"$0\" info"));
    assert_eq!((info.code, info.err.as_str()), (0, ""));
    // Another's home: the records go where one can write, and it is reported.
    let ran = sandbox
        .shell(&format!("chmod 777 .; rm -r data; mkdir -m 755 data; {nobody} {}", cheap()))
        .done();
    assert!(
        ran.err.contains("Permission denied") && ran.err.contains("the record goes to"),
        "{}",
        ran.err
    );
    // What one may not read is named, with the reason.
    let secret = sandbox.file("secret.json", measured());
    sandbox
        .shell(&format!("chmod 0 {secret}; {nobody} \"$0\" show {secret}"))
        .could_not("Permission denied");
}

#[test]
fn without_sys_and_proc_it_states_what_is_missing() {
    if !can_mount() {
        return;
    }
    let hidden = |what: &str, command: &str| {
        let sandbox = Sandbox::new();
        let line = format!("{what} exec \"$0\" {command}");
        Ran::of(sandbox.command("unshare").args(["-m", "sh", "-c", &line, PROGRAM]))
    };
    let no_sys = "mount -t tmpfs none /sys &&";
    let no_proc = "mount -t tmpfs none /proc &&";
    for what in [no_sys, no_proc, &format!("{no_sys} {no_proc}")[..]] {
        let info = hidden(what, "info");
        assert_eq!((info.code, info.err.as_str()), (0, ""), "{what}");
        assert!(info.out.contains("could not be read"), "{what}");
        let run = hidden(what, "run --only core_frequency --record r.json");
        assert!(
            run.code == 0 || (run.code == 2 && !run.err.is_empty()),
            "{what} {}: {}",
            run.code,
            run.err
        );
        if run.code == 0 {
            assert!(run.err.contains("] core_frequency: add"), "{what}: {}", run.err);
        }
    }
    // An unknown is said to be one: never nought.
    let json = hidden(&format!("{no_sys} {no_proc}"), "info --format json").out;
    let info: serde_json::Value = serde_json::from_str(&json).unwrap();
    let machine: record::Machine = serde_json::from_value(info["machine"].clone()).unwrap();
    let unknown =
        machine.facts.values().filter(|f| matches!(f.known, FactValue::Unknown(_))).count();
    assert!(unknown > 10, "{unknown} facts are unknown");
    assert_eq!(machine.number("memory.total"), None);
}

#[test]
fn a_captured_tree_does_not_need_the_live_one() {
    if !can_mount() {
        return;
    }
    let machines =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/machines/epyc-guest/tree");
    let sandbox = Sandbox::new();
    let line = format!(
        "mount -t tmpfs none /sys && mount -t tmpfs none /proc && exec \"$0\" info --format json --root {}",
        machines.display()
    );
    let hidden = Ran::of(sandbox.command("unshare").args(["-m", "sh", "-c", &line, PROGRAM]));
    let usual =
        sandbox.cpulens(&["info", "--format", "json", "--root", machines.to_str().unwrap()]);
    assert!(usual.code == 0 && usual.out == hidden.out, "{}", hidden.err);
}
