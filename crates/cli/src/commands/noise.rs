//! `noise`: the path of `run` with the probes of what the system takes away and what it costs.
use crate::{args, commands::run, exit::Exit};
use anyhow::Result;
use measure::noise::{Binding, Wish};

pub(crate) fn noise(args: args::Noise) -> Result<Exit> {
    let depth = measure::probe::Depth::from(args.depth);
    let bindings = args.binding.iter().map(|binding| match binding {
        args::NoiseBinding::Bound => Binding::Bound,
        args::NoiseBinding::Unbound => Binding::Unbound,
        args::NoiseBinding::Fifo => Binding::Fifo,
    });
    let bindings = bindings.fold(vec![], |mut all, binding| {
        if !all.contains(&binding) {
            all.push(binding);
        }
        all
    });
    let wish = Wish {
        bindings,
        seconds: args.seconds.unwrap_or(depth.pick(3.0, 10.0, 60.0)),
        each: args.each.unwrap_or(depth.pick(1.0, 3.0, 10.0)),
        threshold: args.threshold,
        duty: args.duty,
    };
    let run = args::Run {
        depth: args.depth,
        only: probes(&args.what),
        skip: vec![],
        cpus: args.cpus,
        nodes: None,
        only_with: vec![],
        all_pairs: false,
        per_cpu: false,
        resume: None,
        measuring: args.measuring,
    };
    run::measure(&run, run::Asked { noise: Some(wish), ..run::Asked::default() })
}

/// The probes of what was asked for, or of everything.
fn probes(what: &[args::NoiseWhat]) -> Vec<String> {
    let all: &[(args::NoiseWhat, &[&str])] = &[
        (args::NoiseWhat::Gaps, &["noise_gaps"]),
        (args::NoiseWhat::Work, &["noise_quanta"]),
        (args::NoiseWhat::Costs, &["os_cost", "page_fault", "tlb_shootdown"]),
    ];
    let wanted = all.iter().filter(|(one, _)| what.is_empty() || what.contains(one));
    wanted.flat_map(|(_, probes)| probes.iter().map(|p| (*p).to_owned())).collect()
}
