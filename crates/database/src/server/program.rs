//! Server programs of this machine: paths, vendors and versions.
//! Source: the layouts of Debian, Fedora and MySQL's archives; the output of `mysqld --version`.
use filesystem::directory::refuse_exchangeable_file;
use host::{
    child::{Lines, ProcessGroup, Program, Status},
    clock::Monotonic,
};
use record::Reason;
use std::{
    env,
    ffi::OsStr,
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// Names of the server; many MariaDBs have MySQL's name, too.
const NAMES: [&str; 2] = ["mariadbd", "mysqld"];
/// Folders of servers that are not in `PATH`.
const FOLDERS: [&str; 5] =
    ["/usr/sbin", "/usr/libexec", "/usr/local/sbin", "/usr/local/bin", "/usr/local/mysql/bin"];
/// The folder of unpacked archives, each with a `bin`.
const ARCHIVES: &str = "/opt";
/// Folders of an unpacked archive.
const ARCHIVE_FOLDERS: [&str; 5] = ["usr/sbin", "usr/libexec", "bin", "sbin", "libexec"];
/// Time limit of `--version` in seconds.
const VERSION_LIMIT: f64 = 20.0;
/// Bytes of a program's output that are kept.
const MAX_OUTPUT: usize = 64 << 10;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vendor {
    MariaDb,
    MySql,
}

/// A server program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ServerProgram {
    pub(crate) program: PathBuf,
    pub(crate) vendor: Vendor,
    /// As reported: `10.11.19-MariaDB-0+deb12u1`.
    pub(crate) version: String,
    pub(crate) number: [u32; 3],
    /// The folder with `share`, which has messages and the system tables.
    pub(crate) base: PathBuf,
}

impl ServerProgram {
    /// The first usable server in this program or unpacked archive, or on the machine. The error is that of the first one found.
    pub(crate) fn find(path: Option<&str>) -> Result<ServerProgram, Reason> {
        let candidates = match path {
            Some(path) => in_archive(Path::new(path)),
            None => on_machine(),
        };
        let mut first = None;
        for program in candidates.into_iter().filter(|path| path.is_file()) {
            match ServerProgram::query_version(program) {
                Ok(server) => return Ok(server),
                Err(why) => _ = first.get_or_insert(why),
            }
        }
        Err(first.unwrap_or_else(|| match path {
            Some(path) => Reason::mended_by(
                format!("there is no mariadbd or mysqld in {path}"),
                "name the program, or the folder of an unpacked archive",
            ),
            None => Reason::mended_by(
                "no database server is installed here: neither mariadbd nor mysqld is in PATH, /usr/sbin, /usr/libexec or /opt",
                "apt-get install mariadb-server-core, or name an unpacked one (--server)",
            ),
        }))
    }

    fn query_version(program: PathBuf) -> Result<ServerProgram, Reason> {
        only_root_may_change(&program)?;
        let words = [program.as_os_str(), OsStr::new("--version")];
        let version = Program::new(&words)?;
        let (status, output) = run_program(version, VERSION_LIMIT)?;
        if status != Status::Exited(0) {
            let shown = program.display();
            return Err(Reason::mended_by(
                format!("{shown} --version fails: {}", output.trim()),
                format!("check its libraries (ldd {shown}), or name another server (--server)"),
            ));
        }
        ServerProgram::parse(program, &output)
    }

    /// From `mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)`.
    fn parse(program: PathBuf, output: &str) -> Result<ServerProgram, Reason> {
        let shown = program.display();
        let line = output.lines().find(|line| line.contains("Ver ")).unwrap_or_default();
        let version = line.split("Ver ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let number = version.and_then(|version| {
            let mut parts = version.split(|c: char| !c.is_ascii_digit()).map(|p| p.parse().ok());
            Some([parts.next()??, parts.next()??, parts.next()??])
        });
        let (Some(version), Some(number)) = (version, number) else {
            return Err(Reason::mended_by(
                format!("{shown} is no MariaDB or MySQL: it says {:?}", output.trim()),
                "name a mariadbd or mysqld, or the folder of an unpacked archive (--server)",
            ));
        };
        // The oldest versions whose setup program creates a root without a password.
        let (vendor, oldest, name) = match version.contains("MariaDB") {
            true => (Vendor::MariaDb, [10, 4, 3], "MariaDB"),
            false => (Vendor::MySql, [5, 7, 6], "MySQL"),
        };
        if number < oldest {
            let [major, minor, patch] = oldest;
            return Err(Reason::mended_by(
                format!("{shown} is {name} {version}, which is too old"),
                format!("install {name} {major}.{minor}.{patch} or later, or name one (--server)"),
            ));
        }
        let base = base_folder(&program);
        Ok(ServerProgram { version: version.into(), vendor, number, base, program })
    }

    /// A program of the same installation.
    pub(crate) fn helper(&self, names: &[&str]) -> Option<PathBuf> {
        let folders = ["bin", "scripts", "sbin"].map(|folder| self.base.join(folder));
        let path = env::var_os("PATH").unwrap_or_default();
        let mut folders = folders.into_iter().chain(env::split_paths(&path));
        folders.find_map(|folder| names.iter().map(|n| folder.join(n)).find(|path| path.is_file()))
    }
}

/// Refuses, as root, a program that another account could exchange, before anything of it is run.
pub(super) fn only_root_may_change(program: &Path) -> Result<(), Reason> {
    refuse_exchangeable_file(program).map_err(|e| {
        Reason::mended_by(
            format!("root does not run {}: {e}", program.display()),
            "install the server in a folder of root's, or run as another account",
        )
    })
}

/// The folder above `bin` or `sbin`, with links resolved.
fn base_folder(program: &Path) -> PathBuf {
    let real = fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
    let base = real.parent().and_then(Path::parent);
    base.unwrap_or(Path::new("/usr")).to_owned()
}

fn in_archive(path: &Path) -> Vec<PathBuf> {
    let folders = ARCHIVE_FOLDERS.iter().map(|folder| path.join(folder));
    let inside = folders.flat_map(|folder| NAMES.map(|name| folder.join(name)));
    [path.to_owned()].into_iter().chain(inside).collect()
}

fn on_machine() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&path).filter(|p| p.is_absolute()).collect();
    folders.extend(FOLDERS.map(PathBuf::from));
    let archives = fs::read_dir(ARCHIVES).into_iter().flatten().filter_map(Result::ok);
    let mut archives: Vec<PathBuf> = archives.map(|archive| archive.path().join("bin")).collect();
    archives.sort_unstable();
    folders.extend(archives);
    // MariaDB's name in every folder, then MySQL's.
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).collect()
}

/// Runs a program; returns how it ended and what it wrote.
pub(super) fn run_program(program: Program, limit: f64) -> Result<(Status, String), Reason> {
    let output = Arc::new(Mutex::new(vec![]));
    let mut processes = ProcessGroup::new()?;
    let lines = Lines::new({
        let output = Arc::clone(&output);
        move |lines| {
            let mut output = output.lock().unwrap_or_else(PoisonError::into_inner);
            if output.len() < MAX_OUTPUT {
                output.extend_from_slice(&lines.bytes);
                output.push(b'\n');
            }
        }
    })?;
    let (out, err) = lines.of(0)?;
    let program = program.writing(out, err).with("LC_ALL", "C");
    processes.hold(&program)?;
    drop(program);
    let done = processes.run(&Monotonic::new(), Some(limit))?;
    lines.finish();
    let status = done.ended.first().map_or(Status::Killed(9), |ended| ended.status);
    let output = output.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((status, String::from_utf8_lossy(&output).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn parse(output: &str) -> Result<ServerProgram, Reason> {
        ServerProgram::parse("/usr/sbin/x".into(), output)
    }

    #[test]
    fn versions_are_parsed() {
        let debian = parse(
            "mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)",
        )
        .unwrap();
        assert_eq!((debian.vendor, debian.number), (Vendor::MariaDb, [10, 11, 19]));
        assert_eq!(debian.base, Path::new("/usr"));
        let mysql = parse("2026 [Warning] x\n/usr/sbin/mysqld  Ver 8.0.36 for Linux on x86_64 (MySQL Community Server - GPL)\n").unwrap();
        assert_eq!((mysql.vendor, mysql.version.as_str()), (Vendor::MySql, "8.0.36"));
        for old in ["mysqld  Ver 5.6.51 for Linux", "mysqld  Ver 10.3.39-MariaDB for Linux"] {
            assert!(parse(old).unwrap_err().why.contains("too old"), "{old}");
        }
        assert!(parse("hello").unwrap_err().why.contains("no MariaDB or MySQL"));
    }

    #[test]
    fn only_the_named_folder_is_searched() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        assert!(ServerProgram::find(Some(path)).unwrap_err().remedy.is_some());
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let program = bin.join("mysqld");
        fs::write(&program, "#!/bin/sh\necho 'x/mysqld  Ver 8.4.1 for Linux on x86_64 (Me)'\n")
            .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let server = ServerProgram::find(Some(path)).unwrap();
        assert_eq!((server.number, server.vendor), ([8, 4, 1], Vendor::MySql));
        assert_eq!(server.base, fs::canonicalize(folder.path()).unwrap());
        assert_eq!(server.helper(&["mysqld"]), Some(fs::canonicalize(&program).unwrap()));
        assert_eq!(server.helper(&["no-such-helper"]), None);
    }

    #[test]
    fn a_broken_server_is_skipped_or_reported_with_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_str().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let write = |name: &str, script: &str| {
            fs::write(bin.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        };
        write("mariadbd", "echo 'libaio.so.1: cannot open shared object file' >&2; exit 127");
        let why = ServerProgram::find(Some(path)).unwrap_err();
        assert!(
            why.why.contains("mariadbd --version fails") && why.why.contains("libaio"),
            "{why}"
        );
        assert!(why.remedy.unwrap().contains("ldd"));
        write("mysqld", "echo 'mysqld  Ver 5.0.1 for Linux'");
        let why = ServerProgram::find(Some(path)).unwrap_err();
        assert!(why.why.contains("mariadbd"), "the first is reported: {why}");
        write("mysqld", "echo 'mysqld  Ver 8.4.1 for Linux'");
        assert_eq!(ServerProgram::find(Some(path)).unwrap().number, [8, 4, 1]);
        write("mariadbd", "echo hello");
        assert_eq!(ServerProgram::find(Some(path)).unwrap().number, [8, 4, 1]);
        write("mysqld", "exit 1");
        let why = ServerProgram::find(Some(path)).unwrap_err();
        assert!(why.why.contains("no MariaDB or MySQL") && why.remedy.is_some(), "{why}");
    }
}
