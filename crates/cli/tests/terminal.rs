//! Colours and widths: what a terminal gets, and nothing else does.
use crate::sandbox::{CHEAP, Ran, Sandbox, fixtures, possible};
use std::process::{Command, Stdio};

fn a_record() -> String {
    fixtures()[0].1.display().to_string()
}

#[test]
fn what_is_not_a_terminal_gets_no_escapes() {
    let sandbox = Sandbox::new();
    let record = a_record();
    for setting in [None, Some(""), Some("1")] {
        let mut command = sandbox.command(crate::sandbox::PROGRAM);
        command.args(["show", &record]).env("TERM", "xterm-256color");
        if let Some(value) = setting {
            command.env("NO_COLOR", value);
        }
        let ran = Ran::of(&mut command).done();
        assert!(!ran.out.contains('\u{1b}') && !ran.err.contains('\u{1b}'));
    }
    let never = sandbox.cpulens(&["show", &record, "--color", "never"]).done().out;
    assert!(!never.contains('\u{1b}'));
    let always = sandbox.cpulens(&["show", &record, "--color", "always"]).done().out;
    assert!(always.contains("\u{1b}["));
    assert_eq!(without_colours(&always), never, "colour adds nothing but colour");
    for format in ["csv", "html", "json", "markdown"] {
        let ran =
            sandbox.cpulens(&["show", &record, "--color", "always", "--format", format]).done();
        assert!(!ran.out.contains('\u{1b}'), "{format}");
    }
}

fn without_colours(text: &str) -> String {
    let mut plain = String::new();
    let mut parts = text.split("\u{1b}[");
    plain += parts.next().unwrap();
    for part in parts {
        plain += part.split_once('m').unwrap().1;
    }
    plain
}

/// Runs a line of shell on a terminal of so many columns.
fn on_terminal(sandbox: &Sandbox, columns: u16, line: &str) -> Option<String> {
    let has = sandbox.shell("command -v script >/dev/null && command -v stty >/dev/null").code == 0;
    if !possible("there is no script(1) to make a terminal with", has) {
        return None;
    }
    let line = format!("stty cols {columns} rows 50; {line}");
    let mut command = sandbox.command("script");
    command
        .args(["-q", "-e", "-c", &line, "/dev/null"])
        .env("TERM", "xterm-256color")
        .env("SHELL", "/bin/sh");
    Some(Ran::of(&mut command).out)
}

#[test]
fn a_terminal_gets_colours_unless_asked_not_to_and_its_width_is_kept() {
    let sandbox = Sandbox::new();
    let show = format!("{} show --full {}", crate::sandbox::PROGRAM, a_record());
    let Some(coloured) = on_terminal(&sandbox, 100, &show) else { return };
    assert!(coloured.contains("\u{1b}["));
    let plain = on_terminal(&sandbox, 100, &format!("NO_COLOR=1 {show}")).unwrap();
    assert!(!plain.contains('\u{1b}'));
    let widest = |columns| {
        let text = on_terminal(&sandbox, columns, &format!("NO_COLOR=1 {show}")).unwrap();
        text.lines().map(|l| l.trim_end().chars().count()).max().unwrap()
    };
    let (narrow, wide) = (widest(70), widest(160));
    assert!(narrow < wide && wide <= 160, "{narrow} {wide}");
}

#[test]
fn a_hostile_record_cannot_move_the_cursor() {
    let sandbox = Sandbox::new();
    let text = std::fs::read_to_string(a_record()).unwrap();
    let hostile =
        text.replace("context switch", "\\u001b[2J\\u009bowned").replace("preflight", "\\u0007x");
    assert_ne!(hostile, text);
    sandbox.file("r.json", hostile);
    for format in ["csv", "html", "json", "markdown", "text"] {
        let show = format!("NO_COLOR=1 {} show r.json --format {format}", crate::sandbox::PROGRAM);
        let Some(shown) = on_terminal(&sandbox, 100, &show) else { return };
        assert!(!crate::sandbox::has_control(&shown.replace('\r', "")), "{format}");
    }
}

#[test]
fn a_terminal_gets_a_bar_and_a_dumb_one_lines() {
    let sandbox = Sandbox::new();
    let run = format!("{} {}", crate::sandbox::PROGRAM, CHEAP.join(" "));
    let Some(bar) = on_terminal(&sandbox, 100, &format!("{run} >/dev/null")) else { return };
    assert!(bar.contains("\u{1b}[") && bar.contains("s left, Core frequency"), "{bar:?}");
    let lines = on_terminal(&sandbox, 100, &format!("TERM=dumb {run} >/dev/null")).unwrap();
    assert!(
        !lines.contains('\u{1b}') && lines.contains("left] ") && lines.contains("core_frequency"),
        "{lines:?}"
    );
}

/// A child measures for three times three seconds: the line is drawn more often than it ends.
#[test]
fn the_line_goes_on_while_a_child_measures() {
    let sandbox = Sandbox::new();
    let scale = "scale --cpus 0 --repeats 3 -- sleep 3 >/dev/null";
    let line = format!("{} {scale}", crate::sandbox::PROGRAM);
    let Some(drawn) = on_terminal(&sandbox, 100, &line) else { return };
    let of_case = drawn.split(" s left, Throughput over cores").count() - 1;
    assert!(of_case > 6, "{of_case} in {drawn:?}");
    // The environment check waits at the begin only.
    let (_, after) = drawn.rsplit_once("Throughput over cores").unwrap();
    assert!(after.contains("Environment: ") && !after.contains("waiting for"), "{after:?}");
}

/// In a container the group of the terminal's foreground is often outside the PID namespace, with the number 0.
#[test]
fn a_terminal_is_its_groups_after_a_command_ran_in_another_namespace() {
    let sandbox = Sandbox::new();
    let container = "unshare --pid --fork --mount-proc";
    let can = sandbox.shell(&format!("{container} true 2>/dev/null")).code == 0;
    if !possible("pid namespaces need root and unshare(1)", can) {
        return;
    }
    let group = "cut -d ' ' -f 5,8 /proc/self/stat";
    let line =
        format!("{container} {} stat -- true >/dev/null 2>&1; {group}", crate::sandbox::PROGRAM);
    let Some(shown) = on_terminal(&sandbox, 80, &line) else { return };
    let (ours, foreground) = shown.trim().split_once(' ').expect("two groups");
    assert_eq!(ours, foreground);
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let record = a_record();
    for format in ["csv", "html", "json", "jsonl", "markdown", "text"] {
        let mut command = Command::new(crate::sandbox::PROGRAM);
        command.args(["show", &record, "--full", "--format", format]);
        if format != "text" {
            command.args(["--details"]);
        }
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(child.stdout.take());
        let ended = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((ended.status.code(), &*said), (Some(0), ""), "{format}");
    }
}
