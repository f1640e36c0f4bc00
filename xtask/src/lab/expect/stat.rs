//! `cpulens stat` of a command, against what the machine can count.
use super::{Complaints, ended_well, json, same, words};
use crate::lab::{Ran, machine::Machine};
use serde_json::Value;

/// What is counted: the program itself, whose version comes before the report on standard output.
pub(super) const COMMAND: [&str; 6] =
    ["stat", "--format", "json", "--", super::super::PROGRAM, "--version"];

pub(super) fn check(machine: &Machine, ran: &Ran) -> Complaints {
    let mut wrong = ended_well("stat", ran, &[0]);
    let begins = ran.stdout.iter().position(|byte| *byte == b'{').unwrap_or(0);
    match json("stat", &ran.stdout[begins..]) {
        Ok(document) => wrong.extend(counts(machine.hardware.icount, &document)),
        Err(error) => wrong.push(error),
    }
    wrong
}

/// An IPC, or why there is none. Where each instruction takes 2^n ns of a clock of 1 GHz (QEMU's ARM_CPU_FREQ), it is one
/// 2^n-th.
fn counts(icount: Option<u32>, document: &Value) -> Complaints {
    let mut wrong = Complaints::new();
    wrong.extend(same("who is counted", words(&document["scope"]["whom"]), Some("command")));
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
        wrong.push("nothing is said to limit it, not even that it cannot be told".into());
    }
    wrong
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_ipc_is_what_the_machine_makes_it_or_absent_with_a_reason() {
        let document = |counted: Value| {
            json!({
                "scope": {"whom": "command"}, "elapsed": {"value": 0.1}, "counted": counted,
                "cpu": {"all": {"value": 0.05}}, "limiter": {"name": "cannot tell"},
            })
        };
        let half = document(json!({"ipc": {"value": 0.501}}));
        assert_eq!(counts(Some(1), &half), Complaints::new());
        assert_eq!(counts(Some(0), &half).len(), 1);
        let absent = document(json!({"unknown": {"why": "no PMU"}}));
        assert_eq!(counts(None, &absent), Complaints::new());
        assert_eq!(counts(Some(1), &absent).len(), 1);
        assert_eq!(counts(None, &document(json!({}))).len(), 1);
        assert!(counts(None, &json!({})).len() >= 4);
    }
}
