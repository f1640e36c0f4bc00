//! google/multichase: a random chase over 512 MiB, on 4 KiB pages and on transparent huge ones. It prints means over
//! half a second, every disturbance included, so ours is the mean, too: the median of our samples is some percent less.
use crate::bench::{
    original::{ANY, Original, Pair, Pick, Setup, Tolerance, Unit},
    process::Call,
};

pub(crate) static ORIGINAL: Original = Original {
    name: "multichase",
    programs: &["multichase"],
    proof: "TLB locality",
    source: "github.com/google/multichase (make, for --shared with LDFLAGS=-pthread)",
    pairs: &[
        Pair {
            quantity: "load latency, 512 MiB, 4 KiB pages",
            unit: Unit::MeanNanoseconds,
            ours: at_512m(&[("order", "random"), ("pages", "base"), ("stride", "64")]),
            call: |s| Some(chase(s)),
            read,
            tolerance: Tolerance::Within(0.02),
            most: ANY,
        },
        Pair {
            quantity: "load latency, 512 MiB, transparent huge pages",
            unit: Unit::MeanNanoseconds,
            ours: at_512m(&[("order", "random"), ("pages", "thp"), ("stride", "64")]),
            call: |s| Some(chase(s).args(&["-H"])),
            read,
            tolerance: Tolerance::Within(0.015),
            most: ANY,
        },
    ],
};

const fn at_512m(case: &'static [(&'static str, &'static str)]) -> Pick {
    Pick { probe: "load_latency", case, at: &[("working_set", "536870912")] }
}

/// Fully random, one line each: the mean of four samples of half a second after the first.
fn chase(setup: &Setup) -> Call {
    setup
        .call("multichase")
        .on(&setup.cpu)
        .args(&["-m", "512m", "-s", "64", "-T", "512m", "-n", "4", "-a"])
}

/// The last number it prints, in nanoseconds.
fn read(text: &str) -> Option<f64> {
    text.lines().rev().find_map(|l| l.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    #[test]
    fn its_only_number_is_read() {
        assert_eq!(super::read(" 160.9\n"), Some(160.9));
        assert_eq!(super::read("usage: multichase [options]\n"), None);
    }
}
