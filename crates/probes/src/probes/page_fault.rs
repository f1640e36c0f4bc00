//! Minor page fault cost: the first touch of a page.
//!
//! Method: a new mapping for every sample, touched once per page by a pinned thread; mapping and unmapping are not
//! timed. `anonymous`: base pages, written, so the kernel zeroes each. `huge`: THP, one write each. `file`: a file in
//! memory, read; one fault maps the pages around it too. `private_write`: the same file mapped privately and written,
//! so each page is copied. getrusage counts the faults. One thread, from standard depth on also one per CPU, each with
//! its own mapping in the same address space.
//! Limits: pages that the kernel has free; under memory pressure a fault costs far more. In a guest the hypervisor may
//! have to provide memory once.
use crate::prelude::*;
use host::{
    filemap::{MemoryFile, View},
    pages, usage,
};
use kernels::Arena;
use measure::threads::per_thread::{self, Repetition, ThreadWork};
use record::Buffer;

/// Seconds per fault, by what is mapped.
pub static PROBE: Probe = Probe {
    visits: 3,
    refuses,
    ..Probe::new(250, 1, "Minor page fault: first touch of a page", cases, run)
};

const KINDS: [&str; 4] = ["anonymous", "huge", "file", "private_write"];
/// Bytes of a mapping on base pages, and of one on huge pages.
const BASE_BYTES: usize = 2 << 20;
const HUGE_BYTES: usize = 8 << 20;
/// With less of a mapping on huge pages its faults are a mixture.
const MOSTLY_HUGE: f64 = 0.9;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let mut cases = vec![];
    for (threads, cpus) in placement_check::thread_counts(setting) {
        if threads == "all" && setting.depth == Depth::Quick && !setting.every_variant() {
            continue;
        }
        for kind in KINDS {
            let params = [param::MAPPING.set(kind), param::ONE_OR_ALL.set(threads)];
            let pages = if kind == "huge" { Pages::Thp } else { Pages::Base };
            let case = setting.case(cpus.clone(), &params, setting.depth.pick(0.08, 0.2, 0.7));
            cases.push(place::on_pages(pages, case));
        }
    }
    Ok(cases)
}

fn refuses(case: &Case, machine: &Machine) -> Option<Reason> {
    place::no_huge_pages(machine).filter(|_| case.place.pages == Pages::Thp)
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    placement_check::checked(case, bench, |bench| faults(case, bench))
}

fn faults(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let cpus: Vec<u32> = case.place.cpus.iter().collect();
    let kind = case.get(param::MAPPING).unwrap_or_default();
    let base = pages::base_page() as usize;
    let stride = if kind == "huge" { pages::huge_page()? as usize } else { base };
    let wanted = if kind == "huge" { HUGE_BYTES.max(stride) } else { BASE_BYTES };
    let free = pages::free_on_node(None);
    let bytes = place::within(wanted as u64, cpus.len(), free) as usize / stride * stride;
    if bytes == 0 {
        return Err(Reason::mended_by(
            "there is too little free memory to fault in",
            "free some memory, or raise the cgroup's memory limit",
        ));
    }
    let file = match kind {
        "file" | "private_write" => Some(MemoryFile::new(bytes)?),
        _ => None,
    };
    let mut buffer = probed(kind, bytes, base)?;
    buffer.bytes = (bytes * cpus.len()) as u64;
    let limits = bench.limits(bench.depth.pick(0.08, 0.2, 0.6));
    let repetition = Repetition { limits, steps: Some((bytes / base) as u64), faults: true };
    let made = per_thread::measure(&cpus, bench, &repetition, |_| {
        let fresh =
            Fresh { kind: kind.to_owned(), bytes, stride, file: file.as_ref(), ..Fresh::default() };
        fresh.map().map(|mapping| Fresh { mapping: Some(mapping), ..fresh })
    })?;
    let timed = made.timed;
    // A sample in which nothing faulted is none of faults.
    if made.values.len() != timed.samples.len() {
        return Err(Reason::mended_by(
            "pages were touched for the first time, and no page fault was counted",
            "run where the kernel counts a thread's page faults: a sandbox such as gVisor does not",
        ));
    }
    let per_page = Series::new(Metric::TimePerPage, Unit::Seconds, Better::Lower);
    let mut per_fault = Series::new(Metric::TimePerFault, Unit::Seconds, Better::Lower);
    per_fault.samples = timed.samples.iter().zip(&made.values).map(|(t, n)| t * n).collect();
    let mut around = Series::new(Metric::PagesPerFault, Unit::Count, Better::Neither);
    around.samples = made.values;
    let per_page = Series { samples: timed.samples, ..per_page };
    let common = |series: Series| Series {
        disturbed: timed.marks.clone(),
        steps: timed.steps,
        buffer: Some(buffer.clone()),
        ..series
    };
    Ok([per_fault, per_page, around].map(common).into())
}

/// The kind of pages that a mapping of this kind really has.
fn probed(kind: &str, bytes: usize, base: usize) -> Result<Buffer, Reason> {
    let pages = if kind == "huge" { Pages::Thp } else { Pages::Base };
    let buffer = Buffer { pages, base_page: base as u64, ..Buffer::default() };
    if kind != "anonymous" && kind != "huge" {
        return Ok(Buffer { content: "pattern".into(), ..buffer });
    }
    let mut arena = pages::map(&pages::Request { bytes, pages, node: None })?;
    touch(&mut arena, base);
    let found = pages::verify(&arena);
    if kind == "huge" && found.huge_share.is_some_and(|share| share < MOSTLY_HUGE) {
        return Err(Reason::mended_by(
            "the kernel gave no transparent huge pages",
            "free memory, or compact it: echo 1 > /proc/sys/vm/compact_memory",
        ));
    }
    let (huge_share, content) = (found.huge_share, "zero".into());
    Ok(Buffer { huge_share, nodes: found.nodes, content, ..buffer })
}

fn touch(arena: &mut Arena, stride: usize) {
    for line in arena.lines_mut().iter_mut().step_by(stride / Line::BYTES) {
        line.0[0] = 1;
        std::hint::black_box(&line);
    }
}

enum Mapping {
    Arena(Arena),
    View(View),
}

/// A thread and its mapping, a fresh one for every sample.
#[derive(Default)]
struct Fresh<'a> {
    kind: String,
    bytes: usize,
    stride: usize,
    file: Option<&'a MemoryFile>,
    mapping: Option<Mapping>,
    faults: u64,
}

impl Fresh<'_> {
    fn map(&self) -> Result<Mapping, Reason> {
        let arena = |pages| pages::map(&pages::Request { bytes: self.bytes, pages, node: None });
        match (self.kind.as_str(), self.file) {
            ("anonymous", _) => arena(Pages::Base).map(Mapping::Arena),
            ("huge", _) => arena(Pages::Thp).map(Mapping::Arena),
            ("file", Some(file)) => file.shared().map(Mapping::View),
            ("private_write", Some(file)) => file.private().map(Mapping::View),
            (kind, _) => Err(Reason::new(format!("there is no mapping called {kind}"))),
        }
    }
}

impl ThreadWork for Fresh<'_> {
    fn prepare(&mut self, _: u64) {
        self.mapping = None;
        self.mapping = self.map().ok();
        self.faults = usage::thread().minor_faults;
    }
    fn work(&mut self, pages: u64) -> u64 {
        match &mut self.mapping {
            Some(Mapping::Arena(arena)) => touch(arena, self.stride),
            Some(Mapping::View(view)) => drop(view.touch_each(self.stride)),
            None => return 0,
        }
        pages
    }
    /// Base pages for each fault; nothing if there was none.
    fn after(&mut self) -> Option<f64> {
        self.mapping.as_ref()?;
        let faults = usage::thread().minor_faults - self.faults;
        let pages = (self.bytes / pages::base_page() as usize) as f64;
        (faults > 0).then(|| pages / faults as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Faults are what is counted, so a mapping must really be fresh every time.
    #[test]
    fn every_sample_faults_anew() {
        let base = pages::base_page() as usize;
        let file = MemoryFile::new(64 * base).unwrap();
        for kind in ["anonymous", "file", "private_write"] {
            let mut fresh = Fresh {
                kind: kind.into(),
                bytes: 64 * base,
                stride: base,
                file: Some(&file),
                ..Fresh::default()
            };
            for _ in 0..3 {
                fresh.prepare(64);
                assert_eq!(fresh.work(64), 64, "{kind}");
                let around = fresh.after().unwrap();
                let most = if kind == "file" { 64.0 } else { 1.0 };
                assert!(around > 0.0 && around <= most, "{kind}: {around} pages per fault");
            }
            // What is there faults no more; now and then the kernel takes a page away by itself.
            let quiet = (0..20).any(|_| {
                fresh.faults = usage::thread().minor_faults;
                fresh.work(64);
                fresh.after().is_none()
            });
            assert!(quiet, "{kind}: pages that are there fault");
        }
    }

    #[test]
    fn an_unknown_mapping_is_a_reason() {
        let fresh = Fresh { kind: "hugest".into(), bytes: 4096, ..Fresh::default() };
        assert!(fresh.map().is_err());
    }
}
