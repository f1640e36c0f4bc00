//! What a server that we start needs: an account, space on disk and in memory, a private folder, and its system tables.
//! Source: mariadb-install-db(1), `mysqld --initialize-insecure`, passwd(5).
use super::program::{ServerProgram, Vendor, run_program};
use crate::{point_select, tpcc};
use host::{child::Status, folders};
use record::Reason;
use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    io,
    os::unix::fs::{DirBuilderExt, MetadataExt, chown},
    path::Path,
};

/// The account that packages create for the server.
const ACCOUNT: &str = "mysql";
/// Bytes of a Unix socket's name (sun_path of unix(7), without its end).
const SOCKET_NAME: usize = 107;
/// Time limit of the installation in seconds.
const INSTALL_LIMIT: f64 = 300.0;
/// Bytes of the system tables and of files that do not depend on the data.
const EMPTY_SERVER: u64 = 256 << 20;
/// Marks of an installation: written before it, and after it. An interrupted installation is repeated; a folder with neither mark
/// is not ours.
const BEGUN: &str = "installing";
const DONE: &str = "installed";
/// The file that the user of the folder locks.
const LOCK: &str = "lock";
/// The folder of all this in the case's folder.
pub(super) const FOLDER: &str = "server";

/// The account that a server started by root runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) name: String,
    ids: Option<(u32, u32)>,
}

/// The account for the server if we are root: `mysql` if it exists and can reach the folder, else root.
pub(super) fn account(folder: &Path) -> Option<Account> {
    if !fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0) {
        return None;
    }
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let can_enter = |ids: &(u32, u32)| {
        let metadata = fs::metadata(folder);
        let enters = metadata.is_ok_and(|about| about.mode() & 0o001 != 0 || about.uid() == ids.0);
        is_reachable(folder) && (enters || is_private(folder))
    };
    Some(match account_ids(&passwd).filter(can_enter) {
        Some(ids) => Account { name: ACCOUNT.into(), ids: Some(ids) },
        None => Account { name: "root".into(), ids: None },
    })
}

/// User and group id of the account.
fn account_ids(passwd: &str) -> Option<(u32, u32)> {
    let line = passwd.lines().find(|line| line.split(':').next() == Some(ACCOUNT))?;
    let mut parts = line.split(':').skip(2).map(|number| number.parse().ok());
    Some((parts.next()??, parts.next()??))
}

/// Whether every user can reach the folder itself.
fn is_reachable(folder: &Path) -> bool {
    let open = |above: &Path| fs::metadata(above).is_ok_and(|about| about.mode() & 0o001 != 0);
    fs::canonicalize(folder).is_ok_and(|real| real.ancestors().skip(1).all(open))
}

/// Whether only we can read the folder and it holds only the server's: then its owner may change.
pub(super) fn is_private(folder: &Path) -> bool {
    let private = fs::metadata(folder).is_ok_and(|about| about.mode() & 0o077 == 0);
    let Ok(entries) = fs::read_dir(folder) else { return false };
    private && entries.flatten().all(|entry| entry.file_name() == FOLDER)
}

/// Makes the account the owner.
pub(super) fn give(path: &Path, account: Option<&Account>) -> Result<(), Reason> {
    let Some((user, group)) = account.and_then(|account| account.ids) else { return Ok(()) };
    chown(path, Some(user), Some(group)).map_err(|e| {
        Reason::new(format!("{} cannot be given to the account {ACCOUNT}: {e}", path.display()))
    })
}

/// Bytes of the redo log for this much data.
pub(super) fn redo_log(data: u64) -> u64 {
    if data > 1 << 30 { 2 << 30 } else { 256 << 20 }
}

/// The largest number up to `most` for which `holds` is true; it holds for all smaller ones.
fn largest(most: u64, holds: impl Fn(u64) -> bool) -> u64 {
    let (mut low, mut high) = (0, most);
    while low < high {
        let middle = low + (high - low).div_ceil(2);
        if holds(middle) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    low
}

fn gib(bytes: u64) -> f64 {
    bytes as f64 / (1u64 << 30) as f64
}

/// The remedy for data of more than `bytes`: fewer rows or warehouses, or `otherwise`.
fn fewer(workload: &str, bytes: u64, otherwise: &str) -> String {
    let (option, number) = match workload {
        "tpcc" => {
            let warehouses = bytes.saturating_sub(tpcc::BYTES_OF_ITEMS) / tpcc::BYTES_PER_WAREHOUSE;
            ("--warehouses", warehouses)
        }
        _ => ("--rows", bytes / point_select::BYTES_PER_ROW),
    };
    match number {
        0 => otherwise.into(),
        _ => format!("{option} {number} or fewer for each server, or {otherwise}"),
    }
}

/// Bytes of all files in a folder. Unreadable files count nothing.
pub(super) fn folder_size(folder: &Path) -> u64 {
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => folder_size(&entry.path()),
        // stat(2) counts blocks of 512 bytes.
        Ok(about) => about.blocks().saturating_mul(512),
        Err(_) => 0,
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(size).sum()
}

/// Refuses data that do not fit on the disk, and a folder whose socket would have too long a name.
pub(super) fn check_space(folder: &Path, workload: &str, data: u64) -> Result<(), Reason> {
    let socket = folder.join("socket");
    if socket.as_os_str().len() > SOCKET_NAME {
        return Err(Reason::mended_by(
            format!("the name of the folder is too long for a socket in it: {}", socket.display()),
            "choose a folder with a shorter name",
        ));
    }
    let needed = |data: u64| {
        let files = data.saturating_add(data / 4).saturating_add(redo_log(data));
        files.saturating_add(EMPTY_SERVER)
    };
    let free = folders::filesystem(folder).map_or(u64::MAX, |system| system.free);
    if !folder.join(DONE).exists() && free < needed(data) {
        let (shown, needs, has) = (folder.display(), gib(needed(data)), gib(free));
        let most = largest(data, |data| needed(data) <= free);
        return Err(Reason::mended_by(
            format!("the database needs {needs:.1} GiB on disk, and {shown} has {has:.1} GiB left"),
            fewer(workload, most, "--data with a folder that has more room"),
        ));
    }
    Ok(())
}

/// Bytes of a buffer pool that holds all data with room to grow, as far as memory allows. `files` are the bytes that the server's
/// files already occupy on a tmpfs.
pub(super) fn buffer_pool(
    workload: &str,
    data: u64,
    available: Option<u64>,
    files: Option<u64>,
) -> Result<u64, Reason> {
    let available = available.unwrap_or(u64::MAX);
    let most = |data: u64| {
        let growth = |there: u64| data.saturating_add(redo_log(data)).saturating_sub(there);
        available.saturating_sub(files.map_or(0, growth)) / 4 * 3
    };
    let fits = |data: u64| data.saturating_add(data / 10) <= most(data);
    if !fits(data) {
        let beside = files.map_or("", |_| " beside the server's files, which are in memory");
        let (data_gib, most_gib) = (gib(data), gib(most(data)));
        return Err(Reason::mended_by(
            format!(
                "{data_gib:.1} GiB of data do not fit a pool of at most {most_gib:.1} GiB, three quarters of the memory that is available{beside}"
            ),
            fewer(workload, largest(data, fits), "make room in memory"),
        ));
    }
    let wanted = data.saturating_add(data / 4).saturating_add(1 << 30);
    Ok(wanted.min(most(data)).max(64 << 20))
}

/// Creates a folder that only we can read.
fn create_private(folder: &Path) -> Result<(), Reason> {
    let created = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    created.map_err(|e| cannot(folder, "made", &e))
}

pub(super) fn cannot(path: &Path, what: &str, e: &io::Error) -> Reason {
    Reason::new(format!("{} cannot be {what}: {e}", path.display()))
}

/// A lock on the folder against other cpulens processes, until it is released or dropped.
#[derive(Debug)]
pub(super) struct FolderLock(File);

impl FolderLock {
    /// The file is closed on exec: a server that outlives us does not hold the lock.
    fn take(folder: &Path) -> Result<FolderLock, Reason> {
        let path = folder.join(LOCK);
        let file = File::options().create(true).write(true).truncate(false).open(&path);
        let file = file.map_err(|e| cannot(&path, "made", &e))?;
        match file.try_lock() {
            Ok(()) => Ok(FolderLock(file)),
            Err(TryLockError::WouldBlock) => Err(Reason::mended_by(
                format!("another cpulens uses {}", folder.display()),
                "wait for it, or name another folder with --data",
            )),
            Err(TryLockError::Error(e)) => Err(Reason::mended_by(
                format!("{} cannot be locked: {e}", path.display()),
                "name a folder on a local disk with --data",
            )),
        }
    }
    /// Unlocks the folder. Closing the file is not enough: a process that was just forked may have a copy of it.
    pub(super) fn release(&self) {
        // A file that is not locked need not be unlocked.
        let _ = self.0.unlock();
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        self.release();
    }
}

/// Whether the folder holds files and no mark of ours.
fn is_foreign(folder: &Path) -> Result<bool, Reason> {
    let mut entries = fs::read_dir(folder).map_err(|e| cannot(folder, "read", &e))?;
    let is_other = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|e| e.file_name() != LOCK);
    // In this order: another installation has one of the marks at any time.
    Ok(entries.any(is_other) && !folder.join(BEGUN).exists() && !folder.join(DONE).exists())
}

/// Creates or reopens the folder for a server of this version. Returns its lock and whether the server is still to be installed.
/// Folders of others stay as they are.
pub(super) fn open_folder(folder: &Path, version: &str) -> Result<(FolderLock, bool), Reason> {
    create_private(folder)?;
    if is_foreign(folder)? {
        return Err(Reason::mended_by(
            format!("{} holds files that cpulens did not make", folder.display()),
            "--data with another folder",
        ));
    }
    let lock = FolderLock::take(folder)?;
    let done = folder.join(DONE);
    match fs::read_to_string(&done) {
        Ok(installed) if installed == version => return Ok((lock, false)),
        Ok(installed) => {
            let shown = folder.display();
            return Err(Reason::mended_by(
                format!("{shown} holds data of version {installed}, and the server is {version}"),
                "remove the folder, or name that server (--server)",
            ));
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(cannot(&done, "read", &e)),
    }
    if folder.join(BEGUN).exists() {
        let data = folder.join("data");
        if let Err(e) = fs::remove_dir_all(&data)
            && e.kind() != io::ErrorKind::NotFound
        {
            return Err(cannot(&data, "removed", &e));
        }
    }
    Ok((lock, true))
}

/// Creates the system tables.
pub(super) fn install(
    server: &ServerProgram,
    folder: &Path,
    account: Option<&Account>,
) -> Result<(), Reason> {
    let (begun, done, data) = (folder.join(BEGUN), folder.join(DONE), folder.join("data"));
    let write =
        |path: &Path, text: &str| fs::write(path, text).map_err(|e| cannot(path, "written", &e));
    write(&begun, "")?;
    create_private(&data)?;
    give(&data, account)?;
    let words = install_command(server, &data, account)?;
    let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
    // The account may not write to our TMPDIR.
    let (status, output) = run_program(&words, Some(&data), INSTALL_LIMIT)?;
    if status != Status::Exited(0) {
        let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
        let last = lines[lines.len().saturating_sub(6)..].join(" | ");
        let program = words[0].to_string_lossy();
        return Err(Reason::mended_by(
            format!("{program} did not create the system tables ({status:?}): {last}"),
            "check whether its libraries are installed (ldd), and whether the disk is full",
        ));
    }
    write(&done, &server.version)?;
    // Beside the other mark it has no meaning.
    let _ = fs::remove_file(&begun);
    Ok(())
}

fn install_command(
    server: &ServerProgram,
    data: &Path,
    account: Option<&Account>,
) -> Result<Vec<OsString>, Reason> {
    let option = |name: &str, path: &Path| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(path);
        word
    };
    let (program, options) = match server.vendor {
        Vendor::MySql => (server.program.clone(), &["--no-defaults", "--initialize-insecure"][..]),
        Vendor::MariaDb => {
            let program = server.helper(&["mariadb-install-db", "mysql_install_db"]);
            let program = program.ok_or_else(|| {
                let server = server.program.display();
                Reason::mended_by(
                    format!("mariadb-install-db, which belongs to {server}, is not there"),
                    "apt-get install mariadb-server-core",
                )
            })?;
            // As for a package, so that nothing outside the folder changes; and without waiting for the disk.
            let options = &[
                "--rpm",
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--debug-no-sync",
            ];
            (program, &options[..])
        }
    };
    let mut words: Vec<OsString> = vec![program.into()];
    words.extend(options.iter().map(OsString::from));
    words.push(option("basedir", &server.base));
    words.push(option("datadir", data));
    words.extend(account.map(|account| format!("--user={}", account.name).into()));
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_account_is_parsed() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nmysqlx:x:1:1::/:\nmysql:x:101:102:MySQL,,,:/no:/bin/false\n";
        assert_eq!(account_ids(passwd), Some((101, 102)));
        assert_eq!(account_ids("root:x:0:0:root:/root:/bin/bash\nmysql:x:y:1::/:\n"), None);
    }

    #[test]
    fn a_pool_holds_the_data_or_is_refused() {
        let pool = |data, files| buffer_pool("point_select", data, Some(8 << 30), files);
        assert_eq!(pool(1 << 30, None).unwrap(), (1 << 30) + (1 << 28) + (1 << 30));
        assert_eq!(pool(5 << 30, None).unwrap(), 6 << 30, "three quarters of 8 GiB");
        let why = pool(6 << 30, None).unwrap_err();
        assert!(why.why.contains("do not fit"), "{why}");
        assert!(buffer_pool("tpcc", 1 << 40, None, None).is_ok(), "unknown memory is enough");
        // Files in memory take as much again, unless they are there already.
        assert!(pool(3 << 30, Some(0)).is_err());
        assert_eq!(pool(3 << 30, Some(5 << 30)), pool(3 << 30, None));
    }

    #[test]
    fn the_most_that_fits_is_named() {
        let named = |workload, data, files| {
            let why = buffer_pool(workload, data, Some(8 << 30), files).unwrap_err();
            let remedy = why.remedy.unwrap();
            let number = remedy.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
            assert!(remedy.starts_with("--") && remedy.contains("or fewer"), "{remedy}");
            number
        };
        for files in [None, Some(0)] {
            let rows = named("point_select", 20 << 30, files);
            let bytes = |rows| rows * point_select::BYTES_PER_ROW;
            assert!(buffer_pool("point_select", bytes(rows), Some(8 << 30), files).is_ok());
            assert!(buffer_pool("point_select", bytes(rows + 1), Some(8 << 30), files).is_err());
            let warehouses = named("tpcc", 20 << 30, files);
            let bytes = |warehouses| tpcc::BYTES_OF_ITEMS + warehouses * tpcc::BYTES_PER_WAREHOUSE;
            assert!(buffer_pool("tpcc", bytes(warehouses), Some(8 << 30), files).is_ok());
            assert!(buffer_pool("tpcc", bytes(warehouses + 1), Some(8 << 30), files).is_err());
        }
        let none = buffer_pool("tpcc", 1 << 30, Some(1 << 20), None).unwrap_err();
        assert_eq!(none.remedy.as_deref(), Some("make room in memory"));
    }

    #[test]
    fn bytes_of_files_are_counted_at_any_depth() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(folder_size(folder.path()), 0);
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/b"), vec![1; 1 << 20]).unwrap();
        assert!(folder_size(folder.path()) >= 1 << 20);
        assert_eq!(folder_size(&folder.path().join("none")), 0);
    }

    #[test]
    fn foreign_folders_stay_and_interrupted_installations_are_repeated() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join(FOLDER);
        let theirs = folder.join("data/ibdata1");
        fs::create_dir_all(folder.join("data")).unwrap();
        fs::write(&theirs, "data").unwrap();
        let is_new = |folder: &Path| open_folder(folder, "11.4").map(|(_, is_new)| is_new);
        let why = is_new(&folder).unwrap_err();
        assert!(why.why.contains("did not make") && why.remedy.is_some(), "{why}");
        assert!(!folder.join(LOCK).exists(), "no lock file is left");
        // An unreadable mark is not a missing one.
        fs::create_dir(folder.join(DONE)).unwrap();
        assert!(is_new(&folder).unwrap_err().why.contains("cannot be read"));
        fs::remove_dir(folder.join(DONE)).unwrap();
        assert!(theirs.exists());
        fs::write(folder.join(BEGUN), "").unwrap();
        assert_eq!(is_new(&folder), Ok(true));
        assert!(!theirs.exists(), "the installation was interrupted");
        fs::write(folder.join(DONE), "11.4").unwrap();
        assert_eq!(is_new(&folder), Ok(false));
        assert!(open_folder(&folder, "11.5").unwrap_err().why.contains("of version 11.4"));
        assert_eq!(is_new(&outer.path().join("new")), Ok(true));
        assert_eq!(is_new(&outer.path().join("new")), Ok(true), "a lock alone is no foreign file");
    }

    #[test]
    fn a_folder_is_used_by_one_at_a_time() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join(FOLDER);
        let (lock, _) = open_folder(&folder, "11.4").unwrap();
        // Files of an interrupted installation stay while another process holds the lock.
        fs::write(folder.join(BEGUN), "").unwrap();
        fs::create_dir(folder.join("data")).unwrap();
        let why = open_folder(&folder, "11.4").unwrap_err();
        assert!(why.why.contains("another cpulens uses"), "{why}");
        assert!(why.why.contains(&*folder.display().to_string()));
        assert!(why.remedy.unwrap().contains("--data"));
        assert!(folder.join("data").exists());
        lock.release();
        let (again, _) = open_folder(&folder, "11.4").unwrap();
        drop(lock);
        assert!(open_folder(&folder, "11.4").is_err(), "the first lock was released already");
        drop(again);
        assert!(open_folder(&folder, "11.4").is_ok());
    }

    #[test]
    fn a_folder_with_other_files_keeps_its_owner() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode));
        mode(0o700).unwrap();
        assert!(is_private(folder.path()));
        fs::create_dir(folder.path().join(FOLDER)).unwrap();
        assert!(is_private(folder.path()));
        mode(0o755).unwrap();
        assert!(!is_private(folder.path()), "others may read it");
        mode(0o700).unwrap();
        fs::write(folder.path().join("other"), "").unwrap();
        assert!(!is_private(folder.path()));
    }

    #[test]
    fn folders_are_private_and_sockets_fit() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a/b");
        create_private(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(check_space(&folder, "tpcc", 1 << 20).is_ok());
        let why = check_space(&folder, "point_select", u64::MAX).unwrap_err();
        assert!(why.why.contains("on disk") && why.remedy.unwrap().contains("--data"));
        let long = outer.path().join("x".repeat(100));
        assert!(check_space(&long, "tpcc", 0).unwrap_err().why.contains("too long"));
    }
}
