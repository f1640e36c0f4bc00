//! lmbench's `stream`: scalar loops over 64 MiB, which is twice a common last-level cache.
//! Not the quantity of our `stream` (vector loops, at least four times the caches), so shown without a tolerance.
//! Its `add` is left out: in this lineage it sums one array and counts three.
use crate::bench::original::{ANY, Original, Pair, Pick, Tolerance, Unit, column};

pub(crate) static ORIGINAL: Original = Original {
    name: "stream",
    programs: &["stream"],
    proof: "STREAM triad bandwidth",
    source: super::LMBENCH,
    pairs: &[
        pair("lmbench stream copy", |t| rate(t, "STREAM copy bandwidth:"), &[("kernel", "copy")]),
        pair(
            "lmbench stream scale",
            |t| rate(t, "STREAM scale bandwidth:"),
            &[("kernel", "scale")],
        ),
        pair(
            "lmbench stream triad",
            |t| rate(t, "STREAM triad bandwidth:"),
            &[("kernel", "triad")],
        ),
    ],
};

const fn pair(
    quantity: &'static str,
    read: fn(&str) -> Option<f64>,
    at: &'static [(&'static str, &'static str)],
) -> Pair {
    Pair {
        quantity,
        unit: Unit::Gigabytes,
        ours: Pick { probe: "stream", case: &[("threads", "one")], at },
        call: |s| {
            let call = s.call("stream").on(&s.cpu).args(&["-W", "5", "-N", "5", "-M", "64M"]);
            Some(call.with(&[("ENOUGH", "50000"), ("LOOP_O", "0"), ("TIMING_O", "0")]))
        },
        read,
        tolerance: Tolerance::None,
        most: ANY,
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
