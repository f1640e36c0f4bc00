//! Records of probes on a modelled machine.
mod between;
mod costs;
mod latency;

use record::{
    Better, Buffer, Case, CpuSet, Disturbed, Machine, Metric, Outcome, Pages, Placement,
    Provenance, Reading, Record, ReferenceSample, Run, SCHEMA, Series, Thread, Unit, Value, param,
};
use stats::rng::Rng;

/// A machine and how it behaves while it is measured.
pub(crate) struct Model {
    machine: Machine,
    rng: Rng,
    seed: u64,
    /// Core frequency in hertz.
    pub(crate) frequency: f64,
    /// Seconds per load in L1, L2, L3 and memory.
    pub(crate) loads: [f64; 4],
    /// Seconds that a page walk adds to a memory access on base pages.
    pub(crate) tlb_walk: f64,
    /// Bytes per second that one core reads, and all of them together.
    pub(crate) one_core: f64,
    pub(crate) all_cores: f64,
    /// Whether the probes of bandwidth beyond the plainest ran, too.
    pub(crate) more: bool,
    /// Relative standard deviation of a sample.
    pub(crate) noise: f64,
    /// Relative change of the frequency from the first sample of the reference sample to the last.
    pub(crate) frequency_drift: f64,
    /// Every so many samples one was disturbed; 0 for never.
    pub(crate) marked_every: usize,
    pub(crate) busy: f64,
    pub(crate) steal: f64,
    pub(crate) runnable: f64,
}

impl Model {
    pub(crate) fn new(machine: Machine, seed: u64) -> Model {
        Model {
            machine,
            rng: Rng::new(seed),
            seed,
            frequency: 4.5e9,
            loads: [4.0 / 4.5e9, 14.0 / 4.5e9, 10.3e-9, 132e-9],
            tlb_walk: 24e-9,
            one_core: 41e9,
            all_cores: 56e9,
            more: false,
            noise: 0.004,
            frequency_drift: 0.0,
            marked_every: 0,
            busy: 0.004,
            steal: 0.0,
            runnable: 0.0,
        }
    }

    /// Runs every probe of the plan.
    pub(crate) fn record(mut self) -> Record {
        let mut runs =
            vec![self.preflight(), self.instrument(), self.core_frequency(), self.core_rate()];
        for (pages, order) in
            [(Pages::Base, "random"), (Pages::Thp, "random"), (Pages::Base, "grouped")]
        {
            runs.push(self.load_latency(pages, order));
        }
        // These probes have many series: in two small records they are enough.
        if self.marked_every == 0 && self.machine.topology.sockets() == 1 {
            runs.extend(["base", "thp"].map(|pages| self.tlb_reach(pages)));
            runs.push(self.lat_mem_rd());
        }
        for threads in ["one", "all"] {
            runs.extend(["read", "write", "write_nt", "copy"].map(|k| self.bandwidth(k, threads)));
            runs.push(self.stream(threads));
        }
        runs.push(self.core_to_core());
        if self.more {
            runs.extend(self.more_bandwidth());
        }
        runs.push(self.loaded_latency());
        let nodes = self.machine.topology.nodes.len() as u32;
        runs.extend((0..nodes).filter(|_| nodes > 1).map(|to| self.numa_matrix(to)));
        runs.extend(self.smt_pairs());
        runs.extend(self.memory_management());
        let words = ["cpulens", "run", "--depth", "quick"].map(String::from).into();
        self.finished(runs, words)
    }

    /// These runs one after another, with the reference sample between them.
    pub(super) fn finished(mut self, mut runs: Vec<Run>, command: Vec<String>) -> Record {
        let mut began = 0.5;
        for run in &mut runs {
            (run.began, run.took) = (round(began), run.case.estimate);
            began += run.took + 0.05;
        }
        let samples = runs.len();
        let reference_samples =
            (0..samples).map(|i| self.sample(i, samples, runs[i].began)).collect();
        Record {
            schema: SCHEMA,
            provenance: Provenance {
                tool: "cpulens".into(),
                version: "0.1.0".into(),
                compiler: Some("rustc 1.95.0".into()),
                target: Some("x86_64-unknown-linux-gnu".into()),
                command,
                depth: Some("quick".into()),
                seed: self.seed,
                started: Some("2025-11-01T12:00:00Z".into()),
                took: round(began),
                ..Provenance::default()
            },
            machine: self.machine,
            judgement: None,
            runs,
            reference_samples,
        }
    }

    fn main_cpu(&self) -> u32 {
        1
    }

    fn noisy(&mut self, value: f64) -> f64 {
        let noise = self.noise;
        round(value * (1.0 + noise * self.rng.normal()).max(0.2))
    }

    pub(super) fn series(
        &mut self,
        metric: impl Into<Metric>,
        unit: Unit,
        better: Better,
        value: f64,
        n: usize,
    ) -> Series {
        let mut series = Series::new(metric, unit, better);
        series.samples = (0..n).map(|_| self.noisy(value)).collect();
        if self.marked_every > 0 {
            for i in (0..n).filter(|i| i % self.marked_every == 1) {
                let why = if i % 2 == 0 { "context switch" } else { "steal" };
                series.disturbed.push(Disturbed { sample: i as u32, why: why.into() });
                series.samples[i] = round(series.samples[i] * 1.8);
            }
        }
        series
    }

    pub(super) fn run(
        &self,
        probe: &str,
        params: &[(&str, &str)],
        cpus: CpuSet,
        estimate: f64,
        series: Vec<Series>,
    ) -> Run {
        let threads = cpus.iter().map(|c| Thread { asked: c, found: c, node: None }).collect();
        Run {
            threads,
            ..Run::new(
                Case {
                    probe: probe.into(),
                    version: 1,
                    params: params.iter().map(|(k, v)| ((*k).into(), Value::from(*v))).collect(),
                    place: Placement { cpus, ..Placement::default() },
                    estimate,
                },
                Outcome::Measured(series),
            )
        }
    }

    fn one(&self) -> CpuSet {
        [self.main_cpu()].into_iter().collect()
    }

    pub(super) fn preflight(&mut self) -> Run {
        let (busy, steal, runnable) = (self.busy, self.steal, self.runnable);
        let mut observed = |metric: &str, unit, value: f64| {
            let mut series = Series::new(metric, unit, Better::Lower);
            let whole = |x: f64| if unit == Unit::Count { x.round() } else { x };
            series.samples = (0..8).map(|_| whole(self.noisy(value))).collect();
            series
        };
        let series = vec![
            observed("busy", Unit::Ratio, busy),
            observed("steal", Unit::Ratio, steal),
            observed("runnable", Unit::Count, runnable),
            observed("swap", Unit::PerSecond, 0.0),
        ];
        self.run("preflight", &[], self.machine.topology.usable(), 0.8, series)
    }

    pub(super) fn instrument(&mut self) -> Run {
        let series = vec![
            self.series("clock_cost", Unit::Seconds, Better::Lower, 21e-9, 9),
            self.series("clock_resolution", Unit::Seconds, Better::Neither, 1e-9, 1),
            self.series("tick_cost", Unit::Seconds, Better::Lower, 9.5e-9, 9),
            self.series("tick_rate", Unit::Hertz, Better::Neither, 2.596e9, 5),
            self.series("loop_overhead", Unit::Seconds, Better::Lower, 2.3e-10, 9),
        ];
        self.run("instrument", &[], self.one(), 0.5, series)
    }

    fn core_frequency(&mut self) -> Run {
        let frequency = self.frequency;
        let series = ["add", "mul"]
            .map(|chain| {
                self.series("frequency", Unit::Hertz, Better::Higher, frequency, 20)
                    .at(param::CHAIN, chain)
            })
            .into();
        self.run("core_frequency", &[], self.one(), 0.3, series)
    }

    fn core_rate(&mut self) -> Run {
        let ops = [
            ("add", 4.0),
            ("mul", 1.0),
            ("div", 0.14),
            ("fma", 2.0),
            ("load", 3.0),
            ("store", 2.0),
            ("branch_hit", 1.0),
            ("branch_miss", 0.06),
            ("nop", 6.0),
        ];
        let frequency = self.frequency;
        let series = ops
            .map(|(op, per_cycle)| {
                let time = 1.0 / (per_cycle * frequency);
                let mut s = self.series("time_per_op", Unit::Seconds, Better::Lower, time, 7);
                (s.frequency, s.variant) = (Some(frequency), Some("portable".into()));
                s.at(param::OP, op)
            })
            .into();
        self.run("core_rate", &[], self.one(), 0.6, series)
    }

    fn bandwidth(&mut self, kernel: &str, threads: &str) -> Run {
        let share = match kernel {
            "read" => 1.0,
            "write" => 0.8,
            "write_nt" => 1.08,
            _ => 1.1,
        };
        let series = self.moved(share, threads, 8);
        let (cpus, params) = (self.cpus(threads), [("kernel", kernel), ("threads", threads)]);
        let mut run = self.run("bandwidth", &params, cpus, 1.0, vec![series]);
        self.guard(&mut run, threads);
        run
    }

    fn stream(&mut self, threads: &str) -> Run {
        let kernels = [("copy", 1.1), ("scale", 1.05), ("add", 1.03), ("triad", 1.04)];
        let series = kernels
            .map(|(kernel, share)| self.moved(share, threads, 7).at(param::KERNEL, kernel))
            .into();
        let cpus = self.cpus(threads);
        let mut run = self.run("stream", &[("threads", threads)], cpus, 1.5, series);
        self.guard(&mut run, threads);
        run
    }

    pub(super) fn moved(&mut self, share: f64, threads: &str, n: usize) -> Series {
        let rate = share * if threads == "one" { self.one_core } else { self.all_cores };
        let mut s = self.series("bandwidth", Unit::BytesPerSecond, Better::Higher, rate, n);
        s.variant = Some("avx512".into());
        s.buffer = Some(Buffer {
            bytes: 512 << 20,
            pages: Pages::Thp,
            base_page: 4096,
            huge_share: Some(1.0),
            content: "random".into(),
            llc_ratio: Some(16.0),
            ..Buffer::default()
        });
        s
    }

    pub(super) fn cpus(&self, threads: &str) -> CpuSet {
        if threads == "one" { self.one() } else { self.machine.topology.one_per_core() }
    }

    pub(super) fn guard(&mut self, run: &mut Run, threads: &str) {
        if threads == "one" {
            return;
        }
        let rate = self.all_cores;
        for (name, unit, value) in [
            ("placement_check.before.cas", Unit::Seconds, 26e-9),
            ("placement_check.before.read", Unit::BytesPerSecond, rate),
            ("placement_check.after.cas", Unit::Seconds, 26e-9),
            ("placement_check.after.read", Unit::BytesPerSecond, rate),
        ] {
            let value = self.noisy(value);
            run.readings.push(Reading { name: name.into(), unit, value, coverage: 1.0 });
        }
    }

    fn sample(&mut self, i: usize, samples: usize, began: f64) -> ReferenceSample {
        let factor = 1.0 + self.frequency_drift * i as f64 / (samples - 1) as f64;
        let (frequency, chase) = (self.frequency * factor, self.loads[1] / factor);
        ReferenceSample {
            at: round(began - 0.03),
            cpu: self.main_cpu(),
            frequency: (0..8).map(|_| self.noisy(frequency)).collect(),
            chase: (0..8).map(|_| self.noisy(chase)).collect(),
            ..Default::default()
        }
    }
}

/// Four significant digits: more than a sample is worth, and the same bytes whatever the platform's `ln`.
fn round(value: f64) -> f64 {
    format!("{value:.3e}").parse().unwrap()
}

/// Half a GiB on huge pages of a node.
fn huge(node: Option<u32>, llc_ratio: f64) -> Buffer {
    Buffer {
        bytes: 512 << 20,
        pages: Pages::Thp,
        base_page: 4096,
        huge_share: Some(1.0),
        nodes: node.map(|n| (n, 1.0)).into_iter().collect(),
        content: "random".into(),
        llc_ratio: Some(llc_ratio),
    }
}
