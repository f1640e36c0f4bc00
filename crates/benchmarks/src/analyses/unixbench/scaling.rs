//! Every test with many copies against one copy, judged beside Dhrystone and Whetstone, which share nothing: what falls
//! while those do not is held back by what copies share, and by the kernel if that is where its time goes.
use super::{Section, TestScore};
use crate::analyses::scaling_runs::{SCALES, TAKEN};
use record::ProbeId;
use record::unixbench::Test;

/// Copies of these share nothing.
const CONTROLS: [ProbeId; 2] = [ProbeId::Dhry2reg, ProbeId::WhetstoneDouble];

/// Loops of system calls. Source: UnixBench's syscall.c, pipe.c, context1.c, fstime.c, execl.c, spawn.c.
const BY_DESIGN: [ProbeId; 8] = [
    ProbeId::Syscall,
    ProbeId::Pipe,
    ProbeId::Context1,
    ProbeId::Fstime,
    ProbeId::Fsbuffer,
    ProbeId::Fsdisk,
    ProbeId::Execl,
    ProbeId::Spawn,
];

/// A test with many copies.
#[derive(Debug, Clone, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scaled {
    /// The test.
    pub test: &'static Test,
    /// The placement of copies.
    pub placement: String,
    /// Copies.
    pub copies: u64,
    /// Its score over that of one copy.
    pub times: f64,
    /// Speedup over the number of copies, or of CPUs where there are more copies than those.
    pub efficiency: f64,
    /// The verdict on it.
    pub verdict: Verdict,
}

/// The verdict on the scaling of a test.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Copies do not hinder each other.
    Scales,
    /// Many copies do more than so many times one: where the scheduler puts one copy's processes slows that one down.
    OneIsSlow,
    /// Dhrystone or Whetstone falls, too, to this share: CPUs share cores, the frequency falls, or somebody else uses them.
    Cpus(f64),
    /// Dhrystone and Whetstone do not fall, and this share of the time is spent in the kernel: copies wait there for
    /// each other.
    Kernel(f64),
    /// Dhrystone and Whetstone do not fall, and the test does nothing but ask the kernel; nobody printed the share of its time.
    KernelByDesign,
    /// Dhrystone and Whetstone do not fall, and the time is not spent in the kernel: caches, memory, or processes that use
    /// several CPUs each.
    Shared,
    /// One copy already used this count of CPUs, so that many copies have less each.
    Parallel(f64),
    /// Others, or the hypervisor, took this share of the machine meanwhile.
    Disturbed(f64),
    /// Nothing to judge it by: neither Dhrystone nor Whetstone was measured, or the kernel's time is not known.
    CannotTell,
}

/// Efficiency above which one copy is what is wrong.
const MORE: f64 = 1.2;
/// Share of the controls' efficiency below which a test is held back by something of its own.
const BELOW: f64 = 0.9;
/// Share of kernel time from which on the kernel is where copies wait.
const KERNEL: f64 = 0.5;
/// CPUs that one copy keeps busy before it counts as parallel.
const PARALLEL: f64 = 1.3;

/// The most copies of every placement against one copy of it; `usable` are the CPUs of the machine, for who chose none.
pub(super) fn scalings(sections: &[Section], usable: usize) -> Vec<Scaled> {
    let mut all = vec![];
    for one in sections.iter().filter(|s| s.copies == 1) {
        let Some(many) =
            sections.iter().filter(|s| s.copies > 1 && s.alike(one)).max_by_key(|s| s.copies)
        else {
            continue;
        };
        let room = match if many.cpus > 0 { many.cpus } else { usable } {
            0 => many.copies as f64,
            cpus => many.copies.min(cpus as u64) as f64,
        };
        let efficiency = |id: ProbeId| Some(many.test(id)?.score / one.test(id)?.score / room);
        let controls: Vec<f64> = CONTROLS.iter().filter_map(|id| efficiency(*id)).collect();
        for score in &many.tests {
            let Some(alone) = one.test(score.test.id).filter(|o| o.score > 0.0) else { continue };
            let times = score.score / alone.score;
            all.push(Scaled {
                test: score.test,
                placement: many.placement.clone(),
                copies: many.copies,
                times,
                efficiency: times / room,
                verdict: verdict(score, alone, times / room, &controls),
            });
        }
    }
    all
}

fn verdict(many: &TestScore, one: &TestScore, efficiency: f64, controls: &[f64]) -> Verdict {
    let control = controls.iter().copied().fold(f64::INFINITY, f64::min);
    let own = CONTROLS.contains(&many.test.id);
    let taken = many.taken.unwrap_or(0.0).max(one.taken.unwrap_or(0.0));
    if taken > TAKEN {
        return Verdict::Disturbed(taken);
    }
    if efficiency > MORE {
        return Verdict::OneIsSlow;
    }
    if efficiency >= SCALES {
        return Verdict::Scales;
    }
    if own {
        return Verdict::Cpus(efficiency);
    }
    if controls.is_empty() {
        return Verdict::CannotTell;
    }
    if control < SCALES && efficiency >= control * BELOW {
        return Verdict::Cpus(control);
    }
    // What one copy already used explains no more of the fall than it is.
    let explains = |used: &f64| *used > PARALLEL && efficiency * used >= control.min(1.0) * BELOW;
    if let Some(used) = one.used.filter(explains) {
        return Verdict::Parallel(used);
    }
    match many.kernel {
        Some(share) if share >= KERNEL => Verdict::Kernel(share),
        Some(_) => Verdict::Shared,
        None if BY_DESIGN.contains(&many.test.id) => Verdict::KernelByDesign,
        None => Verdict::CannotTell,
    }
}
