//! The conclusions of the tests, as sentences: the index, its basis, limits of tests, and differences from the original.
use super::{Scaled, Section, TestScore, UnixBench, scaling::Verdict};
use crate::analyses::scaling_runs::TAKEN;
use estimates::words::{count, number, percent};
use record::{ProbeId, Sort};
use std::collections::BTreeMap;

/// Spread of passes from which on a score is called unsteady.
const UNSTEADY: f64 = 0.05;

impl Verdict {
    /// The conclusion, in a few words.
    pub fn words(&self) -> String {
        match self {
            Verdict::Scales => "scales".into(),
            Verdict::OneIsSlow => {
                "one copy is slow where the scheduler puts it, or it leaves CPUs idle".into()
            }
            Verdict::Cpus(control) => format!(
                "so does work that shares nothing ({}): shared cores, the frequency, or others",
                percent(*control)
            ),
            Verdict::Kernel(share) => {
                format!("contention in the kernel: {} of its time is spent there", percent(*share))
            }
            Verdict::KernelByDesign => {
                "contention in the kernel, which is all that it calls".into()
            }
            Verdict::Shared => {
                "copies share something outside the kernel: a cache or memory".into()
            }
            Verdict::Parallel(used) => {
                format!("one copy already keeps {} CPUs busy", number(*used))
            }
            Verdict::Disturbed(taken) => {
                format!("cannot tell: others took {} of the machine", percent(*taken))
            }
            Verdict::CannotTell => {
                "cannot tell: dhry2reg and whetstone_double are needed beside it".into()
            }
        }
    }
}

pub(super) fn says(of: &UnixBench) -> Vec<String> {
    let mut said: Vec<String> = of.sections.iter().filter_map(index).collect();
    said.extend(controls(&of.scalings));
    said.extend(contention(&of.scalings));
    for section in &of.sections {
        said.extend(doubts(section));
    }
    said
}

fn index(section: &Section) -> Option<String> {
    let total = section.total?;
    let all = record::unixbench::TESTS.len();
    let partial = match section.partial() {
        true => format!(" (partial: {} of {all} tests)", section.tests.len()),
        false => String::new(),
    };
    let placed = match section.placement.as_str() {
        "none" => String::new(),
        placement => format!(", placement {placement}"),
    };
    Some(format!(
        "The index in the way of {} with {}{placed} is {total:.1}{partial}.",
        section.variant,
        count(section.copies as usize, "copy")
    ))
}

/// The two tests that share nothing, since nothing can be judged without them.
fn controls(scalings: &[Scaled]) -> Option<String> {
    let control = |s: &&Scaled| matches!(s.test.id, ProbeId::Dhry2reg | ProbeId::WhetstoneDouble);
    let worst =
        scalings.iter().filter(control).min_by(|a, b| a.efficiency.total_cmp(&b.efficiency))?;
    let share = percent(worst.efficiency);
    if matches!(worst.verdict, Verdict::Disturbed(_)) {
        return None;
    }
    Some(match worst.verdict {
        Verdict::Cpus(_) => format!(
            "{} with {} copies does only {share} of what one copy does on each CPU, though it shares nothing: CPUs share cores, the frequency falls, or others use them. Look there before blaming a kernel setting.",
            worst.test.name, worst.copies
        ),
        _ => format!(
            "Dhrystone and Whetstone keep {share} with {} copies: cores and frequency hold nothing back, so what falls is held back by what copies share.",
            worst.copies
        ),
    })
}

fn contention(scalings: &[Scaled]) -> Option<String> {
    let mut held: Vec<&Scaled> =
        scalings.iter().filter(|s| matches!(s.verdict, Verdict::Kernel(_))).collect();
    held.order_by(|a, b| a.efficiency.total_cmp(&b.efficiency));
    let worst = held.first()?;
    let names: Vec<String> =
        held.iter().map(|s| format!("{} ({}x)", s.test.name, number(s.times))).collect();
    Some(format!(
        "With {} copies these are held back by contention in the kernel, not by slow CPUs: {}. perf top or perf lock beside them shows where.",
        worst.copies,
        names.join(", ")
    ))
}

/// Doubts about the numbers of a section, and differences from the original.
fn doubts(section: &Section) -> Vec<String> {
    let mut said = vec![];
    let copies = count(section.copies as usize, "copy");
    let unsteady: Vec<String> = section
        .tests
        .iter()
        .filter_map(|t| Some((t, t.cv.filter(|cv| *cv > UNSTEADY)?)))
        .map(|(t, cv)| format!("{} ({})", t.test.name, percent(cv)))
        .collect();
    if !unsteady.is_empty() {
        said.push(format!(
            "Passes with {copies} spread by more than {}: {}.",
            percent(UNSTEADY),
            unsteady.join(", ")
        ));
    }
    let most = section.tests.iter().filter_map(|t| t.taken).fold(0.0, f64::max);
    if most > TAKEN {
        said.push(format!(
            "Others, or the hypervisor, took up to {} of the machine beside tests with {copies}; measure again at a quieter time.",
            percent(most)
        ));
    }
    let copies_files =
        |id: ProbeId| ["fs", "shell"].iter().any(|start| id.as_str().starts_with(start));
    let on_tmpfs =
        |t: &TestScore| copies_files(t.test.id) && t.variant.contains("scratch on tmpfs");
    if section.tests.iter().any(on_tmpfs) {
        said.push("Files were copied on tmpfs, which is about a tenth faster than a disk's filesystem; --scratch names another folder.".into());
    }
    if section
        .tests
        .iter()
        .any(|t| t.test.id == ProbeId::Execl && t.variant.contains("run from memory"))
    {
        said.push("execl started its program from memory, since no folder lets programs run; the original starts a file, so that the two are not comparable. --scratch names a folder.".into());
    }
    said.extend(in_part(section).into_iter().map(|(why, names)| {
        format!("Scores with {copies} that rest on a part of their passes: {}; the others are missing: {why}.", names.join(", "))
    }));
    for (test, why) in &section.missing {
        said.push(format!("{} with {copies} has no score: {why}.", test.name));
    }
    said
}

/// Tests of which a turn or a repeat is missing, by the reason.
fn in_part(section: &Section) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for t in &section.tests {
        let Some(why) = &t.lost else { continue };
        let (done, planned) = t.parts;
        all.entry(why.to_string()).or_default().push(format!(
            "{} ({done} of {})",
            t.test.name,
            count(planned, "part")
        ));
    }
    all
}
