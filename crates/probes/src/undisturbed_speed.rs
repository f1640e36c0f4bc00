//! The same passes of the same machine code wherever they can be run: in every place, in user and kernel mode, with interrupts
//! on and off, on this machine and in a guest, round by round in alternating order, so that whatever drifts drifts for all.
//!
//! A guest does its passes by the same code as its host, and is asked for them line by line.
mod here;
mod remote;
mod rounds;

pub use here::HostMeans;
pub use remote::inside;
pub(crate) use remote::{Remote, answer, booted, found};
pub(crate) use rounds::rounds;

use record::Reason;

record::named! {
    /// The environment of a thread, from the most to the least disturbed.
    pub enum Place {
        /// On any CPU, as the scheduler likes.
        Unbound = "unbound",
        /// On one CPU.
        Bound = "bound",
        /// On one CPU, before everything that is not real-time (SCHED_FIFO).
        Fifo = "fifo",
        /// On one CPU that other tasks are kept from (an isolated partition of cgroup v2's cpusets).
        Isolated = "isolated",
    }

    /// The privilege level of the code.
    pub enum Mode {
        /// A program's.
        User = "user",
        /// The kernel's.
        Kernel = "kernel",
    }

    /// The system that runs it: this machine or a guest.
    pub enum System {
        /// This one.
        Host = "host",
        /// A guest of this one.
        Guest = "guest",
    }
}

pub use host::kmod::Interrupts;

/// One way of running a pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cell {
    /// The privilege level.
    pub mode: Mode,
    /// Whether interrupts come through.
    pub interrupts: Interrupts,
    /// The environment.
    pub place: Place,
}

/// The time of one pass.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Pass {
    /// Seconds from begin to end; with interrupts off those within quanta, since what waited came in between them.
    pub seconds: f64,
    /// The longest time that interrupts were off, in seconds; 0 where they were on.
    pub longest: f64,
    /// Primes found.
    pub found: u64,
    /// Hash of the machine code that ran; nothing where it has no known bytes.
    pub hash: Option<u64>,
    /// Times the thread was taken off its CPU against its will.
    pub preempted: u64,
    /// Whether it ended on another CPU than it began on.
    pub moved: bool,
}

/// Something that can run passes.
pub trait Passes {
    /// Runs one.
    ///
    /// # Errors
    /// Why this cell cannot be had here.
    fn pass(&mut self, cell: Cell) -> Result<Pass, Reason>;
}

impl Cell {
    /// Every cell that can be, places within modes: a real-time thread is followed by three passes that are not.
    pub fn all() -> Vec<Cell> {
        let of = |mode, interrupts| {
            Place::ALL.into_iter().map(move |place| Cell { mode, interrupts, place })
        };
        of(Mode::User, Interrupts::On)
            .chain(of(Mode::Kernel, Interrupts::On))
            .chain(of(Mode::Kernel, Interrupts::Off))
            .collect()
    }
    /// The words in the record and between host and guest: mode, interrupts, place.
    pub fn words(self) -> [&'static str; 3] {
        [self.mode.name(), self.interrupts.name(), self.place.name()]
    }
    /// The cell of these words.
    pub fn of(words: &[&str]) -> Option<Cell> {
        Cell::all().into_iter().find(|cell| cell.words()[..] == *words)
    }
}

/// Options of the experiment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// Rounds; as many as the depth says if none.
    pub rounds: Option<u64>,
    /// Whether to load the kernel module, and from where: empty to build it.
    pub kmod: Option<String>,
    /// Whether to take a CPU from all others for the isolated cells.
    pub isolate: bool,
    /// Whether to boot a guest, and of which kernel: empty for the one at hand.
    pub guest: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_cell_has_words_of_its_own_and_user_mode_never_turns_interrupts_off() {
        let cells = Cell::all();
        assert_eq!(cells.len(), 12);
        for cell in &cells {
            assert_eq!(Cell::of(&cell.words()), Some(*cell));
        }
        assert_eq!(Cell::of(&["user", "off", "bound"]), None);
        assert_eq!(Cell::of(&["kernel", "off"]), None);
    }

    /// The kernel gives real-time threads 95 % of each second.
    #[test]
    fn real_time_passes_stand_apart() {
        let fifo: Vec<usize> = (0..)
            .zip(Cell::all())
            .filter(|(_, c)| c.place == Place::Fifo)
            .map(|(i, _)| i)
            .collect();
        assert!(fifo.windows(2).all(|pair| pair[1] - pair[0] == 4));
    }
}
