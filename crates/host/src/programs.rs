//! Programs of others that are asked what they are: the first line of what they print.
//! Source: std::process; whoever needs a program to be measured runs it as a [`crate::child`].
use record::Reason;
use std::{
    io::ErrorKind,
    process::{Command, Stdio},
};

/// The first line that this command prints, such as its version; `remedy` is how to get a program that is not there.
///
/// # Errors
/// It is not installed, cannot be run, or prints nothing.
pub fn first_line(words: &[&str], remedy: &str) -> Result<String, Reason> {
    let [program, arguments @ ..] = words else { return Err(Reason::new("there is no command")) };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null()).stderr(Stdio::null());
    let printed = command.output().map_err(|error| match error.kind() {
        ErrorKind::NotFound => Reason::mended_by(format!("{program} is not installed"), remedy),
        _ => Reason::mended_by(format!("{program} cannot be run: {error}"), remedy),
    })?;
    let text = String::from_utf8_lossy(&printed.stdout);
    let line = text.lines().map(str::trim).find(|line| !line.is_empty());
    line.map(str::to_owned)
        .ok_or_else(|| Reason::mended_by(format!("{} prints nothing", words.join(" ")), remedy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_line_that_says_something_is_returned() {
        let said = first_line(&["printf", "\n  one 1.0 \ntwo\n"], "none").unwrap();
        assert_eq!(said, "one 1.0");
    }

    #[test]
    fn what_is_not_there_or_says_nothing_is_a_reason_with_its_remedy() {
        let gone = first_line(&["no-such-program-here"], "apt install it").unwrap_err();
        assert_eq!(gone.why, "no-such-program-here is not installed");
        assert_eq!(gone.remedy.as_deref(), Some("apt install it"));
        assert!(first_line(&["true"], "none").unwrap_err().why.contains("prints nothing"));
        assert!(first_line(&[], "none").is_err());
    }
}
