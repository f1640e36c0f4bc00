//! Records of the probes of bandwidth: mixes, caches, numbers of threads, contents, lmbench's loops.
use super::series::Model;
use record::{Better, Buffer, CpuSet, Run, Unit, param};

impl Model {
    /// One run of each.
    pub(crate) fn more_bandwidth(&mut self) -> Vec<Run> {
        let mut runs = vec![self.cache_bandwidth(), self.bandwidth_scaling()];
        for threads in ["one", "all"] {
            for (kernel, share) in [("mix_3_1", 0.93), ("mix_2_1", 0.9), ("mix_1_1", 0.86)] {
                let series = self.moved(share, threads, 8);
                let params = [("kernel", kernel), ("threads", threads)];
                let cpus = self.cpus(threads);
                let mut run = self.run("bandwidth", &params, cpus, 0.9, vec![series]);
                self.guard(&mut run, threads);
                runs.push(run);
            }
        }
        runs.push(self.lmbench_stream());
        runs.push(self.data_content());
        runs
    }

    /// Two lines a cycle in L1, one in L2, half of one in L3, and one core's share of memory.
    fn cache_bandwidth(&mut self) -> Run {
        let line = 64.0 * self.frequency;
        let memory = self.one_core;
        let sizes = (13..28).flat_map(|e| [1u64 << e, 3 << (e - 1)]);
        let series = sizes
            .map(|bytes| {
                let rate = match bytes >> 10 {
                    0..=32 => 2.0 * line,
                    33..=1024 => line,
                    1025..=16384 => line / 2.0,
                    _ => memory,
                };
                let mut s = self.series("bandwidth", Unit::BytesPerSecond, Better::Higher, rate, 7);
                s.frequency = Some(self.frequency);
                s.variant = Some("avx512".into());
                s.at(param::WORKING_SET, bytes)
            })
            .collect();
        let cpus = self.cpus("one");
        self.run("cache_bandwidth", &[("kernel", "read")], cpus, 1.2, series)
    }

    /// Each core adds its part until its node is used up; the other node doubles that, siblings add nothing.
    fn bandwidth_scaling(&mut self) -> Run {
        let all = self.cpus("all");
        let cores = all.len() as u64 / 2;
        let of_node = |n: u64, model: &Model| {
            ((n as f64 * model.one_core).powi(-8) + (model.all_cores / 2.0).powi(-8)).powf(-0.125)
        };
        let mut steps: Vec<(u64, &str)> =
            [1, 2, 3, 4, 6, 8].into_iter().filter(|n| *n < cores).map(|n| (n, "node")).collect();
        steps.extend([(cores, "node"), (2 * cores, "nodes"), (4 * cores, "smt")]);
        let series = steps
            .into_iter()
            .map(|(threads, across)| {
                let rate = match across {
                    "node" => of_node(threads, self),
                    _ => 2.0 * of_node(cores, self),
                };
                let mut s = self.series("bandwidth", Unit::BytesPerSecond, Better::Higher, rate, 8);
                s.variant = Some("avx512".into());
                s.at(param::THREADS, threads).at(param::ACROSS, across)
            })
            .collect();
        let mut run = self.run("bandwidth_scaling", &[("kernel", "read")], all, 4.0, series);
        self.guard(&mut run, "all");
        run
    }

    fn lmbench_stream(&mut self) -> Run {
        let mut series = vec![];
        for (kernel, counted, share) in [
            ("copy", 16.0, 1.0),
            ("scale", 16.0, 0.98),
            ("add", 24.0, 0.99),
            ("add_sum", 24.0, 1.9),
            ("triad", 24.0, 0.97),
        ] {
            let rate = share * self.one_core;
            let mut time =
                self.series("time_per_element", Unit::Seconds, Better::Lower, counted / rate, 5);
            time.frequency = Some(self.frequency);
            let mut moved = time.clone();
            (moved.metric, moved.unit) = ("bandwidth".into(), Unit::BytesPerSecond);
            moved.better = Better::Higher;
            moved.samples.iter_mut().for_each(|s| *s = (counted / *s).round());
            series.extend([time.at(param::KERNEL, kernel), moved.at(param::KERNEL, kernel)]);
        }
        let cpus = self.cpus("one");
        self.run("lmbench_stream", &[("lineage", "intel")], cpus, 1.6, series)
    }

    fn data_content(&mut self) -> Run {
        let mut series = vec![];
        for (kernel, random, zero) in
            [("read", 1.0, 1.0), ("write", 0.8, 0.95), ("write_nt", 1.0, 2.1)]
        {
            for (content, share) in [("random", random), ("zero", zero)] {
                let mut s = self.moved(share, "one", 7);
                s.buffer = s.buffer.map(|b| Buffer { content: content.into(), ..b });
                series.push(s.at(param::KERNEL, kernel).at(param::CONTENT, content));
            }
        }
        let cpus: CpuSet = self.cpus("one");
        self.run("data_content", &[], cpus, 1.2, series)
    }
}
