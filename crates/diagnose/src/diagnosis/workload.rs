//! A workload by the resources that it depends on: a kind of program by name, or a counted run of it (`cpulens stat`).
use crate::cost::Demand;
use crate::program::{Limiter, Program};
use crate::say;
use record::{Message, Text};

/// A workload's demands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Workload {
    /// Its name.
    pub name: Text,
    /// The resources it depends on.
    pub demands: Vec<Demand>,
    /// The reason for these, as a full sentence.
    pub why: Text,
}

/// Kinds of programs. Every program needs cycles. A service that does not fork minds neither the cost of a process nor that
/// of a page fault; one that computes in its caches minds no system calls. Source: UnixBench's tests of one and the same
/// machine, which a change moves by factors in either direction.
const KINDS: &[(&str, &[Demand], Message)] = &[
    ("db", &[Demand::Cycles, Demand::Latency, Demand::Sharing, Demand::Kernel], say::KIND_DB),
    ("web", &[Demand::Cycles, Demand::Latency, Demand::Kernel], say::KIND_WEB),
    ("compute", &[Demand::Cycles, Demand::Bandwidth, Demand::Latency], say::KIND_COMPUTE),
    ("fork-heavy", &[Demand::Cycles, Demand::Forks, Demand::Kernel], say::KIND_FORK),
];

impl Workload {
    /// The kind with this name.
    pub fn named(name: &str) -> Option<Workload> {
        let (name, demands, why) = KINDS.iter().find(|(known, ..)| *known == name)?;
        Some(Workload { name: (*name).into(), demands: demands.to_vec(), why: (*why).into() })
    }
    /// The names of the kinds.
    pub fn names() -> impl Iterator<Item = &'static str> {
        KINDS.iter().map(|(name, ..)| *name)
    }
    /// The resources of a counted run, by its limiter.
    pub fn counted(program: &Program<'_>) -> Workload {
        let limiter = program.limiter.limiter;
        let demands: &[Demand] = match limiter {
            Limiter::NotOnCpu => &[Demand::Sharing, Demand::Kernel],
            Limiter::RunQueue => &[Demand::Cycles],
            Limiter::Kernel => &[Demand::Cycles, Demand::Kernel, Demand::Forks],
            Limiter::FrontEnd | Limiter::BadSpeculation | Limiter::Core | Limiter::Instructions => {
                &[Demand::Cycles]
            }
            Limiter::L2 | Limiter::L3 | Limiter::MemoryLatency => {
                &[Demand::Cycles, Demand::Latency]
            }
            Limiter::MemoryBandwidth => &[Demand::Bandwidth],
            Limiter::Memory => &[Demand::Cycles, Demand::Latency, Demand::Bandwidth],
            Limiter::Unknown => &Demand::ALL,
        };
        Workload {
            name: say::KIND_COUNTED.into(),
            demands: demands.to_vec(),
            why: say::kind_counted_why(limiter.name()),
        }
    }
    /// Whether it is known to lean on any of these: of a program that nothing is known of, it is not.
    pub fn leans_on(&self, demands: &[Demand]) -> bool {
        self.demands != Demand::ALL && self.minds(demands)
    }
    /// Whether it leans on any of these, as far as is known.
    pub fn minds(&self, demands: &[Demand]) -> bool {
        demands.iter().any(|d| self.demands.contains(d))
    }
}
