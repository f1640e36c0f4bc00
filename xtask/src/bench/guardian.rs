//! What is put back when a measurement has ended, however it ended: by a shell that waits until nobody holds the other end of its
//! pipe any more, as when this program was killed.
//!
//! It is real-time where that is permitted, since whoever it has to stop may be: until then it must not wait for a process of its
//! own, which may take an ordinary thread that the same CPU does not run.
use std::{
    os::unix::process::CommandExt,
    process::{Child, Command, Stdio},
};

/// Does it when dropped, or when this process is gone.
#[derive(Debug)]
pub(crate) struct Guardian(Child);

/// Above everything that is measured.
const PRIORITY: &str = "70";

impl Guardian {
    /// A guardian that does `first`, of what a shell can do by itself, at once, and `then` as an ordinary program.
    pub(crate) fn of(first: &str, then: &str) -> Result<Guardian, String> {
        Guardian::waiting(Stdio::piped(), first, then)
    }
    fn waiting(end: Stdio, first: &str, then: &str) -> Result<Guardian, String> {
        let script = format!(
            "trap '' INT TERM HUP\nchrt -f -p {PRIORITY} $$ > /dev/null 2>&1\nread -r _\n{first}\n\
             command -v chrt > /dev/null && exec chrt -o 0 sh -c \"$1\"\nexec sh -c \"$1\"\n"
        );
        let mut shell = Command::new("sh");
        shell.args(["-c", &script, "sh", then]).stdin(end).process_group(0);
        shell.spawn().map(Guardian).map_err(|e| format!("sh: {e}"))
    }
}

impl Drop for Guardian {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        match self.0.wait() {
            Ok(status) if status.success() => {}
            other => println!("not everything was put back: {other:?}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{fs, thread::sleep, time::Duration};

    #[test]
    fn it_acts_when_dropped() {
        let folder = tempfile::tempdir().unwrap();
        let (one, other) = (folder.path().join("one"), folder.path().join("other"));
        let first = format!("echo 1 > {}", one.display());
        let guardian = Guardian::of(&first, &format!("cp {} {}", one.display(), other.display()));
        assert!(!one.exists());
        drop(guardian.unwrap());
        assert_eq!(fs::read_to_string(other).unwrap(), "1\n");
    }

    #[test]
    fn it_acts_when_whoever_holds_the_pipe_is_killed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let mut holder = Command::new("sleep").arg("1000").stdout(Stdio::piped()).spawn().unwrap();
        let end = holder.stdout.take().unwrap();
        let first = format!("echo 1 > {}", file.display());
        let mut guardian = Guardian::waiting(end.into(), &first, "true").unwrap();
        sleep(Duration::from_millis(50));
        assert!(guardian.0.try_wait().unwrap().is_none() && !file.exists(), "it did not wait");
        holder.kill().unwrap();
        holder.wait().unwrap();
        assert!(guardian.0.wait().unwrap().success());
        assert_eq!(fs::read_to_string(file).unwrap(), "1\n");
    }
}
