//! Passes on this machine: the thread is put in its place, runs one pass in user mode or has the kernel module run it, and is
//! as free as before.
use super::{Cell, Interrupts, Mode, Pass, Passes, Place};
use host::{clock::Clock, cpus, disturb::Watcher, kmod::Module, partition::Partition, realtime};
use kernels::quantum;
use record::Reason;

/// Numbers that are counted before each pass, untimed: caches, predictors and the clock settle.
const WARM: u64 = 50_000;

/// Permissions and means of this machine.
#[allow(missing_debug_implementations, reason = "it borrows a clock")]
pub struct HostMeans<'a> {
    /// The monotonic raw clock.
    pub clock: &'a dyn Clock,
    /// The CPU of all places but the first.
    pub cpu: u32,
    /// The module, or why there is none.
    pub module: Result<Module, Reason>,
    /// The partition, or why there is none.
    pub partition: Result<Partition, Reason>,
}

impl Passes for HostMeans<'_> {
    fn pass(&mut self, cell: Cell) -> Result<Pass, Reason> {
        if cell.mode == Mode::Kernel {
            self.module.as_ref().map_err(Clone::clone)?;
        }
        // Undone in the opposite order.
        let _inside = match (cell.place, &self.partition) {
            (Place::Isolated, Ok(partition)) => Some(partition.enter()?),
            (Place::Isolated, Err(why)) => return Err(why.clone()),
            _ => None,
        };
        let pin = || cpus::pin(self.cpu).map_err(|e| cpus::refusal(self.cpu, &e));
        let _pinned = (cell.place != Place::Unbound).then(pin).transpose()?;
        let _fifo = (cell.place == Place::Fifo).then(|| realtime::fifo(1)).transpose()?;
        std::hint::black_box(quantum::primes(quantum::FIRST, WARM));
        let mut watcher = Watcher::open();
        watcher.mark();
        let before = watcher.snapshot();
        let pass = match (&mut self.module, cell.mode) {
            (Ok(module), Mode::Kernel) => of_kernel(module, cell.interrupts)?,
            _ => of_user(self.clock),
        };
        let after = watcher.snapshot();
        Ok(Pass {
            preempted: after.preempted - before.preempted,
            moved: after.cpu != before.cpu,
            ..pass
        })
    }
}

fn of_user(clock: &dyn Clock) -> Pass {
    let begin = clock.now();
    let found = quantum::primes(quantum::FIRST, quantum::LAST);
    let seconds = clock.now() - begin;
    Pass { seconds, longest: 0.0, found, hash: quantum::hash(), preempted: 0, moved: false }
}

fn of_kernel(module: &mut Module, interrupts: Interrupts) -> Result<Pass, Reason> {
    let pass = module.pass(interrupts, (quantum::FIRST, quantum::LAST))?;
    let seconds = |nanoseconds: u64| nanoseconds as f64 * 1e-9;
    let (taken, longest) = match interrupts {
        Interrupts::On => (pass.wall, 0),
        Interrupts::Off => (pass.worked, pass.longest),
    };
    Ok(Pass {
        seconds: seconds(taken),
        longest: seconds(longest),
        found: pass.found,
        hash: Some(pass.hash),
        preempted: 0,
        moved: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use host::clock::Monotonic;

    #[test]
    fn a_program_counts_in_every_place_or_says_why_not() {
        let before = cpus::affinity().unwrap();
        let clock = Monotonic::new();
        let none = |why: &str| Reason::new(why);
        let mut here = HostMeans {
            clock: &clock,
            cpu: before.first().unwrap(),
            module: Err(none("no module")),
            partition: Err(none("no partition")),
        };
        for cell in Cell::all() {
            let result = here.pass(cell);
            match (cell.mode, cell.place, result) {
                (Mode::Kernel, _, result) => assert_eq!(result, Err(none("no module"))),
                (_, Place::Isolated, result) => assert_eq!(result, Err(none("no partition"))),
                (_, Place::Fifo, Err(why)) => assert!(why.remedy.is_some(), "{why}"),
                (_, _, result) => {
                    let pass = result.unwrap();
                    assert_eq!((pass.found, pass.hash), (quantum::PRIMES, quantum::hash()));
                    assert!(pass.seconds > 0.0 && pass.longest == 0.0);
                }
            }
            assert_eq!(cpus::affinity().unwrap(), before);
        }
    }
}
