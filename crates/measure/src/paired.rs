//! Two commands in pairs: one after the other in random order, or at the same time on equal cores that they exchange (Bulej
//! et al., "Duet Benchmarking", ICPE 2020), until it is decided whether they differ. Every pair is drawn at random, so
//! that what the machine does meanwhile falls on both (Abedi & Brecht, ICPE 2017).
use crate::{
    rate::Rate,
    spread::{self, Copy},
};
use host::{
    child::{Ended, Refused},
    clock::Clock,
    counters::{Counting, Event, Mode, Tree},
    usage::Usage,
};
use record::{CpuSet, Topology};
use stats::{
    paired::{Decision, LOOKS, decide},
    rng::Rng,
};
use std::{ffi::OsString, sync::atomic::Ordering};

/// Pairs after which more are no use: [`stats::paired::shift`] reads as many.
const MOST: usize = 1024;

/// The order in which the two are run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// One after the other, in random order, on any CPU.
    InTurn,
    /// At the same time, each on one of these sets of CPUs, which they exchange from run to run.
    Together([CpuSet; 2]),
}

/// The request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The commands and their arguments.
    pub commands: [Vec<OsString>; 2],
    /// The unit of work of each; completed runs make it the time.
    pub rates: [Rate; 2],
    /// The order; `None` chooses by what the commands use and what the machine has.
    pub order: Option<Order>,
    /// The smallest relative difference of interest.
    pub least: f64,
    /// Seconds for all.
    pub budget: f64,
    /// Seconds after which a run is ended, and the comparison has failed.
    pub limit: Option<f64>,
    /// Whether processes that a run leaves running are ended.
    pub end_children: bool,
    /// Seed of the random order.
    pub seed: u64,
}

/// One run of one command.
#[derive(Debug, Clone, PartialEq)]
pub struct CommandRun {
    /// Seconds from its release to its end.
    pub elapsed: f64,
    /// Work per second: its rate, or runs.
    pub rate: f64,
    /// Its resource use by the kernel's accounts.
    pub used: Usage,
    /// Seconds that its first thread waited for a CPU, where the kernel has such accounts.
    pub queued: Option<f64>,
    /// Instructions and cycles, where they can be counted.
    pub counts: Option<[f64; 2]>,
}

record::named! {
    /// The quantity by which two commands are compared.
    pub enum Measure {
        /// The time from start to end.
        Elapsed = "elapsed",
        /// The CPU time, where each does nothing but use one CPU: what others take of that CPU does not change it.
        CpuTime = "cpu_time",
        /// The rate that both print.
        Rate = "rate",
    }
}

/// The result.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// The order that was used.
    pub order: Order,
    /// The reason for this order.
    pub because: &'static str,
    /// The runs of each command.
    pub runs: [Vec<CommandRun>; 2],
    /// The measure that decides.
    pub measure: Measure,
    /// Natural logarithm of the second's speed over the first's by that measure, of each pair in turn, or of both places of
    /// the two together.
    pub differences: Vec<f64>,
    /// The decision that the pairs allow.
    pub decision: Decision,
    /// The user ended it early.
    pub interrupted: bool,
    /// The failure of a later run, which ended it.
    pub failed: Option<Refused>,
    /// Seconds that all took.
    pub took: f64,
}

/// Runs both until the question is decided, the budget is spent, a run fails, or the user interrupts. One run of each that does
/// not count comes first. `tell` hears how many pairs are done.
///
/// # Errors
/// Before the first pair was done a command failed, took too long, or printed no rate; or an interrupt came.
pub fn measure(
    topology: &Topology,
    request: &Request,
    clock: &dyn Clock,
    mut tell: impl FnMut(usize),
) -> Result<Measured, Refused> {
    let stop = host::signals::on_interrupt();
    let began = clock.now();
    tell(0);
    let mut cores = 0f64;
    for side in 0..2 {
        for one in run(request, &[(side, None)], clock)? {
            cores = cores.max(one.used.cpu_seconds / one.elapsed);
        }
    }
    let (order, because) = match &request.order {
        Some(order) => (order.clone(), "as asked"),
        None => chosen(topology, cores),
    };
    let mut measured = Measured {
        order,
        because,
        runs: [vec![], vec![]],
        measure: Measure::Elapsed,
        differences: vec![],
        decision: Decision::Open,
        interrupted: false,
        failed: None,
        took: 0.0,
    };
    let mut rng = Rng::new(request.seed);
    let mut pairs = 0;
    'looks: for look in 1..=LOOKS {
        let until = began + request.budget * look as f64 / LOOKS as f64;
        while clock.now() < until && pairs < MOST * look / LOOKS {
            match pair(request, &measured.order, clock, &mut rng) {
                Ok(runs) => {
                    for (side, one) in runs {
                        measured.runs[side].push(one);
                    }
                    pairs += 1;
                }
                Err(why) if pairs == 0 => return Err(why),
                Err(why) => {
                    measured.interrupted = stop.load(Ordering::Relaxed);
                    measured.failed = (!measured.interrupted).then_some(why);
                    break 'looks;
                }
            }
            tell(pairs);
        }
        measured.decide(request, pairs);
        if measured.decision != Decision::Open {
            break;
        }
    }
    measured.decide(request, pairs);
    measured.took = clock.now() - began;
    Ok(measured)
}

/// Share of a run's time that it used or waited for a CPU, from which on it does nothing else; more than the whole is that of
/// several threads.
const WHOLLY: std::ops::RangeInclusive<f64> = 0.95..=1.05;

impl Measure {
    /// CPU time where most runs of each use one CPU wholly, unless the commands print rates.
    fn of(request: &Request, runs: &[Vec<CommandRun>; 2]) -> Measure {
        if request.rates.iter().any(|rate| *rate != Rate::Runs) {
            return Measure::Rate;
        }
        let share = |run: &CommandRun| {
            (run.used.cpu_seconds + run.queued.unwrap_or(0.0)) / run.elapsed.max(1e-9)
        };
        let wholly = |runs: &Vec<CommandRun>| {
            let shares: Vec<f64> = runs.iter().map(share).collect();
            stats::median(&shares).is_some_and(|share| WHOLLY.contains(&share))
        };
        if runs.iter().all(wholly) { Measure::CpuTime } else { Measure::Elapsed }
    }
    /// A run's speed by it.
    fn speed(self, run: &CommandRun) -> f64 {
        match self {
            Measure::CpuTime => 1.0 / run.used.cpu_seconds.max(1e-9),
            Measure::Elapsed | Measure::Rate => run.rate,
        }
    }
}

impl Measured {
    /// The measure, the differences of so many pairs by it, and what they decide.
    fn decide(&mut self, request: &Request, pairs: usize) {
        self.measure = Measure::of(request, &self.runs);
        let each = (self.runs[0].len() / pairs.max(1)).max(1);
        let mean = |runs: &[CommandRun]| {
            let speeds = runs.iter().map(|run| self.measure.speed(run).ln());
            speeds.sum::<f64>() / runs.len() as f64
        };
        let [a, b] = self.runs.each_ref().map(|runs| runs.chunks(each));
        self.differences = a.zip(b).map(|(a, b)| mean(b) - mean(a)).collect();
        self.decision = decide(&self.differences, request.least.ln_1p());
    }
}

/// At the same time where each finds as many cores as it uses, of one kind and one node; else in turn.
pub fn chosen(topology: &Topology, cores: f64) -> (Order, &'static str) {
    let each = (cores - 0.1).ceil().max(1.0) as usize;
    let usable = topology.one_per_core();
    let kind = |cpu: u32| (topology.node_of(cpu), topology.cpu(cpu).and_then(|c| c.kind.clone()));
    for first in usable.iter() {
        let alike: Vec<u32> = usable.iter().filter(|cpu| kind(*cpu) == kind(first)).collect();
        if alike.len() >= 2 * each {
            let of = |from: usize| alike.iter().copied().skip(from).take(each).collect();
            return (Order::Together([of(0), of(each)]), "each has cores of its own");
        }
    }
    (Order::InTurn, "there are not twice as many equal cores as a command uses")
}

type Runs = Vec<(usize, CommandRun)>;

/// One pair in random order, or two with exchanged places.
fn pair(
    request: &Request,
    order: &Order,
    clock: &dyn Clock,
    rng: &mut Rng,
) -> Result<Runs, Refused> {
    let mut sides = [0, 1];
    rng.shuffle(&mut sides);
    let mut runs: Runs = vec![];
    match order {
        Order::InTurn => {
            for side in sides {
                runs.extend(
                    run(request, &[(side, None)], clock)?.into_iter().map(|one| (side, one)),
                );
            }
        }
        Order::Together([a, b]) => {
            for places in [[a, b], [b, a]] {
                let both: Vec<_> = sides.into_iter().zip(places.map(Some)).collect();
                runs.extend(sides.into_iter().zip(run(request, &both, clock)?));
            }
        }
    }
    Ok(runs)
}

/// Runs these commands at once, each on its CPUs or on any.
fn run(
    request: &Request,
    sides: &[(usize, Option<&CpuSet>)],
    clock: &dyn Clock,
) -> Result<Vec<CommandRun>, Refused> {
    let copies: Vec<Copy> = sides
        .iter()
        .map(|(side, cpus)| {
            let words = request.commands[*side].clone();
            Copy { words, cpus: cpus.cloned(), ..Copy::default() }
        })
        .collect();
    let mut counting = vec![];
    let (done, output) =
        spread::collected(&copies, clock, (request.limit, request.end_children), |pid| {
            let pair = vec![vec![Event::instructions(), Event::cycles()]];
            counting.push(Counting::open(Tree::of_held(pid), &pair, Mode::All));
        })?;
    spread::verdict(&done, copies.len(), request.limit).map_err(|mut why| {
        if let Some(at) = done.ended.iter().position(|ended| ended.status.code() != 0) {
            let side = ["A", "B"][sides[at].0];
            if done.timed_out {
                why.why = format!("{side}: {}", why.why).into();
            } else {
                let said = output.last_line(at);
                let said = said.map_or(String::new(), |line| format!("; the last it said: {line}"));
                why.why = format!("{side} failed: {}{said}", done.ended[at].status).into();
                why.remedy = Some("run it by itself, with nothing to read: < /dev/null".into());
            }
        }
        why
    })?;
    let one = |((at, ended), mut counting): ((usize, &Ended), Counting<Tree>)| {
        let elapsed = (ended.ended - ended.began).max(1e-9);
        let rate = &request.rates[sides[at].0];
        let rate = rate.of_copy(&output, at)?.unwrap_or(1.0 / elapsed);
        let counted = counting.stop().is_ok().then(|| counting.counts());
        let counts = counted.and_then(|counts| {
            let of = |name| counts.get(name).map(|c| c.scaled() as f64);
            Some([of("instructions")?, of("cycles")?])
        });
        let queued = ended.queue.map(|queue| queue.waited);
        Ok(CommandRun { elapsed, rate, used: ended.used, queued, counts })
    };
    done.ended.iter().enumerate().zip(counting).map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;

    fn words(script: &str) -> Vec<OsString> {
        ["sh", "-c", script].map(OsString::from).to_vec()
    }

    fn request(a: &str, b: &str) -> Request {
        Request {
            commands: [words(a), words(b)],
            rates: [Rate::Runs, Rate::Runs],
            order: Some(Order::InTurn),
            least: 0.01,
            budget: 0.0,
            limit: Some(60.0),
            end_children: false,
            seed: 1,
        }
    }

    /// CPUs of one node, each its own core.
    fn machine(cpus: u32) -> Topology {
        let cpu = |id| record::Cpu {
            id,
            online: true,
            allowed: true,
            core: Some(id),
            package: Some(0),
            siblings: [id].into_iter().collect(),
            node: Some(0),
            ..record::Cpu::default()
        };
        Topology { cpus: (0..cpus).map(cpu).collect(), ..Topology::default() }
    }

    #[test]
    fn each_gets_the_cores_that_it_uses_or_they_take_turns() {
        let of = |cpus, cores| chosen(&machine(cpus), cores).0;
        let together = |a: &str, b: &str| Order::Together([a.parse().unwrap(), b.parse().unwrap()]);
        assert_eq!(of(2, 0.99), together("0", "1"));
        assert_eq!(of(2, 1.05), together("0", "1"));
        assert_eq!(of(2, 1.9), Order::InTurn);
        assert_eq!(of(8, 3.7), together("0-3", "4-7"));
        assert_eq!(of(1, 0.5), Order::InTurn);
        let mut hybrid = machine(2);
        hybrid.cpus[1].kind = Some("efficiency".into());
        assert_eq!(chosen(&hybrid, 1.0).0, Order::InTurn);
    }

    /// A rate that a command prints is what is compared, whatever the time.
    #[test]
    fn pairs_go_on_until_it_is_decided_or_the_budget_is_spent() {
        let mut three = request("echo rate 100", "echo rate 103");
        let rate = || Rate::matching("rate ([0-9]+)").unwrap();
        three.rates = [rate(), rate()];
        three.budget = 60.0;
        three.order = None;
        // Three looks are never reached: seven equal differences decide at the first.
        three.budget = 4.0;
        let found = measure(&machine(1), &three, &Monotonic::new(), |_| ()).unwrap();
        assert_eq!((found.decision, &found.order), (Decision::Differs, &Order::InTurn));
        assert!(found.differences.len() >= 7 && found.runs[0].len() == found.differences.len());
        for difference in &found.differences {
            assert!((difference - 1.03f64.ln()).abs() < 1e-9, "{found:?}");
        }
        let none = measure(&machine(1), &request("true", "true"), &Monotonic::new(), |_| ());
        let none = none.unwrap();
        assert_eq!((none.decision, none.differences.len()), (Decision::Open, 0));
    }

    /// A CPU that others share is waited for; a disk, a lock or a timer is not.
    #[test]
    fn cpu_time_decides_where_each_command_uses_one_cpu_wholly() {
        let run = |elapsed: f64, cpu_seconds, queued| CommandRun {
            elapsed,
            rate: 1.0 / elapsed,
            used: Usage { cpu_seconds, ..Usage::default() },
            queued,
            counts: None,
        };
        let times = request("true", "true");
        let of = |a: CommandRun, b: CommandRun| {
            let mut measured = Measured {
                order: Order::InTurn,
                because: "",
                runs: [vec![a.clone(), a], vec![b.clone(), b]],
                measure: Measure::Elapsed,
                differences: vec![],
                decision: Decision::Open,
                interrupted: false,
                failed: None,
                took: 0.0,
            };
            measured.decide(&times, 2);
            (measured.measure, (100.0 * measured.differences[0]).round())
        };
        let alone = run(1.0, 0.99, Some(0.0));
        let shared = run(2.0, 1.1, Some(0.9));
        assert_eq!(of(alone.clone(), shared.clone()), (Measure::CpuTime, -11.0));
        assert_eq!(of(run(1.0, 0.99, None), alone.clone()).0, Measure::CpuTime);
        for waits in [run(1.0, 0.8, Some(0.0)), run(2.0, 1.1, None), run(1.0, 1.9, Some(0.0))] {
            assert_eq!(of(alone.clone(), waits.clone()).0, Measure::Elapsed);
            assert_eq!(of(waits, alone.clone()).0, Measure::Elapsed);
        }
        let mut rated = request("true", "true");
        rated.rates = [(); 2].map(|()| Rate::matching("rate ([0-9]+)").unwrap());
        assert_eq!(Measure::of(&rated, &[vec![alone], vec![shared]]), Measure::Rate);
    }

    #[test]
    fn a_command_that_fails_is_named_with_its_last_words() {
        let refused = |request: Request| {
            measure(&machine(1), &request, &Monotonic::new(), |_| ()).unwrap_err().why
        };
        let why = refused(request("true", "echo no luck; exit 3"));
        assert_eq!(why.why, "B failed: exit code 3; the last it said: no luck");
        assert!(why.remedy.unwrap().contains("/dev/null"));
        let mut late = request("exec sleep 60", "true");
        late.limit = Some(0.2);
        let why = refused(late).why;
        assert!(why.starts_with("A: it had not ended"), "{why}");
        // The side is named, not the place: the two are shuffled.
        let both = [(1, None), (0, None)];
        let why = run(&request("exit 4", "true"), &both, &Monotonic::new()).unwrap_err().why;
        assert_eq!(why.why, "A failed: exit code 4");
    }
}
