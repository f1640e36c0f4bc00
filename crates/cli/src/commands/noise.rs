//! `noise`: `run` with the probes of OS noise and system calls.
use crate::{
    commands::run::{self, Request},
    exit::Exit,
};
use anyhow::{Context, Result};
use filesystem::directory::refuse_exchangeable_file;
use measure::probe::ProbeOptions;
use probes::{noise::Options, undisturbed_speed};
use record::distinct;
use std::path::Path;

pub(crate) fn noise(args: arguments::Noise) -> Result<Exit> {
    if args.inside {
        undisturbed_speed::inside().context("--inside")?;
        return Ok(Exit::Done);
    }
    let line = line(&args)?;
    let options = Options {
        bindings: distinct(args.binding.iter().copied()),
        seconds: args.seconds.unwrap_or(args.depth.pick(3.0, 10.0, 60.0)),
        each: args.each.unwrap_or(args.depth.pick(1.0, 3.0, 10.0)),
        threshold: args.threshold,
        duty: args.duty,
        guest: line.guest.clone(),
    };
    let only = probes(&args);
    let run = arguments::Run {
        depth: args.depth,
        cpus: args.cpus,
        ..arguments::Run::only(only, args.measuring)
    };
    let mut all = ProbeOptions::with(options);
    all.set(line);
    run::measure(&run, Request { options: all, required: false })
}

/// Options of the undisturbed speed; absolute paths, so that a run can be resumed from another folder.
fn line(args: &arguments::Noise) -> Result<undisturbed_speed::Options> {
    let whole = |file: &Path, option: &str| -> Result<String> {
        let file = file.canonicalize().with_context(|| format!("{option} {}", file.display()))?;
        Ok(file.display().to_string())
    };
    let kmod = args.kmod.as_ref().map(|file| match file.is_empty() {
        true => Ok(String::new()),
        false => {
            let named = Path::new(file);
            // Links on the way are judged, too; the file itself is judged again before it is loaded.
            refuse_exchangeable_file(named).with_context(|| format!("--kmod {file}"))?;
            whole(named, "--kmod")
        }
    });
    let kernel = args.kernel.as_ref().map(|file| whole(file, "--kernel")).transpose()?;
    Ok(undisturbed_speed::Options {
        rounds: args.rounds,
        kmod: kmod.transpose()?,
        isolate: args.isolate,
        guest: args.guest.then(|| kernel.unwrap_or_default()),
    })
}

/// The probes of what was asked for. Undisturbed speed changes the machine where its options are given, and is not among what is
/// measured unasked.
fn probes(args: &arguments::Noise) -> Vec<String> {
    let all: &[(arguments::NoiseExperiment, &[&str])] = &[
        (arguments::NoiseExperiment::Detours, &["noise_detours"]),
        (arguments::NoiseExperiment::Work, &["noise_fwq"]),
        (arguments::NoiseExperiment::Costs, &["kernel_ops", "page_fault", "tlb_shootdown"]),
        (arguments::NoiseExperiment::Line, &["undisturbed_speed"]),
    ];
    // A guest can be asked for detours and work, too.
    let elsewhere = [arguments::NoiseExperiment::Detours, arguments::NoiseExperiment::Work];
    let asked = args.what.iter().any(|what| elsewhere.contains(what));
    let guest = args.guest && !asked;
    let line = args.kmod.is_some() || args.isolate || guest || args.rounds.is_some();
    let wanted = all.iter().filter(|(one, _)| match (one, args.what.is_empty()) {
        (arguments::NoiseExperiment::Line, _) => line || args.what.contains(one),
        (one, true) => !line || args.guest && elsewhere.contains(one),
        (_, false) => args.what.contains(one),
    });
    wanted.flat_map(|(_, probes)| probes.iter().map(|p| (*p).to_owned())).collect()
}
