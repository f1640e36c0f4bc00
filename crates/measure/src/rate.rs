//! The work of a command: completed runs, or the number that it prints or leaves in a file; and where known programs
//! print theirs. `scale` and `spread` read rates here and nowhere else.
use crate::options;
use host::child::WholeLines;
use record::{Case, Reason, Unit, Value, param};
use regex_lite::Regex;
use serde::Deserialize;
use std::{
    ffi::{OsStr, OsString},
    fs,
    path::Path,
    sync::{Arc, Mutex, PoisonError},
};

/// The group of an expression that captures 1000 bytes per second.
const KILOBYTES: &str = "kB";

/// The unit in which a copy's work is counted.
#[derive(Debug, Clone, Default)]
pub enum Rate {
    /// Runs completed in a second.
    #[default]
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
        let numbers = found.capture_names().skip(1).filter(|name| *name != Some(KILOBYTES)).count();
        if numbers > 1 || found.captures_len() == 1 {
            return Err(Reason::mended_by(
                format!("'{text}' must capture one number"),
                "put it into brackets, as in 'Requests/sec: +([0-9.]+)'",
            ));
        }
        Ok(Rate::Match(found))
    }
}

/// The programs whose output is known.
const PRESETS: &str = include_str!("../presets/rates.toml");
/// Programs that become the command behind their options.
const LAUNCHERS: [&str; 8] =
    ["chrt", "env", "ionice", "nice", "numactl", "stdbuf", "taskset", "timeout"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Presets {
    preset: Vec<Preset>,
}

/// The rate that a known program prints.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preset {
    /// The program's file name.
    pub program: String,
    /// The arguments without one of which it prints none; nothing if it always does.
    #[serde(default)]
    pub with: Vec<String>,
    /// The number's meaning.
    pub title: String,
    /// The expression that captures it.
    pub regex: String,
    /// The option with which a program that divides by its CPU time divides by elapsed time.
    #[serde(default)]
    pub elapsed: Option<String>,
    /// The option with the number of its processes.
    #[serde(default)]
    pub processes: Option<String>,
}

impl Preset {
    /// The preset of a command whose program, alone or behind a launcher such as `env`, is known to print a rate.
    pub fn of(words: &[OsString]) -> Option<Preset> {
        let presets: Presets = record::from_toml(PRESETS).ok()?;
        let name = |word: &OsString| Path::new(word).file_name()?.to_str().map(str::to_owned);
        let known = |word| presets.preset.iter().any(|p| Some(&p.program) == name(word).as_ref());
        let at = match LAUNCHERS.contains(&name(words.first()?)?.as_str()) {
            true => words.iter().position(known)?,
            false => 0,
        };
        let program = name(&words[at])?;
        let given = |with: &String| {
            words[at + 1..].iter().any(|w| options::behind(&w.to_string_lossy(), with).is_some())
        };
        let prints = |preset: &Preset| preset.with.is_empty() || preset.with.iter().any(given);
        presets.preset.into_iter().find(|p| p.program == program && prints(p))
    }
}

/// Share of its time that a program has a CPU, below which a rate by its CPU time is no throughput; its start takes some.
const HAS_A_CPU: f64 = 0.9;

/// Checks that the rate of a command is by elapsed time, or that its processes had a CPU each all along. `copies` are elapsed and
/// CPU seconds.
///
/// # Errors
/// It divides by CPU time, and others or its own processes used its CPU meanwhile.
pub(crate) fn by_elapsed_time(
    words: &[OsString],
    copies: impl Iterator<Item = (f64, f64)>,
) -> Result<(), Reason> {
    let Some(preset) = Preset::of(words) else { return Ok(()) };
    let behind = |option: &str| words.iter().position(|word| word == option);
    let Some(option) = preset.elapsed.filter(|option| behind(option).is_none()) else {
        return Ok(());
    };
    let at = preset.processes.and_then(|option| behind(&option));
    let count = at.and_then(|at| words.get(at + 1)?.to_str()?.parse().ok()).unwrap_or(1.0);
    let had = copies.map(|(elapsed, cpu)| cpu / (elapsed * f64::max(count, 1.0)).max(1e-9));
    match had.reduce(f64::min).filter(|share| *share < HAS_A_CPU) {
        None => Ok(()),
        Some(share) => Err(Reason::mended_by(
            format!(
                "{} prints a rate per second of CPU time, and had a CPU for {:.0} % of its time: that is no throughput",
                preset.program,
                100.0 * share
            ),
            format!("its option {option}"),
        )),
    }
}

/// The end of each copy's output so far.
#[derive(Debug, Clone)]
pub(crate) struct Output(Arc<Mutex<Vec<Vec<u8>>>>);

/// Bytes at the end of a copy's output that a rate is looked for in.
const TAIL: usize = 1 << 20;

impl Output {
    /// Output of so many copies, of which none has written anything.
    pub(crate) fn of(copies: usize) -> Output {
        Output(Arc::new(Mutex::new(vec![Vec::new(); copies])))
    }
    /// Takes lines.
    pub(crate) fn take(&self, lines: &WholeLines) {
        let mut tails = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(tail) = tails.get_mut(lines.child) else { return };
        tail.extend(&lines.bytes);
        tail.push(b'\n');
        if tail.len() > 2 * TAIL {
            tail.drain(..tail.len() - TAIL);
        }
    }
    /// The last line that a copy wrote.
    pub(crate) fn last_line(&self, copy: usize) -> Option<String> {
        let tails = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        tails.get(copy).and_then(|tail| last_lines(tail, 1).pop())
    }
}

/// Two are the same where they were written alike.
impl PartialEq for Rate {
    fn eq(&self, other: &Rate) -> bool {
        self.param() == other.param()
    }
}

impl Rate {
    /// Its name and text as a parameter of a case.
    pub fn param(&self) -> Option<(&'static str, Value)> {
        match self {
            Rate::Runs => None,
            Rate::Match(expression) => Some(param::RATE.set(expression.as_str())),
            Rate::File(file) => Some(param::RATE_FILE.set(file.to_string_lossy().into_owned())),
        }
    }
    /// The source of the rate that a case states.
    ///
    /// # Errors
    /// Its expression is none.
    pub(crate) fn of_case(case: &Case) -> Result<Rate, Reason> {
        match (case.get(param::RATE), case.get(param::RATE_FILE)) {
            (Some(text), _) => Rate::matching(text),
            (_, Some(file)) => Ok(Rate::File(file.into())),
            _ => Ok(Rate::Runs),
        }
    }
    /// The work of all copies together, by their output and files; `None` where completed runs count.
    ///
    /// # Errors
    /// A copy printed no number, or they add up to none.
    pub(crate) fn total(
        &self,
        output: &Output,
        files: &[OsString],
    ) -> Result<Option<(f64, Unit)>, Reason> {
        match self {
            Rate::Runs => Ok(None),
            Rate::Match(expression) => {
                let tails = output.0.lock().unwrap_or_else(PoisonError::into_inner);
                let all = tails.iter().map(|tail| captured(expression, tail));
                let all = all.collect::<Result<Vec<(f64, Unit)>, Reason>>()?;
                let unit = all.first().map_or(Unit::PerSecond, |(_, unit)| *unit);
                sum(all.into_iter().map(|(rate, _)| Ok(rate))).map(|rate| Some((rate, unit)))
            }
            Rate::File(_) => {
                let total = sum(files.iter().map(|file| last_number(file)))?;
                Ok(Some((total, Unit::PerSecond)))
            }
        }
    }
    /// Whether commands print it.
    pub fn is_printed(&self) -> bool {
        matches!(self, Rate::Match(_))
    }
    /// The rate that one copy printed; `None` where completed runs count.
    ///
    /// # Errors
    /// It printed no number above zero.
    pub(crate) fn of_copy(&self, output: &Output, copy: usize) -> Result<Option<f64>, Reason> {
        let Rate::Match(expression) = self else { return Ok(None) };
        let tails = output.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rate = |tail: &Vec<u8>| captured(expression, tail).map(|(rate, _)| rate);
        sum(tails.get(copy).map(rate).into_iter()).map(Some)
    }
}

/// The sum over all copies: each must have printed it.
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

/// The remedy where an expression, the user's or that of a known program, does not fit the output.
const ANOTHER: &str = "--rate-regex with the number in its output, which grep -E tries";

/// The number that the last match captures, and its unit.
fn captured(expression: &Regex, text: &[u8]) -> Result<(f64, Unit), Reason> {
    let group = |found: regex_lite::Captures<'_>| {
        let kilobytes = found.name(KILOBYTES).map(|number| number.as_str());
        let number =
            kilobytes.or_else(|| found.iter().skip(1).flatten().next().map(|m| m.as_str()));
        Some((number?.to_owned(), kilobytes.is_some()))
    };
    let written = String::from_utf8_lossy(text);
    let last = expression.captures_iter(&written).filter_map(group).last();
    let Some((last, is_kilobytes)) = last else {
        let said = match last_lines(text, SHOWN) {
            lines if lines.is_empty() => "it wrote nothing".to_owned(),
            lines => format!("its last lines: {}", lines.join(" | ")),
        };
        return Err(Reason::mended_by(
            format!("the expression of its rate matches nothing in what the command wrote; {said}"),
            ANOTHER,
        ));
    };
    let rate = number(last.as_bytes()).ok_or_else(|| {
        let last: String = last.chars().take(40).collect();
        Reason::mended_by(format!("its rate is '{last}', which is no number"), ANOTHER)
    })?;
    Ok(if is_kilobytes { (rate * 1e3, Unit::BytesPerSecond) } else { (rate, Unit::PerSecond) })
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

/// Lines of an output without a rate that are shown.
const SHOWN: usize = 3;

/// The last lines that are not empty, in their order, each cut.
fn last_lines(text: &[u8], most: usize) -> Vec<String> {
    let lines = text.split(|b| *b == b'\n').rev();
    let lines = lines.map(|l| String::from_utf8_lossy(l).trim().chars().take(200).collect());
    let mut last: Vec<String> = lines.filter(|l: &String| !l.is_empty()).take(most).collect();
    last.reverse();
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Output of the genuine programs of Debian 12.
    #[test]
    fn presets_read_genuine_output() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/presets/samples");
        let mut read = vec![];
        for file in fs::read_dir(folder).unwrap() {
            let path = file.unwrap().path();
            let text = fs::read_to_string(&path).unwrap();
            let (first, rest) = text.split_once('\n').unwrap();
            let (command, expected) = first.rsplit_once(" = ").unwrap();
            let words: Vec<OsString> = command.split(' ').map(OsString::from).collect();
            let preset = Preset::of(&words).unwrap_or_else(|| panic!("{command}"));
            let Rate::Match(expression) = Rate::matching(&preset.regex).unwrap() else { panic!() };
            let (found, unit) = captured(&expression, rest.as_bytes()).unwrap();
            assert_eq!(unit == Unit::BytesPerSecond, rest.contains("1000s of bytes"), "{command}");
            assert_eq!(found, expected.parse::<f64>().unwrap(), "{}", path.display());
            read.push(preset.program);
        }
        read.sort_unstable();
        read.dedup();
        assert_eq!(read.len(), 9, "{read:?}");
    }

    #[test]
    fn a_rate_by_cpu_time_is_no_throughput_where_processes_share_a_cpu() {
        let of = |command: &str, elapsed: f64, cpu: f64| {
            let words: Vec<OsString> = command.split(' ').map(OsString::from).collect();
            by_elapsed_time(&words, [(1.0, 4.0), (elapsed, cpu)].into_iter())
        };
        let two = "openssl speed -seconds 1 -multi 2 sha256";
        assert!(of(two, 1.0, 1.0).is_err_and(|why| why.why.contains("50 %")));
        assert_eq!(of(two, 1.0, 1.98), Ok(()));
        assert_eq!(of("openssl speed -elapsed -multi 2 sha256", 1.0, 1.0), Ok(()));
        assert!(of("nice openssl speed sha256", 1.0, 0.6).is_err());
        assert_eq!(of("sysbench cpu run", 1.0, 0.1), Ok(()), "it divides by elapsed time");
    }

    #[test]
    fn a_preset_needs_its_program_and_its_argument() {
        let of = |command: &str| {
            let words: Vec<OsString> = command.split(' ').map(OsString::from).collect();
            Preset::of(&words).map(|p| p.program)
        };
        assert_eq!(of("/usr/bin/openssl speed -seconds 1 sha256").unwrap(), "openssl");
        assert_eq!(of("openssl enc -aes-256-cbc"), None);
        assert_eq!(of("env A=b nice -n 5 /usr/bin/openssl speed sha256").unwrap(), "openssl");
        assert_eq!(of("taskset -c 0,1 openssl enc -aes-256-cbc"), None);
        assert_eq!(of("gzip openssl speed"), None);
        assert_eq!(of("timeout 5 gzip -k x"), None);
        assert_eq!(of("7z b").unwrap(), "7z");
        assert_eq!(of("7z a x.7z y"), None);
        assert_eq!(of("7z a backup.7z y"), None);
        for option in ["--metrics", "--metrics-brief", "-M", "-vM", "-Mv"] {
            let line = format!("stress-ng --cpu 1 -t 1 {option}");
            assert_eq!(of(&line).as_deref(), Some("stress-ng"), "{line}");
        }
        assert_eq!(of("stress-ng --cpu 1 --cpu-method M"), None);
        assert_eq!(of("gzip -k x"), None);
        let presets: Presets = record::from_toml(PRESETS).unwrap();
        for preset in presets.preset {
            assert!(
                Rate::matching(&preset.regex).is_ok() && !preset.title.is_empty(),
                "{preset:?}"
            );
        }
    }
}
