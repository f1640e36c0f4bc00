//! UnixBench's own programs beside ours: in every round each test with one copy and with two, ours and theirs right after
//! each other and in turn first, for the same seconds, as UnixBench starts them. Theirs are found in `PATH` (its folder
//! `pgms`, beside which its `testdir` lies); their own times and waits are left as they are, so that file copies and
//! Whetstone are what takes long. Shared (`--shared`): both at once, each frozen while the other runs, one copy on one CPU, counts over
//! seconds of CPU where a test does not take its own time.
use super::{
    frozen,
    ours::Ours,
    process::{Call, Ran},
    summary::{median, median_interval, variation},
    table,
};
use crate::stopwatch::Stopwatch;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// What it is called on the command line of the chore.
pub(crate) const NAME: &str = "unixbench";
/// Where it can be had.
pub(crate) const SOURCE: &str =
    "github.com/kdlucas/byte-unixbench (UnixBench/: make, then its pgms/ in PATH)";
/// Rounds where none are asked for: some twelve minutes.
pub(crate) const ROUNDS: usize = 3;
/// How far apart the medians of a test, and the index, may be.
const TEST: f64 = 0.03;
const INDEX: f64 = 0.02;
/// Up to this many percent of the CPUs' time, other programs are held to be idle.
const CALM: u64 = super::rounds::CALM;

/// A test: our probe, UnixBench's name of it, the command with its seconds, and ours.
struct Test {
    id: &'static str,
    name: &'static str,
    theirs: &'static str,
    seconds: f64,
}

const fn test(id: &'static str, name: &'static str, theirs: &'static str, seconds: f64) -> Test {
    Test { id, name, theirs, seconds }
}

const TESTS: [Test; 12] = [
    test("dhry2reg", "Dhrystone 2 using register variables", "$B/dhry2reg 2", 2.0),
    test("whetstone_double", "Double-Precision Whetstone", "$B/whetstone-double", 4.0),
    test("execl", "Execl Throughput", "$B/execl 3", 2.5),
    test(
        "fstime",
        "File Copy 1024 bufsize 2000 maxblocks",
        "$B/fstime -c -t 2 -d $S -b 1024 -m 2000",
        2.0,
    ),
    test(
        "fsbuffer",
        "File Copy 256 bufsize 500 maxblocks",
        "$B/fstime -c -t 2 -d $S -b 256 -m 500",
        2.0,
    ),
    test(
        "fsdisk",
        "File Copy 4096 bufsize 8000 maxblocks",
        "$B/fstime -c -t 2 -d $S -b 4096 -m 8000",
        2.0,
    ),
    test("pipe", "Pipe Throughput", "$B/pipe 2", 2.0),
    test("context1", "Pipe-based Context Switching", "$B/context1 2", 2.0),
    test("spawn", "Process Creation", "$B/spawn 2", 2.0),
    test("syscall", "System Call Overhead", "$B/syscall 2", 2.0),
    test("shell1", "Shell Scripts (1 concurrent)", "$B/looper 3 $B/multi.sh 1", 3.0),
    test("shell8", "Shell Scripts (8 concurrent)", "$B/looper 3 $B/multi.sh 8", 3.0),
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

/// Where UnixBench's programs lie, if they do: all of them in one folder.
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
    rounds: usize,
    shared: Option<&str>,
) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|e| e.to_string())?;
    let mut pairs: Vec<Vec<Pair>> =
        TESTS.iter().map(|_| COPIES.iter().map(|_| Pair::default()).collect()).collect();
    println!("{NAME}");
    for round in 0..rounds {
        let time = Stopwatch::start();
        for (test, pairs) in TESTS.iter().zip(&mut pairs) {
            for (copies, pair) in COPIES.iter().zip(pairs) {
                let folder = folder.path();
                let calls = [
                    our_call(ours, test, *copies, folder),
                    their_call(programs, test, *copies, folder),
                ];
                let mut others = 0;
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
                    pair.took[side] += ran.took.as_secs_f64();
                    others = others.max(ran.others.unwrap_or(0));
                }
                pair.disturbed += usize::from(shared.is_none() && others > CALM);
            }
        }
        println!("  round {}: {:.0} s", round + 1, time.elapsed().as_secs_f64());
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
    let shown = |name: &str| folder.join(name).display().to_string();
    Call::new(&ours.binary).args(&[
        "unixbench",
        test.id,
        "--quiet",
        "--passes",
        "1",
        "--copies",
        &copies.to_string(),
        "--seconds",
        &test.seconds.to_string(),
        "--scratch",
        &folder.display().to_string(),
        "--format",
        "csv",
        "-o",
        &shown(REPORT),
        "--record",
        &shown(RECORD),
    ])
}

const REPORT: &str = "ours.csv";
const RECORD: &str = "ours.json";

/// Our score, or what it would be with a whole CPU.
fn our_value(ran: &Ran, folder: &Path, by_cpu: bool) -> Result<f64, String> {
    let text = |name: &str| fs::read_to_string(folder.join(name)).ok();
    let used = || match by_cpu {
        true => serde_json::from_str(&text(RECORD)?).ok().and_then(|record| cpus_used(&record)),
        false => Some(1.0),
    };
    let value = text(REPORT).and_then(|csv| Some(score(&csv)? / used()?));
    value.ok_or_else(|| format!("cpulens unixbench: {:?} {}", ran.code, ran.text))
}

/// How many CPUs' time the copies of a record's only pass used.
fn cpus_used(record: &Value) -> Option<f64> {
    let runs = record["runs"].as_array()?;
    let mut series = runs.iter().filter_map(|r| r["outcome"]["measured"].as_array()).flatten();
    series.find(|s| s["metric"] == "cpus_used")?["samples"][0].as_f64()
}

/// The only score of a CSV file with one test and one number of copies.
fn score(csv: &str) -> Option<f64> {
    csv.lines().nth(1)?.split(',').nth(1)?.parse().ok()
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
    let (bin, scratch) = (shown(programs), shown(folder));
    Call::new("sh").args(&["-c", &script]).with(&[("B", &bin), ("S", &scratch)])
}

/// Their score, or what it would be with a whole CPU where it is known what they used.
fn their_value(ran: &Ran, used: Option<f64>) -> Result<f64, String> {
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

/// The result of a pass as UnixBench's harness makes it: counts added up, times averaged, the last count of a copy believed.
fn result(text: &str) -> Option<f64> {
    let (mut sum, mut time, mut base, mut copies) = (0.0, 0.0, 0.0, 0.0);
    for block in text.split("COPY\n").skip(1) {
        let count = block.lines().rev().find_map(|l| l.strip_prefix("COUNT|"))?;
        let mut words = count.split('|');
        sum += words.next()?.parse::<f64>().ok()?;
        base = words.next()?.parse().ok()?;
        let own = block.lines().find_map(|l| l.strip_prefix("TIME|")?.parse::<f64>().ok());
        let clock = block.lines().find_map(|l| l.strip_prefix("NS|")?.parse::<f64>().ok())? / 1e9;
        time += own.filter(|t| *t > 0.0).unwrap_or(clock);
        copies += 1.0;
    }
    let mean = time / copies;
    (copies > 0.0).then(|| if base > 0.0 { sum / (mean / base) } else { sum })
}

fn lines(pairs: &[Vec<Pair>]) -> Vec<[String; 8]> {
    let mut rows = vec![];
    for (at, copies) in COPIES.iter().enumerate() {
        let mut logarithms = vec![];
        for (test, pair) in TESTS.iter().zip(pairs).map(|(t, p)| (t, &p[at])) {
            let ratios: Vec<f64> = pair.ours.iter().zip(&pair.theirs).map(|(o, t)| o / t).collect();
            logarithms.extend(median(&ratios).map(f64::ln));
            let ends = median_interval(&ratios);
            let side = |values: &[f64]| {
                let middle = median(values).unwrap_or(f64::NAN);
                let cv = variation(values).map_or("-".into(), |cv| format!("{:.1} %", cv * 100.0));
                format!("{middle:.1} [{cv}] n={}", values.len())
            };
            let noisy = if pair.disturbed > 0 {
                format!(", disturbed in {} of {}", pair.disturbed, ratios.len())
            } else {
                String::new()
            };
            let ratio = median(&ratios).unwrap_or(f64::NAN);
            rows.push([
                test.name.into(),
                copies.to_string(),
                side(&pair.ours),
                side(&pair.theirs),
                ends.map_or("-".into(), |(a, b)| format!("{ratio:.3} ({a:.3}..{b:.3})")),
                format!("+-{:.0} %", TEST * 100.0),
                verdict(ratio, TEST) + &noisy,
                format!("{:.0}, {:.0}", pair.took[0], pair.took[1]),
            ]);
        }
        let index = (logarithms.iter().sum::<f64>() / logarithms.len().max(1) as f64).exp();
        let mut row: [String; 8] = Default::default();
        row[0] = "Index: geometric mean of the ratios".into();
        row[1] = copies.to_string();
        row[4] = format!("{index:.3}");
        row[5] = format!("+-{:.0} %", INDEX * 100.0);
        row[6] = verdict(index, INDEX);
        rows.push(row);
    }
    rows
}

fn verdict(ratio: f64, tolerance: f64) -> String {
    if (ratio - 1.0).abs() <= tolerance { "within" } else { "outside" }.into()
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
        let ran = |text: &str| Ran {
            text: text.into(),
            code: Some(0),
            took: std::time::Duration::ZERO,
            peak: None,
            others: None,
        };
        let two =
            ran("COPY\nCOUNT|100|1|lps\nNS|2000000000\nCOPY\nCOUNT|300|1|lps\nNS|2000000000\n");
        assert_eq!(their_value(&two, None), Ok(200.0));
        assert_eq!(their_value(&two, Some(1.0)), Ok(400.0));
        assert!(their_value(&ran("COPY\n"), None).is_err());
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(REPORT), "Concurrency,Pipe Throughput\n2,50\n").unwrap();
        let record = r#"{"runs": [{"outcome": {"skipped": 1}}, {"outcome": {"measured":
            [{"metric": "rate", "samples": [3]}, {"metric": "cpus_used", "samples": [0.5]}]}}]}"#;
        fs::write(folder.path().join(RECORD), record).unwrap();
        assert_eq!(our_value(&two, folder.path(), false), Ok(50.0));
        assert_eq!(our_value(&two, folder.path(), true), Ok(100.0));
    }

    #[test]
    fn our_score_is_the_second_cell_of_the_second_line() {
        assert_eq!(score("Concurrency,Pipe Throughput\n2,123.5\n"), Some(123.5));
        assert_eq!(score("Concurrency\n"), None);
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
