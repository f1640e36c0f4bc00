//! nviennot/core-to-core-latency: compare-and-swap between two pinned threads; it prints half a round trip.
use crate::bench::original::{ANY, Original, Pair, Pick, Tolerance, Unit};

pub(crate) static ORIGINAL: Original = Original {
    name: "core-to-core-latency",
    programs: &["core-to-core-latency"],
    proof: "CAS latency on a single shared cache line",
    source: "cargo install core-to-core-latency",
    pairs: &[Pair {
        quantity: "core to core, one way",
        unit: Unit::HalfNanoseconds,
        ours: Pick { probe: "core_to_core", case: &[("method", "cas")], at: &[] },
        call: |s| {
            let cores = s.cpus.first_chunk::<2>().map(|[a, b]| format!("{a},{b}"))?;
            let call = s.call("core-to-core-latency").on(&s.all());
            Some(call.args(&["-b", "1", "--csv", "-c", &cores]))
        },
        read,
        tolerance: Tolerance::Within(0.15),
        most: ANY,
    }],
};

/// The lower triangle of a matrix of two: its second line holds the only number.
fn read(text: &str) -> Option<f64> {
    text.lines().nth(1)?.split(',').find_map(|word| word.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_only_pair_of_two_is_read() {
        assert_eq!(super::read(",\n24.5,\nCPU: Some Model\n"), Some(24.5));
        assert_eq!(super::read("CPU: Some Model\n"), None);
    }
}
