//! A panic is a defect of ours: one line that says so and asks for a report, and exit code 2.
use crate::{exit::Exit, output::say};
use std::{
    env,
    panic::{self, AssertUnwindSafe, PanicHookInfo},
};

/// From here on a panic is told in one line. With `RUST_BACKTRACE` set, Rust's own account follows.
pub(crate) fn watch() {
    let whole = env::var_os("RUST_BACKTRACE").is_some_and(|v| v != "0");
    let account = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        say(&line(info));
        if whole {
            account(info);
        }
    }));
}

/// Runs a command; one that panics could not.
pub(crate) fn contain(command: impl FnOnce() -> Exit) -> Exit {
    panic::catch_unwind(AssertUnwindSafe(command)).unwrap_or(Exit::CouldNot)
}

fn line(info: &PanicHookInfo<'_>) -> String {
    let words = info.payload().downcast_ref::<&str>().copied();
    let words = words.or_else(|| info.payload().downcast_ref::<String>().map(String::as_str));
    let what = words.unwrap_or("a panic without words").replace('\n', " ");
    let place =
        info.location().map_or_else(String::new, |l| format!(" at {}:{}", l.file(), l.line()));
    let version = env!("CARGO_PKG_VERSION");
    format!(
        "cpulens: a defect of cpulens {version}: {what}{place}; please report it (RUST_BACKTRACE=1 tells more)"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    static TOLD: Mutex<Vec<String>> = Mutex::new(vec![]);

    #[test]
    fn a_panic_is_one_line_with_its_place_and_could_not() {
        panic::set_hook(Box::new(|info| TOLD.lock().unwrap().push(line(info))));
        let exit = contain(|| panic!("two\nlines"));
        let _ = panic::take_hook();
        assert_eq!(exit, Exit::CouldNot);
        let told = TOLD.lock().unwrap().pop().unwrap();
        assert!(!told.contains('\n') && told.contains("two lines"), "{told}");
        assert!(told.contains("defect.rs:") && told.contains("report"), "{told}");
        assert_eq!(contain(|| Exit::Findings), Exit::Findings);
    }
}
