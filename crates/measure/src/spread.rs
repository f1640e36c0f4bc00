//! Copies of somebody's command side by side, each on its CPUs with its memory near by; and the same measured with and without
//! that placement, in interleaved order, for what it is worth. Source: numactl(8); the order is that of `scaling_run::rounds`.
use crate::scaling_run;
use host::{
    child::{Background, GroupResult, Line, Lines, ProcessGroup, Program, Refused, Running},
    clock::Clock,
    mempolicy,
};
use record::{CpuSet, Reason};
use regex::bytes::Regex;
use std::{
    ffi::{OsStr, OsString},
    fs,
    os::unix::ffi::{OsStrExt, OsStringExt},
    sync::{Arc, Mutex, PoisonError},
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

/// Where a copy belongs, whether it is bound there or not.
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

/// What became of copies.
#[derive(Debug, Clone, PartialEq)]
pub struct Ran {
    /// How they ended, in their order.
    pub done: GroupResult,
    /// Whether all that they wrote was taken.
    pub heard: bool,
}

/// Runs copies at once, and hands on every line that they write. They have nothing to read, for one terminal cannot be
/// several copies'. Signals are passed on to all of them. What they leave running lives on or is ended.
///
/// # Errors
/// One of them is no command, or cannot be where it should; then none ran.
pub fn run(
    copies: &[Copy],
    clock: &dyn Clock,
    limit: Option<f64>,
    background: Background,
    take: impl FnMut(Line) + Send + 'static,
) -> Result<Ran, Refused> {
    let mut processes = ProcessGroup::new()?.background(background);
    if background == Background::End {
        processes = processes.enclosed();
    }
    let lines = Lines::new(take)?;
    for (index, copy) in copies.iter().enumerate() {
        let (out, err) = lines.of(index)?;
        let mut program = Program::new(&copy.words)?.writing(out, err);
        for (name, value) in &copy.variables {
            program = program.with(name, value);
        }
        if let Some(cpus) = &copy.cpus {
            program = program.on(cpus.clone());
        }
        // A process inherits the policy of its parent.
        let policy = match copy.nodes.len() {
            0 => None,
            1 => Some(mempolicy::bind(&copy.nodes)),
            _ => Some(mempolicy::interleave(&copy.nodes)),
        };
        let policy = policy.transpose().map_err(|why| Refused { why, status: None })?;
        processes.hold(&program)?;
        drop(policy);
    }
    let done = processes.run(clock, limit)?;
    Ok(Ran { done, heard: lines.finish() })
}

/// How much a copy did.
#[derive(Debug, Clone)]
pub enum Rate {
    /// Runs completed in a second.
    Runs,
    /// The number that the last match of this expression captures in what it wrote.
    Match(Regex),
    /// The last number in this file when it has ended; placeholders are filled in.
    File(OsString),
}

impl Rate {
    /// The expression that captures a rate in a program's output.
    ///
    /// # Errors
    /// It is no expression, or captures nothing.
    pub fn matching(text: &str) -> Result<Rate, Reason> {
        let found = Regex::new(text).map_err(|e| {
            let last = e.to_string();
            let last = last.lines().last().unwrap_or_default().trim_start_matches("error: ");
            Reason::new(format!("'{text}' is no regular expression: {last}"))
        })?;
        if found.captures_len() != 2 {
            return Err(Reason::mended_by(
                format!("'{text}' must capture one number"),
                "put it into brackets, as in 'Requests/sec: +([0-9.]+)'",
            ));
        }
        Ok(Rate::Match(found))
    }
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

/// What is proved, and how.
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
    /// How much a run did.
    pub rate: Rate,
    /// Seconds after which a run is ended, and the proof has failed.
    pub limit: Option<f64>,
    /// What becomes of processes that a run leaves running.
    pub background: Background,
}

/// What was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Every run: its arm and what all of its copies did in a second.
    pub rates: Vec<(Arm, f64)>,
    /// Processes that the runs left running, beside which later runs were measured.
    pub still_running: Vec<Running>,
}

/// Bytes at the end of a copy's output that a rate is looked for in.
const TAIL: usize = 1 << 20;

impl Proof {
    /// Runs every arm `repeats` times, up and down in turn, after one run that does not count. `tell` hears of every run before it begins.
    ///
    /// # Errors
    /// A copy failed, took too long, was interrupted, or printed no rate.
    pub fn measure(
        &self,
        clock: &dyn Clock,
        mut tell: impl FnMut(usize, usize, Arm),
    ) -> Result<Measured, Refused> {
        let rounds = scaling_run::rounds(Arm::of(self.places.len()), self.repeats);
        let total = rounds.len() + 1;
        tell(1, total, Arm::One);
        let mut measured = Measured { rates: vec![], still_running: vec![] };
        self.once(clock, Arm::One, &mut measured.still_running)?;
        for (number, (_, arm)) in rounds.into_iter().enumerate() {
            tell(number + 2, total, arm);
            let rate = self.once(clock, arm, &mut measured.still_running)?;
            measured.rates.push((arm, rate));
        }
        Ok(measured)
    }

    fn once(
        &self,
        clock: &dyn Clock,
        arm: Arm,
        still_running: &mut Vec<Running>,
    ) -> Result<f64, Refused> {
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
        if let Rate::File(file) = &self.rate {
            // A rate that an earlier run left must not be taken for this one's.
            self.files(file, count).iter().for_each(|file| _ = fs::remove_file(file));
        }
        let tails = Arc::new(Mutex::new(vec![Vec::new(); copies.len()]));
        let kept = Arc::clone(&tails);
        let ran = run(&copies, clock, self.limit, self.background, move |line| {
            let mut tails = kept.lock().unwrap_or_else(PoisonError::into_inner);
            let tail: &mut Vec<u8> = &mut tails[line.child];
            tail.extend(line.bytes);
            tail.push(b'\n');
            if tail.len() > 2 * TAIL {
                tail.drain(..tail.len() - TAIL);
            }
        })?;
        still_running.extend(ran.done.still_running.iter().cloned());
        let tails = tails.lock().unwrap_or_else(PoisonError::into_inner);
        let failed = |why: Reason| Refused { why, status: None };
        if let Some(signal) = ran.done.passed_on {
            return Err(failed(Reason::new(format!("interrupted (signal {signal})"))));
        }
        crate::scaling_point::verdict(&ran.done, copies.len(), self.limit).map_err(|mut why| {
            let said = tails.iter().find_map(|tail| last_line(tail));
            why.why += &said.map_or(String::new(), |line| format!("; the last it said: {line}"));
            failed(why)
        })?;
        match &self.rate {
            Rate::Runs => {
                let ended = &ran.done.ended;
                let begin = ended.iter().map(|e| e.began).fold(f64::INFINITY, f64::min);
                let end = ended.iter().map(|e| e.ended).fold(0.0, f64::max);
                Ok(count as f64 / (end - begin).max(1e-9))
            }
            Rate::Match(expression) => {
                sum(tails.iter().map(|tail| captured(expression, tail))).map_err(failed)
            }
            Rate::File(file) => {
                sum(self.files(file, count).iter().map(|file| last_number(file))).map_err(failed)
            }
        }
    }

    fn files(&self, file: &OsStr, count: usize) -> Vec<OsString> {
        let place = |(index, place): (usize, &Place)| {
            let copy = Copy::of(&[file.to_owned()], index, count, place);
            copy.words.into_iter().next().unwrap_or_default()
        };
        self.places.iter().take(count).enumerate().map(place).collect()
    }
}

/// What all copies did: each must have printed it.
fn sum(rates: impl Iterator<Item = Result<f64, Reason>>) -> Result<f64, Reason> {
    let mut total = 0.0;
    for rate in rates {
        total += rate?;
    }
    match total > 0.0 && total.is_finite() {
        true => Ok(total),
        false => Err(Reason::mended_by(
            format!("a rate of {total} is no throughput"),
            "a rate is a number above zero, more of it is better",
        )),
    }
}

/// The number that the last match captures.
fn captured(expression: &Regex, text: &[u8]) -> Result<f64, Reason> {
    let last = expression.captures_iter(text).filter_map(|found| found.get(1)).last();
    let Some(last) = last else {
        let said =
            last_line(text).map_or("it wrote nothing".into(), |l| format!("its last line: {l}"));
        return Err(Reason::mended_by(
            format!("--rate-regex matches nothing in what the command wrote; {said}"),
            "try the expression on its output with grep -E",
        ));
    };
    number(last.as_bytes()).ok_or_else(|| {
        let said = String::from_utf8_lossy(last.as_bytes()).into_owned();
        Reason::new(format!("--rate-regex captures '{said}', which is no number"))
    })
}

/// The last number in a file.
fn last_number(file: &OsStr) -> Result<f64, Reason> {
    let name = file.to_string_lossy().into_owned();
    let text = fs::read(file).map_err(|error| {
        Reason::mended_by(
            format!("the command left no rate in {name}: {error}"),
            "write a number there, or use --rate-regex",
        )
    })?;
    let words = text.split(|b| b.is_ascii_whitespace() || *b == b':' || *b == b'=');
    words.rev().find_map(number).ok_or_else(|| Reason::new(format!("there is no number in {name}")))
}

/// A finite number, with commas between thousands as some programs print them.
fn number(bytes: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(bytes).ok()?.trim().replace(',', "");
    text.parse().ok().filter(|x: &f64| x.is_finite())
}

fn last_line(text: &[u8]) -> Option<String> {
    let lines = text.split(|b| *b == b'\n').rev();
    let line =
        lines.map(|l| String::from_utf8_lossy(l).trim().to_owned()).find(|l| !l.is_empty())?;
    Some(line.chars().take(200).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;

    fn words(all: &[&str]) -> Vec<OsString> {
        all.iter().map(|w| (*w).into()).collect()
    }

    fn proof(script: &str, rate: Rate) -> Proof {
        let here: CpuSet = host::cpus::affinity().unwrap();
        let place = Place { cpus: here, nodes: CpuSet::default() };
        Proof {
            words: words(&["sh", "-c", script]),
            places: vec![place.clone(), place],
            several_nodes: false,
            repeats: 2,
            rate,
            limit: Some(60.0),
            background: Background::Keep,
        }
    }

    #[test]
    fn placeholders_are_filled_and_what_is_none_stays() {
        let place = Place { cpus: "0-3".parse().unwrap(), nodes: "1".parse().unwrap() };
        let copy = Copy::of(
            &words(&["a{index}", "{cpus}:{node}", "{}{other}", "{count}{count}"]),
            2,
            4,
            &place,
        );
        assert_eq!(copy.words, words(&["a2", "0-3:1", "{}{other}", "44"]));
        let of = |name: &str| copy.variables.iter().find(|(n, _)| n == name).unwrap().1.clone();
        assert_eq!((of("CPULENS_INDEX"), of("CPULENS_CPUS")), ("2".into(), "0-3".into()));
        let bound = copy.clone().bound(&place, true);
        assert_eq!((bound.cpus.unwrap(), bound.nodes), (place.cpus.clone(), place.nodes.clone()));
        assert!(copy.bound(&place, false).nodes.is_empty());
    }

    #[test]
    fn copies_run_where_they_belong_and_say_so() {
        let cpus = host::cpus::affinity().unwrap();
        let script = "echo $CPULENS_INDEX $CPULENS_CPUS $(grep Cpus_allowed_list /proc/self/status); exit {index}";
        let copies: Vec<Copy> = cpus
            .iter()
            .enumerate()
            .map(|(index, cpu)| {
                let place = Place { cpus: [cpu].into_iter().collect(), nodes: CpuSet::default() };
                Copy::of(&words(&["sh", "-c", script]), index, cpus.len(), &place)
                    .bound(&place, false)
            })
            .collect();
        let said = Arc::new(Mutex::new(vec![]));
        let kept = Arc::clone(&said);
        let ran = run(&copies, &Monotonic::new(), Some(60.0), Background::Keep, move |line| {
            kept.lock().unwrap().push(String::from_utf8(line.bytes).unwrap());
        });
        let ran = ran.unwrap();
        let codes: Vec<i32> = ran.done.ended.iter().map(|e| e.status.code()).collect();
        assert_eq!(codes, (0..cpus.len() as i32).collect::<Vec<_>>());
        let mut said = said.lock().unwrap().clone();
        said.sort_by_key(|line| line.split(' ').next().unwrap().parse::<usize>().unwrap());
        for (index, cpu) in cpus.iter().enumerate() {
            assert_eq!(said[index], format!("{index} {cpu} Cpus_allowed_list: {cpu}"));
        }
        assert!(ran.heard);
        let nowhere = Place { cpus: [CpuSet::MAX].into_iter().collect(), nodes: CpuSet::default() };
        let copy = Copy::of(&words(&["true"]), 0, 1, &nowhere).bound(&nowhere, false);
        assert!(run(&[copy], &Monotonic::new(), None, Background::Keep, |_| {}).is_err());
    }

    #[test]
    fn every_arm_is_measured_as_often_and_in_turn() {
        let mut calls = vec![];
        let all = proof("true", Rate::Runs)
            .measure(&Monotonic::new(), |n, of, arm| calls.push((n, of, arm)));
        let all = all.unwrap().rates;
        let order: Vec<Arm> = all.iter().map(|(arm, _)| *arm).collect();
        let up = [Arm::One, Arm::OneBound, Arm::All, Arm::AllBound];
        assert_eq!(order[..4], up);
        assert_eq!(order[4..], [up[3], up[2], up[1], up[0]]);
        assert!(all.iter().all(|(_, rate)| *rate > 0.0));
        assert_eq!((calls.len(), calls[8].0, calls[8].1), (9, 9, 9));
    }

    #[test]
    fn rates_are_read_from_output_and_from_files_and_added_up() {
        let rate = Rate::matching("did ([0-9.,]+) a second").unwrap();
        let script = "echo did 1 a second; echo did 1,000.5 a second >&2";
        let all = proof(script, rate).measure(&Monotonic::new(), |_, _, _| {}).unwrap().rates;
        for (arm, rate) in all {
            let copies = if arm < Arm::All { 1.0 } else { 2.0 };
            // The two streams race: the last match is of either.
            let each = rate / copies;
            assert!((1.0..=1000.5).contains(&each), "{arm:?} {rate}");
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("rate-{index}");
        let script = format!("echo \"qps: $((2 + {{index}}))\" > {}", file.display());
        let all = proof(&script, Rate::File(file.into_os_string()))
            .measure(&Monotonic::new(), |_, _, _| {});
        for (arm, rate) in all.unwrap().rates {
            assert_eq!(rate, if arm < Arm::All { 2.0 } else { 5.0 });
        }
    }

    #[test]
    fn what_tells_no_rate_or_fails_is_said_in_words() {
        let measure = |script: &str, rate: Rate| {
            proof(script, rate).measure(&Monotonic::new(), |_, _, _| {}).unwrap_err().why
        };
        assert!(measure("echo hello", Rate::matching("x([0-9]+)").unwrap()).why.contains("hello"));
        assert!(measure("echo x.", Rate::matching("x(.)").unwrap()).why.contains("no number"));
        assert!(measure("true", Rate::File("/no/such/file".into())).why.contains("no rate"));
        let why = measure("echo no luck >&2; exit 4", Rate::Runs);
        assert!(why.why.contains("exit code 4") && why.why.contains("no luck"), "{why}");
        assert!(
            measure("echo 0", Rate::matching("([0-9])").unwrap()).why.contains("no throughput")
        );
        assert!(Rate::matching("[").unwrap_err().why.contains("no regular expression"));
        assert!(Rate::matching("a").unwrap_err().remedy.is_some());
    }
}
