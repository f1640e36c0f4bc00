//! Differences that make two values incomparable, their weight, and the remedy: `docs/adr/0017`.
use crate::equivalent::Equivalent;
use crate::grade::Grade;
use crate::words;
use record::{Environment, Pages, Reason};
use std::sync::Arc;

/// A difference; the baseline's value comes first in every pair.
#[derive(Debug, Clone, PartialEq)]
pub enum Incomparable {
    /// Versions of the benchmark's definition.
    Definition(u32, u32),
    /// Unit or good direction.
    Meaning,
    /// A value that no ratio can be made of.
    NoRatio,
    /// Memory of a node of which only the number is known: how far it is from the CPU is not.
    Distance,
    /// The memory's content.
    Content(Arc<str>, Arc<str>),
    /// Pages asked for.
    Pages(Pages, Pages),
    /// Bytes of a base page, of buffers on base pages.
    BasePage(u64, u64),
    /// Verified share on huge pages.
    HugeShare(f64, f64),
    /// Footprint over the last-level cache, on one side below four: a cache there, memory here.
    Footprint(f64, f64),
    /// Sizes over the last-level cache along a curve, where the size is what is asked for.
    Reach(f64, f64),
    /// Share of the memory that was the CPUs' own.
    Placement(f64, f64),
    /// Virtual CPUs on several last-level caches on one of them, in the baseline if it is true.
    Caches(bool),
    /// Numbers of CPUs, of a quantity that depends on them.
    Crowd(usize, usize),
    /// Numbers of CPUs, of a quantity that adds up over them.
    Threads(usize, usize),
    /// The whole machine against a part of it: cores used, and whether these are all.
    Part((usize, bool), (usize, bool)),
    /// Several states of the machine, in either.
    States(usize, usize),
    /// Machine code.
    Code(Arc<str>, Arc<str>),
    /// A record whose machine was not fit to be measured: the gravest doubt, whose it is.
    Unfit(Environment, String),
    /// Programs that measured.
    Tool(String, String),
    /// Versions of the program.
    Version(String, String),
    /// Sources of the machine code.
    Kernels,
    /// Depths of the plan.
    Depth(String, String),
    /// A guest against bare metal, or hypervisors.
    Host(String, String),
    /// The tool that measured, its version, or which of its figures was kept.
    Benchmark(&'static str, String, String),
    /// The scope of counted events: only times are comparable.
    Scope(String, String),
    /// One definition in two programs, of which one is ours.
    Ours(&'static Equivalent),
    /// The same, of which ours has been changed since the two were set beside each other: the version then, and the one here.
    Changed(&'static Equivalent, u32),
    /// The software around the benchmark: the parameter's name and its values.
    Software(String, String, String),
}

/// From four times the last cache on, memory answers (`curves.rs`).
pub(crate) const MEMORY: f64 = crate::curves::MEMORY_BEYOND;
impl serde::Serialize for Incomparable {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Described {
            grade: Grade,
            what: &'static str,
            #[serde(flatten)]
            reason: Reason,
        }
        let (grade, what) = (self.grade(), self.word());
        Described { grade, what, reason: self.reason("cpulens run") }.serialize(serializer)
    }
}

impl Incomparable {
    /// Its weight.
    pub fn grade(&self) -> Grade {
        self.about().0
    }
    /// The end of its message in a summary.
    pub fn key(&self) -> &'static str {
        self.about().1
    }
    /// Its name where many are counted.
    pub fn word(&self) -> &'static str {
        self.about().2
    }
    fn about(&self) -> (Grade, &'static str, &'static str) {
        use Grade::{Noted, Refused, Unclaimed};
        use Incomparable::*;
        match self {
            Definition(..) | Changed(..) => {
                (Refused, "definition", "the benchmark's definition changed")
            }
            Meaning => (Refused, "meaning", "unit or direction differ"),
            NoRatio => (Refused, "no_ratio", "a value is zero or no number"),
            Distance => (Refused, "distance", "how far the memory was is not known"),
            Content(..) => (Refused, "content", "the memory held other data"),
            Pages(..) => (Unclaimed, "pages", "other pages were asked for"),
            BasePage(..) => (Noted, "base_page", "base pages of different sizes"),
            HugeShare(..) => (Unclaimed, "pages", "other pages were found"),
            Footprint(..) => (Refused, "cache", "the buffer lies in a cache on one of them"),
            Reach(..) => (Unclaimed, "cache", "the last-level cache ends between them"),
            Placement(..) => (Unclaimed, "placement", "the memory was on other nodes"),
            Caches(..) => (Unclaimed, "caches", "the vCPUs were on several caches on one of them"),
            Crowd(..) => (Unclaimed, "cpus", "different numbers of CPUs took part"),
            Threads(..) => (Noted, "cpus", "different numbers of CPUs add up"),
            Part(..) => (Unclaimed, "part", "a whole machine against a part of one"),
            States(..) => (Noted, "modes", "several modes"),
            Code(..) => (Noted, "code", "other machine code was the fastest"),
            Unfit(Environment::Fail, _) => {
                (Noted, "environment", "a machine was not fit to be measured")
            }
            Unfit(..) => (Noted, "environment", "a machine's environment check did not pass"),
            Tool(..) => (Unclaimed, "tool", "different programs measured"),
            Version(..) => (Noted, "version", "different versions of the program measured"),
            Kernels => (Noted, "code", "the kernels' sources differ"),
            Depth(..) => (Noted, "version", "the depths of the plans differ"),
            Host(..) => (Noted, "host", "guest and bare metal, or different hypervisors"),
            Benchmark(OTHER_VERSION, ..) => (Refused, "tool_version", OTHER_VERSION),
            Benchmark(what, ..) => (Refused, "tool", what),
            Scope(..) => {
                (Noted, "scope", "events of different sets of CPUs were counted beside it")
            }
            Ours(row) => (row.grade(), "ours", ours(row)),
            // Which of them matters is not known: the ratio stands, with less confidence.
            Software(name, ..) => (Noted, "software", built(name)),
        }
    }
    /// What is unlike in full, and the command or setting that would make the two comparable. `command` measures what
    /// the row is about.
    pub fn reason(&self, command: &str) -> Reason {
        let percent = words::percent;
        let cpus = |count: usize| words::count(count, "CPU");
        match self {
            Incomparable::Definition(a, b) => Reason::mended_by(
                format!(
                    "its definition has version {a} in the baseline and {b} here: numbers of different versions are not comparable"
                ),
                format!("measure both with the same cpulens: {command}"),
            ),
            Incomparable::Meaning => Reason::new("unit or good direction differ between the records"),
            Incomparable::NoRatio => {
                Reason::new("a value is zero, negative or no number: there is no ratio")
            }
            Incomparable::Distance => Reason::mended_by(
                "the memory was on a node of the same number: how far that is from the CPUs is not known on both",
                "import lscpu -e and numactl -H of both machines with it",
            ),
            Incomparable::Content(a, b) => Reason::mended_by(
                format!("the memory held {a} data in the baseline and {b} data here"),
                format!("measure both with the same content: {command}"),
            ),
            Incomparable::Pages(a, b) => Reason::mended_by(
                format!("asked for {a} pages in the baseline and {b} pages here"),
                format!("{command} --where pages={} on both", word(*a)),
            ),
            Incomparable::BasePage(a, b) => Reason::mended_by(
                format!(
                    "base pages have {} in the baseline and {} here: larger ones need fewer page walks",
                    estimates::quantity::size(*a),
                    estimates::quantity::size(*b)
                ),
                format!("kernels with base pages of one size on both, or {command} --where pages=thp"),
            ),
            Incomparable::HugeShare(a, b) => Reason::mended_by(
                format!(
                    "{} of the memory was on huge pages in the baseline and {} here",
                    percent(*a),
                    percent(*b)
                ),
                format!(
                    "the same transparent huge page setting on both (echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled), then {command}"
                ),
            ),
            Incomparable::Footprint(a, b) => Reason::mended_by(
                format!(
                    "the buffer was {a:.1} times the last-level cache in the baseline and {b:.1} times here: below {MEMORY} a cache answers, not memory"
                ),
                format!("free memory, so that the buffer can be large, then {command}"),
            ),
            Incomparable::Reach(a, b) => Reason::mended_by(
                format!(
                    "this size is {a:.2} times the last-level cache of the baseline and {b:.2} times the one here: a cache answers on one and memory on the other"
                ),
                "cpulens show RECORD of both names the latency of each level, which does not depend on the size".to_owned(),
            ),
            Incomparable::Placement(a, b) => Reason::mended_by(
                format!(
                    "{} of the memory was on the CPUs' own nodes in the baseline and {} here",
                    percent(*a),
                    percent(*b)
                ),
                format!("{command} --nodes 0 on both"),
            ),
            Incomparable::Caches(baseline) => Reason::mended_by(
                match baseline {
                    true => "the vCPUs were on several last-level caches in the baseline and on one here",
                    false => "the vCPUs were on one last-level cache in the baseline and on several here",
                },
                "pin the virtual CPUs on the host, as by virsh vcpupin",
            ),
            Incomparable::Crowd(a, b) => Reason::mended_by(
                format!(
                    "{} took part in the baseline and {} here, and they wait for each other",
                    cpus(*a),
                    cpus(*b)
                ),
                format!("{command} --cpus LIST with {} on both", cpus(*a.min(b))),
            ),
            Incomparable::Threads(a, b) => Reason::mended_by(
                format!("{} in the baseline and {} here", cpus(*a), cpus(*b)),
                format!("{command} --cpus LIST with {} on both, or the ratio per core", cpus(*a.min(b))),
            ),
            Incomparable::Part(a, b) => {
                let part = |(cores, whole): (usize, bool)| {
                    format!(
                        "{} of the machine's cores ({cores})",
                        if whole { "all" } else { "some" }
                    )
                };
                Reason::mended_by(
                    format!("{} took part in the baseline and {} here", part(*a), part(*b)),
                    format!("{command} without --cpus, --nodes or a cpuset on both"),
                )
            }
            Incomparable::States(a, b) => Reason::mended_by(
                format!(
                    "its modes are {a} in the baseline and {b} here: a median across modes is no value of either"
                ),
                format!("{command} again, on CPUs that nothing moves"),
            ),
            Incomparable::Code(a, b) => {
                Reason::new(format!("{a} was the fastest code in the baseline and {b} here"))
            }
            Incomparable::Unfit(_, why) => {
                Reason::mended_by(why.clone(), "measure again: cpulens run")
            }
            Incomparable::Tool(a, b) => Reason::mended_by(
                format!(
                    "the baseline was measured by {a} and this by {b}: what rows of one definition say is said row by row"
                ),
                "measure both with cpulens run",
            ),
            Incomparable::Version(a, b) => Reason::mended_by(
                format!(
                    "the baseline was measured by version {a} and this by {b}; definitions are compared row by row"
                ),
                "measure both with the same cpulens",
            ),
            Incomparable::Kernels => Reason::mended_by(
                "the machine code that was timed was made from different sources",
                "measure both with the same cpulens",
            ),
            Incomparable::Depth(a, b) => Reason::mended_by(
                format!(
                    "the baseline was measured at depth {a} and this at {b}: buffers, sizes and numbers of samples differ"
                ),
                format!("cpulens run --depth {a}"),
            ),
            Incomparable::Host(a, b) => Reason::mended_by(
                format!("the baseline {} and this {}", host(a), host(b)),
                "measure both as guests, or both on bare metal",
            ),
            Incomparable::Benchmark(what, a, b) => Reason::mended_by(
                format!("{what}: {} in the baseline and {} here", or_unstated(a), or_unstated(b)),
                "results of one tool in one version, and the same of its figures, on both",
            ),
            Incomparable::Ours(row) => row.reason(),
            Incomparable::Changed(row, here) => Reason::mended_by(
                format!(
                    "ours of {} was set beside the original in version {}, and this record has version {here}",
                    row.what, row.version
                ),
                format!("measure it with this cpulens: {}", row.command),
            ),
            Incomparable::Scope(a, b) => Reason::mended_by(
                format!(
                    "the events beside it were counted of {} in the baseline and of {} here: only times compare",
                    counted(a),
                    counted(b)
                ),
                "count the program alone on both: cpulens stat -- COMMAND, or perf stat without -a and -C",
            ),
            Incomparable::Software(name, a, b) => Reason::mended_by(
                format!("its {name} is {} in the baseline and {} here", or_unstated(a), or_unstated(b)),
                format!("the same {name} on both"),
            ),
        }
    }
    /// The difference of two values by a parameter of the software.
    pub fn software((name, a, b): (String, String, String)) -> Incomparable {
        match name.as_str() {
            "tool" if alike(&a, &b) => Incomparable::Version(a, b),
            "tool" if named(&a).0 == named(&b).0 => Incomparable::Benchmark(OTHER_VERSION, a, b),
            "tool" => Incomparable::Benchmark("another tool", a, b),
            "statistic" => Incomparable::Benchmark("another of the tool's figures", a, b),
            "scope" => Incomparable::Scope(a, b),
            _ => Incomparable::Software(name, a, b),
        }
    }
}

fn ours(row: &Equivalent) -> &'static str {
    match (row.grade(), &row.differs) {
        (Grade::Noted, _) => "ours of the same definition",
        (_, None) => "ours was never set beside the original",
        (_, Some(_)) => "ours is not quite the same",
    }
}

/// What differs, by the parameter that says so.
fn built(parameter: &str) -> &'static str {
    match parameter {
        "os" => "other operating systems",
        "server" => "other servers",
        "transport" => "clients reached the server in other ways",
        _ => "built with other compilers or flags",
    }
}

const OTHER_VERSION: &str = "another version of the tool";

/// A tool's name and its version: `sysbench` and `1.0.20`, `Intel MLC` and `v3.9`.
fn named(tool: &str) -> (&str, Option<&str>) {
    let parts = tool.rsplit_once(' ').or_else(|| tool.rsplit_once('/'));
    let numbered =
        |text: &str| text.trim_start_matches('v').starts_with(|c: char| c.is_ascii_digit());
    match parts.filter(|(_, version)| numbered(version)) {
        Some((name, version)) => (name, Some(version.trim_start_matches('v'))),
        None => (tool, None),
    }
}

/// Whether two versions of a tool time the same: those of one minor version, and what only runs other benchmarks.
fn alike(a: &str, b: &str) -> bool {
    const WRAPPERS: &[&str] = &["sbc-bench", "phoronix-test-suite"];
    let ((x, a), (y, b)) = (named(a), named(b));
    let minor = |version: &str| -> Option<(String, String)> {
        let mut parts = version.split('.').map(str::to_owned);
        Some((parts.next()?, parts.next()?))
    };
    let same = || a.and_then(minor).is_some_and(|a| b.and_then(minor) == Some(a));
    x == y && (WRAPPERS.contains(&x) || same())
}

fn or_unstated(value: &str) -> &str {
    if value.is_empty() { "not stated" } else { value }
}

fn counted(scope: &str) -> &str {
    match scope {
        "process" => "the program",
        "system" => "all CPUs",
        "cpu" => "some CPUs",
        _ => "nobody knows what",
    }
}

/// As `--where` takes it.
fn word(pages: Pages) -> &'static str {
    match pages {
        Pages::Base => "base",
        Pages::Thp => "thp",
        Pages::Hugetlb(_) => "hugetlb",
    }
}

fn host(hypervisor: &str) -> String {
    match hypervisor {
        "none" => "ran on bare metal".into(),
        name => format!("was a guest of {name}"),
    }
}

/// The remark on ours beside another tool's figure.
pub(crate) fn ours_beside(row: &'static Equivalent, version: u32) -> Incomparable {
    if version == row.version {
        Incomparable::Ours(row)
    } else {
        Incomparable::Changed(row, version)
    }
}
