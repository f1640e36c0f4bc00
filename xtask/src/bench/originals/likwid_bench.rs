//! likwid-bench: assembly loops over streams as large, together, as our buffer, and over what caches hold.
use crate::bench::{
    original::{ANY, Original, Pair, Pick, Setup, Tolerance, Unit, column},
    process::Call,
};

pub(crate) static ORIGINAL: Original = Original {
    name: "likwid-bench",
    programs: &["likwid-bench"],
    proof: "likwid-bench",
    source: "apt-get install likwid",
    pairs: &[
        Pair {
            ours: bandwidth(&[("kernel", "read"), ONE]),
            ..pair("read, 1 thread", |s| call(s, "load"))
        },
        Pair {
            ours: bandwidth(&[("kernel", "write_nt"), ONE]),
            ..pair("non-temporal write, 1 thread", |s| call(s, "store_mem"))
        },
        Pair {
            ours: bandwidth(&[("kernel", "copy"), ONE]),
            ..pair("copy, 1 thread", |s| call(s, "copy"))
        },
        Pair {
            ours: bandwidth(&[("kernel", "copy_nt"), ONE]),
            ..pair("non-temporal copy, 1 thread", |s| call(s, "copy_mem"))
        },
        Pair {
            ours: Pick { probe: "stream", case: &[ONE], at: &[("kernel", "triad_nt")] },
            ..pair("non-temporal triad, 1 thread", |s| call(s, "stream_mem"))
        },
        cache("read from L1 (16 KiB)", &[("working_set", "16384")], |s| sized(s, 16 << 10)),
        cache("read from L2 (512 KiB)", &[("working_set", "524288")], |s| sized(s, 512 << 10)),
        cache("read from L3 (8 MiB)", &[("working_set", "8388608")], |s| sized(s, 8 << 20)),
    ],
};

const ONE: (&str, &str) = ("threads", "one");

const fn bandwidth(case: &'static [(&'static str, &'static str)]) -> Pick {
    Pick { probe: "bandwidth", case, at: &[] }
}

const fn pair(quantity: &'static str, call: fn(&Setup) -> Option<Call>) -> Pair {
    Pair {
        quantity,
        unit: Unit::Gigabytes,
        ours: bandwidth(&[]),
        call,
        read: |t| column(t, "MByte/s:", 1).map(|mb| mb / 1e3),
        tolerance: Tolerance::AtLeast(0.02),
        most: ANY,
    }
}

const fn cache(
    quantity: &'static str,
    at: &'static [(&'static str, &'static str)],
    call: fn(&Setup) -> Option<Call>,
) -> Pair {
    Pair {
        ours: Pick { probe: "cache_bandwidth", case: &[("kernel", "read")], at },
        ..pair(quantity, call)
    }
}

/// Reads of one stream of so many bytes.
fn sized(setup: &Setup, bytes: u64) -> Option<Call> {
    let (test, size) = (format!("load_{}", setup.vectors?), format!("N:{bytes}B:1"));
    Some(setup.call("likwid-bench").on(&setup.cpu).args(&["-t", &test, "-w", &size, "-s", "1"]))
}

/// All streams together take as many bytes as our buffer, in the tool's millions.
fn call(setup: &Setup, kernel: &str) -> Option<Call> {
    let test = format!("{kernel}_{}", setup.vectors?);
    let size = format!("N:{}MB:1", setup.buffer / 1_000_000);
    Some(setup.call("likwid-bench").on(&setup.cpu).args(&["-t", &test, "-w", &size, "-s", "1"]))
}
