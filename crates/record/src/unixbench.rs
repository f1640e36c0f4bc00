//! The twelve tests of UnixBench's index: their names, units, baselines and time bases, which all agree on that measure, import or
//! judge them. The baseline machine is a SPARCstation 20-61 (George); its figures are the same from
//! version 5.1.3 to 6.0. Source: UnixBench, USAGE and its reports.
use crate::{ProbeId, Unit};

/// One test.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Test {
    /// The probe that measures it.
    pub id: ProbeId,
    /// Its name in reports.
    pub name: &'static str,
    /// Its unit in reports: `lps`, `lpm`, `KBps` or `MWIPS`.
    pub label: &'static str,
    /// The result of the baseline machine, in that unit.
    pub baseline: f64,
    /// Seconds that counts are stated for; 0 where a pass gives a rate by itself.
    pub timebase: f64,
    /// The unit of its rate in a record.
    pub unit: Unit,
    /// A result in the unit of reports times this is the rate in a record.
    pub factor: f64,
}

const fn test(id: ProbeId, name: &'static str, label: &'static str, baseline: f64) -> Test {
    Test { id, name, label, baseline, timebase: 1.0, unit: Unit::PerSecond, factor: 1.0 }
}

const fn copy(id: ProbeId, name: &'static str, baseline: f64) -> Test {
    let timed = test(id, name, "KBps", baseline);
    Test { timebase: 0.0, unit: Unit::BytesPerSecond, factor: 1024.0, ..timed }
}

const fn shell(id: ProbeId, name: &'static str, baseline: f64) -> Test {
    Test { timebase: 60.0, factor: 1.0 / 60.0, ..test(id, name, "lpm", baseline) }
}

/// All of them, in the order of reports, which is that of the bytes of their names.
pub const TESTS: [Test; 12] = [
    test(ProbeId::Dhry2reg, "Dhrystone 2 using register variables", "lps", 116_700.0),
    Test {
        timebase: 0.0,
        factor: 1e6,
        ..test(ProbeId::WhetstoneDouble, "Double-Precision Whetstone", "MWIPS", 55.0)
    },
    test(ProbeId::Execl, "Execl Throughput", "lps", 43.0),
    copy(ProbeId::Fstime, "File Copy 1024 bufsize 2000 maxblocks", 3960.0),
    copy(ProbeId::Fsbuffer, "File Copy 256 bufsize 500 maxblocks", 1655.0),
    copy(ProbeId::Fsdisk, "File Copy 4096 bufsize 8000 maxblocks", 5800.0),
    test(ProbeId::Pipe, "Pipe Throughput", "lps", 12_440.0),
    test(ProbeId::Context1, "Pipe-based Context Switching", "lps", 4000.0),
    test(ProbeId::Spawn, "Process Creation", "lps", 126.0),
    shell(ProbeId::Shell1, "Shell Scripts (1 concurrent)", 42.4),
    shell(ProbeId::Shell8, "Shell Scripts (8 concurrent)", 6.0),
    test(ProbeId::Syscall, "System Call Overhead", "lps", 15_000.0),
];

/// Their probes, in the same order.
pub const IDS: [ProbeId; 12] = {
    let mut ids = [TESTS[0].id; 12];
    let mut i = 1;
    while i < ids.len() {
        ids[i] = TESTS[i].id;
        i += 1;
    }
    ids
};

/// The test that this probe measures.
pub fn of_probe(id: ProbeId) -> Option<&'static Test> {
    TESTS.iter().find(|t| t.id == id)
}

/// The test of this name.
pub fn named(name: &str) -> Option<&'static Test> {
    TESTS.iter().find(|t| t.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn they_stand_in_the_order_of_their_names_bytes_and_each_once() {
        assert!(TESTS.windows(2).all(|w| w[0].name < w[1].name));
        for test in &TESTS {
            assert_eq!(of_probe(test.id), named(test.name));
            assert!(test.baseline > 0.0 && test.factor > 0.0);
        }
    }
}
