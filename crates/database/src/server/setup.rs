//! What a server of ours needs before it can start: an account, room on disk and in memory, a folder nobody else can look
//! into, and its first tables.
//! Source: mariadb-install-db(1), `mysqld --initialize-insecure`, passwd(5).
use super::program::{Server, Vendor, told};
use crate::{point_select, tpcc};
use host::{child::Status, folders};
use record::Reason;
use std::{
    ffi::{OsStr, OsString},
    fs::{self, File, TryLockError},
    io,
    os::unix::{
        ffi::OsStrExt,
        fs::{DirBuilderExt, MetadataExt, chown},
    },
    path::Path,
};

/// The account that packages make for the server.
const ACCOUNT: &str = "mysql";
/// Bytes of a Unix socket's name (sun_path of unix(7), without its end).
const SOCKET_NAME: usize = 107;
/// Seconds that the first tables may take.
const PATIENCE: f64 = 300.0;
/// Bytes of the first tables, and of what a server writes whatever is asked of it.
const EMPTY: u64 = 256 << 20;
/// Written before the first tables are made, and when they are there: an interrupted setup is begun anew, and what has neither
/// mark is not ours.
const BEGUN: &str = "installing";
const DONE: &str = "installed";
/// Locked by whoever uses the folder.
const LOCK: &str = "lock";
/// The folder of all this, in the one that we are given.
pub(super) const FOLDER: &str = "server";

/// The account that a server started by root runs as.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Account {
    pub(super) name: String,
    ids: Option<(u32, u32)>,
}

/// Whom the server is to run as if we are root: its own account if there is one that can reach the folder, else root, which
/// it has to be told. Anybody else runs it as himself.
pub(super) fn account(folder: &Path) -> Option<Account> {
    let root = fs::metadata("/proc/self").is_ok_and(|own| own.uid() == 0);
    if !root {
        return None;
    }
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let may = |ids: &(u32, u32)| {
        let about = fs::metadata(folder);
        let passes = about.is_ok_and(|about| about.mode() & 0o001 != 0 || about.uid() == ids.0);
        reachable(folder) && (passes || is_ours_alone(folder))
    };
    Some(match ids(&passwd).filter(may) {
        Some(ids) => Account { name: ACCOUNT.into(), ids: Some(ids) },
        None => Account { name: "root".into(), ids: None },
    })
}

/// Its numbers of user and group.
fn ids(passwd: &str) -> Option<(u32, u32)> {
    let line = passwd.lines().find(|line| line.split(':').next() == Some(ACCOUNT))?;
    let mut parts = line.split(':').skip(2).map(|number| number.parse().ok());
    Some((parts.next()??, parts.next()??))
}

/// Whether anybody may go as far as the folder itself.
fn reachable(folder: &Path) -> bool {
    let open = |above: &Path| fs::metadata(above).is_ok_and(|about| about.mode() & 0o001 != 0);
    fs::canonicalize(folder).is_ok_and(|real| real.ancestors().skip(1).all(open))
}

/// Whether a folder may be given away with the server's in it: nobody else can look into it, and it holds nothing else.
pub(super) fn is_ours_alone(folder: &Path) -> bool {
    let private = fs::metadata(folder).is_ok_and(|about| about.mode() & 0o077 == 0);
    let Ok(entries) = fs::read_dir(folder) else { return false };
    private && entries.flatten().all(|entry| entry.file_name() == FOLDER)
}

/// Gives something to the account.
pub(super) fn give(path: &Path, account: Option<&Account>) -> Result<(), Reason> {
    let Some((user, group)) = account.and_then(|account| account.ids) else { return Ok(()) };
    chown(path, Some(user), Some(group)).map_err(|e| {
        Reason::new(format!("{} cannot be given to the account {ACCOUNT}: {e}", path.display()))
    })
}

/// Bytes of the redo log for so much data.
pub(super) fn log(data: u64) -> u64 {
    if data > 1 << 30 { 2 << 30 } else { 256 << 20 }
}

/// The largest number up to that one for which it holds, if it holds for all that are smaller.
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

/// How to ask for no more than so many bytes, or else something else.
fn fewer(workload: &str, bytes: u64, otherwise: &str) -> String {
    let (option, number) = match workload {
        "tpcc" => {
            let warehouses = bytes.saturating_sub(tpcc::BYTES_OF_ITEMS) / tpcc::BYTES_A_WAREHOUSE;
            ("--warehouses", warehouses)
        }
        _ => ("--rows", bytes / point_select::BYTES_A_ROW),
    };
    match number {
        0 => otherwise.into(),
        _ => format!("{option} {number} or fewer for each server, or {otherwise}"),
    }
}

/// Bytes on disk, or in memory, of all files in a folder. What cannot be looked at counts nothing.
pub(super) fn taken(folder: &Path) -> u64 {
    let size = |entry: fs::DirEntry| match entry.metadata() {
        Ok(about) if about.is_dir() => taken(&entry.path()),
        // stat(2) counts blocks of 512 bytes.
        Ok(about) => about.blocks().saturating_mul(512),
        Err(_) => 0,
    };
    fs::read_dir(folder).into_iter().flatten().flatten().map(size).sum()
}

/// Refuses data that do not fit on disk, and a folder whose name is too long.
pub(super) fn fits(folder: &Path, workload: &str, data: u64) -> Result<(), Reason> {
    let socket = folder.join("socket");
    if socket.as_os_str().len() > SOCKET_NAME {
        return Err(Reason::mended_by(
            format!("the name of the folder is too long for a socket in it: {}", socket.display()),
            "choose a folder with a shorter name",
        ));
    }
    let shown = |bytes: u64| format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64);
    let needed =
        |data: u64| data.saturating_add(data / 4).saturating_add(log(data)).saturating_add(EMPTY);
    let room = folders::filesystem(folder).map_or(u64::MAX, |system| system.free);
    if !folder.join(DONE).exists() && room < needed(data) {
        let most = largest(data, |data| needed(data) <= room);
        return Err(Reason::mended_by(
            format!(
                "the database needs {} on disk, and {} has {} left",
                shown(needed(data)),
                folder.display(),
                shown(room)
            ),
            fewer(workload, most, "--data with a folder that has more room"),
        ));
    }
    Ok(())
}

/// Bytes of a buffer pool that holds all data with room to grow, or as much of that as memory allows. Where the files are in
/// memory, too, `files` are the bytes that are there already.
pub(super) fn pool(
    workload: &str,
    data: u64,
    available: Option<u64>,
    files: Option<u64>,
) -> Result<u64, Reason> {
    // Who cannot ask does not refuse.
    let available = available.unwrap_or(u64::MAX);
    let most = |data: u64| {
        let still = |there: u64| data.saturating_add(log(data)).saturating_sub(there);
        available.saturating_sub(files.map_or(0, still)) / 4 * 3
    };
    let holds = |data: u64| data.saturating_add(data / 10) <= most(data);
    if !holds(data) {
        let gib = |bytes: u64| bytes as f64 / (1u64 << 30) as f64;
        let beside = files.map_or("", |_| " beside the server's files, which are in memory");
        return Err(Reason::mended_by(
            format!(
                "{:.1} GiB of data do not fit a pool of at most {:.1} GiB, three quarters of the memory that is available{beside}",
                gib(data),
                gib(most(data))
            ),
            fewer(workload, largest(data, holds), "make room in memory"),
        ));
    }
    let wanted = data.saturating_add(data / 4).saturating_add(1 << 30);
    Ok(wanted.min(most(data)).max(64 << 20))
}

/// A folder of ours alone.
pub(super) fn make(folder: &Path) -> Result<(), Reason> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|e| Reason::new(format!("the folder {} cannot be made: {e}", folder.display())))
}

/// A folder that no other cpulens may use until this is dropped, or released.
#[derive(Debug)]
pub(super) struct Lock(File);

impl Lock {
    /// The file is closed in whatever is executed: a server that outlives us does not hold it.
    fn take(folder: &Path) -> Result<Lock, Reason> {
        let path = folder.join(LOCK);
        let file = File::options().create(true).write(true).truncate(false).open(&path);
        let file = file.map_err(|e| cannot(&path, "made", &e))?;
        match file.try_lock() {
            Ok(()) => Ok(Lock(file)),
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
    /// Lets others use the folder. Closing the file would not always do: a process that has just been forked has a copy of it.
    pub(super) fn release(&self) {
        // What was not locked need not be unlocked.
        let _ = self.0.unlock();
    }
}

impl Drop for Lock {
    fn drop(&mut self) {
        self.release();
    }
}

fn cannot(path: &Path, how: &str, e: &io::Error) -> Reason {
    Reason::new(format!("{} cannot be {how}: {e}", path.display()))
}

/// Whether a folder holds files, and no mark of ours.
fn is_strange(folder: &Path) -> Result<bool, Reason> {
    let mut entries = fs::read_dir(folder).map_err(|e| cannot(folder, "read", &e))?;
    let is_other = |entry: io::Result<fs::DirEntry>| entry.is_ok_and(|e| e.file_name() != LOCK);
    // In this order: whoever sets it up meanwhile has one of the marks at any time.
    Ok(entries.any(is_other) && !folder.join(BEGUN).exists() && !folder.join(DONE).exists())
}

/// Takes the folder for a server of this version, or makes it: its lock, and whether its first tables are still to be made. What
/// cpulens did not make is left as it is.
pub(super) fn claim(folder: &Path, version: &str) -> Result<(Lock, bool), Reason> {
    make(folder)?;
    // A folder of somebody else gets no file of ours.
    if is_strange(folder)? {
        return Err(Reason::mended_by(
            format!("{} holds files that cpulens did not make", folder.display()),
            "--data with another folder",
        ));
    }
    let lock = Lock::take(folder)?;
    let done = folder.join(DONE);
    match fs::read_to_string(&done) {
        Ok(made) if made == version => return Ok((lock, false)),
        Ok(made) => {
            return Err(Reason::mended_by(
                format!(
                    "{} holds data of version {made}, and the server is {version}",
                    folder.display()
                ),
                "remove the folder, or name that server (--server)",
            ));
        }
        Err(e) if e.kind() == io::ErrorKind::NotFound => {}
        Err(e) => return Err(cannot(&done, "read", &e)),
    }
    if folder.join(BEGUN).exists() {
        // Half of it is worth nothing.
        let data = folder.join("data");
        if let Err(e) = fs::remove_dir_all(&data)
            && e.kind() != io::ErrorKind::NotFound
        {
            return Err(cannot(&data, "removed", &e));
        }
    }
    Ok((lock, true))
}

/// Makes the first tables.
pub(super) fn install(
    server: &Server,
    folder: &Path,
    account: Option<&Account>,
) -> Result<(), Reason> {
    let (begun, done, data) = (folder.join(BEGUN), folder.join(DONE), folder.join("data"));
    let write = |path: &Path, text: &str| {
        fs::write(path, text)
            .map_err(|e| Reason::new(format!("{} cannot be written: {e}", path.display())))
    };
    write(&begun, "")?;
    make(&data)?;
    give(&data, account)?;
    let words = words(server, &data, account)?;
    let words: Vec<&OsStr> = words.iter().map(OsString::as_os_str).collect();
    // The account cannot write wherever we can.
    let (status, said) = told(&words, Some(&data), PATIENCE)?;
    if status != Status::Exited(0) {
        let last: Vec<&str> =
            said.lines().rev().filter(|line| !line.trim().is_empty()).take(6).collect();
        let last: Vec<&str> = last.into_iter().rev().collect();
        let program = words[0].to_string_lossy();
        return Err(Reason::mended_by(
            format!("{program} did not make the first tables ({status:?}): {}", last.join(" | ")),
            "look whether its libraries are installed (ldd), and whether the disk is full",
        ));
    }
    write(&done, &server.version)?;
    // Beside the other mark it says nothing.
    let _ = fs::remove_file(&begun);
    Ok(())
}

fn words(server: &Server, data: &Path, account: Option<&Account>) -> Result<Vec<OsString>, Reason> {
    let named = |name: &str, path: &Path| {
        let mut word = OsString::from(format!("--{name}="));
        word.push(OsStr::from_bytes(path.as_os_str().as_bytes()));
        word
    };
    let mut words: Vec<OsString> = match server.vendor {
        Vendor::MySql => {
            vec![
                server.program.clone().into(),
                "--no-defaults".into(),
                "--initialize-insecure".into(),
            ]
        }
        Vendor::MariaDb => {
            let names = ["mariadb-install-db", "mysql_install_db"];
            let program = server.helper(&names).ok_or_else(|| {
                Reason::mended_by(
                    format!(
                        "mariadb-install-db, which belongs to {}, is not there",
                        server.program.display()
                    ),
                    "apt-get install mariadb-server-core",
                )
            })?;
            // As a package would, so that it changes nothing outside the folder; and without waiting for the disk.
            let plain = [
                "--rpm",
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db",
                "--debug-no-sync",
            ];
            [program.into()].into_iter().chain(plain.map(OsString::from)).collect()
        }
    };
    words.push(named("basedir", &server.base));
    words.push(named("datadir", data));
    words.extend(account.map(|account| format!("--user={}", account.name).into()));
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn the_account_is_read_from_the_list() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nmysqlx:x:1:1::/:\nmysql:x:101:102:MySQL,,,:/no:/bin/false\n";
        assert_eq!(ids(passwd), Some((101, 102)));
        assert_eq!(ids("root:x:0:0:root:/root:/bin/bash\nmysql:x:y:1::/:\n"), None);
    }

    #[test]
    fn a_pool_holds_the_data_or_is_refused() {
        let of = |data, files| pool("point_select", data, Some(8 << 30), files);
        assert_eq!(of(1 << 30, None).unwrap(), (1 << 30) + (1 << 28) + (1 << 30));
        assert_eq!(of(5 << 30, None).unwrap(), 6 << 30, "three quarters of 8 GiB");
        let why = of(6 << 30, None).unwrap_err();
        assert!(why.why.contains("do not fit"), "{why}");
        assert!(pool("tpcc", 1 << 40, None, None).is_ok(), "who cannot ask does not refuse");
        // Files in memory take as much again, unless they are there already.
        assert!(of(3 << 30, Some(0)).is_err());
        assert_eq!(of(3 << 30, Some(5 << 30)), of(3 << 30, None));
    }

    #[test]
    fn the_most_that_fits_is_named() {
        let named = |workload, data, files| {
            let why = pool(workload, data, Some(8 << 30), files).unwrap_err();
            let remedy = why.remedy.unwrap();
            let number = remedy.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
            assert!(remedy.starts_with("--") && remedy.contains("or fewer"), "{remedy}");
            number
        };
        for files in [None, Some(0)] {
            let rows = named("point_select", 20 << 30, files);
            let bytes = |rows| rows * point_select::BYTES_A_ROW;
            assert!(pool("point_select", bytes(rows), Some(8 << 30), files).is_ok());
            assert!(pool("point_select", bytes(rows + 1), Some(8 << 30), files).is_err());
            let houses = named("tpcc", 20 << 30, files);
            let bytes = |houses| tpcc::BYTES_OF_ITEMS + houses * tpcc::BYTES_A_WAREHOUSE;
            assert!(pool("tpcc", bytes(houses), Some(8 << 30), files).is_ok());
            assert!(pool("tpcc", bytes(houses + 1), Some(8 << 30), files).is_err());
        }
        let none = pool("tpcc", 1 << 30, Some(1 << 20), None).unwrap_err();
        assert_eq!(none.remedy.as_deref(), Some("make room in memory"));
    }

    #[test]
    fn bytes_of_files_are_counted_at_any_depth() {
        let folder = tempfile::tempdir().unwrap();
        assert_eq!(taken(folder.path()), 0);
        fs::create_dir(folder.path().join("a")).unwrap();
        fs::write(folder.path().join("a/b"), vec![1; 1 << 20]).unwrap();
        assert!(taken(folder.path()) >= 1 << 20);
        assert_eq!(taken(&folder.path().join("none")), 0);
    }

    #[test]
    fn what_others_made_is_left_alone_and_half_a_setup_of_ours_is_not() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join(FOLDER);
        let theirs = folder.join("data/ibdata1");
        fs::create_dir_all(folder.join("data")).unwrap();
        fs::write(&theirs, "years of work").unwrap();
        let is_new = |folder: &Path| claim(folder, "11.4").map(|(_, is_new)| is_new);
        let why = is_new(&folder).unwrap_err();
        assert!(why.why.contains("did not make") && why.remedy.is_some(), "{why}");
        assert!(!folder.join(LOCK).exists(), "nothing is left there");
        // A mark that cannot be read is none that is not there.
        fs::create_dir(folder.join(DONE)).unwrap();
        assert!(is_new(&folder).unwrap_err().why.contains("cannot be read"));
        fs::remove_dir(folder.join(DONE)).unwrap();
        assert!(theirs.exists());
        fs::write(folder.join(BEGUN), "").unwrap();
        assert_eq!(is_new(&folder), Ok(true));
        assert!(!theirs.exists(), "the setup was interrupted");
        fs::write(folder.join(DONE), "11.4").unwrap();
        assert_eq!(is_new(&folder), Ok(false));
        assert!(claim(&folder, "11.5").unwrap_err().why.contains("of version 11.4"));
        assert_eq!(is_new(&outer.path().join("new")), Ok(true));
        assert_eq!(is_new(&outer.path().join("new")), Ok(true), "a lock alone is nobody's");
    }

    #[test]
    fn a_folder_is_used_by_one_at_a_time() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join(FOLDER);
        let (lock, _) = claim(&folder, "11.4").unwrap();
        // What an interrupted setup left is removed by nobody while one is under way.
        fs::write(folder.join(BEGUN), "").unwrap();
        fs::create_dir(folder.join("data")).unwrap();
        let why = claim(&folder, "11.4").unwrap_err();
        assert!(why.why.contains("another cpulens uses"), "{why}");
        assert!(why.why.contains(&*folder.display().to_string()));
        assert!(why.remedy.unwrap().contains("--data"));
        assert!(folder.join("data").exists());
        lock.release();
        let (again, _) = claim(&folder, "11.4").unwrap();
        drop(lock);
        assert!(claim(&folder, "11.4").is_err(), "it is no longer the first one's to release");
        drop(again);
        assert!(claim(&folder, "11.4").is_ok());
    }

    #[test]
    fn a_folder_with_anything_else_in_it_is_given_to_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let mode = |mode| fs::set_permissions(folder.path(), fs::Permissions::from_mode(mode));
        mode(0o700).unwrap();
        assert!(is_ours_alone(folder.path()));
        fs::create_dir(folder.path().join(FOLDER)).unwrap();
        assert!(is_ours_alone(folder.path()));
        mode(0o755).unwrap();
        assert!(!is_ours_alone(folder.path()), "others may look into it");
        mode(0o700).unwrap();
        fs::write(folder.path().join("letter"), "").unwrap();
        assert!(!is_ours_alone(folder.path()));
    }

    #[test]
    fn folders_are_ours_alone_and_sockets_fit() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join("a/b");
        make(&folder).unwrap();
        assert_eq!(fs::metadata(&folder).unwrap().permissions().mode() & 0o777, 0o700);
        assert!(fits(&folder, "tpcc", 1 << 20).is_ok());
        let why = fits(&folder, "point_select", u64::MAX).unwrap_err();
        assert!(why.why.contains("on disk") && why.remedy.unwrap().contains("--data"));
        let long = outer.path().join("x".repeat(100));
        assert!(fits(&long, "tpcc", 0).unwrap_err().why.contains("too long"));
    }
}
