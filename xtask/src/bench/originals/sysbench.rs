//! sysbench's `cpu` test, in its own terms and in those of version 0.4, whose limit and number of events it can be given.
use crate::bench::{
    original::{ANY, Original, Pair, Pick, Setup, Tolerance, Unit},
    process::Call,
};

pub(crate) static ORIGINAL: Original = Original {
    name: "sysbench",
    programs: &["sysbench"],
    proof: "cpu-max-prime",
    source: "apt install sysbench",
    pairs: &[
        Pair {
            quantity: "primes below 10000, 1 thread",
            unit: Unit::PerSecond,
            ours: Pick {
                probe: "prime",
                case: &[("sysbench", "1.0"), ("threads", "one")],
                at: &[("metric", "events")],
            },
            call: |s| Some(events(s, &s.cpu, "10000", "1", "--time=2", "--events=0")),
            read: rate,
            tolerance: Tolerance::Within(0.02),
            most: ANY,
        },
        Pair {
            quantity: "10000 times primes below 50000, 1 thread",
            unit: Unit::Seconds,
            ours: Pick {
                probe: "prime",
                case: &[("sysbench", "0.4"), ("threads", "one")],
                at: &[("metric", "time_of_10000_events")],
            },
            call: |s| Some(events(s, &s.cpu, "50000", "1", "--time=0", "--events=1000")),
            read: |text| total(text).map(|seconds| seconds * 10.0),
            tolerance: Tolerance::Within(0.02),
            most: ANY,
        },
        Pair {
            quantity: "primes below 10000, all threads",
            unit: Unit::PerSecond,
            ours: Pick {
                probe: "prime",
                case: &[("sysbench", "1.0"), ("threads", "all")],
                at: &[("metric", "events")],
            },
            call: |s| {
                let threads = s.cpus.len().to_string();
                Some(events(s, &s.all(), "10000", &threads, "--time=2", "--events=0"))
            },
            read: rate,
            tolerance: Tolerance::Within(0.02),
            most: ANY,
        },
    ],
};

fn events(s: &Setup, cpus: &str, limit: &str, threads: &str, time: &str, events: &str) -> Call {
    let (limit, threads) = (format!("--cpu-max-prime={limit}"), format!("--threads={threads}"));
    s.call("sysbench").on(cpus).args(&["cpu", &limit, &threads, time, events, "run"])
}

/// The number behind the first of these words.
fn behind(text: &str, words: &str) -> Option<f64> {
    let (_, rest) = text.split_once(words)?;
    rest.split_whitespace().next()?.trim_end_matches('s').parse().ok()
}

fn rate(text: &str) -> Option<f64> {
    behind(text, "events per second:")
}

fn total(text: &str) -> Option<f64> {
    behind(text, "total time:")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn its_rate_and_its_time_are_read() {
        let text = "CPU speed:\n    events per second:  4394.43\n\nGeneral statistics:\n\
                    \x20   total time:                          2.0005s\n    total number of events:   8793\n";
        assert_eq!((rate(text), total(text)), (Some(4394.43), Some(2.0005)));
        assert_eq!((rate(""), total("FATAL: no such test\n")), (None, None));
    }
}
