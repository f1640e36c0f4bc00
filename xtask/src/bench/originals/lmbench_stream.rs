//! lmbench's `stream`: scalar loops over 64 MiB, in both lineages; ours in the same words is `lmbench_stream`.
//! It prints the least of five intervals, so ours is the best, too. Its `add` is a sum of one array in intel's lineage.
use crate::bench::original::{ANY, Original, Pair, Pick, Tolerance, Unit, column};

pub(crate) static ORIGINAL: Original = Original {
    name: "stream",
    programs: &["stream"],
    proof: "STREAM triad bandwidth",
    source: super::LMBENCH,
    pairs: &[
        pair("lmbench stream copy", |t| rate(t, "STREAM copy bandwidth:"), COPY, 0.03),
        pair("lmbench stream scale", |t| rate(t, "STREAM scale bandwidth:"), SCALE, 0.03),
        pair("lmbench stream add (sum)", |t| rate(t, "STREAM add bandwidth:"), SUM, 0.02),
        pair("lmbench stream triad", |t| rate(t, "STREAM triad bandwidth:"), TRIAD, 0.03),
    ],
};

/// lmbench 3.0-a9, where a program of that name is found.
pub(crate) static A9: Original = Original {
    name: "stream_a9",
    programs: &["stream_a9"],
    proof: "STREAM triad bandwidth",
    source: "lmbench 3.0-a9 (src/: make; its stream, renamed to stream_a9)",
    pairs: &[
        a9("lmbench a9 stream copy", |t| rate(t, "STREAM copy bandwidth:"), COPY),
        a9("lmbench a9 stream scale", |t| rate(t, "STREAM scale bandwidth:"), SCALE),
        a9("lmbench a9 stream add", |t| rate(t, "STREAM add bandwidth:"), ADD),
        a9("lmbench a9 stream triad", |t| rate(t, "STREAM triad bandwidth:"), TRIAD),
    ],
};

type At = &'static [(&'static str, &'static str)];
const COPY: At = &[("metric", "bandwidth"), ("kernel", "copy")];
const SCALE: At = &[("metric", "bandwidth"), ("kernel", "scale")];
const ADD: At = &[("metric", "bandwidth"), ("kernel", "add")];
const SUM: At = &[("metric", "bandwidth"), ("kernel", "add_sum")];
const TRIAD: At = &[("metric", "bandwidth"), ("kernel", "triad")];

const fn pair(quantity: &'static str, read: fn(&str) -> Option<f64>, at: At, within: f64) -> Pair {
    Pair {
        quantity,
        unit: Unit::BestGigabytes,
        ours: Pick { probe: "lmbench_stream", case: &[("lineage", "intel")], at },
        call: |s| {
            let call = s.call("stream").on(&s.cpu).args(&["-W", "5", "-N", "5", "-M", "64M"]);
            Some(call.with(&[("ENOUGH", "50000"), ("LOOP_O", "0"), ("TIMING_O", "0")]))
        },
        read,
        tolerance: Tolerance::Within(within),
        most: ANY,
    }
}

const fn a9(quantity: &'static str, read: fn(&str) -> Option<f64>, at: At) -> Pair {
    Pair {
        ours: Pick { probe: "lmbench_stream", case: &[("lineage", "a9")], at },
        call: |s| {
            let call = s.call("stream_a9").on(&s.cpu).args(&["-W", "5", "-N", "5", "-M", "64M"]);
            Some(call.with(&[("ENOUGH", "50000"), ("LOOP_O", "0"), ("TIMING_O", "0")]))
        },
        ..pair(quantity, read, at, 0.03)
    }
}

fn rate(text: &str, start: &str) -> Option<f64> {
    column(text, start, 3).map(|mb| mb / 1e3)
}

#[cfg(test)]
mod tests {
    #[test]
    fn bandwidth_is_told_from_latency() {
        let text =
            "STREAM copy latency: 0.81 nanoseconds\nSTREAM copy bandwidth: 19838.61 MB/sec\n";
        assert_eq!(super::rate(text, "STREAM copy bandwidth:"), Some(19.83861));
    }
}
