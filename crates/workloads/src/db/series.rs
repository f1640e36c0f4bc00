//! Series of a case: throughput, latency quantiles, and the cost of an event for the engine.
use super::{
    clients::ClientSamples,
    windows::{Usage, Window},
};
use measure::bench::Bench;
use record::{Better, Reading, Reason, Series, Unit, param};

/// Latency quantiles of every window: they bound the size of a distribution of millions.
pub(crate) const QUANTILES: [f64; 6] = [0.5, 0.95, 0.99, 0.999, 0.9999, 1.0];

/// The types of events, and those that count as throughput.
pub(crate) struct EventTypes<'a> {
    pub(crate) names: &'a [String],
    /// Indexes of the types that count.
    pub(crate) counted: &'a [usize],
}

/// All series of a case.
///
/// # Errors
/// No window was closed by all threads.
pub(crate) fn series(
    samples: &ClientSamples,
    seconds: f64,
    types: &EventTypes<'_>,
    variant: &str,
) -> Result<Vec<Series>, Reason> {
    let windows = &samples.windows;
    if windows.is_empty() {
        return Err(Reason::mended_by(
            "no window was finished: threads waited longer than all of them last",
            "--seconds with a larger number, or fewer --threads",
        ));
    }
    let new = |metric, unit, better, samples| Series {
        samples,
        variant: Some(variant.to_owned()),
        ..Series::new(metric, unit, better)
    };
    let usage = engine_usage(samples, seconds);
    let user_only = usage.iter().any(|(_, used)| used.user_only);
    let events: Vec<f64> = windows.iter().map(|w| w.events.iter().sum::<u64>() as f64).collect();
    let counted = |w: &Window| types.counted.iter().map(|t| w.events[*t]).sum::<u64>() as f64;
    let rates = windows.iter().map(|w| counted(w) / seconds).collect();
    let mut throughput = new("throughput", Unit::PerSecond, Better::Higher, rates);
    // Cycles of user mode over the CPU time of both modes are no frequency.
    if !user_only {
        let frequency =
            |(_, used): &(f64, Usage)| Some(used.counted?[0] as f64 / used.cpu.max(1e-9));
        let frequencies: Vec<f64> = usage.iter().filter_map(frequency).collect();
        throughput.frequency = stats::median(&frequencies);
    }
    let mut series = vec![throughput];
    let several_types = types.names.len() > 1;
    if several_types {
        let rates = events.iter().map(|n| n / seconds).collect();
        series.push(new("transactions", Unit::PerSecond, Better::Higher, rates));
    }
    for (index, name) in types.names.iter().enumerate() {
        let windows: Vec<&Window> = windows.iter().filter(|w| w.events[index] > 0).collect();
        for quantile in if windows.is_empty() { &[][..] } else { &QUANTILES } {
            let latency =
                |w: &&Window| w.latencies[index].value_at_quantile(*quantile) as f64 * 1e-9;
            let latencies = windows.iter().map(latency).collect();
            let mut one = new("latency", Unit::Seconds, Better::Lower, latencies);
            one = one.at(param::QUANTILE, *quantile);
            series.push(if several_types {
                one.at(param::TRANSACTION, name.as_str())
            } else {
                one
            });
        }
    }
    if !usage.is_empty() {
        let used = usage.iter().map(|(seconds, used)| used.cpu / seconds).collect();
        series.push(new("cpus_used", Unit::Count, Better::Neither, used));
    }
    if samples.observed.server.len() > 1 || samples.observed.unobservable {
        let client_cpu = |w: &Window| w.usage.map_or(0.0, |used| used.cpu) / seconds;
        let used = windows.iter().map(client_cpu).collect();
        series.push(new("client_cpus_used", Unit::Count, Better::Lower, used));
    }
    // A metric of every window, or of none.
    let all = |metric, unit, better, values: Option<Vec<f64>>| {
        values.filter(|v| !v.is_empty()).map(|values| new(metric, unit, better, values))
    };
    let per_event = |value: &dyn Fn(&Usage) -> Option<f64>| -> Option<Vec<f64>> {
        let with_events = usage.iter().zip(&events).filter(|(_, n)| **n > 0.0);
        with_events.map(|((_, used), n)| Some(value(used)? / n)).collect()
    };
    let per_window = |value: &dyn Fn(&Usage) -> Option<f64>| -> Option<Vec<f64>> {
        usage.iter().map(|(_, used)| value(used)).collect()
    };
    let cycles = |used: &Usage| Some(used.counted?[0] as f64);
    let instructions = |used: &Usage| Some(used.counted?[1] as f64);
    let ipc = |used: &Usage| Some(instructions(used)? / cycles(used)?.max(1.0));
    // Groups of events may have taken turns, so the share can exceed 1.
    let stalls = |used: &Usage| Some((used.stalled? as f64 / cycles(used)?.max(1.0)).min(1.0));
    let [cycles_name, instructions_name, ipc_name] = match user_only {
        false => ["cycles", "instructions", "ipc"],
        true => ["cycles_user", "instructions_user", "ipc_user"],
    };
    let (lower, higher) = (Better::Lower, Better::Higher);
    let switches = per_event(&|used| Some(used.switches as f64));
    series.extend(all("cpu_time", Unit::Seconds, lower, per_event(&|used| Some(used.cpu))));
    series.extend(all("switches", Unit::Count, lower, switches));
    series.extend(all(cycles_name, Unit::Cycles, lower, per_event(&cycles)));
    series.extend(all(instructions_name, Unit::Count, lower, per_event(&instructions)));
    series.extend(all(ipc_name, Unit::PerCycle, higher, per_window(&ipc)));
    if let Some(event) = &samples.stall {
        let stalls = all("stalls", Unit::Ratio, lower, per_window(&stalls));
        series.extend(stalls.map(|one| one.at(param::EVENT, event.name.as_str())));
    }
    Ok(series)
}

/// Seconds and usage of the engine in each window: of the server, or of the client threads of an embedded engine.
fn engine_usage(samples: &ClientSamples, seconds: f64) -> Vec<(f64, Usage)> {
    let server = &samples.observed.server;
    match (samples.observed.unobservable, server.len()) {
        (true, _) => vec![],
        (false, 0 | 1) => {
            samples.windows.iter().filter_map(|w| Some((seconds, w.usage?))).collect()
        }
        (false, _) => server
            .windows(2)
            .map(|two| ((two[1].0 - two[0].0).max(1e-9), two[1].1.since(&two[0].1)))
            .collect(),
    }
}

/// Facts of a case beside its windows.
pub(crate) struct CaseFacts {
    /// CPUs of the engine and of its clients.
    pub(crate) cpus: usize,
    /// Retries of loader transactions.
    pub(crate) load_retries: u64,
    /// Seconds of loading, where data were loaded.
    pub(crate) load_time: Option<f64>,
    /// Maximum resident bytes of this process, if it is only the client.
    pub(crate) client_memory: Option<u64>,
    /// The smallest share of a server's memory on the NUMA nodes that it was bound to.
    pub(crate) memory_on_nodes: Option<f64>,
}

/// Adds the readings of a case.
pub(crate) fn add_readings(
    bench: &mut Bench<'_>,
    samples: &ClientSamples,
    workload: &str,
    facts: &CaseFacts,
) {
    if engine_usage(samples, 1.0).iter().any(|(_, used)| used.user_only) {
        bench.unread.insert(
            format!("{workload}.kernel"),
            Reason::mended_by(
                "only user mode may be counted here: IPC is that of user mode, and cycles give no frequency",
                "sysctl kernel.perf_event_paranoid=1, or run as root or with CAP_PERFMON",
            ),
        );
    }
    let observed = &samples.observed;
    let mut add = |name: &str, unit, value: Option<f64>| {
        bench.readings.extend(value.filter(|x| x.is_finite()).map(|value| Reading {
            name: format!("{workload}.{name}"),
            unit,
            value,
            coverage: 1.0,
        }));
    };
    // CPU time of neither the server nor the clients.
    let clients: f64 = samples.windows.iter().filter_map(|w| Some(w.usage?.cpu)).sum();
    let server = observed.server.last().zip(observed.server.first());
    let own = clients + server.map_or(0.0, |(last, first)| last.1.cpu - first.1.cpu);
    // An unobservable server may be one of the other processes.
    let busy = observed.busy.filter(|_| !observed.unobservable);
    let foreign = busy.map(|busy| (busy - own) / (observed.seconds * facts.cpus.max(1) as f64));
    add("foreign", Unit::Ratio, foreign.map(|share| share.clamp(0.0, 1.0)));
    add("steal", Unit::Ratio, observed.steal);
    add("throttled", Unit::Count, observed.throttled.map(|times| times as f64));
    add("client_busiest", Unit::Ratio, observed.client_busiest);
    let totals = &samples.totals;
    add("client_idle", Unit::Ratio, totals.idle);
    let [deadlocks, lock_timeouts, changed] = totals.retries;
    for (name, count) in [
        ("retries.deadlocks", deadlocks),
        ("retries.lock_timeouts", lock_timeouts),
        ("retries.changed", changed),
        ("load_retries", facts.load_retries),
        ("given_up", totals.given_up),
        ("rolled_back", totals.rolled_back),
    ] {
        add(name, Unit::Count, Some(count as f64).filter(|n| *n > 0.0));
    }
    add("load_time", Unit::Seconds, facts.load_time);
    add("client_memory", Unit::Bytes, facts.client_memory.map(|bytes| bytes as f64));
    add("on_nodes", Unit::Ratio, facts.memory_on_nodes);
    for (name, unit, value) in &observed.status {
        add(&format!("engine.{name}"), *unit, Some(*value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{
        clients::ClientTotals,
        observer::Observations,
        windows::{SharedWindows, Windows},
    };
    use host::counters::Event;

    /// Two windows of an embedded engine, of which this number has stalled cycles.
    fn samples(with_stalls: usize, observed: Observations) -> ClientSamples {
        let windows =
            SharedWindows::new(Windows { warm_up: 0.0, seconds: 1.0, count: 2 }, 1, 1, None)
                .unwrap();
        let mut windows = windows.closed(0);
        for (index, window) in windows.iter_mut().enumerate() {
            window.events[0] = 1000;
            window.usage = Some(Usage {
                cpu: 0.5,
                counted: Some([4_000_000, 2_000_000]),
                stalled: (index < with_stalls).then_some(1_000_000),
                ..Usage::default()
            });
        }
        let stall = Some(Event::new("stall_backend", 4, 0x24));
        ClientSamples { windows, observed, totals: ClientTotals::default(), stall }
    }

    fn all_series(samples: &ClientSamples) -> Vec<Series> {
        let types = EventTypes { names: &["select".into()], counted: &[0] };
        series(samples, 1.0, &types, "engine").unwrap()
    }

    fn values(samples: &ClientSamples, metric: &str) -> Vec<f64> {
        let all = all_series(samples).into_iter();
        all.filter(|s| s.metric == metric).flat_map(|s| s.samples).collect()
    }

    #[test]
    fn stalls_are_a_share_of_cycles_if_every_window_has_them() {
        assert_eq!(values(&samples(2, Observations::default()), "stalls"), [0.25, 0.25]);
        let one = samples(1, Observations::default());
        assert_eq!((values(&one, "stalls"), values(&one, "ipc")), (vec![], vec![0.5, 0.5]));
    }

    #[test]
    fn counts_of_user_mode_have_other_names_and_give_no_frequency() {
        let mut here = samples(2, Observations::default());
        assert_eq!(
            (values(&here, "cycles"), values(&here, "ipc")),
            (vec![4000.0; 2], vec![0.5; 2])
        );
        for window in &mut here.windows {
            window.usage = window.usage.map(|used| Usage { user_only: true, ..used });
        }
        for metric in ["cycles", "instructions", "ipc"] {
            assert_eq!(values(&here, metric), [0.0; 0], "{metric}");
        }
        assert_eq!(
            (values(&here, "cycles_user"), values(&here, "ipc_user")),
            (vec![4000.0; 2], vec![0.5; 2])
        );
        assert_eq!(all_series(&here)[0].frequency, None);
    }

    #[test]
    fn clients_do_not_stand_for_an_unobservable_server() {
        let remote = samples(2, Observations { unobservable: true, ..Observations::default() });
        for metric in ["cpus_used", "cpu_time", "switches", "cycles", "ipc", "stalls"] {
            assert_eq!(values(&remote, metric), [0.0; 0], "{metric}");
        }
        assert_eq!(values(&remote, "client_cpus_used"), [0.5, 0.5]);
        assert_eq!(values(&remote, "throughput"), [1000.0, 1000.0]);
        let here = samples(2, Observations::default());
        assert_eq!(values(&here, "cpus_used"), [0.5, 0.5]);
    }
}
