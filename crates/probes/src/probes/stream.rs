//! STREAM: copy, scale, add, triad with McCalpin's byte counting, and the same with non-temporal stores.
//!
//! Method: three arrays of doubles per thread, together twelve times the last-level caches (STREAM's rule: each four
//! times); huge pages if available. The kernels are interleaved as in STREAM, nine times, or as time allows, at least
//! three; 16, 16, 24 and 24 bytes per element, write-allocate not counted. Reports show the median, and the maximum,
//! which STREAM prints. `pages` = `base` (thorough depth, or named) is STREAM's setting: base pages, constant arrays
//! of at least 80 million elements, nine turns, plain kernels only, copy by `memcpy`, which compilers make of that
//! loop, the others in the widest vectors, as `-march=native` does.
//! Limits: the kernels are our vector loops; a compiler may do worse. `*_nt` series are what compilers with
//! non-temporal stores reach.
//! Source: McCalpin, STREAM: Sustainable Memory Bandwidth in High Performance Computers.
use crate::prelude::*;
use measure::{
    bench::Content,
    memory_kernels::{Code, Job, Sequence, Takes},
};

/// Bytes per second by STREAM kernel.
pub static PROBE: Probe =
    Probe { visits: 3, ..Probe::new(180, 3, "STREAM: copy, scale, add, triad", cases, run) };

/// The kernels, and the one whose trial decides which instructions all of its kind use: the loops differ in what they
/// compute only.
const KERNELS: [(&str, &str); 8] = [
    ("copy", "triad"),
    ("scale", "triad"),
    ("add", "triad"),
    ("triad", "triad"),
    ("copy_nt", "copy_nt"),
    ("scale_nt", "triad_nt"),
    ("add_nt", "triad_nt"),
    ("triad_nt", "triad_nt"),
];
/// Arrays, of which copy and scale use two.
const ARRAYS: usize = 3;
/// Bytes of three arrays of 80 million elements: with base pages, the page tables of smaller ones fit the caches better.
const LARGE: u64 = 3 * 80_000_000 * 8;
/// STREAM runs each kernel ten times and leaves the first out.
const TURNS: usize = 9;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let seconds = setting.depth.pick(1.7, 3.0, 15.0);
    let ours = memory_kernels::pages(setting.machine);
    let mut kinds = vec![ours];
    if setting.every_variant() && ours != Pages::Base {
        kinds.push(Pages::Base);
    }
    let mut cases = vec![];
    for pages in kinds {
        let seconds = if pages == Pages::Base { seconds + 5.0 } else { seconds };
        for (threads, cpus) in placement_check::thread_counts(setting) {
            let word = if pages == Pages::Base { "base" } else { "thp" };
            let params = [param::ONE_OR_ALL.set(threads), param::PAGES.set(word)];
            let takes = Takes { common: seconds, per_byte: 2.1e-9 };
            let seconds = takes.seconds(setting.machine, &cpus);
            cases.push(place::on_pages(pages, setting.case(cpus, &params, seconds)));
        }
    }
    Ok(cases)
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let as_stream = case.place.pages == Pages::Base;
    let (content, kernels) = if as_stream {
        (Content::Constant, &KERNELS[..4])
    } else {
        (Content::Random, &KERNELS[..])
    };
    let compiled = |kernel| if kernel == "copy" { "copy_libc" } else { kernel };
    let jobs: Vec<Job> = kernels
        .iter()
        .map(|(kernel, like)| {
            let (code, compiled) = match as_stream {
                true => (Code::Specialised, compiled(kernel)),
                false => (Code::Like(like), *kernel),
            };
            let job = Job::bandwidth(compiled);
            let series = job.series.at(param::KERNEL, *kernel);
            Job { series, code, content, arrays: Some(ARRAYS), ..job }
        })
        .collect();
    let mut limits = Limits {
        sample: bench.depth.pick(5e-3, 10e-3, 40e-3),
        least: TURNS,
        ..bench.limits(bench.depth.pick(0.12, 0.3, 2.0))
    };
    if as_stream {
        limits = all_turns(limits);
    }
    placement_check::checked(case, bench, |bench| {
        let (cpus, free) = (&case.place.cpus, memory_kernels::free_for(bench, case));
        let mut bytes = place::bandwidth_bytes(bench.machine, cpus, free);
        if as_stream {
            bytes = place::within(bytes.max(LARGE / cpus.len().max(1) as u64), cpus.len(), free);
        }
        memory_kernels::measure_in(case, bench, &jobs, bytes, &limits, Sequence::Interleaved)
    })
}

/// STREAM's number of turns, however long they take.
fn all_turns(limits: Limits) -> Limits {
    Limits { budget: f64::INFINITY, least: TURNS, most: TURNS, ..limits }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::{clock::Monotonic, disturb::Watcher};
    use measure::timing;

    #[test]
    fn a_spent_budget_leaves_no_turn_out() {
        let spent = Limits { sample: 1e-6, target: 1.0, budget: 0.0, least: 1, most: 101 };
        let count = |limits: &Limits| {
            let mut work = |n: u64| _ = std::hint::black_box(n);
            let (clock, mut watcher) = (Monotonic::new(), Watcher::open());
            timing::time(&clock, &mut watcher, limits, &mut work, &mut || true).samples.len()
        };
        assert_eq!((count(&spent), count(&all_turns(spent))), (1, TURNS));
    }
}
