//! McCalpin's STREAM: plain loops on one thread and, built with OpenMP, on all. It prints the best, so ours is the best, too,
//! in its own setting: base pages, one number per array, as many elements. On huge pages it is shown for information.
use crate::bench::{
    original::{ANY, Original, Pair, Pick, Setup, Tolerance, Unit, column},
    process::Call,
};

pub(crate) static ORIGINAL: Original = Original {
    name: "stream_c",
    programs: &["stream_c", "stream_omp"],
    proof: "Triad:",
    source: "github.com/jeffhammond/STREAM (gcc -O3 -march=native -DSTREAM_ARRAY_SIZE=80000000 stream.c -o stream_c; \
             the same with -fopenmp as stream_omp)",
    pairs: &[
        one("STREAM copy, 1 thread", |t| best(t, "Copy:"), &[("kernel", "copy")]),
        one("STREAM scale, 1 thread", |t| best(t, "Scale:"), &[("kernel", "scale")]),
        one("STREAM add, 1 thread", |t| best(t, "Add:"), &[("kernel", "add")]),
        one("STREAM triad, 1 thread", |t| best(t, "Triad:"), &[("kernel", "triad")]),
        Pair {
            ours: Pick {
                probe: "stream",
                case: &[("threads", "one"), ("pages", "thp")],
                at: &[("kernel", "triad")],
            },
            tolerance: Tolerance::None,
            ..one("STREAM triad, ours on huge pages", |t| best(t, "Triad:"), &[])
        },
        all("STREAM copy, all threads", |t| best(t, "Copy:"), &[("kernel", "copy")]),
        all("STREAM scale, all threads", |t| best(t, "Scale:"), &[("kernel", "scale")]),
        all("STREAM add, all threads", |t| best(t, "Add:"), &[("kernel", "add")]),
        all("STREAM triad, all threads", |t| best(t, "Triad:"), &[("kernel", "triad")]),
    ],
};

const BASE: (&str, &str) = ("pages", "base");

type At = &'static [(&'static str, &'static str)];

const fn one(quantity: &'static str, read: fn(&str) -> Option<f64>, at: At) -> Pair {
    Pair {
        quantity,
        unit: Unit::BestGigabytes,
        ours: Pick { probe: "stream", case: &[("threads", "one"), BASE], at },
        call: |s| Some(s.call("stream_c").on(&s.cpu)),
        read,
        tolerance: Tolerance::Within(0.03),
        most: ANY,
    }
}

const fn all(quantity: &'static str, read: fn(&str) -> Option<f64>, at: At) -> Pair {
    Pair {
        ours: Pick { probe: "stream", case: &[("threads", "all"), BASE], at },
        call: parallel,
        ..one(quantity, read, at)
    }
}

fn parallel(setup: &Setup) -> Option<Call> {
    let threads = setup.cpus.len().to_string();
    let call = setup.call("stream_omp").on(&setup.all());
    (setup.cpus.len() > 1)
        .then(|| call.with(&[("OMP_NUM_THREADS", &threads), ("OMP_PROC_BIND", "true")]))
}

/// The best of its ten rates, in GB/s.
fn best(text: &str, kernel: &str) -> Option<f64> {
    column(text, kernel, 1).map(|mb| mb / 1e3)
}
