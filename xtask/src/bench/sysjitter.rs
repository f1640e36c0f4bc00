//! sysjitter beside `cpulens noise gaps`: what both say was taken of one CPU, with the same threshold, for the same seconds, in
//! turn. Shares are compared by their difference in points, round by round: both see the machine as it is at the time. Rounds are
//! short and many, since what a host or a neighbour takes comes in bursts that a few long ones do not have alike, and both are
//! real-time where that is permitted, so that other programs are not in the figures.
use super::{
    ours::Ours,
    process::{Call, Ran},
    rounds::{CALM, Manner},
    summary::{median, median_interval},
    table,
};
use crate::children::find;

/// What it is called on the command line of the chore.
pub(crate) const NAME: &str = "sysjitter";
/// Where it can be had.
pub(crate) const SOURCE: &str = "github.com/Xilinx-CNS/cns-sysjitter (make)";
/// Rounds where none are asked for, of two turns of [`SECONDS`] each.
pub(crate) const ROUNDS: usize = 60;
/// Seconds of a turn: sysjitter knows whole ones only.
const SECONDS: &str = "1";
/// What makes a program real-time, in turn with its own threads of the same CPU: sysjitter's first thread ends the others.
const REAL_TIME: [&str; 3] = ["chrt", "-r", "50"];
/// Nanoseconds from which on it is a gap; the least that sysjitter's documentation advises.
const THRESHOLD: &str = "300";
/// Points that the shares may be apart.
const TOLERANCE: f64 = 0.2;

/// Whether it is here.
pub(crate) fn located() -> bool {
    find("sysjitter").is_some()
}

/// Measures one CPU and prints the table. As a control, sysjitter takes our turns, too.
pub(crate) fn measure(ours: &Ours, cpu: &str, rounds: usize, manner: Manner) -> Result<(), String> {
    let first = Call::new(REAL_TIME[0]).args(&REAL_TIME[1..]).args(&["true"]).run();
    let held: &[&str] = if first.is_ok_and(|ran| ran.code == Some(0)) { &REAL_TIME } else { &[] };
    let who = if held.is_empty() { "ordinary threads" } else { "real-time threads" };
    println!("{NAME}: CPU {cpu}, gaps of {THRESHOLD} ns or more in {SECONDS} s, {who}");
    let (mut shares, mut disturbed) = ([vec![], vec![]], 0);
    for round in 0..rounds {
        let sides = if round % 2 == 0 { [0, 1] } else { [1, 0] };
        let mut others = 0;
        for side in sides {
            let (share, ran) = match side {
                0 if !manner.control => our_turn(ours, cpu, held)?,
                _ => their_turn(cpu, held)?,
            };
            shares[side].push(share);
            others = others.max(ran.others.unwrap_or(0));
        }
        disturbed += usize::from(others > CALM);
        let [ours, theirs] = [0, 1].map(|side| shares[side][round]);
        println!(
            "  round {}: {ours:.3} %, {theirs:.3} %, others used at most {others} %",
            round + 1
        );
    }
    if manner.control {
        println!("ours is sysjitter, too: what follows is the machine's doing");
    }
    println!("\n{}", table::text(HEAD, &[row(cpu, &shares[0], &shares[1], disturbed)]));
    Ok(())
}

const HEAD: [&str; 6] = [
    "CPU",
    "ours, % taken",
    "sysjitter, % taken",
    "points apart by round (95 %)",
    "tolerance",
    "verdict",
];

fn row(cpu: &str, ours: &[f64], theirs: &[f64], disturbed: usize) -> [String; 6] {
    let apart: Vec<f64> = ours.iter().zip(theirs).map(|(a, b)| a - b).collect();
    let middle = |values: &[f64]| median(values).map_or("-".into(), |m| format!("{m:.3}"));
    let (low, high) = median_interval(&apart).unwrap_or_default();
    let verdict = match median(&apart) {
        None => "not measured",
        Some(m) if m.abs() > TOLERANCE => "apart",
        Some(_) if low.abs().max(high.abs()) > TOLERANCE => "agrees, but not for sure",
        Some(_) => "agrees",
    };
    let rounds = match disturbed {
        0 => String::new(),
        n => format!(" ({n} of {} rounds disturbed)", apart.len()),
    };
    [
        cpu.into(),
        middle(ours),
        middle(theirs),
        format!("{} ({low:+.3} to {high:+.3})", middle(&apart)),
        format!("{TOLERANCE} points"),
        format!("{verdict}{rounds}"),
    ]
}

fn our_turn(ours: &Ours, cpu: &str, held: &[&str]) -> Result<(f64, Ran), String> {
    let words = ["gaps", "--binding", "bound", "--cpus", cpu, "--seconds", SECONDS];
    let words = [&words[..], &["--threshold", THRESHOLD]].concat();
    let (record, ran) = ours.held(held, "noise", &words)?;
    let taken = record.taken().ok_or_else(|| format!("cpulens watched no gaps:\n{}", ran.text))?;
    Ok((100.0 * taken, ran))
}

fn their_turn(cpu: &str, held: &[&str]) -> Result<(f64, Ran), String> {
    let words = ["sysjitter", "--runtime", SECONDS, "--cores", cpu, THRESHOLD];
    let ran = Call::started(&[held, &words].concat()).run()?;
    match total(&ran.text) {
        Some(percent) => Ok((percent, ran)),
        None => Err(format!("sysjitter said nothing that is understood:\n{}", ran.text)),
    }
}

/// `int_total(%):  0.912`, of the only core.
fn total(text: &str) -> Option<f64> {
    let line = text.lines().find_map(|line| line.trim().strip_prefix("int_total(%)"))?;
    let mut words = line.trim_start_matches(':').split_whitespace();
    let value = words.next()?.parse().ok()?;
    words.next().is_none().then_some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_last_line_is_read_for_one_core_only() {
        let text = "threshold(ns):    300\nint_total(ns):    126\nint_total(%):     0.912\n";
        assert_eq!(total(text), Some(0.912));
        assert_eq!(total("int_total(%):  2.5 0.9\n"), None);
        assert_eq!(total("ERROR: no such core\n"), None);
    }

    #[test]
    fn the_difference_is_taken_round_by_round() {
        // The machine changes much, the difference little.
        let theirs = [0.9, 2.5, 1.2, 0.8, 5.0, 1.0];
        let ours = theirs.map(|t| t + 0.1);
        let verdict = |ours: &[f64], disturbed| row("1", ours, &theirs, disturbed)[5].clone();
        assert_eq!(verdict(&ours, 0), "agrees");
        assert_eq!(verdict(&ours, 2), "agrees (2 of 6 rounds disturbed)");
        assert_eq!(verdict(&theirs.map(|t| t - 0.3), 0), "apart");
        let mut wide = ours;
        wide[0] += 0.5;
        assert_eq!(verdict(&wide, 0), "agrees, but not for sure");
    }
}
