//! MemoryBandwidth of clamchowder/Microbenchmarks, as Chips and Cheese measure with it: reads of what a cache holds.
use crate::bench::{
    original::{ANY, Original, Pair, Pick, Setup, Tolerance, Unit},
    process::Call,
};

pub(crate) static ORIGINAL: Original = Original {
    name: "cc_membw",
    programs: &["cc_membw"],
    proof: "Base GB to transfer",
    source: "github.com/clamchowder/Microbenchmarks (MemoryBandwidth: make amd64, renamed to cc_membw)",
    pairs: &[
        pair("read from L1 (16 KiB)", &[("working_set", "16384")], |s| call(s, "16", "256")),
        pair("read from L2 (512 KiB)", &[("working_set", "524288")], |s| call(s, "512", "1024")),
        pair("read from L3 (8 MiB)", &[("working_set", "8388608")], |s| call(s, "8192", "1024")),
    ],
};

const fn pair(
    quantity: &'static str,
    at: &'static [(&'static str, &'static str)],
    call: fn(&Setup) -> Option<Call>,
) -> Pair {
    Pair {
        quantity,
        unit: Unit::Gigabytes,
        ours: Pick { probe: "cache_bandwidth", case: &[("kernel", "read")], at },
        call,
        read,
        tolerance: Tolerance::AtLeast(0.02),
        most: ANY,
    }
}

/// So many KiB in the widest vectors; a size beyond 64 KiB moves an eighth of the data that is asked for. Its clock has
/// steps of a millisecond: a second is long enough.
fn call(setup: &Setup, size: &str, data: &str) -> Option<Call> {
    let call = setup.call("cc_membw").on(&setup.cpu);
    Some(call.args(&["-threads", "1", "-method", setup.vectors?, "-sizekb", size, "-data", data]))
}

/// `16,206.986374,0,0,0,0,0`, after a line of names.
fn read(text: &str) -> Option<f64> {
    let mut lines = text.lines().skip_while(|l| !l.starts_with("Size (KB)"));
    lines.nth(1)?.split(',').nth(1)?.parse().ok()
}

#[cfg(test)]
mod tests {
    #[test]
    fn its_second_column_is_read() {
        let text = "Using 1 threads\nSize (KB),Bandwidth (GB/s)\n16,206.986374,0,0,0,0,0\n";
        assert_eq!(super::read(text), Some(206.986374));
        assert_eq!(super::read("Using 1 threads\n"), None);
    }
}
