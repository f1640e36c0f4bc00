//! Undisturbed speed: what the kernel, interrupts, migration and the hypervisor take from a program.
//!
//! Method: primes from 3 to 999,999 by trial division (78,497, checked in every pass), in one assembly function whose
//! bytes are hashed where they run: user mode, kernel module, guest. Each cell (place x mode x interrupts x system)
//! runs one pass a round, every second round backwards. Places: `unbound`, `bound` to one CPU, `fifo` (bound,
//! SCHED_FIFO), `isolated` (bound, in an isolated cgroup v2 partition). With interrupts off a pass is cut into quanta
//! of at most 2 ms, whose times are added. Undisturbed speed is the kernel's pass with interrupts off, bound. The
//! module needs `--kmod`, the guest `--guest`, the partition `--isolate`; what is not available is recorded with its
//! reason.
//! Limits: NMIs and a hypervisor interrupt even then. A TCG guest's times are no speed. Frequency may differ between
//! cells. A SCHED_FIFO pass above 0.95 s is throttled by the kernel.
//! Source: the CPU test of github.com/snake0/irq_test, its defects mended
//! (docs/adr/0023).
use crate::{
    prelude::*,
    undisturbed_speed::{Cell, HostMeans, Options, Passes, Remote, System, booted, rounds},
};
use host::{
    guest::Accelerator,
    kmod::{Built, Module},
    partition::Partition,
};
use record::Value;
use std::path::PathBuf;

/// Seconds per pass, by place, mode, interrupts and system.
pub static PROBE: Probe = Probe::new(480, 1, "OS noise: what a pure CPU program loses", cases, run);

/// Seconds of a pass and what is around it, with and without a processor of its own: for the plan only.
const PASS: (f64, f64) = (0.3, 3.0);
/// The least number of rounds that the median's interval can be given for is six; ten is what was asked for at least.
const ROUNDS: [u64; 3] = [10, 20, 40];

fn cases(setting: &Setting<'_>) -> Result<Vec<Case>, Reason> {
    if !setting.is_named(ProbeId::UndisturbedSpeed) {
        return match setting.depth < Depth::Thorough {
            true => Ok(vec![]),
            false => Err(Reason::by_plan(
                "it may load a module and boot a guest, and runs when it is asked for",
                "cpulens noise",
            )),
        };
    }
    let options = setting.probe_options.get::<Options>().cloned().unwrap_or_default();
    Ok(vec![case(setting, &options)])
}

fn run(case: &Case, bench: &mut Bench<'_>) -> Result<Vec<Series>, Reason> {
    let cpu = case.place.cpus.first().ok_or("no CPU to run on")?;
    let count = case.get(param::ROUNDS).unwrap_or(ROUNDS[0]);
    // Built once, for this machine and for its guest.
    let mut built = None;
    let file = module(case, &mut built);
    let mut here = HostMeans {
        clock: bench.clock,
        cpu,
        module: file.clone().and_then(|file| Module::load(&file)),
        partition: partition(case, cpu),
    };
    let mut guest: Option<(Remote, Accelerator)> = None;
    if let Some(kernel) = case.get(param::GUEST) {
        let cpus = bench.machine.topology.usable().len();
        guest = booted(kernel, file.ok(), cpus, &mut |name, why| {
            bench.unread.insert(format!("undisturbed_speed.{name}"), why);
        })
        .ok();
    }
    let accelerator = guest.as_ref().map(|(_, accelerator)| accelerator.name());
    let mut systems: Vec<(System, &mut dyn Passes)> = vec![(System::Host, &mut here)];
    systems.extend(guest.as_mut().map(|(guest, _)| (System::Guest, guest as &mut dyn Passes)));
    let (cancel, tick) = (bench.cancel, &mut bench.tick);
    let rounds = rounds(count, &mut systems, &mut |share| {
        tick(share);
        !cancel.load(std::sync::atomic::Ordering::Relaxed)
    });
    bench.unread.extend(rounds.unread());
    bench.unread.insert(
        "undisturbed_speed.host.user.off".into(),
        Reason::new("a program cannot turn interrupts off; that is what the module is for"),
    );
    rounds.same_code()?;
    let series = rounds.series(accelerator);
    match series.is_empty() {
        true => Err(rounds.unread().into_values().next().unwrap_or(Reason::new("interrupted"))),
        false => Ok(series),
    }
}

fn case(setting: &Setting<'_>, options: &Options) -> Case {
    let rounds = options.rounds.unwrap_or(ROUNDS[setting.depth as usize]);
    let mut params: Vec<(&str, Value)> = vec![param::ROUNDS.set(rounds)];
    params.extend(options.kmod.iter().map(|file| param::KMOD.set(file.clone())));
    params.extend(options.guest.iter().map(|kernel| param::GUEST.set(kernel.clone())));
    if options.isolate {
        params.push(param::ISOLATE.set(true));
    }
    let modes = if options.kmod.is_some() { 1.0 } else { 1.0 / 3.0 };
    let cells = Cell::all().len() as f64 * modes;
    let guest = if options.guest.is_some() { PASS.1 } else { 0.0 };
    setting.single(&params, rounds as f64 * cells * (PASS.0 + guest) + 4.0 * guest)
}

/// The path of the module, or why there is none.
fn module(case: &Case, built: &mut Option<Built>) -> Result<PathBuf, Reason> {
    match case.get(param::KMOD) {
        None => Err(Reason::mended_by(
            "no kernel module was asked for",
            "--kmod, as root, on a machine for tests",
        )),
        Some("") => {
            host::kmod::permitted()?;
            let built = built.insert(Built::new()?);
            Ok(built.file().to_owned())
        }
        Some(file) => Ok(file.into()),
    }
}

fn partition(case: &Case, cpu: u32) -> Result<Partition, Reason> {
    match case.get(param::ISOLATE) {
        Some(true) => Partition::new(cpu),
        _ => Err(Reason::mended_by(
            "no isolated partition was asked for",
            "--isolate, as root, where nothing else needs the CPU",
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use record::{Cpu, Machine};

    #[test]
    fn it_is_planned_when_it_is_named_and_everything_travels_in_the_case() {
        let mut machine = Machine::default();
        machine.topology.cpus.push(Cpu { online: true, allowed: true, ..Cpu::default() });
        let mut setting = Setting::new(&machine, machine.topology.usable(), Depth::Quick);
        assert_eq!(cases(&setting), Ok(vec![]));
        setting.options.named = vec![ProbeId::UndisturbedSpeed];
        let plain = cases(&setting).unwrap().remove(0);
        assert_eq!((plain.get(param::ROUNDS), plain.params.len()), (Some(10), 1));
        assert!(module(&plain, &mut None).unwrap_err().remedy.unwrap().contains("--kmod"));
        assert!(partition(&plain, 0).unwrap_err().remedy.unwrap().contains("--isolate"));
        setting.probe_options.set(Options {
            rounds: Some(3),
            kmod: Some("/x.ko".into()),
            isolate: true,
            guest: Some(String::new()),
        });
        let all = cases(&setting).unwrap().remove(0);
        assert_eq!(all.params.len(), 4);
        assert_eq!(module(&all, &mut None), Ok("/x.ko".into()));
        assert!(all.estimate > plain.estimate);
    }
}
