//! The server programs of this machine: where they are, whose they are, and of which version.
//! Source: the layouts of Debian, Fedora and MySQL's own archives; the line that `mysqld --version` prints.
use host::{
    child::{Lines, ProcessGroup, Program, Refused, Status},
    clock::Monotonic,
};
use record::Reason;
use std::{
    env,
    ffi::{OsStr, OsString},
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
};

/// The server's own names, the better known last.
const NAMES: [&str; 2] = ["mariadbd", "mysqld"];
/// Where servers are that no `PATH` names.
const FOLDERS: [&str; 5] =
    ["/usr/sbin", "/usr/libexec", "/usr/local/sbin", "/usr/local/bin", "/usr/local/mysql/bin"];
/// Where archives are unpacked, each in a folder of its own with a `bin` in it.
const ARCHIVES: &str = "/opt";
/// Folders of an unpacked tree.
const IN_TREE: [&str; 5] = ["usr/sbin", "usr/libexec", "bin", "sbin", "libexec"];
/// Seconds to tell a version.
const PATIENCE: f64 = 20.0;
/// Bytes that are kept of what a program writes.
const KEPT: usize = 64 << 10;

/// Whose server it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Vendor {
    MariaDb,
    MySql,
}

/// A server program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Server {
    pub(crate) program: PathBuf,
    pub(crate) vendor: Vendor,
    /// As it states it: `10.11.19-MariaDB-0+deb12u1`.
    pub(crate) version: String,
    pub(crate) number: [u32; 3],
    /// The folder that holds `share`, with messages and the first tables.
    pub(crate) base: PathBuf,
}

impl Server {
    /// The one that was said (a program, or an unpacked tree), or the first that is found and tells a version that will do; if
    /// none does, why the first does not.
    pub(crate) fn found(said: Option<&str>) -> Result<Server, Reason> {
        let candidates = match said {
            Some(said) => in_tree(Path::new(said)),
            None => everywhere(),
        };
        let mut first = None;
        for program in candidates.into_iter().filter(|path| path.is_file()) {
            match Server::asked(program) {
                Ok(server) => return Ok(server),
                Err(why) => _ = first.get_or_insert(why),
            }
        }
        if let Some(why) = first {
            return Err(why);
        }
        Err(match said {
            Some(said) => Reason::mended_by(
                format!("there is no mariadbd or mysqld in {said}"),
                "name the program, or the folder of an unpacked archive",
            ),
            None => Reason::mended_by(
                "no database server is installed here: neither mariadbd nor mysqld is in PATH, /usr/sbin, /usr/libexec or /opt",
                "apt-get install mariadb-server-core, or name an unpacked one (--server)",
            ),
        })
    }

    /// What this program says of itself.
    fn asked(program: PathBuf) -> Result<Server, Reason> {
        let (status, said) = told(&[program.as_os_str(), OsStr::new("--version")], None, PATIENCE)?;
        if status != Status::Exited(0) {
            let shown = program.display();
            return Err(Reason::mended_by(
                format!("{shown} does not tell its version: {}", said.trim()),
                format!(
                    "look for libraries that it lacks (ldd {shown}), or name another server (--server)"
                ),
            ));
        }
        Server::of(program, &said)
    }

    /// From what it says: `mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)`.
    fn of(program: PathBuf, said: &str) -> Result<Server, Reason> {
        let shown = program.display();
        let line = said.lines().find(|line| line.contains("Ver ")).unwrap_or_default();
        let version = line.split("Ver ").nth(1).and_then(|rest| rest.split_whitespace().next());
        let number = version.and_then(|version| {
            let mut parts = version.split(|c: char| !c.is_ascii_digit()).map(|p| p.parse().ok());
            Some([parts.next()??, parts.next()??, parts.next()??])
        });
        let (Some(version), Some(number)) = (version, number) else {
            return Err(Reason::mended_by(
                format!("{shown} is no MariaDB or MySQL: it says {:?}", said.trim()),
                "name a mariadbd or mysqld, or the folder of an unpacked archive (--server)",
            ));
        };
        let vendor = if version.contains("MariaDB") { Vendor::MariaDb } else { Vendor::MySql };
        // The first versions whose root can be let in without a password by the program that sets them up.
        let (oldest, name) = match vendor {
            Vendor::MariaDb => ([10, 4, 3], "MariaDB"),
            Vendor::MySql => ([5, 7, 6], "MySQL"),
        };
        if number < oldest {
            let [major, minor, patch] = oldest;
            return Err(Reason::mended_by(
                format!("{shown} is {name} {version}, which is too old to be set up here"),
                format!(
                    "install {name} {major}.{minor}.{patch} or later, or name another one (--server)"
                ),
            ));
        }
        let base = base_of(&program);
        Ok(Server { version: version.into(), vendor, number, base, program })
    }

    /// A program that belongs to it.
    pub(crate) fn helper(&self, names: &[&str]) -> Option<PathBuf> {
        let folders = ["bin", "scripts", "sbin"].map(|folder| self.base.join(folder));
        let path = env::var_os("PATH").unwrap_or_default();
        let all = folders.into_iter().chain(env::split_paths(&path));
        let all: Vec<PathBuf> = all.flat_map(|folder| names.map_in(&folder)).collect();
        all.into_iter().find(|path| path.is_file())
    }
}

/// Names in a folder.
trait InFolder {
    fn map_in(&self, folder: &Path) -> Vec<PathBuf>;
}

impl InFolder for [&str] {
    fn map_in(&self, folder: &Path) -> Vec<PathBuf> {
        self.iter().map(|name| folder.join(name)).collect()
    }
}

/// The folder above `bin` or `sbin`; links are followed, so that one into a tree leads there.
fn base_of(program: &Path) -> PathBuf {
    let real = fs::canonicalize(program).unwrap_or_else(|_| program.to_owned());
    let base = real.parent().and_then(Path::parent);
    base.unwrap_or(Path::new("/usr")).to_owned()
}

fn in_tree(said: &Path) -> Vec<PathBuf> {
    let folders = IN_TREE.iter().map(|folder| said.join(folder));
    let inside = folders.flat_map(|folder| NAMES.map_in(&folder));
    [said.to_owned()].into_iter().chain(inside).collect()
}

fn everywhere() -> Vec<PathBuf> {
    let path = env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = env::split_paths(&path).filter(|p| p.is_absolute()).collect();
    folders.extend(FOLDERS.map(PathBuf::from));
    let archives = fs::read_dir(ARCHIVES).into_iter().flatten().filter_map(Result::ok);
    let mut archives: Vec<PathBuf> = archives.map(|archive| archive.path().join("bin")).collect();
    archives.sort();
    folders.extend(archives);
    // Every place is looked through for MariaDB's name before any for MySQL's, which many MariaDBs have too.
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).collect()
}

/// How a program ended, and what it wrote; its temporary files go to that folder.
pub(super) fn told(
    words: &[&OsStr],
    temporary: Option<&Path>,
    limit: f64,
) -> Result<(Status, String), Reason> {
    let refused = |refused: Refused| refused.why;
    let heard = Arc::new(Mutex::new(vec![]));
    let mut processes = ProcessGroup::new().map_err(refused)?;
    let lines = Lines::new({
        let heard = Arc::clone(&heard);
        move |line| {
            let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
            if heard.len() < KEPT {
                heard.extend_from_slice(&line.bytes);
                heard.push(b'\n');
            }
        }
    })
    .map_err(refused)?;
    let (out, err) = lines.of(0).map_err(refused)?;
    let words: Vec<OsString> = words.iter().map(|word| (*word).to_owned()).collect();
    let program = Program::new(&words).map_err(refused)?;
    let mut program = program.writing(out, err).with("LC_ALL", "C");
    if let Some(folder) = temporary {
        program = program.with("TMPDIR", folder);
    }
    processes.hold(&program).map_err(refused)?;
    drop(program);
    let done = processes.run(&Monotonic::new(), Some(limit)).map_err(refused)?;
    lines.finish();
    let status = done.ended.first().map_or(Status::Killed(9), |ended| ended.status);
    let heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
    Ok((status, String::from_utf8_lossy(&heard).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    fn of(said: &str) -> Result<Server, Reason> {
        Server::of("/usr/sbin/x".into(), said)
    }

    #[test]
    fn versions_are_read_as_servers_print_them() {
        let debian = of(
            "mariadbd  Ver 10.11.19-MariaDB-0+deb12u1 for debian-linux-gnu on x86_64 (Debian 12)",
        )
        .unwrap();
        assert_eq!((debian.vendor, debian.number), (Vendor::MariaDb, [10, 11, 19]));
        assert_eq!(debian.base, Path::new("/usr"));
        let mysql = of("2026 [Warning] x\n/usr/sbin/mysqld  Ver 8.0.36 for Linux on x86_64 (MySQL Community Server - GPL)\n").unwrap();
        assert_eq!((mysql.vendor, mysql.version.as_str()), (Vendor::MySql, "8.0.36"));
        for old in ["mysqld  Ver 5.6.51 for Linux", "mysqld  Ver 10.3.39-MariaDB for Linux"] {
            assert!(of(old).unwrap_err().why.contains("too old"), "{old}");
        }
        assert!(of("hello").unwrap_err().why.contains("no MariaDB or MySQL"));
    }

    #[test]
    fn what_was_said_is_looked_for_and_nothing_else() {
        let folder = tempfile::tempdir().unwrap();
        let said = folder.path().to_str().unwrap();
        assert!(Server::found(Some(said)).unwrap_err().remedy.is_some());
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let program = bin.join("mysqld");
        fs::write(&program, "#!/bin/sh\necho 'x/mysqld  Ver 8.4.1 for Linux on x86_64 (Me)'\n")
            .unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let server = Server::found(Some(said)).unwrap();
        assert_eq!((server.number, server.vendor), ([8, 4, 1], Vendor::MySql));
        assert_eq!(server.base, fs::canonicalize(folder.path()).unwrap());
        assert_eq!(server.helper(&["mysqld"]), Some(fs::canonicalize(&program).unwrap()));
        assert_eq!(server.helper(&["no-such-helper"]), None);
    }

    #[test]
    fn a_broken_server_is_passed_over_or_told_with_a_remedy() {
        let folder = tempfile::tempdir().unwrap();
        let said = folder.path().to_str().unwrap();
        let bin = folder.path().join("bin");
        fs::create_dir(&bin).unwrap();
        let write = |name: &str, script: &str| {
            fs::write(bin.join(name), format!("#!/bin/sh\n{script}\n")).unwrap();
            fs::set_permissions(bin.join(name), fs::Permissions::from_mode(0o755)).unwrap();
        };
        write("mariadbd", "echo 'libaio.so.1: cannot open shared object file' >&2; exit 127");
        let why = Server::found(Some(said)).unwrap_err();
        assert!(why.why.contains("mariadbd does not tell") && why.why.contains("libaio"), "{why}");
        assert!(why.remedy.unwrap().contains("ldd"));
        write("mysqld", "echo 'mysqld  Ver 5.0.1 for Linux'");
        let why = Server::found(Some(said)).unwrap_err();
        assert!(why.why.contains("mariadbd"), "the first is told: {why}");
        write("mysqld", "echo 'mysqld  Ver 8.4.1 for Linux'");
        assert_eq!(Server::found(Some(said)).unwrap().number, [8, 4, 1]);
        write("mariadbd", "echo hello");
        assert_eq!(Server::found(Some(said)).unwrap().number, [8, 4, 1]);
        write("mysqld", "exit 1");
        let why = Server::found(Some(said)).unwrap_err();
        assert!(why.why.contains("no MariaDB or MySQL") && why.remedy.is_some(), "{why}");
    }
}
