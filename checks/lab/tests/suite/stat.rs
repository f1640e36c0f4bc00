//! `cpulens stat` of a command, against what the machine can count.
use super::{Complaints, ended_well, json, same, words};
use lab::{Machine, Ran};
use serde_json::Value;

/// The counted command: the program itself, whose version comes before the report on standard output.
pub(super) const COMMAND: [&str; 6] = ["stat", "--format", "json", "--", lab::PROGRAM, "--version"];

pub(super) fn check(machine: &Machine, ran: &Ran) -> Complaints {
    let mut wrong = ended_well("stat", ran, &[0]);
    let begins = ran.stdout.find('{').unwrap_or(0);
    match json::<Value>("stat", &ran.stdout[begins..]) {
        Ok(document) => wrong.extend(counts(machine.icount, &document)),
        Err(error) => wrong.push(error),
    }
    wrong
}

/// An IPC, or why there is none. Where each instruction takes 2^n ns of a clock of 1 GHz (QEMU's ARM_CPU_FREQ), it is one
/// 2^n-th.
fn counts(icount: Option<u32>, document: &Value) -> Complaints {
    let mut wrong = Complaints::new();
    wrong.extend(same("who is counted", words(&document["scope"]["target"]), Some("command")));
    for part in [&document["elapsed"]["value"], &document["cpu"]["all"]["value"]] {
        if !part.as_f64().is_some_and(|seconds| seconds > 0.0) {
            wrong.push(format!("stat took no time: {document}"));
        }
    }
    let counted = &document["counted"];
    let ipc = counted["ipc"]["value"].as_f64();
    match (icount, ipc) {
        (Some(power), Some(ipc)) if (ipc * f64::from(1 << power) - 1.0).abs() > 0.02 => {
            wrong.push(format!("an IPC of {ipc} where each instruction takes 2^{power} cycles"));
        }
        (Some(_), None) => wrong.push(format!("no IPC where instructions are counted: {counted}")),
        (None, None) if words(&counted["unknown"]["why"]).is_none() => {
            wrong.push(format!("no IPC, and nobody says why: {counted}"));
        }
        _ => {}
    }
    if words(&document["limiter"]["name"]).is_none() {
        wrong.push("nothing is said to limit it, not even that it cannot be determined".into());
    }
    wrong
}
