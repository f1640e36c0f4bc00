//! Evidence of workloads: counted runs, UnixBench's tests, scaling runs against each other.
use super::Evidence;
use crate::bandwidth_scalings::BandwidthScaling;
use crate::curves::{Curve, Served};
use crate::drift::Drift;
use crate::estimate::Estimate;
use crate::judgement::{self, Watched};
use crate::loaded::Loaded;
use crate::loaded_frequencies::{Held, LoadedFrequency};
use crate::program::{self, Limiter, Program, Target};
use crate::say;
use crate::scaling_runs::{self, Gain, Known, ScalingRun};
use crate::shared_core::{SharedCore, SharedRun};
use crate::unixbench::{UnixBench, UnixBenchResult};
use crate::words::worded;
use crate::{explain, tlb, words};
use benchmarks::quantities::footprints::{self, Footprint};
use benchmarks::quantities::{Basis, copies};
use record::{Between, Message, Metric, OrWhy, Pages, ProbeId, Reason, Text, param};
use stats::Interval;

/// Working sets of at least this share of the largest are nearly as large: the last two of a curve.
const LARGEST: f64 = 0.9;

/// A random load on huge pages beside one that misses no TLB.
pub(crate) struct Translation {
    /// Seconds of it.
    pub(crate) seconds: f64,
    /// The low end of its interval, in seconds.
    pub(crate) least: f64,
    /// Seconds of the one that misses no TLB.
    pub(crate) spared: f64,
    /// The working set in bytes where they are of one; of the flat stretches none.
    pub(crate) over: Option<f64>,
}

impl Translation {
    /// The share of the load that translation takes, at most.
    pub(crate) fn share(&self) -> f64 {
        1.0 - self.spared / self.seconds
    }
}

impl<'a> Evidence<'a> {
    /// A workload that does more unbound than bound to single CPUs, beyond noise; nothing where none is known to.
    pub(crate) fn unbound_is_faster(&self) -> Option<String> {
        self.all_scaling_runs().iter().find_map(|l| {
            let found = l.unpinned.last()?.found.as_ref().ok()?;
            scaling_runs::helps(found).then(|| {
                self.note(say::workload_unpinned(&l.workload, scaling_runs::times(found)));
                l.workload.clone()
            })
        })
    }
    /// What sibling threads are worth on each scaling run, as far as it is known: each ratio is of the step with them over the same
    /// cores without.
    ///
    /// # Errors
    /// No scaling run was done, none with sibling threads, or noise hides what they are worth.
    pub(crate) fn sibling_gains(&self) -> Result<Vec<Known<'_>>, Reason> {
        let runs = self.scaling_runs()?;
        let gains = runs.iter().flat_map(|l| l.siblings.iter().map(move |g| (*l, g)));
        let none = (say::WHY_NO_SIBLINGS, say::DO_SIBLINGS);
        let gains: Vec<_> = gains.collect();
        // Without siblings there is nothing that they could be worth.
        let no_siblings = || {
            let (cores, cpus) = (self.cores(), self.online_cpus());
            self.hypervisor().is_none() && cores.is_ok_and(|n| cpus.is_ok_and(|cpus| cpus == n))
        };
        if gains.is_empty() && no_siblings() {
            return Ok(vec![]);
        }
        let gains = gains.into_iter();
        self.gains(gains, none, |g, ratio| say::does_what(&g.step, ratio, &g.with))
    }
    /// What each scaling run's largest step does when the scheduler places its copies, over the same with a CPU for each.
    ///
    /// # Errors
    /// No scaling run was done, none in both ways, or noise hides which is faster.
    pub(crate) fn unpinned_gains(&self) -> Result<Vec<Known<'_>>, Reason> {
        let runs = self.scaling_runs()?;
        let gains = runs.iter().filter_map(|l| l.unpinned.last().map(|g| (*l, g)));
        let none = (
            say::WHY_NO_BOTH_WAYS,
            Message::verbatim("cpulens scale --policy one-to-one,unpinned"),
        );
        self.gains(gains, none, |g, ratio| say::unpinned_on(ratio, &g.step))
    }
    /// Those that are known, each noted; where there is none, why, and what would let there be one.
    fn gains<'e>(
        &self,
        gains: impl Iterator<Item = (&'e ScalingRun, &'e Gain)>,
        (why, remedy): (Message, Message),
        says: impl Fn(&Gain, Text) -> Text,
    ) -> Result<Vec<Known<'e>>, Reason> {
        let none = || Reason::mended_by(why, remedy);
        let gains = scaling_runs::known(gains).map_err(|why| why.unwrap_or_else(none))?;
        for (scaling_run, gain, found) in &gains {
            let says = [Text::from(&scaling_run.workload), says(gain, scaling_runs::times(found))];
            let says = Text::list(says, Between::Colon);
            self.note(match scaling_runs::by_ipc(gain) {
                Some(by) => say::gain_and_ipc(says, by),
                None => says,
            });
        }
        Ok(gains)
    }
    /// Programs that were counted: runs of `stat` among the record's.
    ///
    /// # Errors
    /// None was.
    pub(crate) fn programs(&self) -> Result<Vec<Program<'a>>, Reason> {
        let record = self.seen.record;
        let own =
            record.runs.iter().filter(|r| r.origin.is_none() && r.case.probe == ProbeId::Stat);
        let all: Vec<Program<'a>> =
            own.filter_map(|r| program::program(r, &record.machine)).collect();
        if all.is_empty() {
            return Err(Reason::mended_by(
                say::WHY_NO_PROGRAM,
                "cpulens stat --format json -o run.json -- COMMAND, then cpulens diagnose RECORD --workload run.json",
            ));
        }
        for p in &all {
            if p.limiter.limiter != Limiter::Unknown {
                self.note(say::counted_run(p.limiter.limiter.name()));
            }
        }
        Ok(all)
    }
    /// The frequency by kind of instruction, by CPUs at work and over time.
    ///
    /// # Errors
    /// It was not measured.
    pub(crate) fn frequencies_under_load(&self) -> Result<&'a [LoadedFrequency], Reason> {
        let found = self.seen.get::<Vec<LoadedFrequency>>();
        match found.is_empty() {
            true => Err(self.seen.why_not(ProbeId::LoadedFrequency)),
            false => Ok(found),
        }
    }
    /// The estimate behind a frequency under load, noted.
    pub(crate) fn held(&self, class: &str, held: &Held) -> Option<&'a Estimate> {
        let e = self.seen.estimates.get(held.estimate)?;
        let frequency = worded(e.median, e.unit);
        self.note(format!("frequency = {frequency} ({class}, {} at {})", e.case, held.at));
        Some(e)
    }
    /// UnixBench's tests.
    ///
    /// # Errors
    /// None was run.
    pub(crate) fn unixbench(&self) -> Result<&UnixBench, Reason> {
        if let Some(own) = &self.seen.get::<UnixBenchResult>().0 {
            return Ok(own);
        }
        let others = self.unixbench.get_or_init(|| copies::unixbench(self.seen)).as_ref();
        others.map(|found| self.graded(found)).or_why(say::WHY_NO_UNIXBENCH, "cpulens unixbench")
    }
    /// Where a load begins to cost half as much again while others read, in bytes per second; nothing where it was not
    /// measured, or never does.
    pub(crate) fn knee(&self) -> Option<f64> {
        let knee = self.seen.get::<Vec<Loaded>>().iter().find(|l| l.inject == "read")?.knee?;
        self.note(say::knee(words::rate(knee)));
        Some(knee)
    }
    /// Cores of a node that bandwidth was measured with at most, with this kernel.
    pub(crate) fn widest(&self, kernel: &str) -> Option<usize> {
        let all = self.seen.get::<Vec<BandwidthScaling>>();
        let points = &all.iter().find(|s| s.kernel == kernel)?.points;
        points.iter().filter(|p| p.across == "node").map(|p| p.threads).max()
    }
    /// The drift of the machine during the run, by its reference sample.
    ///
    /// # Errors
    /// The reference sample was taken too seldom.
    pub(crate) fn drift(&self) -> Result<&'a Drift, Reason> {
        let found = self.seen.get::<Option<Drift>>().as_ref().ok_or_else(|| {
            self.elsewhere(Reason::mended_by(say::WHY_FEW_REFERENCE_SAMPLES, say::DO_MORE_THAN_ONE))
        })?;
        let each = found.sampled();
        let each = each.map(|m| say::moved_by(m.resource.name(), words::percent(m.range)));
        let samples = words::count(found.samples, "reference sample");
        self.note(say::moved(samples, Text::list(each, Between::Comma)));
        Ok(found)
    }
    /// The part of the core that another thread took during the run, by the reference samples.
    ///
    /// # Errors
    /// They did not watch it.
    pub(crate) fn shared_run(&self) -> Result<&'a SharedRun, Reason> {
        let found = self.seen.get::<Option<SharedCore>>().as_ref();
        let run = found
            .and_then(|found| found.run.as_ref())
            .or_why(say::WHY_NO_OPERATIONS, "cpulens run")?;
        self.note(say::additions(
            words::number(run.delivered),
            words::number(run.can),
            words::count(run.windows, "window"),
            words::percent(run.share),
        ));
        Ok(run)
    }
    /// Seconds of a random load from memory on base pages and on transparent huge ones, each the least and the most of its
    /// flat stretch, or of the largest working sets where it still rises there.
    ///
    /// # Errors
    /// Why one of them is not known.
    pub(crate) fn by_page(&self) -> Result<[(f64, f64); 2], Reason> {
        let of = |pages: Pages, name: Message| -> Result<(f64, f64), Reason> {
            let curve = self.random_loads(pages, name)?;
            if let Some(largest) = curve.largest_working_set() {
                let near = curve.points.iter().filter(|p| p.bytes >= LARGEST * largest.bytes);
                let near: Vec<f64> = near.map(|p| p.seconds).collect();
                let (size, load) = (words::bytes(largest.bytes), words::time(largest.seconds));
                self.note(say::load_over(size, load, name));
                let ends =
                    |pick: fn(f64, f64) -> f64| near.iter().copied().fold(largest.seconds, pick);
                return Ok((ends(f64::min), ends(f64::max)));
            }
            let level = curve.level("memory");
            let flat = level.ok_or_else(|| self.seen.why_not(ProbeId::LoadLatency))?;
            let flat = flat.map_err(Clone::clone)?;
            self.note(say::load_from_memory(words::time(flat.seconds), name));
            let half = flat.seconds * flat.spread / 2.0;
            Ok((flat.seconds - half, flat.seconds + half))
        };
        Ok([of(Pages::Base, say::BASE_PAGES)?, of(Pages::Thp, say::HUGE_PAGES)?])
    }
    /// A random load on huge pages and one that misses no TLB: of the flat stretches in memory, which the figures are of, or over the
    /// largest working set of both where one of them still rises.
    ///
    /// # Errors
    /// Why one of them is not known.
    pub(crate) fn translation_on_huge_pages(&self) -> Result<Translation, Reason> {
        let huge = self.random_loads(Pages::Thp, say::HUGE_PAGES)?;
        let spared = Curve::of(self.seen, "grouped", Pages::Base);
        let spared = spared.ok_or_else(|| self.seen.why_not(ProbeId::LoadLatency))?;
        let least = |seconds: f64, interval: Option<Interval>| interval.map_or(seconds, |i| i.low);
        if let Some((huge, spared)) = huge.plateau("memory").zip(spared.plateau("memory")) {
            let [load, none] = [huge, spared].map(|flat| words::time(flat.seconds));
            self.note(say::load_memory_both_orders(load, none));
            return Ok(Translation {
                seconds: huge.seconds,
                least: least(huge.seconds, huge.interval),
                spared: spared.seconds,
                over: None,
            });
        }
        let mut in_memory = huge.points.iter().rev().filter(|p| p.served == Some(Served::Memory));
        let (huge, spared) = in_memory
            .find_map(|h| Some((h, spared.points.iter().find(|s| s.bytes == h.bytes)?)))
            .or_why(say::NO_WORKING_SET_BOTH, say::DO_FREE_MEMORY)?;
        let [load, none] = [huge, spared].map(|point| words::time(point.seconds));
        let size = words::bytes(huge.bytes);
        self.note(say::load_both_orders(size, load, none));
        Ok(Translation {
            seconds: huge.seconds,
            least: least(huge.seconds, huge.interval),
            spared: spared.seconds,
            over: Some(huge.bytes),
        })
    }
    /// The curve of random loads on these pages, of which the kernel gave enough.
    fn random_loads(&self, pages: Pages, name: Message) -> Result<&'a Curve, Reason> {
        let curves = self.curves();
        let huge = |c: &&Curve| {
            pages == Pages::Base || c.huge_share.is_none_or(|share| share >= tlb::MOSTLY_HUGE)
        };
        let curve = curves.iter().filter(|c| c.order == "random" && c.pages == pages).find(huge);
        curve.ok_or_else(|| {
            let none = curves.iter().all(|c| c.pages != pages);
            match none {
                true => self.seen.why_not(ProbeId::LoadLatency),
                false => Reason::mended_by(say::no_such_pages(name), say::DO_FREE_OR_MADVISE),
            }
        })
    }
    /// Buffers of tests of memory.
    ///
    /// # Errors
    /// None of them was measured, or the size of the cache is not known.
    pub(crate) fn footprints(&self) -> Result<Vec<Footprint<'a>>, Reason> {
        let record = self.seen.record;
        let all = footprints::footprints(record);
        let least = all
            .iter()
            .map(|f| f.over_cache)
            .reduce(f64::min)
            .or_why(say::WHY_NO_MEMORY_TEST, "cpulens run --only bandwidth")?;
        let others = all.iter().filter(|f| f.run.origin.is_some());
        others.for_each(|f| self.rests_on(Basis::of(record, f.run)));
        self.note(say::smallest_buffer(words::number(least)));
        Ok(all)
    }
    /// The first run whose counters are of others too, of those that have some: what it is, and why.
    ///
    /// # Errors
    /// No run has counters of a program.
    pub(crate) fn counts_of_others(&self) -> Result<Option<(String, Text)>, Reason> {
        let record = self.seen.record;
        let mut any = false;
        for run in
            record.runs.iter().filter(|r| matches!(r.case.probe, ProbeId::Stat | ProbeId::PerfStat))
        {
            let program = program::program(run, &record.machine);
            // Whose counts they are is not said: that forbids their use, and accuses nobody.
            if run.case.get(param::SCOPE) == Some("unknown") {
                continue;
            }
            // A request for CPUs is kept, with a note.
            if program.as_ref().is_some_and(|p| p.target == Target::Cpus) {
                continue;
            }
            match explain::own_counts(record, run, program.as_ref()) {
                Ok(true) => any = true,
                Ok(false) => {}
                Err(why) => {
                    self.note(say::counters_of(run.case.label()));
                    return Ok(Some((run.case.label(), why)));
                }
            }
        }
        if any {
            self.note(say::COUNTERS_FIT);
            return Ok(None);
        }
        Err(Reason::mended_by(
            say::WHY_NO_COUNTERS,
            "cpulens stat --format json -o run.json -- COMMAND, then cpulens diagnose RECORD --workload run.json",
        ))
    }
    /// What other programs used of all CPUs, the least and the most, and when: before and after the run, or on average while
    /// cases ran, whichever is more.
    ///
    /// # Errors
    /// Nobody looked.
    pub(crate) fn others(&self) -> Result<(f64, f64, Watched), Reason> {
        let before = self.seen.one(ProbeId::Preflight, Metric::Busy, []).map(Estimate::ends);
        let during = judgement::during(self.seen, "contention.busy");
        let ((low, high), watched) = match (before, during) {
            (Ok(before), Some(mean)) if before.0 < mean => ((mean, mean), Watched::WhileCasesRan),
            (Ok(before), _) => (before, Watched::BeforeAndAfter),
            (Err(_), Some(mean)) => ((mean, mean), Watched::WhileCasesRan),
            (Err(why), None) => return Err(why),
        };
        self.note(say::others(words::percent(low), words::percent(high), watched.name()));
        Ok((low, high, watched))
    }
}
