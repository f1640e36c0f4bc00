//! What a machine of the lab is: what QEMU is asked for, what its init takes away, and what must be true of it.
use super::{
    job::{Command, Job},
    smbios::Module,
};
use crate::dist::Arch;

/// A machine to boot.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Machine {
    pub(crate) name: &'static str,
    /// What is special about it, in a few words.
    pub(crate) what: &'static str,
    pub(crate) arch: Arch,
    pub(crate) hardware: Hardware,
    pub(crate) kernel: Kernel,
    /// Words of the kernel's command line.
    pub(crate) boot: &'static str,
    /// CPUs that are isolated by these words.
    pub(crate) isolated: Option<&'static str>,
    pub(crate) place: Place,
    /// What its kernel must say of it: lines of the init's look around.
    pub(crate) proof: &'static [&'static str],
    /// The machine that it imitates.
    pub(crate) twin: Option<Twin>,
    /// Takes minutes to boot, or to do anything there; only booted when named.
    pub(crate) slow: bool,
}

/// Which of Debian's kernels it boots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kernel {
    /// For clouds: small, with all that the lab needs.
    Cloud,
    /// For real-time threads: of the three the only one with the osnoise tracer (CONFIG_OSNOISE_TRACER).
    RealTime,
}

/// An imitation of a machine in `fixtures/machines`, whose inventory must come out equal.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Twin {
    pub(crate) fixture: &'static str,
    /// QEMU numbers the threads of a core one after the other, most servers all first threads first: the original
    /// is renumbered.
    pub(crate) threads_adjacent: bool,
    /// What cannot be compared.
    pub(crate) hidden: &'static [Hidden],
}

/// Members of the topology that are not compared (`cpus/*/die`): QEMU cannot present them, or nobody knows them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hidden(pub(crate) &'static str, pub(crate) &'static str);

/// What QEMU is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Hardware {
    /// `-cpu`
    pub(super) cpu: &'static str,
    /// `-smp`
    pub(super) smp: &'static str,
    /// Nanoseconds of the machine's time that each instruction takes, as a power of two; a machine with one counts its
    /// instructions exactly, and has a single CPU. Without, time is the host's.
    pub(super) icount: Option<u32>,
    /// MiB of each NUMA node; one node without NUMA if there is one.
    pub(super) memory: &'static [u32],
    /// CPUs of each node, as in `-numa node,cpus=`; empty for a node without CPUs.
    pub(super) cpus: &'static [&'static str],
    /// The distance from one node to another.
    pub(super) distance: fn(usize, usize) -> u32,
    /// The modules that firmware describes; QEMU's own if none.
    pub(super) modules: &'static [Module],
}

/// What the machine's init takes away from the program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(super) offline: &'static [u32],
    /// A CPU that goes offline while the program runs, soon after it has said these words.
    pub(super) taken_away: Option<(u32, &'static str)>,
    pub(super) readonly: bool,
    pub(super) nosys: bool,
    pub(super) cpuset: Option<&'static str>,
    pub(super) memory: Option<&'static str>,
    pub(super) quota: Option<&'static str>,
    /// The tables of interrupts are hidden.
    pub(super) untold: bool,
    pub(super) disk: Option<&'static str>,
    pub(super) uid: Option<u32>,
}

impl Place {
    /// The job of running these here.
    pub(super) fn job(&self, commands: Vec<Command>) -> Job {
        Job {
            commands,
            offline: self.offline.to_vec(),
            readonly: self.readonly,
            nosys: self.nosys,
            cpuset: self.cpuset.map(str::to_owned),
            memory: self.memory.map(str::to_owned),
            quota: self.quota.map(str::to_owned),
            untold: self.untold,
            disk: self.disk.map(str::to_owned),
            uid: self.uid,
            ..Job::default()
        }
    }
}
