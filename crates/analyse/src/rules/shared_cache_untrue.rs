//! CPUs are stated to share a last-level cache, and a line goes between them as if they did not.
//!
//! Schedulers and programs place threads that share data by what is stated. Virtual machines state one cache for all their
//! CPUs wherever the hypervisor puts them, and it may put them elsewhere at any moment: seen are 25 ns and 122 ns one way,
//! within seconds. Signs: pairs in two states, groups of pairs that far apart, placement checks that far apart over the run,
//! or a line that takes four times as long as a load from that cache and nearly as long as one from memory.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Missing};
use crate::example::{Example, Expect, measured, noted};
use crate::facts::HYPERVISOR;
use crate::report::{Cell, Finding};
use crate::rule::Rule;
use crate::words::{count, number, time};
use record::{Better, Cache, CacheKind, Cpu, Reason, Record, Relation, Series, Unit};
use stats::modes::{Mode, modes};

/// Two times of a line within one cache differ by less: by slice and by direction up to 1.5 on large meshes; between dies
/// by 2 and more (docs/validation/memory.md: 5).
const FAR: f64 = 1.8;
/// A line between two cores takes as long as one to three loads from the cache that both share, by compare-and-swap.
const OF_CACHE: f64 = 4.0;
/// And far less than a load from memory.
const OF_MEMORY: f64 = 0.7;
/// Farther apart than any two dies: who waited that long did not wait for a line, but for a CPU.
const TOO_FAR: f64 = 10.0;
/// A state or a group counts if it was seen twice, and is this share of all.
const SEEN: usize = 2;
const SHARE: f64 = 0.1;

/// See the file's header.
#[derive(Debug)]
pub struct SharedCacheUntrue;

impl Rule for SharedCacheUntrue {
    fn title(&self) -> &'static str {
        "A shared last-level cache is not what it seems"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let matrix = evidence.pairs()?;
        let shared = Relation::LastLevel.name();
        let cells: Vec<&Cell> = matrix.cells.iter().filter(|c| c.relation == shared).collect();
        if cells.is_empty() {
            return Err(Missing(Reason::mended_by(
                "no two CPUs that were measured are stated to share a last-level cache",
                "allow more CPUs: --cpus, or a wider cpuset",
            )));
        }
        let checks = evidence.guarded_round_trips();
        // Without a hypervisor nobody moves CPUs, so one pair that flips was disturbed.
        let least = if evidence.hypervisor().is_some() { 0.0 } else { SHARE };
        let signs = [split(&cells, least), divided(&cells), moved(&checks), slow(evidence, &cells)];
        let Some(sign) = signs.into_iter().flatten().next() else { return Ok(None) };
        let (why, advice) = match evidence.hypervisor() {
            Some(name) => (
                format!("the hypervisor ({name}) puts them on different dies, at least at times"),
                "Do not place threads by the caches that this machine states, and measure several times. On the host, pin \
                 the virtual CPUs (virsh vcpupin) and state the caches as they are; else choose an instance of whole dies.",
            ),
            None => (
                "the cache is divided, as by sub-NUMA clustering or partitions, or firmware describes it wrongly".into(),
                "Place threads that share data by the measured groups (core to core), and update the firmware.",
            ),
        };
        Ok(Some(Finding {
            claim: format!("CPUs are stated to share a last-level cache, but {sign}: {why}."),
            advice: advice.into(),
            confirm_with: "cpulens run --only core_to_core, some times over: the pairs of one cache stay within a factor of 1.8".into(),
        }))
    }

    fn demands(&self) -> &'static [Demand] {
        &[Demand::Sharing, Demand::Latency]
    }

    fn cost(&self, _: &Evidence<'_>) -> Result<Cost, Missing> {
        Err(Missing(Reason::mended_by(
            "it costs those who share lines, as often as they do",
            "cpulens spread --prove -- COMMAND",
        )))
    }

    fn examples(&self) -> &'static [Example] {
        const EXAMPLES: &[Example] = &[
            Example {
                about: "a virtual machine's pair that flips between 50 and 245 ns",
                build: |r| {
                    machine(r, 2, &|_, _| [[50e-9; 6], [245e-9; 6]].concat());
                    r.machine.set(HYPERVISOR, "KVM", "example");
                },
                expect: Expect::Fires,
            },
            Example {
                about: "one pair of a server, disturbed for a while",
                build: |r| {
                    machine(r, 4, &|a, b| match (a, b) {
                        (0, 3) => [[50e-9; 6], [120e-9; 6]].concat(),
                        _ => vec![50e-9; 12],
                    });
                },
                expect: Expect::Clear,
            },
            Example {
                about: "a virtual machine whose CPUs were taken away at times",
                build: |r| {
                    machine(r, 2, &|_, _| [[50e-9; 6], [2e-6; 6]].concat());
                    r.machine.set(HYPERVISOR, "KVM", "example");
                },
                expect: Expect::Clear,
            },
            Example {
                about: "two groups inside one cache",
                build: |r| {
                    machine(r, 8, &|a, b| vec![if a / 4 == b / 4 { 50e-9 } else { 150e-9 }; 7])
                },
                expect: Expect::Fires,
            },
            Example {
                about: "placement checks that differ over the run",
                build: |r| {
                    machine(r, 2, &|_, _| vec![50e-9; 7]);
                    for value in [49e-9, 50e-9, 240e-9, 250e-9] {
                        noted(r, "guard.before.cas", Unit::Seconds, value);
                    }
                },
                expect: Expect::Fires,
            },
            Example {
                about: "a line that takes as long as one from memory",
                build: |r| {
                    machine(r, 2, &|_, _| vec![245e-9; 7]);
                    curve(r);
                },
                expect: Expect::Fires,
            },
            Example {
                about: "all pairs alike, and near",
                build: |r| {
                    machine(r, 8, &|a, b| vec![50e-9 + f64::from(a + b) * 1e-9; 7]);
                    curve(r);
                },
                expect: Expect::Clear,
            },
            Example {
                about: "a mesh on which the farthest pair takes half as long again",
                build: |r| machine(r, 8, &|a, b| vec![60e-9 + f64::from(b - a) * 4e-9; 7]),
                expect: Expect::Clear,
            },
            Example {
                about: "one disturbed sample",
                build: |r| machine(r, 2, &|_, _| vec![50e-9, 51e-9, 50e-9, 245e-9, 50e-9]),
                expect: Expect::Clear,
            },
            Example { about: "not measured", build: |_| {}, expect: Expect::CannotTell },
        ];
        EXAMPLES
    }
}

/// Pairs that were seen both near and far, more than this share of all.
fn split(cells: &[&Cell], least: f64) -> Option<String> {
    let ends = |c: &Cell| {
        let all: Vec<Mode> =
            c.states.iter().map(|s| Mode { level: s.level, count: s.count }).collect();
        far_ends(all)
    };
    let split: Vec<_> = cells.iter().filter_map(|c| Some((c, ends(c)?))).collect();
    let (cell, (near, far)) = split.first()?;
    (split.len() as f64 > least * cells.len() as f64 && (least == 0.0 || split.len() > 1)).then(
        || {
            format!(
                "a line went between CPUs {} and {} and back in {} and {}, at different times",
                cell.from,
                cell.to,
                time(near.level),
                time(far.level)
            )
        },
    )
}

/// Pairs that are near, and pairs that are far.
fn divided(cells: &[&Cell]) -> Option<String> {
    let values: Vec<f64> = cells.iter().map(|c| c.median).collect();
    let (near, far) = apart(&values)?;
    Some(format!(
        "a line goes there and back in {} between {}, and in {} between {}",
        time(near.level),
        count(near.count, "pair"),
        time(far.level),
        count(far.count, "pair")
    ))
}

/// Placement checks that were near, and some that were far.
fn moved(checks: &[f64]) -> Option<String> {
    let (near, far) = apart(checks)?;
    Some(format!(
        "a line went there and back in {} at {}, and in {} at {}",
        time(near.level),
        count(near.count, "placement check"),
        time(far.level),
        count(far.count, "placement check")
    ))
}

/// The lowest and the highest of groups of values that are far apart.
fn apart(values: &[f64]) -> Option<(Mode, Mode)> {
    far_ends(modes(values, FAR))
}

/// The lowest and the highest of several levels that count, ascending.
fn far_ends(mut all: Vec<Mode>) -> Option<(Mode, Mode)> {
    let whole: usize = all.iter().map(|m| m.count).sum();
    all.retain(|m| m.count >= SEEN && m.count as f64 >= SHARE * whole as f64);
    let near = *all.first()?;
    all.retain(|m| m.level < TOO_FAR * near.level);
    let far = *all.last()?;
    (far.level > FAR * near.level).then_some((near, far))
}

/// A line that takes as long as if it came from memory.
fn slow(evidence: &Evidence<'_>, cells: &[&Cell]) -> Option<String> {
    let (cache, memory) = (evidence.level("L3")?, evidence.level("memory")?);
    let values: Vec<f64> = cells.iter().map(|c| c.median).collect();
    let one_way = stats::Sample::new(&values)?.median() / 2.0;
    let told = (one_way / cache).is_finite() && (one_way / memory).is_finite();
    (told && one_way > OF_CACHE * cache && one_way > OF_MEMORY * memory).then(|| {
        format!(
            "a line takes {} one way, {} times a load from that cache and {} times one from memory",
            time(one_way),
            number(one_way / cache),
            number(one_way / memory)
        )
    })
}

/// So many CPUs under one cache, and the round trips of each pair.
fn machine(record: &mut Record, cpus: u32, samples: &dyn Fn(u32, u32) -> Vec<f64>) {
    let topology = &mut record.machine.topology;
    for id in 0..cpus {
        let siblings = [id].into_iter().collect();
        topology.cpus.push(Cpu { id, online: true, package: Some(0), siblings, ..Cpu::default() });
    }
    for (level, bytes) in [(1, 48 << 10), (2, 1 << 20), (3, 32 << 20)] {
        for id in if level < 3 { 0..cpus } else { 0..1 } {
            let cpus = if level < 3 { id..id + 1 } else { 0..cpus };
            topology.caches.push(Cache {
                level,
                kind: CacheKind::Unified,
                bytes: Some(bytes),
                line: None,
                ways: None,
                cpus: cpus.collect(),
            });
        }
    }
    let pairs = (0..cpus).flat_map(|a| (a + 1..cpus).map(move |b| (a, b)));
    let series = |(from, to): (u32, u32)| {
        let series = Series::new("round_trip", Unit::Seconds, Better::Lower);
        Series { samples: samples(from, to), ..series.at("from", from).at("to", to) }
    };
    measured(record, "core_to_core", &[("method", "cas")], pairs.map(series).collect());
    if let Some(run) = record.runs.last_mut() {
        run.case.place.cpus = (0..cpus).collect();
    }
}

/// A latency curve with 1, 3, 10 and 130 ns.
fn curve(record: &mut Record) {
    let mut all = vec![];
    for step in 0..56 {
        let bytes = (4096.0 * 2f64.powf(f64::from(step) / 3.0)) as u64 / 1024 * 1024;
        let ns = match bytes {
            0..40_000 => 1.0,
            40_000..900_000 => 3.0,
            900_000..25_000_000 => 10.0,
            _ => 130.0,
        };
        let s = Series::new("load_to_use", Unit::Seconds, Better::Lower).at("working_set", bytes);
        all.push(Series { samples: vec![ns * 1e-9; 7], ..s });
    }
    measured(record, "load_latency", &[("pages", "base"), ("order", "random")], all);
}
