//! Differences that make two values incomparable, their weight, and the remedy: `docs/adr/0017`.
use crate::conditions::OTHERS;
use crate::equivalent::Equivalent;
use crate::grade::Grade;
use crate::say;
use crate::words;
use record::{Environment, Message, Pages, Reason, Text};
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
    Unfit(Environment, Text),
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
    Benchmark(Other, String, String),
    /// The scope of counted events: only times are comparable.
    Scope(String, String),
    /// One definition in two programs, of which one is ours.
    Ours(&'static Equivalent),
    /// The same, of which ours has been changed since the two were set beside each other: the version then, and the one here.
    Changed(&'static Equivalent, u32),
    /// The software around the benchmark: the parameter's name and its values.
    Software(String, String, String),
}

/// What of a benchmark is another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Other {
    /// The tool.
    Tool,
    /// Its version.
    Version,
    /// Which of its figures was kept.
    Figure,
}

impl Other {
    fn word(self) -> Message {
        match self {
            Other::Tool => say::WORD_ANOTHER_TOOL,
            Other::Version => say::WORD_ANOTHER_VERSION,
            Other::Figure => say::WORD_ANOTHER_FIGURE,
        }
    }
}

/// From four times the last cache on, memory answers (`curves.rs`).
pub(crate) const MEMORY: f64 = crate::curves::MEMORY_BEYOND;
impl serde::Serialize for Incomparable {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        #[derive(serde::Serialize)]
        struct Described {
            grade: Grade,
            what: Text,
            #[serde(flatten)]
            reason: Reason,
        }
        let (grade, what) = (self.grade(), self.word().into());
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
    pub fn word(&self) -> Message {
        self.about().2
    }
    fn about(&self) -> (Grade, &'static str, Message) {
        use Grade::{Noted, Refused, Unclaimed};
        use Incomparable::*;
        match self {
            Definition(..) | Changed(..) => (Refused, "definition", say::WORD_DEFINITION),
            Meaning => (Refused, "meaning", say::WORD_MEANING),
            NoRatio => (Refused, "no_ratio", say::WORD_NO_RATIO),
            Distance => (Refused, "distance", say::WORD_DISTANCE),
            Content(..) => (Refused, "content", say::WORD_CONTENT),
            Pages(..) => (Unclaimed, "pages", say::WORD_PAGES),
            BasePage(..) => (Noted, "base_page", say::WORD_BASE_PAGE),
            HugeShare(..) => (Unclaimed, "pages", say::WORD_HUGE_SHARE),
            Footprint(..) => (Refused, "cache", say::WORD_FOOTPRINT),
            Reach(..) => (Unclaimed, "cache", say::WORD_REACH),
            Placement(..) => (Unclaimed, "placement", say::WORD_PLACEMENT),
            Caches(..) => (Unclaimed, "caches", say::WORD_CACHES),
            Crowd(..) => (Unclaimed, "cpus", say::WORD_CROWD),
            Threads(..) => (Noted, "cpus", say::WORD_THREADS),
            Part(..) => (Unclaimed, "part", say::WORD_PART),
            States(..) => (Noted, "modes", say::WORD_STATES),
            Code(..) => (Noted, "code", say::WORD_CODE),
            Unfit(Environment::Fail, _) => (Noted, "environment", say::WORD_UNFIT),
            Unfit(..) => (Noted, "environment", say::WORD_DOUBTFUL),
            Tool(..) => (Unclaimed, "tool", say::WORD_TOOL),
            Version(..) => (Noted, "version", say::WORD_VERSION),
            Kernels => (Noted, "code", say::WORD_KERNELS),
            Depth(..) => (Noted, "version", say::WORD_DEPTH),
            Host(..) => (Noted, "host", say::WORD_HOST),
            Benchmark(Other::Version, ..) => (Refused, "tool_version", Other::Version.word()),
            Benchmark(other, ..) => (Refused, "tool", other.word()),
            Scope(..) => (Noted, "scope", say::WORD_SCOPE),
            Ours(row) => (row.grade(), "ours", ours(row)),
            // Which of them matters is not known: the ratio stands, with less confidence.
            Software(name, ..) => (Noted, "software", built(name)),
        }
    }
    /// What is unlike in full, and the command or setting that would make the two comparable. `command` measures what
    /// the row is about.
    pub fn reason(&self, command: &str) -> Reason {
        let percent = words::percent;
        match self {
            Incomparable::Definition(a, b) => {
                Reason::mended_by(say::why_definition(a, b), say::fix_same_cpulens(command))
            }
            Incomparable::Meaning => Reason::new(say::WHY_MEANING),
            Incomparable::NoRatio => Reason::new(say::WHY_NO_RATIO),
            Incomparable::Distance => Reason::mended_by(say::WHY_DISTANCE, say::FIX_DISTANCE),
            Incomparable::Content(a, b) => {
                Reason::mended_by(say::why_content(&**a, &**b), say::fix_content(command))
            }
            Incomparable::Pages(a, b) => Reason::mended_by(
                say::why_pages(a.to_string(), b.to_string()),
                say::fix_pages(command, word(*a)),
            ),
            Incomparable::BasePage(a, b) => Reason::mended_by(
                say::why_base_page(estimates::quantity::size(*a), estimates::quantity::size(*b)),
                say::fix_base_page(command),
            ),
            Incomparable::HugeShare(a, b) => Reason::mended_by(
                say::why_huge_share(percent(*a), percent(*b)),
                say::fix_huge_share(command),
            ),
            Incomparable::Footprint(a, b) => Reason::mended_by(
                say::why_footprint(format!("{:.1}", a), format!("{:.1}", b), MEMORY),
                say::fix_footprint(command),
            ),
            Incomparable::Reach(a, b) => Reason::mended_by(
                say::why_reach(format!("{:.2}", a), format!("{:.2}", b)),
                say::FIX_REACH,
            ),
            Incomparable::Placement(a, b) => Reason::mended_by(
                say::why_placement(percent(*a), percent(*b)),
                say::fix_nodes(command),
            ),
            Incomparable::Caches(baseline) => Reason::mended_by(
                match baseline {
                    true => say::CACHES_BASELINE,
                    false => say::CACHES_HERE,
                },
                say::PIN_VIRTUAL,
            ),
            Incomparable::Crowd(a, b) => {
                Reason::mended_by(say::why_crowd(*a, *b), say::fix_cpus(command, *a.min(b)))
            }
            Incomparable::Threads(a, b) => Reason::mended_by(
                say::why_threads(*a, *b),
                say::fix_cpus_or_core(command, *a.min(b)),
            ),
            Incomparable::Part(a, b) => {
                let part = |(cores, whole): (usize, bool)| match whole {
                    true => say::all_cores(cores),
                    false => say::some_cores(cores),
                };
                Reason::mended_by(say::why_part(part(*a), part(*b)), say::fix_part(command))
            }
            Incomparable::States(a, b) => {
                Reason::mended_by(say::why_states(a, b), say::fix_states(command))
            }
            Incomparable::Code(a, b) => Reason::new(say::why_code(&**a, &**b)),
            Incomparable::Unfit(_, why) => Reason::mended_by(why.clone(), say::FIX_UNFIT),
            Incomparable::Tool(a, b) => {
                Reason::mended_by(say::why_tool(tool(a), tool(b)), say::FIX_TOOL)
            }
            Incomparable::Version(a, b) => {
                Reason::mended_by(say::why_version(a, b), say::FIX_SAME_CPULENS_PLAIN)
            }
            Incomparable::Kernels => {
                Reason::mended_by(say::WHY_KERNELS, say::FIX_SAME_CPULENS_PLAIN)
            }
            Incomparable::Depth(a, b) => {
                Reason::mended_by(say::why_depth(a, b), format!("cpulens run --depth {a}"))
            }
            Incomparable::Host(a, b) => {
                let why = match (a.as_str(), b.as_str()) {
                    ("none", here) => say::why_guest_here(here),
                    (base, "none") => say::why_guest_baseline(base),
                    (base, here) => say::why_guests(base, here),
                };
                Reason::mended_by(why, say::FIX_HOST)
            }
            Incomparable::Benchmark(other, a, b) => Reason::mended_by(
                say::why_benchmark(other.word(), or_unstated(a), or_unstated(b)),
                say::FIX_BENCHMARK,
            ),
            Incomparable::Ours(row) => row.reason(),
            Incomparable::Changed(row, here) => Reason::mended_by(
                say::why_changed(&row.what, row.version, here),
                say::fix_changed(&row.command),
            ),
            Incomparable::Scope(a, b) => {
                Reason::mended_by(say::why_scope(counted(a), counted(b)), say::FIX_SCOPE)
            }
            Incomparable::Software(name, a, b) => Reason::mended_by(
                say::why_software(name, or_unstated(a), or_unstated(b)),
                say::fix_software(name),
            ),
        }
    }
    /// The difference of two values by a parameter of the software.
    pub fn software((name, a, b): (String, String, String)) -> Incomparable {
        match name.as_str() {
            "tool" if alike(&a, &b) => Incomparable::Version(a, b),
            "tool" if named(&a).0 == named(&b).0 => Incomparable::Benchmark(Other::Version, a, b),
            "tool" => Incomparable::Benchmark(Other::Tool, a, b),
            "statistic" => Incomparable::Benchmark(Other::Figure, a, b),
            "scope" => Incomparable::Scope(a, b),
            _ => Incomparable::Software(name, a, b),
        }
    }
}

fn ours(row: &Equivalent) -> Message {
    match (row.grade(), &row.differs) {
        (Grade::Noted, _) => say::WORD_OURS,
        (_, None) => say::WORD_NEVER_BESIDE,
        (_, Some(_)) => say::WORD_NOT_QUITE,
    }
}

/// What differs, by the parameter that says so.
fn built(parameter: &str) -> Message {
    match parameter {
        "os" => say::WORD_OS,
        "server" => say::WORD_SERVER,
        "transport" => say::WORD_TRANSPORT,
        _ => say::WORD_COMPILER,
    }
}

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

fn or_unstated(value: &str) -> Text {
    if value.is_empty() { say::NOT_STATED.into() } else { value.into() }
}

fn tool(name: &str) -> Text {
    if name == OTHERS { say::OTHER_TOOLS.into() } else { name.into() }
}

fn counted(scope: &str) -> Message {
    match scope {
        "process" => say::OF_PROGRAM,
        "system" => say::OF_ALL,
        "cpu" => say::OF_SOME,
        _ => say::OF_NOBODY_KNOWS,
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

/// The remark on ours beside another tool's figure.
pub(crate) fn ours_beside(row: &'static Equivalent, version: u32) -> Incomparable {
    if version == row.version {
        Incomparable::Ours(row)
    } else {
        Incomparable::Changed(row, version)
    }
}
