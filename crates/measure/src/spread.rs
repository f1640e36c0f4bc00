//! Copies of somebody's command side by side, each on its CPUs with its memory near by; and the same measured with and without
//! that placement, in interleaved order, for what it is worth. Source: numactl(8); the order is that of `scaling_run::rounds`.
use crate::rate::{self, Output, Rate};
use crate::scaling_run;
use host::{
    child::{GroupResult, Lines, ProcessGroup, Program, Refused, Running, WholeLines},
    clock::Clock,
    mempolicy,
};
use record::{CpuSet, Reason};
use std::{
    ffi::{OsStr, OsString},
    os::unix::ffi::{OsStrExt, OsStringExt},
};

/// One copy.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Copy {
    /// The command and its arguments, with placeholders filled in by [`Copy::of`].
    pub words: Vec<OsString>,
    /// Variables beside ours.
    pub variables: Vec<(String, OsString)>,
    /// Its CPUs; any if none are named.
    pub cpus: Option<CpuSet>,
    /// Nodes of its memory: one is bound, several are interleaved, none leaves it to the kernel.
    pub nodes: CpuSet,
}

/// The placement of a copy, whether it is bound or not.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Place {
    /// Its CPUs.
    pub cpus: CpuSet,
    /// The nodes of its memory.
    pub nodes: CpuSet,
}

impl Copy {
    /// The copy with this number of a command, in whose words `{index}`, `{node}`, `{cpus}` and `{count}` are filled in;
    /// the same are in `CPULENS_INDEX`, `CPULENS_NODE`, `CPULENS_CPUS` and `CPULENS_COUNT`.
    pub fn of(words: &[OsString], index: usize, count: usize, place: &Place) -> Copy {
        let known = [
            ("index", index.to_string()),
            ("node", place.nodes.to_string()),
            ("cpus", place.cpus.to_string()),
            ("count", count.to_string()),
        ];
        let words = words.iter().map(|word| filled(word, &known)).collect();
        let variable = |(name, value): (&str, String)| {
            (format!("CPULENS_{}", name.to_uppercase()), value.into())
        };
        let variables = known.into_iter().map(variable).collect();
        Copy { words, variables, cpus: None, nodes: CpuSet::default() }
    }
    /// The same, bound to its place. Memory is bound only where the machine has a choice of nodes.
    #[must_use]
    pub fn bound(mut self, place: &Place, several_nodes: bool) -> Copy {
        self.cpus = Some(place.cpus.clone());
        if several_nodes {
            self.nodes = place.nodes.clone();
        }
        self
    }
}

/// A word with its placeholders filled in; what is no placeholder stays as it is.
pub fn filled(word: &OsStr, known: &[(&str, String)]) -> OsString {
    let mut bytes = word.as_bytes().to_vec();
    for (name, value) in known {
        let mark = format!("{{{name}}}").into_bytes();
        let mut done = vec![];
        let mut rest = &bytes[..];
        while let Some(at) = rest.windows(mark.len()).position(|w| w == mark) {
            done.extend_from_slice(&rest[..at]);
            done.extend_from_slice(value.as_bytes());
            rest = &rest[at + mark.len()..];
        }
        done.extend_from_slice(rest);
        bytes = done;
    }
    OsString::from_vec(bytes)
}

/// The result of the copies.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// Their exits, in their order.
    pub done: GroupResult,
    /// Whether all that they wrote was taken.
    pub heard: bool,
}

impl Copy {
    /// The program, without its memory policy.
    pub(crate) fn program(&self) -> Result<Program, Refused> {
        let mut program = Program::new(&self.words)?;
        for (name, value) in &self.variables {
            program = program.with(name, value);
        }
        Ok(match &self.cpus {
            Some(cpus) => program.on(cpus.clone()),
            None => program,
        })
    }
}

/// Runs copies at once, and hands on all lines that they write. They have nothing to read, for one terminal cannot be
/// several copies'. Signals are passed on to all of them. After a time limit they are ended; what they leave running lives on
/// or is ended. `held` gets the id of each process before it runs.
///
/// # Errors
/// One of them is no command, or cannot be where it should; then none ran.
pub fn run(
    copies: &[Copy],
    clock: &dyn Clock,
    (limit, end_children): (Option<f64>, bool),
    take: impl FnMut(WholeLines) + Send + 'static,
    mut held: impl FnMut(u32),
) -> Result<Ran, Refused> {
    let mut processes = ProcessGroup::new()?.ending_children(end_children);
    let lines = Lines::new(take)?;
    for (index, copy) in copies.iter().enumerate() {
        let (out, err) = lines.of(index)?;
        // A process inherits the policy of its parent.
        let policy = mempolicy::on(&copy.nodes)?;
        held(processes.hold(&copy.program()?.writing(out, err))?);
        drop(policy);
    }
    let done = processes.run(clock, limit)?;
    Ok(Ran { done, heard: lines.finish() })
}

/// Runs copies at once to be measured: how they ended, and what they wrote.
///
/// # Errors
/// Those of [`run`]; they were interrupted.
pub(crate) fn collected(
    copies: &[Copy],
    clock: &dyn Clock,
    ending: (Option<f64>, bool),
    held: impl FnMut(u32),
) -> Result<(GroupResult, Output), Refused> {
    let output = Output::of(copies.len());
    let kept = output.clone();
    let done = run(copies, clock, ending, move |lines| kept.take(&lines), held)?.done;
    match done.passed_on {
        Some(signal) => Err(Reason::new(format!("interrupted (signal {signal})")).into()),
        None => Ok((done, output)),
    }
}

/// [`collected`] for copies of one command.
///
/// # Errors
/// Those of [`collected`]; one of them failed or took too long.
fn measured(
    copies: &[Copy],
    clock: &dyn Clock,
    ending: (Option<f64>, bool),
) -> Result<(GroupResult, Output), Refused> {
    let (done, output) = collected(copies, clock, ending, |_| ())?;
    verdict_with_output(&done, &output, copies.len(), ending.0)?;
    Ok((done, output))
}

/// The reason of [`verdict`], with the last line that a copy wrote.
pub(crate) fn verdict_with_output(
    done: &GroupResult,
    output: &Output,
    copies: usize,
    timeout: Option<f64>,
) -> Result<(), Reason> {
    verdict(done, copies, timeout).map_err(|mut why| {
        let said = (0..copies).find_map(|copy| output.last_line(copy));
        if let Some(line) = said {
            why.why = format!("{}; the last it said: {line}", why.why).into();
        }
        why
    })
}

/// The exit code by which timeout(1) says that it ended a command.
const STOPPED: i32 = 124;

/// The reason why the runs of a command are no measurement, if they are none.
pub(crate) fn verdict(
    done: &GroupResult,
    copies: usize,
    timeout: Option<f64>,
) -> Result<(), Reason> {
    if done.timed_out {
        return Err(Reason::mended_by(
            format!("it had not ended after {} s, and was ended", timeout.unwrap_or_default()),
            "a larger --timeout, or a command that ends sooner",
        ));
    }
    let failed = done.ended.iter().filter(|e| e.status.code() != 0);
    let ends = record::counts(failed.map(|ended| ended.status.to_string()));
    if ends.is_empty() && done.ended.len() == copies {
        return Ok(());
    }
    let failed: usize = ends.values().sum::<usize>() + copies.saturating_sub(done.ended.len());
    let ends: Vec<String> = ends.iter().map(|(how, n)| format!("{how} ({n})")).collect();
    let ends = if ends.is_empty() { "they did not end".to_owned() } else { ends.join(", ") };
    let stopped = done.ended.iter().any(|e| e.status.code() == STOPPED);
    Err(Reason::mended_by(
        format!("{failed} of {copies} copies failed: {ends}"),
        match stopped {
            true => {
                "timeout(1) ended the command: give it work that ends, or --rate-regex and a shell that succeeds"
            }
            false => {
                "run the command by itself to see what it says; copies may not share files or ports"
            }
        },
    ))
}

/// A way to run the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Arm {
    /// One copy, bound nowhere.
    One,
    /// One copy in the first place.
    OneBound,
    /// As many copies as places, bound nowhere.
    All,
    /// A copy in each place.
    AllBound,
}

impl Arm {
    /// All of them, in the order of a round; one place has no copies beside one.
    pub fn of(places: usize) -> &'static [Arm] {
        match places {
            0 | 1 => &[Arm::One, Arm::OneBound],
            _ => &[Arm::One, Arm::OneBound, Arm::All, Arm::AllBound],
        }
    }
}

/// The proof to run.
#[derive(Debug, Clone)]
pub struct Proof {
    /// The command with its placeholders.
    pub words: Vec<OsString>,
    /// A place for each copy.
    pub places: Vec<Place>,
    /// Whether the machine has a choice of nodes.
    pub several_nodes: bool,
    /// Times that every arm is measured.
    pub repeats: usize,
    /// The unit in which a run's work is counted.
    pub rate: Rate,
    /// Seconds after which a run is ended, and the proof has failed.
    pub limit: Option<f64>,
    /// Whether processes that a run leaves running are ended.
    pub end_children: bool,
}

/// The result.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Measured {
    /// Every run: its arm and what all of its copies did in a second.
    pub rates: Vec<(Arm, f64)>,
    /// Seconds of every copy in them: of those that ran alone, and of those beside others.
    pub seconds: [Vec<f64>; 2],
    /// CPU seconds of all of these.
    pub cpu_seconds: Vec<f64>,
    /// Processes that the runs left running, beside which later runs were measured.
    pub still_running: Vec<Running>,
    /// The failure or interrupt of a later run, which ended it.
    pub failed: Option<Refused>,
}

impl Proof {
    /// Runs every arm `repeats` times, up and down in turn, after one run that does not count. `tell` hears of every run before it begins.
    ///
    /// # Errors
    /// Before the first run that counts was done a copy failed, took too long, was interrupted, or printed no rate.
    pub fn measure(
        &self,
        clock: &dyn Clock,
        mut tell: impl FnMut(usize, usize, Arm),
    ) -> Result<Measured, Refused> {
        let rounds = scaling_run::rounds(Arm::of(self.places.len()), self.repeats);
        let total = rounds.len() + 1;
        tell(1, total, Arm::One);
        let mut first = Measured::default();
        self.once(clock, Arm::One, &mut first)?;
        let mut measured = Measured { still_running: first.still_running, ..Measured::default() };
        for (number, (_, arm)) in rounds.into_iter().enumerate() {
            tell(number + 2, total, arm);
            match self.once(clock, arm, &mut measured) {
                Ok(rate) => measured.rates.push((arm, rate)),
                Err(why) if measured.rates.is_empty() => return Err(why),
                Err(why) => {
                    measured.failed = Some(why);
                    break;
                }
            }
        }
        Ok(measured)
    }

    fn once(&self, clock: &dyn Clock, arm: Arm, all: &mut Measured) -> Result<f64, Refused> {
        let count = match arm {
            Arm::One | Arm::OneBound => 1,
            Arm::All | Arm::AllBound => self.places.len(),
        };
        let copies: Vec<Copy> = self.places[..count.min(self.places.len())]
            .iter()
            .enumerate()
            .map(|(index, place)| {
                let copy = Copy::of(&self.words, index, count, place);
                match arm {
                    Arm::OneBound | Arm::AllBound => copy.bound(place, self.several_nodes),
                    Arm::One | Arm::All => copy,
                }
            })
            .collect();
        let files = rate_files(&self.rate, &self.places[..count.min(self.places.len())]);
        let (done, output) = measured(&copies, clock, (self.limit, self.end_children))?;
        all.still_running.extend(done.still_running.iter().cloned());
        for ended in &done.ended {
            all.seconds[usize::from(count > 1)].push(ended.ended - ended.began);
            all.cpu_seconds.push(ended.used.cpu_seconds);
        }
        let total = self.rate.total(&output, &files)?.map(|(total, _)| total);
        if total.is_some() {
            let copies = done.ended.iter().map(|e| (e.ended - e.began, e.used.cpu_seconds));
            rate::by_elapsed_time(&self.words, copies)?;
        }
        Ok(total.unwrap_or_else(|| count as f64 / done.elapsed()))
    }
}

/// The files in which copies in these places will leave their rates, each removed first: an earlier run's must not be taken
/// for this one's.
pub(crate) fn rate_files(rate: &Rate, places: &[Place]) -> Vec<OsString> {
    let Rate::File(file) = rate else { return vec![] };
    let of = |(index, place): (usize, &Place)| {
        Copy::of(std::slice::from_ref(file), index, places.len(), place).words
    };
    let files: Vec<OsString> = places.iter().enumerate().flat_map(of).collect();
    files.iter().for_each(|file| _ = filesystem::directory::remove(file.as_ref()));
    files
}

#[cfg(test)]
mod tests;
