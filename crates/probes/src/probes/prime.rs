//! sysbench's `cpu` test: primes by trial division, as of sysbench 0.4 and 1.0.
//!
//! Method: pinned threads run whole events: every number from 3 to below the limit is divided by 2, 3, 4, ... up to its
//! square root until a remainder is 0, unsigned, 64 bits. `sysbench` = `0.4`: limit 50000 and the time of 10,000
//! events, shared by the threads and extrapolated from the measured ones. `sysbench` = `1.0`: limit 10000 and events
//! per second of all threads. Both also give the time of one division, with one thread in cycles.
//! Limits: the core's divider and nothing else. The two versions are not comparable with each other, nor with a
//! sysbench built without optimisation. Division by two is a bit test, as compilers make it, and does not count.
//! Source: the descriptions of sysbench's `cpu`
//! test (github.com/akopytov/sysbench, options `--cpu-max-prime`, `--events`, `--time`); docs/validation/core.md.
use crate::prelude::*;
use kernels::prime;
use measure::{
    scalable_work::{CopyResources, ScalableWork, Work},
    threads::per_thread::{self, Repetition},
};

/// Events of trial division, as two versions of sysbench count them.
pub static PROBE: Probe = Probe {
    visits: 2,
    scalable_work: || Some(&SCALABLE_WORK),
    ..Probe::new(80, 3, "Primes by trial division, as sysbench cpu", cases, run)
};

/// Events of a run of sysbench 0.4, whose default `--max-requests` is 10,000.
const EVENTS: f64 = 10_000.0;
/// The versions, and the limit of each: what is usually given to the old one, and the default of the new one.
const VERSIONS: [(&str, u64); 2] = [("1.0", 10_000), ("0.4", 50_000)];

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let mut places = placement_check::thread_counts(setting);
    if let Some(pair) = siblings(setting) {
        places.insert(1, ("siblings", pair));
    }
    // Quick: the new version's figures, and the old one's for one thread.
    let all = setting.depth > Depth::Quick || setting.every_variant();
    let wanted = |version: &str, threads: &str| {
        all || threads != "siblings" && version == "1.0" || threads == "one"
    };
    let mut cases = vec![];
    for (version, limit) in VERSIONS {
        for (threads, cpus) in places.iter().filter(|(threads, _)| wanted(version, threads)) {
            let params = [
                param::SYSBENCH.set(version),
                param::MAX_PRIME.set(limit),
                param::ONE_OR_ALL.set(*threads),
            ];
            cases.push(setting.case(cpus.clone(), &params, setting.depth.pick(0.15, 0.35, 1.0)));
        }
    }
    Ok(cases)
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let limit = case.get(param::MAX_PRIME).ok_or("no limit to divide up to")?;
    let version = case.get(param::SYSBENCH).unwrap_or("1.0");
    let limits = Limits {
        sample: bench.depth.pick(2e-3, 10e-3, 20e-3),
        ..bench.limits(bench.depth.pick(0.15, 0.4, 1.2))
    };
    let cpus: Vec<u32> = case.place.cpus.iter().collect();
    let event = move |events: u64| event(limit, events);
    let time = || Series::new(Metric::TimePerEvent, Unit::Seconds, Better::Lower);
    if let [cpu] = cpus[..] {
        let _pinned = bench.pin(cpu)?;
        let timed = bench.series(time(), &limits, 1.0, &mut { event })?;
        let rates: Vec<f64> = timed.samples.iter().map(|s| 1.0 / s.max(1e-12)).collect();
        return Ok(series(&timed, &rates, version, limit));
    }
    placement_check::checked(case, bench, |bench| {
        let repetition = Repetition { limits, steps: None, faults: false };
        let all = per_thread::measure(&cpus, bench, &repetition, |_| Ok(event))?;
        Ok(series(&all.timed.into_series(time()), &all.rates, version, limit))
    })
}

/// Events per second.
static SCALABLE_WORK: ScalableWork = ScalableWork {
    unit: Unit::PerSecond,
    parameter: param::SYSBENCH,
    kinds: || VERSIONS.iter().map(|(version, _)| *version).collect(),
    llc_multiple: 0,
    prepare: prepare_copy,
};

fn prepare_copy(copy: CopyResources<'_>, go: &mut dyn FnMut(Work<'_>)) -> Result<(), Reason> {
    let (_, limit) = VERSIONS
        .iter()
        .find(|(version, _)| *version == copy.kind)
        .ok_or_else(|| Reason::new(format!("sysbench {} is not known here", copy.kind)))?;
    go(&mut |events| {
        event(*limit, events);
        events as f64
    });
    Ok(())
}

/// Runs `events` events.
fn event(limit: u64, events: u64) {
    for _ in 0..events {
        std::hint::black_box(prime::primes(std::hint::black_box(limit)));
    }
}

/// The figure that this version prints of all threads' events per second, and the time of a division of a thread's time per
/// event.
fn series(time: &Series, rates: &[f64], version: &str, limit: u64) -> Vec<Series> {
    let of = |metric: &str, unit, better, samples: Vec<f64>| Series {
        samples,
        disturbed: time.disturbed.clone(),
        steps: time.steps,
        ..Series::new(metric, unit, better)
    };
    let figure = match version {
        "0.4" => {
            let times = rates.iter().map(|rate| EVENTS / rate).collect();
            of("time_of_10000_events", Unit::Seconds, Better::Lower, times)
        }
        _ => of("events", Unit::PerSecond, Better::Higher, rates.to_vec()),
    };
    let divisions = prime::divisions(limit).max(1) as f64;
    let each = time.samples.iter().map(|s| s / divisions).collect();
    let divide = of("time_per_divide", Unit::Seconds, Better::Lower, each);
    vec![figure, Series { frequency: time.frequency, ..divide }]
}

/// Two threads of one core, where there are any.
fn siblings(setting: &Setting<'_>) -> Option<CpuSet> {
    let main = setting.machine.topology.cpu(setting.main_cpu())?;
    let pair: CpuSet = main.siblings.intersection(&setting.cpus).iter().take(2).collect();
    (pair.len() == 2 && pair != setting.cpus).then_some(pair)
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cpu, Machine};

    #[test]
    fn figures_are_those_of_all_threads_and_divisions_those_of_one() {
        let mut time = Series::new(Metric::TimePerEvent, Unit::Seconds, Better::Lower);
        time.samples = vec![0.002, 0.004];
        time.steps = 5;
        time.frequency = Some(3e9);
        let rates = [2000.0, 1000.0];
        let old = series(&time, &rates, "0.4", 50_000);
        assert_eq!(
            (old[0].metric.as_str(), &old[0].samples[..]),
            ("time_of_10000_events", &[5.0, 10.0][..])
        );
        let new = series(&time, &rates, "1.0", 10_000);
        assert_eq!(
            (new[0].metric.as_str(), &new[0].samples[..]),
            ("events", &[2000.0, 1000.0][..])
        );
        let divide = new[1].samples[0] * prime::divisions(10_000) as f64;
        assert!((divide - 0.002).abs() < 1e-15);
        assert_eq!((new[0].frequency, new[1].frequency, new[1].steps), (None, Some(3e9), 5));
    }

    #[test]
    fn quick_plans_few_and_standard_both_versions_everywhere() {
        let mut machine = Machine::default();
        for id in 0..8 {
            let siblings = [id % 4, id % 4 + 4].into_iter().collect();
            let (online, allowed) = (true, true);
            machine.topology.cpus.push(Cpu { id, online, allowed, siblings, ..Cpu::default() });
        }
        let labels = |depth| -> Vec<String> {
            let setting = Setting::new(&machine, machine.topology.usable(), depth);
            let cases = cases(&setting).unwrap();
            let word =
                |c: &Case, parameter: param::Parameter<str>| c.get(parameter).unwrap().to_owned();
            let label = |c| word(c, param::SYSBENCH) + " " + &word(c, param::ONE_OR_ALL);
            cases.iter().map(label).collect()
        };
        assert_eq!(labels(Depth::Quick), ["1.0 one", "1.0 all", "0.4 one"]);
        assert_eq!(labels(Depth::Standard).len(), 6);
        assert!(labels(Depth::Standard).contains(&"0.4 siblings".to_owned()));
    }
}
