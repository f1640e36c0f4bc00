//! Windows as series: what was done in a second, how long it took, and what that cost the processor.
use super::{drive::Driven, observer::Moment};
use crate::bench::Bench;
use record::{Better, Reading, Reason, Series, Unit};
use stats::Sample;

/// Quantiles of latency that are kept of every window: with them a distribution of millions has a bounded form.
pub(crate) const QUANTILES: [f64; 6] = [0.5, 0.95, 0.99, 0.999, 0.9999, 1.0];

/// Which events make the throughput, and by which name the others are known.
pub(crate) struct Kinds<'a> {
    pub(crate) names: &'a [&'a str],
    /// The kinds whose events are counted as throughput.
    pub(crate) counted: &'a [usize],
}

/// What it cost the engine in a window.
#[derive(Debug, Clone, Copy)]
struct Cost {
    seconds: f64,
    cpu: f64,
    switches: f64,
    counted: Option<[f64; 2]>,
    /// Cycles of waiting over all.
    stalls: Option<f64>,
}

/// All series of a point.
///
/// # Errors
/// No window was closed by all threads.
pub(crate) fn series(
    driven: &Driven,
    seconds: f64,
    kinds: &Kinds<'_>,
    variant: &str,
) -> Result<Vec<Series>, Reason> {
    if driven.windows.is_empty() {
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
    let costs: Vec<Cost> = costs(driven, seconds);
    let all = |window: &super::log::Window| window.events.iter().sum::<u64>() as f64;
    let events: Vec<f64> = driven.windows.iter().map(all).collect();
    let counted = |w: &super::log::Window| kinds.counted.iter().map(|k| w.events[*k]).sum::<u64>();
    let rates = driven.windows.iter().map(|w| counted(w) as f64 / seconds).collect();
    let mut whole = new("throughput", Unit::PerSecond, Better::Higher, rates);
    // Cycles of user mode over the CPU time of both modes are no clock.
    let user_only = user_only(driven);
    let all_cycles = costs.iter().filter(|_| !user_only);
    let clocks: Vec<f64> =
        all_cycles.filter_map(|c| Some(c.counted?[0] / c.cpu.max(1e-9))).collect();
    whole.frequency = Sample::new(&clocks).map(|s| s.median());
    let mut series = vec![whole];
    if kinds.names.len() > 1 {
        let rates = events.iter().map(|n| n / seconds).collect();
        series.push(new("transactions", Unit::PerSecond, Better::Higher, rates));
    }
    for (kind, name) in kinds.names.iter().enumerate() {
        let windows: Vec<_> = driven.windows.iter().filter(|w| w.events[kind] > 0).collect();
        if windows.is_empty() {
            continue;
        }
        for quantile in QUANTILES {
            let of =
                |w: &&super::log::Window| w.took[kind].value_at_quantile(quantile) as f64 * 1e-9;
            let samples = windows.iter().map(of).collect();
            let mut one =
                new("latency", Unit::Seconds, Better::Lower, samples).at("quantile", quantile);
            if kinds.names.len() > 1 {
                one = one.at("transaction", *name);
            }
            series.push(one);
        }
    }
    if !costs.is_empty() {
        let used = costs.iter().map(|c| c.cpu / c.seconds).collect();
        series.push(new("cpus_used", Unit::Count, Better::Neither, used));
    }
    if driven.seen.server.len() > 1 || driven.seen.elsewhere {
        let used = driven.windows.iter().map(|w| w.cpu / seconds).collect();
        series.push(new("client_cpus_used", Unit::Count, Better::Lower, used));
    }
    let each = |of: &dyn Fn(&Cost) -> Option<f64>| -> Option<Vec<f64>> {
        let values = costs.iter().zip(&events).filter(|(_, n)| **n > 0.0);
        let values: Option<Vec<f64>> = values.map(|(c, n)| Some(of(c)? / n)).collect();
        values.filter(|v| !v.is_empty())
    };
    let mut push = |metric, unit, samples: Option<Vec<f64>>| {
        series.extend(samples.map(|samples| new(metric, unit, Better::Lower, samples)));
    };
    push("cpu_time", Unit::Seconds, each(&|c| Some(c.cpu)));
    push("switches", Unit::Count, each(&|c| Some(c.switches)));
    let [cycles, instructions, ipc_name] = match user_only {
        false => ["cycles", "instructions", "ipc"],
        true => ["cycles_user", "instructions_user", "ipc_user"],
    };
    push(cycles, Unit::Cycles, each(&|c| Some(c.counted?[0])));
    push(instructions, Unit::Count, each(&|c| Some(c.counted?[1])));
    let ipc: Option<Vec<f64>> =
        costs.iter().map(|c| c.counted.map(|[cycles, n]| n / cycles.max(1.0))).collect();
    if let Some(ipc) = ipc.filter(|ipc| !ipc.is_empty()) {
        series.push(new(ipc_name, Unit::PerCycle, Better::Higher, ipc));
    }
    let stalls: Option<Vec<f64>> = costs.iter().map(|c| c.stalls).collect();
    if let Some((stalls, event)) = stalls.filter(|all| !all.is_empty()).zip(driven.stall.as_ref()) {
        let one = new("stalls", Unit::Ratio, Better::Lower, stalls);
        series.push(one.at("event", event.name.as_str()));
    }
    Ok(series)
}

/// What each window cost: of the server where there is one, nothing if it cannot be seen, else of the threads that asked.
fn costs(driven: &Driven, seconds: f64) -> Vec<Cost> {
    if driven.seen.elsewhere {
        return vec![];
    }
    if driven.seen.server.len() > 1 {
        let between = |two: &[Moment]| {
            let (a, b) = (two[0], two[1]);
            let counted = a.counted.zip(b.counted);
            let counted = counted.map(|(a, b)| [0, 1].map(|i| b[i].saturating_sub(a[i]) as f64));
            let stalled = a.stalled.zip(b.stalled).map(|(a, b)| b.saturating_sub(a) as f64);
            Cost {
                seconds: (b.at - a.at).max(1e-9),
                cpu: b.cpu - a.cpu,
                switches: b.switches.saturating_sub(a.switches) as f64,
                counted,
                stalls: share(stalled, counted),
            }
        };
        return driven.seen.server.windows(2).map(between).collect();
    }
    let of = |w: &super::log::Window| {
        let counted = (w.counting == driven.threads).then(|| w.counted.map(|n| n as f64));
        let stalled = (w.stalling == driven.threads).then_some(w.stalled as f64);
        let (cpu, switches) = (w.cpu, w.switches as f64);
        Cost { seconds, cpu, switches, counted, stalls: share(stalled, counted) }
    };
    driven.windows.iter().map(of).collect()
}

/// Whether the kernel's part of what the engine costs may not be counted.
fn user_only(driven: &Driven) -> bool {
    let seen = &driven.seen;
    match seen.server.is_empty() {
        true => !seen.elsewhere && driven.windows.iter().any(|w| w.user_only),
        false => seen.server.iter().any(|moment| moment.user_only),
    }
}

/// Cycles of waiting over all; both are counted by groups that may have taken turns.
fn share(stalled: Option<f64>, counted: Option<[f64; 2]>) -> Option<f64> {
    let [cycles, _] = counted?;
    Some((stalled? / cycles.max(1.0)).min(1.0))
}

/// What is known of a point beside its windows.
pub(crate) struct Beside {
    /// CPUs of the engine and of its clients.
    pub(crate) cpus: usize,
    /// Transactions that had to be loaded again.
    pub(crate) load_retries: u64,
    /// Seconds that loading took, where it had to be done.
    pub(crate) load_time: Option<f64>,
    /// Bytes of this program at its largest, where the data are somebody else's.
    pub(crate) client_memory: Option<u64>,
    /// The least share of a server's memory that is on the nodes it was bound to.
    pub(crate) on_nodes: Option<f64>,
}

/// What is told of the whole point.
pub(crate) fn readings(bench: &mut Bench<'_>, driven: &Driven, point: &str, beside: &Beside) {
    if user_only(driven) {
        bench.unread.insert(
            format!("{point}.kernel"),
            Reason::mended_by(
                "only user mode may be counted here: IPC is that of user mode, and cycles tell no clock",
                "sysctl kernel.perf_event_paranoid=1, or run as root or with CAP_PERFMON",
            ),
        );
    }
    let seen = &driven.seen;
    let mut tell = |name: &str, unit, value: Option<f64>| {
        bench.readings.extend(value.filter(|x| x.is_finite()).map(|value| Reading {
            name: format!("{point}.{name}"),
            unit,
            value,
            coverage: 1.0,
        }));
    };
    // What the CPUs did that neither the server nor the clients did.
    let own: f64 = driven.windows.iter().map(|w| w.cpu).sum::<f64>()
        + seen.server.last().zip(seen.server.first()).map_or(0.0, |(b, a)| b.cpu - a.cpu);
    // A server that cannot be seen may be one of the others.
    let busy = seen.busy.filter(|_| !seen.elsewhere);
    let foreign =
        busy.map(|busy| ((busy - own) / (seen.seconds * beside.cpus.max(1) as f64)).max(0.0));
    tell("foreign", Unit::Ratio, foreign.map(|share| share.min(1.0)));
    tell("steal", Unit::Ratio, seen.steal);
    tell("throttled", Unit::Count, seen.throttled.map(|times| times as f64));
    tell("client_busiest", Unit::Ratio, seen.client_busiest);
    let ended = &driven.ended;
    tell("client_idle", Unit::Ratio, ended.idle);
    for (name, count) in ["deadlocks", "lock_timeouts", "changed"].iter().zip(ended.retries) {
        tell(&format!("retries.{name}"), Unit::Count, (count > 0).then_some(count as f64));
    }
    let again = beside.load_retries;
    tell("load_retries", Unit::Count, (again > 0).then_some(again as f64));
    tell("load_time", Unit::Seconds, beside.load_time);
    tell("client_memory", Unit::Bytes, beside.client_memory.map(|bytes| bytes as f64));
    tell("on_nodes", Unit::Ratio, beside.on_nodes);
    tell("given_up", Unit::Count, (ended.given_up > 0).then_some(ended.given_up as f64));
    tell("rolled_back", Unit::Count, (ended.rolled_back > 0).then_some(ended.rolled_back as f64));
    for (name, unit, value) in &seen.counts {
        tell(&format!("engine.{name}"), *unit, Some(*value));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::db::{
        drive::Ended,
        log::{Board, Windows},
        observer::Seen,
    };
    use host::counters::Event;

    /// Two windows of a thread, of which so many counted what they waited.
    fn driven(stalling: usize, seen: Seen) -> Driven {
        let windows = Windows::fixed(0.0, 1.0, 2);
        let mut windows = Board::new(windows, 1, 1).unwrap().closed(0);
        for window in &mut windows {
            (window.events[0], window.cpu) = (1000, 0.5);
            (window.counted, window.counting) = ([4_000_000, 2_000_000], 1);
            window.stalled = 1_000_000;
        }
        windows.iter_mut().take(stalling).for_each(|window| window.stalling = 1);
        let stall = Some(Event::new("stall_backend", 4, 0x24));
        Driven { windows, threads: 1, seen, ended: Ended::default(), stall }
    }

    fn of(driven: &Driven, metric: &str) -> Vec<f64> {
        let kinds = Kinds { names: &["select"], counted: &[0] };
        let all = series(driven, 1.0, &kinds, "engine").unwrap();
        all.into_iter().filter(|s| s.metric == metric).flat_map(|s| s.samples).collect()
    }

    #[test]
    fn stalls_are_a_share_of_cycles_where_all_counted_them() {
        assert_eq!(of(&driven(2, Seen::default()), "stalls"), [0.25, 0.25]);
        let one = driven(1, Seen::default());
        assert_eq!((of(&one, "stalls"), of(&one, "ipc")), (vec![], vec![0.5, 0.5]));
    }

    #[test]
    fn what_user_mode_alone_counted_is_called_so_and_tells_no_clock() {
        let mut here = driven(2, Seen::default());
        assert_eq!((of(&here, "cycles"), of(&here, "ipc")), (vec![4000.0; 2], vec![0.5; 2]));
        here.windows.iter_mut().for_each(|window| window.user_only = true);
        for metric in ["cycles", "instructions", "ipc"] {
            assert_eq!(of(&here, metric), [0.0; 0], "{metric}");
        }
        assert_eq!(
            (of(&here, "cycles_user"), of(&here, "ipc_user")),
            (vec![4000.0; 2], vec![0.5; 2])
        );
        let kinds = Kinds { names: &["select"], counted: &[0] };
        assert_eq!(series(&here, 1.0, &kinds, "engine").unwrap()[0].frequency, None);
    }

    #[test]
    fn what_cannot_be_seen_is_not_taken_from_the_clients() {
        let elsewhere = driven(2, Seen { elsewhere: true, ..Seen::default() });
        for metric in ["cpus_used", "cpu_time", "switches", "cycles", "ipc", "stalls"] {
            assert_eq!(of(&elsewhere, metric), [0.0; 0], "{metric}");
        }
        assert_eq!(of(&elsewhere, "client_cpus_used"), [0.5, 0.5]);
        assert_eq!(of(&elsewhere, "throughput"), [1000.0, 1000.0]);
        let here = driven(2, Seen::default());
        assert_eq!(of(&here, "cpus_used"), [0.5, 0.5]);
    }
}
