//! SMT check: whether two CPUs are threads of one core or separate cores.
//!
//! Method: independent additions in registers, on each CPU of a pair alone and on both, interleaved; additions per
//! second of both threads, each by its own time. Two threads of one core do as much as one; two cores do twice as much.
//! Pairs: stated SMT siblings, and stated cores: neighbours by number, and half of the list apart, the two usual
//! numberings.
//! Limits: additions only; threads that wait for memory gain more. A hypervisor that runs other guests makes two cores
//! look like one, which steal shows.
use crate::prelude::*;
use measure::threads::per_thread::{self, Repetition};

/// Additions per second on one CPU of a pair, on the other, and on both.
pub static PROBE: Probe = Probe {
    visits: 3,
    ..Probe::new(120, 3, "Two CPUs at once: SMT siblings, or two cores", cases, run)
};

/// Turns of measuring each CPU alone and then both, and seconds of a sample.
const TURNS: usize = 7;
const SAMPLE: f64 = 2e-3;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let pairs = pairs(setting);
    if pairs.is_empty() {
        return Err(Reason::mended_by(
            "there is only one CPU to measure on",
            "allow more CPUs: --cpus, or a wider cpuset",
        ));
    }
    let case = |(stated, [a, b]): (&str, [u32; 2])| {
        let cpus: CpuSet = [a, b].into_iter().collect();
        let params = [param::STATED.set(stated), param::FROM.set(a), param::TO.set(b)];
        setting.case(cpus, &params, setting.depth.pick(0.2, 0.3, 0.6))
    };
    Ok(pairs.into_iter().map(case).collect())
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let cpus: Vec<u32> = case.place.cpus.iter().collect();
    let [a, b] = cpus[..] else { return Err(Reason::new("a pair is two CPUs")) };
    let (variant, add, work) = bench::compute_kernel("add", &bench.features)?;
    let ways: [(&str, Vec<u32>); 3] =
        [("first", vec![a]), ("second", vec![b]), ("both", vec![a, b])];
    let mut all = [(); 3].map(|()| Timed::default());
    let rounds = bench.depth.pick(1, 2, 4) * TURNS;
    for round in 0..rounds {
        for (way, timed) in ways.iter().zip(&mut all) {
            let limits = Limits::once(SAMPLE);
            let steps = (timed.steps > 0).then_some(timed.steps);
            let repetition = Repetition { limits, steps, faults: false };
            let made = per_thread::measure(&way.1, bench, &repetition, |_| {
                Ok(move |n| _ = std::hint::black_box(add(&mut [], n)))
            })?;
            timed.steps = made.timed.steps;
            let why = made.timed.marks.into_iter().map(|mark| mark.why);
            timed.push(work.ops as f64 * made.rates[0], why);
        }
        if !bench.done((round + 1) as f64 / rounds as f64) {
            break;
        }
    }
    let series = |((way, _), timed): ((&str, Vec<u32>), Timed)| {
        let series =
            Series::new(Metric::Additions, Unit::PerSecond, Better::Higher).at(param::ON, way);
        timed.into_series(Series { variant: Some(variant.into()), ..series })
    };
    Ok(ways.into_iter().zip(all).map(series).collect())
}

/// Pairs of CPUs with what the machine states of them, each pair once.
fn pairs(setting: &Setting<'_>) -> Vec<(&'static str, [u32; 2])> {
    let topology = &setting.machine.topology;
    let mut pairs: Vec<(&'static str, [u32; 2])> = vec![];
    let siblings = setting.cpus.iter().find_map(|a| {
        let of = &topology.cpu(a)?.siblings;
        of.iter().find(|b| *b > a && setting.cpus.contains(*b)).map(|b| [a, b])
    });
    pairs.extend(siblings.map(|pair| ("siblings", pair)));
    // One CPU of every stated core, so that no two of them are stated to be siblings.
    let cores = place::one_per_core(setting.machine, &setting.cpus);
    let cores: Vec<u32> = cores.iter().collect();
    let mut apart = vec![];
    if let [a, b, ..] = cores[..] {
        apart.push([a, b]);
        apart.push([a, cores[cores.len() / 2]]);
    }
    if setting.depth > Depth::Quick {
        apart.extend(cores.chunks_exact(2).take(4).map(|c| [c[0], c[1]]));
    }
    for pair in apart {
        if !pairs.iter().any(|(_, known)| *known == pair) {
            pairs.push(("cores", pair));
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cpu, Machine};

    fn machine(cores: u32, threads: u32) -> Machine {
        let mut machine = Machine::default();
        for id in 0..cores * threads {
            let siblings = (0..threads).map(|t| id % cores + t * cores).collect();
            let (online, allowed) = (true, true);
            machine.topology.cpus.push(Cpu { id, online, allowed, siblings, ..Cpu::default() });
        }
        machine
    }

    #[test]
    fn siblings_and_cores_are_paired_and_no_pair_twice() {
        let pairs_of = |machine: &Machine, depth| {
            pairs(&Setting::new(machine, machine.topology.usable(), depth))
        };
        let threads = machine(4, 2);
        assert_eq!(
            pairs_of(&threads, Depth::Quick),
            [("siblings", [0, 4]), ("cores", [0, 1]), ("cores", [0, 2])]
        );
        assert_eq!(pairs_of(&machine(2, 1), Depth::Standard), [("cores", [0, 1])]);
        assert_eq!(pairs_of(&machine(1, 2), Depth::Quick), [("siblings", [0, 1])]);
        assert!(pairs_of(&machine(1, 1), Depth::Thorough).is_empty());
        let many = pairs_of(&machine(64, 2), Depth::Standard);
        assert_eq!(many.len(), 1 + 2 + 3, "{many:?}");
        // Both threads of the first core, and only the second one of the other.
        let some = Setting::new(&threads, "0,4,5".parse().unwrap(), Depth::Quick);
        assert_eq!(pairs(&some), [("siblings", [0, 4]), ("cores", [0, 5])]);
    }
}
