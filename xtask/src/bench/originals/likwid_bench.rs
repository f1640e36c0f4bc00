//! likwid-bench: assembly loops over streams as large, together, as our buffer.
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

/// All streams together take as many bytes as our buffer, in the tool's millions.
fn call(setup: &Setup, kernel: &str) -> Option<Call> {
    let test = format!("{kernel}_{}", setup.vectors?);
    let size = format!("N:{}MB:1", setup.buffer / 1_000_000);
    Some(setup.call("likwid-bench").on(&setup.cpu).args(&["-t", &test, "-w", &size, "-s", "1"]))
}
