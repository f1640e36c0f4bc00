//! One point of a scaling run: copies of a probe's work for a fixed time, or runs of a command, placed as the case says.
use crate::{
    bench::{Bench, CoreFrequency, buffer, few_lines},
    memory_kernels,
    rate::{self, Output, Rate},
    scalable_work::{CopyResources, ScalableWork, Work},
    scaling_run::Memory,
    server::Server,
    spread::{Copy, Place, rate_files, verdict_with_output},
    threads::{self, Member},
};
use host::{
    child::{Lines, ProcessGroup, Program, WholeLines, names},
    clock::thread_cpu_time,
    counters::{Counting, Event, Mode, ThisThread},
    mempolicy,
};
use record::{Better, Buffer, Case, CpuSet, Reading, Reason, Series, Unit, param};
use std::{
    ffi::OsString,
    sync::{atomic::Ordering::Relaxed, mpsc},
};

/// A property that a point lacks if its copies left processes running.
const CLEAN_MACHINE: &str = "command.clean_machine";
/// Share of a point's time that copies run before it is counted: frequencies and the scheduler settle.
pub const WARM: f64 = 0.25;
/// Seconds of that at most.
pub const WARM_MOST: f64 = 0.2;
/// Seconds of work between two readings of the time, at least half of it.
const READING: f64 = 0.5e-3;
/// Windows in which a copy measures its core frequency: with 50 us each some 0.1 % of a second.
const FREQUENCY_WINDOWS: f64 = 20.0;

/// The placement that a case asks for.
#[derive(Debug)]
pub struct ScalingPoint {
    /// CPUs of each copy.
    pub places: Vec<CpuSet>,
    /// The memory placement and its nodes; `None` for local memory.
    pub memory: Option<(Memory, CpuSet)>,
    /// Whether each copy has a CPU of its own.
    pub pinned: bool,
}

impl ScalingPoint {
    /// A reason why the memory policy cannot be had, or the policy for as long as the value lives.
    fn policy(&self) -> Result<Option<mempolicy::Placed>, Reason> {
        match &self.memory {
            None | Some((Memory::Local, _)) => Ok(None),
            Some((Memory::Interleave, nodes)) => mempolicy::interleave(nodes).map(Some),
            Some((Memory::Bind(_), nodes)) => mempolicy::bind(nodes).map(Some),
        }
    }
}

/// The result of one copy.
struct CopyResult {
    rate: f64,
    cpu: f64,
    hertz: Option<f64>,
    /// Instructions and cycles in user mode.
    counts: Option<[u64; 2]>,
}

/// Every copy works for so many seconds.
///
/// # Errors
/// A thread cannot run where it should, or there is no memory for it.
pub fn probe(
    case: &Case,
    bench: &mut Bench<'_>,
    work: &ScalableWork,
    kind: &str,
    scaling_point: &ScalingPoint,
    seconds: f64,
) -> Result<Vec<Series>, Reason> {
    let seconds = seconds * bench.time_scale;
    let (machine, cpus, pages) = (bench.machine, &case.place.cpus, case.place.pages);
    let free = memory_kernels::free_for(bench, case);
    let bytes = work.bytes(machine, cpus, scaling_point.places.len(), free);
    let (clock, cancel, features, seed) = (bench.clock, bench.cancel, bench.features, bench.seed);
    let prepare = |member: &Member<'_, ()>| -> Result<_, Reason> {
        let policy = scaling_point.policy()?;
        // A thread that may choose its CPU has its memory where it was when it touched it, as any program has.
        let node = machine.topology.memory_of(member.cpu());
        let node = node.filter(|_| scaling_point.pinned && policy.is_none());
        let seed = seed ^ member.index() as u64;
        let memory = match bytes {
            0 => None,
            _ => Some(buffer(machine, seed, bytes, pages, node, cpus)?),
        };
        Ok((memory, CoreFrequency::new(clock, &features, "add_chain")?))
    };
    let results =
        threads::run(&scaling_point.places, bench, prepare, |member, (mut memory, core)| {
            let seed = seed ^ member.index() as u64;
            let mut few = few_lines(seed);
            let lines = memory.as_mut().map_or(&mut few[..], |(arena, _)| arena.lines_mut());
            let mut copy = None;
            let resources = CopyResources { kind, memory: lines, features, seed };
            (work.prepare)(resources, &mut |work: Work<'_>| {
                let steps = warm_up(clock, work, (seconds * WARM).min(WARM_MOST));
                let pair = vec![Event::cycles(), Event::instructions()];
                let mut counting = Counting::open(ThisThread::new(), &[pair], Mode::User);
                member.barrier();
                let started = counting.start().is_ok();
                let begin = clock.now();
                let before = thread_cpu_time();
                let every = seconds / FREQUENCY_WINDOWS;
                let (mut done, mut away, mut next) = (0.0, 0.0, begin + every / 2.0);
                let mut hertz = vec![];
                let end = loop {
                    done += work(steps);
                    let now = clock.now();
                    if now - begin >= seconds || cancel.load(Relaxed) {
                        break now;
                    }
                    if now >= next {
                        hertz.push(core.window(clock));
                        away += clock.now() - now;
                        next = now + every;
                    }
                };
                let used = thread_cpu_time() - before;
                let took = (end - begin).max(1e-9);
                copy = Some(CopyResult {
                    rate: done / (took - away).max(1e-9),
                    cpu: used / took,
                    hertz: stats::median(&hertz),
                    counts: (started && counting.stop().is_ok())
                        .then(|| counting.counts())
                        .and_then(|c| Some([c.get("instructions")?.value, c.get("cycles")?.value])),
                });
            })?;
            let copy = copy.ok_or("a copy did nothing")?;
            Ok((copy, memory.map(|(_, buffer)| buffer)))
        })?;
    if !scaling_point.pinned {
        // A range of one CPU is no CPU that was chosen for the copy.
        bench.threads.clear();
    }
    let (copies, buffers): (Vec<CopyResult>, Vec<Option<Buffer>>) = results.into_iter().unzip();
    let buffers: Vec<Buffer> = buffers.into_iter().flatten().collect();
    if copies.is_empty() {
        return Err(Reason::new("no copy did anything"));
    }
    let rates: Vec<f64> = copies.iter().map(|c| c.rate).collect();
    let frequencies: Vec<f64> = copies.iter().filter_map(|c| c.hertz).collect();
    let series =
        |metric, unit, samples| Series { samples, ..Series::new(metric, unit, Better::Higher) };
    let mut whole = series("throughput", work.unit, vec![rates.iter().sum()]);
    whole.frequency = stats::median(&frequencies);
    whole.buffer = (!buffers.is_empty()).then(|| memory_kernels::added_up(&buffers));
    let used = copies.iter().map(|c| c.cpu).sum();
    let mut all = vec![
        whole,
        series("copy_rate", work.unit, rates),
        series("cpus_used", Unit::Count, vec![used]),
    ];
    // Counters that ran for some copies only say nothing of all of them.
    let counts: Option<Vec<[u64; 2]>> = copies.iter().map(|c| c.counts).collect();
    if let Some(counts) = counts {
        let [instructions, cycles] = [0, 1].map(|i| counts.iter().map(|c| c[i]).sum::<u64>());
        let ipc = instructions as f64 / cycles.max(1) as f64;
        all.push(series("ipc", Unit::PerCycle, vec![ipc]));
    }
    Ok(all)
}

/// Works for so many seconds; the steps that take about as long as two readings of the time should be apart.
fn warm_up(clock: &dyn host::clock::Clock, work: Work<'_>, seconds: f64) -> u64 {
    let begin = clock.now();
    let mut steps = 1;
    loop {
        let before = clock.now();
        work(steps);
        let now = clock.now();
        if now - before < READING / 2.0 {
            steps *= 2;
        } else if now - begin >= seconds {
            return steps;
        }
    }
}

/// Every copy is one run of the command; all begin together. What they leave running lives on or is ended.
///
/// # Errors
/// It is no command, a copy failed, or one took too long.
pub fn command(
    words: &[String],
    bench: &mut Bench<'_>,
    scaling_point: &ScalingPoint,
    case: &Case,
    server: Option<(&Server, CpuSet)>,
) -> Result<Vec<Series>, Reason> {
    let (timeout, rate) = (case.get(param::TIMEOUT), Rate::of_case(case)?);
    let end = case.get(param::END_CHILDREN) == Some(true);
    let count = scaling_point.places.len();
    let words: Vec<OsString> = words.iter().map(OsString::from).collect();
    let nodes = scaling_point.memory.as_ref().map_or(CpuSet::default(), |(_, n)| n.clone());
    let place = |cpus: &CpuSet| Place { cpus: cpus.clone(), nodes: nodes.clone() };
    let places: Vec<Place> = scaling_point.places.iter().map(place).collect();
    let files = rate_files(&rate, &places);
    let (output, servers_output) = (Output::of(count), Output::of(1));
    let (give, servers_lines) = mpsc::channel();
    let lines = if server.is_some() || rate.is_printed() {
        let (kept, servers) = (output.clone(), servers_output.clone());
        let take = move |lines: WholeLines| match lines.child < count {
            true => kept.take(&lines),
            false => {
                servers.take(&WholeLines { child: 0, ..lines.clone() });
                // Once it is ready nobody waits for what it writes.
                let _ = give.send(lines.bytes);
            }
        };
        Some(Lines::new(take)?)
    } else {
        None
    };
    // What is started inherits the policy.
    let policy = scaling_point.policy()?;
    let mut processes = ProcessGroup::new()?.ending_children(end).enclosed();
    let mut serving = None;
    if let Some(((server, cpus), lines)) = server.zip(lines.as_ref()) {
        let program = Program::new(&server.filled(&cpus))?.on(cpus);
        let (out, err) = lines.of(count)?;
        let program = program.writing(out, err);
        let written = (&servers_lines, &servers_output);
        let until = (timeout, || bench.cancelled());
        let started = server.start(processes, (&program, bench.clock), written, until)?;
        processes = started.0;
        serving = Some(started.1);
    }
    for (index, place) in places.iter().enumerate() {
        let program = Copy::of(&words, index, count, place).bound(place, false).program()?;
        processes.hold(&match lines.as_ref().filter(|_| rate.is_printed()) {
            Some(lines) => {
                let (out, err) = lines.of(index)?;
                program.writing(out, err)
            }
            None => program.quiet(),
        })?;
    }
    drop(policy);
    let mut done = processes.run(bench.clock, timeout)?;
    let _ = lines.map(Lines::finish);
    if done.left_behind > 0 {
        let left = f64::from(done.left_behind);
        bench.readings.push(Reading::new("command.left_behind", Unit::Count, left));
    }
    if !done.still_running.is_empty() {
        let running = &done.still_running;
        let count = running.len() as f64;
        bench.readings.push(Reading::new("command.still_running", Unit::Count, count));
        let why = format!("processes that copies started still run ({count}): {}", names(running));
        let why = Reason::mended_by(why, "--end-children, or a command that ends what it starts");
        bench.unread.insert(CLEAN_MACHINE.into(), why);
    }
    if done.timed_out {
        bench.hopeless = Some(Reason::mended_by(
            "not started: no run of it so far had ended in time",
            "a larger --timeout, or a command that ends sooner",
        ));
    }
    let served = serving.map(|s| s.ended(&mut done, &servers_output)).transpose()?.flatten();
    verdict_with_output(&done, &output, count, timeout)?;
    // The command works, and its other runs would be read in vain, too.
    let rated = rate.total(&output, &files).inspect_err(|why| {
        let hopeless = "not started: no rate could be read after a run that succeeded";
        bench.hopeless = Some(Reason { why: hopeless.into(), ..why.clone() });
    })?;
    let times: Vec<f64> = done.ended.iter().map(|e| e.ended - e.began).collect();
    let took = done.elapsed();
    let cpu: Vec<f64> = done.ended.iter().map(|e| e.used.cpu_seconds).collect();
    if rated.is_some() {
        rate::by_elapsed_time(&words, times.iter().copied().zip(cpu.iter().copied()))?;
    }
    let mut used = (cpu.iter().sum::<f64>() + done.orphans_used.cpu_seconds) / took;
    if let Some(served) = served {
        bench.readings.push(Reading::new("command.client_cpus_used", Unit::Count, used));
        used = served / took;
    }
    let series =
        |metric, unit, better, samples| Series { samples, ..Series::new(metric, unit, better) };
    let (runs, unit) = rated.unwrap_or((times.len() as f64 / took, Unit::PerSecond));
    Ok(vec![
        series("throughput", unit, Better::Higher, vec![runs]),
        series("copy_time", Unit::Seconds, Better::Lower, times),
        series("cpu_time", Unit::Seconds, Better::Lower, cpu),
        series("cpus_used", Unit::Count, Better::Higher, vec![used]),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::{Clock, Monotonic};

    #[test]
    fn work_is_given_in_pieces_between_two_readings_of_the_time() {
        let clock = Monotonic::new();
        let before = clock.now();
        let mut done = 0;
        let mut work = |steps: u64| {
            (0..steps * 100).for_each(|i| _ = std::hint::black_box(i));
            done += steps;
            steps as f64
        };
        let steps = warm_up(&clock, &mut work, 0.01);
        assert!(steps >= 1 && done >= steps && clock.now() - before >= 0.01);
    }
}
