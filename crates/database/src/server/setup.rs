//! Requirements of a server that we start: an account, space on disk and in memory, a private folder, and its system tables.
//! Source: mariadb-install-db(1), `mysqld --initialize-insecure`, passwd(5).
use super::{
    program::{ServerProgram, Vendor, only_root_may_change, run_program},
    server_folder::{Account, FOLDER, ServerFolder, can_enter, is_root, socket_path},
};
use crate::engine::SizeOption;
use filesystem::folders;
use host::child::{Program, Status};
use record::Reason;
use std::{ffi::OsString, fs, os::unix::fs::MetadataExt, path::Path};

/// The account that packages create for the server.
const ACCOUNT: &str = "mysql";
/// Bytes of a Unix socket's name (sun_path of unix(7), without its end).
const SOCKET_NAME: usize = 107;
/// Time limit of the installation in seconds.
const INSTALL_LIMIT: f64 = 300.0;
/// Bytes of the system tables and of files that do not depend on the data.
const EMPTY_SERVER: u64 = 256 << 20;
/// The account for the server if we are root: `mysql` if it exists and can reach the folder and the program, else root. Data that
/// are there stay with their account.
pub(super) fn account(outer: &Path, folder: &ServerFolder, program: &Path) -> Option<Account> {
    if !is_root() {
        return None;
    }
    let passwd = fs::read_to_string("/etc/passwd").unwrap_or_default();
    let fits = |ids: &(u32, u32)| {
        let executes = fs::metadata(program).is_ok_and(|about| about.mode() & 0o005 == 0o005);
        let enters = is_reachable(outer) && can_enter(outer, *ids);
        let owner = folder.owner_of_data();
        enters && executes && is_reachable(program) && owner.is_none_or(|owner| owner == ids.0)
    };
    Some(match account_ids(&passwd).filter(fits) {
        Some(ids) => Account { name: ACCOUNT.into(), ids: Some(ids) },
        None => Account { name: "root".into(), ids: None },
    })
}

/// Refuses names that server programs misread: mariadb-install-db splits at spaces and expands patterns, `tmpdir` is a list with
/// colons, and a socket's name is short.
pub(crate) fn check_names(outer: &Path, server: Option<&ServerProgram>) -> Result<(), Reason> {
    let is_plain = |c: char| c.is_alphanumeric() || "/._-+,@=".contains(c);
    let odd = |path: &Path| match path.to_str() {
        Some(text) => text.chars().find(|c| !is_plain(*c)).map(|c| format!("{c:?}")),
        None => Some("bytes that are not UTF-8".into()),
    };
    let of_server = server.into_iter().flat_map(|server| [&*server.base, &*server.program]);
    let of_server = of_server.map(|path| (path, "--server with a path"));
    for (path, option) in [(outer, "--data with a folder")].into_iter().chain(of_server) {
        if let Some(odd) = odd(path) {
            let shown = path.display().to_string();
            return Err(Reason::mended_by(
                format!("database servers misread {odd} in the path {shown:?}"),
                format!("{option} of letters, digits and any of . _ - + , @ ="),
            ));
        }
    }
    let socket = socket_path(&outer.join(FOLDER));
    if socket.as_os_str().len() > SOCKET_NAME {
        return Err(Reason::mended_by(
            format!("the name of the folder is too long for a socket in it: {}", socket.display()),
            "choose a folder with a shorter name",
        ));
    }
    Ok(())
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
fn fewer(option: Option<SizeOption>, bytes: u64, otherwise: &str) -> String {
    let most = option.map(|option| (option.name, option.most(bytes)));
    match most {
        Some((name, most @ 1..)) => {
            format!("{name} {most} or fewer for each server, or {otherwise}")
        }
        _ => otherwise.into(),
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

/// Refuses data that do not fit on the disk.
pub(super) fn check_space(
    folder: &Path,
    is_new: bool,
    option: Option<SizeOption>,
    data: u64,
) -> Result<(), Reason> {
    let needed = |data: u64| {
        let files = data.saturating_add(data / 4).saturating_add(redo_log(data));
        files.saturating_add(EMPTY_SERVER)
    };
    let free = folders::filesystem(folder).map_or(u64::MAX, |system| system.free);
    if is_new && free < needed(data) {
        let (shown, needs, has) = (folder.display(), gib(needed(data)), gib(free));
        let most = largest(data, |data| needed(data) <= free);
        return Err(Reason::mended_by(
            format!("the database needs {needs:.1} GiB on disk, and {shown} has {has:.1} GiB left"),
            fewer(option, most, "--data with a folder that has more room"),
        ));
    }
    Ok(())
}

/// Bytes of a buffer pool that holds all data with room to grow, as far as memory allows. `files` are the bytes that the server's
/// files already occupy on a tmpfs.
pub(super) fn buffer_pool(
    option: Option<SizeOption>,
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
            fewer(option, largest(data, fits), "make room in memory"),
        ));
    }
    let wanted = data.saturating_add(data / 4).saturating_add(1 << 30);
    Ok(wanted.min(most(data)).max(64 << 20))
}

/// Creates the system tables, as the account: its programs never have the rights of root.
pub(super) fn install(
    server: &ServerProgram,
    folder: &ServerFolder,
    account: Option<&Account>,
) -> Result<(), Reason> {
    folder.begin_installation(account)?;
    let data = folder.data();
    let words = install_command(server, &data, account)?;
    let mut program = Program::new(&words)?;
    if let Some((user, group)) = account.and_then(|account| account.ids) {
        program = program.as_account(user, group);
    }
    // The account may not write to our TMPDIR.
    let (status, output) = run_program(program.with("TMPDIR", data), INSTALL_LIMIT)?;
    if status != Status::Exited(0) {
        let (said, program) = (complaint(&output), words[0].to_string_lossy());
        let remedy = match said.contains("my_print_defaults") {
            true => "apt-get install mariadb-client-core, which has my_print_defaults",
            false => {
                "check whether its libraries are installed (ldd), and whether the disk is full"
            }
        };
        return Err(Reason::mended_by(
            format!("{program} did not create the system tables ({status:?}): {said}"),
            remedy,
        ));
    }
    folder.end_installation(&server.version)
}

/// The first error and what follows it, or the last lines: advice on packages comes after errors.
fn complaint(output: &str) -> String {
    let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
    let error = lines.iter().position(|line| line.contains("FATAL ERROR"));
    let from = error.unwrap_or(lines.len().saturating_sub(6));
    lines[from..].iter().take(6).copied().collect::<Vec<_>>().join(" | ")
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
            only_root_may_change(&program)?;
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
    if account.is_some_and(|account| account.ids.is_none()) {
        words.push("--user=root".into());
    }
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_quoted_before_the_advice_that_follows_it() {
        let advice = "advice\n".repeat(9);
        let said = format!("\nFATAL ERROR: Could not find my_print_defaults\n\n{advice}");
        assert!(complaint(&said).starts_with("FATAL ERROR: Could not find my_print_defaults | "));
        assert_eq!(complaint("one\ntwo\n"), "one | two");
    }

    #[test]
    fn the_account_is_parsed() {
        let passwd = "root:x:0:0:root:/root:/bin/bash\nmysqlx:x:1:1::/:\nmysql:x:101:102:MySQL,,,:/no:/bin/false\n";
        assert_eq!(account_ids(passwd), Some((101, 102)));
        assert_eq!(account_ids("root:x:0:0:root:/root:/bin/bash\nmysql:x:y:1::/:\n"), None);
    }

    const ROWS: Option<SizeOption> = Some(SizeOption { name: "--rows", each: 240, fixed: 0 });
    const WAREHOUSES: SizeOption =
        SizeOption { name: "--warehouses", each: 107_000_000, fixed: 18_000_000 };

    #[test]
    fn a_pool_holds_the_data_or_is_refused() {
        let pool = |data, files| buffer_pool(ROWS, data, Some(8 << 30), files);
        assert_eq!(pool(1 << 30, None).unwrap(), (1 << 30) + (1 << 28) + (1 << 30));
        assert_eq!(pool(5 << 30, None).unwrap(), 6 << 30, "three quarters of 8 GiB");
        let why = pool(6 << 30, None).unwrap_err();
        assert!(why.why.contains("do not fit"), "{why}");
        assert!(buffer_pool(ROWS, 1 << 40, None, None).is_ok(), "unknown memory is enough");
        // Files in memory take as much again, unless they are there already.
        assert!(pool(3 << 30, Some(0)).is_err());
        assert_eq!(pool(3 << 30, Some(5 << 30)), pool(3 << 30, None));
    }

    #[test]
    fn the_most_that_fits_is_named() {
        let named = |option, data, files| {
            let why = buffer_pool(Some(option), data, Some(8 << 30), files).unwrap_err();
            let remedy = why.remedy.unwrap();
            let number = remedy.split(' ').nth(1).unwrap().parse::<u64>().unwrap();
            assert!(remedy.starts_with("--") && remedy.contains("or fewer"), "{remedy}");
            number
        };
        for files in [None, Some(0)] {
            for option in [ROWS.unwrap(), WAREHOUSES] {
                let most = named(option, 20 << 30, files);
                let pool = |count| buffer_pool(None, option.bytes(count), Some(8 << 30), files);
                assert!(pool(most).is_ok() && pool(most + 1).is_err(), "{option:?}");
            }
        }
        let none = buffer_pool(Some(WAREHOUSES), 1 << 30, Some(1 << 20), None).unwrap_err();
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
    fn names_that_servers_misread_are_refused() {
        for fine in ["/data/x-1_2.3", "/home/\u{7528}\u{6237}/d+@=,", "/-rf"] {
            assert_eq!(check_names(Path::new(fine), None), Ok(()), "{fine}");
        }
        for odd in [
            "/a b", "/a/ b", "/a#b", "/a'b", "/a\"b", "/a\nb", "/a\\b", "/a*", "/a:b", "/a$b",
            "/a;b",
        ] {
            let why = check_names(Path::new(odd), None).unwrap_err();
            assert!(why.why.contains("misread") && !why.why.contains('\n'), "{why}");
            assert!(why.remedy.unwrap().contains("--data"), "{odd}");
        }
        let bytes = std::os::unix::ffi::OsStrExt::from_bytes(b"/\xff");
        assert!(check_names(Path::new::<std::ffi::OsStr>(bytes), None).is_err());
        let server = ServerProgram {
            program: "/opt/my server/bin/mysqld".into(),
            vendor: Vendor::MySql,
            version: "x".into(),
            number: [8, 4, 0],
            base: "/opt/my server".into(),
        };
        let why = check_names(Path::new("/data"), Some(&server)).unwrap_err();
        assert!(why.remedy.unwrap().contains("--server"));
        let long = Path::new("/").join("x".repeat(100));
        assert!(check_names(&long, None).unwrap_err().why.contains("too long"));
    }

    #[test]
    fn a_full_disk_is_refused_before_the_installation() {
        let folder = tempfile::tempdir().unwrap();
        let check = |is_new, data| check_space(folder.path(), is_new, ROWS, data);
        assert!(check(true, 1 << 20).is_ok() && check(false, u64::MAX).is_ok());
        let why = check(true, u64::MAX).unwrap_err();
        assert!(why.why.contains("on disk") && why.remedy.unwrap().contains("--data"));
    }
}
