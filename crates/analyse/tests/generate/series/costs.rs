//! Records of the probes of pairs of threads and of memory management.
use super::{Model, round};
use record::{Better, CpuSet, Metric, Run, Series, Unit, param};

impl Model {
    /// Two threads of a core where there are some, and two cores; what others take is missing where two want to run.
    pub(super) fn smt_pairs(&mut self) -> Vec<Run> {
        let cores: Vec<u32> = self.machine.topology.one_per_core().iter().collect();
        let first = self.machine.topology.cpu(cores[0]).unwrap().siblings.clone();
        let siblings: Vec<u32> = first.iter().collect();
        let mut pairs = vec![];
        if let [a, b, ..] = siblings[..] {
            pairs.push(("siblings", a, b, 1.08));
        }
        pairs.push(("cores", cores[0], cores[1], 1.97 - self.busy));
        let mut runs = vec![];
        for (stated, a, b, gain) in pairs {
            let alone = 3.2 * self.frequency;
            let series = [("first", 1.0), ("second", 1.0), ("both", gain)].map(|(on, share)| {
                let rate = alone * share;
                self.series("additions", Unit::PerSecond, Better::Higher, rate, 7).at(param::ON, on)
            });
            let cpus = [a, b].into_iter().collect();
            let mut run = self.run("smt_pair", &[("stated", stated)], cpus, 0.2, series.into());
            run.case.params.insert("from".into(), a.into());
            run.case.params.insert("to".into(), b.into());
            runs.push(run);
        }
        runs
    }

    /// Faults, shootdowns, counters in a line, and a line flushed.
    pub(super) fn memory_management(&mut self) -> Vec<Run> {
        let lower = Better::Lower;
        let mut runs = vec![];
        for (mapping, per_fault, around) in [
            ("anonymous", 0.28e-6, 1.0),
            ("huge", 52e-6, 512.0),
            ("file", 0.61e-6, 16.0),
            ("private_write", 0.55e-6, 1.0),
        ] {
            let mut series = vec![
                self.series("time_per_fault", Unit::Seconds, lower, per_fault, 9),
                self.series("time_per_page", Unit::Seconds, lower, per_fault / around, 9),
            ];
            let mut pages = Series::new(Metric::PagesPerFault, Unit::Count, Better::Neither);
            pages.samples = vec![around; 9];
            series.push(pages);
            let params = [("mapping", mapping), ("threads", "one")];
            runs.push(self.run("page_fault", &params, self.one(), 0.15, series));
        }
        let mut series = vec![];
        for others in [0u64, 1] {
            for (call, seconds) in [("munmap", 0.7e-6), ("mprotect", 0.4e-6), ("madvise", 0.45e-6)]
            {
                let took = seconds + 2.9e-6 * others as f64;
                let s = self.series("time_per_call", Unit::Seconds, lower, took, 9);
                series.push(s.at(param::CALL, call).at(param::OTHERS, others));
            }
        }
        let two: CpuSet = [0, 1].into_iter().collect();
        let mut run = self.run("tlb_shootdown", &[], two.clone(), 0.5, series);
        run.case.params.insert("caller".into(), self.main_cpu().into());
        self.guard(&mut run, "all");
        runs.push(run);
        let layouts = [("own_line", 0.3e-9), ("same_line", 2.4e-9), ("one_atomic", 9.6e-9)];
        let series = layouts.map(|(layout, seconds)| {
            self.series("time_per_add", Unit::Seconds, lower, seconds, 9).at(param::LAYOUT, layout)
        });
        let mut run = self.run("false_sharing", &[], two, 0.4, series.into());
        run.case.params.insert("counters".into(), 2u64.into());
        self.guard(&mut run, "all");
        runs.push(run);
        let loops = [("as_written", 148e-9), ("fenced", 176e-9), ("flush", 52e-9)];
        let series = loops.map(|(name, seconds)| {
            let mut s = self.series("time_per_turn", Unit::Seconds, lower, seconds, 9);
            (s.variant, s.frequency) = (Some("clflush".into()), Some(round(self.frequency)));
            s.at(param::LOOP, name)
        });
        runs.push(self.run("memory_bound", &[], self.one(), 0.3, series.into()));
        runs
    }
}
