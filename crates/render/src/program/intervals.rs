//! Lines of `stat --interval`, one for each interval.
use crate::quantity::{factor, many, plain};
use record::Unit;
use std::collections::BTreeMap;

/// Counts between two readings.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Interval {
    /// Seconds since counting began, of its begin.
    pub from: f64,
    /// Seconds since the start at which it ends.
    pub to: f64,
    /// Counts by event.
    pub counts: BTreeMap<String, f64>,
}

/// Those of one run, in their order.
pub type Intervals = Vec<Interval>;

impl Interval {
    /// The heads of the columns of [`Interval::line`].
    pub fn heads() -> String {
        let [time, cpus, frequency, ipc, switches, faults] =
            ["time", "CPUs used", "frequency", "IPC", "switches/s", "faults/s"];
        format!("{time:>10} {cpus:>10} {frequency:>10} {ipc:>6} {switches:>11} {faults:>10}\n")
    }
    /// The time at its end and what was counted in it; `n/a` for what could not be.
    pub fn line(&self) -> String {
        let count = |event: &str| self.counts.get(event).copied();
        let seconds = (self.to - self.from).max(1e-9);
        let shown = |value: Option<f64>, show: &dyn Fn(f64) -> String| {
            value.filter(|value| value.is_finite()).map_or("n/a".into(), show)
        };
        // The kernel gives task-clock in nanoseconds.
        let cpu = count("task-clock").map(|ns| ns * 1e-9);
        let cycles = count("cycles");
        let frequency = cycles.zip(cpu).map(|(cycles, cpu)| cycles / cpu);
        let ipc = count("instructions").zip(cycles).map(|(n, cycles)| n / cycles);
        let faults = count("minor-faults").zip(count("major-faults")).map(|(a, b)| a + b);
        let rate = |n: f64| many(n / seconds);
        format!(
            "{:>8.3} s {:>10} {:>10} {:>6} {:>11} {:>10}\n",
            self.to,
            shown(cpu, &|cpu| format!("{:.3}", cpu / seconds)),
            shown(frequency, &|hertz| plain(hertz, Unit::Hertz)),
            shown(ipc, &factor),
            shown(count("context-switches"), &rate),
            shown(faults, &rate),
        )
    }
}
