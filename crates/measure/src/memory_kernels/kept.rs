//! Buffers that one visit leaves to the next, of another kernel in the same place: mapping and filling them takes longer than
//! measuring. A case never gets the buffers of its own earlier visit.
use kernels::Arena;
use record::{Buffer, Case, Placement, ProbeId};

/// The visits that may have the same buffers: those of one probe in one place, in one round.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Key(ProbeId, Placement, usize);

impl Key {
    /// That of a visit of this case.
    pub(crate) fn new(case: &Case, visit: usize) -> Key {
        Key(case.probe, case.place.clone(), visit)
    }
}

/// Each thread's buffers of the last visit.
#[derive(Debug, Default)]
pub struct Kept(Option<(Key, Vec<Vec<Filled>>)>);

/// A buffer.
#[derive(Debug)]
pub(crate) struct Filled {
    pub(crate) arena: Arena,
    pub(crate) buffer: Buffer,
    /// Whether a kernel has stored anything but copies of the random words.
    pub(crate) overwritten: bool,
}

impl Kept {
    /// Frees buffers that a visit of this case must not have.
    pub(crate) fn free_others(&mut self, case: &Case, visit: usize) {
        self.0.take_if(|(key, _)| *key != Key::new(case, visit));
    }
    /// Takes the buffers that a visit of this case may have, by threads; none if there are none.
    pub(crate) fn take(&mut self, case: &Case, visit: usize) -> Vec<Vec<Filled>> {
        self.free_others(case, visit);
        self.0.take().map_or_else(Vec::new, |(_, buffers)| buffers)
    }
    /// Leaves buffers to the next visit.
    pub(crate) fn keep(&mut self, case: &Case, visit: usize, buffers: Vec<Vec<Filled>>) {
        self.0 = Some((Key::new(case, visit), buffers));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bench::Bench, memory_kernels, probe::Depth, probe::Setting, threads};
    use record::{Cache, CacheKind, Machine};

    /// Address, last word and note of the buffer that a visit leaves, and the number of buffers.
    fn left(bench: &Bench<'_>) -> (usize, u64, bool) {
        let (_, threads) = bench.kept.0.as_ref().unwrap();
        let [buffers] = &threads[..] else { panic!("{} threads", threads.len()) };
        let [Filled { arena, overwritten, .. }] = &buffers[..] else { panic!("{}", buffers.len()) };
        let last = arena.lines().last().unwrap();
        (arena.lines().as_ptr() as usize, last.0[7], *overwritten)
    }

    #[test]
    fn visits_of_one_place_have_one_buffer_with_its_words() {
        let mut machine = Machine::default();
        threads::tests::with_bench(|bench, cpus| {
            let cpu = cpus.first().unwrap();
            let all: record::CpuSet = [cpu].into_iter().collect();
            let (kind, bytes) = (CacheKind::Unified, Some(1 << 20));
            let cache = Cache { level: 2, kind, bytes, line: None, ways: None, cpus: all.clone() };
            machine.topology.caches.push(cache);
            let setting = Setting::new(&machine, all, Depth::Quick);
            let case = setting.single(&[], 0.0);
            let mut bench = Bench {
                machine: &machine,
                ..Bench::new(bench.clock, bench.machine, bench.features, bench.cancel, bench.tick)
            };
            let mut after = |kernel: &str, visit: usize| {
                bench.visit = visit;
                let job = [memory_kernels::Job::named(kernel).unwrap()];
                let all = memory_kernels::measure(&case, &mut bench, &job, 1e-3).unwrap();
                assert!(all.len() == 1 && all[0].samples.len() >= 3, "{kernel}: {all:?}");
                left(&bench)
            };
            let (at, word, overwritten) = after("read", 0);
            assert!(!overwritten);
            assert_eq!(after("copy", 0), (at, word, false));
            let written = after("write", 0);
            assert!(written.0 == at && written.1 != word && written.2);
            assert_eq!(after("read", 0), (at, word, false), "it is filled again");
            bench.kept.free_others(&case, 0);
            assert!(bench.kept.0.is_some());
            bench.kept.free_others(&case, 1);
            assert!(bench.kept.0.is_none(), "a case never gets its own buffer");
        });
    }
}
