//! The tests of `openssl speed`, by the linked OpenSSL library: ciphers, a hash, signatures.
//!
//! Method: the calls of `openssl speed`, in windows of some milliseconds. Each thread has its own library context and
//! buffers, like a process of `-multi`. A window's value is the sum over threads, each by its own time. `aes-256-ige`:
//! `AES_ige_encrypt`, the low-level function, as up to 1.1.1. `aes-256-gcm`: one message per block (key, nonce, data,
//! tag), as `-evp` from 3.0.16, 3.2.4 and 3.3.3 on. `aes-256-gcm-stream`: one message for all blocks, as before and in
//! published figures. `sha256`: a digest per block. `chacha20-poly1305`: one message. `rsa2048`: signatures of 36
//! bytes, and verifications. Version, detected CPU features and build are recorded as `variant`. Each thread has its
//! own CPU; if there are more threads, they share all CPUs.
//! Limits: elapsed time, where `openssl speed` uses CPU time for one process. One version and build; the installed
//! library may have other code. Threads share memory management, processes of `-multi` do not.
//! Source: openssl-speed(1); docs/adr/0021.
use crate::prelude::*;
use host::openssl::{self, Algorithm, Job, Key};
use measure::{
    scalable_work::{CopyResources, MOST_COPIES, ScalableWork, Work},
    threads::windows::{self, Round},
};

/// Bytes and signatures per second of the linked OpenSSL.
pub static PROBE: Probe = Probe {
    refuses,
    scalable_work: || openssl::missing().is_none().then_some(&SCALABLE_WORK),
    ..Probe::new(310, 2, "openssl speed, by the linked OpenSSL", cases, run)
};

/// Bytes of a block, as `openssl speed` has them from version 1.1.1 on.
const BLOCKS: [usize; 6] = [16, 64, 256, 1024, 8192, 16384];
/// The block of a scaling run's copies.
const SCALED_BLOCK: usize = 8192;
/// Ciphers and hashes by the name in the record, and what the library does for it.
const BLOCKWISE: [(&str, Algorithm); 5] = [
    ("aes-256-ige", Algorithm::Aes256Ige),
    ("aes-256-gcm", Algorithm::Aes256Gcm),
    ("aes-256-gcm-stream", Algorithm::Aes256GcmStream),
    ("sha256", Algorithm::Sha256),
    ("chacha20-poly1305", Algorithm::ChaCha20Poly1305),
];
/// Signatures, in another unit.
const RSA: &str = "rsa2048";
/// Threads beside one and all, as `-multi` was given where such figures were published.
const SOME: usize = 32;
/// Seconds before the first window, and between two: contexts, and how many steps a look at the clock is worth.
const SETTING_UP: f64 = 0.02;

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    let every = setting.every_variant() || setting.is_named(ProbeId::Openssl);
    if setting.depth < Depth::Standard && !every {
        return Ok(vec![]);
    }
    let names = BLOCKWISE.iter().map(|(name, _)| *name).chain([RSA]);
    let names: Vec<&str> = names.collect();
    let mut cases = vec![];
    for (copies, cpus) in places(setting) {
        for name in &names {
            // Beside one thread the modes that published figures and programs of today use.
            let usual = ["aes-256-ige", "aes-256-gcm"].contains(name) && copies <= cpus.len();
            if every || copies == 1 || usual {
                let params = [param::ALGORITHM.set(*name), param::COPIES.set(copies as u64)];
                let rounds = if *name == RSA { 2.0 } else { BLOCKS.len() as f64 };
                let each = seconds(setting.depth).max(4.0 * window(setting.depth, copies, &cpus));
                let check = if (2..=cpus.len()).contains(&copies) { 0.15 } else { 0.0 };
                let seconds = rounds * (USUAL * each + SETTING_UP) + check;
                cases.push(setting.case(cpus.clone(), &params, seconds));
            }
        }
    }
    Ok(cases)
}

fn refuses(_: &Case, _: &Machine) -> Option<Reason> {
    openssl::missing()
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let code = openssl::code()?;
    let wanted = case.get(param::ALGORITHM).unwrap_or_default();
    let rounds = rounds(wanted)?;
    let key = if wanted == RSA { Some(Key::generate()?) } else { None };
    let copies = case.get(param::COPIES).unwrap_or(1).clamp(1, MOST_COPIES) as usize;
    let cpus = &case.place.cpus;
    let places: Vec<CpuSet> = match cpus.len() {
        0 => return Err(Reason::new("no CPU to run on")),
        enough if enough >= copies => threads::pinned(cpus.iter().take(copies)),
        _ => vec![cpus.clone(); copies],
    };
    let limits =
        Limits { sample: window(bench.depth, copies, cpus), ..bench.limits(seconds(bench.depth)) };
    let measured = |bench: &mut Bench<'_>| {
        let make = |_, task: &Task| work(task, key.as_ref());
        let found = windows::measure(&places, bench, &rounds, &limits, make)?;
        Ok(rounds.iter().zip(found).map(|(round, found)| series(round, found, &code)).collect())
    };
    // The scheduler moves threads that share CPUs: there is no placement to guard.
    if copies > cpus.len() {
        measured(bench)
    } else {
        placement_check::checked(case, bench, measured)
    }
}

/// The algorithm of one round, and its bytes.
type Task = (Algorithm, usize);

/// The rounds of an algorithm of the record.
fn rounds(name: &str) -> Result<Vec<Task>, Reason> {
    if name == RSA {
        // What is signed has a size of its own.
        return Ok(vec![(Algorithm::Rsa2048Sign, 64), (Algorithm::Rsa2048Verify, 64)]);
    }
    let algorithm = blockwise(name)?;
    Ok(BLOCKS.iter().map(|block| (algorithm, *block)).collect())
}

/// The algorithm with this name in the record.
fn blockwise(name: &str) -> Result<Algorithm, Reason> {
    let found = BLOCKWISE.iter().find(|(known, _)| *known == name);
    found
        .map(|(_, algorithm)| *algorithm)
        .ok_or_else(|| Reason::new(format!("openssl is not asked for {name}")))
}

/// One thread's work in a round: bytes of a block in a step, or one signature.
fn work(
    (algorithm, block): &Task,
    key: Option<&Key>,
) -> Result<impl FnMut(u64) -> Result<f64, Reason> + use<>, Reason> {
    let mut job = Job::new(*algorithm, *block, key)?;
    let each = if bytes(*algorithm) { *block as f64 } else { 1.0 };
    Ok(move |steps| job.run(steps).map(|()| steps as f64 * each))
}

/// Whether its speed is in bytes.
fn bytes(algorithm: Algorithm) -> bool {
    !matches!(algorithm, Algorithm::Rsa2048Sign | Algorithm::Rsa2048Verify)
}

fn series((algorithm, block): &Task, found: Round, code: &str) -> Series {
    let of = |metric, unit| Series::new(metric, unit, Better::Higher);
    let series = match algorithm {
        Algorithm::Rsa2048Sign => of("sign", Unit::PerSecond),
        Algorithm::Rsa2048Verify => of("verify", Unit::PerSecond),
        _ => of("throughput", Unit::BytesPerSecond).at(param::BLOCK, *block as u64),
    };
    Series {
        samples: found.rates.samples,
        disturbed: found.rates.marks,
        steps: found.rates.steps,
        frequency: found.frequency,
        variant: Some(code.to_owned()),
        ..series
    }
}

/// Share of its seconds after which a round mostly knows its rate.
const USUAL: f64 = 0.6;

/// Seconds of a round.
fn seconds(depth: Depth) -> f64 {
    depth.pick(0.15, 0.3, 1.5)
}

/// Seconds of a window: short, so that of a busy machine some are undisturbed; where threads take turns on CPUs, long enough
/// for each to have several.
fn window(depth: Depth, copies: usize, cpus: &CpuSet) -> f64 {
    match copies.div_ceil(cpus.len().max(1)) {
        ..=1 => depth.pick(3e-3, 5e-3, 10e-3),
        turns => depth.pick(0.01, 0.02, 0.05) * turns as f64,
    }
}

/// One thread, 32, and as many as there are CPUs. Where these are fewer than 32, the 32 share them.
fn places(setting: &Setting<'_>) -> Vec<(usize, CpuSet)> {
    let all = setting.cpus.len();
    let mut places = vec![(1, [setting.main_cpu()].into_iter().collect())];
    if all > 1 && all < SOME {
        places.push((all, setting.cpus.clone()));
    }
    places.push((SOME, setting.cpus.iter().take(SOME).collect()));
    if all > SOME {
        places.push((all, setting.cpus.clone()));
    }
    places
}

/// Bytes per second of blocks of 8192; signatures have another unit.
static SCALABLE_WORK: ScalableWork = ScalableWork {
    unit: Unit::BytesPerSecond,
    parameter: param::ALGORITHM,
    kinds: || BLOCKWISE.iter().map(|(name, _)| *name).collect(),
    llc_multiple: 0,
    prepare: prepare_copy,
};

fn prepare_copy(copy: CopyResources<'_>, go: &mut dyn FnMut(Work<'_>)) -> Result<(), Reason> {
    let mut job = Job::new(blockwise(copy.kind)?, SCALED_BLOCK, None)?;
    let mut outcome = Ok(());
    go(&mut |steps| {
        if outcome.is_ok() {
            outcome = job.run(steps);
        }
        steps as f64 * SCALED_BLOCK as f64
    });
    outcome
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::Cpu;

    fn machine(cpus: u32) -> Machine {
        let mut machine = Machine::default();
        for id in 0..cpus {
            let siblings = [id].into_iter().collect();
            let (online, allowed) = (true, true);
            machine.topology.cpus.push(Cpu { id, online, allowed, siblings, ..Cpu::default() });
        }
        machine
    }
    fn planned(cpus: u32, depth: Depth, named: &[ProbeId]) -> Vec<Case> {
        let machine = machine(cpus);
        let mut setting = Setting::new(&machine, machine.topology.usable(), depth);
        setting.options.named = named.to_vec();
        cases(&setting).unwrap()
    }
    fn copies(cases: &[Case], algorithm: &str) -> Vec<u64> {
        let of = cases.iter().filter(|c| c.get(param::ALGORITHM) == Some(algorithm));
        of.map(|c| c.get(param::COPIES).unwrap()).collect()
    }

    #[test]
    fn one_32_and_all_threads_are_planned_however_many_cpus_there_are() {
        for (cpus, expected) in
            [(1, vec![1, 32]), (2, vec![1, 2, 32]), (32, vec![1, 32]), (96, vec![1, 32, 96])]
        {
            let cases = planned(cpus, Depth::Thorough, &[]);
            for name in BLOCKWISE.iter().map(|(name, _)| *name).chain([RSA]) {
                assert_eq!(copies(&cases, name), expected, "{name} on {cpus}");
            }
            let most = cases.iter().map(|c| c.place.cpus.len()).max().unwrap();
            assert_eq!(most, cpus as usize);
        }
    }

    #[test]
    fn quick_plans_none_that_is_not_named_and_standard_no_more_threads_than_cpus() {
        assert!(planned(2, Depth::Quick, &[]).is_empty());
        assert_eq!(planned(2, Depth::Quick, &[ProbeId::Openssl]).len(), 18);
        let standard = planned(2, Depth::Standard, &[]);
        assert_eq!(copies(&standard, "aes-256-ige"), [1, 2]);
        assert_eq!(copies(&standard, "sha256"), [1]);
        let seconds: f64 = standard.iter().map(|c| c.estimate).sum();
        assert!((5.0..30.0).contains(&seconds), "{seconds}");
        assert_eq!(copies(&planned(96, Depth::Standard, &[]), "aes-256-gcm"), [1, 32, 96]);
    }

    #[test]
    fn threads_that_share_cpus_have_windows_for_all_of_them() {
        let two: CpuSet = [0, 1].into_iter().collect();
        for depth in Depth::ALL {
            let of = |copies| window(depth, copies, &two);
            assert!(of(1) < 0.011 && of(1) == of(2), "one time slice or little more");
            assert!(of(32) >= 16.0 * 0.01 && (of(32) / of(16) - 2.0).abs() < 1e-9);
        }
    }

    #[test]
    fn figures_are_told_by_block_in_bytes_and_signatures_by_the_second() {
        let found = |rate| {
            let mut round = Round { frequency: Some(3e9), ..Round::default() };
            round.rates.push(rate, vec!["steal"]);
            round
        };
        let speed = series(&(Algorithm::Sha256, 64), found(2e9), "OpenSSL 3");
        assert_eq!((speed.metric.as_str(), speed.unit), ("throughput", Unit::BytesPerSecond));
        assert_eq!(param::BLOCK.value(&speed.at).and_then(|b| b.integer()), Some(64));
        assert_eq!(
            (&speed.samples[..], speed.disturbed.len(), speed.frequency),
            (&[2e9][..], 1, Some(3e9))
        );
        assert_eq!(speed.variant.as_deref(), Some("OpenSSL 3"));
        let sign = series(&(Algorithm::Rsa2048Sign, 64), found(2000.0), "OpenSSL 3");
        assert_eq!((sign.metric.as_str(), sign.unit, sign.at.len()), ("sign", Unit::PerSecond, 0));
        assert_eq!(rounds("aes-256-ige").unwrap().len(), 6);
        assert!(rounds("rot13").is_err());
    }

    /// The first step of every round is worth a block, or one signature.
    #[test]
    fn a_step_is_a_block() {
        if openssl::missing().is_some() {
            return;
        }
        let key = Key::generate().unwrap();
        for (name, worth) in [("sha256", BLOCKS.map(|b| b as f64).to_vec()), (RSA, vec![1.0; 2])] {
            let rounds = rounds(name).unwrap();
            for (task, worth) in rounds.iter().zip(worth) {
                let mut work = work(task, Some(&key)).unwrap();
                assert_eq!(work(2), Ok(2.0 * worth), "{name}, {task:?}");
            }
        }
    }
}
