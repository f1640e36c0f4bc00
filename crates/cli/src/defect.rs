//! A panic is a defect of cpulens: it prints one line that asks for a report, and gives exit code 2.
use crate::exit::Exit;
use std::{
    env,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
};
use storage::say;

/// Prints each panic as one line. With `RUST_BACKTRACE` set, Rust's own report follows.
pub(crate) fn watch() {
    let whole = env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0");
    let report = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        say(&line(info));
        if whole {
            report(info);
        }
    }));
}

/// Runs a command. A panic is a failure.
pub(crate) fn contain(command: impl FnOnce() -> Exit) -> Exit {
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(Exit::CouldNot)
}

fn line(info: &PanicHookInfo<'_>) -> String {
    let what = host::threads::panic_message(info.payload()).replace('\n', " ");
    let place =
        info.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "cpulens: a defect of cpulens {version}: {what}{place}; please report it (RUST_BACKTRACE=1 shows more)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    static LINES: Mutex<Vec<String>> = Mutex::new(vec![]);

    #[test]
    fn a_panic_is_one_line_with_its_place_and_could_not() {
        panic::set_hook(Box::new(|info| LINES.lock().unwrap().push(line(info))));
        let exit = contain(|| panic!("two\nlines"));
        let _ = panic::take_hook();
        assert_eq!(exit, Exit::CouldNot);
        let line = LINES.lock().unwrap().pop().unwrap();
        assert!(!line.contains('\n') && line.contains("two lines"), "{line}");
        assert!(line.contains("defect.rs:") && line.contains("report"), "{line}");
        assert_eq!(contain(|| Exit::Findings), Exit::Findings);
    }
}
