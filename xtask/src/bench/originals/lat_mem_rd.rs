//! lmbench's `lat_mem_rd -t`: a chase whose every access is on another page than the last, over growing arrays.
use crate::bench::{
    original::{ANY, Original, Pair, Pick, Setup, Tolerance, Unit, column},
    process::Call,
};

pub(crate) static ORIGINAL: Original = Original {
    name: "lat_mem_rd",
    programs: &["lat_mem_rd"],
    proof: "stride=%d",
    source: super::LMBENCH,
    pairs: &[
        pair("load latency, 32 KiB", 0.03, short, |t| column(t, "0.03125 ", 1), &[(SET, "32768")]),
        pair(
            "load latency, 512 KiB",
            0.05,
            short,
            |t| column(t, "0.50000 ", 1),
            &[(SET, "524288")],
        ),
        pair("load latency, 8 MiB", 0.05, short, |t| column(t, "8.00000 ", 1), &[(SET, "8388608")]),
        Pair {
            most: 3,
            ..pair(
                "load latency, 512 MiB",
                0.03,
                long,
                |t| column(t, "512.00000 ", 1),
                &[(SET, "536870912")],
            )
        },
    ],
};

const SET: &str = "working_set";

const fn pair(
    quantity: &'static str,
    tolerance: f64,
    call: fn(&Setup) -> Option<Call>,
    read: fn(&str) -> Option<f64>,
    at: &'static [(&'static str, &'static str)],
) -> Pair {
    Pair {
        quantity,
        unit: Unit::Nanoseconds,
        ours: Pick { probe: "load_latency", case: &[("order", "random"), ("pages", "base")], at },
        call,
        read,
        tolerance: Tolerance::Within(tolerance),
        most: ANY,
    }
}

fn short(setup: &Setup) -> Option<Call> {
    Some(up_to(setup, "8"))
}

/// There is no way to ask for the last point alone.
fn long(setup: &Setup) -> Option<Call> {
    Some(up_to(setup, "512"))
}

/// One interval of 100 ms a point: it prints the least of several, but the rounds are repeated here and their median is
/// taken, as of ours. Without the variables its own calibration may choose seconds.
fn up_to(setup: &Setup, mebibytes: &str) -> Call {
    setup.call("lat_mem_rd").on(&setup.cpu).args(&["-W", "5", "-N", "1", "-t", mebibytes]).with(&[
        ("ENOUGH", "100000"),
        ("LOOP_O", "0"),
        ("TIMING_O", "0"),
    ])
}
