//! Private data that a capture leaves out: serial numbers, host and user names, addresses, identifiers of disks and
//! containers. One function per kind of file; scrubbing twice changes nothing, and no fact depends on what is lost.
use crate::decode::smbios;
use crate::reading::listed;

/// The content of a file as it may be shared.
pub(crate) fn file(path: &str, content: Vec<u8>) -> Vec<u8> {
    if path == crate::evidence::SMBIOS || path.starts_with(crate::evidence::SMBIOS_ENTRIES) {
        return smbios::scrub(&content);
    }
    let lines = |keep: &dyn Fn(&str) -> Option<String>| -> Vec<u8> {
        let text = String::from_utf8_lossy(&content);
        text.lines().filter_map(keep).map(|l| l + "\n").collect::<String>().into_bytes()
    };
    let own = |line: &str| Some(line.to_string());
    let only = |prefixes: &[&str], line: &str| {
        prefixes.iter().any(|p| line.starts_with(p)).then(|| line.to_string())
    };
    match path {
        "/proc/cmdline" => command_line(&String::from_utf8_lossy(&content)).into_bytes(),
        "/proc/version" => lines(&|line| Some(version(line))),
        "/proc/self/cgroup" | "/proc/1/cgroup" => lines(&|line| Some(cgroup_line(line))),
        "/proc/self/status" => {
            const KEPT: [&str; 4] =
                ["Cpus_allowed_list:", "Mems_allowed_list:", "Seccomp:", "THP_enabled:"];
            lines(&|line| only(&KEPT, line))
        }
        crate::interrupts::TABLE => lines(&|line| Some(crate::interrupts::nameless(line))),
        // A mainframe's serial numbers and the names of its partitions are in the same table.
        "/proc/sysinfo" => lines(&|line| match line.split_once(':') {
            Some((key, _)) if key == "LPAR Number" => Some(format!("{key}: *")),
            _ => only(&["VM00 Control Program:"], line),
        }),
        "/proc/device-tree/ibm,partition-name" => b"*".to_vec(),
        "/etc/tuned/active_profile" => {
            let profiles = String::from_utf8_lossy(&content);
            (crate::tuning::impersonal(&profiles) + "\n").into_bytes()
        }
        "/proc/stat" => lines(&|line| only(&["cpu "], line)),
        "/etc/os-release" => lines(&|line| only(&["ID=", "VERSION_ID=", "PRETTY_NAME="], line)),
        "/proc/cpuinfo" => lines(&|line| {
            let key = line.split(':').next().unwrap_or("").to_ascii_lowercase();
            let personal = ["serial", "uuid"].iter().any(|word| key.contains(word));
            if personal { None } else { own(line).map(|line| identification(&line)) }
        }),
        // What cannot be unpacked stays so: its beginning alone says that.
        _ if path == "/proc/config.gz" || path.starts_with("/boot/config-") => {
            crate::kernel::config_text(&content)
                .map(|text| crate::kernel::relevant_config(&text).into_bytes())
                .unwrap_or_else(|| vec![0x1f, 0x8b])
        }
        // The rest is one value or one table of the kernel's own making.
        _ => content,
    }
}

/// s390 prints the machine's serial number in every CPU's line.
fn identification(line: &str) -> String {
    match line.split_once("identification = ") {
        Some((before, after)) => {
            let rest = after.find(',').map_or("", |comma| &after[comma..]);
            format!("{before}identification = *{rest}")
        }
        None => line.to_string(),
    }
}

/// Parameters whose values describe the kernel, and not its place or owner.
const KEPT: &str = include_str!("words/kernel_parameters.txt");

/// The command line with the values of all but well-known parameters masked, and what follows ` -- ` (meant for
/// init, not for the kernel) dropped.
pub(crate) fn command_line(line: &str) -> String {
    let word = |word: &str| -> String {
        let plain = |text: &str, most: usize| {
            !text.is_empty()
                && text.len() <= most
                && text.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
        };
        match word.split_once('=') {
            Some((key, _)) if listed(KEPT, key) => word.into(),
            Some((key, _)) if plain(key, 48) => format!("{key}=*"),
            None if plain(word, 24) => word.into(),
            _ => "*".into(),
        }
    };
    // What cannot be seen is no word.
    let seen = |word: &&str| !crate::reading::clean(word).is_empty();
    // A zero byte may end the line, and nothing that is no sign belongs to a word.
    let words = line.split(|c: char| c.is_whitespace() || c.is_control());
    let words = words.take_while(|w| *w != "--").filter(seen);
    words.map(word).collect::<Vec<_>>().join(" ")
}

/// `Linux version 6.1 (user@host) (gcc ...) #1 SMP` without who built it.
pub(crate) fn version(line: &str) -> String {
    let mut out = String::new();
    let mut rest = line;
    while let Some((before, after)) = rest.split_once('(') {
        let Some((inside, tail)) = after.split_once(')') else { break };
        out += &format!("{before}({})", if inside.contains('@') { "*" } else { inside });
        rest = tail;
    }
    out + rest
}

/// `4:memory:/docker/0123abcd` with the path reduced.
fn cgroup_line(line: &str) -> String {
    let mut parts = line.splitn(3, ':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some(id), Some(controllers), Some(path)) => {
            format!("{id}:{controllers}:{}", cgroup_path(path))
        }
        _ => String::new(),
    }
}

/// A cgroup path with every name that is not everybody's replaced: the depth and the kind of container stay.
pub(crate) fn cgroup_path(path: &str) -> String {
    let part = |part: &str| -> String {
        const EVERYBODYS: &str = include_str!("words/cgroup_names.txt");
        const KINDS: &str = include_str!("words/cgroup_kinds.txt");
        if part.is_empty() || listed(EVERYBODYS, part) {
            return part.into();
        }
        let kind = KINDS.lines().find(|kind| part.starts_with(kind));
        kind.map_or("x".into(), |kind| format!("{kind}-x"))
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}

/// A path of the machine as it may be shared: only cgroup directories carry names.
pub(crate) fn path(path: &str) -> String {
    const TOP: &str = "/sys/fs/cgroup/";
    let Some(rest) = path.strip_prefix(TOP) else { return path.into() };
    let (folder, file) = rest.rsplit_once('/').unwrap_or(("", rest));
    // The first part is a controller on v1 ("cpu,cpuacct", "unified") and a group on v2.
    let (first, below) = folder.split_once('/').unwrap_or((folder, ""));
    let controller = first.split(',').all(|c| listed(crate::limits::CONTROLLERS, c));
    let first = if controller { first.to_string() } else { cgroup_path(first) };
    let mut parts = vec![first, cgroup_path(below), file.to_string()];
    parts.retain(|part| !part.is_empty());
    format!("{TOP}{}", parts.join("/"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_command_line_keeps_what_matters() {
        let line = "BOOT_IMAGE=/vmlinuz root=UUID=1234 ro quiet isolcpus=2-7 ip=10.0.0.1::host mitigations=off user@host -- --secret";
        assert_eq!(
            command_line(line),
            "BOOT_IMAGE=* root=* ro quiet isolcpus=2-7 ip=* mitigations=off *"
        );
    }

    #[test]
    fn names_of_builders_and_containers_go() {
        assert_eq!(
            version("Linux version 6.1 (me@box) (gcc (Debian) 12) #1 SMP"),
            "Linux version 6.1 (*) (gcc (Debian) 12) #1 SMP"
        );
        assert_eq!(cgroup_line("4:memory:/docker/0123abcd"), "4:memory:/docker/x");
        assert_eq!(
            path("/sys/fs/cgroup/cpu,cpuacct/docker/0123/cpu.cfs_quota_us"),
            "/sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us"
        );
        assert_eq!(
            path("/sys/fs/cgroup/user.slice/user-1000.slice/cpu.max"),
            "/sys/fs/cgroup/user.slice/user-x/cpu.max"
        );
        assert_eq!(path("/sys/fs/cgroup/cpu.max"), "/sys/fs/cgroup/cpu.max");
    }

    #[test]
    fn what_is_no_sign_parts_no_profiles() {
        let once = file("/etc/tuned/active_profile", b"balanced\x01\nours\x02\n\n".to_vec());
        assert_eq!(once, b"balanced own\n");
    }

    proptest! {
        #[test]
        fn scrubbing_twice_changes_nothing(text in "([a-z]{1,6}[=:/@. ()-]{1,2}){0,12}") {
            for path in ["/proc/cmdline", "/proc/version", "/proc/self/cgroup", "/proc/cpuinfo", "/proc/stat", "/proc/sysinfo"] {
                let once = file(path, text.clone().into_bytes());
                prop_assert_eq!(file(path, once.clone()), once);
            }
            prop_assert_eq!(cgroup_path(&cgroup_path(&text)), cgroup_path(&text));
        }
    }
}
