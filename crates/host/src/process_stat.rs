//! `/proc/PID/stat` of a process or a thread. A name is cut after 15 bytes, within a character, too.
//! Source: proc_pid_stat(5).
use std::{fs, io, path::Path, str::FromStr};

/// The fields of the file that are used.
#[derive(Debug)]
pub(crate) struct ProcessStat {
    pub(crate) pid: u32,
    /// The name, which may hold any characters.
    pub(crate) name: String,
    rest: String,
}

impl ProcessStat {
    /// Of this folder of `/proc`; nothing if there is no such process.
    pub(crate) fn of(folder: impl AsRef<Path>) -> Option<ProcessStat> {
        ProcessStat::parse(&text(&folder.as_ref().join("stat"))?)
    }

    pub(crate) fn parse(stat: &str) -> Option<ProcessStat> {
        let (head, rest) = stat.rsplit_once(") ")?;
        let (pid, name) = head.split_once(" (")?;
        Some(ProcessStat { pid: pid.parse().ok()?, name: name.to_owned(), rest: rest.to_owned() })
    }

    /// The field behind the name with this number in the manual.
    pub(crate) fn field<T: FromStr>(&self, number: usize) -> Option<T> {
        self.rest.split_ascii_whitespace().nth(number.checked_sub(3)?)?.parse().ok()
    }
}

/// The numbers among the names in a folder of `/proc`: its processes, or a process's threads.
pub(crate) fn numbers(folder: impl AsRef<Path>) -> io::Result<impl Iterator<Item = u32>> {
    let entries = fs::read_dir(folder)?.flatten();
    Ok(entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()))
}

/// The text of a file with a process's name in it.
pub(crate) fn text(file: &Path) -> Option<String> {
    fs::read(file).ok().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{accounts, usage};
    use std::{
        io::{BufRead, BufReader},
        process::{Command, Stdio},
    };

    #[test]
    fn fields_are_found_behind_any_name() {
        let numbers: Vec<String> = (4..60).map(|n| n.to_string()).collect();
        let stat = ProcessStat::parse(&format!("7 (a) b (c) S {}", numbers.join(" "))).unwrap();
        assert_eq!((stat.pid, &*stat.name), (7, "a) b (c"));
        assert_eq!((stat.field(3), stat.field(39)), (Some('S'), Some(39)));
        assert_eq!((stat.field::<u32>(2), stat.field::<u32>(60)), (None, None));
        assert!(ProcessStat::parse("7 (a").is_none() && ProcessStat::parse("x (a) R").is_none());
    }

    /// The kernel cuts names by bytes.
    #[test]
    fn a_name_that_is_cut_within_a_character_hides_no_process() {
        let _alone = crate::child::alone();
        let script = r"printf 'cut\346\225' > /proc/self/comm; echo; read line";
        let mut child = Command::new("sh")
            .args(["-c", script])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let stat = ProcessStat::of(format!("/proc/{}", child.id())).unwrap();
        let (used, tasks) = (usage::process_usage(child.id()), accounts::tasks());
        child.kill().unwrap();
        child.wait().unwrap();
        assert!(stat.name.starts_with("cut"), "{stat:?}");
        assert!(used.is_some_and(|used| used.ctx_voluntary + used.ctx_involuntary > 0), "{used:?}");
        assert!(tasks.contains_key(&stat.pid), "{tasks:?}");
    }
}
