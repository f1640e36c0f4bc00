//! Options of UnixBench's tests: the version whose behaviour they have, copies, placement, start and length.
use super::Work;
use clap::{Args, ValueHint};
use measure::{
    open_samplers,
    probe::Depth,
    values::{MOST_CORES, one_of, some_seconds, whole},
};

record::named! {
    /// A version of UnixBench, where versions differ in what they measure.
    #[derive(Default)]
    pub enum Variant {
        /// 6.0: raw `getpid`, a pipe of its own to duplicate, files of its own to copy, arithmetic of the shell.
        #[default]
        Upstream6 = "upstream-6",
        /// 5.1.3: `getpid` of libc, the shared standard input is duplicated, all copies share two files, `expr`, and
        /// Whetstone by user time.
        Upstream513 = "5.1.3",
        /// Alibaba's 5.1.6: as 5.1.3 with a raw `getpid` and wall time, Whetstone's last loop reset, and the two processes of a
        /// context switch on different halves of the CPUs.
        Aliyun516 = "aliyun-5.1.6",
    }
}

impl Variant {
    /// Whether copies share their files and standard input, and the script counts with `expr`.
    pub(crate) fn old(self) -> bool {
        self != Variant::Upstream6
    }
}

record::named! {
    /// The placement of the copies of a pass. All processes of a copy are placed like it.
    #[derive(Default)]
    pub enum Placement {
        /// Wherever the scheduler likes, as UnixBench leaves them.
        #[default]
        None = "none",
        /// Each copy on one CPU, cores first.
        OneToOne = "one-to-one",
        /// Every copy on all chosen CPUs, as by `taskset`.
        Range = "range",
        /// Each copy on the CPUs of one NUMA node, in turn.
        Node = "node",
    }

    /// The start of the copies of a pass.
    #[derive(Default)]
    pub enum Start {
        /// One after the other, as UnixBench starts them: with many copies the first works while the last is not there yet.
        #[default]
        Serial = "serial",
        /// All at once, when all are there.
        Barrier = "barrier",
    }

    /// The CPUs of the two processes of `context1`.
    pub enum Switch {
        /// Wherever the scheduler likes.
        Free = "free",
        /// The parent on the lower half of the CPUs, the child on the upper half.
        Halves = "halves",
        /// Both on one CPU.
        Same = "same",
        /// On the two threads of a core.
        Siblings = "siblings",
        /// On two cores of a node.
        Node = "node",
        /// On cores of two nodes.
        Nodes = "nodes",
    }
}

/// A number of copies, or a rule for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Copies {
    /// This number.
    Number(usize),
    /// One for each chosen CPU.
    All,
    /// One, two, four ... and one for each chosen CPU.
    ScalingRun,
}

impl Copies {
    /// The numbers on so many CPUs.
    fn on(self, cpus: usize) -> Vec<usize> {
        match self {
            Copies::Number(number) => vec![number],
            Copies::All => vec![cpus.max(1)],
            Copies::ScalingRun => {
                let powers = std::iter::successors(Some(1usize), |n| n.checked_mul(2));
                powers.take_while(|n| *n < cpus).chain([cpus.max(1)]).collect()
            }
        }
    }
}

fn copies(text: &str) -> Result<Copies, String> {
    match (text, text.parse::<usize>()) {
        ("N" | "n", _) => Ok(Copies::All),
        ("scaling", _) => Ok(Copies::ScalingRun),
        (_, Ok(number)) if (1..=MOST_CORES).contains(&number) => Ok(Copies::Number(number)),
        _ => Err(format!("copies are a number from 1 to {MOST_CORES}, N, or scaling")),
    }
}

/// Options beyond depth and CPUs.
#[derive(Debug, Clone, PartialEq, Args)]
pub struct Options {
    /// Numbers of copies: N is one for each CPU, scaling is 1, 2, 4 ... N
    #[arg(long, value_name = "NUMBER,...", value_delimiter = ',', default_value = "1,N", value_parser = copies)]
    pub copies: Vec<Copies>,
    /// How copies are placed: not pinned, each on one CPU, all on the chosen CPUs, each on one NUMA node
    #[arg(long = "placement", value_name = "PLACEMENT,...", value_delimiter = ',', default_values = ["none"], value_parser = one_of(Placement::ALL.map(|p| (p.name(), p))))]
    pub placements: Vec<Placement>,
    /// The version of UnixBench to follow
    #[arg(long, default_value = "upstream-6", value_parser = one_of(Variant::ALL.map(|v| (v.name(), v))))]
    pub variant: Variant,
    /// Start copies one after the other, as UnixBench does, or at the same time
    #[arg(long, default_value = "serial", value_parser = one_of([Start::Serial, Start::Barrier].map(|s| (s.name(), s))))]
    pub start: Start,
    /// More placements of the two processes of context1, with one copy
    #[arg(long = "context", value_name = "WHERE,...", value_delimiter = ',', value_parser = one_of(Switch::ALL.map(|s| (s.name(), s))))]
    pub switches: Vec<Switch>,
    /// UnixBench's own passes, durations and waits
    #[arg(long, conflicts_with_all = ["depth", "passes", "seconds"])]
    pub exact: bool,
    /// Passes of every test, instead of the depth's
    #[arg(long, value_name = "N", value_parser = whole(1..=1000_usize))]
    pub passes: Option<usize>,
    /// Seconds of every pass, instead of the depth's
    #[arg(long, value_name = "SECONDS", value_parser = some_seconds)]
    pub seconds: Option<f64>,
    /// Repeats of all tests, interleaved
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole(1..=100_usize))]
    pub repeats: usize,
    /// A folder for the files to copy and sort [default: the first on a disk]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::AnyPath, value_parser = database::options::path())]
    pub scratch: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            copies: vec![Copies::Number(1), Copies::All],
            placements: vec![Placement::None],
            variant: Variant::default(),
            start: Start::default(),
            switches: vec![],
            exact: false,
            passes: None,
            seconds: None,
            repeats: 1,
            scratch: None,
        }
    }
}

impl Options {
    /// The numbers of copies on so many CPUs, each once.
    pub(crate) fn counts(&self, cpus: usize) -> Vec<usize> {
        record::distinct(self.copies.iter().flat_map(|c| c.on(cpus)))
    }
    /// The CPUs of the processes of a context switch; `None` for every other test.
    pub(crate) fn switches(&self, work: Work, copies: usize) -> Vec<Option<Switch>> {
        if work != Work::Context {
            return vec![None];
        }
        let own = match self.variant {
            Variant::Aliyun516 => Switch::Halves,
            _ => Switch::Free,
        };
        let mut all = vec![Some(own)];
        let asked = self.switches.iter().filter(|s| copies == 1 && **s != own);
        all.extend(asked.map(|s| Some(*s)));
        all
    }
}

/// The duration of a test.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Length {
    pub(crate) passes: usize,
    /// Seconds that a pass is timed.
    pub(crate) seconds: f64,
    /// The passes are taken in so many turns, between which all other tests have theirs.
    pub(crate) turns: usize,
    /// Seconds that a pass will take with what is around it, and those before the first of a turn.
    each: f64,
    before: f64,
}

/// Turns in which the passes are taken, unless they are to be the original's.
const TURNS: usize = 3;

impl Length {
    pub(crate) fn of(work: Work, depth: Depth, options: &Options) -> Length {
        let own = work.upstream_seconds();
        let upstream = if work.long() { 10 } else { 3 };
        let (passes, seconds) = match (options.exact, depth) {
            (true, _) | (_, Depth::Thorough) => (upstream, own),
            (_, Depth::Quick) => {
                (if work.long() { 6 } else { 3 }, if own > 30.0 { 4.0 } else { 2.0 })
            }
            (_, Depth::Standard) => {
                (if work.long() { 9 } else { 6 }, if own > 30.0 { 6.0 } else { 3.0 })
            }
        };
        let (passes, seconds) =
            (options.passes.unwrap_or(passes), options.seconds.unwrap_or(seconds));
        let around = match options.exact {
            true => work.around(seconds) + 3.0 + if work.copies_files() { 15.0 } else { 0.0 },
            false => work.around(seconds) + 0.15,
        };
        let turns = if options.exact { 1 } else { passes.clamp(1, TURNS) };
        let before = if work.switches() { open_samplers::KERNEL_DELAY.as_secs_f64() } else { 0.0 };
        Length { passes, seconds, turns, each: seconds + around, before }
    }
    /// Seconds that a turn will take.
    pub(crate) fn estimate(&self, turn: usize) -> f64 {
        self.before + share(self.passes, turn, self.turns) as f64 * self.each
    }
}

/// Passes of one of so many turns, which are counted from 1: the first have one more where they cannot all have as many.
pub(crate) fn share(passes: usize, turn: usize, turns: usize) -> usize {
    let turns = turns.max(1);
    passes / turns + usize::from(turn <= passes % turns)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn whole(depth: Depth, options: &Options) -> f64 {
        let of = |(_, work): &(_, Work)| {
            let length = Length::of(*work, depth, options);
            (1..=length.turns).map(|turn| length.estimate(turn)).sum::<f64>()
        };
        crate::unixbench::TESTS.iter().map(of).sum()
    }

    /// The promised duration of one copy, and that of UnixBench itself.
    #[test]
    fn the_index_of_one_copy_takes_three_minutes_seven_or_half_an_hour() {
        let options = Options::default();
        assert!(whole(Depth::Quick, &options) < 180.0, "{}", whole(Depth::Quick, &options));
        assert!(whole(Depth::Standard, &options) < 420.0, "{}", whole(Depth::Standard, &options));
        let exact = Options { exact: true, ..options };
        let seconds = whole(Depth::Quick, &exact);
        assert!((1550.0..1800.0).contains(&seconds), "{seconds}");
    }

    #[test]
    fn exact_has_the_passes_and_seconds_of_the_original() {
        let options = Options { exact: true, ..Options::default() };
        let of = |work| {
            let length = Length::of(work, Depth::Quick, &options);
            (length.passes, length.seconds)
        };
        assert_eq!((of(Work::Dhrystone), of(Work::Execl)), ((10, 10.0), (3, 30.0)));
        assert_eq!((of(Work::Shell(8)), of(Work::Context)), ((3, 60.0), (10, 10.0)));
        assert_eq!(of(Work::Copy { size: 256, kib: 500 }), (3, 30.0));
        let short = Options { passes: Some(1), seconds: Some(0.5), ..Options::default() };
        let length = Length::of(Work::Pipe, Depth::Thorough, &short);
        assert_eq!((length.passes, length.seconds), (1, 0.5));
    }

    #[test]
    fn every_pass_has_a_turn() {
        for passes in 1..12 {
            let options = Options { passes: Some(passes), ..Options::default() };
            let length = Length::of(Work::Pipe, Depth::Quick, &options);
            let of = |turn| share(length.passes, turn, length.turns);
            let shares: Vec<usize> = (1..=length.turns).map(of).collect();
            assert_eq!(shares.iter().sum::<usize>(), passes);
            assert!(
                shares.len() == passes.min(TURNS) && shares.iter().all(|s| *s > 0),
                "{shares:?}"
            );
            let exact = Options { exact: true, ..options };
            assert_eq!(Length::of(Work::Pipe, Depth::Quick, &exact).turns, 1);
        }
    }

    #[test]
    fn copies_are_one_and_one_a_cpu_unless_named() {
        let options = Options::default();
        assert_eq!((options.counts(1), options.counts(8)), (vec![1], vec![1, 8]));
        let of = |copies: &[Copies], cpus| {
            Options { copies: copies.to_vec(), ..Options::default() }.counts(cpus)
        };
        assert_eq!(of(&[Copies::Number(3), Copies::Number(512)], 8), [3, 512]);
        assert_eq!(of(&[Copies::ScalingRun], 6), [1, 2, 4, 6]);
        assert_eq!(
            (of(&[Copies::ScalingRun], 1), of(&[Copies::ScalingRun], 4)),
            (vec![1], vec![1, 2, 4])
        );
    }

    #[test]
    fn processes_that_switch_are_where_the_variant_has_them() {
        let options = Options { switches: vec![Switch::Same, Switch::Free], ..Options::default() };
        let free = options.switches(Work::Context, 1);
        assert_eq!(free, [Some(Switch::Free), Some(Switch::Same)]);
        assert_eq!(options.switches(Work::Context, 2), [Some(Switch::Free)]);
        assert_eq!(options.switches(Work::Pipe, 1), [None]);
        let aliyun = Options { variant: Variant::Aliyun516, ..Options::default() };
        assert_eq!(aliyun.switches(Work::Context, 4), [Some(Switch::Halves)]);
    }

    #[test]
    fn names_are_told_apart() {
        for variant in Variant::ALL {
            assert_eq!(Variant::named(variant.name()), Some(variant));
        }
        for placement in Placement::ALL {
            assert_eq!(Placement::named(placement.name()), Some(placement));
        }
        for switch in Switch::ALL {
            assert_eq!(Switch::named(switch.name()), Some(switch));
        }
        assert_eq!(Variant::named("6"), None);
    }
}
