//! What a lab machine is to do: a text file in its memory disk, one `key value` a line. Both sides compile this file.
use super::frames::{escape, unescape};

/// Where the job lies on the machine.
pub(crate) const PATH: &str = "/lab/job";

/// The file that every machine sends back unasked: what its kernel says of it once the place is prepared.
pub(crate) const LOOK: &str = "/lab/look";

/// What the kernel has said so far, one record a line; read without waiting for more.
pub(crate) const KERNEL_SAID: &str = "/dev/kmsg";

/// The folder of a machine whose disk is small: its `XDG_DATA_HOME`.
pub(crate) const DISK: &str = "/data";

/// Programs to run in turn, and how hard to make their life.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Job {
    pub(crate) commands: Vec<Command>,
    /// CPUs to take offline.
    pub(crate) offline: Vec<u32>,
    /// The root and /dev are read-only, and there is no /tmp.
    pub(crate) readonly: bool,
    /// /sys is not mounted.
    pub(crate) nosys: bool,
    /// The kernel's tracers are at /sys/kernel/tracing.
    pub(crate) tracing: bool,
    /// The CPUs of the programs' cgroup, as in `cpuset.cpus`.
    pub(crate) cpuset: Option<String>,
    /// The memory of the programs' cgroup, as in `memory.max`.
    pub(crate) memory: Option<String>,
    /// The share of CPUs of the programs' cgroup, as in `cpu.max`.
    pub(crate) quota: Option<String>,
    /// The tables of interrupts are hidden.
    pub(crate) untold: bool,
    /// The size of the file system at [`DISK`], as in tmpfs's `size`.
    pub(crate) disk: Option<String>,
    /// Who runs the programs; root if none.
    pub(crate) uid: Option<u32>,
    /// Seconds from the kernel's start after which a program is killed.
    pub(crate) timeout: Option<u64>,
}

/// A program to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Command {
    /// The program and its arguments.
    pub(crate) args: Vec<String>,
    /// Files to send back afterwards.
    pub(crate) collect: Vec<String>,
    /// Nobody reads its standard output: the pipe's other end is closed before it starts.
    pub(crate) unread: bool,
    /// Files, and what is written into each of them before the program starts.
    pub(crate) before: Vec<(String, String)>,
    /// A file: as soon as it says something, the program is killed (SIGKILL), and then the file has ten seconds to say nothing
    /// again. One name on its way may end with `*`: whatever begins so.
    pub(crate) killed: Option<String>,
    /// A CPU that goes offline soon after these words were on its standard error.
    pub(crate) taken_away: Option<(u32, String)>,
}

impl Job {
    pub(crate) fn to_text(&self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, value: &str| {
            text += &format!("{key} {}\n", escape(value.as_bytes()));
        };
        for command in &self.commands {
            line("run", "");
            command.args.iter().for_each(|v| line("arg", v));
            command.collect.iter().for_each(|v| line("collect", v));
            command
                .before
                .iter()
                .for_each(|(file, text)| line("before", &format!("{file} {text}")));
            command.killed.iter().for_each(|v| line("killed", v));
            if command.unread {
                line("unread", "");
            }
            command
                .taken_away
                .iter()
                .for_each(|(cpu, after)| line("taken", &format!("{cpu} {after}")));
        }
        self.offline.iter().for_each(|v| line("offline", &v.to_string()));
        self.cpuset.iter().for_each(|v| line("cpuset", v));
        self.memory.iter().for_each(|v| line("memory", v));
        self.quota.iter().for_each(|v| line("quota", v));
        self.disk.iter().for_each(|v| line("disk", v));
        self.uid.iter().for_each(|v| line("uid", &v.to_string()));
        self.timeout.iter().for_each(|v| line("timeout", &v.to_string()));
        for (key, set) in [
            ("readonly", self.readonly),
            ("nosys", self.nosys),
            ("tracing", self.tracing),
            ("untold", self.untold),
        ] {
            if set {
                line(key, "");
            }
        }
        text
    }

    pub(crate) fn from_text(text: &str) -> Result<Job, String> {
        let mut job = Job::default();
        for line in text.lines() {
            let bad = || format!("the job says `{line}`");
            let (key, value) = line.split_once(' ').ok_or_else(bad)?;
            let bytes = unescape(value).ok_or_else(bad)?;
            let value = String::from_utf8(bytes).map_err(|_| bad())?;
            match key {
                "run" => job.commands.push(Command::default()),
                "arg" => job.last().ok_or_else(bad)?.args.push(value),
                "collect" => job.last().ok_or_else(bad)?.collect.push(value),
                "before" => {
                    let (file, text) = value.split_once(' ').ok_or_else(bad)?;
                    let pair = (file.to_owned(), text.to_owned());
                    job.last().ok_or_else(bad)?.before.push(pair);
                }
                "killed" => job.last().ok_or_else(bad)?.killed = Some(value),
                "unread" => job.last().ok_or_else(bad)?.unread = true,
                "taken" => {
                    let (cpu, after) = value.split_once(' ').ok_or_else(bad)?;
                    let cpu = cpu.parse().map_err(|_| bad())?;
                    job.last().ok_or_else(bad)?.taken_away = Some((cpu, after.to_owned()));
                }
                "offline" => job.offline.push(value.parse().map_err(|_| bad())?),
                "cpuset" => job.cpuset = Some(value),
                "memory" => job.memory = Some(value),
                "quota" => job.quota = Some(value),
                "untold" => job.untold = true,
                "disk" => job.disk = Some(value),
                "uid" => job.uid = Some(value.parse().map_err(|_| bad())?),
                "timeout" => job.timeout = Some(value.parse().map_err(|_| bad())?),
                "readonly" => job.readonly = true,
                "nosys" => job.nosys = true,
                "tracing" => job.tracing = true,
                _ => return Err(bad()),
            }
        }
        Ok(job)
    }

    fn last(&mut self) -> Option<&mut Command> {
        self.commands.last_mut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_survives_its_file() {
        let first = Command {
            args: vec!["/bin/x".into(), String::new(), "two words\n%".into()],
            collect: vec!["/tmp/r.json".into()],
            before: vec![("/sys/x".into(), "two words".into())],
            killed: Some("/proc/modules".into()),
            taken_away: Some((3, "[2/4] two words".into())),
            ..Command::default()
        };
        let second = Command { args: vec!["/bin/y".into()], unread: true, ..Command::default() };
        let job = Job {
            commands: vec![first, second],
            offline: vec![3, 5],
            readonly: true,
            nosys: true,
            tracing: true,
            cpuset: Some("0-1".into()),
            memory: Some("64M".into()),
            quota: Some("50000 100000".into()),
            untold: true,
            disk: Some("64k".into()),
            uid: Some(1000),
            timeout: Some(60),
        };
        assert_eq!(Job::from_text(&job.to_text()), Ok(job));
        assert_eq!(Job::from_text(""), Ok(Job::default()));
        assert!(Job::from_text("sudo %41\n").is_err());
        assert!(Job::from_text("arg /bin/x\n").is_err(), "an argument of nothing");
    }
}
