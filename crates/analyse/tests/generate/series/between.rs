//! Records of the probes of pairs of CPUs, of loaded memory and of nodes.
use super::{Model, huge, round};
use record::{Better, CpuSet, Metric, Pages, Run, Unit, param};

impl Model {
    /// Threads of one core, of one socket, of two sockets; one pair flips between two states.
    pub(super) fn core_to_core(&mut self) -> Run {
        let ids: Vec<u32> = self.machine.topology.usable().iter().collect();
        let mut all = vec![];
        for (i, from) in ids.iter().enumerate() {
            for to in &ids[i + 1..] {
                let (a, b) = (self.machine.topology.cpu(*from), self.machine.topology.cpu(*to));
                let (a, b) = (a.unwrap(), b.unwrap());
                let base = if a.siblings.contains(*to) {
                    9e-9
                } else if a.package == b.package {
                    26e-9
                } else {
                    118e-9
                };
                let mut s = self.series("round_trip", Unit::Seconds, Better::Lower, base, 7);
                if ids.len() > 2 && (*from, *to) == (0, 3) {
                    for sample in &mut s.samples[4..] {
                        *sample = round(*sample * 2.4);
                    }
                }
                all.push(s.at(param::FROM, *from).at(param::TO, *to));
            }
        }
        let cpus = self.machine.topology.usable();
        let mut run = self.run("core_to_core", &[("method", "cas")], cpus, 2.0, all);
        run.case.version = 2;
        self.guard(&mut run, "all");
        run
    }

    /// One core beside all others of its node, which read a tenth more at each level.
    pub(super) fn loaded_latency(&mut self) -> Run {
        let topology = &self.machine.topology;
        let node = topology.node_of(self.main_cpu());
        let cpus: CpuSet =
            topology.one_per_core().iter().filter(|c| topology.node_of(*c) == node).collect();
        let peak = self.all_cores - self.one_core * 0.2;
        let mut all = vec![];
        for level in 0..=10u64 {
            let used = level as f64 / 10.0;
            let seconds = self.loads[3] * (1.0 + 0.12 * used / (1.12 - used));
            let mut latency =
                self.series("loaded_latency", Unit::Seconds, Better::Lower, seconds, 7);
            latency.frequency = Some(self.frequency);
            latency.steps = 20_000;
            latency.buffer = Some(huge(node, 16.0));
            let rate = peak * used;
            let mut load = self.series("injected", Unit::BytesPerSecond, Better::Higher, rate, 7);
            load.variant = Some("avx512_4streams".into());
            load.disturbed.clone_from(&latency.disturbed);
            all.extend([latency.at(param::LEVEL, level), load.at(param::LEVEL, level)]);
        }
        let mut run = self.run("loaded_latency", &[("inject", "read")], cpus, 2.0, all);
        run.case.place.node = node;
        run.case.place.pages = Pages::Thp;
        self.guard(&mut run, "all");
        run
    }

    /// The memory of one node from all nodes: far memory takes a third longer and gives 60 % of the bandwidth.
    pub(super) fn numa_matrix(&mut self, to: u32) -> Run {
        let nodes: Vec<u32> = self.machine.topology.nodes.iter().map(|n| n.id).collect();
        let mut all = vec![];
        for metric in [Metric::IdleLatency, Metric::Bandwidth] {
            for from in &nodes {
                let near = *from == to;
                let mut s = if metric == Metric::IdleLatency {
                    let seconds = self.loads[3] * if near { 0.9 } else { 1.2 };
                    self.series(metric, Unit::Seconds, Better::Lower, seconds, 7)
                } else {
                    let rate = self.all_cores / 2.0 * if near { 1.0 } else { 0.6 };
                    self.series(metric, Unit::BytesPerSecond, Better::Higher, rate, 7)
                };
                s.steps = 9;
                s.frequency = (metric == Metric::IdleLatency).then_some(self.frequency);
                s.buffer = Some(huge(Some(to), 42.7));
                all.push(s.at(param::FROM, *from).at(param::TO, to));
            }
        }
        let cpus = self.machine.topology.one_per_core();
        let mut run = self.run("numa_matrix", &[], cpus, 1.5, all);
        run.case.params.insert("to".into(), to.into());
        run.case.place.node = Some(to);
        run.case.place.pages = Pages::Thp;
        self.guard(&mut run, "all");
        run
    }
}
