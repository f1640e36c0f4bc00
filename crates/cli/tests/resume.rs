//! A run that is stopped keeps what it measured, and `--resume` finishes it.
use crate::sandbox::{PROGRAM, Sandbox, fixtures, load, measured, page_of, reached};
use record::ProbeId;
use serde_json::Value;
use std::{
    fs,
    io::Read,
    os::unix::process::ExitStatusExt,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::Duration,
};

/// A run in the background. It is killed when a test gives up on it.
pub(crate) struct Running {
    child: Child,
}

impl Running {
    pub(crate) fn start(sandbox: &Sandbox, args: &[&str]) -> Running {
        // A job that a script started in the background ignores Ctrl-C, and so would what it starts.
        let mut command = Command::new("env");
        command
            .args(["--default-signal=INT", PROGRAM])
            .args(args)
            .current_dir(sandbox.path(""))
            .envs(sandbox.environment());
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        Running { child: command.spawn().unwrap() }
    }
    /// Waits for a record with a measured case.
    pub(crate) fn measured(&mut self, sandbox: &Sandbox) -> PathBuf {
        for _ in 0..6000 {
            if let Some(file) = sandbox.records().first().filter(|f| reached(&load(f)).0 > 0) {
                return file.clone();
            }
            assert!(self.child.try_wait().unwrap().is_none(), "it ended before anything was saved");
            thread::sleep(Duration::from_millis(10));
        }
        panic!("nothing was measured in a minute");
    }
    pub(crate) fn signal(&self, name: &str) {
        let line = format!("kill -{name} {}", self.child.id());
        assert!(Command::new("sh").args(["-c", &line]).status().unwrap().success());
    }
    /// Its process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }
    /// Exit code, or 128 and the signal that ended it, and what it said.
    pub(crate) fn ended(mut self) -> (i32, String, String) {
        let (mut out, mut err) = (String::new(), String::new());
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        self.child.stderr.take().unwrap().read_to_string(&mut err).unwrap();
        let status = self.child.wait().unwrap();
        // A status of 130 without the signal is none: shells would go on.
        let code = status.signal().map_or(status.code().unwrap_or_default(), |n| 128 + n);
        assert!(code < 128 || status.signal().is_some(), "{status}: {err}");
        (code, out, err)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Long enough to be stopped in the middle, short enough to be finished.
const RUN: [&str; 5] = ["run", "--only", "core_frequency,core_rate", "--seed", "5"];

fn raw_runs(file: &Path) -> Vec<Value> {
    let record: Value = serde_json::from_str(&text(file)).unwrap();
    record["runs"].as_array().unwrap().clone()
}

/// The JSON of a compressed record.
fn text(file: &Path) -> String {
    let bytes = fs::read(file).unwrap();
    String::from_utf8(record::plain(&bytes).unwrap().into_owned()).unwrap()
}

fn parts(sandbox: &Sandbox) -> usize {
    sandbox.everything().iter().filter(|f| f.extension().is_some_and(|x| x == "part")).count()
}

/// No command at all is a quick run of everything.
#[test]
fn ctrl_c_saves_what_was_measured_and_states_how_to_go_on() {
    let sandbox = Sandbox::new();
    let mut run = Running::start(&sandbox, &[]);
    let file = run.measured(&sandbox);
    run.signal("INT");
    let (code, out, err) = run.ended();
    assert_eq!(code, 128 + 2, "{err}");
    let record = load(&file);
    let (done, left) = reached(&record);
    assert!(done > 0 && left > 5, "{done} {left}");
    assert_eq!(record.provenance.command, ["cpulens"]);
    assert_eq!(record.provenance.depth.as_deref(), Some("quick"));
    assert!(record.judgement.is_some());
    let hint = format!("cpulens run --resume {}", file.display());
    assert!(err.lines().last().unwrap().ends_with(&hint), "{err}");
    assert!(err.contains("Ctrl-C again"), "{err}");
    assert!(!out.is_empty(), "the report covers what there is");
    assert!(page_of(&file).exists());
    assert_eq!(parts(&sandbox), 0);
}

fn series(run: &Value) -> &Vec<Value> {
    run["outcome"]["measured"].as_array().unwrap()
}

fn samples(series: &Value) -> &Vec<Value> {
    series["samples"].as_array().unwrap()
}

#[test]
fn a_terminated_run_is_resumed_and_its_measurements_stay_as_they_were() {
    let sandbox = Sandbox::new();
    let mut run = Running::start(&sandbox, &RUN);
    let file = run.measured(&sandbox);
    run.signal("TERM");
    let (code, _, err) = run.ended();
    assert_eq!(code, 128 + 15, "{err}");
    let before = raw_runs(&file);
    let (done, left) = reached(&load(&file));
    assert!(done > 0 && left > 0, "{done} {left}");

    // Records that are not this machine's, or not this program's, are refused with a line.
    let bytes = fs::read(&file).unwrap();
    let text = text(&file);
    let model = load(&file).machine.text("cpu.model").unwrap().to_owned();
    let refused = |name: &str, from: &str, to: &str, words: &str| {
        assert!(text.contains(from), "{from}");
        let other = sandbox.file(name, text.replace(from, to));
        sandbox.cpulens(&["run", "--resume", &other]).could_not(words);
    };
    refused(
        "other-machine.json",
        &format!("\"value\": \"{model}\""),
        "\"value\": \"PDP-11\"",
        "another machine",
    );
    let kernels = load(&file).provenance.kernels.unwrap();
    refused("other-kernels.json", &kernels, "0123456789abcdef", "other kernels");
    refused("other-cpus.json", "\"cpus\": \"", "\"cpus\": \"4711,", "only");
    assert_eq!(fs::read(&file).unwrap(), bytes, "refusing changes nothing");

    let resumed = sandbox.cpulens(&["run", "--resume", "--format", "json", "--quiet"]).done();
    assert_eq!(resumed.err, "");
    let report: Value = serde_json::from_str(&resumed.out).unwrap();
    assert!(report["estimates"].as_array().unwrap().iter().any(|e| e["probe"] == "core_rate"));
    let record = load(&file);
    assert_eq!(reached(&record), (4, 0));
    assert_eq!((record.provenance.resumed, record.provenance.seed), (1, 5));
    let after = raw_runs(&file);
    assert_eq!(before.len(), after.len());
    for (old, new) in
        before.iter().zip(&after).filter(|(old, _)| old["outcome"]["measured"].is_array())
    {
        // A later visit may add samples.
        for (old, new) in series(old).iter().zip(series(new)) {
            let (old, new) = (samples(old), samples(new));
            assert!(!old.is_empty() && new.starts_with(old), "{old:?} became {new:?}");
        }
    }
    let began: Vec<f64> = record.runs.iter().map(|r| r.began).collect();
    assert!(began.is_sorted(), "time goes on where it stopped: {began:?}");
    assert!(record.provenance.took >= began[3]);
    sandbox.cpulens(&["run", "--resume"]).could_not("nothing to resume");
    sandbox.cpulens(&["run", "--resume", file.to_str().unwrap()]).could_not("complete");
    assert_eq!(sandbox.records().len(), 1);
}

#[test]
fn a_killed_run_leaves_the_last_saved_state() {
    let sandbox = Sandbox::new();
    let mut run = Running::start(&sandbox, &RUN);
    let file = run.measured(&sandbox);
    let children = format!("/proc/{0}/task/{0}/children", run.child.id());
    assert_eq!(
        fs::read_to_string(children).unwrap_or_default(),
        "",
        "no processes to leave behind"
    );
    run.signal("KILL");
    assert_eq!(run.ended().0, 128 + 9);
    let (done, left) = reached(&load(&file));
    assert!(done > 0 && left > 0, "{done} {left}");
    assert!(parts(&sandbox) <= 1);
    let shown = sandbox.cpulens(&["show", "last"]);
    assert!(shown.code == 0 && !shown.out.is_empty(), "{}", shown.err);
    let resumed = sandbox.cpulens(&["run", "--resume"]).done();
    assert_eq!(reached(&load(&file)).1, 0);
    let next = format!("cpulens show {} --full", file.display());
    // A long command goes on after a backslash, and a long path is a variable.
    let words: Vec<&str> = resumed.out.split_whitespace().filter(|word| *word != "\\").collect();
    let said = words.join(" ").replace("$R", &file.display().to_string());
    assert!(said.contains(&next), "another record may be newer: {}", resumed.out);
}

#[test]
fn a_second_ctrl_c_ends_it_at_once() {
    let sandbox = Sandbox::new();
    let mut run = Running::start(&sandbox, &["run", "--only", "load_latency"]);
    let file = run.measured(&sandbox);
    // The second may come after the first has already ended the run; then it is the first's exit.
    run.signal("INT");
    thread::sleep(Duration::from_millis(2));
    let line = format!("kill -INT {} 2>/dev/null", run.child.id());
    let _ = Command::new("sh").args(["-c", &line]).status();
    let (code, _, err) = run.ended();
    assert_eq!(code, 128 + 2, "{err}");
    assert!(reached(&load(&file)).0 > 0);
}

#[test]
fn an_ignored_interrupt_stays_ignored() {
    let sandbox = Sandbox::new();
    let line = "trap '' INT; \"$0\" run --only core_frequency & sleep 0.7; kill -INT $!; wait $!";
    let ran = sandbox.shell(line).done();
    assert!(ran.err.contains("] preflight: "), "{}", ran.err);
}

#[test]
fn what_is_complete_or_anothers_is_not_resumed() {
    let sandbox = Sandbox::new();
    let complete = sandbox.file("complete.json", measured());
    sandbox.cpulens(&["run", "--resume", &complete]).could_not("complete");
    let mut unfinished = 0;
    for (_, file) in fixtures() {
        let words = if reached(&load(&file)).1 > 0 { "was begun" } else { "complete" };
        unfinished += usize::from(words == "was begun");
        let copy = sandbox.file("copy.json", fs::read(&file).unwrap());
        sandbox.cpulens(&["run", "--resume", &copy]).could_not(words);
        assert_eq!(fs::read(&copy).unwrap(), fs::read(&file).unwrap());
    }
    assert!(unfinished > 0, "one fixture was cut short");
}

/// Whether a process with these words in its command line is there.
fn runs(words: &[u8]) -> bool {
    let folders = fs::read_dir("/proc").unwrap().flatten();
    let lines = folders.filter_map(|f| fs::read(f.path().join("cmdline")).ok());
    lines.into_iter().any(|line| line.windows(words.len()).any(|w| w == words) && !line.is_empty())
}

#[test]
fn ctrl_c_on_a_scaling_run_keeps_its_points_and_leaves_no_copy_running() {
    let sandbox = Sandbox::new();
    let args = ["scale", "--repeats", "30", "--", "sleep", "0.271828"];
    let mut run = Running::start(&sandbox, &args);
    let points = |file: &Path| {
        let record = load(file);
        let done = |r: &&record::Run| {
            r.case.probe == ProbeId::ScalingRun && matches!(r.outcome, record::Outcome::Measured(_))
        };
        record.runs.iter().filter(done).count()
    };
    let file = run.measured(&sandbox);
    while points(&file) == 0 {
        assert!(run.child.try_wait().unwrap().is_none(), "it ended before a step was saved");
        thread::sleep(Duration::from_millis(10));
    }
    run.signal("INT");
    let (code, _, err) = run.ended();
    assert_eq!(code, 128 + 2, "{err}");
    assert!(points(&file) > 0 && reached(&load(&file)).1 > 10);
    assert!(err.contains("cpulens scale --resume"), "{err}");
    assert!(!runs(b"sleep\x000.271828"), "a copy is left");
}
