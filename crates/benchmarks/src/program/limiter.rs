//! What limits a program, from the outside in: whether it is on a CPU at all, whether the kernel works in its place,
//! and then where its cycles go. Every answer has its evidence; without any it is that it cannot be determined, and why.
use super::{Counted, Program, Slots, Target};
use crate::say;
use estimates::words::{self, percent};
use record::Text;

/// A program that used less than so much of a CPU is limited by what it waits for.
const ON_CPU: f64 = 0.7;
/// Share of its CPU time in the kernel from which on the kernel's work is what takes the time.
const KERNEL: f64 = 0.5;
/// Slots retired from here on: no stall is worth naming if each takes less than [`WORTH`].
const BUSY: f64 = 0.5;
/// A share of cycles or slots that is worth naming.
const WORTH: f64 = 0.2;
/// Cycles that a wrongly predicted branch costs, where they are not counted: 11 to 20 on cores of the last fifteen
/// years (A. Fog, "The microarchitecture of Intel, AMD, and VIA CPUs").
const MISPREDICTION: f64 = 15.0;
/// Cycles that a load waits which hits in L2, in the last level, or in memory, where stalls are not counted.
const FROM: [f64; 3] = [12.0, 45.0, 250.0];
/// Seconds that memory takes to answer, for counting misses in flight.
const MEMORY: f64 = 100e-9;
/// Misses in flight for each CPU that are most of what a core can have (10 to 16 on those of the last ten years):
/// more memory latency hurts it less than want of bandwidth.
const IN_FLIGHT: f64 = 6.0;
/// Bytes of a cache line.
const LINE: f64 = 64.0;

record::named! {
    /// The limiter of a program.
    pub enum Limiter {
        /// It is not on a CPU.
        NotOnCpu = "not on CPU",
        /// It is ready to run and waits for a CPU.
        RunQueue = "waiting for a CPU",
        /// The kernel works on its behalf.
        Kernel = "the kernel on its behalf",
        /// Instructions do not arrive fast enough.
        FrontEnd = "front end",
        /// Work on wrong paths.
        BadSpeculation = "bad speculation",
        /// Units of the core: long latencies, or too few of them.
        Core = "core: long latencies or busy units",
        /// Data from the second level.
        L2 = "L2",
        /// Data from the third level.
        L3 = "L3",
        /// Waiting for memory.
        MemoryLatency = "memory latency",
        /// The bandwidth of memory.
        MemoryBandwidth = "memory bandwidth",
        /// Memory, of which it cannot be determined what.
        Memory = "memory hierarchy",
        /// Nothing stalls it: the number of its instructions.
        Instructions = "its instructions: nothing stalls it",
        /// Unknown.
        Unknown = "cannot tell",
    }
}

/// The limiter, and the evidence.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The limiter.
    pub limiter: Limiter,
    /// The numbers that say so, in sentences.
    pub evidence: Vec<Text>,
    /// Costs were assumed for events that are only counted.
    pub estimated: bool,
}

impl Judged {
    pub(super) fn counted(limiter: Limiter, evidence: Vec<Text>) -> Judged {
        Judged { limiter, evidence, estimated: false }
    }
}

pub(super) fn judge(program: &Program<'_>) -> Judged {
    if program.target == Target::Cpus {
        let why = say::EVIDENCE_CPUS.into();
        return Judged::counted(Limiter::Unknown, vec![why]);
    }
    if let Some(judged) = off_cpu(program).or_else(|| in_kernel(program)) {
        return judged;
    }
    match (&program.counted, &program.slots) {
        (Err(reason), _) => Judged::counted(Limiter::Unknown, vec![Text::from(reason)]),
        (Ok(counted), Some(slots)) => of_slots(program, counted, slots),
        (Ok(counted), None) => {
            of_stalls(program, counted).unwrap_or_else(|| of_misses(program, counted))
        }
    }
}

fn off_cpu(program: &Program<'_>) -> Option<Judged> {
    let cpu = program.cpu.as_ref().ok()?;
    let used = cpu.all / program.elapsed.max(1e-9);
    if used >= ON_CPU {
        return None;
    }
    let away = (program.elapsed - cpu.all).max(0.0);
    let mut evidence =
        vec![say::evidence_on_cpu(words::time(cpu.all), words::time(program.elapsed))];
    let counted = |name: &str| {
        program.readings().value(name).filter(|n| *n > 0.0).map(|count| count as usize)
    };
    evidence.extend(counted("program.switches.voluntary").map(say::evidence_gave_up));
    evidence.extend(counted("program.faults.major").map(say::evidence_disk));
    let waited = program.readings().value("program.waited").unwrap_or(0.0);
    if waited > 0.0 {
        evidence.push(say::evidence_no_cpu(words::time(waited)));
    }
    let limiter = if waited > away / 2.0 { Limiter::RunQueue } else { Limiter::NotOnCpu };
    Some(Judged::counted(limiter, evidence))
}

fn in_kernel(program: &Program<'_>) -> Option<Judged> {
    let cpu = program.cpu.as_ref().ok()?;
    let share = cpu.system? / cpu.all.max(1e-9);
    if share < KERNEL {
        return None;
    }
    let mut evidence = vec![say::evidence_kernel(percent(share))];
    let faults = program.readings().value("program.faults.minor").unwrap_or(0.0);
    if faults > 0.0 {
        let rate = (faults / program.elapsed.max(1e-9)).round() as usize;
        evidence.push(say::evidence_faults(rate));
    }
    Some(Judged::counted(Limiter::Kernel, evidence))
}

fn of_slots(program: &Program<'_>, counted: &Counted, slots: &Slots) -> Judged {
    let mut evidence = vec![say::evidence_slots(
        percent(slots.retiring),
        percent(slots.bad_speculation),
        percent(slots.frontend),
        percent(slots.backend),
    )];
    let worst = slots.bad_speculation.max(slots.frontend).max(slots.backend);
    let limiter = if slots.retiring >= BUSY && worst < WORTH {
        Limiter::Instructions
    } else if worst == slots.backend {
        match slots.memory {
            Some(memory) if memory >= slots.backend / 2.0 => {
                evidence.push(say::evidence_waited_data(percent(memory)));
                return level(program, counted, evidence);
            }
            Some(memory) => {
                evidence.push(say::evidence_only_data(percent(memory)));
                Limiter::Core
            }
            None => {
                evidence.push(say::EVIDENCE_UNITS_OR_DATA.into());
                Limiter::Unknown
            }
        }
    } else if worst == slots.frontend {
        evidence
            .extend(slots.latency.map(|latency| say::evidence_nothing_delivered(percent(latency))));
        Limiter::FrontEnd
    } else {
        evidence.extend(
            slots.mispredicted.map(|branches| say::evidence_mispredicted_slots(percent(branches))),
        );
        Limiter::BadSpeculation
    };
    Judged::counted(limiter, evidence)
}

/// From cycles without issue; what mispredictions cost is assumed.
fn of_stalls(program: &Program<'_>, counted: &Counted) -> Option<Judged> {
    let share = |role: &str| Some(program.readings().role(role)? / counted.cycles);
    let (front, back) = (share("stall_frontend")?, share("stall_backend")?);
    let bad = share("branch_misses").map_or(0.0, |misses| misses * MISPREDICTION);
    let mut evidence = vec![say::evidence_stalled(percent(front), percent(back))];
    if bad > 0.0 {
        evidence.push(mispredicted(program, counted, bad));
    }
    let worst = front.max(back).max(bad);
    let (limiter, estimated) = if worst < WORTH {
        (Limiter::Instructions, false)
    } else if worst == bad {
        (Limiter::BadSpeculation, true)
    } else if worst == front {
        (Limiter::FrontEnd, false)
    } else {
        let memory = share("stall_memory").or_else(|| share("stall_l1_miss"));
        match memory {
            Some(memory) if memory < back / 2.0 => {
                evidence.push(say::evidence_only_cycles(percent(memory)));
                (Limiter::Core, false)
            }
            _ => return Some(level(program, counted, evidence)),
        }
    };
    Some(Judged { limiter, evidence, estimated })
}

fn mispredicted(program: &Program<'_>, counted: &Counted, share: f64) -> Text {
    let misses = program.readings().role("branch_misses").unwrap_or(0.0);
    let branches = format!("{:.1}", 1000.0 * misses / counted.instructions);
    say::evidence_mispredicted(branches, percent(share), MISPREDICTION)
}

/// Cycles that misses cost at assumed latencies, one after the other: an upper bound, for some overlap.
fn assumed(program: &Program<'_>) -> [f64; 3] {
    let role = |name: &str| program.readings().role(name);
    let fills = ["fills_l2", "fills_l3", "fills_memory"].map(role);
    let lines = match fills {
        [Some(l2), Some(l3), Some(memory)] => [l2, l3, memory],
        _ => {
            let l1 = role("l1d_misses").unwrap_or(0.0);
            let llc = role("llc_misses");
            let l2 = role("l2_misses").or(llc).unwrap_or(0.0);
            let memory = llc.unwrap_or(0.0);
            [(l1 - l2).max(0.0), (l2 - memory).max(0.0), memory]
        }
    };
    std::array::from_fn(|i| lines[i] * FROM[i])
}

/// From events alone.
fn of_misses(program: &Program<'_>, counted: &Counted) -> Judged {
    let misses = program.readings().role("branch_misses").unwrap_or(0.0);
    let bad = misses * MISPREDICTION / counted.cycles;
    let levels = assumed(program).map(|cycles| cycles / counted.cycles);
    let data = levels.iter().fold(0.0f64, |a, b| a.max(*b));
    let mut evidence = vec![];
    if bad > 0.0 {
        evidence.push(mispredicted(program, counted, bad));
    }
    if data > 0.0 {
        evidence.push(say::evidence_misses(
            percent(levels[0]),
            percent(levels[1]),
            percent(levels[2]),
        ));
    }
    let worst = bad.max(data);
    if evidence.is_empty() || worst < WORTH {
        evidence.push(say::EVIDENCE_LITTLE.into());
        return Judged { limiter: Limiter::Unknown, evidence, estimated: true };
    }
    if worst == bad {
        return Judged { limiter: Limiter::BadSpeculation, evidence, estimated: true };
    }
    Judged { estimated: true, ..level(program, counted, evidence) }
}

/// The level of the memory hierarchy.
fn level(program: &Program<'_>, counted: &Counted, mut evidence: Vec<Text>) -> Judged {
    let share = |role: &str| Some(program.readings().role(role)? / counted.cycles);
    let stalls = ["stall_l1_miss", "stall_l2_miss"].map(share);
    let (parts, estimated) = if let [Some(l1), Some(l2)] = stalls {
        let (l3, memory) = match share("stall_l3_miss") {
            Some(l3) => ((l2 - l3).max(0.0), l3),
            // What lies behind L2 is not separated: by lines from memory, if those are counted.
            None => {
                let [_, l3, memory] = assumed(program);
                let of_memory = if l3 + memory > 0.0 { memory / (l3 + memory) } else { 0.0 };
                (l2 * (1.0 - of_memory), l2 * of_memory)
            }
        };
        evidence.push(say::evidence_levels(
            percent((l1 - l2).max(0.0)),
            percent(l3),
            percent(memory),
        ));
        ([(l1 - l2).max(0.0), l3, memory], share("stall_l3_miss").is_none())
    } else {
        (assumed(program).map(|cycles| cycles / counted.cycles), true)
    };
    let most = parts.iter().fold(0.0f64, |a, b| a.max(*b));
    if most <= 0.0 {
        evidence.push(say::EVIDENCE_LEVEL_UNKNOWN.into());
        return Judged { limiter: Limiter::Memory, evidence, estimated };
    }
    let limiter = match parts.iter().position(|part| *part == most) {
        Some(0) => Limiter::L2,
        Some(1) => Limiter::L3,
        _ => return memory(program, counted, evidence, estimated),
    };
    Judged { limiter, evidence, estimated }
}

/// Latency or bandwidth: by the misses that are in flight at once (Little's law).
fn memory(
    program: &Program<'_>,
    counted: &Counted,
    mut evidence: Vec<Text>,
    estimated: bool,
) -> Judged {
    let lines =
        program.readings().role("fills_memory").or_else(|| program.readings().role("llc_misses"));
    let Some(lines) = lines else {
        evidence.push(say::EVIDENCE_LINES_UNKNOWN.into());
        return Judged { limiter: Limiter::Memory, evidence, estimated };
    };
    let per_second = lines / counted.cpu;
    let flying = per_second * MEMORY;
    evidence.push(say::evidence_lines(
        words::rate(per_second * LINE),
        format!("{flying:.1}"),
        words::time(MEMORY),
    ));
    let limiter =
        if flying >= IN_FLIGHT { Limiter::MemoryBandwidth } else { Limiter::MemoryLatency };
    Judged { limiter, evidence, estimated }
}
