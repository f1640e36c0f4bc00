//! lmbench's `lat_mem_rd -t`: a chase whose every access is on another page than the last, over growing arrays. Beside it
//! our probe of the same name, which has its ring, its sizes and its intervals.
use crate::bench::{
    original::{ANY, Original, Pair, Pick, Setup, Tolerance, Unit, column},
    process::Call,
};

pub(crate) static ORIGINAL: Original = Original {
    name: "lat_mem_rd",
    programs: PROGRAMS,
    proof: PROOF,
    source: super::LMBENCH,
    pairs: &[
        pair(
            "lat_mem_rd, 32 KiB",
            0.03,
            short,
            |t| column(t, "0.03125 ", 1),
            SHORT,
            &[(SET, "32768")],
        ),
        pair(
            "lat_mem_rd, 512 KiB",
            0.05,
            short,
            |t| column(t, "0.50000 ", 1),
            SHORT,
            &[(SET, "524288")],
        ),
        pair(
            "lat_mem_rd, 8 MiB",
            0.05,
            short,
            |t| column(t, "8.00000 ", 1),
            SHORT,
            &[(SET, "8388608")],
        ),
        // Twice the cache of many machines: only for information.
        Pair {
            tolerance: Tolerance::None,
            ..pair(
                "lat_mem_rd, 64 MiB",
                0.0,
                short,
                |t| column(t, "64.00000 ", 1),
                SHORT,
                &[(SET, "67108864")],
            )
        },
    ],
};

/// The same program over 512 MiB, by a name of its own since a round takes minutes.
pub(crate) static LARGE: Original = Original {
    name: "lat_mem_rd-512",
    pairs: &[Pair {
        most: 3,
        ..pair(
            "lat_mem_rd, 512 MiB",
            0.03,
            long,
            |t| column(t, "512.00000 ", 1),
            LONG,
            &[(SET, "536870912")],
        )
    }],
    programs: PROGRAMS,
    proof: PROOF,
    source: super::LMBENCH,
};

const PROGRAMS: &[&str] = &["lat_mem_rd"];
const PROOF: &str = "stride=%d";
const SET: &str = "working_set";
const SHORT: &[(&str, &str)] = &[("lineage", "intel"), ("size", "64"), ("stride", "64")];
const LONG: &[(&str, &str)] = &[("lineage", "intel"), ("size", "512"), ("stride", "64")];

const fn pair(
    quantity: &'static str,
    tolerance: f64,
    call: fn(&Setup) -> Option<Call>,
    read: fn(&str) -> Option<f64>,
    case: &'static [(&'static str, &'static str)],
    at: &'static [(&'static str, &'static str)],
) -> Pair {
    Pair {
        quantity,
        unit: Unit::LeastNanoseconds,
        ours: Pick { probe: "lat_mem_rd", case, at },
        call,
        read,
        tolerance: Tolerance::Within(tolerance),
        most: ANY,
    }
}

fn short(setup: &Setup) -> Option<Call> {
    Some(up_to(setup, "64"))
}

/// There is no way to ask for the last point alone.
fn long(setup: &Setup) -> Option<Call> {
    Some(up_to(setup, "512"))
}

/// Five intervals of 10 ms a point, of which it prints the least. Without the variables its own calibration may choose
/// seconds.
fn up_to(setup: &Setup, mebibytes: &str) -> Call {
    setup.call("lat_mem_rd").on(&setup.cpu).args(&["-W", "5", "-N", "5", "-t", mebibytes]).with(&[
        ("ENOUGH", "10000"),
        ("LOOP_O", "0"),
        ("TIMING_O", "0"),
    ])
}
