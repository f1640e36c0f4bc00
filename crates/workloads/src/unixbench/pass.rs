//! The results of the copies of a pass, and the passes of a case as series.
//! A copy's time is the one it states itself where its test takes its own time, else from its start to its end.
use host::child::{GroupResult, Status};
use host::usage::Usage;
use record::{Better, Reason, Series, Unit, param, unixbench::Test};
use stats::unixbench::{self as formula, Pass};

/// How the program that ran is linked. The numbers of one that is not dynamic have names of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Link {
    Dynamic,
    Static,
}

impl Link {
    pub(super) fn name(self) -> &'static str {
        match self {
            Link::Dynamic => "dynamic",
            Link::Static => "static",
        }
    }
}

/// One copy of one pass.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct CopyPass {
    pass: Pass,
    /// Seconds from its start to its end.
    elapsed: f64,
    /// Its resource use, with all that it started and waited for.
    used: Usage,
}

/// A pass without a result.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Failed {
    pub(super) why: Reason,
    /// Whether somebody ended it.
    pub(super) interrupted: bool,
}

impl From<Reason> for Failed {
    fn from(why: Reason) -> Failed {
        Failed { why, interrupted: false }
    }
}

/// Reads the lines that copies print, such as `result PID COUNT SECONDS`, with when they ended; `scripts` of the machine's tools
/// write what they complain of among these lines.
///
/// # Errors
/// One of them failed, was ended, or reported nothing; a script's tool complained, for what it did then was something else, as it
/// ends a run of the original.
pub(super) fn read(done: &GroupResult, said: &str, scripts: bool) -> Result<Vec<CopyPass>, Failed> {
    let killed = |signal| done.ended.iter().any(|e| e.status == Status::Killed(signal));
    if done.passed_on.is_some() || killed(SIGINT) {
        return Err(Failed { why: Reason::new("it was interrupted"), interrupted: true });
    }
    if let Some(why) = said.lines().find_map(|l| l.strip_prefix("failed ")) {
        return Err(refusal(why).into());
    }
    if let Some(line) = complaint(said).filter(|_| scripts) {
        return Err(refusal(line).into());
    }
    if done.timed_out {
        return Err(Reason::new("a copy did not end, and was ended").into());
    }
    let mut all = vec![];
    for ended in &done.ended {
        let of_copy = |line: &str| {
            let mut words = line.strip_prefix("result ")?.split(' ');
            let own = words.next()?.parse() == Ok(ended.pid);
            let count: f64 = words.next()?.parse().ok()?;
            let seconds: f64 = words.next()?.parse().ok()?;
            own.then_some((count, seconds))
        };
        // UnixBench believes the last where there are several.
        let Some((count, seconds)) = said.lines().filter_map(of_copy).next_back() else {
            let code = ended.status.code();
            if code == UNWRITTEN {
                let full = "a copy could not write its result: No space left in the scratch folder";
                return Err(refusal(full).into());
            }
            return Err(Reason::new(format!(
                "a copy reported nothing and ended with {code}: {}",
                last(said)
            ))
            .into());
        };
        let elapsed = ended.ended - ended.began;
        all.push(CopyPass {
            pass: Pass { count, seconds: if seconds > 0.0 { seconds } else { elapsed } },
            elapsed,
            used: ended.used,
        });
    }
    Ok(all)
}

/// The signal by which a terminal ends what runs in it (signal(7)); it has the same number everywhere.
const SIGINT: i32 = 2;

/// The exit status of our programs where a line of theirs cannot be written (programs/program.c).
const UNWRITTEN: i32 = 3;

fn last(said: &str) -> &str {
    said.lines().next_back().unwrap_or("it said nothing")
}

/// What a tool complained of before the last copy had its result: later lines are of scripts that we ended in the middle. A shell
/// warns of a locale that is not installed, and does all the same.
fn complaint(said: &str) -> Option<&str> {
    let result = |line: &&str| line.starts_with("result ");
    let lines: Vec<&str> = said.lines().collect();
    let before = lines.iter().rposition(result)?;
    let harmless = |line: &&str| line.trim().is_empty() || line.contains("warning:");
    lines[..before].iter().copied().find(|line| !result(line) && !harmless(line))
}

/// The remedy for the failures that are known.
fn refusal(why: &str) -> Reason {
    let why = why.trim();
    let remedy = if ["No space left", "Disk quota"].iter().any(|full| why.contains(full)) {
        "--scratch DIR with more room, or fewer copies"
    } else if ["temporarily unavailable", "Cannot fork"].iter().any(|few| why.contains(few)) {
        "raise the limit of processes (ulimit -u, pids.max of the cgroup), or fewer copies"
    } else if why.contains("Permission denied") {
        "--scratch DIR that is not mounted noexec"
    } else {
        return Reason::new(why);
    };
    Reason::mended_by(why, remedy)
}

/// The passes of a case so far.
#[derive(Debug)]
pub(super) struct PassResults {
    test: &'static Test,
    variant: String,
    passes: Vec<Pass>,
    copies: Vec<f64>,
    /// CPUs' worth of time in each pass.
    used: Vec<f64>,
    /// The resource use of all copies of each pass.
    sums: Vec<Usage>,
}

/// A count that the kernel keeps of every process, summed over all copies of a pass.
type Counted = (&'static str, fn(&Usage) -> u64);
const COUNTED: [Counted; 4] = [
    ("minor_faults", |used| used.minor_faults),
    ("major_faults", |used| used.major_faults),
    ("voluntary_switches", |used| used.ctx_voluntary),
    ("involuntary_switches", |used| used.ctx_involuntary),
];

impl PassResults {
    pub(super) fn new(test: &'static Test, variant: String) -> PassResults {
        PassResults { test, variant, passes: vec![], copies: vec![], used: vec![], sums: vec![] }
    }
    /// A pass more.
    pub(super) fn add(&mut self, copies: &[CopyPass]) {
        let passes: Vec<Pass> = copies.iter().map(|c| c.pass).collect();
        self.passes.extend(formula::pass(&passes));
        if copies.len() > 1 {
            let rates: Vec<f64> = passes.iter().map(|p| self.rate(*p)).collect();
            self.copies.extend(rates);
        }
        let longest = copies.iter().map(|c| c.elapsed).fold(1e-9, f64::max);
        let sum = copies.iter().fold(Usage::default(), |sum, copy| sum.plus(&copy.used));
        self.used.push(sum.cpu_seconds / longest);
        self.sums.push(sum);
    }
    /// In the record's unit.
    fn rate(&self, pass: Pass) -> f64 {
        formula::rate(pass, self.test.timebase) * self.test.factor
    }
    /// `rate` of every pass, with what its score is made of; of a program that is not dynamic the rate alone, by another
    /// name, so that nobody takes it for one of UnixBench's.
    ///
    /// # Errors
    /// Nothing was counted in any pass.
    pub(super) fn series(&self, link: Link) -> Result<Vec<Series>, Reason> {
        if self.passes.iter().all(|p| p.count <= 0.0) {
            return Err(Reason::mended_by(
                "nothing was counted in any pass",
                "--seconds with longer ones",
            ));
        }
        let of = |metric: &str, unit, better, samples: Vec<f64>| Series {
            samples,
            variant: Some(self.variant.clone()),
            ..Series::new(metric, unit, better).at(param::TEST, self.test.name)
        };
        let of_passes = |value: &dyn Fn(&Pass) -> f64| self.passes.iter().map(value).collect();
        let rates = of_passes(&|p| self.rate(*p));
        let mut all = match link {
            Link::Dynamic => vec![
                of("rate", self.test.unit, Better::Higher, rates),
                of("count", Unit::Count, Better::Higher, of_passes(&|p| p.count)),
            ],
            Link::Static => vec![of("static_rate", self.test.unit, Better::Higher, rates)],
        };
        all.push(of("time", Unit::Seconds, Better::Neither, of_passes(&|p| p.seconds)));
        if !self.copies.is_empty() {
            all.push(of("copy_rate", self.test.unit, Better::Higher, self.copies.clone()));
        }
        all.push(of("cpus_used", Unit::Count, Better::Neither, self.used.clone()));
        let sum = self.sums.iter().fold(Usage::default(), |sum, pass| sum.plus(pass));
        if sum.cpu_seconds > 0.0 {
            let share = (sum.system_seconds / sum.cpu_seconds).clamp(0.0, 1.0);
            all.push(of("kernel_share", Unit::Ratio, Better::Neither, vec![share]));
        }
        for (metric, counted) in COUNTED {
            let samples = self.sums.iter().map(|used| counted(used) as f64).collect();
            all.push(of(metric, Unit::Count, Better::Neither, samples));
        }
        Ok(all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::child::Ended;
    use record::ProbeId;
    use record::unixbench::of_probe;

    fn ended(pid: u32, began: f64, ended: f64, status: Status) -> Ended {
        let used = Usage {
            cpu_seconds: 4.0,
            system_seconds: 1.0,
            minor_faults: 50,
            ctx_voluntary: 7,
            ctx_involuntary: 2,
            ..Usage::default()
        };
        Ended { pid, status, began, ended, used, queue: None }
    }
    fn done(all: Vec<Ended>) -> GroupResult {
        GroupResult { ended: all, ..GroupResult::default() }
    }
    fn two() -> GroupResult {
        let ok = Status::Exited(0);
        done(vec![ended(7, 100.0, 110.0, ok), ended(8, 100.5, 112.5, ok)])
    }
    fn samples(all: &[Series], metric: &str) -> Vec<f64> {
        all.iter().find(|s| s.metric == metric).map(|s| s.samples.clone()).unwrap_or_default()
    }

    /// The clock is whatever the process group was given: 10 s and 12 s here.
    #[test]
    fn counts_are_divided_by_the_mean_time_from_start_to_end() {
        let ran =
            read(&two(), "result 7 1000.000000 0.0\nnoise\nresult 8 1200.000000 0.0\n", false)
                .unwrap();
        let mut taken = PassResults::new(of_probe(ProbeId::Pipe).unwrap(), "x".into());
        taken.add(&ran);
        let all = taken.series(Link::Dynamic).unwrap();
        assert_eq!(samples(&all, "count"), [2200.0]);
        assert_eq!(samples(&all, "time"), [11.0]);
        assert_eq!(samples(&all, "rate"), [200.0]);
        assert_eq!(samples(&all, "copy_rate"), [100.0, 100.0]);
        assert_eq!(
            (samples(&all, "kernel_share"), samples(&all, "cpus_used")),
            (vec![0.25], vec![8.0 / 12.0])
        );
        let counted = COUNTED.map(|(metric, _)| samples(&all, metric));
        let both = [100.0, 0.0, 14.0, 4.0].map(|sum| vec![sum]);
        assert_eq!(counted, both, "faults and switches of both copies");
    }

    #[test]
    fn minutes_kibibytes_and_millions_are_base_units_in_the_record() {
        let rate = |id, line: &str| {
            let ran =
                read(&done(vec![ended(7, 0.0, 30.0, Status::Exited(0))]), line, false).unwrap();
            let mut taken = PassResults::new(of_probe(id).unwrap(), "x".into());
            taken.add(&ran);
            samples(&taken.series(Link::Dynamic).unwrap(), "rate")[0]
        };
        assert_eq!(rate(ProbeId::Shell1, "result 7 300 0.0"), 10.0);
        assert_eq!(rate(ProbeId::Fstime, "result 7 5000 29.9"), 5000.0 * 1024.0);
        assert_eq!(rate(ProbeId::WhetstoneDouble, "result 7 4000.5 9.0"), 4_000.5e6);
        assert_eq!(rate(ProbeId::Execl, "result 7 60 0.0"), 2.0);
    }

    #[test]
    fn a_copys_own_time_and_its_last_word_count() {
        let one = done(vec![ended(7, 0.0, 30.0, Status::Exited(0))]);
        let ran = read(&one, "result 7 1 0.0\nresult 7 5000 29.5\n", false).unwrap();
        assert_eq!(ran[0].pass, Pass { count: 5000.0, seconds: 29.5 });
    }

    #[test]
    fn a_static_program_gives_no_score() {
        let ran = read(&two(), "result 7 10 0.0\nresult 8 10 0.0\n", false).unwrap();
        let mut taken = PassResults::new(of_probe(ProbeId::Execl).unwrap(), "x".into());
        taken.add(&ran);
        let all = taken.series(Link::Static).unwrap();
        assert!(samples(&all, "rate").is_empty() && samples(&all, "count").is_empty());
        assert_eq!(samples(&all, "static_rate").len(), 1);
    }

    #[test]
    fn what_fails_is_told_with_what_would_mend_it() {
        let failed = |said: &str| read(&two(), said, false).unwrap_err();
        let full = failed("failed write to the scratch folder: No space left on device\n");
        assert!(full.why.remedy.unwrap().contains("--scratch") && !full.interrupted);
        let many = failed("failed fork: Resource temporarily unavailable\n");
        assert!(many.why.remedy.unwrap().contains("pids.max"));
        let none = failed("result 7 10 0.0\nsh: it is broken\n");
        assert!(none.why.why.contains("it is broken"), "{none:?}");
        let stopped = done(vec![ended(7, 0.0, 1.0, Status::Killed(2))]);
        assert!(read(&stopped, "", false).unwrap_err().interrupted);
        let passed = GroupResult { passed_on: Some(15), ..two() };
        assert!(read(&passed, "", false).unwrap_err().interrupted);
        assert!(
            PassResults::new(of_probe(ProbeId::Pipe).unwrap(), String::new())
                .series(Link::Dynamic)
                .is_err()
        );
    }

    /// A script whose tools fail ends well, and sooner.
    #[test]
    fn what_a_scripts_tool_complains_of_is_no_result() {
        let of = |said: &str| read(&two(), said, true);
        let both = "result 7 10 0.0\nresult 8 10 0.0\n";
        let full = "sort: write failed: 'standard output': No space left on device\n";
        let why = of(&format!("{full}{both}")).unwrap_err().why;
        assert!(why.why.contains("sort:") && why.remedy.unwrap().contains("--scratch"));
        let between = "result 7 10 0.0\n/s/scripts: 5: Cannot fork\nresult 8 10 0.0\n";
        assert!(of(between).unwrap_err().why.remedy.unwrap().contains("pids.max"));
        // Scripts that are ended in the middle, when all have their result, may say so; and a shell misses a locale.
        assert_eq!(of(&format!("{both}Terminated\n{full}")).unwrap().len(), 2);
        let locale = "/bin/sh: warning: setlocale: LC_ALL: cannot change locale (xx_XX)\n";
        assert_eq!(of(&format!("{locale}{both}")).unwrap().len(), 2);
        assert_eq!(read(&two(), &format!("{full}{both}"), false).unwrap().len(), 2);
    }

    #[test]
    fn a_result_that_cannot_be_written_is_for_want_of_room() {
        let unwritten = done(vec![ended(7, 0.0, 1.0, Status::Exited(UNWRITTEN))]);
        let why = read(&unwritten, "", false).unwrap_err().why;
        assert!(why.why.contains("No space left") && why.remedy.is_some(), "{why}");
        let other = done(vec![ended(7, 0.0, 1.0, Status::Exited(2))]);
        assert!(read(&other, "", false).unwrap_err().why.why.contains("ended with 2"));
    }
}
