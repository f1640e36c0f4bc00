//! `spread`: pinned copies of a command; with `--prove` the gain of pinning.
use crate::{
    commands::{place::unmeasured, rate},
    exit::{Exit, TIMED_OUT},
    live, output,
    progress::Progress,
};
use analyse::{
    place::{Placement, Request, place},
    proof::{Completed, Rates, arm_names, proof},
    quantity,
};
use anyhow::Result;
use host::{
    child::{Refused, Running, Stream, WholeLines, names},
    clock::{Clock, Monotonic},
};
use measure::{
    rate::Rate,
    spread::{self, Arm, Copy, Place, Proof},
};
use std::io::{self, Write};
use storage::say;

/// Places named one by one; more are counted.
const NAMED: usize = 8;

pub(crate) fn run(args: &arguments::Spread) -> Result<Exit> {
    let rate = rate(args)?;
    output::check(&args.output)?;
    let machine = inventory::inventory(&*live::root(None)?);
    let nodes = machine.topology.with_memory().count();
    let several_nodes = nodes > 1 && args.memory == arguments::Bound::Bind;
    let record = unmeasured(machine);
    let ask = Request {
        instances: args.instances.0,
        cores: args.cores_per_instance,
        smt: args.smt,
        per: args.per,
        node: None,
    };
    let placement = place(&analyse::analyse(&record), &ask)?;
    let places: Vec<Place> = placement
        .instances
        .iter()
        .map(|i| Place { cpus: i.cpus.clone(), nodes: i.nodes.clone() })
        .collect();
    let ran = match rate {
        None => copies(args, &placement, &places, several_nodes),
        Some(rate) => {
            let ask = Proof {
                words: args.command.clone(),
                places,
                several_nodes,
                repeats: args.repeats as usize,
                rate,
                limit: args.timeout,
                end_children: args.end_children,
            };
            return prove(args, &ask);
        }
    };
    Ok(ran.unwrap_or_else(|why| Exit::refused(&why)))
}

/// The measure of a run's work, with --prove.
fn rate(args: &arguments::Spread) -> Result<Option<Rate>> {
    let chosen =
        || rate::chosen(args.rate_regex.as_deref(), args.rate_file.as_deref(), &args.command);
    args.prove.then(chosen).transpose()
}

fn copies(
    args: &arguments::Spread,
    placement: &Placement,
    places: &[Place],
    several_nodes: bool,
) -> Result<Exit, Refused> {
    let count = places.len();
    let copies: Vec<Copy> = places
        .iter()
        .enumerate()
        .map(|(index, place)| {
            Copy::of(&args.command, index, count, place).bound(place, several_nodes)
        })
        .collect();
    if !args.quiet {
        where_to(placement, several_nodes);
    }
    let width = count.saturating_sub(1).to_string().len();
    let ending = (args.timeout, args.end_children);
    let take = move |lines: WholeLines| written(&lines, width);
    let ran = spread::run(&copies, &Monotonic::new(), ending, take, |_| ())?;
    let done = &ran.done;
    let ends = record::sets(done.ended.iter().map(|e| e.status.to_string()).zip(0..));
    let failed = done.ended.iter().any(|e| e.status.code() != 0);
    let ends: Vec<String> = ends.iter().map(|(how, who)| format!("copies {who}: {how}")).collect();
    if failed || !args.quiet {
        say(&format!("cpulens spread: {}", ends.join("; ")));
    }
    if failed && done.passed_on.is_none() && !done.timed_out {
        say("cpulens spread: copies have no terminal, and nothing to read on standard input");
    }
    if done.timed_out {
        let limit = args.timeout.unwrap_or_default();
        say(&format!("cpulens spread: they had not ended after {limit} s, and were ended"));
    }
    if !args.quiet {
        still_running(&done.still_running);
    }
    for (n, what) in [
        (done.left_behind, "outlived the copy that started it, and was ended"),
        (done.unkillable, "hangs in the kernel and could not be ended"),
    ] {
        if n > 0 {
            say(&format!(
                "cpulens spread: {}: each {what}",
                quantity::counted(n as usize, "process")
            ));
        }
    }
    if !ran.heard {
        say("cpulens spread: some output was not taken, for it had not ended");
    }
    let worst = done.ended.iter().map(|e| e.status.code()).max().unwrap_or(1);
    Ok(match done.timed_out {
        true => Exit::Of(TIMED_OUT),
        false => Exit::Of(u8::try_from(worst).unwrap_or(u8::MAX)),
    })
}

/// Processes that outlived the copies.
fn still_running(running: &[Running]) {
    if !running.is_empty() {
        say(&format!(
            "cpulens spread: processes that copies started still run ({}): {}; --end-children ends them",
            running.len(),
            names(running)
        ));
    }
}

/// Lines as they are, with the copy's number in front of each.
fn written(lines: &WholeLines, width: usize) {
    let mut bytes = vec![];
    for line in lines.each() {
        bytes.extend(format!("[{:>width$}] ", lines.child).into_bytes());
        bytes.extend(line);
        bytes.push(b'\n');
    }
    // Nobody to read it is no reason to end the copies.
    let _ = match lines.stream {
        Stream::Out => io::stdout().lock().write_all(&bytes),
        Stream::Err => io::stderr().lock().write_all(&bytes),
    };
}

fn where_to(placement: &Placement, several_nodes: bool) {
    for (index, i) in placement.instances.iter().enumerate().take(NAMED) {
        let memory = match (several_nodes, i.nodes.len()) {
            (false, _) | (_, 0) => String::new(),
            (true, 1) => format!(", memory on node {}", i.nodes),
            (true, _) => format!(", memory interleaved over nodes {}", i.nodes),
        };
        say(&format!("cpulens spread: copy {index}: CPUs {} ({}){memory}", i.cpus, i.within));
    }
    let more = placement.instances.len().saturating_sub(NAMED);
    if more > 0 {
        say(&format!(
            "cpulens spread: and {}; cpulens place shows them all",
            quantity::counted(more, "more copy")
        ));
    }
    placement.doubts.iter().for_each(|why| say(&format!("cpulens spread: note: {why}")));
}

fn prove(args: &arguments::Spread, ask: &Proof) -> Result<Exit> {
    let clock = Monotonic::new();
    let copies = ask.places.len();
    let names = arm_names(copies);
    let mut progress = Progress::new(args.quiet);
    let began = clock.now();
    let measured = ask.measure(&clock, |number, of, arm| {
        // A run takes as long as those before it did on average.
        let each = (clock.now() - began) / (number - 1).max(1) as f64;
        let left = each * (of + 1 - number) as f64;
        let label = format!("run {number} of {of}, {}", names[arm as usize]);
        progress.begins(&label, each, left, true);
    });
    progress.finish();
    let measured = match measured {
        Ok(measured) => measured,
        Err(why) => return Ok(Exit::refused(&why)),
    };
    still_running(&measured.still_running);
    let of = |arm: Arm| -> Vec<f64> {
        measured.rates.iter().filter(|(a, _)| *a == arm).map(|(_, rate)| *rate).collect()
    };
    let command: Vec<String> =
        args.command.iter().map(|w| w.to_string_lossy().into_owned()).collect();
    let command = command.join(" ");
    let completed = (ask.rate == Rate::Runs).then(|| Completed {
        command: command.clone(),
        seconds: measured.seconds,
        cpu_seconds: measured.cpu_seconds,
    });
    let rates = Rates {
        completed,
        one: of(Arm::One),
        one_bound: of(Arm::OneBound),
        all: of(Arm::All),
        all_bound: of(Arm::AllBound),
        failed: measured.failed.as_ref().map(|failed| failed.why.why.clone()),
    };
    let proof = proof(copies, &rates);
    let rate = match &ask.rate {
        Rate::Runs => "completed runs a second".to_owned(),
        Rate::Match(expression) => format!("what '{expression}' captures, of all copies together"),
        Rate::File(file) => format!("the number in {}, of all copies together", file.display()),
    };
    let document = sections::proof::document(&proof, &command, &rate);
    output::document(&args.output, &document)?;
    if let Some(why) = &measured.failed {
        return Ok(Exit::refused(why));
    }
    Ok(if args.strict && proof.differs { Exit::Findings } else { Exit::Done })
}
