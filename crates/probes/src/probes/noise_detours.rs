//! OS noise: the share of each CPU that a pinned thread loses, and to what.
//!
//! Method: a thread on each CPU, all at once, reads the time-stamp counter in a loop. A step above the threshold (the
//! larger of 100 ns and eight times the shortest step) is a detour. After each detour the thread reads its context
//! switches, its run-queue wait, its page faults and, for at most 1 % of the time, this CPU's interrupt counts. What
//! moved is recorded with the detour's length. Total counters and the tasks that ran are recorded too. `binding` =
//! `bound`: a pinned thread per CPU; `unbound`: one that may migrate; `fifo`: pinned and real-time, leaving others the
//! rest of `duty`. `system` = `guest`: the same in a QEMU guest booted for it.
//! Limits: shorter detours, and slowdowns that take no CPU away, are not seen. Another CPU's counter is assumed to
//! agree. An interrupt between a detour and the look at its cause counts for the next. Steal counts ticks of 10 ms.
//! Source: sysjitter (github.com/Xilinx-CNS/cns-sysjitter), oslat of rt-tests, Documentation/trace/osnoise-tracer.rst of the
//! Linux kernel; docs/adr/0022, docs/adr/0032, docs/validation/noise.md.
use crate::{
    noise::{self, Binding, Counter, NoiseSettings, guest, watch::watch},
    prelude::*,
};
use host::{
    accounts::{self, Task},
    realtime,
};
use measure::threads::Member;
use record::{Reading, Sort};
use std::collections::BTreeMap;

/// The share of a CPU that detours take.
pub static PROBE: Probe = Probe {
    lacks: noise::lacks,
    ..Probe::new(270, 2, "OS noise: interruptions of a polling thread", cases, run)
};

/// Others that are named for each CPU, at most.
const NAMED: usize = 8;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    if let Some(options) = setting.probe_options.get::<noise::Options>() {
        let threshold: Vec<_> =
            options.threshold.map(|t| param::THRESHOLD.set(t)).into_iter().collect();
        let mut cases = noise::cases(setting, &options.bindings, options.seconds, &threshold);
        cases.extend(guest::cases(setting, options, options.seconds, &threshold));
        return Ok(cases);
    }
    let asked = setting.is_named(ProbeId::NoiseDetours);
    if setting.depth == Depth::Quick && !asked {
        return Ok(vec![]);
    }
    let bindings: &[Binding] = match setting.every_variant() {
        true => &[Binding::Bound, Binding::Unbound],
        false => &[Binding::Bound],
    };
    Ok(noise::cases(setting, bindings, setting.depth.pick(1.0, 2.0, 10.0), &[]))
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    if guest::is_guest_case(case) {
        return guest::measured(case, bench);
    }
    let settings = NoiseSettings::scaled(case, bench);
    let (counter, cancel) = (Counter::new(bench.clock), bench.cancel);
    if let Some(share) = realtime::share().filter(|_| settings.binding == Binding::Fifo) {
        let seconds = |name: &str, value| Reading::new(name, Unit::Seconds, value);
        bench.readings.push(seconds("realtime.runtime", share.runtime));
        bench.readings.push(seconds("realtime.period", share.period));
    }
    let before = accounts::tasks();
    let work = |cpu, (), member: &Member<'_, ()>| {
        Ok(watch(cpu, &settings, &counter, cancel, || member.barrier()))
    };
    let found = noise::everywhere(case, bench, settings.binding, |_| Ok(()), work)?;
    let ran = ran(&before, &accounts::tasks());
    let series = found.into_iter().map(|(cpu, mut taken)| {
        taken.detours.tasks = cpu.map_or(vec![], |cpu| of_cpu(&ran, cpu));
        let series = Series::new(Metric::Lost, Unit::Ratio, Better::Lower);
        let series = cpu.into_iter().fold(series, |s, cpu| s.at(param::CPU, cpu));
        Series { samples: taken.lost, detours: Some(Box::new(taken.detours)), ..series }
    });
    Ok(series.collect())
}

/// Other tasks that ran between two readings, and their last CPU; a new task ran all the time that it has used.
fn ran(before: &BTreeMap<u32, Task>, after: &BTreeMap<u32, Task>) -> Vec<Task> {
    let since = |(tid, task): (&u32, &Task)| {
        let then = before.get(tid).filter(|t| t.seconds <= task.seconds).map_or(0.0, |t| t.seconds);
        let seconds = task.seconds - then;
        (seconds > 0.0).then(|| Task { seconds, ..task.clone() })
    };
    after.iter().filter_map(since).collect()
}

/// Tasks that ran most on this CPU; tasks of one name together.
fn of_cpu(ran: &[Task], cpu: u32) -> Vec<record::Task> {
    let mut names: BTreeMap<&str, f64> = BTreeMap::new();
    for task in ran.iter().filter(|t| t.cpu == cpu) {
        *names.entry(&task.name).or_default() += task.seconds;
    }
    let mut all: Vec<record::Task> = names
        .into_iter()
        .map(|(name, seconds)| record::Task { name: name.to_owned(), seconds })
        .collect();
    all.order_by(|a, b| b.seconds.total_cmp(&a.seconds));
    all.truncate(NAMED);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    fn task(name: &str, seconds: f64, cpu: u32) -> Task {
        Task { name: name.into(), seconds, cpu }
    }

    #[test]
    fn tasks_are_told_by_what_they_ran_meanwhile_and_where() {
        let before = BTreeMap::from([
            (1, task("a", 5.0, 0)),
            (2, task("b", 1.0, 1)),
            (3, task("c", 2.0, 0)),
        ]);
        let after = BTreeMap::from([
            (1, task("a", 5.5, 0)),
            (2, task("b", 1.0, 1)),
            (3, task("c", 2.25, 1)),
            (4, task("a", 0.25, 0)),
        ]);
        let ran = ran(&before, &after);
        assert_eq!(of_cpu(&ran, 0), [record::Task { name: "a".into(), seconds: 0.75 }]);
        assert_eq!(of_cpu(&ran, 1), [record::Task { name: "c".into(), seconds: 0.25 }]);
        assert!(of_cpu(&ran, 2).is_empty());
    }
}
