//! The working folder of the copies of a test, with the program, scripts and text that they need, gone when the
//! case is over; and one pass there.
use super::{
    Start, Variant, Watch, Work,
    pass::{self, CopyPass, Failed, Link},
    text::text,
};
use filesystem::folders::{self, Filesystem};
use host::{
    child::{ProcessGroup, Program, Status},
    clock::sleep,
    own_folder::OwnFolder,
    programs,
};
use kernels::programs as built;
use record::{Case, CpuSet, OrWhy, Reason, param};
use std::{
    env,
    fs::{self, File, Permissions},
    io,
    os::{fd::AsRawFd, unix::fs::PermissionsExt},
    path::{Path, PathBuf},
    time::Duration,
};

/// A folder with all that a test needs.
#[derive(Debug)]
pub(super) struct Stage {
    work: Work,
    variant: Variant,
    folder: OwnFolder,
    program: PathBuf,
    link: Link,
    software: String,
    /// The program, where no folder allows programs: it lives as long as this.
    _memory: Option<File>,
}

/// The scripts of the shell tests. They say what UnixBench's do in the same words, since what is measured is these words: the
/// tools and their order. The second line of the loop is the version's.
const LOOP: [&str; 2] = ["i=$((i + 1))", "i=`expr $i + 1`"];
const TOOLS: &str = "#!/bin/sh
sort < \"$1\" > sort.$$
od sort.$$ | sort -n -k 1 > od.$$
grep the sort.$$ | tee grep.$$ | wc > wc.$$
rm sort.$$ od.$$ grep.$$ wc.$$
";

fn scripts(variant: Variant, folder: &Path) -> String {
    let next = LOOP[usize::from(variant.old())];
    let tools = folder.join("tools");
    format!(
        "#!/bin/sh\nn=$1\ni=0\nwhile [ $i -lt $n ]; do\n    /bin/sh \"{}\" \"$2\" &\n    {next}\ndone\nwait\n",
        tools.display()
    )
}

/// Programs that the scripts need and that are not there.
pub(super) fn lacks(work: Work, variant: Variant) -> Option<Reason> {
    if !work.needs_tools() {
        return None;
    }
    let mut tools = vec!["/bin/sh", "sort", "od", "grep", "tee", "wc", "rm"];
    if variant.old() {
        tools.push("expr");
    }
    missing(&tools)
}

fn missing(tools: &[&str]) -> Option<Reason> {
    let there = |tool: &&&str| Program::new(&[**tool]).is_ok_and(|p| p.found());
    let gone: Vec<&str> = tools.iter().filter(|t| !there(t)).copied().collect();
    (!gone.is_empty()).then(|| {
        Reason::mended_by(
            format!("the scripts need {}, which this machine has not", gone.join(", ")),
            "install coreutils, grep and a shell",
        )
    })
}

/// Whether there is room for the files of so many copies. Those that the old versions copy are shared; what a script makes is not.
fn room(
    work: Work,
    variant: Variant,
    copies: usize,
    (base, on): &(PathBuf, Filesystem),
) -> Result<(), Reason> {
    let shared = variant.old() && work.copies_files();
    let needed = work.bytes() * if shared { 1 } else { copies as u64 };
    if on.free >= needed {
        return Ok(());
    }
    Err(Reason::mended_by(
        format!(
            "{} has {:.1} MB free, and the files of {copies} {} need {:.1} MB",
            base.display(),
            on.free as f64 / 1e6,
            if copies == 1 { "copy" } else { "copies" },
            needed as f64 / 1e6
        ),
        "--scratch DIR with more room, or fewer copies",
    ))
}

impl Stage {
    /// Makes the folder, and finds out in which form the program runs here.
    pub(super) fn set(
        work: Work,
        variant: Variant,
        case: &Case,
        clock: Watch<'_>,
        copies: usize,
    ) -> Result<Stage, Reason> {
        let found = base(case.get(param::SCRATCH).map(Path::new))?;
        Stage::on(found, work, variant, clock, copies)
    }

    /// The same, below a folder that was found.
    fn on(
        found: (PathBuf, Filesystem),
        work: Work,
        variant: Variant,
        clock: Watch<'_>,
        copies: usize,
    ) -> Result<Stage, Reason> {
        room(work, variant, copies, &found)?;
        let (base, on) = found;
        let refused = |e: io::Error| {
            Reason::mended_by(
                format!("cannot write in {}: {e}", base.display()),
                "--scratch DIR that can be written",
            )
        };
        let folder = OwnFolder::new(&base, "cpulens-unixbench-").map_err(refused)?;
        let own = folder.path();
        if work.needs_tools() {
            for (name, words) in [("scripts", scripts(variant, own)), ("tools", TOOLS.into())] {
                install(&own.join(name), words.as_bytes()).map_err(refused)?;
            }
            fs::write(own.join("text"), text()).map_err(refused)?;
        }
        let (program, link, memory) = runnable(work.program(), own, &on, clock)?;
        let software = software(work, link, &on, memory.is_some());
        Ok(Stage { work, variant, folder, program, link, software, _memory: memory })
    }

    /// How the program is linked.
    pub(super) fn link(&self) -> Link {
        self.link
    }
    /// The program and its file system, for the record.
    pub(super) fn software(&self) -> String {
        self.software.clone()
    }

    /// One pass: every copy once.
    pub(super) fn pass(
        &self,
        case: &Case,
        places: &[Option<CpuSet>],
        clock: Watch<'_>,
    ) -> Result<Vec<CopyPass>, Failed> {
        let seconds = case.get(param::SECONDS).unwrap_or(1.0);
        let results = self.folder.path().join("results");
        drop(fs::remove_file(&results));
        let words = self.work.words(case, self.variant, self.folder.path(), &results);
        let mut all = vec![self.program.display().to_string()];
        all.extend(words);
        let program = Program::new(&all).map_err(|e| e.why)?;
        // The old versions duplicate a standard input that all copies have in common.
        let program = if self.variant.old() { program } else { program.quiet() };
        let serial = case.get(param::START) != Some(Start::Barrier.name());
        let mut processes = ProcessGroup::new().map_err(|e| e.why)?;
        for place in places {
            let program = match place {
                Some(cpus) => program.clone().on(cpus.clone()),
                None => program.clone(),
            };
            let started =
                if serial { processes.start(&program, clock) } else { processes.hold(&program) };
            started.map_err(|e| e.why)?;
        }
        // Waiting for disks has no known end; a test that hangs has.
        let limit = limit(self.work, seconds, places.len(), case.place.cpus.len());
        let done = processes.run(clock, Some(limit)).map_err(|e| e.why)?;
        let said = fs::read_to_string(&results).unwrap_or_default();
        pass::read(&done, &said, self.work.needs_tools())
    }
}

/// Seconds after which a pass hangs. Copies that share CPUs take as many times longer where a test counts its own CPU time, as
/// Whetstone of 5.1.3 does, and wait as many times longer for a disk.
fn limit(work: Work, seconds: f64, copies: usize, cpus: usize) -> f64 {
    let crowd = (copies as f64 / cpus.max(1) as f64).max(1.0);
    (seconds + work.around(seconds)) * crowd * 3.0 + 300.0
}

/// The program's form and compiler, and what else decides the number.
fn software(work: Work, link: Link, on: &Filesystem, from_memory: bool) -> String {
    let compiler = built::COMPILER;
    let mut software = vec![format!("{} program of {compiler}", link.name())];
    software.push(format!("scratch on {}", on.kind));
    if from_memory {
        software.push(IN_MEMORY.into());
    }
    if work.needs_tools() {
        let shell = fs::canonicalize("/bin/sh").ok();
        let shell = shell.as_deref().and_then(Path::file_name).map(|n| n.to_string_lossy());
        software.push(format!("sh is {}", shell.as_deref().unwrap_or("unknown")));
        // Tools sort by a locale's rules where it is installed, which takes a tenth longer.
        let locales = programs::printed(&["locale", "-a"], "").unwrap_or_default();
        let there = locales.lines().any(|l| l.eq_ignore_ascii_case("en_US.utf8"));
        software.push(format!("en_US.utf8 {}installed", if there { "" } else { "not " }));
    }
    software.join("; ")
}

/// Said of a program that no folder lets run: what starts it looks it up elsewhere than the original's.
const IN_MEMORY: &str = "run from memory";

/// The folder to work below: the one that was named, else the first that is on a disk and lets programs run, as the folder
/// that UnixBench is unpacked in mostly is.
fn base(named: Option<&Path>) -> Result<(PathBuf, Filesystem), Reason> {
    if let Some(folder) = named {
        return match folders::filesystem(folder) {
            Ok(on) => Ok((folder.to_owned(), on)),
            Err(e) => Err(Reason::mended_by(
                format!("the scratch folder {}: {e}", folder.display()),
                "--scratch with a folder that exists",
            )),
        };
    }
    let here = env::current_dir().ok();
    let folders = [Some(env::temp_dir()), Some("/var/tmp".into()), here, Some("/dev/shm".into())];
    let all: Vec<(PathBuf, Filesystem)> = folders
        .into_iter()
        .flatten()
        .filter(|folder| tempfile::tempfile_in(folder).is_ok())
        .filter_map(|folder| folders::filesystem(&folder).ok().map(|on| (folder, on)))
        .collect();
    let disk = all.iter().find(|(_, on)| on.executes && !["tmpfs", "ramfs"].contains(&&*on.kind));
    let any = disk.or_else(|| all.iter().find(|(_, on)| on.executes)).or(all.first());
    any.cloned().or_why("no folder can be written in", "--scratch DIR that can be written")
}

/// Writes a file that can be run.
fn install(file: &Path, bytes: &[u8]) -> io::Result<()> {
    fs::write(file, bytes)?;
    fs::set_permissions(file, Permissions::from_mode(0o700))
}

/// The program in the first form that runs here: dynamic from the folder, dynamic from memory, static from either.
fn runnable(
    program: built::Program,
    folder: &Path,
    on: &Filesystem,
    clock: Watch<'_>,
) -> Result<(PathBuf, Link, Option<File>), Reason> {
    let fixed = program.fixed();
    if program.dynamic.is_empty() && fixed.is_empty() {
        return Err(Reason::mended_by(
            "this cpulens was built where no C compiler was, without the programs of these tests",
            "build it where the linker is a C compiler, such as gcc",
        ));
    }
    let mut why = None;
    for (bytes, link) in [(program.dynamic, Link::Dynamic), (&fixed[..], Link::Static)] {
        if bytes.is_empty() {
            continue;
        }
        let file = folder.join(program.name);
        if on.executes {
            let written = install(&file, bytes);
            let written = written.map_err(|e| Reason::new(format!("{}: {e}", file.display())));
            match written.and_then(|()| runs(&file, clock)) {
                Ok(()) => return Ok((file, link, None)),
                // Being busy says nothing of its libraries: a static one would be another definition for no reason.
                Err(refused) if refused.why.contains("busy") => return Err(refused),
                Err(refused) => why = why.or(Some(refused)),
            }
        } else if let Ok(memory) = folders::in_memory(program.name, bytes) {
            let file = format!("/proc/{}/fd/{}", std::process::id(), memory.as_raw_fd());
            match runs(Path::new(&file), clock) {
                Ok(()) => return Ok((file.into(), link, Some(memory))),
                Err(refused) => why = why.or(Some(refused)),
            }
        }
    }
    let why = why.unwrap_or_else(|| Reason::new("programs may not run from it, nor from memory"));
    Err(Reason::mended_by(
        format!("the program of this test does not run here: {}", why.why),
        "--scratch DIR that is not mounted noexec",
    ))
}

/// Whether a program runs and ends well when it is asked for nothing.
fn runs(file: &Path, clock: Watch<'_>) -> Result<(), Reason> {
    let mut last = Reason::new("it did not run");
    // A file that was just written is busy for as long as some other child of ours has inherited it (ETXTBSY).
    for _ in 0..TRIES {
        let words = [file.display().to_string(), "here".into(), "/dev/null".into()];
        let program = Program::new(&words)?.quiet();
        let mut processes = ProcessGroup::new()?;
        processes.hold(&program)?;
        match processes.run(clock, Some(10.0)) {
            Ok(done) if done.ended.iter().all(|e| e.status == Status::Exited(0)) => return Ok(()),
            Ok(done) => {
                let code = done.ended.first().map_or(0, |e| e.status.code());
                return Err(Reason::new(format!(
                    "it ends with status {code}: its libraries are not there"
                )));
            }
            Err(refused) => last = refused.why,
        }
        if !last.why.contains("busy") {
            break;
        }
        sleep(Duration::from_millis(10));
    }
    Err(last)
}

/// Five seconds: on a machine full of forks a file stays busy for a while.
const TRIES: u32 = 500;

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;

    #[test]
    fn what_is_missing_is_named() {
        let why = missing(&["sh", "no-such-tool", "none-either"]).unwrap();
        assert!(why.why.contains("no-such-tool, none-either") && !why.why.contains("sh,"), "{why}");
        assert_eq!(lacks(Work::Pipe, Variant::Upstream513), None);
    }

    #[test]
    fn old_versions_count_with_a_program() {
        let of = |variant| scripts(variant, Path::new("/s"));
        assert!(
            of(Variant::Upstream513).contains("`expr") && of(Variant::Aliyun516).contains("`expr")
        );
        assert!(!of(Variant::Upstream6).contains("expr"));
    }

    #[test]
    fn a_folder_that_is_not_there_is_a_reason() {
        let gone = base(Some(Path::new("/no/such/folder"))).unwrap_err();
        assert!(gone.why.contains("/no/such/folder") && gone.remedy.is_some());
    }

    /// Copies that do not fit are refused before anything is made.
    #[test]
    fn a_folder_that_is_too_small_is_a_reason() {
        let scratch = tempfile::tempdir().unwrap();
        let clock = Monotonic::new();
        let of = |free: u64, work, variant, copies| {
            let on = Filesystem { kind: "ext4".into(), free, executes: true };
            Stage::on((scratch.path().to_owned(), on), work, variant, &clock, copies)
        };
        let copy = Work::Copy { size: 4096, kib: 8000 };
        let two = copy.bytes() * 2;
        let why = of(two - 1, copy, Variant::Upstream6, 2).unwrap_err();
        assert!(why.why.contains("MB free, and the files of 2 copies"), "{why}");
        assert!(why.remedy.is_some() && fs::read_dir(scratch.path()).unwrap().count() == 0);
        // Old versions share what they copy, and no more than that.
        let fits = |free, work, variant| {
            let on = Filesystem { kind: "ext4".into(), free, executes: true };
            room(work, variant, 2, &(scratch.path().to_owned(), on)).is_ok()
        };
        assert!(fits(two, copy, Variant::Upstream6) && fits(two / 2, copy, Variant::Upstream513));
        let script = Work::Shell(8);
        for variant in Variant::ALL {
            assert!(fits(script.bytes() * 2, script, variant), "{variant:?}");
            assert!(!fits(script.bytes(), script, variant), "{variant:?}");
        }
    }

    /// 512 copies on two CPUs that each count two seconds of their own take 512 s at least.
    #[test]
    fn copies_that_share_cpus_have_longer() {
        assert_eq!(limit(Work::Pipe, 10.0, 1, 2), limit(Work::Pipe, 10.0, 2, 2));
        assert_eq!(limit(Work::Pipe, 10.0, 1, 0), 330.0);
        assert!(limit(Work::Whetstone, 2.0, 512, 2) > 2.0 * 256.0 * 2.0);
    }

    #[test]
    fn what_ran_says_what_it_ran_on() {
        let on = Filesystem { kind: "xfs".into(), free: 1, executes: true };
        for (_, work) in crate::unixbench::TESTS {
            let file = software(work, Link::Dynamic, &on, false);
            assert!(file.contains("scratch on xfs") && !file.contains(IN_MEMORY), "{file}");
            assert!(software(work, Link::Dynamic, &on, true).contains("; run from memory"));
        }
    }

    #[test]
    fn both_forms_of_both_programs_run_where_there_is_glibc() {
        let clock = Monotonic::new();
        let folder = tempfile::tempdir().unwrap();
        for program in [built::SYSTEM, built::COMPUTE] {
            for (form, bytes) in [("dynamic", program.dynamic), ("static", &program.fixed())] {
                let file = folder.path().join(format!("{}-{form}", program.name));
                install(&file, bytes).unwrap();
                assert_eq!(runs(&file, &clock), Ok(()), "{} {form}", program.name);
            }
        }
        let no_exec = Filesystem { kind: "tmpfs".into(), free: 1, executes: false };
        let (file, link, memory) =
            runnable(built::SYSTEM, folder.path(), &no_exec, &clock).unwrap();
        assert!(file.starts_with("/proc") && link == Link::Dynamic && memory.is_some());
    }
}
