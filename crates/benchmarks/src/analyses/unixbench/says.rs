//! The conclusions of the tests, as sentences: the index, its basis, limits of tests, and differences from the original.
use super::{Scaled, Section, TestScore, UnixBench, scaling::Verdict};
use crate::analyses::scaling_runs::TAKEN;
use crate::say;
use estimates::words::{number, percent};
use record::{Between, ProbeId, Sort, Text};
use std::collections::BTreeMap;

/// Spread of passes from which on a score is called unsteady.
const UNSTEADY: f64 = 0.05;

impl Verdict {
    /// The conclusion, in a few words.
    pub fn words(&self) -> Text {
        match self {
            Verdict::Scales => say::SCALES.into(),
            Verdict::OneIsSlow => say::ONE_COPY_SLOW.into(),
            Verdict::Cpus(control) => say::shares_nothing_falls(percent(*control)),
            Verdict::Kernel(share) => say::kernel_share(percent(*share)),
            Verdict::KernelByDesign => say::KERNEL_BY_DESIGN.into(),
            Verdict::Shared => say::COPIES_SHARE.into(),
            Verdict::Parallel(used) => say::one_copy_parallel(number(*used)),
            Verdict::Disturbed(taken) => say::cannot_tell_others(percent(*taken)),
            Verdict::CannotTell => say::CANNOT_TELL_CONTROLS.into(),
        }
    }
}

pub(super) fn says(of: &UnixBench) -> Vec<Text> {
    let mut said: Vec<Text> = of.sections.iter().filter_map(index).collect();
    said.extend(controls(&of.scalings));
    said.extend(contention(&of.scalings));
    for section in &of.sections {
        said.extend(doubts(section));
    }
    said
}

fn index(section: &Section) -> Option<Text> {
    let total = format!("{:.1}", section.total?);
    let (variant, copies) = (&section.variant, section.copies as usize);
    let (tests, all) = (section.tests.len(), record::unixbench::TESTS.len());
    Some(match (section.placement.as_str(), section.partial()) {
        ("none", false) => say::index_of(variant, copies, total),
        ("none", true) => say::index_of_partial(variant, copies, total, tests, all),
        (placed, false) => say::index_of_placed(variant, copies, placed, total),
        (placed, true) => say::index_of_placed_partial(variant, copies, placed, total, tests, all),
    })
}

/// The two tests that share nothing, since nothing can be judged without them.
fn controls(scalings: &[Scaled]) -> Option<Text> {
    let control = |s: &&Scaled| matches!(s.test.id, ProbeId::Dhry2reg | ProbeId::WhetstoneDouble);
    let worst =
        scalings.iter().filter(control).min_by(|a, b| a.efficiency.total_cmp(&b.efficiency))?;
    let share = percent(worst.efficiency);
    if matches!(worst.verdict, Verdict::Disturbed(_)) {
        return None;
    }
    Some(match worst.verdict {
        Verdict::Cpus(_) => say::control_slow(worst.test.name, worst.copies, share),
        _ => say::control_keeps(share, worst.copies),
    })
}

fn contention(scalings: &[Scaled]) -> Option<Text> {
    let mut held: Vec<&Scaled> =
        scalings.iter().filter(|s| matches!(s.verdict, Verdict::Kernel(_))).collect();
    held.order_by(|a, b| a.efficiency.total_cmp(&b.efficiency));
    let worst = held.first()?;
    let names = held.iter().map(|s| format!("{} ({}x)", s.test.name, number(s.times)));
    Some(say::kernel_held(worst.copies, Text::list(names, Between::Comma)))
}

/// Doubts about the numbers of a section, and differences from the original.
fn doubts(section: &Section) -> Vec<Text> {
    let mut said = vec![];
    let copies = section.copies as usize;
    let unsteady = section.tests.iter().filter_map(|t| {
        let cv = t.cv.filter(|cv| *cv > UNSTEADY)?;
        Some(format!("{} ({})", t.test.name, percent(cv)))
    });
    let unsteady = Text::list(unsteady, Between::Comma);
    if !unsteady.is_empty() {
        said.push(say::passes_spread(copies, percent(UNSTEADY), unsteady));
    }
    let most = section.tests.iter().filter_map(|t| t.taken).fold(0.0, f64::max);
    if most > TAKEN {
        said.push(say::others_took_tests(percent(most), copies));
    }
    let copies_files =
        |id: ProbeId| ["fs", "shell"].iter().any(|start| id.as_str().starts_with(start));
    let on_tmpfs =
        |t: &TestScore| copies_files(t.test.id) && t.variant.contains("scratch on tmpfs");
    if section.tests.iter().any(on_tmpfs) {
        said.push(say::COPIED_ON_TMPFS.into());
    }
    if section
        .tests
        .iter()
        .any(|t| t.test.id == ProbeId::Execl && t.variant.contains("run from memory"))
    {
        said.push(say::EXECL_MEMORY.into());
    }
    said.extend(
        in_part(section).into_iter().map(|(why, names)| {
            say::scores_in_part(copies, Text::list(names, Between::Comma), why)
        }),
    );
    for (test, why) in &section.missing {
        said.push(say::no_score(test.name, copies, why));
    }
    said
}

/// Tests of which a turn or a repeat is missing, by the reason.
fn in_part(section: &Section) -> BTreeMap<Text, Vec<Text>> {
    let mut all: BTreeMap<Text, Vec<Text>> = BTreeMap::new();
    for t in &section.tests {
        let Some(why) = &t.lost else { continue };
        let (done, planned) = t.parts;
        let parts = say::parts_done(t.test.name, done, planned);
        all.entry(Text::from(why)).or_default().push(parts);
    }
    all
}
