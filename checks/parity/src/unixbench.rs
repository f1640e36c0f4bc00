//! UnixBench's own programs beside ours: in every round each test with one copy and with two, ours and theirs right after
//! each other and in turn first, for the same seconds, as UnixBench starts them. Theirs are found in `PATH` (its folder
//! `pgms`, beside which its `testdir` lies); their own times and waits are left as they are, so that file copies and
//! Whetstone are what takes long. Shared (`--shared`): both at once, each frozen while the other runs, one copy on one CPU, counts over
//! seconds of CPU where a test does not take its own time.
use crate::{
    call::{Call, CallResult},
    frozen,
    original::Tolerance,
    ours::{MEASURED, Ours},
    rounds::CALM,
    table::{self, median, median_interval},
};
use host::clock::{Clock, Monotonic};
use record::{CpuSet, unixbench};
use stats::unixbench::{Pass, pass, rate, total};
use std::{
    fs,
    path::{Path, PathBuf},
};

/// Its name on the command line.
pub(crate) const NAME: &str = "unixbench";
/// Its source.
pub(crate) const SOURCE: &str =
    "github.com/kdlucas/byte-unixbench (UnixBench/: make, then its pgms/ in PATH)";
/// Rounds where none are asked for: some twelve minutes.
const ROUNDS: usize = 3;
/// The permitted difference of the medians of a test, and of the index.
const TEST: Tolerance = Tolerance::Within(0.03);
const INDEX: Tolerance = Tolerance::Within(0.02);

/// A test: our probe, the command with its seconds, and ours.
struct Test {
    id: &'static str,
    theirs: &'static str,
    seconds: f64,
}

const fn test(id: &'static str, theirs: &'static str, seconds: f64) -> Test {
    Test { id, theirs, seconds }
}

const TESTS: [Test; 12] = [
    test("dhry2reg", "$B/dhry2reg 2", 2.0),
    test("whetstone_double", "$B/whetstone-double", 4.0),
    test("execl", "$B/execl 3", 2.5),
    test("fstime", "$B/fstime -c -t 2 -d $S -b 1024 -m 2000", 2.0),
    test("fsbuffer", "$B/fstime -c -t 2 -d $S -b 256 -m 500", 2.0),
    test("fsdisk", "$B/fstime -c -t 2 -d $S -b 4096 -m 8000", 2.0),
    test("pipe", "$B/pipe 2", 2.0),
    test("context1", "$B/context1 2", 2.0),
    test("spawn", "$B/spawn 2", 2.0),
    test("syscall", "$B/syscall 2", 2.0),
    test("shell1", "$B/looper 3 $B/multi.sh 1", 3.0),
    test("shell8", "$B/looper 3 $B/multi.sh 8", 3.0),
];

const COPIES: [usize; 2] = [1, 2];

/// The values of one test with so many copies, by round; in the unit of UnixBench's reports.
#[derive(Debug, Default)]
struct Pair {
    ours: Vec<f64>,
    theirs: Vec<f64>,
    /// Rounds in which others used more than a little.
    disturbed: usize,
    /// Seconds that each side took.
    took: [f64; 2],
}

/// The folder with all of UnixBench's programs, if there is one.
pub(crate) fn located() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let all = ["dhry2reg", "whetstone-double", "execl", "fstime", "looper", "multi.sh"];
    let genuine = |folder: &PathBuf| {
        all.iter().all(|p| folder.join(p).is_file()) && folder.join("../testdir").is_dir()
    };
    std::env::split_paths(&path).find(genuine)
}

/// Measures and prints the table; with a CPU to share, in turns.
pub(crate) fn measure(
    ours: &Ours,
    programs: &Path,
    rounds: Option<usize>,
    shared: Option<&CpuSet>,
) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut pairs: Vec<Vec<Pair>> =
        TESTS.iter().map(|_| COPIES.iter().map(|_| Pair::default()).collect()).collect();
    println!("{NAME}");
    for round in 0..rounds.unwrap_or(ROUNDS) {
        let clock = Monotonic::new();
        let began = clock.now();
        for (test, pairs) in TESTS.iter().zip(&mut pairs) {
            for (copies, pair) in COPIES.iter().zip(pairs) {
                let folder = folder.path();
                let calls = [
                    our_call(ours, test, *copies, folder),
                    their_call(programs, test, *copies, folder),
                ];
                let mut others: f64 = 0.0;
                let turns = match shared {
                    Some(cpu) => {
                        let on = |call: Call| if *copies == 1 { call.on(cpu) } else { call };
                        frozen::both(calls.map(on))?.map(|(ran, cpu)| (ran, Some(cpu)))
                    }
                    None => {
                        let mut turns = [None, None];
                        let sides = if round % 2 == 0 { [0, 1] } else { [1, 0] };
                        for side in sides {
                            turns[side] = Some((calls[side].run()?, None));
                        }
                        let [Some(ours), Some(theirs)] = turns else { continue };
                        [ours, theirs]
                    }
                };
                let [(our, by_cpu), (their, used)] = turns;
                pair.ours.push(our_value(&our, folder, by_cpu.is_some() && !test.times_itself())?);
                pair.theirs.push(their_value(&their, used.filter(|_| !test.times_itself()))?);
                for (side, ran) in [our, their].iter().enumerate() {
                    pair.took[side] += ran.took;
                    others = others.max(ran.others.unwrap_or(0.0));
                }
                pair.disturbed += usize::from(shared.is_none() && others > CALM);
            }
        }
        println!("  round {}: {:.0} s", round + 1, clock.now() - began);
    }
    println!("\n{}", table::text(HEAD, &lines(&pairs)));
    Ok(())
}

const HEAD: [&str; 8] = [
    "test",
    "copies",
    "ours [CV]",
    "theirs [CV]",
    "ratio by round (95 %)",
    "tolerance",
    "verdict",
    "seconds ours, theirs",
];

impl Test {
    /// Whether its result is divided by a time that it takes itself.
    fn times_itself(&self) -> bool {
        self.theirs.contains("fstime") || self.theirs.contains("whetstone")
    }
}

fn our_call(ours: &Ours, test: &Test, copies: usize, folder: &Path) -> Call {
    let shown = |name| folder.join(name).display().to_string();
    let line = format!(
        "unixbench {} --quiet --passes 1 --copies {copies} --seconds {} --format csv --force --scratch",
        test.id, test.seconds
    );
    let (scratch, report, record) = (folder.display().to_string(), shown(REPORT), shown(RECORD));
    let files = [scratch.as_str(), "-o", &report, "--record", &record];
    ours.call(&line.split(' ').chain(files).collect::<Vec<_>>())
}

const REPORT: &str = "ours.csv";
const RECORD: &str = "ours.json";

/// Our score, or what it would be with a whole CPU.
fn our_value(ran: &CallResult, folder: &Path, by_cpu: bool) -> Result<f64, String> {
    let failed = || format!("cpulens unixbench: {:?} {}", ran.code, ran.text);
    if !ran.code.is_some_and(|code| MEASURED.contains(&code)) {
        return Err(failed());
    }
    let csv = xtask::tree::read(&folder.join(REPORT))?;
    // The only score of a file with one test and one number of copies.
    let score = csv.lines().nth(1).and_then(|line| line.split(',').nth(1)?.parse::<f64>().ok());
    let score = score.ok_or_else(failed)?;
    if !by_cpu {
        return Ok(score);
    }
    let bytes = fs::read(folder.join(RECORD)).map_err(|e| e.to_string())?;
    let record = record::from_slice(&bytes).map_err(|e| e.to_string())?;
    let used = |run: &record::Run| run.metric(record::Metric::CpusUsed)?.samples.first().copied();
    let used = record.runs.iter().find_map(used);
    used.map(|used| score / used).ok_or_else(failed)
}

/// Copies as UnixBench starts them: each by a shell of its own, timed from its start to its end.
fn their_call(programs: &Path, test: &Test, copies: usize, folder: &Path) -> Call {
    let shown = |path: &Path| path.display().to_string();
    let script = format!(
        "cd {testdir} || exit 9; export LANG=en_US.utf8 UB_BINDIR=$B\n\
         for i in $(seq {copies}); do\n\
         (s=$(date +%s%N); sh -c \"{command} 2>&1 >/dev/null\"; e=$(date +%s%N); echo \"NS|$((e-s))\") > $S/out.$i 2>&1 &\n\
         done; wait\nfor i in $(seq {copies}); do echo COPY; cat $S/out.$i; rm $S/out.$i; done\n",
        testdir = shown(&programs.join("../testdir")),
        command = test.theirs,
    );
    let call = Call::new(&["sh", "-c", &script]);
    call.with("B", &shown(programs)).with("S", &shown(folder))
}

/// Their score, or what it would be with a whole CPU where it is known what they used.
fn their_value(ran: &CallResult, used: Option<f64>) -> Result<f64, String> {
    let value = result(&ran.text).and_then(|score| match used {
        None => Some(score),
        Some(used) => Some(score * longest(&ran.text)? / used),
    });
    value.ok_or_else(|| format!("UnixBench: {}", ran.text))
}

/// Seconds from the start to the end of the copy that took longest.
fn longest(text: &str) -> Option<f64> {
    let all = text.lines().filter_map(|l| l.strip_prefix("NS|")?.parse::<f64>().ok());
    all.reduce(f64::max).map(|nanoseconds| nanoseconds / 1e9)
}

/// The result of a pass as UnixBench's harness makes it; of a copy's counts it believes the last.
fn result(text: &str) -> Option<f64> {
    let mut base = 0.0;
    let copy = |block: &str| {
        let number = |line: &str| line.parse::<f64>().ok();
        let found = |name: &str| block.lines().find_map(|l| number(l.strip_prefix(name)?));
        let count = block.lines().rev().find_map(|l| l.strip_prefix("COUNT|"))?;
        let mut words = count.split('|').map(number);
        let count = words.next()??;
        base = words.next()??;
        let elapsed = found("NS|")? / 1e9;
        let seconds = found("TIME|").filter(|own| *own > 0.0).unwrap_or(elapsed);
        Some(Pass { count, seconds })
    };
    let copies: Option<Vec<Pass>> = text.split("COPY\n").skip(1).map(copy).collect();
    Some(rate(pass(&copies?)?, base))
}

fn lines(pairs: &[Vec<Pair>]) -> Vec<[String; 8]> {
    let mut rows = vec![];
    for (at, copies) in COPIES.iter().enumerate() {
        let mut all = vec![];
        for (test, pair) in TESTS.iter().zip(pairs).map(|(t, p)| (t, &p[at])) {
            let ratios: Vec<f64> = pair.ours.iter().zip(&pair.theirs).map(|(o, t)| o / t).collect();
            all.extend(median(&ratios));
            let ends = median_interval(&ratios);
            let noisy = match pair.disturbed {
                0 => String::new(),
                disturbed => format!(", disturbed in {disturbed} of {}", ratios.len()),
            };
            let ratio = median(&ratios).unwrap_or(f64::NAN);
            rows.push([
                unixbench::of_probe(test.id.into()).map_or(test.id, |t| t.name).into(),
                copies.to_string(),
                table::side(&pair.ours, |score| format!("{score:.1}")),
                table::side(&pair.theirs, |score| format!("{score:.1}")),
                ends.map_or("-".into(), |(a, b)| format!("{ratio:.3} ({a:.3}..{b:.3})")),
                TEST.text(),
                verdict(ratio, TEST) + &noisy,
                format!("{:.0}, {:.0}", pair.took[0], pair.took[1]),
            ]);
        }
        let index = total(&all).unwrap_or(f64::NAN) / 10.0;
        let mut row: [String; 8] = Default::default();
        row[0] = "Index: geometric mean of the ratios".into();
        row[1] = copies.to_string();
        row[4] = format!("{index:.3}");
        row[5] = INDEX.text();
        row[6] = verdict(index, INDEX);
        rows.push(row);
    }
    rows
}

fn verdict(ratio: f64, tolerance: Tolerance) -> String {
    if tolerance.admits(ratio) == Some(true) { "within" } else { "outside" }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn their_lines_are_combined_as_their_harness_does() {
        let two = "COPY\nCOUNT|100|1|lps\nNS|2000000000\nCOPY\nCOUNT|7|1|lps\nCOUNT|300|1|lps\nNS|4000000000\n";
        assert!((result(two).unwrap() - 400.0 / 3.0).abs() < 1e-9);
        let rate = "COPY\nCOUNT|500|0|KBps\nTIME|2.0\nNS|17000000000\n";
        assert_eq!(result(rate), Some(500.0));
        let minutes = "COPY\nCOUNT|30|60|lpm\nNS|3000000000\n";
        assert_eq!(result(minutes), Some(600.0));
        assert_eq!(result("COPY\nsh: not found\nNS|5\n"), None);
        assert_eq!(result(""), None);
    }

    #[test]
    fn in_turns_a_score_is_that_of_a_whole_cpu() {
        let ran = |text: &str| CallResult {
            text: text.into(),
            code: Some(0),
            took: 0.0,
            peak: 0,
            others: None,
        };
        let two =
            ran("COPY\nCOUNT|100|1|lps\nNS|2000000000\nCOPY\nCOUNT|300|1|lps\nNS|2000000000\n");
        assert_eq!(their_value(&two, None), Ok(200.0));
        assert_eq!(their_value(&two, Some(1.0)), Ok(400.0));
        assert!(their_value(&ran("COPY\n"), None).is_err());
    }

    #[test]
    fn the_index_is_judged_more_sharply_than_a_test() {
        let pair =
            |ratio: f64| Pair { ours: vec![ratio; 3], theirs: vec![1.0; 3], ..Pair::default() };
        let pairs: Vec<Vec<Pair>> = TESTS.iter().map(|_| vec![pair(1.025), pair(0.99)]).collect();
        let rows = lines(&pairs);
        assert_eq!(rows.len(), 26);
        assert_eq!((rows[0][6].as_str(), rows[12][6].as_str()), ("within", "outside"));
        assert_eq!((rows[13][6].as_str(), rows[25][6].as_str()), ("within", "within"));
    }
}
