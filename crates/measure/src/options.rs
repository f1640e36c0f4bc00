//! Options in a command line, as getopt_long(3) reads them: `-p 7`, `-p7`, `-vp7`, `--port 7`, `--port=7`.

/// The text behind this option, or this word, in an argument: empty where its value is the next argument or it has none.
/// `None` if the argument is another.
pub(crate) fn behind<'w>(argument: &'w str, option: &str) -> Option<&'w str> {
    let mut letters = option.chars();
    if let (Some('-'), Some(letter), None) = (letters.next(), letters.next(), letters.next()) {
        let cluster = argument.strip_prefix('-')?;
        let (before, rest) = cluster.split_once(letter)?;
        return before.chars().all(|c| c.is_ascii_alphabetic()).then_some(rest);
    }
    let rest = argument.strip_prefix(option)?;
    match rest.strip_prefix('=').filter(|_| option.starts_with("--")) {
        Some(value) => Some(value),
        None => rest.is_empty().then_some(rest),
    }
}

#[cfg(test)]
mod tests {
    use super::behind;

    #[test]
    fn options_are_found_alone_with_a_value_and_behind_others() {
        for (argument, option, expected) in [
            ("-p", "-p", Some("")),
            ("-p7", "-p", Some("7")),
            ("-vp7", "-p", Some("7")),
            ("--port", "-p", None),
            ("-7p", "-p", None),
            ("--port=7", "--port", Some("7")),
            ("--port", "--port", Some("")),
            ("--port-file", "--port", None),
            ("run", "run", Some("")),
            ("runs", "run", None),
            ("run=1", "run", None),
        ] {
            assert_eq!(behind(argument, option), expected, "{argument} {option}");
        }
    }
}
