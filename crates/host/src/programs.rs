//! Output of other programs: their version, or their own figures. A program that is timed or counted is a [`crate::child`].
//! Source: std::process, PR_SET_PDEATHSIG of prctl(2).
use record::Reason;
use rustix::process::{Signal, getpid, getppid, set_parent_process_death_signal};
use std::{
    io::ErrorKind,
    os::unix::process::CommandExt,
    process::{Command, Stdio},
};

/// The first line that this command prints, such as its version; `remedy` tells how to install it.
pub fn first_line(words: &[&str], remedy: &str) -> Result<String, Reason> {
    let text = printed(words, remedy)?;
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(str::to_owned)
        .ok_or_else(|| Reason::mended_by(format!("{} prints nothing", words.join(" ")), remedy))
}

/// All that this command prints, whatever its status. It runs on the CPUs of the calling thread, and dies with it.
pub fn printed(words: &[&str], remedy: &str) -> Result<String, Reason> {
    let [program, arguments @ ..] = words else { return Err(Reason::new("there is no command")) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    let output = end_with_us(&mut command).output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Reason::mended_by(format!("{program} is not installed"), remedy),
        _ => Reason::mended_by(format!("{program} cannot be run: {error}"), remedy),
    })?;
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The process of this command is killed when the calling thread ends.
pub(crate) fn end_with_us(command: &mut Command) -> &mut Command {
    let us = getpid();
    let end = move || {
        set_parent_process_death_signal(Some(Signal::KILL))?;
        // It may have ended before.
        if getppid() == Some(us) { Ok(()) } else { Err(ErrorKind::BrokenPipe.into()) }
    };
    // SAFETY: the closure makes two system calls, which a child may between fork and exec; it allocates and locks nothing.
    unsafe { command.pre_exec(end) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_says_something_is_returned() {
        let _alone = crate::child::alone();
        let said = first_line(&["printf", "\n  one 1.0 \ntwo\n"], "none").unwrap();
        assert_eq!(said, "one 1.0");
    }

    #[test]
    fn what_is_not_there_or_says_nothing_is_a_reason_with_its_remedy() {
        let _alone = crate::child::alone();
        let gone = first_line(&["no-such-program-here"], "apt install it").unwrap_err();
        assert_eq!(gone.why, "no-such-program-here is not installed");
        assert_eq!(gone.remedy.as_deref(), Some("apt install it"));
        assert!(first_line(&["true"], "none").unwrap_err().why.contains("prints nothing"));
        assert!(first_line(&[], "none").is_err());
    }

    #[test]
    fn it_runs_where_the_calling_thread_may() {
        let _alone = crate::child::alone();
        let cpu = crate::cpus::affinity().unwrap().first().unwrap();
        let _pinned = crate::cpus::pin(cpu).unwrap();
        let status = printed(&["cat", "/proc/self/status"], "none").unwrap();
        let list = status.lines().find_map(|l| l.strip_prefix("Cpus_allowed_list:")).unwrap();
        assert_eq!(list.trim(), cpu.to_string());
    }
}
