//! `scale` as a user types it: what is refused, what is planned, what is recorded, and that commands leave nothing behind.
use crate::resume::Running;
use crate::sandbox::{Sandbox, alive, load, soon};
use record::{Outcome, ProbeId, Record, Run};

fn scaling_run(record: &Record) -> Vec<&Run> {
    record.runs.iter().filter(|r| r.case.probe == ProbeId::ScalingRun).collect()
}

#[test]
fn what_cannot_be_scaled_is_refused_before_anything_is_measured() {
    let sandbox = Sandbox::new();
    for (args, words) in [
        (&["scale", "core_rates"][..], "those with work that can be copied are"),
        (&["scale", "core_to_core"], "has no work that could be copied"),
        (&["scale", "--", "no-such-program-here"], "command not found"),
        (&["scale", "--", "./no-such-program-here"], "command not found"),
        (&["scale", "core_rate", "--where", "op=sing"], "op=add"),
        (&["scale", "core_rate", "--cpus", "60000"], "no such CPU"),
        (&["scale", "core_rate", "--memory", "bind=60000"], "there is no node 60000"),
    ] {
        sandbox.cpulens(args).could_not(words);
    }
    for args in [
        &["scale"][..],
        &["scale", "core_rate", "--repeats", "2"],
        &["scale", "core_rate", "--policy", "some"],
        &["scale", "core_rate", "--memory", "bind"],
        &["scale", "core_rate", "--per-step", "0"],
        &["scale", "core_rate", "--", "true"],
    ] {
        let ran = sandbox.cpulens(args);
        assert_eq!((ran.code, ran.out.as_str()), (2, ""), "{args:?}");
    }
    assert!(sandbox.everything().is_empty());
}

/// `--copy` accepts exactly the probes that the help names.
#[test]
fn the_help_names_every_probe_that_can_be_scaled() {
    let help = Sandbox::new().cpulens(&["scale", "--help"]).out;
    for (id, work) in measure::scalable_work::all(probes::probes::ALL) {
        let words = format!("{id} ({}={})", work.parameter.name(), (work.kinds)()[0]);
        assert!(help.split_whitespace().collect::<Vec<_>>().join(" ").contains(&words), "{words}");
    }
}

#[test]
fn interleaving_needs_two_nodes() {
    let sandbox = Sandbox::new();
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fixtures/machines/epyc-guest/tree");
    let args = ["scale", "--dry-run", "--root", root, "--memory", "interleave", "core_rate"];
    sandbox.cpulens(&args).could_not("two nodes and more");
}

#[test]
fn a_dry_run_shows_every_step_and_its_time() {
    let sandbox = Sandbox::new();
    let ran = sandbox
        .cpulens(&["scale", "--dry-run", "--format", "csv", "--repeats", "3", "bandwidth"])
        .done();
    let rows: Vec<&str> = ran.out.lines().filter(|l| l.starts_with("scaling_run,")).collect();
    let steps = |word: &str| rows.iter().filter(|r| r.contains(word)).count();
    assert_eq!(
        (steps("step=1 core"), steps("policy=unpinned") * 2),
        (6, rows.len()),
        "{}",
        ran.out
    );
    assert!(rows.iter().all(|r| r.contains("kernel=read")));
    assert!(sandbox.everything().is_empty());
}

#[test]
fn a_probes_scaling_run_is_a_record_like_any_other() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("scaling_run.json");
    let name = file.to_str().unwrap();
    let short =
        ["--repeats", "3", "--per-step", "0.02", "--policy", "one-to-one,range", "--record", name];
    let ran = sandbox.cpulens(&[&["scale", "core_rate"], &short[..]].concat()).done();
    assert!(ran.out.contains("Scaling of 64-bit additions"), "{}", ran.out);
    let record = load(&file);
    let runs = scaling_run(&record);
    assert!(runs.len() >= 6 && runs.len().is_multiple_of(6), "{}", runs.len());
    assert!(runs.iter().all(|r| matches!(r.outcome, Outcome::Measured(_))));
    for (format, words) in [
        ("markdown", "one-to-one"),
        ("html", "chart-"),
        ("json", "\"scaling_runs\""),
        ("csv", "throughput"),
        ("text", "no law is fitted"),
    ] {
        let shown = sandbox.cpulens(&["show", name, "--format", format]).done().out;
        assert!(shown.to_lowercase().contains(words) || format == "text", "{format}");
    }
}

#[test]
fn a_command_that_fails_or_hangs_is_reported_and_not_measured() {
    let sandbox = Sandbox::new();
    for (args, words) in [
        (&["--", "sh", "-c", "exit 3"][..], "exit code 3"),
        (&["--timeout", "0.2", "--", "sleep", "61.8"], "had not ended after 0.2 s"),
    ] {
        let first =
            ["scale", "--full", "--repeats", "3", "--policy", "one-to-one", "--quiet", "--cpus"];
        let cpu = host_cpu();
        let ran = sandbox.cpulens(&[&first[..], &[&cpu], args].concat());
        assert_eq!(ran.code, 2, "{}", ran.err);
        assert!(ran.out.contains(words), "{words}: {}", ran.out);
        assert!(ran.err.contains("no case of scaling_run has a result"), "{}", ran.err);
    }
}

/// A plan without a workload leaves it out, and who named it learns that it is missing.
#[test]
fn a_scaling_run_of_nothing_is_missing() {
    let ran = Sandbox::new().cpulens(&["run", "--only", "scaling_run", "--quiet"]);
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert!(ran.out.lines().any(|line| line.contains("skipped: scaling_run")), "{}", ran.out);
}

/// An expression that does not fit is known after the first run: no other one is made.
#[test]
fn a_rate_that_is_not_printed_ends_the_scaling_run_at_once() {
    let sandbox = Sandbox::new();
    let args = ["scale", "--repeats", "3", "--quiet", "--record", "r.json", "--rate-regex"];
    let print = "echo >> ran; echo ready; echo done in 3 s";
    let more = ["rate ([0-9]+)", "--", "sh", "-c", print];
    let ran = sandbox.cpulens(&[&args[..], &more].concat());
    assert_eq!(ran.code, 2, "{}", ran.err);
    assert_eq!(std::fs::read_to_string(sandbox.path("ran")).unwrap().lines().count(), 1);
    let record = load(&sandbox.path("r.json"));
    let outcomes: Vec<&Outcome> = scaling_run(&record).iter().map(|run| &run.outcome).collect();
    let Outcome::Failed(why) = outcomes[0] else { panic!("{outcomes:?}") };
    assert!(why.why.ends_with("its last lines: ready | done in 3 s"), "{why}");
    let skipped = |o: &&&Outcome| matches!(o, Outcome::Skipped(why) if why.remedy.is_some());
    assert_eq!(outcomes[1..].iter().filter(skipped).count(), outcomes.len() - 1, "{outcomes:?}");
    assert!(outcomes.len() > 1);
}

/// A CPU that may be used here.
fn host_cpu() -> String {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:")).unwrap();
    line.trim().split([',', '-']).next().unwrap().to_owned()
}

/// A scaling run that was cut short is finished by `scale --resume`, by `last` as well as by its name; a record without one is not.
#[test]
fn a_scaling_run_that_was_cut_short_is_finished() {
    let sandbox = Sandbox::new();
    let cut = |record: &mut Record| {
        let why = record::Reason::new("the run ended before this case");
        for run in record.runs.iter_mut().filter(|r| r.case.probe == ProbeId::ScalingRun).skip(2) {
            run.outcome = Outcome::NotReached(why.clone());
        }
    };
    let unreached = |record: &Record| {
        let none = |r: &&Run| matches!(r.outcome, Outcome::NotReached(_));
        record.runs.iter().filter(none).count()
    };
    let file = sandbox.path("scaling_run.json");
    let name = file.to_str().unwrap();
    let args = ["scale", "core_rate", "--repeats", "3", "--per-step", "0.02", "--policy", "range"];
    sandbox.cpulens(&[&args[..], &["--cpus", &host_cpu(), "--record", name]].concat()).done();
    let mut record = load(&file);
    cut(&mut record);
    assert_eq!(unreached(&record), 1, "three repeats of one step");
    std::fs::write(&file, record::to_vec(&record).unwrap()).unwrap();
    let kept: Vec<Outcome> = scaling_run(&record)[..2].iter().map(|r| r.outcome.clone()).collect();
    sandbox.cpulens(&["scale", "--resume", name]).done();
    let whole = load(&file);
    assert_eq!((unreached(&whole), whole.provenance.resumed), (0, 1));
    let first: Vec<Outcome> = scaling_run(&whole)[..2].iter().map(|r| r.outcome.clone()).collect();
    assert_eq!(first, kept, "what was there is not measured again");
    sandbox.cpulens(&["scale", "--resume", name]).could_not("complete");
    // The newest that is unfinished and has a scaling run; one of another kind is refused by name.
    let other = sandbox.path("run.json");
    let other = other.to_str().unwrap();
    sandbox.cpulens(&["run", "--only", "instrument", "--record", other]).done();
    sandbox.cpulens(&["scale", "--resume", other]).could_not("has no scaling_run");
    sandbox.cpulens(&["scale", "--resume"]).could_not("nothing to resume");
    for more in ["--repeats", "--cpus"] {
        assert_eq!(sandbox.cpulens(&["scale", "--resume", name, more, "3"]).code, 2, "{more}");
    }
}

/// A command that never ends costs its time limit once, whether or not it heeds being asked to end.
#[test]
fn the_time_limit_is_kept() {
    let sandbox = Sandbox::new();
    // It has to be deaf before it is asked to end.
    let deaf = "trap '' TERM; while :; do :; done";
    for (command, limit, grace) in [("sleep 61.8", 0.3, 0.0), (deaf, 2.0, 1.0)] {
        let file = sandbox.path("late.json");
        let name = file.to_str().unwrap();
        let timeout = limit.to_string();
        let first =
            ["scale", "--repeats", "3", "--policy", "range", "--quiet", "--timeout", &timeout];
        let cpu = host_cpu();
        let rest = ["--cpus", &cpu, "--force", "--record", name, "--", "sh", "-c", command];
        assert_eq!(sandbox.cpulens(&[&first[..], &rest].concat()).code, 2);
        let record = load(&file);
        let [first, rest @ ..] = &scaling_run(&record)[..] else { panic!("no step") };
        // Never before its time; how much later is the scheduler's business.
        assert!(first.took >= limit + grace, "{command}: {}", first.took);
        assert!(
            matches!(&first.outcome, Outcome::Failed(why) if why.why.contains(&format!("{limit} s")))
        );
        let left_out = |run: &&&Run| matches!(&run.outcome, Outcome::Skipped(why) if why.why.contains("in time"));
        assert_eq!(rest.iter().filter(left_out).count(), 2, "{rest:?}");
    }
}

/// Background processes of the copies live on, and the report says that later points ran beside them.
#[test]
fn what_copies_leave_running_lives_on_and_is_counted_unless_it_is_to_be_ended() {
    let sandbox = Sandbox::new();
    let file = sandbox.path("left.json");
    let name = file.to_str().unwrap();
    let cpu = host_cpu();
    let first = ["scale", "--full", "--repeats", "3", "--policy", "one-to-one", "--cpus", &cpu];
    let rest = [
        "--force",
        "--record",
        name,
        "--",
        "sh",
        "-c",
        "setsid sleep 1000 > /dev/null 2>&1 & echo $! >> pids; until grep -q sleep /proc/$!/comm; do :; done",
    ];
    for end in [false, true] {
        let asked: &[&str] = if end { &["--end-children"] } else { &[] };
        let ran = sandbox.cpulens(&[&first[..], asked, &rest].concat()).done();
        let pids = std::fs::read_to_string(sandbox.path("pids")).unwrap();
        assert_eq!(pids.lines().count(), 3);
        let living: Vec<&str> = pids.lines().filter(|pid| alive(pid)).collect();
        assert_eq!(living.len(), if end { 0 } else { 3 }, "{}", ran.err);
        let said = ran.out.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(said.contains("still run (1): sleep"), !end, "{}", ran.out);
        let count = if end { "command.left_behind" } else { "command.still_running" };
        for run in scaling_run(&load(&file)) {
            assert_eq!(run.reading(count).map(|r| r.value), Some(1.0), "{run:?}");
        }
        sandbox.shell(&format!("kill {} 2>&-", living.join(" ")));
        std::fs::remove_file(sandbox.path("pids")).unwrap();
    }
}

/// SIGKILL leaves cpulens no time: neither the copies nor what left their groups and sessions may stay.
#[test]
fn a_killed_scaling_run_leaves_none_of_its_processes() {
    let sandbox = Sandbox::new();
    let script = "setsid sh -c 'sleep 1000 & echo $! >> pids; wait' & sleep 1000 & echo $! >> pids; \
                  echo $$ >> pids; echo >> ready; wait";
    let cpu = host_cpu();
    let args = ["scale", "--repeats", "3", "--policy", "one-to-one", "--cpus", &cpu, "--"];
    let run = Running::start(&sandbox, &[&args[..], &["sh", "-c", script]].concat());
    let pids = || std::fs::read_to_string(sandbox.path("pids")).unwrap_or_default();
    assert!(soon(|| sandbox.path("ready").exists() && pids().lines().count() == 3));
    let groups = groups_of(run.id());
    drop(run);
    assert!(soon(|| !pids().lines().any(alive)), "{}", pids());
    assert!(soon(|| groups.iter().all(|group| !group.exists())), "{groups:?}");
}

/// Control groups that this process made, in any hierarchy of cgroup v2.
fn groups_of(pid: u32) -> Vec<std::path::PathBuf> {
    let named = |entry: &std::fs::DirEntry| {
        entry.file_name().to_string_lossy().starts_with(&format!("cpulens-{pid}-"))
    };
    let roots = ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"];
    let entries = roots.iter().flat_map(std::fs::read_dir).flatten().flatten();
    entries.filter(named).map(|entry| entry.path()).collect()
}
