//! CPUs are stated to share a last-level cache, and a line goes between them as if they did not.
//!
//! Schedulers and programs place threads that share data by what is stated. Virtual machines state one cache for all their
//! CPUs wherever the hypervisor puts them, and it may put them elsewhere at any moment: seen are 25 ns and 122 ns one way,
//! within seconds. Signs: on a virtual machine, CPUs whose line takes two times far apart, each of which was seen twice with
//! little between them; groups of CPUs, near inside and far between; or a line that takes four times as long as a load from that
//! cache and nearly as long as one from memory. Cases during which others had the CPUs are left out: who waits for his turn waits
//! longer than for any line.
use crate::cost::{Cost, Demand};
use crate::evidence::{Evidence, Looks, Missing};
use crate::example::{Example, Expect, measured, noted};
use crate::facts::HYPERVISOR;
use crate::matrix::{Cell, Matrix};
use crate::rule::Finding;
use crate::rule::Rule;
use crate::words::{count, number, time};
use record::{Better, Cache, CacheKind, Cpu, Reason, Record, Relation, Series, Unit};
use stats::modes::{Mode, modes};

/// Two times of a line within one cache differ by less: by slice and by direction up to 1.5 on large meshes; between dies
/// by 2 and more (docs/validation/memory.md: 5).
const FAR: f64 = 1.8;
/// A line between two cores takes as long as one to three loads from the cache that both share, by compare-and-swap.
const OF_CACHE: f64 = 4.0;
/// And far less than a load from memory; between dies or sockets up to this many of those.
const OF_MEMORY: f64 = 0.7;
const AT_MOST: f64 = 3.0;
/// Farther apart than any two dies: who waited that long did not wait for a line, but for a CPU.
const TOO_FAR: f64 = 10.0;
/// Values of one place lie within this ratio, and the next place's lie beyond it: 50 to 63 ns and 205 to 238 were seen.
const ONE_PLACE: f64 = 1.5;
/// A place counts if it was seen twice, and two places explain what was seen but for this share of it.
const SEEN: usize = 2;
const STRAY: f64 = 0.25;

/// See the file's header.
#[derive(Debug)]
pub struct SharedCacheUntrue;

impl Rule for SharedCacheUntrue {
    fn title(&self) -> &'static str {
        "A shared last-level cache is not what it seems"
    }

    fn check(&self, evidence: &Evidence<'_>) -> Result<Option<Finding>, Missing> {
        let looks = evidence.looks()?;
        // Without a hypervisor nobody moves CPUs: a pair that takes two times was disturbed.
        let moves = evidence.hypervisor().is_some();
        let places = |all: &[f64]| places(all).filter(|_| moves);
        let twice = looks.by_cpus.values().filter_map(|all| places(all));
        let moved = twice.clone().find(|(near, far)| near.count.min(far.count) >= SEEN);
        let signs = [moved.map(|p| said(&p)), divided(evidence), slow(evidence, &looks)];
        let Some(sign) = signs.into_iter().flatten().next() else {
            // Seen once it may have been a moment's disturbance, and is neither a finding nor nothing.
            return match twice.clone().next() {
                Some(place) => Err(Missing(Reason::mended_by(
                    format!("{}, one of them once only", said(&place)),
                    "cpulens run --only core_to_core,bandwidth, some times over",
                ))),
                None => Ok(None),
            };
        };
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
                about: "a virtual machine's pair at 50 and at 245 ns, each at two looks",
                build: |r| {
                    machine(r, 2, &|_, _| vec![50e-9; 7]);
                    checks(r, &[51e-9, 245e-9]);
                    measured(r, "bandwidth", &[], vec![]);
                    checks(r, &[250e-9, 52e-9]);
                    r.machine.set(HYPERVISOR, "KVM", "example");
                },
                expect: Expect::Fires,
            },
            Example {
                about: "the same, seen once: it flipped while it was measured",
                build: |r| {
                    machine(r, 2, &|_, _| [[50e-9; 6], [245e-9; 6]].concat());
                    r.machine.set(HYPERVISOR, "KVM", "example");
                },
                expect: Expect::CannotTell,
            },
            Example {
                about: "the same two times without a hypervisor, who could move CPUs",
                build: |r| {
                    machine(r, 2, &|_, _| vec![50e-9; 7]);
                    checks(r, &[51e-9, 245e-9]);
                    measured(r, "bandwidth", &[], vec![]);
                    checks(r, &[250e-9, 52e-9]);
                },
                expect: Expect::Clear,
            },
            Example {
                about: "a virtual machine whose CPUs others use: lines of 50 ns to 200 us",
                build: |r| {
                    machine(r, 2, &|_, _| [[52e-9; 4], [220e-9; 4], [90e-6; 4]].concat());
                    checks(r, &[60e-6, 222e-9, 56e-9, 222e-9]);
                    noted(r, "contention.busy", Unit::Ratio, 0.86);
                    r.machine.set(HYPERVISOR, "KVM", "example");
                },
                expect: Expect::CannotTell,
            },
            Example {
                about: "a virtual machine that is a little slower at every look",
                build: |r| {
                    machine(r, 2, &|_, _| vec![50e-9; 7]);
                    checks(r, &[55e-9, 70e-9, 85e-9, 110e-9, 140e-9]);
                    r.machine.set(HYPERVISOR, "KVM", "example");
                },
                expect: Expect::Clear,
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
                about: "pairs that are far here and there, and no groups",
                build: |r| {
                    machine(r, 8, &|a, b| vec![if (a * b) % 5 == 1 { 150e-9 } else { 50e-9 }; 7])
                },
                expect: Expect::Clear,
            },
            Example {
                about: "a line that takes as long as one from memory",
                build: |r| {
                    machine(r, 2, &|_, _| vec![245e-9; 7]);
                    checks(r, &[240e-9, 250e-9]);
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

/// The two places that times of the same CPUs come from, if it is two and both were seen more than a moment, or one of them
/// once. Nothing where they lie in between.
fn places(all: &[f64]) -> Option<(Mode, Mode)> {
    let mut found = modes(all, ONE_PLACE);
    let near = *found.iter().find(|m| m.count >= SEEN).or(found.first())?;
    found.retain(|m| m.level >= near.level && m.level < TOO_FAR * near.level);
    let far = *found.iter().rev().find(|m| m.count >= SEEN).or(found.last())?;
    let strays = all.len() - near.count - if far.level > near.level { far.count } else { 0 };
    let two = far.level > FAR * near.level && strays as f64 <= STRAY * all.len() as f64;
    (two && tight(all, &near) && tight(all, &far)).then_some((near, far))
}

/// Whether all values around a mode lie within one place, so that it is a level and no slope.
fn tight(all: &[f64], mode: &Mode) -> bool {
    let near = |x: &&f64| (1.0 / ONE_PLACE..ONE_PLACE).contains(&(**x / mode.level));
    all.iter().filter(near).count() >= mode.count
}

fn said((near, far): &(Mode, Mode)) -> String {
    format!(
        "a line went there and back in {} at {}, and in {} at {}",
        time(near.level),
        count(near.count, "look"),
        time(far.level),
        count(far.count, "look")
    )
}

/// CPUs of one cache that fall into groups, near inside and far between, every pair in one state.
fn divided(evidence: &Evidence<'_>) -> Option<String> {
    let matrix = evidence.pairs().ok().filter(|m| evidence.undisturbed(m.run))?;
    let shared = Relation::LastLevel.name();
    let one = |c: &&Cell| c.relation == shared && c.states.len() == 1;
    let cells: Vec<&Cell> = matrix.cells.iter().filter(one).collect();
    let found = modes(&cells.iter().map(|c| c.median).collect::<Vec<_>>(), FAR);
    let (near, far) = (*found.first()?, *found.last()?);
    let seen = near.count >= SEEN && far.count >= SEEN && far.level < TOO_FAR * near.level;
    let is_near = |c: &Cell| c.median < (near.level * far.level).sqrt();
    (found.len() == 2 && seen && grouped(&matrix, &cells, &is_near)).then(|| {
        format!(
            "a line goes there and back in {} between {}, and in {} between {}",
            time(near.level),
            count(near.count, "pair"),
            time(far.level),
            count(far.count, "pair")
        )
    })
}

/// Whether near pairs are those inside some groups and far ones those between them; where not every pair was measured groups
/// cannot be told, and the two levels have to do.
fn grouped(matrix: &Matrix, cells: &[&Cell], near: &dyn Fn(&Cell) -> bool) -> bool {
    let Ok(clusters) = &matrix.clusters else { return true };
    let inside = |groups: &[record::CpuSet], c: &Cell| {
        groups.iter().any(|g| g.contains(c.from) && g.contains(c.to))
    };
    clusters.iter().any(|k| cells.iter().all(|c| inside(&k.groups, c) == near(c)))
}

/// A line that takes as long as if it came from memory, at every look.
fn slow(evidence: &Evidence<'_>, looks: &Looks) -> Option<String> {
    let (cache, memory) = (evidence.level("L3")?, evidence.level("memory")?);
    let values: Vec<f64> = looks.by_cpus.values().flatten().copied().collect();
    let sample = stats::Sample::new(&values).filter(|s| s.len() >= SEEN)?;
    let (least, most) = (sample.min() / 2.0, sample.max() / 2.0);
    let told = (least / cache).is_finite() && (most / memory).is_finite();
    let slow = least > OF_CACHE * cache && least > OF_MEMORY * memory && most < AT_MOST * memory;
    let one_way = sample.median() / 2.0;
    (told && slow).then(|| {
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

/// Placement checks around the case that was added last, which all CPUs of the machine take part in.
fn checks(record: &mut Record, seconds: &[f64]) {
    let names = ["placement_check.before.cas".to_owned(), "placement_check.after.cas".to_owned()];
    let later = (2..).map(|n| format!("placement_check.after.cas.{n}"));
    for (name, value) in names.into_iter().chain(later).zip(seconds) {
        noted(record, &name, Unit::Seconds, *value);
    }
    let all = record.machine.topology.cpus.iter().map(|c| c.id).collect();
    if let Some(run) = record.runs.last_mut() {
        run.case.place.cpus = all;
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
