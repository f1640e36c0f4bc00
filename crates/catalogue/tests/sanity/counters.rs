//! Counters that are not the program's, and frequencies that are not the label's.
use super::checks::{first, warning_with};
use catalogue::{Measurement, Reference, SanityWarning};

/// More than this over what one CPU has is no rounding.
const ABOVE: f64 = 1.05;

const WORKLOADS: [&str; 3] = ["bc-7pow999999", "c-cpu_bound", "c-memory_bound"];

/// Counted cycles with the seconds they were counted in and the frequency of the machine's label.
fn cycles(reference: &Reference) -> Vec<(&Measurement, f64, f64, f64)> {
    let mut all = vec![];
    for workload in WORKLOADS {
        for m in reference.series(workload, "perf:cpu-cycles") {
            let same = |e: &Measurement| e.text("tool") == m.text("tool");
            let elapsed = first(reference, &m.machine, (workload, "elapsed"), same);
            let label =
                reference.machine(&m.machine).and_then(|x| x.facts.get("cpu.frequency.label"));
            if let (Some(n), Some((_, s)), Some(hz)) =
                (m.value, elapsed, label.and_then(record::Value::number))
            {
                all.push((m, n, s, hz));
            }
        }
    }
    all
}

/// Programs of one thread that would have used several CPUs: the counters are the machine's.
pub(super) fn whose(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for (m, cycles, seconds, hz) in cycles(reference) {
        let wide = m.text("scope") == Some("system-wide");
        let busy = cycles / seconds / hz;
        if !wide || busy < ABOVE {
            continue;
        }
        let printed = reference
            .series(&m.workload, "elapsed")
            .filter(|s| s.machine == m.machine && s.ipc.is_some());
        found.push(
            warning_with(
                m,
                format!(
                    "{} counted {busy:.1} times the cycles that one thread has in {seconds:.1} s at {:.1} GHz: these counters, and their instructions per cycle, are the machine's and not the program's",
                    m.workload,
                    hz / 1e9
                ),
                printed),
        );
    }
}

/// Programs that ran above the frequency of the label.
pub(super) fn frequency(reference: &Reference, found: &mut Vec<SanityWarning>) {
    for (m, cycles, seconds, hz) in cycles(reference) {
        let own = m.text("scope") == Some("process");
        if own && cycles / seconds > hz * ABOVE {
            let label = reference.series(&m.workload, "frequency_nominal");
            found.push(
                warning_with(
                    m,
                    format!(
                        "{} ran at {:.2} GHz by its own counters, and the label says {:.1} GHz: boost was on",
                        m.workload,
                        cycles / seconds / 1e9,
                        hz / 1e9
                    ),
                    label.filter(|l| l.machine == m.machine)),
            );
        }
    }
}
