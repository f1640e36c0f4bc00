//! sysjitter (github.com/Xilinx-CNS/cns-sysjitter) beside the probe of detours, on one CPU, in turns of less than half a second:
//! `cargo xtask bench sysjitter`; docs/validation/noise.md has what was found. Nothing is asserted but that it was understood.
//!
//! sysjitter runs once, for all rounds, is stopped but in its turns, and says when each of its interruptions was by the counter
//! that we read, too: what it was stopped for is an interruption that is left out. Both are real-time in their turns; what is
//! between them is left to ordinary tasks, which have to have some of the CPU in every second, or the kernel takes it for
//! them (50 ms in one piece) from the thread that has it then. Who asks the kernel about processes stays ordinary: a real-time thread
//! that waits for one to be forgotten may wait for an ordinary task of its CPU, for ever.
use crate::{
    faults,
    stage::{alone, beside, watched},
    verdicts::Lines,
};
use host::{
    clock::{Clock, Monotonic},
    cpus, realtime,
};
use record::{CpuSet, Detours};
use std::{
    io::{BufRead, BufReader, Write},
    path::Path,
    process::{Child, ChildStdout, Command, Stdio},
    sync::atomic::AtomicBool,
    thread::sleep,
    time::Duration,
};

/// Seconds of a turn.
const TURN: f64 = 0.4;
/// Seconds of a round, with what a probe has to prepare and what ordinary tasks have meanwhile: sysjitter has to know when to end.
const ROUND: f64 = 1.2;
/// Seconds between rounds.
const PAUSE: f64 = 0.1;
/// Rounds where none are asked for.
const ROUNDS: usize = 150;
/// Nanoseconds from which on it is an interruption; the least that sysjitter's documentation advises.
const THRESHOLD: u32 = 300;
/// sysjitter's priority, and that of who disturbs both and of who tells it to stop: below the 50 of the kernel's own threads for
/// interrupts.
const PRIORITIES: [i32; 2] = [1, 20];
/// Lets a process run for so many seconds for each line, and ends it when there are no more, unless the last one says that it may go on.
const TURNS: &str = "$| = 1; $pid = shift; while (<STDIN>) { kill CONT => $pid; /end/ and exit; \
    select undef, undef, undef, $_; kill STOP => $pid; print qq(.\n) } kill KILL => $pid";
/// The time that sysjitter takes before it begins: a second to know how much room it needs, and its threads' start.
const BEFORE: f64 = 1.5;
/// Points that the shares may be apart.
const TOLERANCE: f64 = 0.2;

/// Octaves of nanoseconds, as the record has them, from the first up to but not with the second.
type Octaves = (u32, u32);
/// The lines: all detours, without the shortest, without those that are the host's and come too seldom to be in each turn alike.
const LINES: [(&str, Octaves); 3] = [
    ("detours of 300 ns or more", (0, 64)),
    ("detours of 1.02 us or more", (10, 64)),
    ("detours of 300 ns to 1.05 ms", (0, 20)),
];

/// A turn of ours, or of sysjitter's between two counts of the CPU.
enum Turn {
    Ours(Box<Detours>),
    Theirs(u64, u64),
}

/// sysjitter's output: from where to where each interruption was, in ticks of the CPU's counter, and ticks in a nanosecond.
struct Interruptions {
    interruptions: Vec<(u64, u64)>,
    rate: f64,
}

impl Interruptions {
    /// From the file of one core and the summary, which has the count at the beginning.
    fn parse(raw: &str, summary: &str) -> Option<Interruptions> {
        let began = summary.lines().find_map(|l| l.strip_prefix("frc_start:"))?.trim();
        let began = u64::from_str_radix(began, 16).ok()?;
        let megahertz = raw.lines().find_map(|l| l.strip_prefix("# cpu_mhz:"))?.trim();
        let megahertz: u64 = megahertz.parse().ok()?;
        let interruption = |line: &str| {
            let mut words = line.split_whitespace();
            let at: u64 = words.next()?.parse().ok()?;
            let took: u64 = words.nth(1)?.parse().ok()?;
            let end = began + at * megahertz / 1000;
            Some((end.checked_sub(took)?, end))
        };
        let lines = raw.lines().filter(|l| !l.starts_with('#'));
        let interruptions: Option<Vec<_>> = lines.map(interruption).collect();
        Some(Interruptions { interruptions: interruptions?, rate: megahertz as f64 / 1000.0 })
    }
    /// The share that interruptions of these octaves took between what we had the CPU for until `from` and again from `to` on;
    /// nothing where sysjitter did not run on both sides.
    fn share(&self, from: u64, to: u64, octaves: Octaves) -> Option<f64> {
        let around = |at: u64| self.interruptions.iter().find(|(a, b)| *a <= at && at <= *b);
        let (from, to) = (around(from)?.1, around(to)?.0);
        let within = self.interruptions.iter().filter(|(a, b)| from <= *a && *b <= to);
        let octave = |ticks: u64| (ticks as f64 / self.rate).max(1.0).log2() as u32;
        let taken = within.map(|(a, b)| b - a);
        let taken: u64 = taken.filter(|t| (octaves.0..octaves.1).contains(&octave(*t))).sum();
        (to > from).then(|| taken as f64 / (to - from) as f64)
    }
}

/// The same of our detours.
fn share(detours: &Detours, octaves: Octaves) -> f64 {
    let all = detours.causes.iter().flat_map(|c| &c.octaves);
    let within = all.filter(|(octave, _)| (octaves.0..octaves.1).contains(*octave));
    within.map(|(_, (_, seconds))| seconds).sum::<f64>() / detours.watched
}

/// sysjitter, and who gives it its turns.
struct Running {
    sysjitter: Child,
    turns: Child,
    news: BufReader<ChildStdout>,
}

impl Running {
    fn start(program: &str, cpu: u32, seconds: f64, raw: &Path) -> Running {
        let real_time = |how: &str, priority: i32| {
            let mut chrt = Command::new("chrt");
            chrt.args([how, &priority.to_string()]).stdin(Stdio::piped()).stdout(Stdio::piped());
            chrt
        };
        let mut sysjitter = real_time("-r", PRIORITIES[0]);
        sysjitter.args([program, "--verbose", "--raw"]).arg(raw);
        sysjitter.args(["--runtime", &format!("{:.0}", seconds.ceil())]);
        sysjitter.args(["--cores", &cpu.to_string(), &THRESHOLD.to_string()]);
        let sysjitter = sysjitter.spawn().unwrap();
        let mut turns = real_time("-f", PRIORITIES[1]);
        turns.args(["perl", "-e", TURNS, &sysjitter.id().to_string()]);
        let mut turns = turns.spawn().unwrap();
        let news = BufReader::new(turns.stdout.take().unwrap());
        Running { sysjitter, turns, news }
    }
    fn send(&mut self, line: &str) {
        writeln!(self.turns.stdin.as_ref().unwrap(), "{line}").unwrap();
    }
    /// A turn of sysjitter's.
    fn turn(&mut self, seconds: f64) -> Turn {
        let from = kernels::arch::ticks_end();
        self.send(&seconds.to_string());
        let mut line = String::new();
        assert!(self.news.read_line(&mut line).unwrap() > 0, "sysjitter had no turn");
        Turn::Theirs(from, kernels::arch::ticks_end())
    }
    fn summary(mut self) -> String {
        self.send("end");
        self.turns.wait().unwrap();
        let text = std::io::read_to_string(self.sysjitter.stdout.take().unwrap()).unwrap();
        let status = self.sysjitter.wait().unwrap();
        // It gives up where it is interrupted more than twice as often as in the second that it began with.
        assert!(status.success(), "sysjitter: {status}\n{text}");
        text
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        for child in [&mut self.sysjitter, &mut self.turns] {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Both sides' turns by round; in a control sysjitter has ours, too.
fn rounds(program: &str, cpu: u32, count: usize, control: bool) -> (Vec<[Turn; 2]>, Interruptions) {
    let folder = tempfile::tempdir().unwrap();
    let only: CpuSet = [cpu].into_iter().collect();
    let ours = |running: &mut Running| match control {
        false => Turn::Ours(Box::new(watched(&only, TURN, "fifo").remove(0).1)),
        true => running.turn(TURN),
    };
    let seconds = BEFORE + count as f64 * ROUND;
    let mut running = Running::start(program, cpu, seconds, &folder.path().join("raw"));
    let clock = Monotonic::new();
    let begun = clock.now();
    sleep(Duration::from_secs_f64(BEFORE));
    // From here on it is stopped.
    running.turn(0.0);
    let mut all = vec![];
    for round in 0..count {
        all.push(if round % 2 == 0 {
            [ours(&mut running), running.turn(TURN)]
        } else {
            let theirs = running.turn(TURN);
            [ours(&mut running), theirs]
        });
        // Neither may be stopped for its share of real-time.
        sleep(Duration::from_secs_f64(PAUSE));
    }
    let left = seconds + 1.5 - (clock.now() - begun);
    sleep(Duration::from_secs_f64(left.max(0.0)));
    let summary = running.summary();
    let raw = std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap();
    let raw = std::fs::read_to_string(raw.path()).unwrap();
    let theirs = Interruptions::parse(&raw, &summary);
    (all, theirs.unwrap_or_else(|| panic!("sysjitter said nothing that is understood:\n{summary}")))
}

#[test]
#[ignore = "takes minutes and asserts nothing: cargo xtask bench sysjitter"]
fn sysjitter_beside_the_probe() {
    let _alone = alone();
    let Some(program) = std::env::var("SYSJITTER").ok() else { return };
    let count = std::env::var("NOISE_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(ROUNDS);
    let control = std::env::var_os("NOISE_CONTROL").is_some();
    let cpu = cpus::affinity().unwrap().iter().next_back().unwrap();
    if let Err(why) = realtime::fifo(PRIORITIES[1]) {
        return println!("skipped: {why}");
    }
    let mut lines = Lines::default();
    let planted =
        |stop: &AtomicBool| faults::every_ten_milliseconds(cpu, 1e-3, PRIORITIES[1], stop);
    for (what, (all, theirs)) in [
        ("", rounds(&program, cpu, count, control)),
        ("planted 10 %: ", beside(planted, || rounds(&program, cpu, count, control)).0),
    ] {
        for (line, octaves) in LINES {
            let of = |turn: &Turn| match turn {
                Turn::Ours(detours) => Some(share(detours, octaves)),
                Turn::Theirs(from, to) => theirs.share(*from, *to, octaves),
            };
            for [ours, theirs] in &all {
                let Some((ours, theirs)) = of(ours).zip(of(theirs)) else { continue };
                let all = (f64::NEG_INFINITY, f64::INFINITY);
                lines.add(&format!("{what}{line}: ours"), "%", all, 100.0 * ours);
                lines.add(&format!("{what}{line}: sysjitter's"), "%", all, 100.0 * theirs);
                let apart = 100.0 * (ours - theirs);
                lines.add(
                    &format!("{what}{line}: apart"),
                    "points",
                    (-TOLERANCE, TOLERANCE),
                    apart,
                );
            }
        }
    }
    if control {
        println!("ours is sysjitter, too: what follows is the machine's doing");
    }
    println!(
        "CPU {cpu}, real-time threads; medians of {count} rounds, two turns of {TURN} s each (95 %)"
    );
    print!("{lines}");
    if let Some(file) = std::env::var_os("NOISE_VALUES") {
        std::fs::write(file, lines.values()).unwrap();
    }
}

#[test]
fn interruptions_are_between_what_we_had_the_cpu_for() {
    let summary = "core_i: 0\nfrc_start: 3e8\n";
    let raw = "# cpu_mhz: 2000\n#  Timestamp delta\n 1000 0 600 300\n 5000 4 2000 1000\n 9000 4 600 300\n";
    let theirs = Interruptions::parse(raw, summary).unwrap();
    // The counter began at 1000 and makes two ticks in a nanosecond.
    assert_eq!(theirs.interruptions, [(2400, 3000), (9000, 11000), (18400, 19000)]);
    let all = (0, 64);
    assert_eq!(theirs.share(2500, 18500, all), Some(2000.0 / 15400.0));
    assert_eq!(theirs.share(2500, 18500, (10, 64)), Some(0.0), "1000 ns are of the ninth octave");
    assert_eq!(theirs.share(2500, 10000, all), Some(0.0));
    assert_eq!(theirs.share(2500, 25000, all), None, "it ran no longer");
    assert!(Interruptions::parse(raw, "core_i: 0\n").is_none());
    assert!(Interruptions::parse("# cpu_mhz: 2000\nnothing\n", summary).is_none());
}
