//! Makes the records of `fixtures/records/v1` from models of machines: seeded, so that the same bytes come out.
//! They stand for what `run` writes on machines that a test cannot have: busy, large, or cut short.
mod bandwidth;
mod load_generators;
mod machines;
mod scaling_run;
mod series;

use record::{Outcome, ProbeId, Reason, Record, param};
pub(crate) use series::Model;

/// Every fixture by file name.
pub(crate) fn all() -> Vec<(&'static str, Record)> {
    vec![
        ("quiet-vm", quiet_vm()),
        ("busy-vm", busy_vm()),
        ("two-node-server", two_node_server()),
        ("cut-short", cut_short()),
        ("scaling_run", scaling_run()),
        ("load-generator-72", load_generators::small()),
        ("load-generator-196", load_generators::large()),
        ("load-generator-196-mended", load_generators::mended()),
    ]
}

/// The two sockets, scaling reads.
fn scaling_run() -> Record {
    let mut model = Model::new(machines::server(), 5);
    model.frequency = 3.4e9;
    model.scaling_run()
}

/// Two CPUs of a virtual machine that nobody disturbs.
fn quiet_vm() -> Record {
    Model::new(machines::vm(), 1).record()
}

/// The same machine while neighbours and another program want its CPUs, and the frequency moves.
fn busy_vm() -> Record {
    let mut machine = machines::vm();
    machine.set("limits.cpu_quota", 1.5, "/sys/fs/cgroup/cpu.max");
    let mut model = Model::new(machine, 2);
    model.busy = 0.41;
    model.steal = 0.13;
    model.runnable = 3.0;
    model.noise = 0.06;
    model.frequency_drift = -0.14;
    model.marked_every = 3;
    model.record()
}

/// Two sockets with two threads a core, DIMMs below their rating, and CPUs that share a cluster or do not.
fn two_node_server() -> Record {
    let mut model = Model::new(machines::server(), 3);
    model.frequency = 3.4e9;
    model.loads = [4.0 / 3.4e9, 14.0 / 3.4e9, 19e-9, 95e-9];
    model.tlb_walk = 28e-9;
    model.one_core = 14e9;
    model.all_cores = 98e9;
    model.more = true;
    model.record()
}

/// Interrupted in the middle, with cases that could not run here.
fn cut_short() -> Record {
    let mut record = Model::new(machines::vm(), 4).record();
    let interrupted =
        Reason::mended_by("the run was interrupted before this case", "cpulens run --resume");
    let mut measured = 0;
    for run in &mut record.runs {
        let probe = run.case.probe;
        if probe == ProbeId::LoadLatency && run.case.get(param::PAGES) == Some("thp") {
            run.outcome = Outcome::Skipped(Reason::mended_by(
                "transparent huge pages are switched off",
                "echo madvise | sudo tee /sys/kernel/mm/transparent_hugepage/enabled",
            ));
        } else if probe == ProbeId::CoreRate {
            run.outcome = Outcome::Failed(Reason::new("the kernel returned a wrong checksum"));
        } else if matches!(
            probe,
            ProbeId::Bandwidth
                | ProbeId::Stream
                | ProbeId::CoreToCore
                | ProbeId::LoadedLatency
                | ProbeId::SmtPair
                | ProbeId::PageFault
                | ProbeId::TlbShootdown
                | ProbeId::FalseSharing
                | ProbeId::MemoryBound
        ) {
            run.outcome = Outcome::NotReached(interrupted.clone());
        } else {
            measured += 1;
            continue;
        }
        (run.began, run.took) = (0.0, 0.0);
        run.threads.clear();
        run.readings.clear();
    }
    record.reference_samples.truncate(measured);
    record.machine.set(
        "memory.thp.enabled",
        "never",
        "/sys/kernel/mm/transparent_hugepage/enabled",
    );
    // The sweep had only begun: every point but the first has one sample, and the first was disturbed throughout.
    for run in &mut record.runs {
        if let (Outcome::Measured(all), "grouped") =
            (&mut run.outcome, run.case.get(param::ORDER).unwrap_or(""))
        {
            all.truncate(9);
            for (i, series) in all.iter_mut().enumerate() {
                if i == 0 {
                    series.disturbed = (0..series.samples.len() as u32)
                        .map(|sample| record::Disturbed { sample, why: "context switch".into() })
                        .collect();
                } else {
                    series.samples.truncate(1);
                    series.disturbed.clear();
                }
            }
        }
    }
    record
}
