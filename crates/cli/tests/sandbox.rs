//! A place for one test: a home, a folder for records and a working folder of its own.
use assert_cmd::Command;
use record::{Outcome, Record};
use std::{
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::OnceLock,
    thread,
    time::Duration,
};
use tempfile::TempDir;

pub(crate) const PROGRAM: &str = env!("CARGO_BIN_EXE_cpulens");

/// The cheapest run there is that measures something.
pub(crate) const CHEAP: [&str; 3] = ["run", "--only", "core_frequency"];

pub(crate) struct Sandbox(TempDir);

/// The exit and output of the program.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Sandbox {
    pub(crate) fn new() -> Sandbox {
        Sandbox(tempfile::tempdir().unwrap())
    }
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.path(name), content).unwrap();
        self.path(name).display().to_string()
    }
    /// The environment that every test has.
    pub(crate) fn environment(&self) -> [(&'static str, PathBuf); 4] {
        [
            // Other tests run at the same time.
            ("CPULENS_PATIENCE", "0".into()),
            ("HOME", self.path("home")),
            ("XDG_DATA_HOME", self.path("data")),
            ("TMPDIR", self.0.path().to_owned()),
        ]
    }
    pub(crate) fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        for name in
            ["NO_COLOR", "RUST_BACKTRACE", "TERM", "COLUMNS", "LC_ALL", "LC_MESSAGES", "LANG"]
        {
            command.env_remove(name);
        }
        command.current_dir(self.0.path()).envs(self.environment());
        command.timeout(Duration::from_secs(300));
        command
    }
    pub(crate) fn cpulens(&self, args: &[&str]) -> Ran {
        Ran::of(self.command(PROGRAM).args(args))
    }
    /// Runs a line of shell; `$0` is the program.
    pub(crate) fn shell(&self, line: &str) -> Ran {
        Ran::of(self.command("sh").args(["-c", line, PROGRAM]))
    }
    pub(crate) fn records_folder(&self) -> PathBuf {
        self.path("data/cpulens/records")
    }
    /// The records in the default place, and nothing else that lies there.
    pub(crate) fn records(&self) -> Vec<PathBuf> {
        let mut files = files_below(&self.records_folder());
        files.retain(|f| is_record(f));
        files
    }
    /// Everything that was written into the sandbox.
    pub(crate) fn everything(&self) -> Vec<PathBuf> {
        files_below(self.0.path())
    }
}

impl Ran {
    pub(crate) fn of(command: &mut Command) -> Ran {
        let output = command.output().unwrap();
        let err = String::from_utf8_lossy(&output.stderr).into_owned();
        let code = output.status.code();
        assert!(code.is_some(), "ended by a signal ({}): {err}", output.status);
        assert!(!err.contains("defect") && !err.contains("panicked"), "{err}");
        Ran { code: code.unwrap(), out: String::from_utf8_lossy(&output.stdout).into_owned(), err }
    }
    #[track_caller]
    pub(crate) fn done(self) -> Ran {
        assert_eq!(self.code, 0, "{}", self.err);
        self
    }
    /// Exit 2, nothing on standard output, one printable line on standard error that holds `words`.
    #[track_caller]
    pub(crate) fn could_not(self, words: &str) -> Ran {
        assert_eq!(self.code, 2, "{}{}", self.out, self.err);
        assert_eq!(self.out, "");
        assert_eq!(self.err.lines().count(), 1, "{}", self.err);
        assert!(self.err.len() < 1000 && !has_control(&self.err), "{:?}", self.err);
        assert!(self.err.contains(words), "'{words}' is not in: {}", self.err);
        self
    }
}

/// Control characters other than line ends: what could move a terminal's cursor.
pub(crate) fn has_control(text: &str) -> bool {
    text.chars().any(|c| c.is_control() && c != '\n')
}

/// A process that is there and has not ended.
pub(crate) fn alive(pid: &str) -> bool {
    fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.contains(") Z "))
}

fn files_below(folder: &Path) -> Vec<PathBuf> {
    let mut files = vec![];
    let entries = fs::read_dir(folder).into_iter().flatten();
    for path in entries.map(|e| e.unwrap().path()) {
        if path.is_dir() {
            files.extend(files_below(&path));
        } else {
            files.push(path);
        }
    }
    files.sort();
    files
}

/// Whether a file is named as a record is, compressed or not.
pub(crate) fn is_record(file: &Path) -> bool {
    let name = file.to_string_lossy();
    name.ends_with(".json") || name.ends_with(".json.zst")
}

/// The page beside a record.
pub(crate) fn page_of(record: &Path) -> PathBuf {
    let name = record.to_string_lossy();
    PathBuf::from(format!("{}.html", name.trim_end_matches(".zst").trim_end_matches(".json")))
}

pub(crate) fn load(file: &Path) -> Record {
    let bytes = fs::read(file).unwrap();
    record::from_slice(&bytes).unwrap_or_else(|e| panic!("{} {e}", file.display()))
}

/// The numbers of measured cases and of cases that were not reached.
pub(crate) fn reached(record: &Record) -> (usize, usize) {
    let count =
        |what: fn(&Outcome) -> bool| record.runs.iter().filter(|r| what(&r.outcome)).count();
    (count(|o| matches!(o, Outcome::Measured(_))), count(|o| matches!(o, Outcome::NotReached(_))))
}

/// A record that this very program has just made, with its report as text; made once for all tests.
pub(crate) fn measured() -> &'static str {
    static RECORD: OnceLock<String> = OnceLock::new();
    RECORD.get_or_init(|| {
        let sandbox = Sandbox::new();
        let file = sandbox.path("fresh.json");
        let args = [&CHEAP[..], &["--record", file.to_str().unwrap()]].concat();
        sandbox.cpulens(&args).done();
        fs::read_to_string(file).unwrap()
    })
}

/// Waits until it is so, for a minute at most.
pub(crate) fn soon(so: impl Fn() -> bool) -> bool {
    (0..6000).any(|_| {
        let done = so();
        if !done {
            thread::sleep(Duration::from_millis(10));
        }
        done
    })
}

/// The committed records, by name.
pub(crate) fn fixtures() -> Vec<(String, PathBuf)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/records/v1");
    let files = files_below(&folder).into_iter();
    let named = files.map(|f| (f.file_stem().unwrap().to_string_lossy().into_owned(), f));
    let records: Vec<_> = named.collect();
    assert!(records.len() >= 3, "{} holds records", folder.display());
    records
}

/// Whether a test may go on; says why not.
pub(crate) fn possible(what: &str, can: bool) -> bool {
    if !can {
        eprintln!("skipped: {what}");
    }
    can
}
