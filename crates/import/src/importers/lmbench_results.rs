//! A raw file of lmbench's `results/`: latencies and bandwidths of the kernel and of memory. Its `lat_mem_rd` and `stream` are
//! read as those programs'.
//!
//! Limits: MB are 10^6 bytes, of sizes too. The host's name is left out. Of a curve each point is one figure.
//! Source: lmbench 3.0-a9, scripts/lmbench, src/lib_timing.c; a published file of x86-64.
use crate::prelude::*;

pub(crate) static IMPORTER: Importer = Importer::new("lmbench", recognises, read);

const HEAD: &str = "[lmbench3.0 results for ";

/// Names of raw lines that the summary has too.
const REQUESTS: &[(&str, &str)] = &[
    ("Simple syscall", "null_call"),
    ("Simple stat", "stat"),
    ("Simple open/close", "open/close"),
    ("Signal handler installation", "signal installation"),
    ("Signal handler overhead", "signal handling"),
    ("Process fork+exit", "fork"),
    ("Process fork+execve", "exec"),
    ("Process fork+/bin/sh -c", "sh"),
    ("Protection fault", "protection fault"),
    ("Pipe latency", "pipe"),
    ("AF_UNIX sock stream latency", "AF_UNIX"),
    ("UDP latency using localhost", "UDP"),
    ("TCP latency using localhost", "TCP"),
    ("TCP/IP connection cost to localhost", "TCP connection"),
    ("Select on 100 fd's", "select on 100 files"),
];

fn recognises(text: &Text) -> bool {
    text.any(|l| l.starts_with(HEAD))
}

fn read(text: &Text, found: &mut Found) -> Result<(), Problem> {
    let mut results = Results::default();
    for line in text.lines() {
        results.line(line.number, line.text.trim(), found);
    }
    if let (Some(case), Some(hz)) = (results.case, results.frequency) {
        found.series(case, neither(Metric::Frequency, Unit::Hertz), &[], &[hz]);
    }
    Problem::when(results.case.is_none(), "it holds no result: it is cut short")
}

#[derive(Default)]
struct Results {
    case: Option<usize>,
    /// The line above the numbers.
    block: String,
    frequency: Option<f64>,
}

impl Results {
    fn line(&mut self, n: u32, row: &str, found: &mut Found) {
        let words: Vec<&str> = row.split_whitespace().collect();
        if let Some(inside) = row.strip_prefix('[') {
            self.block.clear();
            self.setting(n, inside.trim_end_matches(']'), found);
        } else if let [x, value] | [x, value, "MB/sec"] = words[..]
            && let (Some(x), Some(value)) = (number(x), number(value))
        {
            self.point(n, x, value, found);
        } else if let [size, _, create, delete] = words[..]
            && self.block == "File system latency"
            && let (Some(create), Some(delete)) = (number(create), number(delete))
        {
            let case = *self.case.get_or_insert_with(|| found.case(n, ProbeId::Lmbench, &[]));
            for (what, rate) in [("create", create), ("delete", delete)] {
                let op = [("op", format!("{what} {} file", tidy(size)).into())];
                found.series(case, per_second(Metric::Rate), &op, &[rate]);
            }
        } else if let Some((name, value)) = row.rsplit_once(": ")
            && let Some((value, unit)) = leading(value)
        {
            if name.starts_with("STREAM") {
                return;
            }
            let bare = name.trim_end_matches(" bandwidth").trim_end_matches(" latency");
            let known = REQUESTS.iter().find(|(raw, _)| *raw == name);
            let of = Value::from(known.map_or(bare, |(_, of)| *of));
            let (metric, at, factor) = match unit {
                "microseconds" => (Metric::TimePerRequest, "request", 1e-6),
                "nanoseconds" => (Metric::TimePerOp, "op", 1e-9),
                "MB/sec" => (Metric::Bandwidth, "kernel", 1e6),
                "KB/sec" => (Metric::Bandwidth, "kernel", 1e3),
                _ => return,
            };
            self.add(n, metric, &[(at, of)], value * factor, found);
        } else if !row.is_empty() {
            self.block = tidy(row.trim_start_matches('"'));
        }
    }
    fn add(&mut self, n: u32, of: Metric, at: &[(&str, Value)], value: f64, found: &mut Found) {
        let case = *self.case.get_or_insert_with(|| found.case(n, ProbeId::Lmbench, &[]));
        let quantity = if of == Metric::Bandwidth { BANDWIDTH } else { seconds(of) };
        found.series(case, quantity, at, &[value]);
    }
    /// A point of a curve: MB and MB/s, MB and microseconds to map them, or processes and microseconds to switch.
    fn point(&mut self, n: u32, x: f64, value: f64, found: &mut Found) {
        let block = std::mem::take(&mut self.block);
        let size = block.strip_prefix("size=").and_then(|s| s.split_once('k')?.0.parse().ok());
        let working_set = ("working_set", Value::from((x * 1e6).round()));
        let name = block.split_once(" bandwidth").map_or(&*block, |(name, _)| name);
        if let Some(kib) = size.filter(|kib: &u64| *kib < 1 << 30) {
            let at = [
                ("request", "switch".into()),
                ("processes", x.into()),
                ("size", (kib << 10).into()),
            ];
            self.add(n, Metric::TimePerRequest, &at, value * 1e-6, found);
        } else if block == "mappings" {
            let at = [("request", "mmap".into()), working_set];
            self.add(n, Metric::TimePerRequest, &at, value * 1e-6, found);
        } else if name != block || block.contains("bcopy") {
            let kernel = name.strip_prefix("Memory ").unwrap_or(name);
            let at = [("kernel", kernel.into()), working_set];
            self.add(n, Metric::Bandwidth, &at, value * 1e6, found);
        } else if !block.starts_with("stride=") {
            found.warn(0, format!("numbers that are not known are left: {block}"));
        }
        self.block = block;
    }
    /// `MHZ: 4952 MHz, 0.2019 nanosec clock`, `RELEASE: 6.14.0`.
    fn setting(&mut self, n: u32, inside: &str, found: &mut Found) {
        let Some((name, value)) = inside.split_once(": ") else { return };
        match name {
            "LMBENCH VERSION" => found.version(value.strip_prefix("lmbench-").unwrap_or(value)),
            "RELEASE" => found.fact(n, "kernel.release", tidy(value)),
            "MACHINE" => found.fact(n, "kernel.arch", tidy(value)),
            "PROCESSORS" => found.known(n, "cpu.count", whole(value)),
            "MHZ" => {
                self.frequency = leading(value).map(|(mhz, _)| mhz * 1e6).filter(|hz| *hz > 0.0)
            }
            _ => {}
        }
    }
}
