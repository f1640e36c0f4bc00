//! What `cpulens scale bandwidth` records on the server: memory that four cores of a socket nearly use up, whose sibling
//! threads are in each other's way, and which gains by pinning.
use super::series::Model;
use record::{Better, CpuSet, Reading, Record, Run, Unit, Value};

/// Step, CPUs, cores, bytes per second.
const STEPS: [(&str, &str, u64, f64); 6] = [
    ("1 core", "1", 1, 14e9),
    ("SMT pair", "1,9", 1, 15.1e9),
    ("2 cores of node 0", "1,2", 2, 26e9),
    ("socket 0", "0-3", 4, 39e9),
    ("all cores", "0-7", 8, 77e9),
    ("all threads", "0-15", 8, 72e9),
];
const REPEATS: u64 = 6;

impl Model {
    pub(super) fn scaling_run(mut self) -> Record {
        let mut scaling_points: Vec<_> =
            STEPS.into_iter().flat_map(|s| ["one-to-one", "unpinned"].map(|p| (s, p))).collect();
        let mut runs = vec![self.preflight(), self.instrument()];
        for repeat in 1..=REPEATS {
            for (step, policy) in &scaling_points {
                runs.push(self.scaling_point(*step, policy, repeat));
            }
            scaling_points.reverse();
        }
        let words = ["cpulens", "scale", "bandwidth"].map(String::from).into();
        self.finished(runs, words)
    }

    fn scaling_point(
        &mut self,
        (step, cpus, cores, rate): (&str, &str, u64, f64),
        policy: &str,
        repeat: u64,
    ) -> Run {
        let cpus: CpuSet = cpus.parse().unwrap();
        let copies = cpus.len();
        let pinned = policy == "one-to-one";
        let rate = rate * if pinned || copies == 1 { 1.0 } else { 0.96 };
        let mut whole = self.series("throughput", Unit::BytesPerSecond, Better::Higher, rate, 1);
        whole.frequency = Some(self.frequency);
        let each = rate / copies as f64;
        let series = vec![
            whole,
            self.series("copy_rate", Unit::BytesPerSecond, Better::Higher, each, copies),
            self.series("cpus_used", Unit::Count, Better::Higher, 0.99 * copies as f64, 1),
        ];
        let params = [
            ("workload", "bandwidth"),
            ("kernel", "read"),
            ("step", step),
            ("policy", policy),
            ("memory", "local"),
        ];
        let on = if pinned { cpus } else { (0..16).collect() };
        let mut run = self.run("scaling_run", &params, on, 0.9, series);
        if !pinned {
            run.threads.clear();
        }
        let counts = [("cores", cores), ("threads", copies as u64), ("copies", copies as u64)];
        for (name, n) in counts.into_iter().chain([("repeat", repeat)]) {
            run.case.params.insert(name.into(), Value::Integer(n));
        }
        run.case.params.insert("seconds".into(), Value::Number(0.5));
        let reading = |name: &str, value| Reading {
            name: name.into(),
            unit: Unit::Ratio,
            value,
            coverage: 1.0,
        };
        run.readings = vec![reading("contention.busy", 0.003), reading("contention.steal", 0.0)];
        run
    }
}
