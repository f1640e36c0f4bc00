//! Records of the probes of latency over working sets.
use super::{Model, round};
use record::{Better, Buffer, Pages, Run, Unit, param};

impl Model {
    /// Bytes of the main CPU's caches for data, the first level first.
    fn cache_bytes(&self) -> Vec<f64> {
        let caches = self.machine.topology.data_caches(self.main_cpu());
        caches.iter().filter_map(|c| c.bytes).map(|b| b as f64).collect()
    }
    pub(super) fn load_latency(&mut self, pages: Pages, order: &str) -> Run {
        let (cpu, caches) = (self.main_cpu(), self.cache_bytes());
        let llc = caches[2];
        // Three sizes an octave, from 4 KiB to 16 times the last level.
        let last = ((16.0 * llc / 4096.0).log2() * 3.0).ceil() as i32;
        let sizes: Vec<u64> = (0..=last)
            .map(|i| (4096.0 * (f64::from(i) / 3.0).exp2() / 256.0) as u64 * 256)
            .collect();
        let mut all = vec![];
        for bytes in sizes {
            let tlb = if order == "random" && pages == Pages::Base { self.tlb(bytes) } else { 0.0 };
            let value = self.load(bytes as f64, &caches) + tlb;
            let mut s = self.series("load_to_use", Unit::Seconds, Better::Lower, value, 7);
            s.steps = 200_000;
            s.variant = Some("portable".into());
            s.frequency = Some(self.frequency);
            s.buffer = Some(Buffer {
                bytes,
                pages,
                base_page: 4096,
                huge_share: Some(if pages == Pages::Base { 0.0 } else { 1.0 }),
                nodes: self.machine.topology.node_of(cpu).map(|n| (n, 1.0)).into_iter().collect(),
                content: "random".into(),
                llc_ratio: Some(round(bytes as f64 / llc)),
            });
            all.push(s.at(param::WORKING_SET, bytes));
        }
        let pages_word = if pages == Pages::Base { "base" } else { "thp" };
        let params = [("pages", pages_word), ("order", order)];
        let mut run = self.run("load_latency", &params, self.one(), 4.0, all);
        run.case.place.pages = pages;
        run
    }

    /// One line in each of many pages, and as many packed densely; the hypervisor backs huge pages by small ones.
    pub(super) fn tlb_reach(&mut self, pages: &str) -> Run {
        let kind = if pages == "base" { Pages::Base } else { Pages::Thp };
        let most = if kind == Pages::Base { 34 } else { 22 };
        let mut all = vec![];
        for i in 0..most {
            let count = (8.0 * (f64::from(i) / 3.0).exp2()).round();
            let lines = if count <= 512.0 { self.loads[0] } else { self.loads[1] };
            let misses = if count > 96.0 { 1.5e-9 } else { 0.0 }
                + if count > 4096.0 { self.tlb_walk * (count / 3000.0).log2() } else { 0.0 };
            for (layout, value) in [("spread", lines + misses), ("dense", lines)] {
                let mut s = self.series("load_to_use", Unit::Seconds, Better::Lower, value, 6);
                s.steps = 100_000;
                s.frequency = Some(self.frequency);
                s.buffer = (i == 0).then(|| Buffer {
                    bytes: if kind == Pages::Base { 64 << 20 } else { 32 << 20 },
                    pages: kind,
                    base_page: 4096,
                    huge_share: Some(if kind == Pages::Base { 0.0 } else { 1.0 }),
                    content: "random".into(),
                    llc_ratio: Some(2.0),
                    ..Buffer::default()
                });
                all.push(s.at(param::PAGES_TOUCHED, count as u64).at(param::LAYOUT, layout));
            }
        }
        let mut run = self.run("tlb_reach", &[("pages", pages)], self.one(), 0.6, all);
        run.case.place.pages = kind;
        run
    }

    /// Every second power of two; each load is on another page than the last.
    pub(super) fn lat_mem_rd(&mut self) -> Run {
        let caches = self.cache_bytes();
        let mut all = vec![];
        for shift in (10..=26).step_by(2) {
            let bytes = 1u64 << shift;
            let pages = bytes as f64 / 4096.0;
            let misses = if pages > 96.0 { 1.5e-9 } else { 0.0 };
            let value = self.load(bytes as f64, &caches) + misses;
            let mut s = self.series("load_to_use", Unit::Seconds, Better::Lower, value, 5);
            s.steps = 100_000;
            s.frequency = Some(self.frequency);
            s.buffer = Some(Buffer {
                bytes,
                pages: Pages::Base,
                base_page: 4096,
                huge_share: Some(0.0),
                content: "random".into(),
                llc_ratio: Some(round(bytes as f64 / caches[2])),
                ..Buffer::default()
            });
            all.push(s.at(param::WORKING_SET, bytes));
        }
        let params = [("lineage", "intel"), ("size", "64"), ("stride", "64"), ("pages", "base")];
        self.run("lat_mem_rd", &params, self.one(), 9.5, all)
    }

    /// What a cache level serves falls off with the third power of the excess: between the square of random
    /// replacement and the cliff of true LRU.
    pub(super) fn load(&self, bytes: f64, caches: &[f64]) -> f64 {
        let mut time = 0.0;
        let mut left = 1.0;
        for (capacity, latency) in caches.iter().zip(self.loads) {
            let hits = (0.9 * capacity / bytes).powi(3).min(1.0);
            time += (hits - (1.0 - left)).max(0.0) * latency;
            left = (1.0 - hits).min(left);
        }
        time + left * self.loads[3]
    }

    /// First-level reach of 96 pages, second level of 4096.
    pub(super) fn tlb(&self, bytes: u64) -> f64 {
        let misses = |pages: f64| (1.0 - pages * 4096.0 / bytes as f64).max(0.0);
        misses(96.0) * 1.5e-9 + misses(4096.0) * (self.tlb_walk - 1.5e-9)
    }
}
