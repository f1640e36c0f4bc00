//! Passes in a guest: a line of words there, a line of JSON back.
use super::{Cell, HostMeans, Pass, Passes};
use crate::noise::guest::Answers;
use host::{
    clock::Monotonic,
    cpus,
    guest::{self, Accelerator, Boot, Guest},
    kmod::Module,
    partition::Partition,
};
use record::Reason;
use serde::{Serialize, de::DeserializeOwned};
use std::{
    path::{Path, PathBuf},
    time::Duration,
};

/// The longest a guest may take for a pass: an emulated one takes seconds, on a busy host some tens.
const PATIENCE: Duration = Duration::from_secs(120);

/// The longest that a guest may take to boot: an emulated one on a busy host.
const BOOT: Duration = Duration::from_secs(120);

/// CPUs of a guest at most: enough for a thread to be moved about.
const CPUS: usize = 4;

/// A guest that does passes.
#[derive(Debug)]
pub(crate) struct Remote(pub(crate) Guest);

impl Passes for Remote {
    fn pass(&mut self, cell: Cell) -> Result<Pass, Reason> {
        pass(&self.0.ask(&cell.words().join(" "), PATIENCE)?)
    }
}

/// A guest of this kernel (empty for the one at hand) that answers, and how it is carried out: emulated where KVM is there and does
/// not work. What fails has its name in the reason.
///
/// # Errors
/// It does not come up either way; that has its reason, too.
pub(crate) fn booted(
    kernel: &str,
    module: Option<PathBuf>,
    cpus: usize,
    failed: &mut dyn FnMut(&str, Reason),
) -> Result<(Remote, Accelerator), Reason> {
    let mut boot = Boot {
        kernel: Some(kernel).filter(|k| !k.is_empty()).map(PathBuf::from),
        module,
        arguments: vec!["noise".into(), "--inside".into()],
        cpus: cpus.clamp(1, CPUS),
        accelerator: Accelerator::here(),
    };
    loop {
        let accelerator = boot.accelerator;
        match (Guest::boot(&boot, BOOT), accelerator) {
            (Ok(guest), _) => return Ok((Remote(guest), accelerator)),
            (Err(why), Accelerator::Kvm) => {
                failed("guest.kvm", why);
                boot.accelerator = Accelerator::Tcg;
            }
            (Err(why), Accelerator::Tcg) => {
                failed("guest", why.clone());
                return Err(why);
            }
        }
    }
}

/// This program as a guest's first process: answers its host until that ends, and switches the guest off.
///
/// # Errors
/// This is no guest's first process.
pub fn inside() -> Result<(), Reason> {
    let clock = Monotonic::new();
    let mut here = None;
    let mut answers = Answers::default();
    guest::inside::serve(|line| {
        if let Some(answer) = answers.reply(line) {
            return answer;
        }
        // Not before all is mounted.
        let here = here.get_or_insert_with(|| {
            let cpu = cpus::affinity().ok().and_then(|cpus| cpus.iter().next_back()).unwrap_or(0);
            let file = Path::new(guest::MODULE);
            let module = match file.exists() {
                true => Module::load(file),
                false => Err(Reason::mended_by(
                    "it was given no kernel module",
                    "--kmod, or --kmod=FILE with a module for the guest's kernel",
                )),
            };
            HostMeans { clock: &clock, cpu, module, partition: Partition::new(cpu) }
        });
        reply(line, here)
    })
}

/// The answer of a guest to a line of its host's.
fn reply(line: &str, passes: &mut dyn Passes) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    let unknown = || Reason::new(format!("{line:?} is nothing that is done here"));
    answer(&Cell::of(&words).ok_or_else(unknown).and_then(|cell| passes.pass(cell)))
}

/// What was found, as an answer of a guest: one line of JSON.
pub(crate) fn answer<T: Serialize>(found: &Result<T, Reason>) -> String {
    serde_json::to_string(found).unwrap_or_default()
}

/// What a guest found by its answer.
pub(crate) fn found<T: DeserializeOwned>(answer: &str) -> Result<T, Reason> {
    let found: Result<T, Reason> = serde_json::from_str(answer).map_err(|_| unclear(answer))?;
    found.map_err(|why| Reason { why: format!("in the guest: {}", why.why).into(), ..why })
}

fn unclear(answer: &str) -> Reason {
    Reason::new(format!("the guest's answer is not understood: {answer:?}"))
}

fn pass(answer: &str) -> Result<Pass, Reason> {
    let pass: Pass = found(answer)?;
    let sane = pass.seconds > 0.0 && pass.longest >= 0.0;
    if sane { Ok(pass) } else { Err(unclear(answer)) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::undisturbed_speed::Mode;

    struct Fake;

    const PASS: Pass = Pass {
        seconds: 0.123_456_789,
        longest: 1.99e-3,
        found: 78_497,
        hash: Some(0x00aa_0000_0000_0001),
        preempted: 3,
        moved: true,
    };

    impl Passes for Fake {
        fn pass(&mut self, cell: Cell) -> Result<Pass, Reason> {
            match cell.mode {
                Mode::User => Ok(Pass { hash: None, ..PASS }),
                Mode::Kernel if cell.words()[1] == "on" => Ok(PASS),
                Mode::Kernel => Err(Reason::mended_by("no module", "load it")),
            }
        }
    }

    #[test]
    fn what_a_guest_says_is_what_its_host_reads() {
        let asked = |line| pass(&reply(line, &mut Fake));
        assert_eq!(asked("kernel on bound"), Ok(PASS));
        assert_eq!(asked("user on unbound"), Ok(Pass { hash: None, ..PASS }));
        let refused = asked("kernel off fifo").unwrap_err();
        assert_eq!(refused, Reason::mended_by("in the guest: no module", "load it"));
        assert_eq!(asked("user off bound").unwrap_err().remedy, None);
        let right = answer(&Ok(PASS));
        assert_eq!(pass(&right), Ok(PASS));
        for (from, to) in [("0.123456789", "0"), ("0.123456789", "NaN"), ("78497", "x"), ("{", "")]
        {
            let nonsense = right.replace(from, to);
            assert!(pass(&nonsense).is_err(), "{nonsense}");
        }
    }
}
