//! What a program might leave behind: settings of the kernel, control groups, mounts, modules, files and processes, a line for
//! each. What changes by itself is left out.
use std::{
    collections::BTreeSet,
    fs::{self, File, Metadata, OpenOptions},
    io::Read,
    os::unix::fs::{MetadataExt, OpenOptionsExt},
    path::Path,
    thread,
    time::Duration,
};

pub(crate) type State = BTreeSet<String>;

/// Folders of settings: files that root may read and write.
const SETTINGS: [&str; 6] = [
    "/proc/sys",
    "/proc/irq",
    "/sys/devices/system",
    "/sys/fs/cgroup",
    "/sys/kernel/mm",
    "/sys/module",
];
/// Parts of the names of settings that the kernel changes by itself, of lists of processes, and of settings of whose reading its log
/// complains.
const LEFT_OUT: [&str; 6] =
    ["/random/", "/ns_last_pid", ".pressure", "/cgroup.procs", "/cgroup.threads", "/neigh/"];
/// File systems whose files are settings and processes.
const KERNELS: [&str; 2] = ["/proc", "/sys"];
/// Bytes of a setting that are compared.
const LONGEST: u64 = 4096;
/// Waits of 200 ms for supervisors to end.
const PATIENCE: usize = 5;

/// The state as it is now.
pub(crate) fn now() -> State {
    let mut state = State::new();
    for folder in SETTINGS {
        below(Path::new(folder), &[], &mut |path, about| {
            let shown = path.display().to_string();
            if about.is_dir() && folder.ends_with("cgroup") {
                state.insert(format!("group {shown}"));
            } else if about.is_file()
                && about.mode() & 0o600 == 0o600
                && !LEFT_OUT.iter().any(|part| shown.contains(part))
            {
                state.insert(format!("setting {shown} {:?}", setting(path)));
            }
        });
    }
    below(Path::new("/"), &KERNELS, &mut |path, about| {
        let content = match about.is_file() {
            true => format!(" {} bytes of {}.{}", about.len(), about.mtime(), about.mtime_nsec()),
            false => String::new(),
        };
        state.insert(format!("file {} {:o}{content}", path.display(), about.mode()));
    });
    state.extend(lines("/proc/self/mountinfo").map(|line| format!("mount {line}")));
    let name = |line: String| line.split(' ').next().unwrap_or_default().to_owned();
    state.extend(lines("/proc/modules").map(|line| format!("module {}", name(line))));
    let pids = fs::read_dir("/proc").into_iter().flatten().flatten();
    state.extend(pids.filter_map(|entry| process(&entry.path())));
    state
}

/// The differences from an earlier state, once there are none or after some seconds.
pub(crate) fn changes(before: &State) -> Vec<String> {
    let mut changes = difference(before, &now());
    for _ in 0..PATIENCE {
        if changes.is_empty() {
            break;
        }
        thread::sleep(Duration::from_millis(200));
        changes = difference(before, &now());
    }
    changes
}

fn difference(before: &State, after: &State) -> Vec<String> {
    let gone = before.difference(after).map(|line| format!("gone: {line}"));
    let new = after.difference(before).map(|line| format!("new: {line}"));
    gone.chain(new).collect()
}

/// Everything below a folder, but for some of its folders. Links are not followed.
fn below(folder: &Path, without: &[&str], each: &mut dyn FnMut(&Path, &Metadata)) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let Ok(about) = entry.metadata() else { continue };
        if without.iter().any(|name| path == Path::new(name)) {
            continue;
        }
        each(&path, &about);
        if about.is_dir() {
            below(&path, without, each);
        }
    }
}

/// The beginning of a setting, or why it cannot be read.
fn setting(path: &Path) -> String {
    let flags = rustix::fs::OFlags::NONBLOCK.bits() as i32;
    let read = |file: File| {
        let mut bytes = vec![];
        file.take(LONGEST).read_to_end(&mut bytes).map(|_| bytes)
    };
    match OpenOptions::new().read(true).custom_flags(flags).open(path).and_then(read) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).trim_end().to_owned(),
        Err(why) => why.to_string(),
    }
}

fn lines(file: &str) -> impl Iterator<Item = String> {
    let text = fs::read_to_string(file).unwrap_or_default();
    text.lines().map(str::to_owned).collect::<Vec<_>>().into_iter()
}

/// A process that has not ended and is not the kernel's own (proc_pid_stat(5)).
fn process(folder: &Path) -> Option<String> {
    let pid: u32 = folder.file_name()?.to_str()?.parse().ok()?;
    let stat = fs::read_to_string(folder.join("stat")).ok()?;
    let (name, rest) = stat.rsplit_once(") ")?;
    let mut fields = rest.split(' ');
    let (state, parent) = (fields.next()?, fields.next()?);
    // The second process is the parent of the kernel's others.
    let is_kernels = pid == 2 || parent == "2";
    (!is_kernels && state != "Z").then(|| format!("process {name})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_new_and_what_is_gone_is_told() {
        let state = |lines: &[&str]| lines.iter().map(|&line| line.to_owned()).collect::<State>();
        let before = state(&["file /a", "setting /x \"1\""]);
        assert!(difference(&before, &before).is_empty());
        let after = state(&["setting /x \"2\"", "file /a"]);
        let changes = difference(&before, &after);
        assert_eq!(changes, ["gone: setting /x \"1\"", "new: setting /x \"2\""]);
    }

    #[test]
    fn this_process_its_files_and_the_settings_are_seen() {
        let own = fs::read_to_string("/proc/self/stat").unwrap();
        let folder = format!("/proc/{}", own.split(' ').next().unwrap());
        assert!(process(Path::new(&folder)).is_some_and(|line| own.starts_with(&line[8..])));
        assert_eq!(process(Path::new("/proc/sys")), None);
        assert_ne!(setting(Path::new("/proc/sys/kernel/ostype")), "");
        let mut seen = vec![];
        let sources = Path::new(env!("CARGO_MANIFEST_DIR"));
        below(sources, &[], &mut |path, _| seen.push(path.to_owned()));
        assert!(seen.contains(&sources.join("src/state.rs")), "{seen:?}");
    }
}
