//! What a server of ours needs before it can start: an account, room on disk and in memory, a folder nobody else can look
//! into, and its first tables.
//! Source: mariadb-install-db(1), `mysqld --initialize-insecure`, passwd(5).
use super::program::{Server, Vendor, told};
use host::{child::Status, folders};
use record::Reason;
use std::{
    ffi::{OsStr, OsString},
    fs, io,
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

/// Refuses what does not fit: the pool in memory, the data on disk.
pub(super) fn fits(folder: &Path, data: u64, log: u64) -> Result<(), Reason> {
    let socket = folder.join("socket");
    if socket.as_os_str().len() > SOCKET_NAME {
        return Err(Reason::mended_by(
            format!("the name of the folder is too long for a socket in it: {}", socket.display()),
            "choose a folder with a shorter name",
        ));
    }
    let shown = |bytes: u64| format!("{:.1} GiB", bytes as f64 / (1u64 << 30) as f64);
    let needed = data.saturating_add(data / 4).saturating_add(log).saturating_add(EMPTY);
    let room = folders::filesystem(folder).map_or(u64::MAX, |system| system.free);
    if !folder.join(DONE).exists() && room < needed {
        return Err(Reason::mended_by(
            format!(
                "the database needs {} on disk, and {} has {} left",
                shown(needed),
                folder.display(),
                shown(room)
            ),
            "choose another folder, or a smaller size",
        ));
    }
    Ok(())
}

/// Bytes of a buffer pool that holds all data with room to grow, or as much of that as memory allows.
pub(super) fn pool(data: u64, meminfo: &str) -> Result<u64, Reason> {
    let available = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"));
    let available = available.and_then(|rest| rest.split_whitespace().next()?.parse::<u64>().ok());
    let most = available.map_or(u64::MAX, |kilobytes| kilobytes.saturating_mul(1024) / 4 * 3);
    let wanted = data.saturating_add(data / 4).saturating_add(1 << 30);
    if most < data.saturating_add(data / 10) {
        let gib = |bytes: u64| bytes as f64 / (1u64 << 30) as f64;
        return Err(Reason::mended_by(
            format!(
                "{:.1} GiB of data do not fit a pool of at most {:.1} GiB, three quarters of the memory that is available",
                gib(data),
                gib(most)
            ),
            "choose a smaller size, or make room in memory",
        ));
    }
    Ok(wanted.min(most).max(64 << 20))
}

/// A folder of ours alone.
pub(super) fn make(folder: &Path) -> Result<(), Reason> {
    let made = fs::DirBuilder::new().recursive(true).mode(0o700).create(folder);
    made.map_err(|e| Reason::new(format!("the folder {} cannot be made: {e}", folder.display())))
}

/// Takes the folder for a server of this version, or makes it: whether its first tables are still to be made. What cpulens did
/// not make is left as it is.
pub(super) fn claim(folder: &Path, version: &str) -> Result<bool, Reason> {
    let cannot = |path: &Path, how: &str, e: &io::Error| {
        Reason::new(format!("{} cannot be {how}: {e}", path.display()))
    };
    let done = folder.join(DONE);
    match fs::read_to_string(&done) {
        Ok(made) if made == version => return Ok(false),
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
    make(folder)?;
    if folder.join(BEGUN).exists() {
        // Half of it is worth nothing.
        let data = folder.join("data");
        return match fs::remove_dir_all(&data) {
            Err(e) if e.kind() != io::ErrorKind::NotFound => Err(cannot(&data, "removed", &e)),
            _ => Ok(true),
        };
    }
    let mut entries = fs::read_dir(folder).map_err(|e| cannot(folder, "read", &e))?;
    if entries.next().is_some() {
        return Err(Reason::mended_by(
            format!("{} holds files that cpulens did not make", folder.display()),
            "--data with another folder",
        ));
    }
    Ok(true)
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
        let meminfo = "MemTotal: 100 kB\nMemAvailable:   8388608 kB\n";
        assert_eq!(pool(1 << 30, meminfo).unwrap(), (1 << 30) + (1 << 28) + (1 << 30));
        assert_eq!(pool(5 << 30, meminfo).unwrap(), 6 << 30, "three quarters of 8 GiB");
        let why = pool(6 << 30, meminfo).unwrap_err();
        assert!(why.why.contains("do not fit") && why.remedy.is_some());
        assert!(pool(1 << 40, "").is_ok(), "who cannot ask does not refuse");
    }

    #[test]
    fn what_others_made_is_left_alone_and_half_a_setup_of_ours_is_not() {
        let outer = tempfile::tempdir().unwrap();
        let folder = outer.path().join(FOLDER);
        let theirs = folder.join("data/ibdata1");
        fs::create_dir_all(folder.join("data")).unwrap();
        fs::write(&theirs, "years of work").unwrap();
        let why = claim(&folder, "11.4").unwrap_err();
        assert!(why.why.contains("did not make") && why.remedy.is_some(), "{why}");
        // A mark that cannot be read is none that is not there.
        fs::create_dir(folder.join(DONE)).unwrap();
        assert!(claim(&folder, "11.4").unwrap_err().why.contains("cannot be read"));
        fs::remove_dir(folder.join(DONE)).unwrap();
        assert!(theirs.exists());
        fs::write(folder.join(BEGUN), "").unwrap();
        assert_eq!(claim(&folder, "11.4"), Ok(true));
        assert!(!theirs.exists(), "the setup was interrupted");
        fs::write(folder.join(DONE), "11.4").unwrap();
        assert_eq!(claim(&folder, "11.4"), Ok(false));
        assert!(claim(&folder, "11.5").unwrap_err().why.contains("of version 11.4"));
        assert_eq!(claim(&outer.path().join("new"), "11.4"), Ok(true));
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
        assert!(fits(&folder, 1 << 20, 0).is_ok());
        assert!(fits(&folder, u64::MAX, 0).unwrap_err().why.contains("on disk"));
        let long = outer.path().join("x".repeat(100));
        assert!(fits(&long, 0, 0).unwrap_err().why.contains("too long"));
    }
}
