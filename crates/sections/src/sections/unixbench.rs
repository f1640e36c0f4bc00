//! UnixBench's tests: scores, index and what stands behind them, how they scale, and what placements gain.
use crate::chart::{Bar, Bars, Chart, Kind};
use crate::page::{Block, Entry, Table};
use crate::say;
use crate::section::{ReportSection, Section};
use crate::{origin, quantity, section};
use analyse::Report;
use analyse::references::{Reference, References};
use analyse::unixbench::{self, UnixBench, UnixBenchResult};
use record::unixbench::IDS;
use record::{Text, Unit};

pub(crate) static SECTION: ReportSection = Section::with_numbers("UnixBench", 190, &IDS, blocks);

/// The sections of a run, and what follows from them.
fn blocks(report: &Report<'_>) -> Vec<Block> {
    let Some(bench) = &report.get::<UnixBenchResult>().0 else { return vec![] };
    let references = &report.get::<References>().0;
    let mut blocks = vec![];
    if bench.sections.iter().any(|s| !s.tests.is_empty()) {
        blocks.push(Block::chart(chart(bench, references)));
        blocks.push(Block::Table(table(bench)));
        if !references.is_empty() {
            blocks.push(Block::text(format!("Beside it: {}.", beside(references))));
        }
        blocks.extend(
            counted(bench)
                .map(|table| Block::folded(say::FAULTS_AND_SWITCHES_OF_EACH_TEST_PER, table)),
        );
    }
    blocks.push(Block::items(bench.says.clone()));
    blocks.extend(Block::titled("Many copies against one", scalings(bench)));
    blocks.extend(Block::titled("What placement gains", gains(bench)));
    let where_they_are = say::UNIXBENCH_CONTEXT_SWITCHES_WHERE_TWO;
    blocks.extend(Block::titled(where_they_are, switches(bench)));
    let settings = settings(report);
    if !settings.is_empty() {
        blocks.push(Block::details(
            say::SETTINGS_OF_THIS_MACHINE_THAT_MOVE_THESE,
            vec![Block::Entries(settings)],
        ));
    }
    let all = section::of_probes(report, SECTION.probes);
    blocks.extend(origin::every(
        report,
        say::EVERY_SERIES_WITH_SPREAD_AND_WHAT_RAN,
        "series",
        &all,
    ));
    blocks
}

/// A section in a few words.
fn name(of: &unixbench::Section) -> String {
    let mut words = vec![quantity::counted(of.copies as usize, "copy")];
    if of.placement != "none" {
        words.push(of.placement.clone());
    }
    if of.start != "serial" {
        words.push(format!("{} start", of.start));
    }
    if of.variant != "upstream-6" {
        words.push(of.variant.clone());
    }
    words.join(", ")
}

fn table(bench: &UnixBench) -> Table {
    let mut table = Table::new([
        "test", "copies", "#score", "unit", "#index", "#CV", "#passes", "#kernel", "#CPUs", "ran",
    ]);
    let unknown = || "n/a".to_owned();
    for section in &bench.sections {
        for t in &section.tests {
            table.row([
                t.test.name.into(),
                name(section),
                format!("{:.1}", t.score),
                t.test.label.into(),
                format!("{:.1}", t.index),
                t.cv.map_or_else(unknown, quantity::percent),
                format!("{} of {}", t.kept * t.scores.len(), t.passes.len()),
                t.kernel.map_or_else(unknown, quantity::percent),
                t.used.map_or_else(unknown, |used| format!("{used:.2}")),
                t.variant.clone(),
            ]);
        }
        if let Some(total) = section.total {
            let partial = if section.partial() { " (partial)" } else { "" };
            let mut row = vec![format!("Index{partial}"), name(section)];
            row.extend([String::new(), String::new(), format!("{total:.1}")]);
            row.resize(10, String::new());
            table.add(row);
        }
    }
    let mut table = table.folded();
    table.note(say::SCORE_GEOMETRIC_MEAN_OF_THE_PASSES_BUT);
    table
}

/// The kernel's counts of the processes of each test; `None` where no test has them.
fn counted(bench: &UnixBench) -> Option<Table> {
    let tests = bench.sections.iter().flat_map(|s| s.tests.iter().map(move |t| (s, t)));
    let counted = tests.filter_map(|(s, t)| Some((s, t, t.counted?)));
    let rate = |x: f64| quantity::plain(x, Unit::PerSecond);
    let table = Table::of(counted, |(section, t, of)| {
        [
            ("test", t.test.name.to_owned()),
            ("copies", name(section)),
            ("#minor faults", rate(of.minor_faults)),
            ("#major faults", rate(of.major_faults)),
            ("#waits", rate(of.waits)),
            ("#preempted", rate(of.preempted)),
        ]
    });
    if table.rows.is_empty() {
        return None;
    }
    let mut table = table.folded();
    table.note(say::OF_ALL_COPIES_TOGETHER_WITH_THOSE_OF);
    Some(table)
}

/// A reference in a few words, as its bars are named.
fn reference(of: &Reference) -> String {
    format!("{}, {}", quantity::counted(of.copies as usize, "copy"), of.name)
}

/// Who stands beside, by what they were made, and what that is worth.
fn beside(all: &[Reference]) -> String {
    let named: Vec<String> = all.iter().map(|r| format!("{} ({})", reference(r), r.made)).collect();
    format!(
        "{}; other machines or runs of another day, of whose version and system only this is stated, so that nothing is concluded \
         from them",
        named.join(", ")
    )
}

/// The bars as rows: every index, ours first.
fn indexes(bars: &Bars) -> Table {
    Table::of(&bars.bars, |bar| {
        [
            ("test", bar.label.clone()),
            ("copies", bars.groups[bar.group].clone()),
            ("#index", bar.text.clone()),
        ]
    })
}

fn bar(label: &str, group: usize, value: f64) -> Bar {
    let (label, text) = (label.into(), format!("{value:.1}"));
    Bar { label, group, value, ends: None, levels: vec![], text: text.into() }
}

fn chart(bench: &UnixBench, references: &[Reference]) -> Chart {
    let mut groups: Vec<Text> = bench.sections.iter().map(|of| name(of).into()).collect();
    groups.extend(references.iter().map(|of| Text::from(reference(of))));
    let mut bars = Bars { unit: Unit::Count, groups, bars: vec![] };
    for test in &record::unixbench::TESTS {
        for (group, section) in bench.sections.iter().enumerate() {
            let score = section.tests.iter().find(|t| t.test.id == test.id);
            bars.bars.extend(score.map(|t| bar(test.name, group, t.index)));
        }
        // Only beside a bar of ours.
        if bars.bars.last().is_none_or(|bar| bar.label != test.name) {
            continue;
        }
        for (group, other) in (bench.sections.len()..).zip(references) {
            let index = other.indexes.iter().find(|(known, _)| known.id == test.id);
            bars.bars.extend(index.map(|(_, value)| bar(test.name, group, *value)));
        }
    }
    let own = bench.sections.iter().map(|section| section.total);
    // An index of all tests is none beside a part of them.
    let whole = bench.sections.iter().any(|s| !s.partial());
    let others = references.iter().map(|other| other.total.filter(|_| whole));
    for (group, total) in own.chain(others).enumerate() {
        bars.bars.extend(total.map(|total| bar("Index", group, total)));
    }
    Chart {
        name: "unixbench".into(),
        title: "Index of every test".into(),
        description: say::SCORES_OVER_THOSE_OF_THE_BASELINE_MACHINE.into(),
        table: if references.is_empty() { table(bench) } else { indexes(&bars) },
        kind: Kind::Bars(bars),
    }
}

fn scalings(bench: &UnixBench) -> Table {
    let table = Table::of(&bench.scalings, |s| {
        [
            ("test", s.test.name.into()),
            ("placement", s.placement.clone().into()),
            ("#copies", s.copies.to_string().into()),
            ("#times one", format!("{:.2}x", s.times).into()),
            ("#efficiency", quantity::percent(s.efficiency).into()),
            ("verdict", s.verdict.words()),
        ]
    });
    table.folded()
}

fn gains(bench: &UnixBench) -> Table {
    let list = |(name, all): &(String, Vec<f64>)| {
        let all: Vec<String> = all.iter().map(|x| format!("{x:.1}")).collect();
        format!("{name}: {}", all.join(", "))
    };
    let mut table = Table::of(&bench.gains, |gain| {
        let apart = match gain.apart {
            Some(true) => "yes",
            Some(false) => "no: they overlap",
            None => "measured once",
        };
        [
            ("test", gain.test.name.into()),
            ("#copies", gain.copies.to_string()),
            ("#gain", format!("{:+.1} %", (gain.ratio - 1.0) * 100.0)),
            ("apart", apart.into()),
            ("#nearest", gain.separation.map_or("n/a".into(), |times| format!("{times:.3}x"))),
            ("scores", list(&gain.placement)),
            ("against", list(&gain.against)),
        ]
    });
    table.note(say::GAIN_OF_THE_MEANS_OF_ALL_REPEATS);
    table
}

fn switches(bench: &UnixBench) -> Table {
    Table::of(&bench.switches, |s| {
        [
            ("processes", s.place.clone()),
            ("CPUs", s.cpus.as_ref().map_or("any".into(), |(a, b)| format!("{a} and {b}"))),
            ("#round trips per second", format!("{:.1}", s.score)),
            ("#times", s.ratio.map_or("n/a".into(), |r| format!("{r:.2}x"))),
        ]
    })
}

/// The kernel's settings and mitigations, as far as they affect these tests and are known.
fn settings(report: &Report<'_>) -> Vec<Entry> {
    const NAMED: [&str; 11] = [
        "kernel.kpti",
        "kernel.seccomp",
        "kernel.selinux",
        "kernel.cmdline.mitigations",
        "kernel.cmdline.hardened_usercopy",
        "kernel.preemption",
        "memory.thp.enabled",
        "memory.fault_around",
        "cpu.governor",
        "cpu.smt",
        "virtual.hypervisor",
    ];
    let machine = &report.record.machine;
    let of = |name: &str| machine.value(name).map(|value| Entry::known(name, value.to_string()));
    let mut all: Vec<Entry> = NAMED.iter().filter_map(|name| of(name)).collect();
    let mitigations = machine.facts.keys().filter(|name| name.starts_with("kernel.mitigations."));
    let at_work =
        mitigations.filter(|name| machine.text(name).is_some_and(|t| t != "Not affected"));
    all.extend(at_work.filter_map(|name| of(name)));
    all
}
