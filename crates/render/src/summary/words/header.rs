//! The header of a summary in words: the machine, and the run.
use crate::quantity;
use crate::summary::View;
use analyse::summary::Summary;
use messages as say;
use messages::prose::in_language;
use record::Unit;

/// The machine's parts, and those of the run.
pub(in crate::summary) fn header(summary: &Summary, view: &View<'_>) -> (Vec<String>, Vec<String>) {
    let (h, lang) = (&summary.header, view.lang);
    let count = |n: usize| n as u64;
    let unknown = || h.unnamed_in.clone().unwrap_or_else(|| say::unknown_machine(lang).to_owned());
    let model = h.model.as_deref().map_or_else(unknown, short_model);
    let model = match &h.microarchitecture {
        // What is in brackets, its origin, is in the whole report.
        Some(design) => format!("{model} ({})", design.split(" (").next().unwrap_or(design)),
        None => model,
    };
    let mut machine = vec![model];
    if !h.other_machines.is_empty() {
        machine.insert(0, say::machines(lang, h.other_machines.len() as u64 + 1));
        machine.extend(h.other_machines.iter().take(NAMED).map(|name| short_model(name)));
        let more = h.other_machines.len().saturating_sub(NAMED);
        machine.extend((more > 0).then(|| say::more_causes(lang, more)));
        return (machine, run(summary, view));
    }
    if let Some(cpus) = h.cpus {
        let guest = h.hypervisor.is_some();
        machine.push(if guest {
            say::vcpus(lang, count(cpus))
        } else {
            say::cpus(lang, count(cpus))
        });
        match h.smt {
            Some(false) => machine.push(say::no_smt(lang).to_owned()),
            _ => machine
                .extend(h.cores.filter(|cores| *cores < cpus).map(|n| say::cores(lang, count(n)))),
        }
    }
    let several = h.sockets.filter(|n| *n > 1);
    machine.extend(several.map(|n| say::sockets(lang, count(n))));
    machine.extend(h.memory_bytes.map(|b| quantity::plain(b, Unit::Bytes)));
    machine.extend(h.nodes.map(|n| say::nodes(lang, count(n))));
    machine.extend(h.hypervisor.as_ref().map(|name| in_language(lang, name)));
    // Publications print it with its system.
    let release = |k: &str| k.strip_prefix("linux ").unwrap_or(k).to_owned();
    machine.extend(h.kernel.as_deref().map(|k| format!("Linux {}", release(k))));
    (machine, run(summary, view))
}

/// Machines beside the first that are named.
const NAMED: usize = 4;

/// The run's name, program, depth and time.
fn run(summary: &Summary, view: &View<'_>) -> Vec<String> {
    let h = &summary.header;
    let mut run = vec![];
    run.extend(h.name.clone());
    if !h.tool.is_empty() {
        run.push(format!("{} {}", h.tool, h.version));
    }
    run.extend(h.depth.clone());
    run.extend(h.took_s.map(|took| quantity::plain(took.round(), Unit::Seconds)));
    let started = || h.started.as_deref().map(record::minute);
    run.extend(view.started.map(str::to_owned).or_else(started));
    run
}

/// A processor's name as it is spoken of: without marks, rated frequency, number of cores, and the words that all have.
pub(in crate::summary) fn short_model(name: &str) -> String {
    let mut bare = name.to_owned();
    for mark in ["(R)", "(TM)", "(r)", "(tm)"] {
        bare = bare.replace(mark, " ");
    }
    let bare = bare.split(" @ ").next().unwrap_or_default();
    let cores = |word: &str| {
        let count = word.to_ascii_lowercase().strip_suffix("-core").map(str::parse::<u32>);
        matches!(count, Some(Ok(_)))
    };
    let of_x86 = ["Intel", "AMD", "Hygon"].iter().any(|vendor| bare.contains(vendor));
    let idle = |word: &&str| of_x86 && (cores(word) || ["CPU", "Processor"].contains(word));
    let words: Vec<&str> = bare.split_whitespace().filter(|word| !idle(word)).collect();
    if words.len() < 2 { name.to_owned() } else { words.join(" ") }
}
